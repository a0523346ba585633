"""Text files as others leave them: encodings, byte-order marks, what files are filled up with."""

import pytest

from engines.text import binary_kind, charset, decode_text, read_lines, readings

TEXT = "h2e2 炮二平五\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gbk", "gb18030"])
def test_encodings_are_found(encoding):
    assert decode_text(TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_mark_says_which(encoding):
    assert decode_text(("\ufeff" + TEXT).encode(encoding)) == TEXT
    assert decode_text("\ufeff" + TEXT) == TEXT


def test_a_named_encoding_goes_first():
    assert decode_text("馬八進七".encode("big5"), "big5") == "馬八進七"
    assert "\ufffd" in decode_text(b"a\xff\xff", "utf-8")
    assert "\ufffd" in decode_text(b"a\xff\xff")


@pytest.mark.parametrize("end", ["\x1a", "\0", "\n\x1a", "\x1a\x1a\0\0"])
def test_what_fills_a_file_up_is_blank(end):
    assert decode_text((TEXT + end).encode()).rstrip() == decode_text(TEXT + end).rstrip() == TEXT.rstrip()


def test_lines_that_say_something(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes("\ufeff# none\r\none\r\n\r\n  # none\r\n two \r\n\x1a".encode())
    assert list(read_lines(path)) == [(2, "one"), (5, " two ")]


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("gb18030", ("许", "黑", "许银川", "聂卫平", "乚俓", "红先胜", "炮二平五")),
        ("big5", ("許", "功", "許銀川", "林海峰", "炮二平五", "北方杯", "馬８進７")),
        ("shift_jis", ("村", "井山裕太", "第64期十段戦", "表ソ能", "黒番中押し勝ち")),
        ("euc_jp", ("井山裕太", "趙治勲", "名人戦 第七局")),
        ("euc_kr", ("이창호", "조훈현", "백 불계승")),
        ("cp1252", ("Müller", "Andrés", "Ærø", "Jürgen Großmann")),
        ("iso2022_jp", ("井山裕太",)),
        ("utf-16-le", ("[Red 许银川]",)),
        ("utf-16-be", ("[Red 许银川]",)),
        ("utf-32", ("许",)),
    ],
)
def test_what_nobody_names_is_guessed(encoding, texts):
    for text in texts:
        assert decode_text(f"(;PB[{text}])".encode(encoding)) == f"(;PB[{text}])"


def test_utf8_that_is_cut_short_or_damaged_is_still_utf8():
    data = "聂卫平对马晓春".encode()
    assert decode_text(data[:-1]) == "聂卫平对马晓\ufffd"
    assert decode_text(data[:6] + b"\xff" + data[6:]) == "聂卫\ufffd平对马晓春"


def test_readings_come_likeliest_first_and_one_is_enough_where_it_is_sure():
    assert list(readings("许".encode())) == ["许"]
    assert list(readings(b"plain")) == ["plain"]
    found = list(readings("許".encode("big5")))
    assert found[0] == "許" and len(found) > 2
    assert decode_text("許".encode("big5"), whole=lambda text: "許" not in text) != "許"
    assert decode_text("许".encode("gbk"), "big5", whole=lambda text: text == "许") == "许"


@pytest.mark.parametrize(
    "name", ["utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "zlib", "hex", "rot13", "mbcs?", ""]
)
def test_what_is_no_charset(name):
    assert charset(name) is None


def test_charsets():
    wanted = {"GB2312": "gb18030", "x-sjis": "cp932", "Big5": "big5hkscs", "UTF8": "utf-8", "latin1": "iso8859-1"}
    assert {name: charset(name) for name in wanted} == wanted


def test_lines_of_what_is_no_text(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_bytes(b"XQ\x0c\0\0\0")
    with pytest.raises(ValueError, match=r"openings\.txt is a record of XQStudio \(\.xqf\), and no text"):
        list(read_lines(path))
    assert binary_kind(b"XQ game of the year\n") == binary_kind("\ufeff许".encode("utf-16")) == ""
