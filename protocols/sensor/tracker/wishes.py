"""What people at a board wish: gestures and keys, the questions about them, moves that are typed, positions set up."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from protocols.sensor.tracker.events import Asked, Discrepancy, Dropped, Event, Gesture, Moved, NewGame, SetUp

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker


class Wishes:
    """Wishes, whatever the game."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self.asked: Asked | None = None
        """The open question."""
        self.armed = True
        """Whether a gesture counts: not again before the board was right."""
        self.gestured: frozenset[int] = frozenset()
        """What was put down for the gesture that is on the board: none of it is a move."""
        self._unseen: int | None = None
        self._suspects: tuple[int, ...] = ()

    # ------------------------------------------------------------------ questions, gestures and keys

    def ask(self, what: str, color: int, at: float, text: str) -> list[Event]:
        """Something that must be said twice was said."""
        asked = self.asked
        if asked is not None and (asked.what, asked.color) == (what, color):
            return self.confirm(at)
        self.asked = Asked(at, what, color, text)
        return [self.asked]

    def gesture(self, what: str, color: int, at: float, text: str, points: Collection[int]) -> list[Event]:
        """A gesture is on the board; it counts once until the board was right again.

        One that goes on from another (the second general to the river) is what was meant.
        """
        if not self.armed and not self.gestured < frozenset(points):
            return []
        again = self.armed
        self.armed = False
        self.gestured = frozenset(points)
        self.tracker.replan()
        if not again:
            self.asked = None
        return self.ask(what, color, at, text)

    def confirm(self, at: float) -> list[Event]:
        """Yes to what was asked; nothing where nothing is."""
        asked, self.asked = self.asked, None
        if asked is None:
            return []
        self.tracker.replan()
        if asked.what == "new":
            return [NewGame(at, True)]
        if asked.what == "flip":
            # Nothing that stands there counts before it is the position, seen from the other side.
            self.tracker.guiding = not self.tracker.over
            return self.tracker.turn_round(at)
        if asked.what == "ignore":
            points, self._suspects = self._suspects, ()
            return self.tracker.sensors.ignore(points, at)
        if asked.what == "move":
            return self.enter(self._unseen, at) if self._unseen is not None else []
        return self.tracker.interpreter.confirmed(asked.what, asked.color, at)

    def deny(self, at: float) -> list[Event]:
        """No to what was asked."""
        return self.drop() if self.asked is not None else []

    @property
    def lapse(self) -> float | None:
        return None if self.asked is None else self.asked.at + self.tracker.timing.confirm

    def drop(self) -> list[Event]:
        asked, self.asked = self.asked, None
        return [Dropped(asked.at, asked.what)] if asked is not None else []

    def press(self, key: str, at: float) -> list[Event]:
        """A key went down; see ``protocols.sensor.reading.BUTTONS`` for those that mean something."""
        events = self.tracker.wait(at)
        color = self.person
        if self.tracker.setting_up and key not in ("yes", "no", "flip", "setup", "menu"):
            text = f"{key}: not while a position is set up; setup ends that, no leaves it"
            return [*events, Discrepancy(at, "setup", text)]
        if key == "yes":
            events += self._finish_setup(at) if self.tracker.setting_up else self._yes(at)
        elif key == "no":
            events += self._leave_setup(at) if self.tracker.setting_up else self.deny(at)
        elif key == "flip":
            events += self._flip(at)
        elif key in ("hint", "menu"):
            events.append(Gesture(at, key, color))
        elif key == "setup":
            events += self._finish_setup(at) if self.tracker.setting_up else self.begin_setup(at)
        elif key == "pass":
            events += self.tracker.interpreter.pass_turn(at)
        elif key in ("resign", "draw", "undo", "new", "score"):
            events += self.ask(key, color, at, f"{key}: press again to confirm")
        return events

    def _flip(self, at: float) -> list[Event]:
        """Turn the board, at once as long as no move has been made on it."""
        if self.tracker.counting:
            return [Discrepancy(at, "setup", "flip: not while the game is counted")]
        if self.tracker.rules.plies and not self.tracker.setting_up:
            text = "flip: turns the board round in the middle of a game; press again to confirm"
            return self.ask("flip", self.person, at, text)
        self.tracker.guiding = not self.tracker.over and not self.tracker.setting_up
        return self.tracker.turn_round(at)

    def _yes(self, at: float) -> list[Event]:
        """Yes to what is asked; where nothing is, what stands on the board is meant, seen or not."""
        if self.asked is not None:
            return self.confirm(at)
        if self.tracker.scoring is not None:
            agreed: list[Event] = self.tracker.scoring.confirm(at)
            return agreed
        moved = self.tracker.take_move(at)
        if moved is not None:
            return moved
        if self.tracker.over or self.tracker.guiding or self.tracker.away:
            return []
        color = self.tracker.rules.mover(self.tracker.rules.plies)
        if self.tracker.awaiting and color in self.tracker.humans and self.tracker.unread:
            found = self.tracker.interpreter.unseen_moves()
            if len(found) == 1:
                self._unseen = found[0]
                return self.ask(
                    "move", color, at, f"{self.tracker.rules.told_move(found[0])}? yes again makes this move"
                )
            if found:
                return [Discrepancy(at, "unclear", "several moves can be meant: type the one that was made")]
        discrepancy = self.tracker.discrepancy
        if discrepancy is not None:
            points = tuple(sorted({*discrepancy.extra, *discrepancy.missing}))
            if len(points) == 1:
                self._suspects = points
                name = self.tracker.rules.name(points[0])
                return self.ask("ignore", color, at, f"{name}: is its sensor broken? yes again leaves it out")
        return []

    def enter(self, move: int, at: float) -> list[Event]:
        """A move that was typed or confirmed, for the colour to move; the board may show it later, or never.

        Raises ValueError, with a text for the user, for one that can't be made now.
        """
        events = self.tracker.wait(at)
        color = self.tracker.rules.mover(self.tracker.rules.plies)
        if self.tracker.over:
            raise ValueError("the game is over")
        if self.tracker.guiding or self.tracker.setting_up or self.tracker.counting:
            raise ValueError("no move can be made now")
        if not self.tracker.awaiting or color not in self.tracker.humans:
            raise ValueError("it is not the turn of anybody at the board")
        why = self.tracker.interpreter.enter_move(move)
        if why:
            raise ValueError(why)
        self.asked = None
        self.tracker.replan()
        return [*events, Moved(at, self.tracker.rules.plies - 1, color, move), *self.tracker.wait(at)]

    @property
    def person(self) -> int:
        """Whom a key or gesture speaks for: the colour to move if that one sits at the board, else the other."""
        color = self.tracker.rules.mover(self.tracker.rules.plies)
        if color in self.tracker.humans or not self.tracker.humans:
            return color
        return next(iter(self.tracker.humans))

    # ------------------------------------------------------------------ positions set up

    def begin_setup(self, at: float) -> list[Event]:
        """From now on a position is set up on the board; the keys setup or yes, or ``press``, end it.

        The key no leaves it, with the game as it was.
        """
        refused = self.tracker.rules.why_no_setup()
        if refused:
            return [Discrepancy(at, "setup", refused)]
        self.tracker.setting_up = True
        self.tracker.setup_mover = None
        self.tracker.replan()
        return [Discrepancy(at, "setup", "set up the position, then confirm it; no leaves the game as it was")]

    def _leave_setup(self, at: float) -> list[Event]:
        self.tracker.setting_up = False
        self.tracker.guiding = not self.tracker.over and not self.tracker.counting
        self.tracker.replan()
        return [Dropped(at, "setup"), *self.tracker.wait(at)]

    def _finish_setup(self, at: float) -> list[Event]:
        found = self.tracker.rules.read_setup(self.tracker.settler.stable, self.tracker.setup_mover)
        if isinstance(found, str):
            return [Discrepancy(at, "setup", found)]
        self.tracker.setting_up = False
        self.tracker.replan()
        return [SetUp(at, found.points, found.to_move)]
