"""Repetition (棋例) as rule sets: what each move of a cycle is, and who must vary.

``judge`` looks at the present position of a board. When it has been there often enough, the moves since are a *cycle*;
the verdict names the side that must vary, or none for a draw, and for each move of the cycle its class: 将 check, 杀
kill (it makes a threat of mate), 捉 chase (it attacks a piece anew) or 闲 idle, with the pieces attacked. The rule sets
are ``axf``, ``cxa``, ``computer``, ``check-only`` and ``none``; docs/xiangqi-rules.md gives their articles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from engines.results import Words
from engines.xiangqi.attacks import AXF_ATTACKS, COMPUTER_ATTACKS, CXA_ATTACKS
from engines.xiangqi.board import Board
from engines.xiangqi.cycle import (
    AXF_RULES,
    BY_SOLDIER,
    CHECK_ONLY_RULES,
    COMPUTER_RULES,
    CXA_RULES,
    FORCE,
    GIVES_CHECK,
    NO_RULES,
    OPENED,
    SPAN,
    THREATENS_MATE,
    UNCOVERED,
    attack_table,
    occurrences,
    violator_of,
)
from engines.xiangqi.geometry import BLACK, RED
from engines.xiangqi.kill import is_kill

MoveClass = Literal["check", "kill", "chase", "idle"]
Span = Literal["last", "all"]

CLASS_NAMES: dict[MoveClass, tuple[str, str]] = {
    "check": ("将", "將"),
    "kill": ("杀", "殺"),
    "chase": ("捉", "捉"),
    "idle": ("闲", "閒"),
}
"""The classes in Chinese, simplified and traditional; heaviest first."""


@dataclass(frozen=True)
class RuleSet:
    """One way to judge repetitions.

    ``code`` is its number for ``engines.xiangqi.cycle.verdict_in_tree``. ``span`` says what is judged when the position
    has occurred often enough: the moves since its ``last`` occurrence, or since the first of ``all`` those counted.
    """

    name: str
    title: Words
    code: int
    span: Span = "last"


RULE_SETS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        RuleSet(
            "axf",
            Words("Asian and World federation rules", "亚洲及世界象棋联合会棋例", "亞洲及世界象棋聯合會棋例"),
            AXF_RULES,
        ),
        RuleSet(
            "cxa",
            Words("rules of the Chinese Xiangqi Association", "中国象棋协会棋例", "中國象棋協會棋例"),
            CXA_RULES,
        ),
        RuleSet("computer", Words("computer rules", "电脑规则", "電腦規則"), COMPUTER_RULES, "all"),
        RuleSet("check-only", Words("perpetual check only", "只禁长将", "只禁長將"), CHECK_ONLY_RULES),
        RuleSet("none", Words("no repetition rule", "重复即和", "重複即和"), NO_RULES),
    )
}
"""The rule sets by name."""

OCCURRENCES = 3
"""How often a position stands before the repetition is judged, when nothing else is said; the start counts."""


@dataclass(frozen=True)
class Victim:
    """A piece that a move attacks anew: ``piece`` as the board numbers them, ``square`` where it stands after the move.

    ``followed``: every move of that side in the cycle attacks this very piece.
    """

    piece: int
    square: int
    followed: bool


@dataclass(frozen=True)
class JudgedMove:
    """A move of a cycle: what it is, and what it attacks anew (a check or kill may attack something besides)."""

    move: int
    color: int
    kind: MoveClass
    victims: tuple[Victim, ...]


@dataclass(frozen=True)
class Verdict:
    """What an arbiter says about the present position.

    ``repeated``: it has stood as often as asked, ``count`` times so far; else nothing is judged. ``violator`` is
    ``RED`` or ``BLACK``, who must vary or loses, ``None`` for a draw. ``moves`` is the cycle judged, oldest move first.
    ``offence``: what the violator does for ever, as the classes that his moves count as there, heaviest first.
    """

    repeated: bool
    count: int
    violator: int | None = None
    moves: tuple[JudgedMove, ...] = ()
    reason: Words = field(default=Words("The position has not been repeated.", "局面尚未重复。", "局面尚未重複。"))
    offence: tuple[MoveClass, ...] = ()


def rule_set(name: str) -> RuleSet:
    """The rule set of this name. ``ValueError`` with the names there are for any other."""
    try:
        return RULE_SETS[name]
    except KeyError:
        raise ValueError(f"unknown rules {name!r}; there are {', '.join(RULE_SETS)}") from None


def judge(board: Board, rules: str = "axf", times: int = OCCURRENCES, span: Span | None = None) -> Verdict:
    """The verdict on the present position of ``board``, which is not changed.

    ``times`` (2, 3 or 4): how often it must have stood, the position the board was set up with included. ``span``:
    which moves are judged, by default as the rule set says. ``ValueError`` for other values or an unknown rule set.
    """
    return judge_on(Ground(board, occurrences(board), attack_table, is_kill), rules, times, span)


class Ground(NamedTuple):
    """A board that repetitions are judged on, of whichever kind, with what depends on its kind.

    ``board`` has the methods of ``engines.xiangqi.board.Board`` that are used here. ``seen``: ``cycle.occurrences`` of
    it; ``attack_table`` and ``is_kill`` do on it what those of ``cycle`` and ``kill`` do.
    """

    board: Any
    seen: list[int]
    attack_table: Callable[[Any, int, int], list[list[int]]]
    is_kill: Callable[[Any], bool]


def judge_on(ground: Ground, rules: str = "axf", times: int = OCCURRENCES, span: Span | None = None) -> Verdict:
    """``judge`` for a board of any kind."""
    chosen = rule_set(rules)
    if times not in (2, 3, 4):
        raise ValueError(f"a repetition is judged when a position has occurred 2, 3 or 4 times, not {times}")
    if span not in (None, "last", "all"):
        raise ValueError(f"the cycle judged is the last or all, not {span!r}")
    seen = ground.seen
    if len(seen) < times:
        return Verdict(False, len(seen))
    length = seen[times - 1] if (span or chosen.span) == "all" else seen[1]
    if length > SPAN:
        return Verdict(True, len(seen), reason=_TOO_LONG)
    return _judge_cycle(ground._replace(board=ground.board.copy()), chosen, length)


_TOO_LONG = Words(
    f"The cycle has more than {SPAN} plies: nothing in it is perpetual. Draw.",
    f"循环超过{SPAN}着，不构成长打，作和。",
    f"循環超過{SPAN}着，不構成長打，作和。",
)

_READINGS = {COMPUTER_RULES: COMPUTER_ATTACKS, CXA_RULES: CXA_ATTACKS}


def _judge_cycle(ground: Ground, rules: RuleSet, length: int) -> Verdict:
    """The verdict on a cycle of the last ``length`` moves of a board that may be changed."""
    board, count = ground.board, len(ground.seen)
    first = board.turn
    rows = ground.attack_table(board, length, _READINGS.get(rules.code, AXF_ATTACKS))
    moves = board.history[-length:]
    if rules.code in (CHECK_ONLY_RULES, NO_RULES):
        rows = [[row[FORCE], 0, 0, 0] for row in rows]
    for row in reversed(rows):
        if rules.code in (AXF_RULES, CXA_RULES) and not row[FORCE] and ground.is_kill(board):
            row[FORCE] = THREATENS_MATE
        board.undo()
    violator = violator_of(rows, first, rules.code)
    if rules.code == CXA_RULES and violator is None:
        _count_soldiers(rows, first)
    followed = [0xFFFF, 0xFFFF]
    for i, row in enumerate(rows):
        followed[first ^ i & 1] &= _victims(row)
    judged = []
    for i, (move, row) in enumerate(zip(moves, rows, strict=True)):
        color = first ^ i & 1
        board.play(move)
        victims = _find(board, color ^ 1, _victims(row), followed[color])
        judged.append(JudgedMove(move, color, _class_of(row, rules), victims))
    offence = () if violator is None else _offence(rules, violator, judged)
    return Verdict(True, count, violator, tuple(judged), _reason(rules, violator, offence, judged, rows), offence)


def _count_soldiers(rows: list[list[int]], first: int) -> None:
    """Under the Chinese rules, after a draw: where only soldiers' attacks make both sides attack for ever, those
    count."""
    without = [[*row[:BY_SOLDIER], 0] for row in rows]
    forbidden = violator_of(without, first, CXA_RULES)
    if forbidden is not None:
        for row in rows[forbidden ^ 1 ^ first :: 2]:
            row[OPENED] |= row[BY_SOLDIER]


def _victims(row: list[int]) -> int:
    """The slots that a move attacks anew, by whichever way; what only a soldier attacks is idle and left out."""
    return row[OPENED] | row[UNCOVERED]


def _class_of(row: list[int], rules: RuleSet) -> MoveClass:
    """The class a move counts as. The federations allow threats of mate, so there a chase is the heavier."""
    if row[FORCE] == GIVES_CHECK:
        return "check"
    if row[FORCE] and (rules.code == CXA_RULES or not _victims(row)):
        return "kill"
    return "chase" if _victims(row) else "idle"


def _find(board: Any, color: int, slots: int, followed: int) -> tuple[Victim, ...]:
    """The pieces of ``color`` in these slots, with their squares."""
    found = []
    for square in range(90):
        slot = board.slot_at(square)
        if slot >> 4 == color and slots >> (slot & 15) & 1:
            found.append(Victim(board.piece_at(square), square, bool(followed >> (slot & 15) & 1)))
    return tuple(found)


# -- the reason in words

_SIDES = {RED: Words("Red", "红方", "紅方"), BLACK: Words("Black", "黑方", "黑方")}
_PIECES = tuple(
    Words(*names)
    for names in (
        ("", "", ""),
        ("general", "将", "將"),
        ("advisor", "士", "士"),
        ("elephant", "象", "象"),
        ("horse", "马", "馬"),
        ("chariot", "车", "車"),
        ("cannon", "炮", "炮"),
        ("soldier", "兵", "兵"),
    )
)
_MIXTURES: dict[tuple[str, ...], Words] = {
    kinds: Words(*names)
    for kinds, names in (
        (("check",), ("gives check with every move", "长将", "長將")),
        (("kill",), ("threatens mate with every move", "长杀", "長殺")),
        (("chase",), ("chases with every move", "长捉", "長捉")),
        (("check", "kill"), ("checks and threatens mate in turn, never idle", "一将一杀", "一將一殺")),
        (("check", "chase"), ("checks and chases in turn, never idle", "一将一捉", "一將一捉")),
        (("kill", "chase"), ("threatens mate and chases in turn, never idle", "一杀一捉", "一殺一捉")),
        (("check", "kill", "chase"), ("checks, threatens mate and chases, never idle", "将杀捉不停", "將殺捉不停")),
    )
}


def _reason(
    rules: RuleSet,
    violator: int | None,
    offence: tuple[MoveClass, ...],
    moves: list[JudgedMove],
    rows: list[list[int]],
) -> Words:
    """Why the verdict is what it is."""
    if rules.code == NO_RULES:
        return Words("A repetition is a draw under these rules.", "重复局面，作和。", "重複局面，作和。")
    if violator is None:
        return _draw_reason(rules, moves)
    side = _SIDES[violator]
    what = _MIXTURES[offence]
    if rules.code in (AXF_RULES, COMPUTER_RULES) and offence == ("chase",):
        what = _chase(violator, moves, rows)
    return Words(
        f"{side.english} {what.english} and must vary or loses.",
        f"{side.simplified}{what.simplified}，须变着，不变作负。",
        f"{side.traditional}{what.traditional}，須變着，不變作負。",
    )


def _offence(rules: RuleSet, color: int, moves: list[JudgedMove]) -> tuple[MoveClass, ...]:
    """What a side does for ever: its classes, heaviest first."""
    kinds = {move.kind for move in moves if move.color == color}
    if rules.code != CXA_RULES and kinds != {"check"}:
        return ("chase",)  # nothing else is forbidden there
    return tuple(kind for kind in CLASS_NAMES if kind in kinds)


def _chase(color: int, moves: list[JudgedMove], rows: list[list[int]]) -> Words:
    """A perpetual chase, with the piece that is chased and how."""
    own = [(move, row) for move, row in zip(moves, rows, strict=True) if move.color == color]
    victim = next(victim for victim in own[-1][0].victims if victim.followed)
    name = _PIECES[victim.piece & 7]
    opened = 0xFFFF
    for _, row in own:
        opened &= row[OPENED]
    how = Words("", "", "")
    if not opened:
        how = Words(", by taking its protection away each time", "（步步去根）", "（步步去根）")
    return Words(
        f"chases the {name.english} with every move{how.english}",
        f"长捉{name.simplified}{how.simplified}",
        f"長捉{name.traditional}{how.traditional}",
    )


def _draw_reason(rules: RuleSet, moves: list[JudgedMove]) -> Words:
    """Why nobody must vary."""
    checks = [all(move.kind == "check" for move in moves if move.color == color) for color in (RED, BLACK)]
    if all(checks):
        return Words("Both sides give perpetual check: draw.", "双方长将，不变作和。", "雙方長將，不變作和。")
    if rules.code == CXA_RULES:
        both = all(any(move.kind != "idle" for move in moves if move.color == color) for color in (RED, BLACK))
        if both and all(_restless(color, moves) for color in (RED, BLACK)):
            return Words(
                "Both sides attack without an idle move: draw.",
                "双方均为禁止着法，不变作和。",
                "雙方均為禁止着法，不變作和。",
            )
        return Words(
            "Neither side does anything forbidden for ever: draw.",
            "双方均为允许着法，不变作和。",
            "雙方均為允許着法，不變作和。",
        )
    followed = [
        any(victim.followed for move in moves if move.color == color for victim in move.victims)
        for color in (RED, BLACK)
    ]
    if all(followed):
        return Words("Both sides chase for ever: draw.", "双方长捉，不变作和。", "雙方長捉，不變作和。")
    return Words(
        "No side checks with every move, nor chases one piece with every move: draw.",
        "双方均无长将、长捉，不变作和。",
        "雙方均無長將、長捉，不變作和。",
    )


def _restless(color: int, moves: list[JudgedMove]) -> bool:
    """Whether none of a side's moves is idle."""
    return all(move.kind != "idle" for move in moves if move.color == color)
