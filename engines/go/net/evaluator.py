"""A net file at work: planes and numbers in, policy, winning chance, lead and ownership out, by onnxruntime.

What a net must take and answer is in docs/go-net.md. onnxruntime (extra ``qiqiao[net]``) and numpy are imported when a
net is opened, and only then.
"""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.go.net.planes import NUMBER_OF_GLOBALS, NUMBER_OF_PLANES
from engines.player import PlayerError

if TYPE_CHECKING:
    import numpy as np

INTERFACE = "go-net 1"
"""What a net file says of itself under the key ``qiqiao``; another number is another set of planes."""

INPUTS = ("planes", "numbers")
OUTPUTS = ("policy", "value", "score", "owner")

LEAD_UNIT = 20.0
"""Points of lead that the net's score of 1 stands for."""

LARGEST_FILE = 1 << 30
"""Bytes beyond which a file is no net of ours."""

NO_RUNTIME = "a net needs onnxruntime, which is not installed: pip install 'qiqiao[net]', or do without (--net none)"


def check_file(path: str) -> None:
    """Look whether a file can be a net, and whether onnxruntime is there, without loading either.

    Raises ValueError with a text for the user.
    """
    try:
        if not 0 < Path(path).stat().st_size < LARGEST_FILE:
            raise ValueError(f"{path} is not a net: it is empty or too large")
        content = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"the net can't be read: {error}") from None
    # A key and a value of the file's metadata, as they lie in an ONNX file; they come last, so it is whole.
    if b"\x06qiqiao" not in content or INTERFACE.encode() not in content:
        raise ValueError(f"{path} is not a net of the interface '{INTERFACE}' (see docs/go-net.md), or is damaged")
    if importlib.util.find_spec("onnxruntime") is None:
        raise ValueError(NO_RUNTIME)


class Evaluator:
    """A net, opened. ``evaluate`` may be called by several threads at once, each with its own thread's time.

    Raises PlayerError, with a text for the user, where the file is no such net or onnxruntime is missing.
    """

    def __init__(self, path: str) -> None:
        try:
            check_file(path)
        except ValueError as error:
            raise PlayerError(str(error)) from None
        try:
            import numpy
            import onnxruntime
        except ImportError as error:
            raise PlayerError(f"{NO_RUNTIME} ({error})") from None
        self.path = path
        self._numpy: Any = numpy
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        try:
            content = Path(path).read_bytes()
            self._session = onnxruntime.InferenceSession(content, settings, providers=["CPUExecutionProvider"])
        except Exception as error:
            # onnxruntime raises many kinds, some of them no more than an Exception.
            raise PlayerError(f"{path} can't be used as a net: {_first_line(error)}") from None
        has = self._session.get_modelmeta().custom_metadata_map.get("qiqiao")
        if has != INTERFACE:
            raise PlayerError(f"{path} is not a net of the interface '{INTERFACE}' (see docs/go-net.md)")
        ins, outs = ({one.name for one in some} for some in (self._session.get_inputs(), self._session.get_outputs()))
        if ins != set(INPUTS) or not set(OUTPUTS) <= outs:
            raise PlayerError(f"{path} has not the inputs and outputs of the interface (see docs/go-net.md)")
        self._check(5, 4)

    def _check(self, width: int, height: int) -> None:
        """Ask once, for a net of other planes or one that takes a single size fails only then."""
        planes = self._numpy.zeros(NUMBER_OF_PLANES * width * height, self._numpy.float32)
        policy, *_, owner = self.evaluate(planes, [0.0] * NUMBER_OF_GLOBALS, width, height, 0)
        if policy.shape != (width * height + 1,) or owner.shape != (width * height,):
            raise PlayerError(f"{self.path}: policy or ownership is not of the board's size (see docs/go-net.md)")

    def buffer(self, points: int) -> np.ndarray:
        """Room for the planes of a board of so many points, to be written by ``Planes``."""
        return self._numpy.zeros(NUMBER_OF_PLANES * points, self._numpy.float32)

    def evaluate(
        self, planes: np.ndarray, numbers: list[float], width: int, height: int, symmetry: int
    ) -> tuple[np.ndarray, float, float, np.ndarray]:
        """What the net says of a position, looked at in one of the eight symmetries (0 … 7; 4: rows and columns change
        places, and before that 2: upside down, 1: left and right; given back as the position lies).

        All from the side to move: logits of the moves (float32, row by row from the top left, the pass last), winning
        chance (0…1), lead in points, and who will own each point (−1…1, 1 for the side to move). Raises PlayerError.
        """
        numpy = self._numpy
        seen = turned(planes.reshape(NUMBER_OF_PLANES, height, width), symmetry)
        feed = {
            "planes": numpy.ascontiguousarray(seen)[None],
            "numbers": numpy.asarray([numbers], numpy.float32),
        }
        try:
            policy, value, score, owner = self._session.run(OUTPUTS, feed)
        except Exception as error:
            raise PlayerError(f"{self.path} can't be used as a net: {_first_line(error)}") from None
        moves, owned = policy.reshape(-1), owner.reshape(-1)
        points = width * height
        if moves.size == points + 1 and owned.size == points and symmetry:
            back = numpy.empty(points + 1, numpy.float32)
            back[:points] = turned_back(moves[:points].reshape(seen.shape[1:]), symmetry).reshape(-1)
            back[points] = moves[points]
            moves = back
            owned = numpy.ascontiguousarray(turned_back(owned.reshape(seen.shape[1:]), symmetry)).reshape(-1)
        win, lead = float(value.reshape(-1)[0]), float(score.reshape(-1)[0])
        if not numpy.isfinite(moves.sum() + win + lead + owned.sum()):
            raise PlayerError(f"{self.path} answers with what is no number")
        return moves, 1.0 / (1.0 + float(numpy.exp(-max(-60.0, min(60.0, win))))), lead * LEAD_UNIT, owned


_OPENED: dict[tuple[str, int, int], Evaluator] = {}
_OPENING = threading.Lock()


def opened(path: str) -> Evaluator:
    """The net of a file, opened once for all players while the file is as it was. Raises PlayerError."""
    try:
        found = Path(path).stat()
    except OSError as error:
        raise PlayerError(f"the net can't be read: {error}") from None
    key = (str(Path(path).resolve()), found.st_mtime_ns, found.st_size)
    with _OPENING:
        if key not in _OPENED:
            _OPENED[key] = Evaluator(path)
        return _OPENED[key]


def turned(grid: np.ndarray, symmetry: int) -> np.ndarray:
    """The last two axes (rows, columns) in one of the eight symmetries."""
    if symmetry & 1:
        grid = grid[..., ::-1]
    if symmetry & 2:
        grid = grid[..., ::-1, :]
    return grid.swapaxes(-1, -2) if symmetry & 4 else grid


def turned_back(grid: np.ndarray, symmetry: int) -> np.ndarray:
    """What ``turned`` made, as it lay before."""
    if symmetry & 4:
        grid = grid.swapaxes(-1, -2)
    if symmetry & 2:
        grid = grid[..., ::-1, :]
    return grid[..., ::-1] if symmetry & 1 else grid


def _first_line(error: Exception) -> str:
    """An error in one line."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
