"""``qiqiao judge``: the verdict on a repetition in Xiangqi, for arbiters and for other programs.

    qiqiao judge [--rules axf] [--occurrences 3] [--cycle last] FEN MOVE...

prints one JSON object on one line, UTF-8. For bad input that is ``{"error": "..."}``, and the exit status is 2. See
docs/xiangqi-rules.md for the keys and the rule sets.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import Any

from engines.xiangqi.board import Board, IllegalMove
from engines.xiangqi.geometry import PIECE_LETTERS, move_of
from engines.xiangqi.repetition import OCCURRENCES, RULE_SETS, Verdict, judge

_MOVE = re.compile(r"([a-i])(\d|10)-?([a-i])(\d|10)", re.IGNORECASE | re.ASCII)
_SIDES = ("red", "black")
BAD_INPUT = 2
"""The exit status for bad input."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao judge``. Their values are checked in ``run``: what is wrong there is answered in
    JSON."""
    parser.add_argument("--rules", default="axf", metavar="NAME", help=f"{', '.join(RULE_SETS)} (axf)")
    parser.add_argument(
        "--occurrences",
        default=str(OCCURRENCES),
        metavar="N",
        help=f"how often the last position must have stood, the FEN included: 2, 3 or 4 ({OCCURRENCES})",
    )
    parser.add_argument(
        "--cycle",
        metavar="WHICH",
        help="what is judged: the 'last' cycle, or 'all' since the first of those occurrences (as the rules say)",
    )
    parser.add_argument("fen", nargs="?", default="", metavar="FEN", help="the position that the moves lead on from")
    parser.add_argument(
        "moves", nargs="*", metavar="MOVE", help="coordinates, h2e2; ranks 0-9, or 1-10 where that can be seen"
    )


def read_moves(words: list[str]) -> tuple[list[tuple[int, int, int, int]], int | None]:
    """Moves as (file, rank, file, rank), files 0-8 and ranks as written; and the first rank's number if it is certain.

    ``ValueError`` for a text that is no move, and when ranks 0 and 10 both occur.
    """
    found = []
    for word in words:
        match = _MOVE.fullmatch(word)
        if match is None:
            raise ValueError(f"{word!r} is no move such as h2e2")
        files = [ord(letter.lower()) - ord("a") for letter in match.group(1, 3)]
        found.append((files[0], int(match[2]), files[1], int(match[4])))
    ranks = {rank for move in found for rank in (move[1], move[3])}
    if {0, 10} <= ranks:
        raise ValueError("the moves have ranks 0 and 10: they must count from 0 to 9 or from 1 to 10")
    return found, 1 if 10 in ranks else 0 if 0 in ranks else None


def play_all(fen: str, moves: list[tuple[int, int, int, int]], base: int) -> Board:
    """The board after these moves, ranks counted from ``base``. ``FenError`` or ``IllegalMove``, with the reason."""
    board = Board(fen, strict=False)
    for number, (file, rank, to_file, to_rank) in enumerate(moves, start=1):
        try:
            board.play(move_of((rank - base) * 9 + file, (to_rank - base) * 9 + to_file))
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return board


def read_game(fen: str, words: list[str]) -> tuple[Board, int]:
    """The board after the moves, and the number of its first rank in their coordinates: 0, or 1 where only that fits.

    ``ValueError`` (``FenError``, ``IllegalMove``) with the reason for what cannot be read or played.
    """
    moves, base = read_moves([word for text in words for word in text.split()])
    if base is not None:
        return play_all(fen, moves, base), base
    try:
        return play_all(fen, moves, 0), 0
    except IllegalMove:
        try:
            return play_all(fen, moves, 1), 1
        except IllegalMove:
            pass
        raise


def as_json(verdict: Verdict, rules: str, base: int) -> dict[str, Any]:
    """A verdict as the object that is printed; ``base`` is the number of the first rank in coordinates."""

    def name(square: int) -> str:
        return f"{'abcdefghi'[square % 9]}{square // 9 + base}"

    return {
        "violator": None if verdict.violator is None else _SIDES[verdict.violator],
        "repeated": verdict.repeated,
        "moves": [
            {
                "move": name(move.move >> 7) + name(move.move & 127),
                "side": _SIDES[move.color],
                "class": move.kind,
                "victims": [
                    {
                        "square": name(victim.square),
                        "piece": PIECE_LETTERS[victim.piece],
                        "followed": victim.followed,
                    }
                    for victim in move.victims
                ],
            }
            for move in verdict.moves
        ],
        "rules": rules,
        "occurrences": verdict.count,
        "reason": verdict.reason.english,
        "reason_zh_hans": verdict.reason.simplified,
        "reason_zh_hant": verdict.reason.traditional,
    }


def answer(arguments: argparse.Namespace) -> dict[str, Any]:
    """The object to print. ``ValueError`` with the reason for bad input."""
    if arguments.occurrences not in ("2", "3", "4"):
        raise ValueError(f"--occurrences must be 2, 3 or 4, not {arguments.occurrences!r}")
    board, base = read_game(arguments.fen, arguments.moves)
    verdict = judge(board, arguments.rules, int(arguments.occurrences), arguments.cycle)
    return as_json(verdict, arguments.rules, base)


def run(arguments: argparse.Namespace) -> int:
    """Print the verdict. Returns the exit status."""
    status = 0
    try:
        said = answer(arguments)
    except ValueError as error:
        said, status = {"error": str(error)}, BAD_INPUT
    text = json.dumps(said, ensure_ascii=False)
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return status
