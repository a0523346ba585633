"""The pages for people who build boards and play on them: what they say is so."""

import re

from support import ROOT

from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.description import parse
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.codecs.qsb_wire import crc, unseal
from protocols.sensor.reading import BUTTONS, LEDS, VALUES, Reading

PAGE = (ROOT / "docs" / "qsb.md").read_text(encoding="utf-8")
SESSION = re.findall(
    r"^ {4}(board|host| {5}) +(\S.*\*[0-9A-F]{4})$", PAGE.partition("## 7. ")[2].partition("### ")[0], re.MULTILINE
)


def test_every_line_of_the_session_is_sealed():
    assert len(SESSION) >= 12
    for _, line in SESSION:
        assert unseal(line.encode()) is not None, line


def test_the_codec_does_what_the_session_shows():
    codec = QsbCodec()
    now, readings, speaker = 100.0, [], ""
    for who, line in SESSION:
        speaker = who.strip() or speaker
        now += 0.3
        if speaker == "board":
            readings += [event for event in codec.feed(line.encode() + b"\n", now) if isinstance(event, Reading)]
        else:
            if "clear" in line:
                codec.show("." * 81)
            elif "set" in line:
                codec.show("." * 22 + "L" + "." * 58)
            assert codec.outgoing(now) == line.encode() + b"\n"
    assert [reading.complete for reading in readings] == [False, True, False]
    assert [reading.points.count(".") for reading in readings] == [81, 80, 78]


def test_every_example_of_a_described_board_is_one():
    page = (ROOT / "docs" / "described-boards.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        assert DescribedCodec(parse(example)).hello is None


def test_the_check_value():
    assert f"`{crc(b'123456789'):04X}`" in PAGE


def test_every_value_led_and_key_is_told():
    for value in VALUES | {led for led in LEDS if led.isupper()}:
        assert re.search(rf"[`, ]{re.escape(value)}[`, ]", PAGE), value
    for name in BUTTONS:
        assert name in PAGE


def test_every_test_named_in_the_page_of_failures_exists():
    page = (ROOT / "docs" / "board-failures.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if (line.startswith("| ") and "#" in line) or "PR " in line]
    assert len(rows) > 40
    tests = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    for row in rows:
        named = re.findall(r"`([a-z_0-9]+)`", row[4])
        assert named or "none:" in row[4], row[1]
        for name in named:
            assert re.search(rf"def test_{name}\b", tests), name
