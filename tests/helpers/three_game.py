"""A game for three with a hidden card each and a die, small enough to be seen through: what a match must carry."""

import random

from engines.gametype import Ending, GameType, Opening, Option, PlayedGame, Referee
from engines.results import Words


class View:
    """What one side may know: its own card and what has been played."""

    def __init__(self, side, card, turn, played):
        self.side, self.card, self.turn, self.played = side, card, turn, tuple(played)

    def legal_moves(self):
        return [1, 2]


class Result:
    def __init__(self, winner, scores):
        self.winner, self.reason, self.words, self.scores = winner, "score", "", scores


class Game:
    """Each side adds 1 or 2 and what a die shows to its sum, so many times; the largest sum with the card wins."""

    def __init__(self, rounds, seed):
        source = random.Random(seed)
        self.cards = [source.randrange(10) for _ in range(3)]
        self.dice = [source.randrange(6) for _ in range(3 * rounds)]
        self.rounds, self.played = rounds, []

    @property
    def turn(self):
        return len(self.played) % 3

    def read_move(self, text):
        return int(text.partition("+")[0])

    def play(self, move):
        if move not in (1, 2):
            raise ValueError(f"{move} is neither 1 nor 2")
        die = self.dice[len(self.played)]
        self.played.append(move + die)
        return f"{move}+{die}"

    def undo(self):
        self.played.pop()

    def observe(self, side):
        return View(side, self.cards[side], self.turn, self.played)

    @property
    def result(self):
        if len(self.played) < 3 * self.rounds:
            return None
        sums = [sum(self.played[side::3]) + self.cards[side] for side in range(3)]
        best = [side for side in range(3) if sums[side] == max(sums)]
        scores = tuple(1 / len(best) if side in best else 0.0 for side in range(3))
        return Result(best[0] if len(best) == 1 else None, scores)


class ThreeType(GameType):
    """See ``engines.gametype.GameType``."""

    name = "three"
    titles = Words("Three", "三", "三")
    sides = ("First", "Second", "Third")
    hidden = chance = True
    option_table = (Option("rounds", 2, int, "rounds", "N"),)

    def begin(self, opening: Opening) -> Referee:
        referee = Referee(Game(self.options["rounds"], opening.seed), 3)
        for text in opening.moves:
            referee.play(text)
        return referee

    def record_text(self, played: PlayedGame, notation: str) -> str:
        return " ".join((*played.names, *(turn.move for turn in played.turns), played.ending.result))


__all__ = ["Ending", "Game", "ThreeType", "View"]
