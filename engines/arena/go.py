"""Go as a match plays it; see ``engines.arena.referee``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engines.arena.referee import FAULTS, Course, Decision, Ending, Opening, Step, unheard
from engines.arena.settings import Settings
from engines.drawing.svg import Board
from engines.go.diagram import SYMBOLS, go_board, standing
from engines.go.game import Game
from engines.go.life import unconditional_life
from engines.go.points import BLACK, EMPTY, PASS, WHITE
from engines.go.records import Move as RecordMove
from engines.go.records import Record, RecordError, Setup, read_record
from engines.go.rules import DEFAULT, parse_rules
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits
from engines.text import read_lines

if TYPE_CHECKING:
    from engines.arena.journal import Turn

BALANCE = 15.0
"""Per cent beside an even chance that a random opening may give a side, unless the match says otherwise."""

BALANCE_PLAYOUTS = 100
"""Playouts behind that judgement."""

ATTEMPTS = 30
"""Random openings tried before the most even of them is taken."""

_LETTERS = {BLACK: "B", WHITE: "W"}
_COLORS = {"B": BLACK, "W": WHITE}


class GoKind:
    """See ``engines.arena.referee.Kind``. A setup is written ``B D4 Q16 W C3 to W handicap 2``."""

    name = "go"
    seats = ("Black", "White")
    least_move_time = 1.0  # GTP counts whole seconds
    suffix = "sgf"

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError for rules or a size that there are none of."""
        self.rules = parse_rules(settings.rules, allow_komi=False) if settings.rules else DEFAULT
        self.size = settings.size
        self.komi = settings.komi
        self._settings = settings
        self._new_game()

    def _new_game(self) -> Game:
        return Game(self.size[0], self.size[1], self.rules, self.komi)

    def begin(self, opening: Opening) -> GoReferee:
        """See ``engines.arena.referee.Kind``."""
        game = self._new_game()
        _set_up(game, opening.setup)
        referee = GoReferee(game)
        for text in opening.moves:
            referee.play(text)
        return referee

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """Stones on no line below the third (where there is room), the judgement being the search's own."""
        from engines.go.search import SearchPlayer

        chance = random.Random(seed)
        plies = plies or (4 if min(self.size) >= 13 else 2)
        allowed = (balance or BALANCE) / 100
        best: tuple[float, Opening] | None = None
        player = SearchPlayer(playouts=BALANCE_PLAYOUTS, seed=seed, memory_mb=16, resign=0)
        for _ in range(ATTEMPTS):
            referee = self.begin(Opening())
            moves: list[str] = []
            for _ in range(plies):
                point = self._random_point(referee.game, chance)
                if point is None or referee.game.ending is not None:
                    break
                moves.append(format_vertex(point, *self.size))
                referee.play(moves[-1])
            opening = Opening("", tuple(moves), " ".join(moves))
            choice = player.choose(referee.game, referee.color, Limits(), fresh=True)
            candidates = choice.report.candidates if choice.report is not None else ()
            chances = [one.winrate for one in candidates[:1] if one.winrate is not None]
            unevenness = abs(chances[0] - 0.5) if chances else 0.5
            if best is None or unevenness < best[0]:
                best = unevenness, opening
            if unevenness <= allowed:
                break
        player.close()
        assert best is not None
        return best[1]

    def _random_point(self, game: Game, chance: random.Random) -> int | None:
        """A legal point, away from the edge where the board is large; None where there is no legal one."""
        width, height = self.size
        edge = 2 if min(width, height) >= 7 else 1 if min(width, height) >= 5 else 0
        inner = [
            y * width + x
            for y in range(edge, height - edge)
            for x in range(edge, width - edge)
            if game.is_legal(game.to_move, y * width + x)
        ]
        points = inner or [point for point in range(game.points) if game.is_legal(game.to_move, point)]
        return chance.choice(points) if points else None

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """A folder of SGF files, one of them, or a text file with the vertices of an opening on each line."""
        try:
            place = Path(path)
            if place.is_dir():
                found = []
                for file in sorted(file for file in place.iterdir() if file.suffix.lower() == ".sgf"):
                    try:
                        found.append(self._from_sgf(file, plies, tell))
                    except ValueError as error:
                        tell(f"left out: {error}")
            elif place.suffix.lower() == ".sgf":
                found = [self._from_sgf(place, plies, tell)]
            else:
                found = [
                    self._checked(_opening_of_line(line, plies), f"{path}: line {number}")
                    for number, line in read_lines(place)
                ]
        except OSError as error:
            raise ValueError(f"cannot read the openings: {path}: {error.strerror or error}") from None
        if not found:
            raise ValueError(f"there are no openings in {path}")
        return found

    def _from_sgf(self, file: Path, plies: int, tell: Callable[[str], None]) -> Opening:
        try:
            record = read_record(file)
        except RecordError as error:
            raise ValueError(f"{file}: {error}") from None
        for note in record.notes:
            tell(f"{file}: {note}")
        if (record.width, record.height) != self.size:
            raise ValueError(
                f"{file} is of a board of {record.width}x{record.height}, the match of {self.size[0]}x{self.size[1]}"
            )
        setup = record.setup
        moves: list[RecordMove] = []
        for step in record.steps:
            if isinstance(step, Setup) and not moves and not setup:
                setup = step
            elif isinstance(step, RecordMove) and (not plies or len(moves) < plies):
                moves.append(step)
            else:
                break  # a later setup, or enough
        first = moves[0].color if moves else record.before(1).to_play
        opening = Opening(
            _setup_text(setup, record, first, self.size),
            tuple(format_vertex(move.point, *self.size) for move in moves),
            file.stem,
        )
        return self._checked(opening, str(file))

    def _checked(self, opening: Opening, where: str) -> Opening:
        try:
            if self.begin(opening).game.ending is not None:
                raise ValueError("the game is over")
        except ValueError as error:
            raise ValueError(f"{where}: no opening on this board: {error}") from None
        return opening

    def facts(self) -> dict[str, str]:
        """See ``engines.arena.referee.Kind``."""
        game = self._new_game()
        return {
            "Game": f"Go 围棋/圍棋, {self.size[0]}×{self.size[1]}",
            "Rules": self._settings.rules or self.rules.name,
            "Komi": f"{game.komi:g}",
        }

    def board(self, coordinates: bool = True) -> Board:
        """See ``engines.arena.referee.Kind``."""
        return go_board(*self.size, coordinates)

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """See ``engines.arena.referee.Kind``."""
        referee = self.begin(Opening(opening.setup))
        game = referee.game
        before = game.board.stones()
        start, steps = standing(before), []
        for text in (*opening.moves, *moves):
            referee.play(text)
            point, after = game.moves[-1][1], game.board.stones()
            if point == PASS:
                steps.append(Step({}, ()))
                continue
            changes = {
                at: SYMBOLS.get(new, "") for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new
            }
            steps.append(Step(changes, (point,)))
            before = after
        return Course(start, tuple(steps))

    def judgement(self, turn: Turn) -> str:
        """See ``engines.arena.referee.Kind``."""
        words = [] if turn.winrate is None else [f"{100 * turn.winrate:.0f} %"]
        return " ".join(words if turn.score is None else [*words, f"{turn.score:+.1f}"])


