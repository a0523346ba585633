"""Analogue values and settling."""

import pytest

from protocols.sensor.codecs.scans import LEARNING, Analogue, Settler


def analogue(sensing="pol", **given):
    return Analogue(3, sensing, on=40, off=28, baseline=[500, 510, 490], high=1023, low=0, **given)


class TestAnalogue:
    @pytest.mark.parametrize(
        ("scan", "values"),
        [
            ([500, 510, 490], "..."),
            ([540, 510, 450], "X.O"),
            ([539, 510, 451], "..."),
            ([0, 510, 1023], "!.!"),
        ],
    )
    def test_two_colours(self, scan, values):
        assert analogue().values(scan) == values

    def test_the_first_colour_may_lower_the_value(self):
        assert analogue(first_above=False).values([540, 510, 450]) == "O.X"

    def test_occupancy_either_way(self):
        assert analogue("occ").values([540, 510, 450]) == "#.#"

    def test_between_the_thresholds_a_point_stays_what_it_was(self):
        sensors = analogue()
        assert sensors.values([535, 510, 490]) == "..."
        assert sensors.values([545, 510, 490]) == "X.."
        assert sensors.values([535, 510, 490]) == "X.."
        assert sensors.values([525, 510, 490]) == "..."

    def test_a_quick_change_of_colour(self):
        sensors = analogue()
        sensors.values([560, 510, 490])
        assert sensors.values([465, 510, 490]) == "...", "not yet far enough below, and no longer above"
        assert sensors.values([455, 510, 490]) == "O.."

    def test_learning_takes_the_mean(self):
        sensors = Analogue(2, "pol", on=40, off=28)
        for number in range(LEARNING):
            assert sensors.baseline is None
            done = sensors.learn([500 + number % 2, 300])
        assert done and sensors.baseline == [500.5, 300]

    def test_slow_drift_is_followed_on_empty_points_only(self):
        sensors = analogue()
        for step in range(4000):
            sensors.values([500 + step / 40, 570, 490])
        assert sensors.values([600, 570, 490]) == ".X."
        assert sensors.baseline[1] == 510

    def test_suspicious_baselines(self):
        sensors = Analogue(9, "pol", on=40, off=28, baseline=[500, 505, 495, 500, 800, 502, 498, 501, 499])
        assert sensors.suspects() == [4]

    @pytest.mark.parametrize("given", [{"on": 10, "off": 20}, {"on": 10, "off": 0}])
    def test_wrong_thresholds(self, given):
        with pytest.raises(ValueError):
            Analogue(3, "pol", **given)


class TestSettler:
    def run(self, scans, texts):
        settler = Settler(scans)
        for number, text in enumerate(texts):
            settler.take(text, float(number))
        return settler.points

    def test_one_scan_is_enough_where_so_wanted(self):
        assert self.run(1, ["...", "X.."]) == "X.."

    def test_the_first_board_must_hold_still_as_well(self):
        assert self.run(3, ["...", "X..", "..."]) is None
        assert self.run(3, ["...", "...", "..."]) == "..."

    def test_equal_scans_in_a_row(self):
        calm = ["..."] * 3
        assert self.run(3, [*calm, "X..", "X.."]) == "..."
        assert self.run(3, [*calm, "X..", "X..", "X.."]) == "X.."

    def test_flickers_that_are_not_in_a_row_never_add_up(self):
        assert self.run(3, ["..."] * 3 + ["X..", "...", "X..", "X..", "..."] * 20) == "..."

    def test_noise_elsewhere_does_not_hold_a_point_up(self):
        assert self.run(3, ["..."] * 3 + ["X.O", "X..", "X.O"]) == "X.."

    def test_a_change_has_the_time_it_was_first_seen(self):
        settler = Settler(3)
        for number in range(3):
            settler.take("...", float(number))
        assert settler.take("X..", 10.0) == ()
        settler.take("XO.", 11.0)
        (change,) = settler.take("XO.", 12.0)
        assert (change.point, change.before, change.after, change.at) == (0, ".", "X", 10.0)

    def test_forgotten_after_a_gap(self):
        settler = Settler(2)
        settler.take("X", 0.0), settler.take("X", 1.0)
        settler.forget()
        assert settler.points is None
        assert settler.take("O", 2.0) is None
        assert settler.take("O", 3.0) == ()
