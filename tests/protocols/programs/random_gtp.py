"""A Go engine that plays legal moves at random, at once, and passes when only own eyes are left (argument: a seed)."""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE, neighbors
from engines.go.vertex import format_vertex, parse_vertex

chance = random.Random(int(sys.argv[1]))
game = Game(9)
COMMANDS = (
    "name version protocol_version list_commands boardsize clear_board komi play genmove undo final_status_list quit"
)


def choose(color):
    stones = game.board.stones()
    near = neighbors(game.width, game.height)
    points = [
        point
        for point in range(game.points)
        if game.is_legal(color, point) and not all(stones[other] == color for other in near[point])
    ]
    return chance.choice(points) if points else PASS


def answer(words):
    global game
    command, *rest = words
    if command == "boardsize":
        game = Game(int(rest[0]))
    elif command == "clear_board":
        game.clear()
    elif command == "play":
        game.play_as(
            BLACK if rest[0].lower().startswith("b") else WHITE, parse_vertex(rest[1], game.width, game.height)
        )
    elif command == "undo":
        game.undo()
    elif command == "genmove":
        color = BLACK if rest[0].lower().startswith("b") else WHITE
        point = choose(color)
        game.play_as(color, point)
        return format_vertex(point, game.width, game.height)
    return {
        "name": "random",
        "version": "1",
        "protocol_version": "2",
        "list_commands": COMMANDS.replace(" ", "\n"),
    }.get(command, "")


for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    number = words.pop(0) if words[0].isdigit() else ""
    try:
        print(f"={number} {answer(words)}\n")
    except ValueError as error:
        print(f"?{number} {error}\n")
    sys.stdout.flush()
    if words[0] == "quit":
        break
