"""TOML files as editors leave them."""

import pytest

from protocols.toml import parse_toml, read_toml


def test_a_text():
    assert parse_toml("[a]\nb = 1\n") == {"a": {"b": 1}}
    with pytest.raises(ValueError):
        parse_toml("[a")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_with_and_without_a_byte_order_mark(tmp_path, encoding):
    path = tmp_path / "file.toml"
    path.write_bytes('name = "棋"\r\n'.encode(encoding))
    assert read_toml(str(path)) == {"name": "棋"}


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(OSError):
        read_toml(str(tmp_path / "none"))
    path = tmp_path / "file.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ValueError):
        read_toml(str(path))


def test_deep_nesting_and_what_is_no_utf_8_are_told_with_their_place(tmp_path):
    with pytest.raises(ValueError, match=r"nested too deeply \(at line 3\)"):
        parse_toml("[x]\nb = [1]\na = " + "[" * 100000 + "]" * 100000)
    path = tmp_path / "file.toml"
    path.write_bytes(b'a = 1\nname = "\xff"')
    with pytest.raises(ValueError, match="at line 2"):
        read_toml(str(path))
