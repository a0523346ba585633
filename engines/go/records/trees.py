"""Whole games as SGF trees: what readers of other formats grow, and what every game of Go is kept as.

A tree has all that SGF can say, in its own properties: variations, comments, marks, clocks. ``WholeGame`` has the tree
and the record of its main line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engines.go.handicap import fixed_handicap
from engines.go.records import sgf
from engines.go.records.values import LETTERS, Record


@dataclass
class WholeGame:
    """A game of a file: all of it as ``tree``, its main line as ``record``, what was odd in the text as ``notes``.

    ``encoding`` is what the bytes were taken for where that was a guess.
    """

    record: Record
    tree: sgf.Tree
    notes: list[str] = field(default_factory=list)
    encoding: str = ""


def sgf_point(x: int, y: int, width: int, height: int) -> str:
    """The letters of a point, column from the left and row from the top, from 0; "" for one off the board."""
    return LETTERS[x] + LETTERS[y] if 0 <= x < width and 0 <= y < height else ""


def handicap_points(stones: int) -> list[str]:
    """The points of a server's handicap of 2 to 9 on 19 × 19: GTP's, but the third stone is on the upper left."""
    if not 2 <= stones <= 9:
        return []
    points = sorted(fixed_handicap(19, 19, stones))
    if stones == 3:
        points = [3 * 19 + 3, 15 * 19 + 3, 15 * 19 + 15]
    return [sgf_point(point % 19, 18 - point // 19, 19, 19) for point in points]


class Grown:
    """Grows a tree, each node in a tree of its own, so that another may go on from any of them."""

    def __init__(self, width: int, height: int) -> None:
        size = f"{width}" if width == height else f"{width}:{height}"
        self.tree = sgf.Tree([sgf.Node({"GM": ["1"], "FF": ["4"], "SZ": [size]})])
        self.last = self.tree
        self.moves = 0
        self.to_play = "B"

    @property
    def root(self) -> dict[str, list[str]]:
        """The properties of the root."""
        return self.tree.nodes[0].properties

    def text(self, name: str, value: str) -> None:
        """Set a fact of the game, if there is something to say."""
        if value.strip():
            self.root[name] = [sgf.escaped(value.strip())]

    def setup(self, name: str, points: Iterable[str]) -> None:
        """Put stones on the board before the first move."""
        known = self.root.setdefault(name, [])
        known += [point for point in points if point not in known]
        if name == "AB":
            self.to_play = "W"

    def move(self, color: str, point: str) -> None:
        """Go on with the main line."""
        self.last = self.branch(self.last, color, point)
        self.moves += 1
        self.to_play = "W" if color == "B" else "B"

    def branch(self, parent: sgf.Tree, color: str, point: str) -> sgf.Tree:
        """Go on from any node; gives the new one."""
        parent.children.append(sgf.Tree([sgf.Node({color: [point]})]))
        return parent.children[-1]


def joined(tree: sgf.Tree) -> sgf.Tree:
    """The same tree with every line that has no variations in one piece. Changes the tree that is given."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        while len(one.children) == 1:
            (child,) = one.children
            one.nodes += child.nodes
            one.children = child.children
        waiting += one.children
    return tree
