"""Boards of a record as text for a terminal, and as pictures."""

from __future__ import annotations

from dataclasses import dataclass

from engines.drawing import marks
from engines.drawing.svg import THEMES
from engines.go.coordinates import write_point
from engines.go.diagram import go_board
from engines.go.diagram import standing as go_standing
from engines.go.points import BLACK, EMPTY, PASS
from engines.go.terminal import grid as go_grid
from engines.stored import StoredGame
from engines.terms import LANGUAGES, Language
from engines.xiangqi.diagram import standing as xiangqi_standing
from engines.xiangqi.diagram import xiangqi_board
from engines.xiangqi.terminal import grid as xiangqi_grid
from protocols.commands.sources import GoSource, Source, title_of
from protocols.commands.steps import Step, go_stones, last_points, xiangqi_board_at, xiangqi_name
from protocols.play.words import side_name

STYLES = ("letters", "symbols")
"""Stones as X and O and pieces as letters; or as ●, ○ and characters."""

_WORDS = {
    "move": ("第{}手", "第{}手", "move {}"),
    "start": ("开局", "開局", "start"),
    "of": ("共{}手", "共{}手", "of {}"),
    "pass": ("停一手", "停一手", "pass"),
    "variation": ("变化 {}/{}", "變化 {}/{}", "variation {} of {}"),
}
_SIDES = {
    "go": {1: ("黑", "黑", "Black"), 2: ("白", "白", "White")},
    "xiangqi": {0: ("红", "紅", "Red"), 1: ("黑", "黑", "Black")},
}
_NOTATION = {"zh-Hans": "simplified", "zh-Hant": "traditional", "en": "wxf"}


@dataclass(frozen=True)
class Look:
    """How boards look: one of ``STYLES``, in colour or not, labels of a system, from Black's side above or not."""

    style: str = "symbols"
    color: bool = False
    system: str = "gtp"
    flipped: bool = False
    language: Language = "en"
    theme: str = "light"
    numbers: bool = False
    arrows: bool = False


def say(word: str, language: Language) -> str:
    """One of the words above in a language."""
    return _WORDS[word][LANGUAGES.index(language)]


def heading(source: Source, step: Step, look: Look, total: int) -> str:
    """The line over a board: who plays, the move's number and name, which variation."""
    language = look.language
    parts = [title_of(source)]
    if isinstance(source, StoredGame):
        parts += _told_heading(source, step, language, total)
    elif step.number:
        game = "go" if isinstance(source, GoSource) else "xiangqi"
        words = [say("move", language).format(step.number), say("of", language).format(total)]
        if step.move is not None:
            words += [_SIDES[game][step.color][LANGUAGES.index(language)], move_name(source, step, look)]
        parts.append(" ".join(words))
    else:
        parts.append(say("start", language))
    siblings = step.parent.children if step.parent is not None else [step]
    if len(siblings) > 1:
        parts.append(say("variation", language).format(siblings.index(step) + 1, len(siblings)))
    return "  ".join(part for part in parts if part)


def _told_heading(source: StoredGame, step: Step, language: Language, total: int) -> list[str]:
    """The same for a game with hidden pieces."""
    if step.parent is None:
        return [source.game, say("start", language)]
    words = [say("move", language).format(step.number), say("of", language).format(total)]
    words += [side_name(source.sides[step.color], language), move_name(source, step, Look(language=language))]
    return [source.game, " ".join(words)]


def move_name(source: Source, step: Step, look: Look) -> str:
    """The move of a step as people of a language write it."""
    if isinstance(source, StoredGame):
        return "" if step.parent is None else source.name_of(step.parent.seen, step.text, look.language)
    if isinstance(source, GoSource):
        if step.move is None:
            return ""
        if step.move == PASS:
            return say("pass", look.language)
        return write_point(step.move, source.record.width, source.record.height, look.system)
    return xiangqi_name(source, step, _NOTATION[look.language])


def text_board(source: Source, step: Step, look: Look) -> list[str]:
    """The board as lines. The points of the last move stand in brackets."""
    if isinstance(source, StoredGame):
        told = source.grid(step.seen, look.style == "letters", look.language)
        return [*told.lines(look.color, look.flipped), *told.below]
    last = last_points(source, step)
    letters = look.style == "letters"
    if isinstance(source, GoSource):
        # In colour a white stone is a full disc too.
        drawn = go_grid(go_stones(source, step), source.record.width, source.record.height, last, letters, look.system)
    else:
        placed = xiangqi_standing(xiangqi_board_at(source, step).fen())
        drawn = xiangqi_grid(placed, last, None if letters else "traditional")
    return drawn.lines(look.color, look.flipped)


# ---- pictures


def picture(source: Source, step: Step, look: Look, since: int = 1) -> str:
    """The board at a step as SVG that stands alone; stones are numbered from move ``since`` on, where they are."""
    if isinstance(source, StoredGame):
        return _told_picture(source, step, look)
    theme = THEMES[look.theme]
    last = last_points(source, step)
    if isinstance(source, GoSource):
        record = source.record
        board = go_board(record.width, record.height, True, look.system, theme, look.flipped)
        stones = go_stones(source, step)
        standing = go_standing(stones)
        ink = {BLACK: "#f4f2ee", 2: "#1b1b1e"}
    else:
        script = "simplified" if look.language == "zh-Hans" else "traditional"
        board = xiangqi_board(script, "letters" if look.language == "en" else "chinese", look.flipped, theme)
        stones = bytes(90)
        standing = xiangqi_standing(xiangqi_board_at(source, step).fen())
        ink = {}
    over = []
    if look.numbers and isinstance(source, GoSource):
        newest = {one.move: one.number for one in step.path() if one.move not in (None, PASS)}
        newest = {point: number for point, number in newest.items() if number >= since}
        over += [
            marks.label(str(number), board.places[point], ink[stones[point]])
            for point, number in sorted(newest.items())
            if stones[point] != EMPTY
        ]
        last = ()
    if look.arrows and len(last) == 2:
        over.append(marks.arrow(board.places[last[0]], board.places[last[1]], theme.mark))
    for kind, point in step.marks:
        color = ink.get(stones[point], theme.mark) if stones[point] else theme.mark
        if kind.startswith("="):
            over.append(marks.label(kind[1:], board.places[point], color, "" if stones[point] else theme.wood))
        else:
            over.append(marks.MARKS[kind](board.places[point], color))
    return board.picture(standing, last, heading(source, step, look, step.number), over="".join(over))


def _told_picture(source: StoredGame, step: Step, look: Look) -> str:
    """The same for a game with hidden pieces."""
    board = source.board(look.language, look.flipped)
    last = source.grid(step.seen).last
    over = []
    if look.arrows and len(last) == 2:
        over.append(marks.arrow(board.places[last[0]], board.places[last[1]], board.theme.mark))
    title = heading(source, step, look, step.number)
    return board.picture(source.standing(step.seen), last, title, over="".join(over))
