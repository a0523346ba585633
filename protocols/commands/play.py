"""``qiqiao play``: a person at the terminal against a player of any game, or against another person.

    qiqiao play [--game NAME] [--against search|PROTOCOL:COMMAND|ENGINE|random|human] [--side NAME] …

Moves are typed in any notation of the game; ``help`` lists what else may be said. See docs/play.md.
"""

from __future__ import annotations

import argparse
import importlib
import os
import secrets
import sys
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from engines import games
from engines.terms import LANGUAGES
from protocols.commands.arguments import number
from protocols.log import SessionLog
from protocols.programs.registry import default_path

if TYPE_CHECKING:
    from engines.arena.game import MatchPlayer
    from engines.gametype import GameType, Opening
    from protocols.play.saved import Saved
    from protocols.play.screen import Screen
    from protocols.play.session import Session

OK, TROUBLE, USAGE, STOPPED = 0, 1, 2, 130
"""Exit codes: played or left, a player that can't be used, wrong usage, Ctrl-C."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``qiqiao play``."""
    from protocols.commands.game_options import add_game_options

    who = parser.add_argument_group("who plays")
    who.add_argument("--game", choices=list(games.GAMES), default="xiangqi", help="what is played (xiangqi)")
    who.add_argument(
        "--against",
        action="append",
        metavar="PLAYER",
        help="search (the built-in player, the default), PROTOCOL:COMMAND, an engine's name, random or human; where "
        "three play it may be given twice, in the order of play",
    )
    who.add_argument("--level", default="", metavar="LEVEL", help="strength of the built-in player (full)")
    who.add_argument("--side", default="", metavar="SIDE", help="your side, by name or number, or random (the first)")
    who.add_argument("--engines", metavar="FILE", help=f"the file of named engines ({default_path()})")
    clock = parser.add_argument_group("time")
    clock.add_argument(
        "--time", default="none", metavar="CONTROL", help="a clock for each side, as qiqiao match takes it (none)"
    )
    clock.add_argument(
        "--move-time", type=number(float, 0.01), default=0.0, metavar="SECONDS", help="a program's time for each move"
    )
    rules = parser.add_argument_group("the game")
    rules.add_argument("--rules", default="", metavar="NAME", help="the rule set")
    add_game_options(rules)
    rules.add_argument("--setup", default="", metavar="TEXT", help="the position to begin from, as the game writes it")
    rules.add_argument("--seed", type=number(int, 1, 2**63 - 1), metavar="N", help="of what is left to chance (drawn)")
    kept = parser.add_argument_group("what is kept")
    kept.add_argument("--record", metavar="FILE", help="write the game's record to FILE")
    kept.add_argument(
        "--resume", nargs="?", const="", metavar="FILE", help="go on with a game that was left (the one left last)"
    )
    kept.add_argument("--log", metavar="FILE", help="append both directions of other programs' sessions to FILE")
    look = parser.add_argument_group("how it looks")
    look.add_argument("--style", choices=("letters", "symbols"), help="how stones and pieces are written")
    look.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in the terminal")
    look.add_argument("--flip", action="store_true", help="turn the board round")
    look.add_argument("--language", choices=LANGUAGES, help="of what is told (by the locale)")


def run(arguments: argparse.Namespace) -> int:
    """Play. Returns the exit status."""
    from protocols.play.saved import folder

    try:
        saved, path = _resumed(arguments) if arguments.resume is not None else (_begun(arguments), "")
        if not path:
            stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
            name = f"{saved.game}-{stamp}-{os.getpid()}.json"
            path = f"{saved.record}.resume" if saved.record else str(folder() / name)
        log = SessionLog(arguments.log)
        session = _session(arguments, saved, path, log)
    except (ValueError, OSError) as error:
        print(f"qiqiao play: {error}", file=sys.stderr)
        return USAGE
    try:
        return _play(session)
    finally:
        session.close()
        log.close()


