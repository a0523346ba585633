"""One refereed game: endings, clocks, faults, offers, agreement."""

import time

import pytest
from arena_seats import RandomSeat, ScriptedSeat

from engines.arena.game import Agreement, Players, StartError, play, replay
from engines.arena.pairings import ScheduledGame
from engines.arena.settings import Adjudication, Entrant, Settings
from engines.gametype import Decision, Opening
from engines.go.vertex import parse_vertex
from engines.player import Candidate, Choice, PlayerError, Report
from engines.xiangqi.gametype import read_move

TWO = (Entrant("a", "x"), Entrant("b", "y"))


def settings(game="xiangqi", **changes):
    options = {"size": (5, 5)} if game == "go" else {}
    return Settings(**{"game": game, "entrants": TWO, "openings": "none", "options": options, **changes})


def play_out(match, *seats, opening=None, stopped=lambda: False, numbers=(0, 1)):
    return play(
        match, match.make_game(), ScheduledGame(3, 1, 1, numbers), opening or Opening(), Players(seats, stopped)
    )


def move(text):
    return Decision("move", read_move(text))


def vertex(text, size=5):
    return Decision("move", parse_vertex(text, size, size))


PASS = Decision("pass")


def test_a_game_of_xiangqi_to_its_end():
    row = play_out(settings(), RandomSeat(1), RandomSeat(2), numbers=(1, 0))
    assert row.game == 3 and row.seats == (1, 0)
    referee = replay(settings().make_game(), row)
    assert referee.ending() == row.ending
    assert len(row.turns) == len(referee.game.board.history)


def test_a_game_of_go_is_counted():
    moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"]
    black = ScriptedSeat(*map(vertex, moves[::2]), PASS)
    white = ScriptedSeat(*map(vertex, moves[1::2]), PASS)
    row = play_out(settings("go", options={"size": (5, 5), "komi": 0.5}), black, white)
    assert row.ending.result == "B+4.5" and row.ending.reason == "score" and row.ending.winner == 0
    assert row.said == ("B+4.5", "B+4.5")
    assert [turn.move for turn in row.turns] == [*moves, "pass", "pass"]


def test_dead_stones_that_both_name_are_taken_off():
    moves = ["C1", "B1", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "pass"]
    black, white = [], []
    for number, text in enumerate(moves):
        (white if number % 2 else black).append(PASS if text == "pass" else vertex(text))
    dead = frozenset({parse_vertex("B1", 5, 5)})
    row = play_out(
        settings("go", options={"size": (5, 5), "komi": 0.5}),
        ScriptedSeat(*black, dead=dead),
        ScriptedSeat(*white, dead=dead),
    )
    assert row.ending.result == "B+24.5" and row.said == ("B+24.5", "B+24.5")


@pytest.mark.compiled
def test_who_calls_the_living_dead_is_not_believed():
    moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"]
    stone = parse_vertex("D1", 5, 5)
    wrong = frozenset(parse_vertex(text, 5, 5) for text in moves[1::2])
    assert stone in wrong
    black = ScriptedSeat(*map(vertex, moves[::2]), PASS, dead=wrong)
    white = ScriptedSeat(*map(vertex, moves[1::2]), PASS, dead=frozenset())
    row = play_out(settings("go", options={"size": (5, 5), "komi": 0.5}), black, white)
    assert row.said == ("B+24.5", "B+4.5")
    assert row.ending.result == "B+4.5"


def test_rules_that_count_the_board_as_it_stands_ask_nobody():
    black, white = ScriptedSeat(vertex("C3"), PASS), ScriptedSeat(PASS)
    row = play_out(settings("go", options={"size": (5, 5), "komi": 0.5}, rules="tromp-taylor"), black, white)
    assert row.ending.result == "B+24.5" and row.said == ("", "")


def test_resignation():
    row = play_out(settings(), ScriptedSeat(move("h2e2"), Decision("resign")), RandomSeat())
    assert row.ending.winner == 1 and row.ending.reason == "resignation" and row.ending.result == "0-1"
    row = play_out(settings("go"), RandomSeat(), ScriptedSeat(Decision("resign")))
    assert row.ending.winner == 0 and row.ending.result == "B+R"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("died", "crash"),
        ("hung", "hang"),
        ("illegal", "illegal"),
        ("no-move", "no-move"),
        ("refused", "refusal"),
        ("error", "fault"),
    ],
)
def test_each_kind_of_trouble_loses_the_game_and_is_told(kind, reason):
    row = play_out(settings(), RandomSeat(), ScriptedSeat(PlayerError("what it was", kind)))
    assert (row.ending.winner, row.ending.reason, row.error) == (0, reason, "what it was")
    assert len(row.turns) == 1


