"""The root of all errors that qiqiao raises on purpose, and those that every game shares.

Each class is besides what Python programmers would catch there: a wrong value is a ``ValueError``, a player that fails
a ``RuntimeError``, a port that does an ``OSError``.

>>> from engines.go import Game
>>> try:
...     Game(9).play(-2)
... except QiqiaoError as error:
...     print(type(error).__name__)
IllegalMove
"""

from __future__ import annotations


class QiqiaoError(Exception):
    """Something that can't be done as asked; its text, for the user, says why."""


class IllegalMove(QiqiaoError, ValueError):
    """A move that the position or the rules in force don't allow. Nothing has changed.

    ``reason`` is a key where the game has some for what forbids a move (for Go ``engines.go.board.REASONS``), else "".
    """

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text)
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str]]:
        return type(self), (str(self), self.reason)
