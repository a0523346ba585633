"""The commands of MGTP and their numbers, and a request's line taken apart.

A request is ``ID NAME ARGUMENTS``. To programs of the tournaments the ID is the command's number, to people who know
GTP it is any number or missing: the name decides, and where there is none the number does. Numbers from 100 on are
ours, for what the protocol has no words for.
"""

from __future__ import annotations

from typing import NamedTuple

NUMBERS = {
    "protocol_version": 0,
    "name": 1,
    "version": 2,
    "known_command": 3,
    "list_commands": 4,
    "quit": 5,
    "boardsize": 6,
    "reset_board": 7,
    "num_repetition": 8,
    "num_moves_to_draw": 9,
    "move": 10,
    "flip": 11,
    "genmove": 12,
    "game_over": 13,
    "ready": 14,
    "time_settings": 15,
    "time_left": 16,
    "showboard": 17,
    "init_board": 18,
    "rules": 100,
    "place": 101,
    "end": 102,
    "sides": 103,
}
"""The commands with their numbers."""

NAMES = {number: name for name, number in NUMBERS.items()}

VERSION = "1.1.0"
"""The version of the protocol."""


class Request(NamedTuple):
    """A request: ``ident`` as it is to be given back ("" for none), the command's name ("" for a line that names none
    there is), its arguments."""

    ident: str
    name: str
    arguments: list[str]


def read_request(line: str) -> Request | None:
    """A line as a request; None for an empty one.

    >>> read_request("12 genmove red")
    Request(ident='12', name='genmove', arguments=['red'])
    >>> read_request("name").ident
    ''
    >>> read_request("5").name
    'quit'
    """
    words = line.split()
    if not words:
        return None
    ident = ""
    if words[0].isascii() and words[0].isdigit():
        ident = words.pop(0)[:20]
        if not words:
            return Request(ident, NAMES.get(int(ident), ""), [])
    name = words[0] if words[0] in NUMBERS else ""
    return Request(ident, name, words[1:] if name else words)
