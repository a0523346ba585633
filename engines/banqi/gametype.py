"""Banqi as matches play, show and write it, and what luoqi and sanguo share with it; see ``engines.gametype``.

A setup is the FEN of a game, moves are the referee's texts (``a3(P)``, ``a3-b3``). What lies face down follows from
``Opening.seed``, so both games of a pair, seats exchanged, have one deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from engines import gametype
from engines.banqi.diagram import half_board, last_squares, standing
from engines.banqi.ending import CYCLES
from engines.banqi.game import Game
from engines.banqi.records.own import Record, RecordError, read_json, read_pgn, record_of, referee, write_pgn
from engines.banqi.referee import REASONS, Referee
from engines.banqi.rules import NAMED
from engines.banqi.terminal import grid
from engines.drawing import svg
from engines.drawing.grid import Grid
from engines.gametype import Course, Decision, Ending, GameType, Opening, Option, PlayedGame, Step, unheard
from engines.opening_files import going_on, random_plies, read_records_or_lines
from engines.results import Words
from engines.terms import Language
from engines.timing import format_control

READERS: dict[str, Callable[[str], Record]] = {".pgn": read_pgn, ".json": read_json}
"""Who reads the records of a file, by its ending."""

MOST_BYTES = 1 << 22

STILL = Option("still", 60, int, "plies without progress that draw; 0 never", "N", read=int, served=True)


_TOLD = {"no-move": "stalemate"}
"""Reasons of these games that a match calls otherwise: there, who gives no move has failed."""


class DealtReferee(gametype.Referee):
    """See ``engines.gametype.Referee``, over a game of ``engines.banqi.referee``."""

    game: Referee

    def __init__(self, game: Referee, draws: bool = True) -> None:
        """``draws``: whether an offered draw may be accepted, where two play."""
        super().__init__(game, game.sides)
        self._draws = draws and game.sides == 2

    def no_draw(self) -> str | None:
        """See ``engines.gametype.Referee``."""
        if not self._draws:
            return "there are no draws by agreement in this game"
        return None if self.game.offered_by is None else "an offer still stands"

    @property
    def draw_offered(self) -> bool:
        """See ``engines.gametype.Referee``."""
        return self._draws and self.game.offered_by == 1 - self.game.turn

    def accept(self, decision: Decision) -> str:
        """See ``engines.gametype.Referee``. An offer that the rules don't allow now is left out."""
        game = self.game
        if decision.action not in ("move", "draw"):
            raise ValueError(f"'{decision.action}' is no turn in {game.name}")
        if decision.action == "draw" and self.draw_offered:
            game.answer_offer(game.turn, True)
            return ""
        if decision.move is None:
            raise ValueError("no move")
        side = game.turn
        played = game.play(decision.move)
        if decision.action == "draw" and self._draws and game.turn != side and game.result is None:
            game.undo()
            game.offer_draw(side)
            played = game.play(decision.move)
        return played

    def play(self, text: str) -> None:
        """See ``engines.gametype.Referee``; "" is the agreement on a draw, whose offer is made up for it."""
        if text:
            self.game.play_text(text)
            return
        self.game.offer_draw(self.game.turn)
        self.game.answer_offer(1 - self.game.turn, True)

    def ending(self) -> Ending | None:
        """See ``engines.gametype.Referee``."""
        result = self.game.result
        if result is None:
            return None
        more = "" if result.words == REASONS[result.reason] else result.words.english
        scores = () if self.sides == 2 else _shares(result.scores)
        return Ending(
            result.winner,
            _TOLD.get(result.reason, result.reason),
            self.result_text(result.winner, scores),
            more,
            scores,
        )


def _shares(points: Iterable[float]) -> tuple[float, ...]:
    """What a match counts for each side, 0…1: points as they are where they share 1, else 1 shared by the best."""
    points = tuple(points)
    if min(points) >= 0 and abs(sum(points) - 1) < 1e-6:
        return points
    best = [point == max(points) for point in points]
    return tuple(one / sum(best) for one in best)


