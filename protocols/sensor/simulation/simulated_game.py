"""Whole games between a simulated hand and the tracker, on a virtual clock.

Random legal games are played on a simulated board (``hand``); what the tracker makes of the readings is kept as a
record, the way a program that uses it would keep it, and compared with what the hand did. Half of the games have both
sides at the board, the other half one person against a program.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE, neighbors
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, move_from, move_to
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import Geometry, Sensing
from protocols.sensor.simulation.hand import Habits, Hand, Noise, Scene
from protocols.sensor.tracker.events import Discrepancy, Event, Moved, Replaced, TakenBack
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.tracker import Tracker

STUCK = 90.0
"""Seconds after which a move that was not read counts as lost; the board is then put in order and the game ended."""

UNSEEN = 12.0
"""Seconds after which what the leds ask for is done once more."""


@dataclass
class Tally:
    """What happened: ``wrong`` moves in the record; ``withdrawn`` ones, believed until the hand made another, and how
    often the hand did change its mind (``minds``); games that got ``stuck``; ``troubles`` by kind; time ``seconds``.
    """

    games: int = 0
    moves: int = 0
    wrong: int = 0
    withdrawn: int = 0
    stuck: int = 0
    minds: int = 0
    seconds: float = 0.0
    troubles: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally in."""
        self.games += other.games
        self.moves += other.moves
        self.wrong += other.wrong
        self.withdrawn += other.withdrawn
        self.stuck += other.stuck
        self.minds += other.minds
        self.seconds += other.seconds
        self.troubles += other.troubles

    def report(self) -> str:
        """One line for people."""
        games = max(1, self.games)
        kinds = ", ".join(f"{kind} {count / games:.2f}" for kind, count in sorted(self.troubles.items()))
        return (
            f"{self.games} games, {self.moves} moves, {self.wrong} wrong, {self.withdrawn} withdrawn of {self.minds} "
            f"second thoughts, "
            f"{self.stuck} stuck, {self.seconds / 3600:.1f} h played; a game: {kinds or 'no questions'}"
        )


