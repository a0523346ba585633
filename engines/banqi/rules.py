"""The rules of banqi by name: a set of ranks and moves, and house rules added to it.

A name is a base and switches joined with hyphens: ``hongkong-chariot``, ``taiwan-chain-rush``. docs/banqi.md tells what
each means and where it is from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

KING, ADVISOR, ELEPHANT, CHARIOT, HORSE, CANNON, SOLDIER = 1, 2, 3, 4, 5, 6, 7
"""The kinds, as the low three bits of a piece."""

ORDERS = {
    "hongkong": (KING, CHARIOT, HORSE, CANNON, ADVISOR, ELEPHANT, SOLDIER),
    "taiwan": (KING, ADVISOR, ELEPHANT, CHARIOT, HORSE, CANNON, SOLDIER),
}
"""The kinds of each base, highest first. A kind takes its equals and those below it, but the general takes no soldier,
and the soldier takes the general."""

BASES = ("hongkong", "taiwan")

SWITCHES = {
    "hongkong": ("chariot", "cannon"),
    "taiwan": ("chain", "dark-return", "dark-suicide", "rush", "horse-diagonal", "fast-cannon"),
}
"""The switches that each base has. ``cannon`` comes with ``chariot``; one of the two ``dark`` ones at most."""

_SHORT = {"dark": "dark-return", "diagonal": "horse-diagonal"}
"""Names met for some of them."""

NAMED = (
    "taiwan",
    "hongkong",
    "hongkong-chariot",
    "hongkong-chariot-cannon",
    "taiwan-chain",
    "taiwan-dark-return",
    "taiwan-dark-suicide",
    "taiwan-rush",
    "taiwan-horse-diagonal",
    "taiwan-fast-cannon",
    "taiwan-chain-dark-rush",
)
"""Names to choose from; every other combination of switches is read too."""


@dataclass(frozen=True)
class Rules:
    """What pieces may do. ``slides``, ``leaps``, ``rushes`` and ``oblique`` are sets of kinds.

    A kind that ``slides`` moves over any number of empty squares and takes the first piece beyond them: by rank, or any
    piece where it ``rushes`` (after one empty square at least). ``strides``: it slides, but takes nothing by it. A kind
    that ``leaps`` takes any piece, but only over exactly one other. ``oblique``: it takes diagonally too, any piece.
    ``dark``: 0 a face-down piece can't be attacked; 1 it can, and an attacker that can't take what shows goes back; 2
    it dies of an enemy. ``chain``: who has taken may go on taking with the same piece.
    """

    name: str
    order: tuple[int, ...]
    slides: frozenset[int] = frozenset()
    strides: frozenset[int] = frozenset()
    leaps: frozenset[int] = frozenset()
    rushes: frozenset[int] = frozenset()
    oblique: frozenset[int] = frozenset()
    dark: int = 0
    chain: bool = False

    def takes(self, kind: int, victim: int) -> bool:
        """Whether a kind takes another next to it."""
        if kind in self.leaps:
            return False
        if kind == KING and victim == SOLDIER:
            return False
        if kind == SOLDIER and victim == KING:
            return True
        return self.order.index(kind) <= self.order.index(victim)


@lru_cache(maxsize=64)
def rules_named(name: str) -> Rules:
    """The rules of that name. ValueError, with the names there are, for another."""
    words = name.strip().lower().replace("_", "-").split("-")
    base, rest = words[0], words[1:]
    if base not in ORDERS:
        raise ValueError(f"no banqi rules are called {name!r}: there are {', '.join(NAMED)}")
    switches = set()
    while rest:
        pair = "-".join(rest[:2])
        taken = 2 if pair in SWITCHES[base] else 1
        word = pair if taken == 2 else _SHORT.get(rest[0], rest[0])
        if word not in SWITCHES[base]:
            raise ValueError(f"{base} rules have no switch {rest[0]!r}: there are {', '.join(SWITCHES[base])}")
        if word in switches:
            raise ValueError(f"{word} is named twice in {name!r}")
        switches.add(word)
        rest = rest[taken:]
    if {"dark-return", "dark-suicide"} <= switches:
        raise ValueError("an attacker goes back (dark-return) or dies (dark-suicide): name one of them")
    if base == "hongkong":
        if switches == {"cannon"}:
            raise ValueError("where cannons slide chariots do too: hongkong-chariot-cannon")
        kinds = {"chariot": CHARIOT, "cannon": CANNON}
        full = "-".join([base, *(word for word in SWITCHES[base] if word in switches)])
        return Rules(full, ORDERS[base], slides=frozenset(kinds[word] for word in switches))
    rush = "rush" in switches
    full = "-".join([base, *(word for word in SWITCHES[base] if word in switches)])
    return Rules(
        full,
        ORDERS[base],
        slides=frozenset({CHARIOT} if rush else ()),
        strides=frozenset({CANNON} if "fast-cannon" in switches else ()),
        leaps=frozenset({CANNON}),
        rushes=frozenset({CHARIOT} if rush else ()),
        oblique=frozenset({HORSE} if rush or "horse-diagonal" in switches else ()),
        dark=1 if "dark-return" in switches else 2 if "dark-suicide" in switches else 0,
        chain="chain" in switches,
    )
