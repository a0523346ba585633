"""A game of Xiangqi as people name it on a command line: a position, and moves in whatever notation they are in.

The position is ``startpos``, a FEN (as one word or as several), or a PGN file; moves lead on from it, in coordinates,
ICCS, WXF or Chinese, with or without numbers. What a program logged (``position fen … moves …``) is read as it stands.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from engines.errors import IllegalMove
from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.notation import MoveNames, NotationError
from engines.xiangqi.records import RESULTS, RecordError, read_file
from protocols.xiangqi.coordinates import read as read_coordinates

_NUMBER = re.compile(r"\d{1,3}[.…．、]*|[.…．、]+")
_NUMBERED = re.compile(r"\d+[.…．、]+(?=.)")
_PLACEMENT = re.compile(r"[A-Za-z1-9]+(/[A-Za-z1-9]+){9}")
_LOGGED = re.compile(r"\s*(position\s+)?(fen\s+)?(?=\S)", re.IGNORECASE)
_FEN_FIELDS = (r"[wbrWBR]", r"-", r"-", r"\d+", r"\d+")
_CHINESE_MOVE = 4
"""Characters of a move in Chinese: moves written without blanks are cut there."""


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a game: the last ones of a command."""
    parser.add_argument("--game", metavar="N", help="which game of a PGN file with several")
    # REMAINDER, since the rear of two pieces may be written with a leading minus sign.
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="POSITION MOVE",
        help="startpos, a FEN or a PGN file; then moves in any notation",
    )


def game_number(text: str | None) -> int | None:
    """The value of ``--game``. ``ValueError`` when it is no number from 1 on."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise ValueError(f"--game must be a number from 1 on, not {text!r}")
    return int(text)


@dataclass
class Given:
    """A game that was named: where it starts, the moves from there, and the board after them.

    ``base`` is the number of the first rank in the coordinates that were given: 0, or 1.
    """

    start: Board
    board: Board
    base: int = 0

    @property
    def moves(self) -> list[int]:
        """All moves from the start, a file's included."""
        return self.board.history


def read_given(words: list[str], game: int | None = None) -> Given:
    """The game that these words name; ``game`` says which of a PGN file's, from 1 on.

    ``ValueError`` (``FenError``, ``IllegalMove``, ``NotationError``) with the reason for what can't be read or played.
    """
    start, rest = _position(list(words), game)
    texts = [word for text in rest for word in text.split()]
    if texts and texts[0].lower() == "moves":
        del texts[0]
    base = _base(texts)
    if base is not None:
        return Given(start, play_all(start, texts, base), base)
    try:
        return Given(start, play_all(start, texts, 0), 0)
    except (NotationError, IllegalMove):
        try:
            return Given(start, play_all(start, texts, 1), 1)
        except (NotationError, IllegalMove):
            pass
        raise


def _position(words: list[str], game: int | None) -> tuple[Board, list[str]]:
    """The board to start from, and the words behind those that name it."""
    if words and not _is_file(words[0]):
        head, _, moves = words[0].partition(" moves ")  # a program's whole line as one word
        head = _LOGGED.sub("", head, count=1)
        words[:1] = [word for word in (head, moves) if word.strip()]
    while words and words[0].lower() in ("position", "fen"):
        del words[0]
    if not words:
        raise ValueError("the FEN is empty: give startpos, a FEN or a PGN file")
    head, rest = words[0], words[1:]
    if head.lower() == "startpos":
        return Board(START_FEN), rest
    if head.lower().endswith(".pgn") or _is_file(head):
        return _from_file(head, game), rest
    if _PLACEMENT.fullmatch(head):
        for form in _FEN_FIELDS:
            if not rest or not re.fullmatch(form, rest[0]):
                break
            head += " " + rest.pop(0)
    return Board(head, strict=False), rest


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or a zero byte in it
        return False


def _from_file(name: str, game: int | None) -> Board:
    """The end of the main line of a PGN file's game, as far as nothing of it was taken back."""
    try:
        records = read_file(name)
    except OSError as error:
        raise ValueError(f"cannot read {name}: {error.strerror or error}") from None
    except RecordError as error:
        if game is None or game >= len(error.records):
            raise ValueError(f"{name}: {error}") from None
        records = error.records
    if not records:
        raise ValueError(f"{name}: there is no game in it")
    if game is None and len(records) > 1:
        raise ValueError(f"{name}: {len(records)} games are in it; say which with --game")
    if not 1 <= (game or 1) <= len(records):
        raise ValueError(f"{name}: there is no game {game}, only 1 to {len(records)}")
    record = records[(game or 1) - 1]
    board = Board(record.fen, strict=False)
    for move in record.standing():
        board.play(move)
    return board


def _base(texts: list[str]) -> int | None:
    """The number of the first rank in the coordinates among these words, where they show it."""
    found = [read_coordinates(text) for text in map(_bare, texts)]
    ranks = {rank for move in found if move is not None for rank in (move.rank, move.to_rank)}
    if {0, 10} <= ranks:
        raise ValueError("the moves have ranks 0 and 10: they must count from 0 to 9 or from 1 to 10")
    return 1 if 10 in ranks else 0 if 0 in ranks else None


def _bare(word: str) -> str:
    """A word without a number stuck to its front."""
    return _NUMBERED.sub("", word, count=1)


def play_all(start: Board, texts: list[str], base: int) -> Board:
    """The board after these moves, coordinates counted from rank ``base``.

    ``NotationError`` or ``IllegalMove``, with the number of the word and the reason.
    """
    board = start.copy()
    for number, text in enumerate(_moves(texts), start=1):
        try:
            board.play(read_word(board, text, base))
        except NotationError as error:
            raise NotationError(f"move {number}: {error}", error.candidates) from None
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return board


def _moves(texts: list[str]) -> list[str]:
    """The words that are moves: numbers and results left out, Chinese written without blanks cut."""
    found: list[str] = []
    for text in texts:
        if text in RESULTS or _NUMBER.fullmatch(text):
            continue
        bare = _bare(text)
        if len(bare) > _CHINESE_MOVE and len(bare) % _CHINESE_MOVE == 0 and not bare.isascii():
            found += [bare[at : at + _CHINESE_MOVE] for at in range(0, len(bare), _CHINESE_MOVE)]
        else:
            found.append(text)
    return found


def read_word(board: Board, text: str, base: int | None) -> int:
    """The legal move that a word names; a number may be stuck to its front. ``NotationError`` for any other."""
    names = MoveNames(board)
    try:
        return names.read(text, base)
    except NotationError:
        bare = _bare(text)
        if bare == text:
            raise
        return names.read(bare, base)
