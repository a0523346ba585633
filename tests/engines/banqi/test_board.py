"""The banqi board: actions by rules, making and undoing, keys, perft, repetition."""

import pickle
import random

import pytest
from support import PURE

from engines.banqi.board import END, Board, IllegalMove
from engines.banqi.fen import START_FEN, read_square
from engines.banqi.game import Game
from engines.banqi.notation import move_text, read_move
from engines.banqi.rules import NAMED

GAMES = 1 if PURE else 3


def moves_of(board, name):
    square = read_square(name)
    return {move_text(move)[3:] for move in board.legal_moves() if move >> 5 & 31 == square and move != END}


def board_of(ranks, rules="taiwan", side="r"):
    return Board(f"{ranks} {side} - 0 10", rules)


@pytest.mark.parametrize("rules", NAMED)
def test_random_games_make_and_unmake_everything(rules):
    for seed in range(GAMES):
        below = random.Random(seed)
        game = Game(seed=seed, rules=rules)
        board = game.board
        past = []
        while game.result is None:
            past.append((board.fen(), board.key, board.colors, board.legal_moves()))
            game.play(below.choice(past[-1][3]))
            assert board.is_consistent()
        texts = game.moves
        copied = board.copy()
        assert (copied.fen(), copied.key, copied.history) == (board.fen(), board.key, board.history)
        assert pickle.loads(pickle.dumps(board)).history == board.history
        for fen, key, colors, legal in reversed(past):
            game.undo()
            assert (board.fen(), board.key, board.colors, board.legal_moves()) == (fen, key, colors, legal)
            assert Board(fen, rules).legal_moves() == legal
        again = Game(seed=seed, rules=rules)
        assert [again.play_text(text) for text in texts] == texts
        assert again.result is not None


@pytest.mark.parametrize("rules", NAMED)
def test_moves_as_text(rules):
    game, below = Game(seed=5, rules=rules), random.Random(5)
    while game.result is None:
        for move in game.legal_moves():
            assert game.read_move(game.move_text(move)) == move
            assert read_move(move_text(move)) == (move, None)
        game.play(below.choice(game.legal_moves()))


def test_a_general_takes_no_soldier_and_a_soldier_takes_the_general():
    board = board_of("4/4/4/4/4/1p2/pKg1/1k2")
    assert moves_of(board, "b2") == {"c2", "b1"}
    board = board_of("4/4/4/4/4/1p2/pKg1/1k2", side="b")
    assert moves_of(board, "a2") == {"b2", "a1", "a3"}


def test_a_cannon_takes_over_one_piece_only():
    board = Board("4/4/4/4/4/1r2/1X2/pCXr r p2 0 10")
    assert moves_of(board, "b1") == {"d1", "b3"}


def test_a_soldier_takes_no_cannon_and_a_horse_does():
    board = board_of("4/4/4/4/4/4/PcN1/4")
    assert moves_of(board, "a2") == {"a1", "a3"} and "b2" in moves_of(board, "c2")


def test_hong_kong_ranks_the_chariot_second():
    board = board_of("4/4/4/4/4/4/gR2/1k2", "hongkong")
    assert moves_of(board, "b2") == {"a2", "c2", "b3"}


def test_sliding_chariots_and_cannons_take_by_rank_at_the_end():
    board = board_of("r3/4/4/4/4/4/4/R2k", "hongkong-chariot")
    assert moves_of(board, "a1") == {"b1", "c1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"}
    board = board_of("r3/4/4/4/4/4/4/C2g", "hongkong-chariot-cannon")
    assert moves_of(board, "a1") == {"b1", "c1", "d1", "a2", "a3", "a4", "a5", "a6", "a7"}


def test_a_rushing_chariot_ignores_rank_from_afar_only():
    board = board_of("k3/4/4/4/4/g3/R2g/4", "taiwan-rush")
    assert moves_of(board, "a2") == {"b2", "c2", "d2", "a1"}


def test_a_horse_takes_diagonally():
    board = board_of("4/4/4/4/4/g1g1/1N2/4", "taiwan-horse-diagonal")
    assert moves_of(board, "b2") == {"a2", "c2", "b1", "b3", "a3", "c3"}
    assert "a3" not in moves_of(board_of("4/4/4/4/4/g1g1/1N2/4"), "b2")


def test_a_fast_cannon_slides_but_takes_by_leaping():
    board = board_of("4/4/4/4/4/4/4/C2p", "taiwan-fast-cannon")
    assert moves_of(board, "a1") == {"b1", "c1", *(f"a{rank}" for rank in range(2, 9))}


def test_a_chain_goes_on_with_the_same_piece_and_may_be_ended():
    board = board_of("4/4/4/4/4/4/4/Rpp1", "taiwan-chain")
    board.play(read_move("a1-b1")[0])
    assert [move_text(move) for move in board.legal_moves()] == ["b1-c1", "end"]
    assert "chain:b1" in board.fen() and Board(board.fen(), "taiwan-chain").legal_moves() == board.legal_moves()
    board.play(END)
    assert board.color == 1 and board.number == 12


@pytest.mark.parametrize(
    ("rules", "shown", "after"),
    [
        ("taiwan-dark-return", "p", "4/4/4/4/4/4/4/1R1r b"),
        ("taiwan-dark-return", "k", "4/4/4/4/4/4/4/Rk1r b"),
        ("taiwan-dark-return", "P", "4/4/4/4/4/4/4/RP1r b"),
        ("taiwan-dark-suicide", "p", "4/4/4/4/4/4/4/1R1r b"),
        ("taiwan-dark-suicide", "k", "4/4/4/4/4/4/4/1k1r b"),
        ("taiwan-dark-suicide", "P", "4/4/4/4/4/4/4/RP1r b"),
    ],
)
def test_an_attack_on_a_face_down_piece(rules, shown, after):
    game = Game(f"4/4/4/4/4/4/4/RX1r r {shown}1 0 10", rules=rules)
    assert game.play_text("a1-b1") == f"a1-b1({shown})"
    assert game.board.fen().startswith(after)
    game.undo()
    assert game.board.fen().startswith("4/4/4/4/4/4/4/RX1r r")


def test_perft_from_the_start():
    deal = [piece for kind, count in enumerate((1, 2, 2, 2, 2, 2, 5), 1) for piece in (kind, kind + 8) * count]
    assert [Board().perft(depth, deal) for depth in (1, 2)] == [32, 992]
    with pytest.raises(ValueError):
        Board().perft(2, [0] * 32)


@pytest.mark.parametrize("move", [-1, 1 << 20, END, 5 << 5 | 6])
def test_an_illegal_move_changes_nothing(move):
    board = Board()
    with pytest.raises(IllegalMove):
        board.play(move)
    assert board.fen() == START_FEN and board.plies == 0


def test_a_turn_up_must_say_what_showed():
    board = Board()
    for shown in (0, 8, 99):
        with pytest.raises(ValueError):
            board.play(0, shown)
    with pytest.raises(IndexError):
        board.undo()


def test_the_same_moves_three_times_are_a_cycle_and_positions_are_not():
    board = board_of("4/4/4/4/4/4/k3/3K")
    shuffle = [read_move(text)[0] for text in ("d1-d2", "a2-a1", "d2-d1", "a1-a2")]
    for count in range(12):
        assert board.repeated() == 0
        assert board.occurrences() == 1 + count // 4
        board.play(shuffle[count % 4])
    assert board.repeated() == 4 and board.occurrences() == 4
