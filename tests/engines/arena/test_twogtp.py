from dataclasses import replace

from arena_match import played

from engines.arena.twogtp import COLUMNS, twogtp_table
from engines.gametype import Ending


def table(rows, settings):
    text = twogtp_table(settings, settings.make_game(), rows, {"one": "Program 1.0"}, "qiqiao")
    head = [line for line in text.splitlines() if line.startswith("#")]
    body = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return dict(line[2:].split(": ", 1) for line in head if ": " in line), head[-1], body


def test_the_form_of_the_table():
    settings, _, rows = played("go")
    properties, header, body = table(rows, settings)
    assert header == "#" + "\t".join(COLUMNS)
    assert properties["Black"] == "one" and properties["White"] == "two" and properties["Size"] == "5"
    assert properties["BlackVersion"] == "Program 1.0" and properties["Komi"] == "7.5"
    assert [cells[0] for cells in body] == ["0", "1", "2", "3"]
    assert all(len(cells) == len(COLUMNS) for cells in body)
    assert [cells[4] for cells in body] == ["0", "1", "1", "0"]


def test_columns_belong_to_programs_and_results_to_them():
    settings, _, rows = played("go")
    row = replace(rows[1], ending=Ending(0, "score", "B+3.5"), said=("B+2.5", ""))
    assert row.seats == (1, 0)  # the second program has Black
    assert table([row], settings)[2][0][1:5] == ["?", "W+2.5", "W+3.5", "1"]


def test_results_are_those_that_the_analysis_knows():
    settings, _, rows = played("go")
    for result, shown in [("B+T", "B+"), ("W+R", "W+R"), ("B+F", "B+"), ("0", "0"), ("Void", "?")]:
        row = replace(rows[0], ending=Ending(0, "resignation", result))
        assert table([row], settings)[2][0][3] == shown


def test_faults_are_errors_with_a_message_of_one_line():
    settings, _, rows = played("go")
    row = replace(rows[0], ending=Ending(0, "crash", "B+F", "it\ndied"), error="it\tdied\nhere")
    assert table([row], settings)[2][0][-2:] == ["1", "it died here"]
    row = replace(rows[0], ending=Ending(0, "time", "B+T", "too late"))
    assert table([row], settings)[2][0][-2:] == ["0", ""]


def test_games_that_went_alike_are_marked():
    settings, _, rows = played("go")
    turned = replace(rows[0], game=1, opening=replace(rows[0].opening), turns=tuple(map(mirrored, rows[0].turns)))
    body = table([rows[0], turned, rows[2]], settings)[2]
    assert [cells[5] for cells in body] == ["-", "0", "-"]


def mirrored(turn):
    if turn.move == "pass":
        return turn
    return turn._replace(move="EDCBA"["ABCDE".index(turn.move[0])] + turn.move[1:])
