"""Files: read with care, written whole or not at all."""

import errno
import os
import stat
import sys

import pytest

from engines import files
from engines.files import create_file, keep_original, read_bytes, replace_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes, links and pipes of POSIX")


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_a_file_is_made_and_replaced(tmp_path):
    path = tmp_path / "a"
    replace_file(path, "一\r\n")
    assert path.read_bytes() == "一\r\n".encode()
    replace_file(str(path), b"two")
    assert path.read_bytes() == read_bytes(path, 3) == b"two"
    assert names(tmp_path) == ["a"]


def test_a_new_file_never_takes_the_place_of_another(tmp_path):
    path = tmp_path / "a"
    create_file(path, "one")
    with pytest.raises(FileExistsError):
        create_file(path, "two")
    assert path.read_text() == "one" and names(tmp_path) == ["a"]


def test_where_there_are_no_hard_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a"
    create_file(path, "one")
    with pytest.raises(FileExistsError):
        create_file(path, "two")
    assert path.read_text() == "one" and names(tmp_path) == ["a"]


@posix
def test_the_mode_stays(tmp_path):
    path = tmp_path / "a"
    replace_file(path, "one")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    replace_file(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere" / "a")
    for text in ("made", "replaced"):  # it may point to nothing yet
        replace_file(link, text)
        assert link.is_symlink() and (tmp_path / "elsewhere" / "a").read_text() == text
    assert names(tmp_path / "elsewhere") == ["a"]


@posix
def test_only_regular_files(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link", "folder", "/dev/null"):
        with pytest.raises(OSError, match=r"regular|irectory"):
            read_bytes(tmp_path / name, 10)  # which must not wait for a writer either
        with pytest.raises(OSError, match=r"regular|irectory"):
            replace_file(tmp_path / name, "x")
    assert names(tmp_path) == ["folder", "link", "pipe"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@posix
@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write anything")
def test_a_file_that_may_not_be_written_stays(tmp_path):
    path = tmp_path / "a"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_file(path, "new")
    assert path.read_text() == "kept"


def test_what_is_read_only_is_asked_about(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("kept")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError):
        replace_file(path, "new")
    assert path.read_text() == "kept" and names(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path = tmp_path / "a"
    path.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, full)
        with pytest.raises(OSError, match="No space"):
            replace_file(path, "new")
    assert path.read_text() == "old" and names(tmp_path) == ["a"]
    replace_file(path, "new")
    assert path.read_text() == "new"


@posix
def test_nobody_can_have_the_unfinished_file_made_ready(tmp_path, monkeypatch):
    (tmp_path / "victim").write_text("untouched")
    given = iter([b"\0" * 8, b"\1" * 8])
    monkeypatch.setattr(os, "urandom", lambda _: next(given))
    (tmp_path / f".qiqiao-{'00' * 8}.part").symlink_to(tmp_path / "victim")
    (tmp_path / "a.part").write_text("a user's own")
    replace_file(tmp_path / "a", "new")
    assert (tmp_path / "victim").read_text() == "untouched"
    assert (tmp_path / "a.part").read_text() == "a user's own"
    assert (tmp_path / "a").read_text() == "new"


def test_the_file_and_then_its_folder_are_on_the_disk_when_it_returns(tmp_path, monkeypatch):
    done = []
    fsync, replace = os.fsync, os.replace

    def note_sync(file):
        done.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")
        fsync(file)

    def note_replace(*names):
        done.append("name")
        replace(*names)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    replace_file(tmp_path / "a", "new")
    assert done == ["file", "name", "folder"] if sys.platform != "win32" else ["file", "name"]


def test_sizes(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_bytes(path, 4)


@pytest.mark.parametrize("call", [lambda name: read_bytes(name, 1), lambda name: replace_file(name, "")])
def test_impossible_names(call):
    for name in ("nul\0l", "/no/such/folder/a"):
        with pytest.raises(OSError):
            call(name)


def test_the_original_is_kept_once(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text("first")
    assert keep_original(path, 10) == f"{path}.orig"
    path.write_text("second")
    keep_original(path, 10)
    assert (tmp_path / "a.sgf.orig").read_text() == "first"


def test_names_tried_have_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "urandom", lambda _: b"\0" * 8)
    monkeypatch.setattr(files, "_ATTEMPTS", 3)
    (tmp_path / f".qiqiao-{'00' * 8}.part").write_text("")
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "a", "new")
