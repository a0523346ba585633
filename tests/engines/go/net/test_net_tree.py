"""The search over a net, with a net made of plain Python."""

import threading

import pytest
from fake_net import FakeNet
from support import PURE

from engines.go.board import Board
from engines.go.game import Game
from engines.go.net.tree import NetTree, NetWorker, nodes_in
from engines.go.points import BLACK, PASS, WHITE, opponent
from engines.go.rules import preset

SIZES = [(1, 1), (2, 1), (2, 2), (3, 3), (5, 5), (7, 4), (4, 7), (9, 9), (25, 1)]
SIZES += [] if PURE else [(19, 19), (25, 25)]


def grow(game, playouts=40, *, color=None, net=None, seed=1, **settings):
    """A tree and its one worker after a search."""
    tree = NetTree(game.board, game.to_move if color is None else color, 1, net or FakeNet())
    tree.komi = game.komi
    for name, value in settings.items():
        setattr(tree, name, value)
    return tree, work(tree, playouts, seed)


def work(tree, playouts, seed=1):
    """A worker that has run."""
    tree.limit = tree.playouts + playouts
    worker = NetWorker(tree, seed)
    worker.run()
    assert worker.failure is None
    return worker


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_all_boards(width, height):
    game = Game(width, height)
    tree, worker = grow(game, 10 if width * height > 100 else 40)
    rows = tree.candidates()
    assert rows
    assert all(point == PASS or game.is_legal(BLACK, point) for point, *_ in rows)
    assert sum(row[1] for row in rows) == tree.visits - 1 == tree.playouts - 1
    assert all(0 <= chance <= 1 for _, _, chance, *_ in rows)
    assert len(worker.ownership()) == width * height


def test_shares_of_the_policy_are_told():
    tree, _ = grow(Game(5), 200)
    assert 0.5 < sum(row[5] for row in tree.candidates()) <= 1.000001


@pytest.mark.parametrize("seed", range(1 if PURE else 3))
def test_whole_games_are_legal(seed):
    game = Game(5, rules=preset("tromp-taylor"))
    for _ in range(60):
        if game.result is not None or (game.board.turns > 1 and game.board.last_move()[1] == PASS):
            break
        tree, _ = grow(game, 12, seed=seed)
        game.play(tree.candidates()[0][0])
    assert game.board.turns > 5


def test_one_thread_is_repeatable():
    game = Game(7)
    game.play(24)
    found = [grow(game, 100, seed=5)[0] for _ in range(2)]
    assert found[0].candidates() == found[1].candidates()
    assert found[0].line(found[0].candidates()[0][0]) == found[1].line(found[1].candidates()[0][0])


def test_seeds_look_in_other_symmetries():
    nets = [FakeNet(), FakeNet()]
    for seed, net in enumerate(nets):
        grow(Game(5), 60, net=net, seed=seed * 77 + 1)
    assert [row[2] for row in nets[0].seen] != [row[2] for row in nets[1].seen]
    assert {row[2] for row in nets[0].seen} == set(range(8))


def test_stones_taken_are_sought():
    game = Game(5)
    for move in ("c3", "c4", "a1", "b3", "a2", "d3"):
        game.play(game_point(move))
    game.play(PASS)
    tree, _ = grow(game, 80 if PURE else 300)
    assert tree.candidates()[0][0] == game_point("c2")
    assert tree.margin > 0
    assert tree.winrate > 0.5


def game_point(text, width=5):
    return "abcdefghj".index(text[0]) + width * (int(text[1:]) - 1)


def test_ownership_is_blacks_for_both_sides():
    game = Game(5)
    game.play(12)
    for color in (WHITE, BLACK):
        _, worker = grow(game, 50, color=color)
        assert worker.ownership()[12] > 0.8 * worker.count


def test_ownership_after_a_move():
    _, worker = grow(Game(5), 100)
    rows = [worker.ownership_after(point) for point in (*range(25), PASS)]
    assert sum(row[25] for row in rows) == worker.count == 100
    for point in range(25):
        assert sum(row[point] for row in rows) == pytest.approx(worker.ownership()[point], abs=1e-3)
        if rows[point][25] > 3:
            assert rows[point][point] > 0


def test_a_tree_is_taken_over():
    game = Game(5)
    old, _ = grow(game, 60 if PURE else 200)
    line = [point for point, _ in old.line(old.candidates()[0][0])][:2]
    known = dict(old.line(line[0]))[line[1]]
    for point in line:
        game.play(point)
    tree = NetTree(game.board, BLACK, 1, FakeNet())
    tree.komi = game.komi
    assert tree.adopt(old, line)
    assert tree.visits == known
    before = tree.candidates()
    assert before and all(game.is_legal(BLACK, row[0]) for row in before if row[0] != PASS)
    work(tree, 50)
    assert tree.visits == known + 50


def test_nothing_is_taken_over_of_what_was_not_looked_at():
    old, _ = grow(Game(5), 3)
    unseen = next(point for point in range(25) if point not in {row[0] for row in old.candidates()})
    game = Game(5)
    game.play(unseen)
    assert not NetTree(game.board, WHITE, 1, FakeNet()).adopt(old, [unseen])


def test_a_full_tree_goes_on():
    many = 60 if PURE else 1500
    tree, _ = grow(Game(9), many)
    assert tree.playouts == many
    assert tree.used <= tree.capacity


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("plies", [1, 2, 5])
def test_bans(color, plies):
    game = Game(4)
    tree = NetTree(game.board, BLACK, 1, FakeNet())
    tree.komi = 0.5
    for point in range(12):
        tree.ban(color, point, plies)
    tree.ban(color, PASS, plies)
    work(tree, 150)
    for first in tree.candidates():
        for depth, (point, _) in enumerate(tree.line(first[0])[:plies]):
            mover = BLACK if depth % 2 == 0 else WHITE
            assert mover != color or point >= 12


