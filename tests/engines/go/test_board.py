"""The board: chains, captures, ko and superko, undo, against recomputation and checked numbers."""

import json
import random

import cython
import pytest
from support import PURE

from engines.errors import IllegalMove
from engines.go.board import KO_RULES, Board
from engines.go.points import BLACK, EMPTY, PASS, WHITE, parse_diagram
from engines.go.vertex import parse_vertex


def board_from(diagram: str, ko: str = "simple", suicide: bool = False) -> Board:
    width, height, stones = parse_diagram(diagram)
    board = Board(width, height, ko, suicide)
    board.set_position(stones)
    return board


def play(board: Board, moves: str) -> None:
    """Play moves written like ``B A2 W B2``."""
    words = moves.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        board.play(BLACK if color == "B" else WHITE, parse_vertex(vertex, board.width, board.height))


def recomputed(board: Board) -> Board:
    fresh = Board(board.width, board.height)
    fresh.set_position(board.stones())
    return fresh


def assert_consistent(board: Board) -> None:
    fresh = recomputed(board)
    assert fresh.hash_value == board.hash_value
    for point in range(board.width * board.height):
        assert fresh.chain(point) == board.chain(point)
        assert fresh.liberties(point) == board.liberties(point)
        assert fresh.liberty_count(point) == board.liberty_count(point) == len(board.liberties(point))


def state(board: Board):
    return (
        board.stones(),
        board.hash_value,
        board.ko_point,
        board.to_move,
        board.prisoners_of(BLACK),
        board.prisoners_of(WHITE),
        board.legal_points(BLACK),
        board.legal_points(WHITE),
    )


@pytest.mark.compiled
def test_compiled_modules_are_in_use():
    import engines.go.board
    import engines.go.stones

    assert not PURE
    assert not cython.compiled  # this file is not; the two below are
    assert engines.go.board.__file__.endswith((".so", ".pyd"))
    assert engines.go.stones.__file__.endswith((".so", ".pyd"))


@pytest.mark.parametrize("size", [(1, 1), (1, 25), (25, 1), (2, 7), (25, 25)])
def test_sizes(size):
    board = Board(*size)
    assert (board.width, board.height) == size
    assert board.stones() == bytes(size[0] * size[1])


@pytest.mark.parametrize("size", [(0, 5), (26, 5), (5, 26), (-1, 3)])
def test_sizes_refused(size):
    with pytest.raises(ValueError, match="board size"):
        Board(*size)


def test_single_point_board_has_no_move():
    board = Board(1, suicide=True)
    assert board.legal_points(BLACK) == []
    assert board.why_illegal(BLACK, 0) == "suicide"
    board.play(BLACK, PASS)


def test_capture_in_the_corner():
    board = Board(2, 3)
    play(board, "W A1 B A2")
    assert board.play(BLACK, parse_vertex("B1", 2, 3)) == 1
    assert board.at(0) == EMPTY
    assert board.prisoners_of(BLACK) == 1 and board.prisoners_of(WHITE) == 0


def test_captures_several_chains_at_once():
    board = board_from(
        """
        . X X . .
        X O . O X
        . X O X .
        . . X X .
        . . . . .
        """
    )
    board.set_position(bytes(board.stones()))
    play(board, "B D5")
    assert board.play(BLACK, parse_vertex("C4", 5, 5)) == 3
    assert_consistent(board)


def test_own_chain_with_two_liberties_is_no_suicide():
    board = board_from("X . O\nX O O\n. O .")
    assert board.is_legal(BLACK, parse_vertex("B3", 3, 3))


def test_suicide_by_rule():
    diagram = "X . O\nO O O\n. . ."
    board = board_from(diagram)
    assert board.why_illegal(BLACK, parse_vertex("B3", 3, 3)) == "suicide"
    board = board_from(diagram, suicide=True)
    board.play(BLACK, parse_vertex("B3", 3, 3))
    assert board.at(parse_vertex("A3", 3, 3)) == EMPTY
    assert board.prisoners_of(WHITE) == 2
    assert_consistent(board)
    board.undo()
    assert board.stones() == parse_diagram(diagram)[2]
    assert board.prisoners_of(WHITE) == 0


def test_single_stone_suicide_is_never_legal():
    board = board_from(". O\nO O\n. .", suicide=True)
    assert board.why_illegal(BLACK, parse_vertex("A3", 2, 3)) == "suicide"


def test_simple_ko_bars_only_the_immediate_recapture_by_the_other_side():
    board = board_from(". X O .\nX . X O\n. X O .\n. . . .")
    play(board, "W B3")
    assert board.ko_point == parse_vertex("C3", 4, 4) and board.why_illegal(BLACK, board.ko_point) == "ko"
    assert board.is_legal(WHITE, board.ko_point)
    play(board, "B PASS")
    assert board.ko_point == PASS


def test_taking_two_back_is_no_ko():
    board = board_from("X X . O")
    assert board.play(WHITE, 2) == 2
    assert board.ko_point == PASS
    assert board.play(BLACK, 1) == 2
    assert board.stones() == parse_diagram(". X . .")[2]


def test_forced_moves_pass_ko_but_not_suicide():
    board = Board(3, 2)
    play(board, "B A2 W B2 B B1 W A1")
    a2 = parse_vertex("A2", 3, 2)
    with pytest.raises(IllegalMove) as caught:
        board.play(BLACK, a2)
    assert caught.value.reason == "ko"
    assert board.play(BLACK, a2, True) == 1
    full = board_from(". O\nO O\n. .")
    with pytest.raises(IllegalMove):
        full.play(BLACK, parse_vertex("A3", 2, 3), True)


