"""The journal: nothing lost, nothing twice, torn lines, locks."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.arena import journal
from engines.arena.journal import GameRow, Journal, JournalError
from engines.arena.settings import Entrant, Settings
from engines.gametype import Ending, Opening, Turn

MATCH = Settings("xiangqi", (Entrant("a", "x"), Entrant("b", "y")))


def row(game, winner=0):
    turns = (Turn("h2e2", 0.01, 0.99, 0, 12.0, None, 7, 900), Turn("h9g7", 0.02))
    ending = Ending(winner, "mate", "1-0", "checkmate")
    return GameRow(game, (0, 1), Opening("", ("b2e2",), "name"), turns, ending, error="", start="2026-01-01", host="h")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "folder" / journal.NAME)


def bytes_of(path):
    return Path(path).read_bytes()


def fill(path, games):
    book = Journal(path, MATCH)
    for game in games:
        book.add(row(game))
    book.close()


def test_what_is_written_is_read(path):
    fill(path, [3, 0, 1])
    contents = journal.read(path)
    assert contents.settings == MATCH
    assert contents.games == {game: row(game) for game in (0, 1, 3)}


@given(
    st.text(max_size=8),
    st.floats(0, 1e5),
    st.none() | st.floats(0, 1e5),
    st.none() | st.floats(-3e4, 3e4),
    st.none() | st.floats(0, 1),
)
def test_turns_come_back_within_their_rounding(text, seconds, left, score, winrate):
    turn = Turn(text, seconds, left, 3, score, winrate, 5, 10**9)
    again = Turn(*json.loads(json.dumps(turn.to_row())))
    assert again.move == text and again.seconds == pytest.approx(seconds, abs=1e-4)
    for mine, its, exact in ((left, again.left, 1e-3), (score, again.score, 1e-2), (winrate, again.winrate, 1e-4)):
        assert (mine is None) == (its is None)
        assert mine is None or its == pytest.approx(mine, abs=exact)


def test_a_game_counts_once(path):
    book = Journal(path, MATCH)
    assert book.add(row(5)) is True
    assert book.add(row(5, winner=1)) is False
    book.close()
    assert journal.read(path).games[5].ending.winner == 0


def test_a_journal_is_not_begun_twice_without_a_word(path):
    fill(path, [0])
    with pytest.raises(JournalError, match="--resume"):
        Journal(path, MATCH)
    book = Journal(path, MATCH, resume=True)
    assert set(book.contents.games) == {0}
    book.close()


def test_every_torn_end_is_cut_off(path):
    fill(path, [0, 1, 2])
    whole = bytes_of(path)
    lines = whole.splitlines(keepends=True)
    last = len(whole) - len(lines[-1])
    for length in (*range(last, len(whole) - 1, 7), len(whole) - 1):
        with open(path, "wb") as file:
            file.write(whole[:length])
        assert set(journal.read(path).games) == {0, 1}
        book = Journal(path, MATCH, resume=True)
        assert book.add(row(2))
        book.close()
        assert bytes_of(path) == whole


def test_a_torn_head_begins_anew(path):
    fill(path, [])
    head = bytes_of(path)
    for length in (0, 1, len(head) // 2, len(head) - 1):
        with open(path, "wb") as file:
            file.write(head[:length])
        Journal(path, MATCH).close()
        assert bytes_of(path) == head


def test_damage_elsewhere_is_refused_and_left_alone(path):
    fill(path, [0, 1])
    lines = bytes_of(path).splitlines(keepends=True)
    for damaged in (
        b"".join([lines[0], b"nonsense\n", lines[2]]),
        b"".join([lines[0], lines[1], lines[1]]),
        b"".join([b"{}\n", lines[1]]),
        b"".join([lines[0], b"[1]\n"]),
        b"".join([lines[0], b'{"game":1}\n']),
    ):
        with open(path, "wb") as file:
            file.write(damaged)
        with pytest.raises(JournalError, match=r"line|journal"):
            journal.read(path)
        with pytest.raises(JournalError):
            Journal(path, MATCH, resume=True)
        assert bytes_of(path) == damaged


def test_another_match_is_refused(path):
    fill(path, [0])
    other = Settings("xiangqi", MATCH.entrants, seed=9)
    with pytest.raises(JournalError, match="differs in seed"):
        Journal(path, other, resume=True)


def test_a_match_can_be_made_longer(path):
    fill(path, [0])
    longer = Settings("xiangqi", MATCH.entrants, games=500)
    Journal(path, longer, resume=True).close()
    contents = journal.read(path)
    assert contents.settings.games == 500 and set(contents.games) == {0}


def test_two_matches_cannot_write_one_journal(path, monkeypatch):
    monkeypatch.setattr(journal, "LOCK_TIME", 0.1)
    book = Journal(path, MATCH)
    with pytest.raises(JournalError, match="in use"):
        Journal(path, MATCH, resume=True)
    book.close()
    Journal(path, MATCH, resume=True).close()


def test_programs_are_kept_once(path):
    book = Journal(path, MATCH)
    for _ in range(3):
        book.add_programs({"a": "Engine 1"})
    book.close()
    assert bytes_of(path).count(b"Engine 1") == 1
    assert journal.read(path).programs == {"a": "Engine 1"}


def test_what_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot write"):
        Journal(str(tmp_path / "file" / "match.jsonl"), MATCH)
    with pytest.raises(JournalError, match="cannot read"):
        journal.read(str(tmp_path / "nothing"))


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are inherited otherwise there")
def test_children_do_not_hold_the_journal(path):
    book = Journal(path, MATCH)
    assert not os.get_inheritable(book._fd)
    book.close()


def _changed(change):
    value = json.loads(json.dumps(row(0).to_json()))
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 100000 + "]" * 100000, "deeply"),
        ("7", "table"),
        ("{}", "has no 'game'"),
        (_changed(lambda value: value.update(game=-1)), "no such game"),
        (_changed(lambda value: value.update(game=10**9)), "no game 1000000000"),
        (_changed(lambda value: value.update(game="0")), "whole number"),
        (_changed(lambda value: value.update(game=True)), "whole number"),
        (_changed(lambda value: value.update(game=None)), "whole number"),
        (_changed(lambda value: value.update(seats=[0, 7])), "others play"),
        (_changed(lambda value: value.update(seats=[0, 0])), "no such game"),
        (_changed(lambda value: value.update(seats=[0])), "2 values"),
        (_changed(lambda value: value.update(seats="01")), "list"),
        (_changed(lambda value: value.update(first=2)), "two seats"),
        (_changed(lambda value: value["ending"].update(winner=2)), "two seats"),
        (_changed(lambda value: value["ending"].update(winner="red")), "whole number"),
        (_changed(lambda value: value["ending"].update(reason="boredom")), "boredom"),
        (_changed(lambda value: value["ending"].pop("result")), "has no 'result'"),
        (_changed(lambda value: value.update(ending=None)), "table"),
        (_changed(lambda value: value.update(turns={"a": 1})), "list"),
        (_changed(lambda value: value["turns"].append([])), "1 to 8"),
        (_changed(lambda value: value["turns"].append(["h2e2", "x"])), "number"),
        (_changed(lambda value: value["turns"].append(["h2e2", float("nan")])), "number"),
        (_changed(lambda value: value["turns"].append([5])), "text"),
        (_changed(lambda value: value.update(opening=[])), "table"),
        (_changed(lambda value: value["opening"].update(moves=[1])), "text"),
        (_changed(lambda value: value.update(seconds=[1])), "number"),
        (_changed(lambda value: value.update(host={})), "text"),
        (_changed(lambda value: value.update(more=1)), "has no 'more'"),
        ('{"programs": [1]}', "table"),
        ('{"programs": {"a": 1}}', "text"),
        ('{"settings": {}}', "has no 'game'"),
        ('{"settings": 5}', "table"),
    ],
)
def test_an_edited_line_is_named(path, line, words):
    fill(path, [])
    with open(path, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(JournalError, match="line 2 is damaged") as caught:
        journal.read(path)
    assert words in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(JournalError, match="line 2 is damaged"):
        Journal(path, MATCH, resume=True)


@pytest.mark.parametrize(
    "change",
    [
        {"entrants": 5},
        {"entrants": [{"name": 1, "source": "x"}, {"name": "b", "source": "y"}]},
        {"games": "many"},
        {"size": [9]},
        {"komi": "high"},
        {"pairing": "random"},
        {"adjudication": None},
        {"sprt": 3},
        {"nodes": 1.5},
        {"time": "never"},
        {"more": 1},
    ],
)
def test_edited_settings_are_named(path, change):
    fill(path, [])
    header = json.loads(bytes_of(path))
    header["settings"].update(change)
    Path(path).write_text(json.dumps(header) + "\n")
    with pytest.raises(JournalError, match="line 1 is damaged"):
        journal.read(path)
