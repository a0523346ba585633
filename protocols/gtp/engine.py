"""A GTP engine as the player of a Go game: kept in step with the referee's game, asked for moves, watched over.

The engine keeps a board of its own. Before every question it is brought to the referee's position by the shortest way
it offers: the missing moves, or ``undo`` and the missing moves, or everything anew. What it answers is a wish that the
referee has yet to accept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Candidate, Choice, Limits, PlayerError, Report, Restriction, Trouble
from protocols.external import Aborted, EngineError, EngineHung, Keeper, Refused, trouble_of
from protocols.gtp import translate
from protocols.gtp.client import GtpClient, GtpFailure, Reply
from protocols.gtp.options import Options
from protocols.gtp.players import Judgement, LateSearch, Passage
from protocols.log import SessionLog
from protocols.spec import Spec

LATE = 1.0
"""Seconds an engine may be behind its clock before it counts as hung: the game is lost, but an answer is an answer."""

DISOBEDIENT = 10.0
"""Seconds, and as long again as it was given, for an engine that was told seconds a move and may not care."""

JUDGE_TIME = 10.0
"""Seconds to say which stones are dead."""

_KGS_NAMES = {"japanese": "japanese", "chinese": "chinese", "chinese-kgs": "chinese", "aga": "aga"}
_KGS_NAMES["new-zealand"] = "new_zealand"


@dataclass
class Held:
    """What stands on the engine's own board."""

    frame: tuple[Any, ...] = ()
    komi: float | None = None
    rules: str = ""
    moves: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Dead:
    """Which stones are dead, by the engine's word."""

    dead: frozenset[int]


