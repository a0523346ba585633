"""The report: complete, self-contained, its numbers those of the table. A browser looks at it where there is one."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from arena_match import played

from engines.arena import plots
from engines.arena.game import replay
from engines.arena.records import reason_text, record_text
from engines.arena.report import number, report
from engines.arena.sprt import Sprt
from engines.arena.statistics import estimate
from engines.arena.table import Table
from engines.gametype import Opening, Step
from engines.go import diagram as go_diagram
from engines.xiangqi import diagram as xiangqi_diagram

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "chromium-headless-shell")


class Page(HTMLParser):
    """Texts of the elements with a data-key, row by row, and what the page would load from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.facts, self.foreign, self.ready = [], {}, [], None
        self._key = self._table = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "html":
            self.ready = given.get("data-ready")
        if tag == "table":
            self._table = given.get("id")
        if tag == "tr" and self._table == "standings":
            self.rows.append({})
        self._key = given.get("data-key")
        self.foreign += [value for name, value in attributes if name in ("src", "href") and not value.startswith("#")]
        if tag in ("link", "img", "iframe"):
            self.foreign.append(tag)

    def handle_endtag(self, tag):
        self._key = None
        if tag == "table":
            self._table = None

    def handle_data(self, data):
        if self._key is not None:
            (self.rows[-1] if self._table == "standings" and self._key in STANDING else self.facts)[self._key] = data


STANDING = {"name", "elo", "games", "wins", "draws", "losses", "points", "score", "faults", "place", "error"}


def check_numbers(page, settings, rows):
    table = Table(settings, rows)
    shown = {row["name"]: row for row in page.rows if row}
    assert len(shown) == len(settings.entrants)
    for line in table.standings():
        row, result = shown[line.name], line.result
        assert [int(row[key]) for key in ("games", "wins", "draws", "losses")] == [
            result.games,
            result.wins,
            result.draws,
            result.losses,
        ]
        assert float(row["points"]) == result.points
        assert row["score"] == f"{100 * result.score:.1f} %"
    if len(settings.entrants) == 2:
        found = estimate(table.between(0, 1))
        assert page.facts["elo"] == f"{number(found.elo, sign=True)} ± {number(found.error)}"
        assert page.facts["pairs"] == ", ".join(map(str, table.between(0, 1).pairs))
        assert page.facts["superiority"] == f"{100 * found.superiority:.2f} %"


MATCHES = [
    ("go", {}),
    ("xiangqi", {"sprt": Sprt(0, 10)}),
    ("go", {"names": ("one", "two", "three")}),
    ("xiangqi", {"names": ("<b>&one", "two</script>", "three 三")}),
]


@pytest.mark.parametrize(("game", "changes"), MATCHES)
def test_the_page_is_self_contained_and_its_numbers_are_the_tables(game, changes):
    settings, kind, rows = played(game, **changes)
    text = report(settings, kind, rows, {"one": "Program 1.0"})
    page = Page(text)
    assert page.foreign == []
    assert not re.search(r"https?://|url\((?!#)|@import", text)
    assert "<text" not in re.sub(r'<svg class="plot".*?</svg>', "", text)  # boards need no font
    drawn = set(re.findall(r'<use href="#([^"$]+)"', text))
    assert drawn <= set(re.findall(r'<g id="([^"]+)"', text))
    check_numbers(page, settings, rows)
    assert text.count("<svg") > 5


def browser():
    for name in BROWSERS:
        path = shutil.which(name)
        if path is not None:
            return path
    if os.environ.get("QIQIAO_PEERS") == "1":
        pytest.fail("no Chromium is installed")
    return pytest.skip("no Chromium is installed")


