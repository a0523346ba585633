"""The position a client talks about, and the game put together from what it sends."""

import random

import pytest

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from protocols.xiangqi import coordinates
from protocols.xiangqi.position import Keeper, PositionError


def keep(*lines, keeper=None):
    keeper = keeper or Keeper()
    for line in lines:
        keeper.set(line.split())
    return keeper


def short(board):
    """A FEN without counters, as clients that don't count send it."""
    return " ".join(board.fen().split()[:2])


def test_start_and_moves():
    keeper = keep("startpos moves h2e2 h9g7")
    assert keeper.board.fen().startswith("rnbakab1r/9/1c4nc1/")
    assert len(keeper.board.history) == 2


@pytest.mark.parametrize("text", [f"fen {START_FEN}", START_FEN, START_FEN.split()[0], f"FEN {short(Board())} MOVES"])
def test_forms_of_a_fen(text):
    assert keep(text).board.fen() == START_FEN


def test_a_fen_ends_the_game_before():
    keeper = keep("startpos moves h2e2", "fen 3k5/9/9/9/9/9/9/9/9/R3K4 w")
    assert keeper.board.history == []


@pytest.mark.parametrize(
    "text, word",
    [
        ("", "startpos"),
        ("fen", "startpos"),
        ("moves h2e2", "startpos"),
        ("startpos h2e2", "unexpected"),
        ("startpos moves h2e2 h2e2", "move 2 of 2"),
        ("startpos moves h2h8", "can't go"),
        ("startpos moves b10c8 b0c2", "ranks 0 and 10"),
        ("startpos moves e9e8", "turn"),
        ("fen 9/9/9/9/9/9/9/9/9/9 w", "no general"),
        ("fen 4k4/9/9/9/9/9/9/9/9/4K4 w", "face"),
        ("fen 3k5/9/9/9/9/9/9/9/9/R3K4 x - - 0 1", "side"),
        ("fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1 a0a1", "without the word"),
        ("fen 3k5/9/9/9/9/9/9/9/9/R3K4 a0a1", "side"),
    ],
)
def test_what_is_refused_changes_nothing(text, word):
    keeper = keep("startpos moves h2e2")
    before = keeper.board.fen(), keeper.base
    with pytest.raises(PositionError, match=word):
        keeper.set(text.split())
    assert (keeper.board.fen(), keeper.base) == before


# -- how ranks are counted


def test_rank_ten_decides_for_good():
    keeper = keep("startpos moves h3e3 h10g8")
    assert keeper.base == 1 and keeper.write(keeper.board.history[0]) == "h3e3"
    for text in ("startpos moves h2e2", "startpos moves b0c2"):
        with pytest.raises(PositionError):
            keeper.set(text.split())
    keeper.new_game()
    assert keep("startpos moves b1c3", keeper=keeper).base == 1


def test_rank_ten_in_a_bad_list_decides_nothing():
    keeper = Keeper()
    with pytest.raises(PositionError):
        keep("startpos moves a10a1", keeper=keeper)
    assert keep("startpos moves h2e2", keeper=keeper).base == 0


def test_by_default_ranks_count_from_zero():
    with pytest.raises(PositionError, match="no piece"):
        keep("startpos moves h3e3")


def test_a_variant_means_ranks_from_one_until_the_moves_say_otherwise():
    keeper = Keeper()
    keeper.count_from_one()
    assert keep("startpos moves h3e3", keeper=keeper).base == 1
    # A client that sets every option it sees, and counts from 0 all the same.
    assert keep("startpos moves h2e2", keeper=keeper).base == 0
    assert keep("startpos moves b0c2", keeper=keeper).base == 0


def test_positions_without_their_word_come_from_boards_that_count_from_zero():
    keeper = Keeper()
    keeper.count_from_one()
    keeper.count_from_zero()
    assert keeper.base == 0
    keep("startpos moves h3e3 h10g8", keeper=keeper).count_from_zero()
    assert keeper.base == 1


# -- a game from positions alone


