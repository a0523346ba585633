"""Described boards: decoding, polling, lamps; and every coding there and back through a simulated board."""

import binascii
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import DATA, ROOT

from protocols.sensor.codecs.described import DescribedCodec, bits_of, bytes_of
from protocols.sensor.codecs.description import load, parse
from protocols.sensor.codecs.scans import LEARNING
from protocols.sensor.reading import Button, Hello, Note, Reading, Still, leds
from protocols.sensor.simulation.described import DescribedDevice
from protocols.sensor.simulation.sensors import Sensors, sensed
from protocols.sensor.simulation.virtual import VirtualBoard
from protocols.sensor.simulation.wire import Wire, WireFaults

FRAMES = {frame["name"] + "/" + frame["protocol"]: frame for frame in json.loads(
    (DATA / "sensor" / "sample_frames.json").read_text(encoding="utf-8")
)}  # fmt: skip

START = "OOOOOOOO" * 2 + "." * 32 + "XXXXXXXX" * 2
"""The first position of chess as a board that tells two colours sees it from White's side."""


def chess(points, frame, rest=""):
    return parse(f'[board]\ncolumns = 8\nrows = 8\nsensing = "pol"\n[frame]\n{frame}\n[points]\n{points}\n{rest}')


def readings(events):
    return [event.points for event in events if isinstance(event, Reading)]


class TestFramesOfRealBoards:
    """Layouts of boards on the market, told in this format, decode as their documents say."""

    def test_chessnut(self):
        values = {"0": "."} | {f"{code}": "O" for code in (1, 2, 3, 4, 5, 8)} | {
            f"{code}": "X" for code in (6, 7, 9, 10, 11, 12)
        }  # fmt: skip
        board = chess(
            f'coding = "nibble"\nfirst = "far-right"\nvalues = {{ {toml(values)} }}',
            'kind = "bytes"\nstart = "hex:01 24"\nlength = 36\ngap_ms = 50',
        )
        codec = DescribedCodec(board)
        frame = bytes.fromhex(FRAMES["position report, start/Chessnut Air"]["full_hex"])
        events = codec.feed(frame + frame[:2], 1.0)
        assert readings(events) == [START]

    def test_dgt(self):
        codes = {"0": "."} | {str(code): "X" if code < 7 else "O" for code in range(1, 13)}
        board = chess(
            f'coding = "byte"\nvalues = {{ {toml(codes)} }}', 'kind = "bytes"\nstart = "hex:86 00 43"\ngap_ms = 50'
        )
        codec = DescribedCodec(board)
        frame = bytes.fromhex(FRAMES["BOARD_DUMP start position/DGT"]["full_hex"])
        assert readings(codec.feed(frame + frame[:3], 1.0)) == [START]

    def test_chesslink(self):
        """The hexadecimal dump has the parity bits in it, which the port takes off."""
        letters = {letter: "O" if letter.islower() else "X" for letter in "prnbqkPRNBQK"} | {".": "."}
        board = chess(
            f'coding = "letter"\nvalues = {{ {toml(letters)} }}',
            'kind = "bytes"\nstart = "s"\nlength = 64\ngap_ms = 50',
        )
        frame = bytes(byte & 0x7F for byte in bytes.fromhex(FRAMES["status reply/Millennium ChessLink"]["full_hex"]))
        check = 0
        for byte in frame[:-2]:
            check ^= byte
        assert frame[-2:] == b"%02X" % check
        codec = DescribedCodec(board)
        assert readings(codec.feed(frame[:65] + b"s", 1.0)) == [START]

    @pytest.mark.parametrize(("name", "begin", "squares"), [
        ("LED frame e2/Certabo", "", [52]),
        ("LED e2,e4/Chessnut Air", "hex:0A 08", [52, 36]),
    ])  # fmt: skip
    def test_leds_as_masks(self, name, begin, squares):
        first = "high" if "Chessnut" in name else "low"
        board = chess(
            'coding = "byte"\nvalues = { 0 = "." }',
            'kind = "bytes"\nend = "!"',
            f'[lamps]\nmodel = "point"\nbegin = "{begin}"\nmask = true\nfirst_bit = "{first}"',
        )
        codec = DescribedCodec(board)
        codec.feed((bytes(64) + b"!") * 3, 1.0)
        codec.show(leds(board.geometry, dict.fromkeys(squares, "X")))
        assert codec.outgoing(1.0).hex() == FRAMES[name]["full_hex"]


