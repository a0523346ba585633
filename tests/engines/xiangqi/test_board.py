"""The board: each piece's moves, check and its defences, mate and stalemate, making and undoing."""

import json
import os
import random
from pathlib import Path

import cython
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.errors import IllegalMove
from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.geometry import (
    BLACK,
    CANNON,
    NO_SLOT,
    RED,
    move_from,
    move_name,
    move_of,
    move_to,
    piece_color,
    piece_kind,
    square_name,
)
from engines.xiangqi.pieces import CAPTURES, QUIETS


def square(name):
    """The square of a name such as e0."""
    return "abcdefghi".index(name[0]) + 9 * int(name[1])


def move(name):
    """The move of a name such as h2e2."""
    return move_of(square(name[:2]), square(name[2:]))


def targets(fen, origin):
    """Where the piece on a square may go, as a sorted list of names."""
    return sorted(square_name(move_to(m)) for m in Board(fen).legal_moves() if move_from(m) == square(origin))


def test_runs_compiled_unless_asked_otherwise():
    from engines.xiangqi import board, geometry, pieces

    compiled = os.environ.get("QIQIAO_PURE") != "1"
    assert all(module.__file__.endswith(".py") is not compiled for module in (board, geometry, pieces))
    assert cython.compiled is False  # this file itself is plain Python


@pytest.mark.parametrize(
    ("fen", "origin", "expected"),
    [
        # general: one step straight, inside the palace, never to face the other
        ("3k5/9/9/9/9/9/9/9/4K4/9 w", "e1", "e0 e2 f1"),
        ("4k4/9/9/9/4p4/9/9/9/9/3K5 w", "d0", "d1 e0"),
        ("5k3/9/9/9/9/9/9/9/9/3K5 w", "d0", "d1 e0"),
        ("5k3/9/9/9/9/9/9/9/9/4K4 w", "e0", "d0 e1"),
        # advisor: one step diagonal, inside the palace
        ("3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e1", "d0 d2 f0 f2"),
        ("3k5/9/9/9/9/9/9/9/9/4KA3 w", "f0", "e1"),
        # elephant: two diagonal, not over a piece in its eye, not over the river
        ("3k5/9/9/9/9/9/9/4B4/9/4K4 w", "e2", "c0 c4 g0 g4"),
        ("3k5/9/9/9/9/9/3p5/4B4/5N3/4K4 w", "e2", "c0 g4"),
        ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4", "a2 e2"),
        ("3k5/9/4b4/9/9/9/9/9/9/5K3 b", "e7", "c5 c9 g5 g9"),
        # horse: its leg blocks it
        ("3k5/9/9/9/4N4/9/9/9/9/5K3 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6"),
        ("3k5/9/9/4p4/4Nn3/9/9/9/9/5K3 w", "e5", "c4 c6 d3 f3"),
        ("3k5/9/9/9/9/9/9/9/9/N4K3 w", "a0", "b2 c1"),
        # chariot
        ("3k5/9/9/2p6/9/2R1N4/9/9/9/5K3 w", "c4", "a4 b4 c0 c1 c2 c3 c5 c6 d4"),
        # cannon: moves as a chariot, takes over exactly one piece
        ("3k5/9/c8/9/p8/C1p1pn3/9/9/9/5K3 w", "a4", "a0 a1 a2 a3 a7 b4 e4"),
        ("3k5/9/9/9/C1PP1n3/9/9/9/9/5K3 w", "a5", "a0 a1 a2 a3 a4 a6 a7 a8 a9 b5"),
        # soldier: forward, and sideways once over the river, never back
        ("3k5/9/9/9/9/2P6/9/9/9/5K3 w", "c4", "c5"),
        ("3k5/9/9/9/2P6/9/9/9/9/5K3 w", "c5", "b5 c6 d5"),
        ("P2k5/9/9/9/9/9/9/9/9/5K3 w", "a9", "b9"),
        ("3k5/9/9/9/2p6/9/9/9/9/5K3 b", "c5", "c4"),
        ("3k5/9/9/9/9/8p/9/9/9/5K3 b", "i4", "h4 i3"),
        ("3k5/9/9/9/9/9/9/9/9/4K3p b", "i0", "h0"),
    ],
)
def test_moves_of_a_piece(fen, origin, expected):
    assert targets(fen, origin) == expected.split()


