"""Draw what ``kata-analyze`` says about a position: the picture in the README.

    python scripts/draw_analysis.py OUTPUT.svg [--seconds 5] [--size 9] [--moves 'B E5 W C3 …']

Everything drawn comes from a ``qiqiao gtp`` process: the stones are those it was told, squares show who it thinks will
own a point, rings its best moves with their win rate in per cent and the expected order in the main line.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE
from engines.go.vertex import format_vertex, parse_vertex

CELL = 44
MARGIN = 40
MOVES = "B E5 W E3 B D3 W D2 B C3 W F3 B C2 W D4 B C4 W E4 B D5 W F5 B F6 W G6 B F4"


def ask(size: int, moves: list[tuple[str, str]], seconds: float) -> tuple[str, str]:
    """The engine's last line of analysis and the colour it was asked for."""
    command = [sys.executable, "-m", "qiqiao", "gtp", "--seed", "1", "--size", str(size)]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert engine.stdin is not None and engine.stdout is not None
    color = "w" if len(moves) % 2 else "b"
    engine.stdin.write("".join(f"play {mover} {vertex}\n" for mover, vertex in moves))
    engine.stdin.write(f"kata-analyze {color} 50 ownership true\n")
    engine.stdin.flush()
    last, end = "", time.monotonic() + seconds
    for line in engine.stdout:
        if line.startswith("info "):
            last = line.strip()
            if time.monotonic() > end:
                break
    engine.stdin.write("quit\n")
    engine.stdin.close()
    engine.stdout.read()
    engine.wait()
    return last, color


def candidates(line: str) -> list[dict[str, str]]:
    """The segments of an analysis line as key and value; ``pv`` keeps its vertices."""
    found = []
    for segment in line.split("ownership")[0].split("info ")[1:]:
        body, _, pv = segment.partition(" pv ")
        words = body.split()
        found.append(dict(zip(words[::2], words[1::2], strict=False)) | {"pv": pv.strip()})
    return found


def draw(game: Game, line: str, color: str) -> str:
    """The picture as SVG text."""
    size = game.width
    ownership = [float(value) for value in line.split("ownership ")[1].split()]
    if color == "w":
        ownership = [-value for value in ownership]
    moves = candidates(line)
    edge = 2 * MARGIN + (size - 1) * CELL
    side = 300
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {edge + side} {edge}" font-family="sans-serif">',
        f'<rect width="{edge}" height="{edge}" fill="#e3b778"/>',
        f'<rect x="{edge}" width="{side}" height="{edge}" fill="#fafafa"/>',
    ]

    def at(point: int) -> tuple[int, int]:
        return MARGIN + point % size * CELL, MARGIN + (size - 1 - point // size) * CELL

    for index in range(size):
        a, b = MARGIN + index * CELL, edge - MARGIN
        parts.append(f'<path d="M{MARGIN} {a}H{b}M{a} {MARGIN}V{b}" stroke="#5b4a33" fill="none"/>')
        label = format_vertex(index, size, size)[0]
        parts.append(f'<text x="{a}" y="{edge - 10}" text-anchor="middle" font-size="14">{label}</text>')
        parts.append(f'<text x="14" y="{edge - a + 5}" text-anchor="middle" font-size="14">{index + 1}</text>')
    for point in range(size * size):
        x, y = at(point)
        value = ownership[(size - 1 - point // size) * size + point % size]
        stone = game.board.at(point)
        if stone != EMPTY:
            fill = "#111" if stone == BLACK else "#fff"
            parts.append(f'<circle cx="{x}" cy="{y}" r="20" fill="{fill}" stroke="#333"/>')
        half = 9 * abs(value)
        if half > 1:
            fill = "#111" if value > 0 else "#fff"
            parts.append(
                f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" '
                f'fill="{fill}" stroke="#888" opacity="0.8"/>'
            )
    for move in moves[:4]:
        if move["move"] == "pass":
            continue
        x, y = at(parse_vertex(move["move"], size, size))
        tint = "#2a9d4a" if move is moves[0] else "#2f6fb0"
        parts.append(f'<circle cx="{x}" cy="{y}" r="19" fill="{tint}" opacity="0.92"/>')
        rate = f"{100 * float(move['winrate']):.0f}"
        parts.append(f'<text x="{x}" y="{y + 5}" text-anchor="middle" font-size="15" fill="#fff">{rate}</text>')
    name = "White" if color == "w" else "Black"
    parts.append(f'<text x="{edge + 20}" y="44" font-size="18" font-weight="bold">kata-analyze {color} 50</text>')
    parts.append(f'<text x="{edge + 20}" y="72" font-size="15">{name} to move</text>')
    for row, move in enumerate(moves[:6]):
        y = 110 + 48 * row
        text = f"{move['move']}  {100 * float(move['winrate']):.1f} %  {float(move['scoreLead']):+.1f} points"
        parts.append(f'<text x="{edge + 20}" y="{y}" font-size="15">{text}</text>')
        parts.append(
            f'<text x="{edge + 20}" y="{y + 19}" font-size="12" fill="#666">{move["visits"]} visits: '
            f"{' '.join(move['pv'].split()[:8])}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--moves", default=MOVES)
    options = parser.parse_args()
    words = options.moves.split()
    moves = list(zip(words[::2], words[1::2], strict=True))
    game = Game(options.size)
    for mover, vertex in moves:
        game.play_as(BLACK if mover.upper() == "B" else WHITE, parse_vertex(vertex, options.size, options.size))
    line, color = ask(options.size, moves, options.seconds)
    options.output.write_text(draw(game, line, color), encoding="utf-8")


if __name__ == "__main__":
    main()
