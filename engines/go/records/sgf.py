"""The grammar of SGF: text to trees of nodes and back.

Reading takes what is there. A record that is cut off, has text between its nodes, a bracket in a text that nobody
escaped, or lacks a semicolon or a parenthesis is read all the same, and each ``Fault`` says what was wrong and where.
Every character is looked at a fixed number of times, so that the work grows with the length of the text alone.

Values are kept as they are written, with their backslashes; ``plain_text`` takes those out, ``escaped`` puts them in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from engines.errors import QiqiaoError

MAX_PARTS = 500_000
"""The most variations, nodes and values in a text, which bounds the memory that reading it takes."""

MAX_FAULTS = 20
"""Faults that are told one by one; of further ones only the number."""

_WIDTH = 79

TEXTS = frozenset(("AN", "AP", "BR", "BT", "C", "CA", "CP", "DT", "EV", "GC", "GN", "KO", "N")) | frozenset(
    ("ON", "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "US", "WR", "WT")
)
"""Properties that have one value, a text: in these a closing bracket may be a letter that nobody escaped."""


_POINTS = frozenset(["B", "W", "AB", "AW", "AE"])

_SHORT = _POINTS | frozenset(("SZ", "KM", "HA", "GM", "FF", "ST", "PL", "TM", "MN", "BL", "WL", "OB", "OW"))
"""Properties whose values are points and numbers: no bracket, nor what begins a node, is ever in one."""


class SgfError(QiqiaoError, ValueError):
    """A text in which there is no record at all."""


@dataclass(frozen=True)
class Fault:
    """What was wrong in a text, and where: line and character count from 1."""

    line: int
    character: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}, character {self.character}: {self.reason}"


@dataclass
class Node:
    """A node: the values of each property as written, in the order of the text; and where it begins in it."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    at: int = 0


@dataclass
class Tree:
    """A line of nodes and the lines that go on from its end, the main one first."""

    nodes: list[Node] = field(default_factory=list)
    children: list[Tree] = field(default_factory=list)

    def main_line(self) -> Iterator[Node]:
        """The nodes of the main line."""
        tree = self
        while True:
            yield from tree.nodes
            if not tree.children:
                return
            tree = tree.children[0]


@dataclass
class Game:
    """One game of a text: its tree, and where the text goes on behind it."""

    tree: Tree
    end: int


class Text:
    """A text with games in it; ``faults`` are those of what has been read so far."""

    def __init__(self, text: str) -> None:
        """Raises SgfError for a text of too many parts."""
        if sum(text.count(mark) for mark in "(;[") > MAX_PARTS:
            raise SgfError("the record is too long")
        self.text = text
        self.faults: list[Fault] = []
        self.encoding = ""  # what its bytes were taken for, where that was a guess
        self._further = 0
        self._lines: list[int] | None = None

    def game(self, start: int = 0) -> Game:
        """The first game from ``start`` on. Raises SgfError where there is none."""
        return _Reader(self, start).read()

    def games(self) -> Iterator[Game]:
        """All games, one after another. Raises SgfError where there is none."""
        game = self.game()
        while True:
            yield game
            try:
                game = self.game(game.end)
            except SgfError:
                return

    def blame(self, at: int, reason: str) -> None:
        """Note a fault at a place of the text."""
        if len(self.faults) >= MAX_FAULTS:
            self._further += 1
            return
        self.faults.append(Fault(*self.place(at), reason))

    def place(self, at: int) -> tuple[int, int]:
        """Line and character of a place in the text, both from 1."""
        if self._lines is None:
            self._lines = [match.start() for match in re.finditer(r"\r\n|\n\r|\n|\r", self.text)]
        line = bisect_left(self._lines, at)
        begin = 0
        if line:
            begin = self._lines[line - 1] + 1
            begin += self.text[begin - 1 : begin + 1] in ("\r\n", "\n\r")
        return line + 1, max(0, at - begin) + 1

    def notes(self) -> tuple[str, ...]:
        """The faults as texts for the user."""
        told = tuple(map(str, self.faults))
        return (*told, f"and {self._further} faults more") if self._further else told


