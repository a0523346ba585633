"""Game records: one file a game, complete after every move."""

import os
import signal
import sys
import time

import pytest

from engines.go.records import read_record
from engines.go.vertex import format_vertex


def games(directory):
    """The recorded games, oldest first, as lines of vertices with the result."""
    found = []
    for path in sorted(directory.glob("*.sgf"), key=lambda path: int(path.stem.rsplit("-", 1)[1])):
        record = read_record(path)
        text = " ".join(format_vertex(point, record.width, record.height) for _, point in record.moves)
        found.append(f"{text} {record.result}".strip())
    return found


@pytest.fixture
def recording(client, tmp_path):
    def make(*script, **options):
        return client(*script, record=str(tmp_path / "games"), **options)

    return make


@pytest.fixture
def directory(tmp_path):
    return tmp_path / "games"


def test_nothing_before_the_first_move(recording, directory):
    gtp = recording()
    gtp.ok("boardsize 9", "clear_board", "komi 5", "set_free_handicap C3 G7")
    assert games(directory) == []
    gtp.ok("play w E5")
    assert games(directory) == ["E5"]


def test_complete_after_every_move(recording, directory):
    gtp = recording("E5", "pass")
    for line, expected in (
        ("genmove b", "E5"),
        ("play w D4", "E5 D4"),
        ("genmove b", "E5 D4 pass"),
        ("play w pass", "E5 D4 pass pass"),
    ):
        gtp.ok(line)
        assert games(directory) == [expected]
    gtp.ok("final_score")
    assert games(directory) == ["E5 D4 pass pass W+7.5"]


def test_what_a_record_says(recording, directory):
    gtp = recording("D5")
    gtp.ok("kata-set-rules japanese", "komi 0.5", "kgs-time_settings byoyomi 600 30 5", "cgos-opponent_name Human")
    gtp.ok("set_free_handicap C3 G7", "genmove w", "cgos-gameover W+Resign")
    (path,) = directory.glob("*.sgf")
    record = read_record(path)
    assert (record.komi, record.rules, record.handicap) == (0.5, "Japanese", 2)
    assert (record.main_time, record.overtime) == (600, "5x30 byo-yomi")
    assert record.white_name.startswith("qiqiao") and record.black_name == "Human"
    assert len(record.setup.black) == 2 and record.date and record.result == "W+R"


def test_a_resignation_is_the_result_and_no_move(recording, directory):
    gtp = recording("E5", "resign")
    gtp.ok("genmove b", "genmove w")
    assert games(directory) == ["E5 B+R"]


def test_the_server_may_say_the_result(recording, directory):
    gtp = recording("E5")
    gtp.ok("genmove b", "cgos-gameover W+Time")
    assert games(directory) == ["E5 W+T"]


def test_sabakis_replays_go_on_in_the_same_file(recording, directory):
    gtp = recording("E5", "C7", "E4")
    gtp.ok("genmove b", "play w D4")
    gtp.ok("clear_board", "play b E5")
    assert games(directory) == ["E5 D4"]
    gtp.ok("play w D4", "genmove b")
    assert games(directory) == ["E5 D4 C7"]
    gtp.ok("clear_board", "play b E5", "play w D4", "play b C7", "play w F6", "genmove b")
    assert games(directory) == ["E5 D4 C7 F6 E4"]


def test_another_game_after_clear_board_is_another_file(recording, directory):
    gtp = recording()
    gtp.ok("play b E5", "play w D4", "clear_board", "play b E5", "play w C3")
    assert games(directory) == ["E5 D4", "E5 C3"]


def test_a_game_with_the_same_beginning_is_another_file_when_the_engine_moves(recording, directory):
    gtp = recording("E5", "D6", "E5", "D6")
    gtp.ok("genmove b", "play w D4", "genmove b", "clear_board")
    gtp.ok("genmove b", "play w D4", "genmove b")
    assert games(directory) == ["E5 D4 D6", "E5 D4 D6"]


def test_undo(recording, directory):
    gtp = recording()
    gtp.ok("play b E5", "play w D4", "play b C3", "undo", "undo")
    assert games(directory) == ["E5 D4 C3"]
    gtp.ok("play w D4")
    assert games(directory) == ["E5 D4 C3"]
    gtp.ok("play b G7")
    assert games(directory) == ["E5 D4 G7"]


def test_another_size_or_set_up_is_another_game(recording, directory):
    gtp = recording()
    gtp.ok("play b E5", "boardsize 7", "clear_board", "play b E5", "clear_board", "gogui-setup w A1", "play b E5")
    assert games(directory) == ["E5", "E5", "E5"]


def test_a_directory_that_cannot_be_made(client, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot record games"):
        client(record=str(tmp_path / "file" / "games"))


def test_a_record_that_cannot_be_written_does_not_stop_the_game(recording, directory, capsys):
    gtp = recording()
    gtp.ok("play b E5")
    for path in directory.glob("*"):
        path.unlink()
    directory.rmdir()
    directory.write_text("in the way")
    gtp.ok("play w D4")
    assert "could not be written" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_in_mid_game(process, ask, tmp_path):
    child = process("--record", str(tmp_path), "--think", "30")
    for number, line in enumerate(("play b E5", "play w D4", "play b C3")):
        ask(child, line)
        assert len(games(tmp_path)[0].split()) == number + 1
    child.stdin.write(b"genmove w\n")
    child.stdin.flush()
    time.sleep(0.1)
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=10)
    assert games(tmp_path) == ["E5 D4 C3"]
    assert [path.suffix for path in tmp_path.iterdir()] == [".sgf"]


def test_a_file_that_is_there_is_never_touched(recording, directory, monkeypatch):
    gtp = recording()
    monkeypatch.setattr(time, "strftime", lambda form: "20260131-203000" if "%H" in form else "2026-01-31")
    directory.mkdir(exist_ok=True)
    name = f"qiqiao-20260131-203000-{os.getpid()}-{{}}.sgf".format
    (directory / name(1)).write_text("a user's")
    gtp.ok("play b E5", "play w D4")
    assert (directory / name(1)).read_text() == "a user's"
    assert len(read_record(directory / name(2)).moves) == 2


def test_after_a_full_disk_the_next_move_tries_again(recording, directory, monkeypatch, capsys):
    gtp = recording()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        gtp.ok("play b E5")
    assert "No space left" in capsys.readouterr().err
    assert list(directory.iterdir()) == []
    gtp.ok("play w D4")
    assert games(directory) == ["E5 D4"]
