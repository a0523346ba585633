"""Frames out of streams."""

import pytest

from protocols.sensor.codecs.framing import CHECKS, Crc, Framer, FrameSettings, Key, check_bytes


def framer(valid=lambda content: True, **given):
    it = Framer(FrameSettings(**given), valid)
    it.restart(0.0)
    return it


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("crc16-xmodem", "31c3"),
        ("crc16-modbus", "374b"),
        ("crc8", "f4"),
        ("xor8", "31"),
        ("sum8", "dd"),
        ("sum7", "5d"),
    ],
)
def test_checks_of_the_usual_nine_digits(name, check):
    assert check_bytes(name, b"123456789").hex() == check
    assert len(check) == 2 * CHECKS[name][0]


def test_other_starts():
    assert check_bytes("crc16-xmodem", b"123456789", 0xFFFF).hex() == "29b1"
    for name, usual in (
        ("xor8", 0),
        ("sum8", 0),
        ("sum7", 0),
        ("crc8", 0),
        ("crc16-xmodem", 0),
        ("crc16-modbus", 65535),
    ):
        assert check_bytes(name, b"123456789", usual) == check_bytes(name, b"123456789")


@pytest.mark.parametrize(("crc", "start", "check"), [
    (Crc(16, 0x1021, reflected=True, xor=0xFFFF), 0xFFFF, "906e"),
    (Crc(16, 0x1021, reflected=True), 0, "2189"),  # KERMIT
    (Crc(16, 0x8005, reflected=True, low_first=True), 0xFFFF, "374b"),  # MODBUS
    (Crc(16, 0x8005, reflected=True), 0, "bb3d"),  # ARC
    (Crc(16, 0x3D65, reflected=True, xor=0xFFFF), 0, "ea82"),  # DNP
    (Crc(16, 0x1021, xor=0xFFFF), 0xFFFF, "d64e"),  # GENIBUS
    (Crc(8, 0x31, reflected=True), 0, "a1"),  # MAXIM
    (Crc(8, 0x07, xor=0x55), 0, "a1"),  # I-432-1
    (Crc(8, 0x2F, xor=0xFF), 0xFF, "df"),  # AUTOSAR
])  # fmt: skip
def test_any_crc(crc, start, check):
    """The check values of the catalogue of CRCs."""
    assert check_bytes(crc, b"123456789", start).hex() == check


class TestLines:
    def test_in_any_portions(self):
        data = b"one\r\ntwo\nthree"
        for size in (1, 2, 5, 50):
            it = framer(end=b"\n")
            got = [line for at in range(0, len(data), size) for line in it.feed(data[at : at + size], 0.0)]
            assert got == [b"one", b"two"]

    def test_check(self):
        it = framer(end=b"\n", check="xor8", check_mark=b"*")
        assert it.feed(b"AB*03\nAB*04\nAB\nAB*03\n", 0.0) == [b"AB", b"AB"]
        assert it.bad == 2

    def test_lines_that_come_plain(self):
        it = framer(end=b"\n", check="xor8", plain=frozenset([b"pass"]))
        assert it.feed(b"pass\nfail\n", 0.0) == [b"pass"]

    def test_an_endless_line_is_bounded(self):
        it = framer(end=b"\n")
        for _ in range(100):
            it.feed(b"x" * 1000, 0.0)
        assert it.bad > 10
        assert it.feed(b"\ngood\n", 0.0)[-1] == b"good"


def test_keys_between_frames_of_bytes():
    frame = b"\xfe\x01K1\xff"
    stream = frame * 3 + b"K1" + frame + b"K2K1" + frame
    wanted = [b"\x01K1"] * 3 + [b"K1", b"\x01K1", b"K2", b"K1", b"\x01K1"]
    for size in (1, 2, 3, 50):
        it = framer(kind="bytes", start=b"\xfe", end=b"\xff", length=3, plain=frozenset([b"K1", b"K2"]))
        got = [one for at in range(0, len(stream), size) for one in it.feed(stream[at : at + size], 1.0)]
        assert got == wanted and it.bad == 0
        assert [isinstance(one, Key) for one in got] == [one[:1] == b"K" for one in wanted]


