"""Rows of banqi: games by named rules, perft, and games of the Taiwanese platform."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engines.banqi.board import HIDDEN, Board
from engines.banqi.fen import read_piece
from engines.banqi.game import Game

Row = dict[str, Any]

PLATFORM = {"no-progress": "NoEatFlipDraw", "repetition": "PositionRepetitionDraw", "no-pieces": "NoMove"}
"""The platform's word for an end; it has one for both kinds of loss."""


def played(row: Row, rules: str, found: list[str]) -> tuple[Game, list[int]] | None:
    """The game of a row with the number of actions before each move and at the end; None where it can't be played."""
    try:
        game = Game(deal=row["deal"], rules=rules)
    except ValueError as error:
        found.append(f"deal: {error}")
        return None
    legal = []
    for number, text in enumerate(row["moves"]):
        legal.append(len(game.board.legal_moves()))
        try:
            made = game.play_text(text)
        except ValueError as error:
            found.append(f"moves[{number}]: {error}")
            return None
        if made != text:
            found.append(f"moves[{number}]: {made}, not {text}")
    legal.append(len(game.board.legal_moves()))
    return game, legal


def compare(row: Row, computed: Row, found: list[str]) -> list[str]:
    """What was found, and the fields that differ."""
    return found + [f"{name}: {value!r}, not {row[name]!r}" for name, value in computed.items() if row[name] != value]


def ended(game: Game) -> Row | None:
    """A game's result in the words of a row."""
    result = game.result
    if result is None:
        return None
    return {"winner": None if result.winner is None else result.winner + 1, "reason": result.reason}


def fen(game: Game) -> str:
    """The five fields of a row's FEN."""
    return " ".join(game.board.fen().split()[:5])


def games(row: Row, file: Row) -> list[str]:
    """Play a row's moves and name what differs from it."""
    found: list[str] = []
    done = played(row, row["rules"], found)
    if done is None:
        return found
    game, legal = done
    colors = ["rb"[color] for color in game.board.colors]
    return compare(row, {"legal": legal, "colors": colors, "result": ended(game), "last_fen": fen(game)}, found)


def perft(row: Row, file: Row) -> list[str]:
    """Set a row's position up both ways, count from it, and name what differs."""
    found: list[str] = []
    done = played(row, row["rules"], found)
    if done is None:
        return found
    game, _ = done
    deal = [read_piece(letter) for letter in row["deal"]]
    board = game.board
    counts = [board.perft(depth, deal) for depth in range(1, len(row["perft"]) + 1)]
    found = compare(row, {"fen": fen(game), "perft": counts}, found)
    try:
        again = Board(row["fen"], row["rules"])
        deal = [deal[square] if again.piece_at(square) == HIDDEN else 0 for square in range(32)]
        counts = [again.perft(depth, deal) for depth in range(1, len(row["perft"]) + 1)]
    except ValueError as error:
        return [*found, f"fen: {error}"]
    return found + ([] if counts == row["perft"] else [f"perft: {counts!r} from the FEN, not {row['perft']!r}"])


def platform(row: Row, file: Row) -> list[str]:
    """Play a game of the platform, and name what differs from the row or from the platform's word for the end."""
    found: list[str] = []
    done = played(row, "taiwan", found)
    if done is None:
        return found
    game, legal = done
    result = game.result
    word = "" if result is None else PLATFORM.get(result.reason, "NoMove")
    if result is not None and result.reason == "repetition":
        word += f"(3-{game.board.repeated()})"
    colors = ["rb"[color] for color in game.board.colors]
    computed: Row = {"legal": legal, "colors": colors, "result": ended(game), "platform": word}
    if row["last_fen"] is not None:
        computed["last_fen"] = fen(game)
    shown = {match[1]: match[2] for text in row["moves"] if (match := re.fullmatch(r"(\w\d)\((\w)\)", text))}
    squares = [file_ + rank for rank in "12345678" for file_ in "abcd"]
    computed["deal"] = "".join(shown.get(square, "?") for square in squares)
    return compare(row, computed, found)


KINDS: dict[str, Callable[[Row, Row], list[str]]] = {
    "banqi-taiwan-games": games,
    "banqi-pages-games": games,
    "banqi-options-games": games,
    "banqi-perft": perft,
    "banqi-platform-records": platform,
}
