"""Our end of GTP when another program is the engine: commands out, replies in, whatever it chats in between.

Every command carries a number, so that a reply that comes late or twice is known for what it is. Engines that leave the
number out are answered for in order. Lines before a reply begins (banners, debug output, the empty line that michi
writes first) are skipped.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable

from protocols.programs.supervisor import EngineError, EngineHung, Talker

MAX_REPLY = 1 << 23
"""Characters a reply may have (8 MiB); of a longer one the rest is dropped. Streamed lines do not count."""

QUICK = 20.0
"""Seconds for an answer to a command that needs no thought. Playing a long game anew on a slow engine is the worst."""

_STATUS = re.compile(r"([=?])(\d*)(?:[ \t]+|$)(.*)")


class GtpFailure(EngineError):
    """The engine answered ``?``; the text is its own."""


class Reply:
    """A reply that may not be there yet. ``text`` has its lines without status and number; of a reply whose lines go to
    ``on_line``, the last one only, which is the move."""

    def __init__(self, number: int, command: str, on_line: Callable[[str], None] | None) -> None:
        self.number = number
        self.command = command
        self.on_line = on_line
        self.ok: bool | None = None
        self.lines: list[str] = []
        self.size = 0
        self.done = False

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines).strip()

    @property
    def name(self) -> str:
        """The command's name."""
        return self.command.split()[0]


class GtpClient(Talker):
    """Commands and replies. After ``start``, ``engine_name``, ``version`` and ``commands`` (those listed) are known."""

    def start(self) -> None:
        """The first words. Raises EngineError when the program does not answer in GTP."""
        self._number = 0
        self._waiting: deque[Reply] = deque()
        self._current: Reply | None = None
        self.commands: frozenset[str] = frozenset()
        self.engine_name = self.version = ""
        deadline = time.monotonic() + self.spec.start_time
        first = self.post("protocol_version")
        names = [self.post(command) for command in ("name", "version", "list_commands")]
        if not self.wait_for(lambda: first.done, deadline):
            raise EngineHung(
                f"{self.spec.title} did not answer in GTP within {self.spec.start_time:g} seconds; "
                "does its command line ask for GTP mode?"
            )
        texts = []
        for reply in names:
            if not self.wait_for(lambda reply=reply: reply.done, deadline):  # type: ignore[misc]
                raise EngineHung(f"{self.spec.title} did not answer '{reply.command}'")
            texts.append(reply.text if reply.ok else "")
        self.engine_name, self.version = texts[0] or self.spec.title, texts[1]
        self.commands = frozenset(line.split()[0] for line in texts[2].split("\n") if line.split())
        for name, value in self.spec.options.items():
            self._set_option(name, value)

    def _set_option(self, name: str, value: str) -> None:
        """An option is a command with its arguments, or a parameter of KataGo's or Leela Zero's."""
        if name in self.commands or not self.commands:
            text = f"{name} {value}"
        elif "kata-set-param" in self.commands:
            text = f"kata-set-param {name} {value}"
        elif "lz-setoption" in self.commands:
            text = f"lz-setoption name {name} value {value}"
        else:
            raise EngineError(f"{self.spec.title} has no command '{name}', so the option can't be set")
        try:
            self.ask(text.rstrip())
        except GtpFailure as error:
            raise EngineError(f"{self.spec.title} refuses the option '{text}': {error}") from None

    # ------------------------------------------------------------------ commands

    def has(self, name: str) -> bool:
        """Whether the engine lists the command. One that lists nothing has what the standard demands."""
        if not self.commands:
            return name in ("boardsize", "clear_board", "komi", "play", "genmove", "quit")
        return name in self.commands

    def first_of(self, *names: str) -> str | None:
        """The first of the commands that the engine lists."""
        return next((name for name in names if self.has(name)), None)

    def post(self, command: str, on_line: Callable[[str], None] | None = None) -> Reply:
        """Send a command and do not wait. ``on_line`` gets the reply's lines as they come, in the reading thread."""
        if not self._waiting:
            self.catch_up()
        with self.lock:
            self._number += 1
            reply = Reply(self._number, command, on_line)
            self._waiting.append(reply)
            self.send(f"{reply.number} {command}")
        return reply

    def wait(self, reply: Reply, seconds: float | None = QUICK) -> str:
        """The text of the reply. Raises GtpFailure for ``?``, EngineHung when it has not come after ``seconds``."""
        deadline = None if seconds is None else time.monotonic() + seconds
        if not self.wait_for(lambda: reply.done, deadline):
            raise EngineHung(f"{self.spec.title} did not answer '{reply.name}' within {seconds:g} seconds")
        if not reply.ok:
            raise GtpFailure(reply.text or "no reason given")
        return reply.text

    def ask(self, command: str, seconds: float | None = QUICK) -> str:
        """Send a command and wait; see ``wait``."""
        return self.wait(self.post(command), seconds)

    def forget(self, reply: Reply) -> None:
        """Nobody waits for this reply any more; when it comes it is dropped."""
        reply.on_line = None

    # ------------------------------------------------------------------ lines

    def receive(self, line: str) -> None:
        """A line from the engine."""
        line = line.replace("\r", "")
        listener = None
        with self.lock:
            current = self._current
            if current is None:
                self._begin(line)
            elif not line.strip():
                self._finish(current)
            elif self._is_next(line):
                # The empty line is missing: an engine that was interrupted, or one that counts badly.
                self._finish(current)
                self._begin(line)
            elif current.on_line is None or not current.ok:
                self._add(current, line)
            else:
                # Whoever takes the lines may be slow; nobody else has to wait for that.
                listener = current.on_line
                current.lines = [line]
        if listener is not None:
            listener(line)

    def _begin(self, line: str) -> None:
        match = _STATUS.match(line)
        if match is None and line[:1] in ("=", "?") and line[1:2].isalpha():
            match = _STATUS.match(f"{line[0]} {line[1:]}")  # the blank is missing
        if match is None:
            if line.strip():
                self.note(f"{self.spec.title} says: {line[:200]}")
            return
        status, number, text = match.groups()
        reply = self._expected(number)
        if reply is None:
            self.note(f"{self.spec.title}: a reply nobody waits for: {line[:200]}")
            reply = Reply(0, "nothing", None)  # its lines must go somewhere
        reply.ok = status == "="
        self._current = reply
        if text.strip():
            self._add(reply, text)
        self.wake()

    def _expected(self, number: str) -> Reply | None:
        """The command that a reply with this number answers; those sent before it will get none any more."""
        if not self._waiting:
            return None
        if number and not any(reply.number == int(number) for reply in self._waiting):
            return None
        while True:
            reply = self._waiting.popleft()
            if not number or reply.number == int(number):
                return reply
            reply.ok = False
            reply.lines = ["the engine answered a later command first"]
            reply.done = True

    def _is_next(self, line: str) -> bool:
        match = _STATUS.match(line)
        if match is None or not match.group(2):
            return False
        return any(reply.number == int(match.group(2)) for reply in self._waiting)

    def _add(self, reply: Reply, line: str) -> None:
        reply.size += len(line)
        if reply.size <= MAX_REPLY and reply.number:
            reply.lines.append(line)

    def _finish(self, reply: Reply) -> None:
        reply.done = True
        self._current = None
        self.wake()
