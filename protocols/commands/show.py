"""``qiqiao show FILE``: a game or a position in the terminal, or as a picture.

In a terminal the keys walk through it: → ← (or space, n, p) one move on or back, ↓ ↑ the other variations, Home and
End, g and a number, q. Elsewhere, and with ``--move`` or ``--all``, the board is printed: the last position, the one
after a move, or all of the main line. ``--svg``, ``--png`` and ``--gif`` write pictures instead; the last two need the
extra ``qiqiao[pictures]``. What can't be read gives exit status 2 and one line on standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from engines.drawing.svg import THEMES
from engines.files import replace_file
from engines.go.coordinates import SYSTEMS
from engines.terms import LANGUAGES
from protocols.commands.arguments import number
from protocols.commands.boards import STYLES, Look, heading, picture, text_board
from protocols.commands.sources import Source, locale_language, pick, read_sources
from protocols.commands.steps import Step, steps_of
from protocols.stdio import is_terminal

BAD_INPUT = 2
"""The exit status for bad input."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao show``."""
    parser.add_argument(
        "words", nargs="+", metavar="FILE", help="a record, a FEN (with moves or without), or - for standard input"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--move", type=number(int, 0), metavar="N", help="the position after move N (the last)")
    which.add_argument("--all", action="store_true", help="all positions, one after another")
    parser.add_argument("--game", metavar="N", help="which game of a file with several (the first)")
    parser.add_argument(
        "--view",
        default="",
        metavar="VIEW",
        help="games with hidden pieces: all, red, black or spectator; 1, 2, 3 by the order of play (all that is there)",
    )
    parser.add_argument("--style", choices=STYLES, help="how stones and pieces are written (symbols where they can be)")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in the terminal")
    parser.add_argument(
        "--coordinates", choices=SYSTEMS, default="gtp", help="how points of a Go board are named (gtp)"
    )
    parser.add_argument("--flip", action="store_true", help="turn the board round")
    parser.add_argument("--language", choices=LANGUAGES, help="of what is told (by the locale)")
    pictures = parser.add_argument_group("pictures")
    pictures.add_argument("--svg", metavar="FILE", help="write the position as SVG")
    pictures.add_argument("--png", metavar="FILE", help="write the position as PNG")
    pictures.add_argument("--gif", metavar="FILE", help="write the game as an animation")
    pictures.add_argument("--width", type=number(int, 16, 8192), metavar="N", help="pixels (PNG 800, GIF 480)")
    pictures.add_argument("--theme", choices=tuple(THEMES), default="light", help="colours of the board (light)")
    pictures.add_argument("--numbers", action="store_true", help="number the stones")
    pictures.add_argument("--arrows", action="store_true", help="show a piece's move by an arrow")


def run(arguments: argparse.Namespace) -> int:
    """Show the game. Returns the exit status."""
    try:
        _, source = next(pick(read_sources(arguments.words, _complain), arguments.game))
        start = steps_of(source, arguments.view.lower())
        look = look_of(arguments)
        if arguments.svg or arguments.png or arguments.gif:
            write_pictures(arguments, source, start, look)
            return 0
        line = list(start.main_line())
        if arguments.all:
            shown = line
        else:
            shown = [step_at(line, arguments.move)]
            if arguments.move is None and is_terminal(0) and is_terminal(1):
                from protocols.commands.walk import walk

                return walk(source, start, look)
        for at, step in enumerate(shown):
            if at:
                _write("")
            show(source, step, look, line[-1].number)
    except BrokenPipeError:  # whoever read has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as error:
        print(f"qiqiao show: {error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def look_of(arguments: argparse.Namespace) -> Look:
    """How boards look, by the arguments and what the terminal can do."""
    color = arguments.color == "always" or (
        arguments.color == "auto"
        and is_terminal(1)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "") not in ("", "dumb")
    )
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "gb18030")
    return Look(
        style=arguments.style or ("symbols" if unicode else "letters"),
        color=color,
        system=arguments.coordinates,
        flipped=arguments.flip,
        language=arguments.language or locale_language(),
        theme=arguments.theme,
        numbers=arguments.numbers,
        arrows=arguments.arrows,
    )


def step_at(line: list[Step], move: int | None) -> Step:
    """The step of a line after a move, the last for None. Raises ValueError."""
    if move is None:
        return line[-1]
    for step in reversed(line):
        if step.number == move:
            return step
    raise ValueError(f"there is no move {move}, only 0 to {line[-1].number}")


def show(source: Source, step: Step, look: Look, total: int) -> None:
    """Print a position with its heading and comment."""
    _write(heading(source, step, look, total))
    for line in text_board(source, step, look):
        _write(line)
    if step.comment:
        _write(step.comment)


def _complain(text: str) -> None:
    print(f"qiqiao show: {text}", file=sys.stderr)


def _write(line: str) -> None:
    print(line, flush=True)


def write_pictures(arguments: argparse.Namespace, source: Source, start: Step, look: Look) -> None:
    """Write what ``--svg``, ``--png`` and ``--gif`` ask for. Raises ValueError and OSError."""
    line = list(start.main_line())
    step = step_at(line, arguments.move)
    if arguments.svg:
        replace_file(arguments.svg, picture(source, step, look) + "\n")
    if arguments.png:
        from engines.drawing.pixels import png

        replace_file(arguments.png, png(picture(source, step, look), arguments.width or 800))
    if arguments.gif:
        from engines.drawing.pixels import gif

        until = line[: line.index(step) + 1]
        plain = replace(look, numbers=False)
        replace_file(arguments.gif, gif((picture(source, one, plain) for one in until), arguments.width or 480))
