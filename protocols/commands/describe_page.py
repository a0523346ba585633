"""``qiqiao describe --html``: a game as one page, in figures of some moves each with what is said of them."""

from __future__ import annotations

from html import escape

from engines.terms import Language
from protocols.commands.boards import Look, heading, picture
from protocols.commands.describe import told_words
from protocols.commands.sources import Source, title_of
from protocols.commands.steps import Step, steps_of

FIGURE = 20
"""Moves of a figure."""

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64em;margin:1em auto;padding:0 1em;color-scheme:light dark}"
    "section{display:flex;flex-wrap:wrap;gap:1.5em;margin:0 0 2em}"
    "figure{margin:0;flex:1 1 24em;max-width:32em}figure svg{width:100%;height:auto}"
    "table{border-collapse:collapse;flex:1 1 24em;align-self:flex-start}"
    "td{padding:.05em .6em .05em 0;vertical-align:top}td:first-child{text-align:right;opacity:.7}"
    "p{white-space:pre-wrap;margin:.2em 0}"
)


def page(sources: list[tuple[int, Source]], language: Language, system: str = "gtp") -> str:
    """The page of these games, with their numbers. Raises ValueError for what can't be played."""
    look = Look(language=language, system=system, numbers=True)
    parts = []
    for number, source in sources:
        title = title_of(source) or (f"{number}" if len(sources) > 1 else "")
        if title:
            parts.append(f"<h2>{escape(title)}</h2>")
        parts += _sections(source, look)
    name = escape(title_of(sources[0][1]) or "qiqiao") if sources else "qiqiao"
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{name}</title><style>{STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _sections(source: Source, look: Look) -> list[str]:
    rows = list(told_words(source, look.language, look.system))
    line = list(steps_of(source).main_line())
    by_number = {step.number: step for step in line}
    found = []
    for at in range(0, len(rows), FIGURE):
        some = rows[at : at + FIGURE]
        step = by_number[some[-1][0]]
        drawn = picture(source, step, look, since=some[0][0])
        caption = escape(heading(source, step, look, line[-1].number))
        cells = "".join(_row(row, by_number[row[0]]) for row in some)
        found.append(
            f"<section><figure>{drawn}<figcaption>{caption}</figcaption></figure><table>{cells}</table></section>"
        )
    return found


def _row(row: tuple[int, str, str, list[str]], step: Step) -> str:
    number, side, move, words = row
    comment = f"<p>{escape(step.comment)}</p>" if step.comment else ""
    said = escape("  ".join(words)) + comment
    return f"<tr><td>{number}</td><td>{escape(side)}</td><td>{escape(move.strip())}</td><td>{said}</td></tr>"
