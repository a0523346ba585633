"""The GTP server: lines to replies, without input or output of its own."""

from __future__ import annotations

from collections.abc import Callable

from engines.player import PlayerError
from protocols.gtp import framing
from protocols.gtp.commands import build_table
from protocols.gtp.options import Options
from protocols.gtp.players import GoPlayer, make_player
from protocols.gtp.session import Session
from protocols.gtp.table import GtpError, Streamed
from protocols.log import SessionLog
from protocols.stdio import MAX_LINE, End


class Server:
    """Answers GTP commands; see ``protocols.stdio.LineServer`` for who calls what.

    ``Server(options).handle("1 name")`` is ``"=1 qiqiao\\n\\n"``. Lines of analysis, which come while a command runs,
    go to the function given to ``attach``.
    """

    def __init__(
        self, options: Options | None = None, player: GoPlayer | None = None, log: SessionLog | None = None
    ) -> None:
        """``player`` chooses the moves, the built-in search if none is given.

        Raises ValueError, with a text for the user, when the options do not fit together.
        """
        self._log = log or SessionLog()
        options = options or Options()
        self.session = Session(options, player or make_player(options, self._log), self._log)
        self.session.commands = build_table(options)

    def attach(self, write: Callable[[str], None]) -> Server:
        """Send text that comes while a command runs to ``write``; gives the server itself."""
        self.session.write = write
        return self

    @property
    def finished(self) -> bool:
        """Whether quit was answered."""
        return self.session.finished

    @property
    def patient(self) -> bool:
        """Whether searches go on although the session's end is known."""
        return self.session.watch.patient

    @patient.setter
    def patient(self, value: bool) -> None:
        self.session.watch.patient = value

    def notice(self, line: str) -> None:
        """A line has arrived: stop or shorten what runs, where the protocol says so."""
        self.session.watch.notice(line)

    def notice_end(self, why: End) -> None:
        """The session ends: shorten what runs."""
        if why != "eof":
            self.session.watch.patient = False
        self.session.watch.notice_end()

    def handle(self, line: str) -> str | None:
        """The whole reply to a line, or what is left of it after a stream; None for a line without a command."""
        self.session.watch.taken(line)
        command = framing.parse(line)
        if command is None:
            return None
        entry = self.session.commands.get(command.name)
        if entry is None:
            return framing.reply(False, command.id, "unknown command")
        self.session.streaming = False
        self.session.stop_pondering()
        try:
            text = entry.handler(self.session, command)
        except (GtpError, PlayerError) as error:
            if self.session.streaming:
                self._log.note(str(error))
                return "\n"
            return framing.reply(False, command.id, str(error))
        except Exception:
            self._log.exception()
            # Where "=" is out already nothing but the end of the reply can follow.
            return "\n" if self.session.streaming else framing.reply(False, command.id, "internal error")
        finally:
            self.session.start_pondering()
        return str(text) if isinstance(text, Streamed) else framing.reply(True, command.id, text)

    def refuse(self, head: str) -> str | None:
        """The reply to a line that was too long to be kept."""
        self.session.watch.taken(head)
        command = framing.parse(head)
        if command is None:
            return None
        return framing.reply(False, command.id, f"line longer than {MAX_LINE} bytes")

    def close(self) -> None:
        """End searches and close files."""
        self.session.close()
