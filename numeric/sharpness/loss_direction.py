"""Second derivatives of the squared loss itself along directions, for any weights: the check of what is said of them.

Nothing here knows that Hess L = 2 ∇f ∇fᵀ + 2 r Hess f: the loss is differentiated as a whole, B networks without
padding at one input each, bits (B, T_max).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.func import grad, jvp

from boundaudit.numeric.sharpness.autodiff import flatten, unflatten
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.target import TargetBatch


def wave(blocks: Blocks, number: Tensor) -> Blocks:
    """A direction without structure: entry i of direction n (B,) is sin((n+1)(i+1)), counted as in `autodiff.flatten`.

    The same for a network whatever stands beside it in a batch.
    """
    flat = flatten(blocks)
    place = torch.arange(1, flat.shape[1] + 1, device=flat.device)
    return unflatten(((number.double() + 1)[:, None] * place).sin(), blocks)


def second_derivative(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, values: Tensor, direction: Blocks, *, scale: float = 2.0
) -> Tensor:
    """eᵀ Hess L e, (B,), the second derivative of (f_Θ - y)² along a direction each, forward over forward; y (B,)."""
    point, along = flatten(blocks), flatten(direction)

    def loss(step: Tensor) -> Tensor:
        moved = unflatten(point + step[:, None] * along, blocks)
        return (output(moved, batch, bits, scale=scale) - values).square()

    one = torch.ones_like(values)

    def slope(step: Tensor) -> Tensor:
        found: Tensor = jvp(loss, (step,), (one,))[1]
        return found

    second: Tensor = jvp(slope, (torch.zeros_like(values),), (one,))[1]
    return second


def hessian_vector(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, values: Tensor, direction: Blocks, *, scale: float = 2.0
) -> Tensor:
    """Hess L times a direction each, forward over reverse, (B, p); y (B,)."""

    def loss(weights: Tensor) -> Tensor:
        found = output(unflatten(weights, blocks), batch, bits, scale=scale)
        return (found - values).square().sum()

    product: Tensor = jvp(grad(loss), (flatten(blocks),), (flatten(direction),))[1]
    return product


def output(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Tensor:
    """The networks' outputs f_Θ, one input each, (B,)."""
    return trace(blocks, batch, bits[:, None], scale=scale).output[:, 0]
