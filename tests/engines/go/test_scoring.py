"""Counting: the positions of scoring.txt, whole boards against other counts, and the figures around them."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.boards import Board

from engines.go.points import BLACK, EMPTY, WHITE, parse_diagram, show_diagram
from engines.go.rules import PRESETS, Rules, preset
from engines.go.scoring import Side, Zi, format_result, format_zi, score, whole_chains
from engines.go.vertex import parse_vertex

DATA = Path(__file__).resolve().parents[2] / "data" / "go"
TAXES = ("none", "seki", "all")


@dataclass
class Case:
    """One position of scoring.txt with the results it names."""

    name: str
    width: int = 0
    height: int = 0
    stones: bytes = b""
    dead: list[int] = field(default_factory=list)
    captured: tuple[int, int] = (0, 0)
    results: dict[tuple[str, str], str] = field(default_factory=dict)
    stands: str | None = None


def read_cases():
    for block in (DATA / "scoring.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = block.strip().splitlines()
        case, rows, facts = Case(name), [], {}
        for line in lines:
            words = line.split()
            if words[0] in ("dead", "captured", "area", "territory", "stands"):
                facts[words[0]] = words[1:]
            else:
                rows.append(line)
        case.width, case.height, case.stones = parse_diagram("\n".join(rows))
        case.dead = [parse_vertex(text, case.width, case.height) for text in facts.get("dead", [])]
        if "captured" in facts:
            case.captured = (int(facts["captured"][0][1:]), int(facts["captured"][1][1:]))
        for scoring in ("area", "territory"):
            for tax, result in zip(TAXES, facts[scoring], strict=True):
                case.results[scoring, tax] = result
        case.stands = facts.get("stands", [None])[0]
        yield case


CASES = list(read_cases())


def count(case, scoring, tax, **change):
    case = replace(case, **change)
    return score(
        case.width,
        case.height,
        case.stones,
        Rules("test", scoring=scoring, tax=tax, friendly_pass=True),
        komi=0,
        dead=case.dead,
        black_captured=case.captured[0],
        white_captured=case.captured[1],
    )


def test_there_are_many_cases():
    assert len({case.name for case in CASES}) == len(CASES) >= 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_results(case):
    for (scoring, tax), result in case.results.items():
        assert count(case, scoring, tax).text == result, (scoring, tax)


@pytest.mark.parametrize("case", [case for case in CASES if case.dead], ids=lambda case: case.name)
def test_the_board_as_it_stands(case):
    result = score(case.width, case.height, case.stones, preset("tromp-taylor"), komi=0, dead=case.dead)
    assert result.text == case.stands
    nothing_dead = score(case.width, case.height, case.stones, preset("chinese"), komi=0)
    assert nothing_dead.text == case.stands


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.compiled
def test_the_sides_are_treated_alike(case):
    swapped = bytes(3 - stone if stone else EMPTY for stone in case.stones)
    for scoring, tax in case.results:
        other = count(case, scoring, tax, stones=swapped, captured=case.captured[::-1])
        assert other.margin == -count(case, scoring, tax).margin


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.compiled
def test_directions_do_not_matter(case):
    """Mirror and transpose the board: together they make all eight views."""
    width, height = case.width, case.height

    def turned(new_width, new_height, place):
        stones = bytearray(width * height)
        for point, stone in enumerate(case.stones):
            stones[place(point)] = stone
        return {"width": new_width, "height": new_height, "stones": bytes(stones), "dead": list(map(place, case.dead))}

    views = (
        turned(width, height, lambda point: point // width * width + width - 1 - point % width),
        turned(height, width, lambda point: point % width * height + point // width),
    )
    for view in views:
        for (scoring, tax), result in case.results.items():
            assert count(case, scoring, tax, **view).text == result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.compiled
def test_zi_and_points_agree(case):
    for tax in TAXES:
        result = count(case, "area", tax)
        assert result.zi(BLACK).margin * 2 == result.margin
        assert result.zi(WHITE).margin * 2 == -result.margin
        assert result.zi(BLACK).count + result.zi(WHITE).count == case.width * case.height


def test_tromp_taylor_table():
    positions = json.loads((DATA / "tromp_taylor_scores.json").read_text(encoding="utf-8"))["positions"]
    assert len(positions) > 30
    for row in positions:
        width, height, stones = parse_diagram("\n".join(row["rows"]))
        result = score(width, height, stones, preset("tromp-taylor"), komi=0)
        assert result.black.stones + result.black.territory == row["black_area"]
        assert result.white.stones + result.white.territory == row["white_area"]
        assert result.text == row["score_komi_0"]
        assert score(width, height, stones, preset("tromp-taylor")).text == row["score_komi_7.5"]


@st.composite
def boards(draw):
    """Random stones with those that have no liberty lifted, so that the position could arise."""
    side = draw(st.integers(2, 7))
    stones = draw(st.lists(st.sampled_from((0, 0, 1, 2)), min_size=side * side, max_size=side * side))
    board = Board(side)
    board.apply_setup(*([divmod(p, side) for p in range(side * side) if stones[p] == color] for color in (1, 2)), [])
    position = bytes({None: 0, "b": 1, "w": 2}[board.get(*divmod(point, side))] for point in range(side * side))
    return side, position, board


@given(boards())
def test_area_agrees_with_sgfmill(drawn):
    side, stones, board = drawn
    assert score(side, side, stones, preset("tromp-taylor"), komi=0).margin == board.area_score()


@given(boards(), st.sampled_from(sorted(PRESETS)), st.data())
def test_any_position_can_be_counted(drawn, name, data):
    side, stones, _ = drawn
    occupied = [point for point, stone in enumerate(stones) if stone]
    dead = data.draw(st.lists(st.sampled_from(occupied))) if occupied else []
    result = score(side, side, stones, preset(name), dead=dead, handicap_stones=data.draw(st.integers(0, 9)))
    points = result.black.stones + result.black.territory + result.white.stones + result.white.territory
    assert points == sum(color != EMPTY for color in result.owner) <= side * side
    if preset(name).scoring == "area":
        assert result.zi().margin * 2 == result.margin


def test_owner_map():
    width, height, stones = parse_diagram(".X.O.")
    assert show_diagram(width, height, score(width, height, stones, preset("chinese")).owner) == "XX.OO"
    assert show_diagram(width, height, score(width, height, stones, preset("japanese")).owner) == ".X.O."


def test_the_parts_of_a_count():
    width, height, stones = parse_diagram("..XO.\n.OXO.\n..XO.\n..XO.\n..XO.")
    result = score(
        width,
        height,
        stones,
        preset("japanese"),
        dead=[parse_vertex("B4", width, height)],
        black_captured=2,
        white_captured=3,
    )
    assert result.black == Side(stones=5, territory=10, prisoners=4, groups=0, button=False)
    assert result.white == Side(stones=5, territory=5, prisoners=2, groups=0, button=False)
    assert (result.komi, result.handicap) == (6.5, 0)
    assert (result.total(BLACK), result.total(WHITE)) == (14, 13.5)
    assert (result.margin, result.text, result.winner) == (0.5, "B+0.5", BLACK)


def test_whole_chains():
    width, height, stones = parse_diagram("XX.\n.XO\nO.O")
    assert whole_chains(width, height, stones, [4]) == {4, 6, 7}
    assert whole_chains(width, height, stones, [2, 0]) == {0, 2, 5}
    assert whole_chains(width, height, stones, []) == set()


@pytest.mark.parametrize("dead", [[2], [-1], [9], [0, 2]])
def test_dead_must_be_stones(dead):
    width, height, stones = parse_diagram("...\n...\nX..")
    with pytest.raises(ValueError, match="no stone at point"):
        score(width, height, stones, preset("chinese"), dead=dead)


def test_a_malformed_position_is_refused():
    with pytest.raises(ValueError):
        score(3, 3, bytes(8), preset("chinese"))


def test_handicap_is_apart_from_komi():
    width, height, stones = parse_diagram(".X.\nXXX\n.X.")
    results = {
        name: score(width, height, stones, preset(name), komi=0.5, handicap_stones=4)
        for name in ("chinese", "aga", "japanese")
    }
    assert {name: result.handicap for name, result in results.items()} == {"chinese": 4, "aga": 3, "japanese": 0}
    assert {name: result.komi for name, result in results.items()} == dict.fromkeys(results, 0.5)
    assert {name: result.text for name, result in results.items()} == {
        "chinese": "B+4.5",
        "aga": "B+5.5",
        "japanese": "B+3.5",
    }


def test_button():
    rules = preset("aga-button")
    width, height, stones = parse_diagram(".X.O.")
    assert score(width, height, stones, rules, komi=0).text == "0"
    assert score(width, height, stones, rules, komi=0, button=BLACK).text == "B+0.5"
    assert score(width, height, stones, rules, komi=0, button=WHITE).text == "W+0.5"
    assert score(width, height, stones, rules, komi=0, button=WHITE).zi().result() == "白胜¼子"
    assert score(width, height, stones, preset("aga"), komi=0, button=WHITE).text == "0"


def test_ing_ties_are_blacks():
    """Ing gives White eight points and Black the tie: on the board that is to win by eight or more."""
    results = {black: score(19, 19, full_board(black), preset("ing")) for black in (184, 185)}
    assert {black: result.margin + result.komi for black, result in results.items()} == {184: 7, 185: 9}
    assert {black: result.winner for black, result in results.items()} == {184: WHITE, 185: BLACK}
    even = score(2, 19, bytes([EMPTY] + [BLACK] * 22 + [WHITE] * 14 + [EMPTY]), preset("ing"))
    assert (even.margin + even.komi, even.winner) == (8, BLACK)


@pytest.mark.parametrize(
    ("margin", "text"),
    [
        (7.5, "B+7.5"),
        (-0.5, "W+0.5"),
        (0, "0"),
        (-0.0, "0"),
        (31, "B+31"),
        (-361, "W+361"),
        (0.1 + 0.2, "B+0.3"),
        (-100000.25, "W+100000.25"),
        (1e-9, "0"),
    ],
)
def test_result_text(margin, text):
    assert format_result(margin) == text


@pytest.mark.parametrize(
    ("own", "shared", "winner", "text"),
    [
        (185, 0, "黑胜¾子", "黑185子，贴3¾子，黑胜¾子"),
        (184, 0, "白胜¼子", "黑184子，贴3¾子，白胜¼子"),
        (184, 1, "黑胜¼子", "黑184½子，贴3¾子，黑胜¼子"),
        (180, 1, "白胜3¾子", "黑180½子，贴3¾子，白胜3¾子"),
        (361, 0, "黑胜176¾子", "黑361子，贴3¾子，黑胜176¾子"),
    ],
)
def test_the_count_in_zi(own, shared, winner, text):
    zi = Zi(BLACK, 361, own, shared, komi=3.75, handicap=0, tax=0, button=0, needed=180.5 + 3.75)
    assert zi.result() == winner
    assert zi.text() == text


def test_white_wins_above_176_and_three_quarters():
    for own, result in ((177, "白胜¼子"), (176, "黑胜¾子")):
        zi = Zi(WHITE, 361, own, 0, komi=3.75, handicap=0, tax=0, button=0, needed=180.5 - 3.75)
        assert zi.result() == result


def full_board(black):
    """19×19 with Black on the first ``black`` points but its corner, White on the rest but the last point."""
    stones = bytearray([BLACK] * black + [WHITE] * (361 - black))
    stones[0] = stones[-1] = EMPTY
    return bytes(stones)


@pytest.mark.parametrize(
    ("black", "handicap", "komi", "result", "words"),
    [
        (185, 0, None, "B+1.5", "黑185子，贴3¾子，黑胜¾子"),
        (184, 0, None, "W+0.5", "黑184子，贴3¾子，白胜¼子"),
        (181, 0, 0, "B+1", "黑181子，黑胜½子"),
        (184, 2, 0, "B+5", "黑184子，还1子，黑胜2½子"),
        (183, 9, 0, "W+4", "黑183子，还4½子，白胜2子"),
        (184, 3, 0.5, "B+3.5", "黑184子，贴¼子，还1½子，黑胜1¾子"),
    ],
)
def test_points_and_zi_of_whole_games(black, handicap, komi, result, words):
    counted = score(19, 19, full_board(black), preset("chinese"), komi=komi, handicap_stones=handicap)
    assert counted.text == result
    assert counted.zi().text() == words


def test_traditional_script():
    counted = score(19, 19, full_board(185), preset("chinese"), handicap_stones=2)
    assert counted.zi().text("traditional") == "黑185子，貼3¾子，還1子，白勝¼子"
    assert counted.zi(WHITE).text("traditional") == "白176子，貼3¾子，還1子，白勝¼子"


def test_a_tie_in_zi():
    width, height, stones = parse_diagram(".X.O.")
    assert score(width, height, stones, preset("chinese"), komi=0).zi().text() == "黑2½子，和棋"


def test_shared_points_are_halves():
    width, height, stones = parse_diagram(".X.O...")
    zi = score(width, height, stones, preset("chinese"), komi=0).zi()
    assert (zi.own, zi.shared, zi.count, zi.needed) == (2, 1, 2.5, 3.5)


def test_group_tax_in_zi():
    """Two groups against one: the second costs one zi, which is two points."""
    width, height, stones = parse_diagram("\n".join([".XO...OX."] * 3))
    counted = score(width, height, stones, preset("ancient-chinese"))
    assert counted.zi().tax == 1
    assert counted.zi().text() == "黑11子，白胜2½子"
    assert counted.text == "W+5"


def test_territory_does_not_count_in_zi():
    with pytest.raises(ValueError, match="area"):
        score(1, 1, bytes(1), preset("japanese")).zi()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0子"),
        (0.25, "¼子"),
        (0.5, "½子"),
        (3.75, "3¾子"),
        (185, "185子"),
        (-1.25, "-1¼子"),
        (-0.75, "-¾子"),
        (3.15, "3.15子"),
    ],
)
def test_zi_in_digits(count, text):
    assert format_zi(count) == text
