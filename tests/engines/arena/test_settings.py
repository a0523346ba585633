import json

import pytest

from engines.arena.settings import Adjudication, Entrant, Settings
from engines.arena.sprt import Sprt

TWO = (Entrant("a", "gtp:x", {"level": "3"}), Entrant("b", "gtp:y", time="5+1"))


def test_settings_come_back_from_json_as_they_were():
    match = Settings(
        "go",
        TWO,
        rules="japanese",
        options={"size": (9, 13), "komi": 6.5},
        sprt=Sprt(0, 10),
        adjudication=Adjudication(5),
    )
    assert Settings.from_json(json.loads(json.dumps(match.to_json()))) == match


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"entrants": TWO[:1]},
        {"entrants": (TWO[0], TWO[0])},
        {"entrants": (*TWO, Entrant(" ", "z"))},
        {"games": 3},
        {"games": 0},
        {"time": "soon"},
        {"entrants": (*TWO, Entrant("c", "z")), "sprt": Sprt()},
    ],
)
def test_nonsense_is_refused_in_plain_words(changes):
    with pytest.raises(ValueError) as caught:
        Settings(**{"game": "go", "entrants": TWO, **changes})
    assert len(str(caught.value)) > 10


@pytest.mark.parametrize("value", [{}, {"game": "go"}, {"game": "go", "entrants": 5}])
def test_what_is_no_match_is_refused(value):
    with pytest.raises(ValueError):
        Settings.from_json(value)


def test_differences_are_named_and_length_is_none():
    match = Settings("go", TWO)
    assert match.differences(Settings("go", TWO, games=4, sprt=Sprt(), event="x")) == []
    assert match.differences(Settings("go", TWO[::-1], seed=3, rules="aga")) == ["entrants", "rules", "seed"]
    assert match.differences(Settings.from_json(json.loads(json.dumps(match.to_json())))) == []
