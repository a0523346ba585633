"""Which files a client may name: any beside us, none at the other end of a line unless a folder is allowed."""

import os
import sys

import pytest

import qiqiao
from protocols.commands.gtp import options_from
from protocols.files import ANY_FILE, FileRefused, Files, files_for
from protocols.gtp.options import Options
from protocols.gtp.server import Server
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server as XiangqiServer

SGF = "(;GM[1]SZ[9];B[ee])"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "allowed" / "below").mkdir(parents=True)
    (tmp_path / "allowed" / "game.sgf").write_text(SGF)
    (tmp_path / "secret.sgf").write_text(SGF)
    if sys.platform != "win32":
        (tmp_path / "allowed" / "link.sgf").symlink_to(tmp_path / "secret.sgf")
    return tmp_path / "allowed"


def test_names_stay_inside_the_folder(folder):
    files = Files(str(folder))
    assert files.path("game.sgf") == os.path.realpath(folder / "game.sgf")
    assert files.path("below/../game.sgf") == files.path(str(folder / "game.sgf")) == files.path("game.sgf")
    outside = [
        "../secret.sgf",
        str(folder.parent / "secret.sgf"),
        "/etc/passwd",
        "below/../../secret.sgf",
        "..",
        ".",
        "",
    ]
    outside += ["a\0b", str(folder) + "2/x"] + (["link.sgf"] if sys.platform != "win32" else [])
    for name in outside:
        with pytest.raises(FileRefused, match="outside the folder"):
            files.path(name)


def test_without_a_folder():
    assert ANY_FILE.path("/any/file") == "/any/file"
    assert files_for(None, remote=False) == ANY_FILE
    assert files_for("x", remote=True) == files_for("x", remote=False) == Files("x")
    with pytest.raises(FileRefused, match="no files over this line"):
        files_for(None, remote=True).path("game.sgf")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ANY_FILE),
        (["--serial", "socket://localhost:1"], Files(None, False)),
        (["--serial", "/dev/ttyUSB0", "--files", "."], Files(".")),
        (["--files", "."], Files(".")),
    ],
)
def test_what_the_command_line_allows(words, expected):
    assert options_from(qiqiao.parse(["gtp", *words])).files == expected


def test_a_folder_that_is_none(capsys):
    with pytest.raises(SystemExit):
        options_from(qiqiao.parse(["gtp", "--files", "/no/such/folder"]))
    assert "no such folder" in capsys.readouterr().err


def ask(server, line):
    return server.handle(line).rstrip("\n")


def test_gtp_over_a_line(folder):
    server = Server(Options(width=9, height=9, files=files_for(None, True)))
    target = folder / "new.sgf"
    assert ask(server, "known_command loadsgf") == "= false"
    assert ask(server, f"loadsgf {folder / 'game.sgf'}") == "? unknown command"
    assert ask(server, f"printsgf {target}") == "? no files over this line"
    assert ask(server, "printsgf").startswith("= (;") and ask(server, "printsgf -").startswith("= (;")
    server.close()
    assert not target.exists()


def test_gtp_in_a_folder(folder):
    server = Server(Options(width=9, height=9, files=files_for(str(folder), True)))
    assert ask(server, "loadsgf game.sgf") == "= "
    assert ask(server, "last_move") == "= black E5"
    for line in ("loadsgf ../secret.sgf", "printsgf ../written.sgf", f"printsgf {folder.parent / 'written.sgf'}"):
        assert ask(server, line) == "? the file is outside the folder allowed"
    assert ask(server, "printsgf below/new.sgf") == "= "
    server.close()
    assert (folder / "below" / "new.sgf").exists() and not (folder.parent / "written.sgf").exists()


@pytest.mark.parametrize("option", ["BookFile", "EvalFile"])
@pytest.mark.parametrize("remote", [False, True])
def test_books_and_nets_of_a_client_over_a_line(remote, option, tmp_path):
    server = XiangqiServer({"uci": Uci()}, "uci")
    told = []
    server.attach(told.append)
    server.session.files = files_for(None, remote)
    name = tmp_path / "no.obk"
    server.handle("uci")
    server.handle(f"setoption name {option} value {name}")
    server.close()
    text = "".join(told)
    assert text.strip() and ("no files over this line" in text) == remote
