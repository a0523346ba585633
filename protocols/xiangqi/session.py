"""One client's session: the position, the settings, and the search that runs in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from engines.player import Choice, Limits, PlayerError, Report, Restriction
from engines.xiangqi.board import Board
from engines.xiangqi.player import HIGHEST_ELO, SearchPlayer, Settings
from protocols.files import ANY_FILE
from protocols.log import SessionLog
from protocols.xiangqi.go_command import Request
from protocols.xiangqi.players import PositionFollower, XiangqiPlayer
from protocols.xiangqi.position import Keeper
from protocols.xiangqi.signs import Signs

if TYPE_CHECKING:
    from protocols.xiangqi.session_recorder import SessionRecorder
    from protocols.xiangqi.variants import Variant

DEFAULT_RULES = "axf"
"""What a player's settings have anyway."""

GRACE = 0.5
"""Seconds that a search which would end by itself may still take once quit has been read."""

SHORT = 0.3
"""Seconds of the search that stands in where the player has failed."""

_PERFT_AT_ONCE = 4
"""Plies counted in one go; deeper counts can be stopped in between."""


class Dialect(Protocol):
    """How one protocol words things. Texts are whole lines with their line ends."""

    name: str
    counts_from_one: bool
    unknown_is_an_error: bool

    def hello(self) -> str:
        """The answer to the protocol's first word."""

    def message(self, text: str) -> str:
        """Something to tell the user."""

    def score(self, score: int) -> int:
        """A score of the search as this protocol counts."""

    def unit(self, session: Session) -> float:
        """Seconds that one of UCCI's times is in."""

    def report(self, session: Session, report: Report[int]) -> str:
        """Progress of a search."""

    def answer(self, session: Session, choice: Choice[int]) -> str:
        """The end of a search."""

    def static(self, session: Session, score: int) -> str:
        """The answer to a search of depth 0: the evaluation, and no move."""

    def idle_stop(self) -> str | None:
        """The answer to a stop when nothing runs."""

    def bye(self) -> str | None:
        """The answer to quit."""


class Run:
    """A search, or a count, that runs. ``endless``: it does not end by itself."""

    def __init__(self, endless: bool, request: Request | None = None) -> None:
        self.endless = endless
        self.request = request
        self.pondering = request is not None and request.ponder
        self.cancelled = False
        self.released = threading.Event()  # from an endless wait
        self.interrupt: Callable[[], None] = lambda: None
        """Called when it is cancelled, besides the player's ``stop``."""
        self.done = threading.Event()


