"""Files of the user's: read with care, and written so that at each moment the old or the new one is there whole.

Only regular files are read and written: a pipe or a device would hang the program or take what is written for orders.
A link is followed, so that a record kept elsewhere stays there and the link stays a link.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

Path = str | os.PathLike[str]

_ATTEMPTS = 100
"""Names tried for the unfinished file before there is something wrong with the folder."""


def read_bytes(path: Path, limit: int) -> bytes:
    """What is in a file of at most ``limit`` bytes. Raises OSError, also for what is no regular file or too large."""
    name = os.fspath(path)
    try:
        # Not to wait: opening a pipe would, until somebody writes into it.
        file = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), name) from None
    with os.fdopen(file, "rb") as stream:
        kind = os.fstat(stream.fileno())
        _check_regular(kind, name)
        data = stream.read(limit + 1) if kind.st_size <= limit else b""
    if len(data) > limit or kind.st_size > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", name)
    return data


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file, in place of the one that is there; text as UTF-8. Its mode stays. Raises OSError.

    When this returns, the file and its name are on the disk. When it raises, the old file is as it was and nothing
    else is left behind.
    """
    name = _real(path)
    try:
        old: os.stat_result | None = os.stat(name)
    except FileNotFoundError:
        old = None
    if old is not None:
        _check_regular(old, name)
        if not os.access(name, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    unfinished = _write_beside(name, content, old)
    try:
        os.replace(unfinished, name)
    except BaseException:
        _remove(unfinished)
        raise
    _sync_folder(name)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream of bytes that takes the place of a file when the block ends, as ``replace_file`` does; an exception in
    the block leaves everything as it was. Raises OSError.
    """
    name = _real(path)
    old: os.stat_result | None = None
    with suppress(FileNotFoundError):
        old = os.stat(name)
    if old is not None:
        _check_regular(old, name)
        if not os.access(name, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    unfinished, file = _open_new(os.path.dirname(os.path.abspath(name)), 0o666 if old is None else 0o600)
    try:
        with os.fdopen(file, "wb") as stream:
            yield stream
            stream.flush()
            if old is not None and sys.platform != "win32":
                os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
            os.fsync(stream.fileno())
        os.replace(unfinished, name)
    except BaseException:
        _remove(unfinished)
        raise
    _sync_folder(name)


def create_file(path: Path, content: str | bytes) -> None:
    """Write a file that must not be there yet; else as ``replace_file``. Raises OSError, FileExistsError among them."""
    name = os.fspath(path)
    unfinished = _write_beside(name, content, None)
    try:
        try:
            os.link(unfinished, name)  # unlike a renaming, this never takes another file's place
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            os.replace(unfinished, name)
    finally:
        _remove(unfinished)
    _sync_folder(name)


def keep_original(path: Path, limit: int) -> str:
    """Copy a file that is about to be written anew to ``PATH.orig``, unless there is one; gives that name.

    Raises OSError.
    """
    name = f"{os.fspath(path)}.orig"
    with suppress(FileExistsError):
        create_file(name, read_bytes(path, limit))
    return name


def _real(path: Path) -> str:
    """The file that a path names at the end of all links; it need not exist yet."""
    try:
        return os.path.realpath(os.fspath(path))
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None


def _check_regular(kind: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(kind.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if not stat.S_ISREG(kind.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", name)


def _write_beside(name: str, content: str | bytes, old: os.stat_result | None) -> str:
    """Write an unfinished file into the folder of ``name``, with the mode of the old one; gives its path."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    unfinished, file = _open_new(os.path.dirname(os.path.abspath(name)), 0o666 if old is None else 0o600)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            if old is not None and sys.platform != "win32":
                with suppress(OSError):  # somebody else's file in a folder of ours
                    os.fchown(stream.fileno(), old.st_uid, old.st_gid)
                os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
            os.fsync(stream.fileno())
    except BaseException:
        _remove(unfinished)
        raise
    return unfinished


def _open_new(folder: str, mode: int) -> tuple[str, int]:
    """A new file that nobody has, and can have had made ready, in a folder: its path and descriptor."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    for _ in range(_ATTEMPTS):
        path = os.path.join(folder, f".qiqiao-{os.urandom(8).hex()}.part")
        with suppress(FileExistsError):
            return path, os.open(path, flags, mode)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), folder)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _sync_folder(name: str) -> None:
    """Have the folder's entry on the disk too, where the system knows such a thing."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(name)), os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
