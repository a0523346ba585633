"""How much memory is said to be there, on machines and in containers that the files of the system describe."""

import pytest

from engines import memory

MEMINFO = "MemTotal: 16384000 kB\nMemFree: 100 kB\nMemAvailable: 2097152 kB\nSwapTotal: 0 kB\nSwapFree: 1048576 kB\n"


@pytest.fixture
def system(monkeypatch):
    """A system whose files have these texts, and whose process has no limit."""

    def make(**texts):
        files = {"/" + name.replace("__", "/"): text for name, text in texts.items()}

        class File:
            def __init__(self, name):
                self.name = name

            def read_text(self, encoding):
                if self.name.replace(".", "_") not in files:
                    raise FileNotFoundError(self.name)
                return files[self.name.replace(".", "_")]

        monkeypatch.setattr(memory, "Path", File)
        monkeypatch.setattr(memory, "_of_process", lambda: None)

    return make


def test_what_the_machine_has_free_with_its_swap(system):
    system(proc__meminfo=MEMINFO)
    assert memory.available_mb() == 3072


def test_a_container_may_have_less(system):
    system(
        proc__meminfo=MEMINFO, sys__fs__cgroup__memory_max="536870912\n", sys__fs__cgroup__memory_current="436207616\n"
    )
    assert memory.available_mb() == 96


def test_a_container_without_a_limit(system):
    system(proc__meminfo=MEMINFO, sys__fs__cgroup__memory_max="max\n", sys__fs__cgroup__memory_current="436207616\n")
    assert memory.available_mb() == 3072


def test_a_container_that_is_full(system):
    system(proc__meminfo=MEMINFO, sys__fs__cgroup__memory_max="1000\n", sys__fs__cgroup__memory_current="2000000\n")
    assert memory.available_mb() == 0


@pytest.mark.parametrize("text", ["", "MemTotal: 5 kB\n", "MemAvailable: many kB\n", "MemAvailable:\n"])
def test_a_system_that_does_not_say(system, text):
    system(proc__meminfo=text)
    assert memory.available_mb() is None


def test_this_machine():
    there = memory.available_mb()
    assert there is None or there > 0
