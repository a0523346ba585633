"""Which engine plays: ``--player`` on the command line, and the file of named engines.

The file is TOML, one table an engine::

    [elephanteye]
    protocol = "ucci"
    command = "/opt/eleeye/eleeye"
    directory = "/opt/eleeye"     # optional, and so is all that follows
    start_time = 20
    trouble = "error"

    [elephanteye.options]
    usebook = false

The other keys are the fields of ``protocols.programs.config.EngineConfig``.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from engines.errors import QiqiaoError
from protocols.programs.config import OWN_PROTOCOLS, PROTOCOLS, EngineConfig
from protocols.toml import read_toml

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TIMES = {"start_time": 3600.0, "patience": 86400.0, "stop_time": 600.0, "quit_time": 600.0}
"""Fields that are seconds, with the most that makes sense."""


class RosterError(QiqiaoError, ValueError):
    """The file of engines, or an entry of it, is no good; the text says why."""


def default_path() -> str:
    """Where the named engines are kept: in the user's configuration."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "qiqiao", "engines.toml")


def load(path: str) -> dict[str, EngineConfig]:
    """The named engines in a file; none when there is no file. Raises RosterError for a file that can't be used."""
    try:
        table = read_toml(path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RosterError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise RosterError(f"{path}: {error}") from None
    return {name: _spec(path, name, entry) for name, entry in table.items()}


def _spec(path: str, name: str, entry: Any) -> EngineConfig:
    """One entry as a description of an engine."""
    where = f"{path}: engine '{name}'"
    if not isinstance(entry, dict):
        raise RosterError(f"{where} must be a table with protocol and command")
    values = dict(entry)
    for key in ("protocol", "command"):
        if not isinstance(values.get(key), str):
            raise RosterError(f'{where} needs {key} = "..."')
    options = values.pop("options", {})
    if not isinstance(options, dict):
        raise RosterError(f"{where}: options must be a table")
    for key, value in options.items():
        if not isinstance(value, (str, int, float)):
            raise RosterError(f"{where}: option '{key}' must be a text, a number, or true or false")
    known = {field.name for field in dataclasses.fields(EngineConfig)} - {"name", "options"}
    for key, value in values.items():
        if key not in known:
            raise RosterError(f"{where}: unknown key '{key}'")
        values[key] = _checked(where, key, value)
    try:
        return EngineConfig(**values, name=name, options={key: text_of(value) for key, value in options.items()})
    except ValueError as error:
        raise RosterError(f"{where}: {error}") from None


def _checked(where: str, key: str, value: Any) -> Any:
    """The value of a key. Raises RosterError for one that makes no sense."""
    if key in _TIMES:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.05 <= value <= _TIMES[key]:
            raise RosterError(f"{where}: {key} must be a number of seconds, at most {_TIMES[key]:g}")
        return float(value)
    choices: dict[str, tuple[Any, ...]] = {
        "protocol": tuple(PROTOCOLS),
        "trouble": ("resign", "error"),
        "retries": tuple(range(11)),
        "rank_base": (0, 1),
        "milliseconds": (True, False),
    }
    allowed = choices.get(key)
    # 0 and False are equal, and so are 1 and True.
    if allowed is not None and not any(value == one and type(value) is type(one) for one in allowed):
        shown = "0 to 10" if key == "retries" else ", ".join(map(text_of, allowed))
        raise RosterError(f"{where}: {key} must be one of {shown}")
    if key in ("command", "directory", "game") and not isinstance(value, str):
        raise RosterError(f"{where}: {key} must be a text")
    if key == "command":
        from protocols.programs.process import ProcessError, split_command  # not needed by who plays with the search

        try:
            split_command(value)
        except ProcessError as error:
            raise RosterError(f"{where}: {error}") from None
    return value


def text_of(value: Any) -> str:
    """An option's value as the protocols write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def entry_text(spec: EngineConfig) -> str:
    """An engine as a table of the file."""
    import json  # its texts are TOML's too; a GUI that waits for our start needs none

    name = spec.name if _BARE.fullmatch(spec.name) else json.dumps(spec.name, ensure_ascii=False)
    lines = [f"[{name}]"]
    for field in dataclasses.fields(EngineConfig):
        value = getattr(spec, field.name)
        if field.name == "game" and value == PROTOCOLS[spec.protocol][0]:
            continue
        if field.name in ("name", "options") or (value == field.default and field.default is not dataclasses.MISSING):
            continue
        lines.append(f"{field.name} = {json.dumps(value, ensure_ascii=False)}")
    if spec.options:
        lines += ["", f"[{name}.options]"]
        for key, text in spec.options.items():
            shown = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            lines.append(f"{shown} = {json.dumps(text, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def add(path: str, spec: EngineConfig) -> None:
    """Write an engine to the file, which is made if need be; what is there stays as it is.

    Raises RosterError for a name that is taken, or a file that can't be read or written.
    """
    if spec.name in load(path):
        raise RosterError(f"{path} has an engine '{spec.name}' already; change or delete it there")
    _spec(path, spec.name, {"protocol": spec.protocol, "command": spec.command})
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "a+", encoding="utf-8") as file:
            file.seek(0)
            before = file.read()
            gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
            file.write(gap + entry_text(spec))
    except OSError as error:
        raise RosterError(f"cannot write {path}: {error.strerror}") from None


# ---------------------------------------------------------------------- the command line


def option(text: str) -> tuple[str, str]:
    """``NAME=VALUE`` on a command line."""
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, not '{text}'")
    return name.strip(), value.strip()


def _seconds(most: float) -> Callable[[str], float]:
    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"not a number: '{text}'") from None
        if not 0.05 <= value <= most:
            raise argparse.ArgumentTypeError(f"must be 0.05 to {most:g} seconds, not {text}")
        return value

    return convert


def add_player_arguments(group: Any, game: str) -> None:
    """``--player`` and what goes with it, for the engines of a game; ``group`` is a parser or a group of one."""
    protocols = [name for name, played in PROTOCOLS.items() if game in played]
    forms = ", ".join(f"{name}:COMMAND" for name in protocols)
    group.add_argument(
        "--player",
        default="search",
        metavar="PLAYER",
        help=f"who plays: search (built in, the default), search:ARGUMENTS, {forms} for another program, "
        "board:URL for a person at a sensor board, or the name of an engine",
    )
    group.add_argument("--engines", metavar="FILE", help=f"the file of named engines ({default_path()})")
    add_spec_arguments(group)


def add_spec_arguments(group: Any) -> None:
    """What can be said about an engine besides its command."""
    group.add_argument(
        "--engine-option",
        type=option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option to set in the engine; may be given again and again",
    )
    group.add_argument("--engine-directory", metavar="DIR", help="where the engine is started")
    group.add_argument(
        "--engine-trouble",
        choices=["resign", "error"],
        help="what to answer when the engine gives no legal move however often it is asked (resign)",
    )
    group.add_argument(
        "--engine-start-time",
        type=_seconds(_TIMES["start_time"]),
        metavar="SECONDS",
        help="time for the engine's first answer (30)",
    )
    group.add_argument(
        "--engine-patience",
        type=_seconds(_TIMES["patience"]),
        metavar="SECONDS",
        help="longest thought about a move that nothing else limits (180)",
    )


def with_arguments(spec: EngineConfig, arguments: argparse.Namespace) -> EngineConfig:
    """The description with what ``add_spec_arguments`` read."""
    changes = {
        "directory": arguments.engine_directory,
        "trouble": arguments.engine_trouble,
        "start_time": arguments.engine_start_time,
        "patience": arguments.engine_patience,
    }
    given = {key: value for key, value in changes.items() if value is not None}
    return dataclasses.replace(spec, options={**spec.options, **dict(arguments.engine_option)}, **given)


def chosen(arguments: argparse.Namespace, game: str) -> EngineConfig | None:
    """The engine that ``--player`` names, None for the built-in search. Wrong ones end the program with status 2."""
    try:
        spec = find(arguments.player, game, arguments.engines or default_path())
    except RosterError as error:
        arguments.parser.error(f"argument --player: {error}")
    return None if spec is None else with_arguments(spec, arguments)


def own_engine(game: str, arguments: str) -> EngineConfig:
    """The built-in search as an engine. Raises RosterError for arguments that are no command line."""
    from protocols.start import own_line  # not needed by who plays with the search in this process

    protocol = OWN_PROTOCOLS[game]
    return _spec("the command line", "search", {"protocol": protocol, "command": own_line([protocol], arguments)})


def _meant(player: str, engines: Iterable[str]) -> str:
    """What may have been meant by a player that there is not: the end of a message, "" for no idea."""
    from difflib import get_close_matches  # who makes no mistake need not wait for it

    word, colon, rest = player.partition(":")
    known = [*PROTOCOLS, "search", "board"] if colon else [*engines, "search"]
    close = get_close_matches(word, known, 1)
    return f" (did you mean '{close[0]}{colon}{rest}'?)" if close else ""


def find(player: str, game: str, path: str) -> EngineConfig | None:
    """The engine of a ``--player`` text, None for ``search``. Raises RosterError for one that does not exist or fit.

    ``search:ARGUMENTS`` is the built-in search in a process of its own, with arguments of ``qiqiao gtp`` or ``uci``.
    """
    if player == "search":
        return None
    word, colon, command = player.partition(":")
    if colon and word == "search":
        return own_engine(game, command)
    if colon and word in PROTOCOLS:
        entry = {"protocol": word, "command": command}
        spec = _spec("the command line", "", {**entry, "game": game} if game in PROTOCOLS[word] else entry)
    else:
        engines = load(path)
        if player not in engines:
            names: Iterable[str] = (name for name, one in engines.items() if one.game == game)
            there = ", ".join(sorted(names)) or "none"
            raise RosterError(f"no engine '{player}' in {path} (there: {there}){_meant(player, engines)}")
        spec = engines[player]
    if spec.game != game:
        raise RosterError(f"{spec.protocol} engines play {spec.game}, not {game}")
    return spec
