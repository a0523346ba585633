"""Another program as a player: what is the same whatever it plays and in whatever protocol.

``protocols.gtp.engine`` and ``protocols.xiangqi.engine`` build on it: asking again after a failure, less time each
time, a resignation or an error at last, notes that are told once, starting in the background, ending.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from engines.player import Choice, Limits, PlayerError, Report, Trouble
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import (
    Aborted,
    EngineError,
    Leash,
    Refused,
    StillStarting,
    Supervisor,
    trouble_of,
)

ClientT = TypeVar("ClientT")
"""Our end of the protocol."""


class Asked(Protocol):
    """One call of ``choose``: the limits that hold now, and the last report."""

    limits: Limits
    last: Report[int] | None


TaskT = TypeVar("TaskT", bound=Asked)


class ProgramPlayer(Generic[ClientT, TaskT]):
    """The base of players that are other programs. All but ``stop`` and its like from one thread at a time."""

    answers_when_stopped = False
    """Whether it may be asked again when nobody waits any more: it has an answer at once then."""

    def __init__(
        self,
        spec: EngineConfig,
        make_client: Callable[[EngineConfig, Callable[..., None], Callable[[str], None]], ClientT],
        log: SessionLog,
        tell: Callable[[str], None] | None = None,
        attended: bool = False,
    ) -> None:
        """Nothing is started yet. ``tell`` gets what the user should know; standard error if None. ``attended``: see
        ``protocols.programs.supervisor.Supervisor``."""
        self.spec = spec
        self._keeper: Supervisor[Any] = Supervisor(spec, make_client, log, tell, attended)
        self._leash: Leash = self._keeper.leash
        self._notes: set[str] = set()
        self._warm = threading.Event()
        self._warm.set()

    # ------------------------------------------------------------------ what differs

    def _attempt(self, task: TaskT) -> Choice[int] | None:
        """Ask the program once; None, and the user told, for an answer that is no legal move. Raises EngineError."""
        raise NotImplementedError  # each protocol has its own

    def _best_so_far(self, task: TaskT) -> Choice[int]:
        """What it thought best when it was cut short. Raises PlayerError when it has said nothing."""
        raise NotImplementedError  # each protocol has its own

    def _cut_short(self) -> bool:
        """Whether nobody waits for a full answer any more."""
        raise NotImplementedError  # each protocol has its own

    def _forgiven(self, task: TaskT, error: EngineError) -> bool:
        """Whether the program may go on after this failure as it is. Raises PlayerError where asking again is no
        use."""
        return False

    def _dropped(self) -> None:
        """It has been ended after a failure."""

    def _resigns(self, task: TaskT) -> bool:
        """Whether it gives the game up when nothing came of all attempts."""
        return self.spec.trouble == "resign"

    def _less(self, task: TaskT) -> bool:
        """Take the time that a failed attempt has cost off the limits; False where no time is left."""
        raise NotImplementedError  # each protocol has its own

    # ------------------------------------------------------------------ the choice

    def _persist(self, task: TaskT) -> Choice[int]:
        """Ask until there is a legal answer, ``retries`` times more at most. Raises PlayerError."""
        failure = ""
        trouble: Trouble = "error"
        for _ in range(1 + self.spec.retries):
            try:
                choice = self._attempt(task)
            except Aborted:
                return self._best_so_far(task)
            except Refused as error:
                raise PlayerError(str(error), "refused") from None
            except EngineError as error:
                failure, trouble = str(error), trouble_of(error)
                if self._forgiven(task, error):
                    failure = f"{self.spec.title} answered with an error: {error}"
                    self._keeper.report(failure)
                    continue
                if not isinstance(error, StillStarting):
                    self._keeper.drop(failure)
                    self._dropped()
                if self._cut_short():
                    return self._best_so_far(task)
                if not self._less(task):
                    break  # its flag is down
                continue
            if choice is not None:
                return choice
            failure, trouble = f"{self.spec.title} gave no legal move", "illegal"
            if self._cut_short() and not self.answers_when_stopped:
                return self._best_so_far(task)
        if not self._resigns(task):
            raise PlayerError(failure, trouble)
        self._keeper.report(f"{failure}; it resigns")
        return Choice("resign", report=task.last)

    # ------------------------------------------------------------------ start and end

    def warm_up(self) -> None:
        """Start the program in the background, so that it is there when it is needed."""

        def start() -> None:
            try:
                self._keeper.client()
            except EngineError as error:
                self._keeper.report(str(error))
            finally:
                self._warm.set()

        self._warm.clear()
        threading.Thread(target=start, name="warm-up", daemon=True).start()

    @property
    def running(self) -> ClientT | None:
        """The client of the program that runs, None when none does."""
        return self._keeper.running

    def give_up(self) -> None:
        """End the program at once, without a word."""
        self._keeper.drop()
        self._keeper.close()

    def close(self) -> None:
        """End the program."""
        self._keeper.close()

    def _note(self, text: str) -> None:
        """Tell the user once."""
        if text not in self._notes:
            self._notes.add(text)
            self._keeper.report(text)
