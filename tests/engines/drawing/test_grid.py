"""Boards as lines of text."""

import pytest

from engines import games
from engines.drawing.grid import Cell, Grid, columns
from engines.gametype import Opening

SMALL = Grid(3, 2, (Cell("a"), Cell("b"), Cell("c"), Cell("d"), Cell("e"), Cell("f")), tuple("xyz"), tuple("12"), (1,))


def test_rows_from_the_top_and_the_last_move_in_brackets():
    assert SMALL.lines() == ["   x y z", "2  d e f 2", "1  a(b)c 1", "   x y z"]


def test_flipped():
    assert SMALL.lines(flipped=True) == ["   z y x", "1  c(b)a 1", "2  f e d 2", "   z y x"]


def test_face_down_pieces_are_in_square_brackets():
    cells = (Cell("a", "red", True), Cell("b", "red", True), Cell("."))
    grid = Grid(3, 1, cells, tuple("xyz"), ("1",), (2,))
    assert grid.lines()[1] == "1  [a][b](.) 1"


def test_a_river_lies_above_its_row_whichever_way_round():
    grid = Grid(1, 2, (Cell("a"), Cell("b")), ("x",), tuple("12"), river=0)
    assert [line[2:3] for line in grid.lines()] == [" ", " ", "~", " ", " "]
    assert [line[2:3] for line in grid.lines(flipped=True)] == [" ", " ", "~", " ", " "]


def test_colour_changes_no_width():
    import re

    for line, plain in zip(SMALL.lines(color=True), SMALL.lines(), strict=True):
        assert re.sub(r"\x1b\[[\d;]*m", "", line).replace("  ", " ") == plain.replace("  ", " ")


@pytest.mark.parametrize("name", list(games.GAMES))
@pytest.mark.parametrize("letters", [True, False])
def test_each_game_has_one_that_fits_eighty_columns(name, letters):
    game = games.make(name)
    referee = game.begin(Opening(seed=1))
    for _ in range(4):
        seen = referee.observe(referee.side)
        for language in ("en", "zh-Hans", "zh-Hant"):
            grid = game.grid(seen, letters, language)
            lines = [*grid.lines(), *grid.below]
            assert max(map(columns, lines)) <= 80
            rows = [line for line in grid.lines()[1:-1] if "~" not in line]
            assert len({columns(line.rstrip("0123456789")) for line in rows}) == 1
        if letters:
            assert all(line.isascii() for line in grid.lines())
        move = seen.legal_moves()[0]
        names = game.names(seen, move)
        assert game.read_word(seen, next(iter(names.values()))) == move
        assert game.name_of(seen, move)
        referee.play(str(seen.move_text(move))) if not game.chance else referee.game.play(move)


@pytest.mark.parametrize("name", [name for name in games.GAMES if name not in ("go",)])
def test_each_game_has_a_model_that_goes_on(name):
    model = games.make(name).model()
    assert model.result is None
    assert model.legal_moves()
