"""What the tracker tells. Plies count from 0 at the set-up: ply k is the (k+1)th turn of the game.

``at`` is when the hand was done, on the clock of the readings. Moves are those of the game's rules core: a point (or
``PASS``) in Go, a move number in Xiangqi; colours are the rules core's too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

DiscrepancyKind = Literal[
    "position",  # the board differs from the game in a way no move explains
    "illegal",  # a move was made that the rules forbid
    "barred",  # a legal move was made that the client does not allow now
    "turn",  # a move was made for the side that is not to move
    "execution",  # the other player's move was made wrong
    "colour",  # a stone of the wrong colour
    "touched",  # another piece than the touched one was moved
    "final",  # a move that stands was changed
    "lifted",  # something is off the board; perhaps only in the hand
    "capture",  # a piece may have taken, but which one?
    "order",  # several plies at once, in an order that cannot be told
    "unclear",  # a sensor reads neither empty nor occupied, or is broken
    "setup",  # the position is being set up
]


class Pair(NamedTuple):
    """One thing to put right: lift what is on ``extra`` and put it, or its like, on ``missing``. Either may be None."""

    extra: int | None
    missing: int | None


class Remedy(NamedTuple):
    """One way to put the board right: what it leads to in words, and the state it should then show (one text)."""

    text: str
    target: str


@dataclass(frozen=True)
class Event:
    """Base of everything the tracker tells."""

    at: float


@dataclass(frozen=True)
class Moved(Event):
    """The person made a move; it has been played in the tracker's game."""

    ply: int
    color: int
    move: int


@dataclass(frozen=True)
class Executed(Event):
    """Moves that came from elsewhere now stand on the board, ``plies`` of them in all."""

    plies: int


@dataclass(frozen=True)
class Replaced(Event):
    """Second thoughts: the move of ``ply`` is another one; everything from that ply on is void."""

    ply: int
    color: int
    old: int
    move: int


@dataclass(frozen=True)
class TakenBack(Event):
    """Moves were taken back on the board; ``plies`` of them are left."""

    plies: int


@dataclass(frozen=True)
class NewGame(Event):
    """The board has been set up for a new game. ``confirmed``: a key said so; else it was only seen for a while."""

    confirmed: bool = False


@dataclass(frozen=True)
class SetUp(Event):
    """A position was set up on the board and confirmed.

    ``points``: what stands there, a colour a point (Go) or a piece a point (Xiangqi).
    """

    points: bytes
    to_move: int


@dataclass(frozen=True)
class Asked(Event):
    """A gesture or key must be confirmed: made again, or answered by the keys yes and no."""

    what: str
    color: int
    text: str


@dataclass(frozen=True)
class Dropped(Event):
    """What was asked has been denied or has lapsed."""

    what: str


@dataclass(frozen=True)
class Gesture(Event):
    """A wish: "pass", "resign", "draw", "undo", "new", "score", confirmed; "hint" and "menu", which need not be."""

    what: str
    color: int


@dataclass(frozen=True)
class Discrepancy(Event):
    """The board shows what the game cannot explain, or needs an answer. The game is unchanged.

    ``extra`` and ``missing`` are the points that differ from the first of the ``ways`` out. ``asked``: points on one of
    which something should be lifted and set down again, in answer to a question. ``living``: points whose stones were
    taken although they have liberties.
    """

    kind: DiscrepancyKind
    text: str
    extra: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    asked: tuple[int, ...] = ()
    living: tuple[int, ...] = ()


@dataclass(frozen=True)
class Cleared(Event):
    """The board is right again."""


@dataclass(frozen=True)
class Sensor(Event):
    """What people should know of the sensors of some points, or of the one for hands (``kind`` "hand").

    ``kind``: a point flickers and is not read ("restless"), is read again ("calm"), shows something that keeps going
    again ("fleeting"), has a broken sensor ("fault"), is left out on purpose ("ignored") or no longer ("heeded").
    """

    kind: Literal["restless", "calm", "fleeting", "fault", "ignored", "heeded", "hand"]
    points: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class PendingRemovals(Event):
    """Captured stones still on the board; empty when the last is gone."""

    points: tuple[int, ...]


@dataclass(frozen=True)
class Turned(Event):
    """The board is used from its other side (``turned``) or from its own."""

    turned: bool


@dataclass(frozen=True)
class Ruled(Event):
    """The referee applied an article. ``consequence`` is the article's; ``warnings`` those of this colour so far.

    ``loser``: the colour that has lost by this, None while the game goes on.
    """

    article: str
    color: int
    consequence: str
    warnings: int
    text: str
    loser: int | None = None


@dataclass(frozen=True)
class Marked(Event):
    """While scoring: these stones are now marked dead (whole chains)."""

    dead: frozenset[int]


@dataclass(frozen=True)
class Agreed(Event):
    """While scoring: the marked stones were confirmed twice."""

    dead: frozenset[int]
