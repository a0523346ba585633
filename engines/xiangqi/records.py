"""Game records: PGN for Xiangqi, read and written.

The tags and the layout are those of the xqbase specification (中国象棋电脑应用规范): the tag Game "Chinese Chess"
first, Red and Black, FEN where the game does not begin at the start, Format Chinese, WXF or ICCS; comments in
braces, variations in parentheses. Reading looks at the moves themselves, whatever Format says or leaves out, and
takes what other programs write: GBK or UTF-8, White for Red, quotes inside a tag, numbers set close to the moves, in
full width, with 、 behind them.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from engines.text import decode_text
from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.notation import MoveNames, NotationError, iccs_name

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Red won, Black won, drawn, unknown or unfinished."""

_FORMATS = {"simplified": "Chinese", "traditional": "Chinese", "wxf": "WXF", "iccs": "ICCS"}
_FIRST_TAGS = ("Game", "Event", "Site", "Date", "Round", "RedTeam", "Red", "BlackTeam", "Black", "Result")
_WIDTH = 78
_TAKEN_BACK = "taken back 悔棋"
"""The comment of a move after which the game was gone back before."""

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\.|[^"\\\n]|"(?!\s*\]))*)"\s*\]')
_TOKEN = re.compile(
    r"""\{(?P<comment>[^}]*)\}?      # a comment that is never closed lasts to the end
    | ;(?P<rest>[^\n]*)
    | (?P<open>[(（]) | (?P<close>[)）])
    | (?P<mark>\$\d+|[!?]+)
    | (?P<result>1-0|0-1|1/2-1/2|\*)(?![^\s({;)（）])
    | (?P<number>\d+[.…．、]+(?!\d)|[.…．、]+)
    | (?P<move>[^\s{}();!?$（）]+)
    | (?P<stray>\S)""",
    re.VERBOSE,
)
_RANKS = re.compile(r"[a-i](\d+)-?[a-i](\d+)", re.IGNORECASE | re.ASCII)


class RecordError(ValueError):
    """A record that can't be read on; ``records`` has what was read, the last one up to the fault."""

    def __init__(self, reason: str, records: list[Record]) -> None:
        super().__init__(reason)
        self.records = records


@dataclass
class Node:
    """A move with what is said of it and what follows.

    ``marks`` are ``!``, ``?`` and ``$n`` as written. ``lines`` are the continuations, the main one first. The root of a
    game has no move (0); its comment stands before the first one.
    """

    move: int = 0
    comment: str = ""
    marks: list[str] = field(default_factory=list)
    lines: list[Node] = field(default_factory=list)

    def add(self, move: int) -> Node:
        """The continuation with this move: one that is there, or a new last one."""
        for line in self.lines:
            if line.move == move:
                return line
        self.lines.append(Node(move))
        return self.lines[-1]

    def say(self, comment: str) -> None:
        """Add to the comment."""
        self.comment = f"{self.comment}\n{comment.strip()}".strip()

    @property
    def taken_back(self) -> bool:
        """Whether the move is marked as one that was taken back."""
        return _TAKEN_BACK in self.comment.split("\n")

    @taken_back.setter
    def taken_back(self, marked: bool) -> None:
        kept = [line for line in self.comment.split("\n") if line != _TAKEN_BACK]
        self.comment = "\n".join([*kept, _TAKEN_BACK] if marked else kept).strip()


@dataclass
class Record:
    """One game: tags and a tree of moves."""

    tags: dict[str, str] = field(default_factory=dict)
    root: Node = field(default_factory=Node)

    @property
    def fen(self) -> str:
        """The position it begins from."""
        return self.tags.get("FEN") or START_FEN

    @property
    def result(self) -> str:
        """One of ``RESULTS``."""
        return self.tags.get("Result", "*")

    def main_line(self) -> Iterator[Node]:
        """The nodes of the main line, without the root."""
        node = self.root
        while node.lines:
            node = node.lines[0]
            yield node

    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [node.move for node in self.main_line()]

    def standing(self) -> list[int]:
        """The moves of the main line as far as none was taken back."""
        return [node.move for node in takewhile(lambda node: not node.taken_back, self.main_line())]

    def board(self) -> Board:
        """The position at the end of the main line, with its history."""
        board = Board(self.fen, strict=False)
        for move in self.moves():
            board.play(move)
        return board

    def follow(self, moves: Iterable[int]) -> None:
        """Make these moves, from the start, the main line; what was there and differs stays as a variation.

        Where they end before the main line does, that goes on, marked as taken back.
        """
        node = self.root
        for move in moves:
            line = node.add(move)
            node.lines.remove(line)
            node.lines.insert(0, line)
            node = line
            line.taken_back = False
        if node.lines:
            node.lines[0].taken_back = True


