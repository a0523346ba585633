"""``qiqiao match``: engines against each other, refereed, counted and resumed."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from engines import games
from protocols.commands.arguments import number
from protocols.commands.game_options import add_game_options, options_of
from protocols.log import complain
from protocols.programs.registry import default_path, option

if TYPE_CHECKING:
    from collections.abc import Callable

    from engines.arena.game import MatchPlayer
    from engines.arena.match import Match
    from engines.arena.settings import Entrant, Settings
    from engines.arena.sprt import Sprt

OK, TROUBLE, USAGE, STOPPED = 0, 1, 2, 130
"""Exit codes: all played or decided, an engine that can't be used, wrong usage, stopped by the user."""

_CHANGEABLE = ("games", "sprt", "output", "resume", "concurrency", "cluster", "notation", "quiet", "log", "engines")
"""Options that a resumed match may be given without its engines; the others are as it began."""

_SPRT_KEYS = ("elo0", "elo1", "alpha", "beta", "model")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao match``."""
    who = parser.add_argument_group("who plays")
    who.add_argument("--game", choices=list(games.GAMES), help="what is played")
    who.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="[NAME=]ENGINE",
        help="an engine, given twice or more: PROTOCOL:COMMAND (gtp for Go; ucci, uci, cecp for Xiangqi), an engine's "
        "name, or search, the built-in one (search:ARGUMENTS, as qiqiao gtp or uci takes them)",
    )
    who.add_argument(
        "--option",
        action="append",
        default=[],
        type=_engine_option,
        metavar="NAME:OPTION=VALUE",
        help="an option to set in the engine of that name; may be given again and again",
    )
    who.add_argument("--engines", metavar="FILE", help=f"the file of named engines ({default_path()})")
    who.add_argument(
        "--pairing",
        choices=["round-robin", "gauntlet"],
        default="round-robin",
        help="who meets whom: all each other (the default), or the first all others",
    )
    who.add_argument("--games", type=number(int, 2), metavar="N", help="games of each pairing, an even number (100)")

    time = parser.add_argument_group("time")
    time.add_argument(
        "--time",
        metavar="CONTROL",
        help="60 (seconds a game; 5m, 1h), 60+0.5 (Fischer), 60+0.5@120 (of at most 120 s), 600+30/5 (Canadian), "
        "600+3x30 (byo-yomi), 40/60 (moves in seconds) or none (the default)",
    )
    time.add_argument(
        "--engine-time",
        action="append",
        default=[],
        type=option,
        metavar="NAME=CONTROL",
        help="another time control for one engine",
    )
    time.add_argument("--move-time", type=number(float, 0.001), metavar="SECONDS", help="time for each move")
    time.add_argument("--nodes", type=number(int, 1), metavar="N", help="positions or playouts a move")
    time.add_argument("--depth", type=number(int, 1), metavar="N", help="plies of search")
    time.add_argument(
        "--margin",
        type=number(float, 0),
        default=0.05,
        metavar="SECONDS",
        help="by how much a clock may be overstepped without loss (0.05)",
    )

    rules = parser.add_argument_group("the game")
    rules.add_argument("--rules", default="", metavar="NAME", help="the rule set, as qiqiao gtp and ucci take it")
    add_game_options(rules)
    rules.add_argument(
        "--openings",
        default="random",
        metavar="FILE",
        help="random (plies balanced by the search, the default), none, or a file: PGN, a folder of it, or FENs, EPD "
        "or moves on lines; for Go SGF, a folder of it, or vertices on lines",
    )
    rules.add_argument(
        "--opening-plies", type=number(int, 0, 200), default=0, metavar="N", help="plies of each opening (all)"
    )
    rules.add_argument(
        "--balance",
        type=number(float, 0),
        default=0.0,
        metavar="N",
        help="how uneven a random opening may be: centipawns (60), or per cent beside an even chance (15)",
    )
    rules.add_argument(
        "--shuffle", action=argparse.BooleanOptionalAction, default=False, help="a file's openings in random order"
    )
    rules.add_argument("--seed", type=number(int, 0, 2**63 - 1), default=1, metavar="N", help="of what is random (1)")

    ends = parser.add_argument_group("ends")
    ends.add_argument(
        "--adjudicate-win",
        metavar="SCORExMOVES",
        help="end a game when both engines see the same side so much ahead for so many moves each: centipawns, or in "
        "Go per cent above an even chance (600x4, 48x5)",
    )
    ends.add_argument(
        "--adjudicate-draw",
        metavar="SCORExMOVES@FROM",
        help="end a game as a draw when both see it so even, from that move on (10x8@40)",
    )
    ends.add_argument(
        "--length",
        type=number(int, 0),
        metavar="PLIES",
        help="longest game: then a draw, in Go counted as it stands (Go: 1000; Xiangqi: no bound)",
    )
    ends.add_argument(
        "--sprt",
        metavar="elo0=A,elo1=B,…",
        help="end the match when a sequential test has decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic or "
        "normalized",
    )

    running = parser.add_argument_group("running")
    running.add_argument("--output", default="match", metavar="DIR", help="folder of the match (match)")
    running.add_argument(
        "--resume", action="store_true", help="go on with the match in the folder; engines need not be given again"
    )
    running.add_argument(
        "--concurrency", type=number(int, 0), default=1, metavar="N", help="games side by side (1; 0: all cores)"
    )
    running.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster (tcp://HOST:PORT)")
    running.add_argument(
        "--notation",
        choices=list(dict.fromkeys(word for name in games.GAMES for word in games.find(name).notations)),
        default="iccs",
        help="of moves in PGN (iccs: H2-E2; names of moves cost some time)",
    )
    running.add_argument("--event", default="", metavar="TEXT", help="what the match is called")
    running.add_argument("--quiet", action="store_true", help="show nothing but the table at the end")
    running.add_argument("--log", metavar="FILE", help="append both directions of all sessions to FILE, with times")


def _engine_option(text: str) -> tuple[str, str, str]:
    """``NAME:OPTION=VALUE``."""
    engine, colon, rest = text.partition(":")
    if not colon or not engine.strip():
        raise argparse.ArgumentTypeError(f"expected NAME:OPTION=VALUE, not '{text}'")
    return engine.strip(), *option(rest)


def entrants_of(arguments: argparse.Namespace) -> tuple[Entrant, ...]:
    """Who plays, by the command line. Raises ValueError for an option of nobody."""
    from engines.arena.settings import Entrant
    from protocols.programs.config import PROTOCOLS, EngineConfig

    found: list[tuple[str, str]] = []
    for text in arguments.engine:
        name, equals, source = text.partition("=")
        if not equals or ":" in name:  # an equals sign in a command names nobody
            name, source = "", text
        name = name.strip()
        if not name:
            word, colon, command = source.partition(":")
            if word == "search":
                name = "qiqiao"
            else:
                name = EngineConfig(word, command).title if colon and word in PROTOCOLS else source
            taken = [one for one, _ in found]
            if name in taken:
                name = next(f"{name}-{n}" for n in range(2, len(taken) + 3) if f"{name}-{n}" not in taken)
        found.append((name, source))
    options: dict[str, dict[str, str]] = {name: {} for name, _ in found}
    times: dict[str, str] = {}
    for name, key, value in arguments.option:
        if name not in options:
            raise ValueError(f"--option: there is no engine '{name}' (there: {', '.join(options)})")
        options[name][key] = value
    for name, control in arguments.engine_time:
        if name not in options:
            raise ValueError(f"--engine-time: there is no engine '{name}' (there: {', '.join(options)})")
        times[name] = control
    return tuple(Entrant(name, source, options[name], times.get(name, "")) for name, source in found)


def sprt_of(text: str) -> Sprt:
    """A test from ``elo0=0,elo1=5,…``. Raises ValueError."""
    from engines.arena.sprt import Sprt

    values: dict[str, Any] = {}
    for word in text.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals or key not in _SPRT_KEYS:
            raise ValueError(f"--sprt: '{word}' is not one of {', '.join(f'{one}=…' for one in _SPRT_KEYS)}")
        if key == "model":
            values[key] = value
            continue
        try:
            values[key] = float(value)
        except ValueError:
            raise ValueError(f"--sprt: '{value}' is no number") from None
    return Sprt(**values)


def _threshold(name: str, text: str | None, moves: int, since: int = 0) -> tuple[float, int, int]:
    """``SCORE[xMOVES[@FROM]]``; nothing for None. Raises ValueError."""
    if text is None:
        return 0.0, moves, since
    score, _, rest = text.partition("x")
    count, _, first = rest.partition("@")
    try:
        found = float(score), int(count) if count else moves, int(first) if first else since
    except ValueError:
        raise ValueError(f"{name}: expected SCORE, SCORExMOVES or SCORExMOVES@FROM, not '{text}'") from None
    if found[0] <= 0 or found[1] < 1 or found[2] < 0:
        raise ValueError(f"{name}: score and moves must be more than 0")
    return found


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The match that the command line describes. Raises ValueError, with a text for the user."""
    from engines.arena.settings import Adjudication, Settings

    if arguments.game is None:
        raise ValueError(f"--game is needed: {' or '.join(games.GAMES)}")
    game = games.find(arguments.game)
    win = _threshold("--adjudicate-win", arguments.adjudicate_win, Adjudication.win_moves)
    draw = _threshold("--adjudicate-draw", arguments.adjudicate_draw, Adjudication.draw_moves, Adjudication.draw_from)
    length = arguments.length if arguments.length is not None else game.longest
    book = arguments.openings
    return Settings(
        game=arguments.game,
        entrants=entrants_of(arguments),
        games=arguments.games or 100,
        pairing=arguments.pairing,
        rules=arguments.rules,
        options=game.checked(options_of(arguments)),
        time=arguments.time or "none",
        move_time=arguments.move_time,
        nodes=arguments.nodes,
        depth=arguments.depth,
        margin=arguments.margin,
        openings=book if book in ("none", "random") else os.path.abspath(book),
        opening_plies=arguments.opening_plies,
        balance=arguments.balance,
        shuffle=arguments.shuffle,
        seed=arguments.seed,
        adjudication=Adjudication(win[0], win[1], *draw, length),
        sprt=None if arguments.sprt is None else sprt_of(arguments.sprt),
        event=arguments.event,
    )


