"""Rubbish mixed with good commands: one reply a command, no fault, nothing lost, memory flat."""

import gc
import random
import re
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.go.vertex import LETTERS
from protocols.gtp import framing

LINES = 10_000

WORDS = [
    *("b", "w", "black", "WHITE", "x", "", "pass", "resign", "PASS", "A1", "E5", "J9", "T19", "I5", "Z26", "A0", "AA1"),
    *("-1", "0", "1", "2", "9", "19", "26", "2147483647", "2147483648", "99999999999999999999", "1e400", "nan", "-inf"),
    *(
        "7.5",
        "0x10",
        "1_000",
        "٣",
        "५",
        "true",
        "false",
        "{",
        "}",
        '{"ko":',
        "null",
        "[[[[[",
        '"',
        "'",
        "\\",
        "%s",
        "%n",
    ),
    *("alive", "dead", "seki", "japanese", "tromp-taylor", "koSIMPLE", "none", "absolute", "byoyomi", "canadian"),
    *("fischer", "interval", "ownership", "avoid", "allow", "maxmoves", "..", "/dev/null", "a" * 500, "\u3000", "\xa0"),
]


def rubbish(rng, names):
    """A line: a command with right or wrong arguments, or no command at all."""
    kind = rng.random()
    number = rng.choice(["", "", str(rng.randrange(10 ** rng.randrange(1, 12))) + " ", "-3 ", "007 "])
    if kind < 0.35:
        return f"{number}play {rng.choice('bw')} {rng.choice(LETTERS[:9])}{rng.randrange(1, 10)}"
    if kind < 0.75:
        return number + " ".join([rng.choice(names), *(rng.choice(WORDS) for _ in range(rng.randrange(5)))])
    if kind < 0.9:
        return number + " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 4)))
    return "".join(
        chr(rng.choice([rng.randrange(32), rng.randrange(127), rng.randrange(0x2FFF)])) for _ in range(20)
    ).replace("\n", "")


def harmless(line):
    """Leave out what ends the session, waits for the next line, or touches files."""
    command = framing.parse(line)
    return command is None or not (
        command.name in ("quit", "loadsgf", "printsgf") or re.fullmatch(r"(lz-|kata-|)analyze", command.name)
    )


@pytest.mark.compiled
def test_ten_thousand_lines_of_rubbish(client):
    gtp = client()
    rng = random.Random(20260101)
    names = sorted(gtp.server.session.commands)
    faults = []
    gtp.server._log.exception = lambda: faults.append(line)
    answered, succeeded = 0, 0
    sizes = []
    tracemalloc.start()
    try:
        for number in range(LINES):
            line = rubbish(rng, names)
            if not harmless(line):
                continue
            command = framing.parse(line)
            reply = gtp.raw(line)
            if command is None:
                assert reply is None
                continue
            answered += 1
            assert reply is not None and reply.endswith("\n\n") and reply.count("\n\n") == 1
            status = re.match(r"([=?])([0-9]*)[ \n]", reply)
            assert status is not None and status[2] == command.id
            succeeded += status[1] == "="
            if number % 500 == 499:
                assert gtp.raw("clear_board") == "= \n\n"
                gtp.player.asked.clear()
            if number % 2500 == 2499:
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert faults == []
    assert answered > 0.8 * LINES and 0.15 < succeeded / answered < 0.9
    assert sizes[-1] < sizes[0] + 500_000


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=st.text(max_size=60))
def test_any_text_gets_at_most_one_reply(line, client):
    line = line.replace("\n", "")
    if not harmless(line):
        return
    reply = client().raw(line)
    assert (reply is None) == (framing.parse(line) is None)
    assert reply is None or (reply.count("\n\n") == 1 and reply.endswith("\n\n"))
