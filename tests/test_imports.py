"""Which package imports which: arrows point one way. Imports inside functions count, and so do names of modules in
texts (``importlib``); only what type checkers alone see does not."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def modules():
    """All modules of the project by name, with their files."""
    found = {}
    for top in ("engines", "protocols"):
        for file in (ROOT / top).rglob("*.py"):
            found[".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")] = file
    return found


def imported(source, known):
    """The modules of the project that a source imports, by whatever way."""
    tree = ast.parse(source)
    unseen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            found.add(node.value)
    return found & known.keys()


def package_of(name):
    """``engines.go`` for all that is in it; a module beside the packages is one of its own."""
    parts = name.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else name


def circle(arrows):
    """A way from somewhere back to itself; [] where there is none."""
    done = set()
    for start in sorted(arrows):
        way, stack = [start], [iter(sorted(arrows[start]))]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
                done.add(way.pop())
            elif following in way:
                return [*way[way.index(following) :], following]
            elif following not in done:
                way.append(following)
                stack.append(iter(sorted(arrows.get(following, ()))))
    return []


@pytest.fixture(scope="module")
def arrows():
    known = modules()
    return {name: imported(file.read_text("utf-8"), known) - {name} for name, file in known.items()}


def test_no_package_imports_itself_by_way_of_others(arrows):
    packages = {}
    for name, targets in arrows.items():
        packages.setdefault(package_of(name), set()).update(map(package_of, targets))
    assert circle({name: targets - {name} for name, targets in packages.items()}) == []


def test_engines_know_no_protocol(arrows):
    assert [
        name
        for name, targets in arrows.items()
        if name.startswith("engines") and any("protocols" in one for one in targets)
    ] == []


def test_nothing_but_the_program_imports_the_command_line(arrows):
    users = {name for name, targets in arrows.items() if any(one.startswith("protocols.commands") for one in targets)}
    assert {package_of(name) for name in users} == {"protocols.commands"}


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    source = "def f():\n    from engines import x\n    import protocols.y\nNAME = 'engines.z'\n"
    assert imported(source, dict.fromkeys(("engines", "engines.x", "protocols.y", "engines.z", "engines.w"))) == {
        "engines.x",
        "protocols.y",
        "engines.z",
    }
