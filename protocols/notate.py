"""``qiqiao notate``: a Xiangqi move, given in any notation, in all of them.

    qiqiao notate FEN MOVE

prints one JSON object on one line, UTF-8, with the keys of ``engines.xiangqi.notation.NOTATIONS``. FEN may be the word
``startpos``. Coordinates count ranks from 0, and from 1 only where that alone is legal. For bad input the object is
``{"error": "...", "candidates": [...]}``, the candidates being the moves an ambiguous text could mean, and the exit
status is 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.geometry import move_name
from engines.xiangqi.notation import NotationError, notate

BAD_INPUT = 2
"""The exit status for bad input."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao notate``."""
    parser.add_argument("fen", metavar="FEN", help="the position, or the word startpos")
    # REMAINDER, since the rear of two pieces may be written with a leading minus sign.
    parser.add_argument("move", metavar="MOVE", nargs=argparse.REMAINDER, help="the move, in any notation")


def answer(fen: str, text: str) -> dict[str, Any]:
    """The object to print. Raises ValueError (``FenError``, ``NotationError``) with the reason for bad input."""
    if not text:
        raise ValueError("no move given")
    return dict(notate(Board(START_FEN if fen == "startpos" else fen), text))


def run(arguments: argparse.Namespace) -> int:
    """Print the move in all notations. Returns the exit status."""
    status = 0
    said: dict[str, Any]
    try:
        said = answer(arguments.fen, " ".join(arguments.move).strip())
    except NotationError as error:
        said = {"error": str(error), "candidates": [move_name(move) for move in error.candidates]}
        status = BAD_INPUT
    except ValueError as error:
        said, status = {"error": str(error)}, BAD_INPUT
    text = json.dumps(said, ensure_ascii=False)
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return status
