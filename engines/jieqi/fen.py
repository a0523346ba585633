"""FEN of jieqi and fanqi: one viewer's position as text, in the forms that programs write.

::

    jieqibox      BOARD SIDE POOL CAPTURED HALF FULL          what is written, unless another is asked for
                  BOARD SIDE POOL CAPTURED KNOWN HALF FULL    the same for fanqi
    jieqibox-old  BOARD POOL SIDE - - HALF FULL
    pikafish      BOARD SIDE POOL HALF FULL
    jieqiai       BOARD SIDE UNSEEN-R TOOK-R UNSEEN-B TOOK-B - - HALF FULL

``BOARD`` has ranks 9 to 0, ``X`` and ``x`` for Red's and Black's face-down pieces. ``POOL`` counts the pieces that the
viewer has not seen (``R2A2C2P5N2B2…``), ``CAPTURED`` those taken face down that it has, ``-`` for none. ``KNOWN`` names
face-down pieces that the viewer knows, ``a3Rc9n``: pieces turned down before all eyes, and its own layout where it laid
one; these are not in the pool. JieqiAI's bags are letters, one a piece; an empty one is an empty field.

All of them are read, told apart by where the side stands and by digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.jieqi.board import Board, Point
from engines.jieqi.forms import HOME, LETTERS, Form, form_of, home_color
from engines.xiangqi.fen import QUOTES, FenError
from engines.xiangqi.geometry import ADVISOR, BISHOP, KIND_NAMES, KING, PIECE_LETTERS, SIDE_NAMES, is_home, square_name

DIALECTS = ("jieqibox", "jieqibox-old", "pikafish", "jieqiai", "plain")
"""The forms of FEN by name; ``plain`` is JieqiBox's without the field KNOWN in every game."""

POOL_ORDER = tuple(list(LETTERS) + [letter.lower() for letter in LETTERS])
_CAPTURED_ORDER = tuple([letter.lower() for letter in LETTERS] + list(LETTERS))
_JIEQIAI_ORDER = "abcnrp"
_PIECE = {letter: piece for piece, letter in enumerate(PIECE_LETTERS) if letter != "."}
_PIECE |= {"H": _PIECE["N"], "h": _PIECE["n"], "E": _PIECE["B"], "e": _PIECE["b"]}
_SIDES = {"w": 0, "r": 0, "b": 1}
_COUNTS = re.compile(r"(?:[RACPNBHE]\d{1,2})+", re.IGNORECASE | re.ASCII)
_KNOWN = re.compile(r"([a-i]\d)([RACPNBHE])", re.IGNORECASE | re.ASCII)
_MOST_DIGITS = 5


@dataclass(frozen=True)
class Position:
    """A position as one viewer knows it.

    ``points``: the 90 points from a0; a piece of 0 is one not seen. ``pool`` and ``captured`` count pieces (kind + 8
    for Black): those not seen, and those taken face down that the viewer has seen. ``turn``, ``clock`` and ``number``
    as in Xiangqi.
    """

    form: str
    points: tuple[Point | None, ...]
    turn: int = 0
    pool: Counter[int] = field(default_factory=Counter)
    captured: Counter[int] = field(default_factory=Counter)
    clock: int = 0
    number: int = 1

    def board(self) -> Board:
        """The position on a board. ``FenError`` where it can't be."""
        try:
            return Board(self.form, self.points, self.turn, self.clock, self.number)
        except ValueError as error:
            raise FenError(str(error)) from None


def count_text(counts: Counter[int], order: tuple[str, ...], zeros: bool) -> str:
    """Counts of pieces as letters and figures."""
    return "".join(f"{letter}{counts[_PIECE[letter]]}" for letter in order if zeros or counts[_PIECE[letter]])


