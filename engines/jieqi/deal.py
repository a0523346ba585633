"""The deal: what lies under every face-down point. Only the referee holds one.

It is drawn whole before the first move, from the operating system's generator or, with a seed, from a seeded one. A
referee may publish a *commitment* to it first, SHA-256 of the deal's text and a secret salt, and open both at the end;
then everybody can see that nothing was changed.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.errors import QiqiaoError
from engines.jieqi.forms import HOME, Form, form_of, home_color
from engines.xiangqi.geometry import PIECE_LETTERS, SIDE_NAMES, square_name

SALT_BYTES = 16


class DealError(QiqiaoError, ValueError):
    """A deal that the form doesn't allow; the text says why."""


@dataclass(frozen=True, repr=False)
class Deal:
    """The pieces that lie face down, by square (a0 = 0, rank · 9 + file): kind, plus 8 for Black.

    Its ``repr`` doesn't show them, so that no log does by accident.
    """

    form: str
    hidden: Mapping[int, int]

    def __repr__(self) -> str:
        return f"Deal({self.form!r}, …)"

    @classmethod
    def shuffled(cls, form: str, seed: int | str | None = None) -> Deal:
        """A deal at random: from a seed always the same, without one from the operating system's generator.

        Where the form lays pieces on their own points only, that is the deal.
        """
        table = form_of(form)
        source: random.Random = random.SystemRandom() if seed is None else random.Random(str(seed))
        hidden: dict[int, int] = {}
        for color in (0, 1):
            points = table.points(color)
            pieces = [HOME[square] + 8 * color for square in points]
            if table.layout != "open":
                shuffle(pieces, source)
            hidden.update(zip(points, pieces, strict=True))
        return cls(form, hidden)

    @classmethod
    def of(cls, form: str, red: str, black: str) -> Deal:
        """A deal from each side's pieces in the order of its face-down points, as letters of either case.

        ``DealError`` when they are not exactly the pieces of those points.
        """
        table = form_of(form)
        hidden: dict[int, int] = {}
        for color, letters in ((0, red), (1, black)):
            hidden.update(read_layout(table, color, letters))
        if table.layout == "open" and any(hidden[square] & 7 != HOME[square] for square in hidden):
            raise DealError(f"in {form} every piece lies on a point of its own kind")
        return cls(form, hidden)

    def with_layout(self, color: int, letters: str) -> Deal:
        """The same deal with one side's pieces laid anew. ``DealError`` when the letters are not just those pieces."""
        return Deal(self.form, {**self.hidden, **read_layout(form_of(self.form), color, letters)})

    def letters(self, color: int) -> str:
        """One side's pieces in the order of squares, in its own case: capitals for Red."""
        return "".join(
            PIECE_LETTERS[self.hidden[square]] for square in sorted(self.hidden) if home_color(square) == color
        )

    @property
    def text(self) -> str:
        """The deal as text, which ``read`` reads and a commitment is made to: form, Red's and Black's letters."""
        return f"{self.form} {self.letters(0) or '-'} {self.letters(1) or '-'}"

    @classmethod
    def read(cls, text: str) -> Deal:
        """The deal that ``text`` of a deal at the start tells. ``DealError`` for any other text."""
        words = text.split()
        if len(words) != 3:
            raise DealError(f"{text!r} is no deal: it has a form and the letters of both sides")
        return cls.of(words[0], *(word.replace("-", "") for word in words[1:]))

    def commit(self, salt: str | None = None) -> Commitment:
        """A commitment to this deal, with a salt from the operating system's generator if none is given."""
        salt = salt or secrets.token_hex(SALT_BYTES)
        return Commitment(digest_of(self.text, salt), salt)


@dataclass(frozen=True)
class Commitment:
    """``digest`` is published before the game, ``salt`` with the deal after it."""

    digest: str
    salt: str

    def __repr__(self) -> str:
        return f"Commitment({self.digest!r}, …)"

    def opens(self, text: str) -> bool:
        """Whether the text of a deal is the one committed to."""
        return opens(self.digest, text, self.salt)


def digest_of(text: str, salt: str) -> str:
    """SHA-256 of a deal's text followed by the salt, both as UTF-8, in hexadecimal."""
    return hashlib.sha256((text + salt).encode()).hexdigest()


def opens(digest: str, text: str, salt: str) -> bool:
    """Whether a published digest is that of this deal and salt."""
    return hmac.compare_digest(digest.lower(), digest_of(text, salt))


def shuffle(items: list[int], source: random.Random) -> None:
    """Shuffle in place (Fisher and Yates), each order as likely as any other."""
    for last in range(len(items) - 1, 0, -1):
        other = source.randrange(last + 1)
        items[last], items[other] = items[other], items[last]


def read_layout(form: Form, color: int, letters: str) -> dict[int, int]:
    """The pieces by square of one side's letters, in the order of its face-down points. ``DealError`` when it has other
    pieces than lie there."""
    points = form.points(color)
    wanted = sorted(PIECE_LETTERS[HOME[square]] for square in points)
    if sorted(letters.upper()) != wanted:
        raise DealError(
            f"{SIDE_NAMES[color]}'s pieces are {letters!r}; {form.name} lays {''.join(wanted)} in some order"
        )
    return {
        square: PIECE_LETTERS.index(letter) + 8 * color for square, letter in zip(points, letters.upper(), strict=True)
    }


def layout_order(form: Form, color: int) -> Sequence[str]:
    """The names of one side's face-down points in the order that layouts and deals give their pieces in."""
    return [square_name(square) for square in form.points(color)]
