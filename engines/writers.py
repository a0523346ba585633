"""Records into any format that is written: ``write_game`` gives a game's bytes and what the format has no room for."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.records import Found
from engines.stored import StoredGame

if TYPE_CHECKING:
    from engines.go.records.trees import WholeGame
    from engines.xiangqi.records.values import Record


class Target(NamedTuple):
    """A format that is written: its name, the game it is for ("" for both), the ending of its files, whether a file has
    room for several games, and whether it is text.
    """

    name: str
    game: str
    suffix: str
    many: bool = True
    text: bool = True


TARGETS = {
    target.name: target
    for target in (
        Target("sgf", "go", ".sgf"),
        Target("pgn", "xiangqi", ".pgn"),
        Target("pgn-traditional", "xiangqi", ".pgn"),
        Target("pgn-wxf", "xiangqi", ".pgn"),
        Target("pgn-iccs", "xiangqi", ".pgn"),
        Target("pgn-coordinate", "xiangqi", ".pgn"),
        Target("pgn-coordinate1", "xiangqi", ".pgn"),
        Target("pgn-algebraic", "xiangqi", ".pgn"),
        Target("xqf", "xiangqi", ".xqf", many=False, text=False),
        Target("dhtmlxq", "xiangqi", ".txt"),
        Target("cbf", "xiangqi", ".cbf", many=False),
        Target("json", "stored", ".json", many=False),
        Target("jieqibox", "stored", ".json", many=False),
        Target("platform", "stored", ".txt", many=False),
        Target("text", "", ".txt"),
        Target("moves", "", ".txt"),
    )
}
"""What can be written, by name; those of ``stored`` are for the games of ``engines.stored`` that have them."""

_ALIASES = {
    "pgn-chinese": "pgn",
    "pgn-simplified": "pgn",
    "chinese": "pgn",
    "wxf": "pgn-wxf",
    "iccs": "pgn-iccs",
    "coordinate": "pgn-coordinate",
    "algebraic": "pgn-algebraic",
    "traditional": "pgn-traditional",
    "ubb": "dhtmlxq",
    "txt": "text",
    "plain": "text",
}
_SUFFIXES = {
    ".sgf": "sgf",
    ".json": "json",
    ".pgn": "pgn",
    ".xqf": "xqf",
    ".cbf": "cbf",
    ".ubb": "dhtmlxq",
    ".dhtmlxq": "dhtmlxq",
    ".txt": "text",
    ".moves": "moves",
}


def target_named(name: str) -> Target:
    """The format of a name. ValueError for one that there is not."""
    plain = name.lower().replace("_", "-")
    plain = _ALIASES.get(plain, plain)
    if plain not in TARGETS:
        raise ValueError(f"there is no format {name!r} to write: there are {', '.join(TARGETS)}")
    return TARGETS[plain]


def target_of_suffix(suffix: str) -> Target | None:
    """The format that files with this ending have."""
    name = _SUFFIXES.get(suffix.lower())
    return TARGETS[name] if name else None


def usual_target(found: Found) -> Target:
    """The format that a game is written in where none is named."""
    return TARGETS["sgf" if found.game == "go" else "pgn"]


def write_game(found: Found, target: Target | None = None, view: str = "") -> tuple[bytes, list[str]]:
    """A game as the bytes of a format (its own game's SGF or PGN for ``None``), and what was left out. ``view`` is one
    of ``engines.stored.VIEWS``, "" for all that the record has.

    ValueError for a game that the format is not for, or that can't be written.
    """
    if found.value is None:
        raise ValueError(found.fault)
    if isinstance(found.value, StoredGame):
        name = (target or usual_target(found)).name
        text = found.value.write("moves" if name == "text" else name, view)
        return (text if text.endswith("\n") else text + "\n").encode("utf-8", "replace"), []
    if view:
        raise ValueError(f"all is seen in {found.game.capitalize()}: there is no view {view!r} of it")
    target = target or usual_target(found)
    if target.game and target.game != found.game:
        raise ValueError(f"a game of {found.game.capitalize()} can't be written as {target.name}")
    value: Any = found.value
    written, lost = _write_go(value, target.name) if found.game == "go" else _write_xiangqi(value, target.name)
    return written.encode("utf-8", "replace") if isinstance(written, str) else written, lost


def _write_go(game: WholeGame, name: str) -> tuple[str, list[str]]:
    from engines.go.records.lists import write_list
    from engines.go.records.whole import format_game

    if name == "sgf":
        return format_game(game), []
    record = game.record
    lost = []
    if game.tree.children:
        lost.append("variations")
    if any(step.comment for step in (record.setup, *record.steps)):
        lost.append("comments")
    if name == "moves":
        if (record.width, record.height) != (19, 19):
            lost.append(f"the size {record.width}x{record.height}")
        if record.black_name or record.white_name or record.result or record.komi is not None:
            lost.append("names, komi and result")
        return write_list(record) + "\n", lost
    return _go_text(game), lost


def _go_text(game: WholeGame) -> str:
    from engines.go.records.lists import write_list

    record = game.record
    facts = {
        "Event": record.info.get("EV", ""),
        "Date": record.date,
        "Place": record.info.get("PC", ""),
        "Black": f"{record.black_name} {record.info.get('BR', '')}".strip(),
        "White": f"{record.white_name} {record.info.get('WR', '')}".strip(),
        "Rules": record.rules,
        "Komi": "" if record.komi is None else f"{record.komi:g}",
        "Handicap": f"{record.handicap or ''}",
        "Result": record.result,
    }
    lines = [f"# {name}: {' '.join(value.split())}" for name, value in facts.items() if value]
    lines.append(f"size {record.width} x {record.height}")
    setup, moves = "", write_list(record)
    if moves.startswith("["):
        setup, _, moves = moves.partition("] ") if "] " in moves else (moves, "", "")
        lines.append(setup.rstrip("]") + "]")
    words = moves.replace("B:", "B ").replace("W:", "W ") if "[" not in moves else moves
    parts = words.split(" ")
    step = 2 if "[" not in moves else 1
    for at in range(0, len(parts), 10 * step):
        number = at // step + 1
        lines.append((f"{number}. " if step == 2 else "") + " ".join(parts[at : at + 10 * step]))
    return "\n".join(line for line in lines if line.strip()) + "\n\n"


def _write_xiangqi(record: Record, name: str) -> tuple[str | bytes, list[str]]:
    from engines.xiangqi.board import Board
    from engines.xiangqi.fen import START_FEN
    from engines.xiangqi.geometry import move_name
    from engines.xiangqi.records import cbf, dhtmlxq, xqf
    from engines.xiangqi.records.writing import write_pgn, write_text

    if name == "moves":
        # Where the position is none, what the file has for it.
        fen = record.fen
        with suppress(ValueError):
            fen = Board(fen, strict=False).fen()
        words = [] if fen == START_FEN else [f"[{fen}]"]
        words += map(move_name, record.moves())
        return " ".join(words) + "\n", _without(record)
    if name == "text":
        return write_text(record) + "\n", []
    if name == "xqf":
        return xqf.write_xqf(record)
    if name == "dhtmlxq":
        return dhtmlxq.write_dhtmlxq(record)
    if name == "cbf":
        return cbf.write_cbf(record)
    return write_pgn(record, name.partition("-")[2] or "simplified") + "\n", []


def _without(record: Record) -> list[str]:
    """What of a game is more than its moves."""
    lost = []
    node = record.root
    branches, comments = False, bool(node.comment)
    while node.lines:
        branches = branches or len(node.lines) > 1
        node = node.lines[0]
        comments = comments or bool(node.comment)
    if branches:
        lost.append("variations")
    if comments:
        lost.append("comments")
    if any(value and value != "*" for name, value in record.tags.items() if name not in ("FEN", "Game", "Format")):
        lost.append("tags")
    return lost
