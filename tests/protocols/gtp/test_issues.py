"""Fifty-one ways in which Go engines failed their clients, by the number of the entry in the collected list.

Each has a test named after its number, or a sentence in ``CANNOT_OCCUR``. References are to public issue trackers.
"""

import re

import pytest

from engines.clock import LAG
from engines.go.points import BLACK, WHITE

CANNOT_OCCUR = {
    14: "a program that ends at once without a word: wrong usage is explained on standard error and ends with status 2 "
    "(tests/test_qiqiao.py, test_wrong_usage)",
    36: "results of twogtp read for the wrong player: a matter of whoever reads the table; qiqiao writes none here",
}


def numbers():
    return {int(name.split("_")[1]) for name in globals() if re.match(r"test_\d\d_", name)}


def test_every_entry_is_covered():
    assert numbers() | set(CANNOT_OCCUR) == set(range(1, 52))


def test_01_sync_never_fails(client):
    """Sabaki#737, #678, #777, #951."""
    gtp = client()
    gtp.ok("komi 0", "boardsize 9", "clear_board", "set_free_handicap C3 G7", "play w E5", "play b C7", "undo", "undo")
    gtp.ok("komi 6.5", "play w D5", "clear_board", "play b E5", "play w E4", "undo", "play w D4")


@pytest.mark.parametrize("komi", ["0", "7.5", "-3", "5.25", "375", "1e3", "0.000001", "-99999"])
def test_02_any_komi_is_accepted(komi, client):
    """Sabaki#615."""
    gtp = client()
    gtp.ok(f"komi {komi}")
    assert float(gtp.ok("get_komi")) == float(komi)


def test_03_clear_board_keeps_the_settings(client):
    """Sabaki#590, #483."""
    gtp = client()
    gtp.ok("boardsize 13", "komi 5.5", "kata-set-rules japanese", "time_settings 300 30 5", "play b D4", "clear_board")
    assert (gtp.game.width, gtp.game.komi, gtp.game.rules.name) == (13, 5.5, "japanese")
    assert gtp.server.session.control.main == 300
    fresh = client(width=19, height=19)
    assert (fresh.ok("query_boardsize"), fresh.ok("get_komi")) == ("19", "7.5")


def test_04_handicap_is_counted(client):
    """Sabaki#409, pachi#82, gtp2ogs#65, #70."""
    gtp = client()
    for command in ("fixed_handicap 3", "place_free_handicap 3", "set_free_handicap C3 E5 G7"):
        gtp.ok("clear_board", command)
        assert gtp.ok("get_handicap") == "3"
        assert gtp.game.to_move == WHITE
    plain, asked = client(), client(plays_as_handicap=True)
    for one in (plain, asked):
        one.ok("play b C3", "play b G7", "play w E5")
    assert (plain.ok("get_handicap"), asked.ok("get_handicap")) == ("0", "2")
    asked.ok("undo", "undo")
    assert asked.ok("get_handicap") == "0"


def test_05_answers_only_to_commands(client):
    """Sabaki#922."""
    gtp = client()
    assert [gtp.raw(line) for line in ("", "# nothing", "  ", "17")] == [None] * 4
    assert gtp.raw("18 name") == "=18 qiqiao\n\n"


def test_06_each_reply_is_flushed(process, ask):
    """Sabaki#191, #583, #629: nothing is held back while the input stays open."""
    child = process()
    assert ask(child, "name") == "= qiqiao"
    assert ask(child, "genmove b") == "= A1"


def test_07_nothing_on_standard_output_but_replies(process):
    """Sabaki#643."""
    out, _ = process().communicate(b"name\nquit\n", timeout=20)
    assert out == b"= qiqiao\n\n= \n\n"


def test_08_any_line_ends_an_analysis(client):
    """Sabaki#946."""
    gtp = client()
    for line in ("", "name", "# interrupt", "lz-analyze 10", "no_such_command"):
        text = gtp.during("analyze b 1", lambda line=line: gtp.server.notice(line))
        assert re.fullmatch(r"=\n(info [^\n]+\n)+\n", text)
        gtp.server.handle(line) if line != "lz-analyze 10" else gtp.server.session.watch.taken(line)


