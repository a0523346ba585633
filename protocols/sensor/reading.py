"""What a sensor board tells and is told, in the one shape every codec gives it.

Points are numbered from 0 in rows: point 0 is the far left corner as the person at the near side sees the board, the
next one lies to its right, and the last point is near right. A codec turns its board's own order and orientation into
this one, for sensors and leds alike; who sits where and which way up a game lies on the board is the tracker's
business, one step later.

A whole board is a text with one character a point (see ``EMPTY`` and the constants below it); texts of equal boards
are equal. Two colours are told apart as *first* and *second*: first is Black in Go and Red in Xiangqi, White in chess.

Times are seconds of the host's monotonic clock (``time.monotonic``), or of the virtual clock in tests. ``at`` is when
a thing happened on the board, as well as its own time stamps tell; ``arrived`` is when the host heard of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple, Protocol

# --- points -----------------------------------------------------------------------------------------------------

EMPTY = "."
FIRST = "X"
"""A stone or piece of the first colour (Go: Black, Xiangqi: Red) on a board that senses colour."""
SECOND = "O"
"""A stone or piece of the second colour (Go: White, Xiangqi: Black)."""
OCCUPIED = "#"
"""Something is there, and the board cannot or does not tell what (``sensing`` "occ"; a piece lying face down)."""
UNSURE = "?"
"""Between two thresholds at this moment: neither empty nor occupied."""
FAULT = "!"
"""The sensor of this point is broken; it says nothing."""

PIECES = "KABNRCPkabnrcp"
"""Xiangqi pieces by identity, in the letters of its FEN: capitals are Red, small letters Black."""

VALUES = frozenset(EMPTY + FIRST + SECOND + OCCUPIED + UNSURE + FAULT + PIECES)
"""Every character a point may have. ``X`` and ``O`` are no piece letters, so the alphabets do not clash."""

Sensing = Literal["occ", "pol", "id"]
"""What a board can see: occupied or not, two colours, or which piece."""

ALPHABET: Mapping[Sensing, frozenset[str]] = {
    "occ": frozenset(EMPTY + OCCUPIED + UNSURE + FAULT),
    "pol": frozenset(EMPTY + FIRST + SECOND + OCCUPIED + UNSURE + FAULT),
    "id": VALUES - {FIRST, SECOND},
}
"""The characters each kind of board uses."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """How many points a board has."""

    width: int
    height: int

    @property
    def count(self) -> int:
        return self.width * self.height

    def index(self, column: int, row: int) -> int:
        """The point in a column (0: left) and a row (0: far). Raises ValueError outside the board."""
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise ValueError(f"no point in column {column}, row {row} of a {self} board")
        return row * self.width + column

    def column(self, point: int) -> int:
        return point % self.width

    def row(self, point: int) -> int:
        return point // self.width

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


def rows_of(points: str, geometry: Geometry) -> str:
    """A board's text in lines, far row first, for people."""
    return "\n".join(points[start : start + geometry.width] for start in range(0, geometry.count, geometry.width))


# --- leds ------------------------------------------------------------------------------------------------------

OFF = "."
PLACE = "P"
"""Put something here (its colour is known from the game, or does not matter)."""
PLACE_FIRST = "X"
"""Put a stone or piece of the first colour here."""
PLACE_SECOND = "O"
"""Put a stone or piece of the second colour here."""
LIFT = "L"
"""Take away what is here."""
WRONG = "W"
"""Something is wrong here."""
HINT = "H"
"""Look here: a hint, the last move, a touched piece."""
AREA_FIRST = "A"
"""Territory of the first colour."""
AREA_SECOND = "B"
"""Territory of the second colour."""

LEDS = frozenset(OFF + "PXOLWHAB" + "pxolwhab")
"""Every character a led may have. A small letter is the same led blinking."""


def leds(geometry: Geometry, lit: Mapping[int, str] | Iterable[tuple[int, str]] = ()) -> str:
    """A board's leds as a text with one character a point, from the points that are lit. Raises ValueError."""
    text = [OFF] * geometry.count
    for point, led in dict(lit).items():
        if led not in LEDS:
            raise ValueError(f"no such lamp: {led!r}")
        if not 0 <= point < geometry.count:
            raise ValueError(f"no point {point} on a {geometry} board")
        text[point] = led
    return "".join(text)


LedModel = Literal["none", "point", "edge", "corner"]
"""Where a board has leds: nowhere, at every point, along two edges (columns and rows), or at the corners of the
squares around the points. The codec shows the same text of leds on each as well as it can.
"""

# --- what comes from a board --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """A board has said, or its description says, what it is. Readings that follow are of this board.

    The same board after a reset has the same ``uid`` and another ``boot``; leds are sent again by the codec.
    """

    protocol: str
    """The codec's name: qsb, saiboard, described."""
    geometry: Geometry
    sensing: Sensing
    leds: LedModel = "none"
    colours: int = 1
    """Colours a led can show: 1 for plain ones, 3 for red-green-blue."""
    name: str = ""
    firmware: str = ""
    version: int = 1
    """Of the protocol."""
    uid: str = ""
    """Which single board it is (a serial number); empty when it cannot tell."""
    boot: str = ""
    """Differs after every reset; empty when it cannot tell."""
    buttons: tuple[str, ...] = ()
    """Names of its keys (see ``BUTTONS``)."""
    lever: bool = False
    """Whether it has a clock lever."""
    battery: bool = False
    hand: bool = False
    """Whether it can tell that a hand is on the board."""
    beeper: bool = False
    settle_ms: int = 0
    """Milliseconds a point must have been the same before the board itself reports it."""
    at: float = 0.0


