"""What the UCCI and UCI servers ask of a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from engines.player import Choice, Limits, Report
from engines.xiangqi.board import Board
from engines.xiangqi.player import Settings
from protocols.xiangqi.orders import EngineOption


class XiangqiPlayer(Protocol):
    """A ``engines.player.Player`` for Xiangqi with what the protocols need besides; see ``engines.xiangqi.player``."""

    settings: Settings

    def choose(
        self,
        game: Any,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        draw_offered: bool = False,
    ) -> Choice[int]:
        """Think for ``color`` and answer; "draw" accepts or offers one."""

    def begin(self) -> None:
        """From now on ``stop`` counts, although ``choose`` is not called yet."""

    def stop(self) -> None:
        """Make the current ``choose`` return soon."""

    def ponder_hit(self, limits: Limits, draw_offered: bool = False) -> None:
        """The expected move was played: the ``choose`` that ponders gets these limits."""

    def new_game(self) -> None:
        """Forget what earlier games taught."""

    def resize(self, megabytes: int) -> None:
        """Give the hash table another size. Raises MemoryError."""

    def static(self, board: Board) -> int:
        """An evaluation without search, for the side to move."""

    def probe(self, key: int) -> tuple[int, int, int, int] | None:
        """What the hash table knows of a position: move, score, depth, bound."""

    def close(self) -> None:
        """The player is not used again."""


@runtime_checkable
class PositionFollower(Protocol):
    """A ``XiangqiPlayer`` that must know of every position, to show it."""

    def follow(self, game: Any) -> None:
        """The position is this one now. Returns at once."""


@runtime_checkable
class OtherProgram(Protocol):
    """A ``XiangqiPlayer`` that is another program, with options of its own."""

    def tell_to(self, tell: Callable[[str], None]) -> None:
        """Send what the user should know to ``tell`` from now on."""

    def known_options(self, seconds: float) -> tuple[str, list[EngineOption]]:
        """Its name and options, once it has started; "" and none when that takes longer."""

    def set_option(self, name: str, value: str) -> bool:
        """Set an option; False if it has none of that name. Raises PlayerError."""

    def wait_until_ready(self) -> None:
        """Wait until it has started, or failed to."""

    def hurry(self) -> None:
        """The end is near: whoever waits for it to start waits no more. From any thread."""
