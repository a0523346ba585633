"""Commands that servers' clients send around a game: KGS and CGOS."""

from __future__ import annotations

import re

from engines.go.game import MAX_KOMI
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


_CGOS_REASONS = {"resign": "R", "time": "T", "forfeit": "F", "illegal": "F"}
_CGOS_WORDS = {"draw": "0", "jigo": "0", "0": "0", "noresult": "Void", "void": "Void", "abort": "Void", "?": "?"}


def sgf_result(text: str) -> str | None:
    """A result of the CGOS server's as SGF writes it: ``B+3.5``, ``W+Resign``, ``WForfeit``, ``Draw``; None for a word
    that says none. "Forfeit" behind a color tells who has won.
    """
    word = text.strip().lower()
    if word in _CGOS_WORDS:
        return _CGOS_WORDS[word]
    match = re.fullmatch(r"(black|white|b|w)\+?(.*)", word)
    if match is None:
        return None
    winner, reason = match[1][0].upper(), match[2]
    if reason in _CGOS_REASONS or reason in _CGOS_REASONS.values() or reason in ("r", "t", "f"):
        return f"{winner}+{_CGOS_REASONS.get(reason, reason.upper())}"
    if not reason:
        return f"{winner}+"
    try:
        points = float(reason)
    except ValueError:
        return None
    if not 0 <= points <= MAX_KOMI:
        return None
    return f"{winner}+{points:g}" if points else "0"


def cgos_gameover(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a result")
    result = sgf_result(command.args[0])
    if session.recorder is not None and result is not None:
        session.recorder.result(session.game, result)
    session.stop_pondering(for_good=True)
    return ""


TABLE: Table = {
    "kgs-game_over": Entry(kgs_game_over, "", "A game on the KGS server has ended; the board stays."),
    "cgos-opponent_name": Entry(cgos_opponent_name, "NAME", "Who plays the other side, for the record."),
    "cgos-opponent_rating": Entry(cgos_opponent_rating, "RATING", "How strong the opponent is."),
    "cgos-gameover": Entry(
        cgos_gameover, "RESULT", "The result the CGOS server gives: B+3.5, W+Resign, B+Time, WForfeit, Draw."
    ),
}

CHAT: Table = {
    "kgs-chat": Entry(kgs_chat, "game|private NAME MESSAGE ...", "Answers to a message on the KGS server."),
}
"""Offered on request only."""
