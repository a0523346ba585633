"""What stops a search from outside, and when."""

import threading
import time

import pytest

from protocols.gtp.watch import BRIEF, GRACE, Watch


class Search:
    """Runs until it is stopped; ``seconds`` it took, or None when it had to be given up."""

    def __init__(self, watch, any_line=False, deaf_for=0.0):
        self.stopped = threading.Event()
        self.begin = time.monotonic()
        self._deaf_for = deaf_for
        with watch.running(self.stop, any_line) as run:
            self.seconds = time.monotonic() - self.begin if self.stopped.wait(2) else None
        self.cut = run.cut

    def stop(self):
        # A player forgets a stop that comes before it has begun.
        if time.monotonic() - self.begin >= self._deaf_for:
            self.stopped.set()


def later(action, seconds=0.1):
    threading.Timer(seconds, action).start()


@pytest.mark.parametrize("line", ["", "name", "# interrupt", "quit"])
def test_any_line_stops_an_analysis(line):
    watch = Watch()
    later(lambda: watch.notice(line))
    search = Search(watch, any_line=True)
    assert search.cut == "line" and search.seconds is not None


def test_a_line_that_came_before_stops_an_analysis():
    watch = Watch()
    watch.notice("analyze")
    watch.notice("name")
    watch.taken("analyze")
    assert Search(watch, any_line=True).cut == "line"
    watch.taken("name")
    assert watch.idle


@pytest.mark.parametrize(
    ("line", "cut", "least"),
    [("quit", "quit", GRACE), ("7 quit now", "quit", GRACE), ("# interrupt", "interrupt", BRIEF)],
)
def test_what_shortens_a_genmove(line, cut, least):
    for before in (True, False):
        watch = Watch()
        if before:
            watch.notice(line)
        else:
            later(lambda watch=watch: watch.notice(line))
        search = Search(watch)
        assert search.cut == cut and search.seconds >= least


@pytest.mark.parametrize("line", ["name", "", "quite", "# quit", "name # interrupt", "play b D4", "#interrupted"])
def test_what_does_not_shorten_a_genmove(line):
    watch = Watch()
    watch.notice(line)
    with watch.running(lambda: None) as run:
        watch.notice(line)
    assert run.cut is None


def test_the_end_shortens_a_genmove():
    watch = Watch()
    later(watch.notice_end)
    search = Search(watch)
    assert search.cut == "end" and search.seconds >= GRACE
    assert not watch.idle


def test_a_patient_watch_shortens_nothing():
    watch = Watch()
    watch.patient = True
    watch.notice("quit")
    watch.notice_end()
    with watch.running(lambda: None) as run:
        pass
    assert run.cut is None
    assert Search(watch, any_line=True).cut is not None


def test_a_stop_that_comes_too_early_is_said_again():
    watch = Watch()
    watch.notice("")
    assert Search(watch, any_line=True, deaf_for=0.3).seconds is not None


def test_quits_that_were_answered_count_no_more():
    watch = Watch()
    watch.notice("quit")
    watch.taken("quit")
    with watch.running(lambda: None) as run:
        pass
    assert run.cut is None
