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
from protocols.external import EngineError, EngineHung, Talker
from protocols.spec import Spec
from protocols.xiangqi import coordinates
from protocols.xiangqi.orders import Answer, EngineOption, Order, fits, line_of, mate_score

READY_TIME = 20.0
"""Seconds for ``readyok`` between two searches; a large hash table takes a while to clear."""

PROBE_TIME = 15.0
"""Seconds for the short search that shows how an engine counts ranks."""

MOST_HELD = 1 << 18
"""Bytes that are kept unread at most, while an engine thinks and nobody follows."""

_ATTRIBUTES = ("default", "min", "max", "var")
_NO_MOVE = ("(none)", "none", "null", "0000", "nomove")
_LETTERS_REFUSED = re.compile(r"unknown piece|invalid piece|bad fen", re.IGNORECASE)
_LINE_OF_PLAY = re.compile(r"info (?!string).* pv ")
_LINE_OF_PLAY_BYTES = re.compile(_LINE_OF_PLAY.pattern.encode())
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

    def __init__(self, spec: Spec, send: Callable[[str], None], note: Callable[[str], None]) -> None:
        super().__init__(spec, send, note)
        self.base = spec.rank_base or 0
        self.letters = ""
        self.options: dict[str, EngineOption] = {}
        self.answer: Answer | None = None
        self.heard = time.monotonic()
        self.on_report: Callable[[Report[int]], None] = lambda report: None
        self.on_message: Callable[[str], None] = lambda text: None
        self.can_ponder = True
        self.critical: str | None = None
        self.has_ready = True
        self.terse = False
        """Of a search only the last score and its first move are wanted, with the answer, and no move to ponder on: to
        read more costs time. Nor is the engine asked whether it is ready where its last search has ended by itself."""
        self._last_line = ""
        self._written: tuple[list[int], str, int] = ([], "", 0)
        self._held = bytearray()
        self._settled = False
        self._greeted = False
        self._ready_awaited = 0
        self._searching = False
        self._order: Order | None = None
        self._candidates: dict[int, Candidate[int]] = {}
        self._counts: dict[str, int] = {}
        self._lines = 1
        self._pending: Report[int] | None = None
        self._letters_refused = False

    # ------------------------------------------------------------------ what differs

    def option_text(self, option: EngineOption, value: str) -> str:
        """The command that sets an option."""
        raise NotImplementedError  # each protocol has its own

    def go_text(self, order: Order) -> str:
        """The ``go`` command."""
        raise NotImplementedError  # each protocol has its own

    def before_go(self, order: Order) -> list[str]:
        """What is sent between position and ``go``."""
        return []

    def parse_score(self, words: Sequence[str]) -> tuple[int | None, int | None, int]:
        """Centipawns, moves to mate and words used, from the words after ``score``."""
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
        with self.changed:
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
        self.send(position)
        self.send(go)
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

    def go(self, order: Order) -> None:
        """Tell the position, and begin to think."""
        if not (self.terse and self._settled) and not self.ready():
            raise EngineHung(f"{self.spec.title} did not answer 'isready' within {READY_TIME:g} seconds")
        fen, moves = line_of(order.board, self.letters)
        if fen is not None and not self.letters and self.base == 1:
            # Those who count from 1 may also know no other letters than h and e; the others know both.
            self._letters_refused = False
            self.send(f"position fen {fen}")
            self.ready()
            if self._letters_refused:
                self.letters = "he"
                fen, moves = line_of(order.board, self.letters)
        position = "position startpos" if fen is None else f"position fen {fen}"
        if moves:
            position += f" moves {self._moves_text(moves)}"
        with self.changed:
            self.answer = None
            self.critical = None
            self._order = order
            self._candidates = {}
            self._counts = {}
            self._pending = None
            self._last_line = ""
            self._settled = not order.ponder
            self._searching = True
            self.heard = time.monotonic()
        self.send(position)
        for line in self.before_go(order):
            self.send(line)
        self.send(self.go_text(order))

    def _moves_text(self, moves: list[int]) -> str:
        """The moves of a position as they are sent. Those that were sent before it are not written anew."""
        known, text, base = self._written
        count = len(known)
        if count and base == self.base and moves[:count] == known:
            if count < len(moves):
                text += f" {coordinates.write_all(moves[count:], base)}"
        else:
            text = coordinates.write_all(moves, self.base)
        self._written = (moves, text, self.base)
        return text

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
        """See ``protocols.process.Process.skim``. While a search is on of which nobody wants to hear (``terse``),
        everything waits for the answer; then all lines of play but the last are left out.
        """
        held = self._held
        if self.terse and self._lines == 1 and self._searching and data:
            self.heard = time.monotonic()
            held += data
            answer = held.rfind(b"bestmove")
            # A part of the answer alone would be let through, and the rest kept for ever.
            if (answer < 0 or held.find(b"\n", answer) < 0) and len(held) < MOST_HELD:
                return b""
        elif held:
            held += data
        else:
            return data
        lines = held.split(b"\n")
        held.clear()
        # The first may continue, and the last be continued by, what is read at other times.
        inner = lines[1:-1]
        play = [n for n, line in enumerate(inner) if _LINE_OF_PLAY_BYTES.match(line) and b"bound" not in line]
        superseded = set(play[:-1])
        kept = [line for n, line in enumerate(inner) if n not in superseded]
        return b"\n".join([lines[0], *kept, *lines[1:][-1:]])

    def receive(self, line: str) -> None:
        """A line from the engine."""
        if self.terse and self._lines == 1 and _LINE_OF_PLAY.match(line) and "bound" not in line:
            self.heard = time.monotonic()
            self._last_line = line
            return
        words = line.split()
        if not words:
            return
        report = message = None
        done = False
        with self.changed:
            self.heard = time.monotonic()
            word = words[0].lower()
            if _CRITICAL.search(line):
                self.critical = _CARRIER.sub("", line)
                message = self.critical
                self.complain_of(message)
            elif word == "info":
                report, message = self._info(words)
            elif word in ("bestmove", "nobestmove"):
                report, self._pending = self._pending, None
                if self._last_line:
                    report, _ = self._info(self._last_line.split())
                    self._last_line = ""
                done = True
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
            if not done:
                self.changed.notify_all()
        if report is not None:
            self.on_report(report)
        if message:
            self.on_message(message)
        if done:
            # After the last report, which must not come behind the answer.
            with self.changed:
                self._end(words)
                self.changed.notify_all()

    def _end(self, words: list[str]) -> None:
        if not self._searching:
            self.note(f"{self.spec.title}: an answer nobody waits for: {' '.join(words)[:80]}")
            return
        self._searching = False
        text = words[1] if words[0].lower() == "bestmove" and len(words) > 1 else ""
        lower = [word.lower() for word in words]
        ponder = words[lower.index("ponder") + 1] if "ponder" in lower[2:-1] else ""
        word = next((one for one in ("resign", "draw") if one in lower[1:]), "")
        if text.lower() in (*_NO_MOVE, "resign", "draw"):
            text = ""
        if self.critical is not None:
            # The position was not taken: whatever this is the best move of, it is not ours.
            self.answer = Answer(word="illegal", why=self.critical)
        else:
            self.answer = Answer(text, ponder, word)

    def _info(self, words: list[str]) -> tuple[Report[int] | None, str | None]:
        """A line of information: a report when it has a new line of play, or a message."""
        # Some tell time and nodes in lines of their own.
        numbers: dict[str, int] = {key: self._counts[key] for key in ("time", "nodes") if key in self._counts}
        score = mate = None
        bound = False
        line: list[str] = []
        extra: dict[str, object] = {}
        at = 1
        while at < len(words):
            word = words[at]
            at += 1
            if word in ("string", "message"):
                return None, " ".join(words[at:])
            if word == "pv":
                line = words[at:]
                break
            if word == "score":
                score, mate, used = self.parse_score(words[at:])
                at += used
            elif word in ("lowerbound", "upperbound"):
                bound = True
            elif word == "wdl" and at + 2 < len(words):
                extra["wdl"] = tuple(_integer(one) or 0 for one in words[at : at + 3])
                at += 3
            elif at < len(words) and (value := _integer(words[at])) is not None:
                numbers[word] = value
                at += 1
        self._counts = numbers
        order = self._order
        if order is None or not self._searching or not line or bound or (score is None and mate is None):
            return None, None
        if self.word == "ucci" and numbers.get("depth") == 0:
            score = 0  # a move from the book: the number is its weight
        return self._report(order, numbers, line, score, mate, extra), None

    def _report(
        self,
        order: Order,
        numbers: dict[str, int],
        line: list[str],
        score: int | None,
        mate: int | None,
        extra: dict[str, object],
    ) -> Report[int] | None:
        moves: list[int] = []
        board = order.board.copy()
        for text in line[:1] if self.terse else line:
            move = self.read_move(text, board)
            if move is None or not board.is_legal(move):
                break
            board.play(move)
            moves.append(move)
        if not moves:
            return None
        number = max(1, numbers.get("multipv", 1))
        if mate is not None:
            score = mate_score(mate)
        unsent, self._pending = self._pending, None
        if number == 1:
            self._candidates = {}
        else:
            unsent = None  # a part of what is coming
        self._candidates[number] = Candidate(
            moves[0], tuple(moves), numbers.get("nodes", 0), score=score, mate=mate, extra=extra
        )
        best = [self._candidates[key] for key in sorted(self._candidates)]
        report = Report(
            tuple(best),
            seconds=numbers.get("time", 0) / 1000,
            nodes=numbers.get("nodes", 0),
            depth=numbers.get("depth", 0),
            seldepth=numbers.get("seldepth", numbers.get("depth", 0)),
            hashfull=numbers.get("hashfull", 0),
        )
        if number < self._lines:
            # The other lines of this depth follow, unless there are no more moves.
            self._pending = report
            return unsent
        return report


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
