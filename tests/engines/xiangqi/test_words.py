"""The words of Xiangqi: three positions where each holds and two where it nearly does; mirrored, and both sides."""

import random

import pytest
from support import DATA, PURE

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN, Fen, write_fen
from engines.xiangqi.geometry import PIECE_LETTERS
from engines.xiangqi.words import MATES, POSTS, TERMS, Scene, mates_of, posts_of
from engines.xiangqi.words.told import tell

WAYS = [(False, False), (True, True)] if PURE else [(False, False), (True, False), (False, True), (True, True)]
"""Whether left and right are exchanged, and whether the sides are."""


def read_cases(name):
    found = []
    for section in (DATA / "words" / name).read_text("utf-8").split("== ")[1:]:
        word, *lines = [line for line in section.splitlines() if line.strip()]
        for line in lines:
            label, _, rest = line.partition(" ")
            pieces, _, moves = rest.partition(";")
            found.append((word, label == "yes", pieces.split(), moves.split()))
    return found


def named(value):
    """A short name of a parameter."""
    return "".join(value)[:40] if isinstance(value, (list, str)) else value


MATED, POSTED = read_cases("xiangqi_mates.txt"), read_cases("xiangqi_posts.txt")


def square(name, mirrored, swapped):
    file, rank = ord(name[0]) - ord("a"), int(name[1])
    return (9 - rank if swapped else rank) * 9 + (8 - file if mirrored else file)


def placed(words, mirrored, swapped):
    pieces = [0] * 90
    for word in words:
        piece = PIECE_LETTERS.index(word[0])
        pieces[square(word[1:], mirrored, swapped)] = piece ^ 8 if swapped else piece
    return pieces


@pytest.mark.parametrize(("word", "holds", "pieces", "moves"), MATED, ids=named)
@pytest.mark.parametrize(("mirrored", "swapped"), WAYS)
def test_mate(word, holds, pieces, moves, mirrored, swapped):
    turn = int(bool(moves)) ^ int(swapped) ^ 1
    scene = Scene(placed(pieces, mirrored, swapped), turn)
    if not moves:
        assert (word in mates_of(scene)) == holds
        return
    board = Board(write_fen(Fen(scene.pieces, turn, 0, 1)), strict=False)
    played = [square(move[:2], mirrored, swapped) << 7 | square(move[2:], mirrored, swapped) for move in moves]
    *_, last = tell(board, played)
    assert last.mate and (word in last.mates) == holds


@pytest.mark.parametrize(("word", "holds", "pieces", "moves"), POSTED, ids=named)
@pytest.mark.parametrize(("mirrored", "swapped"), WAYS)
def test_post(word, holds, pieces, moves, mirrored, swapped):
    generals = [one for one in ("Kd0", "ke9") if not any(piece[0] == one[0] for piece in pieces)]
    scene = Scene(placed([*pieces, *generals], mirrored, swapped), 0)
    said = {post.term for post in posts_of(scene) if post.color == int(swapped) or word == "对头兵"}
    assert (word in said) == holds


def test_each_word_has_its_cases_and_names():
    assert set(TERMS) == {*MATES, *POSTS}
    for words, cases in ((MATES, MATED), (POSTS, POSTED)):
        for word in words:
            kinds = [holds for one, holds, _, _ in cases if one == word]
            assert kinds.count(True) >= 3 and kinds.count(False) >= 2, word


def test_the_scene_agrees_with_the_board():
    source = random.Random(5)
    for _ in range(3 if PURE else 12):
        board = Board()
        for _ in range(120):
            moves = board.legal_moves()
            if not moves:
                break
            checks = [move for move in moves if board.gives_check(move)]
            board.play(source.choice(checks if checks and source.random() < 0.6 else moves))
            scene = Scene.of(board)
            assert bool(scene.checkers(scene.turn)) == board.in_check()
            assert scene.is_mate() == board.is_mate()


def test_squares_are_those_of_the_pieces_that_the_word_names():
    board = Board("4k4/9/9/9/9/9/9/2NC2N2/9/3K5 w - - 0 1")
    said = {post.term: post.squares for post in posts_of(Scene.of(board))}
    assert said["屏风马"] == (20, 24) and said["反宫马"] == (20, 21, 24)


def test_posts_are_told_once_as_they_arise():
    told = list(tell(Board(START_FEN), [7 + 0 * 9 << 7 | 24, 82 << 7 | 65, 1 << 7 | 20]))
    assert [[post.term for post in one.arisen] for one in told[1:]] == [["担杆炮"], ["担杆炮"], ["屏风马"]]
    assert ("屏风马", 0, (20, 24)) in told[-1].arisen
    assert not any(post.term in ("边车", "高兵") for one in told[1:] for post in one.arisen)
