"""Cases that have fooled boards: points that flicker, gestures, dead sensors and second thoughts, with all their times.

A case says what a hand and the sensors do (generators of waits, as in ``hand``) and what should come of it. It runs on
a board behind a wire (``wired.WiredScene``, on a virtual clock) or on a pseudo-terminal (``scripts/stress_board.py``).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from engines.go.game import Game
from engines.go.points import EMPTY, PASS
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, move_from, move_to
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import Geometry, Sensing
from protocols.sensor.session.controller import BoardController
from protocols.sensor.simulation.hand import Scene, Script
from protocols.sensor.simulation.wired import WiredScene
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.events import Discrepancy, Event, Gesture, Moved, Replaced, Ruled, Sensor, TakenBack
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.policy import FINAL, Policy, Timing
from protocols.sensor.tracker.tracker import Tracker

KINDS = ("flicker", "gesture", "dead", "second")

RATES = 0.1, 12.0
"""Changes there and back a second, of a point that flickers."""

TIMES = 0.05, 1.5
"""Seconds between two things that a hand does."""

WORD = 5.0
"""Seconds within which the people at the board must have been told."""

SEEN = 5.0
"""The fastest flicker in Hz of which a board that settles its points for 60 ms tells every change. Of a faster one
people can only be told from when it has been reported twice.
"""

GESTURES = {"pass": (0, 1), "resign": (8, 7)}
"""Points of a 9x9 board on which two stones say so."""


class StressCase:
    """One case: ``game`` "go" (9x9) or "xiangqi", ``kind`` one of ``KINDS``. ``problems`` is what went wrong."""

    def __init__(self, game: str, sensing: Sensing, kind: str, seed: int) -> None:
        self.rng = rng = random.Random(f"{game} {sensing} {kind} {seed}")
        self.what = f"{game} {sensing} {kind} {seed}"
        self.kind = kind
        self.sensing = sensing
        self.problems: list[str] = []
        self.record: list[int] = []
        self.heard: list[tuple[float, Event]] = []
        self.wanted: list[int] = []
        self._since: float | None = None
        self._told: float | None = None
        self.go = game == "go"
        start: Any = Game(9) if self.go else Board()
        self.game: Any = start
        for _ in range(rng.randrange(6, 16) // 2 * 2):
            self._play(self._choose())
        self.color = self.game.to_move if self.go else self.game.turn
        self.begun = self._plies()
        alone = kind == "second"
        strict = rng.random() < 0.5 and not alone
        settings: dict[str, Any] = {
            "timing": Timing(settle=0.3 if alone else 0.6),
            "policy": Policy() if alone else FINAL,
            "arbiter": Arbiter("go" if self.go else "xiangqi", "strict" if strict else "friendly"),
        }
        self.tracker: Tracker = make_tracker(game, self.game, sensing, (self.color,), **settings)
        self.tracker.awaiting = kind != "flicker"
        self.scene: Scene
        self.controller: BoardController

    # ------------------------------------------------------------------ the game

    def _plies(self) -> int:
        return self.game.board.turns if self.go else len(self.game.history)

    def things(self) -> str:
        """What should stand on the board, in the rules core's order."""
        if self.go:
            return "".join([".XO"[stone] for stone in self.game.board.stones()])
        return "".join([PIECE_LETTERS[self.game.piece_at(square)] for square in range(90)])

    def _play(self, move: int) -> None:
        self.game.play(move)

    def _choices(self, taking: bool = False) -> list[int]:
        """Quiet moves for the side to move, away from the corners where Go has gestures; or captures of Xiangqi."""
        game = self.game
        if not self.go:
            return [m for m in game.legal_moves() if bool(game.piece_at(move_to(m))) == taking]
        free = [p for p in range(81) if 3 <= p % 9 < 6 or 3 <= p // 9 < 6]
        return [p for p in free if game.board.at(p) == EMPTY and game.is_legal(game.to_move, p) and not self._takes(p)]

    def _takes(self, point: int) -> bool:
        game = self.game
        before = sum(map(bool, game.board.stones()))
        game.play_as(game.to_move, point)
        taken = sum(map(bool, game.board.stones())) <= before
        game.undo()
        return taken

    def _choose(self) -> int:
        return self.rng.choice(self._choices())

    def _stone(self) -> str:
        return ".XO"[self.color]

    def _make(self, move: int) -> Script:
        """The hand makes a quiet move."""
        if self.go:
            self.scene.put(move, ".XO"[self.game.to_move])
            return
        thing = self.scene.things[move_from(move)]
        self.scene.put(move_from(move), CLEAR)
        yield self.rng.uniform(*TIMES)
        self.scene.put(move_to(move), thing)

    # ------------------------------------------------------------------ what is told

    def hear(self, event: Event) -> None:
        """The tracker says something."""
        now = self.scene.now
        self.heard.append((now, event))
        if isinstance(event, Moved):
            self.record.append(event.move)
            if self.kind != "second" and self.record != self.wanted[: len(self.record)]:
                self.problems.append(f"wrong move {event.move}")
        elif isinstance(event, Replaced):
            self.record[event.ply - self.begun :] = [event.move]
        elif isinstance(event, TakenBack):
            del self.record[event.plies - self.begun :]
        elif isinstance(event, Ruled) and event.loser is not None:
            self.problems.append(f"lost: {event.text}")
        elif isinstance(event, (Discrepancy, Sensor)) and self._since is not None and self._told is None:
            self._told = now

    def put_later(self, delay: float, point: int, thing: str) -> None:
        """A sensor shows something else in so many seconds, by the device's own clock."""
        scene: Any = self.scene
        scene.put_later(delay, point, thing)

    def tell(self, what: Callable[[Any, float], Sequence[Event]]) -> None:
        """Do something with the tracker, as soon as there is one."""
        if not self.controller.tell(what):
            self.problems.append("no board")

    def _ask(self) -> None:
        self.tell(lambda tracker, now: tracker.ask_for(self.color, now))

    # ------------------------------------------------------------------ the cases

    def scripts(self) -> list[Script]:
        """What the hand does, and the sensors besides."""
        return getattr(self, "_" + self.kind)()

    def _flicker(self) -> list[Script]:
        rng = self.rng
        rate = math.exp(rng.uniform(*map(math.log, RATES)))
        move = self._choose()
        near = {move} if self.go else {move_from(move), move_to(move)}
        empty = rng.random() < 0.5
        points = [p for p, thing in enumerate(self.things()) if (thing == CLEAR) == empty and p not in near]
        if not self.go:
            # A piece that is seen to go may be the one that is carried: others must not fit the move.
            points = [p for p in points if p // 9 != move_to(move) // 9 and p % 9 != move_to(move) % 9]
        point = rng.choice(points)
        thing = self.things()[point] if not empty else self._stone() if self.go else rng.choice("RrCcPp")
        # A stone may drop out while somebody thinks. What shows first when a move is awaited is one.
        thinking = not empty and rng.random() < 0.5
        self.tracker.awaiting = thinking
        self.what += f": {rate:.2f} Hz, {'an empty point' if empty else 'a stone'}{', thinking' if thinking else ''}"
        over: list[bool] = []
        half = 0.5 / rate

        def sensor() -> Script:
            on = not empty
            yield rng.uniform(0.1, 0.5)
            if rate <= SEEN:
                self._since = self.scene.now
            begin = self.scene.now
            at = 0.0
            while not over:
                # A second ahead: on a machine that is busy only the device's own time is exact.
                while at < self.scene.now - begin + 1.0:
                    on = not on
                    self.put_later(begin + at - self.scene.now, point, thing if on else CLEAR)
                    at += half * rng.uniform(0.85, 1.15)
                yield 0.5
            yield at - (self.scene.now - begin)
            self.scene.put(point, CLEAR if empty else thing)

        def hand() -> Script:
            if thinking:
                yield 2 * WORD
            else:
                yield 1.0 + 4.2 * half
                self._ask()
                yield rng.uniform(0.3, 1.0)
            self.wanted = [move]
            yield from self._make(move)
            patience = 6.0 + 4 * half
            begin = self.scene.now
            while self.scene.now - begin < patience and self.record != self.wanted:
                yield 0.1
            if self.record != self.wanted and not (rate > SEEN and self._named(point, begin)):
                self.problems.append("the move was held up")
            over.append(True)
            yield 1.0

        def watch() -> Script:
            while not over:
                yield 0.1
                if self._since is None and len(self.tracker.doubted(point, self.scene.now)) > 1:
                    self._since = self.scene.now
                    if any(isinstance(event, Sensor) and point in event.points for _, event in self.heard):
                        self._told = self._since
            if self._told is None and self._since is not None and self.scene.now - self._since < WORD:
                self._since = None  # it was over before anything had to be said

        return [sensor(), hand(), watch()]

    def _named(self, point: int, begin: float) -> bool:
        """Whether people were told, in time, that it is this point that keeps a move from being seen."""
        for at, event in self.heard:
            named = isinstance(event, Discrepancy) and point in (*event.extra, *event.missing)
            named = named or (isinstance(event, Sensor) and point in event.points)
            if named and at <= begin + WORD + 0.5:
                return True
        return False

    def _gesture(self) -> list[Script]:
        return [self._go_gesture() if self.go else self._xiangqi_gesture()]

    def _go_gesture(self) -> Script:
        rng = self.rng
        what = rng.choice([name for name, points in GESTURES.items() if all(self.things()[p] == CLEAR for p in points)])
        self.what += f": {what}"
        self.wanted = [PASS] if what == "pass" else []
        for _ in range(2):
            for thing in (self._stone(), CLEAR):
                for point in rng.sample(GESTURES[what], 2):
                    self.scene.put(point, thing)
                    yield rng.uniform(*TIMES)
                yield 2.5
        self._wish(what)

    def _xiangqi_gesture(self) -> Script:
        rng = self.rng
        what = rng.choice(["resign", "draw"])
        self.what += f": {what}"
        kings = [self.things().index(letter) for letter in "Kk"]
        mine = [kings[self.color]] if what == "resign" else rng.sample(kings, 2)
        tracker: Any = self.tracker
        banks = {
            kings[color]: tracker.interpreter.gestures.bank(tracker.rules.expected_state(self.begun), color)
            for color in (0, 1)
        }
        for _ in range(2):
            for there in (True, False):
                for king in mine:
                    a, b = (king, banks[king]) if there else (banks[king], king)
                    thing = self.scene.things[a]
                    self.scene.put(a, CLEAR)
                    yield rng.uniform(*TIMES)
                    self.scene.put(b, thing)
                    yield rng.uniform(*TIMES)
                yield 2.5
        self._wish(what)

    def _wish(self, what: str) -> None:
        """A gesture was made twice."""
        made = [event.what for _, event in self.heard if isinstance(event, Gesture)]
        if made != ([] if what == "pass" else [what]):
            self.problems.append(f"understood: {made}")

    def _dead(self) -> list[Script]:
        return [self._dead_under_hand() if self.rng.random() < 0.5 else self._dead_under_stone()]

    def _dead_under_hand(self) -> Script:
        """The hand plays on a point whose sensor says nothing; the move is typed, and the game goes on."""
        rng = self.rng
        move = self._choose()
        dead = move if self.go else move_to(move)
        self.what += f": move to {dead}"
        if not self.go:
            self.scene.put(move_from(move), CLEAR)
            self._since = self.scene.now
            yield WORD
        self.controller.ignore([self.tracker.rules.name(dead)])
        yield rng.uniform(*TIMES)
        self.wanted = [move]
        self.tell(lambda tracker, now: tracker.enter(move, now))
        yield 1.0
        yield from self._go_on(move, {dead})

    def _dead_under_stone(self) -> Script:
        """A sensor dies under a stone; it is left out, and the game goes on."""
        rng = self.rng
        dead = rng.choice([point for point, thing in enumerate(self.things()) if thing != CLEAR])
        self.what += f": died at {dead}"
        self.scene.put(dead, CLEAR)
        self._since = self.scene.now
        yield WORD + rng.uniform(*TIMES)
        self.controller.ignore([self.tracker.rules.name(dead)])
        yield rng.uniform(*TIMES)
        yield from self._own(self._clear_of({dead}))
        yield from self._go_on(None, {dead})

    def _clear_of(self, points: set[int]) -> int:
        ends = {m: {m} if self.go else {move_from(m), move_to(m)} for m in self._choices()}
        return self.rng.choice([m for m, where in ends.items() if not where & points])

    def _own(self, move: int) -> Script:
        self.wanted = [*self.wanted, move]
        yield from self._make(move)
        self._play(move)
        yield 4.0

    def _go_on(self, made: int | None, dead: set[int]) -> Script:
        """The program answers, and the hand executes that and goes on."""
        if made is not None:
            self._play(made)
        answer = self._clear_of(dead)
        thing = ".XO"[self.game.to_move] if self.go else ""
        color_made = list(self._made(answer, thing))
        self._play(answer)
        self.wanted = [*self.wanted]
        self.record.append(answer)
        self.wanted.append(answer)
        game = self.game.copy()
        self.tell(lambda tracker, now: tracker.follow(game, now))
        yield self.rng.uniform(*TIMES)
        for point, value in color_made:
            self.scene.put(point, value)
            yield self.rng.uniform(*TIMES)
        yield 1.0
        self._ask()
        yield from self._own(self._clear_of(dead))
        if self.record != self.wanted:
            self.problems.append(f"made {self.wanted}, recorded {self.record}")

    def _made(self, move: int, stone: str) -> list[tuple[int, str]]:
        """What a hand puts where for a quiet move."""
        if self.go:
            return [(move, stone)]
        piece = PIECE_LETTERS[self.game.piece_at(move_from(move))]
        return [(move_from(move), CLEAR), (move_to(move), piece)]

    def _second(self) -> list[Script]:
        rng = self.rng
        move = self._choose()
        if self.go:
            others, self.what = [m for m in self._choices() if m != move], self.what
        else:
            both = self._choices() + self._choices(True)
            pairs = {m: [o for o in both if o != m and move_from(o) == move_from(m)] for m in self._choices()}
            able = [m for m in pairs if pairs[m]]
            takers = [m for m in able if any(self.game.piece_at(move_to(o)) for o in pairs[m])]
            move = rng.choice(takers if takers and rng.random() < 0.6 else able)
            others = pairs[move]
            taking = [o for o in others if self.game.piece_at(move_to(o))]
            others = taking or others
        other = rng.choice(others)
        return [self._think_again(move, other)]

    def _think_again(self, move: int, other: int) -> Script:
        rng, scene = self.rng, self.scene
        self.wanted = [other]
        origin, target = (move, other) if self.go else (move_to(move), move_to(other))
        yield from self._make(move)
        yield rng.uniform(*TIMES)
        thing = scene.things[origin]
        self.what += f": {move} then {other}{', taking' if scene.things[target] != CLEAR else ''}"
        scene.put(origin, CLEAR)
        yield rng.uniform(0.25, TIMES[1])
        if scene.things[target] != CLEAR:
            scene.put(target, CLEAR)
            yield rng.uniform(0.25, TIMES[1])
        scene.put(target, thing)
        yield WORD
        if self.record != self.wanted:
            told = [event.text for _, event in self.heard if isinstance(event, Discrepancy)]
            self.problems.append(f"made {self.wanted}, recorded {self.record}, told {told}")

    # ------------------------------------------------------------------ running

    def play(self) -> list[str]:
        """Run on ``scene`` and ``desk``; gives what went wrong."""
        agenda = [(self.scene.now, script) for script in self.scripts()]
        while agenda:
            agenda.sort(key=lambda item: item[0])
            at, script = agenda.pop(0)
            self.scene.run_until(at)
            try:
                agenda.append((max(at, self.scene.now) + next(script), script))
            except StopIteration:
                continue
        if self._since is not None and (self._told is None or self._told - self._since > WORD + 0.5):
            late = "never" if self._told is None else f"after {self._told - self._since:.1f} s"
            self.problems.append(f"told {late}")
        return self.problems


def stress(game: str, sensing: Sensing, kind: str, seed: int) -> StressCase:
    """Run a case on a virtual clock; gives it, with its ``problems``."""
    case = StressCase(game, sensing, kind, seed)
    geometry = Geometry(9, 9) if game == "go" else Geometry(9, 10)
    scene = WiredScene(geometry, sensing, case.rng, case.things(), False)
    case.scene = scene
    case.controller = scene.controller = BoardController(
        scene.board, lambda hello: case.tracker, case.hear, lambda text: None
    )
    scene.run_until(scene.now + 5.0)
    case.heard.clear()
    case.play()
    return case
