"""The evaluation net: sums kept against sums made anew, integers against real numbers, symmetry, and files."""

import random
from array import array

import pytest
from support import PURE
from xiangqi_cases import mirrored, random_positions, some_net, swapped

from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.net import Accumulators, Net, NetError, bucket_of, king_index, lean, relative_row
from engines.xiangqi.net_file import (
    DEEP,
    HIDDEN,
    LARGEST_BIAS,
    LARGEST_WEIGHT,
    ROWS,
    WIDTH,
    read_net,
    write_net,
)
from engines.xiangqi.player import SearchPlayer, Settings
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table

GAMES = 2 if PURE else 20


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "some.xqnet"
    write_net(path, some_net())
    return path


@pytest.fixture(scope="module")
def net(path):
    return Net(str(path))


def pieces(board):
    return [(board.piece_at(square), square) for square in range(90) if board.piece_at(square)]


def view_of(data, board, view):
    """The first layer's sums, from the description of the file alone."""
    leaning = sum(lean(view, piece, square) for piece, square in pieces(board))
    king = next(king_index(view, square) for piece, square in pieces(board) if piece == 1 + 8 * view)
    sums = list(data.bias)
    for piece, square in pieces(board):
        row = (king * ROWS + relative_row(view, leaning > 0, piece, square)) * WIDTH
        sums = [a + b for a, b in zip(sums, data.rows[row : row + WIDTH], strict=True)]
    return sums


def real_value(data, board):
    """What the net says, computed with real numbers, in centipawns."""

    def clip(x):
        return min(1.0, max(0.0, x))

    heavy = sum(piece & 7 in (4, 5, 6) for piece, _ in pieces(board))
    bucket = bucket_of(heavy)
    active = [clip(x / 255) ** 2 for view in (board.turn, board.turn ^ 1) for x in view_of(data, board, view)]
    hidden = []
    for neuron in range(bucket * (HIDDEN + 1), (bucket + 1) * (HIDDEN + 1)):
        weights = data.hidden[neuron * 2 * WIDTH : (neuron + 1) * 2 * WIDTH]
        products = sum(a * b for a, b in zip(active, weights, strict=True))
        hidden.append((products * 254 + data.hidden_bias[neuron]) / 2**18)
    *hidden, straight = hidden
    total = data.last_bias[bucket] / 2**20
    for neuron in range(bucket * DEEP, (bucket + 1) * DEEP):
        weights = data.deep[neuron * HIDDEN : (neuron + 1) * HIDDEN]
        deep = sum(clip(a) * b for a, b in zip(hidden, weights, strict=True)) / 1024 + data.deep_bias[neuron] / 2**20
        total += clip(deep) * data.last[neuron] / 1024
    return (total + straight) * data.scale


def test_sums_kept_through_games_and_undone_moves_are_those_made_anew(net):
    rng = random.Random(7)
    kept = Accumulators(net)
    for _ in range(GAMES):
        board = Board()
        for _ in range(120):
            moves = board.legal_moves()
            if not moves:
                break
            board.play(rng.choice(moves))
            while rng.random() < 0.4 and board.plies:
                board.undo()
            if rng.random() < 0.6:
                anew = Accumulators(net)
                assert kept.value(board) == anew.value(board)
                for color in (0, 1):
                    assert kept.view_sums(board, color) == anew.view_sums(board, color)


def test_sums_are_those_of_the_description(net, path):
    data = read_net(path)
    kept = Accumulators(net)
    for fen in random_positions(5 if PURE else 40):
        board = Board(fen)
        for color in (0, 1):
            assert kept.view_sums(board, color) == view_of(data, board, color)


def test_integers_say_what_real_numbers_say(net, path):
    data = read_net(path)
    kept, values = Accumulators(net), set()
    for fen in random_positions(4 if PURE else 40, seed=3):
        board = Board(fen)
        value = kept.value(board)
        values.add(value)
        assert abs(value - real_value(data, board)) < 8
    assert len(values) > 3 and max(values) - min(values) > 30


def test_both_colors_and_both_wings_are_judged_alike(net):
    kept = Accumulators(net)
    for fen in random_positions(10 if PURE else 200, seed=2):
        value = kept.value(Board(fen))
        assert kept.value(Board(swapped(fen))) == value
        assert kept.value(Board(mirrored(fen))) == value


def test_the_bucket_goes_by_heavy_pieces():
    assert [bucket_of(heavy) for heavy in range(13)] == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7]


