"""A constant that stands in a .pxd and in its .py has one value: compiled code takes the first, sources the second."""

import ast
import importlib
import re
from pathlib import Path

import pytest
from support import ROOT

DECLARATIONS = sorted(path for path in (ROOT / "engines").rglob("*.pxd") if path.with_suffix(".py").exists())

_ENUM = re.compile(r"^(?:cdef|cpdef) enum:.*\n((?:[ \t]+.*\n|[ \t]*\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"^\s+([A-Z_][A-Z0-9_]*)\s*=\s*([^#\n]+?)\s*(?:#.*)?$", re.MULTILINE)


def declared(path: Path) -> dict[str, int]:
    """The members of all enums of a .pxd."""
    found: dict[str, int] = {}
    for block in _ENUM.findall(path.read_text(encoding="utf-8") + "\n"):
        for name, value in _MEMBER.findall(block):
            assert name not in found, f"{name} twice"
            found[name] = eval(value, {}, dict(found))
    return found


def assigned(path: Path, names: set[str]) -> dict[str, list[object]]:
    """What a source assigns to these names outside functions and classes, whatever ``if`` they stand under."""
    values: dict[str, list[object]] = {}
    known: dict[str, object] = {}

    def note(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=True):
                note(one, its)
            return
        try:
            result = eval(compile(ast.Expression(value), str(path), "eval"), {"__builtins__": {"range": range}}, known)
        except (NameError, TypeError):
            return  # no constant
        pairs = zip(target.elts, result, strict=True) if isinstance(target, ast.Tuple) else [(target, result)]
        for one, its in pairs:
            if isinstance(one, ast.Name):
                known[one.id] = its
                if one.id in names:
                    values.setdefault(one.id, []).append(its)

    def walk(body: list[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    note(target, statement.value)
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                note(statement.target, statement.value)
            elif isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("engines."):
                there = vars(importlib.import_module(statement.module))
                for alias in statement.names:
                    if isinstance(there.get(alias.name), int):
                        known[alias.name] = there[alias.name]
                        if alias.name in names:
                            values.setdefault(alias.name, []).append(there[alias.name])
            elif isinstance(statement, ast.If):
                walk(statement.body)
                walk(statement.orelse)

    walk(ast.parse(path.read_text(encoding="utf-8")).body)
    return values


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.stem)
def test_both_have_the_same_value(path):
    wanted = declared(path)
    found = assigned(path.with_suffix(".py"), set(wanted))
    assert {name: set(values) for name, values in found.items()} == {name: {value} for name, value in wanted.items()}


def test_most_constants_are_seen():
    """So that a change of style does not leave the test above without work."""
    assert sum(len(declared(path)) for path in DECLARATIONS) >= 100


def test_a_difference_is_seen(tmp_path):
    (tmp_path / "one.pxd").write_text("cdef enum:\n    SIZE = 4   # it\n    TWICE = 8\n\ncpdef enum:\n    MORE = -1\n")
    (tmp_path / "one.py").write_text("SIZE = 4\nif True:\n    TWICE, MORE = 2 * SIZE, -2\n")
    wanted = declared(tmp_path / "one.pxd")
    assert wanted == {"SIZE": 4, "TWICE": 8, "MORE": -1}
    assert assigned(tmp_path / "one.py", set(wanted)) == {"SIZE": [4], "TWICE": [8], "MORE": [-2]}
