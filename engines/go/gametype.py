"""Go as a match plays it, shows it and writes it down; see ``engines.gametype``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from engines import gametype
from engines.drawing.grid import Grid
from engines.drawing.svg import Board
from engines.files import read_bytes
from engines.gametype import (
    FAULTS,
    Course,
    Decision,
    Ending,
    GameType,
    Opening,
    Option,
    PlayedGame,
    Step,
    Turn,
    unheard,
)
from engines.go.coordinates import SYSTEMS, read_point, write_point
from engines.go.diagram import SYMBOLS, go_board, standing
from engines.go.game import Game
from engines.go.levels import MAX_LEVEL, level_number
from engines.go.life import unconditional_life
from engines.go.points import BLACK, EMPTY, PASS, WHITE
from engines.go.records import Move as RecordMove
from engines.go.records import Record, RecordError, Setup, format_record, read_record, record_of
from engines.go.records.reading import is_record
from engines.go.records.whole import looks_like_list, read_lists
from engines.go.rules import DEFAULT, parse_rules
from engines.go.terminal import grid
from engines.go.vertex import format_vertex, parse_vertex, read_size
from engines.player import Limits
from engines.results import Words
from engines.terms import Language
from engines.text import MAX_LINES_BYTES, read_lines

BALANCE = 15.0
"""Per cent beside an even chance that a random opening may give a side, unless the match says otherwise."""

BALANCE_PLAYOUTS = 100
"""Playouts behind that judgement."""

ATTEMPTS = 30
"""Random openings tried before the most even of them is taken."""

LARGEST_KOMI = 1e6

SUFFIXES = (".sgf", ".gib", ".ngf", ".ugf", ".ugi")
"""The endings of the files in a folder that are taken for records."""

_LETTERS = {BLACK: "B", WHITE: "W"}


def read_komi(text: str) -> float:
    """A komi. Raises ValueError."""
    try:
        komi = float(text)
    except ValueError:
        raise ValueError(f"not a number: '{text}'") from None
    if not abs(komi) <= LARGEST_KOMI:
        raise ValueError(f"must be {-LARGEST_KOMI:.0f} to {LARGEST_KOMI:.0f}, not {text}")
    return komi


class GoType(GameType):
    """See ``engines.gametype.GameType``. A setup is written ``B D4 Q16 W C3 to W handicap 2``."""

    name = "go"
    titles = Words("Go", "围棋", "圍棋")
    sides = ("Black", "White")
    protocols = ("gtp",)
    least_move_time = 1.0  # GTP counts whole seconds
    longest = 1000
    suffix = "sgf"
    own_words = True
    levels = f"1 to {MAX_LEVEL}, or a rank (10k, 10级, 1段)"
    unfinished = "?"
    option_table = (
        Option("size", (19, 19), tuple[int, int], "board, N or WxH (19)", "N", read=read_size),
        Option("komi", None, float | None, "points for White", "POINTS", read=read_komi),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """Raises ValueError for rules or a size that there are none of."""
        super().__init__(rules, options)
        self.rules = parse_rules(rules, allow_komi=False) if rules else DEFAULT
        self.size: tuple[int, int] = self.options["size"]
        self.komi: float | None = self.options["komi"]
        self._new_game()

    def _new_game(self, setup: str = "") -> Game:
        return Game(self.size[0], self.size[1], self.rules, self.komi, setup)

    def begin(self, opening: Opening) -> GoReferee:
        """See ``engines.gametype.GameType``."""
        referee = GoReferee(self._new_game(opening.setup))
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
        """A folder of records (SGF, GIB, NGF, UGF), one of them, or a text file with the vertices of an opening on each
        line.
        """
        try:
            place = Path(path)
            if place.is_dir():
                found = []
                for file in sorted(file for file in place.iterdir() if file.suffix.lower() in SUFFIXES):
                    try:
                        found.append(self._from_sgf(file, plies, tell))
                    except ValueError as error:
                        tell(f"left out: {error}")
            elif place.suffix.lower() == ".sgf" or is_record(read_bytes(place, MAX_LINES_BYTES)):
                found = [self._from_sgf(place, plies, tell)]
            else:
                found = [
                    self._of_line(line, plies, f"{path}: line {number}", tell) for number, line in read_lines(place)
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
        return self._of_record(record, plies, str(file), file.stem, tell)

    def _of_line(self, line: str, plies: int, where: str, tell: Callable[[str], None]) -> Opening:
        """A line with the vertices of an opening, or a list of moves in any other form that is read."""
        record = None
        try:
            return self._checked(_opening_of_line(line, plies), where)
        except ValueError:
            sized = line if "size" in line.lower() else f"[size:{self.size[0]}x{self.size[1]}] {line}"
            if looks_like_list(line):
                with suppress(RecordError):
                    record = next(read_lists(sized), None)
            if record is None or record.notes:
                raise
        return self._of_record(record.record, plies, where, where, tell)

    def _of_record(self, record: Record, plies: int, file: str, name: str, tell: Callable[[str], None]) -> Opening:
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
            name,
        )
        return self._checked(opening, file)

    def _checked(self, opening: Opening, where: str) -> Opening:
        try:
            if self.begin(opening).game.ending is not None:
                raise ValueError("the game is over")
        except ValueError as error:
            raise ValueError(f"{where}: no opening on this board: {error}") from None
        return opening

    def facts(self) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        game = self._new_game()
        return {
            "Game": f"{self.titles.english} {self.titles.chinese}, {self.size[0]}×{self.size[1]}",
            "Rules": self.rule_set or self.rules.name,
            "Komi": f"{game.komi:g}",
        }

    def board(self, coordinates: bool = True) -> Board:
        """See ``engines.gametype.GameType``."""
        return go_board(*self.size, coordinates)

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """See ``engines.gametype.GameType``."""
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

    def grid(self, seen: Game, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.gametype.GameType``."""
        last = tuple(point for _, point in seen.moves[-1:] if point != PASS)
        return grid(seen.board.stones(), seen.width, seen.height, last, letters)

    def read_word(self, seen: Game, text: str) -> int:
        """See ``engines.gametype.GameType``: any system of coordinates, ``pass``."""
        return read_point(text, seen.width, seen.height)

    def names(self, seen: Game, move: int) -> dict[str, str]:
        """See ``engines.gametype.GameType``: one name for each system of coordinates."""
        return {name: write_point(move, seen.width, seen.height, name) for name in SYSTEMS}

    def name_of(self, seen: Game, move: int, language: Language = "en") -> str:
        """See ``engines.gametype.GameType``."""
        if move == PASS:
            return "pass" if language == "en" else "停一手"
        return format_vertex(move, seen.width, seen.height)

    def player(self, level: str = "", seed: int | None = None) -> Any:
        """See ``engines.gametype.GameType``."""
        from engines.go.search import SearchPlayer

        return SearchPlayer(level=level_number(level) if level else MAX_LEVEL, seed=seed)

    def judgement(self, turn: Turn) -> str:
        """See ``engines.gametype.GameType``."""
        words = [] if turn.winrate is None else [f"{100 * turn.winrate:.0f} %"]
        return " ".join(words if turn.score is None else [*words, f"{turn.score:+.1f}"])

    def twogtp_facts(self) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        return {
            "Komi": f"{self._new_game().komi:g}",
            "Size": str(self.size[0]),
            "RefereeCommand": self.rule_set or "chinese",
        }

    def shape(self, opening: Opening, moves: Iterable[str]) -> tuple[str, ...]:
        """See ``engines.gametype.GameType``."""
        width, height = self.size
        points = [parse_vertex(text, width, height) for text in (*opening.moves, *moves)]
        shapes = []
        for turned in range(8 if width == height else 4):
            texts = []
            for point in points:
                if point >= 0:
                    y, x = divmod(point, width)
                    x, y = (width - 1 - x if turned & 1 else x), (height - 1 - y if turned & 2 else y)
                    x, y = (y, x) if turned & 4 else (x, y)
                    point = y * width + x
                texts.append(format_vertex(point, width, height))
            shapes.append(tuple(texts))
        return (opening.setup, *min(shapes))

    def record_text(self, played: PlayedGame, notation: str = "") -> str:
        """See ``engines.gametype.GameType``."""
        referee = self.begin(played.opening)
        game = referee.game
        steps = [RecordMove(color, point) for color, point in game.moves]
        for turn in played.turns:
            referee.play(turn.move)
            color, point = game.moves[-1]
            in_overtime = turn.left is not None and turn.stones > 0
            steps.append(RecordMove(color, point, turn.left, turn.stones if in_overtime else None, _thought(turn)))
        record = record_of(
            game,
            black_name=played.names[0],
            white_name=played.names[1],
            result=played.ending.result,
            date=played.date[:10],
            control=played.control,
        )
        info = {
            **({"EV": played.event} if played.event else {}),
            "RO": str(played.round),
            "GN": f"game {played.number}",
            "GC": "; ".join(text for text in (played.reason, played.error) if text),
            **({"ON": played.opening.name} if played.opening.name else {}),
        }
        record = replace(record, steps=tuple(steps), info=info)
        return format_record(record)