def test_the_search_judges_by_the_net_and_by_terms_again_without(net):
    searcher = Searcher(Board(), Table(1))
    terms = searcher.static()
    searcher.stack.judge_by(net)
    searcher.set_position(Board())
    assert searcher.static() == Accumulators(net).value(Board()) != terms
    searcher.stack.knowledge = 2  # asked for less, it looks at less
    assert searcher.static() != Accumulators(net).value(Board())
    searcher.stack.knowledge = 3
    searcher.stack.judge_by(None)
    assert searcher.static() == terms


def test_a_player_takes_a_net_and_gives_it_up(net, path, tmp_path):
    player = SearchPlayer(Settings(hash=1))
    terms = player.static(Board())
    choice = player.choose(Board(), 0, Limits(depth=3))
    player.use_net(str(path))
    assert player.probe(Board().key) is None  # what the terms said counts no more
    assert player.static(Board()) == Accumulators(net).value(Board()) != terms
    (tmp_path / "bad").write_bytes(b"no net")
    with pytest.raises(NetError):
        player.use_net(str(tmp_path / "bad"))
    assert player.static(Board()) == Accumulators(net).value(Board())
    assert player.choose(Board(), 0, Limits(depth=2)).action == "move"
    player.use_net(None)
    assert player.static(Board()) == terms
    again = player.choose(Board(), 0, Limits(depth=3))
    assert again.report.nodes == SearchPlayer(Settings(hash=1)).choose(Board(), 0, Limits(depth=3)).report.nodes
    assert again.move == choice.move


def test_who_can_not_win_is_not_ahead_whatever_the_net_says(net):
    searcher = Searcher(Board(), Table(1))
    searcher.stack.judge_by(net)
    searcher.set_position(Board("4k4/9/9/9/9/9/9/4B4/9/3K2B2 w - - 0 1"))
    assert searcher.static() <= 0


def test_a_search_with_a_net_leaves_the_sums_right(net):
    searcher = Searcher(Board(), Table(1))
    searcher.stack.judge_by(net)
    searcher.set_position(Board())
    searcher.new_search()
    searcher.node_limit = 200 if PURE else 20_000
    depth = 1
    while searcher.iterate(depth, 1):
        depth += 1
    assert searcher.static() == Accumulators(net).value(Board())


# -- files


def test_a_net_is_read_as_it_was_written(path):
    assert read_net(path) == some_net()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda content: b"", "not an evaluation net of this program"),
        (lambda content: b"NNUE" + content, "not an evaluation net of this program"),
        (lambda content: content[:8] + b"\x09\x00" + content[10:], "a net of version 9, not 1"),
        (lambda content: content[:10] + b"\x00\x01" + content[12:], "layers of another size"),
        (lambda content: content[:-1], "cut short or damaged"),
        (lambda content: content + b"\x00", "cut short or damaged"),
        (lambda content: content[:5000] + bytes([content[5000] ^ 4]) + content[5001:], "the checksum is wrong"),
    ],
)
def test_a_file_that_is_no_whole_net_is_refused_with_the_reason(path, tmp_path, spoil, told):
    bad = tmp_path / "bad.xqnet"
    bad.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(NetError, match=told) as caught:
        Net(str(bad))
    assert str(caught.value).startswith(str(bad))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(NetError, match="No such file"):
        Net(str(tmp_path / "none.xqnet"))
    with pytest.raises(NetError, match="directory"):
        Net(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "number"), [("rows", 1001), ("bias", -1001), ("deep_bias", 1 << 24), ("last_bias", -(1 << 24))]
)
def test_numbers_that_would_not_fit_are_not_written(tmp_path, name, number):
    data = some_net()
    getattr(data, name)[3] = number
    with pytest.raises(NetError, match=f"a number in {name} is beyond"):
        write_net(tmp_path / "x", data)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_that_a_file_may_hold_add_up_without_overflow(tmp_path, sign):
    data = some_net()
    for name, size in [
        ("bias", LARGEST_WEIGHT),
        ("rows", LARGEST_WEIGHT),
        ("hidden", sign * 32767),
        ("hidden_bias", sign * LARGEST_BIAS),
        ("deep", sign * 32767),
        ("last", sign * 32767),
    ]:
        numbers = getattr(data, name)
        setattr(data, name, array(numbers.typecode, [size] * len(numbers)))
    write_net(tmp_path / "large.xqnet", data)
    kept = Accumulators(Net(str(tmp_path / "large.xqnet")))
    board = Board()
    assert kept.view_sums(board, 0) == [33 * LARGEST_WEIGHT] * WIDTH
    assert kept.value(board) == pytest.approx(real_value(data, board), rel=1e-3)
    assert kept.value(board) * sign > 1_000_000