def rendered(path, tmp_path):
    """The page after its script has run, and what the console said."""
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
    command += ["--enable-logging=stderr", "--log-level=0", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--virtual-time-budget=10000", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize(("game", "changes"), MATCHES[:2])
def test_a_browser_finds_no_script_error(game, changes, tmp_path):
    settings, kind, rows = played(game, **changes)
    path = tmp_path / "report.html"
    path.write_text(report(settings, kind, rows, {}), "utf-8")
    text, console = rendered(path, tmp_path)
    assert console == []
    page = Page(text)
    assert page.ready == str(len(rows))  # the script has run to its end
    check_numbers(page, settings, rows)
    # The viewer shows the last position of the first game as the board itself has it.
    board = text[text.index('id="viewer-board"') :]
    board = board[: board.index("</svg>")]
    drawn = kind.board()
    assert used(board) == used(drawn.position(*shown_at_the_end(kind, rows[0]))) != []
    listed = text[text.index('id="viewer-moves"') :]
    listed = listed[: listed.index("</tbody>")]
    assert listed.count("<tr") == len(rows[0].opening.moves) + len(rows[0].turns)
    assert listed.count('class="now"') == 1 and f">{rows[0].turns[-1].move}<" in listed


def used(svg):
    return sorted(re.findall(r'<use href="([^"]+)" x="([^"]+)" y="([^"]+)"', svg))


def shown_at_the_end(kind, row):
    """What stands by the rules core's own board, and the last move's points by the course."""
    board = replay(kind, row).game.board
    _, last = kind.course(row.opening, [turn.move for turn in row.turns]).after()
    if kind.name == "go":
        return go_diagram.standing(board.stones()), last
    return xiangqi_diagram.standing(board.fen()), last


@pytest.mark.parametrize("game", ["go", "xiangqi"])
def test_a_course_is_the_board_at_every_ply(game):
    _, kind, rows = played(game)
    for row in rows:
        course = kind.course(row.opening, [turn.move for turn in row.turns])
        for plies in range(len(row.turns) + 1):
            board = replay(kind, row, plies).game.board
            standing, _ = course.after(len(row.opening.moves) + plies)
            rows_of = go_diagram.standing(board.stones()) if game == "go" else xiangqi_diagram.standing(board.fen())
            assert standing == rows_of


def test_a_course_has_a_step_for_a_pass_and_for_an_agreed_draw():
    _, go, _ = played("go")
    assert go.course(Opening("B C3", ("B2",)), ["pass", "C2"]).steps[1] == Step({}, ())
    _, xiangqi, _ = played("xiangqi")
    course = xiangqi.course(Opening(), ["h2e2", ""])
    assert [step.last for step in course.steps] == [(25, 22), ()]
    assert course.after()[0][22] == "C" and 25 not in course.after()[0]


def test_a_browser_would_tell_a_script_error(tmp_path):
    path = tmp_path / "bad.html"
    path.write_text("<!DOCTYPE html><html><body><script>nothing.there();</script></body></html>")
    assert rendered(path, tmp_path)[1] != []


def test_a_long_match_lists_its_last_games_only(monkeypatch):
    monkeypatch.setattr("engines.arena.report.MOST_SHOWN", 2)
    settings, kind, rows = played("go")
    text = report(settings, kind, rows, {})
    assert "The last 2 of 4 games" in text
    data = json.loads(re.search(r'id="games-data">(.*?)</script>', text, re.S)[1].replace("<\\/", "</"))
    assert [game["title"].split(":")[0] for game in data["games"]] == ["2", "3"]
    check_numbers(Page(text), settings, rows)


def test_an_empty_match_has_a_report_too():
    settings, kind, _ = played("go")
    text = report(settings, kind, [], {})
    assert "<table" in text and "no limit" not in text


def test_one_decided_match_has_infinite_elo_and_still_a_report():
    settings, kind, rows = played("xiangqi")
    swept = [replace(row, ending=replace(row.ending, winner=row.seats.index(0), reason="mate")) for row in rows]
    text = report(settings, kind, swept, {})
    assert "+∞ ± –" in text
    check_numbers(Page(text), settings, swept)


def test_round_ticks():
    assert plots.ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert plots.ticks(-1, 1, 4) == pytest.approx([-1, -0.5, 0, 0.5, 1])
    assert plots.ticks(3, 3) == [3]


def test_plots_of_nothing_are_nothing():
    assert plots.lines("t", [plots.Line("a", [])], "x", "y") == ""
    assert plots.bars("t", [], "x", "y") == plots.histogram("t", [], "x", "y") == ""


def test_a_histogram_counts_every_value():
    counts = re.findall(r"<title>[^<]*: ([0-9.]+)</title>", plots.histogram("t", [1, 1, 2, 57, 99.5], "x", "y"))
    assert sum(map(float, counts)) == 5


@pytest.mark.parametrize(
    ("reason", "words", "error", "shown"),
    [
        ("mate", "", "", "checkmate"),
        ("mate", "checkmate", "", "checkmate"),  # as journals had it once
        ("repetition", "Red chases", "", "repetition: Red chases"),
        ("crash", "it has ended", "it has ended", "crash: it has ended"),
    ],
)
def test_why_a_game_has_ended_is_said_once(reason, words, error, shown):
    settings, kind, rows = played("xiangqi")
    row = replace(rows[0], ending=replace(rows[0].ending, reason=reason, words=words), error=error)
    assert reason_text(row, kind) == shown
    text = record_text(settings, kind, row, {0: "one", 1: "two"}, "iccs")
    assert f'[Termination "{shown}"]' in text and "[Error" not in text