def test_09_genmove_stops_an_analysis_first(process, ask):
    """Sabaki#545. Standard error is never read here."""
    child = process()
    child.stdin.write(b"analyze b 1\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"=\n"
    assert child.stdout.readline().startswith(b"info move A1 ")
    child.stdin.write(b"genmove b\n")
    child.stdin.flush()
    while (line := child.stdout.readline()) != b"\n":
        assert line.startswith(b"info ")
    assert child.stdout.readline() == b"= A1\n"


def test_10_play_without_a_vertex(client):
    """Sabaki#99."""
    gtp = client()
    assert gtp.error("play B").startswith("syntax error")
    assert gtp.error("play").startswith("syntax error")
    gtp.ok("play B pass")


def test_11_any_order_of_colours(client):
    """Sabaki#294: the ko ban is for the immediate recapture only."""
    gtp = client()
    gtp.ok(*(f"play b {vertex}" for vertex in ("B1", "A2", "B3")), *(f"play w {v}" for v in ("C1", "D2", "C3", "B2")))
    gtp.ok("play b C2")
    assert gtp.error("play w B2") == "illegal move"
    gtp.ok("play w J9", "play w B2")


def test_12_time_settings_first_of_all(client):
    """Sabaki#360."""
    gtp = client()
    gtp.ok("time_settings 600 30 1", "time_left b 500 0", "boardsize 9", "clear_board")


def test_13_quit_while_searching(process):
    """Sabaki#369, #577."""
    child = process("--think", "30")
    child.stdin.write(b"genmove b\nquit\n")
    child.stdin.flush()
    assert child.wait(timeout=10) == 0
    assert child.stdout.read() == b"= A1\n\n= \n\n"


def test_15_board_sizes(client):
    """Sabaki#75, #713, #715, gtp#6."""
    gtp = client()
    gtp.ok("rectangular_boardsize 13 7", "play b N7")
    assert gtp.error("play b A8").startswith("syntax error")
    assert gtp.ok("query_boardsize") == "13 7"
    gtp.ok("boardsize 25", "play b Z25")
    for line in ("boardsize 26", "boardsize 0", "rectangular_boardsize 9 26", "boardsize 9:26", "boardsize 1000"):
        assert gtp.error(line) == "unacceptable size"


def test_16_no_empty_line_inside_a_reply(client):
    """leela-zero#1875."""
    gtp = client()
    gtp.ok("play b E5")
    for line in ("printsgf", "showboard", "list_commands", "help", "qiqiao-param", "final_status_list alive"):
        assert "\n\n" not in gtp(line)


def test_17_end_of_input_ends_the_process(process):
    """leela-zero#2413."""
    child = process("--think", "30")
    out, _ = child.communicate(b"genmove b\n", timeout=10)
    assert out == b"= A1\n\n"
    assert child.returncode == 0


@pytest.mark.parametrize(
    "settings",
    [
        "time_settings 60 0 0",
        "time_settings 0 10 5",
        "kgs-time_settings byoyomi 0 5 3",
        "kata-time_settings fischer 9 1",
    ],
)
def test_18_the_clock_is_never_planned_beyond(settings, client):
    """leela-zero#691, #2105, #2296, #1776."""
    gtp = client()
    gtp.ok("clear_board", settings, "time_left b 2 1", "genmove b")
    _, limits = gtp.player.asked[-1]
    assert limits.clock.left == 2
    plan = limits.clock.plan()
    assert plan.maximum <= 2 - LAG


def test_19_time_left_is_trusted_else_an_own_clock_runs(client):
    """leela-zero#237."""
    gtp = client(think=0.05)
    gtp.ok("time_settings 100 0 0", "clear_board", "genmove b")
    left = gtp.server.session.clocks[BLACK].left
    assert 90 < left < 100 - 0.04
    gtp.ok("time_left b 42 0", "genmove b")
    assert gtp.player.asked[-1][1].clock.left == 42
    gtp.ok("clear_board")
    assert gtp.server.session.clocks[BLACK].left == 100


def test_20_komi_and_compensation_are_apart(client):
    """leela-zero#880."""
    gtp = client()
    gtp.ok("komi 0.5", "set_free_handicap C3 E5 G7")
    assert gtp.ok("get_komi") == "0.5"
    scores = {}
    for rules in ("chinese", "aga", "japanese"):
        gtp.ok(f"kata-set-rules {rules}")
        scores[rules] = gtp.game.score().handicap
    assert scores == {"chinese": 3, "aga": 2, "japanese": 0}


def test_21_genmove_for_the_other_colour(client):
    """leela-zero#528, #531."""
    gtp = client()
    gtp.ok("play b E5")
    assert gtp.ok("genmove b") == "A1"
    assert gtp.player.asked[-1][0] == BLACK


def test_22_dead_stones_count_where_nobody_takes_them_off(client):
    """leela-zero#487, #743, #1069: the two ways to count never mix, and there is a clean-up genmove.

    That the search does not pass while behind on the board is tested with the search.
    """
    gtp = client()
    gtp.ok(*(f"play b {column}3" for column in "ABCDEFGHJ"), *(f"play w {column}7" for column in "ABCDEFGHJ"))
    gtp.ok("play w E1")
    gtp.ok("kata-set-rules tromp-taylor", "komi 0")
    as_it_stands = gtp.game.score()
    assert gtp.ok("final_score") == as_it_stands.text
    assert gtp.ok("final_status_list dead") == ""
    assert gtp.ok("known_command kgs-genmove_cleanup") == "true"


def test_23_resigning_is_no_move(client):
    """leela-zero#343, goreviewpartner#29."""
    gtp = client("D4", "resign")
    gtp.ok("genmove b")
    assert gtp.ok("genmove w") == "resign"
    assert gtp.ok("move_history") == "black D4"
    assert gtp.error("play w resign").startswith("syntax error")
    gtp.ok("undo")
    assert gtp.error("undo") == "cannot undo"


def test_24_final_score_at_any_time(client):
    """KataGo#35, #602."""
    gtp = client()
    assert gtp.ok("final_score") == "W+7.5"
    gtp.ok("play b E5")
    before = gtp.ok("final_score")
    gtp.ok("play w pass", "play b pass")
    assert gtp.ok("final_score") == before == "B+73.5"


def test_25_nothing_changes_after_an_error(client):
    """KataGo#366. ``error`` compares the whole state."""
    gtp = client()
    gtp.ok("play b E5", "play w D5")
    for line in (
        "play w E5",
        "play x E4",
        "play b Z9",
        "gogui-play_sequence b A1 w B1 b E5",
        "set_free_handicap C3",
        "fixed_handicap 2",
        "place_free_handicap 2",
        "set_position b A1 w A1",
        "set_position b A1 w A2 w B1",
        "gogui-setup b A1",
        "gg-undo 3",
        "boardsize x",
        "boardsize 99",
        "komi x",
        "komi nan",
        "komi inf",
        "kata-set-rules nonsense",
        "kata-set-rules {",
        "kata-set-rule ko never",
        "kgs-rules martian",
        "time_settings 1 2",
        "time_settings -1 0 0",
        "time_left b",
        "kgs-time_settings hourglass 3",
        "kata-time_settings fischer 3",
        "final_status_list",
        "final_status_list sleepy",
        "loadsgf /nonexistent.sgf",
        "loadsgf",
        "genmove",
        "genmove x",
        "lz-analyze b ownership true",
        "lz-genmove_analyze x",
        "qiqiao-param nonsense 3",
        "qiqiao-param playouts -1",
        "qiqiao-setup ancient",
        "no_such_command",
    ):
        gtp.error(line)


def test_26_the_ko_rule_can_be_chosen(client):
    """KataGo#596, #911: the default, simple ko, is the laxer one."""
    moves = "b A2 w B2 b A1 w B1 b pass w A1"
    for rules, legal in (("chinese", "1"), ("chinese-kgs", "0"), ("aga", "0")):
        gtp = client(width=2, height=2)
        gtp.ok(f"kata-set-rules {rules}", f"gogui-play_sequence {moves}")
        assert gtp.ok("is_legal b A2") == legal
    lax = client(width=2, height=2, accept_ko_violations=True)
    lax.ok("kata-set-rules chinese-kgs", f"gogui-play_sequence {moves}", "play b A2")


def test_27_byoyomi(client):
    """KataGo#1100, #128."""
    gtp = client()
    gtp.ok("kgs-time_settings byoyomi 60 30 5", "time_left b 12 3")
    clock = gtp.server.session.clocks[BLACK]
    assert (clock.control.kind, clock.control.periods, clock.left, clock.stones) == ("byoyomi", 5, 12, 3)


def test_28_analysis_for_either_side(client):
    """KataGo#216, #580."""
    gtp = client()
    gtp.ok("play b E5")
    for color, number in (("b", BLACK), ("w", WHITE)):
        gtp.during(f"kata-analyze {color} 1", lambda: gtp.server.notice(""))
        gtp.server.handle("")
        assert gtp.player.asked[-1][0] == number
    gtp.during("kata-analyze 1", lambda: gtp.server.notice(""))
    assert gtp.player.asked[-1][0] == WHITE


def test_29_the_status_comes_first(client):
    """KataGo#66, #30, #618."""
    gtp = client(think=0.05)
    text = gtp.raw("3 kata-genmove_analyze b 1")
    assert re.fullmatch(r"=3\n(info [^\n]+\n)+play A1\n\n", text)
    assert gtp.streamed[0] == "=3\n"


def test_30_kgs_chat_only_on_request(client):
    """pachi#132, #133."""
    assert client().ok("known_command kgs-chat") == "false"
    asked = client(kgs_chat=True)
    assert "kgs-chat" in asked.ok("list_commands").split("\n")
    assert asked.ok("kgs-chat game somebody Hello there!") != ""


@pytest.mark.parametrize("arguments", ["", "b", "5", "b 5", "5 b", "interval 5", "b interval 5"])
def test_31_colour_and_interval_both_optional(arguments, client):
    """pachi#134, #135."""
    gtp = client()
    text = gtp.during(f"lz-analyze {arguments}", lambda: gtp.server.notice(""))
    assert re.fullmatch(r"=\n(info [^\n]+\n)+\n", text)


def test_32_status_is_never_stale(client):
    """pachi#142, #63."""
    gtp = client()
    gtp.ok("gogui-setup b B1 b B2 b B3 b A3 w A2")
    first = [gtp.ok(f"final_status_list {status}") for status in ("alive", "seki", "dead")]
    gtp.ok("play b A1")
    second = [gtp.ok(f"final_status_list {status}") for status in ("alive", "seki", "dead")]
    assert "A2" in " ".join(first).split()
    assert "A2" not in " ".join(second).split()


def test_33_exactly_one_empty_line_and_a_score(client):
    """pachi#106, #129, #173."""
    gtp = client()
    for line in ("name", "komi 5", "showboard", "final_score", "foo", "genmove b"):
        reply = gtp.raw(line)
        assert reply.endswith("\n\n") and not reply.endswith("\n\n\n")
        assert reply.count("\n\n") == 1


def test_34_japanese_scores_come_from_the_rules(client):
    """pachi#96: playouts say at most which stones are dead; the count is the rules'."""
    gtp = client()
    gtp.ok("kata-set-rules japanese", "komi 0.5")
    gtp.ok(*(f"play b {column}4" for column in "ABCDEFGHJ"), *(f"play w {column}6" for column in "ABCDEFGHJ"))
    assert gtp.ok("final_score") == "W+0.5"
    assert gtp.ok("final_score") == gtp.game.score().text


def test_35_seki_under_japanese_rules(client):
    """gogui#2."""
    gtp = client(width=5, height=2)
    # Both sides live by the two shared liberties in the middle; Black's eye at the edge is worth nothing.
    gtp.ok("kata-set-rules japanese", "komi 0", "gogui-setup b B1 b B2 b A2 w D1 w D2 w E2")
    assert gtp.ok("final_status_list seki") == "B1 A2 B2\nD1 D2 E2"
    assert gtp.ok("final_status_list alive") == ""
    assert gtp.ok("final_score") == "0"


def test_37_genmove_after_the_end(client):
    """gogui#28."""
    gtp = client()
    gtp.ok("play b E5", "play w pass", "play b pass")
    assert gtp.ok("genmove w") == "A1"


def test_38_final_score_exists(client):
    """minigo#105."""
    assert re.fullmatch(r"[BW]\+\d+(\.\d+)?|0", client().ok("final_score"))


def test_39_superko_by_the_rules_in_force(client):
    """minigo#370: rules can be changed in mid-game, and the whole history counts under the new ones."""
    gtp = client(width=2, height=2)
    gtp.ok("gogui-play_sequence b A2 w B2 b A1 w B1 b pass w A1")
    assert gtp.ok("is_legal b A2") == "1"
    gtp.ok("kata-set-rule ko POSITIONAL")
    assert gtp.error("play b A2") == "illegal move"


def test_40_the_id_follows_the_status(client):
    """lizzie#254."""
    assert client()("12 komi 6.5") == "=12 "
    assert client()("13 foo") == "?13 unknown command"
    assert client()("2147483647 name") == "=2147483647 qiqiao"


def test_41_standard_output_is_closed_after_quit(process):
    """lizzie PR#754."""
    child = process("--ponder")
    child.stdin.write(b"genmove b\nquit\n")
    child.stdin.flush()
    assert child.stdout.read() == b"= A1\n\n= \n\n"
    assert child.wait(timeout=10) == 0


def test_42_gui_and_engine_can_agree_on_superko(client):
    """lizzie#410: what is legal can be asked."""
    gtp = client(width=2, height=2)
    gtp.ok("kata-set-rules tromp-taylor", "gogui-play_sequence b A2 w B2 b A1 w B1 b pass w A1")
    assert gtp.ok("is_legal b A2") == "0"
    assert "A2" not in gtp.ok("all_legal b").split()


def test_43_no_coordinates_beyond_z(client):
    """lizzie PR#899."""
    gtp = client()
    assert gtp.error("boardsize 29") == "unacceptable size"
    gtp.ok("boardsize 25")
    assert gtp.error("play b BA4").startswith("syntax error")


def test_44_the_stones_count_not_the_number(client, tmp_path):
    """littlego#171, #325."""
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[9]HA[5]AB[cc][gg];W[ee])")
    gtp = client()
    gtp.ok(f"loadsgf {file}")
    assert gtp.ok("get_handicap") == "2"


