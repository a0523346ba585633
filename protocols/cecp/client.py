"""CECP (the xboard protocol, version 2) as it is spoken to Xiangqi engines.

The engine keeps the game: it is told the moves that it lacks, in force mode, and thinks after ``go``. It may answer
with a move, a resignation, the claim that the game is over or that a move of ours is illegal. None of these is
believed: the referee has the rules, and a claim makes the engine look at the bare position, as far as it can be set up.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable

from engines.clock import Clock, TimeControl
from engines.player import Candidate, Limits, Report
from engines.xiangqi.board import Board
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import EngineError, EngineHung, Refused, Talker
from protocols.xiangqi import coordinates
from protocols.xiangqi.client import PROBE_TIME, checked_value, plain
from protocols.xiangqi.orders import (
    READY_TIME,
    BestMove,
    EngineOption,
    LastEvaluation,
    SearchRequest,
    both_clocks,
    fits,
    is_red,
    line_of,
    mate_score,
)

FEATURE_TIME = 2.0
"""Seconds after ``protover`` in which an engine begins to tell its features, by the protocol."""

MATE_BASE = 100000
"""Scores of this and more say a mate in as many moves as they are above it (the protocol's document)."""

PROBE_HINT = 0.5
"""Seconds after which an engine that was given less is told to move now."""

NO_DEPTH = 64
"""What takes a bound on the depth away again, for which the protocol has no word."""

NODES_TIME = 2.0
"""Seconds instead of a number of nodes, for which the protocol has no word."""

_FEATURE = re.compile(r'(\w+)=("[^"]*"|\S+)')
_THINKING = re.compile(r"\s*(\d+)[^\s\d]?\s+(-?\d+)\s+(\d+)\s+(\d+)\s+(.*)")
_MOVE = re.compile(r"(?<![A-Za-z0-9])[A-Z]?([a-i](?:10|\d))[-x]?([a-i](?:10|\d))(?!\d)")
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_NUMBERED = re.compile(r"\d+\. *\.\.\. +(\S+)")


def parse_option(text: str) -> EngineOption | None:
    """The text of ``feature option="…"``: ``NAME -kind default …``."""
    match = re.fullmatch(r"(.*?) -(\w+)(?: (.*))?", text)
    if match is None:
        return None
    name, kind, rest = match.group(1), match.group(2).lower(), (match.group(3) or "").strip()
    if kind == "check":
        return EngineOption(name, kind, "true" if rest == "1" else "false")
    if kind in ("spin", "slider"):
        numbers = [int(word) for word in rest.split() if re.fullmatch(r"-?\d+", word)]
        if len(numbers) != 3:
            return None
        return EngineOption(name, "spin", str(numbers[0]), numbers[1], numbers[2])
    if kind == "combo":
        values = [value.strip() for value in rest.split("///")]
        default = next((value[1:] for value in values if value.startswith("*")), values[0])
        return EngineOption(name, kind, default, values=tuple(value.removeprefix("*") for value in values))
    return EngineOption(name, "button" if kind in ("button", "save", "reset") else "string", rest)


class CecpClient(Talker):
    """See ``protocols.xiangqi.orders.EngineClient``."""

    def __init__(self, spec: EngineConfig, send: Callable[..., None], note: Callable[[str], None]) -> None:
        super().__init__(spec, send, note)
        self.base = spec.rank_base or 0
        self.options: dict[str, EngineOption] = {}
        self.answer: BestMove | None = None
        self.heard = time.monotonic()
        self.on_report: Callable[[Report[int]], None] = lambda report: None
        self.on_message: Callable[[str], None] = lambda text: None
        self.can_ponder = False
        self.terse = False
        self.thought = LastEvaluation()
        self.features: dict[str, str] = {}
        self._featured = False
        self._patient = False
        self._pings = 0
        self._pongs = 0
        self._held: tuple[str | None, list[int]] | None = None
        self._level: tuple[object, ...] = ()
        self._depth_set = False
        self._order: SearchRequest | None = None
        self._searching = False
        self._analyzing = False
        self._last: Report[int] | None = None
        self._offered = False
        self._rejected = ""
        self._over = False
        self._root: tuple[list[int], str] | None = None

    # ------------------------------------------------------------------ the beginning

    def start(self) -> None:
        """Features, the variant, the options, and a search of one ply that shows how ranks are counted."""
        deadline = time.monotonic() + self.spec.start_time
        self.send("xboard")
        self.send("protover 2")
        soon = min(deadline, time.monotonic() + FEATURE_TIME)
        # A slow starter says done=0 and is waited for; one that knows no features says nothing.
        if not self.wait_for(lambda: self._featured or self._patient, soon):
            self.note(f"{self.spec.title} tells no features")
        elif not self.wait_for(lambda: self._featured, deadline):
            raise EngineHung(f"{self.spec.title} did not finish its features within {self.spec.start_time:g} seconds")
        self.name = self.features.get("myname", self.name)
        variants = [word.strip() for word in self.features.get("variants", "").split(",") if word.strip()]
        if variants and "xiangqi" not in variants:
            raise EngineError(f"{self.spec.title} does not play xiangqi, only {', '.join(variants[:8])}")
        for feature, option in (("memory", "Hash"), ("smp", "Threads")):
            if self.features.get(feature) == "1" and option not in self.options:
                self.options[option] = EngineOption(option, "spin", "1", 1, 1 << 20)
        for name, value in self.spec.options.items():
            found = self.find_option(name)
            if found is None:
                raise EngineError(
                    f"{self.spec.title} has no option '{name}' (it has {', '.join(self.options) or 'none'})"
                )
            self.set_option(found, value)
        self.ready(max(1.0, deadline - time.monotonic()))
        if self.spec.rank_base is None:
            self._settle_base()

    def farewell(self) -> list[str]:
        """What to say before the end."""
        return ["force", "quit"]

    def _settle_base(self) -> None:
        board = Board()
        self._begin(None)
        with self.lock:
            self.answer, self._order, self._searching = None, None, True
        # Not by depth: some engines keep a bound on it for good.
        for line in ("level 0 0:01 0", "time 30", "otim 30", "go"):
            self.send(line)
        if not self.wait_for(lambda: self.answer is not None, time.monotonic() + PROBE_HINT):
            self.send("?")
        if not self.wait_for(lambda: self.answer is not None, time.monotonic() + PROBE_TIME):
            raise EngineHung(f"{self.spec.title} did not move within {PROBE_TIME:g} seconds")
        assert self.answer is not None
        text = self.answer.text
        bases = [base for base in (0, 1) if fits(text, base, board)]
        if not bases:
            raise EngineError(
                f"{self.spec.title} answers '{text or 'nothing'}' in the start position of Xiangqi; "
                "does it play that game?"
            )
        self.base = bases[0]
        self._held = None

    def find_option(self, name: str) -> EngineOption | None:
        """The option of a name; case, blanks and underscores make no difference."""
        return next((option for option in self.options.values() if plain(option.name) == plain(name)), None)

    def set_option(self, option: EngineOption, value: str) -> None:
        """Set an option. Raises EngineError for a value that its type can't take."""
        text = checked_value(self.spec.title, option, value)
        if option.name == "Hash" and self.features.get("memory") == "1":
            self.send(f"memory {text}")
        elif option.name == "Threads" and self.features.get("smp") == "1":
            self.send(f"cores {text}")
        elif option.kind == "button":
            self.send(f"option {option.name}")
        else:
            if option.kind == "check":
                text = "1" if text == "true" else "0"
            self.send(f"option {option.name}={text}")

    def ready(self, seconds: float = READY_TIME) -> bool:
        """Wait until everything sent has been read, where the engine knows ``ping``; True, or it raises EngineHung."""
        if self.features.get("ping") != "1":
            return True
        self._pings += 1
        self.send(f"ping {self._pings}")
        if not self.wait_for(lambda: self._pongs >= self._pings, time.monotonic() + seconds):
            raise EngineHung(f"{self.spec.title} did not answer 'ping' within {seconds:g} seconds")
        return True

    # ------------------------------------------------------------------ searching

    def new_game(self) -> None:
        """A new game begins."""
        self._held = None
        self._over = False
        self._root = None

    def go(self, order: SearchRequest) -> None:
        """Tell the moves that are missing, and the time, and begin to think."""
        limits = order.limits
        analyze = limits.infinite and self.features.get("analyze") == "1"
        depth = self._depth(limits)
        self._tell_game(order.board)
        if self._over:  # claimed when it saw these moves
            self._tell_game(order.board)
        if self._over:
            raise EngineError(f"{self.spec.title} claims that the game is over")
        order.begin()
        limits = order.limits
        with self.lock:
            self.answer = None
            self.heard = time.monotonic()
            self._order = order
            self._last = None
            self.thought = LastEvaluation()
            self._offered = False
            self._searching = True
            self._analyzing = analyze
        if self._rejected:
            self._end(BestMove(word="illegal", why=self._rejected))
            return
        if self.features.get("exclude") == "1":
            for move in sorted(order.banned):
                self.send(f"exclude {coordinates.write(move, self.base)}")
        if analyze:
            if self._depth_set:
                self.send(f"sd {NO_DEPTH}")
                self._depth_set = False
            self.send("analyze")
            return
        self._tell_time(order, depth)
        if order.draw:
            self.send("draw")
        self.send("go")

    def _tell_game(self, board: Board) -> None:
        """Bring the engine's board to the position, with the moves that led there.

        After a claim that the game is over it takes no more moves: it is given the bare position, and the moves from
        there for the rest of the game. Raises Refused where it can't be set up.
        """
        fen, moves = line_of(board)
        history = board.history
        if self._over:
            self._root, self._over, self._held = (history, board.fen()), False, None
        if self._root is not None and self._root[0] == history[: len(self._root[0])]:
            fen, moves = self._root[1], history[len(self._root[0]) :]
        held = self._held
        if held is None or held[0] != fen or held[1] != moves[: len(held[1])]:
            self._begin(fen)
            held = (fen, [])
        self.send("force")
        for move in moves[len(held[1]) :]:
            self._send_move(move)
        self._held = (fen, list(moves))
        self.ready()

    def stop(self) -> None:
        """Move now; an analysis ends with the best move it has spoken of."""
        if not self._searching:
            return
        if not self._analyzing:
            self.send("?")
            return
        self.send("exit")
        with self.lock:
            last = self._last
            if last is not None:
                self._end(BestMove(coordinates.write(last.candidates[0].move, self.base)))
                return
            # It has said nothing, or nothing that we can read: let it move.
            self._analyzing = False
            self._level = ()
        for line in ("force", "st 1", "go", "?"):
            self.send(line)

    def ponder_hit(self, limits: Limits, draw: bool) -> None:
        """Never called: we let no engine ponder that we can't tell what on."""

    def read_move(self, text: str, board: Board) -> int | None:
        """The move in the engine's spelling."""
        raw = coordinates.read(text)
        return raw.move(self.base) if raw is not None else None

    @property
    def _can_set_up(self) -> bool:
        return self.features.get("setboard") == "1"

    def _begin(self, fen: str | None) -> None:
        """A new game on the engine's board. Raises Refused where it can't start from the position."""
        if fen is not None and not self._can_set_up:
            raise Refused(f"{self.spec.title} plays from the start position only")
        for line in ("force", "new", "variant xiangqi", "easy", "post", "force"):
            self.send(line)
        if fen is not None:
            self.send(f"setboard {fen}")
        self._level = ()
        self._rejected = ""

    def _send_move(self, move: int) -> None:
        text = coordinates.write(move, self.base)
        self.send(f"usermove {text}" if self.features.get("usermove") == "1" else text)

    def _depth(self, limits: Limits) -> int | None:
        if limits.depth is not None:
            return limits.depth
        return 2 * limits.mate if limits.mate is not None else None

    def _tell_time(self, order: SearchRequest, depth: int | None) -> None:
        """Clock, seconds a move and depth, as far as the protocol has words for them."""
        limits = order.limits
        clocks = both_clocks(limits)
        seconds = limits.seconds
        if seconds is None and clocks is None and depth is None and not limits.infinite:
            seconds = NODES_TIME
        if clocks is not None:
            self._tell_clocks(*clocks)
        elif seconds is not None:
            level: tuple[object, ...] = ("st", max(1, math.ceil(seconds)))
            if level != self._level:
                self.send(f"st {level[1]}")
                self._level = level
            self.send(f"time {max(1, int(100 * seconds))}")
            self.send(f"otim {max(1, int(100 * seconds))}")
        else:
            # As long as it likes: the depth, or we, will end it.
            self._tell_clocks(*[_endless()] * 2)
        if depth is not None or self._depth_set:
            self.send(f"sd {NO_DEPTH if depth is None else depth}")
        self._depth_set = depth is not None

    def _tell_clocks(self, own: Clock, other: Clock) -> None:
        left, moves, increment = own.share
        level: tuple[object, ...] = ("level", moves, math.floor(increment))
        if level != self._level:
            minutes, rest = divmod(max(1, math.floor(left)), 60)
            self.send(f"level {moves} {minutes}:{rest:02} {math.floor(increment)}")
            self._level = level
        self.send(f"time {max(1, math.floor(100 * left))}")
        self.send(f"otim {max(1, math.floor(100 * other.share.seconds))}")

    # ------------------------------------------------------------------ lines

    def receive(self, line: str) -> None:
        """A line from the engine."""
        line = _COLORS.sub("", line).strip()
        if not line:
            return
        report = message = None
        with self.lock:
            self.heard = time.monotonic()
            first, _, rest = line.partition(" ")
            if first == "feature":
                self._take_features(rest)
            elif first == "pong":
                self._pongs = int(rest) if rest.strip().isdigit() else self._pongs
            elif first == "move" and rest:
                self._moved(rest.split()[0])
            elif line.lower().startswith("illegal move"):
                self._reject(line)
            elif line.lower() in ("resign", "tellics resign"):
                self._claim("resign", line)
            elif _RESULT.match(line):
                self._result(line)
            elif line.lower() == "offer draw":
                self._offered = True
            elif first in ("telluser", "tellusererror", "tellall"):
                message = rest
                if first == "tellusererror":
                    self.complain_of(rest)
            elif (match := _THINKING.match(line)) is not None:
                report = self._thought(match)
            elif (match := _NUMBERED.match(line)) is not None and self._searching:
                self._moved(match.group(1))
            self.wake()
        if report is not None:
            self.on_report(report)
        if message:
            self.on_message(message)

    def _take_features(self, text: str) -> None:
        for name, quoted in _FEATURE.findall(text):
            value = quoted.strip('"')
            if name == "option":
                option = parse_option(value)
                if option is not None:
                    self.options[option.name] = option
            elif name == "done":
                self._featured = value == "1"
                self._patient = value == "0"
            else:
                self.features[name] = value
                self.send(f"accepted {name}")

    def _moved(self, text: str) -> None:
        if not self._searching or self._analyzing:
            self.note(f"{self.spec.title}: a move nobody waits for: {text[:20]}")
            return
        match = _MOVE.fullmatch(text)
        plain_text = match.group(1) + match.group(2) if match is not None else text
        self._end(BestMove(plain_text, word="draw" if self._offered else ""), own_move=True)

    def _end(self, answer: BestMove, own_move: bool = False) -> None:
        with self.lock:
            self._searching = self._analyzing = False
            self.answer = answer
            order, held = self._order, self._held
            move = self.read_move(answer.text, order.board) if order is not None and own_move else None
            if held is not None and move is not None:
                held[1].append(move)
            elif own_move or answer.word in ("illegal", "claim"):
                self._held = None
            self._over = self._over or answer.word == "claim"
            self.wake()

    def _reject(self, line: str) -> None:
        """A move we sent is illegal, it says."""
        if self._searching:
            self._end(BestMove(word="illegal", why=line))
        else:
            self._rejected = line

    def _claim(self, word: str, line: str) -> None:
        if self._searching:
            self._end(BestMove(word=word, why=line))

    def _result(self, line: str) -> None:
        """A result that it claims. Losing is its right; anything else is the referee's affair."""
        order = self._order
        if order is None or not self._searching:
            self._over = True
            return
        lost = line.startswith("0-1" if is_red(order.board) else "1-0")
        self._claim("resign" if lost else "claim", f"it claims that the game is over: {line[:100]}")

    def _thought(self, match: re.Match[str]) -> Report[int] | None:
        """A line of thinking: ``ply score time nodes pv``; more numbers may follow before a tab."""
        order = self._order
        if order is None or not self._searching:
            return None
        depth, value, centiseconds, nodes = (int(match.group(i)) for i in range(1, 5))
        text = match.group(5)
        if "\t" in text:
            text = text.partition("\t")[2]
        board = order.board.copy()
        moves: list[int] = []
        for origin, target in _MOVE.findall(text):
            move = self.read_move(origin + target, board)
            if move is None or not board.is_legal(move):
                break
            board.play(move)
            moves.append(move)
        if not moves or depth < 1:
            return None
        mate = None
        if abs(value) >= MATE_BASE:
            mate = (abs(value) - MATE_BASE) * (1 if value > 0 else -1)
        score = value if mate is None else mate_score(mate)
        self._last = Report(
            (Candidate(moves[0], tuple(moves), nodes, score=score, mate=mate),),
            seconds=centiseconds / 100,
            nodes=nodes,
            depth=depth,
            seldepth=depth,
        )
        self.thought = LastEvaluation.of(self._last)
        return self._last


def _endless() -> Clock:
    """A clock that is never looked at."""
    return Clock(TimeControl.absolute(36000))
