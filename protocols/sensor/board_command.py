"""``qiqiao board``: a game on a sensor board without any other program."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engines.clock import TimeControl
from engines.files import keep_original
from protocols.arguments import number
from protocols.log import SessionLog, complain
from protocols.sensor.settings import PREFIX, add_board_arguments, board_settings

if TYPE_CHECKING:
    from protocols.sensor.evening import Evening

NOBODY = "none"
"""The opponent where both sides sit at the board."""

MAX_KEPT = 1 << 25
"""Bytes of a record that is kept as it was: no reader takes a larger one."""

PERIODS = 5
"""Periods of overtime where none are named."""

HANDICAP_KOMI = 0.5
"""Komi with handicap stones where none is named: White's usual half point, so that no game is drawn."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao board``."""
    parser.add_argument(
        "url",
        help="the board: a serial port, a pyserial URL, saiboard://HOST, or auto",
    )
    parser.add_argument("--game", choices=["go", "xiangqi"], required=True, help="what is played")
    parser.add_argument(
        "--opponent",
        default="search",
        metavar="PLAYER",
        help="who plays the other side: search (built in, the default), another program (gtp:COMMAND, ucci:COMMAND, "
        "uci:COMMAND), the name of an engine, or none for two people at the board",
    )
    parser.add_argument("--engines", metavar="FILE", help="the file of named engines")
    parser.add_argument(
        "--side",
        choices=["first", "second"],
        default="first",
        help="the person's: first (Black in Go, Red in Xiangqi; the default) or second",
    )
    parser.add_argument("--record", metavar="FILE", help="keep the game in FILE (SGF or PGN), whole after every move")
    parser.add_argument("--resume", metavar="FILE", help="go on with the game in FILE, and keep it there")
    parser.add_argument("--size", type=number(int, 1, 25), default=19, metavar="N", help="Go: size of the board (19)")
    parser.add_argument(
        "--rules", default="", metavar="NAME", help="Go: chinese (default), japanese, ...; Xiangqi: axf"
    )
    parser.add_argument(
        "--komi",
        type=number(float, -1e6, 1e6),
        metavar="POINTS",
        help="Go: points for White (the rules' own; 0.5 with a handicap)",
    )
    parser.add_argument("--handicap", type=number(int, 0, 9), default=0, metavar="N", help="Go: handicap stones (0)")
    parser.add_argument(
        "--time", type=number(float, 0, 1e6), default=0.0, metavar="MINUTES", help="main time for each side (no clock)"
    )
    parser.add_argument(
        "--increment",
        type=number(float, 0, 3600),
        default=0.0,
        metavar="SECONDS",
        help="added to it after each move",
    )
    parser.add_argument(
        "--byoyomi", type=number(float, 0, 3600), default=0.0, metavar="SECONDS", help="overtime a move (读秒/讀秒)"
    )
    parser.add_argument("--periods", type=number(int, 1, 100), metavar="N", help=f"periods of it ({PERIODS})")
    parser.add_argument(
        "--move-time",
        type=number(float, 0.01, 86400),
        default=2.0,
        metavar="SECONDS",
        help="the opponent's time a move without a clock (2)",
    )
    parser.add_argument(
        "--pieces",
        choices=["letters", "simplified", "traditional"],
        default="letters",
        help="how Xiangqi pieces are drawn",
    )
    parser.add_argument("--plain", action="store_true", help="lines only, no drawing that is renewed in place")
    add_board_arguments(parser, stopped=False)


def _control(arguments: argparse.Namespace) -> TimeControl | None:
    """The clock of each side, None for no clock. Raises ValueError for options that make none together."""
    main = arguments.time * 60
    if arguments.increment and not main:
        raise ValueError("--increment needs --time: a clock that begins empty has lost at once")
    if arguments.increment and arguments.byoyomi:
        raise ValueError("--increment and --byoyomi: name one of them")
    if arguments.periods and not arguments.byoyomi:
        raise ValueError("--periods needs --byoyomi")
    if arguments.byoyomi:
        return TimeControl.byoyomi(main, arguments.byoyomi, arguments.periods or PERIODS)
    if arguments.increment:
        return TimeControl.fischer(main, arguments.increment)
    return TimeControl.absolute(main) if main else None


def _opponent(arguments: argparse.Namespace) -> Any:
    """The player of the other side; None for two people."""
    if arguments.opponent == NOBODY:
        return None
    from protocols.roster import RosterError, default_path, find

    try:
        spec = find(arguments.opponent, arguments.game, arguments.engines or default_path())
    except RosterError as error:
        arguments.parser.error(f"argument --opponent: {error}")
    if arguments.game == "go":
        from protocols.gtp.options import Options
        from protocols.gtp.players import make_player

        options = Options(width=arguments.size, height=arguments.size, engine=spec, move_time=arguments.move_time)
        return make_player(options, SessionLog())
    from engines.xiangqi.player import SearchPlayer, Settings

    if spec is None:
        return SearchPlayer(Settings(move_time=arguments.move_time))
    from protocols.xiangqi.engine import EnginePlayer

    return EnginePlayer(spec, Settings(move_time=arguments.move_time), SessionLog())


