"""The tracker's game of Go: stones on a board of any size, seen by occupancy or by colour."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engines.go.coordinates import read_point, write_point
from engines.go.game import Game
from engines.go.points import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE
from engines.go.vertex import parse_vertex
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, FIRST, OCCUPIED, SECOND, UNSURE, Geometry, Sensing
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import SetUp
from protocols.sensor.tracker.rules import GameRules

_TABLES: dict[Sensing, dict[int, str]] = {
    "occ": {EMPTY: CLEAR, BLACK: OCCUPIED, WHITE: OCCUPIED},
    "pol": {EMPTY: CLEAR, BLACK: FIRST, WHITE: SECOND},
}


def misfit(game: Game, geometry: Geometry) -> str:
    """Why a board of this size does not fit a game; empty where it does."""
    if (geometry.width, geometry.height) == (game.width, game.height):
        return ""
    return f"the board has {geometry} points, the game {game.width}x{game.height}"


class GoRules(GameRules):
    """The game as far as the tracker knows it. Points are those of the rules core."""

    first_color = BLACK
    second_color = WHITE

    def __init__(self, game: Game | None, sensing: Sensing) -> None:
        """``game``: None for an empty 19x19 board. Raises ValueError for a sensing that Go has no use for."""
        if sensing not in _TABLES:
            raise ValueError(f"a board with sensing '{sensing}' knows no Go stones")
        if game is None:
            game = Game(19)
        self.geometry = Geometry(game.width, game.height)
        self.sensing = sensing
        self.values = "".join(_TABLES[sensing][color] for color in (EMPTY, BLACK, WHITE))
        """What the board shows of an empty point, of Black's stones and of White's."""
        self.start_state = CLEAR * game.points
        self.asked_color: int | None = None
        """Whose move a client asks for, where it is not the game's turn."""
        self.take_over(game)

    def take_over(self, game: Game) -> None:
        self.game = game.copy()
        replay = game.copy()
        states = [self.state_of(replay)]
        while replay.board.turns:
            replay.undo()
            states.append(self.state_of(replay))
        self.states = states[::-1]

    def state_of(self, game: Game) -> str:
        """What the board shows of a game's position."""
        values = self.values
        return "".join([values[color] for color in game.board.stones()])

    def check(self, game: Game) -> None:
        problem = misfit(game, self.geometry)
        if problem:
            raise ValueError(problem)

    def same_start(self, game: Game) -> bool:
        return bytes(self.game.setup) == bytes(game.setup)

    def moves_of(self, game: Game) -> list[tuple[int, int]]:
        return game.moves

    @property
    def moves(self) -> list[tuple[int, int]]:
        return self.game.moves

    def adopt(self, game: Game) -> None:
        self.game.rules, self.game.komi, self.game.accept_ko = game.rules, game.komi, game.accept_ko

    def is_start(self, state: str) -> bool:
        """A handicap is put up before the first move."""
        return super().is_start(state) or (self.game.handicap > 0 and guide.fits(state, self.states[0]))

    def mover(self, ply: int) -> int:
        board = self.game.board
        return board.turn(ply)[0] if ply < board.turns else self.turn

    @property
    def turn(self) -> int:
        """Whose move is waited for: the game's turn, unless ``ask_for`` said another."""
        return self.game.to_move if self.asked_color is None else self.asked_color

    def ask_for(self, color: int | None) -> None:
        self.asked_color = color if color is not None and color != self.game.to_move else None

    def push(self, color: int, move: int) -> list[int]:
        self.game.play_as(color, move)
        self.states.append(self.state_of(self.game))
        self.asked_color = None
        return guide.changed(self.states[-2], self.states[-1])

    def pop(self) -> None:
        self.game.undo()
        self.states.pop()

    @contextmanager
    def rewound(self, ply: int) -> Iterator[Game]:
        """The game as it was after so many plies, for a moment."""
        game, undone = self.game, self.game.moves[ply:]
        accept = game.accept_ko
        for _ in undone:
            game.undo()
        try:
            yield game
        finally:
            game.accept_ko = True  # what was played is played, whatever the rules say since
            for color, point in undone:
                game.play_as(color, point)
            game.accept_ko = accept

    # ------------------------------------------------------------------ words

    def name(self, point: int) -> str:
        return write_point(point, self.geometry.width, self.geometry.height, self.system)

    def point_named(self, text: str) -> int:
        if self.system == "gtp":
            point = parse_vertex(text, self.geometry.width, self.geometry.height)
        else:
            point = read_point(text, self.geometry.width, self.geometry.height, self.system)
        if point == PASS:
            raise ValueError(f"'{text[:20]}' is no point")
        return point

    def told(self, ply: int) -> str:
        color, point = self.game.board.turn(ply)
        return f"{COLOR_NAMES[color]} {self.name(point)}"

    def told_move(self, move: int) -> str:
        return f"{COLOR_NAMES[self.mover(self.plies)]} {self.name(move)}"

    def thing(self, value: str, point: int) -> str:
        color = self.color_of(value, point)
        return f"the {COLOR_NAMES[color]} stone" if color > 0 else "the stone"

    def color_at(self, point: int) -> int:
        color = self.game.board.at(point)
        return color if color != EMPTY else -1

    # ------------------------------------------------------------------ set-up

    def read_setup(self, state: str, mover: int | None) -> SetUp | str:
        stones = bytearray(self.geometry.count)
        for point, value in enumerate(state):
            if value in (UNSURE, FAULT):
                return f"cannot read {self.name(point)}"
            if value != CLEAR:
                stones[point] = WHITE if value == SECOND else BLACK
        try:
            Game(self.game.width, self.game.height, self.game.rules).set_position(bytes(stones))
        except ValueError as error:
            return str(error)
        if mover is None:
            mover = WHITE if stones.count(BLACK) > stones.count(WHITE) else BLACK
        return SetUp(0.0, bytes(stones), mover)
