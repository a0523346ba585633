"""Which files the other end of a connection may name.

A client that started the program runs as the same user, and may name any file. At the other end of a serial or network
line may be anybody: there no file is read or written unless the operator allows a folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from engines.errors import QiqiaoError


class FileRefused(QiqiaoError, ValueError):
    """A file that may not be named; the text, for the client, says why."""


@dataclass(frozen=True)
class Files:
    """``folder``: the only one whose files may be named, None for any. ``allowed``: whether any may be named at all."""

    folder: str | None = None
    allowed: bool = True

    def path(self, name: str) -> str:
        """The path of a file named by the client. Names are relative to the folder, where there is one; what leads out
        of it, by ``..``, as an absolute path or by a link, is refused. Raises FileRefused.
        """
        if not self.allowed:
            raise FileRefused("no files over this line")
        if self.folder is None:
            return name
        root = os.path.realpath(self.folder)
        try:
            path = os.path.realpath(os.path.join(root, name))
            inside = os.path.commonpath((root, path)) == root and path != root
        except (OSError, ValueError):  # a NUL in the name, another drive
            inside = False
        if not inside:
            raise FileRefused("the file is outside the folder allowed")
        return path


ANY_FILE = Files()


def files_for(folder: str | None, remote: bool) -> Files:
    """The files for a client at the other end of a line (``remote``) or beside us, with the folder that is allowed."""
    return Files(folder, allowed=not remote or folder is not None)
