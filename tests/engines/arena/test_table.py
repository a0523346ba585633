from dataclasses import replace

import pytest
from arena_match import played

from engines.arena.report import number, table_text
from engines.arena.sprt import Sprt
from engines.arena.table import Table, times_of


def with_results(rows, winners, reason="mate"):
    return [
        replace(row, ending=replace(row.ending, winner=w, reason=reason)) for row, w in zip(rows, winners, strict=True)
    ]


def test_points_by_entrant_whatever_seat_it_had():
    settings, _, rows = played("xiangqi")
    # Seats are (0,1), (1,0), then the other way round in the second round.
    table = Table(settings, with_results(rows, [0, 0, 1, None]))
    result = table.between(0, 1)
    assert [row.seats for row in table.games] == [(0, 1), (1, 0), (1, 0), (0, 1)]
    assert (result.wins, result.draws, result.losses) == (2, 1, 1)
    assert result.pairs == (0, 0, 1, 1, 0)
    assert table.between(1, 0) == result.reversed


def test_standings_seats_and_faults():
    settings, _, rows = played("xiangqi")
    table = Table(settings, with_results(rows, [1, 1, 1, 1], "crash"))
    best, other = table.standings()
    assert best.result.points == other.result.points == 2
    assert [one.points for one in best.by_side] == [0, 2]
    assert best.faults == other.faults == {"crash": 2}
    assert table.reasons() == {"crash": 4}


def test_times_are_of_the_seat_that_spent_them():
    _, _, rows = played("go")  # one stone of an opening: White makes the first turn
    turns = rows[0].turns
    assert rows[0].first == 1
    assert times_of(rows[0], 1) == [turn.seconds for turn in turns[::2]]
    assert times_of(rows[0], 0) == [turn.seconds for turn in turns[1::2]]


def test_a_table_of_more_than_two():
    settings, _, rows = played("go", ("one", "two", "three"))
    table = Table(settings, rows)
    assert sum(line.result.games for line in table.standings()) == 2 * len(rows) == 24
    assert table.between(0, 2).games == 4


def test_the_table_as_text():
    settings, _, rows = played("xiangqi", sprt=Sprt(0, 50))
    text = table_text(settings, with_results(rows, [0, None, 1, 0]))
    assert "one" in text and "pairs with 0" in text and "SPRT of 0 against 50 Elo" in text
    assert "of these lost" not in text
    assert "of these lost: " in table_text(settings, with_results(rows, [0, 0, 1, 0], "time"))


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (float("inf"), "∞"), (float("-inf"), "−∞"), (-1.25, "−1.2"), (0.0, "+0.0")]
)
def test_numbers_for_people(value, text):
    assert number(value, sign=value == 0.0) == text
