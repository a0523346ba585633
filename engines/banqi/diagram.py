"""The half board with pieces inside its squares, to draw banqi and luoqi on; see ``engines.drawing.svg``.

Squares are rank · 4 + file, a1 = 0. Symbols are the letters of a FEN, ``X`` a face-down piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engines.banqi.fen import LETTERS, read_fen, square_name
from engines.drawing.svg import CELL, LINE, WOOD, Board, labels
from engines.xiangqi.diagram import Script, piece

__all__ = ["FACES", "Script", "back", "half_board", "hand_text", "plain", "standing"]

FACES: dict[Script, dict[str, str]] = {
    "traditional": dict(zip("KGMRNCPkgmrncp", "帥仕相俥傌炮兵將士象車馬砲卒", strict=True)),
    "simplified": dict(zip("KGMRNCPkgmrncp", "帅仕相车马炮兵将士象车马炮卒", strict=True)),
}
"""What is written on the pieces. In simplified script some are alike on both sides."""

BACK = "#8a5a2b"
"""The colour of a face-down piece."""


def back() -> str:
    """A face-down piece: a plain disc with a ring and a dot, told from every face in black and white too."""
    radius = CELL * 0.46
    return (
        f'<circle r="{radius:g}" fill="{BACK}" stroke="{LINE}" stroke-width="1.4"/>'
        f'<circle r="{radius - 5:g}" fill="none" stroke="#f9edd2" stroke-width="1.2"/><circle r="2.6" fill="#f9edd2"/>'
    )


@lru_cache(maxsize=8)
def half_board(script: Script = "traditional", coordinates: bool = True, wide: bool = False) -> Board:
    """The board with rank 1 below, or, where ``wide``, lying: file a above, rank 1 left."""
    margin = CELL * (0.95 if coordinates else 0.4)
    files, ranks = (8, 4) if wide else (4, 8)
    width, height = 2 * margin + files * CELL, 2 * margin + ranks * CELL
    places = []
    for square in range(32):
        file, rank = square % 4, square // 4
        column, row = (rank, file) if wide else (file, 7 - rank)
        places.append((margin + (column + 0.5) * CELL, margin + (row + 0.5) * CELL))
    d = "".join(f"M{margin + i * CELL:g} {margin:g}V{height - margin:g}" for i in range(files + 1))
    d += "".join(f"M{margin:g} {margin + i * CELL:g}H{width - margin:g}" for i in range(ranks + 1))
    base = (
        f'<rect width="{width:g}" height="{height:g}" rx="4" fill="{WOOD}"/>'
        f'<path d="{d}" fill="none" stroke="{LINE}" stroke-width="1.3" stroke-linecap="square"/>'
    )
    if coordinates:
        near = margin * 0.5
        across, down = ("12345678", "abcd") if wide else ("abcd", "87654321")
        texts = [(mark, margin + (i + 0.5) * CELL, y) for i, mark in enumerate(across) for y in (near, height - near)]
        texts += [(mark, x, margin + (i + 0.5) * CELL) for i, mark in enumerate(down) for x in (near, width - near)]
        base += labels(texts, CELL * 0.3)
    symbols = {letter: piece(face, letter.isupper()) for letter, face in FACES[script].items()}
    symbols["X"] = back()
    name = f"half-{script}" + ("" if coordinates else "-plain") + ("-wide" if wide else "")
    return Board(name, width, height, base, symbols, tuple(places), ring=CELL * 0.48)


def standing(fen: str, hands: bool = False) -> dict[int, str]:
    """Symbols by squares, from a FEN; ``hands`` as in ``read_fen``."""
    return {square: LETTERS[piece_] for square, piece_ in enumerate(read_fen(fen, hands).pieces) if piece_}


def plain(contents: Mapping[int, str], last: Sequence[int] = (), script: Script | None = None) -> str:
    """The board as text for a terminal: letters, ``X`` face down, ``.`` empty; Chinese characters with a ``script``
    (two columns each), face-down pieces ``●``. The squares of the last move are in brackets."""
    faces = FACES[script] if script else {}
    empty, hidden = ("．", "●") if script else (".", "X")
    wide = 2 if script else 1
    head = "   " + "".join(f" {file}".ljust(wide + 2) for file in "abcd").rstrip()
    lines = [head]
    for rank in range(7, -1, -1):
        row = ""
        for square in range(4 * rank, 4 * rank + 4):
            symbol = contents.get(square, "")
            shown = hidden if symbol == "X" else faces.get(symbol, symbol) or empty
            if script and shown == "●":
                shown += " "  # one column wide in most terminals
            row += f"[{shown}]" if square in last else f" {shown} "
        lines.append(f"{rank + 1}  {row} {rank + 1}")
    return "\n".join([*lines, head])


def hand_text(pool: Mapping[str, int], script: Script | None = None) -> str:
    """What is unseen, or in hand, as a line: letters or characters with how many of each."""
    faces = FACES[script] if script else {}
    return " ".join(f"{faces.get(letter, letter)}{count}" for letter, count in pool.items() if count) or "-"


def last_squares(told: str) -> tuple[int, ...]:
    """The squares that a move's text names."""
    return tuple(square for square in range(32) if square_name(square) in told)
