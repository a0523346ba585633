"""DhtmlXQ, the text of 东萍象棋网 and of forums that show its board (UBB), also within a page that was saved: read and
written. 打虎将's variety (DHJHtmlXQ), which counts ranks from below, is read too.

Each fact stands between ``[DhtmlXQ_name]`` and ``[/DhtmlXQ_name]``: ``binit`` has the points of the 32 pieces (file and
rank from the upper left, 99 off the board), ``movelist`` the main line, four digits a move; ``move_P_N_B`` is variation
B, which takes the place of the N-th move of line P; ``commentN`` stands behind the N-th move of the main line,
``commentB_N`` of variation B.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN, Fen, FenError, read_fen, tidy_fen, write_fen
from engines.xiangqi.geometry import move_from, move_to
from engines.xiangqi.records.steps import MAX_STEPS, Grower, placement, points_of, position, set_up
from engines.xiangqi.records.values import Node, Record, read_result

_FIELD = re.compile(r"\[DhtmlXQ_(\w+)\](.*?)(?=\[/?DhtmlXQ)", re.DOTALL | re.IGNORECASE)
_HUNTER = re.compile(r"\[/?DHJHtmlXQ", re.IGNORECASE)
_GAME = re.compile(r"\[(?:DHJHtmlXQ|DhtmlXQ(?:HTML|iFrame)?)\]", re.IGNORECASE)
_TELLS = re.compile(r"\[(?:DHJHtmlXQ|DhtmlXQ)_(?:movelist|binit|fen|3[14]|move_)", re.IGNORECASE)
_MOVES = re.compile(r"move_(\d{1,6})_(\d{1,4})_(\d{1,6})")
_COMMENT = re.compile(r"comment(?:(\d{1,6})_)?(\d{1,4})")
_TAGS = {
    "title": "Title",
    "event": "Event",
    "class": "EventClass",
    "group": "Group",
    "place": "Site",
    "round": "Round",
    "table": "Board",
    "date": "Date",
    "timerule": "TimeControl",
    "red": "Red",
    "redteam": "RedTeam",
    "redtime": "RedTime",
    "redrating": "RedElo",
    "black": "Black",
    "blackteam": "BlackTeam",
    "blacktime": "BlackTime",
    "blackrating": "BlackElo",
    "open": "Opening",
    "ecco": "ECCO",
    "remark": "Annotator",
    "author": "Author",
    "refer": "Source",
}
_RESULT_WORDS = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋", "*": "未知"}
_HUNTER_NAMES = {"31": "fen", "32": "startplayer", "33": "startstep", "34": "movelist"}


def is_dhtmlxq(text: str) -> bool:
    """Whether there is such a record in a text."""
    return _TELLS.search(text) is not None


def read_dhtmlxq(text: str) -> Iterator[Record]:
    """All games of a text."""
    starts = [found.start() for found in _GAME.finditer(text)] or [0]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if _TELLS.search(text, begin, end):
            yield _read(text[begin:end])


def _fields(text: str) -> dict[str, str]:
    """The facts by their names; of one that is told twice the first."""
    hunter = _HUNTER.search(text) is not None
    text = re.sub(r"(\[/?)DHJHtmlXQ", r"\1DhtmlXQ", text, flags=re.IGNORECASE)
    found: dict[str, str] = {}
    for name, value in _FIELD.findall(text + "[/DhtmlXQ"):
        name = name.lower()
        if hunter:
            name = _HUNTER_NAMES.get(name, name).replace("game_comment_", "comment").replace("comment_", "comment")
        found.setdefault(name, value)
    if hunter and "movelist" in found:
        digits = re.sub(r"\D", "", found["movelist"])
        found["movelist"] = "".join(str(9 - int(digit)) if i % 2 else digit for i, digit in enumerate(digits))
        board = found.get("fen", "").strip()
        if len(board) == 90:
            rows = ["".join(board[at : at + 9]) for at in range(0, 90, 9)]
            rows = [re.sub(r"\*+", lambda run: str(len(run.group())), row) for row in rows]
            found["fen"] = "/".join(rows) + (" b" if found.get("startplayer", "").strip() == "1" else " w")
    return found


def _plain(text: str) -> str:
    """The text of a field: line ends, HTML and ``\\uXXXX`` undone."""
    text = re.sub(r"<br\s*/?>|\|\|", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"<[^<>]*>", "", text)
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text)
    lines = html.unescape(text).encode("utf-8", "replace").decode().replace("\xa0", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def moves_of(text: str) -> list[tuple[int, int]]:
    """The moves of a list of digits, squares from and to; what is behind an odd number of digits is left out."""
    digits = re.sub(r"[^0-9]", "", re.sub(r"<[^<>]*>", "", text))
    found = []
    for at in range(0, len(digits) - 3, 4):
        a, b, c, d = map(int, digits[at : at + 4])
        found.append(((9 - b) * 9 + a if a < 9 else 90, (9 - d) * 9 + c if c < 9 else 90))
    return found


def _read(text: str) -> Record:
    fields = _fields(text)
    record = Record()
    for name, tag in _TAGS.items():
        value = _plain(fields.get(name, "")).replace("\n", " ").strip()
        if value:
            record.tags[tag] = value
    for name, tag in (("redname", "Red"), ("blackname", "Black")):
        value = _plain(fields.get(name, "")).strip()
        if value and tag not in record.tags:
            record.tags[tag] = value
    record.tags["Result"] = read_result(_plain(fields.get("result", ""))) or "*"
    main = moves_of(fields.get("movelist", "") or fields.get("move_0_1_0", ""))
    try:
        fen = _position(fields, main[0][0] if main else None)
    except ValueError as error:
        record.fault = str(error)
        return record
    board = set_up(record, fen)
    if board is None:
        return record
    comments: dict[tuple[int, int], str] = {}
    for name, value in fields.items():
        if match := _COMMENT.fullmatch(name):
            comments[int(match[1] or 0), int(match[2])] = _plain(value)
    record.root.say(comments.pop((0, 0), ""))
    grower = Grower(record, board)
    lines: dict[int, list[tuple[int, int]]] = {0: main}
    _line(grower, comments, 0, 0, main)
    _variations(record, grower, fields, lines, comments)
    return record


def _position(fields: dict[str, str], first: int | None) -> str:
    """The position it begins from. ValueError for one that is none."""
    text, _ = tidy_fen(_plain(fields.get("fen", "")))
    if text:
        try:
            fen = read_fen(text, strict=False)
            turn = fen.pieces[first] >> 3 if first is not None and first < 90 and fen.pieces[first] else fen.turn
            return write_fen(Fen(fen.pieces, turn, fen.clock, fen.number))
        except FenError:
            if "binit" not in fields:
                return text
    digits = re.sub(r"\D", "", fields.get("binit", ""))
    if not digits:
        pieces = list(read_fen(START_FEN).pieces)
        return position(pieces, 0, first)
    points = [int(digits[at : at + 2]) for at in range(0, min(len(digits), 64), 2)]
    points += [99] * (32 - len(points))
    squares = [(9 - point % 10) * 9 + point // 10 if point < 90 else None for point in points]
    return position(placement(squares), None, first)


def _line(
    grower: Grower, comments: dict[tuple[int, int], str], line: int, before: int, moves: list[tuple[int, int]]
) -> None:
    """Play a line's moves; the first of them is the one after ``before``."""
    for number, move in enumerate(moves, before + 1):
        node = grower.play(*move)
        if node is None:
            return
        comment = comments.get((line, number))
        if comment:
            node.say(comment)


