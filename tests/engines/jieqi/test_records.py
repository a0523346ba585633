"""Records: own JSON, PGN, JieqiBox's JSON; with the deal and as one view sees it."""

import json

import pytest
from jieqi_cases import random_game

from engines.jieqi.forms import FORMS
from engines.jieqi.records import (
    Record,
    RecordError,
    read_jieqibox,
    read_json,
    read_pgn,
    write_jieqibox,
    write_json,
    write_pgn,
)


def record(form="jieqi", plies=60, seed=2):
    found = Record.of_game(random_game(form, seed, plies), Red='One "x"', Black="Two")
    found.comments = {0: "before", 3: "a good move"}
    return found


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_game_with_its_deal(form):
    whole = record(form)
    assert read_json(write_json(whole)) == whole
    for notation in ("coordinate", "simplified", "traditional"):
        assert read_pgn(write_pgn(whole, notation)) == whole
    assert whole.game().moves == whole.moves


@pytest.mark.parametrize("form", ["jieqi", "jieqi2", "fanqi2", "fanqi9", "fanqi10"])
@pytest.mark.parametrize("side", [0, 1, None])
def test_one_view_has_no_deal(form, side):
    game = random_game(form, 3, 60)
    view = game.observe(side)
    own = Record.of_view(view, Red="One")
    text = write_json(own)
    assert "deal" not in text and read_json(text) == own
    pgn = write_pgn(own)
    assert "Deal" not in pgn and read_pgn(pgn) == own
    assert own.moves == list(view.told) and own.model().setup_text() == view.setup_text()
    with pytest.raises(RecordError, match="no deal"):
        own.game()


def test_jieqibox():
    whole = record()
    data = json.loads(write_jieqibox(whole))
    assert data["metadata"]["initialFen"].split()[0].startswith("xxxxkxxxx")
    assert [move["data"] for move in data["moves"]] == whole.moves
    read = read_jieqibox(write_jieqibox(whole))
    assert read.moves == whole.moves and read.deal is None and read.comments == {3: "a good move"}
    assert read_jieqibox(write_jieqibox(read)) == read
    data["moves"].insert(4, {"type": "adjust", "fen": data["moves"][3]["fen"]})
    later = read_jieqibox(json.dumps(data))
    assert later.setup and later.moves == whole.moves[4:]


def test_a_deal_that_contradicts_the_moves():
    text = write_json(record(plies=6))
    data = json.loads(text)
    at = data["moves"][0][:2]
    other = next(square for square in data["deal"] if square[1] in "023" and data["deal"][square] != data["deal"][at])
    data["deal"][at], data["deal"][other] = data["deal"][other], data["deal"][at]
    with pytest.raises(RecordError, match="by the deal it is"):
        read_json(json.dumps(data))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "qiqiao-variant-game", "version": 1}', "{" * 5000, "null"]
)
def test_what_is_no_record(text):
    for read in (read_json, read_jieqibox, read_pgn):
        with pytest.raises(RecordError):
            read(text)


@pytest.mark.parametrize("change", [{"moves": "h2h9"}, {"moves": ["h2h9"]}, {"deal": {"a0": "k"}}, {"view": "red"}])
def test_what_is_wrong_in_a_record(change):
    data = json.loads(write_json(record(plies=3))) | change
    if change == {"moves": ["h2h9"]}:
        assert read_json(json.dumps(data)).moves[0].startswith("h2h9")  # the deal says the rest
        return
    with pytest.raises(RecordError):
        read_json(json.dumps(data))
