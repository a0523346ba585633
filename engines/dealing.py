"""Dealing pieces face down: a fair shuffle, and a promise that a deal was not changed afterwards.

What is dealt is a text, one character a place; which places those are is the game's to say. Only a referee holds a
``Deal``: whoever plays gets a view that has no reference to it.

>>> deal = Deal.shuffled("KGMRNCP", seed=1)
>>> Deal("".join(deal.letters), deal.salt).commitment == deal.commitment
True
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

T = TypeVar("T")

SALT_BYTES = 16


def shuffle(items: Iterable[T], below: Callable[[int], int]) -> list[T]:
    """The items in a random order (Fisher and Yates); ``below(n)`` gives a number 0 … n - 1, each as likely."""
    dealt = list(items)
    for last in range(len(dealt) - 1, 0, -1):
        other = below(last + 1)
        dealt[last], dealt[other] = dealt[other], dealt[last]
    return dealt


def source(seed: int | str | None) -> Callable[[int], int]:
    """Random numbers below a bound: the operating system's, or the same ones again for the same seed."""
    return secrets.randbelow if seed is None else Random(seed).randrange


class Deal:
    """What lies where, as a text of one letter a place, with the salt that hides it in its commitment.

    The commitment (SHA-256 of the letters in ASCII followed by the salt's bytes, in hexadecimal) may be told before the
    game; letters and salt, told afterwards, let anybody check that it was this deal.
    """

    __slots__ = ("letters", "salt")

    def __init__(self, letters: str, salt: str | None = None) -> None:
        """``salt`` is hexadecimal text, made afresh where there is none. ValueError for another text."""
        self.letters = letters
        self.salt = secrets.token_hex(SALT_BYTES) if salt is None else salt.lower()
        try:
            bytes.fromhex(self.salt)
        except ValueError:
            raise ValueError(f"the salt of a deal is hexadecimal, and not {salt!r}") from None

    @classmethod
    def shuffled(cls, letters: Iterable[str], seed: int | str | None = None) -> Deal:
        """These letters in a random order; the same one, and the same salt, for the same seed."""
        below = source(seed)
        dealt = "".join(shuffle(letters, below))
        return cls(dealt, None if seed is None else bytes(below(256) for _ in range(SALT_BYTES)).hex())

    @property
    def commitment(self) -> str:
        """What can be told before the game without telling the deal."""
        return commitment(self.letters, self.salt)

    def __repr__(self) -> str:
        return "Deal(…)"  # a log or a traceback shows no hidden piece


def commitment(letters: str, salt: str) -> str:
    """The commitment to a deal with this salt (hexadecimal text)."""
    return hashlib.sha256(letters.encode("ascii") + bytes.fromhex(salt)).hexdigest()


def opens(promised: str, letters: str, salt: str) -> bool:
    """Whether a deal and a salt are what was promised; False for a salt that is no hexadecimal text, too."""
    try:
        return commitment(letters, salt) == promised.lower()
    except (UnicodeEncodeError, ValueError):
        return False
