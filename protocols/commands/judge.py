"""``qiqiao judge``: the verdict on a repetition in Xiangqi, for arbiters and for other programs.

    qiqiao judge [--rules axf] [--occurrences 3] [--cycle last] [--game N] [--json] POSITION MOVE...
    qiqiao judge --game jieqi|fanqi3|banqi|... [--rules NAME] [--json] POSITION MOVE...

POSITION is ``startpos``, a FEN or a PGN file, moves are in any notation (``protocols.commands.given``). It answers in
sentences; with ``--json`` it prints one JSON object on one line, UTF-8. For bad input that is ``{"error": "..."}``; the
exit status is 2 either way. See docs/xiangqi-rules.md for the keys and the rule sets.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from engines.xiangqi.geometry import KIND_NAMES, PIECE_LETTERS, SIDE_NAMES, move_from, move_to
from engines.xiangqi.notation import write_move
from engines.xiangqi.repetition import CLASS_NAMES, OCCURRENCES, RULE_SETS, JudgedMove, Verdict, judge
from protocols.commands.given import Given, add_game_arguments, game_number, read_given
from protocols.commands.given_told import names_game, read_told

_SIDES = ("red", "black")
_OPTIONS = ("rules", "occurrences", "cycle", "game")
BAD_INPUT = 2
"""The exit status for bad input."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao judge``. Their values are checked in ``run``: what is wrong there is answered in the
    form that was asked for."""
    parser.add_argument("--rules", default="axf", metavar="NAME", help=f"{', '.join(RULE_SETS)} (axf)")
    parser.add_argument(
        "--occurrences",
        default=str(OCCURRENCES),
        metavar="N",
        help=f"how often the last position must have stood, the first one included: 2, 3 or 4 ({OCCURRENCES})",
    )
    parser.add_argument(
        "--cycle",
        metavar="WHICH",
        help="what is judged: the 'last' cycle, or 'all' since the first of those occurrences (as the rules say)",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    add_game_arguments(parser)


def take_options(arguments: argparse.Namespace) -> list[str]:
    """The words without the options that stand among them, which are put where they belong.

    ``ValueError`` for one that there is not.
    """
    words: list[str] = []
    rest = iter(arguments.words)
    for word in rest:
        name, given, value = word.removeprefix("--").partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name == "json" and not given:
            arguments.json = True
        elif name in _OPTIONS:
            following = value if given else next(rest, None)
            if following is None:
                raise ValueError(f"--{name} needs a value")
            setattr(arguments, name, following)
        else:
            raise ValueError(f"unknown option {word!r}; see --help")
    return words


def _square(square: int, base: int) -> str:
    return f"{'abcdefghi'[square % 9]}{square // 9 + base}"


def _coordinates(move: JudgedMove, base: int) -> str:
    return _square(move_from(move.move), base) + _square(move_to(move.move), base)


def as_json(verdict: Verdict, rules: str, base: int) -> dict[str, Any]:
    """A verdict as the object that is printed; ``base`` is the number of the first rank in coordinates."""
    return {
        "violator": None if verdict.violator is None else _SIDES[verdict.violator],
        "repeated": verdict.repeated,
        "offence": list(verdict.offence),
        "moves": [
            {
                "move": _coordinates(move, base),
                "side": _SIDES[move.color],
                "class": move.kind,
                "victims": [
                    {
                        "square": _square(victim.square, base),
                        "piece": PIECE_LETTERS[victim.piece],
                        "followed": victim.followed,
                    }
                    for victim in move.victims
                ],
            }
            for move in verdict.moves
        ],
        "rules": rules,
        "occurrences": verdict.count,
        "reason": verdict.reason.english,
        "reason_zh_hans": verdict.reason.simplified,
        "reason_zh_hant": verdict.reason.traditional,
    }


def as_sentences(verdict: Verdict, rules: str, times: int, given: Given) -> str:
    """A verdict for people: who must vary and why, by which rules, and what each move of the cycle is."""
    title = RULE_SETS[rules].title
    often = "once" if verdict.count == 1 else f"{verdict.count} times"
    stood = f"The position has stood {often} (出现/出現 {verdict.count})."
    lines = [verdict.reason.english, verdict.reason.simplified, verdict.reason.traditional, ""]
    lines.append(f"Rules: {title.english}, {title.simplified}/{title.traditional} ({rules}). {stood}")
    if not verdict.repeated:
        lines.append(f"A repetition is judged when it has stood {times} times.")
        return "\n".join(lines)
    if verdict.moves:
        lines += ["", "The cycle (循环/循環):"]
    board = given.board.copy()
    for _ in verdict.moves:
        board.undo()
    for number, move in enumerate(verdict.moves, start=1):
        simplified, traditional = CLASS_NAMES[move.kind]
        kind = f"{move.kind} {simplified}" + ("" if simplified == traditional else f"/{traditional}")
        what = [
            f"{KIND_NAMES[victim.piece & 7]} on {_square(victim.square, given.base)}"
            + (" (with every move)" if victim.followed else "")
            for victim in move.victims
        ]
        name = write_move(board, move.move, "simplified")
        line = f"{number:4}. {SIDE_NAMES[move.color]:5} {_coordinates(move, given.base)} {name}  {kind}"
        lines.append(line + (f": attacks the {', the '.join(what)}" if what else ""))
        board.play(move.move)
    return "\n".join(lines)


def answer(arguments: argparse.Namespace) -> str:
    """The text to print. ``ValueError`` with the reason for bad input."""
    words = take_options(arguments)
    if arguments.occurrences not in ("2", "3", "4"):
        raise ValueError(f"--occurrences must be 2, 3 or 4, not {arguments.occurrences!r}")
    if names_game(arguments.game):
        return judge_told(arguments, words)
    times = int(arguments.occurrences)
    given = read_given(words, game_number(arguments.game))
    verdict = judge(given.board, arguments.rules, times, arguments.cycle)
    if arguments.json:
        return json.dumps(as_json(verdict, arguments.rules, given.base), ensure_ascii=False)
    return as_sentences(verdict, arguments.rules, times, given)


def judge_told(arguments: argparse.Namespace, words: list[str]) -> str:
    """The verdict on a position of a game with hidden or placed pieces: how it has ended there, if it has."""
    rules = "" if arguments.rules == "axf" else arguments.rules
    told = read_told(arguments.game, words, rules)
    position, game = told.position, told.game
    result = position.result
    to_move = game.sides[position.turn]
    if arguments.json:
        found = None
        if result is not None:
            found = {
                "winner": None if result.winner is None else game.sides[result.winner].lower(),
                "reason": result.reason,
                "scores": list(result.scores),
                "words": result.words.english,
                "words_zh_hans": result.words.simplified,
                "words_zh_hant": result.words.traditional,
            }
        said = {"game": game.name, "position": position.setup_text(), "to_move": to_move.lower(), "result": found}
        return json.dumps(said, ensure_ascii=False)
    lines = [position.setup_text()]
    if result is None:
        lines.append(f"The game goes on; {to_move} to move.")
    else:
        who = "A draw" if result.winner is None else f"{game.sides[result.winner]} has won"
        lines += [
            f"{who}: {result.words.english}.",
            *dict.fromkeys((result.words.simplified, result.words.traditional)),
        ]
    return "\n".join(lines)


def print_text(text: str) -> None:
    """Print for people: lines that their terminal can't show (Chinese, on some) are left out."""
    encoding = sys.stdout.encoding or "utf-8"
    for line in text.split("\n"):
        try:
            shown = line.encode(encoding)
        except UnicodeEncodeError:
            if not line.isascii() and sum(map(str.isascii, line)) * 2 < len(line):
                continue
            shown = line.encode(encoding, "replace")
        sys.stdout.buffer.write(shown + b"\n")
    sys.stdout.flush()


def run(arguments: argparse.Namespace) -> int:
    """Print the verdict. Returns the exit status."""
    arguments.json = arguments.json or "--json" in arguments.words
    try:
        text, status = answer(arguments), 0
    except ValueError as error:
        status = BAD_INPUT
        text = json.dumps({"error": str(error)}, ensure_ascii=False) if arguments.json else f"qiqiao judge: {error}"
    if arguments.json:
        sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    elif status:
        print(text.encode("ascii", "backslashreplace").decode() if not _writable(text) else text, file=sys.stderr)
    else:
        print_text(text)
    return status


def _writable(text: str) -> bool:
    try:
        text.encode(sys.stderr.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
