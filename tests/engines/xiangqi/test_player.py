"""The player around the search: limits, stopping, pondering, strength, draws and resignation."""

import threading
import time

import pytest

from engines.clock import Clock, TimeControl
from engines.player import Limits, Restriction
from engines.xiangqi.board import Board
from engines.xiangqi.game import Game
from engines.xiangqi.geometry import move_name
from engines.xiangqi.player import SearchPlayer, Settings, level_of_elo, mate_moves
from engines.xiangqi.search_stack import MATE

WON = "3k5/9/9/9/9/9/9/R8/9/R3K4 w"


@pytest.fixture
def make():
    players = []

    def player(**settings):
        players.append(SearchPlayer(Settings(**({"hash": 1} | settings))))
        return players[-1]

    yield player
    for one in players:
        one.close()


def after(seconds, action):
    thread = threading.Timer(seconds, action)
    thread.daemon = True
    thread.start()


def test_depth(make):
    reports = []
    choice = make().choose(Board(), 0, Limits(depth=3), reports.append)
    assert [report.depth for report in reports] == [1, 2, 3]
    assert choice.action == "move" and Board().is_legal(choice.move)
    assert choice.report.candidates[0].move == choice.move == choice.report.candidates[0].line[0]
    after_move = Board()
    after_move.play(choice.move)
    assert after_move.is_legal(choice.ponder)


def test_nodes(make):
    choice = make().choose(Board(), 0, Limits(nodes=400))
    assert choice.report.nodes == 400


def test_lines(make):
    choice = make(lines=3).choose(Board(), 0, Limits(depth=2))
    assert len({candidate.move for candidate in choice.report.candidates}) == 3


def test_the_wrong_color(make):
    with pytest.raises(ValueError, match="turn"):
        make().choose(Board(), 1, Limits(depth=1))


def test_no_move(make):
    assert make().choose(Board("3k5/4R4/9/9/9/9/9/9/9/4K4 b"), 1, Limits(depth=1)).action == "none"


def test_the_rules_of_a_game_hold(make):
    # One ply before the limit, every quiet move draws.
    fen = "2bakab2/9/9/9/9/9/9/9/9/R2K5 w - - 99 80"
    scores = [
        make().choose(Game(fen, limit=limit), 0, Limits(depth=2)).report.candidates[0].score
        for limit in ("league", "cxa", "none")
    ]
    assert scores[0] == 0 and min(scores[1:]) > 100


def test_the_game_is_not_changed(make):
    board = Board()
    board.play(board.legal_moves()[0])
    fen, history = board.fen(), board.history
    make().choose(board, 1, Limits(depth=2))
    assert (board.fen(), board.history) == (fen, history)


def test_restrictions(make):
    board = Board()
    moves = board.legal_moves()
    chosen = make().choose(board, 0, Limits(depth=1, restrictions=(Restriction(0, frozenset(moves[:5]), allow=True),)))
    assert chosen.move in moves[:5]
    banned = Limits(depth=1, restrictions=(Restriction(0, frozenset(moves[:-1])),))
    assert make().choose(board, 0, banned).move == moves[-1]
    none = Limits(depth=1, restrictions=(Restriction(0, frozenset(moves)),))
    assert make().choose(board, 0, none).action == "none"


def test_mate_ends_the_thinking(make):
    choice = make().choose(Board(WON), 0, Limits(mate=2))
    assert choice.report.candidates[0].mate in (1, 2)
    choice = make().choose(Board(WON), 0, Limits(seconds=600))
    assert choice.report.seconds < 60


def test_a_mate_that_is_not_there(make):
    choice = make().choose(Board("3k5/9/9/9/9/9/9/9/4A4/4K4 w"), 0, Limits(mate=1))
    assert choice.action == "move" and choice.report.candidates[0].mate is None


def test_thinking_for_ever_ends_with_stop_only(make):
    player = make()
    begin = time.monotonic()
    after(0.3, player.stop)
    choice = player.choose(Board(WON), 0, Limits(infinite=True))  # mate is found at once
    assert choice.action == "move"
    assert time.monotonic() - begin > 0.25


def test_a_stop_before_the_beginning_counts_once_announced(make):
    player = make()
    player.begin()
    player.stop()
    assert player.choose(Board(), 0, Limits(infinite=True)).action == "move"


def test_a_stop_when_nothing_runs_is_forgotten(make):
    player = make()
    player.stop()
    assert player.choose(Board(), 0, Limits(depth=2)).report.depth == 2


def test_ponder_hit(make):
    player = make()
    after(0.2, lambda: player.ponder_hit(Limits(depth=2)))
    assert player.choose(Board(), 0, Limits(infinite=True)).action == "move"
    after(0.2, lambda: player.ponder_hit(Limits(seconds=0.1)))
    begin = time.monotonic()
    player.choose(Board(), 0, Limits(infinite=True))
    assert time.monotonic() - begin > 0.25