def test_an_illegal_move_loses():
    row = play_out(settings(), ScriptedSeat(move("a0a9")), RandomSeat())
    assert row.ending.winner == 1 and row.ending.reason == "illegal" and "a0a9" in row.error
    row = play_out(settings("go"), ScriptedSeat(vertex("C3")), ScriptedSeat(vertex("C3")))
    assert row.ending.winner == 0 and row.ending.reason == "illegal" and row.ending.result == "B+F"


def waits(seconds, choice):
    def answer(game, color, limits):
        time.sleep(seconds)
        return choice

    return answer


def test_a_clock_that_runs_out_loses():
    late = ScriptedSeat(waits(0.15, move("h2e2")))
    row = play_out(settings(time="0.1", margin=0.01), late, RandomSeat())
    assert row.ending.reason == "time" and row.ending.winner == 1 and not row.turns


def test_within_the_margin_nothing_is_lost_and_nothing_is_left():
    late = ScriptedSeat(waits(0.15, move("h2e2")), Decision("resign"))
    row = play_out(settings(time="0.1", margin=10), late, RandomSeat())
    assert row.ending.reason == "resignation"
    assert row.turns[0].left == pytest.approx(0, abs=1e-6) and row.turns[0].seconds > 0.1


def test_the_time_for_a_move_is_enforced_beyond_a_margin():
    late = waits(1.2, move("h2e2"))
    row = play_out(settings(move_time=0.2), ScriptedSeat(late), RandomSeat())
    assert (row.ending.reason, row.ending.winner) == ("time", 1)
    row = play_out(
        settings(move_time=0.2, margin=60, adjudication=Adjudication(length=2)), ScriptedSeat(late), RandomSeat()
    )
    assert row.ending.reason == "length"


def test_engines_of_go_have_whole_seconds():
    late = waits(0.8, vertex("C3"))
    seats = ScriptedSeat(late), RandomSeat()
    row = play_out(settings("go", move_time=0.1, margin=60, adjudication=Adjudication(length=2)), *seats)
    assert row.ending.reason == "length"


def test_a_decision_tells_what_the_player_thinks_best():
    report = Report((Candidate(5, score=31, winrate=0.6), Candidate(6, score=2)), nodes=70, depth=9)
    assert Decision.of(Choice("move", 5, report=report)) == Decision("move", 5, 31, 0.6, 9, 70)
    assert Decision.of(Choice("draw", 5, report=Report(nodes=7))) == Decision("draw", 5, nodes=7)
    assert Decision.of(Choice("resign")) == Decision("resign")


def test_players_see_both_clocks_and_the_increment_is_added():
    first, second = ScriptedSeat(move("h2e2")), ScriptedSeat(Decision("resign"))
    play_out(settings(time="60+5"), first, second)
    mine, its = second.asked[0][0].clock, second.asked[0][0].opponent_clock
    assert mine.left == 60 and 64 < its.left < 65


def test_a_player_may_have_a_time_control_of_its_own():
    match = settings(entrants=(Entrant("a", "x"), Entrant("b", "y", time="30")), time="60", nodes=5)
    first, second = ScriptedSeat(move("h2e2")), ScriptedSeat(Decision("resign"))
    play_out(match, first, second)
    assert first.asked[0][0].clock.left == 60 and second.asked[0][0].clock.left == 30
    assert first.asked[0][0].nodes == 5


def test_a_death_is_no_loss_on_time_however_long_it_took():
    def dies(game, color, limits):
        time.sleep(0.1)
        return PlayerError("gone", "died")

    row = play_out(settings(time="0.05", margin=0), ScriptedSeat(dies), RandomSeat())
    assert row.ending.reason == "crash"

    def hangs(game, color, limits):
        time.sleep(0.1)
        return PlayerError("no answer", "hung")

    row = play_out(settings(time="0.05", margin=0), ScriptedSeat(hangs), RandomSeat())
    assert row.ending.reason == "time"


def offer(text):
    return Decision("draw", read_move(text))


def test_a_draw_offered_and_accepted():
    second = ScriptedSeat(offer("h9g7"))
    row = play_out(settings(), ScriptedSeat(offer("h2e2")), second)
    assert row.ending.reason == "agreement" and row.ending.winner is None
    assert second.asked[0][1] is True
    assert [turn.move for turn in row.turns] == ["h2e2", ""]
    assert replay(settings().make_game(), row).ending().reason == "agreement"


