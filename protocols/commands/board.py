"""``qiqiao board``: a game on a sensor board without any other program."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engines.clock import TimeControl
from engines.files import keep_original, read_bytes
from engines.go.coordinates import SYSTEMS
from engines.go.levels import MAX_LEVEL, level_number
from protocols.commands.arguments import number
from protocols.log import SessionLog, complain
from protocols.sensor.reading import Event, Hello, State, Status
from protocols.sensor.session.typed import HELP
from protocols.sensor.settings import PREFIX, add_board_arguments, board_settings

if TYPE_CHECKING:
    from protocols.sensor.links.connection import Connection
    from protocols.sensor.session.board_session import BoardSession

FULL_LEVEL = 20
"""The level of Xiangqi's search at which nothing is held back."""

NOBODY = "none"
"""The opponent where both sides sit at the board."""

MAX_KEPT = 1 << 25
"""Bytes of a record that is kept as it was: no reader takes a larger one."""

PERIODS = 5
"""Periods of overtime where none are named."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao board``."""
    parser.add_argument(
        "url",
        help="the board: a serial port, a pyserial URL, saiboard://HOST, or auto",
    )
    parser.add_argument(
        "--game", choices=["go", "xiangqi"], help="what is played (Xiangqi on a board of 9x10 points, on others Go)"
    )
    parser.add_argument(
        "--opponent",
        default="search",
        metavar="PLAYER",
        help="who plays the other side: search (built in, the default; search:ARGUMENTS, as qiqiao gtp or uci takes "
        "them), another program (gtp:COMMAND, ucci:COMMAND, "
        "uci:COMMAND), the name of an engine, or none for two people at the board",
    )
    parser.add_argument("--engines", metavar="FILE", help="the file of named engines")
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        help=f"the built-in opponent's strength: Go: a rank from 30k to 1d, or 1 to {MAX_LEVEL}; Xiangqi: 0 to "
        f"{FULL_LEVEL} (full strength)",
    )
    parser.add_argument(
        "--side",
        choices=["first", "second"],
        default="first",
        help="the person's: first (Black in Go, Red in Xiangqi; the default) or second",
    )
    parser.add_argument("--record", metavar="FILE", help="keep the game in FILE (SGF or PGN), whole after every move")
    parser.add_argument("--resume", metavar="FILE", help="go on with the game in FILE, and keep it there")
    parser.add_argument("--size", type=number(int, 1, 25), metavar="N", help="Go: size of the board (the board's own)")
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
    parser.add_argument(
        "--coordinates", choices=SYSTEMS, default="gtp", help="Go: how points are named, shown and typed (gtp)"
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


def _level(arguments: argparse.Namespace) -> int:
    """The built-in search's level. Raises ValueError for one that the game does not have."""
    text = arguments.level
    if arguments.game == "go":
        return level_number(text) if text else MAX_LEVEL
    if text is None:
        return FULL_LEVEL
    if not (text.isascii() and text.isdigit() and int(text) <= FULL_LEVEL):
        raise ValueError(f"--level: for Xiangqi a number from 0 to {FULL_LEVEL}, not '{text}'")
    return int(text)


def _opponent(arguments: argparse.Namespace, size: tuple[int, int]) -> Any:
    """The player of the other side, not tried yet; None for two people. Raises ValueError."""
    if arguments.level is not None and arguments.opponent != "search":
        raise ValueError("--level is for the built-in search; another program has options of its own")
    if arguments.opponent == NOBODY:
        return None
    level = _level(arguments)
    from protocols.programs.registry import RosterError, default_path, find

    try:
        spec = find(arguments.opponent, arguments.game, arguments.engines or default_path())
    except RosterError as error:
        arguments.parser.error(f"argument --opponent: {error}")
    if arguments.game == "go":
        from protocols.gtp.options import Options
        from protocols.gtp.players import make_player

        width, height = size
        options = Options(width=width, height=height, engine=spec, move_time=arguments.move_time, level=level)
        return make_player(options, SessionLog())
    from engines.xiangqi.player import SearchPlayer, Settings

    if spec is None:
        return SearchPlayer(Settings(move_time=arguments.move_time, level=level))
    from protocols.commands.clients import client_class
    from protocols.xiangqi.engine import EnginePlayer

    settings = Settings(move_time=arguments.move_time)
    return EnginePlayer(spec, settings, SessionLog(), make_client=client_class(spec.protocol))


def _try(opponent: Any, game: Any) -> None:
    """Start the opponent before anybody sits down to play. Raises ValueError, with a text for the user."""
    from protocols.programs.supervisor import EngineError

    prepare = getattr(opponent, "prepare", None)
    if prepare is None:
        return
    try:
        prepare(game) if hasattr(game, "points") else prepare()
    except (EngineError, ValueError) as problem:
        opponent.close()
        raise ValueError(f"argument --opponent: {problem}") from None


class Early:
    """A board that was listened to before the game: what it has said is said again to who plays on it."""

    def __init__(self, board: Connection) -> None:
        self._board = board
        self._kept: deque[Event] = deque()

    @property
    def hello(self) -> Hello | None:
        return self._board.hello

    def meet(self, say: Callable[[str], None]) -> Hello:
        """Wait until the board has said what it is. ``say`` gets what keeps it from that."""
        said = False
        while True:
            event = self._board.get(1.0)
            if isinstance(event, Status) and event.state is not State.READY:
                say(f"board: {event.state.value}" + (f": {event.text}" if event.text else ""))
            elif event is not None:
                self._kept.append(event)
            if isinstance(event, Hello):
                return event
            if event is None and not said:
                said = True
                say("waiting for the board to say what it is (--game, and --size for Go, say it without the board)")

    def get(self, timeout: float | None = None) -> Event | None:
        return self._kept.popleft() if self._kept else self._board.get(timeout)

    def show(self, leds: str) -> None:
        self._board.show(leds)

    def beep(self, times: int = 1) -> None:
        self._board.beep(times)

    def now(self) -> float:
        return self._board.now()

    def close(self) -> None:
        self._board.close()


def _kind(path: str) -> str:
    """The game of a record that is neither SGF nor PGN; "" for these, and for what can't be read."""
    from engines.records import kind_of

    try:
        return kind_of(read_bytes(path, MAX_KEPT))[0]
    except OSError:
        return ""


def _size(arguments: argparse.Namespace, board: Early, say: Callable[[str], None]) -> tuple[int, int]:
    """What is played, which ``arguments`` gets, and on how many points: as named, else as the board says."""
    if arguments.game is None and arguments.resume:
        known = _kind(arguments.resume)
        arguments.game = known or ("xiangqi" if arguments.resume.lower().endswith(".pgn") else "go")
    if arguments.game == "xiangqi":
        return 9, 10
    if arguments.size is not None or arguments.resume:
        arguments.game = "go"
        return (arguments.size or 19,) * 2
    geometry = board.meet(say).geometry
    if arguments.game is None:
        arguments.game = "xiangqi" if (geometry.width, geometry.height) == (9, 10) else "go"
        say(f"the board has {geometry} points: {'Xiangqi (象棋)' if arguments.game == 'xiangqi' else 'Go (围棋/圍棋)'}")
    return geometry.width, geometry.height


def run(arguments: argparse.Namespace) -> int:
    """Play until quit, end of input or a signal."""
    from protocols.sensor.codecs.boards import open_board
    from protocols.sensor.session.games import session_type

    error = arguments.parser.error
    if arguments.record and arguments.resume:
        error("--record and --resume: name one file")
    if arguments.record and os.path.exists(arguments.record):
        error(f"{arguments.record} exists; --resume goes on with the game in it")
    settings = board_settings(arguments, arguments.url.removeprefix(PREFIX), final=False)
    first = arguments.side == "first"
    screen = Screen(plain=arguments.plain or not sys.stdout.isatty())
    path = arguments.resume or arguments.record or ""
    if arguments.resume and _kind(arguments.resume):
        # What is neither SGF nor PGN is gone on with in a file of its own.
        path = os.path.splitext(path)[0] + (".pgn" if _kind(path) == "xiangqi" else ".sgf")
        if os.path.exists(path):
            error(f"{arguments.resume} would be gone on with in {path}, which exists: --resume that, or put it away")
        complain(f"qiqiao board: the game goes on in {path}")
    session: BoardSession
    try:
        control = _control(arguments)
        board = Early(open_board(settings.url, describe=settings.describe, baseline=settings.baseline))
    except (ValueError, OSError) as problem:
        error(str(problem))
    try:
        size = _size(arguments, board, screen.say)
        begin, kept, result = _begin(arguments, size)
        opponent = _opponent(arguments, (getattr(begin, "width", 9), getattr(begin, "height", 10)))
        _try(opponent, begin)
    except (ValueError, OSError) as problem:
        board.close()
        error(str(problem))
    except KeyboardInterrupt:
        board.close()
        return 0
    how = {
        "board": board,
        "opponent": opponent,
        "control": control,
        "move_time": arguments.move_time,
        "say": screen.say,
        "show": screen.show,
    }
    try:
        kind = session_type(arguments.game)
        begins, replies = kind.colors
        how["humans"] = frozenset(kind.colors if how["opponent"] is None else (begins if first else replies,))
        session = kind.session(begin, path, settings, arguments, kept, **how)
    except ValueError as problem:
        board.close()
        error(str(problem))
    screen.say(f"type: {HELP}")
    session.result = result
    screen.session = session
    threading.Thread(target=_read, args=(session,), name="typed", daemon=True).start()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: session.stop())
    try:
        session.run()
    except KeyboardInterrupt:
        session.stop()
    screen.finish()
    return 0


