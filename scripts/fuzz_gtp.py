"""Random GTP sessions for ``fuzz_sessions.py``: odd orders, odd sizes, numbers beyond all reason, no pause between."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from engines.go.vertex import LETTERS
from protocols.gtp import framing

NUMBERS = (
    *("0", "1", "2", "3", "7.5", "-1", "-7.25", "0.001", "1e-300", "100", "255", "256", "32767", "32768", "65536"),
    *("1000000", "2147483647", "2147483648", "4294967296", "1e9", "1e15", "1e300", "-1e300", "1e308", "-1e308"),
    *("1e400", "inf", "-inf", "nan", "9" * 25),
)
"""Numbers for wherever a command takes one."""

_KINDS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
_RULES = (
    *("chinese", "japanese", "tromp-taylor", "aga", "ing", "ancient-chinese", "stone-scoring", "korean", "cgos"),
    *("new-zealand", "kosimple", "no_such_rules", '{"ko":"SITUATIONAL","scoring":"TERRITORY"}'),
)
_SWITCHES = ("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "pvVisits", "pvEdgeVisits", "noResultValue")


class Writer:
    """Writes one session's lines; ``rng`` decides everything, so that a seed gives the same session again."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._width = self._height = 9

    def options(self) -> list[str]:
        """The command line of ``qiqiao gtp``, without what the options below do not vary."""
        rng = self._rng
        width, height = self._size()
        words = [f"--size={width}x{height}", f"--threads={rng.randint(1, 3)}"]
        words.append(f"--move-time={rng.choice((0.01, 0.03))}")
        if rng.random() < 0.85:  # without a bound a look takes a second
            words.append(f"--playouts={rng.choice((1, 20))}")
        for chance, word in (
            *((0.3, "--ponder"), (0.2, "--level=25k"), (0.2, "--memory=1"), (0.2, "--interrupted=error")),
            *((0.1, "--live-graphics"), (0.1, "--tell-line"), (0.3, f"--rules={rng.choice(_RULES[:8])}")),
        ):
            if rng.random() < chance:
                words.append(word)
        return words

    def lines(self, count: int) -> list[tuple[float, str]]:
        """So many lines, each with the pause before it in seconds; the end of input, or ``quit``, follows."""
        rng = self._rng
        lines = []
        for _ in range(count):
            pause = 0.0 if rng.random() < 0.7 else rng.choice((0.0005, 0.002, 0.01, 0.03))
            number = f"{rng.randrange(10**6)} " if rng.random() < 0.5 else ""
            lines.append((pause, number + rng.choice(_CHOICES)(self)))
        if rng.random() < 0.5:
            lines.append((0.0, "quit"))
        return lines

    # ------------------------------------------------------------------ words

    def _size(self) -> tuple[int, int]:
        """Small boards mostly: more happens on them."""
        rng = self._rng
        self._width = rng.choice((1, 1, 2, 3, 4, 5, 7, 9, 13, 19, 25))
        self._height = self._width if rng.random() < 0.7 else rng.choice((1, 2, 3, 5, 9, 25))
        return self._width, self._height

    def _color(self) -> str:
        return self._rng.choice(("b", "w", "black", "white"))

    def _vertex(self) -> str:
        rng = self._rng
        if rng.random() < 0.08:
            return rng.choice(("pass", "resign", "Z26", "I3", "A0"))
        return f"{LETTERS[rng.randrange(self._width)]}{rng.randint(1, self._height)}"

    def _number(self) -> str:
        return self._rng.choice(NUMBERS)

    # ------------------------------------------------------------------ commands

    def play(self) -> str:
        return f"play {self._color()} {self._vertex()}"

    def sequence(self) -> str:
        return "gogui-play_sequence " + " ".join(f"{self._color()} {self._vertex()}" for _ in range(4))

    def boardsize(self) -> str:
        width, height = self._size()
        return f"boardsize {width}" if width == height else f"boardsize {width} {height}"

    def genmove(self) -> str:
        name = self._rng.choice(("genmove", "genmove", "reg_genmove", "kgs-genmove_cleanup"))
        return f"{name} {self._color()}"

    def analysis(self) -> str:
        """An analysis, or a move with one, with any keys."""
        rng = self._rng
        prefix = rng.choice(("lz-", "kata-", "", "cgos-"))
        move = prefix == "cgos-" or rng.random() < 0.4
        name = prefix + ("genmove_analyze" if move else "analyze")
        if prefix == "kata-" and rng.random() < 0.3:
            name = rng.choice(("kata-search_analyze", "kata-search_analyze_cancellable"))
        words = [name]
        if move or rng.random() < 0.7:
            words.append(self._color())
        if rng.random() < 0.7:
            words.append(rng.choice(("0", "0.1", "1", "5", "100", self._number())))
        for _ in range(rng.choice((0, 0, 1, 2))):
            words.append(self._tag())
        return " ".join(words)

    def _tag(self) -> str:
        rng = self._rng
        kind = rng.randrange(4)
        if kind == 0:
            return f"{rng.choice(_SWITCHES)} {rng.choice(('true', 'false'))}"
        if kind == 1:
            return f"{rng.choice(('minmoves', 'maxmoves', 'interval'))} {self._number()}"
        points = ",".join(self._vertex() for _ in range(rng.randint(1, 3)))
        return f"{rng.choice(('avoid', 'allow'))} {self._color()} {points} {rng.choice(('1', '2', self._number()))}"

    def look(self) -> str:
        name = self._rng.choice(("ownership", "candidates", "winrates", "visits", "variation"))
        return f"qiqiao-{name}" + (f" {self._color()}" if self._rng.random() < 0.5 else "")

    def time(self) -> str:
        rng = self._rng
        numbers = " ".join(self._number() for _ in range(rng.choice((2, 3, 3, 4))))
        kind = rng.randrange(4)
        if kind == 0:
            return f"time_settings {numbers}"
        if kind == 1:
            return f"time_left {self._color()} {self._number()} {rng.choice(('0', '1', self._number()))}"
        return f"{rng.choice(('kgs', 'kata'))}-time_settings {rng.choice(_KINDS)} {numbers}"

    def small_time(self) -> str:
        """A clock that a search may meet: without it most others let it think without end."""
        return self._rng.choice(("time_settings 1 0 0", "kgs-time_settings byoyomi 0 0.1 3", "kgs-time_settings none"))

    def komi(self) -> str:
        return f"komi {self._number()}"

    def handicap(self) -> str:
        rng = self._rng
        name = rng.choice(("fixed_handicap", "place_free_handicap", "set_free_handicap", "set_position", "gogui-setup"))
        if name.endswith("fixed_handicap") or name.startswith("place"):
            return f"{name} {rng.choice(('2', '9', self._number()))}"
        pair = name in ("set_position", "gogui-setup")
        words = [f"{self._color()} {self._vertex()}" if pair else self._vertex() for _ in range(rng.randint(0, 4))]
        return " ".join([name, *words])

    def rules(self) -> str:
        return f"kata-set-rules {self._rng.choice(_RULES)}"

    def parameter(self) -> str:
        name = self._rng.choice(("playouts", "level", "resign", "ponder", "accept_ko_violations", "plays_as_handicap"))
        return f"qiqiao-param {name} {self._rng.choice(('0', '1', '2', 'none', self._number()))}"

    def end(self) -> str:
        rng = self._rng
        status = rng.choice(("alive", "seki", "dead", "black_territory", "dame"))
        return rng.choice(("final_score", "qiqiao-score", f"final_status_list {status}"))

    def plain(self) -> str:
        words = [
            *("clear_board", "undo", "gg-undo 2", f"gg-undo {self._number()}", "showboard", "name", "list_commands"),
            *("printsgf", "stop", "", "# interrupt", "# nothing", "17", "no_such_command", "move_history", "get_komi"),
            *("qiqiao-liberties", "gogui-analyze_commands", "qiqiao-setup ancient", "kata-get-rules", "version"),
            *("kgs-game_over", "cgos-gameover W+3.5", "cgos-gameover WForfeit", "gomill-cpu_time", "qiqiao-param"),
            *(f"captures {self._color()}", f"all_legal {self._color()}", "gogui-setup_player w", "clear_cache"),
            f"is_legal {self._color()} {self._vertex()}",
        ]
        return self._rng.choice(words)

    def katago(self) -> str:
        """What KataGo's and Leela Zero's clients send."""
        rng = self._rng
        name = rng.choice(("maxVisits", "maxTime", "numSearchThreads", "playoutDoublingAdvantage", "resignThreshold"))
        words = [
            *("kata-raw-nn all", "kata-raw-nn 3", f"kata-raw-nn {self._number()}", "heatmap", "kata-get-params"),
            *("debug_moves", f"debug_moves {self._vertex()} {self._vertex()}", "kata-benchmark 20", "kata-get-models"),
            *(f"kata-search {self._color()}", f"kata-search_cancellable {self._color()}"),
            *(f"kata-get-param {name}", f"kata-set-param {name} {rng.choice(('0', '1', '2', self._number()))}"),
        ]
        return rng.choice(words)


