"""The form of the command table, and the errors a command may end with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engines.errors import QiqiaoError
from protocols.gtp.framing import Command

if TYPE_CHECKING:
    from protocols.gtp.session import Session


class GtpError(QiqiaoError):
    """A command fails: the text is the error message. Nothing has changed."""


class Streamed(str):
    """The end of a reply whose beginning has been written already; goes out as it is."""


Handler: TypeAlias = Callable[["Session", Command], str]
"""A command: does it and gives the text of the reply, or raises GtpError."""


class Entry(NamedTuple):
    """A row of the table: the function, the arguments in words, and one sentence about it."""

    handler: Handler
    arguments: str
    about: str


Table: TypeAlias = dict[str, Entry]
