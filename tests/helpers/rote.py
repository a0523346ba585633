"""A client without a process: answers come from a function, as if the engine were infinitely fast."""

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from protocols.programs.config import EngineConfig


def board(*moves):
    """The Xiangqi board after moves from the start, told as squares (``h2e2``)."""
    one = Board()
    for move in moves:
        one.play(next(m for m in one.legal_moves() if move_name(m) == move))
    return one


class Rote:
    """``client``: made of ``make``, its lines answered by ``answer(line)``, a list of lines. ``sent``: what it said."""

    def __init__(self, make, protocol, answer, **changes):
        self.sent = []
        self.notes = []
        self.reports = []
        self.messages = []
        self._answer = answer
        self.client = make(
            EngineConfig(protocol, "rote", **{"start_time": 1, "stop_time": 0.3, **changes}),
            self._take,
            self.notes.append,
        )
        if hasattr(self.client, "on_report"):
            self.client.on_report = self.reports.append
            self.client.on_message = self.messages.append

    def _take(self, *lines):
        for line in lines:
            self.sent.append(line)
            for one in self._answer(line):
                self.client.receive(one)

    def new(self):
        """What was said since the last look."""
        lines, self.sent[:] = list(self.sent), []
        return lines
