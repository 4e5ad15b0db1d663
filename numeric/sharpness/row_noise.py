"""One row of the construction under noise of every parameter, to first order; and draws in which units flip.

A row depends on the bits through how many of the keys in its set and outside are ones, so that its attention, its
hidden units and the variances of what noise does to it are sums over four groups of equal keys. `first_order`
differentiates the whole network along a direction instead, for any weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.func import jvp

from boundaudit.numeric.sharpness.construction import Blocks, Channels
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import TargetBatch

ENTRIES = 2**22
"""Hidden units of perturbed networks, and entries of their attention, held at once."""


class Row(NamedTuple):
    """Rows of B networks; variances are in units of σ²."""

    share: Tensor  # the average s of the bits, (B,)
    tokens: Tensor  # ‖X^T a‖² for the attention a, (B,)
    pull: Tensor  # ‖x_t‖² ‖Σ a_j (z_j - s) x_j‖², (B,)
    on: Tensor  # whether a unit is active; on its kink it is not, (B, H)
    hidden: Tensor  # hidden units, (B, H)
    output: Tensor  # the data column of F, (B, H)
    channels: Tensor  # T + 2, (B,)

    def average_data(self) -> Tensor:
        """Variance of the data channel of the average b, shape (B,)."""
        return self.tokens + self.pull

    def average_square(self) -> Tensor:
        """E ‖b̃ - b‖², shape (B,)."""
        return self.channels * self.tokens + self.pull

    def argument(self) -> Tensor:
        """Variance of each unit's argument, shape (B,)."""
        return self.average_data() + self.share.square() + 1

    def data(self) -> Tensor:
        """Variance of the data channel of the MLP's output, shape (B,)."""
        slope = (self.output * self.on).sum(-1)
        return slope.square() * self.average_data() + (1 + self.share.square()) * self._outer() + self._size()

    def square(self) -> Tensor:
        """E ‖g̃ - g‖², shape (B,)."""
        return self.data() + (self.channels - 1) * self._size()

    def slope_square(self) -> Tensor:
        """E ‖δ(∂g/∂b)‖² for the data channel of b, shape (B,)."""
        return self._outer() + self.channels * self.on.sum(-1)

    def slope_parts(self) -> tuple[Tensor, Tensor]:
        """Variance of every channel of δ(∂g/∂b) for the data channel of b, and what the data channel has more."""
        return self.on.sum(-1).double(), self._outer()

    def _outer(self) -> Tensor:
        return (self.output.square() * self.on).sum(-1)

    def _size(self) -> Tensor:
        return self.hidden.square().sum(-1)


def active_row(
    length: Tensor, degree: Tensor, inside: Tensor, outside: Tensor, bit: Tensor, mlp: Trapezoid, *, scale: float = 2.0
) -> Row:
    """Rows of components, by T, D, ones inside and outside of the set, and the row's own bit; int64, (B,)."""
    counts = torch.stack([inside, degree - inside, outside, length + 1 - degree - outside], dim=1).double()
    logit = scale * length.double().log()
    zero = torch.zeros_like(logit)
    return _row(counts, torch.stack([logit, logit, zero, zero], dim=1), length, degree, bit, mlp)


def idle_row(length: Tensor, degree: Tensor, ones: Tensor, bit: Tensor, mlp: Trapezoid) -> Row:
    """Rows that no component uses, attention uniform, by T, D, the input's ones and the row's own bit; int64, (B,)."""
    zero = torch.zeros_like(ones)
    counts = torch.stack([ones, length + 1 - ones, zero, zero], dim=1).double()
    return _row(counts, torch.zeros_like(counts), length, degree, bit, mlp)


def _row(counts: Tensor, logits: Tensor, length: Tensor, degree: Tensor, bit: Tensor, mlp: Trapezoid) -> Row:
    """A row whose keys fall into four groups: ones, zeros, ones, zeros."""
    bits = torch.tensor([1.0, 0.0, 1.0, 0.0], dtype=torch.float64, device=counts.device)
    weight = logits.exp() / (counts * logits.exp()).sum(-1, keepdim=True)
    share = (counts * weight * bits).sum(-1)
    offset = weight * (bits - share[:, None])
    spread = (counts * offset.square()).sum(-1) + (counts * offset * bits).sum(-1).square()
    real, bias, output = units(degree, mlp)
    argument = torch.where(real, share[:, None] + bias, 0.0)
    return Row(
        share, (counts * weight.square()).sum(-1) + share.square(), (1 + bit) * spread, argument > CLOSE,
        argument.clamp(min=0), output, length + 2,
    )  # fmt: skip


def least_margin(length: Tensor, degree: Tensor, mlp: Trapezoid, *, scale: float = 2.0) -> Tensor:
    """How close in s active rows come to any unit's breakpoint, dead ones too, over all inputs; T, D int64, (B,)."""
    inside = torch.arange(int(degree.max()) + 1, device=length.device)
    outside = torch.arange(int((length - degree).max()) + 1, device=length.device)
    weight = length.double().pow(scale)
    total = degree * weight + length + 1 - degree
    share = (inside[:, None] * weight[:, None, None] + outside) / total[:, None, None]
    possible = (inside[:, None] <= degree[:, None, None]) & (outside <= (length - degree)[:, None, None])
    real, bias, _ = units(degree, mlp)
    distance = (share[..., None] + bias[:, None, None]).abs()
    return distance.where(possible[..., None] & real[:, None, None], torch.inf).flatten(1).amin(-1)


class Moves(NamedTuple):
    """What noise of size one does to the first component's row, to first order; n networks."""

    average: Tensor  # the change of b, (n, E)
    output: Tensor  # the change of g, (n, E)
    slope: Tensor  # the change of ∂g/∂b for the data channel of b, (n, E)


def first_order(blocks: Blocks, batch: TargetBatch, bits: Tensor, noise: Blocks, *, scale: float = 2.0) -> Moves:
    """The derivative of the first row of n networks of any weights along a direction each, at inputs (n, T_max)."""
    data = Channels(batch.max_length, blocks.layout).data
    on = trace(blocks, batch, bits[:, None], scale=scale).hidden[:, 0, 0] > 0

    def row(weights: Sequence[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        given = blocks.with_weights(weights)
        passed = trace(given, batch, bits[:, None], scale=scale)
        slope = ((given.M[:, data] * on)[:, None] @ given.F)[:, 0]
        return passed.averaged[:, 0, 0], passed.stream[:, 0, 0], slope

    point, along = (tuple(weight for _, weight in given.named()) for given in (blocks, noise))
    return Moves(*jvp(row, (point,), (along,))[1])


class Flips(NamedTuple):
    """In how many draws a unit flipped on at least one of the inputs."""

    active: int  # a unit of a component's row
    any: int  # a unit of any row
    draws: int


def flips(blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float, draws: int, seed: int) -> Flips:
    """In how many draws of noise a unit of one network's MLP flips at (N, T), dead ones too; alike on every device."""
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
