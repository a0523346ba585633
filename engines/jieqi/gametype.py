"""Jieqi and fanqi as matches play, show and write them: one ``GameType`` a form; see ``engines.gametype``.

A setup is a FEN in the house's form, moves are the referee's texts (``h2h9Pr``); an opening's moves may leave out what
shows. What lies face down follows from ``Opening.seed``, so both games of a pair, colours exchanged, have one deal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engines import gametype
from engines.drawing import svg
from engines.drawing.grid import Grid
from engines.gametype import Course, Decision, Ending, GameType, Opening, Option, PlayedGame, Step, Turn, hours, unheard
from engines.jieqi.diagram import jieqi_board, standing
from engines.jieqi.ends import REASONS, Rules
from engines.jieqi.forms import CAPTURE_VIEWS, FORMS, LIMITS, Form, plies_of
from engines.jieqi.game import Game
from engines.jieqi.moves import parse
from engines.jieqi.notation import NOTATIONS, MoveNames
from engines.jieqi.records import Record, read_jieqibox, read_json, read_pgn, write_pgn
from engines.jieqi.terminal import grid
from engines.jieqi.view import View
from engines.opening_files import going_on, random_plies, read_records_or_lines
from engines.terms import Language
from engines.timing import format_control
from engines.xiangqi.diagram import Script

READERS: dict[str, Callable[[str], Record]] = {".pgn": read_pgn, ".json": read_json, ".jieqi": read_jieqibox}
"""Who reads the records of a file, by its ending."""

MOST_BYTES = 1 << 22


def read_capture_view(text: str) -> str:
    """A name of ``CAPTURE_VIEWS``. Raises ValueError."""
    if text not in CAPTURE_VIEWS:
        raise ValueError(f"there are {', '.join(CAPTURE_VIEWS)}, not '{text}'")
    return text


def read_limit(text: str) -> str:
    """A limit of plies without a capture, or its name; "" for what the form usually has. Raises ValueError."""
    if text:
        plies_of(text)
    return text


class FormType(GameType):
    """A form of jieqi or fanqi; the class of each sets ``form``. See ``engines.gametype.GameType``."""

    form: Form
    sides = ("Red", "Black")
    hidden = True
    protocols = ("uci", "ucci")
    suffix = "pgn"
    collected = True
    levels = "0 to 20"
    notations = ("simplified", "traditional", "coordinate")
    option_table = (
        Option(
            "capture_view",
            "captor",
            str,
            f"who learns what a piece taken face down was: {', '.join(CAPTURE_VIEWS)}",
            "NAME",
            read=read_capture_view,
            served=True,
        ),
        Option(
            "limit",
            "",
            str,
            f"what draws without a capture: {', '.join(LIMITS)}, or a number of plies (usual: the form's own)",
            "NAME",
            flag="--natural-limit",
            read=read_limit,
            served=True,
        ),
        Option("draws", True, bool, "players may agree on a draw"),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """``rules``: those of repetition, "" for the form's own. Raises ValueError for what there is not."""
        super().__init__(rules, options)
        self.draws: bool = self.options["draws"]
        self.played_by = Rules(self.form.name, self.options["capture_view"], self.options["limit"], rules)

    def begin(self, opening: Opening) -> JieqiReferee:
        """See ``engines.gametype.GameType``."""
        game = Game(self.form.name, opening.setup or None, seed=opening.seed, rules=self.played_by)
        referee = JieqiReferee(game, self.draws)
        for side, layout in enumerate(opening.layouts[:2]):
            if layout:
                referee.lay(side, layout)
        for text in opening.moves:
            referee.play(text)
        return referee

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """So many random plies, none unless asked for: the deal differs from round to round. They are not weighed."""
        return random_plies(self.begin(Opening(seed=seed)), seed, plies)

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """A record (PGN, JSON) or a folder of them, whose position after so many plies is a setup, what lies face down
        there being dealt anew; or a text file with a FEN, ``FEN moves …`` or moves on each line."""
        return read_records_or_lines(
            path, READERS, lambda file: self._from_record(file, plies), lambda line: self._from_line(line, plies), tell
        )

    def _from_record(self, file: Path, plies: int) -> Opening:
        data = file.read_bytes()[: MOST_BYTES + 1]
        if len(data) > MOST_BYTES:
            raise ValueError("the file is too long")
        text = data.decode("utf-8-sig", "replace")
        reader = READERS[file.suffix.lower()]
        if reader is read_json and '"format"' not in text[:200]:
            reader = read_jieqibox
        record = reader(text)
        if record.rules.form != self.form.name:
            raise ValueError(f"a game of {record.rules.form}, not of {self.form.name}")
        record.moves = record.moves[: plies or None]
        if not record.moves and not record.setup:
            raise ValueError("no moves in it")
        now = record.game().observe(None) if record.deal is not None else record.model()
        return going_on(self, Opening(now.setup_text(), (), record.tags.get("Event") or file.stem))

    def _from_line(self, line: str, plies: int) -> Opening:
        line = line.split(";")[0].strip()
        for word in ("position", "fen"):
            line = line.removeprefix(word).lstrip()
        setup, _, rest = line.partition(" moves ")
        if setup.startswith("startpos"):
            setup = ""
        elif "/" not in setup:
            setup, rest = "", line.removeprefix("moves ")
        moves = rest.split()[: plies or None]
        if not setup and not moves and not line.startswith("startpos"):
            raise ValueError("no position and no moves")
        if setup:
            setup = Game(self.form.name, setup, seed=0, rules=self.played_by).observe(None).setup_text()
        return going_on(self, Opening(setup, tuple(moves), " ".join(moves[:8]) or setup))

    def facts(self) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        rules = self.played_by
        return {
            **super().facts(),
            "Rules": rules.repetition,
            "Taken face down": f"seen by {rules.capture_view}",
            "Limit": rules.limit,
        }

    def board(self, coordinates: bool = True) -> svg.Board:
        """See ``engines.gametype.GameType``."""
        return jieqi_board(coordinates="letters" if coordinates else "none")

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """See ``engines.gametype.GameType``; as a spectator sees it, to whom what lies face down is not shown."""
        referee = self.begin(replace(opening, moves=()))
        game = referee.game
        start = standing(game.observe(None).points)
        before, steps = start, []
        for text in (*opening.moves, *moves):
            if not text:  # a draw is agreed
                steps.append(Step({}, ()))
                continue
            referee.play(text)
            now = standing(game.observe(None).points)
            changes = {at: now.get(at, "") for at in {*before, *now} if before.get(at) != now.get(at)}
            move = game.last.move
            steps.append(Step(dict(sorted(changes.items())), (move >> 7 & 127, move & 127)))
            before = now
        return Course(dict(start), tuple(steps))

    def grid(self, seen: View, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.gametype.GameType``."""
        script: Script = "simplified" if language == "zh-Hans" else "traditional"
        return grid(seen, None if letters else script, language)

    def read_word(self, seen: View, text: str) -> int:
        """See ``engines.gametype.GameType``."""
        told = MoveNames(seen.board).read(text)
        if told.shown or told.taken:
            raise ValueError(f"{text}: what shows is the referee's to say")
        return told.move

    def names(self, seen: View, move: int) -> dict[str, str]:
        """See ``engines.gametype.GameType``: what it turns up is not in it."""
        names = MoveNames(seen.board)
        return {notation: names.write(move, notation) for notation in NOTATIONS}

    def layout(self, seed: int | None = None) -> str:
        """See ``engines.gametype.GameType``."""
        from engines.jieqi.search.player import layout

        return layout(self.form.name, random.Random(seed))

    def player(self, level: str = "", seed: int | None = None) -> Any:
        """See ``engines.gametype.GameType``."""
        from engines.jieqi.search.player import FULL_LEVEL, SearchPlayer, Settings

        if level and not (level.isascii() and level.isdigit() and int(level) <= FULL_LEVEL):
            raise ValueError(f"the level must be {self.levels}, not '{level}'")
        return SearchPlayer(Settings(level=int(level) if level else FULL_LEVEL, seed=seed))

    def told_names(self, seen: View, text: str) -> dict[str, str]:
        """See ``engines.gametype.GameType``: with what turned up, where the text says so."""
        names = MoveNames(seen.board)
        told = names.read(text)
        return {"coordinate": told.text} | {
            notation: names.write(told.move, notation, told.shown) for notation in NOTATIONS if notation != "coordinate"
        }

    def record_text(self, played: PlayedGame, notation: str) -> str:
        """See ``engines.gametype.GameType``: the referee's, with the deal."""
        referee = self.begin(played.opening)
        game = referee.game
        tags = {
            "Event": played.event or "qiqiao match",
            "Date": played.date[:10].replace("-", "."),
            "Round": f"{played.round}.{played.game_of_round}",
            "Red": played.names[0],
            "Black": played.names[1],
            "TimeControl": format_control(played.control),
        }
        if played.opening.name:
            tags["Opening"] = played.opening.name
        if played.error:
            tags["Error"] = played.error
        comments = dict.fromkeys(range(1, game.plies + 1), "opening")
        for turn in played.turns:
            if turn.move:
                referee.play(turn.move)
                comments[game.plies] = _remark(turn)
        record = Record.of_game(game, **tags)
        record.result, record.reason, record.comments = played.ending.result, played.reason, comments
        return write_pgn(record, notation if notation in self.notations else self.notations[0])


def _remark(turn: Turn) -> str:
    """Clock, time and score as PGN comments write them: ``[%clk 0:00:59.93] [%emt 0:00:00.07] [%eval 0.23,12]``."""
    words = [] if turn.left is None else [f"[%clk {hours(turn.left)}]"]
    words.append(f"[%emt {hours(turn.seconds)}]")
    if turn.score is not None:
        words.append(f"[%eval {turn.score / 100:.2f},{turn.depth}]")
    return " ".join(words)


class JieqiReferee(gametype.Referee):
    """See ``engines.gametype.Referee``; sides are the colours themselves."""

    game: Game

    def __init__(self, game: Game, draws: bool = True) -> None:
        """``draws``: whether an offered draw may be accepted."""
        super().__init__(game)
        self._draws = draws

    def no_draw(self) -> str | None:
        """See ``engines.gametype.Referee``."""
        return super().no_draw() if self._draws else "there are no draws by agreement in this game"

    @property
    def draw_offered(self) -> bool:
        return self._draws and self.game.offered_by == 1 - self.game.turn

    def accept(self, decision: Decision) -> str:
        """See ``engines.gametype.Referee``. An offer that the rules don't allow now is left out."""
        if decision.action not in ("move", "draw"):
            raise ValueError(f"'{decision.action}' is no turn in {self.game.form.title.english}")
        game = self.game
        if decision.action == "draw" and self.draw_offered:
            game.answer_offer(game.turn, True)
            return ""
        if decision.move is None:
            raise ValueError("no move")
        offers = decision.action == "draw" and self._draws and game.may_offer(game.turn) is None
        side = game.turn
        played = game.play(decision.move)
        if offers:
            game.undo()
            game.offer_draw(side)
            played = game.play(decision.move)
        return played

    def play(self, text: str) -> None:
        """See ``engines.gametype.Referee``; letters that are there must be what the deal has. "" is the agreement on a
        draw: the offer, which is not written down, is made up for it."""
        game = self.game
        if not text:
            game.offer_draw(game.turn)
            game.answer_offer(1 - game.turn, True)
            return
        said = parse(game.board, text)
        played = game.play(said.move)
        shown, taken = game.last.shown, game.last.taken
        if (said.shown or shown, said.taken or taken) != (shown, taken):
            game.undo()
            raise ValueError(f"{text}: what turned up is another, {played}")

    def ending(self) -> Ending | None:
        """See ``engines.gametype.Referee``."""
        result = self.game.result
        if result is None:
            return None
        more = "" if result.words == REASONS[result.reason] else result.words.english
        return Ending(result.winner, result.reason, self.result_text(result.winner), more)


def _type_of(form: Form) -> type[FormType]:
    """The game type of a form."""
    facts = {
        "form": form,
        "name": form.name,
        "titles": form.title,
        "hidden": form.layout != "open",
        "chance": form.layout != "open",
        "__doc__": f"{form.title.english}; see ``FormType``.",
        "__module__": __name__,
    }
    return type(class_name(form.name), (FormType,), facts)


def class_name(form: str) -> str:
    """The name of a form's class in this module: ``Jieqi2Type``."""
    return form.capitalize() + "Type"


TYPES: dict[str, type[FormType]] = {name: _type_of(form) for name, form in FORMS.items()}
"""The game types by the name of their form."""

globals().update({cls.__name__: cls for cls in TYPES.values()})
