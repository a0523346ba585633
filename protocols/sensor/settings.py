"""Which sensor board, and how it is used: the options of every command that plays on one."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any, Literal

PREFIX = "board:"
"""What ``--player`` begins with when the player sits at a board."""

SETTLE = 0.3
"""Seconds a board must be still before a move counts, where a move can still be changed afterwards."""

FINAL_SETTLE = 0.6
"""The same where it cannot, because a client gets it at once."""


@dataclass(frozen=True)
class BoardSettings:
    """Which board, and how it is used.

    ``url``, ``describe`` and ``baseline`` are as in ``protocols.sensor.codecs.boards.board_spec``. ``referee``:
    "friendly" explains and helps, "strict" applies the tournament articles. ``turned``: the far side's player sees it
    as the near side does. ``stopped``: what is answered when a move is cut short. ``settle``: seconds the board must be
    still before a move counts. ``ignore``: points whose sensors are left out, by name; ``hand`` is the one for hands.
    """

    url: str = "auto"
    describe: str = ""
    baseline: str = ""
    referee: Literal["friendly", "strict"] = "friendly"
    turned: bool = False
    stopped: Literal["resign", "pass"] = "resign"
    settle: float = SETTLE
    ignore: tuple[str, ...] = ()


def add_board_arguments(parser: argparse.ArgumentParser, *, stopped: bool = True) -> None:
    """The options about the board. ``stopped``: a client may cut a move short."""
    group = parser.add_argument_group("a sensor board")
    group.add_argument("--board-describe", default="", metavar="FILE", help="the description of a home-made board")
    group.add_argument("--board-baseline", default="", metavar="FILE", help="keeps an analogue board's empty values")
    group.add_argument(
        "--board-turned", action=argparse.BooleanOptionalAction, default=False, help="the board lies turned round"
    )
    group.add_argument(
        "--board-settle",
        type=_seconds,
        metavar="SECONDS",
        help=f"how long the board must be still before a move counts ({FINAL_SETTLE if stopped else SETTLE})",
    )
    group.add_argument(
        "--board-ignore",
        type=_names,
        default=(),
        metavar="POINTS",
        help="points whose sensors are broken, with commas between; hand: the sensor for hands",
    )
    group.add_argument(
        "--referee",
        choices=["friendly", "strict"],
        default="friendly",
        help="friendly explains and helps (the default); strict applies the tournament articles",
    )
    if stopped:
        group.add_argument(
            "--board-stopped",
            choices=["resign", "pass"],
            default="resign",
            help="what a move cut short by the client is answered with: resign (the default) or pass",
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(",", " ").split())


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a number: '{text}'") from None
    if not 0.05 <= value <= 10:
        raise argparse.ArgumentTypeError(f"must be 0.05 to 10, not {text}")
    return value


def board_settings(arguments: Any, url: str, *, final: bool = True) -> BoardSettings:
    """The settings that the options say, for the board at ``url``. ``final``: moves cannot be changed afterwards."""
    return BoardSettings(
        url=url,
        describe=arguments.board_describe,
        baseline=arguments.board_baseline,
        referee=arguments.referee,
        turned=arguments.board_turned,
        stopped=getattr(arguments, "board_stopped", "resign"),
        ignore=tuple(arguments.board_ignore),
        settle=arguments.board_settle or (FINAL_SETTLE if final else SETTLE),
    )


def board_of(arguments: Any) -> BoardSettings | None:
    """The board that ``--player`` names, None when it names another player."""
    player: str = arguments.player
    return board_settings(arguments, player.removeprefix(PREFIX)) if player.startswith(PREFIX) else None
