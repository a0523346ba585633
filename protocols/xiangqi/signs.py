"""What a client's settings say of the engine it takes us for, which decides how it counts ranks.

``UCI_Variant`` set to ``xiangqi`` is how a client chooses Fairy-Stockfish's squares, ranks 1-10. But many clients send
back every option they are shown, at its default, and those that were made for Pikafish count from 0 all the same.
"""

from __future__ import annotations

from protocols.xiangqi.options import Option, plain

_FAIRY = (
    "threads|hash|clear hash|ponder|multipv|skill level|move overhead|uci limitstrength|uci elo|uci showwdl|"
    "uci variant|debug log file|slow mover|nodestime|uci chess960|uci analysemode|contempt|analysis contempt|"
    "syzygypath|syzygyprobedepth|syzygy50moverule|syzygyprobelimit|use nnue|evalfile|variantpath|tsumemode|protocol|"
    "usi hash|usi ponder|usi variant|usemillisec|numapolicy|minimum thinking time"
)
FAIRY = frozenset(_FAIRY.split("|"))
"""Options that Fairy-Stockfish has, by their plain names: whoever sets another one does not take us for it."""

COMMON = frozenset(("threads", "hash", "uci variant"))
"""Options that are set on purpose too often for their default to mean anything."""

ECHO = 3
"""So many other options set to the defaults we announced make an echo."""


class Signs:
    """Follows one session's ``setoption`` lines."""

    def __init__(self) -> None:
        self._chosen = False
        self._other = False
        self._echoed: set[str] = set()

    def variant_chosen(self) -> None:
        """``UCI_Variant`` was set to our game."""
        self._chosen = True

    def note(self, name: str, option: Option | None, text: str) -> None:
        """An option was set; ``option`` is ours of that name, ``None`` where there is none."""
        key = plain(name)
        names = {key} if option is None else {key, plain(option.uci)}
        self._other = self._other or not names & FAIRY
        if option is None or names & COMMON or option.kind == "button":
            return
        default = option.default_in(uci=True)
        shown = str(default).lower() if option.kind == "check" else str(default)
        if text == shown:
            self._echoed.add(key)
        else:
            self._echoed.discard(key)

    def take(self) -> bool | None:
        """Whether the client has chosen ranks 1-10 since this was last asked: ``None`` if it did not set the variant,
        false where that is no sign because it sets whatever it is shown.
        """
        if not self._chosen:
            return None
        self._chosen = False
        return not (self._other or len(self._echoed) >= ECHO)
