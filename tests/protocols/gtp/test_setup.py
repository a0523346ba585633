"""Setting up: sizes, handicap, positions, rules, files."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from engines.go.points import BLACK, WHITE

HANDICAP = json.loads((Path(__file__).parents[2] / "data" / "go" / "fixed_handicap.json").read_text())["sizes"]


@pytest.mark.parametrize("size", HANDICAP)
def test_fixed_handicap(size, client):
    gtp = client()
    for count in range(11):
        gtp.ok(f"boardsize {size}", "clear_board")
        expected = HANDICAP[size]["stones"].get(str(count))
        if expected is None:
            gtp.error(f"fixed_handicap {count}")
        else:
            assert set(gtp.ok(f"fixed_handicap {count}").split()) == set(expected)
            assert gtp.ok("get_handicap") == str(count)


@pytest.mark.parametrize("line", ["fixed_handicap 2", "place_free_handicap 2", "set_free_handicap C3 G7"])
def test_handicap_needs_an_empty_board(line, client):
    gtp = client()
    gtp.ok("play b E5")
    assert gtp.error(line) == "board not empty"
    gtp.ok("undo", "play b pass", "undo", "play w pass", line)
    assert gtp.game.handicap == 2


@pytest.mark.parametrize("vertices", ["", "C3", "C3 C3", "C3 pass", "C3 J10", "C3 E5 x"])
def test_bad_vertex_lists(vertices, client):
    assert client().error(f"set_free_handicap {vertices}") == "bad vertex list"


def test_a_full_board_is_no_handicap(client):
    gtp = client(width=2, height=2)
    assert gtp.error("set_free_handicap A1 A2 B1 B2") == "bad vertex list"
    gtp.ok("set_free_handicap A1 A2 B1")


def test_free_handicap_places_what_there_is_room_for(client):
    gtp = client(width=3, height=3)
    assert len(gtp.ok("place_free_handicap 9").split()) == 8
    many = client(width=19, height=19)
    assert len(set(many.ok("place_free_handicap 25").split())) == 25
    assert many.error("place_free_handicap 1")


def test_handicap_stones_stay_when_moves_are_taken_back(client):
    gtp = client()
    gtp.ok("set_free_handicap C3 G7", "play w E5", "undo")
    assert gtp.error("undo") == "cannot undo"
    assert gtp.ok("list_stones b") == "C3 G7"


@pytest.mark.parametrize("line", ["boardsize 9 13", "boardsize 9:13", "rectangular_boardsize 9 13"])
def test_rectangular_boards(line, client):
    gtp = client()
    gtp.ok(line, "clear_board", "play b J13")
    assert (gtp.game.width, gtp.game.height) == (9, 13)


@pytest.mark.parametrize(
    "line", ["boardsize", "boardsize 9 x", "boardsize -9", "boardsize 9.5", "rectangular_boardsize 9"]
)
def test_bad_sizes(line, client):
    assert client().error(line).startswith("syntax error")


def test_boardsize_gives_an_empty_board_and_keeps_the_rest(client):
    gtp = client()
    gtp.ok("komi 3", "kata-set-rules aga", "play b E5", "boardsize 9")
    assert gtp.ok("list_stones b") == ""
    assert (gtp.ok("get_komi"), gtp.game.rules.name) == ("3", "aga")


def test_set_position(client):
    gtp = client()
    gtp.ok("play b E5", "set_position b C3 w D4")
    assert (gtp.ok("list_stones b"), gtp.ok("list_stones w")) == ("C3", "D4")
    assert gtp.game.to_move == BLACK and gtp.error("undo") == "cannot undo"
    for line in ("b C3 b C3", "b C3 w C3", "b C3 w", "b pass", "x C3", "b A1 w A2 w B1"):
        gtp.error(f"set_position {line}")
    gtp.ok("set_position")
    assert gtp.ok("list_stones b") == ""


def test_gogui_setup(client):
    gtp = client()
    gtp.ok("gogui-setup b C3 w D4", "gogui-setup_player w")
    assert gtp.game.to_move == WHITE and gtp.game.handicap == 0
    assert gtp.error("gogui-setup b E5") == "board not empty"
    gtp.ok("play w E5")
    gtp.error("gogui-setup_player b")


def test_gogui_play_sequence_is_all_or_nothing(client):
    gtp = client()
    gtp.ok("gogui-play_sequence b C3 w D4 b E5")
    assert gtp.error("gogui-play_sequence w F6 b F7 w C3").startswith("illegal move")
    assert gtp.error("gogui-play_sequence w F6 b").startswith("syntax error")
    gtp.ok("gogui-play_sequence")
    assert gtp.ok("move_history") == "black E5\nwhite D4\nblack C3"


def test_the_ancient_set_up(client):
    gtp = client(width=19, height=19, rules="ancient-chinese")
    assert gtp.ok("get_komi") == "0" and gtp.game.to_move == WHITE
    gtp.ok("qiqiao-setup ancient")
    assert (gtp.ok("list_stones b"), gtp.ok("list_stones w")) == ("D4 Q16", "Q4 D16")
    assert gtp.game.to_move == WHITE
    gtp.ok("boardsize 5")
    gtp.error("qiqiao-setup ancient")
    gtp.error("qiqiao-setup modern")


def test_a_command_never_changes_komi_with_the_rules(client):
    gtp = client(rules="japanese")
    assert gtp.ok("get_komi") == "6.5"
    for line in ("kata-set-rules chinese", "kgs-rules new_zealand", "kata-set-rule tax SEKI"):
        gtp.ok(line)
        assert gtp.ok("get_komi") == "6.5"
    assert client(rules="japanese", komi=5.0).ok("get_komi") == "5"


def test_kgs_rules_ignores_further_arguments(client):
    gtp = client()
    gtp.ok("kgs-rules chinese and more")
    assert gtp.game.rules.name == "chinese-kgs"


def test_loadsgf(client, tmp_path):
    file = tmp_path / "a game.sgf"
    file.write_text("(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese];B[ee];W[dd](;B[]TM[x];W[tt])(;B[cc]))")
    gtp = client()
    gtp.ok(f'loadsgf "{file}"')
    assert gtp.ok("move_history") == "white pass\nblack pass\nwhite D6\nblack E5"
    assert (gtp.ok("get_komi"), gtp.game.rules.name) == ("6.5", "japanese")
    gtp.ok(f'loadsgf "{file}" 2')
    assert gtp.ok("move_history") == "black E5"
    gtp.ok(f'loadsgf "{file}" 1')
    assert gtp.error("undo") == "cannot undo"
    gtp.ok(f'loadsgf "{file}" 99')
    assert gtp.ok("last_move") == "white pass"


def test_loadsgf_takes_set_up_stones_and_foreign_ko_fights(client, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[2];B[aa];W[ba];B[ab];W[bb];B[];W[ab];B[aa])")
    gtp = client(rules="tromp-taylor")
    gtp.ok(f"loadsgf {file}")
    assert gtp.ok("last_move") == "black A2"
    file.write_text("(;SZ[9]AB[cc][gg]AW[ee]PL[W];W[dd];AE[ee]AB[ff];B[aa])")
    gtp.ok(f"loadsgf {file}")
    assert gtp.ok("list_stones b") == "G3 F4 C7 A9" and gtp.ok("list_stones w") == "D6"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "(;SZ[9];B[ee",
        "(;SZ[99];B[ee])",
        "(;SZ[9];B[ee];W[ee])",
        "(;SZ[9];B[zz])",
        "(;GM[2])",
        "\x00\xff",
    ],
)
def test_broken_files(text, client, tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text(text, encoding="latin-1")
    gtp = client()
    gtp.ok("play b E5")
    assert gtp.error(f"loadsgf {file}") == "cannot load file"
    assert str(file) in capsys.readouterr().err


def test_a_file_cut_off_is_loaded_and_the_fault_told(client, tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9]\n;B[ee];W[dd]")
    gtp = client()
    gtp.ok(f"loadsgf {file}")
    assert gtp.ok("move_history") == "white D6\nblack E5"
    assert f"{file}: line 2, character 13: unexpected end" in capsys.readouterr().err


def test_handicap_stones_played_as_moves_count_as_moves_for_loadsgf(client, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9]HA[2];B[gc];B[cg];W[ee];B[dd])")
    gtp = client()
    gtp.ok(f"loadsgf {file}")
    assert gtp.ok("get_handicap") == "2" and gtp.ok("move_history") == "black D6\nwhite E5"
    gtp.ok(f"loadsgf {file} 4")
    assert gtp.ok("move_history") == "white E5"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of POSIX")
def test_only_regular_files(client, tmp_path):
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    gtp = client()
    for name in (pipe, "/dev/null", tmp_path):
        assert gtp.error(f"loadsgf {name}") == "cannot load file"
        assert gtp.error(f"printsgf {name}") == "cannot write file"
    assert stat.S_ISFIFO(pipe.stat().st_mode) and [entry.name for entry in tmp_path.iterdir()] == ["pipe.sgf"]
    assert gtp.ok("name") == "qiqiao"


def test_printsgf_takes_a_name_with_blanks_in_quotes_only(client, tmp_path):
    gtp = client()
    assert gtp.error(f"printsgf {tmp_path / 'my game.sgf'}") == "a file name with blanks needs double quotes"
    assert list(tmp_path.iterdir()) == []
    gtp.ok(f'printsgf "{tmp_path / "my game.sgf"}"')
    assert [path.name for path in tmp_path.iterdir()] == ["my game.sgf"]


def test_printsgf_leaves_a_users_own_part_alone(client, tmp_path):
    (tmp_path / "game.sgf.part").write_text("mine")
    client().ok(f"printsgf {tmp_path / 'game.sgf'}")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["game.sgf", "game.sgf.part"]
    assert (tmp_path / "game.sgf.part").read_text() == "mine"


def test_printsgf(client, tmp_path):
    gtp = client()
    gtp.ok("komi 0.5", "set_free_handicap C3 G7", "play w E5", "play b pass")
    text = gtp.ok("printsgf")
    file = tmp_path / "out.sgf"
    file.write_text(text)
    other = client()
    other.ok(f"loadsgf {file}")
    assert other.state()[:2] == gtp.state()[:2]
    gtp.ok(f"printsgf {tmp_path / 'written.sgf'}")
    assert (tmp_path / "written.sgf").read_text().strip() == text.strip()
    assert gtp.error(f"printsgf {tmp_path / 'no' / 'such' / 'place.sgf'}") == "cannot write file"


@pytest.mark.parametrize("rules", ["chinese", "ancient-chinese"])
@pytest.mark.parametrize("first", ["b", "w"])
@pytest.mark.parametrize("stones", ["", "b C3", "b C3 b G7", "b C3 w G7", "w C3 w G7"])
def test_printsgf_tells_who_moves_first(stones, first, rules, client, tmp_path):
    gtp = client(rules=rules)
    gtp.ok(f"set_position {stones}", f"gogui-setup_player {first}", f"printsgf {tmp_path / 'out.sgf'}")
    other = client()
    other.ok(f"loadsgf {tmp_path / 'out.sgf'}")
    assert other.game.to_move == gtp.game.to_move == (1 if first == "b" else 2)


def test_komi_minus_zero_is_zero(client):
    gtp = client()
    gtp.ok("komi -0.0")
    assert gtp.ok("get_komi") == "0"
