"""The ``go`` command: UCCI's words and UCI's, each understood in either protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.clock import Clock, TimeControl
from engines.player import Limits
from engines.xiangqi.geometry import RED
from protocols.xiangqi.position import shorten

_TIMES = ("time", "increment", "opptime", "oppincrement")  # seconds or milliseconds
_MILLISECONDS = ("movetime", "wtime", "btime", "winc", "binc")
_COUNTS = ("movestogo", "oppmovestogo", "depth", "nodes", "mate", "perft")
_FLAGS = ("ponder", "draw", "infinite")
WORDS = frozenset((*_TIMES, *_MILLISECONDS, *_COUNTS, *_FLAGS, "searchmoves"))
"""What ``go`` knows."""

_MOST = 10**15


@dataclass
class Request:
    """What a ``go`` asks for. Times are seconds.

    ``numbers``: the values given, by their word. ``moves``: those after ``searchmoves``, ``None`` without. ``errors``:
    what could not be understood; it is left out of the request, which is answered all the same.
    """

    ponder: bool = False
    draw: bool = False
    infinite: bool = False
    numbers: dict[str, float] = field(default_factory=dict)
    moves: list[str] | None = None
    errors: list[str] = field(default_factory=list)

    @property
    def depth(self) -> int | None:
        """The depth asked for."""
        return int(self.numbers["depth"]) if "depth" in self.numbers else None

    @property
    def perft(self) -> int | None:
        """The depth of a move count asked for."""
        return int(self.numbers["perft"]) if "perft" in self.numbers else None

    @property
    def timed(self) -> bool:
        """Whether UCCI's clock words, or a draw offer, show a controller that speaks UCCI in full."""
        return self.draw or "time" in self.numbers

    def limits(self, color: int) -> Limits:
        """The limits for the side to move."""
        numbers = self.numbers
        if self.infinite or (not numbers and not self.errors):
            return Limits(infinite=True)
        own, other = ("wtime", "btime") if color == RED else ("btime", "wtime")
        clock = opponent = None
        if "time" in numbers:
            clock = _clock(numbers["time"], numbers.get("increment", 0), numbers.get("movestogo"))
        elif own in numbers or other in numbers:
            bonus = "winc" if color == RED else "binc"
            clock = _clock(numbers.get(own, numbers.get(other, 0.0)), numbers.get(bonus, 0), numbers.get("movestogo"))
        if "opptime" in numbers:
            opponent = _clock(numbers["opptime"], numbers.get("oppincrement", 0), numbers.get("oppmovestogo"))
        elif other in numbers:
            bonus = "binc" if color == RED else "winc"
            opponent = _clock(numbers[other], numbers.get(bonus, 0), numbers.get("movestogo"))
        return Limits(
            seconds=numbers.get("movetime"),
            nodes=max(1, int(numbers["nodes"])) if "nodes" in numbers else None,
            depth=max(1, int(numbers["depth"])) if "depth" in numbers else None,
            mate=max(1, int(numbers["mate"])) if "mate" in numbers else None,
            clock=clock,
            opponent_clock=opponent,
        )


def _clock(left: float, increment: float, moves: float | None) -> Clock:
    """A clock with ``left`` seconds; without increment or moves to go they are for all that is to come."""
    if moves is not None and moves >= 1:
        clock = Clock(TimeControl.session(left, int(min(moves, 1000))))
    elif increment > 0:
        clock = Clock(TimeControl.fischer(left, increment))
    else:
        clock = Clock(TimeControl.absolute(left))
    return clock


def read_go(words: Sequence[str], unit: float) -> Request:
    """Read the words after ``go``. ``unit``: what one of UCCI's times is, in seconds."""
    request = Request()
    at = 0
    while at < len(words):
        word = words[at].lower()
        at += 1
        if word == "searchmoves":
            request.moves = []
            while at < len(words) and words[at].lower() not in WORDS:
                request.moves.append(words[at])
                at += 1
        elif word in _FLAGS:
            setattr(request, word, True)
        elif word in WORDS:
            text = words[at].lower() if at < len(words) else ""
            if word == "depth" and text == "infinite":
                request.infinite = True
            else:
                number = _number(text)
                if number is None:
                    request.errors.append(f"go {word}: not a number: '{shorten(text)}'")
                    if text in WORDS or not text:
                        continue
                else:
                    request.numbers[word] = number * _unit(word, unit)
            at += 1
        else:
            request.errors.append(f"go: unknown word '{shorten(word)}'")
    if request.ponder and request.draw:
        request.errors.append("go: ponder and draw exclude each other; draw is left out")
        request.draw = False
    return request


def _unit(word: str, unit: float) -> float:
    return unit if word in _TIMES else 0.001 if word in _MILLISECONDS else 1


def _number(text: str) -> float | None:
    """A whole number, cut to what can be reckoned with; times may have a fraction. Negative ones count as 0."""
    try:
        value = float(text)
    except ValueError:
        return None
    if value != value:
        return None
    return min(max(value, 0.0), float(_MOST))
