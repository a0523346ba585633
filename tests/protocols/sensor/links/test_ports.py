"""Ports: what they are, which is which, and what is wrong with them."""

import pytest

from protocols.sensor.links.ports import PortInfo, port_of, stolen_by_brltty, udev_rules

CH340 = PortInfo("/dev/ttyUSB0", 0x1A86, 0x7523)
OWN = PortInfo("/dev/ttyACM0", 0x1209, 0x0001, "77", "qsb goban 19", "Somebody")


def test_what_a_port_is():
    assert CH340.usb_id == "1a86:7523" and CH340.what == "CH340" and not CH340.knows_qsb
    assert OWN.what == "Somebody qsb goban 19" and OWN.knows_qsb
    assert PortInfo("/dev/ttyS0").usb_id == "" and PortInfo("/dev/ttyS0").what == "serial port"


def test_which_device_it_is():
    assert OWN.same_device(PortInfo("/dev/ttyACM5", 0x1209, 0x0001, "77"))
    assert not OWN.same_device(PortInfo("/dev/ttyACM0", 0x1209, 0x0001, "78"))
    assert not CH340.same_device(CH340), "many have no number, and then nothing is certain"


def test_a_by_id_link_is_its_port(tmp_path):
    port = tmp_path / "ttyUSB0"
    port.write_text("")
    link = tmp_path / "by-id"
    link.symlink_to(port)
    info = PortInfo(str(port), 1, 2)
    assert port_of(str(link), [OWN, info]) is info
    assert port_of("COM5", [info]) is None


class TestBrltty:
    def device(self, root, name, vid, pid, tty=False):
        base = root / name
        base.mkdir()
        (base / "idVendor").write_text(vid + "\n")
        (base / "idProduct").write_text(pid + "\n")
        if tty:
            (base / f"{name}:1.0" / "ttyUSB0").mkdir(parents=True)

    def test_a_chip_without_a_port(self, tmp_path):
        self.device(tmp_path, "1-1", "1a86", "7523")
        (text,) = stolen_by_brltty(str(tmp_path))
        assert "CH340" in text and "brltty" in text

    def test_a_chip_with_one(self, tmp_path):
        self.device(tmp_path, "1-1", "1a86", "7523", tty=True)
        self.device(tmp_path, "1-2", "046d", "c52b")
        (tmp_path / "usb1").mkdir()
        assert stolen_by_brltty(str(tmp_path)) == []

    def test_another_system(self, tmp_path):
        assert stolen_by_brltty(str(tmp_path / "none")) == []


class TestRules:
    def test_one_rule_a_device(self):
        text = udev_rules([CH340, OWN, PortInfo("/dev/ttyUSB1", 0x1A86, 0x7523), PortInfo("/dev/ttyS0")])
        assert text.count('ATTRS{idVendor}=="1a86"') == 1
        assert 'ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0001"' in text
        assert "ID_MM_PORT_IGNORE" in text and "uaccess" in text and "70-" in text

    def test_nothing_plugged_in(self):
        text = udev_rules([])
        assert all(line.startswith("#") for line in text.splitlines()) and "plug the board in" in text

    @pytest.mark.parametrize("line", udev_rules([CH340, OWN]).splitlines())
    def test_rules_are_well_formed(self, line):
        if line.startswith("#"):
            return
        for part in line.split(", "):
            key, _, value = part.partition('"')
            assert key.rstrip("=!+").replace("{", "").replace("}", "").replace("_", "").isalnum()
            assert value.endswith('"') and key.endswith("=")
