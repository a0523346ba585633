"""``qiqiao notate``: Xiangqi moves, given in any notation, in all of them; with ``--game go`` points of a Go board.

    qiqiao notate [--game N] POSITION MOVE...
    qiqiao notate --game go [--size N] [--coordinates NAME] POINT...
    qiqiao notate --game jieqi|fanqi3|banqi|... POSITION MOVE...

prints one JSON object a move, each on one line, UTF-8, with the keys of ``engines.xiangqi.notation.NOTATIONS``.
POSITION is ``startpos``, a FEN or a PGN file, whose moves come first (``protocols.commands.given``). Coordinates
count ranks from 0, and from 1 only where that alone is legal. For bad input the object is
``{"error": "...", "candidates": [...]}``, the candidates being the moves an ambiguous text could mean, and the exit
status is 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from engines.go.coordinates import SYSTEMS, read_point, write_point
from engines.xiangqi.geometry import move_name
from engines.xiangqi.notation import NOTATIONS, MoveNames, NotationError
from protocols.commands.arguments import board_size
from protocols.commands.given import Given, add_game_arguments, game_number, read_given
from protocols.commands.given_told import names_game, read_told

BAD_INPUT = 2
"""The exit status for bad input."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao notate``."""
    parser.add_argument("--size", type=board_size, default=(19, 19), metavar="N", help="Go: the size of the board (19)")
    parser.add_argument("--coordinates", choices=SYSTEMS, help="Go: how the points are given (told by their form)")
    add_game_arguments(parser)


def read_words(words: list[str], game: int | None) -> Given:
    """The game that the words name. Blanks within one move are allowed where there is only one."""
    try:
        return read_given(words, game)
    except NotationError as error:
        given = read_given(words[:1], game) if len(words) > 2 else None
        if given is None:
            raise
        try:
            given.board.play(MoveNames(given.board).read(" ".join(words[1:])))
        except NotationError:
            raise error from None
        return given


def answer(words: list[str], game: int | None) -> list[dict[str, Any]]:
    """The objects to print. ``ValueError`` (``FenError``, ``NotationError``) with the reason for bad input."""
    given = read_words(words, game)
    if not given.moves:
        raise ValueError("no move given")
    board = given.board.copy()
    for _ in given.moves:
        board.undo()
    found = []
    for move in given.moves:
        names = MoveNames(board)
        found.append({notation: names.write(move, notation) for notation in NOTATIONS})
        board.play(move)
    return found


def name_points(words: list[str], size: tuple[int, int], system: str | None) -> list[dict[str, str]]:
    """The points of a Go board in all coordinates. ``ValueError`` with the reason for bad input."""
    if not words:
        raise ValueError("no point given")
    points = [read_point(word, *size, system) for word in words]
    return [{name: write_point(point, *size, name) for name in SYSTEMS} for point in points]


def run(arguments: argparse.Namespace) -> int:
    """Print the moves in all notations. Returns the exit status."""
    status = 0
    said: list[dict[str, Any]]
    try:
        if names_game(arguments.game):
            said = list(read_told(arguments.game, arguments.words).moves)
            if not said:
                raise ValueError("no move given")
        elif arguments.game == "go":
            said = list(name_points(arguments.words, arguments.size, arguments.coordinates))
        else:
            number = None if arguments.game == "xiangqi" else game_number(arguments.game)
            said = answer(arguments.words, number)
    except NotationError as error:
        said = [{"error": str(error), "candidates": [move_name(move) for move in error.candidates]}]
        status = BAD_INPUT
    except ValueError as error:
        said, status = [{"error": str(error)}], BAD_INPUT
    for line in said:
        sys.stdout.buffer.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return status
