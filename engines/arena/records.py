"""A match's games as records: SGF and PGN with clocks and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.arena.journal import GameRow, Turn
from engines.arena.referee import REASONS, Kind
from engines.arena.settings import Settings
from engines.arena.timing import parse_control
from engines.clock import TimeControl


def file_name(row: GameRow, kind: Kind) -> str:
    """The name of a game's record, as gogui-twogtp counts them: ``match-0.sgf``."""
    return f"match-{row.game}.{kind.suffix}"


def record_text(settings: Settings, kind: Kind, row: GameRow, names: Mapping[int, str], notation: str) -> str:
    """A game as SGF or PGN. ``names`` are the entrants', ``notation`` how moves of Xiangqi are written."""
    if settings.game == "go":
        return _sgf(settings, kind, row, names)
    return _pgn(settings, row, names, notation)


def reason_text(row: GameRow) -> str:
    """Why a game has ended, with what more there is to say; once where both are the same."""
    reason, words = REASONS[row.ending.reason], row.ending.words
    return reason if not words or words == reason else f"{reason}: {words}"


def _further_error(row: GameRow) -> str:
    """What went wrong, where the reason does not say it already; "" else."""
    return "" if row.error == row.ending.words else row.error


def _overtime(control: TimeControl) -> str:
    """Overtime in the words of SGF's OT that other programs write."""
    return {
        "canadian": f"{control.stones}/{control.period:g} Canadian",
        "byoyomi": f"{control.periods}x{control.period:g} byo-yomi",
        "fischer": f"{control.increment:g} fischer",
        "fischer-capped": f"{control.increment:g} fischer",
        "moves": f"{control.stones} moves/{control.main:g}",
    }.get(control.kind, "")


# ---------------------------------------------------------------------- Go


def _sgf(settings: Settings, kind: Kind, row: GameRow, names: Mapping[int, str]) -> str:
    from engines.go.points import BLACK, WHITE
    from engines.go.records import Move, Record, Setup, format_record
    from engines.go.rules import sgf_name

    referee: Any = kind.begin(row.opening)
    game = referee.game
    stones = game.setup
    setup = Setup(
        black=tuple(point for point, stone in enumerate(stones) if stone == BLACK),
        white=tuple(point for point, stone in enumerate(stones) if stone == WHITE),
    )
    first = game.board.first_player
    if first != Record(setup=setup).to_play:
        setup = Setup(setup.black, setup.white, to_play=first)
    steps = [Move(color, point) for color, point in game.moves]
    for turn in row.turns:
        referee.play(turn.move)
        color, point = game.moves[-1]
        in_overtime = turn.left is not None and turn.stones > 0
        steps.append(Move(color, point, turn.left, turn.stones if in_overtime else None, _thought(turn)))
    control = parse_control(settings.limits_of(row.seats[0])[0])
    record = Record(
        width=game.width,
        height=game.height,
        komi=game.komi,
        rules=sgf_name(game.rules),
        handicap=game.handicap,
        setup=setup,
        steps=tuple(steps),
        black_name=names[row.seats[0]],
        white_name=names[row.seats[1]],
        result=row.ending.result,
        date=row.start[:10],
        main_time=None if control.kind == "none" else control.main,
        overtime=_overtime(control),
        info={
            **({"EV": settings.event} if settings.event else {}),
            "RO": str(row.game // 2 + 1),
            "GN": f"game {row.game}",
            "GC": "; ".join(text for text in (reason_text(row), _further_error(row)) if text),
            **({"ON": row.opening.name} if row.opening.name else {}),
        },
    )
    return format_record(record)


def _thought(turn: Turn) -> str:
    """What a player thought and how long, in a line."""
    words = [f"{turn.seconds:.3f} s"]
    if turn.winrate is not None:
        words.append(f"win rate {100 * turn.winrate:.1f} %")
    if turn.score is not None:
        words.append(f"score {turn.score:+.1f}")
    if turn.nodes:
        words.append(f"{turn.nodes} playouts")
    return ", ".join(words)


# ---------------------------------------------------------------------- Xiangqi


def _pgn(settings: Settings, row: GameRow, names: Mapping[int, str], notation: str) -> str:
    from engines.arena.xiangqi import read_move
    from engines.xiangqi.records import Record, write_pgn

    text, _ = settings.limits_of(row.seats[0])
    tags = {
        "Event": settings.event or "qiqiao match",
        "Date": row.start[:10].replace("-", "."),
        "Round": f"{row.game // 2 + 1}.{row.game % 2 + 1}",
        "Red": names[row.seats[0]],
        "Black": names[row.seats[1]],
        "Result": row.ending.result,
        "TimeControl": _pgn_control(parse_control(text)),
        "Termination": reason_text(row),
    }
    if row.opening.name:
        tags["Opening"] = row.opening.name
    if row.opening.setup:
        tags["FEN"] = row.opening.setup
    if _further_error(row):
        tags["Error"] = row.error
    record = Record(tags)
    node = record.root
    for move in row.opening.moves:
        node = node.add(read_move(move))
        node.comment = "opening"
    for turn in row.turns:
        if turn.move:
            node = node.add(read_move(turn.move))
            node.comment = _remark(turn)
    return write_pgn(record, notation)


def _pgn_control(control: TimeControl) -> str:
    """The tag TimeControl of the PGN standard; what it has no word for as match settings write it."""
    if control.kind == "none":
        return "-"
    if control.kind == "absolute":
        return f"{control.main:g}"
    if control.kind == "fischer":
        return f"{control.main:g}+{control.increment:g}"
    if control.kind == "moves":
        return f"{control.stones}/{control.main:g}"
    from engines.arena.timing import format_control

    return format_control(control)


def _remark(turn: Turn) -> str:
    """Clock, time and score as PGN comments write them: ``[%clk 0:00:59.93] [%emt 0:00:00.07] [%eval 0.23,12]``."""
    words = [] if turn.left is None else [f"[%clk {_hours(turn.left)}]"]
    words.append(f"[%emt {_hours(turn.seconds)}]")
    if turn.score is not None:
        words.append(f"[%eval {turn.score / 100:.2f},{turn.depth}]")
    return " ".join(words)


def _hours(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02}:{rest:06.3f}"
