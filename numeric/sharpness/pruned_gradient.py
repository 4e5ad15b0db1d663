"""What leaving out the dead hidden units takes from the squared gradient, and a part of it in closed form."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rows import attention
from boundaudit.numeric.sharpness.target import TargetBatch


def saved(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """|∇f|² of the whole network minus that of the pruned one.

    Args:
        batch: B targets.
        bits: inputs, shape (N, T_max) for all alike or (B, N, T_max).
        mlp: the trapezoid.

    Returns:
        Shape (B, N); where a unit sits on its kink, of the derivatives from the left of both.
    """
    whole, pruned = (derivatives(batch, bits, mlp=mlp, pruned=p).gradient for p in (False, True))
    return whole - pruned


def first_dead(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    """The hidden unit of the first odd grid point that breaks first, on every row.

    Args:
        batch: B targets.
        bits: inputs, shape (N, T_max) for all alike or (B, N, T_max).
        mlp: the trapezoid.

    Returns:
        Its values on the rows of components, shape (B, N, w), zero beyond ω, and on all other rows, shape (B, N).
    """
    z = (bits.bool() & batch.real_positions[:, None]).double()
    inside, ones = z @ batch.members.double().mT, z.sum(-1)
    weights, bias = attention(batch, 2.0), units(batch.degree, mlp).bias[:, 4, None]
    member, other, uniform = (weight[:, None] for weight in (weights.member, weights.other, weights.uniform))
    s = (member - other)[..., None] * inside + (other * ones)[..., None]
    active = torch.where(batch.active[:, None], (s + bias[..., None]).relu(), 0.0)
    return active, (uniform * ones + bias).relu()


def layer_2(batch: TargetBatch, active: Tensor, unused: Tensor) -> Tensor:
    """The average under layer 2's attention of numbers on the rows of components and on all others.

    Args:
        batch: B targets.
        active: shape (B, N, w).
        unused: shape (B, N).

    Returns:
        Shape (B, N).
    """
    weights = attention(batch, 2.0)
    others = (batch.length + 1 - batch.sparsity) * weights.unused
    return (active * weights.active[:, None]).sum(-1) + others[:, None] * unused


def dead_values(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """The part of the squared gradient in F's last column that belongs to dead units.

    Args:
        batch: B targets.
        bits: inputs, shape (N, T_max) for all alike or (B, N, T_max).
        mlp: the trapezoid.

    Returns:
        C² Σ (Σ a h)² over dead units, shape (B, N).
    """
    whole, pruned = (derivatives(batch, bits, mlp=mlp, pruned=p).data_column for p in (False, True))
    return whole - pruned
