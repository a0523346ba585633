"""Rows of luoqi-games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.luoqi.game import Game

Row = dict[str, Any]


def games(row: Row, file: Row) -> list[str]:
    """Play a row's moves and name what differs from it."""
    found: list[str] = []
    game = Game()
    legal = []
    for number, text in enumerate(row["moves"]):
        legal.append(len(game.board.legal_moves()))
        try:
            made = game.play_text(text)
        except ValueError as error:
            return [f"moves[{number}]: {error}"]
        if made != text:
            found.append(f"moves[{number}]: {made}, not {text}")
    legal.append(len(game.board.legal_moves()))
    result = game.result
    winner = None if result is None or result.winner is None else "rb"[result.winner]
    computed = {
        "legal": legal,
        "result": None if result is None else {"winner": winner, "reason": result.reason},
        "last_fen": game.setup_text(),
    }
    return found + [f"{name}: {value!r}, not {row[name]!r}" for name, value in computed.items() if row[name] != value]


KINDS: dict[str, Callable[[Row, Row], list[str]]] = {"luoqi-games": games}
