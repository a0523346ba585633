"""Counting a game of Go on the board: dead chains by lifting, territory in leds, agreement by confirming twice."""

from __future__ import annotations

from collections.abc import Collection

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY
from engines.go.scoring import Score, whole_chains
from protocols.sensor.reading import AREA_FIRST, AREA_SECOND, FAULT, LIFT
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.tracker.events import Agreed, Discrepancy, Event, Marked


class Scoring:
    """The end of one game. Nothing here touches the moves.

    Lifting any stone of a chain marks the whole chain dead; putting every lifted stone of it back marks it living
    (which is also how a chain that was judged dead is said to live). The same marks confirmed twice (each player once)
    are agreed; any change of mind in between begins anew.
    """

    def __init__(self, game: Game, values: str, dead: Collection[int] = ()) -> None:
        """``values``: what the board shows for empty, black and white. ``dead``: a first judgement.

        Raises ValueError for a dead point without a stone.
        """
        self._game = game
        self._stones = game.board.stones()
        self._expected = "".join([values[color] for color in self._stones])
        self.dead = frozenset(whole_chains(game.width, game.height, self._stones, dead))
        self._lifted: frozenset[int] = frozenset()
        self._confirmed = 0
        self._closed = False

    def close(self) -> None:
        """The game is over: the marks stay as they are, and the board may be cleared."""
        self._closed = True

    def look(self, state: str, pending: dict[int, str], at: float) -> list[Event]:
        """The board shows this. ``pending``: captured stones that may still lie about."""
        lifted, strange = set(), []
        for point, (value, wanted) in enumerate(zip(state, self._expected, strict=True)):
            if value in (wanted, FAULT):
                continue
            if value == CLEAR:
                lifted.add(point)
            elif pending.get(point) != value:
                strange.append(point)
        if self._closed:
            self._lifted = frozenset(lifted)
            return []
        if strange:
            text = "while the game is counted stones may only be taken off"
            return [Discrepancy(at, "position", text, tuple(strange))]
        if lifted == self._lifted:
            return []
        now = whole_chains(self._game.width, self._game.height, self._stones, lifted)
        before = whole_chains(self._game.width, self._game.height, self._stones, self._lifted)
        self._lifted = frozenset(lifted)
        dead = frozenset((self.dead | (now - before)) - (before - now))
        if dead == self.dead:
            return []
        self.dead = dead
        self._confirmed = 0
        return [Marked(at, dead)]

    def confirm(self, at: float) -> list[Event]:
        """One player agrees with the marks as they are."""
        if self._closed:
            return []
        self._confirmed += 1
        return [Agreed(at, self.dead)] if self._confirmed >= 2 else []

    def score(self) -> Score:
        """The count with the marks as they are."""
        return self._game.score(self.dead)

    def leds(self) -> dict[int, str]:
        """Whose every point is; dead stones that still lie there are to be lifted."""
        owner = self.score().owner
        lit = {p: AREA_FIRST if who == BLACK else AREA_SECOND for p, who in enumerate(owner) if who != EMPTY}
        return lit | {point: LIFT for point in self.dead if point not in self._lifted}
