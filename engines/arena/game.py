"""One refereed game between two players: clocks, legality, offers, agreement of scores, the end."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Literal, Protocol

from engines.arena.journal import GameRow, Turn
from engines.arena.pairings import Fixture
from engines.arena.referee import Decision, Ending, Kind, Opening, Referee
from engines.arena.settings import Adjudication, Settings
from engines.arena.timing import parse_control
from engines.clock import Clock
from engines.player import Limits, PlayerError

TROUBLES = {
    "died": "crash",
    "hung": "hang",
    "illegal": "illegal",
    "no-move": "no-move",
    "refused": "refusal",
    "error": "fault",
}
"""Why a player that can't answer loses, by the kind of its error."""

MOVE_MARGIN = 0.5
"""Seconds beyond its time for each move that cost a player nothing, or more if the match's margin is: it is told when
to stop, and has no clock from which it could see what the way there and back costs."""

_EXACT = 1e-9
"""Seconds by which sums of floats may be wrong."""


class Seat(Protocol):
    """A player as a game of a match needs it. ``begin`` and ``choose`` raise PlayerError."""

    @property
    def title(self) -> str:
        """What the program that plays calls itself; "" where that is not known."""

    def begin(self, game: Any, color: int) -> None:
        """A new game: be ready to answer at once when the clock runs. Starts what has to be started."""

    def choose(self, game: Any, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.player.Player.choose``. A program that has died since ``begin`` is not started anew.

        The limits are the same object in all turns of a game; the clocks in them are the game's own, which run on.
        """

    def dead(self, game: Any) -> frozenset[int] | None:
        """Which stones of a finished game of Go are dead by the player's own word; None where it does not say."""

    def stop(self) -> None:
        """Nobody wants the answer to ``choose`` any more. From any thread."""

    def close(self) -> None:
        """The player is not used again."""


class StartError(RuntimeError):
    """A player can't be brought to begin a game: no result can come of it. The text says why."""


@dataclass(frozen=True)
class Players:
    """Who plays a game: seats in the order of play, and ``stopped``, which tells that nobody wants it any more."""

    seats: tuple[Seat, Seat]
    stopped: Callable[[], bool] = lambda: False


def play(settings: Settings, kind: Kind, fixture: Fixture, opening: Opening, players: Players) -> GameRow | None:
    """Play a game from its opening to its end; None when it was stopped.

    Raises StartError when a player can't begin, ValueError for an opening that can't be.
    """
    return _Table(settings, kind, fixture, opening, players).play()


class _Table:
    """One game in progress."""

    def __init__(self, settings: Settings, kind: Kind, fixture: Fixture, opening: Opening, players: Players) -> None:
        self._settings = settings
        self._fixture = fixture
        self._opening = opening
        self._players = players
        self._referee: Referee = kind.begin(opening)
        self._first = self._referee.seat
        self._agreement = Agreement(settings.adjudication)
        bounds = [settings.limits_of(entrant) for entrant in fixture.seats]
        self._clocks = [Clock(parse_control(text)) for text, _ in bounds]
        self._limits = [limits for _, limits in bounds]
        for seat, clock in enumerate(self._clocks):
            if clock.control.kind != "none":
                other = self._clocks[1 - seat]
                self._limits[seat] = replace(self._limits[seat], clock=clock, opponent_clock=other)
        self._longest = math.inf
        if settings.move_time is not None:
            self._longest = max(settings.move_time, kind.least_move_time) + max(settings.margin, MOVE_MARGIN)
        self._turns: list[Turn] = []
        self._said = ("", "")
        self._error = ""

    def play(self) -> GameRow | None:
        """See ``play`` above."""
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        begin = time.perf_counter()
        ending = self._begin() or self._go_on()
        if ending is None:
            return None
        return GameRow(
            game=self._fixture.game,
            seats=self._fixture.seats,
            opening=self._opening,
            turns=tuple(self._turns),
            ending=ending,
            first=self._first,
            said=self._said,
            error=self._error,
            start=started,
            seconds=time.perf_counter() - begin,
            host=socket.gethostname(),
        )

    def _begin(self) -> Ending | None:
        """Get both players ready; the ending when one does not take the game."""
        for number, seat in enumerate(self._players.seats):
            try:
                seat.begin(self._referee.game, self._referee.color)
            except PlayerError as error:
                if self._players.stopped():
                    return None
                if error.kind != "refused":
                    name = self._settings.entrants[self._fixture.seats[number]].name
                    raise StartError(f"{name} can't begin a game: {error}") from None
                self._error = str(error)
                return self._referee.end(number, "refusal", str(error))
        return None

    def _go_on(self) -> Ending | None:
        """Play until the end; None when stopped."""
        referee = self._referee
        while True:
            ending = self._over()
            if ending is not None:
                return ending
            if self._players.stopped():
                return None
            seat = referee.seat
            ending = self._turn(seat)
            if ending is not None:
                return ending

    def _over(self) -> Ending | None:
        """The ending by the board, by agreement of the scores or by length."""
        ending = self._count() if self._referee.needs_count else self._referee.ending()
        if ending is not None:
            return ending
        verdict = self._agreement.verdict
        if verdict == "draw":
            return self._referee.stop(None, "adjudicated-draw")
        if verdict is not None:
            return self._referee.stop(verdict, "adjudicated-win")
        length = self._settings.adjudication.length
        return self._referee.too_long() if length and len(self._turns) >= length else None

    def _turn(self, seat: int) -> Ending | None:
        """One turn; the ending when it ends the game off the board. None also when stopped."""
        referee, clock = self._referee, self._clocks[seat]
        limits = self._limits[seat]
        decision: Decision | None = None
        trouble: PlayerError | None = None
        begin = time.perf_counter()
        try:
            decision = self._players.seats[seat].choose(referee.game, referee.color, limits, referee.draw_offered)
        except PlayerError as error:
            trouble = error
        spent = time.perf_counter() - begin
        if self._players.stopped():
            return None
        in_time = self._charge(clock, spent) and spent <= self._longest
        if trouble is not None:
            self._error = str(trouble)
            late = not in_time and trouble.kind != "died"
            return referee.end(seat, "time" if late else TROUBLES[trouble.kind], str(trouble))
        assert decision is not None
        if not in_time:
            return referee.end(seat, "time", f"{spent:.2f} s for the move")
        if decision.action == "resign":
            return referee.end(seat, "resignation")
        try:
            text = referee.accept(decision)
        except ValueError as error:
            self._error = str(error)
            return referee.end(seat, "illegal", str(error))
        self._note(seat, text, decision, spent, limits.clock)
        return None

    def _charge(self, clock: Clock, spent: float) -> bool:
        """Charge a clock for a turn; False when that loses the game. What the margin forgives is not charged."""
        reach = clock.reach
        if spent > reach:
            if spent > reach + self._settings.margin:
                return False
            spent = max(0.0, reach - _EXACT)
        clock.spend(spent)
        return not clock.expired

    def _note(self, seat: int, text: str, decision: Decision, spent: float, clock: Clock | None) -> None:
        """Write the turn down, and what the player thinks of its position."""
        _, _, score, winrate, depth, nodes = decision
        self._agreement.add(seat, self._referee.sure(score, winrate))
        left, stones = (None, 0) if clock is None else (clock.left, clock.stones)
        self._turns.append(Turn(text, spent, left, stones, score, winrate, depth, nodes))

    def _count(self) -> Ending:
        """The count of a finished game of Go. Stones are dead that both players call dead; where they differ, or don't
        say, the built-in judgement decides."""
        referee: Any = self._referee
        if not referee.game.rules.removes_dead:
            ending: Ending = referee.count(())
            return ending
        words: list[frozenset[int] | None] = []
        for seat in self._players.seats:
            try:
                words.append(seat.dead(referee.game))
            except PlayerError:
                words.append(None)  # it has played to the end, and is only asked out of courtesy
        self._said = tuple("" if word is None else referee.count(word).result for word in words)  # type: ignore[assignment]
        if words[0] is not None and words[0] == words[1] and not referee.certainly_alive(words[0]):
            return referee.count(words[0])
        return referee.count(referee.judged_dead())


class Agreement:
    """Whether the players' judgements of their positions agree for long enough; see ``Adjudication``."""

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._ahead = [0, 0]  # how many moves in a row a seat has seen itself ahead (negative: behind)
        self._even = [0, 0]
        self._moves = 0

    def add(self, seat: int, sure: float | None) -> None:
        """A seat's judgement with a move of its own, None when it said nothing."""
        rules = self._rules
        self._moves += 1
        ahead = self._ahead[seat]
        if sure is None or not rules.win or abs(sure) < rules.win:
            self._ahead[seat] = 0
        elif sure > 0:
            self._ahead[seat] = max(ahead, 0) + 1
        else:
            self._ahead[seat] = min(ahead, 0) - 1
        even = sure is not None and rules.draw > 0 and abs(sure) <= rules.draw and self._moves > 2 * rules.draw_from
        self._even[seat] = self._even[seat] + 1 if even else 0

    @property
    def verdict(self) -> int | Literal["draw"] | None:
        """The winning seat, "draw", or None."""
        rules = self._rules
        if rules.win:
            for seat in (0, 1):
                if self._ahead[seat] >= rules.win_moves and self._ahead[1 - seat] <= -rules.win_moves:
                    return seat
        if rules.draw and min(self._even) >= rules.draw_moves:
            return "draw"
        return None


def replay(kind: Kind, row: GameRow, plies: int | None = None) -> Referee:
    """The game of a row after so many plies beyond its opening (all of them for None).

    Raises ValueError where its moves make no game.
    """
    turns: Sequence[Turn] = row.turns if plies is None else row.turns[:plies]
    try:
        referee = kind.begin(row.opening)
        for turn in turns:
            referee.play(turn.move)
    except ValueError as error:
        raise ValueError(f"game {row.game} of the journal is damaged: {error}") from None
    return referee
