"""Small sessions with what any GTP 2 engine must answer; GNU Go was run on all of them."""

import json
import re
from pathlib import Path

import pytest

TRANSCRIPTS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "go" / "gtp_transcripts.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript["name"])
def test_transcript(transcript, client):
    gtp = client(width=19, height=19)
    replies = []
    for line in transcript["input"].split("\n")[:-1]:
        reply = gtp.raw(line)
        if reply is not None:
            replies.append(reply)
        if gtp.server.finished:
            break
    assert len(replies) == len(transcript["expect"])
    for reply, (status, number, pattern) in zip(replies, transcript["expect"], strict=True):
        assert reply.startswith(status) and reply.endswith("\n\n")
        match = re.fullmatch(r"[=?]([0-9]*) (.*)\n\n", reply, re.DOTALL)
        assert match is not None
        assert re.fullmatch(str(number) if number is not None else "", match[1])
        assert re.fullmatch(pattern, match[2], re.DOTALL)


def test_there_are_transcripts():
    assert len(TRANSCRIPTS) >= 28