def test_a_barred_move_is_not_looked_at_again():
    tree, _ = grow(Game(5), 60)
    best = tree.candidates()[0][0]
    tree.bar(best)
    work(tree, 60)
    assert best not in {row[0] for row in tree.candidates()}


def test_a_favoured_move_is_looked_at():
    tree, _ = grow(Game(9), 60)
    least = next(point for point in range(81) if point not in {row[0] for row in tree.candidates()})
    tree.favour(least, 100)
    work(tree, 60)
    assert least in {row[0] for row in tree.candidates()}


def test_no_pass_at_the_root_unless_nothing_else():
    tree, _ = grow(Game(3), 200, pass_at_root=False)
    assert PASS not in {row[0] for row in tree.candidates()}
    tree, _ = grow(Game(1), 20, pass_at_root=False)
    assert [row[0] for row in tree.candidates()] == [PASS]


@pytest.mark.parametrize(
    ("settings", "lead"),
    [
        ({"as_it_stands": True}, 24.5),  # one stone owns the whole board
        ({}, 0.5),  # dead stones are taken off by the net's word: the stone's own point, the net says nothing of others
        ({"territory": True, "komi": 1.5}, -0.5),  # the komi has the stone that was placed
    ],
)
def test_two_passes_end_a_game(settings, lead):
    game = Game(5, komi=0.5)
    game.play(12)
    game.play(PASS)
    tree = NetTree(game.board, BLACK, 1, FakeNet())
    for name, value in {"komi": 0.5, **settings}.items():
        setattr(tree, name, value)
    for point in range(25):
        tree.ban(BLACK, point, 1)
    work(tree, 50)
    ((move, visits, chance, margin, _, share),) = tree.candidates()
    assert (move, visits, share) == (PASS, 49, 1.0)
    assert margin == lead
    assert chance == (lead > 0)
    assert len(tree.line(PASS)) == 1


def test_the_net_is_told_komi_and_captures():
    net = FakeNet()
    game = Game(5, komi=6.5)
    grow(game, 1, net=net)
    assert net.seen[0][1][0] == pytest.approx(-6.5 / 20)
    assert net.seen[0][1][1] == 0
    game.play(12)
    grow(game, 1, net=net)
    assert net.seen[1][1][0] == pytest.approx(6.5 / 20)
    # Under territory rules a tree's komi has the stones placed on top; White has taken one here, which Black lost.
    game = Game(5, komi=6.5)
    for move in ("a1", "a2", "e5", "b1"):
        game.play(game_point(move))
    placed = 2 - 2
    grow(game, 1, net=net, territory=True, komi=6.5 + placed)
    assert net.seen[2][1][:2] == [pytest.approx(-7.5 / 20), 1.0]


def test_the_net_is_told_of_passes():
    net = FakeNet()
    game = Game(5)
    game.play(12)
    game.play(PASS)
    grow(game, 1, net=net)
    assert net.seen[0][1][2:4] == [1.0, 0.0]


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_superko_along_the_path_and_in_the_game(ko):
    """On a board of one row with three points stones come and go; no position may come back."""
    board = Board(3, 1, ko, False)
    tree = NetTree(board, BLACK, 1, FakeNet())
    tree.komi = 0.5
    work(tree, 60 if PURE else 400)
    for first in tree.candidates():
        check = Board(3, 1, ko, False)
        color = BLACK
        for point, _ in tree.line(first[0]):
            if point != PASS:
                check.play(color, point)  # raises where superko forbids it
            else:
                check.play(color, PASS)
            color = opponent(color)


def test_superko_at_the_root():
    game = Game(3, 1, rules=preset("tromp-taylor"))
    for point in (0, 1, PASS, 2):
        if point == PASS or game.is_legal(game.to_move, point):
            game.play(point)
    tree, _ = grow(game, 100)
    assert all(row[0] == PASS or game.is_legal(game.to_move, row[0]) for row in tree.candidates())


def test_threads_share_a_tree():
    tree = NetTree(Game(9).board, BLACK, 4, FakeNet())
    tree.komi, tree.limit = 7.5, 60 if PURE else 400
    workers = [NetWorker(tree, seed) for seed in range(3)]
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(worker.failure is None for worker in workers)
    assert sum(row[1] for row in tree.candidates()) + 1 == tree.visits
    assert tree.limit <= tree.visits <= tree.limit + 2


def test_a_broken_net_ends_the_search_and_leaves_the_tree_whole():
    tree = NetTree(Game(5).board, BLACK, 1, FakeNet(fails=20))
    tree.komi = 7.5
    worker = NetWorker(tree, 1)
    worker.run()
    assert "the net is broken" in str(worker.failure)
    assert tree.visits == tree.playouts == 20
    assert sum(row[1] for row in tree.candidates()) == 19


def test_a_search_stopped_at_once_has_an_answer():
    tree = NetTree(Game(5).board, BLACK, 1, FakeNet())
    tree.stop = True
    NetWorker(tree, 1).run()
    assert tree.candidates()


@pytest.mark.parametrize("megabytes", [1, 127, 4096])
def test_nodes_grow_with_the_memory(megabytes):
    assert nodes_in(megabytes) == megabytes * nodes_in(1)
    assert nodes_in(0) == nodes_in(-1) == 2000