def _thought(turn: Turn) -> str:
    """What a player thought and how long, in a line."""
    words = [f"{turn.seconds:.3f} s"]
    if turn.winrate is not None:
        words.append(f"win rate {100 * turn.winrate:.1f} %")
    if turn.score is not None:
        words.append(f"score {turn.score:+.1f}")
    if turn.nodes:
        words.append(f"{turn.nodes} playouts")
    return ", ".join(words)


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


class GoReferee(gametype.Referee):
    """See ``engines.gametype.Referee``; scores are told in win rates."""

    game: Game

    @property
    def color(self) -> int:
        return self.game.to_move

    @property
    def side(self) -> int:
        return int(self.game.to_move == WHITE)

    def observe(self, side: int) -> Game:
        """Nothing is hidden."""
        return self.game

    def accept(self, decision: Decision) -> str:
        """See ``engines.gametype.Referee``."""
        if decision.action not in ("move", "pass"):
            raise ValueError(f"'{decision.action}' is no turn in Go")
        point = PASS if decision.action == "pass" or decision.move is None else decision.move
        self.game.play_as(self.color, point)
        return format_vertex(point, self.game.width, self.game.height)

    def play(self, text: str) -> None:
        """See ``engines.gametype.Referee``."""
        self.game.play_as(self.color, parse_vertex(text, self.game.width, self.game.height))

    def ending(self) -> Ending | None:
        """See ``engines.gametype.Referee``."""
        ending = self.game.ending
        if ending in ("no-result", "draw"):
            return Ending(None, "no-result", "Void" if ending == "no-result" else "0")
        return None

    @property
    def needs_count(self) -> bool:
        return self.game.ending == "passes"

    def read_dead(self, text: str) -> frozenset[int]:
        """The whole chains of the points that a text names."""
        game, dead = self.game, set[int]()
        stones = game.board.stones()
        for word in text.replace(",", " ").split():
            point = read_point(word, game.width, game.height)
            if point < 0 or stones[point] == EMPTY:
                raise ValueError(f"there is no stone on {word}")
            dead |= _chain(stones, point, game.width)
        return frozenset(dead)

    def count(self, ask: Callable[[], tuple[frozenset[int] | None, ...]]) -> tuple[Ending, tuple[str, ...]]:
        """Stones are dead that both players call dead; where they differ, or don't say, the built-in judgement decides.
        Rules that take no stones off need nobody's word."""
        if not self.game.rules.removes_dead:
            return self.counted(()), ("", "")
        words = ask()
        said = tuple("" if word is None else self.counted(word).result for word in words)
        agreed = words[0]
        if agreed is not None and agreed == words[1] and not self.certainly_alive(agreed):
            return self.counted(agreed), said
        return self.counted(self.judged_dead()), said

    def counted(self, dead: Iterable[int]) -> Ending:
        """The result when these stones are dead."""
        score = self.game.score(dead)
        return Ending(_side_of(score.winner), "score", score.text)

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
        """See ``engines.gametype.Referee``."""
        mark = {"resignation": "R", "time": "T"}.get(reason, "F" if reason in FAULTS else "")
        return Ending(1 - loser, reason, f"{'WB'[loser]}+{mark}", words)

    def stop(self, winner: int | None, reason: str, words: str = "") -> Ending:
        """See ``engines.gametype.Referee``."""
        return Ending(winner, reason, "0" if winner is None else f"{'BW'[winner]}+", words)

    def too_long(self) -> Ending:
        """The board is counted as it stands."""
        ending = self.counted(())
        return Ending(ending.winner, "length", ending.result)

    def sure(self, score: float | None, winrate: float | None) -> float | None:
        """Per cent above an even chance."""
        return None if winrate is None else 100 * (winrate - 0.5)


def _chain(stones: bytes, point: int, width: int) -> set[int]:
    """The points of the chain that a stone belongs to."""
    found, waiting = {point}, [point]
    while waiting:
        at = waiting.pop()
        beside = [at - width, at + width]
        beside += [at - 1] if at % width else []
        beside += [at + 1] if at % width < width - 1 else []
        for other in beside:
            if 0 <= other < len(stones) and other not in found and stones[other] == stones[point]:
                found.add(other)
                waiting.append(other)
    return found


def _side_of(color: int) -> int | None:
    return None if color == EMPTY else 0 if color == BLACK else 1
