"""Commands that servers' clients send around a game: KGS and CGOS."""

from __future__ import annotations

from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table


def kgs_game_over(session: Session, command: Command) -> str:
    # The board stays: the server may resume the game.
    session.stop_pondering(for_good=True)
    return ""


def kgs_chat(session: Session, command: Command) -> str:
    if len(command.args) < 2 or command.args[0].lower() not in ("game", "private"):
        raise GtpError("syntax error: expected game or private, a name and a message")
    game = session.game
    return f"qiqiao plays by {game.rules.name} rules, komi {game.komi:g}. I am a program and cannot chat."


def cgos_opponent_name(session: Session, command: Command) -> str:
    if session.recorder is not None:
        session.recorder.set_opponent(command.rest)
    return ""


def cgos_opponent_rating(session: Session, command: Command) -> str:
    return ""


_CGOS_WORDS = {"resign": "R", "time": "T", "forfeit": "F", "illegal": "F"}


def cgos_gameover(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a result")
    winner, plus, reason = command.args[0].partition("+")
    if session.recorder is not None and plus:
        session.recorder.result(session.game, f"{winner}+{_CGOS_WORDS.get(reason.lower(), reason)}")
    session.stop_pondering(for_good=True)
    return ""


TABLE: Table = {
    "kgs-game_over": Entry(kgs_game_over, "", "A game on the KGS server has ended; the board stays."),
    "cgos-opponent_name": Entry(cgos_opponent_name, "NAME", "Who plays the other side, for the record."),
    "cgos-opponent_rating": Entry(cgos_opponent_rating, "RATING", "How strong the opponent is."),
    "cgos-gameover": Entry(cgos_gameover, "RESULT", "The result the CGOS server gives: B+3.5, W+Resign, B+Time."),
}

CHAT: Table = {
    "kgs-chat": Entry(kgs_chat, "game|private NAME MESSAGE ...", "Answers to a message on the KGS server."),
}
"""Offered on request only."""
