"""From a record to a game, and from a game to a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.clock import TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE
from engines.go.records.values import Move, Record, Setup
from engines.go.rules import DEFAULT, Rules, find_rules, sgf_name


def replay(record: Record, rules: Rules = DEFAULT, komi: float | None = None) -> Game:
    """A game with the record's last position and all that led there.

    ``rules`` and ``komi`` hold where the record names none (``komi`` ``None``: the rules' own). A record tells what
    happened: moves that only ko forbids are taken over. Raises ``IllegalMove`` for any other that can't be played,
    ``ValueError`` for stones that can't stand so.
    """
    found = find_rules(record.rules) if record.rules else None
    game = Game(record.width, record.height, found or rules, komi if record.komi is None else record.komi)
    game.accept_ko = True
    first = record.setup.to_play or (WHITE if record.handicap_stones else game.rules.first_player)
    _put(game, record.setup, first)
    game.handicap = record.handicap_stones
    for step in record.steps:
        if isinstance(step, Move):
            game.play_as(step.color, step.point)
        else:
            # Stones put down in the middle of a game: history begins anew here.
            stones = game.handicap
            _put(game, step, step.to_play or game.to_move)
            game.handicap = stones
    game.accept_ko = False
    return game


def _put(game: Game, setup: Setup, to_move: int) -> None:
    stones = bytearray(game.board.stones())
    for color, points in ((BLACK, setup.black), (WHITE, setup.white), (EMPTY, setup.empty)):
        for point in points:
            stones[point] = color
    if bytes(stones) != game.board.stones() or to_move != game.to_move:
        game.set_position(bytes(stones), to_move)


def record_of(
    game: Game,
    turns: Sequence[tuple[int, int]] | None = None,
    *,
    black_name: str = "",
    white_name: str = "",
    result: str = "",
    date: str = "",
    control: TimeControl | None = None,
) -> Record:
    """A game as a record. ``turns`` (colour and point) are its moves, None for those played in ``game``; ``control`` is
    the clock it was played with."""
    stones = game.setup
    black = tuple(point for point, stone in enumerate(stones) if stone == BLACK)
    white = tuple(point for point, stone in enumerate(stones) if stone == WHITE)
    setup = Setup(black=black, white=white)
    # Who moves first readers guess from the stones, or from the rules; where they could be wrong it is said.
    first = game.board.first_player
    if first != Record(setup=setup).to_play or game.rules.first_player != BLACK:
        setup = replace(setup, to_play=first)
    return Record(
        width=game.width,
        height=game.height,
        komi=game.komi,
        rules=sgf_name(game.rules),
        handicap=game.handicap,
        setup=setup,
        steps=tuple(Move(color, point) for color, point in (game.moves if turns is None else turns)),
        black_name=black_name,
        white_name=white_name,
        result=result,
        date=date,
        main_time=None if control is None or control.kind == "none" else control.main,
        overtime="" if control is None else overtime_words(control),
    )


def overtime_words(control: TimeControl) -> str:
    """Overtime in the words of SGF's OT that other programs write."""
    return {
        "canadian": f"{control.stones}/{control.period:g} Canadian",
        "byoyomi": f"{control.periods}x{control.period:g} byo-yomi",
        "fischer": f"{control.increment:g} fischer",
        "fischer-capped": f"{control.increment:g} fischer",
        "moves": f"{control.stones} moves/{control.main:g}",
    }.get(control.kind, "")
