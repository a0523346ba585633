"""A GTP engine as the player of a Go game: kept in step with the referee's game, asked for moves, watched over.

Before every question the engine is told what it does not know yet (``telling``). What it answers is a wish that the
referee has yet to accept.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engines.go.game import Game
from engines.go.points import COLOR_NAMES, EMPTY, PASS
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Candidate, Choice, Limits, PlayerError, Report, Restriction
from protocols.gtp import translate
from protocols.gtp.board_sync import BoardSync
from protocols.gtp.client import QUICK, GtpClient, GtpFailure, Reply
from protocols.gtp.options import Options
from protocols.gtp.players import Judgement, LateSearch, RawAnalysisCommand
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.player import ProgramPlayer
from protocols.programs.supervisor import (
    EngineError,
    EngineHung,
    Refused,
    patience_before,
    trouble_of,
)

LATE = 1.0
"""Seconds an engine may be behind its clock before it counts as hung: the game is lost, but an answer is an answer."""

DISOBEDIENT = 10.0
"""Seconds, and as long again as it was given, for an engine that was told seconds a move and may not care."""

DELAY = 0.3
"""Seconds of a turn before the engine is told its clock that are told with it; GTP counts whole seconds."""

STOP_GRACE = 0.2
"""Seconds in which an engine may still finish to hear of the game when nobody wants the answer any more: cut short,
it would have to be told the whole game again."""

JUDGE_TIME = 10.0
"""Seconds to say which stones are dead."""


def dead_stones(client: GtpClient, game: Game, seconds: float) -> frozenset[int] | None:
    """The stones of chains that an engine calls dead, which has the game on its board; None where it has no word for it
    or names points without a stone. Raises EngineError, and ValueError for what is no vertex.
    """
    if not client.has("final_status_list"):
        return None
    words = client.ask("final_status_list dead", seconds).split()
    points = [parse_vertex(word, game.width, game.height) for word in words]
    if any(point == PASS or game.board.at(point) == EMPTY for point in points):
        return None
    return frozenset(stone for point in points for stone in game.board.chain(point))


@dataclass(frozen=True)
class Dead:
    """Which stones are dead, by the engine's word."""

    dead: frozenset[int]


