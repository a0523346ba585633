"""``qiqiao engines``: add, list and check other programs that play."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from protocols.log import complain
from protocols.programs import registry
from protocols.programs.config import PROTOCOLS, EngineConfig
from protocols.programs.registry import RosterError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao engines``."""
    parser.add_argument("--engines", metavar="FILE", help=f"the file of named engines ({registry.default_path()})")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="write an engine to the file", allow_abbrev=False)
    add.add_argument("name", metavar="NAME", help="what to call it")
    add.add_argument(
        "engine",
        metavar="PROTOCOL:COMMAND",
        help=f"its protocol ({', '.join(PROTOCOLS)}) and command line; without a protocol it is tried out",
    )
    registry.add_spec_arguments(add)
    actions.add_parser("list", help="show the engines in the file", allow_abbrev=False)
    check = actions.add_parser(
        "check", help="start engines, and tell what they are and what is wrong", allow_abbrev=False
    )
    check.add_argument(
        "names", nargs="*", metavar="ENGINE", help="names, or PROTOCOL:COMMAND, or a command (default: all in the file)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked; 1 when an engine can't be used."""
    path = arguments.engines or registry.default_path()
    try:
        if arguments.action == "add":
            return _add(arguments, path)
        if arguments.action == "list":
            return _list(path)
        return _check(arguments, path)
    except RosterError as error:
        complain(f"qiqiao engines: {error}")
        return 2


def _find(text: str, engines: dict[str, EngineConfig]) -> EngineConfig:
    """An engine by name, as PROTOCOL:COMMAND, or by its command alone, of which the protocol is found out."""
    if text in engines:
        return engines[text]
    word, colon, command = text.partition(":")
    if colon and word in PROTOCOLS:
        return EngineConfig(word, command)
    from protocols.commands.engine_check import detect
    from protocols.programs.supervisor import EngineError

    try:
        spec = detect(text, tell=complain)
    except EngineError as error:
        raise RosterError(str(error)) from None
    if spec is None:
        raise RosterError(f"'{text}' answers in none of the protocols {', '.join(PROTOCOLS)}")
    return spec


def _add(arguments: argparse.Namespace, path: str) -> int:
    spec = registry.with_arguments(_find(arguments.engine, {}), arguments)
    registry.add(path, dataclasses.replace(spec, name=arguments.name))
    complain(f"qiqiao engines: '{arguments.name}' written to {path}; 'qiqiao engines check {arguments.name}' tries it")
    return 0


def _list(path: str) -> int:
    engines = registry.load(path)
    if not engines:
        complain(f"qiqiao engines: no engines in {path}")
    width = max((len(name) for name in engines), default=0)
    for name, spec in engines.items():
        sys.stdout.write(f"{name:{width}}  {spec.protocol:4}  {spec.game:7}  {spec.command}\n")
    return 0


def _check(arguments: argparse.Namespace, path: str) -> int:
    from protocols.commands.engine_check import check

    engines = registry.load(path)
    wanted = [_find(name, engines) for name in arguments.names] or list(engines.values())
    if not wanted:
        complain(f"qiqiao engines: no engines in {path}")
    good = True
    for spec in wanted:
        findings = check(spec)
        good = good and findings.ok
        sys.stdout.write(findings.text())
        sys.stdout.flush()
    return 0 if good else 1