@pytest.mark.parametrize(
    "control",
    [
        TimeControl.absolute(0.05),
        TimeControl.fischer(0.02, 0.01),
        TimeControl.session(0.3, 40),
        TimeControl.absolute(0),
    ],
)
def test_hardly_any_time_left(make, control):
    begin = time.process_time()  # of this process alone: a busy machine makes no difference
    assert make().choose(Board(), 0, Limits(clock=Clock(control))).action == "move"
    assert time.process_time() - begin < 10


@pytest.mark.compiled
def test_a_clock_is_shared_out(make):
    # Neither all of it, nor next to nothing.
    choice = make().choose(Board(), 0, Limits(clock=Clock(TimeControl.absolute(9))))
    assert 0.01 < choice.report.seconds < 3


@pytest.mark.compiled
def test_threads_share_the_work(make):
    player = make(threads=2)
    choice = player.choose(Board(), 0, Limits(seconds=0.3))
    assert choice.action == "move"
    assert threading.active_count() < 10


@pytest.mark.compiled
def test_leaving_the_processor_to_others(make):
    busy = make().choose(Board(), 0, Limits(seconds=0.5)).report.nodes
    idle = make(idle=3).choose(Board(), 0, Limits(seconds=0.5)).report.nodes
    assert idle < busy


def test_a_beginner_errs_and_a_seed_repeats_it(make):
    def moves(seed):
        player = make(level=0, seed=seed)
        return [player.choose(Board(), 0, Limits(depth=8)).move for _ in range(12)]

    assert moves(1) == moves(1)
    assert len(set(moves(1))) > 2


@pytest.mark.compiled
def test_a_beginner_loses_to_the_full_strength(make):
    strong, weak = make(), make(level=0, seed=3)
    for color in (0, 1):
        board = Board()
        while board.legal_moves() and len(board.history) < 240:
            player = strong if board.turn == color else weak
            board.play(player.choose(board, board.turn, Limits(depth=5)).move)
        assert not board.legal_moves() and board.turn != color


def test_randomness_varies_the_opening_within_reason(make):
    player = make(randomness=40, seed=5)
    choices = [player.choose(Board(), 0, Limits(depth=2)) for _ in range(12)]
    assert len({choice.move for choice in choices}) > 1


def test_elo():
    assert [level_of_elo(elo) for elo in (0, 600, 1500, 2400, 9999)] == [0, 0, 10, 20, 20]


def test_mate_counts():
    assert [mate_moves(MATE - plies) for plies in (1, 3, 5)] == [1, 2, 3]
    assert [mate_moves(plies - MATE) for plies in (0, 2, 4)] == [0, -1, -2]
    assert mate_moves(500) is None


def test_resigning(make):
    lost = Board("3k5/9/9/9/9/9/9/rr7/9/4K4 w")
    assert make(resign=2000).choose(lost, 0, Limits(depth=4)).action == "resign"
    assert make().choose(lost, 0, Limits(depth=4)).action == "move"
    assert make(resign=2000).choose(Board(), 0, Limits(depth=1)).action == "move"


def test_a_draw_is_taken_when_behind_and_not_when_ahead(make):
    behind, ahead = Board("3k5/9/9/9/9/9/9/r8/4A4/4K4 w"), Board("3k5/4a4/9/9/9/9/9/R8/9/4K4 w")
    assert make().choose(behind, 0, Limits(depth=2), draw_offered=True).action == "draw"
    assert make().choose(ahead, 0, Limits(depth=2), draw_offered=True).action == "move"


def test_a_draw_is_offered_once_until_the_other_side_offers(make):
    player = make(draws=True)
    dull = Board("3k5/4a4/9/9/9/9/9/9/4A4/5K3 w - - 50 60")
    asked = [player.choose(dull, 0, Limits(depth=2)).action for _ in range(2)]
    assert asked == ["draw", "move"]
    player.choose(Board(), 0, Limits(depth=1), draw_offered=True)
    assert player.choose(dull, 0, Limits(depth=2)).action == "draw"
    player.new_game()
    assert player.choose(dull, 0, Limits(depth=2)).action == "draw"


def test_new_game_forgets(make):
    player = make()
    first = player.choose(Board(), 0, Limits(depth=3)).report.nodes
    player.choose(Board(), 0, Limits(depth=3))
    player.new_game()
    assert player.choose(Board(), 0, Limits(depth=3)).report.nodes == first


def test_probe_and_static(make):
    player = make()
    board = Board()
    assert player.probe(board.key) is None
    choice = player.choose(board, 0, Limits(depth=3))
    board.play(choice.move)
    assert player.probe(board.key)[0] == choice.ponder
    assert abs(player.static(Board())) < 50


def test_resizing(make):
    player = make()
    player.choose(Board(), 0, Limits(depth=1))
    player.resize(2)
    assert player.choose(Board(), 0, Limits(depth=2)).action == "move"
    with pytest.raises(MemoryError):
        player.resize(1 << 40)
    assert player.settings.hash == 2
    assert move_name(player.choose(Board(), 0, Limits(depth=2)).move)


