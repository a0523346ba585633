"""How many moves a second the Go board replays from Python, next to other libraries where they are installed.

    python scripts/bench_go_board.py [--games 40] [--rounds 5]

Random legal games are made once; then each library replays them, first with a bare move, then asking before each move
whether it is legal. The libraries take turns, round by round, and the median of the ratios to ours is told, since a
machine's speed drifts. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from engines.go.board import Board
from engines.go.points import PASS

Games = list[list[tuple[int, int]]]
Replay = Callable[[Games, int, bool], None]


def make_games(size: int, count: int, seed: int) -> Games:
    """Games of random legal moves, colours alternating, as (colour, point)."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        board = Board(size)
        for _ in range(size * size):
            legal = board.legal_points(board.to_move)
            if not legal:
                break
            board.play(board.to_move, rng.choice(legal))
        games.append([board.turn(index) for index in range(board.turns) if board.turn(index)[1] != PASS])
    return games


def replay_qiqiao(games: Games, size: int, ask: bool) -> None:
    for moves in games:
        board = Board(size)
        for color, point in moves:
            if ask and not board.is_legal(color, point):
                raise ValueError("illegal")
            board.play(color, point)


def load_sgfmill() -> Replay:
    from sgfmill import boards

    def replay(games: Games, size: int, ask: bool) -> None:
        for moves in games:
            board = boards.Board(size)
            ko = None
            for color, point in moves:
                row, column = divmod(point, size)
                # It has no question of legality: asking is looking whether the point is free and no ko.
                if ask and (board.get(row, column) is not None or (row, column) == ko):
                    raise ValueError("illegal")
                ko = board.play(row, column, "b" if color == 1 else "w")

    return replay


def load_sente() -> Replay:
    import sente

    stones = (None, sente.stone.BLACK, sente.stone.WHITE)

    def replay(games: Games, size: int, ask: bool) -> None:
        for moves in games:
            game = sente.Game(size, sente.rules.CHINESE)
            for color, point in moves:
                y, x = divmod(point, size)
                if ask and not game.is_legal(x + 1, y + 1, stones[color]):
                    raise ValueError("illegal")
                game.play(x + 1, y + 1, stones[color])

    return replay


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    players: dict[str, Replay] = {"qiqiao": replay_qiqiao}
    for name, load in (("sente", load_sente), ("sgfmill", load_sgfmill)):
        try:
            players[name] = load()
        except ImportError:
            print(f"{name} is not installed")
    for size in (9, 19):
        games = make_games(size, options.games, size)
        moves = sum(len(game) for game in games)
        for ask in (False, True):
            seconds: dict[str, list[float]] = {name: [] for name in players}
            for _ in range(options.rounds):
                for name, replay in players.items():
                    begin = time.process_time()
                    replay(games, size, ask)
                    seconds[name].append(time.process_time() - begin)
            for name in players:
                speed = moves / statistics.median(seconds[name])
                ratio = statistics.median(b / a for a, b in zip(seconds["qiqiao"], seconds[name], strict=True))
                question = "with the legality question" if ask else "moves only"
                print(f"{size}x{size} {question}: {name} {speed:,.0f} moves/s; qiqiao is {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
