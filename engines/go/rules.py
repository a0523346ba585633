"""Rule sets as values: each choice a game of Go leaves open is one field, and a rule set is a row of fields.

The fields, their names in text and the presets' values follow KataGo (its ``docs/GTP_Extensions.md`` and
``cpp/game/rules.cpp``), since its JSON and compact string are what clients exchange. ``docs/go-rules.md`` tells what
each field does and where a preset differs from the rule text it is named after.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engines.go.points import BLACK, WHITE

Ko = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]
Tax = Literal["none", "seki", "all"]
HandicapBonus = Literal["0", "N-1", "N"]
Cycle = Literal["no-result", "draw"]

MAX_KOMI = 400.0
"""The largest komi, either way, that a rules text may ask for (KataGo's bound)."""


@dataclass(frozen=True)
class Rules:
    """One rule set. Comparison leaves the name out: two rule sets are equal when they play alike.

    ``ko``: "simple" forbids retaking a ko at once; "positional" forbids a stone that makes any earlier board again;
    "situational" forbids it if the same player was then to move. Passes are never forbidden.
    ``scoring``: "area" counts stones and surrounded points, "territory" surrounded points and prisoners.
    ``tax``: "seki" gives no points for empty points of groups in seki; "all" also takes two points for each living
    group (还棋头/還棋頭).
    ``suicide``: a move that takes the mover's own stones is legal if there are two or more of them; a single stone that
    would be taken at once may never be played.
    ``button``: the first to pass gets half a point.
    ``handicap_bonus``: points for White when Black starts with N handicap stones, N ≥ 2.
    ``friendly_pass``: passing is safe while dead stones are still on the board, since they are agreed on afterwards.
    Where it is off, area is counted on the board as it stands; territory scoring agrees on dead stones either way.
    ``komi``: the default in points for White. A game keeps its own.
    ``first_player``: who makes the first move of an even game, BLACK or WHITE.
    ``cycle``: how a game ends under simple ko when a position comes back for ever. "no-result": no winner, to be
    replayed; "draw": a tie. Superko rules know no such end.
    """

    name: str = field(compare=False)
    ko: Ko = "positional"
    scoring: Scoring = "area"
    tax: Tax = "none"
    suicide: bool = True
    button: bool = False
    handicap_bonus: HandicapBonus = "0"
    friendly_pass: bool = False
    komi: float = 7.5
    first_player: int = BLACK
    cycle: Cycle = "no-result"

    def same_play(self, other: Rules) -> bool:
        """Whether the two differ at most in name and default komi."""
        return self == replace(other, komi=self.komi)

    @property
    def removes_dead(self) -> bool:
        """Whether dead stones are taken off before the count. If not, the board is counted as it stands."""
        return self.scoring == "territory" or self.friendly_pass

    def handicap_points(self, stones: int) -> int:
        """Points White gets when Black begins with that many handicap stones; none for fewer than two."""
        if stones < 2 or self.handicap_bonus == "0":
            return 0
        return stones if self.handicap_bonus == "N" else stones - 1

    def to_json(self, komi: float | None = None) -> str:
        """KataGo's JSON form on one line, keys in alphabetical order; with ``komi`` where one is given.

        It has no words for ``first_player`` and ``cycle``.
        """
        fields: dict[str, Any] = {
            "friendlyPassOk": self.friendly_pass,
            "hasButton": self.button,
            "ko": self.ko.upper(),
            "scoring": self.scoring.upper(),
            "suicide": self.suicide,
            "tax": self.tax.upper(),
            "whiteHandicapBonus": self.handicap_bonus,
        }
        if komi is not None:
            fields["komi"] = komi
        return json.dumps(fields, sort_keys=True, separators=(",", ":"))

    def to_compact(self, komi: float | None = None) -> str:
        """KataGo's compact form, like ``koSIMPLEscoreAREAtaxNONEsui0whbNfpok1``; with ``komi…`` where one is given.

        The parts ``button``, ``whb`` and ``fpok`` are left out where they are off, as KataGo does.
        """
        text = f"ko{self.ko.upper()}score{self.scoring.upper()}tax{self.tax.upper()}sui{self.suicide:d}"
        if self.button:
            text += "button1"
        if self.handicap_bonus != "0":
            text += f"whb{self.handicap_bonus}"
        if self.friendly_pass:
            text += "fpok1"
        if komi is not None:
            text += f"komi{komi:g}"
        return text

    def with_field(self, key: str, value: str) -> Rules:
        """The same rules with one field changed, in the words of ``kata-set-rule``: ``with_field("ko", "simple")``.

        Values may be in either case. Raises ``ValueError`` for an unknown key or value.
        """
        key = key.strip()
        if key not in _JSON_FIELDS:
            raise ValueError(f"Unknown rules option: {key}")
        attribute = _JSON_FIELDS[key]
        change: dict[str, Any]
        if attribute in _WORDS:
            change = {attribute: _word(attribute, value)}
        elif value.strip().lower() in ("true", "false"):
            change = {attribute: value.strip().lower() == "true"}
        else:
            raise ValueError(f"Rules option {key} must be true or false, not {value}")
        return _named(replace(self, **change), self.name)


_JSON_FIELDS = {
    "ko": "ko",
    "score": "scoring",
    "scoring": "scoring",
    "tax": "tax",
    "suicide": "suicide",
    "hasButton": "button",
    "whiteHandicapBonus": "handicap_bonus",
    "friendlyPassOk": "friendly_pass",
}

_WORDS = {
    "ko": ("simple", "positional", "situational"),
    "scoring": ("area", "territory"),
    "tax": ("none", "seki", "all"),
    "handicap_bonus": ("0", "N-1", "N"),
}


def _word(attribute: str, value: str) -> str:
    """The one of the field's words that ``value`` spells in any case."""
    for word in _WORDS[attribute]:
        if value.strip().upper() == word.upper():
            return word
    choices = ", ".join(word.upper() for word in _WORDS[attribute])
    raise ValueError(f"Invalid {attribute.replace('_', ' ')} rule: {value} (one of {choices})")


def _territory(name: str, tax: Tax) -> Rules:
    return Rules(name, ko="simple", scoring="territory", tax=tax, suicide=False, komi=6.5)


def _chinese(name: str, ko: Ko) -> Rules:
    return Rules(name, ko=ko, suicide=False, handicap_bonus="N", friendly_pass=True)


def _stones(name: str) -> Rules:
    return Rules(name, ko="simple", tax="all", suicide=False, friendly_pass=True)


def _aga(name: str) -> Rules:
    return Rules(name, ko="situational", suicide=False, handicap_bonus="N-1", friendly_pass=True)


_PRESETS = (
    Rules("tromp-taylor"),
    # The Computer Go Server: Tromp-Taylor's count and superko, but no suicide.
    Rules("cgos", suicide=False),
    _chinese("chinese", "simple"),
    _chinese("chinese-ogs", "positional"),
    _chinese("chinese-kgs", "positional"),
    _territory("japanese", "seki"),
    _territory("korean", "seki"),
    _aga("aga"),
    replace(_aga("aga-button"), button=True, komi=7.0),
    _aga("bga"),
    _aga("french"),
    Rules("new-zealand", ko="situational", friendly_pass=True, komi=7.0),
    # Ing's komi is 8 with ties for Black: the same games are won as with 7.5.
    Rules("ing", friendly_pass=True),
    _stones("stone-scoring"),
    _stones("ancient-area"),
    _territory("ancient-territory", "all"),
    replace(_stones("ancient-chinese"), komi=0.0, first_player=WHITE),
)

PRESETS: dict[str, Rules] = {rules.name: rules for rules in _PRESETS}
"""The rule sets that have a name, by that name."""

DEFAULT = PRESETS["chinese"]

_ALIASES = {"nz": "new-zealand", "goe": "ing", "ancient": "ancient-chinese"}

KGS_RULES = {"japanese": "japanese", "chinese": "chinese-kgs", "aga": "aga", "new_zealand": "new-zealand"}
"""What the argument of ``kgs-rules`` means: the server's Chinese rules have positional superko."""

_FOREIGN = {
    "cn": "chinese",
    "chn": "chinese",
    "china": "chinese",
    "中国": "chinese",
    "中國": "chinese",
    "jp": "japanese",
    "jpn": "japanese",
    "japan": "japanese",
    "日本": "japanese",
    "kr": "korean",
    "korea": "korean",
    "韩国": "korean",
    "韓國": "korean",
    "应氏": "ing",
    "應氏": "ing",
    "tt": "tromp-taylor",
}

_SGF_NAMES = {
    "japanese": "Japanese",
    "chinese": "Chinese",
    "aga": "AGA",
    "ing": "GOE",
    "new-zealand": "NZ",
}


def _key(name: str) -> str:
    """A preset's name without case, blanks, hyphens and underscores."""
    return re.sub(r"[-_\s]", "", name).lower()


_BY_KEY = {_key(name): rules for name, rules in PRESETS.items()} | {
    key: PRESETS[name] for key, name in _ALIASES.items()
}


def _named(rules: Rules, preferred: str = "") -> Rules:
    """The rules under the name of a preset that plays alike (``preferred`` if that one does), else under "custom"."""
    if preferred in PRESETS and rules.same_play(PRESETS[preferred]):
        return replace(rules, name=preferred)
    for preset in _PRESETS:
        if rules.same_play(preset):
            return replace(rules, name=preset.name)
    return replace(rules, name="custom")


def preset(name: str) -> Rules:
    """The preset of that name; case, blanks, hyphens and underscores do not matter ("New_Zealand", "newzealand", "nz").

    Raises ``ValueError`` naming the presets there are.
    """
    if _key(name) not in _BY_KEY:
        raise ValueError(f"Unknown rules '{name}', not one of {', '.join(PRESETS)}")
    return _BY_KEY[_key(name)]


def kgs_rules(name: str) -> Rules:
    """The rules that ``kgs-rules`` asks for. Raises ``ValueError`` for other names than the server's four."""
    if name.strip().lower() not in KGS_RULES:
        raise ValueError(f"Unknown rules '{name}', not one of {', '.join(KGS_RULES)}")
    return PRESETS[KGS_RULES[name.strip().lower()]]


def parse_rules(text: str, *, allow_komi: bool = True) -> Rules:
    """Read a rule set: a preset's name, KataGo's JSON object or KataGo's compact string.

    What a JSON object or compact string leaves out is as in Tromp-Taylor rules, but tax follows the scoring (seki for
    territory) and komi is 6.5 for territory, 7 with a button, else 7.5. With ``allow_komi`` off a komi in the text is
    an error: commands that change the rules leave the game's komi alone. Raises ``ValueError``.
    """
    text = text.strip()
    if not text:
        raise ValueError("No rules given")
    if text.startswith("{"):
        return _from_json(text, allow_komi)
    if _key(text) in _BY_KEY:
        return _BY_KEY[_key(text)]
    if text[:2].lower() in ("ko", "sc", "ta", "su", "bu", "wh", "fp"):
        return _from_compact(text, allow_komi)
    return preset(text)  # always raises, with the list of names


def find_rules(text: str) -> Rules | None:
    """The rules meant by another program's label, such as an SGF file's RU ("Japanese", "GOE", "中国规则"), or None."""
    key = re.sub(r"(rules?|ruleset|规则|規則)$", "", _key(text))
    if key in _FOREIGN:
        return PRESETS[_FOREIGN[key]]
    if key in _BY_KEY:
        return _BY_KEY[key]
    try:
        return parse_rules(text)
    except ValueError:
        return None


def sgf_name(rules: Rules) -> str:
    """The label for an SGF file's RU: FF[4]'s own words where they fit, else the preset's name or the compact form."""
    if rules.name == "custom":
        return rules.to_compact()
    return _SGF_NAMES.get(rules.name, rules.name)


def _completed(given: dict[str, Any]) -> Rules:
    """Rules from the fields a text gave, the rest by KataGo's defaults."""
    territory = given.get("scoring") == "territory"
    given.setdefault("tax", "seki" if territory else "none")
    given.setdefault("komi", 6.5 if territory else 7.0 if given.get("button") else 7.5)
    return _named(Rules("custom", **given))


def _from_json(text: str, allow_komi: bool) -> Rules:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"Could not parse rules: {text[:200]}") from error
    given: dict[str, Any] = {}
    for key, value in sorted(data.items()):
        if key == "komi" and allow_komi:
            given["komi"] = _json_komi(value)
        elif key not in _JSON_FIELDS:
            raise ValueError(f"Unknown rules option: {key}")
        elif _JSON_FIELDS[key] in _WORDS:
            if not isinstance(value, str):
                raise ValueError(f"Rules option {key} must be a string")
            given[_JSON_FIELDS[key]] = _word(_JSON_FIELDS[key], value)
        else:
            if not isinstance(value, bool):
                raise ValueError(f"Rules option {key} must be true or false")
            given[_JSON_FIELDS[key]] = value
    return _completed(given)