def test_a_draw_offered_and_refused_by_a_move():
    first = ScriptedSeat(offer("h2e2"), Decision("resign"))
    row = play_out(settings(), first, ScriptedSeat(move("h9g7")))
    assert row.ending.reason == "resignation" and [turn.move for turn in row.turns] == ["h2e2", "h9g7"]


def test_without_draws_an_offer_is_only_a_move():
    second = ScriptedSeat(offer("h9g7"))
    row = play_out(settings(options={"draws": False}), ScriptedSeat(offer("h2e2"), Decision("resign")), second)
    assert row.ending.reason == "resignation" and second.asked[0][1] is False


def test_an_opening_is_played_first():
    opening = Opening("", ("h2e2", "h9g7"), "central cannon")
    first = ScriptedSeat(Decision("resign"))
    row = play_out(settings(), first, RandomSeat(), opening=opening)
    assert row.opening == opening and row.first == 0 and not row.turns
    row = play_out(settings(), RandomSeat(), ScriptedSeat(Decision("resign")), opening=Opening("", ("h2e2",)))
    assert row.first == 1 and row.ending.winner == 0


def test_the_longest_game():
    adjudication = Adjudication(length=6)
    row = play_out(settings(adjudication=adjudication), RandomSeat(), RandomSeat(2))
    assert len(row.turns) == 6 and row.ending.reason == "length" and row.ending.winner is None
    row = play_out(
        settings("go", adjudication=adjudication, options={"size": (5, 5), "komi": 0.5}), RandomSeat(), RandomSeat(2)
    )
    assert len(row.turns) == 6 and row.ending.reason == "length" and row.ending.result != "0"


def test_a_win_that_both_see_is_adjudicated():
    match = settings(adjudication=Adjudication(win=500, win_moves=3))
    row = play_out(match, ScriptedSeat(score=-600), ScriptedSeat(seed=2, score=700))
    assert row.ending.reason == "adjudicated-win" and row.ending.winner == 1 and len(row.turns) == 6
    row = play_out(match, ScriptedSeat(score=600), ScriptedSeat(seed=2, score=700))
    assert row.ending.reason != "adjudicated-win"


def test_an_even_game_is_adjudicated_a_draw_but_not_too_soon():
    match = settings(adjudication=Adjudication(draw=20, draw_moves=2, draw_from=4))
    row = play_out(match, ScriptedSeat(score=5), ScriptedSeat(seed=2, score=-20))
    assert row.ending.reason == "adjudicated-draw" and row.ending.winner is None
    assert len(row.turns) == 12  # two of each, after the first four of each


def test_in_go_win_rates_are_compared():
    match = settings("go", adjudication=Adjudication(win=45, win_moves=2))
    row = play_out(match, ScriptedSeat(winrate=0.97), ScriptedSeat(seed=2, winrate=0.01))
    assert row.ending.reason == "adjudicated-win" and row.ending.winner == 0 and row.ending.result == "B+"


def test_agreement_is_broken_by_one_doubt():
    agreement = Agreement(Adjudication(win=100, win_moves=2))
    for seat, sure in [(0, 200.0), (1, -200.0), (0, 50.0), (1, -200.0), (0, 200.0), (1, None)]:
        agreement.add(seat, sure)
        assert agreement.verdict is None
    for seat, sure in [(0, 200.0), (1, -100.0), (0, 200.0), (1, -300.0)]:
        agreement.add(seat, sure)
    assert agreement.verdict == 0


def test_scores_and_times_are_noted():
    row = play_out(settings(time="9"), ScriptedSeat(move("h2e2"), score=31), ScriptedSeat(Decision("resign")))
    turn = row.turns[0]
    assert (turn.move, turn.score, turn.depth, turn.nodes) == ("h2e2", 31, 3, 7)
    assert 8 < turn.left < 9


def test_a_stopped_game_has_no_result():
    assert play_out(settings(), RandomSeat(), RandomSeat(), stopped=lambda: True) is None


class Unwilling(RandomSeat):
    def __init__(self, kind):
        super().__init__()
        self._kind = kind

    def begin(self, game, color):
        raise PlayerError("not today", self._kind)


def test_a_player_that_cannot_begin_loses_nothing_but_one_that_refuses_does():
    with pytest.raises(StartError, match="b can't begin a game: not today"):
        play_out(settings(), RandomSeat(), Unwilling("died"))
    row = play_out(settings(), RandomSeat(), Unwilling("refused"))
    assert row.ending.reason == "refusal" and row.ending.winner == 0