class SimulatedGame(ABC):
    """One game. ``both``: both sides play on the board; else ``human`` does and a program has the other."""

    tracker: Tracker
    scene: Scene

    def __init__(self, rng: random.Random, habits: Habits, both: bool, human: int) -> None:
        self.rng = rng
        self.habits = habits
        self.both = both
        self.human = human
        self.tally = Tally(games=1)
        self.record: list[tuple[int, int]] = []
        self.truth: list[tuple[int, int]] = []
        self._complained = -1.0
        self._changed = -1
        self._retracting = False

    def _start(self, scene: Scene, tracker: Tracker) -> None:
        self.scene, self.tracker = scene, tracker
        self.hand = Hand(scene, self.habits)
        scene.on_reading = lambda reading: self._heard(tracker.read(reading))
        scene.on_time = lambda now: self._heard(tracker.wait(now))

    def _follow(self) -> None:
        """The tracker learns of the program's move."""
        self._heard(self.tracker.follow(self.position(), self.scene.now))

    # ------------------------------------------------------------------ what a game must tell

    @abstractmethod
    def choose(self) -> int | None:
        """Some legal move for the side to move; None at the end."""

    @abstractmethod
    def other_choice(self, move: int) -> int | None:
        """What the hand may change its mind to after a move; None for nothing."""

    @abstractmethod
    def play_true(self, move: int) -> None:
        """The move is truly played."""

    @abstractmethod
    def undo_true(self) -> None:
        """The last move is truly taken back."""

    @abstractmethod
    def mover(self) -> int:
        """Whose turn it truly is."""

    @abstractmethod
    def wanted(self) -> str:
        """The things that should stand on the board now."""

    @abstractmethod
    def make(self, move: int) -> None:
        """The hand makes a move that has not been truly played yet."""

    @abstractmethod
    def change(self, move: int, other: int) -> None:
        """The hand changes its move for another one."""

    @abstractmethod
    def blunder(self) -> tuple[int, int] | None:
        """Something illegal: what to lift (or -1) and where to put it; None where there is nothing."""

    @abstractmethod
    def position(self) -> Any:
        """The true game, for the tracker to follow."""

    # ------------------------------------------------------------------ the record

    def _heard(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Moved):
                if len(self.record) != event.ply:
                    self.tally.notes.append(f"ply {event.ply} told after {len(self.record)}")
                self.record.append((event.color, event.move))
            elif isinstance(event, Replaced):
                del self.record[event.ply :]
                self.record.append((event.color, event.move))
                self.tally.withdrawn += 1
            elif isinstance(event, TakenBack):
                del self.record[event.plies :]
            elif isinstance(event, Discrepancy):
                self.tally.troubles[event.kind] += 1
                self._complained = event.at

    # ------------------------------------------------------------------ the play

    def run(self, most: int) -> Tally:
        """Play up to so many moves."""
        begin = self.scene.now
        self.scene.run_until(begin + 1.0)
        hasty = False
        while len(self.truth) < most:
            move = self.choose()
            if move is None:
                break
            if self.both or self.mover() == self.human:
                if not self._human_turn(move, hasty):
                    break
                hasty = False
            else:
                hasty = self._program_turn(move)
                if not hasty and not self._settled():
                    break
        if hasty:
            self._settled()
        self.scene.run_until(self.scene.now + 3.0)
        self._compare()
        self.tally.moves = len(self.truth)
        self.tally.seconds = self.scene.now - begin
        return self.tally

    def _human_turn(self, move: int, hasty: bool) -> bool:
        rng, habits, hand, scene = self.rng, self.habits, self.hand, self.scene
        if not hasty:
            scene.run_until(scene.now + rng.uniform(0.3, 3.0))
        else:
            scene.run_until(scene.now + rng.uniform(0.3, 0.6))
        if not hasty and hand.chance(habits.blunder) and not self._blunder():
            return False
        if hand.forgotten and hand.chance(0.5):
            scene.perform(hand.tidy())
        self.make(move)
        other = self.other_choice(move) if hand.chance(habits.second) and not hand.forgotten else None
        if other is not None:
            scene.run_until(scene.now + rng.uniform(0.05, 1.5))
            self.change(move, other)
            move = other
            self.tally.minds += 1
        self.play_true(move)
        if other is not None:
            self._changed = len(self.truth)
        if not self._settled():
            return False
        return not hand.chance(habits.retract) or self._retract()

    def _retract(self) -> bool:
        """Take the last move back on the board."""
        scene, hand = self.scene, self.hand
        scene.run_until(scene.now + self.rng.uniform(0.1, 1.0))
        scene.perform(hand.tidy())
        self.undo_true()
        scene.perform(hand.arrange(self.wanted()))
        self._retracting = True
        try:
            return self._settled()
        finally:
            self._retracting = False

    def _blunder(self) -> bool:
        found = self.blunder()
        if found is None:
            return True
        origin, target = found
        scene, hand = self.scene, self.hand
        thing = hand.lift(origin) if origin >= 0 else self.stone()
        scene.run_until(scene.now + 0.5)
        scene.put(target, thing)
        scene.run_until(scene.now + self.rng.uniform(2.0, 5.0))
        hand.lift(target)
        scene.run_until(scene.now + 0.4)
        if origin >= 0:
            scene.put(origin, thing)
        return self._settled()

    def stone(self) -> str:
        """A thing of the side to move that comes from outside the board."""
        return CLEAR

    def _program_turn(self, move: int) -> bool:
        """The program answers; the hand executes it, now or together with its own next move (True)."""
        rng, scene = self.rng, self.scene
        scene.run_until(scene.now + rng.uniform(0.05, 2.0))
        if self.hand.forgotten and self.hand.chance(0.5):
            scene.perform(self.hand.tidy())
        color = self.mover()
        self.play_true(move)
        self.record.append((color, move))
        self._follow()
        self.undo_true()
        scene.run_until(scene.now + rng.uniform(0.3, 2.5))
        self.make(move)
        self.play_true(move)
        return self.hand.chance(self.habits.hasty)

    def _settled(self) -> bool:
        """Wait until the tracker has the true game and is content, doing what it asks for. False when it never is."""
        scene, hand = self.scene, self.hand
        begin = scene.now
        acted = -1.0
        while scene.now - begin < STUCK:
            scene.run_until(scene.now + 0.1)
            if (
                self.record == self.truth
                and self.tracker.executed == len(self.truth)
                and self.tracker.discrepancy is None
                and not hand.displaced
            ):
                return True
            discrepancy = self.tracker.discrepancy
            # What was done while the board was away was not seen: it is still lit, and done again.
            new = discrepancy is not None and (discrepancy.at > acted or scene.now - acted > UNSEEN)
            if discrepancy is not None and new and scene.now - discrepancy.at > self.rng.uniform(0.4, 1.2):
                acted = scene.now
                self._put_right(discrepancy)
            elif self._still_lit() and scene.now - begin > UNSEEN and scene.now - acted > UNSEEN:
                acted = scene.now
                scene.perform(hand.set_again(self.target(self.truth[-1][1])))
            elif hand.displaced and scene.now - begin > 5.0:
                scene.perform(hand.mend())
            elif scene.now - begin > 30.0 and scene.now - acted > 10.0:
                acted = scene.now
                scene.perform(hand.tidy())
                scene.perform(hand.arrange(self.wanted()))
        self.tally.stuck += 1
        self.tally.notes.append(f"stuck at ply {len(self.truth)}: {self.tracker.discrepancy}")
        return False

    def _still_lit(self) -> bool:
        """Whether a stone just played is lit to be taken off: it was set where a captured one lay, and nobody saw."""
        return False

    def _put_right(self, discrepancy: Discrepancy) -> None:
        scene, hand = self.scene, self.hand
        pushed = bool(hand.displaced)
        scene.perform(hand.mend())
        if discrepancy.kind == "capture" and self._retracting:
            return  # to leave the board as it is says that the move is taken back
        if discrepancy.kind == "capture" or (discrepancy.kind == "order" and not pushed):
            for _, move in reversed(self.truth[-2:]):
                point = self.target(move)
                if point in discrepancy.asked and self._changed == len(self.truth):
                    # The hand has only changed its mind: off for a while, then there once more.
                    thing = hand.lift(point)
                    scene.run_until(scene.now + 5.0)
                    scene.put(point, thing)
                    break
                if point in discrepancy.asked:
                    scene.perform(hand.set_again(point))
                    break
        elif discrepancy.kind in ("position", "execution", "illegal"):
            scene.perform(hand.tidy())
            scene.perform(hand.arrange(self.wanted()))

    def target(self, move: int) -> int:
        """The point a move ends on."""
        return move

    def _compare(self) -> None:
        length = max(len(self.record), len(self.truth))
        for number in range(length):
            told = self.record[number] if number < len(self.record) else None
            made = self.truth[number] if number < len(self.truth) else None
            if told != made and told is not None:
                self.tally.wrong += 1
                self.tally.notes.append(f"ply {number}: made {made}, recorded {told}")
                break


