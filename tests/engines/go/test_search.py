"""The built-in player: legal under every rule set, repeatable, stoppable, sensible about passing and resigning."""

import threading
import time

import pytest
from support import PURE

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE, parse_diagram
from engines.go.rules import PRESETS, preset
from engines.go.search import SearchPlayer, _hopeless
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits, Restriction

FEW = 12 if PURE else 300


def game_from(diagram: str, rules: str = "chinese", komi: float | None = None, to_move: int = BLACK) -> Game:
    width, height, stones = parse_diagram(diagram)
    game = Game(width, height, preset(rules), komi)
    game.set_position(stones, to_move)
    return game


def answer(game: Game, color: int, playouts: int = FEW, **options) -> str:
    choice = SearchPlayer(**{"seed": 1} | options).choose(game, color, Limits(nodes=playouts))
    return format_vertex(choice.move, game.width, game.height) if choice.action == "move" else choice.action


def favourite(game: Game, color: int, playouts: int = 1000) -> str:
    """The move it likes best, whatever it would do about passing and resigning."""
    choice = SearchPlayer(seed=1).choose(game, color, Limits(nodes=playouts))
    return format_vertex(choice.report.candidates[0].move, game.width, game.height)


@pytest.mark.compiled
def test_takes_what_is_in_atari():
    game = game_from(
        """
        . . . . . . .
        . . X X X . .
        . X O O O X .
        . X O . O X .
        . X O O O X .
        . . X X . . .
        . . . . . . .
        """,
        komi=40.5,
    )
    assert favourite(game, BLACK) == "E2"
    assert favourite(game, WHITE) == "E2"


@pytest.mark.compiled
def test_plays_the_vital_point():
    """Three in a row: whoever takes the middle decides over White's corner."""
    game = game_from(
        """
        . . . O X . .
        O O O O X . .
        X X X X X . .
        . . . . . . .
        . O O O O O .
        O O . O . O O
        . O O O O O .
        """,
        komi=-12.5,
    )
    assert favourite(game, BLACK) == "B7"
    assert favourite(game, WHITE) == "B7"


@pytest.mark.compiled
def test_same_seed_same_game():
    def moves(seed: int) -> list[int]:
        game, player = Game(7), SearchPlayer(seed=seed, playouts=150, resign=0)
        for _ in range(20):
            choice = player.choose(game, game.to_move, Limits())
            game.play_as(game.to_move, PASS if choice.action == "pass" else choice.move)
        return [point for _, point in game.moves]

    assert moves(3) == moves(3)
    assert moves(3) != moves(4)


def test_fresh_searches_are_repeatable_without_a_seed():
    game = Game(5)
    game.play_as(BLACK, 12)
    player = SearchPlayer(playouts=FEW)
    first, second = (player.choose(game, WHITE, Limits(), fresh=True) for _ in range(2))
    assert first.move == second.move
    assert [c.visits for c in first.report.candidates] == [c.visits for c in second.report.candidates]
    assert first.report.ownership == second.report.ownership


def test_limits_on_playouts_hold():
    player = SearchPlayer(playouts=FEW)
    assert player.choose(Game(5), BLACK, Limits()).report.nodes == FEW
    assert player.choose(Game(5), BLACK, Limits(nodes=5)).report.nodes == 5
    player.playouts, player.level = None, 1
    assert player.choose(Game(3), BLACK, Limits(nodes=4)).report.nodes == 4


@pytest.mark.compiled
def test_stop_ends_an_endless_search():
    player, done = SearchPlayer(), []

    def run() -> None:
        done.append(player.choose(Game(9), BLACK, Limits(infinite=True)))

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.1)
    while thread.is_alive():
        player.stop()
        thread.join(0.02)
    assert done[0].action == "move" and done[0].report.nodes > 0
    player.stop()  # harmless when nothing runs


@pytest.mark.compiled
def test_reports_while_it_thinks():
    reports = []
    player = SearchPlayer()

    def collect(report) -> None:
        reports.append(report)
        if len(reports) == 3:
            player.stop()

    player.choose(Game(9), WHITE, Limits(infinite=True), collect, interval=0.02)
    assert len(reports) >= 3
    last = reports[-1]
    assert len(last.ownership) == 81 and all(-1 <= value <= 1 for value in last.ownership)
    assert [c.visits for c in last.candidates] == sorted((c.visits for c in last.candidates), reverse=True)
    for candidate in last.candidates:
        assert 0 <= candidate.winrate <= 1 and candidate.extra["lcb"] <= candidate.winrate
        assert candidate.line[0] == candidate.move
        assert len(candidate.extra["pv_visits"]) == len(candidate.line)


@pytest.mark.compiled
def test_threads_share_one_tree():
    choice = SearchPlayer(threads=2).choose(Game(9), BLACK, Limits(nodes=2000))
    assert 2000 <= choice.report.nodes <= 2002
    assert sum(c.visits for c in choice.report.candidates) <= choice.report.nodes + 10


