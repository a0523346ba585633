"""Matches: everything played once, side by side, resumed, stopped by the test."""

import threading
import time

import pytest
from arena_seats import RandomSeat, ScriptedSeat

from engines.arena import journal
from engines.arena.game import StartError
from engines.arena.match import MOST_PLAYERS, Local, Match, Worker
from engines.arena.pairings import Schedule
from engines.arena.settings import Adjudication, Entrant, Settings
from engines.arena.sprt import Sprt
from engines.arena.table import Table
from engines.gametype import Decision
from engines.player import PlayerError


def settings(count=2, **changes):
    entrants = tuple(Entrant(f"e{number}", "x") for number in range(count))
    short = Adjudication(length=8)
    return Settings(**{"game": "xiangqi", "entrants": entrants, "openings": "none", "adjudication": short, **changes})


@pytest.fixture
def start(tmp_path):
    books = []

    def start(match, resume=False, watch=None):
        books.append(journal.Journal(str(tmp_path / journal.NAME), match, resume))
        return Match(match, books[-1], watch)

    yield start
    for book in books:
        book.close()


def test_every_game_is_played_once(start):
    match = start(settings(4, games=4))
    state = match.run(Local(match.settings, RandomSeat, 3))
    rows = journal.read(match.journal.path).games
    schedule = Schedule(match.settings)
    assert state.games == state.total == len(rows) == 24
    assert {number: row.seats for number, row in rows.items()} == {n: schedule[n].seats for n in range(24)}


@pytest.mark.parametrize("after", [0, 1, 2, 5, 9])
def test_a_match_that_was_stopped_goes_on_where_it_stood(start, after):
    def watch(row):
        if len(first.journal.contents.games) > after:
            first.stop()

    first = start(settings(games=12), watch=watch)
    state = first.run(Local(first.settings, RandomSeat, 2))
    assert after < state.games < 12
    before = journal.read(first.journal.path).games
    first.journal.close()
    second = start(settings(games=12), resume=True)
    assert second.run(Local(second.settings, RandomSeat, 2)).games == 12
    rows = journal.read(second.journal.path).games
    assert set(rows) == set(range(12))
    assert all(rows[number] == row for number, row in before.items())


@pytest.mark.compiled
def test_both_games_of_a_pair_have_the_same_opening_even_if_the_program_changed_between(start):
    match = start(settings(games=2, openings="random"))
    Local(match.settings, RandomSeat).run(iter([next(match._waiting())]), match._take, match.stopped)
    played = match.journal.contents.games[0].opening
    match.openings._made.clear()
    match.openings._game.random_opening = lambda *args: pytest.fail("asked again")
    fixture, opening = next(match._waiting())
    assert fixture.game == 1 and opening == played


def test_a_crash_costs_one_game_and_is_told(start):
    crashes = iter([True])

    def make(entrant):
        if entrant == 1:
            return ScriptedSeat(lambda *args: PlayerError("died", "died") if next(crashes, False) else None)
        return RandomSeat()

    match = start(settings(games=10))
    match.run(Local(match.settings, make, 2))
    rows = journal.read(match.journal.path).games
    assert sorted(rows) == list(range(10))
    assert [row.ending.reason for row in rows.values()].count("crash") == 1
    standing = Table(match.settings, rows.values()).standing(1)
    assert standing.faults == {"crash": 1} and standing.result.losses >= 1


def test_an_engine_that_cannot_start_stops_the_match_and_costs_nothing(start):
    class Broken(RandomSeat):
        def begin(self, game, color):
            raise PlayerError("no such file", "died")

    match = start(settings(games=10))
    with pytest.raises(StartError, match="e1 can't begin"):
        match.run(Local(match.settings, lambda entrant: Broken() if entrant else RandomSeat(), 2))
    assert match.state().games == 0


def sure_win(entrant):
    """Entrant 0 wins whatever it plays."""
    return RandomSeat() if entrant == 0 else ScriptedSeat(*[Decision("resign")] * 1000)


def test_a_sequential_test_ends_the_match_by_itself(start):
    match = start(settings(games=1000, sprt=Sprt(0, 100)))
    state = match.run(Local(match.settings, sure_win, 2))
    assert state.verdict == "H1" and state.games < 100
    assert state.ratio >= match.settings.sprt.upper
    # What is decided stays decided.
    again = Match(match.settings, match.journal)
    assert again.run(Local(match.settings, lambda entrant: pytest.fail("nothing is to be played"))).verdict == "H1"


def test_stopping_reaches_players_who_think(start):
    class Thinker(RandomSeat):
        def choose(self, *args):
            assert self.stopped.wait(600)
            raise PlayerError("stopped")

    match = start(settings())
    threading.Timer(0.3, match.stop).start()
    begin = time.monotonic()
    assert match.run(Local(match.settings, lambda entrant: Thinker(), 2)).games == 0
    assert time.monotonic() - begin < 300


def test_failures_of_our_own_are_not_swallowed(start):
    class Mad(RandomSeat):
        def choose(self, *args):
            raise ZeroDivisionError

    match = start(settings())
    with pytest.raises(ZeroDivisionError):
        match.run(Local(match.settings, lambda entrant: Mad(), 2))


def test_players_are_closed_and_a_worker_keeps_only_a_few():
    made = []

    def make(entrant):
        made.append(RandomSeat(entrant, title=f"program {entrant}"))
        return made[-1]

    match = settings(7, games=2)
    worker = Worker(match, make)
    schedule = Schedule(match)
    from engines.gametype import Opening

    for number in range(len(schedule)):
        worker.play(schedule[number], Opening())
        assert sum(not seat.closed for seat in made) <= MOST_PLAYERS
    assert worker.programs()["e6"] == "program 6"
    worker.close()
    assert all(seat.closed for seat in made)


def test_the_board_sizes_of_go_and_random_players_go_together(start):
    match = start(
        settings(
            game="go", options={"size": (5, 4)}, games=4, adjudication=Adjudication(length=300), rules="tromp-taylor"
        )
    )
    match.run(Local(match.settings, RandomSeat, 2))
    rows = journal.read(match.journal.path).games
    assert len(rows) == 4 and {row.ending.reason for row in rows.values()} <= {"score", "length"}
