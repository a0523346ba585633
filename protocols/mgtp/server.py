"""A server of MGTP: banqi, luoqi or sanguo for whoever asks for moves in that protocol.

It knows the game as everybody at the table is told it, never a deal: what a turn-up shows comes by ``flip``. A move
that it has chosen is not played before it is told back, as to all players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines import __version__, games
from engines.banqi.referee import IllegalMove
from engines.clock import Clock, TimeControl
from engines.errors import QiqiaoError
from engines.gametype import Opening
from engines.player import Limits, PlayerError
from protocols.mgtp.commands import NUMBERS, VERSION, Request, read_request
from protocols.stdio import End

COLORS = {"red": "r", "black": "b"}
"""How banqi's and luoqi's sides are called; before the first turn-up a side is ``unknown``."""

RESIGNATION = "a0 a0"
"""What a program answers that gives the game up, or has no action."""

LONGEST = 10**9
"""Milliseconds of the longest clock that is understood."""


class CommandError(QiqiaoError, ValueError):
    """A request that can't be met; the text says why."""


class Server:
    """See ``protocols.stdio.LineServer``."""

    patient = False

    def __init__(
        self, make_player: Callable[[str], Any], game: str = "banqi", rules: str = "", limits: Limits | None = None
    ) -> None:
        """``make_player`` gives the player of a game by its name. ``limits`` bound every choice besides the clock.

        Raises ValueError for a game or rules that there are none of.
        """
        self._make_player = make_player
        self._limits = limits or Limits()
        self._game, self._rules, self._options = game, rules, dict[str, Any]()
        self._player: Any = None
        self._players_game = ""
        self._clocks: dict[str, Clock] = {}
        self._finished = False
        self._model = self._new(game, rules, {}, "")

    # ------------------------------------------------------------------ LineServer

    @property
    def finished(self) -> bool:
        """See ``protocols.stdio.LineServer``."""
        return self._finished

    def notice(self, line: str) -> None:
        """Whoever leaves need not wait for a move."""
        if line.split()[-1:] == ["quit"]:
            self._stop()

    def notice_end(self, why: End) -> None:
        """See ``protocols.stdio.LineServer``."""
        if why != "eof" or not self.patient:
            self._stop()

    def _stop(self) -> None:
        player = self._player
        if player is not None:
            player.stop()

    def refuse(self, head: str) -> str | None:
        """See ``protocols.stdio.LineServer``."""
        request = read_request(head)
        return f"?{request.ident if request else ''} the line is too long\n"

    def close(self) -> None:
        """See ``protocols.stdio.LineServer``."""
        if self._player is not None:
            self._player.close()

    def handle(self, line: str) -> str | None:
        """Answer a line; None for an empty one."""
        request = read_request(line)
        if request is None:
            return None
        if not request.name:
            word = (request.arguments or [request.ident])[0]
            return f"?{request.ident} unknown command '{word[:40]}'\n"
        try:
            text = getattr(self, f"on_{request.name}")(request)
        except (CommandError, IllegalMove, ValueError, PlayerError) as error:
            return f"?{request.ident} {' '.join(str(error).split())}\n"
        return f"={request.ident} {text}\n" if text else f"={request.ident}\n"

    # ------------------------------------------------------------------ about the program

    def on_protocol_version(self, request: Request) -> str:
        return VERSION

    def on_name(self, request: Request) -> str:
        return "qiqiao"

    def on_version(self, request: Request) -> str:
        return __version__

    def on_known_command(self, request: Request) -> str:
        return "true" if self._words(request, 1)[0] in NUMBERS else "false"

    def on_list_commands(self, request: Request) -> str:
        return "\n".join(NUMBERS) + "\n"

    def on_quit(self, request: Request) -> str:
        self._finished = True
        return ""

    def on_ready(self, request: Request) -> str:
        return ""

    # ------------------------------------------------------------------ the game

    def _new(self, game: str, rules: str, options: dict[str, Any], setup: str) -> Any:
        """The game from its beginning as everybody sees it. Raises ValueError."""
        table = {one.name for one in games.find(game).option_table}
        kind = games.make(game, rules, {name: value for name, value in options.items() if name in table})
        return kind.begin(Opening(setup)).observe(None).model()  # type: ignore[arg-type]

    def _begin(self, game: str, rules: str, options: dict[str, Any], setup: str = "") -> None:
        model = self._new(game, rules, options, setup)
        self._model, self._game, self._rules, self._options = model, game, rules, options

    def on_boardsize(self, request: Request) -> str:
        width, height = (_number(word, 100) for word in self._words(request, 2))
        options = dict(self._options)
        if {width, height} == {4, 8}:
            game = "banqi" if self._game == "sanguo" else self._game
        elif width == 9 and height in (5, 10):
            game, options["board"] = "sanguo", "half" if height == 5 else "whole"
        else:
            raise CommandError(f"there is no board of {width} by {height} points here")
        self._begin(game, "" if game != self._game else self._rules, options)
        return ""

    def on_reset_board(self, request: Request) -> str:
        self._begin(self._game, self._rules, self._options)
        self._clocks = {name: Clock(clock.control) for name, clock in self._clocks.items()}
        return ""

    def _rules_named(self, name: str) -> None:
        if name in ("banqi", "luoqi", "sanguo"):
            self._begin(name, "", self._options)
        else:
            self._begin(self._game, name, self._options)

    def on_rules(self, request: Request) -> str:
        self._rules_named(self._words(request, 1)[0])
        return ""

    def on_num_repetition(self, request: Request) -> str:
        times = _number(self._words(request, 1)[0], 100)
        if times not in (0, 3):
            raise CommandError("repetitions are judged at the third time, or with 0 never")
        if self._game != "sanguo":
            self._change(repetition="cycle" if times else "none")
        return ""

    def on_num_moves_to_draw(self, request: Request) -> str:
        self._change(still=_number(self._words(request, 1)[0], 10000))
        return ""

    def _change(self, **options: Any) -> None:
        if self._model.plies:
            raise CommandError("that can be set before the first move only")
        self._begin(self._game, self._rules, {**self._options, **options})

    def on_init_board(self, request: Request) -> str:
        if not request.arguments or "/" not in request.arguments[0]:
            raise CommandError("a position is told as a FEN")
        self._begin(self._game, self._rules, self._options, " ".join(request.arguments))
        return ""

    def on_move(self, request: Request) -> str:
        words = request.arguments
        if len(words) not in (2, 3):
            raise CommandError("move wants two squares (and a letter where one takes a face-down piece)")
        self._model.play(f"{words[0]}-{words[1]}" + (f"({words[2]})" if len(words) == 3 else ""))
        return ""

    def on_flip(self, request: Request) -> str:
        square, letter = self._words(request, 2)
        self._model.play(f"{square}({letter})")
        return ""

    def on_place(self, request: Request) -> str:
        square, letter = self._words(request, 2)
        self._model.play(f"{letter}@{square}")
        return ""

    def on_end(self, request: Request) -> str:
        self._model.play("end")
        return ""

    def on_sides(self, request: Request) -> str:
        """What everybody can count is compared with what is told."""
        known = getattr(self._model, "kingdoms", None)
        if known is None:
            raise CommandError("sides are told in sanguo")
        for word in request.arguments:
            number, _, letter = word.partition(":")
            if number not in ("1", "2", "3") or letter not in ("r", "g", "b"):
                raise CommandError(f"'{word[:20]}' is not like 1:r (players 1 to 3; r, g, b)")
            if known[int(number) - 1] not in (None, letter):
                raise CommandError(f"player {number} has {known[int(number) - 1]}")
        return ""

    def on_game_over(self, request: Request) -> str:
        self._words(request, 1)
        return ""

    def on_showboard(self, request: Request) -> str:
        model = self._model
        kind = games.make(self._game, self._rules)
        board = kind.grid(model, letters=True)
        lines = [*board.lines(), *board.below, model.setup_text()]
        return "\n" + "\n".join(line for line in lines if line.strip()) + "\n"

    # ------------------------------------------------------------------ time and moves

    def on_time_settings(self, request: Request) -> str:
        seconds = _number(self._words(request, 1)[0], LONGEST) / 1000
        control = TimeControl.absolute(max(0.001, seconds)) if seconds else TimeControl.none()
        self._clocks = {name: Clock(control) for name in ("red", "black", "unknown", "1", "2", "3")}
        return ""

    def on_time_left(self, request: Request) -> str:
        name, text = self._words(request, 2)
        if name not in ("red", "black", "unknown", "1", "2", "3"):
            raise CommandError(f"'{name[:20]}' is no side")
        seconds = _number(text, LONGEST) / 1000
        clock = Clock(TimeControl.absolute(max(0.001, seconds)))
        clock.set_left(seconds)
        self._clocks[name] = clock
        return ""

    def on_genmove(self, request: Request) -> str:
        name = self._words(request, 1)[0].lower()
        model = self._model
        self._check_turn(name)
        if model.result is not None:
            raise CommandError("the game is over")
        if self._player is None or self._players_game != self._game:
            self.close()
            self._player, self._players_game = self._make_player(self._game), self._game
        limits = self._limits
        clock = self._clocks.get(name)
        if clock is not None and clock.control.kind != "none":
            limits = Limits(seconds=limits.seconds, nodes=limits.nodes, depth=limits.depth, clock=clock)
        choice = self._player.choose(model, model.turn, limits)
        if choice.action == "resign" or choice.move is None:
            return RESIGNATION
        return self._move_text(choice.move)

    def _check_turn(self, name: str) -> None:
        """Raises CommandError where it is not that side's turn."""
        model = self._model
        if self._game == "sanguo":
            if name not in ("1", "2", "3"):
                raise CommandError(f"'{name[:20]}' is no player: they are 1, 2, 3")
            if int(name) - 1 != model.turn:
                raise CommandError(f"it is the turn of player {model.turn + 1}")
            return
        if name not in ("red", "black", "unknown"):
            raise CommandError(f"'{name[:20]}' is no side: they are red, black, unknown")
        color = "rb"[model.turn] if self._game == "luoqi" else model.colors[model.turn]
        if color is not None and COLORS.get(name) not in (None, color):
            raise CommandError(f"it is {'red' if color == 'r' else 'black'}'s turn")

    def _move_text(self, move: int) -> str:
        """A move as ``genmove`` answers it: a turn-up is its square twice."""
        text: str = self._model.move_text(move)
        if "@" in text or text == "end":
            return text
        origin, _, target = text.partition("-")
        return f"{origin} {target or origin}"

    @staticmethod
    def _words(request: Request, count: int) -> list[str]:
        if len(request.arguments) != count:
            raise CommandError(f"{request.name} wants {count} argument{'s' * (count != 1)}")
        return request.arguments


def _number(text: str, most: int) -> int:
    """A whole number from 0 to ``most``. Raises CommandError."""
    if not (text.isascii() and text.isdigit()) or len(text) > 12 or int(text) > most:
        raise CommandError(f"'{text[:20]}' is no number from 0 to {most}")
    return int(text)
