"""TOML files: read by whichever parser there is, with the byte-order mark that some editors put first."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """What a text says. Raises ValueError."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        lines = text.split("\n")
        deepest = max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{"))
        raise ValueError(f"nested too deeply (at line {deepest + 1})") from None
    return table


def place_of(text: str, key: str) -> str:
    """Where a key of the topmost table stands in a text, as ``, line N``; "" where it can't be found."""
    written = re.compile(rf"""[ \t]*\[*[ \t]*["']?{re.escape(key)}["']?[ \t]*[=.\]]""")
    for number, line in enumerate(text.splitlines(), 1):
        if written.match(line):
            return f", line {number}"
    return ""


def read_text(path: str) -> str:
    """The text of a file. Raises OSError, and ValueError where it is not UTF-8."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"this is no text in utf-8 (at line {data.count(10, 0, error.start) + 1})") from None


def read_toml(path: str) -> dict[str, Any]:
    """What a file says. Raises OSError, and ValueError for a file that is no TOML."""
    return parse_toml(read_text(path))