@pytest.mark.parametrize(
    ("fen", "origin", "expected"),
    [
        # a piece shields its general from a chariot, and may move along the line or take the chariot
        ("3kr4/9/9/9/4R4/9/9/9/9/4K4 w", "e5", "e1 e2 e3 e4 e6 e7 e8 e9"),
        ("3kr4/9/9/9/4N4/9/9/9/9/4K4 w", "e5", ""),
        # from the other general
        ("4k4/9/9/9/4C4/9/9/9/9/4K4 w", "e5", "e1 e2 e3 e4 e6 e7 e8"),
        # the second screen of a cannon may not go
        ("3k5/4c4/9/9/4N4/9/9/9/4A4/4K4 w", "e5", ""),
        ("3k5/4c4/9/9/4N4/9/9/9/4A4/4K4 w", "e1", ""),
        # nothing may become the screen of a cannon that faces the general
        ("3k5/4c4/9/9/9/9/9/1R7/9/4K4 w", "b2", "a2 b0 b1 b3 b4 b5 b6 b7 b8 b9 c2 d2 f2 g2 h2 i2"),
        # nor may the piece that shields from a chariot take it, if that gives a cannon behind it its one screen
        ("3kc4/4r4/9/9/4R4/9/9/9/9/4K4 w", "e5", "e1 e2 e3 e4 e6 e7"),
        # a horse's leg may not be cleared, but the horse may be taken
        ("4k4/9/9/9/9/9/9/2n6/2R6/3K5 w", "c1", "c2"),
        ("4k4/9/9/9/9/9/9/9/1nC6/3K5 w", "c1", ""),
        ("4k4/9/9/9/9/9/9/9/2C6/n2K5 w", "c1", "a1 b1 c0 c2 c3 c4 c5 c6 c7 c8 c9 d1 e1 f1 g1 h1 i1"),
    ],
)
def test_moves_that_would_expose_the_general(fen, origin, expected):
    assert targets(fen, origin) == expected.split()


@pytest.mark.parametrize(
    ("fen", "check"),
    [
        ("4k4/9/9/9/9/9/4R4/9/9/3K5 b", True),
        ("4k4/9/9/9/4n4/9/4R4/9/9/3K5 b", False),
        ("4k4/9/9/9/4n4/9/4C4/9/9/3K5 b", True),
        ("4k4/9/9/4n4/4n4/9/4C4/9/9/3K5 b", False),
        ("4k4/9/9/9/9/9/4C4/9/9/3K5 b", False),
        ("4k4/9/3N5/9/9/9/9/9/9/3K5 b", True),
        ("4k4/3r5/3N5/9/9/9/9/9/9/3K5 b", False),
        ("4k4/2N6/9/9/9/9/9/9/9/3K5 b", True),
        ("2N1k4/9/9/9/9/9/9/9/9/3K5 b", False),
        ("4k4/4P4/9/9/9/9/9/9/9/3K5 b", True),
        ("3Pk4/9/9/9/9/9/9/9/9/3K5 b", True),
        ("9/5k3/9/9/9/9/9/9/3pK4/9 w", True),
        ("4P4/4k4/9/9/9/9/9/9/9/3K5 b", False),  # a soldier does not look back
    ],
)
def test_check(fen, check):
    assert Board(fen).in_check() is check


@pytest.mark.parametrize(
    ("fen", "mate", "stalemate"),
    [
        (START_FEN, False, False),
        ("3k5/9/3P5/9/9/9/9/4R4/9/4K4 b - - 0 1", False, True),  # 困毙
        ("3k5/3PP4/9/9/9/9/9/9/9/4K4 b", True, False),
        ("R3k4/8R/9/9/9/9/9/9/9/3K5 b", True, False),
        ("4k4/4a4/4C4/9/9/9/9/9/9/4K4 b", False, False),
        ("4kR3/R8/9/9/9/9/9/9/9/5K3 b", True, False),
        ("4kR3/R8/9/9/9/9/9/9/9/3K5 b", False, False),
    ],
)
def test_no_move_left(fen, mate, stalemate):
    board = Board(fen)
    assert (board.is_mate(), board.is_stalemate()) == (mate, stalemate)
    assert (not board.legal_moves()) is (mate or stalemate)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("e5e6", "no piece on e5"),
        ("h7e7", "it is Red's turn"),
        ("a0a3", "Red's own"),
        ("a0a4", "a chariot can't go"),
        ("h0f1", "a horse can't go"),
        ("e0e2", "a general can't go"),
    ],
)
def test_illegal_moves_are_named_and_change_nothing(name, reason):
    board = Board()
    with pytest.raises(IllegalMove, match=reason):
        board.play(move(name))
    with pytest.raises(IllegalMove, match=reason):
        board.gives_check(move(name))
    assert not board.is_legal(move(name))
    assert (board.fen(), board.history) == (START_FEN, [])