class DealtType(GameType):
    """What the three games have in common; ``game_class`` makes a game."""

    game_class: ClassVar[Callable[..., Any]]
    chance = True
    protocols = ("mgtp",)
    suffix = "pgn"
    collected = True
    reasons = {name: words.english for name, words in REASONS.items() if name not in _TOLD}  # noqa: RUF012

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """Raises ValueError for rules or options that there are none of."""
        super().__init__(rules, options)
        self.draws: bool = bool(self.options.get("draws", True))
        self.begin(Opening())

    def arguments(self) -> dict[str, Any]:
        """What the game's constructor gets beside the setup and the seed."""
        found = {name: value for name, value in self.options.items() if name != "draws"}
        return {**found, "rules": self.rule_set} if self.rule_set else found

    def begin(self, opening: Opening) -> DealtReferee:
        """See ``engines.gametype.GameType``."""
        chance = {"seed": opening.seed} if self.chance else {}
        found = DealtReferee(self.game_class(opening.setup or None, **chance, **self.arguments()), self.draws)
        for text in opening.moves:
            found.play(text)
        return found

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """So many random plies, none unless asked for where the deal differs from round to round; not weighed."""
        return random_plies(self.begin(Opening(seed=seed)), seed, plies or (0 if self.chance else 4))

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """A record (PGN, JSON) or a folder of them, with its moves; or a text file with a FEN, ``FEN moves …`` or moves
        on each line."""
        return read_records_or_lines(
            path, READERS, lambda file: self._from_record(file, plies), lambda line: self._from_line(line, plies), tell
        )

    def _from_record(self, file: Path, plies: int) -> Opening:
        data = file.read_bytes()[: MOST_BYTES + 1]
        if len(data) > MOST_BYTES:
            raise ValueError("the file is too long")
        record = READERS[file.suffix.lower()](data.decode("utf-8-sig", "replace"))
        if record.game != self.name:
            raise ValueError(f"a game of {record.game}, not of {self.name}")
        record.moves, record.reason = record.moves[: plies or None], ""
        if not record.whole:
            raise ValueError("the record has no deal: it is one view of a game")
        game = referee(record)
        name = record.tags.get("Event") or file.stem
        return going_on(self, Opening(game.setup_text(), (), name))

    def _from_line(self, line: str, plies: int) -> Opening:
        setup, _, rest = line.split(";")[0].strip().partition(" moves ")
        if "/" not in setup:
            setup, rest = "", line.split(";")[0].removeprefix("startpos").strip().removeprefix("moves ")
        moves = tuple(rest.split()[: plies or None])
        return going_on(self, Opening(setup.strip(), moves, " ".join(moves[:8]) or setup))

    def facts(self) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        options = self.begin(Opening()).game.options
        return {**super().facts(), "Rules": ", ".join(f"{name} {value}" for name, value in options.items())}

    def _standing(self, game: Any) -> dict[int, str]:
        return standing(game.board.fen())

    def _last(self, text: str) -> tuple[int, ...]:
        return last_squares(text)

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """See ``engines.gametype.GameType``; as a spectator sees it."""
        found = self.begin(Opening(opening.setup, (), "", opening.seed))
        start = before = self._standing(found.game)
        steps = []
        for text in (*opening.moves, *moves):
            if not text:  # a draw is agreed
                steps.append(Step({}, ()))
                continue
            found.play(text)
            now = self._standing(found.game)
            changes = {at: now.get(at, "") for at in {*before, *now} if before.get(at) != now.get(at)}
            steps.append(Step(dict(sorted(changes.items())), self._last(text)))
            before = now
        return Course(dict(start), tuple(steps))

    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.gametype.GameType``."""
        return grid(seen, letters, language)

    def player(self, level: str = "", seed: int | None = None) -> Any:
        """See ``engines.gametype.GameType``: that of banqi and luoqi."""
        from engines.banqi.search.player import SearchPlayer

        if level:
            raise ValueError(f"the player of {self.titles.english} has no levels")
        return SearchPlayer(seed=seed)

    def record_text(self, played: PlayedGame, notation: str) -> str:
        """See ``engines.gametype.GameType``: the referee's, with the deal."""
        found = self.begin(played.opening)
        for turn in played.turns:
            if turn.move or turn is not played.turns[-1] or played.ending.reason == "agreement":
                found.play(turn.move)
        record = record_of(found.game, players=played.names)
        record.tags = {
            "Event": played.event or "qiqiao match",
            "Date": played.date[:10].replace("-", "."),
            "Round": f"{played.round}.{played.game_of_round}",
            "TimeControl": format_control(played.control),
            "Reason": played.reason,
        }
        if played.opening.name:
            record.tags["Opening"] = played.opening.name
        if played.error:
            record.tags["Error"] = played.error
        ending = played.ending
        record.winner = ending.winner
        known = ending.reason in REASONS or not ending.reason  # a game that goes on has none
        record.reason = ending.reason if known else "forfeit"
        sides = len(self.sides)
        record.scores = [ending.score_of(side, sides) for side in range(sides)]
        return write_pgn(record)


class BanqiType(DealtType):
    """See ``engines.gametype.GameType``."""

    name = "banqi"
    titles = Words("Banqi", "暗棋", "暗棋")
    sides = ("First", "Second")
    game_class = Game
    option_table = (
        STILL,
        Option("repetition", "cycle", str, f"which repetition draws: {', '.join(CYCLES)}", "NAME", served=True),
        Option("chase", 0, int, "attacks on one piece in a row that lose; 0 never", "N", read=int, served=True),
        Option("draws", True, bool, "players may agree on a draw"),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """``rules``: one of ``engines.banqi.rules.NAMED`` or a base with switches; "" is ``taiwan``."""
        super().__init__(rules or NAMED[0], options)

    def board(self, coordinates: bool = True) -> svg.Board:
        """See ``engines.gametype.GameType``."""
        return half_board(coordinates=coordinates)


__all__ = ["BanqiType", "DealtReferee", "DealtType", "RecordError"]
