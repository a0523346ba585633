"""From a record to a game."""

from __future__ import annotations

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE
from engines.go.records.values import Move, Record, Setup
from engines.go.rules import DEFAULT, Rules, find_rules


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