def _json_komi(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("Komi must be a number")
    if not abs(value) <= MAX_KOMI or value * 2 != int(value * 2):
        raise ValueError(f"Komi must be a whole or half number from -{MAX_KOMI:g} to {MAX_KOMI:g}")
    return float(value)


# One row a part: its prefix, the field, and the spellings in the order they are tried.
_COMPACT: tuple[tuple[str, str, tuple[tuple[str, Any], ...]], ...] = (
    ("ko", "ko", tuple((word.upper(), word) for word in _WORDS["ko"])),
    ("scoring", "scoring", tuple((word.upper(), word) for word in _WORDS["scoring"])),
    ("score", "scoring", tuple((word.upper(), word) for word in _WORDS["scoring"])),
    ("tax", "tax", tuple((word.upper(), word) for word in _WORDS["tax"])),
    ("sui", "suicide", (("1", True), ("0", False))),
    ("button", "button", (("1", True), ("0", False))),
    ("whb", "handicap_bonus", (("0", "0"), ("N-1", "N-1"), ("N", "N"))),
    ("fpok", "friendly_pass", (("1", True), ("0", False))),
)


def _from_compact(text: str, allow_komi: bool) -> Rules:
    given: dict[str, Any] = {}
    rest = text
    while rest:
        komi = re.match(r"komi\s*([^A-Za-z\s]*)\s*", rest, re.IGNORECASE)
        if komi:
            if not allow_komi:
                raise ValueError(f"Could not parse rules: {text[:200]} (komi is not part of the rules here)")
            given["komi"] = _compact_komi(komi[1], text)
            rest = rest[komi.end() :]
            continue
        rest = _compact_part(rest, given, text)
    return _completed(given)


def _compact_komi(number: str, text: str) -> float:
    try:
        komi = float(number)
    except ValueError:
        komi = math.nan
    if not abs(komi) <= 1e5:
        raise ValueError(f"Could not parse rules: {text[:200]} (bad komi)")
    return komi


def _compact_part(rest: str, given: dict[str, Any], text: str) -> str:
    """Read the part that ``rest`` begins with into ``given`` and return what follows it."""
    for prefix, attribute, spellings in _COMPACT:
        if not rest.lower().startswith(prefix):
            continue
        value_text = rest[len(prefix) :].lstrip()
        for spelling, value in spellings:
            if value_text.upper().startswith(spelling):
                given[attribute] = value
                return value_text[len(spelling) :].lstrip()
        break
    raise ValueError(f"Could not parse rules: {text[:200]} (at '{rest[:20]}')")