def test_memory_bounds_the_tree():
    player = SearchPlayer(memory_mb=1, threads=1)
    choice = player.choose(Game(9), BLACK, Limits(nodes=30 if PURE else 40_000))
    assert player._tree.used <= player._tree.capacity
    assert choice.report.nodes == (30 if PURE else 40_000)


@pytest.mark.compiled
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_whole_games_under_every_rule_set(name):
    """Every move is legal for the referee, games end by two passes or resignation, and the count stands."""
    game = Game(5, 5, preset(name))
    players = {BLACK: SearchPlayer(seed=1, playouts=120), WHITE: SearchPlayer(seed=2, playouts=120)}
    while game.ending is None and game.board.turns < 200:
        choice = players[game.to_move].choose(game, game.to_move, Limits())
        if choice.action == "resign":
            return
        assert game.is_legal(game.to_move, PASS if choice.action == "pass" else choice.move)
        game.play_as(game.to_move, PASS if choice.action == "pass" else choice.move)
    assert game.ending is not None
    judged = players[BLACK].judge(game)
    assert game.score(judged.dead).text


@pytest.mark.compiled
@pytest.mark.parametrize("ko", ["chinese-kgs", "tromp-taylor", "aga", "new-zealand"])
def test_superko_holds_in_the_tree(ko):
    """On a tiny board, where cycles are everywhere, what it chooses is never a repetition."""
    for seed in range(8):
        game = Game(2, 3, preset(ko))
        player = SearchPlayer(seed=seed, playouts=60, resign=0)
        for _ in range(40):
            choice = player.choose(game, game.to_move, Limits())
            move = PASS if choice.action == "pass" else choice.move
            assert move in game.legal_moves()
            game.play(move)


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)])
def test_tiny_boards(size):
    for color in (BLACK, WHITE):
        game = Game(*size)
        choice = SearchPlayer(playouts=FEW).choose(game, color, Limits())
        assert choice.action == "pass" or choice.action == "resign" or game.is_legal(color, choice.move)


def test_no_legal_move_is_a_pass():
    game = game_from(". O\nO O", "tromp-taylor")
    assert answer(game, WHITE) == "pass"


@pytest.mark.compiled
def test_no_pass_while_behind_on_the_board_as_it_stands():
    """White's corner stones are dead, but under Tromp-Taylor rules they count until they are taken."""
    diagram = """
        O . X O . O
        O . X O O O
        . X X O . O
        X X O O O O
        . X O . O .
        """
    game = game_from(diagram, "tromp-taylor", komi=-6.5)
    game.play_as(WHITE, PASS)
    assert game.score().margin < 0
    assert answer(game, BLACK, resign=0) in ("B5", "B4", "A3")
    game.set_rules(preset("chinese"))
    assert answer(game, BLACK, resign=0) == "pass"


@pytest.mark.compiled
def test_passes_when_all_is_settled():
    diagram = """
        . X X O .
        X X X O O
        . X O O .
        X X O . O
        . X O O O
        """
    for name in ("chinese", "japanese", "tromp-taylor", "aga"):
        game = game_from(diagram, name, komi=-5.5)
        game.play_as(WHITE, PASS)
        assert answer(game, BLACK, resign=0) == "pass", name


@pytest.mark.compiled
def test_resigns_a_lost_game_but_not_in_analysis_or_when_told_not_to():
    game = Game(7, komi=100)
    assert answer(game, BLACK) == "resign"
    assert answer(game, BLACK, resign=0) not in ("resign", "pass")
    endless = SearchPlayer(playouts=500).choose(game, BLACK, Limits(nodes=500, infinite=True))
    assert endless.action == "move"


@pytest.mark.parametrize(
    ("chance", "playouts", "resigns"),
    [
        (0.07, 300, True),
        (0.07, 200, False),
        (0.02, 200, True),
        (0.02, 60, False),
        (0.0, 60, True),
        (0.0, 40, False),
        (0.0, 1000, True),
    ],
)
def test_fewer_playouts_need_a_surer_loss_to_resign(chance, playouts, resigns):
    assert _hopeless(chance, playouts, 0.08) is resigns
    assert not _hopeless(chance, playouts, 0.0)


@pytest.mark.compiled
def test_a_stopped_analysis_is_over_at_once_also_at_the_end_of_a_game(monkeypatch):
    game = game_from("X..XO..O\n" + "XXXXOOOO\n" * 3, komi=0.5)
    game.play_as(WHITE, PASS)
    player = SearchPlayer()
    monkeypatch.setattr(player, "_look", lambda *_: pytest.fail("judged after the stop"))
    choice = player.choose(game, BLACK, Limits(nodes=500, infinite=True))
    assert choice.report.nodes == 500


