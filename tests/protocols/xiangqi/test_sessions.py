"""What real clients send: one text file each, played against the server."""

import pytest
from conversation import play
from support import DATA, PURE

from engines.xiangqi.player import Settings
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server

FILES = sorted((DATA / "xiangqi" / "sessions").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_session(path):
    settings = Settings(hash=1, move_time=0.2 if PURE else 0.05, resign=2000)
    server = Server({"ucci": Ucci(), "uci": Uci()}, path.suffix[1:], settings)
    try:
        play(path, server)
    finally:
        server.notice_end("gone")
        server.close()


def test_there_are_sessions():
    assert len(FILES) > 15
