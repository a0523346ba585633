"""UCI as it is spoken to Xiangqi engines; what it shares with UCCI is in ``protocols.xiangqi.client``.

Pikafish and most Chinese engines count ranks from 0. Fairy-Stockfish counts from 1 and has to be told the variant.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocols.external import EngineError
from protocols.xiangqi import coordinates
from protocols.xiangqi.client import SearchClient
from protocols.xiangqi.orders import EngineOption, Order, both_clocks, clock_words, is_red, milliseconds


class UciClient(SearchClient):
    """See ``protocols.xiangqi.client.SearchClient``."""

    word = "uci"

    def agree(self) -> None:
        """Choose Xiangqi in an engine of many variants. Raises EngineError where it is not among them."""
        variant = self.find_option("UCI_Variant")
        if variant is None:
            return
        if variant.values and "xiangqi" not in variant.values:
            raise EngineError(
                f"{self.spec.title} knows many variants, but not xiangqi (a build for small boards?): "
                f"{', '.join(variant.values[:8])}, ..."
            )
        self.set_option(variant, "xiangqi")

    def option_text(self, option: EngineOption, value: str) -> str:
        """``setoption name X value Y``."""
        text = f"setoption name {option.name}"
        return text if option.kind == "button" else f"{text} value {value}"

    def new_game(self) -> None:
        """``ucinewgame``."""
        self.send("ucinewgame")

    def go_text(self, order: Order) -> str:
        """All limits at once; ``searchmoves`` last, since everything after it is a move."""
        limits = order.limits
        words = ["go"]
        if order.ponder:
            words.append("ponder")
        clocks = both_clocks(limits)
        if clocks is not None and (order.ponder or not limits.infinite):
            own, other = (clock_words(clock) for clock in clocks)
            for color, (left, _, increment) in zip("wb" if is_red(order.board) else "bw", (own, other), strict=True):
                words += [f"{color}time", str(milliseconds(left)), f"{color}inc", str(round(1000 * increment))]
            if own[1]:
                words += ["movestogo", str(own[1])]
        elif limits.infinite and not order.ponder:
            words.append("infinite")
        if not limits.infinite or order.ponder:
            for word, value in (("depth", limits.depth), ("nodes", limits.nodes), ("mate", limits.mate)):
                if value is not None:
                    words += [word, str(value)]
            if limits.seconds is not None:
                words += ["movetime", str(milliseconds(limits.seconds))]
        if len(words) == 1:
            words.append("infinite")
        if order.allowed is not None:
            words += ["searchmoves", *(coordinates.write(move, self.base) for move in sorted(order.allowed))]
        return " ".join(words)

    def parse_score(self, words: Sequence[str]) -> tuple[int | None, int | None, int]:
        """``cp N`` or ``mate N``; a bare number is taken for centipawns."""
        return score_in_words(words, 1.0)


def score_in_words(words: Sequence[str], unit: float) -> tuple[int | None, int | None, int]:
    """Centipawns, moves to mate and words used. ``unit``: centipawns of one point of a bare score."""
    if len(words) > 1 and words[0] in ("cp", "mate"):
        try:
            value = int(words[1])
        except ValueError:
            return None, None, 1
        return (value, None, 2) if words[0] == "cp" else (None, value, 2)
    try:
        return round(int(words[0]) * unit), None, 1
    except (ValueError, IndexError):
        return None, None, 0
