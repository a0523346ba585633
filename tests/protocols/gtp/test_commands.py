"""The table of commands, and the commands about clocks, scores and GoGui's window."""

import re
from pathlib import Path

import pytest

from engines.go.points import BLACK

PROMISED = """
protocol_version name version known_command list_commands quit help boardsize rectangular_boardsize query_boardsize
clear_board komi get_komi play genmove undo gg-undo reg_genmove fixed_handicap place_free_handicap set_free_handicap
get_handicap time_settings kgs-time_settings kata-time_settings kata-list_time_settings time_left final_score
final_status_list kgs-rules kgs-genmove_cleanup kgs-game_over loadsgf printsgf showboard analyze lz-analyze kata-analyze
genmove_analyze lz-genmove_analyze kata-genmove_analyze cgos-genmove_analyze stop kata-get-rules kata-set-rules
kata-set-rule gogui-analyze_commands gogui-interrupt gogui-play_sequence gogui-setup gogui-setup_player cputime
cgos-opponent_name cgos-opponent_rating cgos-gameover set_position list_stones captures last_move move_history is_legal
all_legal qiqiao-setup
"""


def test_every_promised_command_is_listed(client):
    gtp = client()
    listed = gtp.ok("list_commands").split("\n")
    assert set(PROMISED.split()) <= set(listed)
    assert listed == sorted(set(listed))
    assert all(re.fullmatch(r"[a-z][a-z0-9_-]*", name) for name in listed)
    assert all(gtp.ok(f"known_command {name}") == "true" for name in listed)


def test_every_command_has_help(client):
    gtp = client()
    lines = gtp.ok("help").split("\n")
    names = gtp.ok("list_commands").split("\n")
    assert [line.split()[0] for line in lines] == names
    for name in names:
        usage, about = gtp.ok(f"help {name}").split("\n")
        assert usage.split()[0] == name and about.endswith(".")


def test_every_command_is_documented(client):
    text = (Path(__file__).parents[3] / "docs" / "gtp.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`([a-z][a-z0-9_-]*)", text))
    assert set(client(kgs_chat=True).ok("list_commands").split("\n")) <= documented


def test_surplus_arguments_are_ignored(client):
    gtp = client()
    gtp.ok("play b E5 and more", "undo twice", "clear_board now", "komi 5 points")
    assert gtp.ok("name please") == "qiqiao"


# --- clocks


@pytest.mark.parametrize(
    ("line", "kind", "main", "period", "stones", "periods"),
    [
        ("time_settings 300 30 5", "canadian", 300, 30, 5, 0),
        ("time_settings 300 0 0", "absolute", 300, 0, 0, 0),
        ("time_settings 0 1 0", "none", 0, 0, 0, 0),
        ("kgs-time_settings none", "none", 0, 0, 0, 0),
        ("kgs-time_settings absolute 60", "absolute", 60, 0, 0, 0),
        ("kgs-time_settings canadian 60 30 5", "canadian", 60, 30, 5, 0),
        ("kgs-time_settings byoyomi 60 30 5", "byoyomi", 60, 30, 0, 5),
        ("kata-time_settings byoyomi 60.5 30.25 5", "byoyomi", 60.5, 30.25, 0, 5),
        ("kata-time_settings none", "none", 0, 0, 0, 0),
        ("kata-time_settings fischer 60 1.5", "fischer", 60, 0, 0, 0),
        ("kata-time_settings fischer-capped 60 10 120 30", "fischer-capped", 60, 0, 0, 0),
    ],
)
def test_time_settings(line, kind, main, period, stones, periods, client):
    gtp = client()
    gtp.ok(line)
    control = gtp.server.session.control
    assert (control.kind, control.main, control.period, control.stones, control.periods) == (
        kind,
        main,
        period,
        stones,
        periods,
    )


def test_the_kinds_listed_are_the_kinds_taken(client):
    gtp = client()
    for kind in gtp.ok("kata-list_time_settings").split():
        gtp.ok(f"kata-time_settings {kind} 60 10 90 -1")
        gtp.error("kata-time_settings " + kind + "x")


def test_kgs_knows_no_fischer(client):
    assert client().error("kgs-time_settings fischer 60 5").startswith("syntax error")


def test_time_left_without_settings_is_kept_to(client):
    gtp = client()
    gtp.ok("time_left b 10 0", "genmove b")
    assert gtp.player.asked[-1][1].clock.left == 10
    gtp.ok("time_left w 8 2", "genmove w")
    clock = gtp.player.asked[-1][1].clock
    assert (clock.control.kind, clock.left, clock.stones) == ("canadian", 8, 2)
    gtp.ok("clear_board", "genmove b")
    assert gtp.player.asked[-1][1].clock is None


