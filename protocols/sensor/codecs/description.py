"""A home-made board told in a TOML file: reading and checking the file. ``docs/described-boards.md`` is its manual."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, get_args

from engines.errors import QiqiaoError
from protocols.sensor.codecs.eventlines import EventSettings, fields_of
from protocols.sensor.codecs.framing import CHECKS, Crc, FrameSettings, check_size
from protocols.sensor.codecs.orientation import CORNERS, point_order
from protocols.sensor.links.link import DEFAULT_LINE, LineSettings
from protocols.sensor.reading import ALPHABET, EMPTY, OCCUPIED, VALUES, Geometry, LedModel, Sensing
from protocols.toml import parse_toml, read_text

CODINGS = ("bit", "nibble", "byte", "letter", "decimal", "analogue", "events")

LED_ITEMS = ("index", "line", "place", "line_place", "on", "red", "green", "blue", "lamp")
"""What can be said about a led: its number in the board's own order, the line (row or column, as the board counts)
and the place in it, both in one byte (line in the upper half), 1 when lit, its colour, our letter for it.
"""


class DescriptionError(QiqiaoError, ValueError):
    """The file is wrong; the text says where and what is possible."""


@dataclass(frozen=True)
class PointSettings:
    """How the points are coded in a frame's content."""

    coding: str
    order: tuple[int, ...]
    """The points in the board's order."""
    values: dict[int | str, str] = field(default_factory=dict)
    """Number (or letter) in the frame: value of the point."""
    other: str = ""
    """Value of a point whose number is not in the table; empty: then the frame is damaged."""
    planes: tuple[str, ...] = ()
    """For bits: the value each plane stands for."""
    by_plane: bool = False
    """For bits: whole planes one after the other, not line by line."""
    low_first: bool = True
    """For bits and nibbles: the lowest bit or half comes first."""
    packed: bool = False
    """For bits: lines do not begin on a new byte."""
    invert: bool = False
    """For bits: 0 means that the plane's value is there (inputs with a pull-up)."""
    skip: int = 0
    """Bytes (letters, numbers) of the content before the first point."""
    ignore: str = ""
    """For letters: characters that stand for no point."""
    numbers: str = "decimal"
    """For analogue values: decimal, u8, u16le or u16be."""
    on: float = 0.0
    off: float = 0.0
    first_above: bool = True
    baseline: float | None = None
    """For analogue values: the empty point's; None: learnt at the start."""
    high: int = 1 << 16


@dataclass(frozen=True)
class LedSettings:
    """How leds are commanded."""

    model: LedModel = "none"
    colours: int = 1
    begin: bytes = b""
    item: tuple[str, ...] | str = ()
    """For each lit led: names of LED_ITEMS, a byte each; or a text in which {name} stands for a number."""
    separator: bytes = b""
    end: bytes = b""
    mask: bool = False
    """Instead of items: a bit a led, each line beginning on a new byte."""
    low_first: bool = True
    every: float = 0.05
    """Seconds between two commands at least."""
    check: str | Crc = ""
    """A name in CHECKS, a CRC, or empty: the check of the command's begin and items, in bytes before its end."""
    check_start: int | None = None
    check_from: int = 0
    """The first byte of the command that the check covers."""
    check_hex: bool = False
    """The check goes out as hexadecimal digits."""


@dataclass(frozen=True)
class Description:
    """A board as its file tells it."""

    name: str
    geometry: Geometry
    sensing: Sensing
    line: LineSettings
    frame: FrameSettings
    points: PointSettings
    leds: LedSettings
    equal_scans: int = 1
    """Equal frames in a row that settle a point."""
    start: bytes = b""
    """Sent once when the line is opened."""
    poll: bytes = b""
    """Sent to get a frame; empty: the board sends by itself."""
    poll_every: float = 0.1
    silence: float = 0.0
    """Seconds of silence that mean the board is gone; 0: silence means nothing (it sends on change only)."""
    buttons: dict[bytes, str] = field(default_factory=dict)
    """Lines (or short messages between frames of bytes) that are keys: content, name of the key."""
    events: EventSettings | None = None
    """Lines that tell one point."""

    @property
    def along(self) -> int:
        """Points in one of the lines the board counts in."""
        order = self.points.order
        vertical = len(order) > 1 and self.geometry.column(order[0]) == self.geometry.column(order[1])
        return self.geometry.height if vertical else self.geometry.width


