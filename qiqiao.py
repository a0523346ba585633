"""The command line: ``qiqiao COMMAND …``.

Each command is a module with a function ``add_arguments(parser)`` and a function ``run(arguments) -> exit code``.
Only the module of the command asked for is imported: a GUI starts the daemon for every game, and start-up time
counts.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from engines import __version__

COMMANDS = {
    "gtp": ("protocols.commands.gtp", "play Go for a GTP client (Sabaki, GoGui, KGS, CGOS, ...)"),
    "ucci": ("protocols.commands.ucci", "play Xiangqi for a UCCI client (Chinese boards, tournament managers)"),
    "uci": ("protocols.commands.uci", "play Xiangqi for a UCI client (as Pikafish or Fairy-Stockfish would)"),
    "mgtp": ("protocols.commands.mgtp", "play banqi, luoqi or sanguo for an MGTP client (tournaments of TCGA)"),
    "play": ("protocols.commands.play", "play any game in the terminal, against a player or a person"),
    "match": ("protocols.commands.match", "play engines against each other, refereed and counted"),
    "judge": ("protocols.commands.judge", "judge a repetition in Xiangqi: who must vary, and why"),
    "notate": ("protocols.commands.notate", "write a Xiangqi move in every notation, a Go point in all coordinates"),
    "describe": ("protocols.commands.describe", "explain a game in the words of the field"),
    "show": ("protocols.commands.show", "show a game or a position, in the terminal or as a picture"),
    "convert": ("protocols.commands.convert", "convert records of games from any format into another"),
    "board": ("protocols.commands.board", "play Go or Xiangqi on a sensor board"),
    "ports": ("protocols.commands.ports", "list serial ports, and watch a sensor board"),
    "engines": (
        "protocols.commands.engines",
        "add, list and check other programs that can play in place of the search",
    ),
}
"""Name of a command: its module, and what it does in a few words."""


_CHOICE = re.compile(r"'([^']*)'.*(?:one of|none of|choose from|there are|there:) (.*)")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, which says what may have been meant."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        line = " ".join(message.split())
        found = _CHOICE.search(line)
        if found is not None and "did you mean" not in line:
            line += meant(found[1], [word.strip(" '()") for word in found[2].split(",")])
        self.exit(2, f"{self.prog}: {line}; see {self.prog} --help for its usage\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As ``argparse`` does; a word that is no option is compared with those there are."""
        if self._subparsers is not None and args is not None:
            # A word that is none before the command: that a command is missing is not what is wrong.
            first = next(iter(args), "")
            if first.startswith("-") and first.partition("=")[0] not in self._option_string_actions:
                self.error(f"unknown argument '{first}'{meant(first.partition('=')[0], self._option_string_actions)}")
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            parser = getattr(found, "parser", self)
            word = next((one for one in rest if one.startswith("-")), rest[0])
            parser.error(f"unknown argument '{word}'{meant(word.partition('=')[0], parser._option_string_actions)}")
        return found


def meant(word: str, known: Iterable[str]) -> str:
    """What may have been meant by a word that is none of those known, as the end of a message; "" for no idea."""
    from difflib import get_close_matches  # who makes no mistake need not wait for it

    close = [one for one in get_close_matches(word, list(known), 1) if one != word]
    return f" (did you mean '{close[0]}'?)" if close else ""