def test_negative_time_left_is_nothing_left(client):
    gtp = client()
    gtp.ok("time_settings 60 0 0", "time_left b -2 0")
    assert gtp.server.session.clocks[BLACK].left == 0


def test_without_a_clock_it_takes_its_move_time_or_its_playouts(client):
    for options, expected in (({}, (2.0, None)), ({"playouts": 50}, (None, 50)), ({"level": 3}, (2.0, None))):
        gtp = client(**options)
        gtp.ok("genmove b")
        limits = gtp.player.asked[-1][1]
        assert (limits.seconds, limits.nodes) == expected


def test_a_regression_move_is_neither_played_nor_charged(client):
    gtp = client("D4", think=0.02)
    gtp.ok("time_settings 60 0 0")
    assert gtp.ok("reg_genmove b") == "D4"
    assert gtp.game.moves == [] and gtp.server.session.clocks[BLACK].left == 60
    assert gtp.player.options["fresh"]


def test_clean_up_is_passed_on(client):
    gtp = client()
    gtp.ok("kgs-genmove_cleanup b")
    assert gtp.player.options["cleanup"]
    gtp.ok("genmove b")
    assert not gtp.player.options["cleanup"]


def test_an_illegal_choice_of_the_player_becomes_a_pass(client):
    gtp = client("E5", "E5")
    gtp.ok("genmove b")
    assert gtp.ok("genmove w") == "pass"


# --- scores

# From the top: .X.OX XXXXX OOOOO O.O.O OOOOO. Both sides live; the white stone at D5 is caught.
HALVES = "set_position " + " ".join(
    [f"b {vertex}" for vertex in ["B5", "E5", "A4", "B4", "C4", "D4", "E4"]]
    + [f"w {vertex}" for vertex in ["D5", "A3", "B3", "C3", "D3", "E3", "A2", "C2", "E2", "A1", "B1", "C1", "D1", "E1"]]
)


def halves(client):
    gtp = client(width=5, height=5)
    gtp.ok("komi 0", HALVES)
    return gtp


def test_dead_stones_are_taken_off_or_counted_by_the_rules(client):
    gtp = halves(client)
    assert gtp.ok("final_status_list dead") == "D5"
    assert gtp.ok("final_score") == "W+5"
    gtp.ok("kata-set-rules tromp-taylor")
    assert gtp.ok("final_status_list dead") == ""
    assert gtp.ok("final_score") == "W+8"
    gtp.ok("kata-set-rules japanese")
    assert gtp.ok("final_score") == "B+2"


def test_status_lists_are_chains_by_line_and_cover_all_stones(client):
    gtp = halves(client)
    listed = [
        vertex for status in ("alive", "seki", "dead") for vertex in gtp.ok(f"final_status_list {status}").split()
    ]
    stones = gtp.ok("list_stones b").split() + gtp.ok("list_stones w").split()
    assert sorted(listed) == sorted(stones)
    assert len(gtp.ok("final_status_list alive").split("\n")) == 2


def test_territory_and_dame(client):
    gtp = halves(client)
    assert gtp.ok("final_status_list black_territory") == "A5 C5 D5"
    assert gtp.ok("final_status_list white_territory") == "B2 D2"
    assert gtp.ok("final_status_list dame") == ""


def test_the_full_count(client):
    text = halves(client).ok("qiqiao-score")
    assert text.startswith("result W+5\n") and "黑10子" in text


def one_black_stone_in_whites_corner(client, rules="japanese"):
    """White's wall on the third line of 9×9 with a black chain of two behind it, Black's wall before it."""
    gtp = client()
    gtp.ok(f"kata-set-rules {rules}")
    gtp.ok("komi 0")
    walls = [f"white {column}3 black {column}4" for column in "ABCDEFGHJ"]
    gtp.ok("gogui-setup " + " ".join(["black C2 black D2", *walls]))
    return gtp


@pytest.mark.parametrize(
    "given, listed, result",
    [
        ("C2", "dead C2 D2", "B+25"),
        ("dead d2", "dead C2 D2", "B+25"),
        ("C2 D2", "dead C2 D2", "B+25"),
        ("dead", "dead", "B+45"),
        ("dead A3", "dead A3 B3 C3 D3 E3 F3 G3 H3 J3", "B+79"),
        ("A3 C2", "dead C2 D2 A3 B3 C3 D3 E3 F3 G3 H3 J3", "B+79"),
    ],
)
def test_a_count_with_the_dead_stones_given(client, given, listed, result):
    gtp = one_black_stone_in_whites_corner(client)
    lines = gtp.ok(f"qiqiao-score {given}").split("\n")
    assert lines[0] == f"result {result}"
    assert lines[3] == listed
    # The opinion is the client's, for this count alone.
    assert "dead" not in gtp.ok("qiqiao-score")


