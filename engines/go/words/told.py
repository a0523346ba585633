"""A record told move by move: words, captures, atari and repetition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines.go.board import Board
from engines.go.points import EMPTY, PASS, opponent
from engines.go.records import Move, Record, RecordError, Setup
from engines.go.words.scene import Scene
from engines.go.words.taking import put_in_atari
from engines.go.words.words import words_of


@dataclass(frozen=True)
class Told:
    """A move of a record and what is said of it.

    ``ply`` counts moves from 1; ``point`` is PASS for a pass; ``taken`` how many stones it takes; ``atari`` a point of
    each enemy chain that it puts in atari; ``repeats`` the ply after which the same stones stood before (0: the start),
    None for a new position; ``stones`` the position after it.
    """

    ply: int
    color: int
    point: int
    words: tuple[str, ...]
    taken: int
    atari: tuple[int, ...]
    repeats: int | None
    stones: bytes
    comment: str = ""


def tell(record: Record) -> Iterator[Told]:
    """The moves of a record's main line, told. ``RecordError`` with the number of a move that can't be played."""
    board = Board(record.width, record.height)
    ply = 0
    last: tuple[int, int] | None = None
    _set_up(board, record.setup, ply)
    seen = {board.stones(): 0}
    for step in record.steps:
        if isinstance(step, Setup):
            if step.black or step.white or step.empty:
                _set_up(board, step, ply)
                last, seen = None, {board.stones(): ply}
            continue
        ply += 1
        told = _one(board, step, ply, last)
        stones = board.stones()
        yield Told(
            repeats=None if step.point == PASS else seen.get(stones), stones=stones, comment=step.comment, **told
        )
        seen.setdefault(stones, ply)
        last = (step.color, step.point)


def _one(board: Board, step: Move, ply: int, last: tuple[int, int] | None) -> dict[str, Any]:
    before = board.stones()
    replied = last[1] if last and last[0] == opponent(step.color) else None
    words: list[str] = []
    atari: list[int] = []
    taken = 0
    if step.point != PASS:
        try:
            taken = board.play(step.color, step.point, forced=True)
        except ValueError as error:
            raise RecordError(f"move {ply}: {error}") from None
        try:
            scene = Scene(board.width, board.height, before, step.color, step.point, replied)
            words = words_of(scene)
            atari = [y * board.width + x for x, y in put_in_atari(scene)]
        except ValueError:  # it took its own stones off: nothing is said of that
            pass
    else:
        board.play(step.color, PASS)
    return {
        "ply": ply,
        "color": step.color,
        "point": step.point,
        "words": tuple(words),
        "taken": taken,
        "atari": tuple(atari),
    }


def _set_up(board: Board, setup: Setup, ply: int) -> None:
    stones = bytearray(board.stones())
    for points, color in ((setup.black, 1), (setup.white, 2), (setup.empty, EMPTY)):
        for point in points:
            stones[point] = color
    try:
        board.set_position(bytes(stones))
    except ValueError as error:
        raise RecordError(f"set-up after move {ply}: {error}") from None
