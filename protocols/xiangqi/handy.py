"""Commands for people who type them, as Pikafish and Fairy-Stockfish have them; no game needs them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines import __version__
from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.player import SearchPlayer, Settings
from protocols.xiangqi import coordinates

if TYPE_CHECKING:
    from protocols.xiangqi.session import Run, Session

BENCH_HASH, BENCH_THREADS, BENCH_LIMIT = 16, 1, 11
"""What ``bench`` searches with, and the depth it goes to, unless its words say otherwise."""

BENCH_GAMES = (
    "",
    "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7",
    "c3c4 h7c7 h2e2 c9e7 h0g2 h9i7 i0h0 i9h9",
    "h2e2 b7e7 h0g2 b9c7 i0i1 i9i8 i1d1 i8f8 b0a2 h9g7",
    "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 c6c5 b0b6 c9e7",
)
"""The games whose last positions are searched."""

HELP = (
    "qiqiao plays Xiangqi by UCCI and UCI; it is made for programs to talk to",
    "the game: ucci or uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit",
    "for people: d (the position), fen, flip, eval, go perft N, bench [MB [THREADS [N]]], compiler, debug on",
    "every word is explained in docs/ucci.md and docs/uci.md",
)


def fen(session: Session, words: Sequence[str]) -> str:
    """The position as a FEN."""
    return session.dialect.message(session.keeper.board.fen())


def flip(session: Session, words: Sequence[str]) -> str:
    """The same position with the sides exchanged: what was Red's on rank 0 is Black's on rank 9. The game before it is
    forgotten.
    """
    placement, side, *rest = session.keeper.board.fen().split()
    placement = "/".join(reversed(placement.swapcase().split("/")))
    session.keeper.board = Board(" ".join((placement, "b" if side == "w" else "w", *rest)))
    session.keeper.played = None
    session.position_changed()
    return fen(session, words)


def compiler(session: Session, words: Sequence[str]) -> str:
    """What runs here."""
    import platform  # nobody else needs it

    from engines.xiangqi import tree

    how = "the search compiled by Cython" if hasattr(tree, "__pyx_capi__") else "the search not compiled"
    python = f"{platform.python_implementation()} {platform.python_version()} built by {platform.python_compiler()}"
    return session.dialect.message(f"qiqiao {__version__}, {python}, {platform.machine()}, {how}")


def show_help(session: Session, words: Sequence[str]) -> str:
    """The commands there are."""
    return "".join(session.dialect.message(line) for line in HELP)


def bench(session: Session, words: Sequence[str]) -> None:
    """How many nodes a second the built-in search does: ``bench [MB [THREADS [N [FILE [TYPE]]]]]`` as Stockfish has it,
    where N is a depth, or nodes or milliseconds a position by TYPE. The positions are our own, whatever FILE says.
    """
    numbers = [int(word) for word in words[1:4] if word.isascii() and word.isdigit()]
    numbers += (BENCH_HASH, BENCH_THREADS, BENCH_LIMIT)[len(numbers) :]
    kind = words[5].lower() if len(words) > 5 else "depth"
    limit = max(1, min(numbers[2], 10**9))
    limits = {"nodes": Limits(nodes=limit), "movetime": Limits(seconds=limit / 1000)}.get(kind, Limits(depth=limit))
    settings = Settings(hash=max(1, min(numbers[0], 65536)), threads=max(1, min(numbers[1], 256)))
    session.work(lambda run: _bench(session, run, settings, limits))


def _bench(session: Session, run: Run, settings: Settings, limits: Limits) -> None:
    try:
        player = SearchPlayer(settings)
    except MemoryError as error:
        session.tell(str(error))
        return
    run.interrupt = player.stop
    nodes, begin = 0, time.monotonic()
    for number, game in enumerate(BENCH_GAMES, 1):
        board = Board()
        for text in game.split():
            raw = coordinates.read(text)
            move = raw.move(0) if raw is not None else None
            assert move is not None
            board.play(move)
        player.begin()
        if run.cancelled:
            session.tell("the bench was stopped")
            return
        session.write(f"Position: {number}/{len(BENCH_GAMES)} ({board.fen()})\n")
        report = player.choose(board, board.turn, limits).report
        nodes += report.nodes if report is not None else 0
    seconds = max(time.monotonic() - begin, 1e-3)
    rate = int(nodes / seconds)
    session.write(f"\nTotal time (ms) : {int(seconds * 1000)}\nNodes searched  : {nodes}\nNodes/second    : {rate}\n")
