"""Our end of UCCI and UCI when another program is the engine. What differs between the two is in
``protocols.ucci.client`` and ``protocols.uci.client``.

Each ``go`` brings one answer. A new one is sent only when the last was answered, and only after ``readyok`` has come
back where the engine knows the word, so that a second answer to the last search is not taken for one to the next.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from engines.player import Candidate, Limits, Report
from engines.xiangqi.board import Board
from protocols.programs.config import EngineConfig
from protocols.programs.process import decode
from protocols.programs.supervisor import EngineError, EngineHung, Talker
from protocols.xiangqi import coordinates
from protocols.xiangqi.information import Information, read_information
from protocols.xiangqi.orders import (
    READY_TIME,
    BestMove,
    EngineOption,
    LastEvaluation,
    SearchRequest,
    fits,
    is_from_start,
    line_of,
    mate_score,
)

PROBE_TIME = 15.0
"""Seconds for the short search that shows how an engine counts ranks."""

MOST_HELD = 1 << 18
"""Bytes that are kept unread at most, while an engine thinks and nobody follows."""

_ATTRIBUTES = ("default", "min", "max", "var")
_NO_MOVE = ("(none)", "none", "null", "0000", "nomove", "resign", "draw")
_LETTERS_REFUSED = re.compile(r"unknown piece|invalid piece|bad fen", re.IGNORECASE)
_LINE_OF_PLAY = re.compile(r"info (?!string).* pv ")
_BRIEF = re.compile(
    rb"info depth ([1-9]\d*) [^\n]*?\bscore (cp|mate) (-?\d+) (?!lower|upper)[^\n]*?\bnodes (\d+) [^\n]*?"
    rb"\bpv ([a-i]\d+[a-i]\d+)(?: [^\n]*)?\nbestmove \5(?: ponder \w+)?\r?\n"
)
_CARRIER = re.compile(r"^info\s+(string|message)\s+", re.IGNORECASE)
_CRITICAL = re.compile(r"CRITICAL ERROR|^info string ERROR", re.IGNORECASE)


def parse_option(words: Sequence[str]) -> EngineOption | None:
    """The words after ``option``, with or without ``name``; None where they announce nothing.

    A name is all that comes before ``type``; the attributes may come in any order.
    """
    words = list(words)
    if words and words[0] == "name":
        del words[0]
    if not words:
        return None
    at = words.index("type") if "type" in words else len(words)
    name = " ".join(words[:at])
    kind = words[at + 1].lower() if at + 1 < len(words) else "string"
    values: dict[str, list[str]] = {key: [] for key in _ATTRIBUTES}
    key = ""
    current: list[str] = []
    for word in [*words[at + 2 :], ""]:
        if word in _ATTRIBUTES or word == "":
            if key:
                values[key].append(" ".join(current))
            key, current = word, []
        else:
            current.append(word)
    if not name:
        return None
    low, high = (_integer(values[key][-1]) if values[key] else None for key in ("min", "max"))
    default = values["default"][-1] if values["default"] else ""
    return EngineOption(name, kind, "" if default == "<empty>" else default, low, high, tuple(values["var"]))


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


class SearchClient(Talker):
    """UCCI or UCI: see ``protocols.xiangqi.orders.EngineClient``."""

    word = ""
    """The protocol's first word; its answer is the same with ``ok`` behind it."""

    def __init__(self, spec: EngineConfig, send: Callable[..., None], note: Callable[[str], None]) -> None:
        super().__init__(spec, send, note)
        self.base = spec.rank_base or 0
        self.letters = ""
        self.options: dict[str, EngineOption] = {}
        self.answer: BestMove | None = None
        self.heard = time.monotonic()
        self.on_report: Callable[[Report[int]], None] = lambda report: None
        self.on_message: Callable[[str], None] = lambda text: None
        self.can_ponder = True
        self.critical: str | None = None
        self.has_ready = True
        self.thought = LastEvaluation()
        """What the engine thought in the last search, where ``terse`` is set."""
        self.terse = False
        """Of a search only the answer is wanted and what the engine thought last, which goes to ``thought``: to read
        more costs time. Nor is the engine asked whether it is ready where its last search has ended by itself."""
        self._quiet = False  # of the present search one line of play is enough
        self._last_line = ""
        self._told: _Told | None = None
        self._held = bytearray()
        self._whole = True  # what was read so far ended with a line end
        self._settled = False
        self._greeted = False
        self._ready_awaited = 0
        self._searching = False
        self._order: SearchRequest | None = None
        self._candidates: dict[int, Candidate[int]] = {}
        self._counts: dict[str, str] = {}
        self._lines = 1
        self._pending: Report[int] | None = None
        self._letters_refused = False

    # ------------------------------------------------------------------ what differs

    def option_text(self, option: EngineOption, value: str) -> str:
        """The command that sets an option."""
        raise NotImplementedError  # each protocol has its own

    def go_text(self, order: SearchRequest) -> str:
        """The ``go`` command."""
        raise NotImplementedError  # each protocol has its own

    def before_go(self, order: SearchRequest) -> list[str]:
        """What is sent between position and ``go``."""
        return []

    def parse_score(self, kind: str, value: int) -> tuple[int | None, int | None]:
        """Centipawns or moves to mate, from a score and the word before it: ``cp``, ``mate`` or none."""
        raise NotImplementedError  # each protocol has its own

    def agree(self) -> None:
        """What there is to settle once the options are known."""

    def settle_units(self) -> None:
        """Find out what the engine's times are in."""

    def new_game(self) -> None:
        """A new game begins."""
        raise NotImplementedError  # each protocol has its own

    # ------------------------------------------------------------------ the beginning

    def start(self) -> None:
        """The first words, the options, and a search of one ply that shows what can't be asked."""
        deadline = time.monotonic() + self.spec.start_time
        self.send(self.word)
        if not self.wait_for(lambda: self._greeted, deadline):
            raise EngineHung(
                f"{self.spec.title} did not answer '{self.word}' with '{self.word}ok' within {self.spec.start_time:g} "
                "seconds; is that its protocol?"
            )
        self.agree()
        for name, value in self.spec.options.items():
            option = self.find_option(name)
            if option is None:
                raise EngineError(
                    f"{self.spec.title} has no option '{name}' (it has {', '.join(self.options) or 'none'})"
                )
            self.set_option(option, value)
        if not self.ready(max(0.5, deadline - time.monotonic())):
            self.has_ready = False
            self.note(f"{self.spec.title} does not answer 'isready'")
        self._raise_critical()
        if self.spec.rank_base is None:
            self._settle_base()
        self.settle_units()

    def ready(self, seconds: float = READY_TIME) -> bool:
        """Send ``isready`` and wait for its answer; False when it does not come."""
        if not self.has_ready:
            return True
        with self.lock:
            self._ready_awaited += 1
        self.send("isready")
        return self.wait_for(lambda: self._ready_awaited == 0, time.monotonic() + seconds)

    def _settle_base(self) -> None:
        """How the engine counts ranks: by its first move from the start position, where no move has two readings."""
        board = Board()
        text = self.quick_search("position startpos", "go depth 1", PROBE_TIME)
        if text is None:
            raise EngineHung(f"{self.spec.title} did not answer a search of depth 1 within {PROBE_TIME:g} seconds")
        bases = [base for base in (0, 1) if fits(text, base, board)]
        if not bases:
            raise EngineError(
                f"{self.spec.title} answers '{text or 'nothing'}' in the start position of Xiangqi; "
                "does it play that game?"
            )
        self.base = bases[0]

    def quick_search(self, position: str, go: str, seconds: float) -> str | None:
        """The move that a search of our own gives, "" for none, None when it is not there in time."""
        self.answer = None
        self._order = None
        self._searching = True
        self.send(position, go)
        if not self.wait_for(lambda: self.answer is not None, time.monotonic() + seconds):
            return None
        answer = self.answer
        assert answer is not None
        self._raise_critical()
        return answer.text

    def find_option(self, name: str) -> EngineOption | None:
        """The option of a name; case, blanks and underscores make no difference."""
        wanted = plain(name)
        return next((option for option in self.options.values() if plain(option.name) == wanted), None)

    def set_option(self, option: EngineOption, value: str) -> None:
        """Set an option. Raises EngineError for a value that its type can't take."""
        text = checked_value(self.spec.title, option, value)
        if plain(option.name) == "multipv" and option.kind == "spin":
            self._lines = int(text)
        self.send(self.option_text(option, text))

    def _raise_critical(self) -> None:
        if self.critical is not None:
            text, self.critical = self.critical, None
            raise EngineError(f"{self.spec.title}: {text}")

    # ------------------------------------------------------------------ searching

    def go(self, order: SearchRequest) -> None:
        """Tell the position, and begin to think."""
        if not (self.terse and self._settled) and not self.ready():
            raise EngineHung(f"{self.spec.title} did not answer 'isready' within {READY_TIME:g} seconds")
        position = self._position(order.board)
        order.begin()
        go = [position, *self.before_go(order), self.go_text(order)]
        with self.lock:
            self.answer = None
            self.thought = LastEvaluation()
            self.critical = None
            self._quiet = self.terse and self._lines == 1
            self._order = order
            self._candidates = {}
            self._counts = {}
            self._pending = None
            self._last_line = ""
            self._settled = not order.ponder
            self._searching = True
            self.heard = time.monotonic()
        self.send(*go)

    def _position(self, board: Board) -> str:
        """The command that tells a position with the moves that led there."""
        if is_from_start(board):
            told = self._told
            if told is None or not told.goes_on(board, self.base):
                told = self._told = _Told(board, self.base)
            return told.text()
        fen, moves = line_of(board, self.letters)
        if not self.letters and self.base == 1:
            # Those who count from 1 may also know no other letters than h and e; the others know both.
            self._letters_refused = False
            self.send(f"position fen {fen}")
            self.ready()
            if self._letters_refused:
                self.letters = "he"
                fen, moves = line_of(board, self.letters)
        text = f"position fen {fen}"
        return f"{text} moves {coordinates.write_all(moves, self.base)}" if moves else text

    def stop(self) -> None:
        """Ask for the answer now; nothing when none is owed."""
        self._settled = False
        if self._searching:
            self.send("stop")

    def ponder_hit(self, limits: Limits, draw: bool) -> None:
        """The move pondered on was played."""
        if self._searching:
            self.send("ponderhit draw" if draw and self.word == "ucci" else "ponderhit")

    def read_move(self, text: str, board: Board) -> int | None:
        """The move in the engine's spelling. Engines that turn out to count from 1 are believed."""
        raw = coordinates.read(text)
        if raw is None:
            return None
        if self.base == 0 and 10 in (raw.rank, raw.to_rank):
            self.base = 1
        return raw.move(self.base)

    # ------------------------------------------------------------------ lines

    def skim(self, data: bytes) -> bytes:
        """See ``protocols.programs.process.Process.skim``. While a search is on of which nobody wants to hear
        (``terse``), all lines wait for the answer, and are taken with it.
        """
        held = self._held
        if self._quiet and self._whole and self._searching and data:
            self.heard = time.monotonic()
            if not held and self._glance(data):
                return b""
            held += data
            answer = held.rfind(b"bestmove")
            # A part of the answer alone is none.
            if (answer < 0 or held.find(b"\n", answer) < 0) and len(held) < MOST_HELD:
                return b""
            end = held.rfind(b"\n") + 1
            if end:
                lines = held[: end - 1].split(b"\n")
                del held[:end]
                for line in lines:
                    self.receive(decode(line))
                return b""
        elif held:
            held += data
        else:
            self._whole = data.endswith(b"\n")
            return data
        rest = bytes(held)
        held.clear()
        self._whole = rest.endswith(b"\n")
        return rest

    def _glance(self, data: bytes) -> bool:
        """Take what most engines write that were asked to be brief, at one glance: a line of play and the answer that
        begins it. False, and nothing is taken, where it is anything else."""
        found = _BRIEF.fullmatch(data)
        if found is None or self.critical is not None:
            return False
        depth, kind, value, nodes, move = found.groups()
        score, mate = self.parse_score(kind.decode(), int(value))
        with self.lock:
            self.thought = LastEvaluation(score if mate is None else mate_score(mate), int(depth), int(nodes))
            self._searching = False
            self.answer = BestMove(move.decode())
            self.wake()
        return True

    def receive(self, line: str) -> None:
        """A line from the engine."""
        if self._quiet and _LINE_OF_PLAY.match(line) and "bound" not in line:
            self.heard = time.monotonic()
            self._last_line = line
            return
        words = line.split()
        if not words:
            return
        report = message = None
        word = words[0].lower()
        if word in ("bestmove", "nobestmove"):
            self._answered(words)
            return
        with self.lock:
            self.heard = time.monotonic()
            if _CRITICAL.search(line):
                self.critical = _CARRIER.sub("", line)
                message = self.critical
                self.complain_of(message)
            elif word == "info":
                report, message = self._info(line)
            elif word == "readyok":
                self._ready_awaited = max(0, self._ready_awaited - 1)
            elif word == f"{self.word}ok":
                self._greeted = True
            elif word == "id" and len(words) > 2 and words[1] == "name":
                self.name = " ".join(words[2:])
            elif word == "option":
                option = parse_option(words[1:])
                if option is not None:
                    self.options[option.name] = option
            elif _LETTERS_REFUSED.search(line):
                self._letters_refused = True
            self.wake()
        if report is not None:
            self.on_report(report)
        if message:
            self.on_message(message)

    def _answered(self, words: list[str]) -> None:
        """The search has ended. Its last report must not come behind the answer."""
        report, self._pending = self._pending, None
        if self._last_line:
            report, _ = self._info(self._last_line)
            self._last_line = ""
        if report is not None:
            if self._quiet:
                self.thought = LastEvaluation.of(report)
            else:
                self.on_report(report)
        with self.lock:
            self.heard = time.monotonic()
            if self._searching:
                self._searching = False
                self.answer = self._answer_in(words)
            else:
                self.note(f"{self.spec.title}: an answer nobody waits for: {' '.join(words)[:80]}")
            self.wake()

    def _answer_in(self, words: list[str]) -> BestMove:
        """What the words of an answer say."""
        if self.critical is not None:
            # The position was not taken: whatever this is the best move of, it is not ours.
            return BestMove(word="illegal", why=self.critical)
        lower = [word.lower() for word in words]
        text = words[1] if lower[0] == "bestmove" and len(words) > 1 and lower[1] not in _NO_MOVE else ""
        ponder = words[lower.index("ponder") + 1] if "ponder" in lower[2:-1] else ""
        return BestMove(text, ponder, "resign" if "resign" in lower else "draw" if "draw" in lower else "")

    def _info(self, line: str) -> tuple[Report[int] | None, str | None]:
        """A line of information: a report when it has a new line of play, or a message."""
        told = read_information(line)
        if told.text is not None:
            return None, told.text
        if not told.play:
            # Some tell time and nodes in lines of their own.
            self._counts.update({word: told.values[word] for word in ("time", "nodes") if word in told.values})
            return None, None
        found = told.score
        if found is None or not self._searching:
            return None, None
        score, mate = self.parse_score(*found)
        if mate is not None:
            score = mate_score(mate)
        elif self.word == "ucci" and told.values.get("depth") == "0":
            score = 0  # a move from the book: the number is its weight
        moves = self._moves_of(told.play)
        if not moves:
            return None, None
        if self._counts:
            told = told._replace(values={**self._counts, **told.values})
        candidate = Candidate(moves[0], moves, told.number("nodes"), score=score, mate=mate)
        return self._report(told, candidate), None

    def _moves_of(self, play: list[str]) -> tuple[int, ...]:
        """The moves of a line of play, as far as they are legal."""
        order = self._order
        if order is None:
            return ()
        moves: list[int] = []
        board = order.board.copy()
        for text in play[:1] if self._quiet else play:
            move = self.read_move(text, board)
            if move is None or not board.is_legal(move):
                break
            board.play(move)
            moves.append(move)
        return tuple(moves)

    def _report(self, told: Information, candidate: Candidate[int]) -> Report[int] | None:
        """The report that a new line of play makes with those told before it; None where others are to follow."""
        depth = told.number("depth")
        number = max(1, told.number("multipv", 1))
        unsent, self._pending = self._pending, None
        if number == 1:
            self._candidates = {}
        else:
            unsent = None  # a part of what is coming
        self._candidates[number] = candidate
        report = Report(
            tuple(self._candidates[key] for key in sorted(self._candidates)) if number > 1 else (candidate,),
            seconds=told.number("time") / 1000,
            nodes=candidate.visits,
            depth=depth,
            seldepth=told.number("seldepth", depth),
            hashfull=told.number("hashfull"),
        )
        if number < self._lines:
            # The other lines of this depth follow, unless there are no more moves.
            self._pending = report
            return unsent
        return report