class Session:
    """What the commands of both protocols work on.

    Only ``think``'s thread and the thread that handles commands touch it, and the former nothing but ``write``, the
    player and ``keeper.played``; commands that change anything wait for it to end (``settle``).
    """

    def __init__(
        self,
        dialect: Dialect,
        settings: Settings,
        rules: str,
        log: SessionLog,
        record: str | None = None,
        player: XiangqiPlayer | None = None,
    ) -> None:
        """``player`` chooses the moves, the built-in search if none is given; it has the settings."""
        self.dialect = dialect
        self.log = log
        self.player: XiangqiPlayer = player or SearchPlayer(settings)
        self.keeper = Keeper()
        self.signs = Signs()
        self.banned: set[int] = set()
        self.write: Callable[[str], None] = lambda text: None
        self.unread: str | None = None
        """Why the client's last position could not be read, so that nothing stands for the game; None when it was."""
        self.finished = False
        self.greeted = False
        self.milliseconds = True
        self.batch = False
        self.debug = False
        self.terse = False
        """Of each search only the last line of play is told, together with the answer."""
        self.show_wdl = False
        self.level = settings.level
        self.limit_strength = False
        self.elo = HIGHEST_ELO
        self.resign = settings.resign
        self.natural_plies = settings.natural_limit
        self.natural_on = True
        self._free_checks = settings.free_checks
        if rules != DEFAULT_RULES:
            self.set_rules(rules)
        self.patient = False
        self.files = ANY_FILE
        """The files that the client may name."""
        self.run: Run | None = None
        self.excused = 0
        self.settling = False
        self.broken = False
        self._lock = threading.Lock()
        self._waiting_stops = 0
        self._waiting_quits = 0
        self.deferred: list[Callable[[], None]] = []
        self._recorder: SessionRecorder | None = None
        self.variant: Variant | None = None
        """The game where it is not Xiangqi."""
        self.capture_view = "captor"
        self.jieqi_limit: int | None = None
        """Plies without a capture that draw in a variant; None for what is usual there."""
        self._unrecorded = ""
        if isinstance(self.player, SearchPlayer):
            self.player.tell = self.tell
        if record is not None:
            from protocols.xiangqi.session_recorder import SessionRecorder  # a GUI without records need not wait for it

            self._recorder = SessionRecorder(record)

    # -- settings

    def set_rules(self, rules: str) -> None:
        """Play by these rules of repetition, named as in ``engines.xiangqi.repetition``; the computer rules also count
        checks in their own way towards the natural limit.
        """
        # Loaded only here: a GUI that wants the default need not wait for the arbiter's side of the rules.
        from engines.xiangqi.draws import NATURAL_LIMITS
        from engines.xiangqi.repetition import rule_set

        settings = self.player.settings
        settings.rules = rule_set(rules).code
        free = NATURAL_LIMITS[rules].free_checks if rules == "computer" else None
        settings.free_checks = self._free_checks if free is None else free

    def set_natural_limit(self) -> None:
        """Put the natural limit chosen by options to work."""
        self.player.settings.natural_limit = self.natural_plies if self.natural_on else 0

    def new_game(self) -> None:
        """A new game begins."""
        self.player.new_game()
        if self.variant is not None:
            self.variant.new_game()
        self.keeper.new_game()
        self.banned.clear()
        if self._recorder is not None:
            self._recorder.new_game()

    def warm(self) -> None:
        """Have the built-in search get its memory before the first search needs it."""
        if isinstance(self.player, SearchPlayer):
            self.player.warm()

    def record(self, answer: Choice[int] | None = None) -> None:
        """Keep the game so far, with the move just answered, where games are kept."""
        if self._recorder is None:
            return
        try:
            self._recorder.keep(self.keeper.board, answer)
            self._unrecorded = ""
        except Exception as error:  # a full disk must not cost the game: the next move tries again
            if not isinstance(error, OSError):
                self.log.exception()
            why = getattr(error, "strerror", None) or str(error)
            if why != self._unrecorded:
                self._unrecorded = why
                self.tell(f"the record could not be written: {why}")

    def tell(self, text: str) -> None:
        """Say something to the user, in the protocol's words."""
        self.write(self.dialect.message(text))

    def settle_ranks(self) -> None:
        """Before squares are read or written: see whether the client has said how it counts ranks."""
        sign = self.signs.take()
        if sign:
            self.keeper.count_from_one()
        elif sign is not None:
            self.keeper.doubtful = True

    def position_changed(self) -> None:
        """The keeper has another position."""
        self.unread = None
        if isinstance(self.player, PositionFollower):
            self.player.follow(self.keeper.board)
        self.banned.clear()

    # -- lines that wait: called from the reader thread

    def line_arrived(self, word: str) -> None:
        """A line that begins with ``word`` will be handled later."""
        with self._lock:
            self._waiting_stops += word == "stop"
            self._waiting_quits += word == "quit"
            if self.settling and word in ("stop", "quit"):
                self.cancel()

    def line_taken(self, word: str) -> None:
        """A line that begins with ``word`` is being handled."""
        with self._lock:
            self._waiting_stops = max(0, self._waiting_stops - (word == "stop"))
            self._waiting_quits = max(0, self._waiting_quits - (word == "quit"))

    def no_more_lines(self, orderly: bool) -> None:
        """The end of input (``orderly``: searches with a limit may reach it), or of the session."""
        self.broken = self.broken or not orderly
        if not orderly:  # else lines may still wait that end what runs, and ``close`` ends what goes on for ever
            self.cancel()

    # -- the search

    def cancel(self) -> None:
        """End what runs, soon. From any thread."""
        run = self.run
        if run is not None:
            run.cancelled = True
            run.released.set()
            run.interrupt()
            self.player.stop()

    def settle(self, grace: float | None = None) -> None:
        """Wait until nothing runs: for the end of a search that has one (at most ``grace`` seconds), else by stopping
        it.
        """
        run = self.run
        if run is None:
            return
        with self._lock:
            self.settling = True
            urgent = self._waiting_stops or self._waiting_quits
        try:
            if run.endless:
                self.cancel()
            elif urgent and grace is None:
                run.done.wait(GRACE if self._waiting_quits and not self._waiting_stops else 0)
                self.cancel()
            elif grace is not None:
                run.done.wait(grace)
                self.cancel()
            run.done.wait()
        finally:
            with self._lock:
                self.settling = False
        self.run = None
        self._run_deferred()

    def later(self, action: Callable[[], None]) -> None:
        """Do it now, or when the search that runs has ended."""
        if self.busy:
            self.deferred.append(action)
        else:
            self._run_deferred()
            action()

    def _run_deferred(self) -> None:
        actions, self.deferred = self.deferred, []
        for action in actions:
            action()

    @property
    def busy(self) -> bool:
        """Whether something runs."""
        run = self.run
        if run is not None and run.done.is_set():
            self.run = run = None
            self._run_deferred()
        return run is not None

    def go(self, request: Request, only: list[int] | None) -> None:
        """Start to think; the answer comes from another thread."""
        board = self.keeper.board
        limits = request.limits(board.turn)
        if request.ponder:
            limits = replace(limits, infinite=True, pondering=True)
        settings = self.player.settings
        settings.resign = self.resign if request.timed and self.dialect.name == "ucci" else 0
        settings.draws = request.timed and self.dialect.name == "ucci"
        restrictions = []
        if self.banned:
            restrictions.append(Restriction(board.turn, frozenset(self.banned)))
        if only is not None:
            restrictions.append(Restriction(board.turn, frozenset(only), allow=True))
        limits = replace(limits, restrictions=tuple(restrictions))
        run = Run(limits.infinite, request)
        self.player.begin()
        self.start_run(run, self._think, run, board.copy(), limits, request.draw)

    def decline(self, request: Request) -> None:
        """Answer a ``go`` for which there is no position: that there is no move, as soon as an answer is wanted."""
        run = Run(request.ponder or request.limits(self.keeper.board.turn).infinite, request)
        self.start_run(run, self._decline, run)

    def start_run(self, run: Run, target: Callable[..., None], *arguments: Any) -> None:
        """Have ``run`` done by a thread of its own."""
        self.run = run
        if self.broken:
            self.cancel()
        threading.Thread(target=target, args=arguments, name="go", daemon=True).start()
        self._hold(run)

    def _hold(self, run: Run) -> None:
        """When commands come from a file, or in batch mode, the next one waits for the answer."""
        if run.endless:
            return
        if self.patient:
            run.done.wait()
        elif self.batch:
            self.settle()  # which a stop or a quit cuts short

    def ponder_hit(self, draw: bool) -> None:
        """The expected move was played: think on by the clock that ``go ponder`` named."""
        run = self.run
        if run is None or not run.pondering or run.request is None:
            return
        request = run.request
        request.ponder = run.pondering = run.endless = False
        limits = request.limits(self.keeper.board.turn)
        run.released.set()
        self.player.ponder_hit(Limits() if limits.infinite else limits, draw)

    def _think(self, run: Run, board: Board, limits: Limits, draw_offered: bool) -> None:
        dialect = self.dialect
        last: list[Report[int]] = []

        def take(report: Report[int]) -> None:
            if self.terse:
                bound = any(candidate.extra.get("bound") for candidate in report.candidates)
                if not bound and len(report.candidates) >= len(last[0].candidates if last else ()):
                    last[:] = [report]  # not one that was cut short before it had all lines
            else:
                self.write(dialect.report(self, report))

        try:
            choice = self.player.choose(board, board.turn, limits, take, draw_offered=draw_offered)
        except PlayerError as error:
            self.tell(str(error))
            choice, resigned = Choice("resign"), False
        except Exception as error:
            self.log.exception()
            choice, resigned = self._thought_again(board, limits, error), False
        else:
            resigned = choice.action == "resign"
        self.keeper.played = choice.move
        if (choice.move is not None or resigned) and not run.endless:
            self.record(choice)  # before it is told: what the opponent has seen is never lost
        self.answer("".join(dialect.report(self, report) for report in last) + dialect.answer(self, choice))
        run.done.set()

    def _decline(self, run: Run) -> None:
        if run.endless:
            run.released.wait()
        self.answer(self.dialect.message(f"no move: {self.unread}") + self.dialect.answer(self, Choice("none")))
        run.done.set()

    def answer(self, text: str) -> None:
        """Tell the end of a search."""
        with self._lock:
            # Stops that are on their way were meant for this search.
            self.excused = self._waiting_stops
        self.write(text)

    def _thought_again(self, board: Board, limits: Limits, error: Exception) -> Choice[int]:
        """The answer where the player has failed: a short search with nothing but its own memory, never just any move.

        A go is answered in any case, by resigning where that fails too.
        """
        self.tell(f"internal error ({type(error).__name__}): a short search answers")
        settings = self.player.settings
        try:
            player = SearchPlayer(Settings(hash=4, rules=settings.rules, natural_limit=settings.natural_limit))
            return player.choose(board, board.turn, Limits(seconds=SHORT, restrictions=limits.restrictions))
        except Exception:
            self.log.exception()
            self.tell("internal error: the short search failed too")
            return Choice("resign")

    # -- counting moves

    def work(self, what: Callable[[Run], None]) -> None:
        """Do something in a thread that ends by itself, or when it is cancelled."""
        run = Run(False)
        self.start_run(run, self._work, run, what)

    def _work(self, run: Run, what: Callable[[Run], None]) -> None:
        try:
            what(run)
        except Exception:
            self.log.exception()
            self.tell("internal error")
        finally:
            run.done.set()

    def perft(self, depth: int) -> None:
        """Count the leaves of the legal-move tree, by first move, in a thread."""
        board = self.keeper.board.copy()
        self.work(lambda run: self._count(run, board, depth))

    def _count(self, run: Run, board: Board, depth: int) -> None:
        total, begin, lines = 0, time.monotonic(), []
        for move in board.legal_moves() if depth > 0 else []:
            board.play(move)
            count = _leaves(board, depth - 1, run)
            board.undo()
            if count is None:
                break
            lines.append(f"{self.keeper.write(move)}: {count}\n")
            total += count
        if run.cancelled:
            self.tell("the count was stopped")
            return
        total = total if depth > 0 else 1
        seconds = max(time.monotonic() - begin, 1e-6)
        rate = self.dialect.message(f"{int(total / seconds)} leaves a second")
        self.write("".join(sorted(lines)) + f"\nNodes searched: {total}\n\n" + (rate if self.debug else ""))

    def close(self) -> None:
        """End what runs; a search that ends by itself may do so unless the session was broken off. No person does."""
        run = self.run
        if run is not None:
            waits = getattr(self.player, "waits_for_a_hand", False)
            if run.endless or self.finished or self.broken or waits:
                self.cancel()
            run.done.wait()
        if self.variant is not None:
            self.variant.close()
        self.player.close()


def _leaves(board: Board, depth: int, run: Run) -> int | None:
    """Leaves below a position, ``None`` when the count was cancelled."""
    if run.cancelled:
        return None
    if depth <= _PERFT_AT_ONCE:
        return board.perft(depth)
    total = 0
    for move in board.legal_moves():
        board.play(move)
        count = _leaves(board, depth - 1, run)
        board.undo()
        if count is None:
            return None
        total += count
    return total