def _opening_of_line(line: str, plies: int) -> Opening:
    words = line.split()
    return Opening("", tuple(words[: plies or None]), " ".join(words[: plies or 8]))


def _setup_text(setup: Setup, record: Record, first: int, size: tuple[int, int]) -> str:
    """A record's stones as text; "" for the empty board with Black to move."""
    words = []
    for color, points in ((BLACK, setup.black), (WHITE, setup.white)):
        if points:
            words += [_LETTERS[color], *(format_vertex(point, *size) for point in sorted(points))]
    if first == WHITE or (words and first != BLACK):
        words += ["to", _LETTERS[first]]
    stones = record.handicap_stones
    if stones and not setup.white and record.handicap == stones:
        words += ["handicap", str(stones)]
    return " ".join(words)


def _set_up(game: Game, setup: str) -> None:
    """Put a setup's stones on the empty board. Raises ValueError."""
    if not setup:
        return
    stones = bytearray(game.points)
    color, to_move, handicap = EMPTY, BLACK, 0
    words = iter(setup.split())
    for word in words:
        if word == "to":
            to_move = _COLORS.get(next(words, ""), BLACK)
        elif word == "handicap":
            handicap = int(next(words, "0"))
        elif word in _COLORS:
            color = _COLORS[word]
        else:
            stones[parse_vertex(word, game.width, game.height)] = color
    if handicap:
        game.place_handicap(point for point, stone in enumerate(stones) if stone == BLACK)
    else:
        game.set_position(bytes(stones), to_move)


