"""Rows of jieqi and fanqi: counts, games, views, twins, notation. The files' notes say what their fields mean."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from engines.jieqi.deal import Deal
from engines.jieqi.ends import Rules
from engines.jieqi.fen import DIALECTS, read_fen, write_fen
from engines.jieqi.forms import FORMS
from engines.jieqi.game import Game
from engines.jieqi.moves import Told, move_text, parse
from engines.jieqi.notation import NOTATIONS, MoveNames
from engines.jieqi.view import View
from engines.xiangqi.geometry import PIECE_LETTERS, square_name

Row = dict[str, Any]
LOSSY = ("jieqibox-old", "pikafish")
SEATS = {"red": 0, "black": 1, "spectator": None}
SIDES = {"r": 0, "b": 1, None: None}


class Differences(list[str]):
    """What differs, field by field."""

    def same(self, field: str, said: Any, found: Any) -> None:
        if said != found:
            self.append(f"{field} is {_short(said)}, computed {_short(found)}")

    def listed(self, field: str, said: list[Any], found: list[Any]) -> None:
        """Lists: the first element that differs is named."""
        for i, (one, other) in enumerate(zip(said, found, strict=False)):
            if one != other:
                self.same(f"{field}[{i}]", one, other)
                return
        self.same(f"number of {field}", len(said), len(found))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def _game(row: Row, form: str, deal: list[str]) -> Game:
    return Game(form, deal=Deal.of(form, *deal), rules=Rules(form, repetition="none"))


def _jieqi(row: Row) -> str:
    return {1: "jieqi", 2: "jieqi2"}[row["form"]]


def _hidden(game: Game) -> dict[str, str]:
    return {
        square_name(square): PIECE_LETTERS[point.piece]
        for square, point in enumerate(game.board.points())
        if point and point.dark
    }


def _play(game: Game, moves: list[str], found: Differences) -> bool:
    """Play moves in the referee's text; what differs is noted. Whether all could be played."""
    for i, text in enumerate(moves):
        if game.result is not None:
            found.append(f"moves[{i}] is {text} and the game is over before it, by {game.result.reason}")
            return False
        try:
            move = parse(game.board, text).move
        except ValueError as error:
            found.append(f"moves[{i}]: {error}")
            return False
        found.same(f"moves[{i}]", text, game.play(move))
    return True


def check_perft(row: Row, whole: dict[str, Any]) -> list[str]:
    found = Differences()
    game = _game(row, _jieqi(row), row["deal"])
    if not _play(game, row["moves"], found):
        return found
    found.same("fen", row["fen"], game.setup_text())
    found.same("hidden", row["hidden"], _hidden(game))
    board = game.board
    found.listed("perft", row["perft"], [board.perft(depth + 1) for depth in range(len(row["perft"]))])
    pool = game.position(None).pool
    public = [board.perft_public(depth + 1, dict(pool)) for depth in range(len(row["public"]))]
    found.listed("public", row["public"], public)
    return found


def _check_played(row: Row, form: str, names: bool) -> list[str]:
    found = Differences()
    game = _game(row, form, row["deal"])
    legal, checked, chinese = [], [], []
    for i, text in enumerate(row["moves"]):
        legal.append(len(game.board.legal_moves()))
        if game.board.in_check():
            checked.append(i)
        before = MoveNames(game.board) if names else None
        if not _play(game, [text], found):
            found[-1] = found[-1].replace("moves[0]", f"moves[{i}]")
            return found
        if found:
            found[-1] = found[-1].replace("moves[0]", f"moves[{i}]")
            return found
        if before is not None:
            told = game.last
            chinese.append(before.write(told.move, "simplified", told.shown))
            read = before.read(row["chinese"][i])
            if (read.move, read.shown) != (told.move, told.shown):
                found.append(f"chinese[{i}] is {row['chinese'][i]}, which is not {text}")
    legal.append(len(game.board.legal_moves()))
    if game.board.in_check():
        checked.append(len(row["moves"]))
    found.listed("legal", row["legal"], legal)
    found.listed("in_check_before", row["in_check_before"], checked)
    if names:
        found.listed("chinese", row["chinese"], chinese)
    result = game.result
    found.same("winner", SIDES.get(row["result"]["winner"], row["result"]["winner"]), result and result.winner)
    found.same("reason", row["result"]["reason"], result and result.reason)
    found.same("last_fen", row["last_fen"], game.setup_text("plain"))
    return found


def check_games(row: Row, whole: dict[str, Any]) -> list[str]:
    return _check_played(row, _jieqi(row), False)


def check_fanqi(row: Row, whole: dict[str, Any]) -> list[str]:
    return _check_played(row, f"fanqi{row['form']}", True)


def _seen(game: Game, seat: str) -> list[str]:
    """The last move and the FEN as a seat may be told them."""
    if seat == "referee":
        return [game.moves[-1] if game.moves else "", game.setup_text()]
    view = game.observe(SEATS[seat])
    return [view.told[-1] if view.told else "", view.setup_text()]


