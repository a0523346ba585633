"""The report of a match: one HTML file that needs nothing else, with tables, plots and boards.

Everything on it is told from the games. Numbers that a program may want to read are in elements with a ``data-key``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from statistics import fmean
from typing import Any

from engines import __version__
from engines.arena import plots
from engines.arena.journal import GameRow
from engines.arena.ratings import Rating, rate
from engines.arena.records import reason_text, reason_word
from engines.arena.settings import Settings
from engines.arena.statistics import Tally, estimate, tally
from engines.arena.table import Standing, Table
from engines.gametype import REASONS, GameType

MOST_SHOWN = 1000
"""Games listed and kept for replay; of a longer match the last ones."""

MOST_OPENINGS = 60
"""Openings shown, those played most."""

FINAL_BOARDS = 12
"""Final positions drawn, of the last games."""

_ORDINALS = ("first", "second", "third", "fourth")
"""The keys of an entrant's results by side."""

COURSE_POINTS = 300
"""Points of a plot along the match."""


def report(
    settings: Settings, game: GameType, games: Sequence[GameRow], programs: Mapping[str, str], verdict: str = ""
) -> str:
    """The report as HTML; ``verdict`` is what the SPRT has decided, "" where there is none."""
    return _Report(settings, game, games, programs, verdict).html()


def number(value: float | None, digits: int = 1, sign: bool = False) -> str:
    """A number for people; "–" for none."""
    if value is None:
        return "–"
    if value in (float("inf"), float("-inf")):
        return ("+∞" if sign else "∞") if value > 0 else "−∞"
    return f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def ratings_of(table: Table) -> list[Rating]:
    """Everybody's rating from all games. Two have half of the difference between them each, the one up, the other down,
    so that they have no other Elo in the table than in what is said of them."""
    count = len(table.settings.entrants)
    if count == 2:
        found = estimate(table.between(0, 1))
        error = None if found.error is None else found.error / 2
        return [Rating(found.elo / 2, error), Rating(0.0 - found.elo / 2, error)]
    results = {(one, other): table.between(one, other) for one in range(count) for other in range(one + 1, count)}
    return rate(count, results)


