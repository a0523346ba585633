"""Which module reads a record of a game with hidden or placed pieces; told by its text. See ``engines.stored``."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from engines.stored import StoredGame

FORMS = ("engines.jieqi.stored", "engines.banqi.stored", "engines.sanguo.stored")
"""The modules that read such records, each with ``format_of(text) -> str`` ("" for none of its own) and
``read(text) -> StoredGame`` (ValueError)."""


def format_of(text: str) -> str:
    """The name of the format of a text that such a module reads, "" for none."""
    return next((name for _, name in _readers(text)), "")


def read(text: str) -> StoredGame:
    """The game of a text. Raises ValueError for one of none of these formats, and for one that can't be played."""
    for module, _ in _readers(text):
        found: StoredGame = module.read(text)
        return found
    raise ValueError("no record of a kind that is known here")


def _readers(text: str) -> Iterator[tuple[Any, str]]:
    for path in FORMS:
        module = importlib.import_module(path)
        name = module.format_of(text)
        if name:
            yield module, name
