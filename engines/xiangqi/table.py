"""The transposition table: what the search has learnt about positions, by their Zobrist key.

A cell is two 64-bit words, ``key ^ data`` and ``data``. Threads share the table without locks: a cell that two of them
wrote at the same time has words that don't fit together, and is not found. ``data`` holds, from the lowest bit: the
best move (14 bits), the bound (2), the depth (8, 0 for quiescence), the generation (8), the score and the static
evaluation (16 each, plus 32768). Mate scores are stored as counted from the position itself; the search converts.
"""

from __future__ import annotations

import contextlib
import mmap
import sys

import cython

from engines.memory import available_mb

if not cython.compiled:  # compiled, table.pxd declares these in C
    from engines.xiangqi.geometry import move_in

    NO_BOUND, UPPER, LOWER, EXACT = 0, 1, 2, 3
    PAGE = 512

    def near(place: object) -> None:
        """Nothing: only compiled code can."""


CELL_BYTES = 16
BUCKET = 4
"""Cells that a key may be in: one cache line."""

LARGEST = 1 << 18
"""Megabytes beyond which no table is tried: the half of a key that chooses the bucket reaches no further."""

WARM_BYTES = 1 << 26
"""How much of a table is made ready before the first search: the default table. More comes as it fills."""


def allocate(size: int) -> mmap.mmap:
    """So many bytes of zeros. ``MemoryError`` when they can't be had; none is used before it is written to."""
    try:
        # Fresh zero pages from the system: no time is spent on them at start, and none is used before its turn.
        if sys.platform != "win32":
            # Private memory, unlike shared, may come in huge pages, which saves much of the time to reach it.
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        else:
            memory = mmap.mmap(-1, size)
    except (OSError, OverflowError, ValueError) as error:
        raise MemoryError(f"no memory for the hash table: {error}") from None
    if sys.platform != "win32" and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # only a matter of speed
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


@cython.final
@cython.cclass
class Table:
    """A hash table of a fixed size; the least useful cell of a bucket makes way."""

    def __init__(self, megabytes: float = 16) -> None:
        """``MemoryError`` when so much memory is not free now. Nothing is used until it is written to."""
        if megabytes > LARGEST:
            raise MemoryError(f"a hash table can't have more than {LARGEST} megabytes")
        there = available_mb()
        if there is not None and megabytes > there:
            raise MemoryError(f"no memory for a hash table of {megabytes:g} MB: {there} MB are free")
        self.buckets = max(1, int(megabytes * (1 << 20)) // (CELL_BYTES * BUCKET))
        self.clear()

    def clear(self) -> None:
        """Forget everything. Not while a search runs."""
        memory = allocate(self.buckets * CELL_BYTES * BUCKET)
        self.cells = memoryview(memory).cast("Q")
        self.memory = memory
        self.generation = 0
        self.nothing = 0

    def warm(self) -> None:
        """Have the system provide memory now, which takes a while, instead of during the first search: that of a
        table of the default size, or of the first part of a larger one.

        Runs without the interpreter lock; may run beside a search, which at worst forgets a cell, and beside ``clear``.
        """
        i: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = min(self.buckets * CELL_BYTES * BUCKET, WARM_BYTES) // 8
        cells: cython.ulonglong[::1] = self.cells  # held: ``clear`` puts other memory in its place at any moment
        with cython.nogil:
            while i < end:
                cells[i] ^= self.nothing  # a write that changes nothing
                i += PAGE
        cells[end - 1] ^= self.nothing

    def age(self) -> None:
        """A new search begins: what older ones stored makes way first."""
        self.generation = (self.generation + 1) & 255

    def fetch(self, key: cython.ulonglong) -> None:
        """Have the memory of a key brought near: it will be asked for soon."""
        near(cython.address(self.cells[((key >> 32) * self.buckets >> 32) * 8]))

    def find(self, key: cython.ulonglong) -> cython.ulonglong:
        """The data stored for a key, 0 when there is none."""
        i: cython.ulonglong = ((key >> 32) * self.buckets >> 32) * 8
        end: cython.ulonglong = i + 8
        data: cython.ulonglong
        while i < end:
            data = self.cells[i + 1]
            if self.cells[i] ^ data == key and data != 0:
                return data
            i += 2
        return 0

    def store(
        self,
        key: cython.ulonglong,
        move: cython.int,
        score: cython.int,
        static: cython.int,
        depth: cython.int,
        bound: cython.int,
    ) -> None:
        """Store what was found; an older or shallower cell of the bucket is given up for it."""
        i: cython.ulonglong = ((key >> 32) * self.buckets >> 32) * 8
        end: cython.ulonglong = i + 8
        best: cython.ulonglong = i
        data: cython.ulonglong
        worth: cython.int
        old_depth: cython.int
        age: cython.int
        least: cython.int = 1 << 30
        while i < end:
            data = self.cells[i + 1]
            old_depth = data >> 16 & 255
            age = data >> 24 & 255
            age = (self.generation - age) & 255
            if data == 0 or self.cells[i] ^ data == key:
                best = i
                if data != 0:
                    if move == 0:  # keep the move known from before
                        move = move_in(data)
                    if bound != EXACT and depth + 3 < old_depth and age == 0:
                        return
                break
            worth = old_depth - 4 * age
            if worth < least:
                least, best = worth, i
            i += 2
        if depth < 0:
            depth = 0
        # The bound is never 0, so the data is never 0 either.
        data = cython.cast(cython.ulonglong, score + 32768) << 32 | cython.cast(cython.ulonglong, static + 32768) << 48
        # Each part is widened before it is shifted: in 32 bits a generation from 128 on would become the sign.
        data |= cython.cast(cython.ulonglong, self.generation) << 24 | cython.cast(cython.ulonglong, depth) << 16
        data |= cython.cast(cython.ulonglong, move | bound << 14)
        self.cells[best] = key ^ data
        self.cells[best + 1] = data

    def lookup(self, key: int) -> tuple[int, int, int, int] | None:
        """Best move (0: none known), score, depth and bound stored for a key; ``None`` when there is nothing."""
        data = self.find(key)
        if data == 0:
            return None
        return move_in(data), (data >> 32 & 0xFFFF) - 32768, data >> 16 & 255, data >> 14 & 3

    def hashfull(self) -> int:
        """How many of a thousand cells this search has used, by a sample."""
        sample: cython.int = min(250, cython.cast(cython.Py_ssize_t, self.buckets)) * BUCKET
        used: cython.int = 0
        i: cython.int
        data: cython.ulonglong
        for i in range(sample):
            data = self.cells[2 * i + 1]
            if data != 0 and cython.cast(cython.int, data >> 24 & 255) == self.generation:
                used += 1
        return used * 1000 // sample