class _Table:
    """A TOML table that is read once, key by key, and complains about what was not read."""

    def __init__(self, content: dict[str, Any], where: str) -> None:
        self._content = dict(content)
        self._where = where

    def fail(self, key: str, text: str) -> DescriptionError:
        return DescriptionError(f"{self._where}{key}: {text}")

    def table(self, key: str) -> _Table:
        content = self._content.pop(key, {})
        if not isinstance(content, dict):
            raise self.fail(key, "must be a table")
        return _Table(content, f"{self._where}{key}.")

    def take(self, key: str, kind: type, default: Any = None) -> Any:
        """A value of the kind, any for ``object``; ``default`` (None: it is required)."""
        if key not in self._content:
            if default is None:
                raise self.fail(key, "is missing")
            return default
        value = self._content.pop(key)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
            words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
            raise self.fail(key, f"must be {words[kind]}, not {value!r}")
        return value

    def peek(self, key: str) -> Any:
        """A value that is yet to be read; None when there is none."""
        return self._content.get(key)

    def has(self, key: str) -> bool:
        return key in self._content

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        value: str = self.take(key, str, default)
        if value not in choices:
            raise self.fail(key, f"must be one of {', '.join(choices)}; not {value!r}")
        return value

    def within(self, key: str, kind: type, low: float, high: float, default: Any = None) -> Any:
        value = self.take(key, kind, default)
        if not low <= value <= high:
            raise self.fail(key, f"must be {low:g} to {high:g}, not {value:g}")
        return value

    def data(self, key: str, default: str | None = "") -> bytes:
        """Bytes, written as text, or as ``hex:FE 01``."""
        return self.bytes_of(key, self.take(key, str, default))

    def bytes_of(self, key: str, text: str) -> bytes:
        """The bytes of a text at this key."""
        try:
            return bytes.fromhex(text[4:]) if text.startswith("hex:") else text.encode("latin-1")
        except ValueError:
            raise self.fail(key, f"neither text nor hex:… : {text!r}") from None

    def rest(self) -> dict[str, Any]:
        content, self._content = self._content, {}
        return content

    def done(self) -> None:
        if self._content:
            raise self.fail(min(self._content), "unknown")


def load(path: str) -> Description:
    """Read a description. Raises DescriptionError for a wrong one, OSError for a file that cannot be read."""
    try:
        return parse(read_text(path))
    except ValueError as error:  # a DescriptionError, or a file that is no text
        raise DescriptionError(f"{path}: {error}") from None


def parse(text: str) -> Description:
    """A description from the text of its file. Raises DescriptionError."""
    try:
        top = _Table(parse_toml(text), "")
    except ValueError as error:
        raise DescriptionError(str(error)) from None
    if top.within("format", int, 1, 999, 1) != 1:
        raise top.fail("format", "this program knows format 1 only")
    board = top.table("board")
    geometry = Geometry(board.within("columns", int, 1, 32), board.within("rows", int, 1, 32))
    sensing: Sensing = board.choice("sensing", get_args(Sensing))  # type: ignore[assignment]
    name = board.take("name", str, "described")
    scans = board.within("equal_scans", int, 1, 100, 1)
    silence = board.within("silence_s", float, 0, 3600, 0.0)
    board.done()
    line = _line(top.table("line"))
    points = _points(top.table("points"), geometry, sensing)
    poll = top.table("poll")
    start, send = poll.data("start"), poll.data("send")
    every = poll.within("every_ms", int, 10, 60000, 100) / 1000
    poll.done()
    frame = _frame(top.table("frame"), points, geometry, scans)
    buttons = _buttons(top.table("buttons"), frame)
    frame = replace(frame, plain=frozenset(buttons))
    leds = _leds(top.table("lamps"))
    events = _events(top.table("events"), points, geometry, sensing) if top.has("events") else None
    if events is None and points.coding == "events":
        raise DescriptionError("events: is missing: it says how a point is told")
    if events is not None and (frame.kind != "line" or scans > 1):
        raise DescriptionError("events: only for a board that sends lines, each of them once (equal_scans = 1)")
    top.done()
    return Description(
        name, geometry, sensing, line, frame, points, leds, scans, start, send, every, silence, buttons, events
    )