def write_fen(position: Position, dialect: str = "jieqibox") -> str:
    """A position as text in one of ``DIALECTS``. ``ValueError`` for another name."""
    if dialect not in DIALECTS:
        raise ValueError(f"no form of FEN {dialect!r}: there are {', '.join(DIALECTS)}")
    board = _placement(position)
    side = "wb"[position.turn]
    end = f"{position.clock} {position.number}"
    unseen = Counter(position.pool)
    with_known = dialect == "jieqibox" and form_of(position.form).has_known
    if not with_known:
        # There is no word for what is known of a face-down piece but was never seen: it counts as unseen.
        for point in position.points:
            if point and point.dark and point.piece and not point.shown:
                unseen[point.piece] += 1
    pool = count_text(unseen, POOL_ORDER, True)
    captured = count_text(position.captured, _CAPTURED_ORDER, False) or "-"
    if dialect == "jieqibox-old":
        return f"{board} {pool} {side} - - {end}"
    if dialect == "pikafish":
        return f"{board} {side} {pool} {end}"
    if dialect == "jieqiai":
        bags = []
        for color in (0, 1):
            mine, theirs = Counter[int](), Counter[int]()
            for kind in range(ADVISOR, 8):
                mine[kind] = unseen[kind + 8 * color] + position.captured[kind + 8 * color]
                theirs[kind] = position.captured[kind + 8 * (1 - color)]
            bags += [_bag(mine), _bag(theirs)]
        return f"{board} {side} {' '.join(bags)} - - {end}"
    if with_known:
        known = "".join(
            square_name(square) + PIECE_LETTERS[point.piece]
            for square, point in enumerate(position.points)
            if point and point.dark and point.piece
        )
        return f"{board} {side} {pool} {captured} {known or '-'} {end}"
    return f"{board} {side} {pool} {captured} {end}"


def _bag(counts: Counter[int]) -> str:
    return "".join(letter * counts[_PIECE[letter.upper()]] for letter in _JIEQIAI_ORDER)


def _placement(position: Position) -> str:
    ranks = []
    for rank in range(9, -1, -1):
        row = ""
        for square in range(rank * 9, rank * 9 + 9):
            point = position.points[square]
            if point is None:
                row += "."
            elif point.dark:
                row += "Xx"[home_color(square)]
            else:
                row += PIECE_LETTERS[point.piece]
        for run in range(9, 0, -1):
            row = row.replace("." * run, str(run))
        ranks.append(row)
    return "/".join(ranks)


# -- reading


def read_fen(text: str, form: str = "jieqi", hidden: Mapping[int, int] | None = None, strict: bool = True) -> Position:
    """The position that a FEN in any of the dialects tells. ``FenError``, with the reason, for any other text.

    ``hidden``, by square, is what a referee knows besides of the pieces that lie face down. When not ``strict`` a side
    may have more of a kind than there are (studies of notation do).

    Refused is what can't be: more pieces of a kind than a side has, a face-down piece on no point of its side's, pieces
    known more than lie there, a bound advisor or elephant out of bounds, the side to move able to take the general.
    """
    table = form_of(form)
    text = text.strip().strip(QUOTES).strip()
    if not text:
        raise FenError("the FEN is empty")
    if len(text) > 1000:
        raise FenError("the FEN is too long")
    fields = text.split(" ")
    board = _read_board(fields[0], table)
    words = text.split()
    pool: Counter[int] | None
    captured: Counter[int]
    if len(fields) > 1 and fields[1].lower() in _SIDES and _is_bags(fields[2:]):
        turn, pool, captured, rest = _read_bags(fields)
        known = ""
    elif len(words) > 1 and words[1].lower() in _SIDES:
        turn, pool, captured, known, rest = _read_new(words, table)
    elif len(words) > 2 and words[2].lower() in _SIDES:
        turn, pool, captured, known = _SIDES[words[2].lower()], _read_counts(words[1], "pool"), Counter(), ""
        rest = [word for word in words[3:] if word != "-"]
    elif len(words) == 1:
        turn, pool, captured, known, rest = 0, None, Counter(), "", []
    else:
        raise FenError(f"the FEN has no side to move, w or b, behind the board: {' '.join(words[1:3])!r}")
    if len(rest) > 2:
        raise FenError(f"the FEN goes on after its counters: {' '.join(rest[2:])!r}")
    clock = _read_counter("plies without a capture", rest[0]) if rest else 0
    number = _read_counter("number of the round", rest[1]) if len(rest) > 1 else 1
    points = _with_known(board, known, table)
    if pool is None:
        pool = _all_unseen(points, captured, table)
    if hidden:
        points, pool = _with_hidden(points, hidden, pool)
    pool = _settle(points, pool, captured, table, strict)
    position = Position(form, tuple(points), turn, pool, captured, clock, max(number, 1))
    position.board()
    return position


