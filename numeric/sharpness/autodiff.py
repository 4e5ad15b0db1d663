"""Derivatives of the network by automatic differentiation, for any weights: the independent check of every closed form.

Every network of a batch has one input of its own, bits (B, T_max), so that per-input gradients are the gradient of a
sum, and a whole Hessian is one batch of directional derivatives of gradients (forward over reverse). An infinite scale
restricts both softmaxes to their intended support, another is not read.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise

import torch
from torch import Tensor
from torch.func import grad, jvp

from boundaudit import InputError
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.target import TargetBatch

ENTRIES = 2**22
"""Numbers of a Hessian's rows that are differentiated at once."""

MEMORY_LIMIT = 2**32
"""Bytes that one Hessian may take."""


def repeat(blocks: Blocks, count: int) -> Blocks:
    """One network as `count` of them."""
    return blocks.with_weights([weight.repeat(count, *(1 for _ in weight.shape[1:])) for _, weight in blocks.named()])


def gradients(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Blocks:
    """∇f of each network at its own input, in the shapes of the blocks."""
    return blocks.with_weights(_gradient(blocks, batch, bits, scale)(tuple(w for _, w in blocks.named())))


def hessian_vector(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, *, scale: float = 2.0
) -> Blocks:
    """Hess f times a direction for each network at its own input; almost everywhere, kinks carry no mass."""
    point, along = (tuple(weight for _, weight in given.named()) for given in (blocks, direction))
    products = jvp(_gradient(blocks, batch, bits, scale), (point,), (along,))[1]
    return blocks.with_weights(products)


def hessian(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Tensor:
    """The whole Hessian (p, p) of one network at one input (T,), in `parameters`' order, symmetric up to rounding.

    The network is without padding: padded entries count as parameters here.

    Raises:
        InputError: when the matrix is larger than `MEMORY_LIMIT`.
    """
    p = sum(weight.numel() for _, weight in blocks.named())
    if 8 * p * p > MEMORY_LIMIT:
        raise InputError("length", f"a Hessian of at most {MEMORY_LIMIT} bytes", f"{8 * p * p}", "shorten the input")
    rows = []
    for unit in torch.split(torch.arange(p, device=bits.device), max(1, ENTRIES // p)):
        count = len(unit)
        direction = torch.zeros(count, p, dtype=torch.float64, device=bits.device)
        direction[torch.arange(count, device=bits.device), unit] = 1.0
        product = hessian_vector(
            repeat(blocks, count), batch.repeat(count), bits.expand(count, -1), unflatten(direction, blocks),
            scale=scale,
        )  # fmt: skip
        rows.append(flatten(product))
    return torch.cat(rows)


def parameters(blocks: Blocks) -> dict[str, slice]:
    """Where each block stands in a flat vector of parameters, by name."""
    sizes = [weight[0].numel() for _, weight in blocks.named()]
    ends = pairwise(accumulate(sizes, initial=0))
    return {name: slice(*end) for (name, _), end in zip(blocks.named(), ends, strict=True)}


def flatten(blocks: Blocks) -> Tensor:
    """All parameters of each network in one row, shape (B, p)."""
    return torch.cat([weight.flatten(1) for _, weight in blocks.named()], dim=1)


def unflatten(rows: Tensor, like: Blocks) -> Blocks:
    """Rows (B, p) of parameters as blocks whose shapes, but for the first axis, are those of others."""
    parts = torch.split(rows, [weight[0].numel() for _, weight in like.named()], dim=1)
    return like.with_weights(
        [part.reshape(len(rows), *weight.shape[1:]) for part, (_, weight) in zip(parts, like.named(), strict=True)]
    )


def _gradient(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, scale: float
) -> Callable[[tuple[Tensor, ...]], tuple[Tensor, ...]]:
    """From weights, one tensor for each block, to the gradient of the outputs' sum."""

    def total(weights: tuple[Tensor, ...]) -> Tensor:
        return trace(blocks.with_weights(weights), batch, bits[:, None], scale=scale).output.sum()

    return grad(total)
