"""qsb: lines, what the host makes of them, and what it asks."""

import pytest

from protocols.sensor.codecs.qsb import ANSWER, HELLO_EVERY, QUIET, SILENCE, TRIES, QsbCodec
from protocols.sensor.codecs.qsb_wire import MAX_LINE, Malformed, crc, parse_hello, seal, state_hash, unseal
from protocols.sensor.reading import Battery, Button, Geometry, Hello, Lever, Note, Raw, Reading, Still, leds

HELLO = "H v=1 fw=0.3.0 name=diy uid=7F3A boot=4711 geo=3x3 kind=pol led=point:rgb btn=pass,undo lever=1 bat=1 hand=1"


def said(*lines, codec=None, now=1.0):
    """A codec that has heard these lines, and the events of the last one."""
    codec = codec or QsbCodec()
    events = []
    for line in lines:
        events = codec.feed(seal(line), now)
    return codec, events


def ready(geometry="3x3", kind="pol", extra=""):
    """A codec that knows an empty board whose last line had number 100 (time 5000)."""
    width, _, height = geometry.partition("x")
    line = HELLO.replace("geo=3x3", f"geo={geometry}").replace("kind=pol", f"kind={kind}") + extra
    codec, events = said(line, f"S 100 5000 {'.' * (int(width) * int(height))}")
    assert isinstance(events[-1], Reading)
    return codec


class TestWire:
    def test_the_check_is_crc_16_xmodem(self):
        assert crc(b"123456789") == 0x31C3

    def test_a_line_written_out(self):
        assert seal("K 17") == b"K 17*%04X\n" % crc(b"K 17")
        assert unseal(seal("K 17")[:-1]) == "K 17"

    def test_carriage_return_is_ignored(self):
        assert unseal(seal("K 17")[:-1] + b"\r") == "K 17"

    @pytest.mark.parametrize(
        "line",
        [b"", b"K 17", b"K 17*", b"K 17*0000", b"*1D0F", b"K 17*31c3", b"K 1*7*31C3", b"K\x0017*31C3", b"K 17*31C3 "],
    )
    def test_damaged_lines(self, line):
        assert unseal(line) is None

    def test_small_hexadecimal_digits_are_no_seal(self):
        line = seal("K 5")[:-1]
        assert any(chr(byte).isalpha() for byte in line[-4:]), "the example must have a letter in its check"
        assert unseal(line[:-4] + line[-4:].lower()) is None

    def test_hello(self):
        hello, room = parse_hello((HELLO + " in=400 settle=60 beep=1 new=thing").split(" ")[1:], 3.0)
        assert hello == Hello(
            "qsb", Geometry(3, 3), "pol", "point", 3, "diy", "0.3.0", 1, "7F3A", "4711", ("pass", "undo"), True, True,
            True, True, 60, 3.0,
        )  # fmt: skip
        assert room == 400

    @pytest.mark.parametrize("text", ["v=1 geo=3x3", "v=1 kind=pol", "geo=3x3 kind=pol", "v=1 geo=0x3 kind=pol"])
    def test_a_hello_that_lacks_something(self, text):
        with pytest.raises(Malformed):
            parse_hello(text.split(" "), 0.0)

    def test_an_unknown_led_model_is_dark(self):
        assert parse_hello(["v=1", "geo=3x3", "kind=occ", "led=hologram"], 0.0)[0].leds == "none"


