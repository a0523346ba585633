"""A match's games as records: what a match knows of a game, for the game's own format (``GameType.record_text``)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.arena.journal import GameRow
from engines.arena.settings import Settings
from engines.gametype import REASONS, GameType, PlayedGame
from engines.timing import parse_control


def file_name(row: GameRow, game: GameType) -> str:
    """The name of a game's record, as gogui-twogtp counts them: ``match-0.sgf``."""
    return f"match-{row.game}.{game.suffix}"


def record_text(settings: Settings, game: GameType, row: GameRow, names: Mapping[int, str], notation: str) -> str:
    """A game as a record in the game's own format. ``names`` are the entrants', ``notation`` how moves are written
    where there is more than one way."""
    round_, of_round = divmod(row.game, len(row.seats))
    played = PlayedGame(
        names=tuple(names[entrant] for entrant in row.seats),
        opening=row.opening,
        turns=row.turns,
        ending=row.ending,
        control=parse_control(settings.limits_of(row.seats[0])[0]),
        number=row.game,
        round=round_ + 1,
        game_of_round=of_round + 1,
        date=row.start,
        event=settings.event,
        reason=reason_text(row, game),
        error="" if row.error == row.ending.words else row.error,
    )
    return game.record_text(played, notation)


def reason_word(row: GameRow, game: type[GameType] | GameType) -> str:
    """Why a game has ended, in a word or two."""
    return {**REASONS, **game.reasons}[row.ending.reason]


def reason_text(row: GameRow, game: GameType) -> str:
    """Why a game has ended, with what more there is to say; once where both are the same."""
    reason, words = reason_word(row, game), row.ending.words
    return reason if not words or words == reason else f"{reason}: {words}"
