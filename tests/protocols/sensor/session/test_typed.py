"""What may be typed at a board."""

import pytest
from fake_board import until
from session_room import move, point

from protocols.sensor.reading import BUTTONS
from protocols.sensor.session.typed import KEYS, meaning


@pytest.mark.parametrize(
    "line,key",
    [
        ("认输", "resign"), ("認輸", "resign"), ("悔棋", "undo"), ("弃着", "pass"), ("棄著", "pass"),
        ("提和", "draw"),
        ("数子", "score"), ("數子", "score"), ("PASS", "pass"), ("y", "yes"), ("是", "yes"),
        ("不", "no"), ("?", "menu"),
        ("hello", ""), ("", "board"), ("e5", ""),
    ],
)  # fmt: skip
def test_meaning(line, key):
    assert meaning(line)[0] == key


def test_every_key_of_a_board_can_be_typed():
    assert set(KEYS) == set(BUTTONS)


@pytest.mark.parametrize("words", [("认输", "认输"), ("認輸", "yes"), ("resign", "是")])
def test_resigning_in_chinese(go_room, words):
    room = go_room(None)
    for line in words:
        room.session.typed(line)
    until(lambda: room.session.result == "W+R")


def test_take_back_in_chinese(go_room):
    room = go_room(point("C4"), None)
    room.board.put(point("E5"), "X")
    room.settled(2)
    for line in ("悔棋", "确认"):
        room.session.typed(line)
    room.settled(0)


def test_go_move_is_typed_where_the_sensor_is_dead(go_room):
    room = go_room(point("C4"), None)
    room.session.typed("忽略 E5")
    room.session.typed("e5")
    room.settled(2)
    room.session.typed("ignore")
    until(lambda: "left out: E5" in room.said)
    room.session.typed("heed E5")
    room.session.typed("ignore")
    until(lambda: "left out: nothing" in room.said)


@pytest.mark.parametrize("line", ["炮二平五", "h2e2", "C2.5", "C2=5"])
def test_xiangqi_move_is_typed_in_any_notation(xiangqi_room, line):
    room = xiangqi_room(None)
    room.session.typed(line)
    room.settled(1)
    assert room.session.moves() == [move("h2e2")]


@pytest.mark.parametrize("line,told", [("e9", "forbidden"), ("z9", "vertex"), ("ignore Z9", "vertex")])
def test_what_cannot_be_done_is_told_and_changes_nothing(go_room, line, told):
    room = go_room(point("E9"), None)
    room.board.put(point("E5"), "X")
    room.settled(2)
    room.board.put(point("E9"), "O")
    room.rest()
    room.session.typed(line)
    until(lambda: any(told in said for said in room.said))
    assert room.session.plies == 2


def test_left_out_points_stay_so_in_the_next_game(go_room):
    room = go_room(None)
    room.session.typed("ignore A9")
    for _ in range(2):
        room.session.typed("new")
    until(lambda: "a new game" in room.said)
    until(lambda: room.tracker is not None and room.tracker.ignored == {point("A9")})


def test_hint_lights_a_move_until_one_is_made(go_room):
    room = go_room(None)
    room.session.typed("提示")
    until(lambda: any(said.startswith("hint") for said in room.said), 20.0)
    until(lambda: "H" in room.board.shown)
    room.board.put(point("E5"), "X")
    room.settled(1)
    until(lambda: "H" not in room.board.shown)


def test_menu_says_what_can_be_done(go_room):
    room = go_room(None)
    room.board.press("menu")
    until(lambda: any("resign" in said and "to move" in said for said in room.said))


def test_prompt_names_the_move(go_room):
    room = go_room(point("C4"), None)
    room.board.put(point("E5"), "X")
    room.settled(2)
    assert "white C4" in room.session.status()


@pytest.mark.parametrize("style", ["letters", "simplified", "traditional"])
def test_pieces_of_both_sides_differ_and_the_last_move_is_marked(xiangqi_room, style):
    from protocols.sensor.session.xiangqi_session import PIECES

    letters = PIECES[style]
    assert not set(letters[1:8]) & set(letters[9:16]) and len(set(letters)) == 15
    room = xiangqi_room(None, pieces=style)
    room.session.typed("h2e2")
    room.settled(1)
    cannon = letters[6]
    assert (
        f"({cannon})" in room.session.picture()
        and room.session.picture().count("*") + room.session.picture().count("＊") == 1
    )
