"""A game record of Xiangqi as a value: tags and a tree of moves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from engines.errors import QiqiaoError
from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Red won, Black won, drawn, unknown or unfinished."""

MAX_DEPTH = 500
"""How deep variations may lie in one another where they are read or written."""

_TAKEN_BACK = "taken back 悔棋"
"""The comment of a move after which the game was gone back before."""

_WORDS = {
    "1-0": "红胜 紅勝 红方胜 紅方勝 红先胜 紅先勝 红棋胜 紅棋勝 先胜 先勝 黑负 黑負"
    " redwins redwin redwon whitewins whitewin whitewon blackresigns blackresigned",
    "0-1": "黑胜 黑勝 黑方胜 黑方勝 黑棋胜 黑棋勝 后胜 後勝 红负 紅負 先负 先負 红先负 紅先負"
    " blackwins blackwin blackwon redresigns redresigned whiteresigns whiteresigned",
    "1/2-1/2": "和 和棋 和局 先和 红先和 紅先和 双和 雙和 平局 draw drawn 1/2 0.5-0.5 =-=",
    "*": "未完 未知 不详 不詳 未结束 未結束 unknown 绝杀 絕殺 将死 將死 困毙 困斃 完 本局完 终局 終局",
}
_DRAWN = re.compile(r"(?:双方|雙方)?(?:同意|议|議|握手言|作|判|不变作|不變作)(?:和棋|和局|和)")
_WON = re.compile(r"(?:中局|中盘|中盤)?(?:获|獲)?(?:胜|勝|赢|贏)(?:定|棋)?|wins?|won")
_LOST = re.compile(
    r"(?:(?:投子|中局|中盘|中盤)?(?:认|認)(?:输|輸|负|負)|(?:超时|超時|弃权|棄權|犯规|犯規)(?:判?(?:负|負))?|(?:被)?(?:将死|將死|困毙|困斃|绝杀|絕殺)"
    r"|负|負|输|輸|败|敗)|resign(?:s|ed)|los(?:es|t)(?:ontime)?|timeout"
)
_SIDE = re.compile(r"(?:(红|紅|red|white)|黑|black)(?:方|棋|先)?")
_MEANT = {word: result for result, words in _WORDS.items() for word in (result, *words.split())}
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212:"), "-") | {0x2044: "/", ord("。"): None}


def read_result(text: str) -> str | None:
    """The one of ``RESULTS`` that a word for a result means (``红胜``, ``½–½``, ``Red wins``); ``None`` for others."""
    if len(text) > 40:
        return None
    plain = "".join(unicodedata.normalize("NFKC", text).lower().split()).translate(_DASHES).rstrip(".!")
    if plain in _MEANT or not plain or plain[0] in "01":
        return _MEANT.get(plain)
    if _DRAWN.fullmatch(plain):
        return "1/2-1/2"
    side = _SIDE.match(plain)
    if side is None:
        return None
    rest = plain[side.end() :]
    if not _WON.fullmatch(rest) and not _LOST.fullmatch(rest):
        return None
    return "1-0" if bool(side[1]) == bool(_WON.fullmatch(rest)) else "0-1"


class RecordError(QiqiaoError, ValueError):
    """A record that can't be read on; ``records`` has what was read, the last one up to the fault."""

    def __init__(self, reason: str, records: list[Record]) -> None:
        super().__init__(reason)
        self.records = records


@dataclass(eq=False)
class Node:
    """A move with what is said of it and what follows.

    ``marks`` are ``!``, ``?`` and ``$n`` as written. ``lines`` are the continuations, the main one first. The root of a
    game has no move (0); its comment stands before the first one.
    """

    move: int = 0
    comment: str = ""
    marks: list[str] = field(default_factory=list)
    lines: list[Node] = field(default_factory=list)

    def add(self, move: int) -> Node:
        """The continuation with this move: one that is there, or a new last one."""
        for line in self.lines:
            if line.move == move:
                return line
        self.lines.append(Node(move))
        return self.lines[-1]

    def __eq__(self, other: object) -> bool:
        """Whether all is the same from here on. However long the lines are, that costs no stack."""
        if not isinstance(other, Node):
            return NotImplemented
        waiting = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if (one.move, one.comment, one.marks, len(one.lines)) != (two.move, two.comment, two.marks, len(two.lines)):
                return False
            waiting += zip(one.lines, two.lines, strict=True)
        return True

    __hash__ = None  # type: ignore[assignment]

    def say(self, comment: str) -> None:
        """Add to the comment."""
        self.comment = f"{self.comment}\n{comment.strip()}".strip()

    @property
    def taken_back(self) -> bool:
        """Whether the move is marked as one that was taken back."""
        return _TAKEN_BACK in self.comment.split("\n")

    @taken_back.setter
    def taken_back(self, marked: bool) -> None:
        kept = [line for line in self.comment.split("\n") if line != _TAKEN_BACK]
        self.comment = "\n".join([*kept, _TAKEN_BACK] if marked else kept).strip()


@dataclass
class Record:
    """One game: tags and a tree of moves.

    ``fault`` says why the text could not be read on, "" for a game that was read whole; ``notes`` what else was odd in
    it; ``encoding`` what its bytes were taken for where that was a guess. None is part of the game: records that differ
    in them alone are equal.
    """

    tags: dict[str, str] = field(default_factory=dict)
    root: Node = field(default_factory=Node)
    fault: str = field(default="", compare=False)
    notes: list[str] = field(default_factory=list, compare=False)
    encoding: str = field(default="", compare=False)

    @property
    def fen(self) -> str:
        """The position it begins from."""
        return self.tags.get("FEN") or START_FEN

    @property
    def result(self) -> str:
        """One of ``RESULTS``, whatever words the tag has for it."""
        return read_result(self.tags.get("Result", "")) or "*"

    def main_line(self) -> Iterator[Node]:
        """The nodes of the main line, without the root."""
        node = self.root
        while node.lines:
            node = node.lines[0]
            yield node

    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [node.move for node in self.main_line()]

    def standing(self) -> list[int]:
        """The moves of the main line as far as none was taken back."""
        return [node.move for node in takewhile(lambda node: not node.taken_back, self.main_line())]

    def board(self) -> Board:
        """The position at the end of the main line, with its history."""
        board = Board(self.fen, strict=False)
        for move in self.moves():
            board.play(move)
        return board

    def follow(self, moves: Iterable[int]) -> None:
        """Make these moves, from the start, the main line; what was there and differs stays as a variation.

        Where they end before the main line does, that goes on, marked as taken back.
        """
        node = self.root
        for move in moves:
            line = node.add(move)
            node.lines.remove(line)
            node.lines.insert(0, line)
            node = line
            line.taken_back = False
        if node.lines:
            node.lines[0].taken_back = True
