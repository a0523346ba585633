"""A person at a simulated board, who looks at its leds and at what stands on it, and knows the rules.

What is lit is done: the other player's move is put where it is lit, captured stones come off, what is wrong is put
right. When nothing is lit and it is this person's turn, a legal move of its own is made by hand. Nothing else goes
between the person and the program that is tried: no moves, no turns, no game.

Points are those of the rules cores (A1 or a0 first, row by row upward), as in ``hand``.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, PASS, WHITE, neighbors, opponent
from engines.go.vertex import format_vertex
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, move_from, move_name, move_of, move_to, square_name
from protocols.sensor.reading import AREA_FIRST, AREA_SECOND, HINT, LIFT, OFF, PLACE, PLACE_FIRST, PLACE_SECOND, WRONG
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.simulation.device import Device
from protocols.sensor.simulation.hand import TIDY, Habits, Hand, Script

GLANCE = 0.05
"""Seconds between two looks at the leds."""

REACTION = (0.4, 0.9)
"""Seconds (from, to) for which the leds have been the same before the person does what they say."""

SLOW = 2.5
"""Seconds for which the same leds are taken for those of a board that has not yet seen what was done."""

PONDER = (0.8, 1.5)
"""Seconds (from, to) before a move of one's own. The leds of the answer must have had time to come."""

STRANGE = 6.0
"""Seconds after which a board that is not as it should be, and is not lit either, is the game from now on."""

AGAIN = 12.0
"""Seconds after which a key that had no visible effect is pressed again."""


class Table:
    """The device as the hand sees it: things by the rules core's points."""

    def __init__(self, device: Device, rng: random.Random) -> None:
        self.device = device
        self.geometry = device.sensors.geometry
        self.rng = rng
        self.now = 0.0

    def outside(self, point: int) -> int:
        """A point as the board counts it: far left first."""
        row, column = divmod(point, self.geometry.width)
        return (self.geometry.height - 1 - row) * self.geometry.width + column

    def inward(self, points: str) -> str:
        """A board's text in the rules core's order."""
        width = self.geometry.width
        return "".join([points[start : start + width] for start in range(len(points) - width, -1, -width)])

    @property
    def things(self) -> list[str]:
        """What stands on each point."""
        return list(self.inward("".join(self.device.sensors.things)))

    def put(self, point: int, thing: str) -> None:
        """Set something down, or (``EMPTY``) take it off."""
        self.device.put(self.outside(point), thing, self.now)


