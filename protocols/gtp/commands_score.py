"""Commands about the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

from engines.go.points import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, chains
from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table


def _dead(session: Session) -> frozenset[int]:
    """The stones that are off before the count: none where the rules count the board as it stands."""
    return session.dead_stones() if session.game.rules.removes_dead else frozenset()


def final_score(session: Session, command: Command) -> str:
    game = session.game
    ending = game.ending
    if ending in ("no-result", "draw"):
        text = "0"
    else:
        text = game.score(_dead(session)).text
    if session.recorder is not None and ending is not None:
        session.recorder.result(game, "Void" if ending == "no-result" else text)
    return text


def final_status_list(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a status: alive, seki or dead")
    status = command.args[0].lower()
    if status in ("alive", "seki", "dead"):
        return _chains(session, status)
    if status in ("white_territory", "black_territory", "dame"):
        color = {"white_territory": WHITE, "black_territory": BLACK, "dame": EMPTY}[status]
        return _points(session, color)
    raise GtpError("syntax error: invalid status")


def _chains(session: Session, status: str) -> str:
    """The chains of a status, one a line."""
    game = session.game
    dead = _dead(session)
    stones = game.board.stones()
    seki = game.seki(dead) if status != "dead" else frozenset()
    lines = []
    for color in (BLACK, WHITE):
        for chain in chains(game.width, game.height, stones, color):
            what = "dead" if chain[0] in dead else "seki" if chain[0] in seki else "alive"
            if what == status:
                lines.append(session.vertices(chain))
    return "\n".join(lines)


def _points(session: Session, color: int) -> str:
    """Empty points and dead stones that count for a colour (EMPTY: for nobody), on one line."""
    game = session.game
    dead = _dead(session)
    owner = game.score(dead).owner
    stones = game.board.stones()
    return session.vertices([p for p in range(game.points) if owner[p] == color and (stones[p] == EMPTY or p in dead)])


def _given(session: Session, words: Sequence[str]) -> frozenset[int]:
    """The stones a client calls dead, whole chains: ``dead`` and vertices, of which one a chain is enough."""
    game = session.game
    points = set()
    for word in words[1:] if words[0].lower() == "dead" else words:
        point = arguments.vertex(word, game.width, game.height)
        if point == PASS or game.board.at(point) == EMPTY:
            raise GtpError(f"no stone at {word} to be dead")
        points.update(game.board.chain(point))
    if points and not game.rules.removes_dead:
        raise GtpError(f"{game.rules.name} rules count the board as it stands: no stone is dead")
    return frozenset(points)


def qiqiao_score(session: Session, command: Command) -> str:
    """The count in full, as ``name value`` lines; with arguments, with the dead stones that they name."""
    game = session.game
    dead = _given(session, command.args) if command.args else _dead(session)
    score = game.score(dead)
    lines = [f"result {score.text}", f"rules {game.rules.name}", f"komi {score.komi:g}"]
    if command.args:
        lines.append(f"dead {session.vertices(sorted(dead))}".rstrip())
    for color, side in ((BLACK, score.black), (WHITE, score.white)):
        name = COLOR_NAMES[color]
        lines.append(
            f"{name} {score.total(color):g}: stones {side.stones}, territory {side.territory}, "
            f"prisoners {side.prisoners}, groups taxed {side.groups}"
        )
    if score.handicap:
        lines.append(f"compensation for handicap {score.handicap}")
    if game.rules.scoring == "area":
        lines.append(f"数子 {score.zi(BLACK).text('simplified')}")
        lines.append(f"數子 {score.zi(BLACK).text('traditional')}")
    return "\n".join(lines)


TABLE: Table = {
    "final_score": Entry(final_score, "", "The result of the present position: B+7.5, W+0.5 or 0."),
    "final_status_list": Entry(
        final_status_list,
        "alive|seki|dead",
        "The stones of a status, one chain a line, judged from the position alone.",
    ),
    "qiqiao-score": Entry(
        qiqiao_score,
        "[dead] [VERTEX ...]",
        "The count in full, in points and in zi (子); with arguments, these stones are dead and no others.",
    ),
}
