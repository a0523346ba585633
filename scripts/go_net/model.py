"""The Go net in PyTorch: residual blocks on the board, some with global pooling, and four heads.

One net serves all board sizes, for nothing in it depends on the size: convolutions, means and maxima over the board.
Inputs: planes (N, P, H, W) and numbers about the game (N, G), as ``engines.go.net.planes`` makes them. Outputs, all
from the side to move: policy (N, H*W + 1) as logits with the pass last, value (N) as a logit of winning, score (N) in
units of 20 points, ownership (N, H*W) from -1 to 1.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Pool(nn.Module):
    """Mean, mean scaled by the board's size, and maximum of each channel: (N, C, H, W) to (N, 3C)."""

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(dim=(2, 3))
        side = torch.sqrt(torch.tensor(float(1)) * x.shape[2] * x.shape[3])
        return torch.cat((mean, mean * (side - 14.0) / 10.0, x.amax(dim=(2, 3))), dim=1)


class Block(nn.Module):
    """Two convolutions around a shortcut; with ``pooled`` channels the first also looks at the whole board."""

    def __init__(self, channels: int, pooled: int = 0) -> None:
        super().__init__()
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.pooled = pooled
        if pooled:
            self.look = nn.Conv2d(channels, pooled, 3, padding=1, bias=False)
            self.look_norm = nn.BatchNorm2d(pooled)
            self.pool = Pool()
            self.tell = nn.Linear(3 * pooled, channels)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(x))
        out = self.conv1(y)
        if self.pooled:
            seen = self.pool(F.relu(self.look_norm(self.look(y))))
            out = out + self.tell(seen)[:, :, None, None]
        return x + self.conv2(F.relu(self.norm2(out)))


class GoNet(nn.Module):
    """``blocks`` residual blocks of ``channels`` channels; every third looks at the whole board."""

    def __init__(self, planes: int, numbers: int, blocks: int = 6, channels: int = 48) -> None:
        super().__init__()
        self.shape = (planes, numbers, blocks, channels)
        self.stem = nn.Conv2d(planes, channels, 3, padding=1, bias=False)
        self.stem_numbers = nn.Linear(numbers, channels)
        self.blocks = nn.ModuleList(
            Block(channels, channels // 3 if number % 3 == 1 else 0) for number in range(blocks)
        )
        self.norm = nn.BatchNorm2d(channels)
        head = max(24, channels // 2)
        self.policy = nn.Conv2d(channels, head, 1, bias=False)
        self.policy_look = nn.Conv2d(channels, head, 1, bias=False)
        self.policy_tell = nn.Linear(3 * head, head)
        self.policy_norm = nn.BatchNorm2d(head)
        self.policy_out = nn.Conv2d(head, 1, 1, bias=False)
        self.pass_hidden = nn.Linear(3 * head, head)
        self.pass_out = nn.Linear(head, 1)
        self.value = nn.Conv2d(channels, head, 1, bias=False)
        self.value_norm = nn.BatchNorm2d(head)
        self.value_hidden = nn.Linear(3 * head, 64)
        self.value_out = nn.Linear(64, 2)
        self.owner = nn.Conv2d(head, 1, 1)
        self.pool = Pool()
        for block in self.blocks:
            nn.init.zeros_(block.conv2.weight)

    def forward(self, planes: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.stem(planes) + self.stem_numbers(numbers)[:, :, None, None]
        for block in self.blocks:
            x = block(x)
        x = F.relu(self.norm(x))
        seen = self.pool(F.relu(self.policy_look(x)))
        p = self.policy(x) + self.policy_tell(seen)[:, :, None, None]
        points = self.policy_out(F.relu(self.policy_norm(p))).flatten(1)
        passing = self.pass_out(F.relu(self.pass_hidden(seen)))
        v = F.relu(self.value_norm(self.value(x)))
        outcome = self.value_out(F.relu(self.value_hidden(self.pool(v))))
        return torch.cat((points, passing), 1), outcome[:, 0], outcome[:, 1], torch.tanh(self.owner(v)).flatten(1)
