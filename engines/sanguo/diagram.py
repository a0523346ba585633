"""The board of sanguo: pieces on points, half or whole; see ``engines.drawing.svg``.

Points are rank · 9 + file, a0 = 0. Symbols are the letters of a FEN, ``X`` a face-down piece. The three sides differ
by a mark besides their characters: generals and soldiers have a dot below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engines.banqi.diagram import back
from engines.drawing.svg import CELL, LINE, WOOD, Board, labels
from engines.sanguo.fen import LETTERS, point_name, read_fen
from engines.xiangqi.diagram import BLACK, FACES, RED, Script, grid, piece

__all__ = ["last_points", "plain", "point_board", "standing"]


@lru_cache(maxsize=8)
def point_board(points: int = 45, script: Script = "traditional", coordinates: bool = True) -> Board:
    """A board of 45 or 90 points, rank 0 below."""
    ranks = points // 9
    margin = CELL * 1.1
    width, height = 2 * margin + 8 * CELL, 2 * margin + (ranks - 1) * CELL
    places = tuple((margin + (i % 9) * CELL, margin + (ranks - 1 - i // 9) * CELL) for i in range(points))
    if ranks == 10:
        d = grid(margin)
    else:
        d = "".join(f"M{margin:g} {margin + row * CELL:g}H{width - margin:g}" for row in range(ranks))
        d += "".join(f"M{margin + file * CELL:g} {margin:g}V{height - margin:g}" for file in range(9))
    base = (
        f'<rect width="{width:g}" height="{height:g}" rx="4" fill="{WOOD}"/>'
        f'<path d="{d}" fill="none" stroke="{LINE}" stroke-width="1.3" stroke-linecap="square"/>'
    )
    if coordinates:
        near = margin * 0.3
        texts = [(mark, places[i][0], y) for i, mark in enumerate("abcdefghi") for y in (near, height - near)]
        texts += [(str(rank), x, places[9 * rank][1]) for rank in range(ranks) for x in (near, width - near)]
        base += labels(texts, CELL * 0.28)
    symbols = {letter: piece(face, letter.isupper()) + _mark(letter) for letter, face in FACES[script].items()}
    symbols["X"] = back()
    return Board(f"sanguo-{points}-{script}" + ("" if coordinates else "-plain"), width, height, base, symbols, places)


def _mark(letter: str) -> str:
    if letter not in "KkPp":
        return ""
    return f'<circle cy="{CELL * 0.36:g}" r="2.2" fill="{RED if letter.isupper() else BLACK}"/>'


def standing(fen: str) -> dict[int, str]:
    """Symbols by points, from a FEN."""
    return {point: LETTERS[piece_] for point, piece_ in enumerate(read_fen(fen).pieces) if piece_}


def plain(points: int, contents: Mapping[int, str], last: Sequence[int] = (), script: Script | None = None) -> str:
    """The board as text for a terminal, as ``engines.banqi.diagram.plain`` writes it."""
    faces = FACES[script] if script else {}
    empty, hidden = ("＋", "● ") if script else ("+", "X")
    head = "   " + "".join(f" {file}".ljust(4 if script else 3) for file in "abcdefghi").rstrip()
    lines = [head]
    for rank in range(points // 9 - 1, -1, -1):
        row = ""
        for point in range(9 * rank, 9 * rank + 9):
            symbol = contents.get(point, "")
            shown = hidden if symbol == "X" else faces.get(symbol, symbol) or empty
            row += f"[{shown}]" if point in last else f" {shown} "
        lines.append(f"{rank}  {row} {rank}")
    return "\n".join([*lines, head])


def last_points(told: str) -> tuple[int, ...]:
    """The points that a move's text names."""
    return tuple(point for point in range(90) if point_name(point) in told.split("out:")[0])