@pytest.mark.compiled
def test_a_mate_that_quiet_moves_prepare_is_found_when_asked_for():
    player = SearchPlayer(Settings(hash=1))
    choice = player.choose(Board("9/R8/5k2b/4P3p/9/9/8P/7N1/4A4/2B1KAB2 w - - 0 1"), 0, Limits(mate=2))
    assert choice.report.candidates[0].mate == 2


def test_a_ponder_hit_that_overtakes_the_search_holds(make):
    player, board = make(), Board()
    for limits in (Limits(depth=2), Limits(nodes=50), Limits(seconds=0.01)):
        player.begin()
        player.ponder_hit(limits)
        assert player.choose(board, board.turn, Limits(infinite=True, pondering=True)).action == "move"


def test_a_ponder_hit_is_for_one_choice_alone(make):
    player, board = make(), Board()
    player.ponder_hit(Limits(depth=1))  # nothing runs
    after(0.05, player.stop)
    assert player.choose(board, board.turn, Limits(infinite=True)).action == "move"
    player.begin()
    player.ponder_hit(Limits(depth=1))
    player.choose(Board("3k5/4R4/9/9/9/9/9/9/9/4K4 b"), 1, Limits(infinite=True, pondering=True))
    assert player.choose(board, board.turn, Limits(depth=3)).report.depth == 3


def test_a_stop_behind_a_ponder_hit_and_the_other_way_round(make):
    player, board = make(), Board()
    for first, second in ((player.stop, None), (None, player.stop)):
        player.begin()
        for action in (first, lambda: player.ponder_hit(Limits(seconds=30.0)), second):
            if action is not None:
                action()
        assert player.choose(board, board.turn, Limits(infinite=True, pondering=True)).action == "move"


def test_without_a_move_an_endless_search_waits_for_its_end_too(make):
    player = make()
    end = after(0.05, player.stop)
    began = time.monotonic()
    assert player.choose(Board("3k5/4R4/9/9/9/9/9/9/9/4K4 b"), 1, Limits(infinite=True)).action == "none"
    assert time.monotonic() - began >= 0.04 and end is None


MIDDLE = "r1bakabr1/9/1cn3nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB2 b - - 0 5"
ATTACK = "2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7"


def told(make, fen, limits, **settings):
    """The reports of a search from nothing, and the choice."""
    reports = []
    board = Board(fen)
    choice = make(**settings).choose(board, board.turn, limits, reports.append)
    return reports, choice


def seen(candidate):
    return candidate.move, candidate.score, candidate.line


@pytest.mark.compiled
@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("fen", [MIDDLE, ATTACK])
def test_an_interrupted_search_tells_nothing_but_whole_lines(make, fen, lines):
    whole = {report.depth: report for report in told(make, fen, Limits(depth=8), lines=lines)[0]}
    better = bounds = fewer = 0
    for nodes in range(150, whole[8].nodes, whole[8].nodes // 60):
        reports, choice = told(make, fen, Limits(nodes=nodes), lines=lines)
        last = reports[-1]
        assert last.candidates[0].move == choice.move
        for report in reports[:-1]:
            assert [seen(one) for one in report.candidates] == [seen(one) for one in whole[report.depth].candidates]
        known = {seen(one) for one in whole[last.depth].candidates}
        if last.candidates[0].extra.get("bound"):
            bounds += 1
            assert choice.move != reports[-2].candidates[0].move and choice.report is reports[-2]
        elif {seen(one) for one in last.candidates} <= known:
            fewer += len(last.candidates) < lines
        else:  # the best so far, in an iteration that had not come to its end
            better += 1
            assert len(last.candidates) == 1 and len(last.candidates[0].line) > 1
    assert fewer > 0 or lines == 1


@pytest.mark.compiled
def test_what_is_left_half_done_does_not_make_it_resign(make):
    # However it is cut short, the score it judges by is that of a whole line.
    for nodes in range(200, 3000, 400):
        reports, choice = told(make, MIDDLE, Limits(nodes=nodes), resign=150)
        best = reports[-1].candidates[0]
        assert choice.action == "move" or best.score <= -150


@pytest.mark.parametrize(
    "settings", [{}, {"lines": 40}, {"level": 12}, {"level": 0}, {"randomness": 50}, {"threads": 2}]
)
def test_nobody_loses_by_rule_who_can_be_mated_later(make, settings):
    # Black is mated next move whatever he does, but for the check that repeats for the third time.
    game = Game("3k5/7R1/8R/9/9/9/9/9/9/r3K4 w")
    for text in ("e0e1", "a0a1", "e1e0", "a1a0", "e0e1", "a0a1", "e1e0"):
        game.play(next(move for move in game.board.legal_moves() if move_name(move) == text))
    player = make(seed=1, **settings)
    for depth in (2, 5):
        choice = player.choose(game, 1, Limits(depth=depth))
        assert move_name(choice.move) != "a1a0"
    told = {move_name(one.move): one for one in choice.report.candidates}
    if "lines" in settings:
        assert told["a1a0"].extra == {"by rule": True} and told["a1a0"].mate is None
        assert told["a1e1"].mate == -1
