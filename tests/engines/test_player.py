"""What limits say of moves."""

import pytest

from engines.player import Limits, Restriction


@pytest.mark.parametrize(
    "restrictions,barred",
    [
        ([], ""),
        ([Restriction(0, frozenset("ab"))], "ab"),
        ([Restriction(1, frozenset("ab"))], ""),
        ([Restriction(0, frozenset("ab"), allow=True)], "cd"),
        ([Restriction(0, frozenset("ab"), allow=True), Restriction(0, frozenset("b"))], "bcd"),
    ],
    ids=["none", "banned", "for the other colour", "only these", "both"],
)
def test_barred_moves(restrictions, barred):
    assert Limits(restrictions=tuple(restrictions)).barred(0, "abcd") == frozenset(barred)
