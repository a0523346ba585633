"""UCCI as it is spoken to engines; what it shares with UCI is in ``protocols.xiangqi.client``.

The protocol's times are seconds unless the option ``usemillisec`` is on. Engines without that option may read either;
which of them is found out by a search that takes a second if its minute is a minute.
"""

from __future__ import annotations

import math
import time

from protocols.ucci.server import MATE_SCORE, MINOR_PIECE
from protocols.xiangqi import coordinates
from protocols.xiangqi.client import SearchClient
from protocols.xiangqi.orders import EngineOption, SearchRequest, both_clocks, mate_of_plies, milliseconds

MATE_RANGE = 100
"""Scores this near to ``MATE_SCORE`` count plies to mate (ElephantEye, and the servers that follow it)."""

UNIT_PROBE = 0.5
"""Seconds after which an engine that was given 60 of something must have read seconds."""

_UNIT_MOVES = ("a3a4", "a6a5", "i3i4", "i6i5")
"""Moves to a position that is in no book."""


class UcciClient(SearchClient):
    """See ``protocols.xiangqi.client.SearchClient``."""

    word = "ucci"
    unit = 1.0
    """Seconds that a time of the protocol is in."""

    def agree(self) -> None:
        """Milliseconds, wherever the engine can be told so."""
        option = self.find_option("usemillisec")
        if option is not None:
            self.set_option(option, "true")
            self.unit = 0.001

    def settle_units(self) -> None:
        """What times are in, for an engine that has no option for it."""
        if self.spec.milliseconds is not None:
            self.unit = 0.001 if self.spec.milliseconds else 1.0
            return
        if self.unit != 1.0:
            return
        raw = [coordinates.read(text) for text in _UNIT_MOVES]
        moves = [move for one in raw if one is not None and (move := one.move(0)) is not None]
        position = f"position startpos moves {coordinates.write_all(moves, self.base)}"
        found = self.quick_search(position, "go time 60 increment 0 opptime 60 oppincrement 0", UNIT_PROBE)
        if found is not None:
            self.unit = 0.001
            self.note(f"{self.spec.title} has no option usemillisec and reads milliseconds")
            return
        self.send("stop")
        self.wait_for(lambda: self.answer is not None, time.monotonic() + self.spec.stop_time)

    def option_text(self, option: EngineOption, value: str) -> str:
        """``setoption X Y``."""
        return f"setoption {option.name}" if option.kind == "button" else f"setoption {option.name} {value}"

    def new_game(self) -> None:
        """The option ``newgame``, where it exists."""
        option = self.find_option("newgame")
        if option is not None:
            self.send(f"setoption {option.name}")

    def before_go(self, order: SearchRequest) -> list[str]:
        """``banmoves``."""
        banned = order.banned
        return [f"banmoves {coordinates.write_all(sorted(banned), self.base)}"] if banned else []

    def go_text(self, order: SearchRequest) -> str:
        """One mode: the clock, or what comes nearest to the limits given; we stop what it can't be told to end.

        Engines read a clock without ``increment`` and ``movestogo`` as one for a single move, so one is always there.
        """
        limits = order.limits
        start = "go ponder " if order.ponder else "go draw " if order.draw else "go "
        clocks = both_clocks(limits)
        if clocks is not None and (order.ponder or not limits.infinite):
            own, other = clocks
            return start + f"{self._clock('', *own.share)} {self._clock('opp', *other.share)}"
        if limits.infinite:
            return start + "infinite"
        if limits.depth is not None:
            return start + f"depth {limits.depth}"
        if limits.mate is not None:
            return start + f"depth {2 * limits.mate}"
        if limits.nodes is not None:
            return start + f"nodes {limits.nodes}"
        if limits.seconds is not None:
            return start + self._clock("", limits.seconds, 1, 0.0)
        return start + "infinite"

    def _clock(self, prefix: str, left: float, moves: int, increment: float) -> str:
        """One side's clock."""
        text = f"{prefix}time {self._time(left)}"
        if moves:
            return f"{text} {prefix}movestogo {moves}"
        return f"{text} {prefix}increment {math.floor(increment / self.unit + 1e-9)}"

    def _time(self, seconds: float) -> int:
        return milliseconds(seconds) if self.unit < 1 else max(1, math.floor(seconds))

    def parse_score(self, kind: str, value: int) -> tuple[int | None, int | None]:
        """A bare number, 100 for a horse or cannon; or UCI's words, which some engines keep."""
        if kind:
            return (None, value) if kind == "mate" else (value, None)
        plies = MATE_SCORE - abs(value)
        if 0 <= plies < MATE_RANGE:
            return None, mate_of_plies(plies if value > 0 else -plies)
        return round(value * MINOR_PIECE / 100), None
