"""A match of a game for three, with chance and hidden cards: nothing of the arena counts on two sides."""

import json

import pytest
from three_game import View

from engines import games
from engines.arena import journal
from engines.arena.game import Agreement, replay
from engines.arena.journal import GameRow, Journal
from engines.arena.match import Local, Match
from engines.arena.pairings import Schedule
from engines.arena.records import record_text
from engines.arena.report import ratings_of, table_text
from engines.arena.settings import Adjudication, Entrant, Settings
from engines.arena.table import Table
from engines.gametype import Decision
from engines.player import PlayerError


class Player:
    """Always plays the same, and keeps what it has been shown."""

    title = "test"

    def __init__(self, move):
        self.move, self.seen = move, []

    def begin(self, game, color):
        self.seen.append(game)

    def choose(self, game, color, limits, draw_offered):
        self.seen.append(game)
        assert len(limits.clocks) == 3
        if self.move is None:
            raise PlayerError("gone", "died")
        return Decision("move", self.move)

    def dead(self, game):
        return None

    def stop(self):
        pass

    def close(self):
        pass


@pytest.fixture(autouse=True)
def _game(monkeypatch):
    monkeypatch.setitem(games.GAMES, "three", ("three_game", "ThreeType"))


def settings(**changes):
    entrants = tuple(Entrant(name, name) for name in ("a", "b", "c"))
    return Settings(**{"game": "three", "entrants": entrants, "games": 6, "openings": "none", "time": "60", **changes})


def played(path, players):
    match = settings()
    book = Journal(str(path / "match.jsonl"), match)
    Match(match, book).run(Local(match, lambda entrant: players[entrant]))
    book.close()
    return match, journal.read(book.path)


def test_everybody_sits_once_on_each_side_with_the_same_deal(tmp_path):
    players = [Player(1), Player(2), Player(2)]
    match, contents = played(tmp_path, players)
    rows = [contents.games[number] for number in range(6)]
    assert [row.seats for row in rows[:3]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert rows[0].opening.seed == rows[2].opening.seed != rows[3].opening.seed
    game = match.make_game()
    for row in rows:
        assert replay(game, row).ending() == row.ending and sum(row.ending.scores) == pytest.approx(1)
        assert GameRow.from_json(json.loads(json.dumps(row.to_json()))).ending == row.ending
        names = {number: one.name for number, one in enumerate(match.entrants)}
        assert record_text(match, game, row, names, "").split()[:3] == [names[one] for one in row.seats]
    assert all(isinstance(one, View) for player in players for one in player.seen)
    assert [one.card for one in players[0].seen] and all(one.side in range(3) for one in players[0].seen)


def test_who_has_more_points_has_won_against_who_has_fewer(tmp_path):
    match, contents = played(tmp_path, [Player(1), Player(2), Player(2)])
    table = Table(match, contents.games.values())
    assert table.between(0, 1).games == 6 and table.standing(0).result.games == 12
    assert table.between(0, 2) == table.between(2, 0).reversed
    assert [one.games for one in table.standing(1).by_side] == [4, 4, 4]
    assert len(ratings_of(table)) == 3 and "a" in table_text(match, list(contents.games.values()))


def test_a_side_that_fails_loses_to_both_others(tmp_path):
    _, contents = played(tmp_path, [Player(1), Player(None), Player(2)])
    row = contents.games[0]
    assert row.ending.reason == "crash" and row.ending.scores == (0.5, 0, 0.5) and row.ending.winner is None
    assert [row.score_of(entrant) for entrant in range(3)] == [0.5, 0, 0.5]
    assert row.score_against(0, 1) == 1 and row.score_against(0, 2) == 0.5


def test_chance_that_turns_up_another_way_is_no_game_of_the_journal(tmp_path):
    match, contents = played(tmp_path, [Player(1), Player(2), Player(2)])
    row = contents.games[0]
    other = row.turns[0]._replace(move=row.turns[0].move[:2] + str((int(row.turns[0].move[2:]) + 1) % 6))
    with pytest.raises(ValueError, match="turned up"):
        replay(match.make_game(), GameRow(0, row.seats, row.opening, (other, *row.turns[1:]), row.ending))


def test_pairings_take_three_of_four_and_a_gauntlet_the_first_each_time():
    four = tuple(Entrant(name, name) for name in "abcd")
    assert len(Schedule(settings(entrants=four))) == 4 * 6
    gauntlet = Schedule(settings(entrants=four, pairing="gauntlet"))
    assert len(gauntlet) == 3 * 6 and all(0 in gauntlet[number].seats for number in range(len(gauntlet)))


@pytest.mark.parametrize("changes", [{"games": 4}, {"entrants": (Entrant("a", "a"), Entrant("b", "b"))}])
def test_a_match_of_three_needs_three(changes):
    with pytest.raises(ValueError, match=r"three|3"):
        settings(**changes)


def test_all_others_must_see_themselves_behind():
    agreement = Agreement(Adjudication(win=100, win_moves=1), 3)
    agreement.add(0, 150)
    agreement.add(1, -150)
    assert agreement.verdict is None
    agreement.add(2, -120)
    assert agreement.verdict == 0
