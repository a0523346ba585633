"""``qiqiao ports``: which ports there are, what answers on them, and what to do where one cannot be used."""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import time
from collections.abc import Callable, Iterable

from protocols.log import complain
from protocols.sensor.codecs.boards import board_spec
from protocols.sensor.codecs.calibration import Calibration, with_order
from protocols.sensor.codecs.conformance import LinkTalk, conform
from protocols.sensor.codecs.description import load
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.links.connection import HELLO_WAIT, BoardSpec, Connection
from protocols.sensor.links.link import Link, LinkError, SerialLink
from protocols.sensor.links.ports import PortInfo, describe_port, list_ports, stolen_by_brltty, udev_rules
from protocols.sensor.reading import (
    Battery,
    Board,
    Button,
    Event,
    Hello,
    Lever,
    Note,
    Raw,
    Reading,
    State,
    Status,
    rows_of,
)
from protocols.toml import read_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao ports``."""
    parser.add_argument(
        "--listen",
        type=float,
        default=HELLO_WAIT,
        metavar="SECONDS",
        help=f"listen this long on every USB port for a board ({HELLO_WAIT:g}; 0: only list them). Nothing is sent to "
        "a device that has not said it is a board",
    )
    parser.add_argument("--udev-rules", action="store_true", help="print a udev rules file for the ports there are")
    parser.add_argument("--watch", metavar="URL", help="show live what is understood of the board at this port")
    parser.add_argument(
        "--conform",
        metavar="URL",
        help="try the firmware of the qsb board at this port against the protocol: a line for each requirement. It is "
        "sent damaged lines and unknown commands too",
    )
    parser.add_argument(
        "--calibrate",
        metavar="URL",
        help="find the order in which a described board counts its points: put stones where it says; writes 'order' "
        "into the file that --describe names, and keeps the old file as FILE.bak",
    )
    parser.add_argument(
        "--describe", metavar="FILE", default="", help="with --watch, --calibrate: the board is told in this file"
    )
    parser.add_argument(
        "--baseline", metavar="FILE", default="", help="with --watch: keep an analogue board's empty values here"
    )
    parser.add_argument("--seconds", type=float, metavar="N", help="with --watch: end after so long")


def run(arguments: argparse.Namespace) -> int:
    """List, watch or print rules. The exit code is 1 when nothing usable was found."""
    if arguments.watch:
        try:
            spec = board_spec(arguments.watch, describe=arguments.describe, baseline=arguments.baseline)
        except (ValueError, OSError) as error:
            arguments.parser.error(str(error))
        try:
            return watch(spec, sys.stdout.write, arguments.seconds)
        except KeyboardInterrupt:
            return 0
    if arguments.calibrate:
        if not arguments.describe:
            arguments.parser.error("--calibrate needs --describe FILE")
        try:
            spec = board_spec(arguments.calibrate, describe=arguments.describe, baseline=arguments.baseline)
        except (ValueError, OSError) as error:
            arguments.parser.error(str(error))
        try:
            return calibrate(Connection(spec), arguments.describe, sys.stdout.write, arguments.seconds)
        except KeyboardInterrupt:
            return 1
    if arguments.conform:
        return try_firmware(arguments.conform)
    if arguments.describe or arguments.baseline or arguments.seconds is not None:
        arguments.parser.error("--describe, --baseline and --seconds belong to --watch")
    ports = list_ports()
    if arguments.udev_rules:
        print(udev_rules(ports), end="")
        return 0
    for line in report(ports, arguments.listen):
        print(line, flush=True)
    return 0 if ports else 1


def calibrate(board: Board, path: str, write: Callable[[str], object], seconds: float | None = None) -> int:
    """Walk over a described board's points and write their order into its file. The exit code is 1 when the walk was
    not finished within so many seconds (of the board's clock), or the order cannot be written.
    """
    walk = Calibration(load(path))
    end = math.inf if seconds is None else board.now() + seconds
    try:
        while walk.order is None:
            event = board.get(0.2)
            text = ""
            if isinstance(event, Reading):
                text = walk.take(event.points)
                board.show(walk.leds)
            elif isinstance(event, (Note, Status)):
                text = event.text
            if text:
                write(text + "\n")
                sys.stdout.flush()
            if board.now() > end:
                complain("qiqiao ports: the walk was not finished; nothing is written")
                return 1
        text = with_order(read_text(path), walk.order)
        shutil.copy2(path, path + ".bak")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except (ValueError, OSError) as error:
        complain(f"qiqiao ports: {error}")
        return 1
    finally:
        board.close()
    write(f"order written to {path}\n")
    return 0


def try_firmware(url: str, make_link: Callable[[str], Link] = SerialLink) -> int:
    """Try the board at a port against qsb. The exit code is 0 when it meets every requirement."""
    link = make_link(url)
    try:
        link.open()
        return conform(LinkTalk(link), lambda text: print(text, end="", flush=True))
    except LinkError as error:
        complain(f"qiqiao ports: {error.text}")
        return 1
    except KeyboardInterrupt:
        return 1
    finally:
        link.close()


def report(
    ports: Iterable[PortInfo],
    listen: float,
    *,
    make_link: Callable[[str], Link] = SerialLink,
    hints: Callable[[], list[str]] = stolen_by_brltty,
) -> Iterable[str]:
    """Lines about the ports, one after the other as they become known."""
    ports = list(ports)
    for port in ports:
        # Only USB devices are opened: a modem or a console on a fixed port is nobody's board unless it is named.
        if listen > 0 and port.usb_id:
            yield f"{describe_port(port)}: {what_answers(port, listen, make_link)}"
        else:
            yield describe_port(port)
    if not ports:
        yield "no serial ports found; is the board plugged in, and the cable one that carries data?"
    yield from hints()


def what_answers(port: PortInfo, seconds: float, make_link: Callable[[str], Link] = SerialLink) -> str:
    """What is heard on a port within some seconds, or why it cannot be used."""
    link = make_link(port.device)
    try:
        link.open()
    except LinkError as error:
        return error.text
    codec = QsbCodec()
    heard = 0
    try:
        codec.restart(time.monotonic(), silent=not port.knows_qsb)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            question = codec.outgoing(time.monotonic())
            if question:
                link.write(question)
            data = link.read()
            heard += len(data)
            codec.feed(data, time.monotonic())
            if codec.refusal:
                return codec.refusal
            if codec.hello is not None:
                return tell_hello(codec.hello)
    except LinkError as error:
        return error.text
    finally:
        link.close()
    if heard:
        return f"{heard} bytes heard, not qsb (another device, another speed, or a board to be described)"
    return "silent (name it with --watch to ask it)"


def tell_hello(hello: Hello) -> str:
    """A board in a line."""
    kinds = {"occ": "occupancy", "pol": "two colours", "id": "pieces"}
    words = [
        f"{hello.protocol} board {hello.name}".rstrip(),
        f"{hello.geometry} points",
        kinds[hello.sensing],
        f"lamps: {hello.leds}",
    ]
    if hello.uid:
        words.append(f"uid {hello.uid}")
    if hello.firmware:
        words.append(f"firmware {hello.firmware}")
    return ", ".join(words)


def watch(spec: BoardSpec, write: Callable[[str], object], seconds: float | None = None) -> int:
    """Show a board's events until interrupted, or for so many seconds. The exit code is 1 when no board was seen."""
    board = Connection(spec)
    start = time.monotonic()
    end = None if seconds is None else start + seconds
    try:
        while end is None or time.monotonic() < end:
            event = board.get(0.2 if end is None else max(0.0, min(0.2, end - time.monotonic())))
            if event is not None and (text := tell(event, board.hello, start)):
                write(text + "\n")
                sys.stdout.flush()
    finally:
        board.close()
    if board.hello is None:
        complain("qiqiao ports: no board was seen")
        return 1
    return 0


def tell(event: Event, hello: Hello | None, start: float) -> str:
    """An event in words, with its time since ``start``; empty for those not worth a line."""
    match event:
        case Hello():
            text = tell_hello(event)
        case Reading(points=points) if hello is not None:
            changes = ", ".join(
                f"column {hello.geometry.column(change.point) + 1} row {hello.geometry.row(change.point) + 1}: "
                f"{change.before} to {change.after}"
                for change in event.changes
            )
            note = "" if event.complete else " (something before it may have been missed)"
            hand = "" if event.hand is None else ", a hand is there" if event.hand else ", no hand"
            text = f"board{note}{hand}: {changes or 'all of it'}\n{rows_of(points, hello.geometry)}"
        case Button():
            text = f"key {event.name} {'down' if event.down else 'up'}"
        case Lever():
            text = f"clock lever: {event.side} side"
        case Battery():
            text = f"battery {event.percent} %"
        case Raw():
            text = f"raw values of row {event.row + 1}: {' '.join(map(str, event.values))}"
        case Note():
            text = event.text
        case Status():
            text = f"{event.state.value}: {event.text}" if event.state is not State.CLOSED else ""
        case _:
            text = ""
    if not text:
        return ""
    return f"{max(0.0, getattr(event, 'at', start) - start):8.3f}  {text}"
