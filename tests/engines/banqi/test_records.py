"""Records: JSON and PGN with the deal or as told, the platform's text; rubbish is refused."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.banqi.game import Game
from engines.banqi.records import own, platform
from engines.luoqi.game import Game as Luoqi
from engines.sanguo.game import Game as Sanguo


def played(game, seed=1, most=60):
    below = random.Random(seed)
    while game.result is None and game.plies < most:
        game.play(below.choice(game.legal_moves()))
    return game


def games():
    yield played(Game(seed=1))
    yield played(Game(seed=2, rules="taiwan-chain-dark-rush", still=0, repetition="none"), most=90)
    yield played(Luoqi())
    yield played(Sanguo(seed=3, board="whole", corners=3, scoring="points"), most=400)
    yield played(Sanguo(seed=4), most=30)
    resigned = played(Game(seed=5), most=9)
    resigned.resign(0)
    yield resigned


GAMES = list(games())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    ("write", "read"), [(own.write_json, own.read_json), (own.write_pgn, own.read_pgn)], ids=["json", "pgn"]
)
def test_a_whole_record_comes_back(game, write, read):
    record = own.record_of(game, players=("Ann", 'B "ob"', "陳")[: game.sides])
    back = read(write(record))
    assert (back.players, back.moves, back.options) == (record.players, record.moves, record.options)
    again = own.referee(back)
    assert again.setup_text() == game.setup_text() and again.moves == game.moves
    assert again.result == game.result and again.commitment == game.commitment


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_view_s_record_has_no_deal(game):
    for write, read in ((own.write_json, own.read_json), (own.write_pgn, own.read_pgn)):
        text = write(own.record_of(game, 1, whole=False))
        if game.deal is not None:
            assert game.deal.letters not in text and game.deal.salt not in text and game.commitment in text
            with pytest.raises(own.RecordError):
                own.referee(read(text))
        model = own.model(read(text))
        assert model.setup_text() == game.observe(1).setup_text()


def test_the_platform_s_text_comes_back():
    game = played(Game(seed=9), most=1000)
    text = platform.write_platform(game, ("陳", "bob the second"), "1:19pm Jan 8, 2022", 900)
    record = platform.read_platform(text)
    assert record.moves == game.moves and record.players == ["陳", "bob the second"] and record.seconds == 900
    assert record.winner == game.result.winner and record.date == "1:19pm Jan 8, 2022"
    assert record.game().setup_text().split(" deal")[0] == game.board.fen()
    assert own.referee(record.record()).moves == game.moves


def test_what_stands_behind_the_game_is_skipped():
    text = "INITIAL\n* ann vs bob\n* 1. a1(K) b1(p)\n* 2. c1(r)\n* LongCatch (3-4)\n* Comment 0 0\n###\n* 3. d1(P)\n"
    record = platform.read_platform(text)
    assert record.moves == ["a1(K)", "b1(p)", "c1(r)"] and (record.word, record.cycle) == ("LongCatch", 4)


@pytest.mark.parametrize(
    "game", [Luoqi(), Game(rules="hongkong"), Game("4/4/4/4/4/4/k3/3K r - 0 10")], ids=["luoqi", "rules", "set-up"]
)
def test_the_platform_has_only_its_own_game(game):
    with pytest.raises(ValueError):
        platform.write_platform(game)


@settings(max_examples=60)
@given(st.text(alphabet='{}[]"\\: *.,0123456789abcKP()-\n@', max_size=80))
def test_rubbish_is_refused(text):
    for read in (own.read_json, own.read_pgn, platform.read_platform):
        try:
            record = read(text)
        except own.RecordError as error:
            assert str(error)
            continue
        if isinstance(record, platform.PlatformRecord):
            with contextlib.suppress(own.RecordError):
                record.game()


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"format": "qiqiao", "version": 2}',
        '{"format": "qiqiao", "version": 1, "game": "chess", "moves": []}',
        '{"format": "qiqiao", "version": 1, "game": "banqi", "moves": [1]}',
        '{"format": "qiqiao", "version": 1, "game": "banqi", "moves": 3}',
        '{"format": "qiqiao", "version": 1, "game": "banqi", "result": {"winner": 0, "reason": "luck"}}',
        "[" * 100000,
    ],
)
def test_bad_json_is_refused(text):
    with pytest.raises(own.RecordError):
        own.read_json(text)


def test_a_record_with_wrong_moves_or_options_is_refused():
    for change in ({"moves": ["a1-b1"]}, {"options": {"speed": 3}}, {"deal": "K"}, {"setup": "XXXX"}):
        record = own.record_of(Game(seed=1))
        for name, value in change.items():
            setattr(record, name, value)
        with pytest.raises(own.RecordError):
            own.referee(record)