# ---- reading


def read_pgn(data: bytes | str, encoding: str | None = None) -> list[Record]:
    """All games of a PGN text.

    Bytes are decoded as ``engines.text`` says. ``RecordError``, with the game, the move and the reason, at the first
    fault.
    """
    text = decode_text(data, encoding)
    text = "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith("%"))
    records: list[Record] = []
    for tags, movetext in _games(text):
        record = Record(tags)
        records.append(record)
        try:
            _read_moves(record, movetext)
        except ValueError as error:
            raise RecordError(f"game {len(records)}: {error}", records) from error
    return records


def read_file(path: str | Path, encoding: str | None = None) -> list[Record]:
    """All games of a PGN file; see ``read_pgn``."""
    return read_pgn(Path(path).read_bytes(), encoding)


def _games(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """The tags and the movetext of every game. A tag after moves, or moves after a result, begin the next one; not so
    in a variation, which may have a result of its own and may stand behind the game's.
    """
    tags: dict[str, str] = {}
    start = at = depth = 0
    ended = False

    def game(end: int) -> Iterator[tuple[dict[str, str], str]]:
        if tags or text[start:end].strip():
            yield dict(tags), text[start:end]

    while at < len(text):
        if text[at].isspace():
            at += 1
        elif match := _TAG.match(text, at):
            if text[start:at].strip():
                yield from game(at)
                tags.clear()
            tags.setdefault(match[1], re.sub(r'\\(["\\])', r"\1", match[2]))
            start = at = match.end()
            depth, ended = 0, False
        else:
            token = _TOKEN.match(text, at)
            assert token is not None  # the last alternative takes any character that is no space
            kind = token.lastgroup
            if ended and depth == 0 and kind in ("move", "number"):
                yield from game(at)
                tags.clear()
                start, ended = at, False
            depth = max(0, depth + (kind == "open") - (kind == "close"))
            ended = ended or (depth == 0 and kind == "result")
            at = token.end()
    yield from game(at)


def _read_moves(record: Record, text: str) -> None:
    """Fill a record's tree from its movetext."""
    board = Board(record.fen, strict=False)
    first_rank = _first_rank(text)
    path = [record.root]  # the nodes to where reading stands, the board at the last
    opened: list[list[Node]] = []  # the paths that variations interrupt
    ahead: str | None = None  # what is said in a variation ahead of its first move; None once that is read
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token.group()
        if kind in ("comment", "rest"):
            if ahead is None:
                path[-1].say(token[kind])
            else:
                ahead += token[kind] + "\n"
        elif kind == "open":
            if len(path) == 1 or ahead is not None:
                raise ValueError("a variation begins before any move")
            opened.append(path)
            path, ahead = path[:-1], ""
            board.undo()
        elif kind == "close":
            if not opened or ahead is not None:
                raise ValueError("a variation ends that never began")
            path = opened.pop()
            while len(board.history) > len(path) - 2:
                board.undo()
            board.play(path[-1].move)
        elif kind == "mark":
            path[-1].marks.append(word)
        elif kind == "result":
            if not opened:
                record.tags.setdefault("Result", word)
        elif kind == "move":
            try:
                move = _read_word(board, word, first_rank)
            except NotationError as error:
                raise NotationError(f"move {board.fullmove_number}: {error}", error.candidates) from error
            path = [*path, path[-1].add(move)]
            if ahead:
                path[-1].say(ahead)
            ahead = None
            board.play(move)
        elif kind == "stray":
            raise ValueError(f"move {board.fullmove_number}: {word!r} is out of place")
    if opened:
        raise ValueError("a variation never ends")


def _read_word(board: Board, word: str, first_rank: int | None) -> int:
    """The move a word names; a number may be stuck to its front (``12.25=6``)."""
    names = MoveNames(board)
    try:
        return names.read(word, first_rank)
    except NotationError:
        bare = re.sub(r"^\d+[.…．、]+", "", word)
        if bare in ("", word):
            raise
        return names.read(bare, first_rank)


def _first_rank(text: str) -> int | None:
    """What coordinates in the text call Red's back rank: 0 or 1; ``None`` where nothing tells."""
    ranks = {rank for match in _RANKS.finditer(re.sub(r"\{[^}]*\}", "", text)) for rank in match.groups()}
    return 1 if "10" in ranks else 0 if "0" in ranks else None


# ---- writing


def write_pgn(record: Record, notation: str = "simplified") -> str:
    """A game as PGN, its moves ``simplified``, ``traditional``, ``wxf`` or ``iccs``; ends with a newline.

    Raises ValueError for variations nested in one another by the hundred.
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
    try:
        _write_line(record.root, Board(record.fen, strict=False), notation, words, True)
    except RecursionError:
        raise ValueError("the variations are nested too deeply to be written") from None
    words.append(record.result if record.result in RESULTS else "*")
    return "\n".join([*lines, "", *_wrap(words), ""])


def _escape(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


def _comment(text: str) -> list[str]:
    """A comment, which can't hold a closing brace: a full-width one stands for it."""
    return ["{" + text.replace("}", "｝") + "}"]


def _write_line(node: Node, board: Board, notation: str, words: list[str], numbered: bool) -> None:
    """Write what follows a node. The board stands at it and is left there; ``numbered``: begin with a number."""
    made = 0
    while node.lines:
        main, *variations = node.lines
        _write_move(main, board, notation, words, numbered)
        for variation in variations:
            words.append("(")
            _write_move(variation, board, notation, words, True)
            board.play(variation.move)
            _write_line(variation, board, notation, words, bool(variation.comment))
            board.undo()
            words.append(")")
        numbered = bool(main.comment or variations)
        board.play(main.move)
        made += 1
        node = main
    for _ in range(made):
        board.undo()


def _write_move(node: Node, board: Board, notation: str, words: list[str], numbered: bool) -> None:
    if board.turn == 0:
        words.append(f"{board.fullmove_number}.")
    elif numbered:
        words.append(f"{board.fullmove_number}. ...")
    # Coordinates need no look at the other moves, as names do.
    words.append(iccs_name(node.move) if notation == "iccs" else MoveNames(board).write(node.move, notation))
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


def save(record: Record, path: str | Path, notation: str = "simplified", encoding: str = "utf-8") -> None:
    """Write a record to a file, whole or not at all: a crash leaves the file as it was."""
    path = Path(path)
    beside = path.with_name(path.name + ".part")
    with open(beside, "wb") as file:
        file.write(write_pgn(record, notation).encode(encoding, errors="replace"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


class Recorder:
    """Keeps one game in a file of its own, complete after every change. The file is made with the first move."""

    def __init__(
        self,
        directory: str | Path,
        tags: dict[str, str] | None = None,
        fen: str = START_FEN,
        notation: str = "simplified",
        encoding: str = "utf-8",
    ) -> None:
        """Keep a game in ``directory``, which is made where missing. ``Date`` is today's unless the tags have one."""
        self.record = Record({"Date": time.strftime("%Y.%m.%d"), **(tags or {})})
        if fen != START_FEN:
            self.record.tags["FEN"] = fen
        self.path: Path | None = None
        self._followed: list[int] = []
        self._directory = Path(directory)
        self._notation = notation
        self._encoding = encoding

    def follow(self, moves: Iterable[int]) -> None:
        """Record the moves played from the start; those that were taken back stay as a variation."""
        moves = list(moves)
        if moves != self._followed:
            self.record.follow(moves)
            self._followed = moves
            self._save()

    def finish(self, result: str, termination: str = "") -> None:
        """Record the result, one of ``RESULTS``, and in words how it came about."""
        if result not in RESULTS:
            raise ValueError(f"no result {result!r}: there are {', '.join(RESULTS)}")
        self.record.tags["Result"] = result
        if termination:
            self.record.tags["Termination"] = termination
        self._save()

    def _save(self) -> None:
        if self.path is None:
            self.path = self._new_path()
        save(self.record, self.path, self._notation, self._encoding)

    def _new_path(self) -> Path:
        """A file name of the time that no other game has, made at once so that none takes it."""
        self._directory.mkdir(parents=True, exist_ok=True)
        stem = time.strftime("%Y%m%d-%H%M%S")
        count = 0
        while True:
            count += 1
            path = self._directory / f"{stem}-{count}.pgn"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