def test_refused_moves_change_nothing():
    board = Board(5)
    play(board, "B C3")
    before = state(board)
    for color, point in [(BLACK, 12), (WHITE, 12), (3, 5), (BLACK, 25), (BLACK, -2), (WHITE, 999)]:
        with pytest.raises(ValueError):
            board.play(color, point)
    assert state(board) == before


def test_set_position_refuses_chains_without_liberties():
    board = Board(2)
    play(board, "B A1")
    before = state(board)
    for bad in (bytes([1, 1, 1, 1]), bytes([1, 2, 2, 2]), bytes(3), bytes([1, 0, 3, 0])):
        with pytest.raises(ValueError):
            board.set_position(bad)
    assert state(board) == before


def test_undo_at_the_start():
    board = Board(3)
    with pytest.raises(IndexError):
        board.undo()
    board.set_position(bytes([1, 0, 0, 0, 2, 0, 0, 0, 0]), WHITE)
    with pytest.raises(IndexError):
        board.undo()


def test_changing_the_ko_rule_counts_the_whole_history():
    board = Board(2)
    play(board, "B A2 W B2 B A1 W B1 B A2 W A1")
    a2 = parse_vertex("A2", 2, 2)
    assert board.is_legal(BLACK, a2)
    board.set_ko_rule("positional")
    assert board.why_illegal(BLACK, a2) == "superko"
    board.set_ko_rule("simple")
    assert board.is_legal(BLACK, a2)
    with pytest.raises(ValueError, match="unknown ko rule"):
        board.set_ko_rule("triple")


def test_copy_has_the_history_and_goes_its_own_way():
    board = Board(2, ko="positional")
    play(board, "B A2 W B2 B A1 W B1 B A2")
    other = board.copy()
    assert state(other) == state(board) and other.turns == board.turns
    other.undo()
    assert other.turns == board.turns - 1


def test_long_games_outgrow_the_first_table():
    board = Board(5, ko="situational")
    for _ in range(3000):
        board.play(board.to_move, PASS)
    play(board, "B A1 W A2")
    assert board.is_legal(BLACK, parse_vertex("B1", 5, 5))
    for _ in range(3002):
        board.undo()
    assert board.turns == 0


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_passes_that_repeat_a_position_leave_no_gap_when_taken_back(ko):
    board = Board(2, ko=ko)
    play(board, "B A2 W B2 B A1 W B1 B A2")
    before = state(board)
    for count in (1, 2, 3, 300):  # the last outgrows the table, which is then filled anew
        for _ in range(count):
            board.play(board.to_move, PASS)
        for _ in range(count):
            board.undo()
        assert state(board) == before
    play(board, "W A1")
    assert board.why_illegal(BLACK, parse_vertex("A2", 2, 2)) == "superko"
    for _ in range(6):
        board.undo()
    assert board.turns == 0 and all(board.is_legal(BLACK, point) for point in range(4))


def ko_cases(data_dir):
    return json.loads((data_dir / "go" / "ko_cases.json").read_text())["cases"]


def expected_by_rule(text: str) -> dict[str, bool]:
    """Which ko rules let the last move of a case pass, from its description."""
    if "illegal under every rule" in text:
        return dict.fromkeys(KO_RULES, False)
    if "legal under simple ko only" in text:
        return {"simple": True, "positional": False, "situational": False}
    assert "legal under simple ko and situational superko" in text
    return {"simple": True, "positional": False, "situational": True}


@pytest.mark.parametrize("ko", KO_RULES)
def test_ko_cases(ko, data_dir):
    for case in ko_cases(data_dir):
        board = Board(case["width"], case["height"], ko, case["multi_stone_suicide"])
        play(board, " ".join(case["moves"][:-1]))
        assert board.stones() == parse_diagram("\n".join(case["board_before_last_move_rows"]))[2]
        color, vertex = case["moves"][-1].split()
        legal = board.is_legal(BLACK if color == "B" else WHITE, parse_vertex(vertex, board.width, board.height))
        assert legal == expected_by_rule(case["last_move"])[ko], case


def perft_rows():
    from support import ROOT

    rows = json.loads((ROOT / "tests" / "data" / "go" / "perft.json").read_text())["rows"]
    for row in rows:
        name = f"{row['width']}x{row['height']}-{row['ko']}"
        name += ("-suicide" if row["multi_stone_suicide"] else "") + ("-passes" if row["passes_counted"] else "")
        yield pytest.param(row, id=name)


@pytest.mark.parametrize("row", list(perft_rows()))
def test_perft(row):
    most = 2_000 if PURE else 10_000_000
    checked = 0
    for depth, leaves in enumerate(row["counts_by_depth"], 1):
        if leaves <= most:
            board = Board(row["width"], row["height"], row["ko"], row["multi_stone_suicide"])
            assert board.perft(depth, row["passes_counted"]) == leaves
            assert board.turns == 0
            checked += 1
    assert checked or row["counts_by_depth"][0] > most


def test_random_games_stay_consistent_and_undo_restores_everything():
    rng = random.Random(20)
    for game in range(20 if PURE else 1_500):
        size = rng.choice([(1, 1), (2, 1), (1, 3), (2, 2), (3, 2), (3, 3), (4, 4), (5, 5), (7, 3), (9, 9)])
        board = Board(*size, rng.choice(KO_RULES), rng.random() < 0.5)
        states = []
        for _ in range(rng.randrange(10, 60)):
            color = rng.choice([BLACK, WHITE])
            legal = board.legal_points(color)
            states.append(state(board))
            board.play(color, rng.choice(legal) if legal and rng.random() > 0.08 else PASS)
            if game % 10 == 0:
                assert_consistent(board)
            if rng.random() < 0.1:
                for _ in range(rng.randint(1, len(states))):
                    board.undo()
                    assert state(board) == states.pop()
        while states:
            board.undo()
            assert state(board) == states.pop()