def _converted(action: argparse.Action, default: Any) -> Any:
    """A default as it is when nothing is given: texts are read like what is typed."""
    return action.type(default) if isinstance(default, str) and callable(action.type) else default


def _resumed(arguments: argparse.Namespace, path: str) -> Settings:
    """The settings of the match in the folder, made longer if that is asked for. Raises ValueError."""
    import dataclasses

    from engines.arena import journal

    parser = arguments.parser
    for action in parser._actions:
        given = getattr(arguments, action.dest, action.default)
        if action.dest in _CHANGEABLE or action.dest in ("help", "version", "config"):
            continue
        default = parser.get_default(action.dest)
        if given != default and given != _converted(action, default):
            raise ValueError(f"{action.option_strings[-1]} can't be changed when a match is resumed")
    settings = journal.read(path).settings
    changes: dict[str, Any] = {}
    if arguments.games is not None:
        changes["games"] = arguments.games
    if arguments.sprt is not None:
        changes["sprt"] = sprt_of(arguments.sprt)
    return dataclasses.replace(settings, **changes)


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or the rest of it."""
    from engines.arena import journal
    from engines.arena.match import Match, StartError

    path = os.path.join(arguments.output, journal.NAME)
    book: journal.Journal | None = None
    try:
        if arguments.resume and not arguments.engine and os.path.exists(path):
            settings = _resumed(arguments, path)
        elif arguments.resume and not arguments.engine:
            raise ValueError(f"there is no match in '{arguments.output}' to go on with; a new one needs its engines")
        else:
            settings = settings_of(arguments)
        _look(arguments, settings, path)
        games = _games(arguments, settings)
        book = journal.Journal(path, settings, arguments.resume)
        match = Match(settings, book)
        for note in match.openings.notes:
            complain(f"qiqiao match: {note}")
        return _play(arguments, match, games)
    except StartError as error:
        complain(f"qiqiao match: {error}; nothing was written")
        return TROUBLE
    except (ValueError, ImportError) as error:
        complain(f"qiqiao match: {error}")
        return USAGE
    except OSError as error:
        complain(f"qiqiao match: {error}")
        return TROUBLE
    finally:
        if book is not None:
            book.close()


def _games(arguments: argparse.Namespace, settings: Settings) -> Any:
    """Where the games are played. Raises ValueError for engines that there are not."""
    from engines.arena.match import Local
    from protocols.commands.match_players import PlayerMaker

    if arguments.cluster is not None:
        from protocols.commands.match_cluster import Cluster

        return Cluster(arguments.cluster, settings, arguments.engines, arguments.concurrency)
    cores = os.cpu_count() or 1
    if arguments.concurrency > cores:
        raise ValueError(f"--concurrency: this machine has {cores} cores, and each game needs one")
    make_player = tried(settings, PlayerMaker(settings, arguments.engines or default_path(), arguments.log))
    return Local(settings, make_player, arguments.concurrency or cores)


def _look(arguments: argparse.Namespace, settings: Settings, path: str) -> None:
    """Whether the folder, the rules and the openings are as they should be, before anything is started or written.

    Raises ValueError.
    """
    from engines.arena import journal
    from engines.arena.openings import Openings

    Openings(settings, settings.make_game())
    if not journal.fits(path, settings, arguments.resume) and arguments.resume:
        complain(f"qiqiao match: there is no match in '{arguments.output}' to go on with; a new one begins")


def tried(settings: Settings, make_player: Callable[[int], MatchPlayer]) -> Callable[[int], MatchPlayer]:
    """``make_player``, once each engine has been started: the first player it gives of an entrant is the one that runs.

    Raises StartError, and no engine is left, for one that can't be started.
    """
    from engines.arena.match import StartError
    from engines.gametype import Opening
    from engines.player import PlayerError

    referee = settings.make_game().begin(Opening())
    running: dict[int, MatchPlayer] = {}
    try:
        for number_, entrant in enumerate(settings.entrants):
            running[number_] = make_player(number_)
            try:
                running[number_].begin(referee.observe(referee.side), referee.color)
            except PlayerError as error:
                if error.kind != "refused":  # that is for the games to tell
                    raise StartError(f"{entrant.name} can't begin a game: {error}") from None
    except BaseException:
        for player in running.values():
            player.close()
        raise
    return lambda entrant: running.pop(entrant, None) or make_player(entrant)


def _play(arguments: argparse.Namespace, match: Match, games: Any) -> int:
    """Run the match under the display; write what is told from its journal."""
    from engines.arena.match import StartError
    from protocols.commands.match_display import display
    from protocols.commands.match_files import Files

    files = Files(arguments.output, match, arguments.notation)
    files.complete()
    code = OK
    with display(match, arguments.quiet) as shown, _Signals(match):

        def watch(row: Any) -> None:
            files.game(row)
            shown.game(row)

        match.watch = watch
        try:
            match.run(games)
        except StartError as error:
            complain(f"qiqiao match: {error}; the match stops here, --resume goes on with it")
            code = TROUBLE
    match.journal.add_programs(games.programs())
    state = match.state()
    verdict = state.verdict or ""
    sys.stdout.write(files.finish(verdict if verdict != "undecided" else ""))
    if state.games < state.total and verdict in ("", "undecided") and code == OK:
        complain("qiqiao match: stopped; --resume goes on with it")
        code = STOPPED
    _tell_time(arguments.quiet)
    return code


def _tell_time(quiet: bool) -> None:
    """What the match itself cost in processor time, beside what the engines took."""
    times = os.times()
    own, engines = times.user + times.system, times.children_user + times.children_system
    if not quiet and own + engines > 0 and engines > 0:
        share = 100 * own / (own + engines)
        sys.stdout.write(f"processor time: engines {engines:.1f} s, the match itself {own:.1f} s ({share:.1f} %)\n")


class _Signals:
    """While it lasts, SIGINT and SIGTERM end the match as soon as it can be; a second one ends it at once."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number_ in (signal.SIGINT, signal.SIGTERM):
                self._before[number_] = signal.signal(number_, self._caught)

    def _caught(self, signum: int, frame: object) -> None:
        self._match.stop()
        signal.signal(signum, signal.SIG_DFL)

    def __exit__(self, *error: object) -> None:
        for number_, handler in self._before.items():
            signal.signal(number_, handler)
