"""The trained net as an ONNX file, and how it does on positions kept back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np


def export(out: Path, net: Path, cooled: bool = False) -> None:
    """Write the mean weights of a run, or those of its cooled end; single precision, any batch and board size."""
    import torch
    from model import GoNet

    state = torch.load(out / ("cooled.pt" if cooled else "checkpoint.pt"), weights_only=True)
    model = GoNet(*state["shape"])
    model.load_state_dict(state["mean"])
    model.eval()
    planes, numbers, blocks, channels = state["shape"]
    torch.onnx.export(
        model,
        (torch.zeros(2, planes, 9, 9), torch.zeros(2, numbers)),
        str(net),
        input_names=["planes", "numbers"],
        output_names=["policy", "value", "score", "owner"],
        dynamic_axes={
            "planes": {0: "batch", 2: "height", 3: "width"},
            "numbers": {0: "batch"},
            "policy": {0: "batch", 1: "moves"},
            "value": {0: "batch"},
            "score": {0: "batch"},
            "owner": {0: "batch", 1: "points"},
        },
        opset_version=17,
        dynamo=False,
    )
    import onnx

    kept = onnx.load(str(net))
    for key, value in {
        "qiqiao": "go-net 1",
        "shape": json.dumps([planes, numbers, blocks, channels]),
        "positions": str(state["used"]),
    }.items():
        entry = kept.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(kept, str(net))
    print(f"{net}: {net.stat().st_size} bytes, {state['used']} positions seen")


def judge(data: Path, net: Path) -> None:
    """Print the part of positions kept back where the net's first choice is the teacher's, by size, and its errors."""
    import onnxruntime
    from data import expand, read_shard
    from train import KEPT_BACK

    session = onnxruntime.InferenceSession(str(net))
    found: dict[int, list[np.ndarray]] = {}
    for path in sorted(data.glob("*/*.npz")):
        if int(path.stem.split("-")[1]) % KEPT_BACK != 1:
            continue
        pool = read_shard(path)
        for start in range(0, len(pool), 256):
            take = np.arange(start, min(start + 256, len(pool)))
            planes, numbers, policy, value, score, owner = expand(pool, take, 0)
            logits, win, lead, owned = session.run(None, {"planes": planes, "numbers": numbers})
            found.setdefault(pool.size, []).append(
                np.stack(
                    (
                        logits.argmax(1) == policy.argmax(1),
                        np.abs(1 / (1 + np.exp(-win)) - value),
                        np.abs(lead - score) * 20,
                        np.abs(owned - owner).mean(1),
                    ),
                    axis=1,
                )
            )
    for size, parts in sorted(found.items()):
        first, win_error, lead_error, owner_error = np.concatenate(parts).mean(0)
        print(
            f"{size}: {sum(map(len, parts))} positions, first choice {first:.1%}, winning chance ±{win_error:.3f}, "
            f"score ±{lead_error:.1f}, ownership ±{owner_error:.3f}"
        )