_GAME = re.compile(r"\(\s*(?:;|[A-Z][A-Za-z]{0,19}\s*\[)")
_BARE_GAME = re.compile(r";\s*[A-Z][A-Za-z]{0,19}\s*\[")
_TOKEN = re.compile(r"\s+|[();\[\]]|[A-Za-z][A-Za-z0-9]*|[^\s();\[\]A-Za-z]+")
_MOVE = re.compile(r";([BW])\[([a-z]{0,2})\]\s*(?=[;()])")
_VALUE = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*", re.DOTALL)
_BEGINS_NODE = re.compile(r"\s*(?:[();]|$|[A-Za-z]{1,20}\s*\[)")
_BRACKET = re.compile(r"[\[\]]")
_INNER = re.compile(r"\\.|[\[\]]", re.DOTALL)
# What follows the closing bracket of a value: another value, property, node, line, the end.
_FOLLOWS = re.compile(
    r"\s*(?:(\[)|;\s*(?:[();]|$|[A-Za-z]{1,20}\s*\[)|\(\s*(?:;|[A-Z][A-Za-z]{0,19}\s*\[)|\)|$|([A-Z][A-Za-z]{0,19})\s*\[)"
)
_POINT = re.compile(r"\s*[A-Z]\w*\s*\[\s*(?:[a-zA-Z]{2}(?::[a-zA-Z]{2})?\s*)?\]")
# A text that nobody closed goes on to the next bracket: into the next node, or, if it is one of the game's facts, into
# the next line.
_INTO_NODE = re.compile(r"\s*;\s*[BW]\[[a-zA-Z]{0,2}\Z")
_SHORT_VALUE = re.compile(r"[^\[\];]*")
_SHORT_ENDS = re.compile(r"[()\n]|(?<![A-Za-z])[A-Z]{1,2}\s*\Z")
_INTO_LINE = re.compile(r"\n\s*[A-Z]{2}\[[^\[\]\n]*\Z")


def begins(text: str) -> bool:
    """Whether there is the beginning of a game in a text."""
    return _GAME.search(text) is not None or _BARE_GAME.search(text) is not None


class _Reader:
    """Reads one game."""

    def __init__(self, source: Text, start: int) -> None:
        self._source = source
        self._text = source.text
        self._at = start
        self._bare = False
        self._found = False
        self._placed = False
        self._last: Tree | None = None

    def read(self) -> Game:
        text = self._text
        found = _GAME.search(text, self._at)
        if found is None:
            found = _BARE_GAME.search(text, self._at)
            if found is None:
                raise SgfError("no SGF data found")
            self._bare = True
            self._source.blame(found.start(), "the record has no '('")
        self._at = found.start() + (not self._bare)
        # Each open line, and the line that nodes go into: a further one where a line goes on behind its variations.
        root = Tree()
        opened: list[list[Tree]] = [[root, root]]
        while opened:
            move = _MOVE.match(text, self._at)
            if move is not None:  # most nodes are a move and nothing else
                self._node(opened[-1], self._at)
                opened[-1][1].nodes[-1].properties[move[1]] = [move[2]]
                self._at = move.end()
                self._found = self._placed = True
                continue
            token = _TOKEN.match(text, self._at)
            if token is None:
                if not self._bare:
                    self._source.blame(len(text), f"unexpected end: {_missing(len(opened))}")
                break
            at, word = self._at, token.group()
            self._at = token.end()
            if word[0].isspace():
                continue
            if word == ";":
                self._node(opened[-1], at)
            elif word == "(":
                self._open(opened, at)
            elif word == ")":
                opened.pop()
                if not opened:
                    self._reopen(opened, root)
            elif word == "[":
                self._stray_value(opened[-1][1], at)
            elif word[0].isalpha() and word.isascii():
                self._property(opened[-1], word, at)
            else:
                self._blame_stray(at, word)
        if not self._found and self._source.faults:
            raise SgfError(str(self._source.faults[0]))
        return Game(root, self._at)

    def _node(self, line: list[Tree], at: int) -> None:
        if line[1].children:
            self._source.blame(at, "a line goes on behind its variations: taken for the main line")
            further = Tree()
            line[1].children.insert(0, further)
            line[1] = further
        line[1].nodes.append(Node(at=at))

    def _open(self, opened: list[list[Tree]], at: int) -> None:
        if not _BEGINS_NODE.match(self._text, self._at):
            self._source.blame(at, "'(' begins no variation: left out")
            return
        tree = Tree()
        opened[-1][1].children.append(tree)
        opened.append([tree, tree])

    def _reopen(self, opened: list[list[Tree]], root: Tree) -> None:
        """Go on where nodes follow the end of the game: a parenthesis too many."""
        more = _BARE_GAME.match(self._text, _skip_space(self._text, self._at))
        if more is not None:
            self._source.blame(more.start(), "the game goes on behind its last ')'")
            line = self._last or root
            while line.children:
                line = line.children[0]
            self._last = line
            opened.append([root, line])

    def _property(self, line: list[Tree], word: str, at: int) -> None:
        name = re.sub("[^A-Z]", "", word)
        if not name or not self._text.startswith("[", _skip_space(self._text, self._at)):
            self._blame_stray(at, word)
            return
        if not line[1].nodes or line[1].children:
            if not line[1].children:
                self._source.blame(at, "a node has no ';' before it")
            self._node(line, at)
        values = line[1].nodes[-1].properties.setdefault(name, [])
        while True:
            begin = _skip_space(self._text, self._at)
            if not self._text.startswith("[", begin):
                return
            self._at = begin + 1
            value = self._value(name, begin)
            if value is not None:
                values.append(value)
                self._found = True
                self._placed = self._placed or name in _POINTS
            elif not values:
                del line[1].nodes[-1].properties[name]

    def _value(self, name: str, begin: int) -> str | None:
        """The value that begins here, ``None`` for one that is cut off and can't be told."""
        text, start = self._text, self._at
        if name in _SHORT and (short := self._cut_short(name, begin)) is not None:
            return short
        parts: list[str] = []
        depth = 0
        while True:
            match = _VALUE.match(text, self._at)
            assert match is not None  # it may be empty
            part, end = match.group(), match.end()
            parts.append(part)
            if end >= len(text) or text[end] != "]":
                self._at = len(text)
                self._source.blame(begin, f"unexpected end within a value of {name}")
                if name in _POINTS and not self._placed:  # not one move or stone is whole
                    raise SgfError(str(self._source.faults[-1]))
                value = "\\]".join(parts).removesuffix("\\") + text[end:].rstrip("\\")
                return value if name in TEXTS or re.fullmatch("[A-Za-z]{2}", value.strip()) else None
            self._at = end + 1
            if name not in TEXTS:
                return part
            cut = _INTO_NODE.search(part) if ";" in part else None
            if cut is None and name != "C" and "\n" in part:
                cut = _INTO_LINE.search(part)
            if cut is not None and len(parts) == 1:
                self._at = start + cut.start()
                self._source.blame(begin, f"the value of {name} has no ']'")
                return part[: cut.start()]
            depth += sum({"[": 1}.get(mark, 0) for mark in _INNER.findall(part))
            if self._ends(depth):
                return "\\]".join(parts)
            depth -= 1
            self._source.blame(end, f"']' in a text of {name} without a '\\' before it")

    def _cut_short(self, name: str, begin: int) -> str | None:
        """A point or a number that nobody closed, before what it runs into; ``None`` where none is cut short so."""
        match = _SHORT_VALUE.match(self._text, self._at)
        assert match is not None  # it may be empty
        part, end = match.group(), match.end()
        if not self._text.startswith((";", "["), end):
            return None
        cut = _SHORT_ENDS.search(part)
        if cut is not None:
            part, end = part[: cut.start()], self._at + cut.start()
        if not part.strip():
            return None
        self._at = end
        self._source.blame(begin, f"the value of {name} has no ']'")
        return part

    def _ends(self, depth: int) -> bool:
        """Whether the bracket just read closes its text; ``depth``: how many were opened within it."""
        follows = _FOLLOWS.match(self._text, self._at)
        if follows is not None:
            # Texts have one value: what looks like a second one is the text going on with a bracket. And where one
            # is open in the text, what looks like a move must be one.
            name = re.sub("[^A-Z]", "", follows[2] or "")
            return depth <= 0 or not (follows[1] or (name in _POINTS and not _POINT.match(self._text, self._at)))
        if depth > 0:
            return False
        # Between values a bracket is opened before one is closed.
        bracket = _BRACKET.search(self._text, self._at)
        return bracket is None or bracket.group() == "["

    def _stray_value(self, tree: Tree, at: int) -> None:
        """A value without a property."""
        match = _VALUE.match(self._text, self._at)
        assert match is not None
        self._at = min(match.end() + 1, len(self._text))
        self._source.blame(at, "unexpected value without a property: left out")

    def _blame_stray(self, at: int, word: str) -> None:
        """Text that is no part of a node: all of it up to the next thing that is."""
        name = word.isalpha() and word.isupper() and len(word) <= 2
        what = "has no values" if name else "is no part of the record"
        self._source.blame(at, f"{word[:20]!r} {what}: left out")
        # Words that follow in the same stretch are not told one by one.
        while (token := _TOKEN.match(self._text, self._at)) is not None:
            word = token.group()
            if word in "();[":
                return
            if word[0].isalpha() and self._text.startswith("[", _skip_space(self._text, token.end())):
                return
            self._at = token.end()


