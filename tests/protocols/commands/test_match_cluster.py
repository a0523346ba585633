"""A match on a local Dask cluster of several processes, one of which is killed."""

import os
import signal
import sys
import threading

import pytest
from support import ROOT

from engines.arena import journal
from engines.arena.match import Match
from engines.arena.settings import Adjudication, Entrant, Settings

pytest.importorskip("distributed", reason="needs qiqiao[cluster]")

pytestmark = pytest.mark.compiled

ENGINE = ROOT / "tests" / "protocols" / "programs" / "random_uci.py"


def settings(games):
    entrants = tuple(Entrant(f"random {seed}", f"uci:'{sys.executable}' '{ENGINE}' {seed}") for seed in (1, 2))
    return Settings("xiangqi", entrants, games=games, openings="none", nodes=1, adjudication=Adjudication(length=40))


@pytest.fixture
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as one:
        yield one


def test_a_worker_that_dies_costs_no_result(cluster, tmp_path):
    from protocols.commands.match_cluster import Cluster

    match = settings(24)
    book = journal.Journal(str(tmp_path / journal.NAME), match)
    games = Cluster(cluster.scheduler_address, match)
    victims = []

    def watch(row):
        if len(book.contents.games) == 6:
            victims.append(next(iter(cluster.workers.values())).pid)
            os.kill(victims[0], signal.SIGKILL)

    running = Match(match, book, watch)
    state = running.run(games)
    book.close()
    rows = journal.read(book.path).games
    assert victims and state.games == 24
    assert sorted(rows) == list(range(24))
    assert all(row.ending.reason in ("length", "mate", "repetition") for row in rows.values())
    assert games.programs() == {"random 1": "random", "random 2": "random"}


def test_stopping_ends_the_match_and_the_engines(cluster, tmp_path):
    from protocols.commands.match_cluster import Cluster

    match = settings(1000)
    book = journal.Journal(str(tmp_path / journal.NAME), match)
    running = Match(match, book)
    threading.Timer(3, running.stop).start()
    state = running.run(Cluster(cluster.scheduler_address, match))
    book.close()
    assert state.games < 1000
