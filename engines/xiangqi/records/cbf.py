"""CBF, CCBridge's record as XML (``ChineseChessRecord``): read, and its main line written.

Points are two digits, the file and the rank, both from the upper left. The first move goes from a point to itself and
has the comment before the first move; ``end="1"`` marks the last of a line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from engines.xiangqi.board import Board
from engines.xiangqi.fen import Fen, read_fen, tidy_fen, write_fen
from engines.xiangqi.geometry import move_from, move_to
from engines.xiangqi.records.steps import Grower, set_up
from engines.xiangqi.records.values import Record, read_result

_ROOT = "ChineseChessRecord"
_TAGS = {
    "Name": "Title",
    "Contest": "Event",
    "Round": "Round",
    "Group": "Group",
    "Table": "Board",
    "Date": "Date",
    "Site": "Site",
    "TimeRule": "TimeControl",
    "Red": "Red",
    "RedTeam": "RedTeam",
    "RedTime": "RedTime",
    "RedRating": "RedElo",
    "Black": "Black",
    "BlackTeam": "BlackTeam",
    "BlackTime": "BlackTime",
    "BlackRating": "BlackElo",
    "Referee": "Referee",
    "Recorder": "Recorder",
    "Commentator": "Annotator",
    "Creator": "Author",
    "ECCO": "ECCO",
}
_RESULTS = {"1": "1-0", "2": "0-1", "3": "1/2-1/2", "4": "1/2-1/2"}
_CDATA = r"<!\[CDATA\[(.*?)(?:\]\]>|$)"
_ELEMENT = re.compile(rf"<(\w+)(?:\s[^<>]*)?>\s*(?:{_CDATA}|([^<]*))\s*</\1\s*>", re.DOTALL)
_MOVE = re.compile(
    rf"""<Move\b([^<>]*?)(?:/>|>\s*(?:{_CDATA}|([^<]*)))""",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_STEP = re.compile(r"\s*(\d)(\d)\s*-?\s*(\d)(\d)\s*")
_COORDINATES = re.compile(r"\s*([a-iA-I])(\d)\s*-?\s*([a-iA-I])(\d)\s*")


def is_cbf(text: str) -> bool:
    """Whether a text begins as a CBF file does."""
    return _ROOT in text[:4000]


def read_cbf(text: str) -> Iterator[Record]:
    """The games of a text with CBF in it: one in most, but several may be put together."""
    starts = [found.start() for found in re.finditer(f"<{_ROOT}", text)] or [0]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield _read(text[begin:end])


def _read(text: str) -> Record:
    """XML is looked at piece by piece, so that a file that is cut off or has a stray sign is read as far as it goes."""
    head, _, tail = text.partition("<MoveList")
    record = Record()
    fen = ""
    result = "*"
    for name, cdata, plain in _ELEMENT.findall(head):
        value = cdata.strip() or html.unescape(plain).strip()
        if name == "FEN":
            fen = value
        elif name == "RecordResult":
            result = _RESULTS.get(value) or read_result(value) or "*"
        elif value and name in _TAGS:
            record.tags[_TAGS[name]] = value
    record.tags["Result"] = result
    steps = [(_square(found[1]), found) for found in _MOVE.finditer(tail) if _square(found[1])]
    moves = [place for place, _ in steps if place and place[0] != place[1]]
    board = set_up(record, _fen(fen, moves[0][0] if moves else None))
    if board is None:
        return record
    grower = Grower(record, board)
    ended = False
    for place, found in steps:
        assert place is not None
        comment = found[2] if found[2] is not None else html.unescape(found[3] or "")
        if place[0] == place[1]:
            if not grower.plies:
                record.root.say(comment)
            continue
        if ended:
            record.notes.append("moves behind the end of the line are left out")
            break
        node = grower.play(*place)
        if node is None:
            break
        if comment.strip():
            node.say(comment)
        ended = {name: one or two for name, one, two in _ATTRIBUTE.findall(found[1])}.get("end") == "1"
    if "</MoveList" not in tail:
        record.notes.append("the record is cut off")
    return record


def _square(attributes: str) -> tuple[int, int] | None:
    """The squares that a move's value names; ``None`` where it names none."""
    for name, one, two in _ATTRIBUTE.findall(attributes):
        if name.lower() != "value":
            continue
        value = one or two
        if match := _STEP.fullmatch(value):
            a, b, c, d = map(int, match.groups())
            return ((9 - b) * 9 + a, (9 - d) * 9 + c) if a < 9 and c < 9 else (90, 91)
        if match := _COORDINATES.fullmatch(value):
            a, c = ("abcdefghi".index(match[i].lower()) for i in (1, 3))
            return int(match[2]) * 9 + a, int(match[4]) * 9 + c
    return None


def _fen(text: str, first: int | None) -> str:
    """The position that the head tells; whose piece moves first is to move."""
    from engines.xiangqi.fen import START_FEN, FenError

    text, _ = tidy_fen(text)
    if not text:
        return START_FEN
    try:
        fen = read_fen(text, strict=False)
    except FenError:
        return text
    if first is not None and first < 90 and fen.pieces[first]:
        fen = Fen(fen.pieces, fen.pieces[first] >> 3, fen.clock, fen.number)
    return write_fen(fen)


def write_cbf(record: Record) -> tuple[str, list[str]]:
    """A game's main line as CBF, and what of the game is left out."""
    lost = []
    known = {*_TAGS.values(), "Game", "Format", "FEN", "Result"}
    further = [name for name, value in record.tags.items() if name not in known and value]
    if further:
        lost.append("tags " + ", ".join(further))
    code = {result: code for code, result in reversed(_RESULTS.items())}.get(record.result, "0")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{_ROOT} Version="1.0">', " <Head>"]
    for name, tag in _TAGS.items():
        value = html.escape(record.tags.get(tag, ""), quote=False)
        lines.append(f"  <{name}>{value}</{name}>" if value else f"  <{name} />")
    lines.append(f"  <RecordResult>{code}</RecordResult>")
    lines.append(f"  <FEN>{Board(record.fen, strict=False).fen()}</FEN>")
    lines += [" </Head>", " <MoveList>", _move("00-00", record.root.comment, not record.root.lines)]
    node = record.root
    branches = marks = False
    while node.lines:
        branches = branches or len(node.lines) > 1
        node = node.lines[0]
        marks = marks or bool(node.marks)
        value = "-".join(f"{square % 9}{9 - square // 9}" for square in (move_from(node.move), move_to(node.move)))
        lines.append(_move(value, node.comment, not node.lines))
    lines += [" </MoveList>", f"</{_ROOT}>", ""]
    if branches:
        lost.append("variations")
    if marks:
        lost.append("marks of moves")
    return "\n".join(lines), lost


def _move(value: str, comment: str, last: bool) -> str:
    end = ' end="1"' if last else ""
    if not comment:
        return f'  <Move value="{value}"{end} />'
    return f'  <Move value="{value}"{end}><![CDATA[{comment.replace("]]>", "]] >")}]]></Move>'
