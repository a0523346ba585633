import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.arena.pairings import Schedule
from engines.arena.settings import Entrant, Settings


def settings(count, games, pairing="round-robin"):
    return Settings("go", tuple(Entrant(f"e{i}", "x") for i in range(count)), games=games, pairing=pairing)


@given(st.integers(2, 6), st.integers(1, 5), st.sampled_from(["round-robin", "gauntlet"]))
def test_every_pairing_plays_each_opening_with_both_colours(count, rounds, pairing):
    schedule = Schedule(settings(count, 2 * rounds, pairing))
    games = [schedule[number] for number in range(len(schedule))]
    expected = count - 1 if pairing == "gauntlet" else count * (count - 1) // 2
    assert len(games) == 2 * rounds * expected
    met = {}
    for game in games:
        met.setdefault((frozenset(game.seats), game.round), []).append(game.seats)
    assert len(met) == rounds * expected
    assert all(len(seats) == 2 and seats[0] == seats[1][::-1] for seats in met.values())
    if pairing == "gauntlet":
        assert all(0 in game.seats for game in games)


def test_numbers_pairs_and_rounds():
    schedule = Schedule(settings(3, 4))
    assert [schedule[n].seats for n in range(6)] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    # In the second round the others begin.
    assert [schedule[n].seats for n in (6, 7)] == [(1, 0), (0, 1)]
    assert [(schedule[n].pair, schedule[n].round) for n in (0, 1, 5, 6, 11)] == [(0, 0), (0, 0), (2, 0), (3, 1), (5, 1)]
    with pytest.raises(IndexError):
        schedule[12]


def test_a_longer_match_begins_like_the_shorter_one():
    short, long = Schedule(settings(4, 4)), Schedule(settings(4, 10))
    assert [short[n] for n in range(len(short))] == [long[n] for n in range(len(short))]
