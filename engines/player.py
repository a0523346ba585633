"""The one interface between whoever asks for a move and whoever plays it.

A player gets a game (the referee's own, which it must not change), limits, and a function to report progress to. It
blocks until it has chosen; another thread may call ``stop`` at any time, and ``choose`` then returns soon with the best
choice so far. What a move or a game is differs from game to game: for Go a game is ``engines.go.game.Game`` and a move
a point index, for Xiangqi ``engines.xiangqi.game.Game`` and a move number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

from engines.clock import Clock
from engines.errors import QiqiaoError

MoveT = TypeVar("MoveT")

LEAST = 0.05
"""Seconds that a choice gets at least, however much of its time is gone."""

Action = Literal["move", "pass", "resign", "draw", "none"]


Trouble = Literal["error", "died", "hung", "illegal", "no-move", "refused"]


class PlayerError(QiqiaoError, RuntimeError):
    """The player can't answer at all; the text, for the user, says why.

    ``kind``: it has "died" or "hung", its answers were "illegal", it gave "no-move" where there
    are legal ones, it "refused" the game as it is, or another "error".
    """

    def __init__(self, text: str, kind: Trouble = "error") -> None:
        super().__init__(text)
        self.kind: Trouble = kind


@dataclass(frozen=True)
class Restriction:
    """Moves that a colour must not consider, or with ``allow`` the only ones it may, in the first ``depth`` plies."""

    color: int
    moves: frozenset[Any]
    depth: int = 1
    allow: bool = False

    def bars(self, move: Any) -> bool:
        """Whether this move is not to be considered."""
        return (move in self.moves) != self.allow


@dataclass(frozen=True)
class Limits:
    """What a player may use for one choice. Every limit that is given holds; ``None`` means no such limit.

    ``seconds`` is wall time for this move. ``nodes`` counts playouts (Go) or positions (Xiangqi), ``depth`` is in
    plies. ``clock`` is the mover's clock, from which the player plans its own time; ``opponent_clock`` (the next
    side's, where more than two play) is information only, and so are ``clocks``, those of all sides (empty where
    nobody says). ``infinite`` means: think until stopped, whatever else is said. ``restrictions`` say which moves to
    consider. ``pondering`` comes with ``infinite``: the opponent has not made the move that leads here yet, and the
    other limits are those that will hold if he does.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None
    clock: Clock | None = None
    opponent_clock: Clock | None = None
    clocks: tuple[Clock, ...] = ()
    infinite: bool = False
    restrictions: tuple[Restriction, ...] = ()
    pondering: bool = False

    @property
    def reach(self) -> float:
        """Seconds until the mover's flag falls; infinity without a clock, and while it is not his clock that runs."""
        return math.inf if self.clock is None or self.infinite or self.pondering else self.clock.reach

    def after(self, seconds: float) -> Limits:
        """What is left of these limits so many seconds into the choice; never less than ``LEAST`` seconds."""
        limits = self
        if self.clock is not None and self.clock.control.kind != "none":
            clock = self.clock.after(seconds)
            clock.left = max(LEAST, clock.left)
            limits = replace(limits, clock=clock)
        if self.seconds is not None:
            limits = replace(limits, seconds=max(LEAST, self.seconds - seconds))
        return limits

    def barred(self, color: int, moves: Iterable[Any]) -> frozenset[Any]:
        """Those of these moves that a colour must not make now."""
        mine = [one for one in self.restrictions if one.color == color]
        return frozenset(move for move in moves if any(one.bars(move) for one in mine))


@dataclass(frozen=True)
class Candidate(Generic[MoveT]):
    """How the player judges one move, always from the view of the side it chooses for.

    ``winrate`` is 0…1, ``score`` is in points (Go) or centipawns (Xiangqi), ``mate`` in moves (negative: being mated),
    ``prior`` 0…1, ``line`` the expected continuation with the move first. ``extra`` is what some players tell besides:
    "lcb" (0…1), "score_stdev", "pv_visits", "ownership" (a function that gives a map like ``Report``'s for after the
    move).
    """

    move: MoveT
    line: tuple[MoveT, ...] = ()
    visits: int = 0
    winrate: float | None = None
    score: float | None = None
    mate: int | None = None
    prior: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report(Generic[MoveT]):
    """A progress report: candidates best first, seconds and nodes used so far, depth reached (0 where meaningless).

    ``ownership`` is, for Go, one float −1…1 a point (row by row from the top left, positive for the side to choose).
    """

    candidates: tuple[Candidate[MoveT], ...] = ()
    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0
    seldepth: int = 0
    hashfull: int = 0
    ownership: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Choice(Generic[MoveT]):
    """A player's answer.

    ``action`` "move" plays ``move``; "draw" plays ``move`` and offers (or accepts) a draw with it; "pass" and "resign"
    are what they say; "none" means that there is no move to choose from. ``ponder`` is the reply it expects.
    """

    action: Action
    move: MoveT | None = None
    ponder: MoveT | None = None
    report: Report[MoveT] | None = None


class Player(Protocol[MoveT]):
    """Anything that, given a game and limits, answers with a choice."""

    def choose(
        self, game: Any, color: int, limits: Limits, report: Callable[[Report[MoveT]], None] | None = None
    ) -> Choice[MoveT]:
        """Think for ``color`` and answer. Blocks; changes nothing in ``game``. Raises PlayerError."""

    def stop(self) -> None:
        """Make the current ``choose`` return soon. Safe from any thread, harmless when nothing runs."""

    def close(self) -> None:
        """Give back threads, processes and ports. The player is not used again."""
