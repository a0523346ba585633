"""What people at a board wish: gestures and keys, the questions about them, moves that are typed, positions set up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection

from protocols.sensor.tracker.events import (
    Asked,
    Dropped,
    Event,
    Gesture,
    Moved,
    NewGame,
    SetUp,
    Trouble,
)
from protocols.sensor.tracker.sensors import SensorWatch


class Wishes(SensorWatch):
    """Wishes, whatever the game; the tracker's own state that they depend on is declared here."""

    setup_mover: int | None = None
    humans: frozenset[int]
    awaiting: bool
    over: bool
    trouble: Trouble | None
    _guiding: bool
    _setting_up: bool
    _asked: Asked | None
    _armed: bool
    _gestured: frozenset[int]
    _unseen: int | None = None
    _suspects: tuple[int, ...] = ()

    @property
    @abstractmethod
    def plies(self) -> int:
        """Turns of the game since its set-up."""

    @abstractmethod
    def shot(self, ply: int) -> str:
        """What the board should show after so many plies."""

    @abstractmethod
    def mover(self, ply: int) -> int:
        """Whose turn it is after so many plies."""

    @abstractmethod
    def _enter(self, move: int) -> str:
        """Play a move for the colour to move that nobody has seen; gives why it can't be, or nothing."""

    @abstractmethod
    def _unseen_moves(self) -> list[int]:
        """The moves for the colour to move that, with what is not read, may stand on the board as it is."""

    @abstractmethod
    def told_move(self, move: int) -> str:
        """A move of the colour to move in words."""

    @abstractmethod
    def _read_setup(self, firm: str) -> SetUp | str:
        """The position that stands on the board, or why it is none."""

    @property
    @abstractmethod
    def counting(self) -> bool:
        """Whether the game has ended and is being counted on the board."""

    # ------------------------------------------------------------------ questions, gestures and keys

    def _ask(self, what: str, color: int, at: float, text: str) -> list[Event]:
        """Something that must be said twice was said."""
        asked = self._asked
        if asked is not None and (asked.what, asked.color) == (what, color):
            return self.confirm(at)
        self._asked = Asked(at, what, color, text)
        return [self._asked]

    def _gesture(self, what: str, color: int, at: float, text: str, points: Collection[int]) -> list[Event]:
        """A gesture is on the board; it counts once until the board was right again.

        One that goes on from another (the second general to the river) is what was meant.
        """
        if not self._armed and not self._gestured < frozenset(points):
            return []
        again = self._armed
        self._armed = False
        self._gestured = frozenset(points)
        self._replan()
        if not again:
            self._asked = None
        return self._ask(what, color, at, text)

    def confirm(self, at: float) -> list[Event]:
        """Yes to what was asked; nothing where nothing is."""
        asked, self._asked = self._asked, None
        if asked is None:
            return []
        self._replan()
        if asked.what == "new":
            return [NewGame(at, True)]
        if asked.what == "flip":
            # Nothing that stands there counts before it is the position, seen from the other side.
            self._guiding = not self.over
            return self.turn_round(at)
        if asked.what == "ignore":
            points, self._suspects = self._suspects, ()
            return self.ignore(points, at)
        if asked.what == "move":
            return self.enter(self._unseen, at) if self._unseen is not None else []
        return self._confirmed(asked.what, asked.color, at)

    def _confirmed(self, what: str, color: int, at: float) -> list[Event]:
        return [Gesture(at, what, color)]

    def deny(self, at: float) -> list[Event]:
        """No to what was asked."""
        return self._drop() if self._asked is not None else []

    @property
    def _lapse(self) -> float | None:
        return None if self._asked is None else self._asked.at + self.timing.confirm

    def _drop(self) -> list[Event]:
        asked, self._asked = self._asked, None
        return [Dropped(asked.at, asked.what)] if asked is not None else []

    @property
    def asked(self) -> Asked | None:
        """The open question."""
        return self._asked

    def press(self, key: str, at: float) -> list[Event]:
        """A key went down; see ``protocols.sensor.reading.BUTTONS`` for those that mean something."""
        events = self.wait(at)
        color = self.person
        if self._setting_up and key not in ("yes", "no", "flip", "setup", "menu"):
            text = f"{key}: not while a position is set up; setup ends that, no leaves it"
            return [*events, Trouble(at, "setup", text)]
        if key == "yes":
            events += self._finish_setup(at) if self._setting_up else self._yes(at)
        elif key == "no":
            events += self._leave_setup(at) if self._setting_up else self.deny(at)
        elif key == "flip":
            events += self._flip(at)
        elif key in ("hint", "menu"):
            events.append(Gesture(at, key, color))
        elif key == "setup":
            events += self._finish_setup(at) if self._setting_up else self.begin_setup(at)
        elif key == "pass":
            events += self._pass(at)
        elif key in ("resign", "draw", "undo", "new", "score"):
            events += self._ask(key, color, at, f"{key}: press again to confirm")
        return events

    def _flip(self, at: float) -> list[Event]:
        """Turn the board, at once as long as no move has been made on it."""
        if self.counting:
            return [Trouble(at, "setup", "flip: not while the game is counted")]
        if self.plies and not self._setting_up:
            text = "flip: turns the board round in the middle of a game; press again to confirm"
            return self._ask("flip", self.person, at, text)
        self._guiding = not self.over and not self._setting_up
        return self.turn_round(at)

    def _yes(self, at: float) -> list[Event]:
        """Yes to what is asked; where nothing is, what stands on the board is meant, seen or not."""
        if self._asked is not None:
            return self.confirm(at)
        self._option()
        for option in (self._plan or [])[self._next :]:
            if option.kind == "move":
                self._next = len(self._plan or [])
                return option.act(max(at, self._now))
        if self.over or self._guiding or self._away:
            return []
        color = self.mover(self.plies)
        if self.awaiting and color in self.humans and self.unread:
            found = self._unseen_moves()
            if len(found) == 1:
                self._unseen = found[0]
                return self._ask("move", color, at, f"{self.told_move(found[0])}? yes again makes this move")
            if found:
                return [Trouble(at, "unclear", "several moves can be meant: type the one that was made")]
        trouble = self.trouble
        if trouble is not None:
            points = tuple(sorted({*trouble.extra, *trouble.missing}))
            if len(points) == 1:
                self._suspects = points
                name = self.name(points[0])
                return self._ask("ignore", color, at, f"{name}: is its sensor broken? yes again leaves it out")
        return []

    def enter(self, move: int, at: float) -> list[Event]:
        """A move that was typed or confirmed, for the colour to move; the board may show it later, or never.

        Raises ValueError, with a text for the user, for one that can't be made now.
        """
        events = self.wait(at)
        color = self.mover(self.plies)
        if self.over:
            raise ValueError("the game is over")
        if self._guiding or self._setting_up or self.counting:
            raise ValueError("no move can be made now")
        if not self.awaiting or color not in self.humans:
            raise ValueError("it is not the turn of anybody at the board")
        why = self._enter(move)
        if why:
            raise ValueError(why)
        self._asked = None
        self._replan()
        return [*events, Moved(at, self.plies - 1, color, move), *self.wait(at)]

    def _pass(self, at: float) -> list[Event]:
        """Pass, in a game that has it."""
        return []

    @property
    def person(self) -> int:
        """Whom a key or gesture speaks for: the colour to move if that one sits at the board, else the other."""
        color = self.mover(self.plies)
        if color in self.humans or not self.humans:
            return color
        return next(iter(self.humans))

    def begin_setup(self, at: float) -> list[Event]:
        """From now on a position is set up on the board; the keys setup or yes, or ``press``, end it.

        The key no leaves it, with the game as it was.
        """
        refused = self._no_setup()
        if refused:
            return [Trouble(at, "setup", refused)]
        self._setting_up = True
        self.setup_mover = None
        self._replan()
        return [Trouble(at, "setup", "set up the position, then confirm it; no leaves the game as it was")]

    def _no_setup(self) -> str:
        """Why no position can be set up on this board; empty where one can."""
        return ""

    def _leave_setup(self, at: float) -> list[Event]:
        self._setting_up = False
        self._guiding = not self.over and not self.counting
        self._replan()
        return [Dropped(at, "setup"), *self.wait(at)]

    def _finish_setup(self, at: float) -> list[Event]:
        found = self._read_setup(self._settler.firm)
        if isinstance(found, str):
            return [Trouble(at, "setup", found)]
        self._setting_up = False
        self._replan()
        return [SetUp(at, found.points, found.to_move)]
