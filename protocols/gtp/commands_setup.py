"""Commands that set a game up: board, komi, rules, handicap, positions, files."""

from __future__ import annotations

from engines.errors import IllegalMove
from engines.go import handicap, rules
from engines.go.points import BLACK, EMPTY, MAX_SIZE, WHITE
from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table
from protocols.log import complain


def boardsize(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a size")
    words = command.args[0].split(":") if ":" in command.args[0] else list(command.args[:2])
    sides = [arguments.integer(word, "boardsize") for word in words]
    if len(sides) > 2 or not all(1 <= side <= MAX_SIZE for side in sides):
        raise GtpError("unacceptable size")
    if session.follower is not None and not session.follower.accepts(sides[0], sides[-1]):
        raise GtpError("unacceptable size")
    session.game.resize(sides[0], sides[-1])
    session.board_replaced()
    return ""


def rectangular_boardsize(session: Session, command: Command) -> str:
    arguments.need(command, 2, "width and height")
    return boardsize(session, command)


def query_boardsize(session: Session, command: Command) -> str:
    game = session.game
    return str(game.width) if game.width == game.height else f"{game.width} {game.height}"


def clear_board(session: Session, command: Command) -> str:
    session.new_game()
    return ""


def komi(session: Session, command: Command) -> str:
    arguments.need(command, 1, "komi")
    points = arguments.number(command.args[0], "komi")
    try:
        session.game.komi = points
    except ValueError as error:
        raise GtpError(str(error)) from None
    return ""


def get_komi(session: Session, command: Command) -> str:
    return repr(session.game.komi).removesuffix(".0")


def _handicap(session: Session, points: list[int]) -> None:
    """Put handicap stones on the empty board, which may have a history of passes and captures."""
    game = session.game.copy()
    game.clear()
    try:
        game.place_handicap(points)
    except ValueError as error:
        raise GtpError(str(error)) from None
    session.replace_game(game)


def _count(session: Session, command: Command) -> int:
    arguments.need(command, 1, "a number of stones")
    count = arguments.integer(command.args[0], "handicap")
    if not session.board_is_empty:
        raise GtpError("board not empty")
    return count


def fixed_handicap(session: Session, command: Command) -> str:
    count = _count(session, command)
    try:
        points = handicap.fixed_handicap(session.game.width, session.game.height, count)
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}") from None
    _handicap(session, points)
    return session.vertices(points)


def place_free_handicap(session: Session, command: Command) -> str:
    count = _count(session, command)
    game = session.game
    try:
        # Fewer than asked for may be placed, where there is no room for more.
        points = handicap.free_handicap(game.width, game.height, min(count, game.points - 1))
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}") from None
    _handicap(session, points)
    return session.vertices(points)


def set_free_handicap(session: Session, command: Command) -> str:
    game = session.game
    if not session.board_is_empty:
        raise GtpError("board not empty")
    try:
        points = [arguments.vertex(word, game.width, game.height) for word in command.args]
    except GtpError:
        raise GtpError("bad vertex list") from None
    _handicap(session, points)
    return ""


def get_handicap(session: Session, command: Command) -> str:
    return str(session.game.handicap)


def _stones(session: Session, words: tuple[str, ...]) -> bytes:
    """A position from pairs of colour and vertex."""
    game = session.game
    if len(words) % 2:
        raise GtpError("syntax error: expected pairs of color and vertex")
    stones = bytearray(game.points)
    for name, text in zip(words[::2], words[1::2], strict=True):
        color, point = arguments.color(name), arguments.vertex(text, game.width, game.height)
        if point < 0:
            raise GtpError("syntax error: pass is not a point")
        if stones[point] != EMPTY:
            raise GtpError(f"repeated vertex {session.vertex(point)}")
        stones[point] = color
    return bytes(stones)


def _set_position(session: Session, stones: bytes, to_move: int) -> None:
    try:
        session.game.set_position(stones, to_move)
    except ValueError as error:
        raise GtpError(f"cannot set position: {error}") from None
    session.board_replaced()


def set_position(session: Session, command: Command) -> str:
    _set_position(session, _stones(session, command.args), BLACK)
    return ""


def gogui_setup(session: Session, command: Command) -> str:
    if not session.board_is_empty:
        raise GtpError("board not empty")
    _set_position(session, _stones(session, command.args), BLACK)
    return ""


