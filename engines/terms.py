"""Words of a game in both Chinese scripts and in English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["zh-Hans", "zh-Hant", "en"]

LANGUAGES: tuple[Language, ...] = ("zh-Hans", "zh-Hant", "en")


@dataclass(frozen=True)
class Term:
    """One word: in simplified and in traditional Chinese, and what English has for it."""

    simplified: str
    traditional: str
    english: str

    def text(self, language: Language) -> str:
        """The word in a language."""
        return {"zh-Hans": self.simplified, "zh-Hant": self.traditional, "en": self.english}[language]


def table(text: str) -> dict[str, Term]:
    """Terms by their simplified form, from lines of simplified, traditional and English."""
    found = {}
    for line in text.split("\n"):
        if line.strip():
            simplified, traditional, english = line.split(None, 2)
            found[simplified] = Term(simplified, traditional, english.strip())
    return found
