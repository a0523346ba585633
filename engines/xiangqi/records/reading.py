"""PGN text to ``Record``.

Reading looks at the moves themselves, whatever Format says or leaves out, and takes what other programs write: any
encoding of Chinese, White for Red, quotes inside a tag, numbers set close to the moves, in full width, with 、 behind
them or with nothing, results in words, marks of check, remarks in parentheses, and whatever stands behind a game: the
lines that some programs end their files with are left out.

Every character is looked at a fixed number of times, so that the work grows with the length of the text alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engines.files import read_bytes
from engines.text import binary_kind, decode_text, named_readings
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_of
from engines.xiangqi.notation import MoveNames, NotationError, looks_like_move
from engines.xiangqi.records.values import MAX_DEPTH, Node, Record, RecordError, read_result

MAX_BYTES = 32 * 1024 * 1024
"""The largest file that is read."""

MAX_PLIES = 4000
"""The longest line of moves that is read."""

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\.|[^"\\\n]|"(?!\s*\]))*)"\s*\]')
_TOKEN = re.compile(
    r"""\{(?P<comment>[^}]*)\}?      # a comment that is never closed lasts to the end
    | ;(?P<rest>[^\n]*)
    | (?P<open>[(（]) | (?P<close>[)）])
    | (?P<mark>\$\d+|[!?！？□∞±∓⩲⩱]+)
    | (?P<html></?[A-Za-z][^<>\n]*>)
    | (?P<result>(?:(?:1/2|0\.5|[01０１½])\ ?[-\u2010-\u2015\u2212－:：]\ ?(?:1/2|0\.5|[01０１½])|\*
        |(?i:red|white|black)\s(?:wins?|won|resign(?:s|ed)))(?![^\s({;)（）。.!<]))
    | (?P<number>\d+[.…．、]+(?!\d)|[.…．、]+|\d{1,3}(?=\s))
    | (?P<move>[^\s{}();!?$（）<！？□∞±∓⩲⩱]+)
    | (?P<stray>\S)""",
    re.VERBOSE,
)
_RULE = re.compile(r"([=\-_~#*＝－—─])\1{2,}")
_CHECK = re.compile(r"(?<=.)[+#†‡=]+$")
_NUMBER = re.compile(r"^\d+[.…．、]+")
_RANKS = re.compile(r"[KABEHNRCP]?[a-i]?(\d{1,3})?[-x]?[a-i](\d{1,3})|[A-I](\d{1,3})-?[A-I](\d{1,3})", re.ASCII)
_PLAIN = re.compile(r"([a-i])(\d|10)-?([a-i])(\d|10)", re.ASCII)
_LONGEST_WORD = 24


def read_pgn(data: bytes | str, encoding: str | None = None) -> list[Record]:
    """All games of a PGN text.

    Bytes are decoded as ``engines.text`` says. ``RecordError``, with the game, the move and the reason, at the first
    fault.
    """
    records = read_games(data, encoding)
    for number, record in enumerate(records, 1):
        if record.fault:
            raise RecordError(f"game {number}: {record.fault}", records[:number])
    return records


def read_games(data: bytes | str, encoding: str | None = None, rank_base: int | None = None) -> list[Record]:
    """All games of a PGN text, each as far as it can be read: ``Record.fault`` says why one ends early.

    ``rank_base``, 0 or 1, is what coordinates call Red's back rank; ``None`` takes what the whole game fits.
    ``RecordError`` for what is no text.
    """
    if isinstance(data, bytes):
        kind = binary_kind(data)
        if kind:
            raise RecordError(f"no PGN but {kind}", [])
    return list(read_text(_decode(data, encoding), rank_base))


def read_text(text: str, rank_base: int | None = None) -> Iterator[Record]:
    """As ``read_games``, from text and one after another. PlayOK's moves (``START{ … }END``) are no comment."""
    if "START{" in text:
        text = re.sub(r"START\{(.*?)\}(?:END)?", r"\n\1\n", text, flags=re.DOTALL)
    for game in _games(text):
        record = _read_movetext(game.tags, text[game.start : game.end], rank_base)
        if game.left_out:
            record.notes.insert(0, f"text behind the game is left out: {game.left_out[:40]!r}")
        yield record


def _read_movetext(tags: dict[str, str], text: str, rank_base: int | None) -> Record:
    """A game with its moves. What coordinates count their ranks from is tried on all of it, if nothing in it tells."""
    ranks = _ranks(text)
    if rank_base is not None or not ranks:
        return _attempt(tags, text, rank_base)
    if "10" in ranks or "0" in ranks:
        return _attempt(tags, text, int("10" in ranks))
    readings = [_attempt(tags, text, base) for base in (0, 1)]
    whole = [record for record in readings if not record.fault]
    if len(whole) == 2:
        if readings[0].root != readings[1].root:
            whole[0].notes.append("ranks may count from 0 or from 1: they are taken from 0")
        return whole[0]
    if whole:
        return whole[0]
    readings.append(_attempt(tags, text, None))
    return max(readings, key=lambda record: (not record.fault, len(record.moves())))


def _attempt(tags: dict[str, str], text: str, rank_base: int | None) -> Record:
    record = Record(dict(tags))
    try:
        _MoveReader(record, text, rank_base).read()
    except ValueError as error:
        record.fault = str(error)
    return record


def read_file(path: str | os.PathLike[str], encoding: str | None = None) -> list[Record]:
    """All games of a file, PGN or any other format of Xiangqi that its content tells; see ``read_pgn``. Raises OSError
    too, also for a file that is too large.
    """
    records = read_any(read_bytes(path, MAX_BYTES), encoding)
    for number, record in enumerate(records, 1):
        if record.fault:
            raise RecordError(f"game {number}: {record.fault}", records[:number])
    return records


def read_any(data: bytes, encoding: str | None = None) -> list[Record]:
    """All games of a file in whatever format of Xiangqi, each as far as it can be read: see ``read_games``.

    ``RecordError`` for what is no record of Xiangqi.
    """
    from engines.xiangqi.records.formats import format_of, read_foreign  # which read lists with what is here
    from engines.xiangqi.records.lists import read_untagged

    name = format_of(data)
    if not name:
        if binary_kind(data):
            return read_games(data, encoding)
        text = _decode(data, encoding)
        untagged = read_untagged(text)
        return list(read_text(text) if untagged is None else untagged)
    try:
        return read_foreign(data, name, encoding)
    except ValueError as error:
        raise RecordError(str(error), []) from None


def _decode(data: bytes | str, encoding: str | None) -> str:
    if isinstance(data, str) or encoding:
        return _without_escapes(decode_text(data, encoding))
    return decode_named(data)[0]


def decode_named(data: bytes) -> tuple[str, str]:
    """The text without escaped lines (``%``), and the name of its encoding; of several readings the one with the most
    words that look like moves.
    """
    best: tuple[int, str, str] | None = None
    for name, reading in named_readings(data):
        text = _without_escapes(reading)
        if data.isascii():
            return text, name
        moves, others = _words(text)
        if best is None or moves - others > best[0]:
            best = moves - others, text, name
        if not others:
            break
    assert best is not None  # there is one reading at least
    return best[1:]


def _without_escapes(text: str) -> str:
    return "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith("%"))


def _words(text: str) -> tuple[int, int]:
    """How many words of the movetext look like a move, and how many don't."""
    found = [
        _like_move(token.group())
        for game in _games(text)
        for token in _TOKEN.finditer(text, game.start, game.end)
        if token.lastgroup == "move" and not read_result(token.group())
    ]
    return sum(found), len(found) - sum(found)


@lru_cache(maxsize=8192)
def _looks(word: str) -> bool:
    return looks_like_move(word) or looks_like_move(_bare(word))


def _like_move(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and _looks(word)


def _bare(word: str) -> str:
    """A word without a number stuck to its front and a mark of check to its end."""
    return _CHECK.sub("", _NUMBER.sub("", word))


# ---- where games begin and end


@dataclass
class _Game:
    """The tags of a game, where its movetext stands, and the beginning of text behind it that is none of its."""

    tags: dict[str, str]
    start: int
    end: int
    left_out: str = ""


class _Splitter:
    """Finds the games of a text: see ``_games``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._no_tag_before = 0
        self._next_move = -1

    def tag(self, at: int) -> re.Match[str] | None:
        """The tag that begins here."""
        if self.text[at] != "[" or at < self._no_tag_before:
            return None
        match = _TAG.match(self.text, at)
        if match is None:
            # What has no end from here has none from any later place of the line either.
            line = self.text.find("\n", at)
            self._no_tag_before = len(self.text) if line < 0 else line
        return match

    def move_follows(self, at: int) -> bool:
        """Whether a word that looks like a move comes before the next tag."""
        if self._next_move < at:
            while at < len(self.text) and not (self.text[at] == "[" and self.tag(at)):
                token = _TOKEN.match(self.text, at)
                if token is not None and token.lastgroup == "move" and _like_move(token.group()):
                    self._next_move = at
                    return True
                at = token.end() if token is not None else at + 1
            self._next_move = at  # as far as anybody need look again
            self._none_before = at
            return False
        return self._next_move != self._none_before

    _none_before = -1

    def first_on_line(self, at: int) -> bool:
        """Whether nothing but blanks stands before this place on its line."""
        before = at - 1
        while before >= 0 and self.text[before] in " \t\u3000":
            before -= 1
        return before < 0 or self.text[before] == "\n"

    def begins_game(self, token: re.Match[str], with_moves: bool) -> bool:
        """Whether a further game without tags begins with this word: with its first move's number and a move; or, if
        ``with_moves``, with any number, or a move on a line of its own.
        """
        if token.lastgroup == "number":
            if not with_moves and token.group().rstrip(".…．、 ") not in ("1", "１"):
                return False
            then: re.Match[str] | None = token
            for _ in range(3):  # 7. ... H8+7
                then = _TOKEN.match(self.text, _skip_space(self.text, then.end())) if then is not None else None
                if then is None or then.lastgroup != "number":
                    break
            return then is not None and then.lastgroup == "move" and _like_move(then.group())
        return with_moves and _like_move(token.group()) and self.first_on_line(token.start())


def _games(text: str) -> Iterator[_Game]:
    """The games of a text. A tag after moves, or moves after a result, begin the next one; not so in a variation, which
    may have a result of its own and may stand behind the game's. A game also ends with a line drawn of one sign
    (``====``), or where lines follow in which nothing looks like a move.
    """
    splitter = _Splitter(text)
    tags: dict[str, str] = {}
    start = at = depth = 0
    end = -1  # of the movetext, where text follows that is none of the game's
    played = False  # whether there is more than remarks
    ended = ""  # "result", or "text" where anything else ends the game

    def game(to: int) -> Iterator[_Game]:
        stop = to if end < 0 else end
        if tags or text[start:stop].strip():
            yield _Game(dict(tags), start, stop, text[end:to].strip() if end >= 0 else "")

    while at < len(text):
        if text[at].isspace():
            at = _skip_space(text, at)
        elif match := splitter.tag(at):
            if text[start:at].strip() and (played or match[1] in tags):  # else a remark among the tags
                yield from game(at)
                tags.clear()
            tags.setdefault(match[1], re.sub(r'\\(["\\])', r"\1", match[2]))
            start = at = match.end()
            depth, ended, end, played = 0, "", -1, False
        else:
            token = _TOKEN.match(text, at)
            assert token is not None  # the last alternative takes any character that is no space
            kind, word = token.lastgroup, token.group()
            if kind == "move" and depth == 0 and read_result(word):
                kind = "result"
            if ended:
                if depth == 0 and kind in ("move", "number") and splitter.begins_game(token, ended == "result"):
                    yield from game(at)
                    tags.clear()
                    start, ended, end = at, "", -1
                elif depth == 0 and kind == "move" and end < 0:
                    end = at
            elif depth == 0 and kind == "result":
                ended = "result"
            elif depth == 0 and kind == "move" and (tags or start < at) and _ends_game(splitter, word, at):
                ended, end = "text", at
            played = played or kind not in ("comment", "rest", "html")
            depth = max(0, depth + (kind == "open") - (kind == "close"))
            at = token.end()
    yield from game(at)


def _ends_game(splitter: _Splitter, word: str, at: int) -> bool:
    """Whether a word is no part of the movetext, and neither is what follows it."""
    if not splitter.first_on_line(at) or _like_move(word):
        return False
    return _RULE.match(word) is not None or not splitter.move_follows(at)


_SPACE = re.compile(r"\s*")


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


# ---- the moves of a game


@dataclass
class _Place:
    """A node with the way to it; ``plies`` are the moves up to it."""

    node: Node
    before: _Place | None = None
    plies: int = 0


class _MoveReader:
    """Fills a record's tree from its movetext."""

    def __init__(self, record: Record, text: str, first_rank: int | None) -> None:
        """ValueError for a FEN that is none."""
        self._record = record
        self._text = text
        self._board = Board(record.fen, strict=False)
        self._first_rank = first_rank
        self._place = _Place(record.root)
        self._plies = 0  # moves on the board
        self._opened: list[_Place] = []  # where variations interrupt what is read
        self._ahead: list[str] | None = None  # what is said in a variation ahead of its first move; None after it
        self._said: dict[int, tuple[Node, list[str]]] = {}
        self._ended = False

    def read(self) -> None:
        """Read all of it. ValueError, with the move, where it can't be read on; what came before is in the record."""
        try:
            at = 0
            while (token := _TOKEN.match(self._text, _skip_space(self._text, at))) is not None:
                at = self._take(token)
            if self._opened:
                raise ValueError("a variation never ends")
        finally:
            for node, parts in self._said.values():
                node.say("\n".join(part.strip() for part in parts))

    def _take(self, token: re.Match[str]) -> int:
        """Take one token; gives where to go on."""
        kind, word = token.lastgroup, token.group()
        if kind == "move" and not self._opened and read_result(word):
            kind = "result"
        if kind in ("comment", "rest"):
            self._say(token[kind])
        elif kind == "open":
            remark = self._remark(token)
            if remark is not None:
                return remark
            self._open()
        elif kind == "close":
            self._close()
        elif kind == "result":
            if not self._opened:
                self._ended = True
                self._record.tags.setdefault("Result", read_result(word) or "*")
        elif self._ended and not self._opened:
            pass  # text behind the result
        elif kind == "mark":
            self._place.node.marks.append(word)
        elif kind == "move":
            self._move(word)
        elif kind == "stray":
            raise ValueError(f"move {self._board.fullmove_number}: {word!r} is out of place")
        return token.end()

    def _say(self, text: str) -> None:
        if self._ahead is not None:
            self._ahead.append(text)
            return
        node = self._place.node
        self._said.setdefault(id(node), (node, []))[1].append(text)

    def _remark(self, token: re.Match[str]) -> int | None:
        """Where a remark in parentheses ends, which is kept as a comment; ``None`` for a variation."""
        at = token.end()
        while (then := _TOKEN.match(self._text, _skip_space(self._text, at))) and then.lastgroup in (
            "number",
            "comment",
        ):
            at = then.end()
        if then is None or then.lastgroup not in ("move", "close") or _like_move(then.group()):
            return None
        end = re.compile(r"[()（）]").search(self._text, token.end())
        if end is None or end.group() in "(（":
            return None
        if not self._ended:
            self._say(self._text[token.end() : end.start()])
        return end.end()

    def _open(self) -> None:
        if self._place.before is None or self._ahead is not None:
            raise ValueError("a variation begins before any move")
        if len(self._opened) >= MAX_DEPTH:
            raise ValueError(f"variations lie more than {MAX_DEPTH} deep in one another")
        self._opened.append(self._place)
        self._place, self._ahead = self._place.before, []
        self._undo()

    def _close(self) -> None:
        if self._ended and not self._opened:
            return
        if not self._opened or self._ahead is not None:
            raise ValueError("a variation ends that never began")
        self._place = self._opened.pop()
        while self._plies >= self._place.plies:
            self._undo()
        self._play(self._place.node.move)

    def _move(self, word: str) -> None:
        try:
            move = _read_word(self._board, word, self._first_rank)
        except NotationError as error:
            raise NotationError(f"move {self._board.fullmove_number}: {error}", error.candidates) from error
        if self._place.plies >= MAX_PLIES:
            raise ValueError(f"the game is longer than {MAX_PLIES} plies")
        self._place = _Place(self._place.node.add(move), self._place, self._place.plies + 1)
        ahead, self._ahead = self._ahead, None
        for text in ahead or ():
            self._say(text)
        self._play(move)

    def _play(self, move: int) -> None:
        self._board.play(move)
        self._plies += 1

    def _undo(self) -> None:
        self._board.undo()
        self._plies -= 1


def _read_word(board: Board, word: str, first_rank: int | None) -> int:
    """The move a word names; a number may be stuck to its front (``12.25=6``), marks of check to its end."""
    if len(word) > _LONGEST_WORD:
        raise NotationError(f"{word[:_LONGEST_WORD]!r}… is no move in any notation known here")
    match = _PLAIN.fullmatch(word.lower() if word.isupper() else word)
    if match is not None and first_rank is not None:  # no look at the other moves is needed
        origin, target = (
            (int(match[rank]) - first_rank) * 9 + "abcdefghi".index(match[file]) for file, rank in ((1, 2), (3, 4))
        )
        if 0 <= origin < 90 and 0 <= target < 90 and board.is_legal(move_of(origin, target)):
            return move_of(origin, target)
    names = MoveNames(board)
    try:
        return names.read(word, first_rank)
    except NotationError:
        for other in dict.fromkeys((_CHECK.sub("", word), _NUMBER.sub("", word), _bare(word))):
            if other and other != word and looks_like_move(other):
                return names.read(other, first_rank)
        raise


def _ranks(text: str) -> set[str]:
    """The ranks that coordinates in the text name."""
    ranks: set[str] = set()
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "move":
            word = _bare(token.group()[:_LONGEST_WORD])
            match = _RANKS.fullmatch(word)
            if match is not None:
                ranks.update(filter(None, match.groups()))
    return ranks
