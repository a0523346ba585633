"""One refereed game between players: clocks, legality, offers, agreement of scores, the end."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Literal, Protocol

from engines.arena.journal import GameRow
from engines.arena.pairings import ScheduledGame
from engines.arena.settings import Adjudication, Settings
from engines.clock import Clock
from engines.errors import QiqiaoError
from engines.gametype import Decision, Ending, GameType, Opening, Referee, Turn
from engines.player import Limits, PlayerError
from engines.timing import parse_control

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


class MatchPlayer(Protocol):
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


class StartError(QiqiaoError, RuntimeError):
    """A player can't be brought to begin a game: no result can come of it. The text says why."""


@dataclass(frozen=True)
class Players:
    """Who plays a game: players by side, and ``stopped``, which tells that nobody wants it any more."""

    by_side: tuple[MatchPlayer, ...]
    stopped: Callable[[], bool] = lambda: False


def play(
    settings: Settings, game: GameType, scheduled: ScheduledGame, opening: Opening, players: Players
) -> GameRow | None:
    """Play a game from its opening to its end; None when it was stopped.

    Raises StartError when a player can't begin, ValueError for an opening that can't be.
    """
    return _Play(settings, game, scheduled, opening, players).play()


class _Play:
    """One game in progress."""

    def __init__(
        self, settings: Settings, game: GameType, scheduled: ScheduledGame, opening: Opening, players: Players
    ) -> None:
        self._settings = settings
        self._scheduled = scheduled
        self._opening = opening
        self._players = players
        self._referee: Referee = game.begin(opening)
        self._first = self._referee.side
        self._agreement = Agreement(settings.adjudication, len(players.by_side))
        bounds = [settings.limits_of(entrant) for entrant in scheduled.seats]
        self._clocks = [Clock(parse_control(text)) for text, _ in bounds]
        self._limits = [limits for _, limits in bounds]
        for side, clock in enumerate(self._clocks):
            if clock.control.kind != "none":
                following = self._clocks[(side + 1) % len(self._clocks)]
                self._limits[side] = replace(
                    self._limits[side], clock=clock, opponent_clock=following, clocks=tuple(self._clocks)
                )
        self._longest = math.inf
        if settings.move_time is not None:
            self._longest = max(settings.move_time, game.least_move_time) + max(settings.margin, MOVE_MARGIN)
        self._turns: list[Turn] = []
        self._said = ("",) * len(players.by_side)
        self._error = ""

    def play(self) -> GameRow | None:
        """See ``play`` above."""
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        begin = time.perf_counter()
        ending = self._begin() or self._go_on()
        if ending is None:
            return None
        return GameRow(
            game=self._scheduled.game,
            seats=self._scheduled.seats,
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
        """Get all players ready; the ending when one does not take the game."""
        for number, player in enumerate(self._players.by_side):
            try:
                player.begin(self._referee.observe(number), self._referee.color)
            except PlayerError as error:
                if self._players.stopped():
                    return None
                if error.kind != "refused":
                    name = self._settings.entrants[self._scheduled.seats[number]].name
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
            ending = self._turn(referee.side)
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

    def _turn(self, side: int) -> Ending | None:
        """One turn; the ending when it ends the game off the board. None also when stopped."""
        referee, clock = self._referee, self._clocks[side]
        limits = self._limits[side]
        decision: Decision | None = None
        trouble: PlayerError | None = None
        begin = time.perf_counter()
        try:
            player = self._players.by_side[side]
            decision = player.choose(referee.observe(side), referee.color, limits, referee.draw_offered)
        except PlayerError as error:
            trouble = error
        spent = time.perf_counter() - begin
        if self._players.stopped():
            return None
        in_time = self._charge(clock, spent) and spent <= self._longest
        if trouble is not None:
            self._error = str(trouble)
            late = not in_time and trouble.kind != "died"
            return referee.end(side, "time" if late else TROUBLES[trouble.kind], str(trouble))
        assert decision is not None
        if not in_time:
            return referee.end(side, "time", f"{spent:.2f} s for the move")
        if decision.action == "resign":
            return referee.end(side, "resignation")
        try:
            text = referee.accept(decision)
        except ValueError as error:
            self._error = str(error)
            return referee.end(side, "illegal", str(error))
        self._note(side, text, decision, spent, limits.clock)
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

    def _note(self, side: int, text: str, decision: Decision, spent: float, clock: Clock | None) -> None:
        """Write the turn down, and what the player thinks of its position."""
        _, _, score, winrate, depth, nodes = decision
        self._agreement.add(side, self._referee.sure(score, winrate))
        left, stones = (None, 0) if clock is None else (clock.left, clock.stones)
        self._turns.append(Turn(text, spent, left, stones, score, winrate, depth, nodes))

    def _count(self) -> Ending:
        """The count of a finished game, for which the players may be asked what is dead."""
        ending, self._said = self._referee.count(self._ask_dead)
        return ending

    def _ask_dead(self) -> tuple[frozenset[int] | None, ...]:
        words: list[frozenset[int] | None] = []
        for side, player in enumerate(self._players.by_side):
            try:
                words.append(player.dead(self._referee.observe(side)))
            except PlayerError:
                words.append(None)  # it has played to the end, and is only asked out of courtesy
        return tuple(words)


class Agreement:
    """Whether the players' judgements of their positions agree for long enough; see ``Adjudication``."""

    def __init__(self, rules: Adjudication, sides: int = 2) -> None:
        self._rules = rules
        self._ahead = [0] * sides  # how many moves in a row a side has seen itself ahead (negative: behind)
        self._even = [0] * sides
        self._moves = 0

    def add(self, side: int, sure: float | None) -> None:
        """A side's judgement with a move of its own, None when it said nothing."""
        rules = self._rules
        self._moves += 1
        ahead = self._ahead[side]
        if sure is None or not rules.win or abs(sure) < rules.win:
            self._ahead[side] = 0
        elif sure > 0:
            self._ahead[side] = max(ahead, 0) + 1
        else:
            self._ahead[side] = min(ahead, 0) - 1
        early = self._moves <= len(self._ahead) * rules.draw_from
        even = sure is not None and rules.draw > 0 and abs(sure) <= rules.draw and not early
        self._even[side] = self._even[side] + 1 if even else 0

    @property
    def verdict(self) -> int | Literal["draw"] | None:
        """The winning side, when all others see themselves behind; "draw"; or None."""
        rules = self._rules
        if rules.win:
            for side, ahead in enumerate(self._ahead):
                others = self._ahead[:side] + self._ahead[side + 1 :]
                if ahead >= rules.win_moves and max(others) <= -rules.win_moves:
                    return side
        if rules.draw and min(self._even) >= rules.draw_moves:
            return "draw"
        return None


def replay(game: GameType, row: GameRow, plies: int | None = None) -> Referee:
    """The game of a row after so many plies beyond its opening (all of them for None).

    Raises ValueError where its moves make no game.
    """
    turns: Sequence[Turn] = row.turns if plies is None else row.turns[:plies]
    try:
        referee = game.begin(row.opening)
        for turn in turns:
            referee.play(turn.move)
    except ValueError as error:
        raise ValueError(f"game {row.game} of the journal is damaged: {error}") from None
    return referee
