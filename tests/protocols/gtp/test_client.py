"""Our end of GTP, without a process."""

import pytest
from rote import Rote

from protocols.gtp.client import GtpClient, GtpFailure
from protocols.programs.supervisor import EngineDied, EngineError, EngineHung

START = {"protocol_version": "2", "name": "Rote", "version": "1", "list_commands": "name\nplay \nkata-set-param"}


def answer(line):
    number, _, command = line.partition(" ")
    if command == "bad":
        return [f"?{number} no good", ""]
    return [*f"={number} {START.get(command, '')}".split("\n"), ""]


def started(respond=answer, **changes):
    rote = Rote(GtpClient, "gtp", respond, **changes)
    rote.client.start()
    return rote


def test_start():
    client = started().client
    assert (client.engine_name, client.version) == ("Rote", "1")
    assert client.has("play") and not client.has("undo")


def silent_after_start():
    """An engine that answers nothing by itself once it has started."""
    state = {"quiet": False}
    rote = started(lambda line: [] if state["quiet"] else answer(line))
    state["quiet"] = True
    rote.new()
    return rote


@pytest.mark.parametrize(
    ("lines", "ok", "text"),
    [
        (["=5 D4", ""], True, "D4"),
        (["= D4", ""], True, "D4"),
        (["=5\tD4", ""], True, "D4"),
        (["=5", ""], True, ""),
        (["=D4", ""], True, "D4"),
        (["?5 illegal move", ""], False, "illegal move"),
        (["", "", "=5 D4\r", "\r"], True, "D4"),
        (["banner", "====", "=5 D4", ""], True, "D4"),
        (["=5 a", "b", "=c", ""], True, "a\nb\n=c"),
        (["=4 late answer", "", "=5 D4", ""], True, "D4"),
        (["=99 nobody's", "more", "", "=5 D4", ""], True, "D4"),
    ],
)
def test_replies(lines, ok, text):
    rote = silent_after_start()
    reply = rote.client.post("genmove b")
    assert reply.number == 5
    for line in lines:
        rote.client.receive(line)
    assert (reply.done, reply.ok, reply.text) == (True, ok, text)


def test_a_missing_empty_line_ends_a_reply_when_the_next_begins():
    rote = silent_after_start()
    first, second = rote.client.post("a"), rote.client.post("b")
    for line in ("=5 one", "=6 two", ""):
        rote.client.receive(line)
    assert (first.text, second.text) == ("one", "two")


def test_a_command_that_is_passed_over_fails():
    rote = silent_after_start()
    first, second = rote.client.post("a"), rote.client.post("b")
    for line in ("=6 two", ""):
        rote.client.receive(line)
    assert first.done and not first.ok and second.text == "two"


def test_what_came_while_nobody_waited_answers_nothing():
    """A second, unnumbered answer to an earlier command, still unread where whoever waits reads by themselves."""
    rote = silent_after_start()
    client = rote.client
    unread = ["= D4", ""]

    def listen(seconds):
        if not unread:
            return False
        client.receive(unread.pop(0))
        return True

    client.listen = listen
    reply = client.post("genmove b")
    assert not unread and not reply.done
    unread += [f"={reply.number} E5", ""]
    assert client.wait(reply) == "E5"


def test_streamed_lines():
    rote = silent_after_start()
    lines = []
    reply = rote.client.post("kata-genmove_analyze b", lines.append)
    for line in ("=5", "info a", "info b", "play D4", ""):
        rote.client.receive(line)
    assert lines == ["info a", "info b", "play D4"] and reply.text == "play D4"


def test_the_memory_of_a_reply_is_bounded():
    rote = silent_after_start()
    reply = rote.client.post("name")
    rote.client.receive("=5")
    for _ in range(20):
        rote.client.receive("x" * (1 << 20))
    rote.client.receive("")
    assert reply.done and len(reply.text) <= 9 << 20


def test_failures():
    rote = started()
    with pytest.raises(GtpFailure, match="no good"):
        rote.client.ask("bad")
    quiet = silent_after_start()
    with pytest.raises(EngineHung, match="genmove"):
        quiet.client.ask("genmove b", 0.05)
    quiet.client.ended("exit code 1")
    with pytest.raises(EngineDied, match="exit code 1"):
        quiet.client.ask("genmove b", 5)


def test_options():
    rote = started(options={"maxVisits": "10", "play": "b D4"})
    assert rote.sent[-2:] == ["5 kata-set-param maxVisits 10", "6 play b D4"]
    with pytest.raises(EngineError, match="refuses the option"):
        started(lambda line: ["?", ""] if "set-param" in line else answer(line), options={"x": "1"})


def test_one_that_speaks_something_else():
    with pytest.raises(EngineHung, match="GTP"):
        started(lambda line: ["hello"], start_time=0.1)