@pytest.mark.compiled
def test_restrictions_on_moves():
    game = Game(5)
    center = parse_vertex("C3", 5, 5)
    without = Restriction(BLACK, frozenset([center]), depth=1)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=200, restrictions=(without,)))
    assert center not in [c.move for c in choice.report.candidates]
    only = Restriction(BLACK, frozenset([0, 1]), depth=1, allow=True)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=200, restrictions=(only,)))
    assert {c.move for c in choice.report.candidates} <= {0, 1} and choice.move in (0, 1)


@pytest.mark.compiled
def test_cleanup_takes_dead_stones_before_it_passes():
    game = game_from(
        """
        . X X O .
        X X X O O
        X X X O .
        X X X O O
        O . X O .
        """
    )
    player = SearchPlayer(seed=1, playouts=300)
    for _ in range(12):
        choice = player.choose(game, BLACK, Limits(), cleanup=True)
        if choice.action == "pass":
            break
        assert choice.action == "move"
        game.play_as(BLACK, choice.move)
        game.play_as(WHITE, PASS)
    assert choice.action == "pass"
    assert game.board.at(parse_vertex("A1", 5, 5)) != WHITE


@pytest.mark.compiled
def test_dead_stones():
    game = game_from(
        """
        . . X . . O .
        . X X . . O O
        X X . . . . O
        . . X . O . .
        . O X . O O O
        X X X . O X .
        . X . . O . X
        """
    )
    judged = SearchPlayer().judge(game)
    assert parse_vertex("B3", 7, 7) in judged.dead
    assert not any(game.board.at(p) == BLACK and p >= 14 and p in judged.dead for p in range(49))
    assert judged.dead == SearchPlayer(seed=9).judge(game).dead


def test_clock_is_never_overdrawn():
    player = SearchPlayer()
    clock = Clock(TimeControl.absolute(0.3))
    begin = time.process_time()
    choice = player.choose(Game(3), BLACK, Limits(clock=clock))
    assert choice.action in ("move", "pass", "resign")
    assert time.process_time() - begin < 30  # it ended at all; the figure is no claim about speed


@pytest.mark.compiled
@pytest.mark.parametrize("playouts", [50, 100, 200, 400])
def test_does_not_pass_while_behind_and_much_is_open(playouts):
    game = game_from(
        """
    ..X..........
    .X.XOO..X....
    .OXOOXXXXOOX.
    .OXOXXOX.XX.X
    XXXXOXOOXX.X.
    XOOOOXO.OOXO.
    .O..OOO.OXX.O
    ..O...OOXX.XX
    .....XXXOOXXO
    ..OXX..XXOXO.
    ...O.OOXXOOOO
    ....OOX.XXO.X
    .......XXOOX.
        """,
        to_move=WHITE,
    )
    assert [answer(game, WHITE, playouts, seed=seed, resign=0) for seed in range(6)].count("pass") == 0


@pytest.mark.compiled
def test_does_not_pass_where_passing_costs_chances():
    class Doubtful(SearchPlayer):
        def _look(self, game, color, playouts):
            return super()._look(game, color, playouts)[0], 1.0

    game = game_from("X..X..XO..O..O\n" + "XXXXXXXOOOOOOO\n" * 3 + "X..X..XO..O..O", komi=-20.5)
    for kind, action in ((SearchPlayer, "pass"), (Doubtful, "move")):
        assert kind(seed=1).choose(game, BLACK, Limits(nodes=300)).action == action


@pytest.mark.compiled
@pytest.mark.parametrize("passed", [True, False])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_judging_whether_to_pass_is_paid_from_the_same_clock(rules, passed):
    class Counting(SearchPlayer):
        judged = 0

        def _look(self, game, color, playouts):
            self.judged += playouts
            return super()._look(game, color, playouts)

    # Two living sides with two-point eyes all over: every move is settled, and there is much to play out.
    row = "X..X..X..XXXO..O..O..O..O"
    game = game_from("\n".join([row.replace(".", "X", 6).replace(".", "O"), row] * 12 + ["X" * 12 + "O" * 13]), rules)
    if passed:
        game.play_as(WHITE, PASS)
    player, period = Counting(), 0.5
    choice = player.choose(game, BLACK, Limits(clock=Clock(TimeControl.byoyomi(0, period, 1))))
    assert player.judged > 0
    pace = choice.report.nodes / choice.report.seconds
    assert choice.report.seconds + player.judged / pace < period


@pytest.mark.compiled
def test_what_was_thought_serves_the_next_move():
    game, player = Game(9), SearchPlayer(seed=5)
    choice = player.choose(game, BLACK, Limits(nodes=3000))
    game.play_as(BLACK, choice.move)
    reply = choice.ponder
    game.play_as(WHITE, reply)
    player.choose(game, BLACK, Limits(nodes=1))
    assert player._tree.visits > 10
    game.undo()
    game.play_as(WHITE, PASS)
    game.set_rules(preset("japanese"))
    player.choose(game, BLACK, Limits(nodes=1))
    assert player._tree.visits == 1