class EnginePlayer(ProgramPlayer[GtpClient, "_Task"]):
    """``protocols.gtp.players.GoPlayer`` by another program."""

    def __init__(
        self,
        spec: EngineConfig,
        options: Options,
        log: SessionLog,
        tell: Callable[[str], None] | None = None,
        *,
        attended: bool = False,
    ) -> None:
        """Nothing is started yet. ``tell`` gets what the user should know; standard error if None. ``attended``: see
        ``protocols.programs.supervisor.Supervisor``."""
        super().__init__(spec, GtpClient, log, tell, attended)
        self._options = options
        self._told: BoardSync | None = None
        self._stopping = threading.Event()
        self._aborting = threading.Event()
        self._keeper.unwanted = self._aborting.is_set
        self._strict = attended
        self._thinking = False
        self._judge: LateSearch | None = None

    # ------------------------------------------------------------------ GoPlayer

    def choose(
        self,
        game: Game,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        cleanup: bool = False,
        fresh: bool = False,
        interval: float = 0.1,
        raw_command: RawAnalysisCommand | None = None,
    ) -> Choice[int]:
        """As ``GoPlayer.choose``. An illegal answer, a death or a hang is told, and the engine asked again."""
        self._stopping.clear()
        self._aborting.clear()
        self._leash.reset()
        return self._persist(_Task(game, color, limits, report, cleanup, fresh, interval, raw_command))

    def _attempt(self, task: _Task) -> Choice[int] | None:
        with self._leash.until(task.begin + task.given.reach + LATE):
            # An engine that runs needs few words; one that is started anew needs them all.
            usual = self._before_move(task.given) if self._keeper.settled else math.inf
            with self._leash.until(time.monotonic() + patience_before(task.limits, usual)):
                told = self._ready(task.game)
                if not task.limits.infinite:
                    self._tell(told, task)
            answer = self._analyze(told.client, task) if task.limits.infinite else self._generate(told, task)
        return self._accept(task, answer)

    def _forgiven(self, task: _Task, error: EngineError) -> bool:
        if not isinstance(error, GtpFailure):
            return False
        if task.raw_command is not None:
            raise PlayerError(str(error)) from None
        if self._told is not None:
            self._told.forget()
        return True

    answers_when_stopped = True

    def _resigns(self, task: _Task) -> bool:
        return super()._resigns(task) and not task.limits.infinite

    def _cut_short(self) -> bool:
        return self._stopping.is_set()

    def _less(self, task: _Task) -> bool:
        spent = time.monotonic() - task.begin
        if spent >= task.given.reach:
            return False
        task.limits, task.tried = task.given.after(spent), time.monotonic()
        return True

    def understands(self, command: str) -> bool:
        """Whether the engine has the command, so that it can be passed on to it as it is."""
        try:
            return self._keeper.client().has(command)
        except EngineError:
            return False

    def judge(self, game: Game) -> Judgement:
        """The engine's own word on dead stones where it has one, the built-in judgement otherwise."""
        self._aborting.clear()
        self._leash.reset()
        try:
            with self._leash.until(time.monotonic() + JUDGE_TIME):
                client = self._ready(game).client
                stones = dead_stones(client, game, JUDGE_TIME)
            if stones is not None:
                return Dead(stones)
        except EngineHung as error:
            self._keeper.drop(str(error))
        except (EngineError, ValueError) as error:
            self._note(f"{self.spec.title} does not say which stones are dead: {error}")
        if self._judge is None:
            self._judge = LateSearch(self._options)
        return self._judge.judge(game)

    def configure(self, options: Options) -> None:
        """As ``GoPlayer.configure``."""
        self._options = options

    def relay(self, game: Game, line: str) -> str:
        """As ``GtpSpeaker.relay``."""
        self._aborting.clear()
        try:
            return self._ready(game).client.ask(line, self.spec.patience)
        except EngineHung as error:
            self._keeper.drop(str(error))
            raise PlayerError(str(error), "hung") from None
        except EngineError as error:
            raise PlayerError(str(error), trouble_of(error)) from None

    def stop(self) -> None:
        """Make ``choose`` return soon, where the protocol can do that: an analysis always, ``genmove`` only in an
        engine with ``gogui-interrupt``. Others are waited for.
        """
        self._stopping.set()
        self._leash.stop(STOP_GRACE)
        self._wake()

    def abort(self) -> None:
        """Nobody wants the answer: an engine that can't be stopped is ended."""
        self._stopping.set()
        self._aborting.set()
        self._leash.stop(0)
        self._wake()

    def close(self) -> None:
        """End the engine."""
        super().close()
        if self._judge is not None:
            self._judge.close()

    def client(self) -> GtpClient:
        """The client of the running engine, which is started if need be. Raises EngineError."""
        return self._keeper.client()

    def prepare(self, game: Game) -> None:
        """Start the engine if need be, and tell it the game, before a clock runs. Raises EngineError."""
        self._stopping.clear()
        self._aborting.clear()
        self._leash.reset()
        with self._leash.until(math.inf):
            self._ready(game)

    # ------------------------------------------------------------------ asking

    def _ready(self, game: Game) -> BoardSync:
        """The running engine, with the referee's game on its board."""
        client = self._keeper.client()
        if self._told is None or self._told.client is not client:
            self._told = BoardSync(client, self._note)
        self._told.follow(game)
        return self._told

    def _tell(self, told: BoardSync, task: _Task) -> None:
        """Tell time and visits; of a clock what is left now."""
        limits = task.limits
        spent = time.monotonic() - task.tried
        if limits.clock is not None and spent > DELAY:
            limits = replace(limits, clock=limits.clock.after(spent))
        told.tell_time(task.color, limits)
        told.tell_visits(limits.nodes)

    def _generate(self, told: BoardSync, task: _Task) -> str:
        """The engine's answer to a request for a move: a vertex, "pass" or "resign", in its own spelling."""
        client, limits = told.client, task.limits
        command, lines = self._command(client, task)
        reply = client.post(command, task.line_taker(command) if lines else None)
        now = time.monotonic()
        deadline = now + self._for_move(limits)
        if limits.reach < math.inf:
            deadline = min(deadline, task.tried + limits.reach + LATE)
        self._await_move(client, reply, deadline)
        text = client.wait(reply, 0)
        if not command.startswith(("reg_genmove", "kata-search")):
            told.answered(task.color, _word(text), task.game)
        return text

    def _for_move(self, limits: Limits) -> float:
        """Seconds for an answer that the clock does not bound."""
        if limits.seconds is None:
            return math.inf if limits.reach < math.inf else self.spec.patience
        if limits.reach < math.inf or self._strict:
            return limits.seconds + LATE
        return 2 * limits.seconds + DISOBEDIENT

    def _before_move(self, limits: Limits) -> float:
        """Seconds for all that a running engine is told before a move."""
        return QUICK if limits.seconds is None or limits.infinite else min(QUICK, self._for_move(limits))

    def _command(self, client: GtpClient, task: _Task) -> tuple[str, bool]:
        """The command that asks for the move, and whether lines of analysis come before the answer."""
        color = COLOR_NAMES[task.color]
        if task.raw_command is not None:
            return task.raw_command.command, True
        if task.cleanup and client.has("kgs-genmove_cleanup"):
            return f"kgs-genmove_cleanup {color}", False
        limits = task.restrictions
        wanted = task.report is not None or limits
        name = client.first_of("kata-genmove_analyze", "lz-genmove_analyze") if wanted else None
        if name is not None:
            tags = "".join(" " + _tag(one, task.game) for one in limits)
            return f"{name} {color} {max(1, round(100 * min(task.interval, 100)))}{tags}", True
        if limits:
            self._note(f"{self.spec.title} can't be told which moves to leave out; its answers are checked")
        if task.fresh and client.has("reg_genmove"):
            return f"reg_genmove {color}", False
        return f"genmove {color}", False

    def _await_move(self, client: GtpClient, reply: Reply, deadline: float) -> None:
        """Wait for a move; a stop interrupts where the engine can be interrupted, an abort always."""
        self._thinking = True
        try:
            with self._leash.off():
                self._await(client, reply, deadline)
        finally:
            self._thinking = False

    def _await(self, client: GtpClient, reply: Reply, deadline: float) -> None:
        def over() -> bool:
            return reply.done or self._aborting.is_set()

        if not client.wait_for(lambda: over() or self._stopping.is_set(), deadline):
            raise EngineHung(f"{self.spec.title} did not answer '{reply.name}' in time")
        if not over():
            if client.has("gogui-interrupt"):
                client.send("# interrupt")
            if not client.wait_for(over, deadline):
                raise EngineHung(f"{self.spec.title} did not answer '{reply.name}' in time")
        if not reply.done and not client.wait_for(lambda: reply.done, time.monotonic() + self.spec.stop_time):
            raise EngineHung(f"{self.spec.title} could not be stopped")

    def _analyze(self, client: GtpClient, task: _Task) -> str:
        """Analyse until stopped; the answer is no move."""
        name = client.first_of("kata-analyze", "lz-analyze")
        if task.raw_command is not None:
            command = task.raw_command.command
        elif name is not None:
            tags = "".join(" " + _tag(one, task.game) for one in task.limits.restrictions)
            command = f"{name} {COLOR_NAMES[task.color]} {max(1, round(100 * min(task.interval, 100)))}{tags}"
        elif task.report is not None:
            return self._analyze_by_move(client, task)
        else:
            self._stopping.wait()
            return ""
        reply = client.post(command, task.line_taker(command))
        self._thinking = True
        try:
            with self._leash.off():
                client.wait_for(lambda: reply.done or self._stopping.is_set(), None)
        finally:
            self._thinking = False
        if reply.done and not reply.ok:
            if task.raw_command is not None:
                raise Refused(reply.text)
            raise GtpFailure(f"'{command}': {reply.text}")
        if not reply.done:
            harmless = client.post("name")
            deadline = time.monotonic() + self.spec.stop_time
            with self._leash.off():
                ended = client.wait_for(lambda: reply.done and harmless.done, deadline)
            if not ended:
                raise EngineHung(f"{self.spec.title} did not stop its analysis")
        elif task.raw_command is None:
            self._stopping.wait()
        return ""

    def _analyze_by_move(self, client: GtpClient, task: _Task) -> str:
        """An analysis by an engine that has none: the move it would make."""
        if not client.has("reg_genmove"):
            raise Refused(f"{self.spec.title} has no analysis")
        reply = client.post(f"reg_genmove {COLOR_NAMES[task.color]}")
        self._await_move(client, reply, time.monotonic() + self.spec.patience)
        try:
            point = parse_vertex(client.wait(reply, 0), task.game.width, task.game.height)
            task.take(Report((Candidate(point, line=(point,), visits=1),), nodes=1))
        except ValueError:
            pass  # it would resign
        self._stopping.wait()
        return ""

    # ------------------------------------------------------------------ answers

    def _accept(self, task: _Task, text: str) -> Choice[int] | None:
        """The answer as a choice; None, and the user told, when the referee does not accept it."""
        if task.limits.infinite:
            return Choice("none", report=task.last)
        word = _word(text)
        if word == "resign":
            return Choice("resign", report=task.last)
        try:
            point = parse_vertex(word, task.game.width, task.game.height)
        except ValueError:
            self._keeper.report(f"{self.spec.title} answered '{text[:60]}', which is no move")
            return None
        if not task.game.is_legal(task.color, point):
            why = task.game.board.why_illegal(task.color, point) or "illegal"
            self._keeper.report(f"{self.spec.title} wants to play {word.upper()}, which is illegal ({why})")
            task.refused.add(point)
            return None
        if task.limits.barred(task.color, (point,)):
            self._keeper.report(f"{self.spec.title} wants to play {word.upper()}, which it was told not to")
            task.refused.add(point)
            return None
        return Choice("pass" if point == PASS else "move", point, report=task.last)

    def _best_so_far(self, task: _Task) -> Choice[int]:
        """What the engine thought best when it was cut short. Raises PlayerError when it has said nothing."""
        if task.limits.infinite:
            return Choice("none", report=task.last)
        for candidate in task.last.candidates if task.last is not None else ():
            if task.game.is_legal(task.color, candidate.move):
                return Choice("move", candidate.move, report=task.last)
        raise PlayerError(f"{self.spec.title} was interrupted and had no move yet")

    def _wake(self) -> None:
        client = self._keeper.running
        if client is not None:
            if self._aborting.is_set() and not self._thinking:
                client.abort()  # it is starting, or being told the game: neither matters any more
            client.wake()


