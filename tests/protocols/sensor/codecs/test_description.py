"""Description files: what is right is read, what is wrong is told where and how."""

import json

import pytest
from support import ROOT

from protocols.sensor.codecs.description import DescriptionError, load, parse
from protocols.toml import read_toml

GOOD = """
[board]
columns = 3
rows = 2
sensing = "pol"
[frame]
end = "\\n"
[points]
coding = "letter"
values = { "." = ".", w = "O", b = "X" }
"""


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def test_the_least_there_can_be():
    board = parse(GOOD)
    assert (board.geometry.width, board.geometry.height, board.sensing) == (3, 2, "pol")
    assert board.points.order == (0, 1, 2, 3, 4, 5)
    assert board.points.values == {".": ".", "w": "O", "b": "X"}
    assert board.poll == b"" and board.leds.model == "none"


@pytest.mark.parametrize("name", ["echess", "letters"])
def test_the_worked_examples(name):
    assert load(str(ROOT / "docs" / "boards" / f"{name}.toml")).geometry.width in (8, 9)


@pytest.mark.parametrize("content", ["false", "true", "0", "1.5", "nan", "[]", "[1]", "{ a = 1 }", "1979-05-27"])
def test_a_value_of_any_other_kind_is_told_with_its_place(content):
    tables = read_toml(str(ROOT / "docs" / "boards" / "echess.toml"))
    for table, keys in tables.items():
        for key in keys if isinstance(keys, dict) else ():
            lines = [f"format = {tables['format']}"]
            for name, settings in tables.items():
                if isinstance(settings, dict):
                    lines.append(f"[{name}]")
                    for one, value in settings.items():
                        lines.append(f"{one} = {content if (name, one) == (table, key) else json.dumps(value)}")
            try:
                parse("\n".join(lines))
            except DescriptionError as error:
                assert str(error).startswith((f"{table}.", f"{table}:")), (table, key)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[board", "Expected"),
        (changed("columns = 3", ""), "board.columns: is missing"),
        (changed("columns = 3", "columns = 0"), "board.columns: must be 1 to 32"),
        (changed("columns = 3", 'columns = "3"'), "board.columns: must be a whole number"),
        (changed("columns = 3", "columns = true"), "board.columns: must be a whole number"),
        (changed('"pol"', '"colour"'), "board.sensing: must be one of occ, pol, id"),
        (changed("rows = 2", "rows = 2\nlines = 3"), "board.lines: unknown"),
        (changed('"letter"', '"morse"'), "points.coding: must be one of"),
        (changed('w = "O"', 'w = "K"'), "points.values.w: no value of this kind of board"),
        (changed('w = "O"', 'white = "O"'), "points.values.white: must be one letter"),
        (changed('"letter"', '"byte"'), "points.values..: must be a number"),
        (changed('end = "\\n"', 'end = "hex:0"'), "frame.end: neither text nor hex"),
        (changed('end = "\\n"', 'check = "md5"'), "frame.check: must be one of"),
        (GOOD.replace("values = {", "order = [0, 1, 2, 3, 4, 4]\nvalues = {"), "points.order: must hold each"),
        (changed('end = "\\n"', "check_start = 1"), "frame.check_start: there is no check"),
        (changed('end = "\\n"', 'check = "xor8"\ncheck_start = 256'), "frame.check_start: must be 0 to 255"),
        (changed('end = "\\n"', "check = { width = 12, polynomial = 1 }"), "frame.check.width: must be 8 or 16"),
        (changed('end = "\\n"', "check = { width = 8, polynomial = 256 }"), "frame.check.polynomial: must be 1 to 255"),
        (changed('end = "\\n"', "check = { width = 8, polynomial = 7, seed = 1 }"), "frame.check.seed: unknown"),
        (GOOD + "[line]\nbaud = 1200\n", "line: 1200 baud"),
        (GOOD + '[lamps]\nmodel = "point"\n', "lamps.item: is missing"),
        (GOOD + '[lamps]\nmodel = "point"\nitem = "{colour}"\n', "lamps.item: must name"),
        (GOOD + '[lamps]\nmodel = "point"\nitem = ["index", "hue"]\n', "lamps.item: must be a text, or a list"),
        (GOOD + '[lamps]\nmodel = "point"\nitem = false\n', "lamps.item: must be a text, or a list"),
        (GOOD + '[lamps]\nmodel = "point"\nitem = 1\n', "lamps.item: must be a text, or a list"),
        (GOOD + "[poll]\nevery_ms = 1\n", "poll.every_ms: must be 10"),
        (GOOD + "[buttons]\na = 1\n", "buttons.a"),
        ("format = 2\n" + GOOD, "format 1 only"),
    ],
)
def test_what_is_wrong_is_told(text, complaint):
    with pytest.raises(DescriptionError) as error:
        parse(text)
    assert complaint in str(error.value)


BITS = """
[board]
columns = 3
rows = 2
sensing = "occ"
[frame]
kind = "bytes"
{frame}
[points]
coding = "bit"
planes = ["#"]
"""


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        ("", "nothing tells a whole frame"),
        ("gap_ms = 100", "nothing tells a whole frame"),
        ('end = "!"\nlength = 1', "take 2 bytes"),
        ('kind = "line"', "TOML|twice|overwrite"),
    ],
)
def test_frames_that_cannot_be_told_apart(frame, complaint):
    with pytest.raises(DescriptionError, match=complaint):
        parse(BITS.format(frame=frame))


@pytest.mark.parametrize(
    ("frame", "keys", "complaint"),
    [
        ('start = "S"', '"K" = "pass"', "need frames with a start"),
        ('end = "!"', '"K" = "pass"', "need frames with a start"),
        ('start = "SK"\nend = "!"', '"S" = "pass"', "begins as"),
        ('start = "S"\nend = "!"', '"K" = "pass"\n"KK" = "undo"', "begins as"),
        ('start = "S"\nend = "!"', '"K" = "pass"\n"hex:4B" = "undo"', "the same as another"),
        ('start = "S"\nend = "!"', '"hex:4" = "pass"', "neither text nor hex"),
    ],
)
def test_keys_that_cannot_be_told_apart(frame, keys, complaint):
    with pytest.raises(DescriptionError, match=rf"^buttons\..*{complaint}"):
        parse(BITS.format(frame=frame) + f"[buttons]\n{keys}\n")


def test_raw_bytes_need_silence_and_equal_scans():
    text = BITS.format(frame="gap_ms = 50").replace('sensing = "occ"', 'sensing = "occ"\nequal_scans = 2')
    assert parse(text).frame.raw


def test_binary_points_cannot_come_in_lines():
    with pytest.raises(DescriptionError, match="cannot come in lines"):
        parse(BITS.format(frame="").replace('"bytes"', '"line"'))


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(OSError):
        load(str(tmp_path / "none.toml"))
    path = tmp_path / "latin.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(DescriptionError, match=r"latin\.toml: this is no text in utf-8 \(at line 1\)"):
        load(str(path))
    path.write_text(GOOD, "utf-8-sig")
    assert load(str(path)) == parse(GOOD)
    path.write_text("[board]\n")
    with pytest.raises(DescriptionError, match=r"latin\.toml: board\.columns"):
        load(str(path))
