"""Moves as text, both ways, in every notation of the field.

- ``coordinate``: ``h2e2``, file letter and rank, ranks counted from 0 (UCCI, Pikafish).
- ``coordinate1``: ``h3e3``, ranks counted from 1 to 10 (Fairy-Stockfish).
- ``iccs``: ``H2-E2``.
- ``wxf``: ``C2=5``, that is piece, file from the mover's right, ``+`` ``-`` or ``=``, figure; ``R+=6`` the front one of
  two; ``25=6`` the second soldier of file 5, where three share a file or two files have two or more.
- ``simplified``: ``炮二平五``, with Black's figures ``炮8平5``; ``前车进一``; four soldiers on a file, or two files
  with two or more each, are numbered ``一兵`` ``二兵`` from the right and from the front.
- ``traditional``: the same in traditional characters, ``馬8進7``, ``後車平六``.
- ``short``: ``炮25``, 平 left out; an advance has its figure standing on a bar, ``士4_5``, a retreat hanging under
  one, ``士4‾5``; horse, elephant and advisor go without where the bare figure fits one move only, ``马87``.

Reading takes all of them, and what older scores and other programs write: ``C2.5``, ``+R=6``, ``Pb.5``, B and N for E
and H, figures of either side and full width, 俥傌砲包, either side's names for both, 上 and 下, 前兵九平八, 前九平八,
``Che2``, digits 1 to 7 for WXF's letters K A B N R C P (``62.5``, typed on a keypad).

The forms are the WXF's of 2018, and the older ones of the xqbase specification (中国象棋电脑应用规范).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import NamedTuple

from engines.errors import QiqiaoError
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import (
    BISHOP,
    BLACK,
    KNIGHT,
    PAWN,
    move_from,
    move_name,
    move_of,
    move_to,
    piece_color,
    piece_kind,
)

NOTATIONS = ("coordinate", "coordinate1", "iccs", "wxf", "simplified", "traditional", "short")
"""The names of the notations that moves are written in."""

_FIGURES = "一二三四五六七八九"
_NAMES = {
    "simplified": ("帅仕相马车炮兵", "将士象马车炮卒", "进退平", "前中后"),
    "traditional": ("帥仕相馬車炮兵", "將士象馬車炮卒", "進退平", "前中後"),
}
_WXF_LETTERS = ".KAEHRCP"
_ADVISOR_LIKE = (2, BISHOP, KNIGHT)  # their figure is the file they go to, whatever the direction

# What reading turns characters into: one alphabet for the Chinese, the short and the WXF forms. Front, middle and rear
# become f, m, r.
_READ = {ord(figure): str(i) for i, figure in enumerate(_FIGURES, start=1)}
for _letter, _characters in zip(
    "KABNRCP+-=fmr",
    ("帅帥将將", "仕士", "相象", "马馬傌", "车車俥", "炮砲包", "兵卒", "进進上", "退下", "平", "前", "中", "后後"),
    strict=True,
):
    _READ |= {ord(character): _letter for character in _characters}
_BARS = {ord("_"): "+", ord("\uff3f"): "+", ord("\u203e"): "-", ord("\u00af"): "-", ord("\uffe3"): "-"}
_COMBINED = (
    (re.compile("([1-9一二三四五六七八九])[\u0332\u0331]$"), r"+\1"),
    (re.compile("([1-9一二三四五六七八九])[\u0305\u0304]$"), r"-\1"),
)

_COORDINATES = re.compile(r"([a-i])(\d|10)-?([a-i])(\d|10)", re.IGNORECASE | re.ASCII)
_ALGEBRAIC = re.compile(r"([KABEHNRCP]?)([a-i]?)(10|\d)?[-x]?([a-i])(10|\d)[+#]?", re.ASCII)
_DIGITS = re.compile(r"([1-7])([1-9A-E+.-][-+=.][1-9])")
_PIECE = "([KABEHNRCP])"
_FORMS = tuple(
    (re.compile(pattern), groups)
    for pattern, groups in (
        # pattern, and what its groups are: order, piece, file, action, number
        (_PIECE + r"([1-9])([-+=.]?)([1-9])", "pfan"),  # 炮二平五, C2=5, 炮25
        (r"([fmr1-5])" + _PIECE + r"([1-9]?)([-+=]?)([1-9])", "opfan"),  # 前炮平五, 一兵平五, 前兵九平八, 前炮5
        (r"([fmr])([1-9])([-+=])([1-9])", "ofan"),  # 前九平八
        (r"([1-5])([1-9])([-+=.])([1-9])", "ifan"),  # 25=6
        (_PIECE + r"([-+.])([-+=.])([1-9])", "ptan"),  # R+=6
        (r"([-+.])" + _PIECE + r"([-+=.])([1-9])", "tpan"),  # +R=6
        (r"(P)([A-E])([-+=.])([1-9])", "plan"),  # Pb.5
    )
)


class NotationError(QiqiaoError, ValueError):
    """Text that names no legal move, or more than one; then ``candidates`` has those moves."""

    def __init__(self, reason: str, candidates: list[int] | None = None) -> None:
        super().__init__(reason)
        self.candidates = candidates or []


def _plain(text: str) -> str:
    """A text without blanks, in half width."""
    return "".join(unicodedata.normalize("NFKC", text.strip().translate(_BARS)).split())


def _with_actions(plain: str) -> str:
    """The text with the bars of short forms written as what they mean, in capitals."""
    for pattern, figure in _COMBINED:
        plain = pattern.sub(figure, plain)
    return plain.upper()


def looks_like_move(text: str) -> bool:
    """Whether a text has the form of a move in any notation, legal or not."""
    plain = _plain(text)
    if _COORDINATES.fullmatch(plain) or _ALGEBRAIC.fullmatch(plain):
        return True
    plain = _with_actions(plain)
    if _DIGITS.fullmatch(plain):
        return True
    plain = plain.translate(_READ)
    return any(form.fullmatch(plain) for form, _ in _FORMS)


class _Named(NamedTuple):
    """A legal move and what it is called by.

    ``file`` and ``number`` count from the mover's right, ``action`` is ``+``, ``-`` or ``=``. ``place`` of ``among`` is
    where the piece stands, from the front and from 0, among its like on the file. ``serial`` is its number, from 1,
    among all soldiers on files that have two or more, where there are two such files; else 0.
    """

    move: int
    color: int
    kind: int
    file: int
    action: str
    number: int
    place: int
    among: int
    serial: int


def iccs_name(move: int) -> str:
    """A move as ``H2-E2``; no look at a board is needed for it."""
    return f"{move_name(move)[:2]}-{move_name(move)[2:]}".upper()


class MoveNames:
    """The names of the legal moves of one position. Taken when made: later moves on the board don't reach it."""

    def __init__(self, board: Board) -> None:
        """Take the position of ``board``."""
        self._moves = board.legal_moves()
        self._color = board.turn
        self._pieces = [board.piece_at(square) for square in range(90)]
        self._named: dict[int, _Named] = {}
        self._explain = board.copy().why_illegal

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], list[int]]:
        """The ranks of the mover's pieces from the front, by kind and file from the mover's right."""
        color = self._color
        ranks: dict[tuple[int, int], list[int]] = {}
        for square in range(89, -1, -1) if color != BLACK else range(90):
            piece = self._pieces[square]
            if piece and piece_color(piece) == color:
                ranks.setdefault((piece_kind(piece), self._file(square, color)), []).append(square // 9)
        return ranks

    @cached_property
    def _crowded(self) -> list[int]:
        """The files with two soldiers or more, where there are two such files."""
        files = sorted(file for (kind, file), group in self._ranks.items() if kind == PAWN and len(group) > 1)
        return files if len(files) > 1 else []

    def _name(self, move: int) -> _Named:
        """What a legal move is called by; only what is asked for is named, since most of them never are."""
        known = self._named.get(move)
        if known is not None:
            return known
        color, ranks = self._color, self._ranks
        origin, target = move_from(move), move_to(move)
        kind, file = piece_kind(self._pieces[origin]), self._file(origin, color)
        advance = (target // 9 - origin // 9) * (1 - 2 * color)
        number = abs(advance) if advance and kind not in _ADVISOR_LIKE else self._file(target, color)
        group = ranks[kind, file]
        place, serial = group.index(origin // 9), 0
        if kind == PAWN and file in self._crowded:
            serial = place + 1 + sum(len(ranks[PAWN, other]) for other in self._crowded if other < file)
        action = "+" if advance > 0 else "-" if advance < 0 else "="
        self._named[move] = _Named(move, color, kind, file, action, number, place, len(group), serial)
        return self._named[move]

    def _of_kind(self, kind: int) -> list[int]:
        """The legal moves of pieces of a kind."""
        return [move for move in self._moves if piece_kind(self._pieces[move_from(move)]) == kind]

    def _legal(self, move: int) -> _Named:
        """A legal move's name. ``NotationError`` for any other."""
        if move not in self._moves:
            raise NotationError(self._explain(move) or "that move is not legal")
        return self._name(move)

    @staticmethod
    def _file(square: int, color: int) -> int:
        return square % 9 + 1 if color == BLACK else 9 - square % 9

    # -- writing

    def write(self, move: int, notation: str = "coordinate") -> str:
        """A legal move in one of ``NOTATIONS``. ``NotationError`` when it is not legal here."""
        if notation not in NOTATIONS:
            raise ValueError(f"no notation {notation!r}: there are {', '.join(NOTATIONS)}")
        named = self._legal(move)
        if notation == "coordinate":
            return move_name(move)
        if notation == "coordinate1":
            return "".join(f"{'abcdefghi'[square % 9]}{square // 9 + 1}" for square in (move_from(move), move_to(move)))
        if notation == "iccs":
            return iccs_name(move)
        if notation == "wxf":
            return self._write_wxf(named)
        if notation == "short":
            return self._write_short(named)
        actions = _NAMES[notation][2]
        figures = "123456789" if named.color == BLACK else _FIGURES
        action = actions["+-=".index(named.action)]
        return self._head(named, notation, figures) + action + figures[named.number - 1]

    @staticmethod
    def _head(named: _Named, notation: str, figures: str) -> str:
        """Which piece: 炮二, 前炮, 一兵."""
        piece = _NAMES[notation][named.color][named.kind - 1]
        if named.among == 1 or named.kind in (
            2,
            BISHOP,
        ):  # of two, the rear one advances
            return piece + figures[named.file - 1]
        if named.serial:
            return figures[named.serial - 1] + piece
        if named.among > 3:
            return figures[named.place] + piece
        where = 0 if named.place == 0 else 2 if named.place == named.among - 1 else 1
        return _NAMES[notation][3][where] + piece

    @staticmethod
    def _write_wxf(named: _Named) -> str:
        if named.among == 1 or named.kind in (2, BISHOP):
            head = f"{_WXF_LETTERS[named.kind]}{named.file}"
        elif named.serial or named.among > 2:
            head = f"{named.place + 1}{named.file}"
        else:
            head = _WXF_LETTERS[named.kind] + "+-"[named.place]
        return f"{head}{named.action}{named.number}"

    def _write_short(self, named: _Named) -> str:
        bar = {"+": "_", "-": "‾", "=": ""}[named.action]
        if named.kind in _ADVISOR_LIKE:
            twins = [
                other
                for other in map(self._name, self._of_kind(named.kind))
                if other.number == named.number
                and self._head(other, "simplified", "123456789") == self._head(named, "simplified", "123456789")
            ]
            bar = bar if len(twins) > 1 else ""
        return f"{self._head(named, 'simplified', '123456789')}{bar}{named.number}"

    def write_algebraic(self, move: int, first_rank: int = 0) -> str:
        """A legal move as ``Che2``, ``Rac3``, ``e5`` (a soldier has no letter): what is needed of where the piece comes
        from stands before the point it goes to. Ranks are counted from ``first_rank``.
        """
        named = self._legal(move)

        def point(square: int) -> tuple[str, str]:
            return "abcdefghi"[square % 9], str(square // 9 + first_rank)

        twins = [other >> 7 for other in self._of_kind(named.kind) if other != move and other & 127 == move & 127]
        file, rank = point(move >> 7)
        letter = "" if named.kind == PAWN else _WXF_LETTERS[named.kind]
        if not any(square % 9 == (move >> 7) % 9 for square in twins):
            rank = ""
        elif not any(square // 9 == (move >> 7) // 9 for square in twins):
            file = ""
        if not twins:
            file = ""
        return letter + file + rank + "".join(point(move & 127))

    # -- reading

    def read(self, text: str, first_rank: int | None = None) -> int:
        """The legal move that a text in any notation names.

        ``first_rank``, 0 or 1, is what coordinates call Red's back rank; ``None`` takes them from 0, and from 1 where
        only that is a legal move. ``NotationError`` when the text names no legal move, or several.
        """
        plain = _plain(text)
        match = _COORDINATES.fullmatch(plain)
        if match and (plain.islower() or plain.isupper()):  # C2e2 is algebraic
            return self._read_coordinates(match, text, first_rank)
        match = _ALGEBRAIC.fullmatch(plain)
        found = self._match_algebraic(match, first_rank) if match else self._match_forms(plain)
        if found is None:
            raise NotationError(f"{text!r} is no move in any notation known here")
        if not found:
            raise NotationError(f"{text!r} fits no legal move of this position")
        if len(found) > 1:
            listed = ", ".join(f"{move_name(move)} ({self.write(move, 'simplified')})" for move in found)
            raise NotationError(f"{text!r} is ambiguous: it fits {listed}", found)
        return found[0]

    def _read_coordinates(self, match: re.Match[str], text: str, first_rank: int | None) -> int:
        files = ["abcdefghi".index(match[group].lower()) for group in (1, 3)]
        ranks = [int(match[group]) for group in (2, 4)]
        reason = ""
        for base in (0, 1) if first_rank is None else (first_rank,):
            if all(0 <= rank - base <= 9 for rank in ranks):
                squares = [(rank - base) * 9 + file for rank, file in zip(ranks, files, strict=True)]
                move = move_of(*squares)
                if move in self._moves:
                    return move
                reason = reason or self._explain(move) or ""
        raise NotationError(reason or f"{text!r} is off the board")

    def _match_algebraic(self, match: re.Match[str], first_rank: int | None) -> list[int]:
        letter, from_file, from_rank, file, rank = match.groups()
        kind = self._kind(letter or "P")
        for base in (0, 1) if first_rank is None else (first_rank,):
            ranks = [str(int(text) - base) if text else "." for text in (from_rank, rank)]
            origin = re.compile(f"{from_file or '.'}{ranks[0]}{file}{ranks[1]}")
            found = [move for move in self._of_kind(kind) if origin.fullmatch(move_name(move))]
            if found:
                return found
        return []

    def _match_forms(self, plain: str) -> list[int] | None:
        """The moves that a text in one of ``_FORMS`` fits; ``None`` when it has none of them."""
        plain = _with_actions(plain)
        if match := _DIGITS.fullmatch(plain):
            return self._match_digits(plain, " KABNRCP"[int(match[1])] + match[2])
        return self._match_form(plain.translate(_READ))

    def _match_digits(self, plain: str, lettered: str) -> list[int]:
        """The moves that a text with a digit for the piece fits; ``lettered`` has its letter.

        WXF's number of a soldier looks the same, and goes first where WXF numbers the soldiers.
        """
        soldiers = self._match_form(plain) or []
        if any(named.serial or named.among > 2 for named in map(self._name, soldiers)):
            return soldiers
        two = [move for move in soldiers if self._name(move).among == 2]
        return (self._match_form(lettered) or []) + two or soldiers

    def _match_form(self, plain: str) -> list[int] | None:
        """The moves that a text in the alphabet of ``_FORMS`` fits; ``None`` when it has none of these forms."""
        for form, groups in _FORMS:
            if match := form.fullmatch(plain):
                parts = dict(zip(groups, match.groups(), strict=True))
                kind = self._kind(parts.get("p", "P"))
                return [move for move in self._of_kind(kind) if self._fits(self._name(move), parts)]
        return None

    @staticmethod
    def _kind(letter: str) -> int:
        return " KABNRCP".index({"E": "B", "H": "N"}.get(letter, letter))

    def _fits(self, named: _Named, parts: dict[str, str]) -> bool:
        """Whether a move, of a piece of the kind that is told, is one that the parts of a text tell.

        The parts: ``p`` piece, ``f`` file, ``a`` action, ``n`` number; and which of several: ``o`` front, middle, rear
        or a number, ``i`` a number within the file, ``l`` a letter for it, ``t`` a WXF sign.
        """
        if named.number != int(parts["n"]):
            return False
        if parts.get("f") and named.file != int(parts["f"]):
            return False
        action = parts["a"].replace(".", "=")
        if action != named.action and (action or (named.action != "=" and named.kind not in _ADVISOR_LIKE)):
            return False  # no action is the short form: 平, or whichever way an advisor, elephant or horse can go
        if "i" in parts:
            return named.place == int(parts["i"]) - 1
        which = parts.get("o") or parts.get("t") or parts.get("l") or ""
        if not which:
            return True
        if named.among < 2:
            return False
        which = {"+": "f", "-": "m" if named.among > 2 else "r", ".": "r"}.get(which, which)
        if which in "fmr":
            return which == ("f" if named.place == 0 else "r" if named.place == named.among - 1 else "m")
        nth = int(which) if which.isdigit() else "ABCDE".index(which) + 1
        if named.serial and not parts.get("f"):
            return nth == named.serial
        return nth == named.place + 1


def write_move(board: Board, move: int, notation: str = "coordinate") -> str:
    """A legal move of a position in one of ``NOTATIONS``. ``NotationError`` when it is not legal."""
    return MoveNames(board).write(move, notation)


def read_move(board: Board, text: str, first_rank: int | None = None) -> int:
    """The legal move of a position that a text names; see ``MoveNames.read``."""
    return MoveNames(board).read(text, first_rank)


def notate(board: Board, text: str) -> dict[str, str]:
    """A move, given in any notation, in all of ``NOTATIONS``. ``NotationError`` as ``read_move``."""
    names = MoveNames(board)
    move = names.read(text)
    return {notation: names.write(move, notation) for notation in NOTATIONS}
