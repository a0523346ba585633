"""Jieqi and fanqi in the UCI and UCCI server: what ``position``, ``go`` and ``layout`` mean once a variant is chosen.

All that is known here is what the client tells, which is what one side may know: a ``View``. What shows is never made
up: a first move without its letter is an error, and the position is refused.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines.jieqi.board import Board, start_points
from engines.jieqi.deal import layout_order, read_layout
from engines.jieqi.diagram import terminal
from engines.jieqi.ends import Rules
from engines.jieqi.forms import HOME, form_of
from engines.jieqi.search.player import SearchPlayer, Settings
from engines.jieqi.view import Model, View
from engines.player import Choice, Limits, Report, Restriction
from protocols.xiangqi.position import PositionError, shorten
from protocols.xiangqi.session import Run

if TYPE_CHECKING:
    from protocols.xiangqi.go_command import Request
    from protocols.xiangqi.session import Session

_MOVES = re.compile(r"\s+moves(?:\s+|$)")

SMALLEST_STEP = 0.01
"""Seconds that a choice gets at least after a ponder hit."""


class Variant:
    """The game of a session that plays jieqi or fanqi. Settings of the session's player that have a meaning here are
    read when a search begins."""

    def __init__(self, session: Session, form: str) -> None:
        """A new game of a form. ``MemoryError`` where there is none for the hash table."""
        self.session = session
        self.form = form
        self.layout = ""
        self.unread: str | None = None
        self.banned: set[int] = set()
        self.player = SearchPlayer(self._settings())
        self._warm_size = self.player.settings.hash
        self.view: View = View.start(0, self.rules)

    @property
    def rules(self) -> Rules:
        """What the game is played by, as the options say."""
        session = self.session
        return Rules(self.form, session.capture_view, "" if session.jieqi_limit is None else str(session.jieqi_limit))

    def _settings(self) -> Settings:
        settings = self.session.player.settings
        return Settings(
            settings.hash, settings.level, settings.move_time, settings.overhead, settings.resign, settings.seed
        )

    # -- the position

    def position(self, text: str) -> None:
        """Take what follows ``position``. ``PositionError`` for a position that can't be read or played: then there is
        none, and nothing is guessed."""
        try:
            self.view = self._read(text.strip(" "))
        except ValueError as error:
            self.unread = "".join(letter if letter.isprintable() else "?" for letter in str(error))[:300]
            raise PositionError(self.unread) from None
        self.unread = None
        self.banned.clear()

    def _read(self, text: str) -> Model:
        said = _MOVES.split(text, maxsplit=1)
        setup, moves = said[0], said[1].split() if len(said) > 1 else []
        rules = self.rules
        if setup.split()[:1] == ["fen"]:
            setup = setup[3:].removeprefix(" ")  # blanks count: a bag of JieqiAI's may be empty
        if not setup.strip():
            raise ValueError("position needs startpos or fen")
        if setup.split()[0].lower() == "startpos":
            if len(setup.split()) > 1:
                raise ValueError(f"startpos is followed by moves, not {shorten(setup.split()[1])}")
            model = self._start(len(moves) & 1, rules).model()
        else:
            side = View.read(setup, None, rules).turn ^ len(moves) & 1
            model = View.read(setup, side, rules).model()
        for move in moves:
            try:
                model.play(move)
            except ValueError as error:
                raise ValueError(f"{shorten(move)}: {error}" if move not in str(error) else str(error)) from None
        return model

    def _start(self, side: int, rules: Rules) -> View:
        table = form_of(self.form)
        if not self.layout or table.layout != "free":
            return View.start(side, rules)
        own = read_layout(table, side, self.layout)
        pool = Counter(HOME[square] + 8 * (side ^ 1) for square in table.points(side ^ 1))
        return View(Board(self.form, start_points(self.form, own)), side, rules, pool, Counter())

    def new_game(self) -> None:
        """A new game begins."""
        self.player.new_game()
        self.layout, self.unread = "", None
        self.view = View.start(0, self.rules)

    # -- laying

    def set_layout(self, text: str) -> None:
        """The side's own layout, "" or ``auto`` for none yet. ``ValueError`` for one that can't be laid."""
        if text.lower() in ("", "auto", "<empty>"):
            self.layout = ""
            return
        if form_of(self.form).layout != "free":
            raise ValueError(f"nothing is laid in {self.form}")
        read_layout(form_of(self.form), 0, text)
        self.layout = text.upper()

    def lay(self, words: Sequence[str]) -> str:
        """The answer to ``layout red|black``: ``layout RNN…``, the side's own pieces in the order of its points."""
        sides = {"red": 0, "w": 0, "black": 1, "b": 1}
        if len(words) != 1 or words[0].lower() not in sides:
            return self.session.dialect.message("layout needs a side, red or black")
        if form_of(self.form).layout != "free":
            return self.session.dialect.message(f"nothing is laid in {self.form}")
        letters = self.layout or self.player.lay(self.form)
        self.layout = letters
        assert len(letters) == len(layout_order(form_of(self.form), sides[words[0].lower()]))
        return f"layout {letters if sides[words[0].lower()] == 0 else letters.lower()}\n"

    # -- searching

    def go(self, request: Request) -> None:
        """Start to think; the answer comes from another thread."""
        session = self.session
        view = self.view
        wanted = self._settings()
        if wanted.hash != self._warm_size:
            self.player.resize(wanted.hash)
            self._warm_size = wanted.hash
        wanted.resign = session.resign if request.timed and session.dialect.name == "ucci" else 0
        self.player.settings = wanted
        limits = request.limits(view.turn)
        restrictions = []
        if request.moves:
            named = set()
            for text in request.moves:
                try:
                    named.add(view.read_move(text))
                except ValueError as error:
                    session.tell(f"searchmoves: {error}")
            restrictions.append(Restriction(view.turn, frozenset(named), allow=True))
        if self.banned:
            restrictions.append(Restriction(view.turn, frozenset(self.banned)))
        infinite = limits.infinite or request.ponder
        limits = Limits(
            limits.seconds,
            limits.nodes,
            limits.depth,
            None,
            limits.clock,
            limits.opponent_clock,
            infinite=infinite,
            restrictions=tuple(restrictions),
        )
        run = Run(infinite, request)
        run.interrupt = self.player.stop
        self.player.begin()
        session.start_run(run, self._think, run, view, limits)

    def ponder_hit(self) -> None:
        """The expected move was played: what the clock allows is left to think."""
        run = self.session.run
        if run is None or not run.pondering or run.request is None:
            return
        run.request.ponder = run.pondering = run.endless = False
        limits = run.request.limits(self.view.turn)
        if limits.infinite:
            run.endless = True
            return
        seconds = limits.seconds
        plan = limits.clock.plan(25, self.player.settings.overhead) if limits.clock is not None else None
        if plan is not None:
            seconds = min(plan.target, seconds or plan.target)
        timer = threading.Timer(max(SMALLEST_STEP, seconds or SMALLEST_STEP), self.player.stop)
        timer.daemon = True
        timer.start()

    def _think(self, run: Run, view: View, limits: Limits) -> None:
        session = self.session
        last: list[Report[int]] = []

        def take(report: Report[int]) -> None:
            if session.terse:
                last[:] = [report]
            else:
                session.write(self._line(view, report))

        try:
            choice = self.player.choose(view, view.turn, limits, take)
        except Exception:
            session.log.exception()
            session.tell("internal error")
            legal = view.legal_moves()
            choice = Choice("move", legal[0]) if legal else Choice("none")
        text = "".join(self._line(view, report) for report in last)
        session.answer(text + self._answer(view, choice))
        run.done.set()

    def _line(self, view: View, report: Report[int]) -> str:
        dialect = self.session.dialect
        rate = int(report.nodes / max(report.seconds, 0.001))
        best = report.candidates[0]
        pv = " ".join([view.move_text(best.move), *(view.move_text(move) for move in best.line[1:])])
        if dialect.name == "ucci":
            score = f"score {dialect.score(int(best.score or 0))} time {int(report.seconds * 1000)}"
            return f"info depth {report.depth} {score} nodes {report.nodes} nps {rate} pv {pv}\n"
        score = f"mate {best.mate}" if best.mate is not None else f"cp {int(best.score or 0)}"
        return (
            f"info depth {report.depth} seldepth {report.seldepth} multipv 1 score {score} nodes {report.nodes} "
            f"nps {rate} hashfull {report.hashfull} time {int(report.seconds * 1000)} pv {pv}\n"
        )

    def _answer(self, view: View, choice: Choice[int]) -> str:
        ucci = self.session.dialect.name == "ucci"
        if choice.move is None:
            return "nobestmove\n" if ucci else "bestmove (none)\n"
        text = f"bestmove {view.move_text(choice.move)}"
        if choice.action == "resign" and ucci:
            return text + " resign\n"
        if choice.ponder is not None and not self._shows(view, choice.move, choice.ponder):
            text += f" ponder {view.move_text(choice.ponder)}"
        return text + "\n"

    @staticmethod
    def _shows(view: View, move: int, reply: int) -> bool:
        """Whether a move or the answer to it shows something, so that nobody can name the position after them."""
        board = view.board
        squares = (move >> 7 & 127, move & 127, reply >> 7 & 127, reply & 127)
        return any(board.is_dark(square) for square in squares) or bool((move | reply) & 1 << 14)

    def decline(self, request: Request) -> None:
        """Answer a ``go`` for which there is no position."""
        run = Run(request.ponder or request.limits(0).infinite, request)
        self.session.start_run(run, self._decline, run)

    def _decline(self, run: Run) -> None:
        if run.endless:
            run.released.wait()
        self.session.answer(
            self.session.dialect.message(f"no move: {self.unread}") + self._answer(self.view, Choice("none"))
        )
        run.done.set()

    def perft(self, depth: int) -> str:
        """Leaves, each piece that may turn up counted, as a spectator counts."""
        pool = dict(self.view.position().pool)
        return f"\nNodes searched: {self.view.board.perft_public(max(0, min(depth, 4)), pool)}\n\n"

    def diagram(self) -> str:
        """The position as the client's side knows it."""
        text = terminal(self.view) + f"Fen: {self.view.setup_text()}\n"
        if self.unread is not None:
            text += self.session.dialect.message(f"since then a position was refused: {self.unread}")
        return text

    def close(self) -> None:
        """End what runs."""
        self.player.close()