def toml(values):
    return ", ".join(f'"{key}" = "{value}"' for key, value in values.items())


class TestEChess:
    """The worked example with bit masks."""

    def codec(self):
        return DescribedCodec(load(str(ROOT / "docs" / "boards" / "echess.toml")))

    def frame(self, **rows):
        content = bytearray(16)
        for name, (white, black) in rows.items():
            row = int(name[1:])
            content[2 * row : 2 * row + 2] = white, black
        return bytes(content) + b"\xff\xff\xff"

    def test_masks(self):
        codec = self.codec()
        (hello, reading) = codec.feed(self.frame(r0=(0b10000001, 0), r7=(0, 0b00000010)), 1.0)
        assert isinstance(hello, Hello)
        assert reading.points == "X......X" + "." * 49 + "O" + "." * 6

    def test_a_full_last_row_of_black(self):
        """The end mark seems to begin one byte early; counted from the beginning it does not."""
        codec = self.codec()
        codec.feed(self.frame(), 1.0)
        for now, row in ((2.0, (0, 255)), (2.01, (1, 254)), (2.02, (0, 255))):
            (reading,) = codec.feed(self.frame(r7=row), now)
            assert reading.points[56:] == "OOOOOOOO" if row[0] == 0 else "XOOOOOOO"

    def test_nothing_can_be_both_colours(self):
        codec = self.codec()
        events = codec.feed(self.frame(r0=(1, 1)), 1.0)
        assert [type(event) for event in events] == [Note]

    def test_half_a_frame_and_then_a_whole_one(self):
        codec = self.codec()
        codec.feed(self.frame(), 1.0)
        assert readings(codec.feed(self.frame(r0=(3, 0))[:9], 2.0)) == []
        events = codec.feed(self.frame(r0=(7, 0)), 3.0)
        (reading,) = [event for event in events if isinstance(event, Reading)]
        assert reading.points.startswith("XXX.") and not reading.complete

    def test_leds(self):
        codec = self.codec()
        codec.feed(self.frame(), 1.0)
        assert codec.outgoing(1.0) == b"\xfe\xff"
        codec.show(leds(codec.description.geometry, {0: "X", 63: "W", 12: "L"}))
        assert codec.outgoing(1.1) == b"\xfe\x00\x14\x77\xff"
        assert codec.outgoing(1.2) == b""


class TestLetters:
    """The worked example with lines of letters."""

    def board(self, **given):
        description = load(str(ROOT / "docs" / "boards" / "letters.toml"))
        device = DescribedDevice(Sensors(description.geometry, "pol"), description, **given)
        return VirtualBoard(device, DescribedCodec(description))

    def test_polls_and_settles(self):
        board = self.board()
        board.run(1.0)
        board.put(0, "X")
        board.put(89, "O")
        (reading,) = [event for event in board.run(0.5) if isinstance(event, Reading)]
        assert (reading.points[0], reading.points[89], reading.points.count(".")) == ("X", "O", 88)

    def test_start_and_poll_are_sent(self):
        codec = self.board().codec
        codec.restart(0.0)
        assert codec.outgoing(0.0) == b"version\nstate\n"
        assert codec.outgoing(0.05) == b""
        assert codec.outgoing(0.1) == b"state\n"

    def test_silent_where_it_may_be_another_device(self):
        codec = self.board().codec
        codec.restart(0.0, silent=True)
        assert codec.outgoing(0.0) == b""

    def test_keys(self):
        board = self.board()
        board.run(0.5)
        board.press("pass")
        assert [event.down for event in board.run(0.5) if isinstance(event, Button)] == [True, False]

    def test_silence_means_gone(self):
        board = self.board()
        board.run(1.0)
        assert board.codec.alive(board.clock.now)
        assert not board.codec.alive(board.clock.now + 3.1)

    def test_the_same_board_again_is_still_so(self):
        board = self.board()
        board.run(1.0)
        assert {type(event) for event in board.run(1.0)} == {Still}

    def test_leds_in_the_boards_own_order(self):
        board = self.board()
        board.run(0.5)
        board.show(leds(board.device.sensors.geometry, {89: "X", 81: "X", 0: "X"}))
        board.run(0.5)
        # The corner at the right hand is 0, the left one of that row 8; the tenth row, to and fro, begins on the left.
        assert board.device.led_commands[-1] == b"led 0 8 81\n"

    @pytest.mark.parametrize("seed", range(4))
    def test_a_bad_line_is_never_a_wrong_board(self, seed):
        board = self.board()
        board.wire = Wire(WireFaults(drop=0.003, double=0.003, flip=0.003, garbage=0.001), seed)
        possible = {"." * 90}
        for step in range(60):
            board.put(step, "XO"[step % 2])
            possible.add("".join(board.device.sensors.things))
            for event in board.run(0.4):
                if isinstance(event, Reading):
                    assert event.points in possible
        board.wire.faults = WireFaults()
        board.run(2.0)
        assert board.codec._settler.points == "".join(board.device.sensors.things)


