"""All errors that qiqiao raises on purpose have one root, so that a user of the library can catch them all."""

import ast
import builtins

import pytest
from support import ROOT

BUILTIN = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}
FILES = [ROOT / "qiqiao.py", *(path for top in ("engines", "protocols") for path in sorted((ROOT / top).rglob("*.py")))]


def classes(sources):
    """Every class by file and name, with the last words of its bases' names."""
    return [
        (place, node.name, [ast.unparse(base).rpartition(".")[2] for base in node.bases])
        for place, source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
    ]


def rootless(found):
    """Exception classes that are no ``QiqiaoError``, neither themselves nor by a base."""
    rooted = {"QiqiaoError"}
    while more := {name for _, name, bases in found if rooted & set(bases)} - rooted:
        rooted |= more
    errors = set(BUILTIN)
    while more := {name for _, name, bases in found if errors & set(bases)} - errors:
        errors |= more
    return [f"{place}: {name}" for place, name, bases in found if errors & set(bases) and not rooted & {name, *bases}]


def test_one_root():
    found = classes((path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in FILES)
    assert rootless(found) == []
    assert sum("QiqiaoError" in bases for _, _, bases in found) > 20


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class A(ValueError): pass\nclass B(A): pass", ["x: A", "x: B"]),
        ("class A(QiqiaoError, ValueError): pass\nclass B(A): pass", []),
        ("class A(errors.QiqiaoError): pass\nclass B: pass", []),
    ],
)
def test_what_has_no_root_is_found(source, expected):
    assert rootless(classes([("x", source)])) == expected
