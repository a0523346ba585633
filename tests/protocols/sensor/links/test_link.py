"""Lines over pyserial's URLs, and what is said of those that cannot be opened."""

import contextlib
import errno
import os
import socket
import subprocess
import sys
import threading
import time

import pytest
from support import ROOT

from protocols.sensor.links.connection import CLOSE_TIMEOUT
from protocols.sensor.links.link import (
    WRITE_TIMEOUT,
    LineSettings,
    LinkError,
    SerialLink,
    _explain,
    holder_of,
    mend_permission,
)
from protocols.sensor.reading import State

POSIX = pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")


def read_all(link, count, seconds=5.0):
    data = b""
    end = time.monotonic() + seconds
    while len(data) < count and time.monotonic() < end:
        data += link.read()
    return data


@pytest.fixture
def terminal():
    import tty

    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    for fd in (master, slave):
        with contextlib.suppress(OSError):
            os.close(fd)


def test_loop():
    link = SerialLink("loop://")
    link.open()
    assert link.read() == b""
    link.write(b"hello")
    assert read_all(link, 5) == b"hello"
    link.close()
    link.close()


def test_a_closed_line_is_lost():
    link = SerialLink("loop://")
    for call in (link.read, lambda: link.write(b"x")):
        with pytest.raises(LinkError) as error:
            call()
        assert error.value.state is State.LOST


@POSIX
def test_pseudo_terminal(terminal):
    master, name = terminal
    link = SerialLink(name)
    link.open()
    try:
        link.write(b"question\n")
        assert os.read(master, 100) == b"question\n"
        os.write(master, bytes(range(256)))
        assert read_all(link, 256) == bytes(range(256))
    finally:
        link.close()


@POSIX
def test_other_side_that_is_only_slow_breaks_no_line(terminal):
    master, name = terminal
    link = SerialLink(name)
    link.open()
    got = bytearray()

    def late():
        time.sleep(0.8)
        while len(got) < 1 << 16:
            got.extend(os.read(master, 1 << 12))

    thread = threading.Thread(target=late, daemon=True)
    thread.start()
    try:
        link.write(bytes(1 << 16))
        thread.join(5)
        assert len(got) == 1 << 16
    finally:
        link.close()


@POSIX
def test_line_that_takes_nothing_is_lost_before_the_connection_is_given_up(terminal):
    _, name = terminal
    link = SerialLink(name)
    link.open()
    try:
        with pytest.raises(LinkError):
            link.write(bytes(1 << 16))
        assert WRITE_TIMEOUT < CLOSE_TIMEOUT
    finally:
        link.close()


@POSIX
def test_spy_writes_what_went_over_the_line(terminal, tmp_path):
    master, name = terminal
    log = tmp_path / "spy.txt"
    link = SerialLink(f"spy://{name}?file={log}")
    link.open()
    os.write(master, b"S 1 2 ...")
    assert read_all(link, 9) == b"S 1 2 ..."
    link.close()
    assert "20 31 20 32" in log.read_text()


@POSIX
def test_unplugging_is_noticed(terminal):
    master, name = terminal
    link = SerialLink(name)
    link.open()
    os.close(master)
    with pytest.raises(LinkError) as error:
        read_all(link, 1)
    assert error.value.state is State.LOST
    link.close()


@POSIX
def test_exclusive(terminal):
    _, name = terminal
    first, second = SerialLink(name), SerialLink(name)
    first.open()
    with pytest.raises(LinkError) as error:
        second.open()
    assert error.value.state is State.BUSY
    first.close()
    second.open()
    second.close()


@POSIX
def test_a_waiting_read_can_be_woken(terminal):
    _, name = terminal
    link = SerialLink(name, read_timeout=600.0)
    link.open()
    threading.Timer(0.1, link.wake).start()
    start = time.monotonic()
    assert link.read() == b""
    assert time.monotonic() - start < 300
    link.close()


@POSIX
def test_closing_while_another_thread_reads(terminal):
    _, name = terminal
    link = SerialLink(name, read_timeout=5.0)
    link.open()
    seen = []

    def read():
        with contextlib.suppress(LinkError):
            seen.append(link.read())

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.05)
    link.wake()
    thread.join(3.0)
    assert not thread.is_alive()
    link.close()


