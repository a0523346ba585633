"""A game on a sensor board without any other program: ``qiqiao board``.

An ``Evening`` owns the referee's game. What hands do comes from the desk, what the opponent chooses from its own
thread, what is typed from the terminal; all of it goes through one queue and is dealt with in one thread, so that
the game changes in one place. Every change is in the record before the next thing happens.
"""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from engines.clock import Clock, TimeControl
from engines.player import Choice, Limits, Player
from protocols.log import complain
from protocols.sensor.desk import Desk
from protocols.sensor.numbered import next_path
from protocols.sensor.reading import Board, Hello
from protocols.sensor.tracker.core import Tracker
from protocols.sensor.tracker.events import (
    Agreed,
    Asked,
    Cleared,
    Event,
    Executed,
    Gesture,
    Marked,
    Moved,
    NewGame,
    Owed,
    Replaced,
    Ruled,
    SetUp,
    TakenBack,
    Trouble,
)

KEYS = {
    "pass": "pass",
    "resign": "resign",
    "draw": "draw",
    "undo": "undo",
    "new": "new",
    "score": "score",
    "yes": "yes",
    "y": "yes",
    "no": "no",
    "n": "no",
    "flip": "flip",
    "setup": "setup",
}
"""What may be typed for each key of a board."""

HELP = "pass, resign, draw, undo, new, score, yes, no, flip (turn the board round), setup [COLOUR to move], board, quit"

TICK = 0.5
"""Seconds between two looks at the clocks."""


