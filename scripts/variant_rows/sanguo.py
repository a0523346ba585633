"""Rows of sanguo-games: three players, half and whole board, three and four corners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.sanguo.game import Game

Row = dict[str, Any]


def games(row: Row, file: Row) -> list[str]:
    """Play a row's moves and name what differs from it."""
    found: list[str] = []
    deal = row["deal"] + ("/" + row["aside"] if row["aside"] else "")
    try:
        game = Game(deal=deal, board=row["board"], corners=row["corners"])
    except ValueError as error:
        return [f"deal, aside, board or corners: {error}"]
    legal, players = [], []
    for number, text in enumerate(row["moves"]):
        legal.append(len(game.board.legal_moves()))
        players.append(game.turn + 1)
        try:
            made = game.play_text(text)
        except ValueError as error:
            return [f"moves[{number}]: {error}"]
        if made != text:
            found.append(f"moves[{number}]: {made}, not {text}")
    legal.append(len(game.board.legal_moves()))
    players.append(game.turn + 1)
    result = game.result
    told = (
        None
        if result is None
        else {
            "winner": None if result.winner is None else result.winner + 1,
            "reason": result.reason,
        }
    )
    computed = {
        "legal": legal,
        "players": players,
        "sides": ["-" if side < 0 else "grb"[side] for side in game.board.kingdoms],
        "out": [player + 1 for player in game.board.out],
        "result": told,
        "last_fen": " ".join(game.fen().split()[:6]),
    }
    found += [f"{name}: {value!r}, not {row[name]!r}" for name, value in computed.items() if row[name] != value]
    return found


KINDS: dict[str, Callable[[Row, Row], list[str]]] = {"sanguo-games": games}
