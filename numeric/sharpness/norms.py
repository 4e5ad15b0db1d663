"""Theorem 10: the squared norm of the construction, measured on its entries.

Nothing here knows a closed form: the blocks are built and all their entries are squared and summed, for many targets at
once in passes of bounded memory.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, Channels, Layout, build
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**20
"""Entries of the blocks held at once: 8 MiB of float64, and as much again for their squares."""


def norms_squared(
    batch: TargetBatch, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0,
    pruned: bool = False,
) -> dict[str, Tensor]:  # fmt: skip
    """The sum of squared entries of each block and, ``"total"``, of all, each (B,); no norm depends on the layout."""
    norms = _over_blocks(batch, lambda block: block.square().sum(-1), layout, mlp, scale, pruned=pruned)
    norms["total"] = torch.stack(list(norms.values())).sum(0)
    return norms


def parameter_count(batch: TargetBatch, layout: Layout = "published", *, pruned: bool = False) -> Tensor:
    """How many entries the blocks have without padding, all of them parameters, int64, (B,)."""
    channels = batch.real_positions.sum(-1) + Channels(0, layout).count
    hidden = units(batch.degree, "steep", pruned=pruned).real.sum(-1)
    square, tall = channels * channels, channels * hidden
    return 3 * square + 2 * tall + hidden + channels


def _over_blocks(
    batch: TargetBatch, measure: Callable[[Tensor], Tensor], layout: Layout, mlp: Trapezoid, scale: float, *,
    pruned: bool = False,
) -> dict[str, Tensor]:  # fmt: skip
    """Return the measure of each block, building a few targets at a time; it gets (n, entries)."""
    step = max(1, CHUNK // _padded_entries(batch, layout))
    parts: dict[str, list[Tensor]] = {}
    for start in range(0, len(batch), step):
        blocks: Blocks = build(batch[start : start + step], layout=layout, mlp=mlp, scale=scale, pruned=pruned)
        for name, block in blocks.named():
            parts.setdefault(name, []).append(measure(block.flatten(1)))
    return {name: torch.cat(values) for name, values in parts.items()}


def _padded_entries(batch: TargetBatch, layout: Layout) -> int:
    """Return the number of entries of one target's blocks, padding included."""
    channels, hidden = Channels(batch.max_length, layout).count, 4 * (int(batch.degree.max()) + 1)
    return channels * (3 * channels + 2 * hidden + 1) + hidden