def test_area_with_the_dead_stones_given(client):
    gtp = one_black_stone_in_whites_corner(client, "chinese")
    assert gtp.ok("qiqiao-score C2").startswith("result B+27\n")
    assert gtp.ok("qiqiao-score dead").startswith("result B+47\n")


@pytest.mark.parametrize(
    "given, error",
    [
        ("E9", "no stone at E9 to be dead"),
        ("pass", "no stone at pass to be dead"),
        ("C2 Z9", "syntax error: vertex Z9 is off the 9x9 board"),
        ("alive C2", "syntax error: invalid vertex"),
    ],
)
def test_dead_stones_that_are_none(client, given, error):
    gtp = one_black_stone_in_whites_corner(client)
    assert error in gtp.error(f"qiqiao-score {given}")
    assert gtp.ok("qiqiao-score C2").startswith("result B+25\n")


def test_no_dead_stones_where_the_board_counts_as_it_stands(client):
    gtp = one_black_stone_in_whites_corner(client, "tromp-taylor")
    assert "as it stands" in gtp.error("qiqiao-score C2")
    assert gtp.ok("qiqiao-score dead").startswith("result B+")


def test_a_long_cycle_is_no_win(client):
    gtp = client(width=2, height=2)
    gtp.ok("komi 7.5")
    gtp.ok("play b A2")
    # Each round brings the first position back: under simple ko the third time ends the game without a result.
    for _ in range(2):
        assert gtp.game.ending is None
        gtp.ok("gogui-play_sequence w B2 b A1 w B1 b A2 w A1 b A2")
    assert gtp.game.ending == "no-result"
    assert gtp.ok("final_score") == "0"


# --- GoGui's window


def test_every_analyze_command_works(client):
    gtp = client()
    gtp.ok("play b E5")
    for line in gtp.ok("gogui-analyze_commands").split("\n"):
        kind, label, command = line.split("/", 2)
        assert label and kind in ("dboard", "gfx", "pspairs", "var", "sboard", "plist", "string", "hstring", "param")
        reply = gtp.ok(command.replace("%m", "w"))
        if kind in ("dboard", "sboard"):
            rows = reply.strip("\n").split("\n")
            assert len(rows) == 9 and all(len(row.split()) == 9 for row in rows)
        if kind == "pspairs":
            assert all(re.fullmatch(r"[A-J][1-9] \S+", pair) for pair in reply.split("\n"))


def test_ownership_is_shown_from_the_top(client):
    gtp = client()
    gtp.ok("play b A9", "play w J1")
    rows = gtp.ok("qiqiao-ownership b").strip("\n").split("\n")
    assert (rows[0].split()[0], rows[8].split()[8]) == ("1.000", "-1.000")


def test_what_was_thought_of_the_same_position_is_used_again(client):
    gtp = client()
    gtp.ok("reg_genmove b", "qiqiao-candidates b", "qiqiao-winrates b")
    assert len(gtp.player.asked) == 1
    gtp.ok("qiqiao-candidates w", "play b E5", "qiqiao-candidates w")
    assert len(gtp.player.asked) == 3


def test_parameters(client):
    gtp = client()
    lines = dict(line.split(" ", 2)[1:] for line in gtp.ok("qiqiao-param").split("\n"))
    assert lines["playouts"] == "none" and lines["move_time"] == "2.0"
    gtp.ok("qiqiao-param playouts 300", "qiqiao-param accept_ko_violations 1", "qiqiao-param resign 0")
    assert gtp.ok("qiqiao-param playouts") == "300" and gtp.game.accept_ko
    gtp.ok("genmove b")
    assert gtp.player.asked[-1][1].nodes == 300
    gtp.ok("qiqiao-param playouts none")
    assert gtp.server.session.options.playouts is None
    for line in ("resign 2", "level 31k", "level 8 k", "ponder perhaps", "ponder 1 1", "threads 2"):
        gtp.error(f"qiqiao-param {line}")


def test_showboard_marks_the_last_move(client):
    gtp = client(width=5, height=5)
    gtp.ok("play b E5", "play w A1")
    rows = gtp.ok("showboard").split("\n")
    assert rows[2].startswith(" 5 . . . . X ") and rows[6].startswith(" 1(O). . . . ")
    assert gtp.game.to_move == BLACK
    gtp.ok("play w E1")
    assert gtp.ok("showboard").split("\n")[6].startswith(" 1 O . . .(O)1")