class _Told:
    """A game from the start position as an engine is told it; the text grows with the game."""

    def __init__(self, board: Board, base: int) -> None:
        """``base``: what ranks are counted from."""
        self._board = board
        self._base = base
        self._text = "position startpos"
        self._plies = 0
        self._key = board.first_key

    def goes_on(self, board: Board, base: int) -> bool:
        """Whether it is the same game still, and nothing was taken back."""
        return board is self._board and base == self._base and board.key_after(self._plies) == self._key

    def text(self) -> str:
        """The command for the board as it is now."""
        board = self._board
        new = board.history_since(self._plies)
        if new:
            begin = self._text if self._plies else f"{self._text} moves"
            self._text = f"{begin} {coordinates.write_all(new, self._base)}"
            self._plies += len(new)
            self._key = board.key
        return self._text


def plain(name: str) -> str:
    """A name as it is compared: case, blanks and underscores make no difference."""
    return " ".join(name.replace("_", " ").lower().split())


def checked_value(title: str, option: EngineOption, value: str) -> str:
    """A value in the engine's spelling. Raises EngineError, with the reason, for one that the type can't take."""
    value = value.strip()
    if option.kind == "check":
        lower = value.lower()
        if lower in ("true", "on", "yes", "1"):
            return "true"
        if lower in ("false", "off", "no", "0"):
            return "false"
        raise EngineError(f"{title}: option '{option.name}' is true or false, not '{value}'")
    if option.kind == "spin":
        number = _integer(value)
        if number is None:
            raise EngineError(f"{title}: option '{option.name}' is a whole number, not '{value}'")
        if (option.low is not None and number < option.low) or (option.high is not None and number > option.high):
            raise EngineError(f"{title}: option '{option.name}' goes from {option.low} to {option.high}, not {number}")
        return str(number)
    if option.kind == "combo" and option.values:
        for one in option.values:
            if one.lower() == value.lower():
                return one
        raise EngineError(f"{title}: option '{option.name}' is one of {', '.join(option.values)}, not '{value}'")
    return value