def _begin(arguments: argparse.Namespace, size: tuple[int, int] = (19, 19)) -> tuple[Any, Any, str]:
    """The game to begin with, the record that is gone on with, if any, and its result so far. Raises ValueError."""
    from protocols.sensor.session.games import session_type

    kind = session_type(arguments.game)
    if not arguments.resume:
        return kind.begin(arguments, size), None, ""
    resumed = kind.resume(arguments)
    _tell_notes(arguments.resume, resumed.notes)
    return resumed.game, resumed.kept, resumed.result


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


def _read(session: BoardSession) -> None:
    """What is typed; the end of input does not end the game, for a board may well be used without a keyboard."""
    for line in sys.stdin:
        session.typed(line)


class Screen:
    """The terminal: position, clocks and what is waited for, renewed in place; or plain lines."""

    def __init__(self, plain: bool) -> None:
        self.plain = plain
        self.session: Any = None
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
        session = self.session
        if session is None:
            return
        if self.plain:
            status = session.status()
            if status != self._last:
                self._last = status
                print(f"[{status}]", flush=True)
            return
        clocks = []
        for color in session.colors:
            left = session.running(color)
            if left is not None:
                clocks.append(f"{session.name_color(color)} {int(left) // 60}:{int(left) % 60:02}")
        text = "\n".join([session.picture(), "", "   ".join(clocks), session.status(), "", *self._lines, f"({HELP})"])
        if text != self._last:
            self._last = text
            # Home, each line to its end, then whatever is left below.
            sys.stdout.write("\x1b[H" + text.replace("\n", "\x1b[K\n") + "\x1b[K\x1b[J\n")
            sys.stdout.flush()

    def finish(self) -> None:
        """Leave the terminal as it was."""
        if self.session is not None and self.session.result:
            complain(f"qiqiao board: {self.session.result}")
