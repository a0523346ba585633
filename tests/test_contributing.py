"""What CONTRIBUTING.md and the READMEs point at is there."""

import ast
import re

import pytest
from support import ROOT

PAGES = ["CONTRIBUTING.md", "README.md", "README.zh.md", "engines/README.md", "protocols/README.md"]


def named():
    """Files of CONTRIBUTING.md's tables, each with the names that follow it in brackets."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for file, rest in re.findall(r"`((?:engines|protocols)/[\w/]+\.py|qiqiao\.py)`(?: \(([^)]*)\))?", text):
        yield file, re.findall(r"`([\w.]+)`", rest)


def defined(file):
    """Every function, class, method and constant of a source."""
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@pytest.mark.parametrize(("file", "names"), list(named()), ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_named_is_there(file, names):
    assert set(names) <= set(defined(file))


def test_there_are_places_to_look_for():
    assert sum(len(names) for _, names in named()) > 10


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    path = ROOT / page
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (path.parent / link).exists()] == []
