"""What the tests of jieqi and fanqi need: games at random, and rows of data."""

import json
import random

from support import DATA

from engines.jieqi.ends import Rules
from engines.jieqi.game import Game


def rows(name):
    """The rows of a data file of the variants."""
    return json.loads((DATA / "variants" / f"{name}.json").read_text(encoding="utf-8"))["rows"]


def random_game(form, seed, plies=40, **rules):
    """A game of so many random plies, or fewer if it ends; pieces are turned down where they may be, now and then."""
    rng = random.Random(f"{form} {seed}")
    game = Game(form, seed=seed, rules=Rules(form, **rules))
    while game.result is None and game.plies < plies:
        moves = game.legal_moves()
        down = [move for move in moves if move >> 14]
        game.play(rng.choice(down if down and rng.random() < 0.3 else moves))
    return game
