import pytest

from protocols.sensor.tracker.arbiter import ARTICLES, WARNINGS_LOSE, Arbiter


def test_every_article_has_its_source_and_both_scripts():
    for article in ARTICLES:
        assert article.source and article.text and article.simplified and article.traditional
    assert len({(article.game, article.offence) for article in ARTICLES}) == len(ARTICLES)


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: f"{article.game}-{article.offence}")
def test_friendly_holds_nothing_against_anybody(article):
    arbiter = Arbiter(article.game)
    assert arbiter.judge(article.offence, 1) is None
    assert arbiter.warnings == {}


def test_two_warnings_lose_a_game_of_go():
    arbiter = Arbiter("go", "strict")
    first = arbiter.judge("moved-stone", 1)
    assert (first.warnings, first.lost) == (1, False) and "warning 1 of 2" in first.text
    assert not arbiter.judge("moved-stone", 2).lost, "the other colour's warnings are its own"
    assert arbiter.judge("took-living", 1).lost


def test_the_third_violation_loses_a_game_of_xiangqi():
    arbiter = Arbiter("xiangqi", "strict")
    assert [arbiter.judge("illegal", 0).lost for _ in range(3)] == [False, False, True]
    assert WARNINGS_LOSE["xiangqi"][0] == 3


def test_two_moves_in_a_row_lose_at_once():
    verdict = Arbiter("go", "strict").judge("two-moves", 2)
    assert verdict.lost and verdict.warnings == 0


@pytest.mark.parametrize("offence", ["ko", "forbidden-point", "displaced", "disturbed"])
def test_what_is_only_put_right_counts_no_warning(offence):
    arbiter = Arbiter("go", "strict")
    assert not arbiter.judge(offence, 1).lost and arbiter.warnings == {}


def test_new_game_begins_without_warnings():
    arbiter = Arbiter("go", "strict")
    arbiter.judge("moved-stone", 1)
    arbiter.new_game()
    assert arbiter.judge("moved-stone", 1).warnings == 1


def test_draw_offers_alternate_under_the_strict_referee():
    strict, friendly = Arbiter("xiangqi", "strict"), Arbiter("xiangqi")
    assert [strict.offer_draw(c) for c in (0, 0, 1, 1, 0)] == [True, False, True, False, True]
    assert [friendly.offer_draw(c) for c in (0, 0)] == [True, True]


def test_unknown_offence_is_no_offence():
    assert Arbiter("go", "strict").judge("touched", 1) is None
