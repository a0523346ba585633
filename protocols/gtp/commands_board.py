"""Commands about the sensor board, where the player sits at one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.go.points import BLACK, WHITE, show_diagram
from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.table import Entry, GtpError, Table
from protocols.sensor.reading import FIRST, LEDS, SECOND
from protocols.sensor.tracker import guide

if TYPE_CHECKING:
    from protocols.gtp.session import Session
    from protocols.sensor.session.go_player import GoBoardPlayer
    from protocols.sensor.tracker.tracker import Tracker


def _player(session: Session) -> GoBoardPlayer:
    player: GoBoardPlayer = session.player  # type: ignore[assignment]
    return player


def _tracker(session: Session) -> Tracker:
    controller = _player(session).controller
    tracker: Tracker | None = controller.tracker
    if tracker is None:
        raise GtpError(controller.problem)
    if not tracker.stable_state:
        raise GtpError("nothing has been read from the board yet")
    return tracker


def board_state(session: Session, command: Command) -> str:
    tracker = _tracker(session)
    firm, width, height = tracker.stable_state, tracker.geometry.width, tracker.geometry.height
    if tracker.sensing == "pol":
        stones = [BLACK if value == FIRST else WHITE if value == SECOND else 0 for value in firm]
        text = show_diagram(width, height, stones)
    else:
        text = "\n".join(firm[y * width : (y + 1) * width] for y in reversed(range(height)))
    controller = _player(session).controller
    flicker = [tracker.rules.name(point) for point in tracker.restless]
    notes = [controller.problem or "ready"]
    if flicker:
        notes.append(f"flickering: {' '.join(flicker)}")
    if tracker.discrepancy is not None:
        notes.append(tracker.discrepancy.text)
    return "\n" + text + "\n" + "\n".join(notes)


def board_diff(session: Session, command: Command) -> str:
    tracker = _tracker(session)
    extra, missing = guide.split(tracker.stable_state, tracker.rules.expected_state(tracker.plies))
    lines = []
    if extra:
        lines.append("extra " + session.vertices(extra))
    if missing:
        lines.append("missing " + session.vertices(missing))
    return "\n".join(lines)


def board_led(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a vertex and a lamp, or clear")
    tracker, controller = _tracker(session), _player(session).controller
    if command.args[0] == "clear":
        controller.led(None)
        return ""
    arguments.need(command, 2, "a vertex and a lamp, or clear")
    point = arguments.vertex(command.args[0], session.game.width, session.game.height)
    led = command.args[1]
    if point < 0 or len(led) != 1 or led not in LEDS:
        raise GtpError(f"syntax error: expected a point and one of {' '.join(sorted(LEDS))}")
    controller.led((tracker.outside(point), led))
    return ""


def board_ignore(session: Session, command: Command) -> str:
    names = list(command.args)
    on = not (names and names[-1].lower() == "off")
    try:
        return " ".join(_player(session).controller.ignore(names if on else names[:-1], on))
    except ValueError as error:
        raise GtpError(str(error)) from None


TABLE: Table = {
    "board-state": Entry(board_state, "", "What the sensor board shows, what flickers, and what is wrong."),
    "board-diff": Entry(board_diff, "", "The points on which the sensor board differs from the game."),
    "board-ignore": Entry(
        board_ignore, "[VERTEX... [off]]", "Leave sensors out, or (off) heed them again; gives those left out."
    ),
    "board-led": Entry(board_led, "VERTEX LAMP|clear", "Light a lamp of the sensor board until it is cleared."),
}
