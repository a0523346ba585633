"""Options of another program, announced to our client as if they were ours."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.xiangqi.client import plain
from protocols.xiangqi.engine import OURS
from protocols.xiangqi.options import find
from protocols.xiangqi.orders import EngineOption


def greeting(text: str, dialect: str, name: str, known: Sequence[EngineOption]) -> str:
    """Our answer to ``ucci`` or ``uci`` with the engine's name, and its options in place of the search's.

    Options that are a matter between us and the client stay; all others are there only if the engine has them.
    """
    lines = text.splitlines(keepends=True)
    own = [line for line in lines[1:-1] if not line.startswith("option ") or plain(_name(line, dialect)) in OURS]
    borrowed = [_line(option, dialect) for option in known if plain(option.name) not in OURS]
    return "".join([f"id name {name} (qiqiao)\n", *own, *borrowed, lines[-1]])


def _name(line: str, dialect: str) -> str:
    """The name that an option line announces."""
    return line.partition(" type ")[0].removeprefix("option ").removeprefix("name " if dialect == "uci" else "")


def _line(option: EngineOption, dialect: str) -> str:
    """The announcement of an engine's option in our client's protocol, under the name that is usual there."""
    ours = find(option.name)
    name = (ours.uci if dialect == "uci" else ours.ucci) if ours is not None else ""
    name = name or option.name
    text = f"option name {name}" if dialect == "uci" else f"option {name.replace(' ', '_')}"
    text += f" type {option.kind}"
    if option.kind != "button":
        text += f" default {option.default or '<empty>'}"
    if option.low is not None:
        text += f" min {option.low}"
    if option.high is not None:
        text += f" max {option.high}"
    return text + "".join(f" var {value}" for value in option.values) + "\n"