def test_no_key_out_of_damage():
    frame = b"\xfe\x01K1\xff"
    for at in range(1, 5):
        it = framer(kind="bytes", start=b"\xfe", end=b"\xff", length=3, plain=frozenset([b"K1"]))
        it.feed(frame * 3, 1.0)
        got = it.feed(frame[:at] + frame[at + 1 :] + frame * 5, 1.0)
        assert got and set(got) == {b"\x01K1"}


def test_raw_bytes_between_silences():
    it = framer(kind="bytes", length=3, gap=0.05)
    assert it.feed(b"abc", 0.01) == [], "where it begins is not known yet"
    assert it.feed(b"ab", 0.1) == [] and it.feed(b"c", 0.11) == [b"abc"]
    assert it.feed(b"def", 0.2) == [b"def"]
    assert it.feed(b"gh", 0.3) == [], "one byte lost"
    assert it.feed(b"ijk", 0.4) == [b"ijk"]
    bad = it.bad
    assert it.feed(b"lmno", 0.5) == [b"lmn"] and it.feed(b"pqr", 0.6) == [b"pqr"] and it.bad == bad + 1


class TestBytes:
    FRAME = b"\xfe\x01\x02\x03"

    def test_needs_two_equal_places_before_it_believes(self):
        it = framer(kind="bytes", start=b"\xfe", length=3)
        assert it.feed(self.FRAME, 1.0) == []
        assert it.feed(self.FRAME * 2, 1.0) == []
        assert it.feed(self.FRAME, 1.0) == [b"\x01\x02\x03"] * 3
        assert it.feed(self.FRAME, 1.0) == [b"\x01\x02\x03"]

    def test_a_gap_shows_where_a_frame_begins(self):
        it = framer(kind="bytes", end=b"\xff", length=3, gap=0.1)
        assert it.feed(b"\x01\x02\x03\xff", 1.0) == [b"\x01\x02\x03"]
        assert it.feed(b"\x01\x02", 2.0) == []
        assert it.feed(b"\x01\x02\x03\xff", 3.0) == [b"\x01\x02\x03"], "half a frame before a gap is dropped"
        assert it.bad == 1

    def test_a_lost_byte_costs_frames_but_never_makes_one(self):
        frames = [bytes([0xFE, n, n + 1, n + 2]) for n in range(10, 60, 5)]
        whole = b"".join(frames)
        for at in range(len(whole)):
            it = framer(kind="bytes", start=b"\xfe", length=3)
            got = it.feed(whole[:at] + whole[at + 1 :], 1.0)
            assert set(got) <= {frame[1:] for frame in frames}
            assert len(got) >= 5

    def test_without_an_end_a_frame_waits_for_the_beginning_of_the_next(self):
        it = framer(kind="bytes", start=b"\xfe", length=3, gap=0.1)
        assert it.feed(self.FRAME, 1.0) == []
        assert it.feed(b"\xfe", 1.01) == [b"\x01\x02\x03"]
        it.restart(2.0)
        assert it.feed(self.FRAME, 3.0) == []
        assert it.feed(b"\xfe\x04\x05\x06", 4.0) == [b"\x01\x02\x03"]

    def test_what_fits_in_two_ways_is_not_believed(self):
        it = framer(kind="bytes", start=b"\xfe", length=3)
        assert it.feed(b"\xfe\xfe\x00\x00" * 10, 1.0) == []

    def test_what_cannot_be_a_board_helps_to_tell(self):
        it = framer(lambda content: content[0] == 0xFE, kind="bytes", start=b"\xfe", length=3)
        assert set(it.feed(b"\xfe\xfe\x00\x00" * 10, 1.0)) == {b"\xfe\x00\x00"}

    def test_check_over_start_and_content(self):
        frame = b"\xfe\x01\x02\x03" + check_bytes("crc16-xmodem", b"\xfe\x01\x02\x03")
        it = framer(kind="bytes", start=b"\xfe", length=3, check="crc16-xmodem")
        assert it.feed(frame * 3, 1.0) == [b"\x01\x02\x03"] * 3
        assert it.feed(frame[:2] + b"\x09" + frame[3:], 1.0) == []
