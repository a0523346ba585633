"""Starts this program as a child, by a path: ``python …/protocols/start.py COMMAND …``.

``python -m qiqiao`` takes what lies in the current folder before what is installed, be it a clone of the sources that
is not built or somebody else's ``engines``. Here the current folder never counts.
"""

import os
import sys
from collections.abc import Sequence


def own_command() -> list[str]:
    """The words that start this program, to be followed by a command of its command line."""
    return [sys.executable, os.path.abspath(__file__)]


def own_line(words: Sequence[str], more: str = "") -> str:
    """The command line that starts this program with these words, and with ``more`` as the user wrote it behind."""
    import shlex  # not needed by the child
    import subprocess

    words = [*own_command(), *words]
    own = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    return f"{own} {more}".strip()


def _clean_path() -> None:
    """Take the current folder and this file's off the path of modules, and have the program's own folder there."""
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(here)
    unwanted = {here, os.getcwd()} - {root}
    sys.path[:] = [one for one in sys.path if one and os.path.abspath(one) not in unwanted]
    if root not in map(os.path.abspath, sys.path):
        sys.path.append(root)


if __name__ == "__main__":
    _clean_path()
    from qiqiao import main

    sys.exit(main())