class SimulatedGoGame(SimulatedGame):
    """A random game of Go."""

    def __init__(
        self, size: int, sensing: Sensing, rng: random.Random, habits: Habits, noise: Noise, both: bool, human: int
    ) -> None:
        super().__init__(rng, habits, both, human)
        self.game = Game(size)
        humans = (BLACK, WHITE) if both else (human,)
        tracker = make_tracker("go", Game(size), sensing, humans, turned=rng.random() < 0.3)
        self._start(Scene(Geometry(size, size), sensing, rng, noise, turned=tracker.turned), tracker)

    def mover(self) -> int:
        return self.game.to_move

    def position(self) -> Game:
        return self.game

    def stone(self) -> str:
        return ".XO"[self.mover()]

    def choose(self) -> int | None:
        game, color = self.game, self.game.to_move
        near = neighbors(game.width, game.height)
        for _ in range(60):
            point = self.rng.randrange(game.points)
            if game.board.at(point) == EMPTY and game.is_legal(color, point):
                if all(game.board.at(q) == color for q in near[point]):
                    continue
                return point
        return None

    def other_choice(self, move: int) -> int | None:
        game = self.game
        if self._captured(move):
            return None
        for _ in range(20):
            point = self.choose()
            if point is None or point == move or self._captured(point):
                continue
            if self.scene.things[point] == CLEAR and game.is_legal(game.to_move, point):
                return point
        return None

    def _captured(self, point: int) -> list[int]:
        game = self.game
        before = game.board.stones()
        game.play_as(game.to_move, point)
        after = game.board.stones()
        game.undo()
        return [p for p in range(game.points) if before[p] != EMPTY and after[p] == EMPTY]

    def play_true(self, move: int) -> None:
        color = self.game.to_move
        self.game.play_as(color, move)
        self.truth.append((color, move))

    def undo_true(self) -> None:
        self.game.undo()
        self.truth.pop()

    def wanted(self) -> str:
        return "".join([".XO"[color] for color in self.game.board.stones()])

    def make(self, move: int) -> None:
        script = self.hand.play_stone(move, ".XO"[self.game.to_move], self._captured(move))
        self.scene.perform(script)

    def change(self, move: int, other: int) -> None:
        self.scene.perform(self.hand.move_stone(move, other))

    def _still_lit(self) -> bool:
        owed = self.tracker.pending_removals
        return bool(self.truth) and self.truth[-1][1] in owed

    def blunder(self) -> tuple[int, int] | None:
        game = self.game
        found = [
            p
            for p in range(game.points)
            if game.board.at(p) == EMPTY
            and self.scene.things[p] == CLEAR
            and game.board.why_illegal(game.to_move, p) in ("ko", "suicide")
        ]
        return (-1, self.rng.choice(found)) if found else None


