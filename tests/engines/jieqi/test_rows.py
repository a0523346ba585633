"""The checked rows, computed by the script that checks them; and a row that is altered is named."""

import copy
import json
import subprocess
import sys

import pytest
from support import DATA, PURE, ROOT

sys.path.insert(0, str(ROOT / "scripts"))
from check_variant_rows import check_row, kind_of, main

KINDS = ("jieqi-perft", "jieqi-games", "jieqi-views", "jieqi-twins", "jieqi-notation", "fanqi-games")


def whole(kind):
    return json.loads((DATA / "variants" / f"{kind}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_rows(kind):
    data = whole(kind)
    check = kind_of(DATA / f"{kind}.json")[1]
    rows = data["rows"][:3] if PURE else data["rows"]
    if PURE and kind == "jieqi-perft":
        rows = [{**row, "perft": row["perft"][:1], "public": row["public"][:1]} for row in rows]
    assert [found for row in rows if (found := check_row(check, row, data))] == []


def altered(value, shorter=True):
    """Values that differ from this one in one place; lists that end early too, unless they may."""
    if isinstance(value, bool) or value is None:
        yield "r"
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value[:-1] + ("a" if value[-1:] != "a" else "b") if value else "x"
    elif isinstance(value, list):
        if shorter or not value:
            yield value[:-1] if value else [1]
        for i in {0, len(value) // 2, len(value) - 1} if value else ():
            for other in altered(value[i], shorter):
                yield [*value[:i], other, *value[i + 1 :]]
    elif isinstance(value, dict):
        for key in list(value)[:1] + list(value)[-1:]:
            for other in altered(value[key], shorter):
                yield {**value, key: other}
            yield {name: kept for name, kept in value.items() if name != key}


NOT_COMPUTED = {"id", "case"}
MAY_END = {"perft", "public", "plies"}  # with fewer depths or plies it is as right


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_row_is_named(kind):
    data = whole(kind)
    check = kind_of(DATA / f"{kind}.json")[1]
    row = next((row for row in data["rows"] if "spoken" in row), data["rows"][0])
    assert check_row(check, row, data) == []
    for field in set(row) - NOT_COMPUTED:
        for other in altered(row[field], field not in MAY_END):
            bad = copy.deepcopy(row)
            bad[field] = other
            if other != row[field]:
                assert check_row(check, bad, data), f"{field} = {other!r} passes"


def test_the_kind_is_told_by_the_name(tmp_path):
    for name in ("jieqi-perft.json", "heldout-jieqi-perft.json", "kept-back-jieqi-perft-2.json"):
        assert kind_of(tmp_path / name)[0] == "jieqi-perft"
    for name in ("perft.json", "jieqi.json", "heldout.json"):
        with pytest.raises(ValueError, match="no kind of rows"):
            kind_of(tmp_path / name)


def test_the_script_says_how_many_are_right(tmp_path, capsys):
    data = whole("jieqi-twins")
    good = tmp_path / "heldout-jieqi-twins.json"
    good.write_text(json.dumps(data))
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == "8 of 8 rows\n"
    data["rows"][2]["legal"] += 1
    good.write_text(json.dumps(data))
    assert main([str(good)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "7 of 8 rows" and data["rows"][2]["id"] in said[0] and "legal" in said[0]


def test_files_that_are_no_rows(tmp_path):
    broken = tmp_path / "jieqi-perft.json"
    broken.write_text('{"rows": [1, {}, null]}')
    command = [sys.executable, str(ROOT / "scripts" / "check_variant_rows.py"), str(broken), str(tmp_path / "x.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "0 of 3 rows" and not done.stderr
