"""The server behind ``qiqiao ucci`` and ``qiqiao uci``: lines to replies, without input or output of its own.

The two protocols differ in wording more than in substance, and clients mix them up, so there is one server that
understands both; ``protocols.ucci`` and ``protocols.uci`` say how each words its answers. The word ``ucci`` or ``uci``
changes over at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from engines.player import Choice, PlayerError
from engines.text import decode_text
from engines.xiangqi.player import Settings
from protocols.log import SessionLog
from protocols.stdio import MAX_LINE, End
from protocols.xiangqi import handy, options
from protocols.xiangqi.drawing import diagram
from protocols.xiangqi.go_command import Request, read_go
from protocols.xiangqi.options import OptionError
from protocols.xiangqi.players import OtherProgram, XiangqiPlayer
from protocols.xiangqi.position import PositionError, shorten
from protocols.xiangqi.session import GRACE, Dialect, Session
from protocols.xiangqi.variant_commands import VARIANT_COMMANDS, variant_command

HELLO_TIME = 3.0
"""Seconds that another program may take to start before we announce ourselves without its options."""

NEW_GAME_WORDS = ("newgame", "ucinewgame", "uccinewgame", "uxinewgame")
"""What clients say when a new game begins (besides UCCI's option of that name)."""


class Server:
    """Answers UCCI and UCI commands; see ``protocols.stdio.LineServer`` for who calls what.

    What a search says while it runs, and its answer, go to the function given to ``attach``; ``wait`` waits for it.
    """

    def __init__(
        self,
        dialects: Mapping[str, Dialect],
        first: str,
        settings: Settings | None = None,
        rules: str = "axf",
        record: str | None = None,
        encoding: str = "utf-8",
        log: SessionLog | None = None,
        player: XiangqiPlayer | None = None,
        terse: bool = False,
    ) -> None:
        """``dialects``: by the word that chooses them; ``first`` is spoken until one of these words comes. ``rules``
        of repetition, by name. ``record``: directory to keep games in. ``encoding`` of what the loop reads and
        writes. ``player`` chooses the moves, the built-in search if none is given. ``terse``: of each search only
        the last line of play is told, with the answer.
        """
        self._log = log or SessionLog()
        self._dialects = dialects
        self._encoding = encoding
        self.session = Session(dialects[first], settings or Settings(), rules, self._log, record, player)
        self.session.terse = terse
        self._engine = player if isinstance(player, OtherProgram) else None
        if self._engine is not None:
            self._engine.tell_to(self.session.tell)
        self._commands: dict[str, Callable[[Sequence[str]], str | None]] = {
            **dict.fromkeys(dialects, self._hello),
            "isready": self._isready,
            "setoption": self._setoption,
            "position": self._position,
            "fen": self._bare_position,
            "startpos": self._bare_position,
            "banmoves": self._banmoves,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "probe": self._probe,
            "debug": self._debug,
            "d": self._d,
            "eval": self._eval,
            "flip": self._of_position(handy.flip),
            "compiler": lambda words: handy.compiler(self.session, words),
            "bench": self._bench,
            **dict.fromkeys(("help", "--help"), lambda words: handy.show_help(self.session, words)),
            "quit": self._quit,
            "exit": self._quit,
            **dict.fromkeys(NEW_GAME_WORDS, self._newgame),
        }

    def attach(self, write: Callable[[str], None]) -> Server:
        """Send what searches say to ``write``; gives the server itself."""
        self.session.write = write
        return self

    # -- protocols.stdio.LineServer

    @property
    def finished(self) -> bool:
        """Whether quit was answered."""
        return self.session.finished

    @property
    def patient(self) -> bool:
        """Whether commands come from a file."""
        return self.session.patient

    @patient.setter
    def patient(self, value: bool) -> None:
        self.session.patient = value

    def notice(self, line: str) -> None:
        """A line has arrived: a stop must reach a search that somebody waits for."""
        word = _first_word(line)
        if self._engine is not None and word == "quit":
            self._engine.hurry()
        elif self._engine is not None and word == "stop" and not self.session.patient:
            self._engine.wait_no_more()
        self.session.line_arrived(word)

    def notice_end(self, why: End) -> None:
        """No more lines."""
        if self._engine is not None and why != "eof":
            self._engine.hurry()
        self.session.no_more_lines(orderly=why == "eof")

    def handle(self, line: str) -> str | None:
        """The reply to a line; ``None`` when there is none, or when it comes later by ``write``."""
        self.session.line_taken(_first_word(line))
        text = self._text(line)
        words = text.split()
        if not words:
            return None
        command = self._commands.get(words[0].lower())
        variant = self.session.variant
        if variant is not None and words[0].lower() in VARIANT_COMMANDS:
            command = partial(variant_command, variant, text)
        if command is None:
            return self._unknown(words[0])
        try:
            return command(words)
        except (PositionError, OptionError) as error:
            return self.session.dialect.message(str(error))
        except Exception:
            self._log.exception()
            return self.session.dialect.message("internal error")

    def refuse(self, head: str) -> str | None:
        """The reply to a line that was too long to be kept. A ``go`` is answered all the same."""
        session, word = self.session, _first_word(head)
        session.line_taken(word)
        why = f"line longer than {MAX_LINE} bytes"
        if word in ("position", "fen", "startpos"):
            session.settle()
            session.unread = why
        elif word == "go":
            session.settle()
            session.tell(why)
            session.unread, before = why, session.unread
            text = session.dialect.answer(session, Choice("none"))
            session.unread = before
            return text
        return session.dialect.message(why)

    def close(self) -> None:
        """End searches."""
        self.session.close()

    def wait(self) -> None:
        """Wait for the answer of a search that ends by itself."""
        run = self.session.run
        if run is not None:
            run.done.wait()

    # -- words

    def _text(self, line: str) -> str:
        """The line as text, whether it came in UTF-8, GBK or Big5."""
        if line.isascii():
            return line.replace("\0", " ")
        try:
            data = line.encode(self._encoding, "surrogateescape")
        except UnicodeEncodeError:
            data = line.encode("utf-8", "replace")
        return decode_text(data)

    def _unknown(self, word: str) -> str | None:
        session = self.session
        if session.greeted and (session.dialect.unknown_is_an_error or session.debug):
            return session.dialect.message(f"unknown command '{shorten(word)}'")
        return None

    def _hello(self, words: Sequence[str]) -> str | None:
        self.session.settle()
        self.session.dialect = self._dialects[words[0].lower()]
        self.session.greeted = True
        text = self.session.dialect.hello()
        if self._engine is None:
            self.session.warm()
        else:
            name, known = self._engine.known_options(HELLO_TIME)
            if name:
                from protocols.xiangqi import option_mapping  # a GUI without another program need not wait for it

                text = option_mapping.greeting(text, self.session.dialect.name, name, known)
        return text

    def _isready(self, words: Sequence[str]) -> str | None:
        if self._engine is not None and not self.session.busy:
            self._engine.wait_until_ready()
        elif self._engine is None:
            self.session.warm()
        return "readyok\n"

    def _newgame(self, words: Sequence[str]) -> str | None:
        self.session.later(self.session.new_game)
        return None

    def _setoption(self, words: Sequence[str]) -> str | None:
        session = self.session
        name, text = options.split_setting(words[1:])
        option = options.find(name, session.dialect.name)
        known = option is not None or options.plain(name) in options.OF_OTHERS
        if not known and self._engine is None:
            if session.dialect.unknown_is_an_error or session.debug:
                raise OptionError(f"No such option: {shorten(name)}")
            return None
        value, unreadable, note = None, None, ""
        try:
            if option is not None:
                value, note = option.nearest(text)
        except OptionError as error:
            if self._engine is None:
                raise
            unreadable = error

        def apply() -> None:
            session.signs.note(name, option, text)
            try:
                taken = self._engine is not None and self._engine.set_option(name, text)
                if option is not None and unreadable is None:
                    if taken and not (option.ucci or option.uci):
                        return
                    option.apply(session, value)
                    if note and not taken:
                        session.tell(note)
                elif taken or (option is None and known):
                    return
                elif session.dialect.unknown_is_an_error or session.debug or unreadable:
                    session.tell(str(unreadable or f"No such option: {shorten(name)}"))
            except (OptionError, PlayerError) as error:
                session.tell(str(unreadable or error))

        session.later(apply)
        return None

    def _position(self, words: Sequence[str]) -> str | None:
        session = self.session
        session.settle()
        session.settle_ranks()
        try:
            skipped = session.keeper.set(words[1:])
        except Exception as error:  # whatever it was: no move may be given for the position before
            session.unread = str(error) if isinstance(error, PositionError) else "the position could not be read"
            raise
        session.position_changed()
        if skipped:
            session.tell(f"passed over in the position: {shorten(' '.join(skipped))}")
        session.record()
        return None

    def _bare_position(self, words: Sequence[str]) -> str | None:
        if words[0].lower() == "fen" and len(words) == 1:
            return self._of_position(handy.fen)(words)
        self.session.settle()
        self.session.settle_ranks()
        self.session.keeper.count_from_zero()
        return self._position(("position", *words))

    def _banmoves(self, words: Sequence[str]) -> str | None:
        session = self.session
        session.settle()
        session.settle_ranks()
        if session.unread is not None:
            return session.dialect.message(f"no position to ban moves in: {session.unread}")
        for text in words[1:]:
            try:
                session.banned.update(session.keeper.read_moves(session.keeper.board, [text]))
            except PositionError as error:
                session.tell(f"banmoves: {error}")
        return None

    def _go(self, words: Sequence[str]) -> str | None:
        session = self.session
        session.settle()
        if session.busy:  # deferred settings have been put to work by now
            return None
        request = read_go(words[1:], session.dialect.unit(session))
        for error in request.errors:
            session.tell(error)
        if session.unread is not None:
            if request.perft is not None:
                return session.dialect.message(f"no position to count in: {session.unread}")
            session.decline(request)
            return None
        session.settle_ranks()
        if request.perft is not None:
            session.perft(request.perft)
            return None
        if request.depth == 0 and session.dialect.name == "ucci":
            score = session.player.static(session.keeper.board)
            return session.dialect.static(session, score)
        session.go(request, self._search_moves(request))
        return None

    def _search_moves(self, request: Request) -> list[int] | None:
        """The moves that the search is limited to, all of them (``None``) where none is named; those that are not legal
        are told and left out, and if no other was named, none is left to search.
        """
        if not request.moves:
            return None
        session = self.session
        moves = []
        for text in request.moves:
            try:
                moves += session.keeper.read_moves(session.keeper.board, [text])
            except PositionError as error:
                session.tell(f"searchmoves: {error}")
        return moves

    def _stop(self, words: Sequence[str]) -> str | None:
        session = self.session
        if session.busy:
            session.cancel()
            session.settle(0)
            return None
        if session.excused > 0:
            session.excused -= 1
            return None
        return session.dialect.idle_stop()

    def _ponderhit(self, words: Sequence[str]) -> str | None:
        if self.session.busy:
            self.session.ponder_hit("draw" in (word.lower() for word in words[1:]))
        return None

    def _probe(self, words: Sequence[str]) -> str | None:
        session = self.session
        session.settle_ranks()
        if len(words) == 1 and session.unread is not None:
            return "pophash\n"
        board = session.keeper.peek(words[1:]) if len(words) > 1 else session.keeper.board
        found = session.player.probe(board.key)
        text = "pophash"
        if found is not None:
            move, score, depth, bound = found
            if move and board.is_legal(move):
                text += f" bestmove {session.keeper.write(move)}"
            shown = session.dialect.score(score)
            if bound & 2:
                text += f" lowerbound {shown} depth {depth}"
            if bound & 1:
                text += f" upperbound {shown} depth {depth}"
        return text + "\n"

    def _debug(self, words: Sequence[str]) -> str | None:
        self.session.debug = len(words) < 2 or words[1].lower() not in ("off", "false")
        return None

    def _d(self, words: Sequence[str]) -> str | None:
        self.session.settle()
        self.session.settle_ranks()
        text = diagram(self.session.keeper.board, self.session.keeper.base)
        why = self.session.unread
        return text if why is None else text + self.session.dialect.message(f"since then a position was refused: {why}")

    def _eval(self, words: Sequence[str]) -> str | None:
        return self._of_position(_static)(words)

    def _of_position(self, answer: Callable[[Session, Sequence[str]], str]) -> Callable[[Sequence[str]], str | None]:
        """A command about the position, which there must be."""

        def command(words: Sequence[str]) -> str | None:
            self.session.settle()
            if self.session.unread is not None:
                return self.session.dialect.message(f"no position: {self.session.unread}")
            return answer(self.session, words)

        return command

    def _bench(self, words: Sequence[str]) -> str | None:
        self.session.settle()
        if not self.session.busy:
            handy.bench(self.session, words)
        return None

    def _quit(self, words: Sequence[str]) -> str | None:
        session = self.session
        if session.busy and session.run is not None:
            session.settle(0 if session.run.endless or session.patient else GRACE)
        session.finished = True
        return session.dialect.bye()


def _static(session: Session, words: Sequence[str]) -> str:
    score = session.player.static(session.keeper.board)
    return session.dialect.message(f"static evaluation {score} centipawns for the side to move")


def _first_word(line: str) -> str:
    words = line.split(None, 1)
    return words[0].lower() if words else ""
