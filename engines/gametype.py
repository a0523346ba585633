"""What a game is to everything that is not that game: matches, journals, reports, boards, the command line.

``engines.<game>.gametype`` defines one class a game, a ``GameType``, which ``engines.games`` finds by name. Nothing
outside a game's own folder asks which game it is: what differs is asked of its type.

- A ``GameType`` holds the facts about a game (class attributes) and, as an object, the rules and options it is played
  by. It begins games, reads openings, writes records, draws.
- A ``Referee`` watches over one game. What is left as it is here serves every game whose ``Game`` object has ``turn``,
  ``play``, ``undo``, ``read_move``, ``result`` and ``observe``.

*Sides* are counted from 0 in the order of play: 0 is Black in Go and Red in Xiangqi, who begin as a rule. There are two
of them or more. Moves and positions are texts to all but the game itself: those of its own notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from engines.plain import build
from engines.player import Action, Choice
from engines.results import Words

if TYPE_CHECKING:
    from engines.clock import TimeControl
    from engines.drawing.grid import Grid
    from engines.drawing.svg import Board
    from engines.player import Player
    from engines.terms import Language

REASONS = {
    "mate": "checkmate",
    "stalemate": "no legal move",
    "repetition": "repetition",
    "natural-limit": "natural limit",
    "material": "nobody can win",
    "agreement": "draw by agreement",
    "score": "count of the board",
    "no-result": "endless repetition",
    "resignation": "resignation",
    "violations": "third violation",
    "time": "time",
    "crash": "crash",
    "hang": "no answer",
    "illegal": "illegal move",
    "no-move": "gave no move",
    "refusal": "game refused",
    "fault": "engine error",
    "adjudicated-win": "adjudicated a win",
    "adjudicated-draw": "adjudicated a draw",
    "length": "too long",
}
"""Why a game ends; the keys are those of ``Ending.reason``. A game's own further ones are in ``GameType.reasons``."""

FAULTS = ("time", "crash", "hang", "illegal", "no-move", "refusal", "fault")
"""Reasons that are the loser's own fault as a program."""


@dataclass(frozen=True)
class Option:
    """Something of a game that a match may set.

    ``type`` is what a value may be, as an annotation (``engines.plain.build``). ``words`` say what it does, ``metavar``
    what a value looks like. ``flag`` is its option on the command line ("" for its name), ``read`` makes a value of a
    text there (None: as it is; a ValueError says what is wrong), ``served``: whether our own daemon for the game takes
    the same option.
    """

    name: str
    default: Any
    type: Any
    words: str
    metavar: str = ""
    flag: str = ""
    read: Callable[[str], Any] | None = None
    served: bool = False

    @property
    def switch(self) -> str:
        """The option on the command line."""
        return self.flag or "--" + self.name.replace("_", "-")


@dataclass(frozen=True)
class Ending:
    """How a game has ended. ``winner`` is a side, None for a draw; ``result`` is as its records write it (``B+3.5``,
    ``1-0``); ``reason`` is a key of ``REASONS``, ``words`` say more where there is more to say. ``scores`` are the
    points of every side, 0…1; empty where ``winner`` says it all: 1 for who has won and 0 for others, or the same share
    for all."""

    winner: int | None
    reason: str
    result: str
    words: str = ""
    scores: tuple[float, ...] = ()

    def score_of(self, side: int, sides: int = 2) -> float:
        """The points of a side of so many, 0…1."""
        if self.scores:
            return self.scores[side]
        return 1 / sides if self.winner is None else float(self.winner == side)

    def to_json(self) -> dict[str, Any]:
        """As a value of plain tables, numbers and texts."""
        value = {"winner": self.winner, "reason": self.reason, "result": self.result, "words": self.words}
        return {**value, "scores": list(self.scores)} if self.scores else value


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position and moves from there, which are played before the players are asked.

    ``setup`` is the position as the ``GameType`` writes it, "" for the usual one; ``moves`` are texts as in records of
    a match; ``name`` is for people. ``seed`` decides about all that is left to chance in the game.
    """

    setup: str = ""
    moves: tuple[str, ...] = ()
    name: str = ""
    seed: int = 0
    layouts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As a value of plain lists and texts."""
        value: dict[str, Any] = {"setup": self.setup, "moves": list(self.moves), "name": self.name}
        value |= {"seed": self.seed} if self.seed else {}
        return {**value, "layouts": list(self.layouts)} if any(self.layouts) else value

    @staticmethod
    def from_json(value: dict[str, Any]) -> Opening:
        """From what ``to_json`` makes. Raises ValueError for anything else."""
        found: Opening = build(Opening, value, "the opening")
        return found


