"""Opening books, against files made here."""

import sqlite3
import struct
from pathlib import Path
from random import Random

import pytest

from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.book import Book, BookError, BookMove, book_key, book_square, choose
from engines.xiangqi.geometry import move_name
from engines.xiangqi.player import SearchPlayer, Settings

DATA = Path(__file__).resolve().parents[2] / "data/xiangqi/records"
COLUMNS = (
    "id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin, vdraw, vlost, vvalid INTEGER, vmemo, vindex"
)


def number(text):
    return (int(text[1]) * 9 + ord(text[0]) - 97) << 7 | (int(text[3]) * 9 + ord(text[2]) - 97)


def signed(key):
    return key - (1 << 64) if key >> 63 else key


def make_book(path, rows):
    """Rows: key as stored, move text, score, valid."""
    file = sqlite3.connect(path)
    file.execute(f"CREATE TABLE bhobk ({COLUMNS})")
    for key, text, score, valid in rows:
        move = book_square(number(text) >> 7) << 8 | book_square(number(text) & 127)
        file.execute(
            "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?, ?, ?, 3, 2, 1, ?)",
            (key, move, score, valid),
        )
    file.commit()
    file.close()
    return path


def names(moves):
    return [(move_name(entry.move), entry.score) for entry in moves]


def test_squares_are_those_of_the_file_format():
    # Row 12, column 3 is a0, row 3, column 11 is i9.
    assert book_square(0) == 0xC3 and book_square(89) == 0x3B


def test_the_key_of_the_start():
    board = Board()
    assert book_key(board) == book_key(board, mirror=True) == 0x628D04D7C9C144AE


def test_a_mirrored_position_has_the_mirrored_key():
    one, other = Board(), Board()
    one.play(number("b2e2"))
    other.play(number("h2e2"))
    assert book_key(one) == book_key(other, mirror=True) != book_key(other)


def test_moves_come_best_first_and_illegal_or_invalid_ones_never(tmp_path):
    key = signed(book_key(Board()))
    rows = [
        (key, "b2e2", 5, 1),
        (key, "h2e2", 9, 1),
        (key, "c3c4", 7, 0),
        (key, "a0a5", 99, 1),
        (key ^ 1, "g3g4", 9, 1),
    ]
    book = Book(make_book(tmp_path / "a.obk", rows))
    moves = book.moves(Board())
    # The start is its own mirror image: each move is found with its image.
    assert names(moves) == [("b2e2", 9), ("h2e2", 9)]
    assert moves[0] == BookMove(number("b2e2"), 9, 3, 2, 1)
    board = Board()
    board.play(number("a0a1"))
    assert book.moves(board) == []


def test_a_position_that_is_in_the_book_as_its_mirror_image(tmp_path):
    entered, asked = Board(), Board()
    entered.play(number("b2e2"))
    asked.play(number("h2e2"))
    book = Book(make_book(tmp_path / "a.obk", [(signed(book_key(entered)), "b9c7", 4, 1)]))
    assert names(book.moves(asked)) == [("h9g7", 4)]


def test_keys_written_as_floating_point_numbers(tmp_path):
    rng, board = Random(2), Board()
    while book_key(board) >> 63 == 0 or (book_key(board) >> 52 & 0x7FF) == 0x7FF:
        board.play(rng.choice(board.legal_moves()))
    (bits,) = struct.unpack("<d", struct.pack("<Q", book_key(board)))
    move = move_name(board.legal_moves()[0])
    book = Book(make_book(tmp_path / "a.obk", [(bits, move, 4, 1)]))
    assert names(book.moves(board)) == [(move, 4)]


@pytest.mark.parametrize("content", [None, b"", b"no book at all", b"SQLite format 3\0"])
def test_what_is_no_book_is_refused(tmp_path, content):
    path = tmp_path / "x.obk"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BookError, match=r"x\.obk"):
        Book(path)


def test_the_choice_is_among_the_better_half():
    moves = [BookMove(1, 10), BookMove(2, 9), BookMove(3, 1)]
    chosen = {choose(moves, Random(seed)).move for seed in range(60)}
    assert chosen == {1, 2}
    assert choose([BookMove(4, -3)], Random(1)).move == 4


def test_the_player_answers_from_the_book_when_told_to(tmp_path):
    path = make_book(tmp_path / "a.obk", [(signed(book_key(Board())), "a3a4", 9, 1)])
    player = SearchPlayer(Settings(hash=1, seed=1))
    player.open_books([str(path)])
    board = Board()
    assert move_name(player.choose(board, 0, Limits(depth=1)).move) not in ("a3a4", "i3i4")
    player.settings.use_book = True
    assert move_name(player.choose(board, 0, Limits(depth=1)).move) in ("a3a4", "i3i4")
    with pytest.raises(BookError):
        player.open_books([str(path), str(tmp_path / "none.obk")])
    assert move_name(player.choose(board, 0, Limits(depth=1)).move) in ("a3a4", "i3i4")  # the old one stays
    player.open_books([])
    assert move_name(player.choose(board, 0, Limits(depth=1)).move) not in ("a3a4", "i3i4")


