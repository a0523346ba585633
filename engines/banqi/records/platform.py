"""Records of the Taiwanese banqi platform (TCGA), as its referee writes them.

    INITIAL
    * 1:19pm Jan 8, 2022
    * ann vs bob
    * 1 2 2 2 2 2 5 1 2 2 2 2 2 5
    * X X X X                                  (eight lines, rank 8 first)
    * first 0
    * time 900
    * 1. d1(R) d2(P)
    * 2. c2(G) c4(p)
    * NoMove bob Wins 0.000000,1.000000

The third line counts the pieces of each kind, Black's first. What comes behind, a program's own talk, is skipped. Such
a record has no deal beyond what was turned up, and its rules are ``taiwan``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engines.banqi.fen import square_name
from engines.banqi.game import Game
from engines.banqi.records.own import Record, RecordError
from engines.banqi.referee import Referee

WORDS = {
    "NoMove": "no-pieces",
    "NoEatFlipDraw": "no-progress",
    "NoEatFlip": "no-progress",
    "PositionRepetitionDraw": "repetition",
    "LongCatch": "repetition",
    "Resign": "resignation",
    "TimeOut": "time",
    "IllegalMove": "forfeit",
}
"""The platform's words for an end. It has one for a side without pieces and one without a move."""

_TELLS = {
    "no-pieces": "NoMove",
    "no-move": "NoMove",
    "no-progress": "NoEatFlipDraw",
    "resignation": "Resign",
    "time": "TimeOut",
    "forfeit": "IllegalMove",
    "agreement": "NoEatFlipDraw",
}
_END = re.compile(r"(\w+?)(?:[,(\s]+\d+[,-]\s*(\d+)\)?)?\s+(.*?)\s*(Wins|Draw)\s+([\d.]+)\s*[,/]\s*([\d.]+)", re.ASCII)
_BARE = re.compile(r"(" + "|".join(WORDS) + r")(?:\s*[,(]\s*\d+\s*[,-]\s*(\d+)\s*\)?)?", re.ASCII)
_NUMBER = re.compile(r"(\d+)\.\s*(.*)", re.ASCII)


@dataclass
class PlatformRecord:
    """What such a record says. ``seconds`` are each side's for the game, 0 where it says none; ``cycle`` is the length
    of the cycle that ended it; ``word`` the platform's word for the end, "" without one."""

    date: str = ""
    players: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    first: int = 0
    seconds: int = 0
    word: str = ""
    cycle: int = 0
    winner: int | None = None

    @property
    def deal(self) -> str:
        """The piece of each square from a1 as far as it was turned up, else ``?``."""
        shown = {move[:2]: move[3] for move in self.moves if len(move) == 5 and move[2] == "("}
        return "".join(shown.get(square_name(square), "?") for square in range(32))

    def game(self) -> Game:
        """The game, played through. ``RecordError`` where it can't be."""
        try:
            game = Game(deal=self.deal)
            for move in self.moves:
                game.play_text(move)
        except ValueError as error:
            raise RecordError(str(error)) from None
        return game

    def record(self) -> Record:
        """The same as a record of our own. ``RecordError`` where it can't be played."""
        self.game()
        record = Record("banqi", {"rules": "taiwan"}, players=list(self.players), moves=list(self.moves))
        record.deal = self.deal
        if self.date:
            record.tags["Date"] = self.date
        if self.word:
            record.reason, record.winner = WORDS[self.word], self.winner
            record.scores = [0.5, 0.5] if self.winner is None else [1.0 - self.winner, float(self.winner)]
        return record


def read_platform(text: str) -> PlatformRecord:
    """Read such a record. ``RecordError`` for another text; its moves are not tested."""
    record = PlatformRecord()
    heading = True
    for line in text.splitlines():
        if line.strip().startswith("###"):
            break
        if not line.lstrip().startswith("*"):
            continue
        words = line.strip().lstrip("*").strip()
        numbered = _NUMBER.fullmatch(words)
        if numbered:
            heading = False
            record.moves += [move for move in numbered[2].split() if not _ends(move, record)]
        elif heading and " vs " in words:
            record.players = [name.strip() for name in words.split(" vs ", 1)]
        elif heading and words.startswith("first "):
            record.first = 1 if words.split()[1:] == ["1"] else 0
        elif heading and words.startswith("time "):
            record.seconds = int(words.split()[1]) if words.split()[1].isdigit() else 0
        elif heading and re.search(r"\d:\d", words):
            record.date = words
        elif not heading and not words.startswith("Comment"):
            _end(words, record)
    if not record.moves:
        raise RecordError("there are no moves of the platform's in it")
    return record


def _ends(word: str, record: PlatformRecord) -> bool:
    """Whether a word among the moves is the end, and note it."""
    found = _BARE.fullmatch(word)
    if found:
        record.word, record.cycle = found[1], int(found[2] or 0)
    return found is not None


def _end(words: str, record: PlatformRecord) -> None:
    found = _END.match(words)
    if found and found[1] in WORDS:
        record.word, record.cycle = found[1], int(found[2] or 0)
        scores = float(found[5]), float(found[6])
        record.winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
        return
    bare = _BARE.match(words)
    if bare:
        record.word, record.cycle = bare[1], int(bare[2] or 0)


def write_platform(game: Referee, players: tuple[str, str] = ("ann", "bob"), date: str = "", seconds: int = 0) -> str:
    """A game as such a record. ValueError for one that the platform can't have: another game, set-up or rules."""
    if game.name != "banqi" or game.options["rules"] != "taiwan" or game.board.start.split()[1] != "-":
        raise ValueError("the platform has banqi by Taiwan rules from the start, and nothing else")
    lines = ["INITIAL", f"* {date}".rstrip(), f"* {players[0]} vs {players[1]}", "* 1 2 2 2 2 2 5 1 2 2 2 2 2 5"]
    lines += ["* X X X X"] * 8 + ["* first 0", f"* time {seconds}"]
    moves = game.moves
    lines += [f"* {number // 2 + 1}. {' '.join(moves[number : number + 2])}" for number in range(0, len(moves), 2)]
    result = game.result
    if result is not None:
        cycle = game.board.repeated() if result.reason == "repetition" else 0
        word = f"PositionRepetitionDraw,3,{cycle or 4}" if result.reason == "repetition" else _TELLS[result.reason]
        name = f"{players[0]} Draw" if result.winner is None else f"{players[result.winner]} Wins"
        lines.append(f"* {word} {name} {result.scores[0]:.6f},{result.scores[1]:.6f}")
    return "\n".join(lines) + "\n"
