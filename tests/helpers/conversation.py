"""Golden sessions: text files that say what a client sends and what it must get.

Lines of such a file: ``> text`` is sent (``\\r`` and ``\\t`` as in Python); ``< pattern`` must come next, where ``*``
is any text, what stands in square brackets may be missing, ``MOVE`` is a move with ranks 0-9 and ``MOVE10`` one with
ranks 1-10; ``< ...`` lets any lines pass until the next pattern fits; ``<!`` means that nothing comes; ``wait N``
waits milliseconds; ``#`` begins a comment. At the end nothing may be left.
"""

import queue
import re
import time
from pathlib import Path

TIMEOUT = 30.0

_WORDS = {
    r"\*": ".*",
    r"\[": "(?:",
    r"\]": ")?",
    "MOVE10": r"[a-i](?:10|[1-9])[a-i](?:10|[1-9])",
    "MOVE": r"[a-i][0-9][a-i][0-9]",
}


def pattern(text):
    """The compiled form of a pattern."""
    text = re.escape(text)
    for word, expression in _WORDS.items():
        text = text.replace(word if word.startswith("\\") else re.escape(word), expression)
    return re.compile(text)


class Conversation:
    """The client's end of a server object."""

    def __init__(self, server):
        self._lines = queue.Queue()
        self._rest = ""
        self.server = server
        server.attach(self._write)

    def _write(self, text):
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._lines.put(line)

    def send(self, line):
        """Hand a line over as the loop would."""
        self.server.notice(line)
        answer = self.server.handle(line)
        if answer:
            self._write(answer)

    def line(self, timeout=TIMEOUT):
        """The next line, ``None`` when none comes in time."""
        try:
            return self._lines.get(timeout=timeout)
        except queue.Empty:
            return None

    def until(self, start):
        """The lines up to the first that begins with ``start``."""
        lines = []
        while True:
            line = self.line()
            assert line is not None, f"no line beginning with {start!r} after {lines[-3:]}"
            lines.append(line)
            if line.startswith(start):
                return lines

    def ask(self, line, start):
        """Send a line and give the answer's lines up to the one that begins with ``start``."""
        self.send(line)
        return self.until(start)

    def silent(self, seconds=0.05):
        """Whether nothing more comes."""
        return self.line(seconds) is None


def play(path: Path, server) -> None:
    """Go through a session file; ``AssertionError`` names the line that did not fit."""
    talk = Conversation(server)
    anything = False
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}:{number}: {text}"
        if not text or text.startswith("#"):
            continue
        if text.startswith("> "):
            assert not anything, f"{where}: '...' must be followed by a pattern"
            talk.send(text[2:].replace("\\r", "\r").replace("\\t", "\t"))
        elif text == "< ...":
            anything = True
        elif text == "<!":
            extra = talk.line(0.05)
            assert extra is None, f"{where}: but there came {extra!r}"
        elif text.startswith("< ") or text == "<":
            expected = pattern(text[2:])
            while True:
                line = talk.line()
                assert line is not None, f"{where}: nothing came"
                if expected.fullmatch(line):
                    break
                assert anything, f"{where}: there came {line!r}"
            anything = False
        elif text.startswith("wait "):
            time.sleep(int(text[5:]) / 1000)
        else:
            raise AssertionError(f"{where}: not understood")
    if not server.finished:
        talk.send("quit")
        line = talk.line(0.05)
        while line is not None and line.startswith(("info", "bestmove", "nobestmove", "bye")):
            line = talk.line(0.05)
        assert line is None, f"{path.name}: at the end there came {line!r}"
