"""What a state may mean in any game: the position after another ply, one before, a new game, the board turned."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, Executed, NewGame, TakenBack
from protocols.sensor.tracker.policy import Option

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker


class CommonOptions:
    """The options that games share."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker

    def stands_at(self, state: str) -> int | None:
        """After how many plies the board is as it is, of those that may stand on it; the latest that can be seen to.

        A ply that changes nothing but what is not read stays waiting: nobody has seen it made.
        """
        done = self.tracker.rules.expected_state(self.tracker.executed)
        for ply in range(self.tracker.rules.plies, self.tracker.executed - 1, -1):
            target = self.tracker.rules.expected_state(ply)
            if self.tracker.interpreter.shows(state, ply) and (
                ply == self.tracker.executed or target == done or not guide.fits(state, done)
            ):
                return ply
        return None

    def tell_executed(self, points: Collection[int], plies: int) -> Executed:
        """Moves from elsewhere, made on these points, stand on the board."""
        self.tracker.settler.trust.forgive(points)
        return Executed(self.tracker.hand_done(points), plies)

    # ------------------------------------------------------------------ back

    def take_back(self, plies: int, at: float) -> list[Event]:
        """The game goes back to so many plies."""
        tracker = self.tracker
        more = tracker.interpreter.taking_back(plies, at)
        tracker.truncate(plies)
        tracker.executed = min(tracker.executed, plies)
        tracker.go_on()
        tracker.replan()
        return [TakenBack(at, plies), *tracker.content(at), *more]

    @property
    def retractable(self) -> bool:
        """Whether an earlier position on the board takes moves back: under a strict referee a move stands."""
        return self.tracker.policy.take_back and not self.tracker.arbiter.strict

    @property
    def minds_last(self) -> bool:
        """Whether another move instead of the last one means something: second thoughts, or a violation."""
        return self.tracker.policy.second_thoughts or self.tracker.arbiter.strict

    def earlier(self, state: str) -> int | None:
        """After how many plies the board was last as it is now with a person to move; None if that may not be taken up.

        That is what the board can be taken back to.
        """
        if not self.retractable or self.begins_anew(state):
            return None
        for ply in range(self.tracker.rules.plies - 1, -1, -1):
            if (
                guide.fits(state, self.tracker.rules.expected_state(ply))
                and self.tracker.rules.mover(ply) in self.tracker.humans
            ):
                return ply
        return None

    def take_back_options(self, state: str, unsure: bool, at_least: float = 0.0) -> list[Option]:
        """Back to the latest of the earlier positions that the board shows and at which a person would be to move."""
        ply = self.earlier(state)
        if ply is None:
            return []
        dwell = max(at_least, self.tracker.timing.take_back_unsure if unsure else self.tracker.timing.take_back)
        return [Option(self.tracker.discrepancies.dwell(dwell, state), lambda at: self.take_back(ply, at))]

    # ------------------------------------------------------------------ other games, the other side

    def begins_anew(self, state: str) -> bool:
        """Whether the board has been set up for a new game.

        While a game goes on, one or two moves back to the start position are a take-back.
        """
        if (
            not self.tracker.policy.new_game
            or not self.tracker.rules.is_start(state)
            or guide.fits(state, self.tracker.rules.expected_state(self.tracker.rules.plies))
        ):
            return False
        back = next(
            (
                ply
                for ply in range(self.tracker.rules.plies - 1, 0, -1)
                if guide.fits(state, self.tracker.rules.expected_state(ply))
            ),
            0,
        )
        return self.tracker.over or self.tracker.rules.plies - back > 2

    def new_game_options(self, state: str) -> list[Option]:
        return (
            [Option(self.tracker.timing.new_game, lambda at: [NewGame(at)], "wish")] if self.begins_anew(state) else []
        )

    def turned_options(self, state: str) -> list[Option]:
        """The position that is to be put up, or that a game begins with, as it looks from the other side."""
        target = self.tracker.rules.expected_state(self.tracker.rules.plies)
        if not self.tracker.guiding and self.tracker.rules.plies:
            return []
        if guide.fits(state, target) or not guide.fits(state[::-1], target):
            return []
        return [Option(self.tracker.timing.take_back, self.tracker.turn_round, "wish")]

    def next_game_options(self, state: str) -> list[Option]:
        """What a position put up or counted may mean besides: the next game's start, where this one has ended."""
        return self.new_game_options(state) if self.tracker.over else []
