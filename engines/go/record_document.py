"""An SGF file that a game goes on in: its main line becomes the game's, all else in it stays.

Names, comments, markup, variations and properties that nobody here knows are kept as they are; the main line from where
the game differs becomes a variation. Only the encoding is another: UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from engines.go.records import Move, RecordError, sgf
from engines.go.records.reading import Node, parse, read_bytes, read_foreign, read_game, read_steps
from engines.go.records.whole import format_game
from engines.go.records.writing import step_properties

Turn = tuple[int, int]


class RecordDocument:
    """A file with one game, as it was read; ``record`` is what is known of it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises ``RecordError`` for a file that cannot be read or that holds several games. What is no SGF is turned
        into it.
        """
        data = read_bytes(path)
        other = read_foreign(data, lists=True)
        source, game = parse(data if other is None else format_game(other))
        self.record = read_game(source, game)
        self._text = source.text
        games = sum(1 for _ in sgf.Text(self._text).games())
        if games > 1:
            raise RecordError(f"{os.fspath(path)} holds {games} games: put the one to go on with in a file of its own")
        # Handicap stones that were played as moves are no moves of the record's; passes between them aren't either.
        played = [turn for node in game.tree.main_line() for turn in self._moves(node)]
        self._before = played[: len(played) - len(self.record.moves)]

    def text(self, moves: Sequence[Turn], result: str) -> str:
        """The file with these moves, colour and point, as its main line, and this result."""
        tree = sgf.Text(self._text).game().tree
        _free_root(tree)
        root = tree.nodes[0].properties
        root["CA"] = ["UTF-8"]
        if result:
            root["RE"] = [sgf.escaped(result)]
        else:
            root.pop("RE", None)
        self._make_main(tree, [*self._before, *moves])
        return sgf.format_tree(tree)

    def _make_main(self, tree: sgf.Tree, moves: Sequence[Turn]) -> None:
        """Make these moves the main line, from the root on."""
        done, parent = 0, tree
        while True:
            for number, node in enumerate(tree.nodes):
                made = self._moves(node)
                if tuple(moves[done : done + len(made)]) != made:
                    _branch(parent, tree, number, self._nodes(moves[done:]))
                    return
                done += len(made)
            if not tree.children:
                tree.nodes += self._nodes(moves[done:])
                return
            parent, tree = tree, tree.children[0]

    def _moves(self, node: sgf.Node) -> tuple[Turn, ...]:
        steps = read_steps(Node(node.properties), self.record.width, self.record.height)
        return tuple((step.color, step.point) for step in steps if isinstance(step, Move))

    def _nodes(self, moves: Sequence[Turn]) -> list[sgf.Node]:
        return [sgf.Node(step_properties(self.record, Move(color, point))) for color, point in moves]


def _free_root(tree: sgf.Tree) -> None:
    """Moves in the root, as old files have them, get a node of their own."""
    root = tree.nodes[0].properties
    moves: dict[str, list[str]] = {name: root.pop(name) for name in ("B", "W") if name in root}
    if moves:
        tree.nodes.insert(1, sgf.Node(moves))


def _branch(parent: sgf.Tree, tree: sgf.Tree, number: int, nodes: list[sgf.Node]) -> None:
    """Put a line of these nodes before the tree's node of this number, which becomes a variation with what follows it.

    A line without nodes is an empty one: the main line ends there.
    """
    line = sgf.Tree(nodes or [sgf.Node()])
    if number == 0:
        parent.children.insert(0, line)
        return
    rest = sgf.Tree(tree.nodes[number:], tree.children)
    tree.nodes, tree.children = tree.nodes[:number], [line, rest]
