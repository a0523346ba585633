"""``qiqiao describe FILE``: a game explained in the words that players have for moves, posts and mates.

A line a move: its number, side, notation, words, captures, check, atari and repetition; for Xiangqi the posts that
arise, and at the end the mate's pattern. ``--json`` prints one object a line and move, with the words in simplified
Chinese: ``ply``, ``side``, ``move``, ``terms``, for Xiangqi ``position_terms``; a position alone is ply 0. The words
are those of docs/words.md. What can't be read gives exit status 2 and one line on standard error.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from engines.files import replace_file
from engines.go.coordinates import SYSTEMS, write_point
from engines.go.points import COLOR_NAMES, PASS
from engines.go.words import TERMS as GO_TERMS
from engines.go.words.told import Told as GoTold
from engines.go.words.told import tell as tell_go
from engines.stored import StoredGame
from engines.terms import LANGUAGES, Language
from engines.xiangqi.geometry import KIND_NAMES, SIDE_NAMES, move_name, square_name
from engines.xiangqi.notation import MoveNames
from engines.xiangqi.repetition import judge
from engines.xiangqi.words import TERMS as XIANGQI_TERMS
from engines.xiangqi.words.told import Told as XiangqiTold
from engines.xiangqi.words.told import tell as tell_xiangqi
from protocols.commands.sources import GoSource, Source, XiangqiSource, locale_language, pick, read_sources, start_board
from protocols.play.words import side_name, text_in

BAD_INPUT = 2
"""The exit status for bad input."""

WORDS = {
    "black": ("黑", "黑", "Black"),
    "white": ("白", "白", "White"),
    "red": ("红", "紅", "Red"),
    "pass": ("停一手", "停一手", "pass"),
    "takes": ("提{}子", "提{}子", "takes {}"),
    "atari": ("叫吃{}", "叫吃{}", "atari on {}"),
    "again": ("全局同形：同第{}手后", "全局同形：同第{}手後", "the position after move {} again"),
    "captures": ("吃{}", "吃{}", "takes the {}"),
    "check": ("将军", "將軍", "check"),
    "double": ("双将", "雙將", "double check"),
    "mate": ("将死", "將死", "mate"),
    "stuck": ("困毙", "困斃", "no move left"),
    "times": ("第{}次出现", "第{}次出現", "the position for the {}. time"),
    "start": ("开局", "開局", "start"),
    "game": ("第{}局", "第{}局", "game {}"),
}
"""What the lines say, in simplified and traditional Chinese and in English."""

_PIECES = ("", "帅仕相马车炮兵", "帥仕相馬車炮兵"), ("", "将士象马车炮卒", "將士象馬車砲卒")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao describe``."""
    parser.add_argument(
        "words", nargs="+", metavar="FILE", help="a record, a FEN (with moves or without), or - for standard input"
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line and move, words in simplified Chinese"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with diagrams")
    parser.add_argument("--language", choices=LANGUAGES, help="of what is told (by the locale)")
    parser.add_argument("--game", metavar="N", help="which game of a file with several (all)")
    parser.add_argument(
        "--coordinates", choices=SYSTEMS, default="gtp", help="how points of a Go board are named in the text (gtp)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Tell the games. Returns the exit status."""
    language = arguments.language or locale_language()
    try:
        sources = pick(read_sources(arguments.words, _complain), arguments.game)
        if arguments.html is not None:
            from protocols.commands.describe_page import page

            replace_file(arguments.html, page(list(sources), language, arguments.coordinates))
            return 0
        begun = list(itertools.islice(sources, 2))
        several = len(begun) > 1
        for number, source in itertools.chain(begun, sources):
            if arguments.json:
                for said in objects(source):
                    _write(json.dumps({"game": number, **said} if several else said, ensure_ascii=False))
            else:
                if several:
                    _write(say("game", language).format(number))
                for line in lines(source, language, arguments.coordinates):
                    _write(line)
    except BrokenPipeError:  # whoever read has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as error:
        print(f"qiqiao describe: {error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _complain(text: str) -> None:
    print(f"qiqiao describe: {text}", file=sys.stderr)


def _write(line: str) -> None:
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def say(word: str, language: Language) -> str:
    """One of ``WORDS`` in a language."""
    return WORDS[word][LANGUAGES.index(language)]


# ---- as objects


def objects(source: Source) -> Iterator[dict[str, Any]]:
    """What ``--json`` prints of a game. Raises ValueError."""
    if isinstance(source, StoredGame):
        yield from _told_objects(source)
        return
    if isinstance(source, GoSource):
        record = source.record
        empty = True
        for told in tell_go(record):
            empty = False
            yield _go_object(told, record.width, record.height)
        if empty:
            yield {"ply": 0, "side": None, "move": None, "terms": [], "to_move": COLOR_NAMES[record.to_play]}
        return
    moves = source.record.moves()
    names = _names(source)
    for one in tell_xiangqi(start_board(source.record), moves):
        if one.ply or not moves:
            yield _xiangqi_object(one, names[one.ply])


def _told_objects(source: StoredGame) -> Iterator[dict[str, Any]]:
    """A game with hidden or placed pieces, as the record tells it."""
    positions = source.positions()
    for ply, (seen, text) in enumerate(zip(positions, source.moves(), strict=False), 1):
        side = source.sides[seen.turn].lower()
        yield {"ply": ply, "side": side, "move": text, "name": source.name_of(seen, text, "zh-Hans"), "terms": []}
    result = positions[-1].result
    if result is not None:
        yield {"ply": len(positions), "side": None, "move": None, "terms": [result.words.simplified]}


def _go_object(told: GoTold, width: int, height: int) -> dict[str, Any]:
    said: dict[str, Any] = {
        "ply": told.ply,
        "side": COLOR_NAMES[told.color],
        "move": write_point(told.point, width, height),
        "terms": list(told.words),
    }
    if told.taken:
        said["captured"] = told.taken
    if told.atari:
        said["atari"] = [write_point(point, width, height) for point in told.atari]
    if told.repeats is not None:
        said["repeats"] = told.repeats
    return said


def _xiangqi_object(told: XiangqiTold, names: dict[str, str]) -> dict[str, Any]:
    side = SIDE_NAMES[told.color].lower()
    said: dict[str, Any] = {"ply": told.ply, "side": side if told.ply else None}
    said["move"] = move_name(told.move) if told.ply else None
    if told.ply:
        said["notation"] = names["zh-Hans"]
    said["terms"] = [*told.mates, *dict.fromkeys(post.term for post in told.arisen)] if told.ply else list(told.mates)
    said["position_terms"] = [
        *({"term": post.term, "squares": [square_name(square) for square in post.squares]} for post in told.posts),
        *({"term": term, "mate": True} for term in told.mates),
    ]
    if not told.ply:
        said["to_move"] = side
    if told.captured:
        said["captured"] = KIND_NAMES[told.captured & 7]
    if told.checkers:
        said["check"] = True
    if told.mate:
        said["mate"] = True
    if told.stuck:
        said["stalemate"] = True
    if told.times > 1:
        said["times"] = told.times
    return said


def _names(source: XiangqiSource) -> list[dict[str, str]]:
    """Each move in the notation of each language; the first entry is the start's."""
    board = start_board(source.record)
    found: list[dict[str, str]] = [{}]
    for move in source.record.moves():
        names = MoveNames(board)
        found.append(
            {
                "zh-Hans": names.write(move, "simplified"),
                "zh-Hant": names.write(move, "traditional"),
                "en": names.write(move, "wxf"),
            }
        )
        board.play(move)
    return found


# ---- as lines


def lines(source: Source, language: Language, system: str = "gtp") -> Iterator[str]:
    """A game as text, a line a move. Raises ValueError."""
    for number, side, move, words in told_words(source, language, system):
        between = ", " if language == "en" else "  "
        yield f"{number:>3}  {side} {move}  {between.join(words)}".rstrip()
    if isinstance(source, StoredGame):
        result = source.positions()[-1].result
        if result is not None:
            yield f"     {text_in(result.words, language)}"
    if isinstance(source, XiangqiSource):
        reason = _verdict(source, language)
        if reason:
            yield f"     {reason}"


def told_words(source: Source, language: Language, system: str) -> Iterator[tuple[int, str, str, list[str]]]:
    """Each move as its number, side, notation and what is said of it. Raises ValueError."""
    if isinstance(source, StoredGame):
        for ply, (seen, text) in enumerate(zip(source.positions(), source.moves(), strict=False), 1):
            name = source.name_of(seen, text, language)
            yield ply, side_name(source.sides[seen.turn], language), text, [name] if name != text else []
        return
    if isinstance(source, GoSource):
        yield from _go_words(source, language, system)
    else:
        yield from _xiangqi_words(source, language)


def _go_words(source: GoSource, language: Language, system: str) -> Iterator[tuple[int, str, str, list[str]]]:
    record = source.record
    said = False
    for told in tell_go(record):
        said = True
        words = [GO_TERMS[word].text(language) for word in told.words if word not in ("提", "叫吃")]
        if told.taken:
            words.append(say("takes", language).format(told.taken))
        if told.atari:
            points = " ".join(write_point(point, record.width, record.height, system) for point in told.atari)
            words.append(say("atari", language).format(points if language == "en" else f" {points}"))
        if told.repeats is not None:
            words.append(say("again", language).format(told.repeats))
        name = write_point(told.point, record.width, record.height, system)
        yield (
            told.ply,
            say(COLOR_NAMES[told.color], language),
            say("pass", language) if told.point == PASS else f"{name:<4}",
            words,
        )
    if not said:
        yield 0, say("start", language), "", []


def _xiangqi_words(source: XiangqiSource, language: Language) -> Iterator[tuple[int, str, str, list[str]]]:
    moves = source.record.moves()
    names = _names(source)
    for told in tell_xiangqi(start_board(source.record), moves):
        if not told.ply and moves:
            continue
        words = [_post(post.term, post.color, post.squares, language) for post in told.arisen]
        if told.captured:
            words.insert(0, say("captures", language).format(_piece(told.captured, language)))
        if told.times > 1:
            words.append(say("times", language).format(told.times))
        if told.mate or told.stuck:
            words.append(say("mate" if told.mate else "stuck", language))
            words += [XIANGQI_TERMS[term].text(language) for term in told.mates]
        elif told.checkers:
            words.append(say("double" if len(told.checkers) > 1 else "check", language))
        side = say(SIDE_NAMES[told.color].lower(), language)
        move = names[told.ply][language] if told.ply else say("start", language)
        yield told.ply, side, move, words


def _piece(piece: int, language: Language) -> str:
    at = LANGUAGES.index(language)
    return KIND_NAMES[piece & 7] if at == 2 else _PIECES[piece >> 3][at + 1][(piece & 7) - 1]


def _post(term: str, color: int, squares: tuple[int, ...], language: Language) -> str:
    """A post with its side and squares: 红屏风马(c2 g2)."""
    places = " ".join(square_name(square) for square in squares)
    word = XIANGQI_TERMS[term].text(language)
    if term == "对头兵":
        return f"{word} ({places})"
    side = say(SIDE_NAMES[color].lower(), language)
    return f"{side} {word} ({places})" if language == "en" else f"{side}{word} ({places})"


def _verdict(source: XiangqiSource, language: Language) -> str:
    """What an arbiter says of the last position, if it has stood often enough."""
    board = start_board(source.record)
    for move in source.record.moves():
        board.play(move)
    verdict = judge(board)
    if not verdict.repeated:
        return ""
    reason = verdict.reason
    return {"zh-Hans": reason.simplified, "zh-Hant": reason.traditional, "en": reason.english}[language]
