"""GTP framing: what a line means and what a reply looks like."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.gtp import framing


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", ("", "name", ())),
        ("name\r", ("", "name", ())),
        ("   4   protocol_version   ", ("4", "protocol_version", ())),
        ("play\tb\tD4", ("", "play", ("b", "D4"))),
        ("play b D4 # the star point", ("", "play", ("b", "D4"))),
        ("1 protocol\x07_version\x00", ("1", "protocol_version", ())),
        ("na\x7fme", ("", "name", ())),
        # The comment goes after the control characters, the tabs after the comment.
        ("12\tname#\tx", ("12", "name", ())),
        ("007 name", ("7", "name", ())),
        ("0 name", ("0", "name", ())),
        ("000 name", ("0", "name", ())),
        ("42name", ("42", "name", ())),
        ("+5 name", ("5", "name", ())),
        ("-5 name", ("", "name", ())),
        ("2147483647 name", ("2147483647", "name", ())),
        ("9" * 5000 + " name", ("9" * 5000, "name", ())),
        ("play b\u3000D4", ("", "play", ("b\u3000D4",))),
        ("1 \u0663 x", ("1", "\u0663", ("x",))),
    ],
)
def test_parse(line, expected):
    command = framing.parse(line)
    assert command is not None
    assert command[:3] == expected


@pytest.mark.parametrize(
    "line", ["", " ", "\t", "\r", "#", "# name", "  # interrupt", "7", " 7 # name", "-3", "\x00\x01"]
)
def test_lines_that_ask_for_no_reply(line):
    assert framing.parse(line) is None


def test_rest_keeps_the_text_of_the_arguments():
    command = framing.parse('3 loadsgf  "my game.sgf"  4 ')
    assert command is not None
    assert command.rest == '"my game.sgf"  4'


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((True,), "= \n\n"),
        ((True, "7"), "=7 \n\n"),
        ((True, "7", "qiqiao"), "=7 qiqiao\n\n"),
        ((False, "", "unknown command"), "? unknown command\n\n"),
        ((True, "", "a\n\nb\n"), "= a\nb\n\n"),
        ((True, "", "a\n \nb"), "= a\nb\n\n"),
        ((True, "", "a\r\nb\r\n"), "= a\nb\n\n"),
        ((True, "7", "\n\n  A B\n1 . ."), "=7 \n  A B\n1 . .\n\n"),
        ((True, "7", "\n \n"), "=7 \n\n"),
        ((True, "", "a\n=b\n?c"), "= a\n =b\n ?c\n\n"),
    ],
)
def test_reply(arguments, expected):
    assert framing.reply(*arguments) == expected


def test_comment():
    assert framing.comment("name # interrupt \r") == "interrupt"
    assert framing.comment("name") == ""


@given(st.text())
def test_any_text_makes_one_well_formed_reply(text):
    reply = framing.reply(True, "1", text)
    assert reply.startswith("=1 ") and reply.endswith("\n\n")
    lines = reply[:-2].split("\n")
    assert all(lines)
    assert not any(line[0] in "=?" for line in lines[1:])


@given(st.text())
def test_any_line_parses_to_a_clean_command(line):
    command = framing.parse(line.replace("\n", ""))
    if command is not None:
        assert command.name and " " not in command.name and "#" not in command.rest
        assert re.fullmatch(r"0|[1-9][0-9]*|", command.id)
        assert not re.search(r"[\x00-\x1f\x7f]", command.name + command.rest)
