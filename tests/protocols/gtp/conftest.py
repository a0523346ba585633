"""Drives a server as a client would, in one thread or as a process."""

import contextlib
import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from protocols.gtp.options import Options
from protocols.gtp.server import Server

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "protocols" / "programs" / "scripted_gtp.py"

_spec = importlib.util.spec_from_file_location("scripted_gtp", PROGRAM)
scripted_gtp = importlib.util.module_from_spec(_spec)
sys.modules["scripted_gtp"] = scripted_gtp
_spec.loader.exec_module(scripted_gtp)


class Client:
    """A client in the same process. Calling it sends a line and gives the reply without its empty line."""

    def __init__(self, *script, think=0.0, **options):
        self.player = scripted_gtp.ScriptedPlayer(script, think)
        self.server = Server(Options(**{"width": 9, "height": 9} | options), self.player)
        self.streamed = []
        self.server.attach(self.streamed.append)

    def raw(self, line):
        """Everything the line brings, streamed text included; None if nothing."""
        self.streamed.clear()
        self.server.notice(line)
        reply = self.server.handle(line)
        text = "".join(self.streamed) + (reply or "")
        return text or None

    def __call__(self, line):
        text = self.raw(line)
        assert text is not None and text.endswith("\n\n")
        return text[:-2]

    def ok(self, *lines):
        """Send lines that must all succeed; the text of the last reply."""
        text = ""
        for line in lines:
            text = self(line)
            assert text.startswith("= "), f"{line}: {text}"
        return text[2:]

    def error(self, line):
        """Send a line that must fail, changing nothing; the text of the error."""
        before = self.state()
        text = self(line)
        assert text.startswith("? "), f"{line}: {text}"
        assert self.state() == before
        return text[2:]

    def state(self):
        """All of the session that a command can change."""
        session = self.server.session
        game = session.game
        return (
            (game.width, game.height, game.board.stones(), game.moves, game.setup, game.handicap, game.to_move),
            (game.komi, game.rules, game.accept_ko, session.control, session.options),
            {color: (clock.control, clock.left, clock.stones) for color, clock in session.clocks.items()},
        )

    def during(self, line, action, after=0.1):
        """Send a line and, while it is being answered, do something; what the line brought."""
        timer = threading.Timer(after, action)
        timer.start()
        try:
            return self.raw(line)
        finally:
            timer.join()

    @property
    def game(self):
        return self.server.session.game


@pytest.fixture
def client():
    """Makes clients; ``client("D4", komi=5)`` has a player that plays D4 first."""
    made = []

    def make(*script, **options):
        made.append(Client(*script, **options))
        return made[-1]

    yield make
    for one in made:
        one.server.close()


@pytest.fixture
def process():
    """Starts the scripted server as a process."""
    children = []

    def start(*arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(PROGRAM), "--size", "9", *arguments]
        child = subprocess.Popen(command, env=environment, cwd=ROOT, **options)
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def read_reply(child):
    """One reply from a process: its lines up to the empty one, as text."""
    lines = []
    while True:
        line = child.stdout.readline().decode()
        assert line, f"the process ended after {lines}"
        if line == "\n":
            return "".join(lines).rstrip("\n")
        lines.append(line)


@pytest.fixture
def ask():
    """Sends a line to a process and reads the reply."""

    def send(child, line):
        child.stdin.write(line.encode() + b"\n")
        child.stdin.flush()
        return read_reply(child)

    return send
