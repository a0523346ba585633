"""Making the Xiangqi net: positions from games, what is learnt from, and the integers that come out."""

import importlib.util
import itertools
import sys
from argparse import Namespace

import pytest
from support import PURE, ROOT
from xiangqi_cases import some_net

from engines.xiangqi.board import Board
from engines.xiangqi.net import Accumulators, Net, bucket_of
from engines.xiangqi.net_file import WIDTH, read_net, write_net

pytestmark = pytest.mark.skipif(PURE, reason="games take too long uncompiled")


@pytest.fixture(scope="module")
def script():
    path = ROOT / "scripts" / "learn_xiangqi_net.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


class Folder:
    """A folder that says stop after some games."""

    def __init__(self, path, games):
        self.path, self.left = path, games

    def glob(self, pattern):
        return self.path.glob(pattern)

    def __truediv__(self, name):
        if name == "STOP":
            self.left -= 1
            if self.left < 0:
                (self.path / "STOP").touch()
        return self.path / name


@pytest.fixture(scope="module")
def positions(script, tmp_path_factory):
    path = tmp_path_factory.mktemp("positions")
    script.generate(Folder(path, 4), nodes=40, seed=3, net=None)
    return path


def boards(records):
    """The positions of records, as boards, with the records."""
    from engines.xiangqi.fen import Fen, write_fen
    from engines.xiangqi.geometry import SLOT_KINDS

    for places, score, static, move, ply, flags in records:
        pieces = [0] * 90
        for slot, square in enumerate(places):
            if square < 90:
                pieces[square] = SLOT_KINDS[slot % 16] + 8 * (slot // 16)
        yield Board(write_fen(Fen(tuple(pieces), flags & 1, 0, 1))), score, static, move, ply, flags


def records(script, path):
    return list(script.RECORD.iter_unpack(next(path.glob("*.bin")).read_bytes()))


def test_positions_are_quiet_and_whole(script, positions):
    kept = records(script, positions)
    assert len(kept) > 40
    for board, score, _, move, ply, flags in boards(kept):
        assert board.is_legal(move) and not board.in_check()
        assert board.piece_at(move & 127) == 0 and not board.gives_check(move)
        assert abs(score) <= script.LARGEST and ply >= 4 and flags >> 1 <= 3
    assert len({flags >> 1 for *_, flags in kept}) > 1


def test_playing_again_goes_on_where_it_was_and_a_broken_record_is_cut_off(script, positions, tmp_path):
    whole = next(positions.glob("*.bin")).read_bytes()
    path = tmp_path / "003-0000.bin"
    script.generate(Folder(tmp_path, 2), nodes=40, seed=3, net=None)
    half = path.read_bytes()
    assert whole.startswith(half) and 0 < len(half) < len(whole)
    (tmp_path / "STOP").unlink()
    path.write_bytes(half + b"half a record")
    script.generate(Folder(tmp_path, 2), nodes=40, seed=3, net=None)
    assert path.read_bytes() == whole


def test_no_game_is_begun_while_the_file_stop_is_there(script, tmp_path):
    (tmp_path / "STOP").touch()
    script.generate(tmp_path, nodes=40, seed=1, net=None)
    assert not list(tmp_path.glob("*.bin"))


def test_what_is_learnt_from_is_what_the_engine_sums_up(script, positions, tmp_path):
    np = pytest.importorskip("numpy")
    write_net(tmp_path / "some.xqnet", some_net())
    net = read_net(tmp_path / "some.xqnet")
    kept = Accumulators(Net(str(tmp_path / "some.xqnet")))
    data = script.read(np, positions, 60)
    assert len(data["scores"]) == 60
    table = np.vstack([np.array(net.rows, np.int32).reshape(-1, WIDTH), np.zeros((1, WIDTH), np.int32)])
    for i, (board, score, static, *_, flags) in enumerate(itertools.islice(boards(records(script, positions)), 60)):
        for other in range(2):
            sums = table[data["rows"][i, other]].sum(0) + np.array(net.bias)
            assert sums.tolist() == kept.view_sums(board, board.turn ^ other)
        heavy = sum(board.piece_at(square) & 7 in (4, 5, 6) for square in range(90))
        assert data["buckets"][i] == bucket_of(heavy)
        assert (data["scores"][i], data["statics"][i]) == (score, static)
        red = flags >> 1
        assert data["results"][i] == (-1 if red == 3 else (2 - red if board.turn else red) / 2)


def test_a_trained_net_says_in_integers_what_it_learnt(script, positions, tmp_path):
    np, torch = pytest.importorskip("numpy"), pytest.importorskip("torch")
    args = Namespace(folder=positions, out=tmp_path / "net.pt", epochs=2, batch=64, rate=0.002, result=0.3)
    args.decay, args.most, args.threads = 0.05, 1 << 30, 1
    script.train(args)
    model = script.model(torch)
    state = torch.load(args.out)
    assert state["epoch"] == 2
    model.load_state_dict(state["net"])
    script.export(args.out, tmp_path / "net.xqnet")
    kept = Accumulators(Net(str(tmp_path / "net.xqnet")))
    data = script.read(np, positions, 50)
    with torch.no_grad():
        wanted = model(torch.from_numpy(data["rows"]).int(), torch.from_numpy(data["buckets"])) * script.SCALE
    for (board, *_), value in zip(boards(records(script, positions)), wanted.tolist(), strict=False):
        assert abs(kept.value(board) - value) < 8
    args.epochs = 3  # goes on where it was
    script.train(args)
    assert torch.load(args.out)["epoch"] == 3


def test_a_match_against_the_evaluation_without_a_net(script, tmp_path, capsys):
    write_net(tmp_path / "some.xqnet", some_net())
    script.evaluate(tmp_path / "some.xqnet", games=4, nodes=400, seed=1, same_time=False)
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("2 games: ") and last.startswith("4 games: 0.0%")  # numbers at random lose
    assert "thousand nodes a second" in last
