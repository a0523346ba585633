"""Count the leaves of the tree of legal moves, to check a rules core and to time it.

    python scripts/perft.py xiangqi FEN DEPTH [--divide]
    python scripts/perft.py go WxH DEPTH [--ko simple|positional|situational] [--suicide] [--passes] [--divide]

``FEN`` may be the word ``startpos``; Go starts from the empty board, Black first, colours alternating. The last
word of the output is the count; the time goes to standard error.
"""

import argparse
import sys
import time


def xiangqi(options: argparse.Namespace) -> int:
    """Count for Xiangqi; with ``--divide``, also for every first move."""
    from engines.xiangqi.board import Board
    from engines.xiangqi.fen import START_FEN
    from engines.xiangqi.geometry import move_name

    text = " ".join(options.fen)
    board = Board(START_FEN if text == "startpos" else text)
    if options.depth < 0:
        raise ValueError(f"depth {options.depth} is negative")
    if not options.divide or options.depth == 0:
        return board.perft(options.depth)
    total = 0
    for move in board.legal_moves():
        board.play(move)
        count = board.perft(options.depth - 1)
        board.undo()
        print(f"{move_name(move)}: {count}")
        total += count
    return total


def go(options: argparse.Namespace) -> int:
    """Count for Go; with ``--divide``, also for every first move."""
    from engines.go.board import Board
    from engines.go.vertex import format_vertex

    width, height = options.size
    board = Board(width, height, options.ko, options.suicide)
    if not options.divide or options.depth <= 0:
        return board.perft(options.depth, options.passes)
    total = 0
    for point in board.legal_points(board.to_move) + ([-1] if options.passes else []):
        board.play(board.to_move, point)
        count = board.perft(options.depth - 1, options.passes)
        board.undo()
        print(f"{format_vertex(point, width, height)}: {count}")
        total += count
    return total


def size(text: str) -> tuple[int, int]:
    """``9x9``, ``19x13`` or ``9`` as width and height."""
    parts = text.lower().split("x")
    if len(parts) > 2 or not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is no board size like 9x9")
    return int(parts[0]), int(parts[-1])


def parser() -> argparse.ArgumentParser:
    """The command line: one subcommand a game."""
    top = argparse.ArgumentParser(description="Count the leaves of the tree of legal moves.")
    games = top.add_subparsers(dest="game", metavar="GAME", required=True)
    game = games.add_parser("xiangqi", help="Xiangqi, from a FEN")
    game.add_argument("fen", nargs="+", metavar="FEN", help="the position, or the word startpos")
    game.add_argument("depth", type=int, metavar="DEPTH", help="in plies")
    game.add_argument("--divide", action="store_true", help="also print the count of every first move")
    game.set_defaults(count=xiangqi)
    game = games.add_parser("go", help="Go, from the empty board")
    game.add_argument("size", type=size, metavar="WxH", help="the board, 1x1 to 25x25")
    game.add_argument("depth", type=int, metavar="DEPTH", help="in turns")
    game.add_argument("--ko", choices=("simple", "positional", "situational"), default="simple", help="ko rule")
    game.add_argument("--suicide", action="store_true", help="two or more own stones may be taken off")
    game.add_argument("--passes", action="store_true", help="passes count as turns, two in a row end a line")
    game.add_argument("--divide", action="store_true", help="also print the count of every first move")
    game.set_defaults(count=go)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run one count. Exit status 2 where the position or depth is none."""
    options = parser().parse_args(arguments)
    start = time.perf_counter()
    try:
        count = options.count(options)
    except ValueError as error:
        print(f"perft: {error}", file=sys.stderr)
        return 2
    seconds = time.perf_counter() - start
    print(f"{seconds:.3f} s, {count / max(seconds, 1e-9) / 1e6:.1f} million a second", file=sys.stderr)
    print(f"nodes {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