@pytest.mark.parametrize("poll", ["", '[poll]\nsend = "?"'])
def test_keys_on_a_board_that_sends_bytes(poll):
    description = chess(
        'coding = "bit"\nplanes = ["X"]',
        'start = "hex:5A A5"\ncheck = "crc8"',
        '[buttons]\n"hex:4B 01" = "pass"\n"hex:4B 02" = "undo"\n' + poll,
    )
    board = VirtualBoard(DescribedDevice(Sensors(description.geometry, "pol"), description, every=0.1),
                         DescribedCodec(description))  # fmt: skip
    board.run(1.0)
    board.press("undo")
    board.put(5, "X")
    board.press("pass")
    events = board.run(1.0)
    assert [event.name for event in events if isinstance(event, Button) and event.down] == ["undo", "pass"]
    assert readings(events) == ["....." + "X" + "." * 58]


@pytest.mark.parametrize(("more", "command"), [
    ('check = "xor8"', "4c 00 02 4e 0d"),
    ('check = "xor8"\ncheck_from = 1', "4c 00 02 02 0d"),
    ('check = "sum8"\ncheck_start = 0xFF', "4c 00 02 4d 0d"),
    ('check = "xor8"\ncheck_hex = true', "4c 00 02 34 45 0d"),
])  # fmt: skip
def test_led_commands_with_a_check(more, command):
    board = parse(
        '[board]\ncolumns = 3\nrows = 1\nsensing = "occ"\n[points]\ncoding = "letter"\n'
        'values = { 0 = ".", 1 = "#" }\n'
        f'[lamps]\nmodel = "point"\nbegin = "L"\nitem = ["index"]\nend = "hex:0D"\n{more}\n'
    )
    codec = DescribedCodec(board)
    codec.feed(b"000\n", 1.0)
    codec.show("X.W")
    assert codec.outgoing(1.0) == bytes.fromhex(command)


def test_pulled_up_inputs_behind_a_counter():
    board = chess(
        'coding = "bit"\nplanes = ["X"]\ninvert = true\nskip = 2',
        'kind = "bytes"\nend = "!!"\ncheck = "crc16-xmodem"\ncheck_start = 0xFFFF\ncheck_from = 2',
    )
    frames = b""
    for count in range(3):
        content = bytes([0xFE, *[0xFF] * 7])
        frames += bytes([count, 200]) + content + binascii.crc_hqx(content, 0xFFFF).to_bytes(2, "big") + b"!!"
    assert readings(DescribedCodec(board).feed(frames, 1.0)) == ["X" + "." * 63]


CRCS = [
    "{ width = 8, polynomial = 0x31, reflected = true }",
    '{ width = 16, polynomial = 0x3D65, xor = 0xFFFF, first_byte = "low" }',
]
SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12))


