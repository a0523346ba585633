"""Chinese notation of jieqi and fanqi, both ways, as the page on fanqi writes it (马二进三变车).

- ``coordinate``: ``h2h9``, with the letter of what turned up where it is told: ``h2h9P``; ``b8b2x`` turned down.
- ``simplified``, ``traditional``: ``马二进三变车``, ``馬二進三變車``: a face-down piece goes by the name of its point;
  behind 变/變 stands what turned up. ``炮一平三变相``: a face-up piece was turned down; behind 变 its new point's kind.
- ``short``: the house's short form, ``马23变车``; see ``engines.xiangqi.notation``.

Without 变 a face-down piece's move is in its *spoken* form, 马二进三: its owner doesn't know yet what will show.

Pieces of one name on a file, face up and face down alike, are 前 后, 前 中 后, or from four on 一 二 三 … from the
front. Soldiers on two or more files with two or more each are numbered over all those files, from the mover's right.
Where another kind is crowded on several files the file follows: 前士4进5. Unlike Xiangqi, advisors and elephants take
前 and 后 too, since two on a file can make the same move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from engines.jieqi.board import Board
from engines.jieqi.forms import HOME
from engines.jieqi.moves import Told, parse
from engines.jieqi.pieces import TURN_DOWN
from engines.xiangqi.geometry import ADVISOR, BISHOP, BLACK, KNIGHT, PAWN, piece_color
from engines.xiangqi.notation import _FIGURES, _NAMES, _READ, NotationError, _plain, _with_actions

__all__ = ["NOTATIONS", "MoveNames", "NotationError"]

NOTATIONS = ("coordinate", "simplified", "traditional", "short")
"""The names of the notations that moves are written in."""

_TO_FILE = (ADVISOR, BISHOP, KNIGHT)  # their figure is the file they go to, whatever the direction
_TURNED = {"simplified": "变", "traditional": "變", "short": "变"}
_COORDINATES = re.compile(r"[a-i]\d-?[a-i]\d[a-zA-Z]*")


@dataclass(frozen=True)
class _Named:
    """A legal move and what it is called by; ``turns`` the kind of the point where it is turned down, else 0.

    ``file`` and ``number`` count from the mover's right, ``action`` is ``+``, ``-`` or ``=``. ``place`` of ``count`` is
    where the piece stands, from the front and from 0, among its like on the file; ``serial`` its number among all
    soldiers of crowded files, from 1, or 0; ``wide``: its kind is crowded on several files.
    """

    move: int
    color: int
    kind: int
    dark: bool
    turns: int
    file: int
    action: str
    number: int
    place: int
    count: int
    serial: int
    wide: bool


class MoveNames:
    """The names of all legal moves of one position. Taken when made: later moves on the board don't reach it."""

    def __init__(self, board: Board) -> None:
        """Take the position of ``board``, which may know or not know what lies face down."""
        self._board = board.copy()
        self._named = self._name_all(board)

    def _name_all(self, board: Board) -> dict[int, _Named]:
        color = board.turn
        ranks: dict[tuple[int, int], list[int]] = {}  # (kind, file from the mover's right) -> ranks from the front
        for square in range(89, -1, -1) if color != BLACK else range(90):
            piece = board.apparent(square)
            if piece and piece_color(piece) == color:
                ranks.setdefault((piece & 7, self._file(square, color)), []).append(square // 9)
        crowded: dict[int, list[int]] = {}
        for (kind, file), group in sorted(ranks.items()):
            if len(group) > 1:
                crowded.setdefault(kind, []).append(file)
        named = {}
        for move in board.legal_moves():
            origin, target = move >> 7 & 127, move & 127
            kind, file = board.apparent(origin) & 7, self._file(origin, color)
            advance = (target // 9 - origin // 9) * (1 - 2 * color)
            number = abs(advance) if advance and kind not in _TO_FILE else self._file(target, color)
            group, files = ranks[kind, file], crowded.get(kind, [])
            place, serial = group.index(origin // 9), 0
            wide = len(files) > 1 and file in files
            if kind == PAWN and wide:
                serial = place + 1 + sum(len(ranks[PAWN, other]) for other in files if other < file)
            named[move] = _Named(
                move,
                color,
                kind,
                board.is_dark(origin),
                HOME[target] if move & TURN_DOWN else 0,
                file,
                "+" if advance > 0 else "-" if advance < 0 else "=",
                number,
                place,
                len(group),
                serial,
                wide,
            )
        return named

    @staticmethod
    def _file(square: int, color: int) -> int:
        return square % 9 + 1 if color == BLACK else 9 - square % 9

    # -- writing

    def write(self, move: int, notation: str = "coordinate", shown: int = 0) -> str:
        """A legal move in one of ``NOTATIONS``; ``shown`` is the piece that it turned up, 0 for the spoken form.

        ``NotationError`` when it is not legal here, ``ValueError`` for another notation.
        """
        if notation not in NOTATIONS:
            raise ValueError(f"no notation {notation!r}: there are {', '.join(NOTATIONS)}")
        named = self._named.get(move)
        if named is None:
            raise NotationError(self._board.why_illegal(move) or "that move is not legal")
        if notation == "coordinate":
            return Told(move, shown if named.dark else 0).text
        script = "simplified" if notation == "short" else notation
        figures = "123456789" if named.color == BLACK or notation == "short" else _FIGURES
        head = self._head(named, script, figures)
        if notation == "short":
            text = f"{head}{self._bar(named)}{named.number}"
        else:
            text = head + _NAMES[script][2]["+-=".index(named.action)] + figures[named.number - 1]
        became = named.turns or (shown & 7 if named.dark else 0)
        return text + (_TURNED[notation] + _NAMES[script][named.color][became - 1] if became else "")

    @staticmethod
    def _head(named: _Named, script: str, figures: str) -> str:
        """Which piece: 炮二, 前炮, 一兵, 前士4."""
        piece = _NAMES[script][named.color][named.kind - 1]
        if named.count == 1:
            return piece + figures[named.file - 1]
        if named.serial:
            return _numeral(named.serial, figures) + piece
        if named.count > 3:
            order = figures[named.place]
        else:
            order = _NAMES[script][3][0 if named.place == 0 else 2 if named.place == named.count - 1 else 1]
        return order + piece + (figures[named.file - 1] if named.wide else "")

    @cached_property
    def _bare(self) -> set[tuple[str, int]]:
        """Heads and figures of the moves to a file that fit one way only: there the short form needs no bar."""
        ways: dict[tuple[str, int], set[str]] = {}
        for named in self._named.values():
            if named.kind in _TO_FILE:
                head = self._head(named, "simplified", "123456789")
                ways.setdefault((head, named.number), set()).add(named.action)
        return {key for key, actions in ways.items() if len(actions) == 1}

    def _bar(self, named: _Named) -> str:
        """The short form's bar for an advance or a retreat, left out where the figure alone fits one move."""
        if named.kind in _TO_FILE and (self._head(named, "simplified", "123456789"), named.number) in self._bare:
            return ""
        return {"+": "_", "-": "‾", "=": ""}[named.action]

    @cached_property
    def _index(self) -> dict[str, list[_Named]]:
        """The moves by what they may be called."""
        index: dict[str, list[_Named]] = {}
        for named in self._named.values():
            for reading in self._readings(named):
                index.setdefault(reading, []).append(named)
        return index

    # -- reading

    def read(self, text: str) -> Told:
        """The legal move that a text in any of the notations names, with the piece that it says turned up, or 0.

        ``NotationError`` when the text names no legal move, or several.
        """
        stripped = text.strip()
        if _COORDINATES.fullmatch(stripped):
            try:
                return parse(self._board, stripped)
            except ValueError as error:
                raise NotationError(str(error)) from None
        base, mark, became_text = stripped.replace("變", "变").partition("变")
        became = 0
        if mark:
            letter = _plain(became_text).translate(_READ)
            if len(letter) != 1 or letter not in "ABNRCP":
                raise NotationError(f"{text!r} has no piece behind 变")
            became = ".KABNRCP".index(letter)
        plain = _with_actions(_plain(base)).translate(_READ)
        found = self._index.get(plain, [])
        if not found:
            raise NotationError(f"{text!r} fits no legal move of this position")
        fitting = [named for named in found if named.dark or named.turns == became]
        if not fitting:
            raise NotationError(f"{text!r}: no piece is turned to that by this move")
        if len(fitting) > 1:
            listed = ", ".join(self.write(named.move) for named in fitting)
            raise NotationError(f"{text!r} is ambiguous: it fits {listed}", [named.move for named in fitting])
        named = fitting[0]
        return Told(named.move, became + 8 * named.color if named.dark and became else 0)

    def _readings(self, named: _Named) -> set[str]:
        """What a move may be called, in the alphabet that reading turns every notation into."""
        letter = ".KABNRCP"[named.kind]
        heads = {self._head(named, "simplified", "123456789").translate(_READ)}
        if named.count > 1:
            places = [str(named.place + 1)] if named.count > 3 else []
            if named.count <= 3:
                places += ["f" if named.place == 0 else "r" if named.place == named.count - 1 else "m"]
            heads |= {f"{place}{letter}{named.file}" for place in places}
        ends = {f"{named.action}{named.number}"}
        if named.action == "=" or (named.kind in _TO_FILE and self._bar(named) == ""):
            ends.add(str(named.number))
        return {head + end for head in heads for end in ends}


def _numeral(number: int, figures: str) -> str:
    """A soldier's number; there are five soldiers, but face-down pieces may be called so too."""
    if number <= 9:
        return figures[number - 1]
    return ("十" if figures == _FIGURES else "1") + (
        (_FIGURES if figures == _FIGURES else "0123456789")[number - 10 - (figures == _FIGURES)]
        if number > 10 or figures != _FIGURES
        else ""
    )
