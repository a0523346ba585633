"""Names for the records of one session."""

import pytest

from protocols.sensor.session.numbered import next_path


@pytest.mark.parametrize(
    "there,path,following",
    [
        ("game.sgf", "game.sgf", "game-2.sgf"),
        ("game.sgf game-2.sgf", "game-2.sgf", "game-3.sgf"),
        ("game.sgf game-2.sgf game-3.sgf", "game.sgf", "game-4.sgf"),
        ("2024-05-01.sgf", "2024-05-01.sgf", "2024-05-01-2.sgf"),
        ("2024-12.sgf", "2024-12.sgf", "2024-12-2.sgf"),
        ("game.sgf game-02.sgf", "game-02.sgf", "game-02-2.sgf"),
        ("a.sgf a-².sgf", "a-².sgf", "a-²-2.sgf"),
        ("a.sgf a-٣.sgf", "a-٣.sgf", "a-٣-2.sgf"),
        ("-5.sgf", "-5.sgf", "-5-2.sgf"),
    ],
)
def test_further_games_are_numbered(tmp_path, there, path, following):
    for name in there.split():
        (tmp_path / name).touch()
    assert next_path(str(tmp_path / path)) == str(tmp_path / following)