class TestState:
    def test_nothing_is_believed_before_the_hello(self):
        codec, events = said("S 7 100 .........", "D 8 110 3X")
        assert events == [] and codec.hello is None

    def test_hello_and_snapshot(self):
        codec, events = said(HELLO, "S 7 100 X.......O")
        (reading,) = events
        assert (reading.points, reading.complete, reading.changes) == ("X.......O", False, ())
        assert codec.hello.geometry == Geometry(3, 3)

    def test_delta(self):
        codec = ready()
        codec, (reading,) = said("D 101 5200 4X", codec=codec, now=1.25)
        assert reading.points == "....X...." and reading.complete
        (change,) = reading.changes
        assert (change.point, change.before, change.after) == (4, ".", "X")
        assert reading.at == pytest.approx(1.2), "5200 ms is 0.2 s after the snapshot, which arrived at 1.0"
        assert reading.arrived == 1.25

    def test_delta_of_several_points(self):
        _, (reading,) = said("D 101 5200 4X 0O 8X", codec=ready())
        assert reading.points == "O...X...X"
        assert [change.point for change in reading.changes] == [4, 0, 8]

    def test_delta_that_changes_nothing(self):
        _, events = said("D 101 5200 4.", codec=ready())
        assert isinstance(events[0], Still)

    @pytest.mark.parametrize("line", ["D 101 5200 9X", "D 101 5200 4K", "D 101 5200 X4", "D 101 x 4X", "D 101 5200"])
    def test_a_sealed_line_that_makes_no_sense_is_a_gap(self, line):
        codec, events = said(line, codec=ready())
        assert [type(event) for event in events] == [Note]
        _, events = said("D 102 5300 5X", codec=codec)
        assert events == []
        _, (reading,) = said("S 103 5400 ....XX...", codec=codec)
        assert not reading.complete

    def test_a_gap_waits_for_a_snapshot_and_asks_for_it(self):
        codec = ready()
        codec.outgoing(1.0)
        codec, events = said("D 102 5200 4X", codec=codec)
        assert events == []
        assert codec.outgoing(1.0).startswith(b"S ")
        codec, (reading,) = said("S 103 5300 ...XX....", codec=codec)
        assert (reading.points, reading.complete) == ("...XX....", False)
        assert [change.point for change in reading.changes] == [3, 4]

    def test_the_same_line_twice_counts_once(self):
        codec, _ = said("D 101 5200 4X", codec=ready())
        codec, events = said("D 101 5200 4X", codec=codec)
        assert events == []
        _, (reading,) = said("D 102 5300 4.", codec=codec)
        assert reading.complete

    def test_the_same_number_with_something_else_is_not_believed(self):
        codec, _ = said("D 101 5200 4X", codec=ready())
        codec, events = said("D 101 5300 5X", codec=codec)
        assert events == []
        assert codec.outgoing(9.0)[:1] == b"?"

    def test_a_late_old_snapshot_is_not_believed(self):
        codec, _ = said("D 101 5200 4X", codec=ready())
        _, events = said("S 90 4000 XXXXXXXXX", codec=codec)
        assert events == []

    def test_a_board_that_restarted_unheard_is_believed_at_its_second_line(self):
        codec, _ = said("D 101 5200 4X", codec=ready())
        codec, events = said("P 3 40 boot=4711", codec=codec)
        assert not any(isinstance(event, Reading) for event in events)
        _, (reading,) = said("S 4 60 ....X...O", codec=codec)
        assert reading.points == "....X...O" and not reading.complete

    def test_sequence_numbers_wrap(self):
        codec, _ = said(HELLO, "S 65535 100 .........")
        _, (reading,) = said("D 0 200 4X", codec=codec)
        assert reading.complete and reading.points == "....X...."

    def test_time_wraps(self):
        codec, _ = said(HELLO, "S 1 4294967200 .........")
        _, (reading,) = said("D 2 104 4X", codec=codec, now=1.3)
        assert reading.at == pytest.approx(1.2)

    def test_an_equal_snapshot_says_it_is_still_so(self):
        _, events = said("S 101 5200 .........", codec=ready(), now=1.2)
        assert [type(event) for event in events] == [Still]
        assert events[0].at == pytest.approx(1.2)

    def test_a_wrong_hash_means_a_lost_change(self):
        codec = ready()
        codec, events = said(f"P 101 5200 h={state_hash('.........')}", codec=codec)
        assert [type(event) for event in events] == [Still]
        codec, events = said(f"P 102 5300 h={state_hash('X........')}", codec=codec)
        assert [type(event) for event in events] == [Note]
        assert codec.outgoing(1.5).startswith(b"S ")
        codec, events = said("D 103 5400 4X", codec=codec)
        assert events == [], "what went before is not known"

    def test_another_boot_number_asks_for_the_hello(self):
        codec = ready()
        codec, _ = said("P 101 5200 boot=9999", codec=codec)
        assert codec.outgoing(5.0).startswith(b"? ")

    def test_a_snapshot_of_another_size_is_no_snapshot(self):
        _, events = said("S 101 5200 ..........", codec=ready())
        assert [type(event) for event in events] == [Note]

    def test_pieces_on_a_board_that_sees_them(self):
        _, (reading,) = said("D 101 5200 4K 0r", codec=ready(kind="id"))
        assert reading.points == "r...K...."

    def test_bytes_in_any_portions(self):
        data = b"".join(map(seal, [HELLO, "S 1 1 .........", "D 2 2 4X", "D 3 3 4."]))
        for size in (1, 2, 3, 7, 50):
            codec = QsbCodec()
            events = [event for at in range(0, len(data), size) for event in codec.feed(data[at : at + size], 1.0)]
            assert [event.points for event in events if isinstance(event, Reading)] == [
                ".........", "....X....", ".........",
            ]  # fmt: skip

    def test_noise_without_an_end_is_bounded(self):
        codec = QsbCodec()
        for _ in range(100):
            codec.feed(b"x" * 1000, 1.0)
        assert len(codec._buffer) <= MAX_LINE + 1000
        codec.feed(b"\n", 1.0)
        _, events = said(HELLO, codec=codec)
        assert isinstance(events[0], Hello)


