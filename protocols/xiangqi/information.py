"""Lines of information that UCCI and UCI engines write while they think, taken apart.

Such a line is a word and a value again and again; what comes last has no bound: a line of play, or a text.
"""

from __future__ import annotations

from typing import NamedTuple


class Information(NamedTuple):
    """What a line says.

    ``values``: of each word the one behind it; ``play``: the expected line in the engine's spelling; ``text``: what is
    for the user, None where it is no such line.
    """

    values: dict[str, str]
    play: list[str]
    text: str | None = None

    def number(self, word: str, otherwise: int = 0) -> int:
        """The number behind a word."""
        value = self.values.get(word, "")
        return int(value) if value.isdecimal() else otherwise

    @property
    def score(self) -> tuple[str, int] | None:
        """The word before the score (``cp``, ``mate`` or none) and its number; None for no score or a bound of it."""
        values = self.values
        if "lowerbound" in values or "upperbound" in values:
            return None
        kind, value = "", values.get("score", "")
        if value in ("cp", "mate"):
            kind, value = value, values.get(value, "")
        try:
            return kind, int(value)
        except ValueError:
            return None


def read_information(line: str) -> Information:
    """Take a line apart that begins with ``info``."""
    words = line.split()
    play: list[str] = []
    if "pv" in words:
        at = words.index("pv")
        words, play = words[:at], words[at + 1 :]
    for last in ("string", "message"):
        if last in words:
            return Information({}, [], " ".join(line.split()[words.index(last) + 1 :]))
    return Information(dict(zip(words, [*words[1:], ""], strict=True)), play)
