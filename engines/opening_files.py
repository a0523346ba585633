"""What game types do alike with openings: files of them, random ones, and that they don't end the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from pathlib import Path

from engines.gametype import Decision, GameType, Opening, Referee
from engines.text import read_lines


def read_records_or_lines(
    path: str,
    suffixes: Collection[str],
    from_record: Callable[[Path], Opening],
    from_line: Callable[[str], Opening],
    tell: Callable[[str], None],
) -> list[Opening]:
    """The openings of a record (a file with one of ``suffixes``), of a folder of them, or of the lines of a text file.

    A record that is no good is fatal alone; among others ``tell`` is told of it. Raises ValueError, with a text for the
    user.
    """
    place = Path(path)
    try:
        if place.is_dir():
            files = sorted(one for one in place.iterdir() if one.suffix.lower() in suffixes)
        else:
            files = [place] if place.suffix.lower() in suffixes else []
        found: list[Opening] = []
        for file in files:
            try:
                found.append(from_record(file))
            except ValueError as error:
                if not place.is_dir():
                    raise ValueError(f"{file}: {error}") from None
                tell(f"left out: {file}: {error}")
        if not place.is_dir() and not files:
            for number, line in read_lines(path):
                try:
                    found.append(from_line(line))
                except ValueError as error:
                    raise ValueError(f"{path}: line {number}: {error}") from None
    except OSError as error:
        raise ValueError(f"cannot read the openings: {path}: {error.strerror or error}") from None
    if not found:
        raise ValueError(f"there are no openings in {path}")
    return found


def random_plies(referee: Referee, seed: int, plies: int) -> Opening:
    """So many random plies of a game that has just begun, not weighed; none where they would end it."""
    chance = random.Random(seed)
    moves: list[str] = []
    for _ in range(plies):
        legal = referee.game.legal_moves()
        if not legal:
            break
        moves.append(referee.accept(Decision("move", chance.choice(legal))))
    if referee.ending() is not None:
        moves = []
    return Opening("", tuple(moves), " ".join(moves))


def going_on(game: GameType, opening: Opening) -> Opening:
    """The opening itself. Raises ValueError for one after which the game is over."""
    ending = game.begin(opening).ending()
    if ending is not None:
        raise ValueError(f"no opening: the game is over ({ending.words or ending.reason})")
    return opening
