"""What leaving out the dead hidden units takes from the squared gradient, and a part of it in closed form."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.row_sums import Rows, averaged
from boundaudit.numeric.sharpness.rows import attention
from boundaudit.numeric.sharpness.target import TargetBatch

FIRST = 4
"""The hidden unit of the first odd grid point that breaks first."""


def saved(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """|∇f|² of the whole network less that of the pruned one, (B, N), at inputs (N, T_max) for all or (B, N, T_max).

    Where a unit sits on its kink, of the derivatives from the left of both.
    """
    whole, pruned = (derivatives(batch, bits, mlp=mlp, pruned=p).gradient for p in (False, True))
    return whole - pruned


def first_dead(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    """The hidden unit of the first odd grid point that breaks first, at inputs (N, T_max) or (B, N, T_max).

    Its values on the rows of components, shape (B, N, w), zero beyond ω, and on all other rows, shape (B, N).
    """
    ones = (bits.bool() & batch.real_positions[:, None]).double().sum(-1)
    uniform, bias = attention(batch, 2.0).uniform[:, None], units(batch.degree, mlp).bias[:, FIRST, None]
    active = torch.where(batch.active[:, None], (share(batch, bits) + bias[..., None]).relu(), 0.0)
    return active, (uniform * ones + bias).relu()


def layer_2(batch: TargetBatch, active: Tensor, unused: Tensor) -> Tensor:
    """The average under layer 2's attention of numbers on rows of components, (B, N, w), and on all others, (B, N)."""
    weights = attention(batch, 2.0)
    idle = (batch.length + 1 - batch.sparsity) * weights.unused
    return (active * weights.active[:, None]).sum(-1) + idle[:, None] * unused


def share(batch: TargetBatch, bits: Tensor) -> Tensor:
    """The average of bits on the rows of components, (B, N, w), at inputs (N, T_max) for all alike or (B, N, T_max)."""
    z = (bits.bool() & batch.real_positions[:, None]).double()
    weights = attention(batch, 2.0)
    member, other = weights.member[:, None, None], weights.other[:, None, None]
    return (member - other) * (z @ batch.members.double().mT) + other * z.sum(-1)[..., None]


def others(r: Rows) -> Tensor:
    """The squared gradient in F's rows of dead units, but for the first one's last column, row by row, (B,)."""
    dead = ((r.units.output == 0) & r.units.real).double()
    values = averaged(r.a, r.hidden) ** 2
    values[:, FIRST] = 0.0
    keys = r.keys[:, None] * averaged(r.pull, r.hidden) ** 2
    query = (r.pull * r.logits).sum(-1, keepdim=True) ** 2 * r.hidden[:, -1] ** 2
    return r.total**2 * (dead * (values + keys + query)).sum(-1)
