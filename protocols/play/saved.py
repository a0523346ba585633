"""A game in progress as a file: all that is needed to go on with it.

JSON, one object; it has the seed of what is left to chance, so who reads it can know what lies face down. The record of
a game (``--record``) is another file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from engines.files import read_bytes, replace_file
from engines.gametype import Opening, Turn
from engines.plain import build

FORMAT, VERSION = "qiqiao-play", 1
LARGEST = 1 << 24
"""Bytes of the largest such file."""


@dataclass(frozen=True)
class Saved:
    """A game in progress. ``seats`` are who plays, by side, as ``--against`` writes them; ``turns`` the moves with what
    was noted of them; ``clocks`` seconds and stones left, by side; ``options`` those of the game, ``time``,
    ``move_time`` and ``level`` as on the command line; ``record`` the file of the record, "" for none."""

    game: str
    seats: tuple[str, ...]
    rules: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    opening: Opening = field(default_factory=Opening)
    time: str = "none"
    move_time: float = 0.0
    level: str = ""
    turns: tuple[Turn, ...] = ()
    clocks: tuple[tuple[float, int], ...] = ()
    date: str = ""
    record: str = ""
    flipped: bool = False


def write(path: str, saved: Saved) -> None:
    """Put a game into a file in one step. Raises OSError."""
    value = {"format": FORMAT, "version": VERSION, **asdict(saved)}
    value["opening"], value["turns"] = saved.opening.to_json(), [turn.to_row() for turn in saved.turns]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def read(path: str) -> Saved:
    """The game of a file. Raises ValueError, with a text for the user, and OSError."""
    data = read_bytes(path, LARGEST)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError(f"{path} holds no game of qiqiao play") from None
    if not isinstance(value, dict) or value.pop("format", "") != FORMAT:
        raise ValueError(f"{path} holds no game of qiqiao play")
    version = value.pop("version", 0)
    if version != VERSION:
        raise ValueError(f"{path} is of version {version}; {VERSION} is read here")
    try:
        options = value.pop("options", {})
        if not isinstance(options, dict):
            raise ValueError("the options are no table")
        found: Saved = build(Saved, value, "the game")
        return replace(found, options=options)  # the game checks them
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def folder() -> Path:
    """Where games are kept that nobody gave a file for."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base) / "qiqiao" / "play"


def newest() -> str:
    """The game kept last. Raises ValueError where there is none."""
    try:
        files = sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime)
    except OSError:
        files = []
    if not files:
        raise ValueError(f"no game is kept in {folder()}")
    return str(files[-1])