class TestOtherLines:
    def test_button(self):
        _, events = said("B 101 5200 pass down", codec=ready(), now=1.3)
        assert events == [Button("pass", True, pytest.approx(1.2))]

    def test_lever(self):
        _, events = said("B 101 5200 lever near", codec=ready(), now=1.2)
        assert events == [Lever("near", pytest.approx(1.2))]

    def test_hand(self):
        codec, (reading,) = said("B 101 5200 hand on", codec=ready())
        assert reading.hand is True and reading.points == "." * 9
        _, events = said("P 102 5300 hand=0", codec=codec)
        assert events[0].hand is False

    def test_a_button_after_a_gap_still_counts(self):
        _, events = said("B 105 5200 pass down", codec=ready())
        assert [type(event) for event in events] == [Button]

    def test_battery(self):
        _, events = said("P 101 5200 bat=87 chg=1", codec=ready(), now=1.2)
        assert events == [Battery(87, pytest.approx(1.2), True)]

    def test_raw_values(self):
        _, events = said("R 1 512 508 600", codec=ready())
        assert events == [Raw(1, (512, 508, 600), 1.0)]

    def test_error_text_is_for_the_user(self):
        _, events = said("E too hot", codec=ready())
        assert events[0].serious and "too hot" in events[0].text

    def test_unknown_lines_are_ignored(self):
        codec, events = said("Q 1 2 3", codec=ready())
        assert [type(event) for event in events] == [Note]
        _, (reading,) = said("D 101 5200 4X", codec=codec)
        assert reading.complete

    def test_another_version_is_refused_with_a_word(self):
        codec, events = said(HELLO.replace("v=1", "v=2"))
        assert "version 2" in codec.refusal and events[0].serious
        assert said("S 1 1 .........", codec=codec)[1] == []

    def test_a_board_that_senses_changes_only_is_refused(self):
        codec, _ = said(HELLO.replace("kind=pol", "kind=chg"))
        assert "chg" in codec.refusal

    def test_lenient_takes_lines_typed_by_hand(self):
        codec = QsbCodec(lenient=True)
        codec.feed(HELLO.encode() + b"\r\nS 1 1 ....X....\n", 1.0)
        assert codec.hello is not None
        strict = QsbCodec()
        assert strict.feed(HELLO.encode() + b"\n", 1.0) == []


