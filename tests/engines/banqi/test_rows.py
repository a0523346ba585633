"""Checked rows of banqi, luoqi and sanguo, and that an altered field of one is named."""

import copy
import importlib.util
import json

import pytest
from support import DATA, PURE, ROOT

from engines.banqi.fen import START_FEN


def kinds():
    found = {}
    for name in ("banqi", "luoqi", "sanguo"):
        path = ROOT / "scripts" / "variant_rows" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"rows_of_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= module.KINDS
    return found


KINDS = kinds()
FILES = {kind: json.loads((DATA / "variants" / f"{kind}.json").read_text(encoding="utf-8")) for kind in KINDS}
ROWS = [pytest.param(kind, row, id=f"{kind}-{row['id']}") for kind, file in FILES.items() for row in file["rows"]]


@pytest.mark.parametrize(("kind", "row"), ROWS[:: 4 if PURE else 1])
def test_a_row_is_right(kind, row):
    assert KINDS[kind](row, FILES[kind]) == []


def altered(row, name):
    other = copy.deepcopy(row)
    value = other[name]
    if name == "last_fen":
        other[name] = value.replace(" 0 ", " 1 ", 1) if value and " 0 " in value else "4/4/4/4/4/4/4/4 r - 0 0"
    elif name == "rules":
        other[name] = "hongkong" if value != "hongkong" else "taiwan"
    elif name == "result":
        other[name] = {**value, "winner": None if value["winner"] is not None else 1}
    elif name == "deal":  # the first square turned up has another piece
        other[name] = value[1:] + value[:1]
    elif name == "fen":
        other[name] = START_FEN if value != START_FEN else value.replace(" 0 0", " 1 1")
    elif name == "platform":
        other[name] = "NoMove" if value != "NoMove" else "NoEatFlipDraw"
    elif name == "board":
        other[name] = "half" if value == "whole" else "whole"
    elif name == "corners":
        other[name] = 7 - value
    elif name == "aside":
        other[name] = value[:-1] if value else "K"
    elif name in ("legal", "perft", "players"):
        other[name][-1] += 1
    elif name in ("colors", "sides"):
        other[name] = other[name][1:] + other[name][:1]
    elif name == "moves":
        other[name] = value[:-1] if value else ["a1(K)"]
    elif name == "out":
        other[name] = [*value, 9]
    return other


FIELDS = [
    pytest.param(kind, name, id=f"{kind}-{name}")
    for kind, file in FILES.items()
    for name in file["rows"][0]
    if name not in ("id", "note")
]


@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_an_altered_field_is_named(kind, name):
    row = FILES[kind]["rows"][0]
    assert KINDS[kind](altered(row, name), FILES[kind]) != []