class _Report:
    def __init__(
        self, settings: Settings, game: GameType, games: Sequence[GameRow], programs: Mapping[str, str], verdict: str
    ) -> None:
        self.settings = settings
        self.game = game
        self.table = Table(settings, games)
        self.games = self.table.games
        self.programs = programs
        self.verdict = verdict
        self.names = [entrant.name for entrant in settings.entrants]
        self.shown = self.games[-MOST_SHOWN:]
        self.board, self.plain = game.board(), game.board(coordinates=False)

    def html(self) -> str:
        title = self.settings.event or " – ".join(self.names)
        script = resources.files("engines.arena").joinpath("report.js").read_text("utf-8")
        style = resources.files("engines.arena").joinpath("report.css").read_text("utf-8")
        # A closing tag inside the data would end it.
        data = json.dumps(self._data(), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        parts = [
            self.board.page_definitions() + self.plain.page_definitions(),
            f"<h1>{escape(title)}</h1>",
            self._summary(),
            "<h2>Results</h2>",
            self._standings(),
            self._against() if len(self.names) > 2 else self._two(),
            "<h2>The course of the match</h2>",
            f'<div class="plots">{self._plots()}</div>',
            "<h2>Openings</h2>",
            self._openings(),
            "<h2>Final positions</h2>",
            f'<div class="boards">{self._finals()}</div>',
            self._viewer(),
            "<h2>Games</h2>",
            self._list(),
        ]
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>\n<body>\n'
            + "\n".join(part for part in parts if part)
            + f'\n<p class="note">qiqiao {__version__}</p>\n'
            f'<script type="application/json" id="games-data">{data}</script>\n<script>{script}</script>\n'
            "</body></html>\n"
        )

    # ------------------------------------------------------------------ words and tables

    def _summary(self) -> str:
        settings = self.settings
        facts = {
            **self.game.facts(),
            "Time": self._time(),
            "Openings": settings.openings,
            "Games": str(len(self.games)),
            "Played": f"{self.games[0].start} to {self.games[-1].start} (UTC)" if self.games else "",
        }
        for entrant in settings.entrants:
            facts[entrant.name] = " · ".join(x for x in (self.programs.get(entrant.name, ""), entrant.source) if x)
        rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in facts.items() if text)
        return f"<dl>{rows}</dl>"

    def _time(self) -> str:
        settings = self.settings
        bounds = [("s a move", settings.move_time), ("nodes", settings.nodes), ("plies", settings.depth)]
        words = [settings.time] if settings.time != "none" else []
        words += [f"{value:g} {unit}" for unit, value in bounds if value is not None]
        return ", ".join(words) or "no limit"

    def _standings(self) -> str:
        ratings = ratings_of(self.table)
        sides = self.game.sides
        head = [
            "",
            "Engine",
            "Elo",
            "±",
            "Games",
            "Won",
            "Drawn",
            "Lost",
            "Points",
            "Score",
            *sides,
            "Faults",
            "s/move",
        ]
        rows = [
            self._standing(place, line, ratings[line.entrant]) for place, line in enumerate(self.table.standings(), 1)
        ]
        cells = "".join(f'<th class="{"" if i == 1 else "n"}">{text}</th>' for i, text in enumerate(head))
        table = f'<table id="standings"><thead><tr>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        return f'<div class="wide">{table}</div>'

    def _standing(self, place: int, line: Standing, rating: Rating) -> str:
        result = line.result
        faults = ", ".join(f"{count} {REASONS[reason]}" for reason, count in line.faults.items())
        cells = [
            ("place", str(place)),
            ("name", line.name),
            ("elo", number(rating.elo, sign=True)),
            ("error", number(rating.error)),
            ("games", str(result.games)),
            ("wins", str(result.wins)),
            ("draws", str(result.draws)),
            ("losses", str(result.losses)),
            ("points", f"{result.points:g}"),
            ("score", f"{100 * result.score:.1f} %"),
            *((_ORDINALS[side], f"{one.points:g}/{one.games}") for side, one in enumerate(line.by_side)),
            ("faults", faults or "–"),
            ("move-time", f"{line.move_time:.3f}"),
        ]
        shown = "".join(
            f'<td class="{"" if key in ("name", "faults") else "n"}" data-key="{key}">{escape(text)}</td>'
            for key, text in cells
        )
        return f"<tr>{shown}</tr>"

    def _against(self) -> str:
        """Everybody against everybody: points of games, and the difference in Elo below."""
        head = "".join(f'<th class="n">{escape(name)}</th>' for name in self.names)
        rows = []
        for one, name in enumerate(self.names):
            cells = []
            for other in range(len(self.names)):
                result = self.table.between(one, other) if one != other else Tally()
                text = f"{result.points:g}/{result.games}" if result.games else "–"
                cells.append(f'<td class="n">{text}</td>')
            rows.append(f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>")
        table = f'<table id="against"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        return f'<div class="wide">{table}</div>'

    def _two(self) -> str:
        """What the results of two say."""
        result = self.table.between(0, 1)
        found = estimate(result)
        normalized = number(found.normalized, sign=True)
        facts = [
            (
                "elo",
                f"Elo of {self.names[0]} above {self.names[1]}",
                f"{number(found.elo, sign=True)} ± {number(found.error)}",
            ),
            ("interval", "95 % interval", f"{number(found.low, sign=True)} to {number(found.high, sign=True)}"),
            ("normalized", "Normalized Elo", f"{normalized} ± {number(found.normalized_error)}"),
            ("superiority", "Likelihood of superiority", f"{100 * found.superiority:.2f} %"),
            ("draw-rate", "Draws", f"{100 * result.draws / max(1, result.games):.1f} %"),
            ("pairs", "Pairs with 0, ½, 1, 1½, 2 points", ", ".join(map(str, result.pairs))),
        ]
        test = self.settings.sprt
        if test is not None:
            ratio = test.ratio(result.pairs)
            verdict = self.verdict or test.verdict(ratio)
            words = f"{ratio:+.2f} in [{test.lower:.2f}, {test.upper:.2f}]: {verdict}".replace("-", "−")
            facts.append(("sprt", f"SPRT of {test.elo0:g} against {test.elo1:g} Elo ({test.model})", words))
        rows = "".join(f'<dt>{escape(name)}</dt><dd data-key="{key}">{escape(text)}</dd>' for key, name, text in facts)
        return f'<dl id="two">{rows}</dl>'

    # ------------------------------------------------------------------ plots

    def _plots(self) -> str:
        parts = [self._course(), self._test_course()] if len(self.names) == 2 else []
        words = {**REASONS, **self.game.reasons}
        reasons = [(words[reason], float(count)) for reason, count in self.table.reasons().items()]
        lengths = [float(len(row.opening.moves) + len(row.turns)) for row in self.games]
        parts += [
            plots.bars("How games ended", reasons, "", "games"),
            plots.histogram("Length of the games", lengths, "plies", "games"),
            self._times(lambda turn: turn.seconds, "Time used", "seconds a move"),
            self._times(lambda turn: turn.left, "Time left", "seconds on the clock"),
        ]
        return "".join(parts)

    def _results(self) -> list[tuple[int, list[float]]]:
        """For each pair by number: the scores of the first entrant in it."""
        pairs: dict[int, list[float]] = {}
        for row in self.games:
            pairs.setdefault(row.game // len(row.seats), []).append(row.score_against(0, 1))
        return sorted(pairs.items())

    def _steps(self) -> list[tuple[int, Tally]]:
        """The tally after so many games, at some points along the match."""
        results = [scores for _, scores in self._results()]
        every = max(1, len(results) // COURSE_POINTS)
        steps, total = [], Tally()
        for index, scores in enumerate(results, 1):
            total += tally([scores])
            if index % every == 0 or index == len(results):
                steps.append((total.games, total))
        return steps

    def _course(self) -> str:
        steps = [(games, estimate(result)) for games, result in self._steps()]
        known = [(games, one) for games, one in steps if one.error is not None]
        # The first few pairs would stretch the axis beyond all reading.
        bound = max([300.0, *(2 * abs(one.elo) for _, one in known[-1:])])
        line = plots.Line(
            "",
            [(games, max(-bound, min(bound, one.elo))) for games, one in known],
            [(max(-bound, one.low), min(bound, one.high)) for _, one in known],
        )
        return plots.lines(f"Elo of {self.names[0]}, with its 95 % interval", [line], "games", "Elo", [(0, "")])

    def _test_course(self) -> str:
        test = self.settings.sprt
        if test is None:
            return ""
        line = plots.Line("", [(games, test.ratio(result.pairs)) for games, result in self._steps()])
        levels = [(test.lower, f"H0: {test.elo0:g} Elo"), (test.upper, f"H1: {test.elo1:g} Elo")]
        return plots.lines("SPRT: log-likelihood ratio", [line], "games", "ratio", levels)

    def _times(self, value: Any, title: str, label: str) -> str:
        """The mean of something in each entrant's turns, by the number of its move."""
        series = []
        for entrant, name in enumerate(self.names):
            by_move: list[list[float]] = []
            for row in self.shown:
                if entrant not in row.seats:
                    continue
                for index, turn in enumerate(row.turns_of(row.seats.index(entrant))):
                    if index == len(by_move):
                        by_move.append([])
                    if value(turn) is not None:
                        by_move[index].append(value(turn))
            # Where few games got so far, a mean says little.
            enough = max((len(values) for values in by_move), default=0) / 10
            points = [(i + 1, fmean(values)) for i, values in enumerate(by_move) if values and len(values) >= enough]
            series.append(plots.Line(name, points))
        return plots.lines(title, series[:6], "move", label)

    # ------------------------------------------------------------------ boards

    def _diagram(self, row: GameRow, plies: int | None = None) -> str:
        """The position after so many plies beyond the opening (None: the last one)."""
        moves = [turn.move for turn in row.turns[:plies]]
        standing, last = self.game.course(row.opening, moves).after()
        return self.plain.picture(standing, last, self._title(row), alone=False)

    def _openings(self) -> str:
        groups: dict[tuple[str, tuple[str, ...]], list[GameRow]] = {}
        for row in self.games:
            groups.setdefault((row.opening.setup, row.opening.moves), []).append(row)
        order = sorted(groups.values(), key=lambda rows: (-len(rows), rows[0].game))
        figures = []
        for rows in order[:MOST_OPENINGS]:
            scores = [row.ending.score_of(0, len(row.seats)) for row in rows]
            wins, losses = scores.count(1.0), scores.count(0.0)
            name = rows[0].opening.name or "start"
            text = f"{name}: {self.game.sides[0]} +{wins} ={len(rows) - wins - losses} −{losses}"
            figures.append(f"<figure>{self._diagram(rows[0], 0)}<figcaption>{escape(text)}</figcaption></figure>")
        more = f'<p class="note">{len(order)} openings in all.</p>' if len(order) > MOST_OPENINGS else ""
        return f'<div class="boards scroll">{"".join(figures)}</div>{more}'

    def _title(self, row: GameRow) -> str:
        return f"{row.game}: {' – '.join(self.names[entrant] for entrant in row.seats)} {row.ending.result}"

    def _finals(self) -> str:
        return "".join(
            f"<figure>{self._diagram(row)}<figcaption>{escape(self._title(row))}<br>"
            f"{escape(reason_word(row, self.game))}</figcaption></figure>"
            for row in self.games[-FINAL_BOARDS:]
        )

    def _viewer(self) -> str:
        options = "".join(f"<option>{escape(self._title(row))}</option>" for row in self.shown)
        board = self.board
        return (
            '<h2>Replay</h2><div id="viewer"><p><select id="viewer-game" aria-label="Game">'
            f'{options}</select></p><div class="beside"><div><svg id="viewer-board" class="board" role="img" '
            f'viewBox="0 0 {board.width:g} {board.height:g}"></svg><p class="keys"><button id="viewer-first" '
            'aria-label="First position">|◀</button> <button id="viewer-back" aria-label="Back">◀</button> '
            '<input id="viewer-ply" type="range" min="0" aria-label="Ply"> <button id="viewer-on" aria-label="On">▶'
            '</button> <button id="viewer-end" aria-label="Last position">▶|</button></p></div>'
            '<div><p id="viewer-caption" aria-live="polite"></p><dl id="viewer-clocks"></dl><div class="moves"><table>'
            '<thead><tr><th></th><th>Move</th><th class="n">Seconds</th><th class="n">Clock</th>'
            '<th class="n">Score</th></tr></thead>'
            '<tbody id="viewer-moves"></tbody></table></div></div></div></div>'
        )

    def _list(self) -> str:
        rows = []
        for index, row in enumerate(self.shown):
            cells = [
                str(row.game),
                *(self.names[seat] for seat in row.seats),
                row.ending.result,
                reason_text(row, self.game),
            ]
            cells += [str(len(row.opening.moves) + len(row.turns)), f"{row.seconds:.1f}", row.opening.name]
            shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            rows.append(f'<tr data-view="{index}">{shown}</tr>')
        head = ["Game", *self.game.sides, "Result", "By", "Plies", "Seconds", "Opening"]
        cells_head = "".join(f"<th>{text}</th>" for text in head)
        first = len(self.games) - len(self.shown)
        note = f'<p class="note">The last {len(self.shown)} of {len(self.games)} games.</p>' if first else ""
        table = f'<table id="games"><thead><tr>{cells_head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        return f'{note}<div class="wide">{table}</div>'

    def _data(self) -> dict[str, Any]:
        """What the script of the page shows, which knows no game: what each ply changes, and what is said of it."""
        return {
            "board": self.board.name,
            "places": self.board.places,
            "seats": self.game.sides,
            "games": [self._game(row) for row in self.shown],
        }

    def _game(self, row: GameRow) -> dict[str, Any]:
        course = self.game.course(row.opening, [turn.move for turn in row.turns])
        said: list[list[Any]] = [[move] for move in row.opening.moves]
        for turn in row.turns:
            clock = None if turn.left is None else round(turn.left, 1)
            said.append([turn.move, round(turn.seconds, 2), clock, turn.stones, self.game.judgement(turn)])
        return {
            "title": self._title(row),
            "reason": reason_text(row, self.game),
            "first": (row.first - len(row.opening.moves)) % len(row.seats),  # the side of the first ply of all
            "start": course.start,
            "steps": [[step.changes, step.last, words] for step, words in zip(course.steps, said, strict=True)],
        }


def table_text(settings: Settings, games: Sequence[GameRow], verdict: str = "") -> str:
    """The table of a match as plain text."""
    table = Table(settings, games)
    ratings = ratings_of(table)
    width = max(6, *(len(entrant.name) for entrant in settings.entrants))
    lines = [
        f"{'':3} {'Engine':{width}} {'Elo':>7} {'±':>6} {'Games':>6} {'Won':>5} {'Drawn':>5} {'Lost':>5} {'Score':>7}"
    ]
    for place, line in enumerate(table.standings(), 1):
        result, rating = line.result, ratings[line.entrant]
        lines.append(
            f"{place:3} {line.name:{width}} {number(rating.elo, sign=True):>7} {number(rating.error):>6} "
            f"{result.games:6} {result.wins:5} {result.draws:5} {result.losses:5} {100 * result.score:5.1f} %"
        )
        if line.faults:
            faults = ", ".join(f"{count} by {REASONS[reason]}" for reason, count in line.faults.items())
            lines.append(f"{'':3} {'':{width}} of these lost: {faults}")
    if len(settings.entrants) == 2:
        result = table.between(0, 1)
        found = estimate(result)
        lines += [
            "",
            f"Elo of {settings.entrants[0].name}: {number(ratings[0].elo, sign=True)} ± {number(ratings[0].error)}, "
            f"which is {number(found.elo, sign=True)} ± {number(found.error)} (95 %) above "
            f"{settings.entrants[1].name}; likelihood of superiority {100 * found.superiority:.2f} %",
            f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, result.pairs))}; "
            f"normalized Elo {number(found.normalized, sign=True)} ± {number(found.normalized_error)}",
        ]
        if settings.sprt is not None:
            test, ratio = settings.sprt, settings.sprt.ratio(result.pairs)
            lines.append(
                f"SPRT of {test.elo0:g} against {test.elo1:g} Elo ({test.model}, α {test.alpha:g}, β {test.beta:g}): "
                f"{ratio:.2f} in [{test.lower:.2f}, {test.upper:.2f}], {verdict or test.verdict(ratio)}"
            )
    return "\n".join(lines) + "\n"
