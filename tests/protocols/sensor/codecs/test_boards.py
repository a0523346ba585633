"""What a user writes, and the board it means."""

import json

import pytest
from support import ROOT

from protocols.sensor.codecs.boards import board_spec
from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.codecs.saiboard import SaiboardCodec
from protocols.sensor.links.connection import AUTO

LETTERS = str(ROOT / "docs" / "boards" / "letters.toml")


@pytest.mark.parametrize(
    ("written", "url", "codec"),
    [
        ("/dev/ttyUSB0", "/dev/ttyUSB0", QsbCodec),
        ("COM5", "COM5", QsbCodec),
        ("socket://board:4000", "socket://board:4000", QsbCodec),
        ("saiboard://192.168.4.1", "socket://192.168.4.1:3333", SaiboardCodec),
        ("saiboard://host:4444", "socket://host:4444", SaiboardCodec),
        ("auto", AUTO, QsbCodec),
    ],
)
def test_urls(written, url, codec):
    spec = board_spec(written)
    assert spec.url == url and isinstance(spec.make_codec(), codec)


def test_one_certain_board():
    spec = board_spec("auto:7F3A")
    assert (spec.url, spec.uid) == (AUTO, "7F3A")


def test_a_described_board_brings_its_line_settings():
    spec = board_spec("/dev/ttyUSB0", describe=LETTERS)
    assert spec.settings.baud == 57600 and isinstance(spec.make_codec(), DescribedCodec)


@pytest.mark.parametrize("written", ["", "saiboard://", "saiboard://host:none"])
def test_wrong_ones(written):
    with pytest.raises(ValueError):
        board_spec(written)


def test_a_described_board_cannot_be_looked_for():
    with pytest.raises(ValueError, match="needs a port"):
        board_spec("auto", describe=LETTERS)


def test_a_kept_baseline_is_used_and_a_new_one_kept(tmp_path, capsys):
    path = tmp_path / "baseline.json"
    spec = board_spec("saiboard://host", baseline=str(path))
    codec = spec.make_codec()
    assert codec.baseline is None
    codec._on_baseline([1.0, 2.5])
    assert json.loads(path.read_text()) == [1.0, 2.5]
    path.write_text(json.dumps([2000.0] * 361))
    assert board_spec("saiboard://host", baseline=str(path)).make_codec().baseline == [2000.0] * 361
    path.write_text("rubbish")
    with pytest.raises(ValueError, match="not a baseline"):
        board_spec("saiboard://host", baseline=str(path))
    board_spec("saiboard://host", baseline=str(tmp_path / "no" / "x")).make_codec()._on_baseline([1.0])
    assert "cannot be kept" in capsys.readouterr().err
