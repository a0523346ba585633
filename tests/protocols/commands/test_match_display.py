"""What a match shows while it is played."""

import io
import sys

import pytest
from arena_match import played

from engines.arena import journal
from engines.arena.match import Match
from engines.arena.sprt import Sprt
from protocols.commands.match_display import Lines, Live, Silent, display


@pytest.fixture
def match(tmp_path):
    settings, _, rows = played("xiangqi", sprt=Sprt(0, 30))
    book = journal.Journal(str(tmp_path / journal.NAME), settings)
    for row in rows:
        book.add(row)
    yield Match(settings, book), rows
    book.close()


def test_a_line_a_game(match, capsys):
    one, rows = match
    with Lines(one) as shown:
        shown.game(rows[1])
    line = capsys.readouterr().out
    assert line.startswith("[4/4] game 1: two - one ") and "LOS" in line and "SPRT" in line and line.count("\n") == 1


def test_a_live_table(match):
    pytest.importorskip("rich", reason="needs qiqiao[match]")
    from rich.console import Console

    one, rows = match
    with Live(one) as shown:
        shown.game(rows[2])
        console = Console(width=120, record=True, file=io.StringIO())
        console.print(shown._picture())
    text = console.export_text()
    assert "Engine" in text and "pairs 0, ½, 1, 1½, 2" in text and "LOS" in text and "4/4" in text


def test_what_is_shown_where(match, monkeypatch):
    one, _ = match
    assert isinstance(display(one, True), Silent)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert type(display(one, False)) is Lines


def test_without_rich_a_terminal_gets_lines(match, monkeypatch):
    one, _ = match
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    assert type(display(one, False)) is Lines