def build_parser(name: str | None) -> Parser:
    """The parser, with the arguments of command ``name`` only (of none of them for None)."""
    parser = Parser(
        prog="qiqiao",
        description="A bridge between boards (棋桥/棋橋): Go and Xiangqi engines, protocols, referees in one daemon.",
        epilog="'qiqiao COMMAND --help' tells the options of a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"qiqiao {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command, (module, about) in COMMANDS.items():
        sub = commands.add_parser(
            command, help=about, description=about[0].upper() + about[1:] + ".", allow_abbrev=False
        )
        if command == name:
            sub.add_argument("--version", action="version", version=f"qiqiao {__version__}")
            sub.add_argument(
                "--config", metavar="FILE", help="take options from a TOML file (the command line goes first)"
            )
            importlib.import_module(module).add_arguments(sub)
            sub.set_defaults(parser=sub, module=module)
            parser.set_defaults(parser=sub)
    return parser


def config_tokens(parser: argparse.ArgumentParser, path: str, typed: Sequence[str] = ()) -> list[str]:
    """The options in a TOML file as command-line words. Its keys are the long options' names without the dashes.

    An option that may be given again and again has a list, or a table where its values are NAME=VALUE; it is left out
    where it is among the words ``typed``.
    Raises ValueError, with a text for the user, when the file cannot be read, a key is unknown or a value is wrong.
    """
    from protocols.toml import parse_toml, place_of, read_text  # a start without a configuration need not wait for it

    try:
        text = read_text(path)
        table = parse_toml(text)
    except OSError as error:
        raise ValueError(f"cannot read the configuration: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    tokens: list[str] = []
    for key, value in table.items():
        option = "--" + key.replace("_", "-")
        action = parser._option_string_actions.get(option)
        where = path + place_of(text, key)
        if action is None or key in ("help", "version", "config"):
            known = [name[2:] for name in parser._option_string_actions if name.startswith("--")]
            raise ValueError(f"{where}: unknown option '{key}'{meant(key.replace('_', '-'), known)}")
        if isinstance(action, argparse._AppendAction):
            if not any(word == option or word.startswith(option + "=") for word in typed):
                for one in _several(where, key, value):
                    tokens += _config_option(where, key, option, action, one)
            continue
        tokens += _config_option(where, key, option, action, value)
    return tokens


def _several(where: str, key: str, value: Any) -> list[Any]:
    """The values of an option that may be given again and again; ``where`` they stand is for the messages."""
    if not isinstance(value, dict):
        return value if isinstance(value, list) else [value]
    texts = []
    for name, one in value.items():
        if not isinstance(one, (str, int, float)):
            raise ValueError(f"{where}: '{name}' of '{key}' must be a text, a number, or true or false")
        texts.append(f"{name}={str(one).lower() if isinstance(one, bool) else one}")
    return texts


def _config_option(where: str, key: str, option: str, action: argparse.Action, value: Any) -> list[str]:
    """One option of a configuration file as command-line words."""
    if action.nargs == 0:  # a switch
        if not isinstance(value, bool):
            raise ValueError(f"{where}: '{key}' must be true or false")
        return [option if value else "--no-" + option.removeprefix("--")]
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(f"{where}: '{key}' must be a text or a number")
    convert = action.type or str
    try:
        converted = convert(str(value))  # type: ignore[operator]
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise ValueError(f"{where}: bad value for '{key}': {error}") from None
    if action.choices is not None and converted not in action.choices:
        raise ValueError(f"{where}: '{key}' must be one of {', '.join(map(str, action.choices))}")
    return [f"{option}={value}"]


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments, those of a configuration file included. Wrong ones end the program with status 2."""
    name = next((word for word in argv if not word.startswith("-")), None)
    parser = build_parser(name)
    command: Parser | None = parser.get_default("parser")
    if name is not None and command is not None:
        # What is required may stand in the file, so that it is read first.
        at = list(argv).index(name) + 1
        path = _config_path(argv[at:])
        if path is not None:
            try:
                tokens = config_tokens(command, path, argv[at:])
            except ValueError as error:
                command.error(str(error))
            argv = [*argv[:at], *tokens, *argv[at:]]
    arguments: argparse.Namespace = parser.parse_args(argv)
    return arguments


def _config_path(words: Sequence[str]) -> str | None:
    """The file that ``--config`` names, None without one."""
    path = None
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == "--config" and at + 1 < len(words):
            path = words[at + 1]
        elif word.startswith("--config="):
            path = word.partition("=")[2]
    return path


def let_any_text_be_written() -> None:
    """Where a stream can't write a letter (Chinese on a terminal of another code page), it writes its number."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def open_standard_files() -> None:
    """Give each standard file that the caller closed an empty one.

    Its descriptor would else go to the next thing opened: a log would take standard output's, a pipe of our own
    standard input's.
    """
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code; 2 for wrong usage, 130 when it was interrupted (Ctrl+C)."""
    open_standard_files()
    let_any_text_be_written()
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        return int(sys.modules[arguments.module].run(arguments))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
