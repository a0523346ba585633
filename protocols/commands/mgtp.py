"""``qiqiao mgtp``: banqi, luoqi and sanguo on standard input and output, or on a serial line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from protocols.commands.arguments import add_serial_arguments, number, open_log, serve
from protocols.log import complain

GAMES = ("banqi", "luoqi", "sanguo")
"""The games that the protocol can carry."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--log", metavar="FILE", help="append both directions of the session to FILE, with times")
    game = parser.add_argument_group("the game")
    game.add_argument("--game", choices=GAMES, default="banqi", help="what is played (banqi); rules and boardsize tell")
    game.add_argument("--rules", default="", metavar="NAME", help="banqi, luoqi: the rule set (taiwan)")
    player = parser.add_argument_group("the player")
    player.add_argument(
        "--player",
        choices=("search", "greedy", "random"),
        default="search",
        help="the built-in search (in sanguo greedy), what takes the most, or any action",
    )
    player.add_argument(
        "--move-time", type=number(float, 0.001, 86400), metavar="S", help="seconds a move at most, clock or none"
    )
    player.add_argument("--nodes", type=number(int, 1, 1 << 62), metavar="N", help="positions a move at most")
    player.add_argument("--seed", type=number(int, 0, 1 << 62), metavar="N", help="make its chance repeatable")
    add_serial_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve MGTP."""
    from engines.player import Limits
    from protocols.mgtp.server import Server

    limits = Limits(seconds=arguments.move_time, nodes=arguments.nodes)
    try:
        log = open_log(arguments)
        Server(_maker(arguments), arguments.game, arguments.rules, limits)
    except (OSError, ValueError) as error:
        complain(f"qiqiao mgtp: {error}")
        return 2

    def make_server(write: Callable[[str], None]) -> Server:
        return Server(_maker(arguments), arguments.game, arguments.rules, limits)

    return serve(arguments, "qiqiao mgtp", "MGTP commands, quit ends", make_server, log)


def _maker(arguments: argparse.Namespace) -> Callable[[str], Any]:
    def make(game: str) -> Any:
        from engines import games
        from engines.banqi.search.simple import GreedyPlayer, RandomPlayer

        if arguments.player == "random":
            return RandomPlayer(arguments.seed)
        found = games.make(game).player("", arguments.seed) if arguments.player == "search" else None
        return GreedyPlayer(arguments.seed) if found is None else found

    return make
