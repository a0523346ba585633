"""A position drawn in text, for people who type commands by hand."""

from __future__ import annotations

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, SIDE_NAMES


def diagram(board: Board, base: int) -> str:
    """The board, ranks counted from ``base``, with FEN, key and whose turn it is."""
    lines = []
    for rank in range(9, -1, -1):
        row = " ".join(PIECE_LETTERS[board.piece_at(rank * 9 + file)] for file in range(9))
        lines.append(f"{rank + base:2} {row}")
        if rank == 5:
            lines.append("   ~~~~~~~~~~~~~~~~~")
    lines.append("   a b c d e f g h i")
    lines.append("")
    lines.append(f"Fen: {board.fen()}")
    lines.append(f"Key: {board.key:016X}")
    state = " in check" if board.in_check() else ""
    if not board.legal_moves():
        state = " mated" if board.in_check() else " without a move"
    lines.append(f"To move: {SIDE_NAMES[board.turn]}{state}")
    return "\n".join(lines) + "\n"
