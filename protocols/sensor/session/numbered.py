"""Names for the records of one session's games: ``game.sgf``, ``game-2.sgf`` …"""

from __future__ import annotations

from pathlib import Path


def next_path(path: str) -> str:
    """A file beside this one that does not exist yet: ``game-2.sgf``, ``game-3.sgf`` and so on after ``game.sgf``."""
    old = Path(path)
    stem, count = _numbered(old)
    while True:
        count += 1
        new = old.with_name(f"{stem}-{count}{old.suffix}")
        if not new.exists():
            return str(new)


def _numbered(path: Path) -> tuple[str, int]:
    """What a file is called without its number, and that: a name may end in digits of its own, as a date does.

    A number is one only where the file without it is there.
    """
    stem, _, number = path.stem.rpartition("-")
    counts = number.isascii() and number.isdigit() and not number.startswith("0")
    if stem and counts and path.with_name(stem + path.suffix).exists():
        return stem, int(number)
    return path.stem, 1