class Decision(NamedTuple):
    """What a player decides: ``action`` and ``move`` as in ``engines.player.Choice``, and what it thinks of its
    position, None and 0 where it does not say: ``score`` and ``winrate`` as in ``engines.player.Candidate``, ``depth``
    and ``nodes`` as in ``engines.player.Report``."""

    action: Action
    move: Any = None
    score: float | None = None
    winrate: float | None = None
    depth: int = 0
    nodes: int = 0

    @staticmethod
    def of(choice: Choice[Any]) -> Decision:
        """A player's choice, with what it thinks best of its last report."""
        report = choice.report
        if report is None:
            return Decision(choice.action, choice.move)
        score = winrate = None
        if report.candidates:
            score, winrate = report.candidates[0].score, report.candidates[0].winrate
        return Decision(choice.action, choice.move, score, winrate, report.depth, report.nodes)


class Turn(NamedTuple):
    """One move of a player, as text ("" for an accepted draw), with ``seconds`` spent, ``left`` on its clock afterwards
    (None without one) and the ``stones`` or periods left in overtime, and what it thought: ``score`` in centipawns or
    points, ``winrate`` 0…1, ``depth`` and ``nodes``; None where it did not say. Scores are from its own view."""

    move: str
    seconds: float = 0.0
    left: float | None = None
    stones: int = 0
    score: float | None = None
    winrate: float | None = None
    depth: int = 0
    nodes: int = 0

    def to_row(self) -> list[Any]:
        """As a list without what it ends in for nothing."""
        left = None if self.left is None else round(self.left, 3)
        score = None if self.score is None else round(self.score, 2)
        winrate = None if self.winrate is None else round(self.winrate, 4)
        row = [self.move, round(self.seconds, 4), left, self.stones, score, winrate, self.depth, self.nodes]
        empty = ["", 0.0, None, 0, None, None, 0, 0]
        while len(row) > 1 and row[-1] == empty[len(row) - 1]:
            row.pop()
        return row


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match as its record tells it. ``names`` are the players', by side; ``control`` the clock of side 0;
    ``number`` the game's in the match, ``round`` and ``game_of_round`` counted from 1; ``date`` is ISO 8601 (UTC);
    ``reason`` says in words why it has ended, ``error`` what else went wrong."""

    names: tuple[str, ...]
    opening: Opening
    turns: tuple[Turn, ...]
    ending: Ending
    control: TimeControl
    number: int
    round: int
    game_of_round: int
    date: str
    event: str = ""
    reason: str = ""
    error: str = ""


class Step(NamedTuple):
    """One ply as it is shown: what stands anew on which points ("" for nothing; symbols of the ``Board`` it is drawn
    on), and the points to be marked as the last move's."""

    changes: dict[int, str]
    last: tuple[int, ...]


@dataclass(frozen=True)
class Course:
    """A game as it is shown: symbols by points at its beginning, then a step for each ply, the opening's first."""

    start: dict[int, str]
    steps: tuple[Step, ...]

    def after(self, plies: int | None = None) -> tuple[dict[int, str], tuple[int, ...]]:
        """What stands after so many plies (None: all), and the points of the last move."""
        standing, last = dict(self.start), tuple[int, ...]()
        for step in self.steps[:plies]:
            standing.update(step.changes)
            last = step.last
        return {point: symbol for point, symbol in standing.items() if symbol}, last


