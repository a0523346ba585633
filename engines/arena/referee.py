"""What a game is to a match, whatever is played: two seats, moves as text, an end.

Seat 0 is Black in Go and Red in Xiangqi, who begin as a rule; seat 1 is the other side. A ``Kind`` makes games; a
``Referee`` watches over one of them. ``engines.arena.go`` and ``engines.arena.xiangqi`` are the two there are.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engines.arena.plain import build
from engines.player import Action, Choice

if TYPE_CHECKING:
    from engines.arena.journal import Turn
    from engines.arena.settings import Settings
    from engines.drawing.svg import Board

KINDS = {"go": ("engines.arena.go", "GoKind"), "xiangqi": ("engines.arena.xiangqi", "XiangqiKind")}
"""The games that can be played, with the module and the class of each."""

REASONS = {
    "mate": "checkmate",
    "stalemate": "no legal move",
    "repetition": "repetition",
    "natural-limit": "natural limit",
    "material": "nobody can win",
    "agreement": "draw by agreement",
    "score": "count of the board",
    "no-result": "endless repetition",
    "resignation": "resignation",
    "violations": "third violation",
    "time": "time",
    "crash": "crash",
    "hang": "no answer",
    "illegal": "illegal move",
    "no-move": "gave no move",
    "refusal": "game refused",
    "fault": "engine error",
    "adjudicated-win": "adjudicated a win",
    "adjudicated-draw": "adjudicated a draw",
    "length": "too long",
}
"""Why a game ends; the keys are those of ``Ending.reason``."""

FAULTS = ("time", "crash", "hang", "illegal", "no-move", "refusal", "fault")
"""Reasons that are the loser's own fault as a program."""


@dataclass(frozen=True)
class Ending:
    """How a game has ended. ``winner`` is a seat, None for a draw; ``result`` is as its records write it (``B+3.5``,
    ``1-0``); ``reason`` is a key of ``REASONS``, ``words`` say more where there is more to say."""

    winner: int | None
    reason: str
    result: str
    words: str = ""


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position and moves from there, which are played before the players are asked.

    ``setup`` is the position as its ``Kind`` writes it, "" for the usual one; ``moves`` are texts as in records of a
    match; ``name`` is for people.
    """

    setup: str = ""
    moves: tuple[str, ...] = ()
    name: str = ""

    def to_json(self) -> dict[str, Any]:
        """As a value of plain lists and texts."""
        return {"setup": self.setup, "moves": list(self.moves), "name": self.name}

    @staticmethod
    def from_json(value: dict[str, Any]) -> Opening:
        """From what ``to_json`` makes. Raises ValueError for anything else."""
        found: Opening = build(Opening, value, "the opening")
        return found


class Decision(NamedTuple):
    """What a seat decides: ``action`` and ``move`` as in ``engines.player.Choice``, and what it thinks of its position,
    None and 0 where it does not say: ``score`` and ``winrate`` as in ``engines.player.Candidate``, ``depth`` and
    ``nodes`` as in ``engines.player.Report``."""

    action: Action
    move: Any = None
    score: float | None = None
    winrate: float | None = None
    depth: int = 0
    nodes: int = 0

    @staticmethod
    def of(choice: Choice[Any]) -> Decision:
        """A player's choice, with what it thinks best of its last report."""
        report = choice.report
        if report is None:
            return Decision(choice.action, choice.move)
        score = winrate = None
        if report.candidates:
            score, winrate = report.candidates[0].score, report.candidates[0].winrate
        return Decision(choice.action, choice.move, score, winrate, report.depth, report.nodes)


class Step(NamedTuple):
    """One ply as it is shown: what stands anew on which points ("" for nothing; symbols of the ``Board`` it is drawn
    on), and the points to be marked as the last move's."""

    changes: dict[int, str]
    last: tuple[int, ...]


@dataclass(frozen=True)
class Course:
    """A game as it is shown: symbols by points at its beginning, then a step for each ply, the opening's first."""

    start: dict[int, str]
    steps: tuple[Step, ...]

    def after(self, plies: int | None = None) -> tuple[dict[int, str], tuple[int, ...]]:
        """What stands after so many plies (None: all), and the points of the last move."""
        standing, last = dict(self.start), tuple[int, ...]()
        for step in self.steps[:plies]:
            standing.update(step.changes)
            last = step.last
        return {point: symbol for point, symbol in standing.items() if symbol}, last


class Referee(Protocol):
    """One game. ``game`` is what players get to read; nobody else changes it."""

    game: Any

    @property
    def seat(self) -> int:
        """Whose turn it is."""

    @property
    def color(self) -> int:
        """The same in the game's own count of colours."""

    @property
    def draw_offered(self) -> bool:
        """Whether the opponent of who is to move offers a draw."""

    def accept(self, decision: Decision) -> str:
        """Play a decision that moves, passes or offers a draw; gives the move as text, "" for a draw accepted.

        Raises ValueError, and changes nothing, where the rules don't allow it.
        """

    def play(self, text: str) -> None:
        """Play a move given as text. Raises ValueError, and changes nothing, where that can't be."""

    def ending(self) -> Ending | None:
        """How the game has ended by itself; None while it goes on, and where ``needs_count``."""

    @property
    def needs_count(self) -> bool:
        """Whether the game is over but for the count, which needs to know the dead stones."""

    def count(self, dead: Iterable[int]) -> Ending:
        """The result when these stones are dead."""

    def end(self, loser: int, reason: str, words: str = "") -> Ending:
        """The ending when a seat has lost for a reason outside the board."""

    def stop(self, winner: int | None, reason: str, words: str = "") -> Ending:
        """The ending when the match ends the game, for a winner or as a draw."""

    def too_long(self) -> Ending:
        """The ending when the longest game a match allows has been reached."""

    def sure(self, score: float | None, winrate: float | None) -> float | None:
        """A player's judgement of its own position in the unit of the match's adjudication; None where it said none."""


def unheard(text: str) -> None:
    """Who is told things and does nothing about them."""


class Kind(Protocol):
    """A game with the rules of a match. ``seats`` are the names of the seats, ``suffix`` that of records' files,
    ``least_move_time`` the fewest seconds a move that engines of the game can be told."""

    name: str
    seats: tuple[str, str]
    suffix: str
    least_move_time: float

    def begin(self, opening: Opening) -> Referee:
        """A game from an opening, its moves played. Raises ValueError for one that can't be."""

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """Random moves after which neither side is better than ``balance``; the same ones for the same seed."""

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """The openings of a file or folder, with at most so many plies each (0: all).

        What is left out of several, or was read in spite of a fault, ``tell`` is told in a text for the user. Raises
        ValueError, with such a text.
        """

    def facts(self) -> dict[str, str]:
        """What a report says about the game: names of facts and their values, as text for people."""

    def board(self, coordinates: bool = True) -> Board:
        """A board to draw positions on, with coordinates around it or without."""

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """A game as it is shown: what stands where, from the opening's position on."""

    def judgement(self, turn: Turn) -> str:
        """What a player thought of its position in a turn, for people; "" where it did not say."""


def make_kind(settings: Settings) -> Kind:
    """The game of a match, with its rules. Raises ValueError for rules there are none of."""
    module, name = KINDS[settings.game]
    kind: Kind = getattr(importlib.import_module(module), name)(settings)
    return kind
