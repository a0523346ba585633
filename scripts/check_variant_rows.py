#!/usr/bin/env python3
"""Check files of rows of the variants: compute every field of every row again, and name each row that differs.

    check_variant_rows.py FILE…

A file is JSON, ``{"rows": [ … ]}``; its name tells what kind of rows it has: ``jieqi-perft.json``, also with something
before it, ``heldout-jieqi-perft.json``, or behind, ``jieqi-perft-2.json``. A row that differs is named with what
differs. The last line is ``N of M rows``, those that are right and all. The exit status is 1 if any differs or a file
can't be read as rows, 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

Row = dict[str, Any]
Check = Callable[[Row, dict[str, Any]], list[str]]

GAMES = {"jieqi": "jieqi", "fanqi": "jieqi", "banqi": "banqi", "luoqi": "luoqi", "sanguo": "sanguo"}
"""The module of ``variant_rows`` by the first word of a kind."""


def kind_of(path: Path) -> tuple[str, Check]:
    """The kind of a file's rows, by its name, and the function that checks one. ``ValueError`` for another name."""
    words = path.name.removesuffix(".json").split("-")
    for first, word in enumerate(words):
        if word not in GAMES:
            continue
        name = GAMES[word]
        try:
            kinds: dict[str, Check] = importlib.import_module(f"variant_rows.{name}").KINDS
        except ModuleNotFoundError as error:
            if error.name != f"variant_rows.{name}":
                raise
            raise ValueError(f"{path}: there is nothing here to check rows of {word} with") from None
        for last in range(len(words), first, -1):
            kind = "-".join(words[first:last])
            if kind in kinds:
                return kind, kinds[kind]
    raise ValueError(f"{path}: the name tells no kind of rows that is known here")


def check_row(check: Check, row: Any, whole: dict[str, Any]) -> list[str]:
    """What differs in one row; a row that can't be computed differs too, with the reason."""
    if not isinstance(row, dict):
        return ["it is no row"]
    try:
        return check(row, whole)
    except Exception as error:  # whatever a row has, the next one is looked at
        return [f"it can't be computed: {type(error).__name__}: {error}"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    right = total = 0
    broken = False
    for path in parser.parse_args(arguments).files:
        try:
            _, check = kind_of(path)
            whole = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(whole, list):
                whole = {"rows": whole}
            rows = whole["rows"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(error if re.match(r"\S+: ", str(error)) else f"{path}: no file of rows: {error!r}")
            broken = True
            continue
        for number, row in enumerate(rows, start=1):
            found = check_row(check, row, whole)
            total += 1
            right += not found
            if found:
                name = row.get("id", f"row {number}") if isinstance(row, dict) else f"row {number}"
                print(f"{path.name}: {name}: {'; '.join(found)}", flush=True)
    print(f"{right} of {total} rows")
    return 0 if right == total and not broken else 1


if __name__ == "__main__":
    sys.exit(main())
