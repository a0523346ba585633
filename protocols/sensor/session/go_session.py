"""Go at a sensor board: the game of ``qiqiao board --game go``."""

from __future__ import annotations

import time
from typing import Any

from engines.drawing.grid import columns
from engines.go import rules as rule_sets
from engines.go.coordinates import file_label, rank_label, read_point, write_point
from engines.go.game import Game
from engines.go.handicap import fixed_handicap
from engines.go.points import BLACK, COLOR_NAMES, PASS, WHITE, opponent
from engines.go.record_document import RecordDocument
from engines.go.records import RecordError, Setup, record_of, write_record, write_text
from engines.go.records.games import replay
from engines.go.vertex import parse_vertex
from engines.player import Choice
from protocols.sensor.reading import Hello
from protocols.sensor.session.board_session import BoardSession
from protocols.sensor.session.board_tracker import board_tracker
from protocols.sensor.session.session_game import Resumed, SessionType
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.events import SetUp
from protocols.sensor.tracker.tracker import Tracker

_NAMES = {BLACK: "Black 黑", WHITE: "White 白"}


HANDICAP_KOMI = 0.5
"""Komi with handicap stones where none is named: White's usual half point, so that no game is drawn."""

UNKNOWN = "?"
"""SGF's result of a game of which none is known."""


def resumed(path: str) -> tuple[Game, RecordDocument]:
    """The game that a record leaves off in, and the file. Raises RecordError for one that cannot be gone on with."""
    kept = RecordDocument(path)
    record = kept.record
    if any(isinstance(step, Setup) for step in record.steps):
        raise RecordError(f"{path}: stones are set up in the middle of the game")
    try:
        game = replay(record)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    return game, kept


