"""UCI as it is spoken to Xiangqi engines; what it shares with UCCI is in ``protocols.xiangqi.client``.

Pikafish and most Chinese engines count ranks from 0. Fairy-Stockfish counts from 1 and has to be told the variant.
"""

from __future__ import annotations

from protocols.programs.supervisor import EngineError
from protocols.xiangqi import coordinates
from protocols.xiangqi.client import SearchClient
from protocols.xiangqi.orders import EngineOption, SearchRequest, both_clocks, is_red, milliseconds


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

    def go_text(self, order: SearchRequest) -> str:
        """All limits at once; ``searchmoves`` last, since everything after it is a move."""
        limits = order.limits
        words = ["go"]
        if order.ponder:
            words.append("ponder")
        clocks = both_clocks(limits)
        if clocks is not None and (order.ponder or not limits.infinite):
            for color, clock in zip("wb" if is_red(order.board) else "bw", clocks, strict=True):
                left, _, increment = clock.share
                words.append(f"{color}time {milliseconds(left)} {color}inc {round(1000 * increment)}")
            moves = clocks[0].share.moves
            if moves:
                words.append(f"movestogo {moves}")
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

    def parse_score(self, kind: str, value: int) -> tuple[int | None, int | None]:
        """``cp N`` or ``mate N``; a bare number is taken for centipawns."""
        return (None, value) if kind == "mate" else (value, None)