@pytest.mark.parametrize("number", [0, -1, 1 << 14, 1 << 40, 90 << 7, 100, move_of(0, 90), move_of(5, 127)])
def test_numbers_that_are_no_move(number):
    board = Board()
    assert not board.is_legal(number)
    with pytest.raises(IllegalMove):
        board.play(number)
    assert board.fen() == START_FEN


def test_exposing_moves_are_named():
    with pytest.raises(IllegalMove, match="would expose the general"):
        Board("3kr4/9/9/9/4N4/9/9/9/9/4K4 w").play(move("e5c6"))
    with pytest.raises(IllegalMove, match="stays in check"):
        Board("3kr4/9/9/9/1N7/9/9/9/9/4K4 w").play(move("b5a7"))


def test_pieces_and_slots():
    board = Board()
    piece = board.piece_at(square("h9") - 18)
    assert (piece_kind(piece), piece_color(piece)) == (CANNON, BLACK)
    assert board.piece_at(square("e5")) == 0
    assert board.slot_at(square("e5")) == NO_SLOT
    slot = board.slot_at(square("h2"))
    board.play(move("h2e2"))
    assert board.slot_at(square("e2")) == slot
    for outside in (-1, 90):
        with pytest.raises(IndexError):
            board.piece_at(outside)
        with pytest.raises(IndexError):
            board.slot_at(outside)


def test_play_and_undo():
    board = Board()
    keys = [board.key]
    for name in ("h2e2", "h9g7", "e2e6"):
        board.play(move(name))
        keys.append(board.key)
    assert board.turn == BLACK
    assert board.halfmove_clock == 0
    assert [move_name(m) for m in board.history] == ["h2e2", "h9g7", "e2e6"]
    assert board.keys == keys
    assert len(set(keys)) == 4
    assert board.fen() == "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2"
    assert move_name(board.undo()) == "e2e6"
    assert board.key == keys[2]
    board.undo()
    board.undo()
    assert board.fen() == START_FEN
    with pytest.raises(IndexError):
        board.undo()


def test_key_tells_positions_and_sides_apart():
    kings = "3k5/9/9/9/9/9/9/9/9/5K3"
    assert Board(f"{kings} w").key != Board(f"{kings} b").key
    assert Board(f"{kings} w - - 3 9").key == Board(f"{kings} w").key
    board = Board(f"{kings} w")
    for name in ("f0f1", "d9d8", "f1f0", "d8d9"):
        board.play(move(name))
    assert board.key == board.keys[0]


def test_copy_is_independent():
    board = Board()
    board.play(move("h2e2"))
    twin = board.copy()
    twin.play(move("h9g7"))
    twin.undo()
    twin.undo()
    assert twin.fen() == START_FEN
    assert board.history == [move("h2e2")]
    assert board.turn == BLACK


def test_history_grows():
    board = Board("3k5/9/9/9/9/9/9/9/9/5K3 w")
    cycle = [move(name) for name in ("f0f1", "d9d8", "f1f0", "d8d9")]
    for _ in range(300):
        for m in cycle:
            board.play(m)
    assert board.halfmove_clock == 1200
    assert len(board.history) == 1200
    for _ in range(1200):
        board.undo()
    assert board.fen() == "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1"


def check_node(board):
    """Everything a position says of itself agrees with the same position set up afresh, and with making its moves."""
    fresh = Board(board.fen())
    assert board.is_consistent()
    assert fresh.key == board.key
    assert fresh.fen() == board.fen()
    legal = board.legal_moves()
    assert sorted(legal) == sorted(fresh.legal_moves())
    assert len(set(legal)) == len(legal) == board.perft(1)
    assert sorted(board.legal_moves(CAPTURES) + board.legal_moves(QUIETS)) == sorted(legal)
    assert all(board.piece_at(move_to(m)) for m in board.legal_moves(CAPTURES))
    assert board.in_check() == fresh.in_check()
    return legal


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_game(rng):
    board = Board()
    states = []
    for _ in range(60):
        legal = check_node(board)
        if not legal:
            break
        chosen = rng.choice(legal)
        states.append((board.fen(), board.key))
        check = board.gives_check(chosen)
        board.play(chosen)
        assert board.in_check() == check
    while states:
        board.undo()
        assert (board.fen(), board.key) == states.pop()


