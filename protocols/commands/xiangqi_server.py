"""The options of ``qiqiao ucci`` and ``qiqiao uci``, and the joining of player and protocol."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from protocols.commands.arguments import (
    add_serial_arguments,
    allowed_files,
    natural_limit_name,
    number,
    open_log,
    serve,
)
from protocols.log import complain
from protocols.programs.registry import add_player_arguments, chosen
from protocols.sensor.settings import add_board_arguments, board_of

if TYPE_CHECKING:
    from engines.xiangqi.player import Settings
    from protocols.sensor.settings import BoardSettings

# The names are those of engines.xiangqi.repetition and draws, which need not be loaded to tell a wrong option.
RULE_NAMES = ("axf", "cxa", "computer", "check-only", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of both commands."""
    parser.add_argument("--log", metavar="FILE", help="append both directions of the session to FILE, with times")

    game = parser.add_argument_group("the game")
    game.add_argument(
        "--rules",
        choices=RULE_NAMES,
        default="axf",
        help="what repetitions lose: axf (Asian and world federations, the default), cxa (Chinese association), "
        "computer, check-only, none",
    )
    game.add_argument(
        "--natural-limit",
        type=natural_limit_name,
        metavar="NAME",
        default="cxa",
        help="what draws without a capture: cxa (60 rounds, the default), computer (the same, but a side's checks "
        "beyond ten don't count), league (50 rounds, checks don't count), none, or a number of plies",
    )
    game.add_argument("--record", metavar="DIR", help="keep every game in DIR as PGN, complete after every move")

    player = parser.add_argument_group("the player")
    add_player_arguments(player, "xiangqi")
    player.add_argument(
        "--net", metavar="FILE", default="none", help="judge positions by the evaluation net in FILE (none: by rules)"
    )
    player.add_argument("--hash", type=number(int, 1, 65536), default=64, metavar="MB", help="hash table (64)")
    player.add_argument(
        "--threads", type=number(int, 0, 256), default=1, metavar="N", help="search threads (1; 0: all)"
    )
    player.add_argument(
        "--level", type=number(int, 0, 20), default=20, metavar="N", help="strength from 0 (beginner) to 20 (full)"
    )
    player.add_argument(
        "--move-time",
        type=number(float, 0.01, 86400),
        default=2.0,
        metavar="SECONDS",
        help="time a move when a 'go' gives a limit that can't be understood (2)",
    )
    player.add_argument(
        "--seed", type=number(int, 0, 2**63 - 1), metavar="N", help="make the choices of weaker levels repeatable"
    )
    player.add_argument(
        "--resign",
        type=number(int, 0, 30000),
        default=2000,
        metavar="CENTIPAWNS",
        help="resign when so far behind, in UCCI games with a clock (2000; 0: never)",
    )

    protocol = parser.add_argument_group("the protocol")
    protocol.add_argument(
        "--encoding",
        choices=["utf-8", "gbk"],
        default="utf-8",
        help="of what is written; both are understood (utf-8)",
    )
    protocol.add_argument(
        "--terse",
        action="store_true",
        help="of each search tell only the last line of play, with the answer (for programs that play many games)",
    )
    add_board_arguments(parser)
    add_serial_arguments(parser)


def run(arguments: argparse.Namespace, first: str) -> int:
    """Serve on standard input and output, beginning in the protocol ``first``."""
    log = open_log(arguments)
    from engines.xiangqi.player import Settings
    from protocols.ucci.server import Ucci
    from protocols.uci.server import Uci
    from protocols.xiangqi.server import Server

    settings = Settings(
        hash=arguments.hash,
        threads=arguments.threads,
        level=arguments.level,
        move_time=arguments.move_time,
        resign=arguments.resign,
        seed=arguments.seed,
    )
    if arguments.natural_limit != "cxa":
        from engines.xiangqi.draws import natural_limit

        limit = natural_limit(arguments.natural_limit)
        settings.natural_limit = limit.plies
        settings.free_checks = -1 if limit.free_checks is None else limit.free_checks
    board = board_of(arguments)
    spec = None if board is not None else chosen(arguments, "xiangqi")
    if arguments.net.lower() != "none" and (board is not None or spec is not None):
        arguments.parser.error("argument --net: only the built-in player judges by it")
    player: Any = None
    if board is not None:
        player = _board_player(arguments, board, settings)
    elif spec is not None:
        from protocols.commands.clients import client_class
        from protocols.xiangqi.engine import EnginePlayer

        player = EnginePlayer(spec, settings, log, wishes=_wishes(arguments), make_client=client_class(spec.protocol))
    try:
        server = Server(
            {"ucci": Ucci(), "uci": Uci()},
            first,
            settings,
            rules=arguments.rules,
            record=arguments.record,
            encoding=arguments.encoding,
            log=log,
            player=player,
            terse=arguments.terse,
        )
    except MemoryError as error:
        arguments.parser.error(str(error))
    if arguments.net.lower() != "none":
        _use_net(arguments, server.session.player)
    server.session.files = allowed_files(arguments)
    if spec is not None:
        player.warm_up()
    return serve(
        arguments,
        f"qiqiao {first}",
        f"waiting for {first.upper()} commands on standard input ('{first}' begins, 'quit' ends)",
        server.attach,
        log,
        arguments.encoding,
    )


def _use_net(arguments: argparse.Namespace, player: Any) -> None:
    """Give the built-in player its net; what is wrong with it ends the program with status 2."""
    from engines.xiangqi.net_file import NetError

    try:
        player.use_net(arguments.net)
    except NetError as error:
        arguments.parser.error(f"argument --net: {error}")


def _board_player(arguments: argparse.Namespace, how: BoardSettings, settings: Settings) -> Any:
    """A person at a sensor board."""
    from protocols.sensor.codecs.boards import open_board
    from protocols.sensor.session.xiangqi_player import XiangqiBoardPlayer

    try:
        board = open_board(how.url, describe=how.describe, baseline=how.baseline)
    except (OSError, ValueError) as error:
        arguments.parser.error(str(error))
    return XiangqiBoardPlayer(board, how, settings, say=lambda text: complain(f"qiqiao: {text}"))


def _wishes(arguments: argparse.Namespace) -> dict[str, str]:
    """What the command line asks of another program, which has defaults of its own for the rest."""
    from protocols.xiangqi.engine import RULE_WORDS

    names = {"hash": "Hash", "threads": "Threads", "level": "Skill Level"}
    wishes = {
        option: str(getattr(arguments, name))
        for name, option in names.items()
        if getattr(arguments, name) != arguments.parser.get_default(name)
    }
    if arguments.rules != arguments.parser.get_default("rules"):
        wishes["Repetition Rule"] = RULE_WORDS[arguments.rules][0]
    return wishes