def check_views(row: Row, whole: dict[str, Any]) -> list[str]:
    found = Differences()
    game = _game(row, _jieqi(row), row["deal"])
    found.same("start's seats", sorted(row["start"]), sorted(("referee", *SEATS)))
    for seat, fen in row["start"].items():
        found.same(f"start.{seat}", fen, _seen(game, seat)[1])
    for i, ply in enumerate(row["plies"]):
        move = parse(game.board, ply["referee"][0]).move
        game.play(move)
        found.same(f"plies[{i}].n", ply["n"], len(game.board.legal_moves()))
        for seat in ("referee", *SEATS):
            for name, said, seen in zip(("move", "fen"), ply[seat], _seen(game, seat), strict=True):
                found.same(f"plies[{i}].{seat}.{name}", said, seen)
            if seat != "referee":
                view = game.observe(SEATS[seat])
                found.same(f"plies[{i}].{seat}: legal moves", ply["n"], len(view.board.legal_moves()))
        if found:
            break
    return found


def check_twins(row: Row, whole: dict[str, Any]) -> list[str]:
    found = Differences()
    side = SEATS[row["viewer"]]
    for which, deal in enumerate(row["deals"]):
        game = _game(row, "jieqi", deal)
        for text in row["moves"]:
            game.play(game.read_move(text))
        view = game.observe(side)
        found.listed(f"told ({which})", row["told"], list(view.told))
        found.same(f"view ({which})", row["view"], view.setup_text())
        found.same(f"legal ({which})", row["legal"], len(view.board.legal_moves()))
        found.same(f"referee[{which}]", row["referee"][which], game.setup_text())
    found.same("number of deals", len(row["deals"]), 2)
    if row["deals"][0] == row["deals"][1]:
        found.append("the two deals are one")
    return found


def check_notation(row: Row, whole: dict[str, Any]) -> list[str]:
    found = Differences()
    form = row["game"].replace("-", "")
    if form not in FORMS:
        return [f"game is {row['game']}, which there is not"]
    hidden = {
        int(name[1]) * 9 + "abcdefghi".index(name[0]): PIECE_LETTERS.index(letter)
        for name, letter in row["hidden"].items()
    }
    made = str(row["id"]).startswith("made-")  # some of these have more of a kind than there are
    position = read_fen(row["fen"], form, hidden, strict=not made)
    found.same("fen", row["fen"], write_fen(position, "plain"))
    board = position.board()
    dark = {square for square in range(90) if board.is_dark(square)}
    found.same("hidden", sorted(map(square_name, hidden)), sorted(map(square_name, dark)))
    told = parse(board, row["move"])
    names = MoveNames(board)
    lying = [board.point(square) for square in (told.move >> 7 & 127, told.move & 127)]
    told = Told(told.move, *(point.piece if point and point.dark else 0 for point in lying))
    found.same("move", row["move"], told.text)
    found.same("bare", row["bare"], move_text(told.move))
    for notation in ("simplified", "traditional"):
        found.same(notation, row[notation], names.write(told.move, notation, told.shown))
        read = names.read(row[notation])
        if (read.move, read.shown) != (told.move, told.shown):
            found.append(f"{notation} is {row[notation]}, which is not {row['move']}")
    spoken = [names.write(told.move, notation) for notation in ("simplified", "traditional")]
    said = row.get("spoken")
    if told.shown or said is not None:
        found.same("spoken", said, spoken if told.shown else None)
        for text in said or []:
            if names.read(text).move != told.move:
                found.append(f"spoken is {text}, which is not {row['bare']}")
    return found


KINDS: dict[str, Callable[[Row, dict[str, Any]], list[str]]] = {
    "jieqi-perft": check_perft,
    "jieqi-games": check_games,
    "jieqi-views": check_views,
    "jieqi-twins": check_twins,
    "jieqi-notation": check_notation,
    "fanqi-games": check_fanqi,
}


# -- for random games: see scripts/random_variant_games.py


def begin(game: str, rules: dict[str, str], rng: Any) -> Game:
    """A game with a deal of its own, and layouts where a form has them."""
    new = Game(game, seed=rng.randrange(1 << 30), rules=Rules(game, **rules))
    for side in (0, 1):
        if new.laying and rng.random() < 0.7:
            letters = list(new.deal.letters(side))
            rng.shuffle(letters)
            new.lay(side, "".join(letters))
    return new


def check(game: Game) -> None:
    """What must hold in a position of these games beside what holds in all. AssertionError where it doesn't."""
    form = game.form.name
    board = game.board
    assert board.is_consistent(), "what is kept along differs from what the squares give"
    names = MoveNames(board)
    for move in board.legal_moves():
        origin = board.point(move >> 7 & 127)
        shown = origin.piece if origin and origin.dark else 0
        for notation in NOTATIONS:
            for letter in {0, shown}:
                text = names.write(move, notation, letter)
                read = names.read(text)
                assert (read.move, read.shown) == (move, letter), f"{text} is not read as it was written"
    for position in (game.position(), *(game.observe(side).position() for side in (0, 1, None))):
        for dialect in DIALECTS:
            if dialect != "jieqibox" and (game.form.has_known or (dialect in LOSSY and position.captured)):
                continue  # these have no word for what is known
            text = write_fen(position, dialect)
            assert write_fen(read_fen(text, form), dialect) == text, f"{text} is not read as it was written"
    if game.result is None or game.form.layout == "free":
        return
    for side in (0, 1, None):
        view = game.observe(side)
        if view.told:
            model = View.start(side, game.rules).model()
            for told in view.told:
                model.play(told)
            assert model.setup_text() == view.setup_text(), f"the model of {side} differs from its view"
