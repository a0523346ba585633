"""``qiqiao ports``: what it says about ports, and a board watched live."""

import os
import time

import pytest
from sensor_bench import Bench, PtyBoard

import qiqiao
from protocols.commands import ports as ports_command
from protocols.commands.ports import report, watch
from protocols.sensor.codecs.boards import board_spec
from protocols.sensor.codecs.qsb_wire import seal
from protocols.sensor.links.link import LinkError
from protocols.sensor.links.ports import PortInfo
from protocols.sensor.reading import Battery, Button, Geometry, Hello, Lever, Note, Raw, Reading, State, Status, Still
from protocols.sensor.simulation.qsb import QsbDevice
from protocols.sensor.simulation.sensors import Sensors

POSIX = pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")


def device():
    made = QsbDevice(Sensors(Geometry(5, 5), "pol", settle_ms=5))
    made.reset(time.monotonic())
    return made


class Chatter:
    """Some other device that talks."""

    def connected(self, now):
        pass

    def feed(self, data, now):
        pass

    def outgoing(self, now):
        return b"$GPGGA,123519*47\r\n"


USB = {"vid": 0x1A86, "pid": 0x7523}


def told(bench, listen=0.5, hints=()):
    return list(report(bench.ports(), listen, make_link=bench.link, hints=lambda: list(hints)))


def test_what_answers():
    bench = Bench()
    bench.plug("usb0", device(), **USB)
    silent = bench.plug("usb1", None, **USB)
    chatter = bench.plug("usb2", Chatter(), **USB)
    bench.plug("usb3", None, LinkError(State.NO_PERMISSION, "no permission: run 'sudo this'"), **USB)
    bench.plug("ttyS0", device())
    lines = told(bench)
    assert "qsb board simulated, 5x5 points" in lines[0] and "1a86:7523" in lines[0]
    assert "silent" in lines[1] and silent.sent == b""
    assert "not qsb" in lines[2] and chatter.sent == b""
    assert "sudo this" in lines[3]
    assert lines[4].startswith("ttyS0") and "ttyS0" not in bench.opened


def test_only_listed():
    bench = Bench()
    bench.plug("usb0", device(), **USB)
    assert told(bench, 0) == ["usb0  1a86:7523  CH340"]
    assert bench.opened == []


def test_no_ports_and_hints():
    lines = told(Bench(), hints=["brltty took it"])
    assert "no serial ports" in lines[0] and lines[1] == "brltty took it"


def test_the_command(monkeypatch, capsys):
    monkeypatch.setattr(ports_command, "list_ports", lambda: [PortInfo("/dev/ttyUSB0", 0x1A86, 0x7523)])
    assert qiqiao.main(["ports", "--udev-rules"]) == 0
    assert "1a86" in capsys.readouterr().out
    assert qiqiao.main(["ports", "--listen", "0"]) == 0
    assert "/dev/ttyUSB0" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        qiqiao.main(["ports", "--describe", "x.toml"])
    with pytest.raises(SystemExit):
        qiqiao.main(["ports", "--watch", "/dev/x", "--describe", "/nowhere.toml"])
    assert "nowhere" in capsys.readouterr().err


def test_every_event_in_words():
    hello = Hello("qsb", Geometry(2, 1), "occ", name="b", uid="7", firmware="1.0", at=1.0)
    for event, words in [
        (hello, "qsb board b, 2x1 points, occupancy, lamps: none, uid 7, firmware 1.0"),
        (Reading("#.", 1.0, 1.0, hand=True), "a hand is there"),
        (Reading("#.", 1.0, 1.0, complete=False), "missed"),
        (Button("pass", True, 1.0), "key pass down"),
        (Lever("far", 1.0), "clock lever: far side"),
        (Battery(80, 1.0), "battery 80 %"),
        (Raw(0, (1, 2), 1.0), "raw values of row 1: 1 2"),
        (Note("odd", 1.0), "odd"),
        (Status(State.LOST, "gone", 1.0), "lost: gone"),
    ]:
        assert words in ports_command.tell(event, hello, 0.0)
    assert ports_command.tell(Still(1.0), hello, 0.0) == ""


@POSIX
def test_a_board_watched(tmp_path):
    terminal = PtyBoard(device())
    try:
        out = []

        def write(text):
            out.append(text)
            if len(out) == 3:
                terminal.put(7, "X")
            if len(out) == 4:
                terminal.write(seal("E too hot"))

        assert watch(board_spec(terminal.name), write, 2.0) == 0
        text = "".join(out)
        assert "5x5 points" in text and "column 3 row 2: . to X" in text and "too hot" in text
    finally:
        terminal.close()


def test_nothing_watched(capsys):
    assert watch(board_spec("/dev/nothing-here"), lambda text: None, 0.3) == 1
    assert "no board" in capsys.readouterr().err
