"""Make the Go net: games of a teacher, training, export, tests on positions kept back.

    python scripts/learn_go_net.py generate --katago KATAGO --model TEACHER.bin.gz --data DIR --size 9 --seed 1
    python scripts/learn_go_net.py train --data DIR --out RUN --blocks 6 --channels 48 --steps 20000
    python scripts/learn_go_net.py export --out RUN --net engines/go/net/net.onnx
    python scripts/learn_go_net.py evaluate --data DIR --net engines/go/net/net.onnx

Every step goes on where it was killed: shards are written whole or not at all, training keeps a checkpoint every five
minutes with its curve (``curve.jsonl``) beside it and takes in shards that have come since. ``--stop FILE`` ends a step
in good order when that file appears. Needs PyTorch (train, export) and onnx; the data do not belong into the
repository. What the net sees and answers is in ``docs/go-net.md``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "go_net"))
sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("generate", help="play and label games")
    one.add_argument("--katago", required=True, help="the program")
    one.add_argument("--model", required=True, help="the teacher's net")
    one.add_argument("--data", type=Path, required=True)
    one.add_argument("--size", type=int, required=True)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--shards", type=int, default=1)
    one.add_argument("--games", type=int, default=32, help="in a shard (32)")
    one.add_argument("--at-once", type=int, default=16, help="games side by side (16)")
    one.add_argument("--stop", type=Path, default=Path("STOP"))
    one = steps.add_parser("train", help="train, from the last checkpoint if there is one")
    one.add_argument("--data", type=Path, required=True)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--blocks", type=int, default=6)
    one.add_argument("--channels", type=int, default=48)
    one.add_argument("--steps", type=int, default=1_000_000, help="where to end; the rate does not hang on it")
    one.add_argument("--cool", type=int, default=0, help="so many steps with a falling rate instead, kept apart")
    one.add_argument("--seconds", type=float, default=300, help="between checkpoints (300)")
    one.add_argument("--batch", type=int, default=128)
    one.add_argument("--rate", type=float, default=2e-3)
    one.add_argument("--threads", type=int, default=1)
    one.add_argument("--stop", type=Path, default=Path("STOP"))
    one = steps.add_parser("export", help="write the trained net as ONNX")
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--cooled", action="store_true", help="of the cooled weights")
    one.add_argument("--net", type=Path, required=True)
    one = steps.add_parser("evaluate", help="judge a net on positions kept back")
    one.add_argument("--data", type=Path, required=True)
    one.add_argument("--net", type=Path, required=True)
    arguments = vars(parser.parse_args())
    step = arguments.pop("step")
    if step == "generate":
        from generate import generate

        generate(**arguments)
    elif step == "train":
        from train import train

        train(**arguments)
    elif step == "export":
        from export import export

        export(**arguments)
    else:
        from export import judge

        judge(**arguments)


if __name__ == "__main__":
    main()
