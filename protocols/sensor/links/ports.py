"""The serial ports of this machine: which there are, which may be a board, and why one cannot be used."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

BRIDGES = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x5523): "CH341",
    (0x1A86, 0x55D4): "CH9102",
    (0x10C4, 0xEA60): "CP210x",
    (0x0403, 0x6001): "FT232",
    (0x0403, 0x6015): "FT230X",
    (0x067B, 0x2303): "PL2303",
}
"""USB-to-serial chips: vendor and product id, and the name people know. They are in all kinds of devices, so they make
a port a candidate, and nothing more; only what a board says proves what it is.
"""

BRLTTY_CHIPS = frozenset({(0x1A86, 0x7523), (0x10C4, 0xEA60), (0x0403, 0x6001), (0x067B, 0x2303)})
"""Chips that the Braille service brltty takes for its displays, so that no port appears."""

PRODUCT_MARK = "qsb"
"""A board that speaks qsb over its own USB has this at the beginning of its product name; it may be asked questions
unasked for.
"""


@dataclass(frozen=True)
class PortInfo:
    """A serial port."""

    device: str
    """The name to open it by."""
    vid: int | None = None
    pid: int | None = None
    serial: str = ""
    """The USB serial number; empty when it has none."""
    product: str = ""
    manufacturer: str = ""
    location: str = ""
    """The USB socket it is plugged into."""

    @property
    def usb_id(self) -> str:
        """``1a86:7523``, or empty."""
        return "" if self.vid is None or self.pid is None else f"{self.vid:04x}:{self.pid:04x}"

    @property
    def what(self) -> str:
        """What it is, for people."""
        chip = BRIDGES.get((self.vid or 0, self.pid or 0), "")
        words = [word for word in (self.manufacturer, self.product) if word and word != "n/a"]
        if chip and not any(chip in word for word in words):
            words.append(chip)
        return " ".join(words) or "serial port"

    @property
    def knows_qsb(self) -> bool:
        """Whether its own USB name says that it speaks qsb."""
        return self.product.lower().startswith(PRODUCT_MARK)

    def same_device(self, other: PortInfo) -> bool:
        """Whether it is certainly the same device, whatever its port is called now: by its USB serial number."""
        return bool(self.serial) and (self.vid, self.pid, self.serial) == (other.vid, other.pid, other.serial)


def list_ports() -> list[PortInfo]:
    """The ports there are, those on USB first."""
    from serial.tools import list_ports as serial_ports

    found = [
        PortInfo(
            port.device,
            port.vid,
            port.pid,
            port.serial_number or "",
            port.product or "",
            port.manufacturer or "",
            port.location or "",
        )
        for port in serial_ports.comports()
    ]
    # A PC has 32 names for serial ports that are not there; those have nothing behind them.
    real = [port for port in found if port.vid is not None or not _is_placeholder(port.device)]
    return sorted(real, key=lambda port: (port.vid is None, port.device))


def _is_placeholder(device: str) -> bool:
    name = os.path.basename(device)
    if not name.startswith("ttyS"):
        return False
    try:
        with open(f"/sys/class/tty/{name}/type", encoding="ascii") as file:
            return file.read().strip() == "0"
    except OSError:
        return False


def port_of(url: str, ports: Iterable[PortInfo]) -> PortInfo | None:
    """The listed port that a name (perhaps a by-id link) stands for."""
    real = os.path.realpath(url) if url.startswith("/") else url
    for port in ports:
        if port.device in (url, real):
            return port
    return None


def stolen_by_brltty(sys_usb: str = "/sys/bus/usb/devices") -> list[str]:
    """What to tell about USB-to-serial chips that are plugged in and have no port. Linux."""
    told = []
    try:
        names = sorted(os.listdir(sys_usb))
    except OSError:
        return []
    for name in names:
        base = f"{sys_usb}/{name}"
        try:
            with open(f"{base}/idVendor", encoding="ascii") as file:
                vid = int(file.read(), 16)
            with open(f"{base}/idProduct", encoding="ascii") as file:
                pid = int(file.read(), 16)
        except (OSError, ValueError):
            continue
        if (vid, pid) not in BRLTTY_CHIPS or _has_tty(base):
            continue
        told.append(
            f"a {BRIDGES[vid, pid]} ({vid:04x}:{pid:04x}) is plugged in and has no port: the Braille service brltty "
            "has probably taken it; if you do not need that, run 'sudo apt remove brltty' (or 'sudo systemctl mask "
            "brltty-udev.service') and plug the board in again"
        )
    return told


def _has_tty(base: str) -> bool:
    for folder, folders, _ in os.walk(base):
        if os.path.basename(folder).startswith("ttyUSB") or any(name.startswith("ttyUSB") for name in folders):
            return True
    return False


def udev_rules(ports: Iterable[PortInfo]) -> str:
    """A rules file for these devices: access for whoever sits at the machine, no modem probing, a lasting name."""
    lines = [
        "# Sensor boards: access for the user at the machine, no probing by ModemManager.",
        "# Save as /etc/udev/rules.d/70-qiqiao.rules, then: sudo udevadm control --reload && sudo udevadm trigger",
    ]
    seen: set[str] = set()
    for port in ports:
        if not port.usb_id or port.usb_id in seen:
            continue
        seen.add(port.usb_id)
        vid, _, pid = port.usb_id.partition(":")
        lines += [
            f"# {port.what}",
            f'ACTION!="remove", SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vid}", ATTRS{{idProduct}}=="{pid}", '
            'TAG+="uaccess", GROUP="dialout", MODE="0660", ENV{ID_MM_PORT_IGNORE}="1"',
            f'ACTION!="remove", SUBSYSTEM=="usb", ATTR{{idVendor}}=="{vid}", ATTR{{idProduct}}=="{pid}", '
            'ENV{ID_MM_DEVICE_IGNORE}="1"',
        ]
    if not seen:
        lines.append("# No USB serial port was found: plug the board in and run this again.")
    return "\n".join(lines) + "\n"


def describe_port(port: PortInfo) -> str:
    """A port in a line, for people."""
    return "  ".join(word for word in (port.device, port.usb_id or "-", port.what) if word)
