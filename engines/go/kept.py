"""An SGF file that a game goes on in: its main line becomes the game's, all else in it stays.

Names, comments, markup, variations and properties that nobody here knows are kept as they are; the main line from where
the game differs becomes a variation. Only the encoding is another: UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from engines.go.records import (
    Move,
    Node,
    RecordError,
    decode,
    format_tree,
    parse_record,
    read_bytes,
    read_steps,
    step_properties,
)

Turn = tuple[int, int]


class KeptFile:
    """A file with one game, as it was read; ``record`` is what is known of it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises ``RecordError`` for a file that cannot be read or that holds several games."""
        from sgfmill import sgf_grammar

        self._text = decode(read_bytes(path))
        self.record = parse_record(self._text)
        try:
            games = len(sgf_grammar.parse_sgf_collection(self._text.encode("utf-8", "replace")))
        except ValueError as error:
            raise RecordError(f"not an SGF record: {error}") from error
        if games > 1:
            raise RecordError(f"{os.fspath(path)} holds {games} games: put the one to go on with in a file of its own")

    def text(self, moves: Sequence[Turn], result: str) -> str:
        """The file with these moves, colour and point, as its main line, and this result."""
        from sgfmill import sgf_grammar

        tree = sgf_grammar.parse_sgf_game(self._text.encode("utf-8", "replace"))
        _free_root(tree)
        root = tree.sequence[0]
        root["CA"] = [b"UTF-8"]
        if result:
            root["RE"] = [sgf_grammar.escape_text(result.encode())]
        else:
            root.pop("RE", None)
        self._make_main(tree, moves)
        return format_tree(tree)

    def _make_main(self, tree: Any, moves: Sequence[Turn]) -> None:
        """Make these moves the main line, from the root on."""
        done, parent = 0, None
        while True:
            for number, node in enumerate(tree.sequence):
                made = self._moves(node)
                if tuple(moves[done : done + len(made)]) != made:
                    _branch(parent, tree, number, self._nodes(moves[done:]))
                    return
                done += len(made)
            if not tree.children:
                tree.sequence += self._nodes(moves[done:])
                return
            parent, tree = tree, tree.children[0]

    def _moves(self, node: dict[str, list[bytes]]) -> tuple[Turn, ...]:
        steps = read_steps(Node(node), self.record.width, self.record.height)
        return tuple((step.color, step.point) for step in steps if isinstance(step, Move))

    def _nodes(self, moves: Sequence[Turn]) -> list[dict[str, list[bytes]]]:
        return [step_properties(self.record, Move(color, point)) for color, point in moves]


def _free_root(tree: Any) -> None:
    """Moves in the root, as old files have them, get a node of their own."""
    root = tree.sequence[0]
    moves = {name: root.pop(name) for name in ("B", "W") if name in root}
    if moves:
        tree.sequence.insert(1, moves)


def _branch(parent: Any, tree: Any, number: int, nodes: list[dict[str, list[bytes]]]) -> None:
    """Put a line of these nodes before the tree's node of this number, which becomes a variation with what follows it.

    A line without nodes is an empty one: the main line ends there.
    """
    line, rest = type(tree)(), type(tree)()
    line.sequence = nodes or [{}]
    if number == 0:
        parent.children.insert(0, line)
        return
    rest.sequence, rest.children = tree.sequence[number:], tree.children
    tree.sequence, tree.children = tree.sequence[:number], [line, rest]
