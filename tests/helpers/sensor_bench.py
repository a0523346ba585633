"""Simulated boards for tests of connections: on made-up ports, and on pseudo-terminals."""

import contextlib
import os
import select
import threading
import time

from protocols.sensor.links.link import LinkError
from protocols.sensor.links.ports import PortInfo
from protocols.sensor.reading import State


class Socket:
    """A place a board can be plugged into."""

    def __init__(self, device=None, error=None, **info):
        self.device = device
        self.error = error
        self.info = info
        self.sent = bytearray()


class Bench:
    """Ports by name. Links opened on them talk to the device that is plugged in at that moment."""

    def __init__(self):
        self.sockets = {}
        self.opened = []
        self.lock = threading.RLock()

    def plug(self, name, device=None, error=None, **info):
        with self.lock:
            self.sockets[name] = Socket(device, error, **info)
            if device is not None:
                device.connected(time.monotonic())
            return self.sockets[name]

    def unplug(self, name):
        with self.lock:
            return self.sockets.pop(name)

    def ports(self):
        with self.lock:
            return [PortInfo(name, **socket.info) for name, socket in self.sockets.items()]

    def link(self, name):
        return BenchLink(self, name)


class BenchLink:
    def __init__(self, bench, url):
        self.bench = bench
        self.url = url
        self.socket = None

    def open(self):
        with self.bench.lock:
            socket = self.bench.sockets.get(self.url)
            self.bench.opened.append(self.url)
            if socket is None:
                raise LinkError(State.NO_PORT, f"there is no port {self.url}")
            if socket.error is not None:
                raise socket.error
            self.socket = socket

    def _check(self):
        if self.socket is None or self.bench.sockets.get(self.url) is not self.socket:
            raise LinkError(State.LOST, "unplugged")

    def read(self):
        for _ in range(5):
            with self.bench.lock:
                self._check()
                device = self.socket.device
                data = device.outgoing(time.monotonic()) if device else b""
            if data:
                return data
            time.sleep(0.002)
        return b""

    def write(self, data):
        with self.bench.lock:
            self._check()
            self.socket.sent += data
            if self.socket.device:
                self.socket.device.feed(data, time.monotonic())

    def wake(self):
        pass

    def close(self):
        self.socket = None


class PtyBoard:
    """A device on a pseudo-terminal, driven by a thread."""

    def __init__(self, device):
        self.device = device
        self._stop = threading.Event()
        self.lock = threading.RLock()
        self.master = self.slave = -1
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def name(self):
        return os.ttyname(self.slave)

    def plug(self):
        import tty

        with self.lock:
            self.master, self.slave = os.openpty()
            tty.setraw(self.slave)
            os.set_blocking(self.master, False)

    def unplug(self):
        with self.lock:
            os.close(self.slave)
            os.close(self.master)
            self.master = self.slave = -1

    def put(self, point, thing):
        with self.lock:
            self.device.put(point, thing, time.monotonic())

    def write(self, data):
        """Something else than the device comes over the line."""
        with self.lock:
            os.write(self.master, data)

    def _run(self):
        while not self._stop.is_set():
            with self.lock:
                now = time.monotonic()
                if self.master >= 0:
                    with contextlib.suppress(OSError):
                        self.device.feed(os.read(self.master, 4096), now)
                data = self.device.outgoing(now)
                if data and self.master >= 0:
                    with contextlib.suppress(OSError):
                        os.write(self.master, data)
                master = self.master
            if master >= 0:
                with contextlib.suppress(OSError, ValueError):
                    select.select([master], [], [], 0.005)
            else:
                time.sleep(0.005)

    def close(self):
        self._stop.set()
        self._thread.join()
        if self.master >= 0:
            self.unplug()


def wait_for(condition, seconds=10.0):
    """Wait until the condition holds; gives whether it does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return bool(condition())


def take(board, wanted, seconds=10.0):
    """Events of a board up to and with the first for which ``wanted`` is true; fails when none comes."""
    events = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        event = board.get(0.2)
        if event is not None:
            events.append(event)
            if wanted(event):
                return events
    raise AssertionError(f"not seen within {seconds} s; seen: {events}")
