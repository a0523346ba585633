"""An engine that misbehaves as told: ``torture.py PROTOCOL FAULT [--once FILE] [--token TEXT]``.

PROTOCOL is gtp, ucci, uci or cecp. The fault comes with the first request for a move (some come at the start or the
end; ``stall`` reads nothing more once it has moved, ``slow`` then reads each line half a second late); with
``--once`` only if FILE does not exist yet, which is then made: the engine that is started next is good. The token
does nothing: it shows in the list of processes. It knows no rules, only what to play in a game where both sides
follow its script.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

XIANGQI = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "g3g4", "c6c5", "b0c2", "h9h5"]
GO = ["E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5"]
ILLEGAL = {"gtp": "E5", "ucci": "a0a9", "uci": "a0a9", "cecp": "a0a9"}
CHATTER = {"gtp": "chatter", "ucci": "info message chatter", "uci": "info string chatter", "cecp": "# chatter"}
OPTIONS = {
    "ucci": "option usemillisec type check default false\noption hashsize type spin min 1 max 64 default 8\n"
    "option newgame type button\noption ponder type check default false\n",
    "uci": "option name Hash type spin default 8 min 1 max 64\noption name Ponder type check default false\n"
    "option name MultiPV type spin default 1 min 1 max 9\n",
}
LISTED = "protocol_version name version list_commands boardsize clear_board komi play undo genmove quit"


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def sleep():
    while True:
        time.sleep(1000)


class Engine:
    def __init__(self, arguments):
        self.protocol = arguments.protocol
        self.fault = arguments.fault
        self.once = arguments.once
        self.moves = 0
        self.thinking = False
        self.slow = False
        self.number = ""

    def faulty(self, *faults):
        if self.fault not in faults:
            return False
        if self.once:
            if Path(self.once).exists():
                return False
            Path(self.once).touch()
        return True

    # --- answers

    def script(self):
        table = GO if self.protocol == "gtp" else XIANGQI
        return table[self.moves % len(table)]

    def answer(self, move):
        self.thinking = False
        if self.protocol == "gtp":
            say(f"={self.number} {move}\n\n")
        else:
            say(f"{'move' if self.protocol == 'cecp' else 'bestmove'} {move}\n")
        if self.protocol in ("gtp", "cecp"):
            self.moves += 1
        if self.faulty("stall"):
            sleep()
        self.slow = self.fault == "slow"

    def asked(self):
        """A move is wanted."""
        move = self.script()
        self.thinking = True
        if self.faulty("hang", "noquit", "late"):
            return
        if self.faulty("deaf"):
            sleep()
        if self.faulty("flood"):
            while True:
                say(CHATTER[self.protocol] + "\n")
        if self.faulty("line"):
            while True:
                say("x" * 65536)
        if self.faulty("close"):
            os.close(1)
            sleep()
        if self.faulty("die"):
            say("bestmo" if self.protocol != "gtp" else "=")
            os._exit(3)
        if self.faulty("netless"):
            # Its handshake is faultless; it finds out when it has to think.
            sort = "string" if self.protocol == "uci" else "message"
            say(f"info {sort} thinking\ninfo {sort} CRITICAL ERROR: no net\ninfo {sort} CRITICAL ERROR: ending\n")
            os._exit(1)
        if self.faulty("crash"):
            print("assertion failed", file=sys.stderr)
            os.kill(os.getpid(), signal.SIGKILL)
        if self.faulty("forks"):
            # The children keep our output open, and live on when we are killed.
            for _ in range(2):
                subprocess.Popen([sys.executable, "-S", *sys.argv[:-1], "child", "--sleep"])
            os._exit(1)
        if self.faulty("illegal"):
            self.answer(ILLEGAL[self.protocol])
        elif self.faulty("rubbish"):
            self.answer("\x01rubbish")
        elif self.faulty("errors"):
            sys.stderr.write("trouble\n" * 300000)
            self.answer(move)
        elif self.faulty("twice"):
            number = self.number
            self.answer(move)
            say(f"={number} {move}\n\n" if self.protocol == "gtp" else f"bestmove {move}\n")
        elif self.faulty("resign"):
            self.answer("resign")
        elif self.fault != "wait":
            self.answer(move)

    def stopped(self):
        if self.thinking and self.fault == "late":
            time.sleep(0.15)
            self.answer(self.script())
        elif self.thinking and self.fault == "wait":
            self.answer(self.script())

    # --- protocols

    def take(self, line):
        if self.slow:
            time.sleep(0.5)
        return getattr(self, self.protocol)(line)

    def gtp(self, line):
        words = line.split()
        if not words or line.startswith("#"):
            return True
        self.number = words.pop(0) if words[0].isdigit() else ""
        command = words[0]
        texts = {"protocol_version": "2", "name": "torture", "version": "1", "list_commands": LISTED.replace(" ", "\n")}
        if command == "genmove":
            self.asked()
            return True
        if command == "play":
            self.moves += 1
        elif command == "undo":
            self.moves -= 1
        elif command == "clear_board":
            self.moves = 0
        say(f"={self.number} {texts.get(command, '')}\n\n")
        return command != "quit"

    def uci(self, line):
        words = line.split()
        command = words[0] if words else ""
        if command == self.protocol:
            say(f"banner\nid name torture\n{OPTIONS[self.protocol]}{command}ok\n")
        elif command == "isready":
            say("readyok\n")
        elif command == "position":
            self.moves = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif command == "go":
            self.asked()
        elif command == "stop":
            self.stopped()
        return command != "quit"

    ucci = uci

    def cecp(self, line):
        words = line.split()
        command = words[0] if words else ""
        if command == "protover":
            say('feature ping=1 setboard=1 usermove=1 variants="xiangqi" myname="torture" done=1\n')
        elif command == "ping":
            say(f"pong {words[1]}\n")
        elif command == "new":
            self.moves = 0
        elif command == "usermove":
            self.moves += 1
        elif command == "go":
            self.asked()
        elif command == "?":
            self.stopped()
        return command != "quit"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("protocol")
    parser.add_argument("fault", nargs="?", default="none")
    parser.add_argument("--once")
    parser.add_argument("--token")
    parser.add_argument("--sleep", action="store_true")
    arguments = parser.parse_args()
    if arguments.sleep:
        sleep()
    engine = Engine(arguments)
    if arguments.fault == "noquit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if engine.faulty("mute"):
        sleep()
    if engine.faulty("stillborn"):
        print("cannot find my data", file=sys.stderr)
        sys.exit(2)
    while line := sys.stdin.readline():
        if not engine.take(line) and arguments.fault != "noquit":
            return
    if arguments.fault == "noquit":
        sleep()


if __name__ == "__main__":
    main()