class Referee:
    """One game of a match. ``game`` is the game's own object, which knows all; nobody else changes it, and players get
    what ``observe`` gives.

    As it stands here it serves a ``Game`` with ``turn``, ``play(move) -> text``, ``undo()``, ``read_move(text)``,
    ``observe(side)`` and ``result`` (with ``winner``, ``reason``, ``words`` and ``scores``).
    """

    def __init__(self, game: Any, sides: int = 2) -> None:
        self.game = game
        self.sides = sides

    @property
    def side(self) -> int:
        """Whose turn it is, counted from 0 in the order of play."""
        return int(self.game.turn)

    @property
    def color(self) -> int:
        """The same in the game's own count of colours, as players are told it."""
        return self.side

    def observe(self, side: int) -> Any:
        """The game as a side may see it: the only thing that its player is given."""
        return self.game.observe(side)

    @property
    def draw_offered(self) -> bool:
        """Whether the opponent of who is to move offers a draw."""
        return False

    def no_draw(self) -> str | None:
        """Why who is to move may not offer a draw now; None where it may. As it stands here: what the game's own
        ``may_offer`` says."""
        may_offer = getattr(self.game, "may_offer", None)
        if may_offer is None:
            return "there are no draws by agreement here"
        found: str | None = may_offer(self.side)
        return found

    def undo(self) -> None:
        """Take the last move back. Raises IndexError at the start."""
        self.game.undo()

    def to_lay(self) -> tuple[int, ...]:
        """The sides that may still lay their own pieces before the first move."""
        return tuple(range(self.sides)) if getattr(self.game, "laying", False) else ()

    def lay(self, side: int, text: str) -> None:
        """Lay a side's pieces as its text says. Raises ValueError, and changes nothing, where that can't be."""
        self.game.lay(side, text)

    def accept(self, decision: Decision) -> str:
        """Play a decision that moves, passes or offers a draw; gives the move as text, with what chance has turned up,
        "" for a draw accepted.

        Raises ValueError, and changes nothing, where the rules don't allow it.
        """
        if decision.action not in ("move", "draw") or decision.move is None:
            raise ValueError(f"'{decision.action}' is no turn here")
        return str(self.game.play(decision.move))

    def play(self, text: str) -> None:
        """Play a move given as text, as ``accept`` gave it: chance must turn up the same.

        Raises ValueError, and changes nothing, where that can't be.
        """
        played = str(self.game.play(self.game.read_move(text)))
        if played != text:
            self.game.undo()
            raise ValueError(f"{text}: what turned up is another, {played}")

    def ending(self) -> Ending | None:
        """How the game has ended by itself; None while it goes on, and where ``needs_count``."""
        result = self.game.result
        if result is None:
            return None
        scores = tuple(getattr(result, "scores", ()) or ())
        words = getattr(result.words, "english", result.words)
        return Ending(result.winner, result.reason, self.result_text(result.winner, scores), words, scores)

    def result_text(self, winner: int | None, scores: tuple[float, ...] = ()) -> str:
        """A result as records write it: the points of the sides in their order, ``1-0``, ``1/2-1/2``, ``0-1-0``."""
        if not scores and winner is None and self.sides == 2:
            return "1/2-1/2"
        found = scores or tuple(Ending(winner, "", "").score_of(side, self.sides) for side in range(self.sides))
        return "-".join("1/2" if score == 0.5 else f"{score:.3g}" for score in found)

    @property
    def needs_count(self) -> bool:
        """Whether the game is over but for a count, which may ask the players."""
        return False

    def read_dead(self, text: str) -> frozenset[int]:
        """The pieces that a text, of a person who counts, calls dead. Raises ValueError."""
        raise ValueError("this game is not counted")

    def count(self, ask: Callable[[], tuple[frozenset[int] | None, ...]]) -> tuple[Ending, tuple[str, ...]]:
        """The count of a game that ``needs_count``, and the result by each side's own word ("" where it said nothing).
        ``ask`` asks each side which pieces are dead; None is the answer of one that does not say."""
        raise ValueError("this game is not counted")

    def end(self, loser: int, reason: str, words: str = "") -> Ending:
        """The ending when a side has lost for a reason outside the board: of two the other has won, of more the points
        are shared by the others."""
        if self.sides == 2:
            return Ending(1 - loser, reason, self.result_text(1 - loser), words)
        scores = tuple(0.0 if side == loser else 1 / (self.sides - 1) for side in range(self.sides))
        return Ending(None, reason, self.result_text(None, scores), words, scores)

    def stop(self, winner: int | None, reason: str, words: str = "") -> Ending:
        """The ending when the match ends the game, for a winner or as a draw."""
        return Ending(winner, reason, self.result_text(winner), words)

    def too_long(self) -> Ending:
        """The ending when the longest game a match allows has been reached: a draw."""
        return self.stop(None, "length")

    def sure(self, score: float | None, winrate: float | None) -> float | None:
        """A player's judgement of its own position in the unit of the match's adjudication; None where it said none."""
        return score


