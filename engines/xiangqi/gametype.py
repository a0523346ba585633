"""Xiangqi as a match plays it, shows it and writes it down; see ``engines.gametype``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from engines import gametype
from engines.clock import TimeControl
from engines.drawing import svg
from engines.drawing.grid import Grid
from engines.files import read_bytes
from engines.gametype import (
    Course,
    Decision,
    Ending,
    GameType,
    Opening,
    Option,
    PlayedGame,
    Step,
    Turn,
    hours,
    unheard,
)
from engines.opening_files import going_on
from engines.player import Limits
from engines.results import Words
from engines.terms import Language
from engines.text import read_lines
from engines.timing import format_control
from engines.xiangqi.board import Board
from engines.xiangqi.diagram import Script, standing, xiangqi_board
from engines.xiangqi.draws import natural_limit
from engines.xiangqi.epd import read_epd
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.game import REASONS, Game
from engines.xiangqi.geometry import move_from, move_name, move_of, move_to
from engines.xiangqi.notation import NOTATIONS, MoveNames
from engines.xiangqi.records import MAX_BYTES, Record, RecordError, read_any, write_pgn
from engines.xiangqi.records.formats import is_record
from engines.xiangqi.records.lists import read_line
from engines.xiangqi.terminal import grid

BALANCE = 60.0
"""Centipawns by which a random opening may be uneven, unless the match says otherwise."""

BALANCE_NODES = 5000
"""Positions searched for that judgement."""

GLANCE_NODES = 300
"""Positions searched first: who is more than ``GLANCE`` times as uneven as allowed then is not looked at longer."""

GLANCE = 2.0

ATTEMPTS = 30
"""Random openings tried before the most even of them is taken."""

PLIES = 4
"""Random plies, unless the match says otherwise."""


def read_limit(text: str) -> str:
    """The name of a natural limit (自然限着/自然限著), or its plies. Raises ValueError."""
    natural_limit(text)
    return text


SUFFIXES = (".pgn", ".xqf", ".cbr", ".cbl", ".cbf")
"""The endings of the files in a folder that are taken for records."""


class XiangqiType(GameType):
    """See ``engines.gametype.GameType``. A setup is a FEN; moves are coordinates (``h2e2``)."""

    name = "xiangqi"
    titles = Words("Xiangqi", "象棋", "象棋")
    sides = ("Red", "Black")
    protocols = ("uci", "ucci", "cecp")
    suffix = "pgn"
    collected = True
    own_words = True
    levels = "0 to 20"
    notations = ("simplified", "traditional", "wxf", "iccs")
    option_table = (
        Option(
            "limit",
            "cxa",
            str,
            "what draws without a capture: cxa (the default), computer, league, none, or a number of plies",
            "NAME",
            flag="--natural-limit",
            read=read_limit,
            served=True,
        ),
        Option("draws", True, bool, "players may agree on a draw"),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """Raises ValueError for rules or a limit that there are none of."""
        super().__init__(rules, options)
        self.rules = rules or "axf"
        self.limit: str = self.options["limit"]
        self.draws: bool = self.options["draws"]
        self._judge: Any = None
        self.begin(Opening())

    def begin(self, opening: Opening) -> XiangqiReferee:
        """See ``engines.gametype.GameType``."""
        referee = XiangqiReferee(Game(opening.setup or START_FEN, self.rules, limit=self.limit), self.draws)
        for text in opening.moves:
            referee.play(text)
        return referee

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """Any legal moves, the judgement being the search's own. One thread at a time."""
        chance = random.Random(seed)
        best: tuple[float, Opening] | None = None
        balance = balance or BALANCE
        for _ in range(ATTEMPTS):
            board = Board()
            moves = []
            for _ in range(plies or PLIES):
                legal = board.legal_moves()
                if not legal:
                    break
                moves.append(chance.choice(sorted(legal)))
                board.play(moves[-1])
            if not board.legal_moves():
                continue
            opening = Opening("", tuple(map(move_name, moves)), " ".join(map(move_name, moves)))
            off = self._unevenness(board, GLANCE_NODES)
            if off <= GLANCE * balance:
                off = self._unevenness(board, BALANCE_NODES)
            if best is None or off < best[0]:
                best = off, opening
            if off <= balance:
                break
        return best[1] if best is not None else Opening()

    def _unevenness(self, board: Board, nodes: int) -> float:
        """By how many centipawns one side is ahead in a search of so many positions."""
        if self._judge is None:
            from engines.xiangqi.player import SearchPlayer
            from engines.xiangqi.player import Settings as SearchSettings

            self._judge = SearchPlayer(SearchSettings(hash=1, seed=0))
        self._judge.new_game()  # what an earlier search left behind would make a difference
        choice = self._judge.choose(board, board.turn, Limits(nodes=nodes))
        candidates = choice.report.candidates if choice.report is not None else ()
        scores = [abs(one.score) for one in candidates[:1] if one.score is not None]
        return scores[0] if scores else float("inf")

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """A file of games (PGN, XQF, any other format), a folder of them, or a text file with a FEN, moves in any
        notation, or ``FEN moves …`` or EPD on each line.
        """
        try:
            place = Path(path)
            if place.is_dir():
                files = sorted(file for file in place.iterdir() if file.suffix.lower() in SUFFIXES)
                found = [opening for file in files for opening in self._from_pgn(str(file), plies, tell, True)]
            elif place.suffix.lower() == ".pgn" or is_record(read_bytes(path, MAX_BYTES)):
                found = self._from_pgn(path, plies, tell, False)
            else:
                found = []
                for number, line in read_lines(path):
                    try:
                        found.append(self._from_line(line, plies))
                    except ValueError as error:
                        record = read_line(line)
                        if record.fault or not (record.root.lines or "FEN" in record.tags):
                            raise ValueError(f"{path}: line {number}: {error}") from None
                        found.append(self._from_record(record, plies, number))
        except OSError as error:
            raise ValueError(f"cannot read the openings: {path}: {error.strerror or error}") from None
        if not found:
            raise ValueError(f"there are no openings in {path}")
        return found

    def _from_pgn(self, path: str, plies: int, tell: Callable[[str], None], many: bool) -> list[Opening]:
        """The games of a file as openings. One that is no good is fatal alone, and told among ``many`` or others."""
        try:
            records = read_any(read_bytes(path, MAX_BYTES))
            found, faults = [], []
            for number, record in enumerate(records, 1):
                try:
                    found.append(self._from_record(record, plies, number))
                except ValueError as error:
                    faults.append(f"{path}: {'' if len(records) == 1 else f'game {number}: '}{error}")
            if not records:
                faults.append(f"{path}: no game in it")
        except RecordError as error:
            found, faults = [], [f"{path}: {error}"]
        if faults and not found and not many:
            raise ValueError(faults[0])
        for fault in faults:
            tell(f"left out: {fault}")
        return found

    def _from_record(self, record: Record, plies: int, number: int) -> Opening:
        """A game as an opening. Raises ValueError for one that can't be read, has no moves, or is over."""
        if record.fault:
            raise ValueError(record.fault)
        board = Board(record.fen, strict=False)
        setup = "" if record.fen == START_FEN else board.fen()
        moves = record.moves()[: plies or None]
        if not moves and not setup:
            raise ValueError("no moves in it")
        name = record.tags.get("Opening") or record.tags.get("Event") or f"game {number}"
        return going_on(self, Opening(setup, tuple(map(move_name, moves)), name))

    def _from_line(self, line: str, plies: int) -> Opening:
        words = line.split()
        words = words[1:] if words[:1] in (["position"], ["fen"]) else words
        words = words[1:] if words[:1] == ["fen"] else words
        epd = read_epd(" ".join(words))
        if epd is not None:
            board = Board(epd.fen, strict=False)
            setup = "" if board.fen() == START_FEN else board.fen()
            return going_on(self, Opening(setup, (), epd.name or setup))
        words = " ".join(words).split(";")[0].split()
        if not words:
            raise ValueError("no position and no moves")
        setup = ""
        if words[0] == "startpos":
            del words[0]
        elif "/" in words[0]:
            at = words.index("moves") if "moves" in words else len(words)
            board = Board(" ".join(words[:at]), strict=False)
            setup = "" if board.fen() == START_FEN else board.fen()
            del words[:at]
        if words[:1] == ["moves"]:
            del words[0]
        board = Board(setup or START_FEN)
        moves = []
        for word in words[: plies or None]:
            moves.append(MoveNames(board).read(word))
            board.play(moves[-1])
        names = tuple(map(move_name, moves))
        return going_on(self, Opening(setup, names, " ".join(names[:8]) or setup))

    def facts(self) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        return {**super().facts(), "Rules": self.rules}

    def board(self, coordinates: bool = True) -> svg.Board:
        """See ``engines.gametype.GameType``."""
        return xiangqi_board(coordinates="letters" if coordinates else "none")

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """See ``engines.gametype.GameType``."""
        start = standing(opening.setup or START_FEN)
        now, steps = dict(start), []
        for text in (*opening.moves, *moves):
            if not text:  # a draw is agreed
                steps.append(Step({}, ()))
                continue
            move = read_move(text)
            origin, target = move_from(move), move_to(move)
            if origin not in now:
                raise ValueError(f"{text}: there is no piece to move")
            now[target] = now.pop(origin)
            steps.append(Step({origin: "", target: now[target]}, (origin, target)))
        return Course(start, tuple(steps))

    def grid(self, seen: Game, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.gametype.GameType``."""
        history = seen.board.history[-1:]
        last = tuple(square for move in history for square in (move_from(move), move_to(move)))
        script: Script = "simplified" if language == "zh-Hans" else "traditional"
        return grid(standing(seen.board.fen()), last, None if letters else script)

    def read_word(self, seen: Game, text: str) -> int:
        """See ``engines.gametype.GameType``."""
        return MoveNames(seen.board).read(text)

    def names(self, seen: Game, move: int) -> dict[str, str]:
        """See ``engines.gametype.GameType``."""
        names = MoveNames(seen.board)
        return {notation: names.write(move, notation) for notation in NOTATIONS}

    def name_of(self, seen: Game, move: int, language: Language = "en") -> str:
        """See ``engines.gametype.GameType``: WXF for who reads English."""
        return self.names(seen, move)["wxf"] if language == "en" else super().name_of(seen, move, language)

    def player(self, level: str = "", seed: int | None = None) -> Any:
        """See ``engines.gametype.GameType``."""
        from engines.xiangqi.player import SearchPlayer
        from engines.xiangqi.player import Settings as SearchSettings
        from engines.xiangqi.settings import FULL_LEVEL

        if level and not (level.isascii() and level.isdigit() and int(level) <= FULL_LEVEL):
            raise ValueError(f"the level must be {self.levels}, not '{level}'")
        return SearchPlayer(SearchSettings(level=int(level) if level else FULL_LEVEL, draws=True, seed=seed))

    def record_text(self, played: PlayedGame, notation: str) -> str:
        """See ``engines.gametype.GameType``."""
        tags = {
            "Event": played.event or "qiqiao match",
            "Date": played.date[:10].replace("-", "."),
            "Round": f"{played.round}.{played.game_of_round}",
            "Red": played.names[0],
            "Black": played.names[1],
            "Result": played.ending.result,
            "TimeControl": _pgn_control(played.control),
            "Termination": played.reason,
        }
        if played.opening.name:
            tags["Opening"] = played.opening.name
        if played.opening.setup:
            tags["FEN"] = played.opening.setup
        if played.error:
            tags["Error"] = played.error
        record = Record(tags)
        node = record.root
        for move in played.opening.moves:
            node = node.add(read_move(move))
            node.comment = "opening"
        for turn in played.turns:
            if turn.move:
                node = node.add(read_move(turn.move))
                node.comment = _remark(turn)
        return write_pgn(record, notation)


def _pgn_control(control: TimeControl) -> str:
    """The tag TimeControl of the PGN standard; what it has no word for as match settings write it."""
    if control.kind == "none":
        return "-"
    if control.kind == "absolute":
        return f"{control.main:g}"
    if control.kind == "fischer":
        return f"{control.main:g}+{control.increment:g}"
    if control.kind == "moves":
        return f"{control.stones}/{control.main:g}"
    return format_control(control)


def _remark(turn: Turn) -> str:
    """Clock, time and score as PGN comments write them: ``[%clk 0:00:59.93] [%emt 0:00:00.07] [%eval 0.23,12]``."""
    words = [] if turn.left is None else [f"[%clk {hours(turn.left)}]"]
    words.append(f"[%emt {hours(turn.seconds)}]")
    if turn.score is not None:
        words.append(f"[%eval {turn.score / 100:.2f},{turn.depth}]")
    return " ".join(words)


class XiangqiReferee(gametype.Referee):
    """See ``engines.gametype.Referee``; sides are the colours themselves."""

    game: Game

    def __init__(self, game: Game, draws: bool = True) -> None:
        """``draws``: whether an offered draw may be accepted."""
        super().__init__(game)
        self._draws = draws

    def observe(self, side: int) -> Game:
        """Nothing is hidden."""
        return self.game

    def no_draw(self) -> str | None:
        """See ``engines.gametype.Referee``."""
        return super().no_draw() if self._draws else "there are no draws by agreement in this game"

    @property
    def draw_offered(self) -> bool:
        return self._draws and self.game.offered_by == 1 - self.game.turn

    def accept(self, decision: Decision) -> str:
        """See ``engines.gametype.Referee``. An offer that the rules don't allow now is left out."""
        if decision.action not in ("move", "draw"):
            raise ValueError(f"'{decision.action}' is no turn in Xiangqi")
        game = self.game
        if decision.action == "draw" and self.draw_offered:
            game.answer_offer(game.turn, True)
            return ""
        if decision.move is None:
            raise ValueError("no move")
        why = game.board.why_illegal(decision.move)
        if why is not None:
            raise ValueError(f"{move_name(decision.move)} is illegal: {why}")
        if decision.action == "draw" and self._draws and game.may_offer(game.turn) is None:
            game.offer_draw(game.turn)
        game.play(decision.move)
        return move_name(decision.move)

    def play(self, text: str) -> None:
        """See ``engines.gametype.Referee``; "" is the agreement on a draw. Offers are not written down: the one
        that was accepted is made up for it."""
        if not text:
            self.game.offer_draw(self.game.turn)
            self.game.answer_offer(1 - self.game.turn, True)
            return
        self.game.play(read_move(text))

    def ending(self) -> Ending | None:
        """See ``engines.gametype.Referee``."""
        result = self.game.result
        if result is None:
            return None
        more = "" if result.words == REASONS[result.reason] else result.words.english
        return Ending(result.winner, result.reason, self.result_text(result.winner), more)


def read_move(text: str) -> int:
    """A move in coordinates. Raises ValueError."""
    files, ranks = "abcdefghi", "0123456789"
    if len(text) != 4 or text[0] not in files or text[2] not in files or text[1] not in ranks or text[3] not in ranks:
        raise ValueError(f"'{text[:20]}' is no move")
    origin, target = (9 * int(text[at + 1]) + files.index(text[at]) for at in (0, 2))
    return move_of(origin, target)