def _play(session: Session) -> int:
    screen, game = session.screen, session.game
    seats = " – ".join(
        f"{session._name(side)}{' ' + seat.name if seat.name else ''}" for side, seat in enumerate(session.seats)
    )
    title = {"en": game.titles.english, "zh-Hans": game.titles.simplified, "zh-Hant": game.titles.traditional}
    screen.say("begin", game=title[screen.language], seats=seats)
    status = OK
    try:
        ending = session.run()
    except KeyboardInterrupt:
        screen.tell()
        ending, status = None, STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return TROUBLE
    if ending is None and session.moves and os.path.exists(session.path):
        screen.say("kept", file=session.path)
    return status


def _game(arguments: argparse.Namespace) -> GameType:
    """The game with its options. Raises ValueError."""
    from protocols.commands.game_options import options_of

    return games.make(arguments.game, arguments.rules, options_of(arguments))


def _begun(arguments: argparse.Namespace) -> Saved:
    """A new game, by the command line. Raises ValueError."""
    from engines.gametype import Opening
    from engines.timing import parse_control
    from protocols.play.opponents import HUMAN, SEARCH
    from protocols.play.saved import Saved

    game = _game(arguments)
    parse_control(arguments.time)
    others = arguments.against or [SEARCH]
    side, count = _side(arguments.side, game), len(game.sides)
    if len(others) not in (1, count - 1):
        raise ValueError(f"--against: {count} play {game.titles.english}; give one player, or {count - 1}")
    others = others * (count - 1) if len(others) == 1 else others
    seats = [HUMAN if (one := (at - side) % count) == 0 else others[one - 1] for at in range(count)]
    opening: Opening = Opening(arguments.setup)
    if game.chance:
        opening = replace(opening, seed=arguments.seed or secrets.randbits(48) + 1)
    return Saved(
        arguments.game,
        tuple(seats),
        arguments.rules,
        game.options,
        opening,
        time=arguments.time,
        move_time=arguments.move_time,
        level=arguments.level,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        record=arguments.record or "",
        flipped=arguments.flip,
    )


def _side(text: str, game: GameType) -> int:
    """A person's side. Raises ValueError."""
    names = [name.lower() for name in game.sides]
    word = text.lower()
    if not word:
        return 0
    if word == "random":
        return secrets.randbelow(len(names))
    if word in names:
        return names.index(word)
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(names):
        return int(word) - 1
    raise ValueError(f"--side must be one of {', '.join(names)}, 1 to {len(names)}, or random, not '{text}'")


def _resumed(arguments: argparse.Namespace) -> tuple[Saved, str]:
    """A game that was left, and its file. Raises ValueError and OSError."""
    from protocols.play import saved as files

    path = arguments.resume or files.newest()
    if os.path.exists(f"{path}.resume"):
        path = f"{path}.resume"  # the record's name was given
    try:
        found = files.read(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    if arguments.record:
        found = replace(found, record=arguments.record)
    return found, path


def _session(arguments: argparse.Namespace, saved: Saved, path: str, log: SessionLog) -> Session:
    """The game at the table. Raises ValueError."""
    from engines.player import Limits
    from protocols.play import opponents
    from protocols.play.session import Seat, Session

    game = games.make(saved.game, saved.rules, saved.options)
    if len(saved.seats) != len(game.sides):
        raise ValueError(f"{len(game.sides)} play {game.titles.english}, not {len(saved.seats)}")
    limits = Limits(seconds=saved.move_time) if saved.move_time else Limits()

    def program(source: str) -> MatchPlayer:
        from protocols.commands.clients import client_class
        from protocols.commands.match_players import PLAYERS
        from protocols.programs.registry import find

        spec = find(source, game.name, arguments.engines or default_path())
        assert spec is not None  # only "search" is none
        module, name = PLAYERS[spec.protocol]
        made: MatchPlayer = getattr(importlib.import_module(module), name)(spec, client_class(spec.protocol), log)
        return made

    seats = []
    for source in saved.seats:
        player = opponents.make(game, source, saved.level, program)
        seats.append(Seat(opponents.title(source, player), player, limits))
    return Session(game, saved, seats, _screen(arguments, saved), path)


def _screen(arguments: argparse.Namespace, saved: Saved) -> Screen:
    from protocols.commands.show import look_of
    from protocols.play.screen import Screen

    arguments.coordinates, arguments.theme, arguments.numbers, arguments.arrows = "gtp", "light", False, False
    look = look_of(arguments)
    return Screen(look.language, look.color, look.style == "letters", saved.flipped or arguments.flip)
