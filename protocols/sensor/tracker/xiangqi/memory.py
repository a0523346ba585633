"""Which piece stands where, on a board that sees only that something does, or its colour.

Nothing is decided by it. It lets the words and leds that put a board right name the piece that belongs there, where
by the sensors any piece of the colour would do.
"""

from __future__ import annotations

from protocols.sensor.reading import EMPTY, FIRST, OCCUPIED, SECOND, Change


class PieceMemory:
    """Follows pieces through the hands: what is set down is what was lifted last, of those that it can be."""

    def __init__(self, letters: str) -> None:
        """``letters``: what stands on each point now, in Xiangqi's piece letters."""
        self._letters = list(letters)
        self._lifted: list[str] = []

    def know(self, letters: str) -> None:
        """The board is right, and so shows these pieces."""
        self._letters = list(letters)
        self._lifted.clear()

    def change(self, change: Change) -> None:
        """A point has changed."""
        point = change.point
        if change.before != EMPTY and self._letters[point] != EMPTY:
            self._lifted.append(self._letters[point])
        self._letters[point] = EMPTY if change.after == EMPTY else self._take(change.after)

    def turn(self) -> None:
        """The board is seen from its other side from now on."""
        self._letters.reverse()

    def _take(self, value: str) -> str:
        for number in range(len(self._lifted) - 1, -1, -1):
            if fits(self._lifted[number], value):
                return self._lifted.pop(number)
        return OCCUPIED

    def view(self, state: str) -> str:
        """The board's state with every piece that is known by its letter."""
        return "".join(
            [
                value if value == EMPTY else letter if fits(letter, value) else OCCUPIED
                for value, letter in zip(state, self._letters, strict=True)
            ]
        )


def fits(letter: str, value: str) -> bool:
    """Whether a piece could read like this."""
    if not letter.isalpha():
        return False
    return {OCCUPIED: True, FIRST: letter.isupper(), SECOND: letter.islower()}.get(value, letter == value)
