"""Options of another program, announced to our client as if they were ours."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.xiangqi.client import plain
from protocols.xiangqi.engine import OURS
from protocols.xiangqi.options import UCCI_RULES, UCI_RULES, find
from protocols.xiangqi.orders import EngineOption

_SIZE = {"ucci": "hashsize", "uci": "Hash"}
_THREADS = {"ucci": "threads", "uci": "Threads"}
_USUAL = {"hashsize": _SIZE, "hash": _SIZE, "threads": _THREADS}
"""Names of what has another name, or other bounds, in the other protocol."""


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
    name = name or _USUAL.get(plain(option.name), {}).get(dialect) or option.name
    values, default = list(option.values), option.default
    if plain(name).startswith("repetition"):
        values = [_rule(value, dialect) for value in values]
        default = _rule(default, dialect)
    values.sort(key=lambda value: value != default)  # first comes the default, which is all that some clients go by
    low = option.low
    if dialect == "ucci" and name in ("hashsize", "threads") and low is not None:
        low = min(low, 0)  # 0 leaves it to the engine
    bounds = "" if low is None else f" min {low}"
    bounds += "" if option.high is None else f" max {option.high}"
    choices = "".join(f" var {value}" for value in values)
    shown = "" if option.kind == "button" else f" default {default or '<empty>'}"
    if dialect == "uci":
        return f"option name {name} type {option.kind}{shown}{bounds}{choices}\n"
    return f"option {name.replace(' ', '_')} type {option.kind}{bounds}{choices}{shown}\n"


def _rule(value: str, dialect: str) -> str:
    """The name of rules of repetition as it is usual in a protocol; as it is where we know no other."""
    rule = UCCI_RULES.get(value.lower()) or {key.lower(): rule for key, rule in UCI_RULES.items()}.get(value.lower())
    names = UCI_RULES if dialect == "uci" else UCCI_RULES
    return next((name for name, one in names.items() if one == rule), value)
