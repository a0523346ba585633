"""A board on a line: found, lost, found again, known again."""

import os
import random
import time

import pytest
from sensor_bench import Bench, PtyBoard, take, wait_for

from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.links.connection import MAX_EVENTS, BoardSpec, Connection
from protocols.sensor.links.link import LinkError
from protocols.sensor.reading import Geometry, Hello, Reading, State, Status, leds
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.sensors import Sensors

SMALL = Geometry(5, 5)
USB = {"vid": 0x1A86, "pid": 0x7523}


def device(uid="A1", **given):
    made = QsbDevice(Sensors(SMALL, "pol", settle_ms=5), QsbSettings(uid=uid, **given))
    made.reset(time.monotonic())
    return made


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def connect(bench):
    made = []

    def make(url="usb0", uid="", hurry=50.0):
        spec = BoardSpec(url, QsbCodec, uid=uid)
        connection = Connection(spec, ports=bench.ports, make_link=bench.link, hurry=hurry)
        made.append(connection)
        return connection

    yield make
    for connection in made:
        connection.close()


def is_state(state):
    return lambda event: isinstance(event, Status) and event.state is state


def is_reading(points):
    return lambda event: isinstance(event, Reading) and event.points == points


def test_hello_ready_reading_in_this_order(bench, connect):
    bench.plug("usb0", device())
    kinds = [type(event) for event in take(connect(), lambda event: isinstance(event, Reading))]
    assert kinds == [Hello, Status, Reading]


def test_a_port_that_is_not_there_is_told_once_and_waited_for(bench, connect):
    board = connect()
    events = take(board, is_state(State.NO_PORT))
    time.sleep(0.1)
    bench.plug("usb0", device())
    events += take(board, is_state(State.READY))
    assert [event.state for event in events if isinstance(event, Status)] == [State.NO_PORT, State.READY]


def test_unplugged_and_plugged_in_again(bench, connect):
    bench.plug("usb0", device())
    board = connect()
    take(board, is_reading("." * 25))
    board.show(leds(SMALL, {3: "X"}))
    socket = bench.unplug("usb0")
    take(board, is_state(State.LOST))
    assert board.hello is not None
    board.show(leds(SMALL, {4: "O"}))
    socket.device.put(7, "X", time.monotonic())
    bench.plug("usb0", socket.device)
    events = take(board, is_reading("." * 7 + "X" + "." * 17))
    assert not events[-1].complete
    assert wait_for(lambda: socket.device.leds == leds(SMALL, {4: "O"}))


def test_again_under_another_name_by_its_usb_number(bench, connect):
    bench.plug("usb0", device(), serial="77", **USB)
    board = connect()
    take(board, is_state(State.READY))
    socket = bench.unplug("usb0")
    take(board, is_state(State.LOST))
    bench.plug("usb3", socket.device, serial="77", **USB)
    assert take(board, is_state(State.READY))[-1].port == "usb3"


def test_again_under_another_name_by_what_it_says(bench, connect):
    """Without a USB number any port with the same chip may be it; nothing is sent there before it has spoken."""
    bench.plug("usb0", device(), **USB)
    board = connect()
    take(board, is_state(State.READY))
    socket = bench.unplug("usb0")
    other = bench.plug("usb1", None, **USB)
    take(board, is_state(State.LOST))
    time.sleep(0.2)
    assert "usb1" in bench.opened and other.sent == b""
    bench.unplug("usb1")
    bench.plug("usb2", socket.device, **USB)
    assert take(board, is_state(State.READY))[-1].port == "usb2"


def test_the_old_name_with_another_device_behind_it_is_left_alone(bench, connect):
    bench.plug("usb0", device(), serial="77", **USB)
    board = connect()
    take(board, is_state(State.READY))
    bench.unplug("usb0")
    other = bench.plug("usb0", None, vid=0x0403, pid=0x6001, serial="99")
    take(board, is_state(State.LOST))
    time.sleep(0.2)
    assert other.sent == b""


def test_another_board_is_not_taken_for_it(bench, connect):
    bench.plug("usb0", device("A1"))
    board = connect()
    take(board, is_state(State.READY))
    bench.unplug("usb0")
    take(board, is_state(State.LOST))
    bench.plug("usb0", device("B2"))
    status = take(board, is_state(State.OTHER_BOARD))[-1]
    assert "B2" in status.text and "A1" in status.text
    bench.unplug("usb0")
    bench.plug("usb0", device("A1"))
    take(board, is_state(State.READY))


def test_a_board_that_fell_silent_is_opened_again(bench, connect, monkeypatch):
    monkeypatch.setattr("protocols.sensor.codecs.qsb.SILENCE", 0.3)
    made = device()
    bench.plug("usb0", made)
    board = connect()
    take(board, is_state(State.READY))
    made.mute_until = time.monotonic() + 0.6
    take(board, is_state(State.LOST))
    take(board, is_state(State.READY))


def test_auto_sends_nothing_to_strangers_and_finds_the_board(bench, connect):
    stranger = bench.plug("usb0", None, **USB)
    modem = bench.plug("ttyS0", device("M"))
    named = bench.plug("usb9", None, vid=1, pid=2, product="qsb goban")
    board = connect("auto")
    time.sleep(0.3)
    assert stranger.sent == b"" and modem.sent == b"" and "ttyS0" not in bench.opened
    assert named.sent.startswith(b"? "), "it says of itself that it speaks qsb"
    bench.plug("usb1", device("A1"), **USB)
    assert take(board, is_state(State.READY))[-1].port == "usb1"


