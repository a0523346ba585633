"""Life, death and seki by reading: the boards of fates.txt, and what the search and the count make of them."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from exhaust import Exhaust

from engines.go.fates import Fates, seki_stones
from engines.go.game import Game
from engines.go.life import unconditional_life
from engines.go.points import BLACK, EMPTY, PASS, WHITE, parse_diagram
from engines.go.rules import PRESETS, preset
from engines.go.scoring import score
from engines.go.search import SearchPlayer
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits

DATA = Path(__file__).resolve().parents[2] / "data" / "go" / "fates.txt"
TAXES = ("none", "seki", "all")


@dataclass
class Board:
    """One position of fates.txt."""

    name: str
    width: int = 0
    height: int = 0
    stones: bytes = b""
    dead: frozenset[int] = frozenset()
    seki: frozenset[int] = frozenset()
    ko: int = EMPTY
    results: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def open(self) -> list[int]:
        """The points whose fate is not certain."""
        sure: set[int] = set()
        for color in (BLACK, WHITE):
            life = unconditional_life(self.width, self.height, self.stones, color)
            sure |= life.stones | life.territory
        return [point for point in range(self.width * self.height) if point not in sure]

    @property
    def verdict(self) -> int:
        """Black's stones less White's, each dead one counted for the other side."""
        signs = ((1 if s == BLACK else -1) * (-1 if p in self.dead else 1) for p, s in enumerate(self.stones) if s)
        return sum(signs)

    def turned(self) -> "Board":
        """The same with the colours the other way round, mirrored."""
        place = [p // self.width * self.width + self.width - 1 - p % self.width for p in range(len(self.stones))]
        stones = bytes(3 - self.stones[p] if self.stones[p] else EMPTY for p in place)
        results = {key: text.translate({66: "W", 87: "B"}) for key, text in self.results.items()}
        dead, seki = (frozenset(place[p] for p in points) for points in (self.dead, self.seki))
        ko = 3 - self.ko if self.ko else EMPTY
        return Board(self.name, self.width, self.height, stones, dead, seki, ko, results)


def read_boards():
    for block in DATA.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = block.strip().splitlines()
        facts = {words[0]: words[1:] for words in map(str.split, lines) if words[0].islower()}
        board = Board(name, *parse_diagram("\n".join(line for line in lines if not line[0].islower())))
        board.dead, board.seki = (
            frozenset(parse_vertex(text, board.width, board.height) for text in facts.get(key, ()))
            for key in ("dead", "seki")
        )
        board.ko = {"black": BLACK, "white": WHITE}[facts["ko"][0]] if "ko" in facts else EMPTY
        for scoring in ("area", "territory"):
            board.results |= {(scoring, tax): text for tax, text in zip(TAXES, facts[scoring], strict=True)}
        yield board


BOARDS = list(read_boards())
both_colors = pytest.mark.parametrize("turn", [False, True], ids=["", "turned"])
every_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)


def test_there_are_many():
    assert len({board.name for board in BOARDS}) == len(BOARDS) >= 80
    assert sum(bool(board.seki) for board in BOARDS) >= 40
    assert sum(bool(board.dead) for board in BOARDS) >= 30


@every_board
def test_it_is_so_whatever_is_played(board):
    for taker in (board.ko,) if board.ko else (EMPTY, BLACK, WHITE):
        everything = Exhaust(board.width, board.height, board.stones, board.open, taker)
        for first in (BLACK, WHITE):
            assert everything.reaches(first, board.verdict)
            assert not everything.reaches(first, board.verdict + 1)


@every_board
@both_colors
@pytest.mark.compiled
def test_read(board, turn):
    board = board.turned() if turn else board
    read = Fates().read(board.width, board.height, board.stones)
    dead = frozenset().union(*(fate.dead for fate in read))
    assert dead == board.dead - life_certain(board)
    living = bytes(EMPTY if p in board.dead else s for p, s in enumerate(board.stones))
    assert seki_stones(Fates(), board.width, board.height, living) == board.seki


def life_certain(board):
    """Dead stones that need no reading."""
    return frozenset().union(
        *(unconditional_life(board.width, board.height, board.stones, color).territory for color in (BLACK, WHITE))
    )


@pytest.mark.compiled
@every_board
@both_colors
def test_judged_and_counted_under_every_rule_set(board, turn):
    board = board.turned() if turn else board
    game = Game(board.width, board.height, komi=0)
    game.set_position(board.stones)
    dead = SearchPlayer().judge(game).dead
    assert dead == board.dead
    for name in PRESETS:
        rules = preset(name)
        if rules.removes_dead:
            counted = score(board.width, board.height, board.stones, rules, komi=0, dead=dead)
            assert counted.text == board.results[rules.scoring, rules.tax], name


@pytest.mark.compiled
@pytest.mark.parametrize("board", [board for board in BOARDS if board.seki], ids=lambda board: board.name)
@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
def test_the_search_leaves_a_seki_alone(board, rules):
    for color in (BLACK, WHITE):
        game = Game(board.width, board.height, preset(rules), komi=0.5)
        game.set_position(board.stones, color)
        choice = SearchPlayer(seed=1, resign=0).choose(game, color, Limits(nodes=60))
        if choice.action == "move":
            game.play_as(color, choice.move)
            after = Exhaust(board.width, board.height, game.board.stones(), board.open)
            after.counted = sum(1 << p for p, stone in enumerate(board.stones) if stone)
            kept = after.reaches(3 - color, board.verdict + (color == WHITE))
            assert kept == (color == BLACK), format_vertex(choice.move, board.width, board.height)


# ---------------------------------------------------------------------- where a shared liberty must be filled

SHARED = """
X.OX.X...
X.OXXXXXX
XXOX.X...
{}XXXXXXX
OOOOOOOOO
.O.O.O.O.
OOOOOOOOO
..O...O..
OOOOOOOOO
"""


def test_an_outer_liberty_lets_one_side_win():
    """Black has a liberty outside: whoever is first, White first has to take it."""
    width, height, stones = parse_diagram(SHARED.format("O."))
    fate = max(Fates().read(width, height, stones), key=lambda fate: len(fate.corner.empty))
    assert not fate.stable
    assert not fate.dead
    assert not any(fate.losing)


@pytest.mark.compiled
@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
def test_a_race_that_is_no_seki_yet_is_played(rules):
    """Black, to move with an outer liberty left, must play, or connect by it: White's approach would make it seki."""
    width, height, stones = parse_diagram(SHARED.format("O."))
    game = Game(width, height, preset(rules), komi=-15.5 if rules == "japanese" else -17.5)
    game.set_position(stones, BLACK)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=600, infinite=True))
    assert format_vertex(choice.report.candidates[0].move, width, height) in ("B6", "B8", "B9")


