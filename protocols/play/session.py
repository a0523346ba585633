"""A game at a terminal: whose turn it is, what a person says, what everybody is shown."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engines.arena.game import MatchPlayer
from engines.clock import Clock
from engines.files import replace_file
from engines.gametype import REASONS, Decision, Ending, GameType, PlayedGame, Turn
from engines.player import Limits, PlayerError
from engines.timing import parse_control
from protocols.play import saved as files
from protocols.play.opponents import LocalPlayer
from protocols.play.saved import Saved
from protocols.play.screen import Left, Screen
from protocols.play.words import ABOUT, COMMANDS, REASON_WORDS, command_of, say, side_name, text_in

HINT_SECONDS = 1.0
"""Thought about a hint."""

LISTED = 120
"""Moves that are listed at once."""


class Failed(Left):
    """A player can't go on; the game is kept."""


@dataclass
class Seat:
    """Who plays a side: ``player`` None for a person; ``name`` for records."""

    name: str
    player: MatchPlayer | None
    limits: Limits
    begun: bool = False


@dataclass
class Session:
    """A game in progress. ``saved`` is what is kept of it, in the file ``path``."""

    game: GameType
    saved: Saved
    seats: list[Seat]
    screen: Screen
    path: str
    hinter: MatchPlayer | None = None
    """Who answers for hints; made when it is first asked."""
    _turns: list[Turn] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _bare: list[str] = field(default_factory=list)
    _movers: list[int] = field(default_factory=list)
    _clocks_before: list[list[tuple[float, int]]] = field(default_factory=list)
    _offering: bool = False
    _viewer: int | None = None
    _told: bool = False
    _refused: bool = False

    def __post_init__(self) -> None:
        """Play through what is kept. Raises ValueError where that can't be."""
        self.referee = self.game.begin(self.saved.opening)
        self._clocks = [Clock(parse_control(self.saved.time)) for _ in self.seats]
        for clock, (left, stones) in zip(self._clocks, self.saved.clocks, strict=False):
            clock.set_left(left, stones)
        for turn in self.saved.turns:
            side = self.referee.side
            self._movers.append(side)
            self._names.append(self._named(side, turn.move))
            self._bare.append("")
            self.referee.play(turn.move)
            self._turns.append(turn)
            self._clocks_before.append(self._now())
        self._people = [side for side, seat in enumerate(self.seats) if seat.player is None]
        self._shown = dict.fromkeys(self._people, len(self._turns))

    # ------------------------------------------------------------------ the course of the game

    def run(self) -> Ending | None:
        """Play until the end; None when the person has left: then the game is kept. Raises KeyboardInterrupt."""
        try:
            if not self._turns:
                self._lay()
            while True:
                ending = self._count() if self.referee.needs_count else self.referee.ending()
                if ending is None:
                    side = self.referee.side
                    ending = self._person(side) if self.seats[side].player is None else self._program(side)
                if ending is not None:
                    self._finish(ending)
                    return ending
        except Left:
            return None

    def close(self) -> None:
        """End all players."""
        for player in {id(one): one for one in [*(seat.player for seat in self.seats), self.hinter] if one}.values():
            player.close()

    @property
    def hides(self) -> bool:
        """Whether two people at this terminal may not see the same."""
        return self.game.hidden and len(self._people) > 1

    def _now(self) -> list[tuple[float, int]]:
        return [(clock.left, clock.stones) for clock in self._clocks]

    def _name(self, side: int) -> str:
        return side_name(self.game.sides[side], self.screen.language)

    def _named(self, side: int, text: str) -> str:
        """The name of a move that is kept; its text where that tells what has shown, or an agreement."""
        seen = self.referee.observe(side)
        try:
            return self.game.name_of(seen, seen.read_move(text), self.screen.language)
        except ValueError:
            return text

    # ------------------------------------------------------------------ a person's turn

    def _person(self, side: int) -> Ending | None:
        self._hand_over(side)
        self._news(side)
        self._draw(side)
        if self.referee.draw_offered:
            self.screen.say("draw-offered", side=self._name((side - 1) % len(self.seats)))
        self._offering = False
        begun = time.monotonic()
        while True:
            clock = self._clocks[side]
            spent = time.monotonic() - begun
            left = clock.reach - spent
            if left <= 0:
                return self.referee.end(side, "time")
            self.screen.prompt(self._prompt(side, spent))
            line = self.screen.line(left if math.isfinite(left) else None)
            spent = time.monotonic() - begun
            if line is None or spent > clock.reach:
                self.screen.tell()
                return self.referee.end(side, "time")
            if not line.strip():
                continue
            command, rest = command_of(line)
            if not command:
                if self._move(side, rest, spent):
                    return None
            elif command == "quit":
                raise Left
            elif command == "resign":
                if self._sure():
                    return self.referee.end(side, "resignation")
            elif command == "draw":
                if self._offer(side, rest, spent):
                    return None
            elif command == "undo":
                if self._undo(side):
                    return None
            else:
                getattr(self, "_say_" + command)(side, rest)

    def _prompt(self, side: int, spent: float) -> str:
        clock = self._clocks[side]
        left = f" {_time(clock.after(spent))}" if clock.control.kind != "none" else ""
        return f"{self._name(side)}{left} > "

    def _move(self, side: int, text: str, spent: float) -> bool:
        """Play what a person typed; False, and why is told, where that can't be."""
        seen = self.referee.observe(side)
        try:
            move = self.game.read_word(seen, text)
            name, bare = self.game.name_of(seen, move, self.screen.language), str(seen.move_text(move))
            played = self.referee.accept(Decision("draw" if self._offering else "move", move))
        except ValueError as error:
            self.screen.tell(str(error))
            return False
        self._note(side, played, bare, name, spent)
        own = self._told_to(side)
        if own != bare:
            self.screen.say("told", move=own)
        self._shown[side] = len(self._turns)
        return True

    def _offer(self, side: int, rest: str, spent: float) -> bool:
        if self.referee.draw_offered:
            played = self.referee.accept(Decision("draw"))
            self._note(side, played, "", "", spent)
            return True
        why = self.referee.no_draw()
        if why is not None:
            self.screen.tell(why)
            return False
        self._offering = True
        if rest:
            return self._move(side, rest, spent)
        self.screen.say("offer-with")
        return False

    def _sure(self) -> bool:
        """Whether a person who resigns means it; lines of a file always do."""
        if not self.screen.attended:
            return True
        self.screen.say("sure")
        return (self.screen.line() or "").strip().lower() in ("yes", "y", "是", "ok")

    def _undo(self, side: int) -> bool:
        """Take moves back up to the last one of a person at this terminal, and that."""
        count = next((n for n, one in enumerate(reversed(self._movers), 1) if one in self._people), 0)
        if not count:
            self.screen.say("no-undo")
            return False
        taken = zip(self._turns[-count:], self._bare[-count:], strict=True)
        if (self.game.chance or self.game.hidden) and any(turn.move != bare for turn, bare in taken):
            self.screen.say("shown")
            return False
        for clock, (left, stones) in zip(self._clocks, self._clocks_before[-count], strict=True):
            if clock.control.kind != "none":
                clock.set_left(left, stones)
        for _ in range(count):
            self.referee.undo()
        for kept in (self._turns, self._names, self._bare, self._movers, self._clocks_before):
            del kept[-count:]
        self._shown = {one: min(number, len(self._turns)) for one, number in self._shown.items()}
        self.screen.say("undone", count=count)
        self._keep()
        return True

    # ------------------------------------------------------------------ what a person may ask for

    def _say_moves(self, side: int, rest: str) -> None:
        seen = self.referee.observe(side)
        moves = [(str(seen.move_text(move)), move) for move in seen.legal_moves()]
        if rest:
            found = [(text, move) for text, move in moves if text.lower().startswith(rest.lower())]
            lines = [f"{text}  {self.game.name_of(seen, move, self.screen.language)}" for text, move in found]
            self.screen.tell("\n".join(lines[:LISTED]) or say("none", self.screen.language))
            return
        texts = [text for text, _ in moves]
        width = max(map(len, texts), default=0) + 2
        across = max(1, min(self.screen.size[0], 80) // width)
        shown = texts[: max(LISTED, across)]
        rows = ["".join(text.ljust(width) for text in shown[at : at + across]) for at in range(0, len(shown), across)]
        more = [f"… {len(texts)}"] if len(shown) < len(texts) else []
        self.screen.tell("\n".join([*(row.rstrip() for row in rows), *more]) or say("none", self.screen.language))

    def _say_hint(self, side: int, rest: str) -> None:
        if self.hinter is None:
            player = self.game.player()
            if player is None:
                self.screen.say("no-hint")
                return
            self.hinter = LocalPlayer(player)
        seen = self.referee.observe(side)
        limits = Limits(seconds=HINT_SECONDS)
        try:
            decision = self._thinking(self.hinter, seen, limits, False)
        except PlayerError as error:
            self.screen.tell(str(error))
            return
        if decision.move is None:
            self.screen.say("hint", move=decision.action)
            return
        name, text = self.game.name_of(seen, decision.move, self.screen.language), str(seen.move_text(decision.move))
        self.screen.say("hint", move=text if name == text else f"{text} {name}")

    def _say_save(self, side: int, rest: str) -> None:
        path = rest or self.path
        try:
            files.write(path, self._state())
            self.screen.say("kept", file=path)
        except (OSError, ValueError) as error:
            self.screen.say("not-kept", error=error)

    def _say_flip(self, side: int, rest: str) -> None:
        self.screen.flipped = not self.screen.flipped
        self._draw(side)

    def _say_board(self, side: int, rest: str) -> None:
        self._draw(side)

    def _say_history(self, side: int, rest: str) -> None:
        texts = self._texts_for(side)
        each = len(self.seats)
        lines = [f"{at // each + 1}. " + "  ".join(texts[at : at + each]) for at in range(0, len(texts), each)]
        self.screen.tell("\n".join(lines) or say("none", self.screen.language))

    def _say_clock(self, side: int, rest: str) -> None:
        self.screen.tell("  ".join(f"{self._name(one)} {_time(clock)}" for one, clock in enumerate(self._clocks)))

    def _say_help(self, side: int, rest: str) -> None:
        language = self.screen.language
        for name, said in COMMANDS.items():
            self.screen.tell(f"{' '.join(said):<24} {text_in(ABOUT[name], language)}")

    # ------------------------------------------------------------------ a program's turn

    def _program(self, side: int) -> Ending | None:
        seat = self.seats[side]
        player = seat.player
        assert player is not None
        seen = self.referee.observe(side)
        offered = self.referee.draw_offered
        begun = time.monotonic()
        try:
            if not seat.begun:
                player.begin(seen, self.referee.color)
                seat.begun = True
                begun = time.monotonic()
            limits = seat.limits
            clock = self._clocks[side]
            if clock.control.kind != "none":
                following = self._clocks[(side + 1) % len(self._clocks)]
                limits = replace(limits, clock=clock, opponent_clock=following, clocks=tuple(self._clocks))
            decision = self._thinking(player, seen, limits, offered)
        except PlayerError as error:
            self.screen.say("failed", name=seat.name, error=error)
            raise Failed from None
        spent = time.monotonic() - begun
        if spent > self._clocks[side].reach:
            return self.referee.end(side, "time")
        if decision.action == "resign":
            return self.referee.end(side, "resignation")
        name = bare = ""
        try:
            if decision.move is not None and decision.action != "pass":
                name = self.game.name_of(seen, decision.move, self.screen.language)
                bare = str(seen.move_text(decision.move))
            played = self.referee.accept(decision)
        except ValueError as error:
            self.screen.say("failed", name=seat.name, error=error)
            raise Failed from None
        self._refused = offered and played != ""
        self._note(side, played, bare or played, name or played, spent, decision)
        return None

    def _thinking(self, player: MatchPlayer, seen: Any, limits: Limits, offered: bool) -> Decision:
        """Ask a player in a thread of its own, so that Ctrl-C is heard. Raises PlayerError."""
        found: list[Decision | BaseException] = []

        def think() -> None:
            try:
                found.append(player.choose(seen, self.referee.color, limits, offered))
            except BaseException as error:  # told to who waits
                found.append(error)

        thread = threading.Thread(target=think, name="player", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
        except KeyboardInterrupt:
            player.stop()
            thread.join(3)
            raise
        answer = found[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    # ------------------------------------------------------------------ what is shown

    def _hand_over(self, side: int) -> None:
        """Have one person look away before another one looks at what only it may see."""
        if self.hides and self._viewer not in (None, side):
            self.screen.say("hand-over", side=self._name(side))
            if self.screen.attended:
                self.screen.line()
            self.screen.wipe()
            self.screen.say("hand-over", side=self._name(side))
            if self.screen.attended:
                self.screen.line()
        self._viewer = side

    def _texts_for(self, side: int) -> list[str]:
        """The moves as a side was told them, each with its name where that says more."""
        told = list(self.referee.observe(side).told) if self.game.hidden else [turn.move for turn in self._turns]
        told = told[len(told) - sum(bool(turn.move) for turn in self._turns) :] if self.game.hidden else told
        found = []
        moves = iter(told)
        for turn, name, bare in zip(self._turns, self._names, self._bare, strict=True):
            text = next(moves) if turn.move or not self.game.hidden else ""
            found.append(text if name in ("", text, turn.move, bare) else f"{text} {name}")
        return found

    def _told_to(self, side: int) -> str:
        """The last move as a side was told it."""
        return str(self.referee.observe(side).told[-1]) if self.game.hidden else self._turns[-1].move

    def _news(self, side: int) -> None:
        """The moves since this person's last one."""
        texts = self._texts_for(side)
        for at in range(self._shown[side], len(texts)):
            self.screen.say("played", side=self._name(self._movers[at]), move=texts[at])
        self._shown[side] = len(texts)
        if self._refused:
            self.screen.say("refused")
            self._refused = False

    def _draw(self, side: int) -> None:
        seen = self.referee.observe(side)
        language = self.screen.language
        self.screen.board(lambda letters: self.game.grid(seen, letters, language))
        parts = [say("move-number", language, number=len(self._turns) + 1)]
        parts.append(say("to-move", language, side=self._name(side)))
        if self._clocks[side].control.kind != "none":
            parts += [f"{self._name(one)} {_time(clock)}" for one, clock in enumerate(self._clocks)]
        self.screen.tell("  ".join(parts))

    # ------------------------------------------------------------------ beginning and end

    def _lay(self) -> None:
        """Have each person lay its own pieces, where the game has that."""
        layouts = list(self.saved.opening.layouts) or [""] * len(self.seats)
        for side in self.referee.to_lay():
            if layouts[side]:
                continue
            if self.seats[side].player is not None:
                layouts[side] = self.game.layout()
                if layouts[side]:
                    self.referee.lay(side, layouts[side])
                continue
            self._hand_over(side)
            self.screen.say("lay", side=self._name(side))
            while True:
                self.screen.prompt(f"{self._name(side)} > ")
                text = (self.screen.line() or "").strip()
                command = command_of(text)[0]
                if command == "quit":
                    raise Left
                if command == "board":
                    self._draw(side)
                    continue
                if text:
                    try:
                        self.referee.lay(side, text)
                    except ValueError as error:
                        self.screen.tell(str(error))
                        continue
                layouts[side] = text
                break
        if any(layouts):
            self.saved = replace(self.saved, opening=replace(self.saved.opening, layouts=tuple(layouts)))

    def _count(self) -> Ending:
        """The count of a game that needs one, by a person's word or the built-in judgement."""
        self._draw(self._people[0] if self._people else 0)
        self.screen.say("dead")
        while True:
            self.screen.prompt("> ")
            text = (self.screen.line() or "").strip()
            if command_of(text)[0] == "quit":
                raise Left
            try:
                words = text.lower()
                dead = None if not words else frozenset() if words == "none" else self.referee.read_dead(text)
            except ValueError as error:
                self.screen.tell(str(error))
                continue
            said = (dead,) * len(self.seats)
            return self.referee.count(partial(tuple, said))[0]

    def _note(
        self, side: int, played: str, bare: str, name: str, spent: float, decision: Decision | None = None
    ) -> None:
        """Write a turn down, charge the clock, keep the game."""
        before, clock = self._now(), self._clocks[side]
        clock.spend(spent)
        timed = clock.control.kind != "none"
        turn = Turn(played, spent, clock.left if timed else None, clock.stones if timed else 0)
        if decision is not None:
            turn = turn._replace(
                score=decision.score, winrate=decision.winrate, depth=decision.depth, nodes=decision.nodes
            )
        self._turns.append(turn)
        self._names.append(name)
        self._bare.append(bare)
        self._movers.append(side)
        self._clocks_before.append(before)
        self._keep()

    def _state(self) -> Saved:
        return replace(self.saved, turns=tuple(self._turns), clocks=tuple(self._now()), flipped=self.screen.flipped)

    def _keep(self, ending: Ending | None = None) -> None:
        """Write the game down. What can't be written is told once."""
        try:
            if ending is None:
                files.write(self.path, self._state())
            if self.saved.record and (ending is not None or not (self.game.hidden or self.game.chance)):
                replace_file(self.saved.record, self.record(ending))
        except (OSError, ValueError) as error:
            if not self._told:
                self._told = True
                self.screen.say("not-kept", error=error)

    def record(self, ending: Ending | None) -> str:
        """The game as a record, finished or not."""
        played = PlayedGame(
            names=tuple(seat.name or self.game.sides[side] for side, seat in enumerate(self.seats)),
            opening=self.saved.opening,
            turns=tuple(self._turns),
            ending=ending or Ending(None, "", self.game.unfinished),
            control=self._clocks[0].control,
            number=1,
            round=1,
            game_of_round=1,
            date=self.saved.date,
            event="qiqiao play",
            reason="" if ending is None else self._reason(ending, "en"),
        )
        return self.game.record_text(played, self.game.notations[0] if self.game.notations else "")

    def _reason(self, ending: Ending, language: Any) -> str:
        if language != "en" and ending.reason in REASON_WORDS:
            return text_in(REASON_WORDS[ending.reason], language)
        words = {**REASONS, **self.game.reasons}.get(ending.reason, ending.reason)
        return f"{words}: {ending.words}" if ending.words and ending.words != words else words

    def _finish(self, ending: Ending) -> None:
        """Say how it has ended, write the record, and forget what was kept to go on."""
        viewer = self._people[0] if self._people else 0
        if viewer in self._shown:
            self._news(viewer)
        self._draw_end(viewer)
        reason = self._reason(ending, self.screen.language)
        if ending.winner is not None:
            self.screen.say("wins", side=self._name(ending.winner), reason=reason, result=ending.result)
        else:
            drawn = not ending.scores or len(set(ending.scores)) == 1
            self.screen.say("drawn" if drawn else "over", reason=reason, result=ending.result)
        self._keep(ending)
        if self.saved.record and not self._told:
            self.screen.say("recorded", file=self.saved.record)
        if self.path.endswith(".resume") or str(files.folder()) in os.path.abspath(self.path):
            with contextlib.suppress(OSError):
                os.remove(self.path)

    def _draw_end(self, side: int) -> None:
        seen = self.referee.game.observe(None) if self.hides else self.referee.observe(side)
        self.screen.board(lambda letters: self.game.grid(seen, letters, self.screen.language))

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return len(self._turns)


def _time(clock: Clock) -> str:
    """A clock as people read it: ``4:59``, with the stones or periods left in overtime."""
    whole = max(0, int(clock.left))
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return text + (f" ({clock.stones})" if clock.stones else "")
