"""Commands that make, take back and ask about moves."""

from __future__ import annotations

from engines.errors import IllegalMove
from engines.go.points import BLACK, COLOR_NAMES, PASS, WHITE
from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table


def _move(session: Session, color_text: str, vertex_text: str) -> tuple[int, int]:
    color = arguments.color(color_text)
    if vertex_text.lower() == "resign":
        raise GtpError("syntax error: resign is not a move")
    return color, arguments.vertex(vertex_text, session.game.width, session.game.height)


def play(session: Session, command: Command) -> str:
    arguments.need(command, 2, "a color and a vertex")
    color, point = _move(session, command.args[0], command.args[1])
    try:
        session.game.play_as(color, point)
    except IllegalMove:
        raise GtpError("illegal move") from None
    session.changed()
    return ""


def gogui_play_sequence(session: Session, command: Command) -> str:
    words = command.args
    if len(words) % 2:
        raise GtpError("syntax error: expected pairs of color and vertex")
    moves = [_move(session, *pair) for pair in zip(words[::2], words[1::2], strict=True)]
    for count, (color, point) in enumerate(moves):
        try:
            session.game.play_as(color, point)
        except IllegalMove:
            for _ in range(count):
                session.game.undo()
            raise GtpError(f"illegal move {session.vertex(point)}") from None
    session.changed()
    return ""


def _color(command: Command) -> int:
    arguments.need(command, 1, "a color")
    return arguments.color(command.args[0])


def genmove(session: Session, command: Command) -> str:
    return session.generate(_color(command))[0]


def reg_genmove(session: Session, command: Command) -> str:
    return session.generate(_color(command), play=False, fresh=True)[0]


def kgs_genmove_cleanup(session: Session, command: Command) -> str:
    return session.generate(_color(command), cleanup=True)[0]


def undo(session: Session, command: Command) -> str:
    return _undo(session, 1)


def gg_undo(session: Session, command: Command) -> str:
    return _undo(session, arguments.integer(command.args[0], "number of moves") if command.args else 1)


def _undo(session: Session, count: int) -> str:
    if count > session.game.board.turns:
        raise GtpError("cannot undo")
    for _ in range(count):
        session.game.undo()
    session.changed()
    return ""


def stop(session: Session, command: Command) -> str:
    session.stop_pondering(for_good=True)
    return ""


def gogui_interrupt(session: Session, command: Command) -> str:
    # Listing it promises that "# interrupt" shortens a search; the command itself has nothing to do.
    return ""


# --- questions


def last_move(session: Session, command: Command) -> str:
    last = session.game.board.last_move()
    if last is None:
        raise GtpError("no previous move known")
    return f"{COLOR_NAMES[last[0]]} {session.vertex(last[1])}"


def move_history(session: Session, command: Command) -> str:
    return "\n".join(f"{COLOR_NAMES[color]} {session.vertex(point)}" for color, point in reversed(session.game.moves))


def is_legal(session: Session, command: Command) -> str:
    arguments.need(command, 2, "a color and a vertex")
    color, point = _move(session, command.args[0], command.args[1])
    return "1" if session.game.is_legal(color, point) else "0"


def all_legal(session: Session, command: Command) -> str:
    color = _color(command)
    game = session.game
    return session.vertices([point for point in range(game.points) if game.is_legal(color, point)])


def list_stones(session: Session, command: Command) -> str:
    color = _color(command)
    return session.vertices([point for point, stone in enumerate(session.game.board.stones()) if stone == color])


def captures(session: Session, command: Command) -> str:
    return str(session.game.board.prisoners_of(_color(command)))


def showboard(session: Session, command: Command) -> str:
    game = session.game
    board = game.board
    letters = [session.vertex(x)[0] for x in range(game.width)]
    last = board.last_move()
    marked = last[1] if last is not None else PASS
    notes = [
        f"rules {game.rules.name}, komi {game.komi:g}" + (f", handicap {game.handicap}" if game.handicap else ""),
        f"move {board.turns + 1}, {COLOR_NAMES[game.to_move]} to move"
        + (f", after {COLOR_NAMES[last[0]]} {session.vertex(last[1])}" if last is not None else ""),
        f"black (X) has taken {board.prisoners_of(BLACK)}",
        f"white (O) has taken {board.prisoners_of(WHITE)}",
    ]
    header = "   " + " ".join(letters)
    lines = [header]
    for y in reversed(range(game.height)):
        cells = ""
        for x in range(game.width):
            point = y * game.width + x
            cells += ("(" if point == marked else ")" if x and point - 1 == marked else " ") + ".XO"[board.at(point)]
        end = ")" if marked == y * game.width + game.width - 1 else " "
        row = game.height - 1 - y
        lines.append(f"{y + 1:2}{cells}{end}{y + 1:<2}" + (f"  {notes[row]}" if row < len(notes) else ""))
    lines.append(header)
    lines += notes[game.height :]
    return "\n" + "\n".join(lines)


TABLE: Table = {
    "play": Entry(play, "COLOR VERTEX", "Play a move; either color may move at any time."),
    "gogui-play_sequence": Entry(gogui_play_sequence, "{COLOR VERTEX}", "Play several moves, all or none."),
    "genmove": Entry(genmove, "COLOR", "Choose a move and play it; answers the vertex, pass or resign."),
    "reg_genmove": Entry(reg_genmove, "COLOR", "Choose a move without playing it."),
    "kgs-genmove_cleanup": Entry(
        kgs_genmove_cleanup, "COLOR", "Like genmove, but no pass before all dead stones of the opponent are taken."
    ),
    "undo": Entry(undo, "", "Take the last move back; handicap stones are no moves."),
    "gg-undo": Entry(gg_undo, "[COUNT]", "Take several moves back, all or none."),
    "stop": Entry(stop, "", "End thinking in the opponent's time until the next move."),
    "gogui-interrupt": Entry(gogui_interrupt, "", "Promises that the comment line '# interrupt' shortens a search."),
    "last_move": Entry(last_move, "", "Color and vertex of the last move."),
    "move_history": Entry(move_history, "", "All moves since the set-up, the last one first."),
    "is_legal": Entry(is_legal, "COLOR VERTEX", "1 if the move may be played, else 0."),
    "all_legal": Entry(all_legal, "COLOR", "All points a color may play."),
    "list_stones": Entry(list_stones, "COLOR", "The points with stones of a color."),
    "captures": Entry(captures, "COLOR", "How many stones a color has taken."),
    "showboard": Entry(showboard, "", "The board as a diagram."),
}
