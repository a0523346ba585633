"""A game record as a plain value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engines.errors import QiqiaoError
from engines.go.points import BLACK, EMPTY, WHITE, opponent

INFO = ("AN", "BR", "BT", "CP", "EV", "GC", "GN", "ON", "PC", "RO", "SO", "US", "WR", "WT")
"""The properties of ``Record.info``: annotator, ranks, teams, event, place and so on, by their SGF names."""

LETTERS = "abcdefghijklmnopqrstuvwxy"
"""The letters of SGF's points: columns from the left, rows from the top."""

COLORS = {"B": BLACK, "W": WHITE}
NAMES = {BLACK: "B", WHITE: "W"}
"""Colours and their letters in SGF."""


class RecordError(QiqiaoError, ValueError):
    """A record that cannot be read or written; the text says why."""


@dataclass(frozen=True)
class Setup:
    """Stones put down or lifted without a move: points that become black, white and empty, in that order.

    ``to_play`` is the colour said to move next, ``EMPTY`` if nothing is said.
    """

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    to_play: int = EMPTY
    comment: str = ""

    def __bool__(self) -> bool:
        return bool(self.black or self.white or self.empty or self.to_play or self.comment)


@dataclass(frozen=True)
class Move:
    """One move: colour and point (or ``PASS``), and what the clock said afterwards.

    ``seconds_left`` of the mover; ``stones_left`` to play in them, where overtime counts stones or periods.
    """

    color: int
    point: int
    seconds_left: float | None = None
    stones_left: int | None = None
    comment: str = ""


@dataclass(frozen=True)
class Record:
    """A game as a value. Points count from the lower left as in ``engines.go.points``.

    ``komi`` is ``None`` where the record names none; ``rules`` is the RU text (``engines.go.rules.find_rules`` reads
    it); ``handicap`` the HA number, which the stones of ``setup`` need not agree with; ``steps`` the moves and later
    setups in order; ``result`` the RE text (``B+7.5``, ``W+R``, ``0``, ``Void``); ``date`` the DT text, ``YYYY-MM-DD``;
    ``main_time`` seconds and ``overtime`` a text; ``info`` further facts by SGF name, see ``INFO``.

    ``played_handicap`` are the points of handicap stones that the text has as moves: they belong to ``setup`` and are
    no ``steps``, but count where moves are counted (``before``).

    ``notes`` say what was wrong in the text that the record was read from and how it was taken, each a text for the
    user; they are no part of the game, and records that differ in them alone are equal.

    Texts are kept as SGF can hold them: those of one line without newlines, all without control characters and blanks
    at the ends, and no line of a comment is empty. Reading gives them so, writing makes them so.
    """

    width: int = 19
    height: int = 19
    komi: float | None = None
    rules: str = ""
    handicap: int = 0
    setup: Setup = Setup()
    steps: tuple[Move | Setup, ...] = ()
    black_name: str = ""
    white_name: str = ""
    result: str = ""
    date: str = ""
    main_time: float | None = None
    overtime: str = ""
    info: dict[str, str] = field(default_factory=dict)
    played_handicap: tuple[int, ...] = field(default=(), compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves alone, as pairs of colour and point."""
        return tuple((step.color, step.point) for step in self.steps if isinstance(step, Move))

    @property
    def handicap_stones(self) -> int:
        """How many stones Black begins with: two or more set up before any move, and none for White; else 0."""
        black = 0
        for step in (self.setup, *self.steps):
            if isinstance(step, Move):
                break
            if step.white or step.empty:
                return 0
            black += len(step.black)
        return black if black > 1 else 0

    @property
    def to_play(self) -> int:
        """Who is to move at the end of the record."""
        for step in reversed((self.setup, *self.steps)):
            if isinstance(step, Move):
                return opponent(step.color)
            if step.to_play:
                return step.to_play
        return WHITE if self.handicap_stones else BLACK

    def before(self, number: int) -> Record:
        """The record up to the position in which move ``number`` (from 1) is played; all of it if it is shorter.

        Raises ``RecordError`` for a number below 1.
        """
        if number < 1:
            raise RecordError(f"there is no move {number}")
        if number <= len(self.played_handicap):
            stones = tuple(sorted(self.played_handicap[: number - 1]))
            return replace(self, setup=replace(self.setup, black=stones, to_play=BLACK), steps=(), played_handicap=())
        number -= len(self.played_handicap)
        kept: list[Move | Setup] = []
        for step in self.steps:
            number -= isinstance(step, Move)
            if number == 0:
                break
            kept.append(step)
        return replace(self, steps=tuple(kept))