def test_auto_for_one_certain_board(bench, connect):
    bench.plug("usb0", device("A1"), **USB)
    bench.plug("usb1", device("B2"), **USB)
    board = connect("auto", uid="B2")
    take(board, is_state(State.READY))
    assert board.hello.uid == "B2"


@pytest.mark.parametrize("state", [State.NO_PERMISSION, State.BUSY])
def test_why_a_port_cannot_be_opened(bench, connect, state):
    bench.plug("usb0", None, LinkError(state, "told by the system"))
    board = connect()
    assert take(board, is_state(state))[-1].text == "told by the system"


def test_a_busy_port_is_waited_for_without_a_word(bench, connect):
    bench.plug("usb0", None, LinkError(State.BUSY, "busy"))
    board = connect(hurry=10.0)
    time.sleep(0.3)
    bench.plug("usb0", device())
    events = take(board, is_state(State.READY))
    assert not any(isinstance(event, Status) and event.state is State.BUSY for event in events)


def test_nothing_understandable(bench, connect):
    bench.plug("usb0", None)
    take(connect(), is_state(State.NO_ANSWER))


def test_another_version(bench, connect):
    bench.plug("usb0", device(version=2))
    assert "version 2" in take(connect(), is_state(State.WRONG_VERSION))[-1].text


def test_events_nobody_takes_are_bounded_and_the_last_reading_is_kept(bench, connect):
    made = device()
    bench.plug("usb0", made)
    board = connect()
    take(board, is_state(State.READY))
    for number in range(3 * MAX_EVENTS):
        board._push(Reading(f"{number:025}", 0.0, 0.0))
    seen = []
    while (event := board.get(0.0)) is not None:
        if isinstance(event, Reading) and event.points.isdecimal():
            seen.append(event)
    assert MAX_EVENTS // 2 < len(seen) <= MAX_EVENTS + 10
    assert int(seen[-1].points) == 3 * MAX_EVENTS - 1 and not seen[-1].complete


def test_closing_ends_the_thread_and_frees_whoever_waits(bench, connect):
    board = connect()
    board.close()
    board._thread.join(300)
    assert not board._thread.is_alive()
    while (event := board.get(None)) is not None:
        last = event
    assert last.state is State.CLOSED


def test_many_cycles_of_unplugging(bench, connect):
    chance = random.Random(4)
    made = device()
    bench.plug("usb0", made, serial="1", **USB)
    board = connect(hurry=500.0)
    name = "usb0"
    take(board, is_state(State.READY))
    for number in range(100):
        time.sleep(chance.uniform(0, 0.02))
        bench.unplug(name)
        made.put(number % 25, "X" if made.sensors.things[number % 25] == "." else ".", time.monotonic())
        if chance.random() < 0.5:
            made.reset(time.monotonic())
        name = f"usb{chance.randrange(4)}"
        bench.plug(name, made, serial="1", **USB)
        take(board, is_reading("".join(made.sensors.things)))


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
class TestPseudoTerminal:
    @pytest.fixture
    def terminal(self):
        board = PtyBoard(device())
        yield board
        board.close()

    @pytest.fixture
    def ports(self, terminal):
        return lambda: []

    def open(self, terminal, tmp_path):
        """A lasting name for a pseudo-terminal, as udev gives one to a board."""
        link = tmp_path / "board"
        if link.is_symlink():
            link.unlink()
        link.symlink_to(terminal.name)
        return str(link)

    def test_a_session(self, terminal, tmp_path):
        board = Connection(BoardSpec(self.open(terminal, tmp_path), QsbCodec), hurry=20.0)
        try:
            take(board, is_state(State.READY))
            board.show(leds(SMALL, {24: "W"}))
            terminal.put(3, "X")
            (reading,) = take(board, is_reading("...X" + "." * 21))[-1:]
            assert reading.complete
            assert wait_for(lambda: terminal.device.leds == leds(SMALL, {24: "W"}))
            terminal.write(bytes(range(256)) * 3)
            terminal.put(4, "O")
            take(board, is_reading("...XO" + "." * 20))
        finally:
            board.close()

    def test_unplugged_and_plugged_in_as_another_terminal(self, terminal, tmp_path):
        board = Connection(BoardSpec(self.open(terminal, tmp_path), QsbCodec), hurry=50.0)
        try:
            take(board, is_state(State.READY))
            for number in range(8):
                terminal.unplug()
                take(board, is_state(State.LOST))
                terminal.put(number, "O")
                terminal.plug()
                self.open(terminal, tmp_path)
                take(board, is_reading("O" * (number + 1) + "." * (24 - number)))
        finally:
            board.close()

    def test_a_second_reader_is_refused(self, terminal, tmp_path):
        url = self.open(terminal, tmp_path)
        first = Connection(BoardSpec(url, QsbCodec), hurry=20.0)
        second = None
        try:
            take(first, is_state(State.READY))
            second = Connection(BoardSpec(url, QsbCodec), hurry=100.0)
            status = take(second, is_state(State.BUSY))[-1]
            assert "in use" in status.text
            terminal.put(0, "X")
            take(first, is_reading("X" + "." * 24))
        finally:
            first.close()
            if second is not None:
                second.close()
