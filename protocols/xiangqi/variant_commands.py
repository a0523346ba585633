"""The commands that mean something else while a variant is played (``protocols.xiangqi.variants``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from protocols.xiangqi.go_command import read_go

if TYPE_CHECKING:
    from protocols.xiangqi.variants import Variant


def _position(variant: Variant, text: str) -> str | None:
    variant.session.settle()
    variant.position(text.lstrip()[len("position") :])
    return None


def _bare_position(variant: Variant, text: str) -> str | None:
    variant.session.settle()
    if text.split() == ["fen"]:
        return variant.session.dialect.message(variant.view.setup_text())
    variant.position(text.lstrip())
    return None


def _go(variant: Variant, text: str) -> str | None:
    session = variant.session
    session.settle()
    if session.busy:
        return None
    request = read_go(text.split()[1:], session.dialect.unit(session))
    for error in request.errors:
        session.tell(error)
    if variant.unread is not None:
        variant.decline(request)
    elif request.perft is not None:
        return variant.perft(request.perft)
    else:
        variant.go(request)
    return None


def _d(variant: Variant, text: str) -> str | None:
    variant.session.settle()
    return variant.diagram()


def _layout(variant: Variant, text: str) -> str | None:
    variant.session.settle()
    return variant.lay(text.split()[1:])


def _banmoves(variant: Variant, text: str) -> str | None:
    variant.session.settle()
    for word in text.split()[1:]:
        try:
            variant.banned.add(variant.view.read_move(word))
        except ValueError as error:
            variant.session.tell(f"banmoves: {error}")
    return None


def _ponderhit(variant: Variant, text: str) -> str | None:
    if variant.session.busy:
        variant.ponder_hit()
    return None


def _not_here(variant: Variant, text: str) -> str | None:
    return variant.session.dialect.message(f"'{text.split()[0].lower()}' is for Xiangqi only")


VARIANT_COMMANDS: dict[str, Callable[[Variant, str], str | None]] = {
    "position": _position,
    "fen": _bare_position,
    "startpos": _bare_position,
    "go": _go,
    "d": _d,
    "layout": _layout,
    "banmoves": _banmoves,
    "ponderhit": _ponderhit,
    **dict.fromkeys(("probe", "eval", "flip", "bench"), _not_here),
}


def variant_command(variant: Variant, text: str, words: Sequence[str]) -> str | None:
    """The answer to a line whose first word is one of ``VARIANT_COMMANDS``."""
    return VARIANT_COMMANDS[words[0].lower()](variant, text)
