"""What a GTP engine has been told: the game on its own board, the time, how much to search.

The engine keeps a board of its own. It is brought to the referee's position by the shortest way that it offers: the
missing moves, or ``undo`` and the missing moves, or everything anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import COLOR_NAMES, EMPTY, opponent
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits
from protocols.gtp import translate
from protocols.gtp.client import GtpClient, GtpFailure
from protocols.programs.supervisor import EngineError, Refused

_KGS_NAMES = {"japanese": "japanese", "chinese": "chinese", "chinese-kgs": "chinese", "aga": "aga"}
_KGS_NAMES["new-zealand"] = "new_zealand"


@dataclass
class Held:
    """What stands on the engine's own board."""

    frame: tuple[Any, ...] = ()
    komi: float | None = None
    rules: str = ""
    moves: list[tuple[int, int]] = field(default_factory=list)


class BoardSync:
    """What one engine, from its start to its end, has been told."""

    def __init__(self, client: GtpClient, note: Callable[[str], None]) -> None:
        """``note`` gets what the user should know once."""
        self.client = client
        self._title = client.spec.title
        self._note = note
        self._held: Held | None = None
        self._time = ""
        self._visits: int | None = None
        self._played = False

    def forget(self) -> None:
        """What stands on the engine's board is not certain any more: the game is told anew the next time."""
        self._held = None

    def follow(self, game: Game) -> None:
        """Bring the engine's board to the referee's position."""
        held = self._held
        self._held = None  # until it is certain again
        moves = game.moves
        frame = (game.width, game.height, game.setup, game.handicap)
        if held is not None and held.frame == frame:
            common = 0
            for mine, its in zip(moves, held.moves, strict=False):
                if mine != its:
                    break
                common += 1
            if self._take_back(len(held.moves) - common, common):
                held.moves = held.moves[:common]
                try:
                    self._tell_rules(game, held)
                    self._play(game, held, moves[common:])
                    return
                except GtpFailure as error:
                    self._note(f"{self._title} lost the thread ({error}); the game is told it anew")
        held = Held(frame)
        self._set_up(game, held)
        self._time = ""
        try:
            self._play(game, held, moves)
        except GtpFailure as error:
            raise Refused(f"{self._title} can't follow the game: {error}") from None

    def answered(self, color: int, word: str, game: Game) -> None:
        """The engine has played its move on its own board; note which, or that nothing is known of it."""
        held, self._held = self._held, None
        if held is None:
            return
        if word == "resign":
            self._held = held
            return
        try:
            held.moves.append((color, parse_vertex(word, game.width, game.height)))
        except ValueError:
            return
        self._held = held

    def tell_time(self, color: int, limits: Limits) -> None:
        """Time settings when they have changed, and what is left."""
        clock, control = limits.clock, None
        if clock is not None:
            control = clock.control
        elif limits.seconds is not None:
            control = translate.per_move(limits.seconds)
            clock = Clock(control)
        if control is None:
            if self._time:
                control = TimeControl.none()
            else:
                return
        command = translate.time_settings(control, self.client.has)
        left_known = self.client.has("time_left")
        if not left_known and clock is not None and control.kind in ("absolute", "fischer", "fischer-capped"):
            # The only way to tell what is left.
            command = translate.time_settings(TimeControl.absolute(clock.share.seconds), self.client.has)
        if command != self._time and self.client.has(command.split()[0]):
            self._try(command)
            self._time = command
        if clock is not None and left_known and control.kind != "none":
            posted = [self.client.post(translate.time_left(color, clock, self.client.has))]
            other = limits.opponent_clock
            if other is not None and other.control.kind != "none":
                posted.append(self.client.post(translate.time_left(opponent(color), other, self.client.has)))
            for reply in posted:
                try:
                    self.client.wait(reply)
                except GtpFailure as error:
                    self._note(f"{self._title} refuses '{reply.command}': {error}")

    def tell_visits(self, nodes: int | None) -> None:
        """A number of visits a move, where the engine can be told."""
        if nodes is None or nodes == self._visits:
            return
        self._visits = nodes
        if self.client.has("kata-set-param"):
            self._try(f"kata-set-param maxVisits {nodes}")
        elif self.client.has("lz-setoption"):
            self._try(f"lz-setoption name visits value {nodes}")
        else:
            self._note(f"{self._title} can't be told a number of playouts; its command line decides")

    def _take_back(self, count: int, remaining: int) -> bool:
        """Undo moves, if that is possible and not longer than starting anew."""
        if count == 0:
            return True
        if count > remaining + 1:
            return False
        try:
            if count > 1 and self.client.has("gg-undo"):
                self.client.ask(f"gg-undo {count}")
            elif self.client.has("undo"):
                for reply in [self.client.post("undo") for _ in range(count)]:
                    self.client.wait(reply)
            else:
                return False
        except GtpFailure:
            return False
        return True

    def _set_up(self, game: Game, held: Held) -> None:
        """The empty board, rules, komi, handicap or position."""
        width, height = game.width, game.height
        if width == height:
            size = f"boardsize {width}"
        elif self.client.has("rectangular_boardsize"):
            size = f"rectangular_boardsize {width} {height}"
        else:
            raise Refused(f"{self._title} plays on square boards only, not on {width}x{height}")
        # Some have the commands of the standard without listing them.
        try:
            self.client.ask(size)
        except GtpFailure as error:
            if self.client.has("boardsize"):
                raise Refused(f"{self._title} does not play on a board of {width}x{height}: {error}") from None
        try:
            self.client.ask("clear_board")
        except GtpFailure as error:
            if self._played:
                raise EngineError(
                    f"{self._title} can't begin a new game ({error}); it is started anew for that"
                ) from None
        self._played = True
        self._tell_rules(game, held)
        stones = [(color, point) for point, color in enumerate(game.setup) if color != EMPTY]
        if not stones:
            return
        pairs = [(COLOR_NAMES[color], format_vertex(point, width, height)) for color, point in stones]
        if game.handicap and len(stones) == game.handicap and self.client.has("set_free_handicap"):
            commands = ["set_free_handicap " + " ".join(vertex for _, vertex in pairs)]
        else:
            name = self.client.first_of("set_position", "gogui-setup")
            # In any order, none of the plays captures: a chain that is whole at the end has a liberty all along.
            commands = (
                [name + "".join(f" {color} {vertex}" for color, vertex in pairs)]
                if name
                else [f"play {color} {vertex}" for color, vertex in pairs]
            )
        try:
            for reply in [self.client.post(command) for command in commands]:
                self.client.wait(reply)
        except GtpFailure as error:
            raise Refused(f"{self._title} does not take the stones set up: {error}") from None

    def _tell_rules(self, game: Game, held: Held) -> None:
        """Rules and komi, where the engine has words for them; what it refuses is told once."""
        if self.client.has("kata-set-rules"):
            rules = f"kata-set-rules {game.rules.to_json()}"
        elif self.client.has("kgs-rules") and game.rules.name in _KGS_NAMES:
            rules = f"kgs-rules {_KGS_NAMES[game.rules.name]}"
        else:
            rules = ""
        if rules and rules != held.rules:
            self._try(rules)
            held.rules = rules
        if game.komi != held.komi and self.client.has("komi"):
            self._try(f"komi {repr(game.komi).removesuffix('.0')}")
        held.komi = game.komi

    def _try(self, command: str) -> None:
        try:
            self.client.ask(command)
        except GtpFailure as error:
            self._note(f"{self._title} refuses '{command}': {error}")

    def _play(self, game: Game, held: Held, moves: list[tuple[int, int]]) -> None:
        """Play moves on the engine's board. Raises GtpFailure when it refuses one."""
        posted = [
            (move, self.client.post(f"play {COLOR_NAMES[move[0]]} {format_vertex(move[1], game.width, game.height)}"))
            for move in moves
        ]
        for move, reply in posted:
            try:
                self.client.wait(reply)
            except GtpFailure as error:
                raise GtpFailure(f"it refuses '{reply.command.partition(' ')[2]}': {error}") from None
            held.moves.append(move)
        self._held = held
