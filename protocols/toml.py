"""TOML files: read by whichever parser there is, with the byte-order mark that some editors put first."""

from __future__ import annotations

import importlib
import sys
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """What a text says. Raises ValueError."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    table: dict[str, Any] = tomllib.loads(text)
    return table


def read_text(path: str) -> str:
    """The text of a file. Raises OSError, and UnicodeDecodeError where it is not UTF-8."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8-sig")


def read_toml(path: str) -> dict[str, Any]:
    """What a file says. Raises OSError, and ValueError for a file that is no TOML."""
    return parse_toml(read_text(path))