@pytest.mark.compiled
def test_a_seki_is_broken_where_what_stands_around_has_lost_its_eye():
    """With its eye filled White's left wall has one liberty: Black takes it."""
    text = """
    .X.XO.OO.XX.OO.OX.X.
    XXXXOOOOOXXOOOOOXXXX
    """
    width, height, stones = parse_diagram(text)
    standing = Fates().read(width, height, stones)
    assert any(standing[0].losing)
    filled = bytearray(stones)
    filled[parse_vertex("F2", width, height)] = WHITE
    game = Game(width, height, preset("chinese"), komi=0.5)
    game.set_position(bytes(filled), BLACK)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=300, infinite=True))
    assert format_vertex(choice.report.candidates[0].move, width, height) == "J2"


@pytest.mark.compiled
def test_a_losing_move_in_a_seki_may_be_a_threat():
    """Where a ko is on, the tree looks at such moves as well; otherwise it does not."""
    text = """
    X.OX.XXXX
    X.OXXXX.X
    XXOX.XXXX
    OOXXXXXOX
    OOOOOOO.O
    .O.O.O.OO
    OOOOOOOOO
    """
    width, height, stones = parse_diagram(text)
    losing = {parse_vertex("B6", width, height), parse_vertex("B7", width, height)}
    for color, taken in ((BLACK, ()), (WHITE, ("H3",))):
        game = Game(width, height, preset("chinese"), komi=0.5)
        game.set_position(stones, BLACK)
        for vertex in taken:
            game.play_as(BLACK, parse_vertex(vertex, width, height))
        assert (game.board.ko_point != PASS) == bool(taken)
        report = SearchPlayer(seed=1).choose(game, color, Limits(nodes=400, infinite=True)).report
        assert losing.isdisjoint(candidate.move for candidate in report.candidates) != bool(taken)


def test_reading_ends_where_it_is_too_much():
    board = next(board for board in BOARDS if board.seki)
    fates = Fates()
    assert fates.read(board.width, board.height, board.stones, 3) == []
    assert fates.read(board.width, board.height, board.stones)


def test_empty_and_tiny_boards():
    for size in (1, 2, 3, 9):
        assert Fates().read(size, size, bytes(size * size)) == []


# ---------------------------------------------------------------------- whole boards

THREE_POINT_EYE = """
..O.OOXX.
.OXXOXX.O
...XOOXXX
.XXO.OOOX
XXOO...OO
.O..OOOXO
..OOXXXXX
...OOX.X.
...OXX...
"""


@pytest.mark.compiled
def test_a_three_point_eye_with_the_enemy_inside_is_dead_on_a_board_still_open():
    width, height, stones = parse_diagram(THREE_POINT_EYE)
    game = Game(9, 9)
    game.set_position(stones)
    dead = SearchPlayer().judge(game).dead
    caught = {parse_vertex(vertex, 9, 9) for vertex in ("J6", "G7", "H7", "J7", "F8", "G8", "G9", "H9")}
    assert caught <= dead
    assert parse_vertex("J8", 9, 9) not in dead
    living = bytes(EMPTY if p in dead else s for p, s in enumerate(stones))
    assert not seki_stones(Fates(), width, height, living)
