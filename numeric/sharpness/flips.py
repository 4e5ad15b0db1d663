"""Units of the MLP that noise of every parameter turns on or off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.target import TargetBatch

ENTRIES = 2**22
"""Hidden units of perturbed networks, and entries of their attention, held at once."""


class Flips(NamedTuple):
    """In how many draws a unit flipped on at least one of the inputs."""

    active: int  # a unit of a component's row
    any: int  # a unit of any row
    draws: int


def flips(blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float, draws: int, seed: int) -> Flips:
    """Draw noise of every parameter and count the draws in which a unit of one network's MLP flips at inputs (N, T).

    Dead units count as any other. The noise is drawn on the CPU: the same for every device.
    """
    before = trace(blocks, batch, bits).hidden > 0
    rows, width = bits.shape[-1] + 1, before.shape[-1]
    some = max(1, ENTRIES // (len(bits) * rows * (rows + width)))
    seeds = np.random.SeedSequence(seed).generate_state(-(-draws // some))
    active = total = 0
    for start, own in zip(range(0, draws, some), seeds.tolist(), strict=True):
        count = min(some, draws - start)
        copies = batch.repeat(count)
        still = blocks.with_weights([weight.repeat(count, *(1,) * (weight.ndim - 1)) for _, weight in blocks.named()])
        noisy = moved(still, gaussian(copies, still, own), sigma)
        flipped = ((trace(noisy, copies, bits).hidden > 0) != before).any(-1).any(1)
        active += int(flipped[:, : batch.max_sparsity].any(-1).sum())
        total += int(flipped.any(-1).sum())
    return Flips(active, total, draws)
