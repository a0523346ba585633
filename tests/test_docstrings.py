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


def test_the_library_page():
    """What docs/library.md shows is what happens; the fences of its blocks are no output."""
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    plain = "\n".join("" if line.startswith("```") else line for line in page.splitlines())
    told = []
    examples = doctest.DocTestParser().get_doctest(plain, {}, "library.md", "docs/library.md", 0)
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(examples, out=told.append)
    assert len(examples.examples) > 40 and not told, "".join(told)
