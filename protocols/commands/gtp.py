"""``qiqiao gtp``: the options, and the joining of player, referee and protocol."""

from __future__ import annotations

import argparse
import dataclasses

from engines.go.levels import MAX_LEVEL, level_number
from protocols.commands.arguments import add_serial_arguments, allowed_files, board_size, number, open_log, serve
from protocols.gtp.options import Options
from protocols.programs.registry import add_player_arguments, chosen
from protocols.sensor.settings import add_board_arguments, board_of


def level(text: str) -> int:
    """A level by number or rank."""
    try:
        return level_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def net_file(text: str) -> str | None:
    """The path of a net's file; "none" is none."""
    return None if text.lower() == "none" else text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao gtp``."""
    default = Options()
    switch = argparse.BooleanOptionalAction
    parser.add_argument("--log", metavar="FILE", help="append both directions of the session to FILE, with times")

    game = parser.add_argument_group("the game")
    game.add_argument("--size", type=board_size, default="19", metavar="N", help="board at the start: N or WxH (19)")
    game.add_argument(
        "--rules",
        default=default.rules,
        metavar="NAME",
        help="chinese (the default), chinese-ogs, chinese-kgs, tromp-taylor, cgos, japanese, korean, aga, aga-button, "
        "bga, french, new-zealand, ing, stone-scoring, ancient-chinese, or rules as KataGo writes them",
    )
    game.add_argument(
        "--komi",
        type=number(float, -1e6, 1e6),
        metavar="POINTS",
        help="points for White (the rules' own, 7.5 for chinese)",
    )
    game.add_argument(
        "--accept-ko-violations", action=switch, default=False, help="let 'play' repeat positions the ko rule forbids"
    )
    game.add_argument(
        "--plays-as-handicap",
        action=switch,
        default=False,
        help="count two or more plays of Black at the beginning of a game as handicap stones",
    )
    game.add_argument("--record", metavar="DIR", help="keep every game in DIR as SGF, complete after every move")

    player = parser.add_argument_group("the player")
    add_player_arguments(player, "go")
    player.add_argument(
        "--threads", type=number(int, 1, 256), default=default.threads, metavar="N", help="search threads (1)"
    )
    player.add_argument("--playouts", type=number(int, 1, 10**9), metavar="N", help="think this many playouts a move")
    player.add_argument(
        "--level",
        type=level,
        default=default.level,
        metavar="RANK",
        help=f"strength by rank, from 30k (30级/30級) to 1d (1段), or by number, from 1 to {MAX_LEVEL}, the default",
    )
    player.add_argument(
        "--seed", type=number(int, 0, 2**63 - 1), metavar="N", help="with one thread and --playouts: repeatable play"
    )
    player.add_argument(
        "--move-time",
        type=number(float, 0.01, 86400),
        metavar="SECONDS",
        help=f"time a move when no clock is set ({default.move_time:g}; another program decides by itself)",
    )
    player.add_argument("--ponder", action=switch, default=False, help="think in the opponent's time too")
    player.add_argument(
        "--memory",
        type=number(int, 1, 1 << 20),
        default=default.memory,
        metavar="MB",
        help="most memory for the tree (256)",
    )
    player.add_argument(
        "--net",
        type=net_file,
        metavar="FILE",
        help="search with the net of this file instead of playouts, see docs/go-net.md (none; needs onnxruntime: "
        "pip install 'qiqiao[net]')",
    )
    player.add_argument(
        "--resign",
        type=number(float, 0, 1),
        default=default.resign,
        metavar="RATE",
        help="resign below this win rate (0.08; 0: never)",
    )

    protocol = parser.add_argument_group("the protocol")
    protocol.add_argument(
        "--interrupted",
        choices=["move", "error"],
        default=default.interrupted,
        help="what a genmove cut short by quit, end of input or a signal answers: its best move so far, or an error",
    )
    protocol.add_argument(
        "--kgs-chat", action=switch, default=False, help="offer kgs-chat (kgsGtp from 3.5.20 on crashes)"
    )
    protocol.add_argument(
        "--live-graphics",
        action=switch,
        default=False,
        help="draw the candidates in GoGui while the search thinks (on standard error)",
    )
    protocol.add_argument(
        "--tell-line",
        action=switch,
        default=False,
        help="after each move tell the expected line of play on standard error, as gtp2ogs reads it",
    )
    add_board_arguments(parser)
    add_serial_arguments(parser)


def options_from(arguments: argparse.Namespace) -> Options:
    """The parsed command line as options."""
    values = {
        field.name: getattr(arguments, field.name)
        for field in dataclasses.fields(Options)
        if hasattr(arguments, field.name)
    }
    values["width"], values["height"] = arguments.size
    values["files"] = allowed_files(arguments)
    values["board"] = board_of(arguments)
    values["engine"] = None if values["board"] is not None else chosen(arguments, "go")
    if values["move_time"] is None:
        values["move_time"] = Options.move_time if values["engine"] is None else 0
    return Options(**values)


def run(arguments: argparse.Namespace) -> int:
    """Serve GTP on standard input and output."""
    options = options_from(arguments)
    log = open_log(arguments)
    from protocols.gtp.players import GtpSpeaker
    from protocols.gtp.server import Server

    try:
        server = Server(options, log=log)
    except ValueError as error:
        arguments.parser.error(str(error))
    player = server.session.player
    if isinstance(player, GtpSpeaker):
        player.warm_up()
    hint = "waiting for GTP commands on standard input ('list_commands' shows them, 'quit' ends)"
    return serve(arguments, "qiqiao gtp", hint, server.attach, log)