BUTTONS = ("pass", "resign", "draw", "undo", "new", "score", "flip", "hint", "yes", "no", "menu", "setup")
"""Names of keys with a fixed meaning; others are the board's own and mean what a setting says."""


class Change(NamedTuple):
    """A point changed: a hint at the order of hands. Between two changes reported together the order is not known."""

    point: int
    before: str
    after: str
    at: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The full state of the board. A codec gives one only when every point of it is known for certain to be what the
    board reported: never one built on a line that was lost or damaged.
    """

    points: str
    """One character a point."""
    at: float
    """When the board got into this state. For a state that was only seen later (after a gap, or on a board without
    time stamps): when it was seen.
    """
    arrived: float
    """When its last byte reached the host."""
    changes: tuple[Change, ...] = ()
    """What differs from the reading before, oldest first; events are hints, ``points`` is the truth."""
    complete: bool = True
    """False when readings before this one may have been missed (start, gap, reconnect): points may have changed and
    changed back unseen.
    """
    hand: bool | None = None
    """Whether a hand is on the board; None when the board cannot tell."""
    seq: int | None = None
    """The device's own sequence number, for logs."""
    device_ms: int | None = None
    """The device's own time stamp, for logs."""


@dataclass(frozen=True, slots=True)
class Still:
    """The board has said that it was still in the state of the last reading (an equal snapshot, a heartbeat). Not every
    board says so; one that does lets a dwell be counted in times the board vouches for.
    """

    at: float


@dataclass(frozen=True, slots=True)
class Button:
    """A key went down, or up."""

    name: str
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Lever:
    """The clock lever was pressed by the player sitting at this side of the board."""

    side: Literal["near", "far"]
    at: float


@dataclass(frozen=True, slots=True)
class Battery:
    """State of charge."""

    percent: int
    at: float
    charging: bool | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """Analogue values of one row, while calibrating."""

    row: int
    values: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth telling the user or the log: an error the board reported, a line that made no sense."""

    text: str
    at: float
    serious: bool = False
    """True when the user should see it; else it is for the log."""


class State(Enum):
    """What the connection to a board is doing. The values are the words users see."""

    CLOSED = "closed"
    SEARCHING = "searching"
    """Opening the port, or looking for the board under another port's name."""
    NO_PORT = "no such port"
    NO_PERMISSION = "no permission"
    BUSY = "busy"
    NO_ANSWER = "no answer"
    """The port is open and nothing understandable has come."""
    WRONG_VERSION = "wrong version"
    LOST = "lost"
    """It was there and is not any more; it will be looked for until it is back."""
    OTHER_BOARD = "another board"
    """Something answers, but it is another board than before, or than was asked for."""
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Status:
    """The connection changed its state."""

    state: State
    text: str
    """What to tell the user, with the command that mends it where there is one."""
    at: float
    port: str = ""


Event = Hello | Reading | Still | Button | Lever | Battery | Raw | Note | Status
"""Everything that comes out of a codec or a connection, in order."""


# --- interfaces ---------------------------------------------------------------------------------------------------


class Codec(Protocol):
    """A board family's language, free of input and output: bytes and times in, events and bytes out.

    The connection calls ``restart`` whenever the port has been opened, ``feed`` with what arrives, and writes what
    ``outgoing`` gives: after each of these calls, and when the clock reaches ``wake``.
    """

    name: str
    tick: float
    """Seconds within which ``outgoing`` must be asked again after ``wake``: how finely the board is polled."""

    @property
    def hello(self) -> Hello | None:
        """What the board is, once known since the last restart."""

    @property
    def refusal(self) -> str:
        """Why this board cannot be used though it speaks (another version of the protocol); empty when it can."""

    def restart(self, now: float, silent: bool = False) -> None:
        """Forget the line's state: a new connection, or the old one after a loss. What is to be shown is kept.

        ``silent``: the port may be some other device's; send nothing before it has been understood.
        """

    def feed(self, data: bytes, now: float) -> list[Event]:
        """Bytes have arrived."""

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now (perhaps none)."""

    def wake(self, now: float) -> float:
        """When to call ``outgoing`` again at the latest, though nothing has arrived."""

    def show(self, leds: str) -> None:
        """From now on show these leds, also after a reconnect. Only the latest wish counts."""

    def beep(self, times: int = 1) -> None:
        """Sound, where the board can. Forgotten by ``restart``: a beep is for its moment."""

    def alive(self, now: float) -> bool:
        """False when the board has been silent for longer than its kind may be."""


class Board(Protocol):
    """What the tracker and the player see of a connected board (or of a simulated one)."""

    @property
    def hello(self) -> Hello | None:
        """What the board is, once known; kept while the link is lost."""

    def get(self, timeout: float | None = None) -> Event | None:
        """The next event, waiting for it; None when there was none within ``timeout`` seconds."""

    def show(self, leds: str) -> None:
        """Show these leds until told otherwise, also after a reconnect."""

    def beep(self, times: int = 1) -> None: ...

    def now(self) -> float:
        """The clock that the events' times are on."""

    def close(self) -> None: ...
