"""Train the Go net on labelled games, from where the last run stopped; see ``scripts/learn_go_net.py``."""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path

import numpy as np
import torch
from data import Samples, batches, expand, read_shard
from model import GoNet
from torch.nn import functional as F

from engines.go.net.planes import NUMBER_OF_GLOBALS, NUMBER_OF_PLANES

KEPT_BACK = 20
"""One shard of so many is never trained on."""

SIZE_WEIGHTS = {19: 8.0, 9: 10.0, 13: 2.5}
"""How often a batch is of a size; 1 for the others."""


def load(data: Path, have: dict[int, Samples], seen: set[Path], held: dict[int, Samples]) -> int:
    """Add the shards that are new to ``have``, those kept back to ``held``; how many positions that were."""
    added = 0
    for path in sorted(data.glob("*/*.npz")):
        if path in seen:
            continue
        seen.add(path)
        samples = read_shard(path)
        kept_back = int(path.stem.split("-")[1]) % KEPT_BACK == 1
        pool = held if kept_back else have
        pool[samples.size] = join(pool[samples.size], samples) if samples.size in pool else samples
        added += 0 if kept_back else len(samples)
    return added


def join(one: Samples, other: Samples) -> Samples:
    """Both."""
    names = ("planes", "numbers", "policy", "value", "score", "owner")
    return Samples(one.size, *(np.concatenate((getattr(one, name), getattr(other, name))) for name in names))


def losses(net: GoNet, batch: tuple[np.ndarray, ...]) -> dict[str, torch.Tensor]:
    """What is made small, part by part, and how often the first choice is the teacher's."""
    planes, numbers, policy, value, score, owner = (torch.from_numpy(np.asarray(one, np.float32)) for one in batch)
    logits, win, lead, owned = net(planes, numbers)
    return {
        "policy": -(policy * F.log_softmax(logits, 1)).sum(1).mean()
        + (policy * torch.log(policy.clamp_min(1e-9))).sum(1).mean(),
        "value": F.binary_cross_entropy_with_logits(win, value),
        "score": F.smooth_l1_loss(lead, score, beta=0.5),
        "owner": F.mse_loss(owned, owner),
        "top1": (logits.argmax(1) == policy.argmax(1)).float().mean(),
        "error": (torch.sigmoid(win) - value).abs().mean(),
    }


WEIGHTS = {"policy": 1.0, "value": 1.2, "score": 0.6, "owner": 0.8}


def evaluate(net: GoNet, held: dict[int, Samples], most: int = 2048) -> dict[int, dict[str, float]]:
    """The losses on positions kept back, by size."""
    net.eval()
    found = {}
    with torch.no_grad():
        for size, pool in sorted(held.items()):
            take = np.random.default_rng(1).permutation(len(pool))[:most]
            parts: dict[str, float] = {}
            for start in range(0, len(take), 256):
                some = take[start : start + 256]
                for name, loss in losses(net, expand(pool, some, 0)).items():
                    parts[name] = parts.get(name, 0.0) + float(loss) * len(some) / len(take)
            found[size] = {name: round(value, 4) for name, value in parts.items()}
    net.train()
    return found


def train(
    data: Path,
    out: Path,
    blocks: int,
    channels: int,
    steps: int,
    batch: int,
    rate: float,
    threads: int,
    stop: Path,
    cool: int = 0,
    seconds: float = 300,
) -> None:
    """Train to step ``steps`` at a constant rate, with the running mean of the weights beside them (``mean``), which is
    what plays; a checkpoint every ``seconds`` or so. The rate never falls by itself, so that training can go on for
    days as data come.

    ``cool``: rather go from the checkpoint through so many steps with a rate that falls to nothing, and keep the result
    apart (``cooled.pt``), which plays better for now; the checkpoint stays as it is.
    """
    torch.set_num_threads(threads)
    have: dict[int, Samples] = {}
    held: dict[int, Samples] = {}
    seen: set[Path] = set()
    load(data, have, seen, held)
    net = GoNet(NUMBER_OF_PLANES, NUMBER_OF_GLOBALS, blocks, channels)
    mean = copy.deepcopy(net)
    decay = [one for one in net.parameters() if one.dim() > 1]
    plain = [one for one in net.parameters() if one.dim() <= 1]
    groups = [{"params": decay, "weight_decay": 1e-2}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate)
    step = used = since = 0
    first = kept = out / "checkpoint.pt"
    out.mkdir(parents=True, exist_ok=True)
    if cool:
        kept = out / "cooled.pt"
        first = kept if kept.exists() else first
    if first.exists():
        state = torch.load(first, weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimizer.load_state_dict(state["optimizer"])
        step, used = state["step"], state["used"]
        since = state.get("since", step)
    if cool:
        steps = since + cool
    chance = np.random.default_rng(step + 1)
    source = batches(have, batch, SIZE_WEIGHTS, chance)
    begin = last = time.monotonic()
    running: dict[str, float] = {}
    net.train()
    while step < steps and not stop.exists():
        now = rate * min(1.0, (step + 1) / 500)
        if cool:
            now *= (steps - step) / cool
        for group in optimizer.param_groups:
            group["lr"] = now
        parts = losses(net, next(source))
        loss = sum(WEIGHTS[name] * parts[name] for name in WEIGHTS)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step += 1
        used += batch
        share = min(0.99 if cool else 0.998, step / (step + 10))
        with torch.no_grad():
            for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if old.dtype.is_floating_point:
                    old.lerp_(new, 1 - share)
                else:
                    old.copy_(new)
        for name, value in parts.items():
            now_value = float(value.detach())
            running[name] = 0.99 * running.get(name, now_value) + 0.01 * now_value
        if time.monotonic() - last > seconds or step == steps or stop.exists():
            last = time.monotonic()
            state = {
                "net": net.state_dict(),
                "mean": mean.state_dict(),
                "optimizer": optimizer.state_dict(),
                "step": step,
                "used": used,
                "since": since if cool else step,
                "shape": net.shape,
            }
            torch.save(state, out / "new.pt")
            (out / "new.pt").replace(kept)
            line = {
                "step": step,
                "used": used,
                "have": sum(map(len, have.values())),
                "seconds": round(last - begin),
                "rate": round(now, 6),
                "running": {name: round(value, 4) for name, value in running.items()},
                "held": evaluate(mean, held, 512),
            }
            with (out / "curve.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)
            if load(data, have, seen, held):
                source = batches(have, batch, SIZE_WEIGHTS, chance)