_CHOICES: tuple[Callable[[Writer], str], ...] = (
    *(Writer.play,) * 6,
    *(Writer.plain,) * 4,
    *(Writer.analysis,) * 4,
    *(Writer.look, Writer.katago) * 2,
    *(Writer.boardsize, Writer.genmove) * 3,
    *(Writer.sequence, Writer.komi, Writer.handicap, Writer.rules, Writer.parameter, Writer.end),
    *(Writer.time, Writer.small_time, Writer.small_time),
)

_STATUS = re.compile(r"([=?])([0-9]*)(?: |\n|$)")
_CHOOSES = re.compile("(genmove|search)_analyze")
_NO_NUMBER = re.compile(r"(?<![\w.-])[-+]?(?:nan|inf|Infinity|NaN)(?![\w-])")
"""Not NAN: KataGo writes that for points where no move is legal."""


def faults(lines: list[tuple[float, str]], output: str) -> list[str]:
    """What is wrong with the replies to a session's lines."""
    commands = [command for _, line in lines if (command := framing.parse(line)) is not None]
    replies = output.split("\n\n")
    if replies.pop() != "":
        return [f"the last reply has no end: {replies[-1:]}"]
    found = []
    if len(replies) != len(commands):
        found.append(f"{len(replies)} replies to {len(commands)} commands")
    for command, reply in zip(commands, replies, strict=False):
        status = _STATUS.match(reply)
        if status is None or status[2] != command.id:
            return [*found, f"'{command.name}' was answered {reply[:60]!r}"]
        if "internal error" in reply:
            found.append(f"'{command.name} {command.rest}': internal error")
        elif status[1] == "=" and _NO_NUMBER.search(reply):
            found.append(f"'{command.name} {command.rest}': no number in {reply[:200]!r}")
        elif status[1] == "=" and _CHOOSES.search(command.name) and "\nplay " not in reply:
            found.append(f"'{command.name} {command.rest}': no move in {reply[:200]!r}")
    return found
