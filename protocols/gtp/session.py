"""The state of a GTP session, and what its commands have in common: thinking, clocks, dead stones, the record."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from engines.clock import Clock, TimeControl
from engines.go import rules as rule_sets
from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, PASS, WHITE, opponent
from engines.go.vertex import format_vertex
from engines.player import Choice, Limits, PlayerError, Report, Restriction
from protocols.gtp import framing, graphics
from protocols.gtp.options import Options
from protocols.gtp.players import GameFollower, GoPlayer, GtpSpeaker, RawAnalysisCommand
from protocols.gtp.recorder import Recorder
from protocols.gtp.table import GtpError, Table
from protocols.gtp.watch import Run, Watch
from protocols.log import SessionLog, show

OWN_LAG = 0.02
"""Seconds charged for pipes and scheduling with each move whose clock the controller did not tell."""


class Session:
    """What the commands work on.

    ``game`` is the referee's game; ``clocks`` one clock a colour under ``control``, None before any time command.
    ``finished`` ends the session; ``streaming`` is true once a reply's beginning has been written.
    """

    def __init__(self, options: Options, player: GoPlayer, log: SessionLog) -> None:
        """Raises ValueError, with a text for the user, for rules that cannot be read."""
        rules = rule_sets.parse_rules(options.rules)
        self.options = options
        self.log = log
        self.player = player
        self.watch = Watch()
        self.write: Callable[[str], None] = lambda text: None
        self.commands: Table = {}
        self.finished = False
        self.streaming = False
        self.game = Game(options.width, options.height, rules, options.komi)
        self.game.accept_ko = options.accept_ko_violations
        self.control: TimeControl | None = None
        self.clocks: dict[int, Clock] = {}
        self._told: set[int] = set()
        self.recorder = Recorder(options.record, log) if options.record else None
        self._known: tuple[Hashable, Report[int]] | None = None
        self._ponder: _Ponder | None = None
        self._ponder_color = EMPTY
        self.follower = player if isinstance(player, GameFollower) else None

    def set_option(self, name: str, value: object) -> None:
        """Change an option while the session runs."""
        self.options = replace(self.options, **{name: value})  # type: ignore[arg-type]
        self.game.accept_ko = self.options.accept_ko_violations
        self._known = None
        self.stop_pondering(for_good=not self.options.ponder)
        self.player.configure(self.options)

    def close(self) -> None:
        """End what still runs."""
        self.stop_pondering()
        self.player.close()

    # ------------------------------------------------------------------ words

    def vertex(self, point: int) -> str:
        """The GTP name of a point."""
        return format_vertex(point, self.game.width, self.game.height)

    def vertices(self, points: Sequence[int]) -> str:
        """The GTP names of points, with blanks between."""
        return " ".join(self.vertex(point) for point in points)

    def open_stream(self, number: str) -> None:
        """Begin a reply whose lines come while the command runs: the status alone on its line."""
        self.streaming = True
        self.write(framing.status(True, number) + "\n")

    def forget(self) -> None:
        """What has been thought counts no more."""
        self._known = None
        self.stop_pondering()
        forget = getattr(self.player, "forget", None)
        if forget is not None:
            forget()

    def passes_on(self, name: str) -> bool:
        """Whether the player understands this command of analysis itself."""
        return isinstance(self.player, GtpSpeaker) and self.player.understands(name)

    # ------------------------------------------------------------------ the game

    def changed(self, generated: int = EMPTY) -> None:
        """The game has changed. ``generated`` is the colour that the engine has just moved for, EMPTY otherwise."""
        if self._ponder_color != EMPTY:
            self._ponder_color = self.game.to_move
        if self.options.plays_as_handicap:
            self._count_handicap_plays()
        if self.follower is not None:
            self.follower.follow(self.game)
        if self.recorder is not None:
            try:
                self.recorder.update(self.game, self.control, generated)
            except Exception:
                # The move has been made: a fault in the record must not make its reply an error.
                self.log.exception()

    def _count_handicap_plays(self) -> None:
        """Two or more stones of Black's before White's first move are handicap, where the user says so."""
        game = self.game
        if any(game.setup):
            return
        count = 0
        for color, point in game.moves:
            if color != BLACK or point == PASS:
                break
            count += 1
        game.handicap = count if count >= 2 else 0

    @property
    def board_is_empty(self) -> bool:
        """Whether no stone is on the board."""
        return not any(self.game.board.stones())

    def board_replaced(self) -> None:
        """Another board or set-up stands there, which is no continuation of what was."""
        self._ponder_color = EMPTY
        self._known = None
        if self.recorder is not None:
            self.recorder.cleared()
        self.changed()

    def replace_game(self, game: Game) -> None:
        """Go on with another game."""
        self.game = game
        self.board_replaced()

    def new_game(self) -> None:
        """The empty board, full clocks."""
        self.game.clear()
        self.restart_clocks()
        self._ponder_color = EMPTY
        self._known = None
        if self.recorder is not None:
            self.recorder.cleared()
        if self.follower is not None:
            self.follower.follow(self.game)

    # ------------------------------------------------------------------ clocks

    def set_time(self, control: TimeControl) -> None:
        """A new time control for both sides."""
        self.control = control
        self.restart_clocks()

    def restart_clocks(self) -> None:
        """Both clocks as at the beginning of a game."""
        self._told.clear()
        self.clocks = {} if self.control is None else {c: Clock(self.control) for c in (BLACK, WHITE)}

    def time_left(self, color: int, seconds: float, stones: int) -> None:
        """The controller says what is left. Where it never sent time settings, that is all there is to go by."""
        if self.control is None:
            self.clocks[color] = Clock(
                TimeControl.canadian(0, max(seconds, 0.01), stones) if stones else TimeControl.absolute(max(seconds, 0))
            )
        else:
            self.clocks[color].set_left(seconds, stones)
        self._told.add(color)

    def limits(self, color: int) -> Limits:
        """What a genmove may use."""
        options = self.options
        clock = self.clocks.get(color)
        if clock is not None and clock.control.kind != "none":
            return Limits(nodes=options.playouts, clock=clock.copy(), opponent_clock=self.clocks.get(opponent(color)))
        if options.playouts is not None:
            return Limits(nodes=options.playouts)
        return Limits(seconds=options.move_time or None)

    # ------------------------------------------------------------------ thinking

    def think(
        self,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        any_line: bool = False,
        cancellable: bool = False,
        cleanup: bool = False,
        fresh: bool = False,
        interval: float = 1.0,
        raw_command: RawAnalysisCommand | None = None,
        game: Game | None = None,
    ) -> tuple[Choice[int], Run]:
        """Let the player choose for a colour, in another ``game`` than the session's if one is given.

        With ``any_line`` it is stopped by whatever the client sends, and only so; with ``cancellable`` also so.
        ``cleanup``, ``fresh`` and ``interval`` are as in ``GoPlayer.choose``, ``raw_command`` as for ``GtpSpeaker``.
        """
        self.stop_pondering()
        player = self.player
        more = {} if raw_command is None else {"raw_command": raw_command}
        started: list[Run] = []  # stop may be called before there is one

        def stop() -> None:
            player.stop()
            if started and started[0].cut in ("quit", "end") and isinstance(player, GtpSpeaker):
                player.abort()

        with self.watch.running(stop, any_line or cancellable) as run:
            started.append(run)
            choice = player.choose(
                game or self.game, color, limits, report, cleanup=cleanup, fresh=fresh, interval=interval, **more
            )
            if any_line:
                run.wait_for_cut()
        if game is None and choice.report is not None and choice.report.candidates and not limits.restrictions:
            self._known = (self._question(color), choice.report)
        return choice, run

    def _question(self, color: int) -> Hashable:
        """What a report answers. A board's hash will not do: that of every empty board is 0."""
        return color, self.game.key

    def known(self, color: int) -> Report[int] | None:
        """What was thought last, if that was for this color and the game is still the same; else None."""
        if self._known is not None and self._known[0] == self._question(color):
            return self._known[1]
        return None

    def generate(
        self,
        color: int,
        report: Callable[[Report[int]], None] | None = None,
        *,
        play: bool = True,
        fresh: bool = False,
        cancellable: bool = False,
        cleanup: bool = False,
        restrictions: Sequence[Restriction] = (),
        interval: float = 1.0,
        raw_command: RawAnalysisCommand | None = None,
    ) -> tuple[str, Choice[int]]:
        """Choose a move, play it and charge the clock. Gives the answer to ``genmove``.

        Without ``play`` nothing is played or charged. With ``fresh`` what was thought before does not count, so that
        the answer can be repeated. With ``cancellable`` any line of input makes the answer "cancelled". With
        ``cleanup`` it does not pass before all dead stones of the opponent are taken off. Raises GtpError when the
        session's end cut it short and the user wants an error then.
        """
        begin = time.perf_counter()
        limits = replace(self.limits(color), restrictions=tuple(restrictions))
        live = None
        if self.options.live_graphics:
            live, interval = self._live(report, interval), min(interval, graphics.LIVE)
        choice, run = self.think(
            color,
            limits,
            live or report,
            cancellable=cancellable,
            cleanup=cleanup,
            fresh=fresh,
            interval=interval,
            raw_command=raw_command,
        )
        if cancellable and run.cut is not None:
            return "cancelled", choice
        if run.cut in ("quit", "end") and self.options.interrupted == "error" and not self.streaming:
            raise GtpError("interrupted")
        if self.options.tell_line and choice.report is not None:
            show(graphics.expected_line(choice.report, self.vertex))
        point = choice.move if choice.action in ("move", "draw") and choice.move is not None else PASS
        if choice.action != "resign" and not self.game.is_legal(color, point):
            self.log.note(f"the player chose {self.vertex(point)}, which is illegal; it passes")
            point = PASS
        if play:
            if color in self.clocks:
                lag = 0 if color in self._told else OWN_LAG
                self.clocks[color].spend(time.perf_counter() - begin + lag)
                self._told.discard(color)
            if choice.action == "resign":
                if self.recorder is not None:
                    self.recorder.result(self.game, f"{'W' if color == BLACK else 'B'}+R")
            else:
                self.game.play_as(color, point)
                self._ponder_color = opponent(color) if self.options.ponder else EMPTY
                self.changed(generated=color)
        return ("resign" if choice.action == "resign" else self.vertex(point)), choice

    def _live(self, report: Callable[[Report[int]], None] | None, interval: float) -> Callable[[Report[int]], None]:
        """Draw each report, and hand it on to whom it was meant for, not more often than that one wants."""
        due = time.monotonic() + interval

        def take(now: Report[int]) -> None:
            nonlocal due
            show(graphics.live(now, self.vertex))
            if report is not None and time.monotonic() >= due:
                due += interval
                report(now)

        return take

    # ------------------------------------------------------------------ pondering

    def start_pondering(self) -> None:
        """Think in the opponent's time, where that is wanted and the engine has just moved."""
        wanted = self._ponder_color != EMPTY and not self.finished
        if wanted and self._ponder is None and self.watch.idle:
            self._ponder = _Ponder(self.player, self.game, self._ponder_color, self.log)

    def stop_pondering(self, for_good: bool = False) -> None:
        """Stop, and wait until it has; ``for_good`` until the engine's next move."""
        if for_good:
            self._ponder_color = EMPTY
        if self._ponder is not None:
            self._ponder.stop()
            self._ponder = None

    # ------------------------------------------------------------------ dead stones

    def dead_stones(self) -> frozenset[int]:
        """The stones that the player judges dead, from the present position alone."""
        with self.watch.running(self.player.stop):
            return self.player.judge(self.game).dead


class _Ponder:
    """Thinking in the opponent's time, in a thread of its own."""

    def __init__(self, player: GoPlayer, game: Game, color: int, log: SessionLog) -> None:
        self._player = player
        self._log = log
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(game, color), name="ponder", daemon=True)
        self._thread.start()

    def _run(self, game: Game, color: int) -> None:
        try:
            self._player.choose(game, color, Limits(infinite=True), None)
        except PlayerError as error:
            self._log.note(f"no thinking in the opponent's time: {error}")
        except Exception:
            self._log.exception()
        finally:
            self._done.set()

    def stop(self) -> None:
        """Stop and wait."""
        while not self._done.is_set():
            self._player.stop()
            self._done.wait(0.005)
        self._thread.join()
