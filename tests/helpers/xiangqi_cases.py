"""What the tests of Xiangqi need: moves from text, boards from cases, random positions, a net of random numbers."""

import json
import random
from array import array

from support import DATA

from engines.xiangqi.board import Board
from engines.xiangqi.fen import Fen, FenError, write_fen
from engines.xiangqi.geometry import PIECE_LETTERS, is_home, move_of
from engines.xiangqi.net_file import BUCKETS, DEEP, HIDDEN, KINGS, ROWS, WIDTH, NetData


def square(name):
    """``e0`` as a square."""
    return int(name[1:]) * 9 + "abcdefghi".index(name[0])


def moves(text):
    """``h2e2 h9g7`` as moves."""
    return [move_of(square(word[:2]), square(word[2:])) for word in text.split()]


def board_after(fen, text):
    """The board after these moves. Soldiers may stand behind their own line, as some published diagrams have it."""
    board = Board(fen, strict=False)
    for move in moves(text):
        board.play(move)
    return board


def cases(name):
    """The rows of a data file."""
    return json.loads((DATA / "xiangqi" / f"{name}.json").read_text(encoding="utf-8"))


def random_position(rng: random.Random, pieces: str) -> Board:
    """A legal position with both generals and these pieces (FEN letters) anywhere they can stand, Red to move."""
    while True:
        points = [0] * 90
        for letter in "Kk" + pieces:
            piece = PIECE_LETTERS.index(letter)
            free = [point for point in range(90) if not points[point] and is_home(piece >> 3, point, piece & 7)]
            points[rng.choice(free)] = piece
        try:
            return Board(write_fen(Fen(tuple(points), 0, 0, 1)))
        except FenError:
            continue


def cycles(board: Board) -> list[list[int]]:
    """All ways in which both sides can go and come back from here, capturing nothing."""
    found = []
    for go in board.legal_moves(2):
        board.play(go)
        for answer in board.legal_moves(2):
            line = [answer, reverse(go), reverse(answer)]
            played = 0
            for move in line:
                if not board.is_legal(move):
                    break
                board.play(move)
                played += 1
            if played == 3:
                found.append([go, *line])
            for _ in range(played):
                board.undo()
        board.undo()
    return found


def reverse(move: int) -> int:
    """The move back."""
    return move_of(move & 127, move >> 7)


def swapped(fen):
    """The same position with the colors exchanged and the board turned over."""
    placement, side, *rest = fen.split()
    rows = [row.swapcase() for row in reversed(placement.split("/"))]
    return " ".join(["/".join(rows), "b" if side == "w" else "w", *rest])


def mirrored(fen):
    placement, *rest = fen.split()
    return " ".join(["/".join(row[::-1] for row in placement.split("/")), *rest])


def random_positions(count, seed=1):
    rng = random.Random(seed)
    board = Board()
    while count:
        moves = board.legal_moves()
        if not moves or len(board.history) > 120:
            board = Board()
            continue
        board.play(rng.choice(moves))
        if len(board.history) % 7 == 0:
            count -= 1
            yield board.fen()


def some_net(seed=1):
    """An evaluation net of numbers at random, of the sizes that learning gives."""
    rng = random.Random(seed)

    def numbers(code, count, size):
        few = [rng.randint(-size, size) for _ in range(9973)]  # a prime: no two rows are alike
        return array(code, (few * (count // len(few) + 1))[:count])

    return NetData(
        400,
        numbers("h", WIDTH, 100),
        numbers("h", KINGS * ROWS * WIDTH, 60),
        numbers("h", BUCKETS * (HIDDEN + 1) * 2 * WIDTH, 90),
        numbers("i", BUCKETS * (HIDDEN + 1), 200_000),
        numbers("h", BUCKETS * DEEP * HIDDEN, 800),
        numbers("i", BUCKETS * DEEP, 500_000),
        numbers("h", BUCKETS * DEEP, 800),
        numbers("i", BUCKETS, 500_000),
    )
