"""The options of both protocols in one table: what each is called there, what it takes, and what it does."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engines.errors import QiqiaoError
from engines.jieqi.forms import CAPTURE_VIEWS, FORMS
from engines.xiangqi.book import BookError
from engines.xiangqi.net_file import NetError
from engines.xiangqi.player import FULL_LEVEL, HIGHEST_ELO, LOWEST_ELO, SearchPlayer, level_of_elo
from protocols.files import FileRefused
from protocols.xiangqi.position import shorten

if TYPE_CHECKING:
    from protocols.xiangqi.session import Session

Kind = Literal["check", "spin", "combo", "button", "string"]


class OptionError(QiqiaoError, ValueError):
    """A value that an option can't take; its text says why."""


@dataclass(frozen=True)
class Option:
    """One option.

    ``ucci`` and ``uci`` are its names in the protocols, empty where it is not announced (it can be set all the same, by
    any of its names, as long as ``kind`` fits). ``values`` are the choices of a combo. ``apply`` puts a value to work:
    bool for a check, int for a spin, the choice for a combo, the text for a string, None for a button. ``passed_over``
    are choices of other engines that have no meaning here; they change nothing.
    """

    kind: Kind
    apply: Callable[[Session, Any], None]
    ucci: str = ""
    uci: str = ""
    default: Any = None
    uci_default: Any = None
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()
    uci_values: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()

    def choices(self, uci: bool = False) -> list[str]:
        """The choices of a combo as they are announced: the default first, which is all that some clients go by."""
        values = list(self.uci_values or self.values) if uci else list(self.values)
        return sorted(values, key=lambda value: value != self.default_in(uci))

    def default_in(self, uci: bool) -> Any:
        """The default as a protocol announces it."""
        return self.uci_default if uci and self.uci_default is not None else self.default

    def nearest(self, text: str) -> tuple[Any, str]:
        """The value that a text says, or the one next to it where that is out of range, and then what to tell of it.
        ``OptionError`` when it says none, or one that means nothing to us though it does to others.
        """
        if self.kind == "spin" and _WHOLE.fullmatch(text):
            value = int(text) if len(text) < 20 else (-1 if text.startswith("-") else 1) * 10**20
            if not self.low <= value <= self.high:
                name = self.uci or self.ucci or self.aliases[0]
                cut = max(self.low, min(self.high, value))
                return cut, f"{name} must be {self.low} to {self.high}, not {shorten(text)}: {cut} is taken"
        return self.read(text), ""

    def read(self, text: str) -> Any:
        """The value that a text says. ``OptionError`` when it says none."""
        name = self.uci or self.ucci or self.aliases[0]
        if self.kind == "button":
            return None
        if self.kind == "check":
            if text.lower() in ("true", "on", "yes", "1"):
                return True
            if text.lower() in ("false", "off", "no", "0"):
                return False
            raise OptionError(f"{name} must be true or false, not '{shorten(text)}'")
        if self.kind == "spin":
            try:
                value = int(text)
            except ValueError:
                raise OptionError(f"{name} must be a whole number, not '{shorten(text)}'") from None
            if not self.low <= value <= self.high:
                raise OptionError(f"{name} must be {self.low} to {self.high}, not {shorten(text)}")
            return value
        if self.kind == "string":
            return "" if text == "<empty>" else text
        for choice in (*self.values, *self.uci_values):
            if choice.lower() == text.lower():
                return choice
        if text.lower() in (word.lower() for word in self.passed_over):
            raise OptionError(f"{name} {shorten(text)} is not known here: it stays as it is")
        raise OptionError(f"{name} must be one of {', '.join(self.uci_values or self.values)}, not '{shorten(text)}'")


_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def plain(name: str) -> str:
    """A name as it is compared: case, blanks and underscores make no difference."""
    return " ".join(name.replace("_", " ").lower().split())


XIANGQI = "xiangqi"
"""The variant that is none."""

SIZES = ("none", "small", "medium", "large")
_RANDOMNESS = {"none": 0, "tiny": 10, "small": 20, "medium": 40, "large": 80, "huge": 160}
_STYLES = {"solid": -20, "normal": 0, "risky": 40}

UCCI_RULES = {"alwaysdraw": "none", "checkban": "check-only", "asianrule": "axf", "chineserule": "cxa"}
UCI_RULES = {
    "AsianRule": "axf",
    "ChineseRule": "cxa",
    "ComputerRule": "computer",
    "AllowChase": "check-only",
    "NoJudgement": "none",
}

NATURAL_PLIES = 120
"""Plies without a capture that draw, unless the command line or the client says otherwise."""

AUTO_HASH = 64
"""Megabytes of hash when the client leaves the size to us."""


FOREIGN_NET = ".nnue"
"""How names of other programs' nets end."""

SHARE = 8
"""Of the machine's memory a table takes one part in so many when it is asked to be larger than all of that."""


def _set(name: str) -> Callable[[Session, Any], None]:
    return lambda session, value: setattr(session.player.settings, name, value)


def _flag(name: str) -> Callable[[Session, Any], None]:
    return lambda session, value: setattr(session, name, value)