def test_45_the_names_of_the_standard(client):
    """TamaGo#98."""
    listed = set(client().ok("list_commands").split("\n"))
    assert listed >= {
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "undo",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "time_settings",
        "time_left",
        "final_score",
        "final_status_list",
        "loadsgf",
        "reg_genmove",
        "showboard",
    }


def test_46_errors_tell_what_is_wrong(client):
    """dream-go#33."""
    gtp = client()
    assert gtp.error("plya b D4") == "unknown command"
    assert gtp.error("play b").startswith("syntax error")
    gtp.ok("play b D4")
    assert gtp.error("play w D4") == "illegal move"
    gtp.ok("time_settings 0 1 0", "genmove w")
    assert gtp.player.asked[-1][1].seconds == 2


def test_47_replies_come_while_the_input_is_a_pipe(process, ask):
    """gtp#10, deep_learning_and_the_game_of_go#44."""
    child = process()
    for number in range(20):
        assert ask(child, f"{number} protocol_version") == f"={number} 2"


def test_48_what_server_bots_need(client):
    """online-go.com#3664, gtp2ogs#24, #69, #415: superko, resigning and Fischer clocks."""
    gtp = client("resign")
    gtp.ok("kata-set-rules chinese-ogs", "kata-time_settings fischer-capped 60 10 120 -1", "time_left black 60 0")
    gtp.ok("time_left white 60 0")
    assert gtp.ok("genmove b") == "resign"


