"""Write a net of a few kilobytes with weights drawn by chance, for tests: it plays nothing, but like any other net.

    python scripts/go_net/tiny.py tests/data/go/tiny.onnx

Needs onnx and numpy.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

PLANES, NUMBERS, CHANNELS = 15, 8, 4


def main(path: Path) -> None:
    """Write the net."""
    chance = np.random.default_rng(7)
    weights = {
        "stem": chance.normal(0, 0.4, (CHANNELS, PLANES, 3, 3)),
        "told": chance.normal(0, 0.2, (NUMBERS, CHANNELS)),
        "policy_points": chance.normal(0, 0.6, (1, CHANNELS, 1, 1)),
        "policy_pass": chance.normal(0, 0.3, (CHANNELS, 1)) - 1.0,
        "outcome_value": chance.normal(0, 0.5, (CHANNELS, 1)),
        "outcome_score": chance.normal(0, 0.2, (CHANNELS, 1)),
        "owner_points": chance.normal(0, 0.5, (1, CHANNELS, 1, 1)),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["planes", "stem"], ["seen"], pads=[1, 1, 1, 1]),
        node("MatMul", ["numbers", "told"], ["flat"]),
        node("Unsqueeze", ["flat", "axes"], ["column"]),
        node("Add", ["seen", "column"], ["sum"]),
        node("Relu", ["sum"], ["body"]),
        node("GlobalAveragePool", ["body"], ["pooled"]),
        node("Flatten", ["pooled"], ["mean"]),
        node("Conv", ["body", "policy_points"], ["map"]),
        node("Flatten", ["map"], ["points"]),
        node("MatMul", ["mean", "policy_pass"], ["passing"]),
        node("Concat", ["points", "passing"], ["policy"], axis=1),
        node("MatMul", ["mean", "outcome_value"], ["value_column"]),
        node("Squeeze", ["value_column", "one"], ["value"]),
        node("MatMul", ["mean", "outcome_score"], ["score_column"]),
        node("Squeeze", ["score_column", "one"], ["score"]),
        node("Conv", ["body", "owner_points"], ["owner_map"]),
        node("Tanh", ["owner_map"], ["owner_bound"]),
        node("Flatten", ["owner_bound"], ["owner"]),
    ]
    constants = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    constants.append(numpy_helper.from_array(np.asarray([2, 3], np.int64), "axes"))
    constants.append(numpy_helper.from_array(np.asarray([1], np.int64), "one"))

    def tensor(name: str, *shape: int | str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))

    graph = helper.make_graph(
        nodes,
        "tiny",
        [tensor("planes", "batch", PLANES, "height", "width"), tensor("numbers", "batch", NUMBERS)],
        [
            tensor("policy", "batch", "moves"),
            tensor("value", "batch"),
            tensor("score", "batch"),
            tensor("owner", "batch", "points"),
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, {"qiqiao": "go-net 1"})
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
