"""A net without a net: answers made of the planes alone, in plain Python, so that the search over nets can be tested
compiled and uncompiled and without onnxruntime."""

import math
from array import array

PLANES = 15


class FakeNet:
    """Likes the points beside the last move, thinks that whoever has more stones leads, and that a point belongs to the
    stone on it. ``asked`` counts; ``fails`` after so many; ``seen`` has what was shown.
    """

    def __init__(self, fails=None):
        self.asked = 0
        self.fails = fails
        self.seen = []

    def buffer(self, points):
        return array("f", [0.0] * (PLANES * points))

    def evaluate(self, planes, numbers, width, height, symmetry):
        self.asked += 1
        if self.fails is not None and self.asked > self.fails:
            raise RuntimeError("the net is broken")
        points = width * height
        self.seen.append((bytes(planes), list(numbers), symmetry))
        own, other, last = (planes[k * points : (k + 1) * points] for k in (1, 2, 7))
        logits = array("f", [0.01 * (31 * p % 17) for p in range(points)] + [-3.0])
        for p in range(points):
            if last[p]:
                for q in (p - 1, p + 1, p - width, p + width):
                    if 0 <= q < points:
                        logits[q] += 1.5
        lead = sum(own) - sum(other)
        owned = array("f", [own[p] - other[p] for p in range(points)])
        return logits, 1 / (1 + math.exp(-lead - numbers[0])), lead + 20 * numbers[0], owned