def test_every_int_is_legal_or_explained():
    rng = random.Random(5)
    for _ in range(12):
        board = Board()
        for _ in range(rng.randrange(80)):
            legal = board.legal_moves()
            if not legal:
                break
            board.play(rng.choice(legal))
        legal = {m for m in range(90 << 7) if board.is_legal(m)}
        assert legal == set(board.legal_moves())
        for m in rng.sample(range(90 << 7), 200):
            assert (board.why_illegal(m) is None) == (m in legal)


def play_out(seed, plies):
    """A random game, undone again: at every position the incremental state must equal the state computed afresh."""
    rng = random.Random(seed)
    board = Board()
    keys = []
    for _ in range(plies):
        # captures now and then, so that endings are reached
        moves = (board.legal_moves(CAPTURES) if rng.random() < 0.3 else None) or board.legal_moves()
        if not moves:
            break
        keys.append(board.key)
        board.play(rng.choice(moves))
        assert board.is_consistent()
    final = board.fen()
    assert Board(final).key == board.key
    for key in reversed(keys):
        board.undo()
        assert board.key == key
        assert board.is_consistent()
    assert board.fen() == START_FEN
    return len(keys)


def test_random_games_few():
    assert sum(play_out(seed, 80) for seed in range(20)) > 1000


@pytest.mark.compiled
def test_random_games_many():
    plies = sum(play_out(seed, 80) for seed in range(10_000))
    assert plies > 400_000


def uci(m):
    """A move as pyffish writes it: ranks from 1."""
    return "".join(f"{'abcdefghi'[s % 9]}{s // 9 + 1}" for s in (move_from(m), move_to(m)))


POSITIONS = json.loads((Path(__file__).resolve().parents[2] / "data/xiangqi/perft.json").read_text())


def compare_with_pyffish(seed, plies):
    """Play a random game from the start or a position of the perft list; every position's moves must be pyffish's.

    pyffish forbids perpetual checks and chases too, so each position is given to it without its history.
    """
    pyffish = pytest.importorskip("pyffish", reason="the test extra has it")
    rng = random.Random(seed)
    board = Board(POSITIONS[seed % len(POSITIONS)]["fen"])
    for _ in range(plies):
        fen = board.fen()
        moves = {uci(m): m for m in board.legal_moves()}
        assert sorted(moves) == sorted(pyffish.legal_moves("xiangqi", fen, [])), fen
        if not moves:
            break
        captures = board.legal_moves(CAPTURES)
        board.play(rng.choice(captures if captures and rng.random() < 0.3 else list(moves.values())))


def test_same_moves_as_pyffish():
    for seed in range(10):
        compare_with_pyffish(seed, 20)


@pytest.mark.compiled
def test_same_moves_as_pyffish_in_300_games():
    for seed in range(300):
        compare_with_pyffish(seed, 20)


def test_same_checks_as_pyffish():
    pyffish = pytest.importorskip("pyffish", reason="the test extra has it")
    rng = random.Random(7)
    for position in POSITIONS:
        board = Board(position["fen"])
        for _ in range(10):
            assert board.in_check() == pyffish.gives_check("xiangqi", board.fen(), []), board.fen()
            moves = board.legal_moves()
            if not moves:
                break
            board.play(rng.choice(moves))


def test_colors():
    assert (RED, BLACK) == (0, 1)
    assert Board().turn == RED


def test_a_game_can_be_told_from_any_of_its_moves_on():
    board = Board()
    keys = [board.key]
    for _ in range(9):
        board.play(board.legal_moves()[0])
        keys.append(board.key)
    assert board.plies == 9 and [board.key_after(n) for n in range(10)] == keys
    assert board.key_after(10) is None and board.key_after(-1) is None
    assert all(board.history_since(n) == board.history[n:] for n in range(10))


@pytest.mark.parametrize(
    ("fen", "can"),
    [
        ("3k5/9/9/9/9/9/9/9/3r1r3/4K4 w", False),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", True),
        ("4k4/4P4/9/9/9/9/9/9/9/3K5 b", True),
    ],
)
def test_whether_a_side_can_move(fen, can):
    board = Board(fen, strict=False)
    assert board.can_move() == can == bool(board.legal_moves())
