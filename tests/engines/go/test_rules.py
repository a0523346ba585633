"""Rule sets: presets, KataGo's two text forms, single fields."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.points import BLACK, WHITE
from engines.go.rules import (
    DEFAULT,
    PRESETS,
    Rules,
    find_rules,
    kgs_rules,
    parse_rules,
    preset,
    sgf_name,
)

KATAGO_NAMES = {
    "ko": "ko",
    "scoring": "scoring",
    "tax": "tax",
    "multiStoneSuicide": "suicide",
    "whiteHandicapBonus": "handicap_bonus",
    "friendlyPassOk": "friendly_pass",
    "defaultKomi": "komi",
    "hasButton": "button",
}

RULES = st.builds(
    Rules,
    name=st.just("custom"),
    ko=st.sampled_from(("simple", "positional", "situational")),
    scoring=st.sampled_from(("area", "territory")),
    tax=st.sampled_from(("none", "seki", "all")),
    suicide=st.booleans(),
    button=st.booleans(),
    handicap_bonus=st.sampled_from(("0", "N-1", "N")),
    friendly_pass=st.booleans(),
    komi=st.integers(-800, 800).map(lambda halves: halves / 2),
)


def test_presets_match_katago(data_dir):
    table = json.loads((data_dir / "go" / "rulesets.json").read_text(encoding="utf-8"))["presets"]
    for names, fields in table.items():
        for name in names.split(" / "):
            rules = preset(name)
            for theirs, ours in KATAGO_NAMES.items():
                value = getattr(rules, ours)
                wanted = fields[theirs]
                assert (value.upper() if isinstance(value, str) else value) == wanted, (name, ours)
            assert rules.first_player == BLACK


def test_ancient_chinese():
    rules = preset("ancient-chinese")
    assert (rules.first_player, rules.komi, rules.tax, rules.scoring, rules.ko) == (WHITE, 0, "all", "area", "simple")


def test_default_is_chinese_with_simple_ko():
    assert DEFAULT.name == "chinese"
    assert DEFAULT.ko == "simple"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tromp_Taylor", "tromp-taylor"),
        ("tromptaylor", "tromp-taylor"),
        ("CHINESE", "chinese"),
        ("chinese_kgs", "chinese-kgs"),
        ("chineseogs", "chinese-ogs"),
        ("aga button", "aga-button"),
        ("new_zealand", "new-zealand"),
        ("newzealand", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("nz", "new-zealand"),
        ("goe", "ing"),
        ("stonescoring", "stone-scoring"),
        ("ancient-area", "ancient-area"),
        ("ancient_territory", "ancient-territory"),
        (" japanese ", "japanese"),
        ("korean", "korean"),
        ("bga", "bga"),
    ],
)
def test_names(text, name):
    assert preset(text).name == name
    assert parse_rules(text).name == name


@pytest.mark.parametrize("text", ["", "chess", "chinese!", "koreanish", "{", "[]", "ko", "koSPIGHT", "scoreNONE"])
def test_unknown(text):
    with pytest.raises(ValueError):
        parse_rules(text)


def test_unknown_name_lists_the_known():
    with pytest.raises(ValueError, match=r"tromp-taylor.*ancient-chinese"):
        preset("chess")


@pytest.mark.parametrize(
    ("name", "compact"),
    [
        ("tromp-taylor", "koPOSITIONALscoreAREAtaxNONEsui1komi7.5"),
        ("chinese", "koSIMPLEscoreAREAtaxNONEsui0whbNfpok1komi7.5"),
        ("japanese", "koSIMPLEscoreTERRITORYtaxSEKIsui0komi6.5"),
        ("aga-button", "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1komi7"),
        ("new-zealand", "koSITUATIONALscoreAREAtaxNONEsui1fpok1komi7"),
    ],
)
def test_compact_form(name, compact):
    rules = preset(name)
    assert rules.to_compact(rules.komi) == compact
    assert parse_rules(compact) == rules
    assert parse_rules(compact).name == name


def test_json_form():
    assert preset("chinese").to_json() == (
        '{"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"AREA",'
        '"suicide":false,"tax":"NONE","whiteHandicapBonus":"N"}'
    )
    assert json.loads(preset("japanese").to_json(6.5))["komi"] == 6.5


@given(RULES)
def test_round_trips(rules):
    assert parse_rules(rules.to_json(rules.komi)) == rules
    assert parse_rules(rules.to_compact(rules.komi)) == rules
    assert parse_rules(rules.to_json(), allow_komi=False).same_play(rules)
    assert parse_rules(rules.to_compact(), allow_komi=False).same_play(rules)


def test_what_json_leaves_out():
    assert parse_rules("{}") == preset("tromp-taylor")
    territory = parse_rules('{"scoring":"TERRITORY"}')
    assert (territory.tax, territory.komi, territory.ko, territory.suicide) == ("seki", 6.5, "positional", True)
    assert parse_rules('{"hasButton":true}').komi == 7.0
    assert parse_rules('{"hasButton":true,"scoring":"TERRITORY"}').komi == 6.5
    assert parse_rules('{"scoring":"TERRITORY","tax":"NONE"}').tax == "none"


def test_what_the_compact_form_leaves_out():
    assert parse_rules("sui1") == preset("tromp-taylor")
    assert parse_rules("scoreTERRITORY").tax == "seki"
    assert parse_rules("button1").komi == 7.0
    assert parse_rules("komi5.5").komi == 5.5


def test_compact_leniency():
    assert parse_rules(" ko SIMPLE score AREA  tax NONE sui 0 whb N fpok 1 komi 7.5 ") == preset("chinese")
    assert parse_rules("scoringAREAkomi-3koSIMPLE").komi == -3
    assert parse_rules("taxNONEscoreTERRITORY").tax == "none"


def test_score_is_another_word_for_scoring():
    assert parse_rules('{"score":"TERRITORY"}').scoring == "territory"
    assert preset("chinese").with_field("score", "territory").scoring == "territory"


@pytest.mark.parametrize(
    "text",
    [
        '{"ko":1}',
        '{"ko":"NONE"}',
        '{"suicide":"true"}',
        '{"suicide":1}',
        '{"whiteHandicapBonus":0}',
        '{"komi":7.25}',
        '{"komi":401}',
        '{"komi":1e999}',
        '{"komi":NaN}',
        '{"komi":true}',
        '{"komi":"7.5"}',
        '{"board":9}',
        '{"ko":"SIMPLE"',
        '{"ko":"SIMPLE"} x',
        "koSIMPLEsui2",
        "koSIMPLEsomething",
        "komi",
        "komi1e9",
        "komi--1",
        "koSIMPLE komi nan",
        "{" * 100_000,
        '{"komi":' + "9" * 5000 + "}",
    ],
)
def test_bad_texts(text):
    with pytest.raises(ValueError):
        parse_rules(text)


@given(st.text())
def test_any_text_is_rules_or_a_value_error(text):
    try:
        assert isinstance(parse_rules(text), Rules)
    except ValueError as error:
        assert str(error)


def test_komi_is_no_part_of_rules_set_by_a_command():
    for text in ('{"ko":"SIMPLE","komi":5}', "koSIMPLEkomi5"):
        assert parse_rules(text).komi == 5
        with pytest.raises(ValueError):
            parse_rules(text, allow_komi=False)


def test_with_field():
    rules = preset("chinese").with_field("ko", "positional")
    assert rules.ko == "positional"
    assert rules.name == "chinese-ogs"
    assert rules.with_field("ko", "SIMPLE").name == "chinese"
    assert preset("tromp-taylor").with_field("whiteHandicapBonus", "n-1").handicap_bonus == "N-1"
    assert preset("tromp-taylor").with_field("suicide", "FALSE").suicide is False
    assert preset("tromp-taylor").with_field("hasButton", "true").button is True
    assert preset("tromp-taylor").with_field("tax", "all").name == "custom"


def test_with_field_keeps_what_has_no_word():
    rules = preset("ancient-chinese").with_field("suicide", "true")
    assert (rules.first_player, rules.komi) == (WHITE, 0)


@pytest.mark.parametrize(
    ("key", "value"),
    [("komi", "7"), ("KO", "simple"), ("ko", ""), ("ko", "spight"), ("suicide", "1"), ("suicide", ""), ("", "")],
)
def test_with_field_refuses(key, value):
    with pytest.raises(ValueError):
        preset("chinese").with_field(key, value)


def test_names_come_back_from_fields():
    assert parse_rules(preset("aga").to_json()).name == "aga"
    assert parse_rules('{"ko":"SIMPLE","tax":"SEKI"}').name == "custom"


def test_kgs_rules():
    assert kgs_rules("chinese").name == "chinese-kgs"
    assert kgs_rules("Japanese").name == "japanese"
    assert kgs_rules("aga").name == "aga"
    assert kgs_rules("new_zealand").name == "new-zealand"
    with pytest.raises(ValueError):
        kgs_rules("korean")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("Japanese Rules", "japanese"),
        ("JP", "japanese"),
        ("Chinese", "chinese"),
        ("cn", "chinese"),
        ("中国规则", "chinese"),
        ("中國規則", "chinese"),
        ("日本规则", "japanese"),
        ("GOE", "ing"),
        ("NZ", "new-zealand"),
        ("AGA", "aga"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("koSIMPLEscoreAREAtaxNONEsui0whbNfpok1", "chinese"),
    ],
)
def test_labels_of_other_programs(text, name):
    assert find_rules(text).name == name


@pytest.mark.parametrize("text", ["", "?", "Rules", "my own"])
def test_labels_that_mean_nothing(text):
    assert find_rules(text) is None


def test_sgf_names_lead_back():
    for rules in PRESETS.values():
        assert find_rules(sgf_name(rules)) == rules
    assert sgf_name(preset("japanese")) == "Japanese"
    assert sgf_name(preset("ing")) == "GOE"
    custom = preset("chinese").with_field("tax", "seki")
    assert find_rules(sgf_name(custom)).same_play(custom)


@pytest.mark.parametrize(
    ("name", "points"),
    [("chinese", [0, 0, 2, 9]), ("aga", [0, 0, 1, 8]), ("japanese", [0, 0, 0, 0]), ("new-zealand", [0, 0, 0, 0])],
)
def test_handicap_compensation(name, points):
    assert [preset(name).handicap_points(stones) for stones in (0, 1, 2, 9)] == points


def test_who_takes_dead_stones_off():
    counted_as_it_stands = {name for name, rules in PRESETS.items() if not rules.removes_dead}
    assert counted_as_it_stands == {"tromp-taylor", "cgos"}


def test_equality_is_about_play():
    assert preset("bga") == preset("aga")
    assert preset("ing") != preset("tromp-taylor")
    assert replace(preset("aga"), komi=0).same_play(preset("aga"))
    assert not preset("stone-scoring").same_play(preset("ancient-chinese"))


def test_the_page_lists_every_preset_as_it_is():
    page = Path(__file__).resolve().parents[3] / "docs" / "go-rules.md"
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| preset")
    ]
    flags = {True: "yes", False: "no"}
    assert rows == [
        [
            rules.name,
            rules.ko,
            rules.scoring,
            rules.tax,
            flags[rules.suicide],
            flags[rules.button],
            rules.handicap_bonus,
            flags[rules.friendly_pass],
            f"{rules.komi:g}",
        ]
        for rules in PRESETS.values()
    ]
