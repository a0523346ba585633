"""A UCCI, UCI or CECP engine as the player of a Xiangqi game: told the game, asked for moves, watched over.

What it answers is a wish that the referee has yet to accept: an illegal move never gets further than here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.clock import LagMeter
from engines.player import Choice, Limits, PlayerError, Report
from engines.xiangqi.board import Board
from engines.xiangqi.player import SearchPlayer, Settings
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.player import ProgramPlayer
from protocols.programs.supervisor import EngineError
from protocols.xiangqi.client import plain
from protocols.xiangqi.engine_deadlines import (
    LATE,
    OWN_TIME,
    before_search,
    end_of,
    limits_told,
    move_in,
    stopped,
    word_for,
)
from protocols.xiangqi.orders import BestMove, EngineClient, EngineOption, SearchRequest

QUIT_TIME = 0.2
"""Seconds that an engine gets to answer a search that the end of the session cuts short, if not fewer."""

FILTER_TIME = 0.3
"""Seconds in which the built-in search finds another move when an engine insists on one it may not make."""

BURST, RATE = 60, 100.0
"""Reports passed on at once, and a second after that; an engine may write thousands."""

MESSAGES, MESSAGES_A_SECOND = 30.0, 5.0
"""Messages of an engine passed on at once, and a second after that."""

_ALIASES = {"hashsize": "hash", "hash": "hashsize", "selectivity": "randomness", "randomness": "selectivity"}
RULE_WORDS = {
    "axf": ("asianrule",),
    "cxa": ("chineserule",),
    "computer": ("computerrule", "asianrule"),
    "check-only": ("checkban", "allowchase"),
    "none": ("alwaysdraw", "nojudgement"),
}
"""What engines call the rules of repetition, by our names."""

OURS = ("usemillisec", "batch", "debug", "uci variant", "newgame")
"""Options that are a matter between us and our client."""


@dataclass
class _Task:
    """One call of ``choose``."""

    board: Board
    limits: Limits
    report: Callable[[Report[int]], None] | None
    draw: bool
    refused: set[int] = field(default_factory=set)
    last: Report[int] | None = None
    begin: float = 0.0  # when this attempt began
    allowance: float = BURST
    fed: float = field(default_factory=time.monotonic)

    @property
    def allowed(self) -> frozenset[int] | None:
        """The moves to consider, None for all."""
        if not self.refused and all(one.color != self.board.turn for one in self.limits.restrictions):
            return None
        moves = frozenset(self.board.legal_moves()) - self.refused
        return moves - self.limits.barred(self.board.turn, moves)

    def take(self, report: Report[int]) -> None:
        """A report from the engine; of a flood the surplus is not passed on."""
        self.last = report
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.fed) * RATE)
        self.fed = now
        if self.report is not None and self.allowance >= 1:
            self.allowance -= 1
            self.report(report)


class EnginePlayer(ProgramPlayer[EngineClient, "_Task"]):
    """``engines.player.Player`` by another program, with what the UCCI and UCI servers ask of a player besides."""

    def __init__(
        self,
        spec: EngineConfig,
        settings: Settings,
        log: SessionLog,
        tell: Callable[[str], None] | None = None,
        wishes: Mapping[str, str] | None = None,
        *,
        make_client: Callable[..., EngineClient],
    ) -> None:
        """Nothing is started yet. ``tell`` gets what the user should know; standard error if None. ``make_client``
        makes our end of the engine's protocol (``protocols.commands.clients``).

        ``wishes`` are options by any of their names, which are set if the engine has them.
        """
        super().__init__(spec, make_client, log, tell)
        self.settings = settings
        self._log = log
        self._client: EngineClient | None = None
        self._wishes = dict(wishes or {})
        self._set: dict[str, tuple[str, str]] = {}
        self._new_game = True
        self._lock = threading.Lock()
        self._running = False
        self._stopping = False
        self._leaving = False
        self._keeper.unwanted = lambda: self._stopping or self._leaving
        self._hit: tuple[Limits, bool] | None = None
        self._turn = 0.0
        self._lag = LagMeter()
        self._kept = OWN_TIME
        self._built_in: SearchPlayer | None = None
        self._allowance = MESSAGES
        self._spoke = time.monotonic()

    def tell_to(self, tell: Callable[[str], None]) -> None:
        """Send what the user should know to ``tell`` from now on."""
        self._keeper.tell = tell

    # ------------------------------------------------------------------ Player

    def choose(
        self,
        game: Any,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        draw_offered: bool = False,
    ) -> Choice[int]:
        """As ``engines.player.Player``. An illegal answer, a death or a hang is told, and the engine asked again."""
        board: Board = getattr(game, "board", game).copy()
        if board.turn != color:
            raise ValueError("it is the other side's turn")
        self.begin()
        begin = time.monotonic()
        try:
            return self._choose(_Task(board, limits, report, draw_offered))
        finally:
            clock = None if limits.infinite or limits.pondering else limits.clock
            self._lag.end(clock, color, time.monotonic() - begin)
            with self._lock:
                self._running = self._stopping = False
                self._hit = None
                self._leash.reset()

    def begin(self) -> None:
        """From now on ``stop`` counts, although ``choose`` is not called yet. Harmless when it was said already."""
        with self._lock:
            self._running = True

    def stop(self) -> None:
        """Make the current ``choose`` return with the best move so far, after ``stop_time`` at the latest."""
        with self._lock:
            if not self._running:
                return
            self._stopping = True
            self._leash.stop(self._stop_time)
        self._wake()

    def ponder_hit(self, limits: Limits, draw_offered: bool = False) -> None:
        """The expected move was played: the ``choose`` that ponders gets these limits, from now on."""
        with self._lock:
            if self._running:
                self._hit = (limits, draw_offered)
                self._turn = time.monotonic()
                self._leash.shorten(limits.reach)
        self._wake()

    def close(self) -> None:
        """End the engine."""
        super().close()
        if self._built_in is not None:
            self._built_in.close()

    # ------------------------------------------------------------------ what the servers ask besides

    def known_options(self, seconds: float) -> tuple[str, list[EngineOption]]:
        """The engine's name and options; "" and none when it has not started within so many seconds."""
        if self._warm.wait(seconds) and self._keeper.settled:
            client = self._keeper.running
            if client is not None:
                return client.name, list(client.options.values())
        return "", []

    def wait_until_ready(self) -> None:
        """Wait until the engine has started, or failed to, or ``wait_no_more``."""
        self._warm.wait()

    def wait_no_more(self) -> None:
        """What waits behind the engine's start must not wait for it any longer."""
        self._warm.set()

    def hurry(self) -> None:
        """The end is near: whoever waits for the engine to start waits no more."""
        self._leaving = True
        client = self._keeper.running
        if client is not None and not self._keeper.settled:
            client.abort()
        self._warm.set()

    def set_option(self, name: str, value: str) -> bool:
        """Set an option of the engine by the name it has, or its like in the other protocols; False if there is none.

        It is set anew when the engine is started anew. Where the engine does not run it is kept for when it does. For a
        number out of range the nearest is taken. Raises PlayerError for a value that it can't take.
        """
        key = plain(name)
        if key in OURS:
            return False
        self._warm.wait()
        if not self._keeper.settled and self._keeper.tried:
            self._wishes[name] = value
            return True
        try:
            client = self._ready()
            found = self._translate(client, key, value)
            if found is None:
                return False
            option, text = found[0], self._within(*found)
            client.set_option(option, text)
        except EngineError as error:
            raise PlayerError(str(error)) from None
        self._set[plain(option.name)] = (option.name, text)
        return True

    def new_game(self) -> None:
        """A new game begins."""
        self._new_game = True

    def resize(self, megabytes: int) -> None:
        """The hash table's size is the engine's affair (``set_option``); it is only kept in mind."""
        self.settings.hash = megabytes

    def static(self, board: Board) -> int:
        """The built-in evaluation: no protocol asks an engine for its own."""
        return self._search().static(board)

    def probe(self, key: int) -> tuple[int, int, int, int] | None:
        """Nothing is known of the engine's hash table."""
        return None

    def client(self) -> EngineClient:
        """The client of the running engine, which is started if need be. Raises EngineError."""
        return self._ready()

    def prepare(self) -> None:
        """Start the engine if need be, and tell it of a new game, before a clock runs. Raises EngineError."""
        client = self._ready()
        if self._new_game:
            client.new_game()
            self._new_game = False
        client.ready()

    # ------------------------------------------------------------------ the choice

    def _choose(self, task: _Task) -> Choice[int]:
        if not task.board.legal_moves():
            return Choice("none")
        allowed = task.allowed
        if allowed is not None and not allowed:
            return Choice("none")
        limits = task.limits
        if (
            not limits.infinite
            and (limits.seconds, limits.nodes, limits.depth, limits.mate, limits.clock) == (None,) * 5
        ):
            task.limits = replace(limits, seconds=self.settings.move_time)
        self._turn = task.begin = time.monotonic()
        self._kept = self._lag.begin(task.limits.clock, task.board.turn, OWN_TIME)
        return self._persist(task)

    def _attempt(self, task: _Task) -> Choice[int] | None:
        if task.limits.pondering and self._hit is not None:
            task.limits = replace(self._limits_now(task), restrictions=task.limits.restrictions)
        # On a clock that has run out it gets a little longer: not every client has the flag fall.
        with self._leash.until(self._turn + task.limits.reach + self._stop_time + LATE):
            client = self._ready()
            answer = self._ask(client, task)
        return self._accept(client, task, answer)

    def _cut_short(self) -> bool:
        return self._stopping

    def _dropped(self) -> None:
        """Tell the last thing that an engine said on standard error before it failed."""
        last = [line for line in self._keeper.last_errors if line.strip()][-1:]
        if last:
            self._note(f"{self.spec.title} says: {last[0][:300]}")

    def _less(self, task: _Task) -> bool:
        spent = time.monotonic() - max(task.begin, self._turn)
        if spent >= task.limits.reach:
            return False
        task.begin, task.limits = time.monotonic(), task.limits.after(spent)
        self._turn = task.begin
        return True

    def _ready(self) -> EngineClient:
        """The running engine, with its options set."""
        client: EngineClient = self._keeper.client()
        if client is not self._client:
            self._client = client
            self._new_game = True
            for name, value in self._wishes.items():
                found = self._translate(client, plain(name), value)
                if found is None:
                    self._note(f"{self.spec.title} has no option like '{name}'")
                else:
                    client.set_option(*found)
            for name, value in self._set.values():
                option = client.options.get(name)
                if option is not None:
                    client.set_option(option, value)
            client.on_message = self._pass_on
        return client

    def _ask(self, client: EngineClient, task: _Task) -> BestMove:
        """One search, with the time it may take enforced."""
        limits = task.limits
        if limits.pondering and not client.can_ponder:
            # It waits for the move, or for the end, without thinking.
            client.wait_for(lambda: self._stopping or self._hit, None)
            limits = self._limits_now(task) if self._hit else Limits(depth=1)
            task.limits = limits = replace(limits, restrictions=task.limits.restrictions)
        pondering = limits.pondering
        told = limits_told(limits, self._kept)
        order = SearchRequest(task.board, told, task.allowed, task.draw, pondering, self._turn)
        with self._leash.until(time.monotonic() + before_search(limits, self.spec, self._new_game)):
            if self._new_game:
                client.new_game()
                self._new_game = False
            client.on_report = task.take
            client.go(order)
        begin = time.monotonic()
        with self._leash.off():
            while True:
                open_end = limits.infinite
                deadline = None if open_end else end_of(told, self._turn, begin)

                def due(open_end: bool = open_end, pondering: bool = pondering) -> bool:
                    # An answer that comes before the end of an endless search has to wait for that end.
                    hit = pondering and self._hit is not None
                    return self._stopping or hit or (client.answer is not None and not open_end)

                silent = False
                if deadline is None and not open_end:
                    came = client.wait_for(due, time.monotonic() + 1)
                    silent = not came and time.monotonic() - client.heard > self.spec.patience
                    if not came and not silent:
                        continue
                else:
                    came = client.wait_for(due, deadline)
                if client.answer is not None and not open_end:
                    return client.answer
                if pondering and self._hit is not None and not self._stopping:
                    limits = task.limits = replace(self._limits_now(task), restrictions=task.limits.restrictions)
                    pondering = False
                    begin = time.monotonic()
                    told = limits_told(limits, self._kept)
                    if client.answer is None:
                        client.ponder_hit(told, task.draw)
                    continue
                # On a clock that has run out it gets a little longer: not every client has the flag fall.
                return stopped(client, self.spec, self._stop_time + (0.0 if self._stopping else LATE), silent)

    @property
    def _stop_time(self) -> float:
        """Seconds for an answer when its end was asked for."""
        return min(self.spec.stop_time, QUIT_TIME) if self._leaving else self.spec.stop_time

    def _limits_now(self, task: _Task) -> Limits:
        """The limits that came with the ponder hit."""
        assert self._hit is not None
        limits, task.draw = self._hit
        return limits

    def _accept(self, client: EngineClient, task: _Task, answer: BestMove) -> Choice[int] | None:
        """The answer as a choice; None, and the user told, when the referee does not accept it."""
        title = self.spec.title
        if answer.word == "resign" and not answer.text:
            return Choice("resign", report=task.last)
        move = move_in(answer, client, self.spec, task.board)
        if isinstance(move, str):
            self._keeper.report(move)
            return None
        allowed = task.allowed
        if allowed is not None and move not in allowed:
            self._note(f"{title} does not heed which moves are forbidden; its answers are filtered")
            return self._filter(task, allowed)
        ponder = None
        if answer.ponder:
            after = task.board.copy()
            after.play(move)
            ponder = client.read_move(answer.ponder, after)
            if ponder is not None and not after.is_legal(ponder):
                ponder = None
        word = answer.word
        if not word and self.spec.protocol == "uci":
            score = None if task.last is None else task.last.candidates[0].score
            word = word_for(score, task.draw, self.settings.resign)
        if word == "resign":
            return Choice("resign", move, report=task.last)
        return Choice("draw" if word == "draw" else "move", move, ponder, task.last)

    def _filter(self, task: _Task, allowed: frozenset[int]) -> Choice[int]:
        """Another move than the forbidden one: the engine's next best if it named one, else the built-in search's."""
        for candidate in task.last.candidates if task.last is not None else ():
            if candidate.move in allowed:
                return Choice("move", candidate.move, report=task.last)
        limits = Limits(seconds=FILTER_TIME, restrictions=task.limits.restrictions)
        return self._search().choose(task.board, task.board.turn, limits)

    def _best_so_far(self, task: _Task) -> Choice[int]:
        """What the engine thought best when it was cut short. Raises PlayerError when it has said nothing."""
        allowed = task.allowed
        if allowed is not None and task.last is not None:
            return self._filter(task, allowed)
        for candidate in task.last.candidates if task.last is not None else ():
            if task.board.is_legal(candidate.move):
                return Choice("move", candidate.move, report=task.last)
        raise PlayerError(f"{self.spec.title} was stopped and had no move yet")

    # ------------------------------------------------------------------ help

    def _translate(self, client: EngineClient, key: str, value: str) -> tuple[EngineOption, str] | None:
        """The engine's option of that meaning, and the value in its words."""
        options = {plain(option.name): option for option in client.options.values()}
        if key in options:
            option = options[key]
        elif _ALIASES.get(key) in options:
            option = options[_ALIASES[key]]
        elif key == "repetition" and "repetition rule" in options:
            option = options["repetition rule"]
        elif key == "repetition rule" and "repetition" in options:
            option = options["repetition"]
        elif key == "rule60maxply" and "drawmoves" in options:
            return options["drawmoves"], str(int(value) // 2)
        elif key == "drawmoves" and "rule60maxply" in options:
            return options["rule60maxply"], str(2 * int(value))
        else:
            return None
        if key in ("hashsize", "threads") and value.strip() == "0" and (option.low or 0) > 0:
            return option, option.default  # UCCI's word for "as you like"
        if plain(option.name).startswith("repetition"):
            value = _rule_value(option, value)
        return option, value

    def _within(self, option: EngineOption, value: str) -> str:
        """The value, or the one next to it where that is out of the range the engine told, which is said then."""
        if option.kind != "spin" or not value.strip().lstrip("+-").isdecimal():
            return value
        number = int(value)
        cut = number if option.high is None else min(number, option.high)
        cut = cut if option.low is None else max(cut, option.low)
        if cut != number:
            bounds = f"{option.low} to {option.high}"
            self._keeper.tell(
                f"{self.spec.title}: option '{option.name}' goes from {bounds}, not {number}: {cut} is taken"
            )
        return str(cut)

    def _search(self) -> SearchPlayer:
        if self._built_in is None:
            self._built_in = SearchPlayer(Settings(hash=4, rules=self.settings.rules))
        return self._built_in

    def _pass_on(self, text: str) -> None:
        """What the engine has to say to the user; of a flood the surplus is only in the log."""
        now = time.monotonic()
        self._allowance = min(MESSAGES, self._allowance + (now - self._spoke) * MESSAGES_A_SECOND)
        self._spoke = now
        if self._allowance >= 1:
            self._allowance -= 1
            self._keeper.tell(text)

    def _wake(self) -> None:
        client = self._keeper.running
        if client is not None:
            if self._stopping and not self._keeper.settled:
                client.abort()  # it is starting, and nobody wants to wait for that
            client.wake()


def _rule_value(option: EngineOption, value: str) -> str:
    """A name for rules of repetition in the words of the engine; as it is where it has none for them."""
    words = next((words for words in RULE_WORDS.values() if value.lower() in words), ())
    known = {one.lower(): one for one in option.values}
    if value.lower() in known:
        return known[value.lower()]
    return next((known[word] for word in words if word in known), value)