def _variations(
    record: Record,
    grower: Grower,
    fields: dict[str, str],
    lines: dict[int, list[tuple[int, int]]],
    comments: dict[tuple[int, int], str],
) -> None:
    """Grow the variations, each from the line that it leaves, which may stand behind it in the text."""
    waiting: dict[int, list[tuple[int, int, list[tuple[int, int]]]]] = {}
    total = len(lines[0])
    for name, value in fields.items():
        match = _MOVES.fullmatch(name)
        if match is None or int(match[3]) == 0:
            continue
        parent, number, line = map(int, match.groups())
        moves = moves_of(value)
        total += len(moves)
        if total > MAX_STEPS:
            record.notes.append(f"only the first {MAX_STEPS} moves are read")
            break
        waiting.setdefault(parent, []).append((number, line, moves))
    # A line's whole way: the moves of its parent before it, then its own.
    ways: dict[int, list[tuple[int, int]]] = {0: lines[0]}
    open_lines = [0]
    while open_lines:
        parent = open_lines.pop()
        for number, line, moves in sorted(waiting.pop(parent, []), key=lambda one: one[:2]):
            if line in ways or not moves or number < 1 or number - 1 > len(ways[parent]):
                continue
            ways[line] = [*ways[parent][: number - 1], *moves]
            open_lines.append(line)
            grower.back(0)
            for move in ways[parent][: number - 1]:
                if grower.play(*move) is None:
                    break
            else:
                _line(grower, comments, line, number - 1, moves)
    for line in waiting:
        record.notes.append(f"variations of line {line}, which is not there, are left out")


