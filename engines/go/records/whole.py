"""Whole games of Go out of any format, and into SGF.

``read_text`` tells the formats of text by their content; SGF is read with all games of a collection.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.go.records import sgf
from engines.go.records.gib import is_gib, read_gib
from engines.go.records.lists import read_list, words_in
from engines.go.records.ngf import is_ngf, read_ngf
from engines.go.records.reading import parse, read_game
from engines.go.records.trees import WholeGame, joined
from engines.go.records.ugf import is_ugf, read_ugf
from engines.go.records.values import INFO, Record, RecordError
from engines.go.records.writing import root_properties, step_properties

_OTHERS = (("GIB", is_gib, read_gib), ("NGF", is_ngf, read_ngf), ("UGF", is_ugf, read_ugf))

OTHERS = tuple(name for name, _, _ in _OTHERS)
"""The names of the formats beside SGF."""


def format_of(text: str) -> str:
    """The name of the format of Go that a text is in: GIB, NGF, UGF, SGF, or "" for none that can be told."""
    for name, fits, _ in _OTHERS:
        if fits(text):
            return name
    return "SGF" if sgf.begins(text) else ""


def looks_like_list(text: str) -> bool:
    """Whether most of a text are points of the board."""
    found, others = words_in(text[:20000])
    return found > 2 * others


def read_other(text: str, name: str) -> WholeGame:
    """The game of a text in GIB, NGF or UGF. Raises ``RecordError``."""
    read = next(read for known, _, read in _OTHERS if known == name)
    return whole_game(joined(read(text)))


def read_lists(text: str) -> Iterator[WholeGame]:
    """The games of a list of moves. Raises ``RecordError``."""
    try:
        for record in read_list(text):
            yield WholeGame(record, tree_of(record), list(record.notes))
    except ValueError as error:
        raise RecordError(str(error)) from None


def read_sgf(data: bytes | str, encoding: str | None = None) -> Iterator[WholeGame]:
    """All games of an SGF text, one after another. Raises ``RecordError`` where one can't be read.

    ``encoding`` goes before what the text itself says.
    """
    if isinstance(data, bytes) and encoding:
        from engines.text import decode_marked

        data = decode_marked(data, encoding)
    source, game = parse(data)
    told = 0
    while True:
        notes = source.notes()
        yield _whole(source, game, list(notes[told:]))
        told = len(notes)
        try:
            game = source.game(game.end)
        except sgf.SgfError:
            return


def whole_game(tree: sgf.Tree) -> WholeGame:
    """A game from its tree. Raises ``RecordError``."""
    return _whole(sgf.Text(""), sgf.Game(tree, 0), [])


def _whole(source: sgf.Text, game: sgf.Game, notes: list[str]) -> WholeGame:
    record = read_game(source, game)
    further = [note for note in record.notes if note not in source.notes()]
    return WholeGame(record, game.tree, [*notes, *further], source.encoding)


def tree_of(record: Record) -> sgf.Tree:
    """The tree of a record alone."""
    nodes = [root_properties(record), *(step_properties(record, step) for step in record.steps)]
    return sgf.Tree([sgf.Node(properties) for properties in nodes])


_DROPPED = frozenset(("FF", "CA", "GM", "SZ", "AP", "VW"))


def format_game(game: WholeGame) -> str:
    """A game as SGF FF[4], UTF-8. Points, numbers and texts are written as FF[4] has them, whatever the version of the
    source; properties that are not known here stay as they are.
    """
    record = game.record
    width, height = record.width, record.height
    root = sgf.Tree()
    waiting = [(game.tree, root)]
    first = True
    while waiting:
        tree, copy = waiting.pop()
        for node in tree.nodes:
            properties = _modern(node.properties, width, height)
            if first:
                properties = _root(properties, game)
                first = False
            copy.nodes.append(sgf.Node(properties))
        for child in tree.children:
            made = sgf.Tree()
            copy.children.append(made)
            waiting.append((child, made))
    return sgf.format_tree(root)


def _modern(properties: dict[str, list[str]], width: int, height: int) -> dict[str, list[str]]:
    """The properties of a node as FF[4] has them: a move is a point or nothing (``tt`` of old boards)."""
    found = dict(properties)
    for name in ("B", "W"):
        for value in found.get(name, [])[:1]:
            text = value.strip()
            found[name] = ["" if text.lower() == "tt" and width <= 19 and height <= 19 else text]
    return found


def _root(properties: dict[str, list[str]], game: WholeGame) -> dict[str, list[str]]:
    """The root's: what is told of the whole game as it was understood."""
    record = game.record
    written = root_properties(record)
    kept = {name: values for name, values in properties.items() if name not in _DROPPED}
    for name in ("KM", "RE", "RU", "HA", "PB", "PW", "DT", "TM", "OT", *INFO):
        if name in written:
            kept[name] = written[name]
    if record.komi is None:
        kept.pop("KM", None)
    if record.setup.black and "AB" not in kept and not record.played_handicap:
        kept["AB"] = written["AB"]
    return {name: written[name] for name in ("GM", "FF", "CA", "AP", "SZ")} | kept