def _read_board(text: str, form: Form) -> list[Point | None]:
    rows = text.split("/")
    if len(rows) != 10:
        raise FenError(f"the FEN has {len(rows)} ranks, not 10")
    points: list[Point | None] = []
    for rank, row in enumerate(reversed(rows)):
        for letter in row:
            if letter in "123456789":
                points += [None] * int(letter)
            elif letter in "xX":
                points.append(Point(0, True))
                _check_dark(len(points) - 1, int(letter == "x"), form)
            elif letter in _PIECE:
                points.append(Point(_PIECE[letter]))
            else:
                raise FenError(f"{letter!r} on rank {rank} of the FEN is no piece")
        if len(points) != rank * 9 + 9:
            raise FenError(f"rank {rank} of the FEN does not have 9 files")
    for square, point in enumerate(points):
        if point is None or point.dark:
            continue
        kind, color = point.piece & 7, point.piece >> 3
        bound = kind == KING or (kind == ADVISOR and not form.free_advisors)
        bound = bound or (kind == BISHOP and not form.free_elephants)
        if bound and not is_home(color, square, kind):
            raise FenError(f"{SIDE_NAMES[color]}'s {KIND_NAMES[kind]} can't stand on {square_name(square)}")
    return points


def _check_dark(square: int, color: int, form: Form) -> None:
    name = square_name(square) if square < 90 else "the board"
    if square >= 90 or HOME[square] <= KING or home_color(square) != color:
        raise FenError(f"{SIDE_NAMES[color]} can't have a face-down piece on {name}")
    if not form.dark or (not form.turning and HOME[square] not in form.dark):
        raise FenError(f"no piece lies face down on {name} in {form.name}")


def _is_bags(fields: list[str]) -> bool:
    """Whether what follows the side is JieqiAI's: four words of letters, each of which may be empty, and two dashes."""
    return len(fields) >= 6 and all(re.fullmatch(r"[rnbacpeh]*", bag, re.IGNORECASE) for bag in fields[:4])


def _read_bags(fields: list[str]) -> tuple[int, Counter[int], Counter[int], list[str]]:
    turn = _SIDES[fields[1].lower()]
    bags = [Counter(_PIECE[letter.upper()] for letter in bag) for bag in fields[2:6]]
    pool, captured = Counter[int](), Counter[int]()
    for color in (0, 1):
        unseen, lost = bags[2 * color], bags[3 - 2 * color]
        for kind in range(ADVISOR, 8):
            if lost[kind] > unseen[kind]:
                raise FenError(
                    f"the FEN's bags have {lost[kind]} of {SIDE_NAMES[color]}'s {KIND_NAMES[kind]}s taken face down, "
                    f"but only {unseen[kind]} not seen by all"
                )
            pool[kind + 8 * color] = unseen[kind] - lost[kind]
            captured[kind + 8 * color] = lost[kind]
    return turn, pool, +captured, [word for word in fields[6:] if word not in ("-", "")]


def _read_new(words: list[str], form: Form) -> tuple[int, Counter[int] | None, Counter[int], str, list[str]]:
    """JieqiBox's new form and Pikafish's: side, pool, captured and known where they are there, counters."""
    turn = _SIDES[words[1].lower()]
    rest = words[2:]
    pool: Counter[int] | None = None
    captured, known = Counter[int](), ""
    if rest and not rest[0].isdigit():
        pool = _read_counts(rest.pop(0), "pool")
    if rest and not rest[0].isdigit():
        captured = _read_counts(rest.pop(0), "list of captured pieces")
    if rest and not rest[0].isdigit():
        if not form.has_known and rest[0] != "-":
            raise FenError(f"the FEN has {rest[0]!r} where its counters should be")
        known = rest.pop(0)
    return turn, pool, captured, known, rest


