"""Text files that people and other programs write, whichever the editor, the system and the age."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_FILLING = {0: " ", 0x1A: " "}
"""What old systems end a file with, or fill it up with: NUL and DOS's end of file."""


def decode_text(data: bytes | str, encoding: str | None = None) -> str:
    """The text of a file: by its byte-order mark, else UTF-8 or, where it can't be, GB18030 (which has GBK in it),
    unless ``encoding`` names another. What a file is filled up with counts as blanks.
    """
    if isinstance(data, bytes):
        data = _decode(data, encoding)
    return data.removeprefix("\ufeff").translate(_FILLING)


def _decode(data: bytes, encoding: str | None) -> str:
    if encoding:
        return data.decode(encoding, errors="replace")
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return data.decode(marked, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("gb18030", errors="replace")


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that say something, with their numbers; a line that begins with ``#`` is a comment.

    Raises OSError.
    """
    for number, line in enumerate(decode_text(Path(path).read_bytes()).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