def run(arguments: argparse.Namespace) -> int:
    """Play until quit, end of input or a signal."""
    from protocols.sensor.boards import open_board

    error = arguments.parser.error
    if arguments.record and arguments.resume:
        error("--record and --resume: name one file")
    if arguments.record and os.path.exists(arguments.record):
        error(f"{arguments.record} exists; --resume goes on with the game in it")
    settings = board_settings(arguments, arguments.url.removeprefix(PREFIX), final=False)
    first = arguments.side == "first"
    screen = Screen(plain=arguments.plain or not sys.stdout.isatty())
    path = arguments.resume or arguments.record or ""
    evening: Evening
    try:
        control = _control(arguments)
        begin, kept, result = _begin(arguments)
        board = open_board(settings.url, describe=settings.describe, baseline=settings.baseline)
    except (ValueError, OSError) as problem:
        error(str(problem))
    how = {
        "board": board,
        "opponent": _opponent(arguments),
        "control": control,
        "move_time": arguments.move_time,
        "say": screen.say,
        "show": screen.show,
    }
    try:
        if arguments.game == "go":
            from protocols.sensor.go_evening import GoEvening

            how["humans"] = frozenset((1, 2) if how["opponent"] is None else (1 if first else 2,))
            evening = GoEvening(begin, path, settings, arguments.handicap, kept, **how)
        else:
            from protocols.sensor.xiangqi_evening import XiangqiEvening

            how["humans"] = frozenset((0, 1) if how["opponent"] is None else (0 if first else 1,))
            evening = XiangqiEvening(begin, path, settings, arguments.pieces, kept, **how)
    except ValueError as problem:
        board.close()
        error(str(problem))
    evening.result = result
    screen.evening = evening
    threading.Thread(target=_read, args=(evening,), name="typed", daemon=True).start()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: evening.stop())
    try:
        evening.run()
    except KeyboardInterrupt:
        evening.stop()
    screen.finish()
    return 0


def _begin(arguments: argparse.Namespace) -> tuple[Any, Any, str]:
    """The game to begin with, the record that is gone on with, if any, and its result so far. Raises ValueError."""
    if arguments.game == "go":
        from engines.go import rules
        from engines.go.game import Game
        from protocols.sensor import go_evening

        if arguments.resume:
            game, kept = go_evening.resumed(arguments.resume)
            _tell_notes(arguments.resume, kept.record.notes)
            result = kept.record.result
            return game, kept, "" if result == go_evening.UNKNOWN else result
        chosen = rules.parse_rules(arguments.rules) if arguments.rules else rules.DEFAULT
        komi = HANDICAP_KOMI if arguments.komi is None and arguments.handicap else arguments.komi
        return Game(arguments.size, rules=chosen, komi=komi), None, ""
    from engines.xiangqi.game import Game as XiangqiGame
    from protocols.sensor import xiangqi_evening

    if arguments.resume:
        begun, record = xiangqi_evening.resumed(arguments.resume, arguments.rules or "axf")
        _tell_notes(arguments.resume, record.notes)
        return begun, record, "" if record.result == "*" else record.result
    return XiangqiGame(rules=arguments.rules or "axf"), None, ""


def _tell_notes(path: str, notes: Sequence[str]) -> None:
    """Tell what was wrong in a record's text, and keep that text: the record is going to be written anew."""
    if not notes:
        return
    for note in notes:
        complain(f"qiqiao board: {path}: {note}")
    try:
        complain(f"qiqiao board: the file as it was is kept as {keep_original(path, MAX_KEPT)}")
    except OSError as error:
        complain(f"qiqiao board: the file as it was can't be kept: {error}")


def _read(evening: Evening) -> None:
    """What is typed; the end of input does not end the game, for a board may well be used without a keyboard."""
    for line in sys.stdin:
        evening.typed(line)


class Screen:
    """The terminal: position, clocks and what is waited for, renewed in place; or plain lines."""

    def __init__(self, plain: bool) -> None:
        self.plain = plain
        self.evening: Any = None
        self._last = ""
        self._lines: list[str] = []

    def say(self, text: str) -> None:
        """Something has happened."""
        if self.plain:
            print(text, flush=True)
        else:
            self._lines = [*self._lines[-5:], text]
            self.show()

    def show(self) -> None:
        """The position or a clock has changed."""
        evening = self.evening
        if evening is None:
            return
        if self.plain:
            status = evening.status()
            if status != self._last:
                self._last = status
                print(f"[{status}]", flush=True)
            return
        clocks = []
        for color in evening.colors:
            left = evening.running(color)
            if left is not None:
                clocks.append(f"{evening.name_color(color)} {int(left) // 60}:{int(left) % 60:02}")
        text = "\n".join([evening.picture(), "", "   ".join(clocks), evening.status(), "", *self._lines])
        if text != self._last:
            self._last = text
            # Home, each line to its end, then whatever is left below.
            sys.stdout.write("\x1b[H" + text.replace("\n", "\x1b[K\n") + "\x1b[K\x1b[J\n")
            sys.stdout.flush()

    def finish(self) -> None:
        """Leave the terminal as it was."""
        if self.evening is not None and self.evening.result:
            complain(f"qiqiao board: {self.evening.result}")