class Person(ABC):
    """One person, who has one side. ``step`` is called with the time and gives when to be called again."""

    def __init__(
        self,
        device: Device,
        first: bool,
        rng: random.Random,
        *,
        habits: Habits = TIDY,
        pace: float = 1.0,
        most: int = 0,
        wait: float = 0.0,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """``first``: the person has Black in Go, Red in Xiangqi. ``pace``: below 1 all goes faster.

        ``most``: own moves after which the person passes (Go) or resigns (Xiangqi); 0 for no such thing. ``wait``:
        seconds before a first move, for games that do not begin at the start. ``say`` gets what is done. Raises
        ValueError for a board without a led at every point.
        """
        self.table = Table(device, rng)
        if len(device.leds) != self.table.geometry.count:
            raise ValueError("a person needs a lamp at every point")
        self.first = first
        self.rng = rng
        self.pace = pace
        self.most = most
        self.made = 0
        """Moves of one's own so far."""
        self._wait = wait
        self._say = say
        self._hand = Hand(self.table, habits)
        self._script: Script | None = None
        self._next = 0.0
        self._lit = "", 0.0
        self._lit_since = 0.0
        self._ready = 0.0

    def step(self, now: float) -> float:
        """Do what is to be done at this time."""
        self.table.now = now
        if self._wait:
            self._ready, self._wait = now + self._wait, 0.0
        while self._next <= now:
            if self._script is None:
                self._script = self._look(now)
                if self._script is None:
                    self._next = now + GLANCE
                    break
            try:
                self._next = now + next(self._script) * self.pace
            except StopIteration:
                self._script = None
                self._ready = now + self.rng.uniform(*PONDER) * self.pace
                self._lit = self._lit[0], now + SLOW  # the board needs a moment to see what was done
        return self._next

    def _look(self, now: float) -> Script | None:
        """What to do now, by what is lit."""
        leds = self.table.inward(self.table.device.leds)
        if leds != self._lit[0]:
            self._lit_since = now
            self._lit = leds, now + self.rng.uniform(*REACTION) * self.pace
        if now < self._lit[1]:
            return None
        lit = {point: led for point, led in enumerate(leds) if led not in (OFF, WRONG)}  # steady: a bad sensor
        if lit:
            return self._obey(lit, now)
        return self._play(now) if now >= self._ready else None

    @abstractmethod
    def _obey(self, lit: dict[int, str], now: float) -> Script | None:
        """What the leds ask for."""

    @abstractmethod
    def _play(self, now: float) -> Script | None:
        """A move of one's own, if it is time for one."""

    def _move(self, origin: int, target: int) -> Script:
        """Put something that stands wrong where it belongs."""
        self._say(f"puts {self.name(origin)} to {self.name(target)}")
        if self.table.things[target] != CLEAR:
            self._hand.lift(target)
            yield 0.4
        yield from self._hand.move_stone(origin, target)

    def _take(self, points: list[int]) -> Script:
        """Take things off."""
        self._say(f"takes off {' '.join(self.name(point) for point in points)}")
        for point in points:
            self._hand.lift(point)
            yield 0.3

    def _set(self, point: int, thing: str, now: float) -> Script | None:
        """Put something on a point; if it is there already, something else may be wrong, and will soon be lit."""
        if self.table.things[point] == thing and now - self._lit_since < STRANGE:
            return None
        return self._set_down(point, thing)

    def _set_down(self, point: int, thing: str) -> Script:
        self._say(f"sets {thing} on {self.name(point)}")
        if self.table.things[point] != CLEAR:
            self._hand.lift(point)
            yield 0.4
        yield from self._hand.set_down(point, thing)

    def _press(self, key: str, times: int = 1) -> Script:
        """Press a key, and again where it must be confirmed."""
        self._say(f"presses {key}")
        for _ in range(times):
            self.table.device.press(key, self.table.now)
            yield 0.8

    @abstractmethod
    def name(self, point: int) -> str:
        """A point in the game's words."""


class GoPerson(Person):
    """A person who plays Go: at random, but fills no eye of its own, and passes when the other does."""

    def __init__(self, device: Device, first: bool, rng: random.Random, **settings: object) -> None:
        super().__init__(device, first, rng, **settings)  # type: ignore[arg-type]
        geometry = self.table.geometry
        self.game = Game(geometry.width, geometry.height)
        self.color = BLACK if first else WHITE
        self._thing = "X" if first else "O"
        self._passed = -AGAIN
        self._heard_pass = False
        self._counted = ""
        self._strange = 0.0

    def name(self, point: int) -> str:
        return format_vertex(point, self.table.geometry.width, self.table.geometry.height)

    def _stones(self) -> bytes:
        return bytes({CLEAR: EMPTY, "X": BLACK, "O": WHITE}.get(thing, EMPTY) for thing in self.table.things)

    def _catch_up(self, now: float) -> bool:
        """Whether the board is as the person remembers it. Once it has long not been, what stands there is the game."""
        stones, mine = self._stones(), self.game.board.stones()
        differing = [point for point, stone in enumerate(stones) if stone != mine[point]]
        if all(point in self._hand.forgotten and mine[point] == EMPTY for point in differing):
            self._strange = now
            return True
        bare = not any(stones)
        if not bare and now - self._strange < STRANGE:
            return False
        to_move = self.color
        if WHITE not in stones:
            to_move = BLACK if bare else WHITE
        game = Game(self.game.width, self.game.height)
        try:
            game.set_position(stones, to_move)
        except ValueError:
            return False
        self.game = game
        self._hand.forgotten.clear()
        self._heard_pass = False
        if bare:
            self.made = 0
        return True

    def _obey(self, lit: dict[int, str], now: float) -> Script | None:
        leds = set(lit.values())
        if leds & {AREA_FIRST, AREA_SECOND}:
            picture = self._lit[0]
            if picture == self._counted:
                return None
            self._counted = picture
            return self._press("yes", 2)
        if len(leds) == 1 and set(lit) == self._edge() and leds <= {PLACE_FIRST.lower(), PLACE_SECOND.lower()}:
            return self._answer_pass(now)
        lift, wrong, place = _sorted(lit)
        if wrong and place:
            return self._move(wrong[0], place[0])
        if lift or wrong:
            return self._take(lift + wrong)
        if place:
            point = place[0]
            thing = self._thing if lit[point].upper() == PLACE else lit[point].upper()
            known, game, other = self._catch_up(now), self.game, opponent(self.color)
            if known and thing != self._thing and game.to_move == other and game.is_legal(other, point):
                self._say(f"sees {self.name(point)}")
                return self._put_stone(other, point)
            return self._set(point, thing, now)
        return None

    def _edge(self) -> set[int]:
        width, height = self.game.width, self.game.height
        return {p for p in range(width * height) if p % width in (0, width - 1) or p // width in (0, height - 1)}

    def _answer_pass(self, now: float) -> Script | None:
        """The other one has passed."""
        if not self._heard_pass:
            self._heard_pass = True
            if self.game.to_move != self.color:
                self._say("sees a pass")
                self.game.play_as(opponent(self.color), PASS)
        return self._pass(now)

    def _pass(self, now: float) -> Script | None:
        if now - self._passed < AGAIN * self.pace:
            return None
        self._passed = now
        if self.game.to_move == self.color:
            self.game.play_as(self.color, PASS)
        return self._press("pass")

    def _put_stone(self, color: int, point: int) -> Script:
        game = self.game
        before = game.board.stones()
        game.play_as(color, point)
        after = game.board.stones()
        self._heard_pass = False
        taken = [p for p, (old, new) in enumerate(zip(before, after, strict=True)) if old != EMPTY and new == EMPTY]
        return self._hand.play_stone(point, ".XO"[color], taken)

    def _play(self, now: float) -> Script | None:
        game = self.game
        if self._passed + AGAIN * self.pace > now or not self._catch_up(now) or game.ending:
            return None
        game = self.game
        if game.to_move != self.color:
            last = game.moves[-1:]
            return self._pass(now) if last == [(self.color, PASS)] else None  # perhaps nobody saw it
        point = self._choose() if not self.most or self.made < self.most else None
        if point is None:
            return self._pass(now)
        self.made += 1
        self._say(f"plays {self.name(point)}")
        return self._put_stone(self.color, point)

    def _choose(self) -> int | None:
        game, color = self.game, self.color
        near = neighbors(game.width, game.height)
        found = [
            point
            for point in range(game.points)
            if game.board.at(point) == EMPTY
            and not all(game.board.at(q) == color for q in near[point])
            and game.is_legal(color, point)
        ]
        takes = [point for point in found if self._captures(point)]
        return self.rng.choice(takes or found) if found else None

    def _captures(self, point: int) -> bool:
        game, color = self.game, self.color
        other = opponent(color)
        near = neighbors(game.width, game.height)[point]
        return any(game.board.at(q) == other and game.board.liberty_count(q) == 1 for q in near)


class XiangqiPerson(Person):
    """A person who plays Xiangqi: at random, and likes to take."""

    def __init__(self, device: Device, first: bool, rng: random.Random, **settings: object) -> None:
        super().__init__(device, first, rng, **settings)  # type: ignore[arg-type]
        self.board = Board()
        self.color = 0 if first else 1
        self._resigned = -AGAIN
        self._tries = -1
        for square, thing in enumerate(self._pieces()):
            self.table.put(square, thing)

    def name(self, point: int) -> str:
        return square_name(point)

    def _pieces(self) -> str:
        return "".join([PIECE_LETTERS[self.board.piece_at(square)] for square in range(90)])

    def _obey(self, lit: dict[int, str], now: float) -> Script | None:
        things = self.table.things
        hints = [point for point, led in lit.items() if led.upper() == HINT]
        if hints:
            return self._hand.set_again(hints[0]) if things[hints[0]] != CLEAR else None
        lift, wrong, place = _sorted(lit)
        blinking = [point for point in lift if lit[point] == LIFT.lower()]
        targets = place + [point for point in lift if point not in blinking]
        if len(blinking) == len(targets) == 1:
            return self._see(blinking[0], targets[0])
        if wrong and place:
            return self._move(wrong[0], place[0])
        if lift or wrong:
            return self._take(lift + wrong)
        if place:
            square = place[0]
            if things[square] != CLEAR and things[square] == PIECE_LETTERS[self.board.piece_at(square)]:
                return self._set(square, things[square], now)
            return self._set(square, self._missing(square, lit[square].upper()), now)
        return None

    def _missing(self, square: int, led: str) -> str:
        """What to put on a point: what is remembered there, or stood there first, or what else is off the board."""
        start = Board()
        full = [PIECE_LETTERS[start.piece_at(place)] for place in range(90) if start.piece_at(place)]
        for thing in self.table.things:
            if thing in full:
                full.remove(thing)
        remembered = [PIECE_LETTERS[board.piece_at(square)] for board in (self.board, start)]
        colour = {PLACE_FIRST: str.isupper, PLACE_SECOND: str.islower}.get(led, str.isalpha)
        able = [thing for thing in dict.fromkeys(remembered + full) if colour(thing)]
        self._tries += 1  # what was wrong is lit again, and something else is tried
        return able[self._tries % len(able)] if able else remembered[0]

    def _see(self, origin: int, target: int) -> Script:
        """The other one's move."""
        move = move_of(origin, target)
        if self._pieces() == "".join(self.table.things) and self.board.is_legal(move):
            self._tries = -1
            self._say(f"sees {move_name(move)}")
            self.board.play(move)
            return self._hand.move_piece(origin, target)
        return self._move(origin, target)

    def _play(self, now: float) -> Script | None:
        things = "".join(self.table.things)
        if things != self._pieces():
            start = Board()
            if things != "".join(PIECE_LETTERS[start.piece_at(square)] for square in range(90)):
                return None
            self.board, self.made = start, 0
        if self.board.turn != self.color:
            return None
        moves = self.board.legal_moves()
        if not moves:
            return None
        if self.most and self.made >= self.most:
            if now - self._resigned < AGAIN * self.pace:
                return None
            self._resigned = now
            return self._press("resign", 2)
        takes = [move for move in moves if self.board.piece_at(move_to(move))]
        move = self.rng.choice(takes if takes and self.rng.random() < 0.5 else moves)
        self.made += 1
        self._say(f"plays {move_name(move)}")
        self.board.play(move)
        return self._hand.move_piece(move_from(move), move_to(move))


def _sorted(lit: dict[int, str]) -> tuple[list[int], list[int], list[int]]:
    """Points where something should go, where something is wrong, and where something is missing."""
    lift = [point for point, led in lit.items() if led.upper() == LIFT]
    wrong = [point for point, led in lit.items() if led.upper() == WRONG]
    place = [point for point, led in lit.items() if led.upper() in (PLACE, PLACE_FIRST, PLACE_SECOND)]
    return lift, wrong, place