def gogui_setup_player(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a color")
    color = arguments.color(command.args[0])
    game = session.game
    if game.board.turns:
        raise GtpError("moves have been played")
    # The same stones with another player to move; handicap stones stay what they are.
    stones = game.handicap
    game.set_position(game.setup, color)
    game.handicap = stones
    return ""


def qiqiao_setup(session: Session, command: Command) -> str:
    arguments.need(command, 1, "the name of a set-up: ancient")
    if command.args[0] != "ancient":
        raise GtpError(f"unknown set-up '{command.args[0]}', not one of: ancient")
    game = session.game
    if not session.board_is_empty:
        raise GtpError("board not empty")
    try:
        black, white = handicap.ancient_setup(game.width, game.height)
    except ValueError as error:
        raise GtpError(str(error)) from None
    stones = bytearray(game.points)
    for color, points in ((BLACK, black), (WHITE, white)):
        for point in points:
            stones[point] = color
    # White moves first in the old game.
    _set_position(session, bytes(stones), WHITE)
    return ""


# --- rules


def _set_rules(session: Session, wanted: rules.Rules) -> str:
    session.game.set_rules(wanted)
    return ""


def kata_get_rules(session: Session, command: Command) -> str:
    return session.game.rules.to_json()


def kata_set_rules(session: Session, command: Command) -> str:
    arguments.need(command, 1, "rules")
    try:
        return _set_rules(session, rules.parse_rules(command.rest, allow_komi=False))
    except ValueError as error:
        raise GtpError(str(error)) from None


def kata_set_rule(session: Session, command: Command) -> str:
    arguments.need(command, 2, "a field and its value")
    try:
        return _set_rules(session, session.game.rules.with_field(*command.args[:2]))
    except ValueError as error:
        raise GtpError(str(error)) from None


def kgs_rules(session: Session, command: Command) -> str:
    arguments.need(command, 1, "the name of rules")
    try:
        return _set_rules(session, rules.kgs_rules(command.args[0]))
    except ValueError as error:
        raise GtpError(str(error)) from None


# --- files


def loadsgf(session: Session, command: Command) -> str:
    from engines.go import records  # most sessions read and write none

    name, rest = arguments.file_name(command)
    name = arguments.allowed(session.options.files, name)
    number = arguments.integer(rest[0], "move number") if rest else None
    try:
        record = records.read_record(name)
        for note in record.notes:
            complain(f"qiqiao: {name}: {note}")
            session.log.note(f"{name}: {note}")
        if number is not None:
            record = record.before(max(1, number))
        game = records.replay(record, session.game.rules, session.game.komi)
        game.accept_ko = session.game.accept_ko
    except (records.RecordError, IllegalMove, ValueError) as error:
        complain(f"qiqiao: {name}: {error}")
        session.log.note(f"{name}: {error}")
        raise GtpError("cannot load file") from None
    session.replace_game(game)
    return ""


def printsgf(session: Session, command: Command) -> str:
    from engines.go import records

    record = records.record_of(session.game)
    if not command.args or command.args[0] == "-":
        return records.format_record(record)
    name, surplus = arguments.file_name(command)
    if surplus:
        raise GtpError("a file name with blanks needs double quotes")
    name = arguments.allowed(session.options.files, name)
    try:
        records.write_record(name, record)
    except records.RecordError as error:
        complain(f"qiqiao: {error}")
        raise GtpError("cannot write file") from None
    return ""


TABLE: Table = {
    "boardsize": Entry(boardsize, "SIZE | WIDTH HEIGHT | WIDTH:HEIGHT", "An empty board of that size, 1 to 25 a side."),
    "rectangular_boardsize": Entry(
        rectangular_boardsize, "WIDTH HEIGHT", "An empty board of that size, 1 to 25 a side."
    ),
    "query_boardsize": Entry(query_boardsize, "", "The size of the board; width and height where they differ."),
    "clear_board": Entry(clear_board, "", "The empty board and full clocks; size, komi, rules and time settings stay."),
    "komi": Entry(komi, "POINTS", "White's points for moving second; any number up to a million either way."),
    "get_komi": Entry(get_komi, "", "The komi."),
    "fixed_handicap": Entry(fixed_handicap, "COUNT", "Put handicap stones on their fixed points; gives the points."),
    "place_free_handicap": Entry(
        place_free_handicap, "COUNT", "Choose handicap points and put stones there; gives them."
    ),
    "set_free_handicap": Entry(set_free_handicap, "VERTEX VERTEX ...", "Put handicap stones on these points."),
    "get_handicap": Entry(get_handicap, "", "The number of handicap stones."),
    "set_position": Entry(set_position, "{COLOR VERTEX}", "Exactly these stones, no history, Black to move."),
    "gogui-setup": Entry(gogui_setup, "{COLOR VERTEX}", "Put these stones on the empty board."),
    "gogui-setup_player": Entry(gogui_setup_player, "COLOR", "Who moves first from the position set up."),
    "qiqiao-setup": Entry(
        qiqiao_setup, "ancient", "Put the four stones (座子) of the old Chinese game; White to move."
    ),
    "kata-get-rules": Entry(kata_get_rules, "", "The rules in force, as KataGo's JSON."),
    "kata-set-rules": Entry(kata_set_rules, "RULES", "Rules by name, KataGo's JSON or compact string; komi stays."),
    "kata-set-rule": Entry(kata_set_rule, "FIELD VALUE", "One field of the rules; the others and komi stay."),
    "kgs-rules": Entry(kgs_rules, "japanese|chinese|aga|new_zealand", "Rules by the name the KGS server gives them."),
    "loadsgf": Entry(
        loadsgf, "FILE [MOVE]", "The position of an SGF file's main line, at its end or before that move."
    ),
    "printsgf": Entry(printsgf, "[FILE]", "The game as SGF, or written to a file."),
}
