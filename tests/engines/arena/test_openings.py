from pathlib import Path

import pytest

from engines.arena.openings import Openings
from engines.arena.settings import Entrant, Settings
from engines.games import make
from engines.gametype import Opening
from engines.go.points import BLACK, WHITE
from engines.xiangqi.fen import START_FEN

DATA = Path(__file__).resolve().parents[2] / "data"
TWO = (Entrant("a", "x"), Entrant("b", "y"))


def settings(game, **changes):
    options = {"size": (9, 9)} if game == "go" else {}
    return Settings(**{"game": game, "entrants": TWO, "options": options, **changes})


def openings(match):
    return Openings(match, match.make_game())


def book(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.compiled
@pytest.mark.parametrize("game", ["go", "xiangqi"])
def test_random_openings_depend_on_seed_and_number_alone(game):
    one, other = openings(settings(game)), openings(settings(game))
    backwards = [other[number] for number in (3, 2, 1, 0)][::-1]
    assert [one[number] for number in range(4)] == backwards
    assert len(set(backwards)) > 1
    assert openings(settings(game, seed=2))[0] != one[0] or openings(settings(game, seed=2))[1] != one[1]


@pytest.mark.compiled
def test_random_openings_have_the_plies_asked_for_and_are_even():
    from engines.player import Limits
    from engines.xiangqi.player import SearchPlayer
    from engines.xiangqi.player import Settings as SearchSettings

    match = settings("xiangqi", opening_plies=6, balance=80)
    kind = match.make_game()
    for number in range(3):
        opening = openings(match)[number]
        assert len(opening.moves) == 6
        board = kind.begin(opening).game.board
        choice = SearchPlayer(SearchSettings(hash=1)).choose(board, board.turn, Limits(nodes=20000))
        assert abs(choice.report.candidates[0].score) < 200  # a deeper look agrees in the main


def test_none_is_the_start():
    assert openings(settings("go", openings="none"))[5] == Opening()


def test_xiangqi_from_lines(tmp_path):
    fen = "4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1"
    path = book(tmp_path, "book.txt", f"# two\nh2e2 h9g7\n炮二平五 马8进7 马二进三\n\n{START_FEN} moves b2e2\n{fen}\n")
    found = openings(settings("xiangqi", openings=path))
    assert [one.moves for one in (found[n] for n in range(4))] == [
        ("h2e2", "h9g7"),
        ("h2e2", "h9g7", "h0g2"),
        ("b2e2",),
        (),
    ]
    assert found[0].setup == "" and found[3].setup.startswith("4k4") and found[4] == found[0] and found.count == 4
    assert settings("xiangqi").make_game().begin(found[3]).side == 1
    assert openings(settings("xiangqi", openings=path, opening_plies=1))[1].moves == ("h2e2",)


@pytest.mark.parametrize("game, line", [("xiangqi", f"position fen {START_FEN} moves h2e2"), ("go", "E5 C3")])
@pytest.mark.parametrize("text", ["\ufeff{}\n", "\ufeff# first\r\n{}\r\n\x1a", "{}\n\0\0"])
def test_a_byte_order_mark_and_an_end_of_file_are_no_part_of_a_line(tmp_path, game, line, text):
    found = openings(settings(game, openings=book(tmp_path, "book.txt", text.format(line))))
    assert found.count == 1 and found[0].moves == (("h2e2",) if game == "xiangqi" else ("E5", "C3"))


def test_xiangqi_lines_in_gbk(tmp_path):
    path = tmp_path / "book.txt"
    path.write_bytes("# 中炮\n炮二平五 马8进7\n".encode("gbk"))
    assert openings(settings("xiangqi", openings=str(path)))[0].moves == ("h2e2", "h9g7")


def test_xiangqi_from_pgn(tmp_path):
    text = '[Game "Chinese Chess"]\n[Event "one"]\n\n1. H2-E2 H9-G7 2. H0-G2\n*\n\n[Opening "two"]\n\n1. B2-E2 *\n'
    found = openings(settings("xiangqi", openings=book(tmp_path, "book.pgn", text), opening_plies=2))
    assert (found[0].moves, found[0].name) == (("h2e2", "h9g7"), "one")
    assert (found[1].moves, found[1].name) == (("b2e2",), "two")


@pytest.mark.parametrize("text", ["", "# nothing\n", "h2e3\n", "h2e2 nonsense\n", "4k4/9 w\n", "moves z\n"])
def test_bad_books_of_xiangqi_are_refused_with_the_line(tmp_path, text):
    with pytest.raises(ValueError, match="book"):
        openings(settings("xiangqi", openings=book(tmp_path, "book.txt", text)))


def test_a_position_that_is_over_is_no_opening(tmp_path):
    mate = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1"
    with pytest.raises(ValueError, match="over"):
        openings(settings("xiangqi", openings=book(tmp_path, "book.txt", mate + "\n")))


def test_go_from_lines(tmp_path):
    found = openings(settings("go", openings=book(tmp_path, "book.txt", "E5 C3 G7\ne5 pass D4\n")))
    assert found[0].moves == ("E5", "C3", "G7")
    game = settings("go").make_game().begin(found[1]).game
    assert game.moves[0] == (BLACK, 40) and game.to_move == WHITE


def test_go_from_sgf(tmp_path):
    book(tmp_path, "1.sgf", "(;GM[1]SZ[9];B[ee];W[cg];B[gc])")
    book(tmp_path, "2.sgf", "(;GM[1]SZ[9]HA[2]AB[cg][gc];W[ee])")
    book(tmp_path, "3.sgf", "(;GM[1]SZ[9]AB[cg]AW[gc]PL[W])")
    found = openings(settings("go", openings=str(tmp_path)))
    kind = settings("go").make_game()
    assert [one.name for one in (found[n] for n in range(3))] == ["1", "2", "3"]
    assert found[0].moves == ("E5", "C3", "G7")
    handicap = kind.begin(found[1]).game
    assert handicap.handicap == 2 and handicap.moves == [(WHITE, 40)]
    position = kind.begin(found[2]).game
    assert position.to_move == WHITE and position.handicap == 0 and sum(map(bool, position.board.stones())) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sgf", "(;GM[1]SZ[13];B[ee])"),
        ("a.sgf", "nothing"),
        ("a.txt", "E5 E5"),
        ("a.txt", "Z9"),
        ("a.txt", "pass pass"),
    ],
)
def test_bad_books_of_go_are_refused(tmp_path, name, text):
    with pytest.raises(ValueError, match="a\\."):
        openings(settings("go", openings=book(tmp_path, name, text)))


