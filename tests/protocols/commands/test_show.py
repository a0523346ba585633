"""``qiqiao show`` as it is called: boards as text, pictures, and keys over a terminal."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from support import DATA, ROOT

import qiqiao
from protocols.commands.boards import Look, picture
from protocols.commands.sources import parse_sources, read_sources
from protocols.commands.steps import steps_of
from protocols.commands.walk import Walk

GAME = "(;GM[1]SZ[5];B[cc];W[dc]C[a remark];B[cd](;W[dd];B[db])(;W[bd]TR[cc]LB[ab:A]))"

SHOWN = """\
move 2 of 5 White D3
   A B C D E
5  . . . . . 5
4  . . . . . 4
3  . . X(O). 3
2  . . . . . 2
1  . . . . . 1
   A B C D E
a remark
"""


def show(capfd, *words):
    status = qiqiao.main(["show", "--language", "en", "--style", "letters", *words])
    out, err = capfd.readouterr()
    return status, out, err


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(GAME, "utf-8")
    return str(path)


def test_the_board_after_a_move(capfd, game):
    assert show(capfd, game, "--move", "2")[1] == SHOWN


def test_the_last_position_and_all(capfd, game):
    assert show(capfd, game)[1].startswith("move 5 of 5 Black D4\n")
    assert [line for line in show(capfd, game, "--all")[1].splitlines() if "of 5" in line or line == "start"] == [
        "start",
        "move 1 of 5 Black C3",
        "move 2 of 5 White D3",
        "move 3 of 5 Black C2",
        "move 4 of 5 White D2  variation 1 of 2",
        "move 5 of 5 Black D4",
    ]


def test_labels_turn_with_the_board_and_the_system(capfd, game):
    lines = show(capfd, game, "--move", "2", "--flip", "--coordinates", "sgf")[1].splitlines()
    assert lines[1] == "   e d c b a" and lines[2].startswith("e ") and lines[4] == "c  .(O)X . . c"


def test_pieces_in_letters_and_in_characters(capfd):
    out = show(capfd, "startpos", "moves", "h2e2")[1]
    assert "2  . C . .(C). .(.). 2" in out
    out = show(capfd, "startpos", "--style", "symbols")[1]
    assert "9  車 馬 象 士 將 士 象 馬 車 9" in out and "俥" in out


def test_colour_only_where_asked(capfd, game):
    assert "\x1b[" not in show(capfd, game)[1]
    assert "\x1b[48;5;180m" in show(capfd, game, "--color", "always")[1]


@pytest.mark.parametrize("words", [["--move", "9"], ["--game", "2"], ["--game", "x"]])
def test_what_is_not_there(capfd, game, words):
    status, out, err = show(capfd, game, *words)
    assert status == 2 and not out and err.count("\n") == 1


# ---- pictures

LOOKS = {
    "show-go-numbers": (GAME, Look(numbers=True)),
    "show-go-dark-target": (GAME, Look(theme="dark", system="target", flipped=True)),
    "show-xiangqi-arrow": ("startpos moves h2e2", Look(language="zh-Hant", arrows=True)),
    "show-xiangqi-dark": ("startpos moves h2e2", Look(language="zh-Hans", theme="dark", flipped=True)),
}


def drawn(text, look, at=-1):
    source = next(parse_sources(text.encode()))[1]
    return picture(source, list(steps_of(source).main_line())[at], look)


@pytest.mark.parametrize("name", LOOKS)
def test_golden(name):
    """QIQIAO_GOLDEN=1 writes the pictures anew: look at them before you commit."""
    path = Path(DATA) / "drawing" / f"{name}.svg"
    text = drawn(*LOOKS[name])
    if os.environ.get("QIQIAO_GOLDEN") == "1":
        path.write_text(text + "\n", "utf-8")
    assert text == path.read_text("utf-8").rstrip("\n")


@pytest.mark.parametrize("name", LOOKS)
def test_a_picture_stands_alone(name):
    root = ElementTree.fromstring(drawn(*LOOKS[name]))
    ids = {element.get("id") for element in root.iter()}
    assert {use.get("href")[1:] for use in root.iter("{http://www.w3.org/2000/svg}use")} <= ids


def test_marks_of_a_record_are_drawn():
    source = next(parse_sources(GAME.encode()))[1]
    step = list(steps_of(source).main_line())[3].children[1]
    plain = picture(source, step.parent, Look())
    assert step.marks and picture(source, step, Look()).count("<path") >= plain.count("<path") + 2


def test_svg_png_and_gif(capfd, game, tmp_path):
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    svg, png, gif = (tmp_path / f"a.{kind}" for kind in ("svg", "png", "gif"))
    assert show(capfd, game, "--svg", str(svg), "--png", str(png), "--gif", str(gif), "--width", "200")[0] == 0
    assert svg.read_text("utf-8").startswith("<svg ")
    assert image.open(io.BytesIO(png.read_bytes())).size == (200, 200)
    animation = image.open(gif)
    assert animation.n_frames == 6 and animation.size == (200, 200)
    # An early frame has the colours of later ones: black stones are black, white ones white, the mark is blue.
    animation.seek(2)
    shown = [color for _, color in animation.convert("RGB").getcolors(1 << 16)]
    assert min(max(color) for color in shown) < 50 and max(min(color) for color in shown) > 225
    assert any(blue > red + 60 for red, _, blue in shown)


def test_without_the_libraries_it_says_what_to_do(capfd, game, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    status, _, err = show(capfd, game, "--png", str(tmp_path / "a.png"))
    assert status == 2 and "qiqiao[pictures]" in err and not (tmp_path / "a.png").exists()


# ---- keys


def test_walking_keeps_the_variation_taken(game):
    walk = Walk(steps_of(next(read_sources([game]))[1]))
    for key in ("on", "on", "on", "on", "down"):
        walk.key(key)
    assert walk.step.move == 6 and walk.total == 4
    for key in ("back", "back", "on", "on", "on"):
        walk.key(key)
    assert walk.step.move == 6
    walk.key("up")
    walk.key("last")
    assert walk.step.number == 5
    walk.go_to("2")
    assert walk.step.number == 2
    walk.go_to("99")
    assert walk.step.number == 5
    walk.go_to("x")
    walk.key("first")
    walk.key("back")
    assert walk.step.number == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_keys_over_a_terminal(game):
    import pty
    import termios

    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    words = [sys.executable, "-m", "qiqiao", "show", game, "--language", "en", "--style", "letters", "--color", "never"]
    program = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT)

    def until(text):
        seen = b""
        while not re.search(text, seen):
            assert select.select([ours], [], [], 60)[0], seen
            seen += os.read(ours, 4096)

    try:
        until(b"start\r\n[^\x1b]*q quit\r\n")
        for keys, text in (
            (b"\x1b[C", b"move 1 of 5 Black C3"),
            (b"n", b"move 2 of 5 White D3[^\x1b]*a remark"),
            (b"g4\r", b"move 4 of 5 White D2  variation 1 of 2"),
            (b"\x1b[B", b"move 4 of 4 White B2  variation 2 of 2"),
            (b"\x1bOD", b"move 3 of 4 Black C2"),
            (b"\x1b[F", b"move 4 of 4 White B2"),
            (b"\x1b[H", b"start\r\n"),
        ):
            os.write(ours, keys)
            until(text)
        os.write(ours, b"q")
        assert program.wait(60) == 0
        assert termios.tcgetattr(theirs) == before
    finally:
        if program.poll() is None:
            program.send_signal(signal.SIGKILL)
            program.wait()
        os.close(ours)
        os.close(theirs)
