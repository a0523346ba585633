"""Moves without tags: lists of moves in any notation, the digits of DhtmlXQ alone, positions in FEN or EPD a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engines.xiangqi.board import Board
from engines.xiangqi.epd import read_epd
from engines.xiangqi.fen import START_FEN, FenError, tidy_fen
from engines.xiangqi.notation import looks_like_move
from engines.xiangqi.records.dhtmlxq import moves_of
from engines.xiangqi.records.reading import read_text
from engines.xiangqi.records.steps import Grower, placement, position, set_up
from engines.xiangqi.records.values import Record, read_result

_LEAST = 6
"""Moves a line on average from which on each line is taken for a game of its own."""

_PLACEMENT = re.compile(r"(?<![A-Za-z1-9/])[A-Za-z1-9]{1,9}(?:/[A-Za-z1-9]{1,9}){9}(?![A-Za-z1-9/])")
_FEN = re.compile(
    _PLACEMENT.pattern
    + r"(?:\s+[wrbWRB](?![A-Za-z0-9-])(?:\s+-(?=\s|$))*(?:\s+\d{1,5}(?![\d.…．、]))?(?:\s+\d{1,5}(?![\d.…．、]))?)?"
)
_TAG = re.compile(r'^\s*\[\s*[A-Za-z]\w*\s+"[^\n]*"\s*\]', re.MULTILINE)
_SAMPLE = 1 << 20
_LATER = re.compile(r"\s*(?:[2-9]|[1-9]\d+)\s*[.…．、]")
"""The number of a move that is not the first, at the beginning of a line."""
_COMMENT = re.compile(r"\{[^}]*\}")
_NO_BREAK = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What ``str.splitlines`` does not end a line at."""
_DIGITS = re.compile(r"[\d\s,;|]+")
_GLUED = re.compile(r"(?:[a-iA-I][0-9]-?[a-iA-I][0-9]){2,}")
_CHINESE = "车車俥马馬傌相象仕士帅帥将將炮包砲兵卒前中后後一二三四五六七八九１２３４５６７８９0-9进進退平上下"
_GLUED_CHINESE = re.compile(rf"(?<![{_CHINESE}])(?:[{_CHINESE}]{{4}}){{2,}}(?![{_CHINESE}])")
_QUOTES = str.maketrans("\"'`,;，；[]", "         ")
_HEADS = {
    "红方": "Red",
    "紅方": "Red",
    "红": "Red",
    "黑方": "Black",
    "黑": "Black",
    "赛事": "Event",
    "赛事名称": "Event",
}
_HEADS |= {"日期": "Date", "地点": "Site", "标题": "Title", "棋谱标题": "Title", "结果": "Result"}
_HEADS |= {
    name: name
    for name in ("Event", "Site", "Date", "Round", "Red", "RedTeam", "Black", "BlackTeam", "Result", "Title", "Opening")
}
_HEADS |= {
    name: name for name in ("Group", "Board", "TimeControl", "RedTime", "BlackTime", "Annotator", "Author", "ECCO")
}
_HEAD = re.compile(r"\s*([^\s：:]{1,12})\s*[：:]\s*(.*)")


def has_tags(text: str) -> bool:
    """Whether a text has a line that is a tag of PGN, or PlayOK's mark of where moves begin."""
    return "START{" in text or _TAG.search(text) is not None


def read_untagged(text: str, rank_base: int | None = None) -> Iterator[Record] | None:
    """The games of a text without tags: positions a line, or a list of moves. ``None`` for any other text."""
    sample = text[:_SAMPLE]
    if has_tags(sample):
        return None
    if has_positions(sample):
        return read_positions(text.splitlines(), rank_base)
    return read_list(text, rank_base) if moves_in(sample[:20000])[0] or read_digits(text) is not None else None


