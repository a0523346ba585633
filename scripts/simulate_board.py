"""A sensor board without hardware: a device in its own process, on a pseudo-terminal or a TCP port.

    python scripts/simulate_board.py --board qsb --size 19x19
    python scripts/simulate_board.py --board saiboard --tcp 3333
    python scripts/simulate_board.py --board described --describe docs/boards/letters.toml

It prints where it can be reached, and then takes what a hand does from standard input, a command a line: ``help`` tells
them. ``--demo`` makes a hand put stones and take them off by itself; ``--person first`` is a person with Black or Red
who looks at the lamps, puts the other player's moves where they are lit and makes moves:

    python scripts/simulate_board.py --size 9x9 --person first --link /tmp/board
    qiqiao board /tmp/board --game go
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
import select
import socket
import sys
import time
from dataclasses import replace
from itertools import pairwise

from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.description import DescriptionError, load
from protocols.sensor.codecs.saiboard import GEOMETRY as SAIBOARD
from protocols.sensor.reading import EMPTY, PIECES, Geometry, rows_of
from protocols.sensor.simulation.described import DescribedDevice
from protocols.sensor.simulation.device import Device
from protocols.sensor.simulation.hand import TIDY, Habits
from protocols.sensor.simulation.person import GoPerson, Person, XiangqiPerson
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.saiboard import SaiboardDevice
from protocols.sensor.simulation.sensors import Noise, Sensors
from protocols.sensor.simulation.wire import Wire, WireFaults

HELP = """\
put POINT THING       X or O (a stone's or piece's colour), or a Xiangqi piece's letter
lift POINT            take off what is there
slide POINT POINT...  push from the first point over the others, 60 ms each
fill TEXT             the whole board, a character a point, far row first (/ between rows may be left out)
clear                 take everything off
press KEY             pass, undo, ...; lever-near, lever-far
hand on|off           a hand comes, or goes
unplug [SECONDS]      the line breaks, and comes back after that time
cut BYTES             the line breaks after so many more bytes: in the middle of a line
reset                 the board loses power and starts again
mute SECONDS          it says nothing
skip [N], repeat      its sequence numbers jump, or come twice
garbage [N]           so many random bytes on the line
show                  the board, its lamps
quit
A POINT is a number, counted from 0 in rows from the far left, or column,row (both from 1; row 1 is the far one)."""


class Line:
    """The near end of the pseudo-terminal or TCP port."""

    def __init__(self, tcp: int | None, link: str) -> None:
        self._link_name = link
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        self._master = self._slave = -1
        self._tcp = tcp
        if tcp is not None:
            self._listener = socket.create_server(("127.0.0.1", tcp))
            self._listener.setblocking(False)
        else:
            self.plug()

    @property
    def name(self) -> str:
        if self._listener is not None:
            return f"socket://127.0.0.1:{self._listener.getsockname()[1]}"
        return self._link_name or os.ttyname(self._slave)

    def plug(self) -> None:
        """A new pseudo-terminal, under another name, as after plugging in again."""
        if self._tcp is None and self._master < 0:
            import tty

            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            if self._link_name:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._link_name)
                os.symlink(os.ttyname(self._slave), self._link_name)

    def unplug(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        if self._master >= 0:
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1
            if self._link_name:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._link_name)

    def sources(self) -> list[int]:
        """Descriptors that may have something to read."""
        if self._listener is not None:
            return [self._listener.fileno()] + ([self._client.fileno()] if self._client else [])
        return [self._master] if self._master >= 0 else []

    def accept(self) -> bool:
        """Take a waiting client, if there is one and the last one has gone."""
        if self._listener is None or self._client is not None:
            return False
        try:
            self._client, _ = self._listener.accept()
        except OSError:
            return False
        self._client.setblocking(False)
        return True

    def read(self) -> bytes:
        try:
            if self._client is not None:
                data = self._client.recv(1 << 16)
                if not data:
                    self._client.close()
                    self._client = None
                return data
            return os.read(self._master, 1 << 16) if self._master >= 0 else b""
        except BlockingIOError:
            return b""
        except OSError:
            if self._client is not None:
                self._client.close()
                self._client = None
            return b""

    def write(self, data: bytes) -> None:
        """What nobody reads is lost, as on a real line."""
        with contextlib.suppress(OSError):
            if self._client is not None:
                self._client.setblocking(True)
                self._client.sendall(data)
                self._client.setblocking(False)
            elif self._master >= 0:
                os.write(self._master, data)


class Simulation:
    """Drives the device by the real clock, and does what it is told."""

    def __init__(self, device: Device, line: Line, wire: Wire, seed: int) -> None:
        self.device = device
        self.line = line
        self.wire = wire
        self.running = True
        self._random = random.Random(seed)
        self._agenda: list[tuple[float, list[str]]] = []
        self._demo_at = math.inf
        self.person: Person | None = None

    @property
    def geometry(self) -> Geometry:
        return self.device.sensors.geometry

    def demo(self, now: float) -> None:
        """Let a hand move things from now on."""
        self._demo_at = now + self._random.uniform(0.5, 2.0)

    def step(self, now: float) -> float:
        """Do what is due; gives when to be called again at the latest."""
        due = [words for at, words in self._agenda if at <= now]
        self._agenda = [item for item in self._agenda if item[0] > now]
        for words in due:
            self.obey(words, now)
        if now >= self._demo_at:
            self._demo_step(now)
            self.demo(now)
        person_at = self.person.step(now) if self.person is not None else math.inf
        if self.line.accept():
            self.device.connected(now)
        question = self.line.read()
        if question:
            self.device.feed(self.wire.carry(question), now)
        answer = self.device.outgoing(now)
        if answer:
            self.line.write(self.wire.carry(answer))
            if not self.wire.plugged:
                self.line.unplug()
        times = [self.device.wake(now), self._demo_at, person_at, *(at for at, _ in self._agenda)]
        return min(times)

    def _demo_step(self, now: float) -> None:
        point = self._random.randrange(self.geometry.count)
        taken = self.device.sensors.things[point] != EMPTY
        self.device.put(point, EMPTY if taken else self._random.choice("XO"), now)

    def point(self, text: str) -> int:
        column, comma, row = text.partition(",")
        if comma:
            return self.geometry.index(int(column) - 1, int(row) - 1)
        if not 0 <= int(text) < self.geometry.count:
            raise ValueError(f"no point {text}")
        return int(text)

    def obey(self, words: list[str], now: float) -> str:
        """Do a command; gives what to print. Raises ValueError for one that makes no sense."""
        name, arguments = words[0], words[1:]
        method = getattr(self, "_do_" + name, None)
        if method is None:
            raise ValueError(f"unknown command {name!r} (help tells them)")
        return method(arguments, now) or ""

    def _do_help(self, arguments: list[str], now: float) -> str:
        return HELP

    def _do_put(self, arguments: list[str], now: float) -> None:
        if len(arguments) != 2 or arguments[1] not in "XO#" + PIECES:
            raise ValueError("put POINT THING")
        self.device.put(self.point(arguments[0]), arguments[1], now)

    def _do_lift(self, arguments: list[str], now: float) -> None:
        for text in arguments:
            self.device.put(self.point(text), EMPTY, now)

    def _do_slide(self, arguments: list[str], now: float) -> None:
        points = [self.point(text) for text in arguments]
        thing = self.device.sensors.things[points[0]]
        for number, (before, after) in enumerate(pairwise(points)):
            at = now + 0.06 * number
            self._agenda += [(at, ["lift", str(before)]), (at + 0.02, ["put", str(after), thing])]

    def _do_fill(self, arguments: list[str], now: float) -> None:
        text = "".join(arguments).replace("/", "")
        if len(text) != self.geometry.count:
            raise ValueError(f"{len(text)} characters for {self.geometry.count} points")
        for point, thing in enumerate(text):
            self.device.put(point, thing, now)

    def _do_clear(self, arguments: list[str], now: float) -> None:
        self._do_fill([EMPTY * self.geometry.count], now)

    def _do_press(self, arguments: list[str], now: float) -> None:
        self.device.press(arguments[0] if arguments else "pass", now)

    def _do_hand(self, arguments: list[str], now: float) -> None:
        self.device.set_hand(arguments == ["on"], now)

    def _do_unplug(self, arguments: list[str], now: float) -> None:
        self.wire.plugged = False
        self.line.unplug()
        if arguments:
            self._agenda.append((now + float(arguments[0]), ["plug"]))

    def _do_plug(self, arguments: list[str], now: float) -> str:
        self.wire.plug()
        self.line.plug()
        return f"plugged in at {self.line.name}"

    def _do_cut(self, arguments: list[str], now: float) -> None:
        self.wire.cut_after(int(arguments[0]))

    def _do_reset(self, arguments: list[str], now: float) -> None:
        self.device.reset(now)

    def _do_mute(self, arguments: list[str], now: float) -> None:
        if not isinstance(self.device, QsbDevice):
            raise ValueError("only a qsb board can be muted")
        self.device.mute_until = now + float(arguments[0])

    def _do_skip(self, arguments: list[str], now: float) -> None:
        if not isinstance(self.device, QsbDevice):
            raise ValueError("only a qsb board counts its lines")
        self.device.skip(int(arguments[0]) if arguments else 1)

    def _do_repeat(self, arguments: list[str], now: float) -> None:
        if not isinstance(self.device, QsbDevice):
            raise ValueError("only a qsb board counts its lines")
        self.device.repeat()

    def _do_garbage(self, arguments: list[str], now: float) -> None:
        self.line.write(self._random.randbytes(int(arguments[0]) if arguments else 40))

    def _do_show(self, arguments: list[str], now: float) -> str:
        board = rows_of("".join(self.device.sensors.things), self.geometry)
        return f"{board}\nlamps: {self.device.leds or 'none'}"

    def _do_quit(self, arguments: list[str], now: float) -> None:
        self.running = False


def size(text: str) -> Geometry:
    """``9x10`` as a geometry."""
    width, _, height = text.partition("x")
    try:
        return Geometry(int(width), int(height or width))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a size: {text!r}") from None


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", choices=["qsb", "saiboard", "described"], default="qsb")
    parser.add_argument("--describe", metavar="FILE", help="the description of a described board")
    parser.add_argument("--size", type=size, default=Geometry(19, 19), metavar="WxH", help="for qsb (19x19)")
    parser.add_argument("--sensing", choices=["occ", "pol", "id"], default="pol", help="for qsb (pol)")
    parser.add_argument("--leds", choices=["none", "point", "edge", "corner"], default="point", help="for qsb (point)")
    parser.add_argument("--tcp", type=int, metavar="PORT", help="listen there (0: any) instead of a pseudo-terminal")
    parser.add_argument("--link", default="", metavar="PATH", help="a lasting name for the pseudo-terminal")
    parser.add_argument("--settle", type=float, default=60.0, metavar="MS", help="the firmware's settling time (60)")
    parser.add_argument("--snapshots", type=float, default=0.0, metavar="HZ", help="qsb: unasked snapshots a second")
    parser.add_argument("--bounce", type=float, default=0.0, metavar="MS", help="contacts chatter so long")
    parser.add_argument("--flickers", type=float, default=0.0, metavar="N", help="short errors a second")
    parser.add_argument("--ghosting", action="store_true", help="a matrix without diodes")
    parser.add_argument("--weak", type=int, nargs="*", default=[], metavar="POINT", help="points with weak magnets")
    for fault in ("drop", "double", "flip", "garbage"):
        parser.add_argument(f"--{fault}", type=float, default=0.0, metavar="P", help="chance for each byte")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--demo", action="store_true", help="a hand moves things by itself")
    parser.add_argument("--person", choices=["first", "second"], help="a person with Black or Red, or the other side")
    parser.add_argument("--pace", type=float, default=1.0, metavar="F", help="person: below 1 all goes faster (1)")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="person: passes or resigns after N own moves")
    parser.add_argument("--wait", type=float, default=0.0, metavar="S", help="person: so long before a first move")
    parser.add_argument("--clumsy", action="store_true", help="person: slides, wobbles, knocks over, forgets")
    return parser.parse_args(argv)


def make_device(arguments: argparse.Namespace) -> Device:
    """The device asked for. Raises DescriptionError, OSError."""
    noise = Noise(
        bounce_ms=arguments.bounce,
        flickers_per_s=arguments.flickers,
        ghosting=arguments.ghosting,
        weak=tuple(arguments.weak),
    )
    seed = arguments.seed
    if arguments.board == "saiboard":
        return SaiboardDevice(Sensors(SAIBOARD, "pol", settle_ms=0, noise=noise, seed=seed), seed=seed)
    if arguments.board == "described":
        if not arguments.describe:
            raise DescriptionError("a described board needs --describe FILE")
        description = load(arguments.describe)
        DescribedCodec(description)  # so that what the codec would refuse is refused here, too
        sensors = Sensors(description.geometry, description.sensing, settle_ms=arguments.settle, noise=noise, seed=seed)
        return DescribedDevice(sensors, description, seed=seed)
    settings = QsbSettings(
        leds=arguments.leds, snapshot_every=1 / arguments.snapshots if arguments.snapshots else 0.0, input=512
    )
    sensors = Sensors(arguments.size, arguments.sensing, settle_ms=arguments.settle, noise=noise, seed=seed)
    return QsbDevice(sensors, settings, seed=seed)


def make_person(arguments: argparse.Namespace, device: Device) -> Person:
    """The person asked for, for Xiangqi on 9x10 points, else Go. Raises ValueError for a board without point lamps."""
    geometry = device.sensors.geometry
    kind = XiangqiPerson if (geometry.width, geometry.height) == (9, 10) else GoPerson
    # A person who changes its mind, or makes two moves at once, does not fit a client that has got its move.
    habits = replace(Habits(), second=0, retract=0, hasty=0, blunder=0) if arguments.clumsy else TIDY
    return kind(
        device,
        arguments.person == "first",
        random.Random(arguments.seed),
        habits=habits,
        pace=arguments.pace,
        most=arguments.most,
        wait=arguments.wait,
        say=lambda text: print(f"person: {text}", flush=True),
    )


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    try:
        device = make_device(arguments)
    except (DescriptionError, OSError) as error:
        print(f"simulate_board: {error}", file=sys.stderr)
        return 2
    if arguments.board == "saiboard" and arguments.tcp is None:
        arguments.tcp = 0
    line = Line(arguments.tcp, arguments.link)
    faults = WireFaults(arguments.drop, arguments.double, arguments.flip, arguments.garbage)
    simulation = Simulation(device, line, Wire(faults, arguments.seed), arguments.seed)
    device.reset(time.monotonic())
    if arguments.person:
        try:
            simulation.person = make_person(arguments, device)
        except ValueError as error:
            print(f"simulate_board: {error}", file=sys.stderr)
            line.unplug()
            return 2
    print(f"board at {line.name}", flush=True)
    if arguments.demo:
        simulation.demo(time.monotonic())
    commands: int | None = sys.stdin.fileno()
    pending = b""
    try:
        while simulation.running:
            now = time.monotonic()
            wait = min(0.5, max(0.0, simulation.step(now) - now))
            ready, _, _ = select.select(line.sources() + ([commands] if commands is not None else []), [], [], wait)
            if commands is None or commands not in ready:
                continue
            data = os.read(commands, 4096)
            if not data:
                commands = None  # nobody tells it anything more; it goes on
                continue
            *lines, pending = (pending + data).split(b"\n")
            for words in (text.decode("utf-8", "replace").split() for text in lines):
                if not words:
                    continue
                try:
                    told = simulation.obey(words, time.monotonic())
                except (ValueError, IndexError) as error:
                    told = f"? {error}"
                if told:
                    print(told, flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        line.unplug()
    return 0


if __name__ == "__main__":
    sys.exit(main())