class TestTcp:
    @pytest.fixture
    def server(self):
        listener = socket.create_server(("127.0.0.1", 0))
        yield listener
        listener.close()

    def test_reads_all_there_is_and_notices_the_end(self, server):
        link = SerialLink(f"socket://127.0.0.1:{server.getsockname()[1]}")
        link.open()
        client, _ = server.accept()
        assert link.read() == b""
        client.sendall(b"x" * 5000)
        time.sleep(0.05)
        assert len(link.read()) == 5000, "in one go, not byte by byte"
        link.write(b"question")
        assert client.recv(100) == b"question"
        client.close()
        with pytest.raises(LinkError) as error:
            read_all(link, 1)
        assert error.value.state is State.LOST
        link.close()

    @pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
    def test_nobody_listens(self, server, scheme):
        number = server.getsockname()[1]
        server.close()
        with pytest.raises(LinkError) as error:
            SerialLink(f"{scheme}://127.0.0.1:{number}").open()
        assert error.value.state is State.NO_PORT


class TestWhy:
    @pytest.mark.parametrize(
        ("number", "state"),
        [
            (errno.ENOENT, State.NO_PORT),
            (errno.ENODEV, State.NO_PORT),
            (errno.EACCES, State.NO_PERMISSION),
            (errno.EBUSY, State.BUSY),
            (errno.EAGAIN, State.BUSY),
            (errno.EIO, State.NO_PORT),
        ],
    )
    def test_states(self, number, state):
        assert _explain("/dev/ttyUSB0", OSError(number, "text")).state is state

    @POSIX
    def test_permission_names_the_group_and_the_command(self, tmp_path):
        import grp

        path = tmp_path / "port"
        path.write_text("")
        group = grp.getgrgid(path.stat().st_gid).gr_name
        text = mend_permission(str(path))
        assert ("udev" in text) if group == "root" else (f"usermod -a -G {group} $USER" in text)
        assert "usermod -a -G dialout $USER" in mend_permission(str(tmp_path / "gone"))

    @pytest.mark.parametrize("url", ["/dev/nothing-here", "nonsense://x", "socket://nohost", ""])
    def test_what_is_no_port(self, url):
        with pytest.raises(LinkError) as error:
            SerialLink(url).open()
        assert error.value.state is State.NO_PORT

    def test_who_holds_a_port(self, tmp_path):
        port = tmp_path / "ttyUSB0"
        port.write_text("")
        for number, name, target in ((77, "picocom", port), (78, "other", tmp_path / "x")):
            (tmp_path / "proc" / str(number) / "fd").mkdir(parents=True)
            (tmp_path / "proc" / str(number) / "comm").write_text(name + "\n")
            (tmp_path / "proc" / str(number) / "fd" / "3").symlink_to(target)
        assert holder_of(str(port), str(tmp_path / "proc")) == "picocom (process 77)"
        assert holder_of(str(tmp_path / "y"), str(tmp_path / "proc")) == ""
        (tmp_path / "proc" / "78" / "comm").write_text("ModemManager\n")
        assert holder_of("/dev/ttyACM0", str(tmp_path / "proc")) == "ModemManager"


@pytest.mark.parametrize("given", [{"baud": 1200}, {"baud": 1}, {"bits": 9}, {"parity": "X"}, {"stop": 3}])
def test_wrong_settings(given):
    with pytest.raises(ValueError):
        LineSettings(**given)


def test_signals_are_set_before_opening(monkeypatch):
    import serial

    seen = []

    class Port:
        def __setattr__(self, name, value):
            seen.append(name)

        def open(self):
            seen.append("open")

    monkeypatch.setattr(serial, "serial_for_url", lambda url, do_not_open: Port())
    SerialLink("/dev/x").open()
    assert {"dtr", "rts", "exclusive", "baudrate"} <= set(seen[: seen.index("open")])


def test_pyserial_is_not_imported_until_a_board_is_named():
    code = (
        "import sys, protocols.sensor.codecs.boards, protocols.commands.ports, protocols.sensor.links.textserver\n"
        "import qiqiao; qiqiao.build_parser('gtp')\n"
        "assert 'serial' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
