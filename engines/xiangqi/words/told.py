"""A game told move by move: posts that arise, check, captures, repetition, and the mate's pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engines.xiangqi.board import Board
from engines.xiangqi.words.mates import mates_of
from engines.xiangqi.words.posts import Post, posts_of
from engines.xiangqi.words.scene import Scene


@dataclass(frozen=True)
class Told:
    """A position and the move that led to it; ply 0 and move 0 for the start.

    ``color`` is who moved (at ply 0: who is to move), ``captured`` the piece taken, 0 for none; ``checkers`` where the
    pieces that give check stand; ``times`` how often the position has stood, this time included; ``posts`` all words
    for pieces and formations, ``arisen`` those the move brought about; ``mates`` the words for the mate that it is;
    ``mate`` and ``stuck`` say that it is mate (将死), or that the side to move can't move (困毙).
    """

    ply: int
    color: int
    move: int
    captured: int
    checkers: tuple[int, ...]
    times: int
    posts: tuple[Post, ...]
    arisen: tuple[Post, ...]
    mates: tuple[str, ...]
    mate: bool
    stuck: bool
    fen: str


def tell(start: Board, moves: Iterable[int]) -> Iterator[Told]:
    """The start, then each move, told. Raises ``IllegalMove``."""
    board = start.copy()
    scene = Scene.of(board)
    posts = tuple(posts_of(scene))
    yield _told(board, scene, 0, 0, posts, posts, [])
    played: list[tuple[Scene, int, int]] = []
    for move in moves:
        origin, target = move >> 7, move & 127
        captured = board.piece_at(target)
        board.play(move)
        played.insert(0, (scene, origin, target))
        del played[8:]
        then = Scene.of(board)
        now = tuple(posts_of(then))
        had = {(post.term, post.color, _moved(post.squares, origin, target)) for post in posts}
        arisen = tuple(post for post in now if (post.term, post.color, tuple(sorted(post.squares))) not in had)
        yield _told(board, then, move, captured, now, arisen, played)
        scene, posts = then, now


def _moved(squares: tuple[int, ...], origin: int, target: int) -> tuple[int, ...]:
    """A group of squares after a piece of it, if it was one, has moved."""
    return tuple(sorted(target if square == origin else square for square in squares))


def _told(
    board: Board,
    scene: Scene,
    move: int,
    captured: int,
    posts: tuple[Post, ...],
    arisen: tuple[Post, ...],
    played: list[tuple[Scene, int, int]],
) -> Told:
    mate = board.is_mate()
    return Told(
        ply=board.plies,
        color=1 - board.turn if move else board.turn,
        move=move,
        captured=captured,
        checkers=tuple(scene.checkers(board.turn)) if board.in_check() else (),
        times=board.keys.count(board.key),
        posts=posts,
        arisen=arisen,
        mates=tuple(mates_of(scene, played)) if mate else (),
        mate=mate,
        stuck=board.is_stalemate(),
        fen=board.fen(),
    )
