"""A game with hidden or placed pieces as people name it on a command line: a position or a record, then moves as told.

The position is ``startpos``, a FEN of the game (one word or several) or a record; ``moves`` may stand before the moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import games
from engines.files import read_bytes
from engines.gametype import GameType
from engines.stored_formats import read
from engines.text import decode_text

LARGEST = 1 << 24
"""Bytes of the largest record."""

_MOVE = re.compile(r"[a-i]\d(?:-?[a-i]\d.*|\(.*)|[A-Za-z]@.*|[^\x00-\x7f]+.*|end")
"""What looks like a move behind a FEN; a pool of pieces may too."""


def names_game(word: str | None) -> bool:
    """Whether the value of ``--game`` names a game, other than Go and Xiangqi, which have words of their own."""
    return word is not None and word in games.GAMES and not games.find(word).own_words


@dataclass
class Told:
    """What was named: the game, the position after all moves, and each move in every notation."""

    game: GameType
    position: Any
    moves: list[dict[str, str]]


def read_told(name: str, words: list[str], rules: str = "") -> Told:
    """The game that these words name. Raises ValueError with the reason for what can't be read or played."""
    game = games.make(name, rules)
    words = [part for word in words for part in word.split()]
    if words[:1] in (["position"], ["fen"]):
        del words[0]
    if words[:1] == ["fen"]:
        del words[0]
    if not words:
        raise ValueError("the position is missing: give startpos, a FEN or a record")
    position, texts = _position(game, words)
    if texts[:1] == ["moves"]:
        del texts[0]
    told = Told(game, position, [])
    for number, text in enumerate(texts, 1):
        try:
            names = game.told_names(position, text)
            position.play(next(iter(names.values())))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        told.moves.append(names)
    return told


def _position(game: GameType, words: list[str]) -> tuple[Any, list[str]]:
    """The position, and the words behind those that name it."""
    if words[0].lower() == "startpos":
        return game.model(), words[1:]
    if _is_file(words[0]):
        found = read(decode_text(read_bytes(words[0], LARGEST)))
        if found.game != game.name:
            raise ValueError(f"{words[0]} is a game of {found.game}, not of {game.name}")
        return found.model(), words[1:]
    most = next((at for at, word in enumerate(words) if word == "moves" or _MOVE.fullmatch(word)), len(words))
    counts = [most] if "moves" in words else [most, *(count for count in range(len(words), 0, -1) if count != most)]
    first: ValueError | None = None
    for count in counts:
        try:
            return game.model(" ".join(words[:count])), words[count:]
        except ValueError as error:
            first = first or error
    assert first is not None
    raise first


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False
