"""GTP's framing: one line of input to a command, a result to a reply. No input or output happens here.

The order of the input steps is the protocol's own (GTP 2 draft 2, section 3.1): control characters go first, then the
comment, then TAB becomes a blank. Where the text is silent GNU Go decides: ``007`` is id 7, ``42name`` is id 42 with
the command ``name``, a negative id is no id, and a line with nothing but an id gets no reply.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# 0-31 and 127 without TAB and LF; CR is among them.
_CONTROL = {code: None for code in [*range(32), 127] if code not in (9, 10)}

_ID = re.compile(r" *([+-]?[0-9]+)")


class Command(NamedTuple):
    """One request.

    ``id`` is the digits to echo ("" when there was no id); they are kept as text, so that an id beyond 2³¹−1 comes
    back as it was sent. ``name`` is the command, in its own case. ``args`` are the blank-separated arguments,
    ``rest`` the same text unsplit, for commands that take free text or file names.
    """

    id: str
    name: str
    args: tuple[str, ...]
    rest: str


def clean(line: str) -> str:
    """The line as the protocol sees it: no control characters, no comment, blanks for tabs, none at either end."""
    return line.translate(_CONTROL).partition("#")[0].replace("\t", " ").replace("\n", " ").strip(" ")


def comment(line: str) -> str:
    """The text after the first ``#``, without blanks at its ends; "" when there is none."""
    return line.translate(_CONTROL).partition("#")[2].replace("\t", " ").strip(" \n")


def parse(line: str) -> Command | None:
    """The command in a line, or None when the line asks for no reply (blank, comment, id alone)."""
    text = clean(line)
    number = ""
    match = _ID.match(text)
    if match:
        digits = match.group(1).lstrip("+")
        if not digits.startswith("-"):
            number = digits.lstrip("0") or "0"
        text = text[match.end() :].lstrip(" ")
    if not text:
        return None
    name, _, rest = text.partition(" ")
    rest = rest.strip(" ")
    # Not split(): that would also split at the non-breaking and ideographic blanks of other languages.
    return Command(number, name, tuple(word for word in rest.split(" ") if word), rest)


def status(ok: bool, number: str = "") -> str:
    """The beginning of a reply: ``=`` or ``?`` and the id, nothing between and nothing after."""
    return ("=" if ok else "?") + number


def body(text: str) -> str:
    """Text made safe to stand inside a reply.

    A reply ends at its first empty line, and clients take a line that begins with ``=`` or ``?`` for a new one: so
    empty lines are dropped, and such a line (unless it is the first, which follows the status) is moved one blank to
    the right.
    """
    lines = [line.rstrip() for line in text.replace("\r", "").split("\n")]
    lines = [line for line in lines if line]
    if text.startswith("\n") and lines:
        # A diagram begins on a line of its own, below the status.
        lines.insert(0, "")
    return "\n".join(" " + line if i and line[0] in "=?" else line for i, line in enumerate(lines))


def reply(ok: bool, number: str = "", text: str = "") -> str:
    """A whole reply: status, id, one blank (also when no text follows), text, one empty line."""
    return f"{status(ok, number)} {body(text)}\n\n"
