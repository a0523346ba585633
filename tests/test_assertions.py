"""Every test can fail by what it checks, not only by an exception that escapes."""

import ast
from collections.abc import Iterator

import pytest
from support import ROOT

FILES = sorted((ROOT / "tests").rglob("test_*.py"))
SHARED = [*sorted((ROOT / "tests" / "helpers").glob("*.py")), *sorted((ROOT / "tests").rglob("conftest.py"))]

RAISING = {".raises", ".warns", ".fail"}
"""What checks without ``assert``, by the last word of the call; ``check=True`` of a child process does too."""


def _called(node: ast.AST) -> Iterator[str]:
    """What is called: functions by name, methods by name with a dot before it."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            function = one.func
            yield function.id if isinstance(function, ast.Name) else f".{getattr(function, 'attr', '')}"


def _checks(node: ast.AST, checkers: set[str]) -> bool:
    for one in ast.walk(node):
        if isinstance(one, ast.Assert):
            return True
        if isinstance(one, ast.Raise) and "AssertionError" in ast.unparse(one):
            return True
        if isinstance(one, ast.keyword) and one.arg == "check" and ast.unparse(one.value) == "True":
            return True
    return any(name in RAISING or name in checkers or name.startswith(".assert_") for name in _called(node))


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _helpers(tree: ast.AST) -> list[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a file that are no tests, named as ``_called`` names them."""
    methods = {id(one) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for one in _functions(node)}
    return [
        (f".{one.name}" if id(one) in methods else one.name, one)
        for one in _functions(tree)
        if not one.name.startswith(("test_", "__"))
    ]


def checkers(trees: list[ast.AST], known: set[str]) -> set[str]:
    """Of the helpers in these files those that check something, also through one another."""
    helpers = [helper for tree in trees for helper in _helpers(tree)]
    found = set(known)
    while True:
        more = {name for name, function in helpers if _checks(function, found)} - found
        if not more:
            return found
        found |= more


def without_checks(source: str, shared: set[str]) -> list[str]:
    tree = ast.parse(source)
    known = checkers([tree], shared)
    return [
        function.name
        for function in _functions(tree)
        if function.name.startswith("test_") and not _checks(function, known)
    ]


@pytest.fixture(scope="module")
def shared() -> set[str]:
    return checkers([ast.parse(path.read_text(encoding="utf-8")) for path in SHARED], set())


def test_all_tests_check_something(shared):
    bare = {str(path.relative_to(ROOT)): without_checks(path.read_text(encoding="utf-8"), shared) for path in FILES}
    assert not {path: names for path, names in bare.items() if names}


@pytest.mark.parametrize(
    ("body", "bare"),
    [
        ("run()", True),
        ("print(1)", True),
        ("assert run() == 1", False),
        ("with pytest.raises(ValueError):\n        run()", False),
        ("helper()", False),
        ("other.helper()", True),
        ("subprocess.run(['true'], check=True)", False),
        ("subprocess.run(['true'])", True),
    ],
)
def test_a_test_without_a_check_is_seen(body, bare):
    source = f"def helper():\n    assert run()\n\ndef test_it():\n    {body}\n"
    assert without_checks(source, set()) == (["test_it"] if bare else [])


SOON = 60
"""Seconds that a busy machine may take for anything. What is not to be waited for takes ten times as long."""

CLOCKS = {"monotonic", "perf_counter", "time"}


def _hasty(tree: ast.Module) -> list[int]:
    """Lines that compare a time elapsed by the clock on the wall with too early an end."""
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def elapsed(node: ast.AST) -> bool:
        return isinstance(node, ast.BinOp) and any(
            isinstance(one, ast.Call) and getattr(one.func, "attr", "") in CLOCKS for one in ast.walk(node)
        )

    found = []
    for statement in (node for node in ast.walk(tree) if isinstance(node, ast.Assert)):
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                for i, operator in enumerate(node.ops):
                    earlier, later = (sides[i], sides[i + 1])
                    if isinstance(operator, ast.Gt | ast.GtE):
                        earlier, later = later, earlier
                    bound = constants.get(ast.unparse(later), getattr(later, "value", None))
                    if elapsed(earlier) and isinstance(bound, int | float) and bound < SOON:
                        found.append(node.lineno)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_test_fails_because_the_machine_is_busy(path):
    assert _hasty(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_a_hasty_test_is_found():
    source = "END = 2\nassert time.monotonic() - begin < END\nassert 1 > time.monotonic() - begin > 0.5\n"
    assert _hasty(ast.parse(source)) == [2, 3]
    patient = "assert 0.5 < time.monotonic() - begin < 300\nassert time.process_time() - begin < 3"
    assert _hasty(ast.parse(patient)) == []
