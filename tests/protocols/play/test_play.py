"""``qiqiao play``: games at the terminal, lines typed into it."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from at_terminal import play

from engines import games
from engines.gametype import Opening
from protocols.play import saved
from protocols.play.words import ABOUT, COMMANDS, TEXTS, command_of
from protocols.start import own_command

MATE = ["h2h9", "i9h9", "b2b9", "a9b9"]


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "qiqiao" / "play"


def test_moves_in_any_notation(capsys):
    status, said = play(
        capsys, ["炮二平五", "马8进7", "H2+3", "i9h9", "history", "quit"], "--against", "human", "--style", "letters"
    )
    assert status == 0
    assert "1. h2e2 C2=5  h9g7 H8+7" in said
    assert "2. h0g2 H2+3  i9h9 R9=8" in said
    assert "Kept in" in said


def test_a_wrong_move_changes_nothing(capsys):
    status, said = play(capsys, ["h2h3x", "a0a9", "马二进八", "history", "h2e2", "quit"], "--against", "human")
    assert status == 0
    assert "\nnone\n" in said
    assert "move 2  Black to move" in said


def test_legal_moves_and_those_that_begin_so(capsys):
    _, said = play(capsys, ["?", "?h0", "? b0", "quit"], "--against", "human")
    assert len([word for word in said.split() if len(word) == 4 and word[1].isdigit() and word[3].isdigit()]) >= 44
    assert "h0g2  H2+3" in said
    assert "b0c2  H8+7" in said


def test_go_is_counted_by_a_person(capsys):
    moves = ["c3", "pass", "pass", "none"]
    status, said = play(capsys, moves, "--game", "go", "--size", "5", "--komi", "7", "--against", "human")
    assert status == 0
    assert "Black wins: count of the board (B+18)" in said


def test_dead_stones_are_whole_chains(capsys):
    moves = ["c1", "a5", "c2", "b5", "c3", "pass", "c4", "pass", "c5", "pass", "pass", "e9", "b5"]
    _, said = play(capsys, moves, "--game", "go", "--size", "5", "--komi", "0", "--against", "human")
    assert "Black wins: count of the board (B+25)" in said


def test_resignation_ends_and_forgets(capsys, state):
    status, said = play(capsys, ["h2e2", "resign"], "--against", "human")
    assert status == 0
    assert "Red wins: resignation (1-0)" in said
    assert not list(state.glob("*"))


def test_a_draw_is_offered_with_a_move_and_accepted(capsys):
    _, said = play(capsys, ["draw", "h2e2", "draw"], "--against", "human")
    assert "Your offer goes with your next move." in said
    assert "Red offers a draw" in said
    assert "Draw: draw by agreement (1/2-1/2)" in said


def test_a_move_refuses_a_draw(capsys):
    _, said = play(capsys, ["draw h2e2", "h9g7", "draw", "quit"], "--against", "human")
    assert said.count("offers a draw") == 1
    assert "last offer was refused" in said


def test_go_knows_no_draw(capsys):
    _, said = play(capsys, ["draw", "quit"], "--game", "go", "--against", "human")
    assert "there are no draws by agreement here" in said


def test_undo_against_a_program_is_to_ones_own_move(capsys):
    _, said = play(capsys, ["undo", "h2e2", "undo", "history", "quit"], "--against", "random")
    assert "There is no move of yours to take back." in said
    assert "Taken back: 2." in said
    assert "\nnone\n" in said


def test_undo_of_two_people_is_one_move(capsys):
    _, said = play(capsys, ["h2e2", "h9g7", "undo", "history", "quit"], "--against", "human")
    assert "Taken back: 1." in said
    assert "\n1. h2e2 C2=5\n" in said


def test_what_has_shown_is_not_taken_back(capsys):
    typed = ["h2e2", "a6a5", "undo", "quit"]
    _, said = play(capsys, typed, "--game", "jieqi", "--seed", "5", "--against", "human")
    assert "What has turned up can't be hidden again" in said


def test_the_end_of_input_loses_nothing(capsys, state):
    status, said = play(capsys, ["h2e2"], "--against", "human")
    assert status == 0
    (file,) = state.glob("*.json")
    assert [turn.move for turn in saved.read(str(file)).turns] == ["h2e2"]
    status, said = play(capsys, ["h9g7", "history"], "--resume")
    assert "1. h2e2 C2=5  h9g7 H8+7" in said


def test_a_record_is_written_move_by_move_and_gone_on_with(capsys, tmp_path):
    record = str(tmp_path / "game.pgn")
    play(capsys, ["h2e2"], "--against", "human", "--record", record)
    assert "炮二平五" in Path(record).read_text(encoding="utf-8")
    status, _ = play(capsys, ["h9g7", "resign"], "--resume", record)
    assert status == 0
    text = Path(record).read_text(encoding="utf-8")
    assert "马8进7" in text
    assert '[Result "0-1"]' in text
    assert not os.path.exists(record + ".resume")


def test_a_record_of_go(capsys, tmp_path):
    record = tmp_path / "game.sgf"
    play(capsys, ["c3", "d4", "resign"], "--game", "go", "--size", "9", "--against", "human", "--record", str(record))
    assert ";B[cg]" in record.read_text()
    assert "RE[W+R]" in record.read_text()


def test_the_record_of_a_hidden_game_is_written_at_its_end(capsys, tmp_path):
    record = tmp_path / "game.pgn"
    words = ["--game", "jieqi", "--seed", "5", "--against", "human", "--record", str(record)]
    play(capsys, ["h2e2"], *words)
    assert not record.exists()
    play(capsys, ["resign"], "--resume", str(record))
    assert "[Deal " in record.read_text()


def test_the_clock_is_kept_and_the_flag_falls(capsys, tmp_path):
    file = tmp_path / "game.json"
    play(capsys, ["h2e2", f"save {file}", "clock"], "--against", "human", "--time", "60+1")
    kept = saved.read(str(file))
    assert 60 < kept.clocks[0][0] <= 61
    value = json.loads(file.read_text())
    value["clocks"][1] = [0.0, 0]
    value["time"] = "60"
    file.write_text(json.dumps(value))
    _, said = play(capsys, ["h9g7"], "--resume", str(file))
    assert "Red wins: time (1-0)" in said


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": "qiqiao-play", "version": 2}', '{"format": "qiqiao-play", "version": 1, "game": 3}'],
)
def test_a_damaged_file_is_told(capsys, tmp_path, text):
    file = tmp_path / "x.json"
    file.write_text(text)
    status, said = play(capsys, [], "--resume", str(file))
    assert status == 2
    assert said.startswith("qiqiao play: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--side", "blue"], "--side must be one of red, black"),
        (["--against", "nobody"], "no engine 'nobody'"),
        (["--against", "gtp:x"], "gtp engines play go"),
        (["--level", "99"], "the level must be 0 to 20"),
        (["--time", "soon"], "no time control"),
        (["--size", "9"], "--size is no option of Xiangqi"),
        (["--natural-limit", "often"], "--natural-limit"),
        (["--setup", "9/9"], ""),
        (["--resume"], "no game is kept"),
        (["--against", "random", "--against", "human"], "2 play Xiangqi"),
    ],
)
def test_wrong_wishes(capsys, words, what):
    status, said = play(capsys, [], *words)
    assert status == 2
    assert what in said
    assert said.count("\n") == 1


def test_black_begins_with_the_programs_move(capsys):
    _, said = play(capsys, ["quit"], "--side", "black", "--against", "random")
    assert "Red: " in said
    assert "move 2  Black to move" in said


def test_another_program_plays(capsys):
    mine = f"uci:{' '.join(own_command())} uci --terse"
    status, said = play(capsys, ["h2e2", "quit"], "--against", mine, "--move-time", "0.05")
    assert status == 0, said
    assert "Black: " in said
    assert "move 3  Red to move" in said


def test_a_program_that_ends_leaves_the_game_kept(capsys, state):
    mine = f"uci:{sys.executable} -c pass"
    _, said = play(capsys, ["h2e2"], "--against", mine)
    assert "can't play on" in said
    assert "Kept in" in said
    assert len(list(state.glob("*.json"))) == 1


def test_the_built_in_player_answers_and_hints(capsys):
    typed = ["hint", "h2e2", "quit"]
    _, said = play(capsys, typed, "--level", "0", "--move-time", "0.05")
    assert "Hint: " in said
    assert "Black: " in said


def test_the_built_in_player_of_jieqi_gets_a_view(capsys):
    typed = ["h2e2", "?", "quit"]
    _, said = play(capsys, typed, "--game", "jieqi", "--level", "0", "--move-time", "0.05", "--seed", "2")
    assert "Black: " in said


def laying(name, people=1):
    """What people type before the first move: layouts left to chance, where there are any."""
    return [""] * people if games.make(name).begin(Opening()).to_lay() else []


@pytest.mark.parametrize("name", list(games.GAMES))
def test_every_game_is_begun_drawn_and_played(capsys, name):
    typed = [*laying(name), "board", "?", "flip", "quit"]
    status, said = play(capsys, typed, "--game", name, "--against", "random", "--style", "letters")
    assert status == 0, said
    drawn = said.partition("move 1  ")[2].partition("Kept")[0]
    assert max(map(len, drawn.splitlines())) <= 80
    assert "to move" in said


@pytest.mark.parametrize("name", list(games.GAMES))
def test_every_game_goes_on_from_where_it_was_left(capsys, name):
    game = games.make(name)
    typed = [*laying(name), "flip"]
    status, said = play(capsys, typed, "--game", name, "--side", "2", "--against", "random", "--seed", "7")
    assert status == 0, said
    status, said = play(capsys, ["history"], "--resume")
    assert status == 0, said
    assert "\n1. " in said
    assert game.titles.english in said


def test_two_at_one_terminal_see_what_each_may_see(capsys):
    """The captor is told what it took face down, the other is not."""
    typed = ["h2h9", "i9h9", "history", "quit"]
    _, said = play(capsys, typed, "--game", "jieqi", "--seed", "3", "--against", "human", "--style", "letters")
    red, black, again = said.split("Hand over to ")[0], said.split("Hand over to ")[2], said.split("Hand over to ")[4]
    taken = next(line for line in red.splitlines() if line.startswith("that was h2h9")).split()[-1]
    assert len(taken) == 6
    assert taken not in black
    assert f"Red: {taken[:5]}\n" in black
    assert f"1. {taken}" in again


def test_a_layout_is_seen_by_its_owner_alone(capsys):
    typed = ["RNCPPPPPCNR", "PPPPPRRNNCC", "board", "quit"]
    _, said = play(capsys, typed, "--game", "fanqi3", "--against", "human", "--style", "letters")
    red = said.split("Hand over to Red")[2]
    assert "= a0 R  b0 N  h0 C" in red
    assert "a9" not in red
    assert "Black unseen: n2 r2 c2 p5" in red


def test_free_forms_are_laid(capsys):
    layout = "RNNRCCPPPPP"
    _, said = play(capsys, ["XX", layout, "", "h2e2", "history", "quit"], "--game", "fanqi3", "--against", "human")
    assert "Red lays its pieces" in said
    assert "Black lays its pieces" in said
    assert "h2e2C" in said


def test_three_play_sanguo_at_one_terminal_and_with_programs(capsys, tmp_path):
    record = tmp_path / "game.pgn"
    words = ["--game", "sanguo", "--seed", "3", "--against", "random", "--against", "human", "--record", str(record)]
    _, said = play(capsys, ["a1", "b1", "history", "resign"], *words, "--style", "letters")
    assert "Hand over to Third" in said
    assert "Second: " in said
    assert "resignation (1/3-1/3-1/3)" not in said
    assert '[Player2 "random"]' in record.read_text()


def test_banqi_keeps_no_turn_up_from_standing(capsys):
    _, said = play(capsys, ["a1", "undo", "draw b1", "quit"], "--game", "banqi", "--seed", "3", "--against", "human")
    assert "What has turned up can't be hidden again" in said
    assert "Second offers a draw" in said


def test_words_are_not_moves():
    assert command_of("？h2") == ("moves", "h2")
    assert command_of("提示") == ("hint", "")
    assert command_of(" draw  h2e2") == ("draw", "h2e2")
    assert command_of("炮二平五") == ("", "炮二平五")
    assert set(ABOUT) == set(COMMANDS)
    said = [word for words in COMMANDS.values() for word in words]
    assert len(said) == len(set(said))
    for words in (*TEXTS.values(), *ABOUT.values()):
        assert all(words)


# ---- a real terminal


class Terminal:
    """``qiqiao play`` under a pseudo-terminal of some size."""

    def __init__(self, *words, rows=40, columns=80, **environment):
        self.master, slave = pty.openpty()
        import fcntl
        import struct
        import termios

        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.said = ""

        def in_a_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests in the background have it ignored

        variables = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "", "LINES": "", **environment}
        variables = {key: value for key, value in variables.items() if value}
        self.process = subprocess.Popen(
            [*own_command(), "play", "--language", "en", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=variables,
            start_new_session=True,
            preexec_fn=in_a_terminal,
        )
        os.close(slave)

    def until(self, text, seconds=300):
        end = time.monotonic() + seconds
        while text not in self.said:
            assert time.monotonic() < end, self.said
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        assert text in self.said, self.said
        before, _, self.said = self.said.partition(text)
        return before

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        os.close(self.master)
        return self.process.wait(60)


def test_a_terminal_has_prompts_and_colours_and_ctrl_c_keeps_the_game(state):
    at = Terminal("--against", "human")
    before = at.until("Red > ")
    assert "\x1b[48;5;180m" in before
    at.type("h2e2\n")
    at.until("Black > ")
    at.type("\x03")
    at.until("Kept in")
    assert at.process.wait(60) == 130
    at.end()
    assert len(list(state.glob("*.json"))) == 1


def test_ctrl_c_while_the_program_thinks(state):
    at = Terminal("--move-time", "100", "--against", "search")
    at.until("Red > ")
    at.type("h2e2\n")
    time.sleep(0.5)
    at.type("\x03")
    at.until("Kept in")
    assert at.process.wait(60) == 130
    at.end()


def test_ctrl_d_and_no_colour(state):
    at = Terminal("--against", "human", NO_COLOR="1")
    assert "\x1b[" not in at.until("Red > ")
    at.type("h2e2\n")
    at.until("Black > ")
    at.type("\x04")
    at.until("Kept in")
    assert at.process.wait(60) == 0
    at.end()


def test_a_narrow_window_has_letters_and_a_tiny_one_no_board():
    at = Terminal("--against", "human", columns=24)
    before = at.until("Red > ")
    assert "R" in before
    assert "俥" not in before
    at.end()
    at = Terminal("--against", "human", columns=12)
    assert "too small" in at.until("Red > ")
    at.type("h2e2\n")
    at.until("Black > ")
    at.end()
    at.process.send_signal(signal.SIGKILL)


def test_handing_over_wipes_the_window():
    at = Terminal("--game", "jieqi", "--seed", "3", "--against", "human")
    at.until("Red > ")
    at.type("h2h9\n")
    at.until("Hand over to Black")
    at.type("\n")
    at.until("\x1b[3J")
    at.until("Hand over to Black")
    at.type("\n")
    before = at.until("Black > ")
    assert "Red: h2h9" in before
    at.end()