class GoReferee:
    """See ``engines.arena.referee.Referee``; scores are told in win rates."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def color(self) -> int:
        return self.game.to_move

    @property
    def seat(self) -> int:
        return int(self.game.to_move == WHITE)

    draw_offered = False

    def accept(self, decision: Decision) -> str:
        """See ``engines.arena.referee.Referee``."""
        if decision.action not in ("move", "pass"):
            raise ValueError(f"'{decision.action}' is no turn in Go")
        point = PASS if decision.action == "pass" or decision.move is None else decision.move
        self.game.play_as(self.color, point)
        return format_vertex(point, self.game.width, self.game.height)

    def play(self, text: str) -> None:
        """See ``engines.arena.referee.Referee``."""
        self.game.play_as(self.color, parse_vertex(text, self.game.width, self.game.height))

    def ending(self) -> Ending | None:
        """See ``engines.arena.referee.Referee``."""
        ending = self.game.ending
        if ending in ("no-result", "draw"):
            return Ending(None, "no-result", "Void" if ending == "no-result" else "0")
        return None

    @property
    def needs_count(self) -> bool:
        return self.game.ending == "passes"

    def count(self, dead: Iterable[int]) -> Ending:
        """See ``engines.arena.referee.Referee``."""
        score = self.game.score(dead)
        return Ending(_seat_of(score.winner), "score", score.text)

    def judged_dead(self) -> frozenset[int]:
        """The dead stones by the built-in judgement, the same for the same position."""
        from engines.go.search import SearchPlayer

        player = SearchPlayer(memory_mb=16)
        try:
            return player.judge(self.game).dead
        finally:
            player.close()

    def certainly_alive(self, stones: Iterable[int]) -> bool:
        """Whether any of these stones can't be captured whatever happens: then whoever calls it dead is wrong."""
        game, board = self.game, self.game.board.stones()
        alive: frozenset[int] = frozenset()
        for color in (BLACK, WHITE):
            alive |= unconditional_life(game.width, game.height, board, color, game.rules.suicide).stones
        return not alive.isdisjoint(stones)

    def end(self, loser: int, reason: str, words: str = "") -> Ending:
        """See ``engines.arena.referee.Referee``."""
        mark = {"resignation": "R", "time": "T"}.get(reason, "F" if reason in FAULTS else "")
        return Ending(1 - loser, reason, f"{'WB'[loser]}+{mark}", words)

    def stop(self, winner: int | None, reason: str, words: str = "") -> Ending:
        """See ``engines.arena.referee.Referee``."""
        return Ending(winner, reason, "0" if winner is None else f"{'BW'[winner]}+", words)

    def too_long(self) -> Ending:
        """The board is counted as it stands."""
        ending = self.count(())
        return Ending(ending.winner, "length", ending.result)

    def sure(self, score: float | None, winrate: float | None) -> float | None:
        """Per cent above an even chance."""
        return None if winrate is None else 100 * (winrate - 0.5)


def _seat_of(color: int) -> int | None:
    return None if color == EMPTY else 0 if color == BLACK else 1