def _missing(count: int) -> str:
    return "its ')' is missing" if count == 1 else f"{count} ')' are missing"


_SPACE = re.compile(r"\s*")


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)


def plain_text(value: str) -> str:
    """The text that a value as written stands for: escapes and soft line breaks gone, other line ends as ``\\n``."""
    value = re.sub(r"\r\n|\n\r|\r", "\n", value)
    return _ESCAPE.sub(lambda found: found[1].strip("\n"), value) if "\\" in value else value


def escaped(text: str) -> str:
    """A text as it stands in a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def format_tree(tree: Tree) -> str:
    """The text of a game, in lines of 79 characters where values allow it; ends with a newline."""
    lines: list[str] = []
    line = ""
    for word in _words(tree):
        if line and len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line += word
        if len(line) > _WIDTH and "\n" in line:
            done, _, line = line.rpartition("\n")
            lines.append(done)
    return "\n".join([*lines, line]) + "\n"


def _words(tree: Tree) -> Iterator[str]:
    """What a line may be broken between."""
    waiting: list[Tree | None] = [tree]
    while waiting:
        one = waiting.pop()
        if one is None:
            yield ")"
            continue
        yield "("
        for node in one.nodes:
            yield ";"
            names = sorted(node.properties, key=lambda name: (name != "FF", name))
            for name in names:
                first, *more = node.properties[name] or [""]
                yield f"{name}[{first}]"
                for value in more:
                    yield f"[{value}]"
        waiting.append(None)
        waiting += reversed(one.children)
