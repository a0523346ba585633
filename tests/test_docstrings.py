"""The examples in docstrings are true."""

import doctest
import importlib

import pytest
from support import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("engines", "protocols")
    for path in (ROOT / folder).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0 and found.failed == 0


def test_the_boards_have_examples():
    assert {"engines.go.board", "engines.xiangqi.board"} <= set(MODULES)