def unheard(text: str) -> None:
    """Who is told things and does nothing about them."""


class GameType:
    """A game, with the rules and options that a match plays it by. A class a game, in ``engines.<game>.gametype``.

    What must be there: the class attributes without a value, ``begin``; for reports ``board`` and ``course``, for
    records ``record_text``. The rest has a meaning that serves most games.
    """

    name: ClassVar[str]
    """Its name in the registry, on the command line, in journals."""
    titles: ClassVar[Words]
    """What it is called."""
    sides: ClassVar[tuple[str, ...]]
    """The names of the sides in the order of play, two or more."""
    hidden: ClassVar[bool] = False
    """Whether sides may not know all; then ``Referee.observe`` gives an object without a way to the rest."""
    chance: ClassVar[bool] = False
    """Whether something is left to chance: then each opening of a match has a seed of its own."""
    protocols: ClassVar[tuple[str, ...]] = ()
    """The protocols that can carry it, our own daemon's for it first."""
    option_table: ClassVar[tuple[Option, ...]] = ()
    """What a match may set beside the rule set."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """Why a game of it ends, beyond ``REASONS``."""
    suffix: ClassVar[str] = "txt"
    """Of the files of its records."""
    collected: ClassVar[bool] = False
    """Whether a match writes all records into one file too."""
    notations: ClassVar[tuple[str, ...]] = ()
    """The notations that a record may be written in; empty for one that has only one."""
    longest: ClassVar[int] = 0
    """Plies after which a match ends a game unless it is told otherwise; 0 for no bound."""
    least_move_time: ClassVar[float] = 0.0
    """The fewest seconds a move that programs can be told."""
    levels: ClassVar[str] = ""
    """What levels of strength its built-in player has, for people (``1 to 24``); "" for none."""
    own_words: ClassVar[bool] = False
    """Whether ``qiqiao judge`` and ``notate`` have words of their own for it, older than the game types."""
    unfinished: ClassVar[str] = "*"
    """What a record has for the result of a game that goes on."""

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """Raises ValueError, with a text for the user, for rules or options that there are none of."""
        self.rule_set = rules
        self.options: dict[str, Any] = self.checked(options or {})

    @classmethod
    def checked(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the game: those given, the others as they are usually. Raises ValueError."""
        table = {one.name: one for one in cls.option_table}
        for name in options:
            if name not in table:
                raise ValueError(f"{cls.titles.english} has no option '{name}' (there: {', '.join(table) or 'none'})")
        return {
            name: build(one.type, options[name], name) if name in options else one.default
            for name, one in table.items()
        }

    def begin(self, opening: Opening) -> Referee:
        """A game from an opening, its moves played; what is left to chance is decided by the opening's seed.

        Raises ValueError for an opening that can't be.
        """
        raise NotImplementedError  # each game has its own

    def random_opening(self, seed: int, plies: int, balance: float) -> Opening:
        """Random moves after which neither side is better than ``balance`` (0: the game's own measure); the same ones
        for the same seed. As it stands here: no moves at all."""
        return Opening()

    def read_openings(self, path: str, plies: int, tell: Callable[[str], None] = unheard) -> list[Opening]:
        """The openings of a file or folder, with at most so many plies each (0: all).

        What is left out of several, or was read in spite of a fault, ``tell`` is told in a text for the user. Raises
        ValueError, with such a text.
        """
        raise ValueError(f"there are no files of openings for {self.titles.english}")

    def facts(self) -> dict[str, str]:
        """What a report says about the game: names of facts and their values, as text for people."""
        return {"Game": f"{self.titles.english} {self.titles.chinese}", "Rules": self.rule_set}

    def board(self, coordinates: bool = True) -> Board:
        """A board to draw positions on, with coordinates around it or without."""
        raise NotImplementedError  # each game has its own

    def course(self, opening: Opening, moves: Iterable[str]) -> Course:
        """A game as it is shown: what stands where, from the opening's position on."""
        raise NotImplementedError  # each game has its own

    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """The board for a terminal as it is seen by who got ``seen`` (``Referee.observe``): in symbols and characters
        of a language, or in plain letters."""
        raise NotImplementedError  # each game has its own

    def read_word(self, seen: Any, text: str) -> Any:
        """The legal move that a person's text names, in any notation of the game. Raises ValueError, with a text for
        the user, for any other. As it stands here: the game's own coordinates."""
        return seen.read_move(text)

    def names(self, seen: Any, move: Any) -> dict[str, str]:
        """A legal move in every notation of the game, its coordinates first. As it stands here: those alone."""
        return {"coordinate": str(seen.move_text(move))}

    def name_of(self, seen: Any, move: Any, language: Language = "en") -> str:
        """A legal move as people of a language write it. As it stands here: the notation of the language's script
        where there is one, else the coordinates."""
        names = self.names(seen, move)
        wanted = {"zh-Hans": "simplified", "zh-Hant": "traditional"}.get(language, "coordinate")
        return names.get(wanted) or next(iter(names.values()))

    def model(self, setup: str = "") -> Any:
        """A position ("" for the start) that goes on by moves as they are told to a spectator: ``play(told)``,
        ``undo``, ``result``. Raises ValueError for a position that can't be."""
        return self.begin(Opening(setup, seed=1)).game.observe(None).model()

    def told_names(self, seen: Any, text: str) -> dict[str, str]:
        """A move as it is told, in any notation, in every notation, first as ``model`` takes it. Raises ValueError for
        what is no legal move. As it stands here: the text as it is."""
        return {"coordinate": text.strip()}

    def layout(self, seed: int | None = None) -> str:
        """How a program lays its pieces where each side may lay its own (``Referee.to_lay``); "" for at random."""
        return ""

    def player(self, level: str = "", seed: int | None = None) -> Player[Any] | None:
        """The built-in player in this process, at a level ("" for full strength); None where there is none. Raises
        ValueError for a level that there is not."""
        return None

    def judgement(self, turn: Turn) -> str:
        """What a player thought of its position in a turn, for people; "" where it did not say."""
        return "" if turn.score is None else f"{turn.score / 100:+.2f}"

    def record_text(self, played: PlayedGame, notation: str) -> str:
        """A game of a match as a record. ``notation`` is one of ``notations``, no matter where there is one only."""
        raise NotImplementedError  # each game has its own

    def twogtp_facts(self) -> dict[str, str] | None:
        """What a table of gogui-twogtp says of the game (Komi, Size, RefereeCommand); None for a game that has no such
        table."""
        return None

    def shape(self, opening: Opening, moves: Iterable[str]) -> tuple[str, ...]:
        """The moves of a game, the same for games that differ by a symmetry of the board alone."""
        return (opening.setup, *opening.moves, *moves)


def hours(seconds: float) -> str:
    """``0:00:59.930``, as comments in PGN write a clock."""
    minutes, rest = divmod(seconds, 60)
    whole, minutes = divmod(int(minutes), 60)
    return f"{whole}:{minutes:02}:{rest:06.3f}"
