"""Jieqi and fanqi as a match has them."""

import random

import pytest

from engines import games
from engines.clock import TimeControl
from engines.gametype import Decision, Opening, PlayedGame, Turn
from engines.jieqi.forms import FORMS
from engines.jieqi.game import Game
from engines.jieqi.records import read_pgn


def played(game, opening, plies=40, seed=1):
    """Random play by the referee: the referee and the texts of the moves."""
    referee, dice, moves = game.begin(opening), random.Random(seed), []
    while referee.ending() is None and len(moves) < plies:
        move = dice.choice(referee.observe(referee.side).legal_moves())
        moves.append(referee.accept(Decision("move", move)))
    return referee, moves


@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_a_game(name):
    game = games.make(name)
    assert game.name == name and game.chance == game.hidden == (FORMS[name].layout != "open")
    opening = Opening(seed=5)
    referee, moves = played(game, opening)
    again = game.begin(Opening("", tuple(moves), "", 5))
    assert again.game.moves == referee.game.moves
    course = game.course(opening, moves)
    from engines.jieqi.diagram import standing

    assert course.after()[0] == standing(referee.observe(None).points)
    for symbol in course.after()[0].values():
        assert symbol in game.board().symbols


@pytest.mark.parametrize("name", ["jieqi", "fanqi5", "fanqi10"])
@pytest.mark.parametrize("notation", ["simplified", "traditional", "coordinate"])
def test_records_read_back(name, notation):
    game = games.make(name)
    opening = game.random_opening(3, 4, 0)
    opening = Opening("", opening.moves, opening.name, 3)
    referee, moves = played(game, opening)
    turns = tuple(Turn(move, 0.5, score=12.0, depth=3) for move in moves)
    ending = referee.stop(0, "adjudicated-win")
    record = PlayedGame(("A", "B"), opening, turns, ending, TimeControl(), 1, 1, 1, "2026-01-02", reason="enough")
    read = read_pgn(game.record_text(record, notation))
    assert read.game().moves == referee.game.moves and read.result == "1-0" and read.deal == referee.game.deal
    assert read.comments[1] == "opening" and "[%eval 0.12,3]" in read.comments[5]


def test_a_deal_is_the_seeds_and_no_other():
    game = games.make("jieqi")
    deals = [game.begin(Opening(seed=seed)).game.deal for seed in (1, 1, 2)]
    assert deals[0] == deals[1] != deals[2]


def test_what_shows_must_be_what_was_dealt():
    game = games.make("jieqi")
    _, moves = played(game, Opening(seed=1), 1)
    wrong = moves[0][:4] + next(letter for letter in "RNCP" if letter != moves[0][4])
    with pytest.raises(ValueError, match="another"):
        game.begin(Opening("", (wrong,), "", 1))
    assert game.begin(Opening("", (moves[0][:4],), "", 1)).game.moves == moves


def test_options_reach_the_game():
    game = games.make("fanqi4", "axf", {"capture_view": "none", "limit": "20"})
    rules = game.begin(Opening()).game.rules
    assert (rules.repetition, rules.capture_view, rules.limit) == ("axf", "none", "20")
    for rule_set, options in (("chess", {}), ("", {"capture_view": "all"}), ("", {"limit": "ten"}), ("", {"komi": 1})):
        with pytest.raises(ValueError):
            games.make("jieqi", rule_set, options)


def test_a_draw_is_agreed_and_written():
    referee = games.make("jieqi").begin(Opening(seed=1))
    first = referee.game.legal_moves()[0]
    text = referee.accept(Decision("draw", first))
    assert referee.draw_offered and referee.accept(Decision("draw")) == ""
    assert referee.ending().reason == "agreement"
    again = games.make("jieqi").begin(Opening("", (text, ""), "", 1))
    assert again.ending().reason == "agreement"


def test_openings_from_files(tmp_path):
    game = games.make("jieqi")
    lines = tmp_path / "lines.txt"
    fen = Game("jieqi", seed=1).observe(None).setup_text()
    lines.write_text(f"h2e2 h9g7\n{fen}\nposition fen {fen} moves b2e2\nposition startpos moves a0a1\n")
    found = game.read_openings(str(lines), 1)
    assert [opening.moves for opening in found] == [("h2e2",), (), ("b2e2",), ("a0a1",)]
    referee, moves = played(game, Opening(seed=2), 10)
    record = PlayedGame(
        ("A", "B"), Opening(seed=2), tuple(map(Turn, moves)), referee.stop(None, "length"), TimeControl(), 1, 1, 1, ""
    )
    (tmp_path / "one.pgn").write_text(game.record_text(record, "simplified"))
    (opening,) = game.read_openings(str(tmp_path / "one.pgn"), 0)
    assert opening.setup == referee.observe(None).setup_text()
    with pytest.raises(ValueError, match="line 1"):
        lines.write_text("h2h3h4\n")
        game.read_openings(str(lines), 0)
    told = []
    (tmp_path / "two.pgn").write_text("no record")
    assert game.read_openings(str(tmp_path), 2, told.append) and "two.pgn" in told[0]