def _buttons(table: _Table, frame: FrameSettings) -> dict[bytes, str]:
    """What keys say. On a board that sends bytes the first ones must tell a key from a frame and from other keys."""
    buttons: dict[bytes, str] = {}
    for said, button in table.rest().items():
        if not isinstance(button, str):
            raise table.fail(said, "must be the name of a key")
        message = table.bytes_of(said, said)
        if not message or message in buttons:
            raise table.fail(said, "says nothing, or the same as another key")
        if frame.kind == "bytes":
            if not frame.start or not (frame.end or frame.check):
                raise table.fail(said, "keys among frames of bytes need frames with a start, and an end or a check")
            for other in (frame.start, *buttons):
                if message.startswith(other) or other.startswith(message):
                    raise table.fail(said, "begins as a frame or another key does, so it cannot be told from that")
        buttons[message] = button
    return buttons


def _events(table: _Table, points: PointSettings, geometry: Geometry, sensing: Sensing) -> EventSettings:
    patterns: list[tuple[str, str]] = []
    put = table.take("put", object)
    if isinstance(put, str):
        put = {put: "" if "{value}" in put or sensing != "occ" else OCCUPIED}
    if not isinstance(put, dict) or not put:
        raise table.fail("put", "must be a text, or a table of texts and what they stand for")
    patterns += list(put.items())
    patterns.append((table.take("lift", str), EMPTY))
    letters: str = table.take("letters", str, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")
    for text, value in patterns:
        key = "lift" if value == EMPTY else "put"
        try:
            names = fields_of(text)
        except ValueError as error:
            raise table.fail(key, f"{error}; not {text!r}") from None
        if value and (not isinstance(value, str) or value not in ALPHABET[sensing] or len(value) != 1):
            raise table.fail(key, f"no value of a board of kind {sensing}: {value!r}")
        if (value == "") != ("value" in names) or ("value" in names and points.coding not in ("letter", "events")):
            raise table.fail(key, "must say what lies there, by {value} and points.values or by a table, not both")
        if "value" in names and not points.values:
            raise table.fail(key, "{value} needs points.values")
        if "letter" in names and (len(letters) < geometry.width or len(set(letters)) < len(letters)):
            raise table.fail("letters", f"must be {geometry.width} different ones")
    begin, done, ask = table.data("begin"), table.data("done"), table.data("ask")
    if bool(begin) != bool(done) or (points.coding == "events" and not begin):
        raise table.fail("begin", "and done belong together; without another coding of whole states they are needed")
    base = table.within("base", int, 0, 1, 0)
    table.done()
    order = points.order
    vertical = len(order) > 1 and geometry.column(order[0]) == geometry.column(order[1])
    along = geometry.height if vertical else geometry.width
    return EventSettings(tuple(patterns), points.values, order, along, vertical, letters, base, begin, done, ask)


def _line(table: _Table) -> LineSettings:
    try:
        line = LineSettings(
            table.take("baud", int, DEFAULT_LINE.baud),
            table.take("bits", int, DEFAULT_LINE.bits),
            table.take("parity", str, DEFAULT_LINE.parity),
            table.take("stop", float, float(DEFAULT_LINE.stop)),
            table.take("dtr", bool, False),
            table.take("rts", bool, False),
        )
    except ValueError as error:
        if isinstance(error, DescriptionError):
            raise
        raise DescriptionError(f"line: {error}") from None
    table.done()
    return line


def _points(table: _Table, geometry: Geometry, sensing: Sensing) -> PointSettings:
    coding = table.choice("coding", CODINGS)
    if table.has("order"):
        order = tuple(table.take("order", list))
        if sorted(order, key=str) != sorted(range(geometry.count), key=str):
            raise table.fail("order", f"must hold each of the numbers 0 to {geometry.count - 1} once")
    else:
        first = table.choice("first", CORNERS, "far-left")
        along = table.choice("along", ("rows", "columns"), "rows")
        order = point_order(geometry, first, along, table.take("snake", bool, False))  # type: ignore[arg-type]
    settings: dict[str, Any] = {"coding": coding, "order": order, "skip": table.within("skip", int, 0, 1000, 0)}
    allowed = ALPHABET[sensing]
    if coding == "bit":
        planes = tuple(table.take("planes", list))
        if not planes or not all(isinstance(value, str) and value in allowed and len(value) == 1 for value in planes):
            raise table.fail("planes", f"must be values of a board of kind {sensing}, one a plane")
        settings["planes"] = planes
        settings["by_plane"] = table.choice("layout", ("lines", "planes"), "lines") == "planes"
        settings["packed"] = table.take("packed", bool, False)
        settings["invert"] = table.take("invert", bool, False)
        if settings["packed"] and not settings["by_plane"]:
            raise table.fail("packed", 'only with layout = "planes"')
    if coding in ("bit", "nibble"):
        settings["low_first"] = table.choice("first_bit", ("low", "high"), "low") == "low"
    if coding == "letter":
        settings["ignore"] = table.take("ignore", str, " ")
    if coding == "analogue":
        settings |= _analogue(table.table("analogue"))
    elif coding != "bit" and (coding != "events" or table.has("values")):
        settings["values"] = _values(table.table("values"), coding, allowed)
        settings["other"] = table.take("other", str, "") if table.has("other") else ""
        if settings["other"] and settings["other"] not in allowed:
            raise table.fail("other", f"no value of a board of kind {sensing}: {settings['other']!r}")
    table.done()
    return PointSettings(**settings)


def _values(table: _Table, coding: str, allowed: frozenset[str]) -> dict[int | str, str]:
    values: dict[int | str, str] = {}
    for key, value in table.rest().items():
        if not isinstance(value, str) or value not in VALUES or value not in allowed or len(value) != 1:
            raise table.fail(key, f"no value of this kind of board: {value!r} (possible: {''.join(sorted(allowed))})")
        if coding in ("letter", "events"):
            if len(key) != 1:
                raise table.fail(key, "must be one letter")
            values[key] = value
            continue
        try:
            values[int(key, 0)] = value
        except ValueError:
            raise table.fail(key, "must be a number (as 7 or 0x07)") from None
    if not values:
        raise table.fail("", "is missing: it says what the numbers or letters mean")
    return values


def _analogue(table: _Table) -> dict[str, Any]:
    on = table.within("on", float, 0.001, 1e9)
    off = table.within("off", float, 0.001, 1e9, on * 0.7)
    if off > on:
        raise table.fail("off", f"must not be more than on ({on:g})")
    settings = {
        "numbers": table.choice("numbers", ("decimal", "u8", "u16le", "u16be"), "decimal"),
        "on": on,
        "off": off,
        "first_above": table.choice("first", ("above", "below"), "above") == "above",
        "baseline": table.take("baseline", float) if table.has("baseline") else None,
        "high": table.within("high", int, 1, 1 << 24, 1 << 16),
    }
    table.done()
    return settings


def content_length(points: PointSettings, geometry: Geometry) -> int:
    """Bytes of the content of a frame of bytes; 0 for codings that have none of their own (text)."""
    count = geometry.count
    if points.coding == "bit":
        if points.packed:
            return len(points.planes) * ((count + 7) // 8)
        vertical = count > 1 and geometry.column(points.order[0]) == geometry.column(points.order[1])
        along = geometry.height if vertical else geometry.width
        return len(points.planes) * (count // along) * ((along + 7) // 8)
    if points.coding == "nibble":
        return (count + 1) // 2
    if points.coding == "analogue":
        return {"decimal": 0, "u8": count, "u16le": 2 * count, "u16be": 2 * count}[points.numbers]
    return 0 if points.coding == "decimal" else count


def _frame(table: _Table, points: PointSettings, geometry: Geometry, scans: int) -> FrameSettings:
    text = points.coding in ("letter", "decimal", "events") or (
        points.coding == "analogue" and points.numbers == "decimal"
    )
    kind = table.choice("kind", ("line", "bytes"), "line" if text else "bytes")
    length = 0
    if kind == "line":
        if not text:
            raise table.fail("kind", f"{points.coding} points may hold any byte, so they cannot come in lines")
        end = table.data("end", "\n")
        if not end:
            raise table.fail("end", "a line must end in something")
    else:
        if points.coding in ("decimal", "events") or (points.coding == "analogue" and points.numbers == "decimal"):
            raise table.fail("kind", "decimal numbers have no fixed length, so they come in lines")
        end = table.data("end")
        natural = points.skip + content_length(points, geometry)
        length = table.within("length", int, 1, 1 << 16, natural)
        if length < natural:
            raise table.fail("length", f"{geometry.count} points in this coding take {natural} bytes")
    check = _check(table)
    frame = FrameSettings(
        kind,
        table.data("start"),
        end,
        length,
        check,
        _check_start(table, check),
        table.within("check_from", int, 0, 1000, 0),
        table.data("check_mark"),
        gap=table.within("gap_ms", int, 0, 10000, 0) / 1000,
    )
    if frame.raw and not (frame.gap and scans > 1):
        raise table.fail(
            "",
            "needs a start, an end or a check, or else gap_ms and equal_scans of 2 at least: nothing tells a whole "
            "frame from a damaged one",
        )
    table.done()
    return frame


def _check(table: _Table) -> str | Crc:
    """A check by its name, or a CRC told in a table; empty: none."""
    if not isinstance(table.peek("check"), dict):
        check = table.choice("check", ("none", *CHECKS), "none")
        return "" if check == "none" else check
    told = table.table("check")
    width = told.take("width", int)
    if width not in (8, 16):
        raise told.fail("width", f"must be 8 or 16, not {width}")
    most = (1 << width) - 1
    crc = Crc(
        width,
        told.within("polynomial", int, 1, most),
        told.take("reflected", bool, False),
        told.within("xor", int, 0, most, 0),
        told.choice("first_byte", ("high", "low"), "high") == "low",
    )
    told.done()
    return crc


def _check_start(table: _Table, check: str | Crc) -> int | None:
    """What a check begins with, where the file says so."""
    if not table.has("check_start"):
        return None
    if not check:
        raise table.fail("check_start", "there is no check")
    most: int = (1 << 8 * check_size(check)) - 1
    start: int = table.within("check_start", int, 0, most)
    return start


def _led_item(table: _Table) -> tuple[str, ...] | str:
    """A list of names (a byte each), or a text with names in braces."""
    content = table.take("item", object)
    if isinstance(content, str):
        left = content
        for name in LED_ITEMS:
            left = left.replace("{" + name + "}", "")
        if "{" in left or "}" in left or left == content:
            raise table.fail("item", "must name what it tells, in braces: {" + "}, {".join(LED_ITEMS) + "}")
        return content
    if isinstance(content, list) and content and all(name in LED_ITEMS for name in content):
        return tuple(content)
    raise table.fail("item", f"must be a text, or a list of {', '.join(LED_ITEMS)}")


def _leds(table: _Table) -> LedSettings:
    model: LedModel = table.choice("model", get_args(LedModel), "none")  # type: ignore[assignment]
    if model == "none":
        table.done()
        return LedSettings()
    mask = table.take("mask", bool, False)
    item: tuple[str, ...] | str = ()
    if not mask:
        item = _led_item(table)
    check = _check(table)
    settings = LedSettings(
        model,
        table.within("colours", int, 1, 3, 1),
        table.data("begin"),
        item,
        table.data("separator"),
        table.data("end"),
        mask,
        table.choice("first_bit", ("low", "high"), "low") == "low",
        table.within("every_ms", int, 1, 10000, 50) / 1000,
        check,
        _check_start(table, check),
        table.within("check_from", int, 0, 1000, 0),
        table.take("check_hex", bool, False),
    )
    table.done()
    return settings