def has_positions(text: str) -> bool:
    """Whether the lines of a text begin with positions."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")][:20]
    return bool(lines) and all(_begins_position(line) for line in lines)


def _begins_position(line: str) -> bool:
    words = line.replace("[", " ").split()
    while words and words[0].lower() in ("position", "fen"):
        del words[0]
    return bool(words) and (words[0] == "startpos" or _PLACEMENT.match(words[0]) is not None)


def moves_in(text: str) -> tuple[int, int]:
    """How many words of a text look like moves, and how many don't."""
    words = [re.sub(r"^\d+[.…．、]+", "", word) for word in _unglued(text).translate(_QUOTES).split()]
    words = [word for word in words if word.strip(".…．、") and not word.isdigit() and not read_result(word)]
    found = sum(len(word) <= 24 and looks_like_move(word) for word in words)
    return found, len(words) - found


def _unglued(text: str) -> str:
    """The text with a blank between moves that stand close to each other."""
    text = _GLUED.sub(lambda run: " ".join(re.findall(r"[a-iA-I]\d-?[a-iA-I]\d", run.group())), text)

    def cut(run: re.Match[str]) -> str:
        moves = [run.group()[at : at + 4] for at in range(0, len(run.group()), 4)]
        return " ".join(moves) if all(map(looks_like_move, moves)) else run.group()

    return _GLUED_CHINESE.sub(cut, text)


def read_line(line: str, rank_base: int | None = None) -> Record:
    """The game of a line: a position or not, then moves or the operations of EPD."""
    line = re.sub(r"^\s*(?:position\s+)?(?:fen\s+)?", "", line, flags=re.IGNORECASE)
    line = re.sub(r"^startpos\b", "", line)
    epd = read_epd(line) if not line.lstrip().startswith("[") else None
    if epd is not None and (epd.operations or not epd.comment or not moves_in(epd.comment)[0]):
        record = Record()
        set_up(record, epd.fen)
        if epd.name:
            record.tags["Title"] = epd.name
        record.tags |= {
            name: value for name, value in epd.operations.items() if name not in ("id", "hmvc", "fmvn") and value
        }
        record.tags["Result"] = "*"
        return record
    return _read_one(line, rank_base)


def read_positions(lines: Iterable[str], rank_base: int | None = None) -> Iterator[Record]:
    """A game a line; a line that begins with ``#`` is a comment."""
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            yield read_line(line, rank_base)


