"""The referee at a sensor board: the tournament articles as a table, and who has been warned how often.

*Friendly*: nothing is held against anybody; the tracker explains and helps. *Strict*: the articles below apply, and
every application is an event for the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mode = Literal["friendly", "strict"]


Consequence = Literal[
    "note",  # recorded, nothing else
    "restore",  # the board is put back as it was
    "warning",  # put back, and counted against the player
    "void",  # the move does not count and the turn is lost (a pass)
    "refused",  # as if it had not been said
    "loss",  # the game is lost
]


@dataclass(frozen=True)
class Article:
    """One article: what it is about (``offence``), what follows, where it stands, and what players are told.

    ``simplified`` and ``traditional`` are the Chinese words for it.
    """

    offence: str
    game: str
    consequence: Consequence
    source: str
    text: str
    simplified: str
    traditional: str


_GO = "Chinese rules of Go (围棋竞赛规则), tournament articles, no. "
_XIANGQI = "Rules of Xiangqi competitions (象棋竞赛规则), "

ARTICLES: tuple[Article, ...] = (
    Article(
        "two-moves", "go", "loss", _GO + "1", "two moves in a row lose the game", "连下两手，判负", "連下兩手，判負"
    ),
    Article(
        "moved-stone",
        "go",
        "warning",
        _GO + "2",
        "a stone that was placed and played elsewhere goes back",
        "落子后移子，放回，警告",
        "落子後移子，放回，警告",
    ),
    Article(
        "displaced",
        "go",
        "restore",
        _GO + "3",
        "displaced stones go back where they were",
        "棋子移位，恢复原状",
        "棋子移位，恢復原狀",
    ),
    Article(
        "disturbed",
        "go",
        "restore",
        _GO + "4",
        "a disturbed board is rebuilt from the record",
        "棋局搅乱，按记录恢复",
        "棋局攪亂，按記錄恢復",
    ),
    Article(
        "took-living",
        "go",
        "warning",
        _GO + "5",
        "stones that still have liberties go back",
        "误提有气之子，放回，警告",
        "誤提有氣之子，放回，警告",
    ),
    Article(
        "forbidden-point",
        "go",
        "void",
        _GO + "6",
        "a stone on a forbidden point is void and counts as a pass",
        "着于禁着点，无效，作弃权一着",
        "著於禁著點，無效，作棄權一著",
    ),
    Article(
        "ko",
        "go",
        "void",
        _GO + "7",
        "taking a ko back at once is void and counts as a pass",
        "立即提回劫，无效，作弃权一着",
        "立即提回劫，無效，作棄權一著",
    ),
    Article(
        "touched",
        "xiangqi",
        "warning",
        _XIANGQI + "touched piece moves (摸子走子)",
        "the piece that was touched must move",
        "摸子须走",
        "摸子須走",
    ),
    Article(
        "second-thoughts",
        "xiangqi",
        "warning",
        _XIANGQI + "a move stands once the hand is off (落子无悔)",
        "the move stands; it is put back as it was made",
        "落子无悔",
        "落子無悔",
    ),
    Article(
        "illegal",
        "xiangqi",
        "warning",
        _XIANGQI + "an illegal move is put back and counts as a violation (违例)",
        "an illegal move is put back",
        "走子违例，放回",
        "走子違例，放回",
    ),
    Article(
        "draw-again",
        "xiangqi",
        "refused",
        _XIANGQI + "draw offers alternate (提和须轮流)",
        "whose offer was refused may not offer again before the other has",
        "提和须轮流",
        "提和須輪流",
    ),
)
"""What the strict referee applies. Article 8 of Go and the third violation of Xiangqi are ``WARNINGS_LOSE``; article 9
(how to resign, how to agree on the end) are gestures and confirmations; article 10 (showing an absent player the
move) is the led that stays lit until the move stands on the board.
"""

WARNINGS_LOSE: dict[str, tuple[int, str]] = {
    "go": (2, _GO + "8"),
    "xiangqi": (3, _XIANGQI + "the third violation in a game loses (三次违例判负)"),
}
"""How many warnings lose the game, and where that is written."""

_BY_OFFENCE = {(article.game, article.offence): article for article in ARTICLES}


@dataclass(frozen=True)
class Verdict:
    """What an article led to: ``warnings`` of the colour so far, and whether it has lost by it."""

    article: Article
    color: int
    warnings: int
    lost: bool

    @property
    def text(self) -> str:
        """For the players and the record."""
        words = f"{self.article.text} ({self.article.simplified}/{self.article.traditional})"
        if self.article.consequence == "warning":
            words += f"; warning {self.warnings} of {WARNINGS_LOSE[self.article.game][0]}"
        return words + ("; the game is lost" if self.lost else "")


class Arbiter:
    """Applies the articles of one game and counts warnings."""

    def __init__(self, game: str, mode: Mode = "friendly") -> None:
        self.game = game
        self.mode = mode
        self.new_game()

    @property
    def strict(self) -> bool:
        return self.mode == "strict"

    def new_game(self) -> None:
        """No warnings, no offers, nothing lost by them."""
        self.warnings: dict[int, int] = {}
        self.lost: set[int] = set()
        self._offerer: int | None = None

    def judge(self, offence: str, color: int) -> Verdict | None:
        """Apply the article on an offence; None where the referee is friendly or has no article on it."""
        article = _BY_OFFENCE.get((self.game, offence))
        if not self.strict or article is None:
            return None
        count = self.warnings.get(color, 0)
        if article.consequence == "warning":
            count += 1
            self.warnings[color] = count
        lost = article.consequence == "loss" or (
            article.consequence == "warning" and count >= WARNINGS_LOSE[self.game][0]
        )
        if lost:
            self.lost.add(color)
        return Verdict(article, color, count, lost)

    def offer_draw(self, color: int) -> bool:
        """Whether this colour may offer a draw now; if so, it has."""
        if self.strict and self._offerer == color:
            return False
        self._offerer = color
        return True
