import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.sensor.tracker.settle import DEBOUNCE, UNSURE_HOLD, Settler
from protocols.sensor.tracker.trust import RESTLESS


def settled(text="....", debounce=DEBOUNCE):
    settler = Settler(len(text), debounce)
    settler.see(text, 0.0)
    return settler


def test_first_reading_is_stable_at_once():
    assert settled("..#.").stable == "..#."


def test_change_is_stable_after_the_debounce_and_dated_from_its_first_sight():
    settler = settled()
    settler.see(".#..", 5.0)
    assert settler.due == 5.0 + DEBOUNCE
    assert settler.advance(5.0 + DEBOUNCE / 2) == []
    (change,) = settler.advance(5.0 + DEBOUNCE)
    assert (change.point, change.before, change.after, change.at) == (1, ".", "#", 5.0)
    assert settler.stable == ".#.." and settler.since == 5.0
    assert settler.due is None


def test_bounce_is_dated_from_when_it_stopped():
    settler = settled()
    for at, text in ((1.0, "#..."), (1.01, "...."), (1.02, "#...")):
        settler.see(text, at)
    settler.advance(2.0)
    assert settler.stable == "#..." and settler.since == 1.02


def test_flicker_elsewhere_does_not_hold_up_a_point():
    settler = settled()
    settler.see("#...", 1.0)
    at = 1.0
    while at < 1.0 + DEBOUNCE:
        at += 0.02
        settler.see("#..#" if settler._raw[3] == "." else "#...", at)
    settler.advance(1.0 + DEBOUNCE)
    assert settler.stable == "#..."


@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from(".XO?!")), max_size=60))
def test_errors_shorter_than_the_debounce_never_count(errors):
    settler = settled("X.O.X.O.X")
    at = 1.0
    for point, value in errors:
        text = list("X.O.X.O.X")
        text[point] = value
        settler.see("".join(text), at)
        settler.see("X.O.X.O.X", at + DEBOUNCE * 0.9)
        at += DEBOUNCE
        assert settler.advance(at) == []
    assert all(value in (true, "!") for value, true in zip(settler.stable, "X.O.X.O.X", strict=True))


@given(st.lists(st.tuples(st.text("X.", min_size=4, max_size=4), st.floats(0.001, 1.0)), max_size=30))
def test_what_stays_becomes_stable(states):
    settler = settled()
    at = 0.0
    for text, wait in states:
        settler.see(text, at)
        at += wait
        settler.advance(at)
    last = states[-1][0] if states else "...."
    settler.advance(at + 10.0)
    assert settler.stable == last


def test_bad_contact_does_not_make_the_state_a_new_one():
    settler = settled("X.X.")
    for begin, length in ((5.0, 0.1), (8.0, 0.5)):
        settler.see("X...", begin)
        settler.advance(begin + DEBOUNCE)
        assert settler.since == begin
        settler.see("X.X.", begin + length)
        settler.advance(begin + length + DEBOUNCE)
        assert settler.since == (0.0 if length < 0.15 else begin + length)


def test_between_two_thresholds_is_a_state_only_after_long():
    settler = settled()
    settler.see("?...", 1.0)
    settler.advance(1.0 + UNSURE_HOLD / 2)
    assert settler.stable == "...."
    settler.advance(1.0 + UNSURE_HOLD)
    assert settler.stable == "?..."


def test_lifts_count_only_what_was_long_enough():
    settler = settled("#...")
    for start, length in ((1.0, 0.1), (2.0, 0.5)):
        settler.see("....", start)
        settler.advance(start + DEBOUNCE)
        settler.see("#...", start + length)
        settler.advance(start + length + DEBOUNCE)
    assert settler.lifts(0, 0.15) == 1
    assert settler.last(0, True) == 2.0 and settler.last(0, False) == 2.5
    settler.forget()
    assert settler.lifts(0, 0.15) == 0 and settler.last(0, True) is None


def test_another_piece_at_once_counts_as_a_lift():
    settler = settled("X...")
    settler.see("O...", 1.0)
    settler.advance(2.0)
    assert settler.lifts(0, 0.15) == 1


def test_still_empty_counts_as_a_lift():
    settler = settled("X...")
    settler.see("....", 1.0)
    settler.advance(2.0)
    assert settler.lifts(0, 0.15) == 1


def test_flickering_point_is_not_read_until_it_is_still():
    settler = settled()
    for number in range(RESTLESS):
        settler.see("#..#" if number % 2 == 0 else "...#", 1.0 + number * 0.12)
        settler.advance(1.0 + number * 0.12)
    assert settler.trust.restless == {0} and settler.stable == "!..#"
    settler.advance(3.0)
    assert settler.trust.restless == {0}
    settler.advance(4.0)
    assert settler.trust.restless == set() and settler.stable == "...#"


def test_bounces_are_one_change():
    settler = settled()
    for number in range(30):
        settler.see("#..." if number % 2 == 0 else "....", 1.0 + number * 0.002)
    assert settler.trust.restless == set()


def test_blip_of_a_point_that_is_not_steady_begins_the_state_anew():
    settler = settled()
    for at, text in ((5.0, "#..."), (5.2, "...."), (5.3, "#...")):
        settler.see(text, at)
        settler.advance(at + DEBOUNCE)
    assert settler.stable == "#..." and settler.since == 5.3


def test_turning_the_board_turns_everything():
    settler = settled("#...")
    settler.see("#.#.", 1.0)
    settler.advance(2.0)
    settler.turn()
    assert settler.stable == ".#.#"
    assert settler.last(1, False) == 1.0


def test_wrong_size_is_refused():
    with pytest.raises(ValueError, match="3 points on a board of 4"):
        settled().see("...", 1.0)
