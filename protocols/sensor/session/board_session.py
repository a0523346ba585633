"""A game on a sensor board without any other program: ``qiqiao board``.

A ``BoardSession`` owns the referee's game. What hands do comes from the controller, what the opponent chooses from its
own thread, what is typed from the terminal; all of it goes through one queue and is dealt with in one thread, so that
the game changes in one place. Every change is in the record before the next thing happens.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

from engines.clock import Clock, TimeControl
from engines.player import Choice, Limits, Player
from protocols.log import complain
from protocols.sensor.reading import HINT, Board, Hello
from protocols.sensor.session.controller import BoardController
from protocols.sensor.session.numbered import next_path
from protocols.sensor.session.session_game import SessionGame
from protocols.sensor.session.typed import HELP, KEYS, meaning
from protocols.sensor.tracker.events import (
    Agreed,
    Asked,
    Cleared,
    Discrepancy,
    Event,
    Gesture,
    Moved,
    NewGame,
    PendingRemovals,
    Replaced,
    Ruled,
    Sensor,
    SetUp,
    TakenBack,
)
from protocols.sensor.tracker.tracker import Tracker

HINT_TIME = 2.0
"""Seconds at most that a hint is thought about."""

TICK = 0.5
"""Seconds between two looks at the clocks."""


class BoardSession(SessionGame):
    """One game after another at a board.

    ``say`` gets lines about what happens, ``show`` is called whenever board, clocks or what is waited for changed;
    ``status`` tells these in words.
    """

    def __init__(
        self,
        path: str,
        board: Board,
        opponent: Player[int] | None,
        humans: frozenset[int],
        control: TimeControl | None,
        move_time: float,
        say: Callable[[str], None],
        show: Callable[[], None],
    ) -> None:
        """``path``: the record file, empty for none; each further game gets another beside it. ``opponent``
        plays the colours not in ``humans``, one a game; None when both sides sit at the board.
        """
        self._path = path
        self.opponent = opponent
        self.humans = humans
        self.control = control
        self.move_time = move_time
        self.say = say
        self.show = show
        self.result = ""
        """How the game has ended, in the record's words; empty while it goes on."""
        self.resumed = False
        """Whether the game was in the record file before."""
        self._written: object = None
        self.clocks: dict[int, Clock] = {}
        self._stood: dict[int, dict[int, Clock]] = {}
        """The clocks as they stood after so many plies, before the next move was charged."""
        self._news: queue.Queue[Any] = queue.Queue()
        self._thinking = 0
        self._held = False
        self._thinker: threading.Thread | None = None
        self._adviser: Any = None
        self._hinted = False
        self._turn_began = self._looked = board.now()
        tell = lambda text: self._news.put(("say", text))  # noqa: E731
        self.controller = BoardController(board, self._make, self._hear, tell, ignored=self._left_out)
        self._restart_clocks()

    # ------------------------------------------------------------------ the record and the opponent

    def ask_opponent(self, game: Any, color: int, limits: Limits) -> Choice[int]:
        """The opponent's choice in a game that is its own copy. Blocks; runs in a thread of its own."""
        assert self.opponent is not None
        return self.opponent.choose(game, color, limits)

    # ------------------------------------------------------------------ running

    def _make(self, hello: Hello) -> Tracker:
        tracker = self.make_tracker(hello)
        # The position to go on from may still have to be put up.
        tracker.guide_until_right()
        tracker.over = bool(self.result)
        return tracker

    def write_record(self) -> None:
        """The record file gets the game as it is, where it does not have it yet."""
        state = (self.moves(), self.result)
        if not self._path or state == self._written:
            return
        try:
            self.save(self._path)
            self._written = state
        except OSError as error:
            complain(f"qiqiao board: cannot write {self._path}: {error.strerror}")
        except ValueError as error:
            complain(f"qiqiao board: {error}")

    def run(self) -> None:
        """Play until ``stop``."""
        if self.resumed:
            self._written = (self.moves(), self.result)
        self.write_record()
        self.controller.start()
        self._carry_on()
        try:
            while True:
                try:
                    item = self._news.get(timeout=TICK)
                except queue.Empty:
                    self._pause()
                    self._look_at_clocks()
                    self.show()
                    continue
                self._pause()
                if item is None:
                    return
                self._deal_with(item)
                self.show()
        finally:
            self._stop_thinking()
            self.write_record()
            self.controller.close()
            for player in (self.opponent, self._adviser):
                if player is not None:
                    player.close()

    def stop(self) -> None:
        """End; from any thread."""
        self._news.put(None)

    def _hear(self, event: Event) -> None:
        """The tracker says something; which one it was is kept with it: another game gets another tracker."""
        self._news.put(("heard", self.controller.tracker, event))

    def typed(self, line: str) -> None:
        """Something was typed; from any thread."""
        self._news.put(("typed", line.strip()))

    def _deal_with(self, item: Any) -> None:
        """One thing out of the queue: its kind, and what comes with it."""
        kind, *more = item
        _NEWS[kind](self, *more)

    def _heard_from(self, tracker: Tracker, event: Event) -> None:
        if tracker is self.controller.tracker:  # else it is about another game, or a board that is gone
            self._heard(event)

    def _typed(self, line: str) -> None:
        word, more = meaning(line)
        if word in KEYS and not more:
            self._press(word)
        elif word == "setup" and len(more) == 1 and self._color_named(more[0]) is not None:
            self._press("setup", self._color_named(more[0]))
        elif word == "quit":
            self.stop()
        elif word == "board":
            pass
        elif word in ("ignore", "heed"):
            self._leave_out(more, word == "ignore")
        elif not word and any(sign.isdigit() or not sign.isascii() for sign in line):
            self._enter(line)
        else:
            self.say(HELP)

    def _enter(self, line: str) -> None:
        """A move was typed."""
        try:
            move = self.read_move(line)
            if not self.controller.tell(lambda tracker, now: tracker.enter(move, now)):
                self.say(f"board: {self.controller.problem}")
        except ValueError as error:
            self.say(f"{line}: {error}")

    def _leave_out(self, names: list[str], on: bool) -> None:
        """Sensors are to be left out, or heeded again."""
        if names[-1:] == ["off"]:
            names, on = names[:-1], False
        try:
            left = self.controller.ignore(names, on)
        except ValueError as error:
            self.say(str(error))
            return
        if not names:
            self.say(f"left out: {', '.join(left) or 'nothing'}")

    def _press(self, key: str, mover: int | None = None) -> None:
        """A key of the board; ``mover`` is named with the set-up that it begins or ends."""

        def press(tracker: Tracker, now: float) -> Sequence[Event]:
            if mover is None:
                return tracker.press(key, now)
            tracker.setup_mover = mover
            events = tracker.press(key, now)
            tracker.setup_mover = mover  # a set-up begins without one
            return events

        if not self.controller.tell(press):
            self.say(f"board: {self.controller.problem}")

    def _color_named(self, word: str) -> int | None:
        """The colour of this name, in any of its forms."""
        names = {color: self.name_color(color).lower().replace("/", " ").split() for color in self.colors}
        return next((color for color in self.colors if word.lower().rstrip("方") in names[color]), None)

    # ------------------------------------------------------------------ clocks

    def _restart_clocks(self) -> None:
        self.clocks = {} if self.control is None else {color: Clock(self.control) for color in self.colors}
        self._stood.clear()

    def running(self, color: int) -> float | None:
        """Seconds that a colour has left now, None without a clock."""
        clock = self.clocks.get(color)
        if clock is None:
            return None
        spent = self.controller.now() - self._turn_began if color == self.mover() and not self.result else 0.0
        return max(0.0, clock.left - spent)

    def _pause(self) -> None:
        """No time is charged while nothing can be played.

        That is while the board is away, a position is put up or the game is counted, and after the end.
        """
        now = self.controller.now()
        tracker = self.controller.tracker
        if self.result or self.controller.problem or not self.stands or (tracker is not None and tracker.counting):
            self._turn_began += now - self._looked
        elif self._held:
            self._held = False
            self._carry_on()
        self._looked = now

    @property
    def stands(self) -> bool:
        """Whether the game can be played on the board: its position is put up, and no other one is being set up."""
        tracker = self.controller.tracker
        return tracker is not None and not tracker.guiding and not tracker.setting_up

    def _charge(self, color: int, at: float) -> None:
        """A move of this colour was done at this time."""
        self._stood[self.plies] = {each: other.copy() for each, other in self.clocks.items()}
        clock = self.clocks.get(color)
        if clock is not None:
            clock.spend(max(0.0, at - self._turn_began))
            if clock.expired and not self.result:
                self._end(self.lost(color, "time"))
        self._turn_began = max(self._turn_began, at)

    def _look_at_clocks(self) -> None:
        clock = self.clocks.get(self.mover())
        if clock is None or self.result:
            return
        trial = clock.copy()
        trial.spend(max(0.0, self.controller.now() - self._turn_began))
        if trial.expired and self.mover() in self.humans:
            self._end(self.lost(self.mover(), "time"))

    # ------------------------------------------------------------------ the opponent

    def _carry_on(self) -> None:
        """The game, as it stands now, may have ended; else whoever is to move may do so."""
        if not self.result:
            self.check_end()
        self._next()

    def _next(self) -> None:
        """Whoever is to move may do so."""
        if self._hinted:
            self._hinted = False
            self.controller.led(None)
        if self.result or self.mover() in self.humans or self.opponent is None:
            return
        tracker = self.controller.tracker
        if tracker is not None and tracker.counting:
            return
        if not self.stands:
            self._held = True  # the game begins, or goes on, when the position stands
            return
        self._thinking += 1
        number, color, game = self._thinking, self.mover(), self.game()
        clock = self.clocks.get(color)
        limits = Limits(seconds=self.move_time) if clock is None else Limits(clock=clock.copy())

        def think() -> None:
            try:
                choice = self.ask_opponent(game, color, limits)
            except Exception as error:
                self._news.put(("say", f"the opponent failed: {error}"))
                choice = Choice("resign")
            self._news.put(("chosen", number, color, choice))

        self._thinker = threading.Thread(target=think, name="opponent", daemon=True)
        self._thinker.start()

    def _stop_thinking(self) -> None:
        """What the opponent thinks about is no longer so."""
        self._held = False
        self._thinking += 1
        thinker, self._thinker = self._thinker, None
        while thinker is not None and thinker.is_alive():
            if self.opponent is not None:
                self.opponent.stop()
            thinker.join(0.02)

    def _chosen(self, number: int, color: int, choice: Choice[int]) -> None:
        if number != self._thinking or self.result:
            return
        self._charge(color, self.controller.now())
        if self.result:
            return
        words = self.play_choice(color, choice)
        self.write_record()
        self.say(f"{self.name_color(color)}: {words}")
        if not self.result:
            self.controller.tell(lambda tracker, now: tracker.follow(self.game(), now))
            self._carry_on()

    # ------------------------------------------------------------------ what hands do

    def _heard(self, event: Event) -> None:
        """What the tracker says is answered by ``_ANSWERS``; kinds that are not there need no answer."""
        answer = _ANSWERS.get(type(event))
        if answer is not None:
            answer(self, event)

    def _set_up(self, event: SetUp) -> None:
        self._stop_thinking()
        self.set_up(event)
        self._begin(f"a game from this position: {self.name_color(self.mover())} to move")

    def _ruled(self, event: Ruled) -> None:
        self.say(f"referee (裁判): {self.name_color(event.color)}: {event.text} [{event.article}]")
        if event.loser is not None and not self.result:
            self._end(self.lost(event.loser, "forfeit"))

    def _wrong(self, event: Discrepancy) -> None:
        remedies = "; or: ".join(remedy.text for remedy in event.remedies[:2])
        self.say(f"board: {event.text}" + (f" ({remedies})" if remedies else ""))

    def _pending(self, event: PendingRemovals) -> None:
        if event.points:
            self.say("captured stones are still on the board")

    def agreed(self, dead: frozenset[int]) -> None:
        """The dead stones are agreed, in a game that has them."""
        self.say(f"{len(dead)} dead stones agreed")

    def _moved(self, event: Moved) -> None:
        if event.ply == self.plies and not self.result:
            self._charge(event.color, event.at)
        if event.ply != self.plies or not self._plays(event.color, event.move):
            self._insist()
            return
        self.write_record()  # before a word of it: what was told is never lost
        self.say(f"{self.name_color(event.color)}: {self.told(event.color, event.move)}")
        self._carry_on()

    def _replaced(self, event: Replaced) -> None:
        if self.result or event.ply >= self.plies:
            self._insist()
            return
        self._stop_thinking()
        self.cut(event.ply)
        if not self._plays(event.color, event.move):
            self._insist()
            return
        self.write_record()
        self.say(f"{self.name_color(event.color)} thinks again: {self.told(event.color, event.move)}")
        self._carry_on()

    def _taken_back(self, event: TakenBack) -> None:
        if event.plies >= self.plies:
            self._insist()
            return
        self._go_back(event.plies)
        self.say(f"taken back (悔棋): move {event.plies + 1} is to be made again")
        self._next()

    def _plays(self, color: int, move: int) -> bool:
        """A move made on the board is played, unless the game has ended or gone another way since."""
        if self.result:
            return False
        try:
            self.play(color, move)
        except ValueError:
            return False
        return True

    def _insist(self) -> None:
        """What was done on the board came too late for the referee's game: the tracker gets that one again."""

        def insist(tracker: Tracker, now: float) -> Sequence[Event]:
            events = tracker.follow(self.game(), now)
            return [*events, *tracker.end(now)] if self.result else events

        self.controller.tell(insist)

    def _hint(self) -> None:
        """Somebody at the board wants a hint: the built-in search gives one."""
        tracker, color = self.controller.tracker, self.mover()
        if tracker is not None and tracker.arbiter.strict:
            self.say("hint: not under the strict referee")
            return
        if self.result or color not in self.humans or not self.stands or (tracker is not None and tracker.counting):
            self.say("hint: nobody at the board is to move")
            return
        if self._adviser is None:
            self._adviser = self.adviser()
        adviser, game, plies = self._adviser, self.game(), self.plies

        def advise() -> None:
            try:
                choice = adviser.choose(game, color, Limits(seconds=min(self.move_time, HINT_TIME)))
            except Exception as error:
                self._news.put(("say", f"no hint: {error}"))
                return
            self._news.put(("hinted", plies, color, choice))

        threading.Thread(target=advise, name="adviser", daemon=True).start()

    def _tell_hint(self, plies: int, color: int, choice: Choice[int]) -> None:
        if plies != self.plies or self.result:
            return  # a move was made meanwhile
        tracker, move = self.controller.tracker, choice.move
        if choice.action != "move" or move is None:
            self.say(f"hint: {choice.action}")
            return
        self.say(f"hint (提示): {self.told(color, move)}")
        if tracker is not None:
            self._hinted = True
            for point in self.points_of(move):
                self.controller.led((tracker.outside(point), HINT))

    def _gesture(self, event: Gesture) -> None:
        if event.what == "menu":
            self.say(f"{HELP}. {self.status()}")
            return
        if event.what == "hint":
            self._hint()
            return
        if self.result and event.what != "undo":
            return  # the result stands
        if event.what == "resign":
            self._stop_thinking()
            self._end(self.lost(event.color, "resign"))
        elif event.what == "draw":
            self.offer_draw(event.color)
        elif event.what == "undo":
            self._undo()
        elif event.what == "score":
            self.check_end()

    def _undo(self) -> None:
        """Back to the last time a person was to move; the board shows how."""
        plies = self.plies - 1
        while plies > 0 and not self._was_human(plies):
            plies -= 1
        if plies < 0:
            return
        self._go_back(plies)
        self.controller.tell(lambda tracker, now: tracker.follow(self.game(), now))
        self._next()

    def _go_back(self, plies: int) -> None:
        """The game goes on after so many plies, with the clocks as they stood then, and its turn begins now."""
        self._stop_thinking()
        self.cut(plies)
        self.result = ""
        known = [ply for ply in self._stood if ply >= plies]
        if known:  # of moves made in another sitting no clock is known: those of its beginning are the nearest
            self.clocks = {color: clock.copy() for color, clock in self._stood[min(known)].items()}
            for ply in known:
                del self._stood[ply]
        self._turn_began = self._looked = self.controller.now()
        self.write_record()

    def _was_human(self, plies: int) -> bool:
        first, second = self.colors
        mover = self.mover()
        other = second if mover == first else first
        return (mover if (self.plies - plies) % 2 == 0 else other) in self.humans

    def _new_game(self, event: NewGame) -> None:
        if not self.result and not event.confirmed:
            self.say("a new game? press or type new, twice; or put the position back")
            return
        self._stop_thinking()
        self.clear()
        self._begin("a new game")

    def _begin(self, words: str) -> None:
        """Another game, told in these words: what is in the record file stays there."""
        if self._path:
            self._path = next_path(self._path)
        self.resumed, self._written = False, None
        self.result = ""
        self._restart_clocks()
        self._turn_began = self._looked = self.controller.now()
        self.write_record()
        self.controller.renew()
        self.say(words)
        self._carry_on()

    def _end(self, result: str) -> None:
        """The game is over."""
        self.result = result
        self._stop_thinking()
        self.controller.tell(lambda tracker, now: tracker.end(now))
        self.write_record()
        self.say(f"the game is over: {result}")

    # ------------------------------------------------------------------ words

    def status(self) -> str:
        """What is waited for."""
        tracker = self.controller.tracker
        if tracker is not None and tracker.setting_up and not self.controller.problem:
            return "waiting for a position to be set up: setup ends that, no leaves it"
        if self.result:
            return f"over: {self.result}"
        if tracker is None or self.controller.problem:
            return self.controller.problem
        if tracker.discrepancy is not None:
            return tracker.discrepancy.text
        if tracker.guiding:
            return "waiting for the position on the board"
        if tracker.asked is not None:
            return tracker.asked.text
        if tracker.counting:
            return "counting: lift a stone of each dead chain, then confirm twice (the key yes, or type yes)"
        with self.controller.lock:
            if tracker.executed < tracker.plies:
                return f"make the move {tracker.rules.told(tracker.executed)}: it is shown on the board"
        mover = self.name_color(self.mover())
        return f"{mover} to move" if self.mover() in self.humans else f"{mover} is thinking"


_ANSWERS: dict[type[Event], Callable[[BoardSession, Any], None]] = {
    Moved: BoardSession._moved,
    Replaced: BoardSession._replaced,
    TakenBack: BoardSession._taken_back,
    NewGame: BoardSession._new_game,
    SetUp: BoardSession._set_up,
    Gesture: BoardSession._gesture,
    Ruled: BoardSession._ruled,
    Discrepancy: BoardSession._wrong,
    Sensor: lambda session, event: session.say(f"board: {event.text}"),
    Asked: lambda session, event: session.say(event.text),
    Cleared: lambda session, event: session.say("board: all is right again"),
    PendingRemovals: BoardSession._pending,
    Agreed: lambda session, event: session.agreed(event.dead),
}
"""What a session does about each kind of event."""

_NEWS: dict[str, Callable[..., None]] = {
    "heard": BoardSession._heard_from,
    "say": lambda session, text: session.say(text),
    "typed": BoardSession._typed,
    "chosen": BoardSession._chosen,
    "hinted": BoardSession._tell_hint,
}
"""What comes through a session's queue, by kind."""
