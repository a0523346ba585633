"""A server for the tests of the loop: repeats lines, and can be told to be slow, to fail, to print and to end."""

import sys
import threading

from protocols import stdio
from protocols.log import SessionLog


class Echo:
    finished = False
    patient = False

    def __init__(self, write):
        self.write = write
        self.stopped = threading.Event()
        self.seen = 0

    def notice(self, line):
        self.seen += 1
        if line.strip() == "stop":
            self.stopped.set()

    def notice_end(self, why):
        if not self.patient:
            self.stopped.set()

    def handle(self, line):
        word = line.strip()
        if word == "wait":
            return f"waited {self.stopped.wait(20)}\n"
        if word == "busy":
            while True:
                pass
        if word == "fail":
            raise RuntimeError("asked to fail")
        if word == "print":
            print("noise")
        if word == "stream":
            for number in range(3):
                self.write(f"part {number}\n")
        if word == "quit":
            self.finished = True
        if word == "big":
            return "x" * 1_000_000 + "\n"
        return f"<{word}>\n"

    def refuse(self, head):
        return f"too long: {head[:5]}\n"

    def close(self):
        self.write("closed\n")


if __name__ == "__main__":
    encoding = sys.argv[1] if len(sys.argv) > 1 else "utf-8"
    log = SessionLog(sys.argv[2] if len(sys.argv) > 2 else None)
    sys.exit(stdio.serve(Echo, encoding=encoding, log=log))