def test_49_a_fault_is_an_error_and_the_next_command_works(client, capsys):
    """iomrascalai#24, #280."""
    gtp = client("fault")
    assert gtp.error("genmove b") == "internal error"
    assert "the script says fault" in capsys.readouterr().err
    assert gtp.ok("genmove b") == "A1"
    broken = client("fault")
    assert broken.raw("4 kata-genmove_analyze b") == "=4\n\n"
    assert broken.ok("genmove b") == "A1"


def test_50_own_clocks_without_time_left(client):
    """lizzieyzy#1."""
    gtp = client(think=0.03)
    gtp.ok("time_settings 10 0 0", "genmove b", "genmove w", "genmove b")
    clocks = gtp.server.session.clocks
    assert 9 < clocks[BLACK].left < 10 - 0.05
    assert clocks[BLACK].left < clocks[WHITE].left < 10 - 0.02


def test_51_when_a_pass_is_safe_is_part_of_the_rules(client):
    """go_attack#55."""
    gtp = client()
    assert '"friendlyPassOk":true' in gtp.ok("kata-get-rules")
    gtp.ok("kata-set-rule friendlyPassOk false")
    assert '"friendlyPassOk":false' in gtp.ok("kata-get-rules")
    assert not gtp.game.rules.removes_dead