def write_dhtmlxq(record: Record) -> tuple[str, list[str]]:
    """A game as DhtmlXQ, and what of it the format has no room for."""
    known = {*_TAGS.values(), "Game", "Format", "FEN", "Result"}
    lost = []
    further = [name for name, value in record.tags.items() if name not in known and value]
    if further:
        lost.append("tags " + ", ".join(further))
    board = Board(record.fen, strict=False)
    parts = ["[DhtmlXQ]", _field("ver", "www_dpxq_com"), _field("init", "500,350")]
    parts += [_field(name, _escape(record.tags[tag])) for name, tag in _TAGS.items() if record.tags.get(tag)]
    parts.append(_field("result", _RESULT_WORDS[record.result]))
    squares = points_of([board.piece_at(square) for square in range(90)])
    if board.fen() != START_FEN:
        parts.append(_field("fen", board.fen()))
    parts.append(_field("binit", "".join("99" if square is None else _point(square) for square in squares)))
    if record.root.comment:
        parts.append(_field("comment0", _escape(record.root.comment)))
    marked = False
    waiting: list[tuple[int, int, Node]] = []
    if record.root.lines:
        waiting = [(0, 1, record.root.lines[0]), *((0, 1, line) for line in record.root.lines[1:])]
    line = 0
    while waiting:
        parent, number, node = waiting.pop(0)
        moves, remarks, at = [], [], number
        while True:
            marked = marked or bool(node.marks)
            moves.append(_point(move_from(node.move)) + _point(move_to(node.move)))
            if node.comment:
                remarks.append(_field(f"comment{f'{line}_' if line else ''}{at}", _escape(node.comment)))
            if not node.lines:
                break
            at += 1
            waiting += [(line, at, other) for other in node.lines[1:]]
            node = node.lines[0]
        parts.append(_field(f"move_{parent}_{number}_{line}" if line else "movelist", "".join(moves)))
        parts += remarks
        line += 1
    if not record.root.lines:
        parts.append(_field("movelist", ""))
    if marked:
        lost.append("marks of moves")
    return "\n".join([*parts, "[/DhtmlXQ]", ""]), lost


def _field(name: str, value: str) -> str:
    return f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]"


def _escape(text: str) -> str:
    """A text as it stands in a field: the signs that mean something there written by their numbers."""
    text = re.sub(r"[\\<>&\[]|\|(?=\|)|(?<=\|)\|", lambda sign: f"\\u{ord(sign.group()):04x}", text)
    return text.replace("\n", "||")


def _point(square: int) -> str:
    return f"{square % 9}{9 - square // 9}"