class GoSession(BoardSession):
    """``game``: where to begin. ``path``: the record file, empty for none."""

    colors = (BLACK, WHITE)

    def __init__(
        self,
        game: Game,
        path: str,
        settings: BoardSettings,
        handicap: int = 0,
        kept: RecordDocument | None = None,
        system: str = "gtp",
        **how: Any,
    ) -> None:
        """``kept``: the file that is gone on with; ``system``: how points are named, one of
        ``engines.go.coordinates.SYSTEMS``. ``how`` is as for ``BoardSession``.

        Raises ValueError for a handicap that the board has no points for.
        """
        self._game = game
        self._settings = settings
        self._left_out = settings.ignore
        self._handicap = handicap
        self._system = system
        if handicap and kept is None and not game.moves and not any(game.setup):
            game.place_handicap(fixed_handicap(game.width, game.height, handicap))
        self._kept = kept
        super().__init__(path, **how)
        self.resumed = kept is not None

    @property
    def plies(self) -> int:
        return self._game.board.turns

    def mover(self) -> int:
        return self._game.to_move

    def game(self) -> Game:
        return self._game.copy()

    def make_tracker(self, hello: Hello) -> Tracker:
        return board_tracker("go", self._game, hello, self._settings, humans=self.humans, system=self._system)

    def play(self, color: int, move: int) -> None:
        self._game.play_as(color, move)

    def play_choice(self, color: int, choice: Choice[int]) -> str:
        if choice.action == "resign":
            self._end(self.lost(color, "resign"))
            return "resigns (认输/認輸)"
        point = choice.move if choice.action in ("move", "draw") and choice.move is not None else PASS
        if not self._game.is_legal(color, point):
            point = PASS
        self._game.play_as(color, point)
        return self.told(color, point)

    def cut(self, plies: int) -> None:
        while self._game.board.turns > plies:
            self._game.undo()

    def clear(self) -> None:
        stones = [point for point, stone in enumerate(self._game.setup) if stone == BLACK]
        handicap = self._game.handicap
        self._game.clear()
        if handicap and handicap == len(stones):
            # The stones of the game just played are what the board takes for the next one's start.
            self._game.place_handicap(stones)
        elif self._handicap:
            self._game.place_handicap(fixed_handicap(self._game.width, self._game.height, self._handicap))

    def set_up(self, event: SetUp) -> None:
        self._game.set_position(event.points, event.to_move)
        if event.to_move == WHITE and event.points.count(WHITE) == 0 and event.points.count(BLACK) > 1:
            self._game.handicap = event.points.count(BLACK)

    def name_color(self, color: int) -> str:
        return _NAMES[color]

    def told(self, color: int, move: int) -> str:
        name = write_point(move, self._game.width, self._game.height, self._system)
        return f"{name} (弃着/棄著)" if move == PASS else name

    def read_move(self, text: str) -> int:
        if self._system == "gtp":
            return parse_vertex(text, self._game.width, self._game.height)
        return read_point(text, self._game.width, self._game.height, self._system)

    def points_of(self, move: int) -> list[int]:
        return [move] if move != PASS else []

    def adviser(self) -> Any:
        from engines.go.search import SearchPlayer

        return SearchPlayer()

    def check_end(self) -> None:
        ending = self._game.ending
        if ending == "passes" and not self.stands:
            self._held = True
        elif ending == "passes":
            judged = getattr(self.opponent, "judge", None)
            dead = judged(self._game).dead if judged is not None else frozenset()
            self.controller.tell(lambda tracker, now: tracker.begin_scoring(now, dead))
            self.say("both passed. Lift a stone of each dead chain (死子), put it back for a living one; confirm twice")
        elif ending is not None:
            self._end("Void" if ending == "no-result" else "0")

    def agreed(self, dead: frozenset[int]) -> None:
        score = self._game.score(dead)
        if self._game.rules.scoring == "area":
            count = score.zi(BLACK)
            self.say(f"Black 黑 has {count.count:g} zi (子), and needs more than {count.needed:g}")
        self._end(score.text)

    def lost(self, color: int, why: str) -> str:
        winner = COLOR_NAMES[opponent(color)][0].upper()
        return f"{winner}+{ {'resign': 'R', 'time': 'T', 'forfeit': 'F'}[why] }"

    def offer_draw(self, color: int) -> None:
        self.say("Go knows no draw by agreement")

    def moves(self) -> list[tuple[int, int]]:
        return self._game.moves

    def save(self, path: str) -> None:
        if self.resumed and self._kept is not None:
            write_text(path, self._kept.text(self._game.moves, self.result))
            return
        names = {color: "board" if color in self.humans else "qiqiao" for color in self.colors}
        record = record_of(
            self._game,
            black_name=names[BLACK],
            white_name=names[WHITE],
            result=self.result,
            date=time.strftime("%Y-%m-%d"),
            control=self.control,
        )
        write_record(path, record)

    def picture(self) -> str:
        """The position as text."""
        game = self._game
        ranks = [rank_label(y, game.height, self._system) for y in range(game.height)]
        files = [file_label(x, game.width, self._system) for x in range(game.width)]
        wide = max(map(len, files))
        margin = max(2, *map(columns, ranks))
        letters = " " * (margin + 1) + " ".join(f"{file:<{wide}}" for file in files).rstrip()
        last = game.board.last_move()
        lines = [letters]
        for y in reversed(range(game.height)):
            row = ""
            for x in range(game.width):
                point = y * game.width + x
                row += (")" if last is not None and last[1] == point - 1 and x else " ") if last is not None else " "
                if last is not None and last[1] == point:
                    row = row[:-1] + "("
                row += ".XO"[game.board.at(point)] + " " * (wide - 1)
            end = ")" if last is not None and last[1] == y * game.width + game.width - 1 else " "
            lines.append(f"{' ' * (margin - columns(ranks[y]))}{ranks[y]}{row}{end}{ranks[y]}")
        return "\n".join([*lines, letters])


def _begin(options: Any, size: tuple[int, int]) -> Game:
    chosen = rule_sets.parse_rules(options.rules) if options.rules else rule_sets.DEFAULT
    komi = HANDICAP_KOMI if options.komi is None and options.handicap else options.komi
    return Game(*size, rules=chosen, komi=komi)


def _resume(options: Any) -> Resumed:
    game, kept = resumed(options.resume)
    result = kept.record.result
    return Resumed(game, kept, kept.record.notes, "" if result == UNKNOWN else result)


def _session(game: Game, path: str, settings: BoardSettings, options: Any, kept: Any, **how: Any) -> GoSession:
    return GoSession(game, path, settings, options.handicap, kept, options.coordinates, **how)


SESSION = SessionType((BLACK, WHITE), _begin, _resume, _session)