def test_a_missing_book_is_told():
    with pytest.raises(ValueError, match="cannot read the openings"):
        openings(settings("go", openings="/nowhere/book.txt"))


def test_a_shuffled_book_has_the_same_openings_in_an_order_of_the_seeds(tmp_path):
    path = book(tmp_path, "book.txt", "".join(f"{column}5\n" for column in "ABCDEFGHJ"))
    plain = openings(settings("go", openings=path))
    one, other = (openings(settings("go", openings=path, shuffle=True, seed=seed)) for seed in (1, 2))
    lists = [[found[n].moves for n in range(9)] for found in (plain, one, other)]
    assert lists[1] != lists[2] and sorted(lists[1]) == sorted(lists[2]) == lists[0]


def test_a_small_board_has_room_for_random_stones():
    match = settings("go", options={"size": (3, 3)}, opening_plies=2)
    kind = match.make_game()
    import random

    game = kind.begin(Opening()).game
    assert kind._random_point(game, random.Random(1)) in range(9)


def test_epd_with_operations():
    path = DATA / "xiangqi/records/epd_ops.epd"
    found = openings(settings("xiangqi", openings=str(path)))
    kind = settings("xiangqi").make_game()
    one, other = (kind.begin(found[number]).game.board for number in (0, 1))
    assert one.fen() == START_FEN.replace(" w - - 0 1", " b - - 2 4")
    assert other.fen() == START_FEN and found[1].name == "start" and found.count == 2