def _read_counts(text: str, name: str) -> Counter[int]:
    if text == "-":
        return Counter()
    if not _COUNTS.fullmatch(text):
        raise FenError(f"the FEN's {name} is {text!r}; it has letters with figures, R2A2…, or is -")
    counts = Counter[int]()
    for letter, figure in re.findall(r"([A-Za-z])(\d+)", text):
        counts[_PIECE[letter]] += int(figure)
    return +counts


def _read_counter(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise FenError(f"the FEN's {name} is {text!r}, not a number of at most {_MOST_DIGITS} digits")
    return int(text)


def _with_known(points: list[Point | None], known: str, form: Form) -> list[Point | None]:
    """The points with what the FEN says of face-down pieces."""
    points = list(points)
    if known in ("", "-"):
        return points
    if "".join(square + letter for square, letter in _KNOWN.findall(known)) != known:
        raise FenError(f"the FEN's known pieces are {known!r}; they are written a3Rc9n, or - for none")
    for name, letter in _KNOWN.findall(known):
        square = int(name[1]) * 9 + "abcdefghi".index(name[0].lower())
        point, piece = points[square], _PIECE[letter]
        if point is None or not point.dark:
            raise FenError(f"nothing lies face down on {name}, which the FEN says is known")
        if point.piece:
            raise FenError(f"the FEN names what lies on {name} twice")
        if piece >> 3 != home_color(square) or piece & 7 not in form.dark:
            raise FenError(f"a {letter} can't lie face down on {name}")
        points[square] = Point(piece, True, form.layout != "open" or piece & 7 != HOME[square])
    return points


def _with_hidden(
    points: list[Point | None], hidden: Mapping[int, int], pool: Counter[int]
) -> tuple[list[Point | None], Counter[int]]:
    """The points with what a referee knows of them, and the pool of what is left then. Pieces that are not in the pool
    were turned down before all eyes."""
    points, left = list(points), Counter(pool)
    for square, piece in hidden.items():
        point = points[square]
        if point is None or not point.dark or point.piece or piece >> 3 != home_color(square) or piece & 7 <= KING:
            raise FenError(f"a {PIECE_LETTERS[piece]} can't lie face down on {square_name(square)}")
        dealt = left[piece] > 0
        points[square] = Point(piece, True, not dealt)
        left[piece] -= dealt
    return points, +left


def _counts_at_start() -> Counter[int]:
    return Counter(kind + 8 * home_color(square) for square, kind in enumerate(HOME) if kind)


def _all_unseen(points: list[Point | None], captured: Counter[int], form: Form) -> Counter[int]:
    """The pool of a FEN that has none: all that lay face down and is not seen on the board."""
    pool = Counter(kind + 8 * home_color(square) for square, kind in enumerate(HOME) if kind in form.dark)
    pool.subtract(point.piece for point in points if point and point.piece and point.piece & 7 in form.dark)
    pool.subtract(captured)
    return +pool


def _settle(
    points: list[Point | None], pool: Counter[int], captured: Counter[int], form: Form, strict: bool
) -> Counter[int]:
    """Check the counts. In a form whose layout all know, its face-down pieces are named where only one kind can lie."""
    if form.layout == "open":
        for square, point in enumerate(points):
            piece = HOME[square] + 8 * home_color(square)
            if point and point.dark and not point.piece and pool[piece]:
                points[square] = Point(piece, True)
                pool[piece] -= 1
        pool = +pool
    start = _counts_at_start()
    on_board = Counter(point.piece for point in points if point and point.piece)
    for piece, count in (on_board + pool + captured).items():
        if count > start[piece] and strict:
            name = f"{count} {KIND_NAMES[piece & 7]}{'' if count == 1 else 's'}"
            raise FenError(f"{SIDE_NAMES[piece >> 3]} has {name} on the board and unseen, more than {start[piece]}")
    for piece in pool + captured:
        if piece & 7 not in form.dark:
            raise FenError(f"{KIND_NAMES[piece & 7]}s don't lie face down in {form.name}")
    for color in (0, 1):
        lying = sum(
            point is not None and point.dark and not point.piece and home_color(square) == color
            for square, point in enumerate(points)
        )
        unseen = sum(count for piece, count in pool.items() if piece >> 3 == color)
        if lying > unseen:
            raise FenError(f"{SIDE_NAMES[color]} has {lying} face-down pieces and {unseen} not seen")
    return pool