def read_digits(text: str) -> Record | None:
    """A game told by the digits of DhtmlXQ alone, with or without the 64 of the set-up; ``None`` for another text."""
    if not _DIGITS.fullmatch(text):
        return None
    runs = re.findall(r"\d+", text)
    digits = "".join(runs)
    setup = ""
    if len(runs) > 1 and len(runs[0]) == 64:
        setup, digits = digits[:64], digits[64:]
    if len(digits) < 4:
        return None
    moves = moves_of(digits)
    record = Record()
    fen = START_FEN
    if setup:
        points = [int(setup[at : at + 2]) for at in range(0, 64, 2)]
        try:
            pieces = placement([(9 - point % 10) * 9 + point // 10 if point < 90 else None for point in points])
        except ValueError:
            return None
        fen = position(pieces, None, moves[0][0])
    board = set_up(record, fen)
    if board is None:
        return record
    grower = Grower(record, board)
    for move in moves:
        if grower.play(*move) is None:
            break
    return record


def read_list(text: str, rank_base: int | None = None) -> Iterator[Record]:
    """The games of a list of moves: one over all lines, or one a line."""
    digits = read_digits(text)
    if digits is not None:
        yield digits
        return
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    counts = [moves_in(line)[0] for line in lines]
    one_each = len(lines) > 1 and all(counts)
    # A whole of one game reads from its first line on; lines of a game each read from their own beginnings.
    if any(re.match(r"\s*\[?\s*" + _PLACEMENT.pattern, line) for line in lines[1:]):
        yield from (read_line(line, rank_base) for line in lines)
        return
    goes_on = any(_LATER.match(line) for line in lines[1:])
    if one_each and not goes_on and sum(counts) >= _LEAST * len(lines) and _reads(lines[:5], rank_base):
        yield from (read_line(line, rank_base) for line in lines)
        return
    whole = _read_all(text, rank_base)
    if one_each and (len(whole) != 1 or whole[0].fault) and _reads(lines[:5], rank_base):
        yield from (read_line(line, rank_base) for line in lines)
        return
    if len(whole) == 1 and whole[0].fault and len(blocks := _blocks(text)) > 1:
        parts = [record for block in blocks for record in _read_all(block, rank_base)]
        if sum(len(record.moves()) for record in parts) > len(whole[0].moves()):
            whole = parts
    yield from whole


def _blocks(text: str) -> list[str]:
    """The parts of a text that begin with lines in which nothing looks like a move, and go on with lines of moves."""
    blocks: list[list[str]] = [[]]
    moves = False
    for line in text.splitlines():
        if not line.strip():
            continue
        if _is_movetext(line):
            moves = True
        elif moves and not moves_in(line)[0]:
            blocks.append([])
            moves = False
        blocks[-1].append(line)
    return ["\n".join(block) for block in blocks if block]


def _reads(lines: list[str], rank_base: int | None) -> bool:
    return not any(read_line(line, rank_base).fault for line in lines)


def _read_one(text: str, rank_base: int | None) -> Record:
    games = _read_all(text, rank_base)
    return games[0] if games else Record({"Result": "*"})


def _read_all(text: str, rank_base: int | None) -> list[Record]:
    """A list as PGN without tags; what stands before the moves may tell the position and the players."""
    text = re.sub(r"^\s*(moves\b)", "", text, flags=re.IGNORECASE)
    lines = text.splitlines()
    tags: dict[str, str] = {}
    bare = _COMMENT.sub(lambda comment: _NO_BREAK.sub(" ", comment.group()), text).splitlines()
    begin = next((i for i, line in enumerate(bare) if _is_movetext(line)), len(lines))
    fen = _FEN.search("\n".join(lines[: begin + 1]))
    if fen is not None:
        tidy, _ = tidy_fen(fen.group())
        tags["FEN"] = tidy
    for line in lines[:begin]:
        head = _HEAD.match(line)
        if head is not None and head[1] in _HEADS and head[2].strip():
            tags[_HEADS[head[1]]] = head[2].strip()
    moves = "\n".join(lines[begin:])
    if fen is not None:
        moves = moves.replace(fen.group(), " ", 1)
    moves = re.sub(r"^\s*\]?\s*(?:moves\b)?", "", _unglued(moves), flags=re.IGNORECASE)
    if moves.lstrip().startswith(('"', "'", "[")):
        moves = moves.translate(_QUOTES)
    if not moves.strip():
        told = next((result for line in lines if (result := read_result(line.strip()))), "*")
        record = Record({"Result": told} | tags)
        _check(record)
        return [record]
    if not re.search(r"[{(（]", moves):
        moves = re.sub(r"[,，;；|]", " ", moves)
    found = list(read_text(_as_tags(tags) + moves, rank_base))
    if found and fen is not None and len(fen.group().split()) < 2 and found[0].fault and not found[0].root.lines:
        # Nothing says whose move it is: the moves do.
        other = {**tags, "FEN": tags["FEN"].split()[0] + " b"}
        again = list(read_text(_as_tags(other) + moves, rank_base))
        if again and again[0].root.lines:
            return again
    return found


def _as_tags(tags: dict[str, str]) -> str:
    lines = (f'[{name} "{value.replace(chr(92), "").replace(chr(34), chr(39))}"]' for name, value in tags.items())
    return "\n".join([*lines, "", ""])


def _is_movetext(line: str) -> bool:
    """Whether a line has moves, and more of them than words that are none."""
    bare = re.sub(r"\bmoves\b", " ", _FEN.sub(" ", line), flags=re.IGNORECASE)
    if _FEN.search(line) and not bare.strip(" []\t"):
        return False
    moves, others = moves_in(re.sub(r"[（(][^）)]*[）)]|\{[^}]*\}", " ", bare))
    if moves > others:
        return True
    first = re.sub(r"^[\s\d.…．、]+", "", bare).split()
    return moves > 0 and bool(first) and len(first[0]) <= 24 and looks_like_move(first[0])


def _check(record: Record) -> None:
    try:
        Board(record.fen, strict=False)
    except FenError as error:
        record.fault = str(error)