# ---- books that come from anywhere

START = signed(book_key(Board()))
CANNON = book_square(number("b2e2") >> 7) << 8 | book_square(number("b2e2") & 127)


def custom(path, *statements):
    file = sqlite3.connect(path)
    for statement in statements:
        if isinstance(statement, str):
            file.execute(statement)
        else:
            file.executemany(*statement)
    file.commit()
    file.close()
    return path


def table(path, rows):
    """A book of rows: move and score as they are."""
    insert = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?, ?, ?, 1, 1, 1, 1)"
    return custom(path, f"CREATE TABLE bhobk ({COLUMNS})", (insert, [(START, *row) for row in rows]))


def test_a_view_is_no_book():
    with pytest.raises(BookError, match="is a view, not a table"):
        Book(DATA / "view.obk")


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE VIRTUAL TABLE bhobk USING fts5(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid)", "virtual"),
        (f"CREATE TABLE bhobk ({COLUMNS}, x AS (hex(zeroblob(1000000000))))", "computed"),
        (f"CREATE TABLE bhobk ({COLUMNS}, x AS (vmove + 1) STORED)", "computed"),
        ("CREATE TABLE bhobk (vkey, vmove, vscore, vwin, vdraw, vlost)", "no such column: vvalid"),
        ("CREATE TABLE other (vkey)", "no such table"),
    ],
)
def test_only_a_plain_table_with_its_columns_is_a_book(tmp_path, statement, why):
    try:
        path = custom(tmp_path / "a.obk", statement)
    except sqlite3.OperationalError:
        pytest.skip("this SQLite knows no such table")
    with pytest.raises(BookError, match=why):
        Book(path)


@pytest.mark.parametrize("odd", ["text", None, b"blob", float("inf"), float("-inf"), 1.5, -1, "1e400"])
@pytest.mark.parametrize("place", ["vmove", "vscore"])
def test_an_odd_row_is_left_out_and_told_once(tmp_path, odd, place):
    rows = [(CANNON, 5), (odd, 9) if place == "vmove" else (CANNON, odd)]
    book = Book(table(tmp_path / "a.obk", rows))
    for _ in range(2):
        assert names(book.moves(Board())) == [("b2e2", 5), ("h2e2", 5)]
    (fault,) = book.faults
    assert "a.obk has rows whose move or score is no whole number from 0 on" in fault


def test_odd_counts_of_games_cost_no_row(tmp_path):
    path = table(tmp_path / "a.obk", [(CANNON, 5)])
    custom(path, "UPDATE bhobk SET vwin = 'many', vdraw = -3, vlost = NULL")
    book = Book(path)
    assert book.moves(Board())[0] == BookMove(number("b2e2"), 5) and not book.faults


def test_rows_for_a_position_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("engines.xiangqi.book.MAX_ROWS", 10)
    book = Book(table(tmp_path / "a.obk", [(CANNON, score) for score in range(50)]))
    assert names(book.moves(Board())) == [("b2e2", 9), ("h2e2", 9)]
    assert "more than 10 rows" in book.faults[0]


def test_a_question_has_a_limit(tmp_path, monkeypatch):
    path = table(tmp_path / "a.obk", [(CANNON, 5)] * 20_000)  # no index: every row is looked at
    book = Book(path)
    monkeypatch.setattr("engines.xiangqi.book.MAX_STEPS", 30_000)
    custom(path, "UPDATE bhobk SET vkey = 1")
    with pytest.raises(BookError, match="takes too long"):
        book.moves(Board())
    monkeypatch.setattr("engines.xiangqi.book.MAX_STEPS", 5_000_000)
    assert book.moves(Board()) == []


def test_a_book_is_never_written_to(tmp_path):
    path = table(tmp_path / "a.obk", [(CANNON, 5)])
    before = path.read_bytes()
    book = Book(path)
    book.moves(Board())
    with pytest.raises(sqlite3.Error):
        book._file.execute("DELETE FROM bhobk")
    assert path.read_bytes() == before


@pytest.mark.parametrize("rows", [[("text", 9)], [(CANNON, None)], [(CANNON, b"x")]])
def test_where_the_book_fails_the_search_chooses_and_the_user_is_told_once(tmp_path, rows):
    path = table(tmp_path / "a.obk", rows)
    player = SearchPlayer(Settings(hash=1, seed=1, use_book=True))
    told = []
    player.tell = told.append
    player.open_books([str(path)])
    board = Board("3k5/9/9/9/9/9/9/4c4/9/R3K4 w - - 0 1")
    custom(path, f"UPDATE bhobk SET vkey = {signed(book_key(board))}")
    for _ in range(2):
        choice = player.choose(board, 0, Limits(depth=4))
        assert choice.report is not None and choice.report.depth >= 1  # it was searched
    assert len(told) == 1
    path.write_bytes(b"no book any more")
    assert player.choose(board, 0, Limits(depth=3)).report is not None


def test_a_folder_and_impossible_names_are_no_books(tmp_path):
    for path in (tmp_path, "nul\0l", tmp_path / "none.obk"):
        with pytest.raises(BookError, match="there is no file"):
            Book(path)
