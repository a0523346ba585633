"""Where stones stand before the first move: fixed and free handicap, and the four stones of the old Chinese game.

The fixed points are those of GTP's ``fixed_handicap``: on the fourth line from sides of 13 on, on the third below. So a
12×12 board uses the third line, as KataGo, GoGui and gomill have it; GNU Go alone uses the fourth there.
"""

from __future__ import annotations

from engines.go.points import MAX_SIZE

_LOW, _HIGH, _MIDDLE = range(3)

# Columns and rows in the order the points are taken: lower left, upper right, upper left, lower right, …
_CORNERS = [(_LOW, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH), (_HIGH, _LOW)]
_CENTER = [(_MIDDLE, _MIDDLE)]
_SIDES = [(_LOW, _MIDDLE), (_HIGH, _MIDDLE)]
_ENDS = [(_MIDDLE, _LOW), (_MIDDLE, _HIGH)]

_PATTERNS = {
    2: _CORNERS[:2],
    3: _CORNERS[:3],
    4: _CORNERS,
    5: _CORNERS + _CENTER,
    6: _CORNERS + _SIDES,
    7: _CORNERS + _SIDES + _CENTER,
    8: _CORNERS + _SIDES + _ENDS,
    9: _CORNERS + _SIDES + _ENDS + _CENTER,
}


def _lines(side: int) -> tuple[int, int, int]:
    """The coordinates of the low, the high and the middle line of a side."""
    near = 3 if side >= 13 else 2
    return near, side - 1 - near, side // 2


def _place(width: int, height: int, pattern: list[tuple[int, int]]) -> list[int]:
    columns, rows = _lines(width), _lines(height)
    return [rows[row] * width + columns[column] for column, row in pattern]


def max_fixed_handicap(width: int, height: int) -> int:
    """The most fixed handicap stones the board has points for.

    9 if both sides are odd and at least 9, else 4 if both are at least 7, else 0; 0 beyond 25×25 too.
    """
    if min(width, height) < 7 or max(width, height) > MAX_SIZE:
        return 0
    return 9 if min(width, height) >= 9 and width % 2 == 1 and height % 2 == 1 else 4


def fixed_handicap(width: int, height: int, count: int) -> list[int]:
    """The points of ``count`` fixed handicap stones. Raises ``ValueError`` for a count the board has no points for."""
    most = max_fixed_handicap(width, height)
    if most == 0:
        raise ValueError(f"a {width}x{height} board has no handicap points")
    if not 2 <= count <= most:
        raise ValueError(f"handicap must be 2 to {most} stones on a {width}x{height} board")
    return _place(width, height, _PATTERNS[count])


def free_handicap(width: int, height: int, count: int) -> list[int]:
    """Points for ``count`` handicap stones of our own choice, from 2 to all points of the board but one.

    As far as the fixed points go they are taken. Each further stone goes where it is farthest from the stones there are
    and from the edge, the more central of equals first: on 19×19 that leads over the points between the stars to the
    grid of 25. Raises ``ValueError`` for fewer than two stones and for more than there is room for.
    """
    room = width * height - 1
    if count < 2:
        raise ValueError("handicap must be at least 2 stones")
    if count > room:
        raise ValueError(f"there is no room for {count} stones on a {width}x{height} board")
    fixed = min(count, max_fixed_handicap(width, height))
    chosen = fixed_handicap(width, height, fixed) if fixed else []
    space = [_edge_space(point, width, height) for point in range(width * height)]
    for point in chosen:
        _crowd(space, point, width)
    while len(chosen) < count:
        point = max(range(width * height), key=lambda p: (space[p], -_off_center(p, width, height), -p))
        chosen.append(point)
        _crowd(space, point, width)
    return chosen


def _edge_space(point: int, width: int, height: int) -> int:
    """How much room the edge leaves: the square of the number of the line the point is on."""
    y, x = divmod(point, width)
    return min(x + 1, y + 1, width - x, height - y) ** 2


def _off_center(point: int, width: int, height: int) -> int:
    """Four times the squared distance from the centre of the board."""
    y, x = divmod(point, width)
    return (2 * x - width + 1) ** 2 + (2 * y - height + 1) ** 2


def _crowd(space: list[int], stone: int, width: int) -> None:
    """Lower every point's room to its squared distance from a new stone; the stone's own point has none left."""
    stone_y, stone_x = divmod(stone, width)
    for point in range(len(space)):
        y, x = divmod(point, width)
        space[point] = min(space[point], (x - stone_x) ** 2 + (y - stone_y) ** 2)


def ancient_setup(width: int, height: int) -> tuple[list[int], list[int]]:
    """The four stones (座子) of the old Chinese game: Black's points, then White's.

    On 19×19 Black has D4 and Q16, White D16 and Q4; other boards use their own corner star points. Raises
    ``ValueError`` where there are none.
    """
    if max_fixed_handicap(width, height) == 0:
        raise ValueError(f"a {width}x{height} board has no corner star points")
    corners = _place(width, height, _CORNERS)
    return corners[:2], corners[2:]
