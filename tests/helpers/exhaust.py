"""Everything that can be played in a few points of a small board, by plain minimax on bit masks.

Nothing here is shared with the engine: boards whose life and death the engine is asked about are settled by it.
"""

from collections.abc import Iterable

BLACK, WHITE = 1, 2
SPOILS = 7


class Exhaust:
    """A position on a ``width`` × ``height`` board, points counted as everywhere; moves are looked for on ``region``.

    A game ends with two passes, all that stands being alive, or when ``SPOILS`` stones are taken at a time: in so much
    room the taker lives. Its value is one for each stone of the beginning whose
    point Black has in the end, less one for each that White has. Positions may not come back within a line, but
    ``taker`` (a colour, 0 for none) may always take a ko back. ``most`` bounds the positions looked at: more raise
    ``OverflowError``.
    """

    def __init__(
        self, width: int, height: int, stones: bytes, region: Iterable[int], taker: int = 0, most: int = 400_000
    ) -> None:
        self.width, self.taker, self.left = width, taker, most
        full = range(width * height)
        self.all = sum(1 << p for p in full)
        self.not_left = sum(1 << p for p in full if p % width)
        self.not_right = sum(1 << p for p in full if p % width != width - 1)
        self.start = tuple(sum(1 << p for p in full if stones[p] == color) for color in (BLACK, WHITE))
        self.counted = self.start[0] | self.start[1]
        self.region = [1 << p for p in sorted(region)]
        self.known: dict[tuple[int, ...], bool] = {}

    def value(self, first: int) -> int:
        """What the best play comes to when ``first`` moves first."""
        low = -self.counted.bit_count()
        high = -low
        while low < high:
            middle = (low + high + 1) // 2
            if self.reaches(first, middle):
                low = middle
            else:
                high = middle - 1
        return low

    def reaches(self, first: int, need: int) -> bool:
        """Whether it comes to ``need`` or more."""
        return self._wins(self.start[0], self.start[1], first, 0, 0, need, {})[0]

    def _near(self, mask: int) -> int:
        return (
            (mask & self.not_right) << 1 | (mask & self.not_left) >> 1 | mask << self.width | mask >> self.width
        ) & self.all

    def _chain(self, seed: int, body: int) -> int:
        while True:
            grown = (seed | self._near(seed)) & body
            if grown == seed:
                return seed
            seed = grown

    def _play(self, own: int, other: int, point: int) -> tuple[int, int, int] | None:
        """Both sides' stones after a move and the point of a ko; None for suicide."""
        own |= point
        taken, edge = 0, self._near(point) & other
        while edge:
            chain = self._chain(edge & -edge, other)
            edge &= ~chain
            if not self._near(chain) & self.all & ~(own | other):
                taken |= chain
        other &= ~taken
        chain = self._chain(point, own)
        free = self._near(chain) & ~(own | other)
        if not free:
            return None
        single = taken and not taken & (taken - 1) and chain == point and free == taken
        return own, other, taken if single else 0

    def _count(self, black: int, white: int) -> int:
        waiting, value = self.counted & ~(black | white), 0
        free = self.all & ~(black | white)
        while waiting:
            area = self._chain(waiting & -waiting, free)
            edge = self._near(area) & (black | white)
            if edge and not edge & white:
                value += (area & self.counted).bit_count()
            elif edge and not edge & black:
                value -= (area & self.counted).bit_count()
            waiting &= ~area
        return value + (black & self.counted).bit_count() - (white & self.counted).bit_count()

    def _moves(self, own: int, other: int, color: int, ko: int) -> list[tuple[int, int, int, int]]:
        """What a colour may play: both sides' stones after it, the point of a ko and how many stones it takes.

        Captures come first. Points all of whose neighbours are own stones of one chain with other liberties are left
        out: to fill them is only to lose an eye.
        """
        found = []
        for point in self.region:
            if point & (own | other) or (point == ko and color != self.taker):
                continue
            near = self._near(point)
            if not near & ~own:
                chain = self._chain(near & -near, own)
                if not near & ~chain and (self._near(chain) & ~(own | other)).bit_count() > 1:
                    continue
            after = self._play(own, other, point)
            if after is not None:
                found.append((*after, (other & ~after[1]).bit_count()))
        return sorted(found, key=lambda move: -move[3])

    def _wins(
        self, black: int, white: int, color: int, ko: int, passes: int, need: int, path: dict[tuple, int]
    ) -> tuple[bool, int]:
        """Whether Black comes to ``need``, and how early in the line the earliest position is that this rests on."""
        key = (black, white, color, ko, passes, need)
        if key in self.known:
            return self.known[key], 999
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        here = (black, white, color)
        depth = path.setdefault(here, len(path))
        new = depth == len(path) - 1
        earliest, wanted = 999, color == BLACK
        result = not wanted
        own, other = (black, white) if wanted else (white, black)
        for mine, yours, forbidden, taken in [*self._moves(own, other, color, ko), (own, other, 0, -1)]:
            b, w = (mine, yours) if wanted else (yours, mine)
            seen = path.get((b, w, 3 - color))
            if taken >= 0 and seen is not None and color != self.taker:
                earliest = min(earliest, seen)
                continue
            if taken >= SPOILS:
                left = self.counted & yours
                lead = (self.counted & ~left).bit_count() - left.bit_count()
                answer = (lead if wanted else -lead) >= need
            elif taken < 0 and passes:
                answer = self._count(b, w) >= need
            else:
                answer, rests = self._wins(b, w, 3 - color, forbidden, int(taken < 0), need, path)
                earliest = min(earliest, rests)
            if answer == wanted:
                result = wanted
                break
        if new:
            del path[here]
        if earliest >= depth:
            self.known[key] = result
            earliest = 999
        return result, earliest