class TestAsking:
    def test_asks_who_is_there_until_it_hears(self):
        codec = QsbCodec()
        assert codec.outgoing(0.0) == seal("? 1")
        assert codec.outgoing(HELLO_EVERY / 2) == b""
        assert codec.wake(0.1) == HELLO_EVERY
        assert codec.outgoing(HELLO_EVERY) == seal("? 2")

    def test_silent_until_a_sealed_line_is_heard(self):
        codec = QsbCodec()
        codec.restart(0.0, silent=True)
        for now in range(10):
            assert codec.outgoing(float(now)) == b""
            codec.feed(b"NMEA and other chatter\r\n$GPGGA*47\r\n", float(now))
        codec.feed(seal("P 5 100 uid=1"), 10.0)
        assert codec.outgoing(10.0).startswith(b"? ")

    def test_a_command_is_sent_again_until_it_is_acknowledged(self):
        codec = ready()
        codec.show(leds(Geometry(3, 3), {4: "X"}))
        # The snapshot the hello made it want has come; the lamps are next.
        first = codec.outgoing(1.0)
        assert first == seal("L 1 clear")
        assert codec.outgoing(1.0 + ANSWER / 2) == b""
        assert codec.outgoing(1.0 + ANSWER) == first
        codec, _ = said("K 1", codec=codec, now=2.0)
        assert codec.outgoing(2.1) == seal("L 2 set 4:X")
        codec, _ = said("K 2", codec=codec, now=2.1)
        assert codec.outgoing(2.2) == b""

    def test_given_up_and_begun_anew(self):
        codec = ready()
        codec.show("X" + "." * 8)
        sent = []
        for number in range(TRIES + 1):
            now = 1.0 + number * ANSWER
            codec.feed(seal("E alive"), now)
            sent.append(codec.outgoing(now))
        assert len(set(sent[:TRIES])) == 1 and sent[TRIES] != sent[0] and b"clear" in sent[TRIES]

    def test_busy_is_asked_again_soon(self):
        codec = ready()
        codec.show("X" + "." * 8)
        first = codec.outgoing(1.0)
        codec, _ = said("N 1 busy", codec=codec, now=1.05)
        assert codec.outgoing(1.06) == b""
        assert codec.wake(1.06) == pytest.approx(1.15)
        assert codec.outgoing(1.16) == first

    def test_a_refusal_is_told_once_and_not_repeated(self):
        codec = ready()
        codec.show("X" + "." * 8)
        codec.outgoing(1.0)
        codec, events = said("N 1 unknown", codec=codec)
        assert "refuses" in events[0].text
        assert codec.outgoing(1.1) == b""

    def test_an_acknowledged_snapshot_that_did_not_come_is_asked_again(self):
        codec = ready()
        said("D 105 5200 4X", codec=codec)
        assert codec.outgoing(1.0) == seal("S 1")
        said("K 1", codec=codec)
        assert codec.outgoing(1.1) == seal("S 2")

    def test_leds_again_after_a_reset(self):
        codec = ready()
        codec.show("X" + "." * 8)
        for number in (1, 2):
            codec.outgoing(1.0)
            said(f"K {number}", codec=codec)
        assert codec.outgoing(1.1) == b""
        said(HELLO.replace("boot=4711", "boot=4712"), "S 1 1 .........", codec=codec)
        assert codec.outgoing(1.2) == seal("L 3 clear")

    def test_many_leds_go_out_in_lines_the_board_can_take(self):
        codec = ready("9x9")
        codec.show("X" * 81)
        shown = ["?"] * 81
        for now in range(1, 60):
            line = codec.outgoing(float(now))
            codec.feed(seal("E alive"), float(now))
            if not line:
                break
            assert len(line) <= 64
            words = unseal(line[:-1]).split(" ")
            if words[2] == "clear":
                shown = ["."] * 81
            for word in words[3:]:
                at, _, led = word.partition(":")
                shown[int(at)] = led
            codec.feed(seal(f"K {words[1]}"), float(now))
        assert shown == ["X"] * 81

    def test_a_whole_frame_where_the_board_can_take_it(self):
        codec = ready("9x9", extra=" in=512")
        codec.show("X" * 81)
        assert codec.outgoing(1.0) == seal("L 1 clear")
        said("K 1", codec=codec)
        assert codec.outgoing(1.0) == seal("L 2 frame " + "X" * 81)

    def test_leds_of_the_wrong_size_are_refused(self):
        with pytest.raises(ValueError, match="9 points"):
            ready().show("X" * 10)
        with pytest.raises(ValueError, match="no such lamp"):
            ready().show("Z" * 9)

    def test_settings_beep_and_calibration(self):
        codec = ready(extra=" beep=1")
        codec.beep(2)
        codec.configure(settle_ms=80, scan_ms=20)
        codec.zero()
        codec.raw(True)
        wanted = ["T 1 beep 2", "C 2 settle=80 scan=20", "Z 3", "G 4 on"]
        for number, line in enumerate(wanted, 1):
            assert codec.outgoing(1.0) == seal(line)
            said(f"K {number}", codec=codec)

    def test_a_quiet_board_is_asked_and_then_given_up(self):
        codec = ready()
        assert codec.outgoing(1.0 + QUIET + 0.1).startswith(b"? ")
        assert codec.alive(1.0 + SILENCE - 0.1)
        assert not codec.alive(1.0 + SILENCE)

    def test_restart_forgets_the_state_and_keeps_the_wish(self):
        codec = ready()
        codec.show("X" + "." * 8)
        codec.restart(10.0)
        assert codec.hello is None
        said(HELLO, "S 1 1 .........", codec=codec, now=10.5)
        assert b"clear" in codec.outgoing(10.6)