@dataclass
class _Task:
    """One call of ``choose``. ``refused``: points that the engine chose and the referee did not accept."""

    game: Game
    color: int
    limits: Limits
    report: Callable[[Report[int]], None] | None
    cleanup: bool
    fresh: bool
    interval: float
    raw_command: RawAnalysisCommand | None
    refused: set[int] = field(default_factory=set)
    last: Report[int] | None = None
    begin: float = field(default_factory=time.monotonic)
    tried: float = field(default_factory=time.monotonic)  # when the limits held
    given: Limits = field(init=False)  # at first

    def __post_init__(self) -> None:
        self.given = self.limits

    @property
    def restrictions(self) -> list[Restriction]:
        """What the engine must be told to leave out."""
        refused = [Restriction(self.color, frozenset(self.refused))] if self.refused else []
        return [*self.limits.restrictions, *refused]

    def take(self, report: Report[int]) -> None:
        """A report from the engine."""
        self.last = report = replace(report, seconds=time.monotonic() - self.begin)
        if self.report is not None:
            self.report(report)

    def line_taker(self, command: str) -> Callable[[str], None]:
        """What to do with the lines of an analysis."""
        kata = not command.startswith("lz-")
        raw_command, width, height = self.raw_command, self.game.width, self.game.height

        def take(line: str) -> None:
            if line.startswith("play "):
                return
            if raw_command is not None:
                raw_command.write(line)
            found = translate.parse_info(line, kata, width, height)
            if found is not None:
                if raw_command is not None:
                    self.last = found
                else:
                    self.take(found)

        return take


def _word(text: str) -> str:
    """The move in the reply to a request for one: the last line, which may read ``play X``."""
    words = text.split("\n")[-1].split()
    if len(words) > 1 and words[0].lower() == "play":
        words = words[1:]
    return words[0].lower() if words else ""


def _tag(one: Restriction, game: Game) -> str:
    """A restriction in the words of the analysis commands."""
    vertices = ",".join(format_vertex(point, game.width, game.height) for point in sorted(one.moves))
    return f"{'allow' if one.allow else 'avoid'} {COLOR_NAMES[one.color]} {vertices} {one.depth}"
