"""Text files as others leave them: encodings, byte-order marks, what files are filled up with."""

import pytest

from engines.text import decode_text, read_lines

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
