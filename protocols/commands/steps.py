"""A record as a tree of steps that can be walked and drawn, the same for both games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engines.go.board import Board as GoBoard
from engines.go.points import BLACK, PASS
from engines.go.records import Move, RecordError, Setup, sgf
from engines.go.records.reading import Node as Properties
from engines.go.records.reading import read_steps
from engines.stored import StoredGame
from engines.xiangqi.board import Board
from engines.xiangqi.notation import MoveNames
from engines.xiangqi.records import Node
from protocols.commands.sources import GoSource, Source, XiangqiSource, start_board


@dataclass(eq=False)
class Step:
    """A position of a record. ``number`` counts moves from 1, 0 for the start.

    ``color`` is who moved (0 Black or Red's first side by the game's own numbers), ``label`` the move as the game names
    it, ``last`` the points of the move, ``marks`` what the record draws on the board: kind or text, by point. Games
    with hidden pieces have ``seen``, what a viewer knows, and ``text``, the move as it was told.
    """

    number: int = 0
    color: int = 0
    move: int | None = None
    comment: str = ""
    marks: list[tuple[str, int]] = field(default_factory=list)
    parent: Step | None = None
    children: list[Step] = field(default_factory=list)
    setup: Setup | None = None
    seen: Any = None
    text: str = ""

    def add(self, child: Step) -> Step:
        """Put a step behind this one."""
        child.parent = self
        self.children.append(child)
        return child

    def path(self) -> list[Step]:
        """The steps from the start to this one, the start left out."""
        found: list[Step] = []
        step: Step = self
        while step.parent is not None:
            found.append(step)
            step = step.parent
        return found[::-1]

    def main_line(self) -> Iterator[Step]:
        """This step, and the first of each variation from here on."""
        step = self
        yield step
        while step.children:
            step = step.children[0]
            yield step


def steps_of(source: Source, view: str = "") -> Step:
    """The start of a record, with all its variations behind it, as a ``view`` of ``engines.stored`` has it. Raises
    ValueError."""
    if isinstance(source, StoredGame):
        return _stored_steps(source, view)
    if view:
        raise ValueError(f"all is seen in this game: there is no view {view!r} of it")
    return _go_steps(source) if isinstance(source, GoSource) else _xiangqi_steps(source)


def _stored_steps(source: StoredGame, view: str) -> Step:
    positions, moves = source.positions(view), source.moves(view)
    step = start = Step(comment=source.comment(0), seen=positions[0])
    for number, (text, seen) in enumerate(zip(moves, positions[1:], strict=True), 1):
        step = step.add(Step(number, step.seen.turn, None, source.comment(number), seen=seen, text=text))
    return start


def _go_steps(source: GoSource) -> Step:
    record = source.record
    start = Step(setup=record.setup)
    waiting: list[tuple[sgf.Tree, Step]] = [(source.tree, start)]
    first = True
    try:
        while waiting:
            tree, step = waiting.pop()
            for node in tree.nodes:
                properties = Properties(node.properties)
                steps = (
                    []
                    if first and not record.played_handicap
                    else list(_played(properties, record.width, record.height))
                )
                if first:
                    start.comment = properties.text("C")
                first = False
                for one in steps:
                    if isinstance(one, Setup):
                        step = step.add(Step(step.number, 0, None, one.comment, setup=one))
                    else:
                        step = step.add(Step(step.number + 1, one.color, one.point, one.comment))
                step.marks += _marks(properties, record.width, record.height)
            waiting += [(child, step) for child in reversed(tree.children)]
    except RecordError as error:
        raise ValueError(str(error)) from None
    if record.played_handicap:
        stones = tuple(point for point in record.setup.black if point not in record.played_handicap)
        start.setup = Setup(black=stones, white=record.setup.white)
    return start


def _played(properties: Properties, width: int, height: int) -> Iterator[Move | Setup]:
    for step in read_steps(properties, width, height):
        if isinstance(step, Move) or step.black or step.white or step.empty:
            yield step


def _marks(properties: Properties, width: int, height: int) -> list[tuple[str, int]]:
    """What a node draws: TR SQ CR MA, and labels as their text."""
    found: list[tuple[str, int]] = []
    for name in ("TR", "SQ", "CR", "MA", "LB"):
        for value in properties.properties.get(name, []):
            place, _, text = value.partition(":")
            if len(place) == 2 and place.isascii() and place.islower():
                x, y = ord(place[0]) - 97, height - 1 - (ord(place[1]) - 97)
                if 0 <= x < width and 0 <= y < height:
                    found.append((f"={text}" if name == "LB" else name, y * width + x))
    return found


def _xiangqi_steps(source: XiangqiSource) -> Step:
    record = source.record
    start = Step(comment=record.root.comment)
    turn = start_board(record).turn
    waiting: list[tuple[Node, Step]] = [(record.root, start)]
    while waiting:
        node, step = waiting.pop()
        for line in node.lines:
            color = turn if step.number % 2 == 0 else 1 - turn
            waiting.append((line, step.add(Step(step.number + 1, color, line.move, line.comment))))
    return start


# ---- what a step looks like


def go_stones(source: GoSource, step: Step) -> bytes:
    """The stones at a step of a game of Go. Raises ValueError for a move that can't be played."""
    board = GoBoard(source.record.width, source.record.height)
    start = step
    while start.parent is not None:
        start = start.parent
    for one in (start, *step.path()):
        if one.setup is not None:
            stones = bytearray(board.stones())
            for points, color in ((one.setup.black, 1), (one.setup.white, 2), (one.setup.empty, 0)):
                for point in points:
                    stones[point] = color
            board.set_position(bytes(stones), BLACK)
        if one.move is not None:
            try:
                board.play(one.color, one.move, True)
            except ValueError as error:
                raise ValueError(f"move {one.number}: {error}") from None
    return board.stones()


def xiangqi_board_at(source: XiangqiSource, step: Step) -> Board:
    """The board at a step of a game of Xiangqi. Raises ValueError."""
    board = start_board(source.record)
    for one in step.path():
        assert one.move is not None
        board.play(one.move)
    return board


def last_points(source: Source, step: Step) -> tuple[int, ...]:
    """The points of the move that led to a step: a stone's, or the two of a piece."""
    if step.move is None or step.move == PASS:
        return ()
    assert not isinstance(source, StoredGame)  # its positions know
    return (step.move,) if isinstance(source, GoSource) else (step.move >> 7, step.move & 127)


def xiangqi_name(source: XiangqiSource, step: Step, notation: str) -> str:
    """The move of a step in a notation; "" for the start."""
    if step.move is None or step.parent is None:
        return ""
    return MoveNames(xiangqi_board_at(source, step.parent)).write(step.move, notation)
