"""Gaussian noise on every parameter, for networks of different sizes in one batch."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, Channels, Layout
from boundaudit.numeric.sharpness.mlp import units
from boundaudit.numeric.sharpness.target import TargetBatch


def real_entries(batch: TargetBatch, layout: Layout = "published", *, pruned: bool = False) -> list[Tensor]:
    """Which entries of the blocks are parameters and no padding, bool, of their shapes, as in `Blocks.named`."""
    rest = torch.ones(len(batch), Channels(0, layout).count, dtype=torch.bool, device=batch.device)
    channel = torch.cat([batch.real_positions, rest], dim=1)
    unit = units(batch.degree, "steep", pruned=pruned).real
    square, tall = channel[:, :, None] & channel[:, None], channel[:, :, None] & unit[:, None]
    return [square, square, tall, unit, tall.mT, square, channel]


def gaussian(batch: TargetBatch, blocks: Blocks, seed: int, *, pruned: bool = False) -> Blocks:
    """One draw of independent standard normal noise for each network, 0 on padding, the same for every device."""
    generator = np.random.default_rng(seed)
    masks = real_entries(batch, blocks.layout, pruned=pruned)
    drawn = [torch.from_numpy(generator.standard_normal(weight.shape)) for _, weight in blocks.named()]
    return blocks.with_weights([e.to(mask.device) * mask for e, mask in zip(drawn, masks, strict=True)])


def moved(blocks: Blocks, noise: Blocks, sigma: float | Tensor) -> Blocks:
    """θ + σ ε, noise in the shapes of the blocks, σ one for all or one for each, (B,)."""
    size = torch.as_tensor(sigma, dtype=torch.float64, device=blocks.V2.device)

    def scaled(e: Tensor) -> Tensor:
        return size.reshape(-1, *(1 for _ in e.shape[1:])) * e if size.ndim else size * e

    pairs = zip(blocks.named(), noise.named(), strict=True)
    return blocks.with_weights([weight + scaled(e) for (_, weight), (_, e) in pairs])
