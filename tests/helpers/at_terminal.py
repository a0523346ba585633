"""``qiqiao play`` with lines typed into it."""

import os

import qiqiao


def play(capsys, typed, *words):
    """Play with these lines as standard input; gives the exit status and what was written."""
    reading, writing = os.pipe()
    os.write(writing, "".join(f"{line}\n" for line in typed).encode())
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    try:
        capsys.readouterr()
        status = qiqiao.main(["play", "--language", "en", *words])
    except SystemExit as error:
        status = error.code
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(reading)
    said = capsys.readouterr()
    return status, said.out + said.err