def test_successive_positions_make_a_game():
    rng = random.Random(2)
    board, keeper = Board(), keep(f"fen {START_FEN}")
    for step in range(40):
        for _ in range(1 + step % 2):  # every position, or every second one
            moves = board.legal_moves()
            if not moves:
                return
            board.play(rng.choice(moves))
        keep(f"fen {short(board)}", keeper=keeper)
        assert keeper.board.keys == board.keys, step


def test_the_move_we_gave_is_the_one_that_was_played():
    keeper = keep(f"fen {START_FEN}")
    first = keeper.board.legal_moves()[0]
    keeper.played = first
    board = Board()
    board.play(first)
    board.play(board.legal_moves()[3])
    keep(f"fen {short(board)}", keeper=keeper)
    assert keeper.board.history == board.history
    assert keeper.played is None


def test_the_same_position_again_is_the_same_game():
    keeper = keep("startpos moves h2e2 h9g7")
    keep(f"fen {short(keeper.board)}", keeper=keeper)
    assert len(keeper.board.history) == 2


def test_going_back_takes_moves_back():
    keeper = keep("startpos moves h2e2 h9g7 h0g2 b9c7")
    back = keep("startpos moves h2e2 h9g7").board
    keep(f"fen {short(back)}", keeper=keeper)
    assert keeper.board.history == back.history


def test_another_game_is_another_game():
    keeper = keep("startpos moves h2e2 h9g7")
    keep("fen 3k5/9/9/9/9/9/9/9/9/R3K4 w", keeper=keeper)
    assert keeper.board.history == []
    keeper = keep("startpos moves h2e2 h9g7")
    keeper.new_game()
    keep(f"fen {short(keep('startpos moves h2e2 h9g7 h0g2').board)}", keeper=keeper)
    assert len(keeper.board.history) == 1  # counted from the position the new game began with


def test_counters_that_do_not_fit_mean_another_game():
    keeper = keep("fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 10 30")
    keep("fen 3k5/9/9/9/9/9/9/9/R8/4K4 b - - 11 30", keeper=keeper)
    assert len(keeper.board.history) == 1
    keep("fen 9/3k5/9/9/9/9/9/9/R8/4K4 w - - 50 60", keeper=keeper)
    assert keeper.board.history == [] and keeper.board.halfmove_clock == 50


def test_with_moves_nothing_is_guessed():
    keeper = keep("startpos moves h2e2", "startpos moves h2e2 h9g7")
    assert len(keeper.board.history) == 2


def test_a_refused_move_leaves_the_base_of_ranks_as_it_was():
    keeper = Keeper()
    keeper.count_from_one()
    keep("startpos moves h3e3 h8e8", keeper=keeper)
    with pytest.raises(PositionError):
        keep("startpos moves h3e3 h8e8 h0g2 a9a9", keeper=keeper)
    assert keeper.base == 1


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("seed", range(10))
def test_a_game_told_again_and_again_is_read_as_if_told_once(base, seed):
    chance = random.Random(seed)
    keeper, board = Keeper(), Board()
    for _ in range(60):
        if board.history and chance.random() < 0.2:
            for _ in range(chance.randint(1, len(board.history))):
                board.undo()
        else:
            for _ in range(chance.randint(1, 3)):
                if board.legal_moves():
                    board.play(chance.choice(board.legal_moves()))
        line = f"startpos moves {' '.join(coordinates.write(move, base) for move in board.history)}"
        if chance.random() < 0.1:
            keeper.peek(["startpos", "moves", f"a{3 + keeper.base}a{4 + keeper.base}"])
        if chance.random() < 0.1:
            with pytest.raises(PositionError):
                keeper.set([*line.split(), "e0e9"])
        try:
            expected = keep(line, keeper=fresh(keeper)).board
        except PositionError:
            with pytest.raises(PositionError):
                keeper.set(line.split())
            continue
        keeper.set(line.split())
        assert keeper.board.history == expected.history
        assert keeper.board.fen() == expected.fen()


def fresh(keeper):
    """A keeper that knows the same of the client's ranks, and nothing of its games."""
    other = Keeper()
    other.base, other.certain = keeper.base, keeper.certain
    return other