@st.composite
def descriptions(draw):
    """A description of any kind, as its file's text, and its sensing."""
    width, height = draw(SHAPES)
    sensing = draw(st.sampled_from(["occ", "pol"]))
    coding = draw(st.sampled_from(["bit", "nibble", "byte", "letter", "decimal", "analogue"]))
    order = (
        f'first = "{draw(st.sampled_from(["far-left", "far-right", "near-left", "near-right"]))}"\n'
        f'along = "{draw(st.sampled_from(["rows", "columns"]))}"\nsnake = {str(draw(st.booleans())).lower()}\n'
    )
    values = [".", "#"] if sensing == "occ" else [".", "X", "O"]
    points = f'coding = "{coding}"\n{order}skip = {draw(st.integers(0, 5))}\n'
    text = coding in ("letter", "decimal")
    if coding in ("bit", "nibble"):
        points += f'first_bit = "{draw(st.sampled_from(["low", "high"]))}"\n'
    if coding == "bit":
        points += f"planes = {values[1:]}\n"
        layout = draw(st.sampled_from(["lines", "planes"]))
        points += f'layout = "{layout}"\ninvert = {str(draw(st.booleans())).lower()}\n'
        if layout == "planes":
            points += f"packed = {str(draw(st.booleans())).lower()}\n"
    elif coding == "analogue":
        numbers = draw(st.sampled_from(["decimal", "u16le", "u16be"]))
        text = numbers == "decimal"
        points += f'[points.analogue]\non = 50\noff = 30\nbaseline = 500\nnumbers = "{numbers}"\n'
        points += f'first = "{draw(st.sampled_from(["above", "below"]))}"\n'
    else:
        keys = ".xo" if coding == "letter" else "013"
        points += f"[points.values]\n{toml(dict(zip(keys, values, strict=False)))}\n".replace(", ", "\n")
    frame = 'kind = "line"\nend = "\\n"\n' if text else 'kind = "bytes"\nstart = "hex:5A A5"\nend = "hex:0D"\n'
    check = draw(st.sampled_from(["none", "xor8", "sum7", "crc8", "crc16-xmodem", "crc16-modbus", *CRCS]))
    check = check if check in CRCS else f'"{check}"'
    frame += f"check = {check}\ncheck_from = {draw(st.integers(0, 3))}\n"
    if "none" not in check and draw(st.booleans()):
        frame += f"check_start = {draw(st.integers(0, 127))}\n"
    poll = '[poll]\nsend = "?"\nevery_ms = 50\n' if draw(st.booleans()) else ""
    return (
        f'[board]\ncolumns = {width}\nrows = {height}\nsensing = "{sensing}"\n[frame]\n{frame}[points]\n{points}{poll}'
    )


@settings(max_examples=150, deadline=None)
@given(descriptions(), st.data())
def test_every_coding_there_and_back(text, data):
    """Whatever lies on a simulated board of any description is what the codec reads."""
    description = parse(text)
    device = DescribedDevice(Sensors(description.geometry, description.sensing), description, every=0.05)
    board = VirtualBoard(device, DescribedCodec(description))
    count = description.geometry.count
    things = data.draw(st.text(alphabet=".XO", min_size=count, max_size=count))
    for point, thing in enumerate(things):
        board.put(point, thing)
    board.run(1.0)
    assert board.codec._settler.points == "".join(sensed(thing, description.sensing) for thing in things)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=100), st.integers(1, 20), st.booleans())
def test_bits_there_and_back(bits, per_line, low_first):
    bits = bits[: len(bits) // per_line * per_line]
    assert bits_of(bytes_of(bits, per_line, low_first), len(bits), per_line, low_first, False) == bits


def test_an_analogue_board_learns_what_empty_is():
    description = parse(
        '[board]\ncolumns = 3\nrows = 2\nsensing = "pol"\n[points]\ncoding = "analogue"\nanalogue = { on = 50 }'
    )
    kept = []
    codec = DescribedCodec(description, on_baseline=kept.append)
    (note,) = codec.feed(b"500 510 520 530 540 550\n", 1.0)
    assert note.serious and "empty" in note.text
    events = codec.feed(b"500 510 520 530 540 550\n" * (LEARNING - 1), 1.0)
    assert kept == [[500, 510, 520, 530, 540, 550]]
    assert readings(events) == ["......"]
    assert readings(codec.feed(b"560 510 460 530 540 550\n", 2.0)) == ["X.O..."]
    again = DescribedCodec(description, baseline=kept[0])
    assert readings(again.feed(b"500 510 520 530 540 450\n", 1.0)) == [".....O"]


def test_lines_that_are_something_else_are_told_and_harm_nothing():
    description = parse(
        '[board]\ncolumns = 2\nrows = 1\nsensing = "occ"\n[frame]\nstart = "S"\n[points]\ncoding = "letter"\n'
        'values = { 0 = ".", 1 = "#" }'
    )
    codec = DescribedCodec(description)
    events = codec.feed(b"boot v1\nS01\nS0\nS012\nS0x\nS11\n", 1.0)
    assert readings(events) == [".#", "##"]
    assert sum(isinstance(event, Note) for event in events) >= 3