class SimulatedXiangqiGame(SimulatedGame):
    """A random game of Xiangqi, with more captures than chance would have."""

    def __init__(
        self, sensing: Sensing, rng: random.Random, habits: Habits, noise: Noise, both: bool, human: int
    ) -> None:
        super().__init__(rng, habits, both, human)
        self.board = Board()
        tracker = make_tracker("xiangqi", None, sensing, (0, 1) if both else (human,), turned=rng.random() < 0.3)
        scene = Scene(Geometry(9, 10), sensing, rng, noise, things=self.wanted(), turned=tracker.turned)
        self._start(scene, tracker)

    def mover(self) -> int:
        return self.board.turn

    def position(self) -> Board:
        return self.board

    def choose(self) -> int | None:
        moves = self.board.legal_moves()
        if not moves:
            return None
        takes = [move for move in moves if self.board.piece_at(move_to(move))]
        return self.rng.choice(takes if takes and self.rng.random() < 0.3 else moves)

    def other_choice(self, move: int) -> int | None:
        if self.board.piece_at(move_to(move)):
            return None
        others = [
            other
            for other in self.board.legal_moves()
            if other != move and move_from(other) == move_from(move) and not self.board.piece_at(move_to(other))
        ]
        return self.rng.choice(others) if others else None

    def play_true(self, move: int) -> None:
        self.truth.append((self.board.turn, move))
        self.board.play(move)

    def undo_true(self) -> None:
        self.board.undo()
        self.truth.pop()

    def wanted(self) -> str:
        return "".join([PIECE_LETTERS[self.board.piece_at(square)] for square in range(90)])

    def make(self, move: int) -> None:
        self.scene.perform(self.hand.move_piece(move_from(move), move_to(move)))

    def change(self, move: int, other: int) -> None:
        self.scene.perform(self.hand.move_stone(move_to(move), move_to(other)))

    def target(self, move: int) -> int:
        return move_to(move)

    def blunder(self) -> tuple[int, int] | None:
        board = self.board
        legal = set(board.legal_moves())
        origins = sorted({move_from(move) for move in legal})
        origin = self.rng.choice(origins)
        free = [s for s in range(90) if self.scene.things[s] == CLEAR and (origin << 7 | s) not in legal]
        # A general at the river is a gesture, and no blunder.
        if board.piece_at(origin) % 8 == 1:
            return None
        return origin, self.rng.choice(free)


def cast(
    game: str, size: int, sensing: Sensing, seed: int, habits: Habits | None = None, noise: Noise | None = None
) -> SimulatedGame:
    """A game of "go" (``size``) or "xiangqi" that has not begun: half of them with both sides at the board."""
    rng = random.Random(seed)
    habits, noise = habits or Habits(), noise or Noise()
    both = rng.random() < 0.5
    first = rng.random() < 0.5
    if game == "go":
        return SimulatedGoGame(size, sensing, rng, habits, noise, both, BLACK if first else WHITE)
    return SimulatedXiangqiGame(sensing, rng, habits, noise, both, int(not first))


def usual_length(game: str, size: int) -> int:
    """Moves after which a simulated game ends if nothing else is said."""
    return {9: 90, 13: 160}.get(size, 240) if game == "go" else 120


def simulate_game(
    game: str,
    size: int,
    sensing: Sensing,
    seed: int,
    most: int = 0,
    habits: Habits | None = None,
    noise: Noise | None = None,
) -> Tally:
    """Play one game and tell what came of it; see ``cast``."""
    return cast(game, size, sensing, seed, habits, noise).run(most or usual_length(game, size))