def _memory() -> int:
    """The machine's memory in megabytes; a size beyond any table's where it can't be known."""
    if sys.platform == "win32":
        return 1 << 40
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (OSError, ValueError):
        return 1 << 40


def _hash(session: Session, value: int) -> None:
    size, memory = value or AUTO_HASH, _memory()
    if size > memory and isinstance(session.player, SearchPlayer):  # made for another machine
        size = max(1, memory // SHARE)
        session.tell(f"{value} megabytes are more than this machine has: {size} are taken")
    if size != session.player.settings.hash:
        try:
            session.player.resize(size)
        except MemoryError as error:
            raise OptionError(str(error)) from None


def _books(session: Session, value: str) -> None:
    if not isinstance(session.player, SearchPlayer):
        return
    try:
        names = [name.strip() for name in value.split(";") if name.strip()]
        session.player.open_books([session.files.path(name) for name in names])
    except (BookError, FileRefused) as error:
        raise OptionError(str(error)) from None


def _net(session: Session, value: str) -> None:
    if not isinstance(session.player, SearchPlayer):
        return
    if value.lower().endswith(FOREIGN_NET) and not os.path.exists(value):
        return  # the default of another program, which many clients send: nothing that a user asked for
    try:
        session.player.use_net(session.files.path(value) if value and value.lower() != "none" else None)
    except (NetError, FileRefused) as error:
        raise OptionError(str(error)) from None


def _strength(session: Session) -> None:
    limited = session.limit_strength
    session.player.settings.level = level_of_elo(session.elo) if limited else session.level


def _level(session: Session, value: int) -> None:
    session.level = value
    _strength(session)


def _limit(session: Session, value: bool) -> None:
    session.limit_strength = value
    _strength(session)


def _elo(session: Session, value: int) -> None:
    session.elo = value
    _strength(session)


def _variant(session: Session, value: str) -> None:
    if value == XIANGQI:
        if session.variant is not None:
            session.variant.close()
            session.variant = None
        if session.dialect.counts_from_one:
            session.signs.variant_chosen()
        return
    if not isinstance(session.player, SearchPlayer):
        raise OptionError(f"only the built-in player plays {value}")
    if session.variant is None or session.variant.form != value:
        from protocols.xiangqi.variants import Variant  # who plays Xiangqi need not wait for it

        session.variant = Variant(session, value)


def _layout(session: Session, value: str) -> None:
    if session.variant is None:
        raise OptionError("FanqiLayout needs a free form of fanqi, which UCI_Variant chooses first")
    try:
        session.variant.set_layout(value)
    except ValueError as error:
        raise OptionError(str(error)) from None


def _log_file(session: Session, value: str) -> None:
    try:
        session.log.redirect(value or None)
    except OSError as error:
        raise OptionError(f"no log is kept in {shorten(value)}: {error.strerror}") from None


def _natural_plies(session: Session, value: int) -> None:
    session.natural_plies = value
    session.set_natural_limit()


def _natural_rounds(session: Session, value: int) -> None:
    session.natural_on = session.natural_on or value > 0
    _natural_plies(session, 2 * value)


def _sixty(session: Session, value: bool) -> None:
    session.natural_on = value
    # Where there was no limit, the option's own number is the one to go back to.
    _natural_plies(session, session.natural_plies or (NATURAL_PLIES if value else 0))


OPTIONS: tuple[Option, ...] = (
    Option("check", _flag("milliseconds"), ucci="usemillisec", default=True),
    Option("check", _flag("batch"), ucci="batch", default=False),
    Option("check", _flag("debug"), ucci="debug", default=False),
    Option("check", _set("pondering"), ucci="ponder", uci="Ponder", default=False),
    Option("check", _set("use_book"), ucci="usebook", uci="OwnBook", default=False),
    Option("string", _books, ucci="bookfiles", uci="BookFile", default="<empty>"),
    Option("string", _net, ucci="evalfile", uci="EvalFile", default="<empty>"),
    Option("spin", _hash, ucci="hashsize", low=0, high=65536, default=0),
    Option("spin", _hash, uci="Hash", low=1, high=65536, default=AUTO_HASH),
    Option("button", lambda session, _: session.player.new_game(), uci="Clear Hash"),
    Option("spin", _set("threads"), ucci="threads", low=0, high=256, default=1),
    Option("spin", _set("threads"), uci="Threads", low=1, high=256, default=1),
    Option("spin", _set("lines"), uci="MultiPV", low=1, high=128, default=1),
    Option(
        "combo",
        lambda session, value: setattr(session.player.settings, "idle", SIZES.index(value)),
        ucci="idle",
        values=SIZES,
        default="none",
    ),
    Option(
        "combo",
        lambda session, value: setattr(session.player.settings, "pruning", SIZES.index(value)),
        ucci="pruning",
        values=SIZES,
        default="large",
    ),
    Option(
        "combo",
        lambda session, value: setattr(session.player.settings, "knowledge", SIZES.index(value)),
        ucci="knowledge",
        values=SIZES,
        default="large",
    ),
    Option(
        "combo",
        lambda session, value: setattr(session.player.settings, "randomness", _RANDOMNESS[value]),
        ucci="randomness",
        values=tuple(_RANDOMNESS),
        default="none",
        aliases=("selectivity",),
    ),
    Option(
        "combo",
        lambda session, value: setattr(session.player.settings, "contempt", _STYLES[value]),
        ucci="style",
        values=tuple(_STYLES),
        default="normal",
    ),
    Option("spin", _level, uci="Skill Level", low=0, high=FULL_LEVEL, default=FULL_LEVEL),
    Option("check", _limit, uci="UCI_LimitStrength", default=False),
    Option("spin", _elo, uci="UCI_Elo", low=LOWEST_ELO, high=HIGHEST_ELO, default=HIGHEST_ELO),
    Option("check", _flag("show_wdl"), uci="UCI_ShowWDL", default=False),
    Option("combo", _variant, ucci="variant", uci="UCI_Variant", values=(XIANGQI, *FORMS), default=XIANGQI),
    Option(
        "combo",
        _flag("capture_view"),
        ucci="jieqicaptureview",
        uci="JieqiCaptureView",
        values=CAPTURE_VIEWS,
        default="captor",
    ),
    Option("spin", _flag("jieqi_limit"), ucci="jieqilimit", uci="JieqiLimit", low=0, high=240, default=80),
    Option("string", _layout, ucci="fanqilayout", uci="FanqiLayout", default="auto"),
    Option(
        "spin",
        lambda session, value: setattr(session.player.settings, "overhead", value / 1000),
        uci="Move Overhead",
        low=0,
        high=5000,
        default=150,
    ),
    Option(
        "combo",
        lambda session, value: session.set_rules(UCCI_RULES[value] if value in UCCI_RULES else UCI_RULES[value]),
        ucci="repetition",
        uci="Repetition Rule",
        values=tuple(UCCI_RULES),
        uci_values=tuple(UCI_RULES),
        passed_over=("SkyRule", "YitianRule"),
        default="asianrule",
        uci_default="AsianRule",
    ),
    Option("check", _sixty, uci="Sixty Move Rule", default=True),
    Option("spin", _natural_plies, uci="Rule60MaxPly", low=1, high=300, default=NATURAL_PLIES),
    Option(
        "spin",
        _natural_rounds,
        ucci="drawmoves",
        low=0,
        high=150,
        default=NATURAL_PLIES // 2,
    ),
    Option("button", lambda session, _: session.new_game(), ucci="newgame"),
    Option("string", _log_file, aliases=("Debug Log File",)),
)

_OF_OTHERS = (
    "mate threat depth|draw rule|lu output|scoretype|numapolicy|nodestime|maxcheckcount|skyrule|yitianrule|"
    "tiedpieces|slow mover|minimum thinking time|contempt|analysis contempt|use nnue|uci analysemode|uci opponent|"
    "uci engineabout|uci wdlcentipawn|uci chess960|uci setoptions|syzygypath|syzygyprobedepth|syzygy50moverule|"
    "syzygyprobelimit|large pages|large memory pages|variantpath|tsumemode|protocol|usi hash|usi ponder|usi variant|"
    "useegtb|egtbpaths|evalapi|promotion"
)
OF_OTHERS = frozenset(_OF_OTHERS.split("|"))
"""Options that clients made for other engines send, by their plain names; they mean nothing here, and no word is lost
on them.
"""


def _by_name(own: Literal["ucci", "uci"]) -> dict[str, Option]:
    """All options by all their names; a name that both protocols have means what ``own`` announces by it."""
    found: dict[str, Option] = {}
    for option in sorted(OPTIONS, key=lambda option: not getattr(option, own)):
        for name in filter(None, (option.ucci, option.uci, *option.aliases)):
            found.setdefault(plain(name), option)
    return found


_BY_NAME = {"ucci": _by_name("ucci"), "uci": _by_name("uci")}

_LONGEST_NAME = 4
"""No name has more words."""


def find(name: str, dialect: str = "ucci") -> Option | None:
    """The option of a name in either protocol; where both have the name, as ``dialect`` announces it."""
    return _BY_NAME[dialect].get(plain(name))


def split_setting(words: Sequence[str]) -> tuple[str, str]:
    """Name and value in the words after ``setoption``: ``name X value Y`` (UCI) or ``X Y`` (UCCI), whatever is spoken.

    ``OptionError`` when there is no name.
    """
    if words and words[0].lower() == "name" and len(words) > 1:
        lower = [word.lower() for word in words]
        at = lower.index("value", 2) if "value" in lower[2:] else len(words)
        return " ".join(words[1:at]), " ".join(words[at + 1 :])
    if not words:
        raise OptionError("setoption needs the name of an option")
    for count in range(min(_LONGEST_NAME, len(words)), 0, -1):
        name = " ".join(words[:count])
        if find(name) is not None or plain(name) in OF_OTHERS:
            rest = words[count:]
            if len(rest) > 1 and rest[0].lower() == "value":
                rest = rest[1:]
            return name, " ".join(rest)
    return words[0], " ".join(words[1:])
