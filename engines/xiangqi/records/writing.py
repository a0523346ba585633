"""``Record`` to PGN text and file."""

from __future__ import annotations

import os

from engines.files import create_file, replace_file
from engines.xiangqi.board import Board
from engines.xiangqi.notation import MoveNames, iccs_name
from engines.xiangqi.records.values import MAX_DEPTH, RESULTS, Node, Record

_FORMATS = {
    "simplified": "Chinese",
    "traditional": "Chinese",
    "wxf": "WXF",
    "iccs": "ICCS",
    "coordinate": "Coordinate",
    "coordinate1": "Coordinate",
    "algebraic": "Algebraic",
}
NOTATIONS = tuple(_FORMATS)
"""The notations that a PGN's moves are written in."""

_FIRST_TAGS = ("Game", "Event", "Site", "Date", "Round", "RedTeam", "Red", "BlackTeam", "Black", "Result")
_WIDTH = 78


def write_pgn(record: Record, notation: str = "simplified") -> str:
    """A game as PGN, its moves in one of ``NOTATIONS``; ends with a newline.

    Raises ValueError for variations nested more than ``MAX_DEPTH`` deep.
    """
    if notation not in _FORMATS:
        raise ValueError(f"no record is written in {notation!r}: there are {', '.join(_FORMATS)}")
    given = dict.fromkeys(_FIRST_TAGS[1:], "") | {"Result": "*"} | record.tags
    given |= {"Game": "Chinese Chess", "Format": _FORMATS[notation]}
    optional = ("RedTeam", "BlackTeam")
    names = [name for name in _FIRST_TAGS if given[name] or name not in optional]
    names += [name for name in given if name not in _FIRST_TAGS]
    lines = [f'[{name} "{_escape(given[name])}"]' for name in names]
    words: list[str] = []
    if record.root.comment:
        words += _comment(record.root.comment)
    words += _write_line(record.root, record.fen, notation)
    words.append(record.result if record.result in RESULTS else "*")
    return "\n".join([*lines, "", *_wrap(words), ""])


def write_text(record: Record, notation: str = "simplified") -> str:
    """A game as plain text: a fact a line (``Red: …``), then the moves as PGN has them; ends with a newline."""
    facts = {name: " ".join(value.split()) for name, value in record.tags.items() if name not in ("Game", "Format")}
    lines = [f"{name}: {value}" for name, value in facts.items() if value and (name, value) != ("Result", "*")]
    words = _comment(record.root.comment) if record.root.comment else []
    words += _write_line(record.root, record.fen, notation)
    words.append(record.result)
    return "\n".join([*lines, "", *_wrap(words), ""])


def _escape(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


def _comment(text: str) -> list[str]:
    """A comment, which can't hold a closing brace: a full-width one stands for it."""
    return ["{" + text.replace("}", "｝") + "}"]


def _write_line(root: Node, fen: str, notation: str) -> list[str]:
    """The words of all that follows the root. However deep variations lie in each other, they cost no stack."""
    words: list[str] = []
    if not root.lines:
        return words
    board = Board(fen, strict=False)
    # What is still to be done: go on from a node (with a number first or not), write a variation's move, end a
    # variation, or take moves back.
    Job = tuple[str, Node, bool]
    jobs: list[Job] = [("line", root, True)]
    depth = 0
    while jobs:
        job, node, numbered = jobs.pop()
        if job == "line" and node.lines:
            main, *variations = node.lines
            _write_move(main, board, notation, words, numbered)
            jobs.append(("play", main, bool(main.comment or variations)))
            for variation in reversed(variations):
                jobs.append(("variation", variation, True))
        elif job == "play":
            board.play(node.move)
            jobs.append(("undo", node, False))
            jobs.append(("line", node, numbered))
        elif job == "variation":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError("the variations are nested too deeply to be written")
            words.append("(")
            _write_move(node, board, notation, words, True)
            jobs.append(("close", node, False))
            jobs.append(("play", node, bool(node.comment)))
        elif job == "undo":
            board.undo()
        elif job == "close":
            words.append(")")
            depth -= 1
    return words


def _write_move(node: Node, board: Board, notation: str, words: list[str], numbered: bool) -> None:
    if board.turn == 0:
        words.append(f"{board.fullmove_number}.")
    elif numbered:
        words.append(f"{board.fullmove_number}. ...")
    # Coordinates need no look at the other moves, as names do.
    if notation == "iccs":
        words.append(iccs_name(node.move))
    elif notation == "algebraic":
        words.append(MoveNames(board).write_algebraic(node.move))
    else:
        words.append(MoveNames(board).write(node.move, notation))
    words += node.marks
    if node.comment:
        words += _comment(node.comment)


def _wrap(words: list[str]) -> list[str]:
    """Set words in lines, no parenthesis apart from its words. A Chinese character takes two columns."""
    lines, line = [], ""
    for word in words:
        joined = word if not line else f"{line}{word}" if word == ")" or line.endswith("(") else f"{line} {word}"
        if line and _columns(joined) > _WIDTH and word != ")":
            lines.append(line)
            joined = word
        line = joined
    return [*lines, line]


def _columns(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if character > "\u2e80" else 1 for character in text)


def save(
    record: Record,
    path: str | os.PathLike[str],
    notation: str = "simplified",
    encoding: str = "utf-8",
    new: bool = False,
) -> None:
    """Write a record to a file, whole or not at all: a crash leaves the file as it was. Raises OSError.

    ``new``: the file must not be there yet (FileExistsError).
    """
    content = write_pgn(record, notation).encode(encoding, errors="replace")
    (create_file if new else replace_file)(path, content)