class EnginePlayer:
    """``protocols.gtp.players.GoPlayer`` by another program."""

    def __init__(
        self,
        spec: Spec,
        options: Options,
        log: SessionLog,
        tell: Callable[[str], None] | None = None,
        *,
        attended: bool = False,
    ) -> None:
        """Nothing is started yet. ``tell`` gets what the user should know; standard error if None. ``attended``: see
        ``protocols.external.Keeper``."""
        self.spec = spec
        self._options = options
        self._keeper: Keeper[GtpClient] = Keeper(spec, GtpClient, log, tell, attended)
        self._client: GtpClient | None = None
        self._held: Held | None = None
        self._time_told = ""
        self._visits_told: int | None = None
        self._notes: set[str] = set()
        self._stopping = threading.Event()
        self._aborting = threading.Event()
        self._keeper.unwanted = self._aborting.is_set
        self._thinking = False
        self._played = False
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
        passage: Passage | None = None,
    ) -> Choice[int]:
        """As ``GoPlayer.choose``. An illegal answer, a death or a hang is told, and the engine asked again."""
        self._stopping.clear()
        self._aborting.clear()
        begin = time.monotonic()
        task = _Task(game, color, limits, report, cleanup, fresh, interval, passage)
        failure = ""
        trouble: Trouble = "error"
        for _ in range(1 + self.spec.retries):
            try:
                client = self._ready(game)
                answer = self._analyze(client, task) if limits.infinite else self._generate(client, task)
                choice = self._accept(task, answer)
            except Aborted:
                return self._best_so_far(task)
            except Refused as error:
                raise PlayerError(str(error), "refused") from None
            except GtpFailure as error:
                if passage is not None:
                    raise PlayerError(str(error)) from None
                self._held = None
                failure, trouble = f"{self.spec.title} answered with an error: {error}", "error"
                self._keeper.report(failure)
                continue
            except EngineError as error:
                failure, trouble = str(error), trouble_of(error)
                self._restart(failure)
                if self._stopping.is_set():
                    return self._best_so_far(task)
                task.limits = _less(limits, time.monotonic() - begin)
                continue
            if choice is not None:
                return choice
            failure, trouble = f"{self.spec.title} gave no legal move", "illegal"
        if limits.infinite or self.spec.trouble == "error":
            raise PlayerError(failure, trouble)
        self._keeper.report(f"{failure}; it resigns")
        return Choice("resign")

    def understands(self, command: str) -> bool:
        """Whether the engine has the command, so that it can be passed on to it as it is."""
        try:
            return self._keeper.client().has(command)
        except EngineError:
            return False

    def judge(self, game: Game) -> Judgement:
        """The engine's own word on dead stones where it has one, the built-in judgement otherwise."""
        self._aborting.clear()
        try:
            client = self._ready(game)
            if client.has("final_status_list"):
                text = client.ask("final_status_list dead", JUDGE_TIME)
                points = [parse_vertex(word, game.width, game.height) for word in text.split()]
                if all(point != PASS and game.board.at(point) != EMPTY for point in points):
                    return Dead(frozenset(stone for point in points for stone in game.board.chain(point)))
        except EngineHung as error:
            self._restart(str(error))
        except (EngineError, ValueError) as error:
            self._note(f"{self.spec.title} does not say which stones are dead: {error}")
        if self._judge is None:
            self._judge = LateSearch(self._options)
        return self._judge.judge(game)

    def configure(self, options: Options) -> None:
        """As ``GoPlayer.configure``."""
        self._options = options

    def stop(self) -> None:
        """Make ``choose`` return soon, where the protocol can do that: an analysis always, ``genmove`` only in an
        engine with ``gogui-interrupt``. Others are waited for.
        """
        self._stopping.set()
        self._wake()

    def abort(self) -> None:
        """Nobody wants the answer: an engine that can't be stopped is ended."""
        self._stopping.set()
        self._aborting.set()
        self._wake()

    def give_up(self) -> None:
        """End the engine at once, without a word."""
        self._keeper.drop()
        self._keeper.close()

    def close(self) -> None:
        """End the engine."""
        self._keeper.close()
        if self._judge is not None:
            self._judge.close()

    def warm_up(self) -> None:
        """Start the engine in the background, so that it is there when the first clock runs."""

        def start() -> None:
            try:
                self._keeper.client()
            except EngineError as error:
                self._keeper.report(str(error))

        threading.Thread(target=start, name="warm-up", daemon=True).start()

    def client(self) -> GtpClient:
        """The client of the running engine, which is started if need be. Raises EngineError."""
        return self._keeper.client()

    @property
    def running(self) -> GtpClient | None:
        """The client of the engine that runs, None when none does."""
        return self._keeper.running

    def prepare(self, game: Game) -> None:
        """Start the engine if need be, and tell it the game, before a clock runs. Raises EngineError."""
        self._stopping.clear()
        self._aborting.clear()
        self._ready(game)

    # ------------------------------------------------------------------ keeping in step

    def _ready(self, game: Game) -> GtpClient:
        """The running engine, with the referee's game on its board."""
        client = self._keeper.client()
        if client is not self._client:
            self._client, self._held, self._time_told, self._visits_told = client, None, "", None
            self._played = False
        self._synchronize(client, game)
        return client

    def _restart(self, why: str) -> None:
        self._held = None
        self._keeper.drop(why)

    def _synchronize(self, client: GtpClient, game: Game) -> None:
        """Bring the engine's board to the referee's position."""
        held = self._held
        self._held = None  # until it is certain again
        moves = game.moves
        frame = (game.width, game.height, game.setup, game.handicap)
        if held is not None and held.frame == frame:
            common = 0
            for mine, its in zip(moves, held.moves, strict=False):
                if mine != its:
                    break
                common += 1
            if self._take_back(client, len(held.moves) - common, common):
                held.moves = held.moves[:common]
                try:
                    self._tell_rules(client, game, held)
                    self._play(client, game, held, moves[common:])
                    return
                except GtpFailure as error:
                    self._note(f"{self.spec.title} lost the thread ({error}); the game is told it anew")
        held = Held(frame)
        self._set_up(client, game, held)
        self._time_told = ""
        try:
            self._play(client, game, held, moves)
        except GtpFailure as error:
            raise Refused(f"{self.spec.title} can't follow the game: {error}") from None

    def _take_back(self, client: GtpClient, count: int, remaining: int) -> bool:
        """Undo moves, if that is possible and not longer than starting anew."""
        if count == 0:
            return True
        if count > remaining + 1:
            return False
        try:
            if count > 1 and client.has("gg-undo"):
                client.ask(f"gg-undo {count}")
            elif client.has("undo"):
                for reply in [client.post("undo") for _ in range(count)]:
                    client.wait(reply)
            else:
                return False
        except GtpFailure:
            return False
        return True

    def _set_up(self, client: GtpClient, game: Game, held: Held) -> None:
        """The empty board, rules, komi, handicap or position."""
        title = self.spec.title
        width, height = game.width, game.height
        if width == height:
            size = f"boardsize {width}"
        elif client.has("rectangular_boardsize"):
            size = f"rectangular_boardsize {width} {height}"
        else:
            raise Refused(f"{title} plays on square boards only, not on {width}x{height}")
        # Some have the commands of the standard without listing them.
        try:
            client.ask(size)
        except GtpFailure as error:
            if client.has("boardsize"):
                raise Refused(f"{title} does not play on a board of {width}x{height}: {error}") from None
        try:
            client.ask("clear_board")
        except GtpFailure as error:
            if self._played:
                raise EngineError(f"{title} can't begin a new game ({error}); it is started anew for that") from None
        self._played = True
        self._tell_rules(client, game, held)
        stones = [(color, point) for point, color in enumerate(game.setup) if color != EMPTY]
        if not stones:
            return
        pairs = [(COLOR_NAMES[color], format_vertex(point, width, height)) for color, point in stones]
        if game.handicap and len(stones) == game.handicap and client.has("set_free_handicap"):
            commands = ["set_free_handicap " + " ".join(vertex for _, vertex in pairs)]
        else:
            name = client.first_of("set_position", "gogui-setup")
            # In any order, none of the plays captures: a chain that is whole at the end has a liberty all along.
            commands = (
                [name + "".join(f" {color} {vertex}" for color, vertex in pairs)]
                if name
                else [f"play {color} {vertex}" for color, vertex in pairs]
            )
        try:
            for reply in [client.post(command) for command in commands]:
                client.wait(reply)
        except GtpFailure as error:
            raise Refused(f"{title} does not take the stones set up: {error}") from None

    def _tell_rules(self, client: GtpClient, game: Game, held: Held) -> None:
        """Rules and komi, where the engine has words for them; what it refuses is told once."""
        if client.has("kata-set-rules"):
            rules = f"kata-set-rules {game.rules.to_json()}"
        elif client.has("kgs-rules") and game.rules.name in _KGS_NAMES:
            rules = f"kgs-rules {_KGS_NAMES[game.rules.name]}"
        else:
            rules = ""
        if rules and rules != held.rules:
            self._try(client, rules)
            held.rules = rules
        if game.komi != held.komi and client.has("komi"):
            self._try(client, f"komi {repr(game.komi).removesuffix('.0')}")
        held.komi = game.komi

    def _try(self, client: GtpClient, command: str) -> bool:
        try:
            client.ask(command)
        except GtpFailure as error:
            self._note(f"{self.spec.title} refuses '{command}': {error}")
            return False
        return True

    def _play(self, client: GtpClient, game: Game, held: Held, moves: list[tuple[int, int]]) -> None:
        """Play moves on the engine's board. Raises GtpFailure when it refuses one."""
        posted = [
            (move, client.post(f"play {COLOR_NAMES[move[0]]} {format_vertex(move[1], game.width, game.height)}"))
            for move in moves
        ]
        for move, reply in posted:
            try:
                client.wait(reply)
            except GtpFailure as error:
                raise GtpFailure(f"it refuses '{reply.command.partition(' ')[2]}': {error}") from None
            held.moves.append(move)
        self._held = held

    # ------------------------------------------------------------------ asking

    def _generate(self, client: GtpClient, task: _Task) -> str:
        """The engine's answer to a request for a move: a vertex, "pass" or "resign", in its own spelling."""
        limits = task.limits
        self._tell_time(client, task.game, task.color, limits)
        self._tell_visits(client, limits.nodes)
        command, lines = self._command(client, task)
        reply = client.post(command, task.line_taker(command) if lines else None)
        seconds = translate.deadline_of(limits, self.spec.patience)
        assert seconds is not None  # infinite ones are analyses
        if limits.seconds is not None and limits.clock is None:
            seconds = 2 * seconds + DISOBEDIENT
        elif limits.clock is not None:
            seconds += LATE
        self._await_move(client, reply, time.monotonic() + seconds)
        text = client.wait(reply, 0)
        if not command.startswith("reg_genmove"):
            self._forget_unless(task.color, text, task.game)
        return text

    def _command(self, client: GtpClient, task: _Task) -> tuple[str, bool]:
        """The command that asks for the move, and whether lines of analysis come before the answer."""
        color = COLOR_NAMES[task.color]
        if task.passage is not None:
            return task.passage.command, True
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
        if task.passage is not None:
            command = task.passage.command
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
            client.wait_for(lambda: reply.done or self._stopping.is_set(), None)
        finally:
            self._thinking = False
        if reply.done and not reply.ok:
            if task.passage is not None:
                raise Refused(reply.text)
            raise GtpFailure(f"'{command}': {reply.text}")
        if not reply.done:
            harmless = client.post("name")
            deadline = time.monotonic() + self.spec.stop_time
            if not client.wait_for(lambda: reply.done and harmless.done, deadline):
                raise EngineHung(f"{self.spec.title} did not stop its analysis")
        elif task.passage is None:
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

    def _tell_time(self, client: GtpClient, game: Game, color: int, limits: Limits) -> None:
        """Time settings when they have changed, and what is left."""
        clock, control = limits.clock, None
        if clock is not None:
            control = clock.control
        elif limits.seconds is not None:
            control = translate.per_move(limits.seconds)
            clock = Clock(control)
        if control is None:
            if self._time_told:
                control = TimeControl.none()
            else:
                return
        command = translate.time_settings(control, client.has)
        left_known = client.has("time_left")
        if not left_known and clock is not None and control.kind in ("absolute", "fischer", "fischer-capped"):
            # The only way to tell what is left.
            command = translate.time_settings(TimeControl.absolute(clock.left), client.has)
        if command != self._time_told and client.has(command.split()[0]):
            self._try(client, command)
            self._time_told = command
        if clock is not None and left_known and control.kind != "none":
            posted = [client.post(translate.time_left(color, clock))]
            other = limits.opponent_clock
            if other is not None and other.control.kind != "none":
                posted.append(client.post(translate.time_left(BLACK if color == WHITE else WHITE, other)))
            for reply in posted:
                try:
                    client.wait(reply)
                except GtpFailure as error:
                    self._note(f"{self.spec.title} refuses '{reply.command}': {error}")

    def _tell_visits(self, client: GtpClient, nodes: int | None) -> None:
        """A number of visits a move, where the engine can be told."""
        if nodes is None or nodes == self._visits_told:
            return
        self._visits_told = nodes
        if client.has("kata-set-param"):
            self._try(client, f"kata-set-param maxVisits {nodes}")
        elif client.has("lz-setoption"):
            self._try(client, f"lz-setoption name visits value {nodes}")
        else:
            self._note(f"{self.spec.title} can't be told a number of playouts; its command line decides")

    # ------------------------------------------------------------------ answers

    def _forget_unless(self, color: int, text: str, game: Game) -> None:
        """The engine has played its move on its own board; note which, or that nothing is known of it."""
        held, self._held = self._held, None
        word = _word(text)
        if held is None:
            return
        if word == "resign":
            self._held = held
            return
        try:
            held.moves.append((color, parse_vertex(word, game.width, game.height)))
        except ValueError:
            return
        self._held = held

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
        if any((point in one.moves) != one.allow for one in task.limits.restrictions if one.color == task.color):
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

    def _note(self, text: str) -> None:
        """Tell the user once."""
        if text not in self._notes:
            self._notes.add(text)
            self._keeper.report(text)

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
    passage: Passage | None
    refused: set[int] = field(default_factory=set)
    last: Report[int] | None = None
    begin: float = field(default_factory=time.monotonic)

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
        passage, width, height = self.passage, self.game.width, self.game.height

        def take(line: str) -> None:
            if line.startswith("play "):
                return
            if passage is not None:
                passage.write(line)
            found = translate.parse_info(line, kata, width, height)
            if found is not None:
                if passage is not None:
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


def _less(limits: Limits, spent: float) -> Limits:
    """The limits after some of the time is gone."""
    if limits.clock is not None:
        clock = limits.clock.copy()
        clock.left = max(0.0, clock.left - spent)
        limits = replace(limits, clock=clock)
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(0.05, limits.seconds - spent))
    return limits