def test_a_binary_record_given_as_openings_is_named(tmp_path):
    for name, game in (("book.txt", "xiangqi"), ("book.pgn", "xiangqi"), ("book.sgf", "go"), ("book.txt", "go")):
        (tmp_path / name).write_bytes(b"XQ\x0c\0\0\0\0\0")
        with pytest.raises(ValueError, match=rf"{name}.*XQStudio"):
            openings(settings(game, openings=str(tmp_path / name)))


def test_a_folder_of_pgn_names_what_is_no_good_in_it_and_takes_the_rest(tmp_path):
    texts = {
        "a.pgn": "1. h2e2 h9g7 *\n====\nwww\n",
        "b.PGN": "1. b2e2",
        "c.pgn": '[Game "Chinese Chess"]\n[Result "*"]\n\n*\n',
        "d.pgn": "1. h2e2 h2e2",
        "e.pgn": "",
        "f.txt": "no PGN at all",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "g.pgn").write_bytes(b"XQ\x0c\0\0\0\0\0")
    found = openings(settings("xiangqi", openings=str(tmp_path)))
    assert [found[number].moves for number in range(found.count)] == [("h2e2", "h9g7"), ("b2e2",)]
    told = [note.removeprefix(f"left out: {tmp_path}/") for note in found.notes]
    assert [note[:5] for note in told] == ["c.pgn", "d.pgn", "e.pgn", "g.pgn"]
    assert "no moves" in told[0] and "move 1" in told[1] and "XQStudio" in told[3]


def test_one_bad_game_of_a_file_is_named_and_a_bad_file_alone_is_refused(tmp_path):
    path = book(tmp_path, "two.pgn", '[Red "a"]\n1. h2e2 h2e2\n[Red "b"]\n1. b2e2\n')
    found = openings(settings("xiangqi", openings=path))
    assert found[0].moves == ("b2e2",) and found.count == 1
    assert len(found.notes) == 1 and "two.pgn: game 1: move 1" in found.notes[0]
    with pytest.raises(ValueError, match=r"one\.pgn: no moves in it"):
        openings(settings("xiangqi", openings=book(tmp_path, "one.pgn", '[Result "*"]\n*\n')))


def test_a_folder_of_sgf_names_what_is_no_good_in_it(tmp_path):
    texts = {"a.sgf": "(;SZ[9];B[ee])", "b.sgf": "(;SZ[9];B[ee];W[ee])", "c.sgf": "junk", "d.SGF": "(;SZ[9];B[cc]"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = openings(settings("go", openings=str(tmp_path)))
    assert [found[number].moves for number in range(found.count)] == [("E5",), ("C7",)]
    assert [name in note for name, note in zip(("b.sgf", "c.sgf", "d.SGF"), found.notes, strict=True)] == [True] * 3


def test_lines_in_the_forms_that_convert_writes(tmp_path):
    book = tmp_path / "book"
    book.write_text("B:D4 W:Q16\n[B:C3 W:G7] B:E5\nD4 E5\n")
    found = make("go", options={"size": [19, 19]}).read_openings(str(book), 0)
    assert [opening.moves for opening in found] == [("D4", "Q16"), ("E5",), ("D4", "E5")] and found[1].setup
    book.write_text("[4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1] a1b1\n炮二平五马8进7\n")
    first, second = make("xiangqi").read_openings(str(book), 0)
    assert first.setup and first.moves == ("a1b1",) and second.moves == ("h2e2", "h9g7")


def test_a_book_is_told_by_its_content(tmp_path):
    book = tmp_path / "book"
    book.write_text('[Red "a"]\n\n1. 炮二平五 *\n', "utf-8")
    assert make("xiangqi").read_openings(str(book), 0)[0].moves == ("h2e2",)
    book.write_text("(;GM[1]SZ[19];B[dd])")
    assert make("go", options={"size": [19, 19]}).read_openings(str(book), 0)[0].moves == ("D16",)