class Evening(ABC):
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
        self._turn_began = self._looked = board.now()
        self.desk = Desk(board, self._make, self._hear, lambda text: self._news.put(("say", text)))
        self._restart_clocks()

    # ------------------------------------------------------------------ what a game must tell

    colors: tuple[int, int]

    @property
    @abstractmethod
    def plies(self) -> int:
        """Turns of the referee's game."""

    @abstractmethod
    def mover(self) -> int:
        """Whose turn it is."""

    @abstractmethod
    def game(self) -> Any:
        """The referee's game, for the tracker and the opponent."""

    @abstractmethod
    def make_tracker(self, hello: Hello) -> Tracker:
        """A tracker of the game for this board. Raises ValueError for one that does not fit."""

    @abstractmethod
    def play(self, color: int, move: int) -> None:
        """The referee's game gets a move that the tracker or the opponent vouches for. Raises ValueError."""

    @abstractmethod
    def play_choice(self, color: int, choice: Choice[int]) -> str:
        """The opponent's choice is played; gives it in words. A result is set where it ends the game."""

    @abstractmethod
    def cut(self, plies: int) -> None:
        """The referee's game goes back to so many plies."""

    @abstractmethod
    def clear(self) -> None:
        """A new game."""

    @abstractmethod
    def set_up(self, event: SetUp) -> None:
        """A new game from a position."""

    @abstractmethod
    def name_color(self, color: int) -> str:
        """A colour in words."""

    @abstractmethod
    def told(self, color: int, move: int) -> str:
        """A move in words, before or after it was played."""

    @abstractmethod
    def check_end(self) -> None:
        """Set the result, or begin the scoring, where the game has ended by its last move or in its first position.

        What needs the position on the board waits until that stands.
        """

    @abstractmethod
    def lost(self, color: int, why: str) -> str:
        """The result where a colour has lost: by "resign", "time" or "forfeit"."""

    @abstractmethod
    def moves(self) -> list[Any]:
        """The moves of the referee's game."""

    @abstractmethod
    def save(self, path: str) -> None:
        """Write the game as it is. Raises OSError, or ValueError with a text for the user."""

    @abstractmethod
    def offer_draw(self, color: int) -> None:
        """A colour offers a draw, where the game knows that."""

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
        self.desk.start()
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
            self.desk.close()
            if self.opponent is not None:
                self.opponent.close()

    def stop(self) -> None:
        """End; from any thread."""
        self._news.put(None)

    def _hear(self, event: Event) -> None:
        """The tracker says something; which one it was is kept with it: another game gets another tracker."""
        self._news.put(("heard", self.desk.tracker, event))

    def typed(self, line: str) -> None:
        """Something was typed; from any thread."""
        self._news.put(("typed", line.strip().lower()))

    def _deal_with(self, item: Any) -> None:
        if item[0] == "heard":
            if item[1] is self.desk.tracker:  # else it is about another game, or a board that is gone
                self._heard(item[2])
        elif item[0] == "say":
            self.say(item[1])
        elif item[0] == "typed":
            self._typed(item[1])
        elif item[0] == "chosen":
            self._chosen(*item[1:])

    def _typed(self, line: str) -> None:
        if line in KEYS:
            self._press(KEYS[line])
        elif line.startswith("setup ") and self._color_named(line.split()[-1]) is not None:
            self._press("setup", self._color_named(line.split()[-1]))
        elif line == "quit":
            self.stop()
        elif line in ("", "board"):
            pass
        else:
            self.say(HELP)

    def _press(self, key: str, mover: int | None = None) -> None:
        """A key of the board; ``mover`` is named with the set-up that it begins or ends."""

        def press(tracker: Tracker, now: float) -> Sequence[Event]:
            if mover is None:
                return tracker.press(key, now)
            tracker.setup_mover = mover
            events = tracker.press(key, now)
            tracker.setup_mover = mover  # a set-up begins without one
            return events

        if not self.desk.tell(press):
            self.say(f"board: {self.desk.problem}")

    def _color_named(self, word: str) -> int | None:
        """The colour of this name, in any of its forms."""
        names = {color: self.name_color(color).lower().replace("/", " ").split() for color in self.colors}
        return next((color for color in self.colors if word in names[color]), None)

    # ------------------------------------------------------------------ clocks

    def _restart_clocks(self) -> None:
        self.clocks = {} if self.control is None else {color: Clock(self.control) for color in self.colors}
        self._stood.clear()

    def running(self, color: int) -> float | None:
        """Seconds that a colour has left now, None without a clock."""
        clock = self.clocks.get(color)
        if clock is None:
            return None
        spent = self.desk.now() - self._turn_began if color == self.mover() and not self.result else 0.0
        return max(0.0, clock.left - spent)

    def _pause(self) -> None:
        """No time is charged while nothing can be played.

        That is while the board is away, a position is put up or the game is counted, and after the end.
        """
        now = self.desk.now()
        tracker = self.desk.tracker
        if self.result or self.desk.problem or not self.stands or (tracker is not None and tracker.counting):
            self._turn_began += now - self._looked
        elif self._held:
            self._held = False
            self._carry_on()
        self._looked = now

    @property
    def stands(self) -> bool:
        """Whether the game can be played on the board: its position is put up, and no other one is being set up."""
        tracker = self.desk.tracker
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
        trial.spend(max(0.0, self.desk.now() - self._turn_began))
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
        if self.result or self.mover() in self.humans or self.opponent is None:
            return
        tracker = self.desk.tracker
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
        self._charge(color, self.desk.now())
        if self.result:
            return
        words = self.play_choice(color, choice)
        self.write_record()
        self.say(f"{self.name_color(color)}: {words}")
        if not self.result:
            self.desk.tell(lambda tracker, now: tracker.follow(self.game(), now))
            self._carry_on()

    # ------------------------------------------------------------------ what hands do

    def _heard(self, event: Event) -> None:
        if isinstance(event, Moved):
            self._moved(event)
        elif isinstance(event, Replaced):
            self._replaced(event)
        elif isinstance(event, TakenBack):
            self._taken_back(event)
        elif isinstance(event, NewGame):
            self._new_game(event)
        elif isinstance(event, SetUp):
            self._stop_thinking()
            self.set_up(event)
            self._begin(f"a game from this position: {self.name_color(self.mover())} to move")
        elif isinstance(event, Gesture):
            self._gesture(event)
        elif isinstance(event, Ruled):
            self.say(f"referee (裁判): {self.name_color(event.color)}: {event.text} [{event.article}]")
            if event.loser is not None and not self.result:
                self._end(self.lost(event.loser, "forfeit"))
        elif isinstance(event, Trouble):
            ways = "; or: ".join(way.text for way in event.ways[:2])
            self.say(f"board: {event.text}" + (f" ({ways})" if ways else ""))
        elif isinstance(event, Asked):
            self.say(f"{event.text}")
        elif isinstance(event, Cleared):
            self.say("board: all is right again")
        elif isinstance(event, Owed) and event.points:
            self.say("captured stones are still on the board")
        elif isinstance(event, Agreed):
            self.agreed(event.dead)
        elif isinstance(event, (Marked, Executed)):
            pass

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

        self.desk.tell(insist)

    def _gesture(self, event: Gesture) -> None:
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
        self.desk.tell(lambda tracker, now: tracker.follow(self.game(), now))
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
        self._turn_began = self._looked = self.desk.now()
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
        self._turn_began = self._looked = self.desk.now()
        self.write_record()
        self.desk.renew()
        self.say(words)
        self._carry_on()

    def _end(self, result: str) -> None:
        """The game is over."""
        self.result = result
        self._stop_thinking()
        self.desk.tell(lambda tracker, now: tracker.end(now))
        self.write_record()
        self.say(f"the game is over: {result}")

    # ------------------------------------------------------------------ words

    def status(self) -> str:
        """What is waited for."""
        tracker = self.desk.tracker
        if tracker is not None and tracker.setting_up and not self.desk.problem:
            return "waiting for a position to be set up: setup ends that, no leaves it"
        if self.result:
            return f"over: {self.result}"
        if tracker is None or self.desk.problem:
            return self.desk.problem
        if tracker.trouble is not None:
            return tracker.trouble.text
        if tracker.guiding:
            return "waiting for the position on the board"
        if tracker.asked is not None:
            return tracker.asked.text
        if tracker.counting:
            return "counting: lift a stone of each dead chain, then confirm twice (the key yes, or type yes)"
        if tracker.done < tracker.plies:
            return "make the move that is shown on the board"
        mover = self.name_color(self.mover())
        return f"{mover} to move" if self.mover() in self.humans else f"{mover} is thinking"
