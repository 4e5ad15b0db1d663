"""The operator norm of the network's Hessian, input by input."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy.sparse.linalg import LinearOperator, eigsh
from torch import Tensor

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.construction import Blocks, Layout, build
from boundaudit.numeric.sharpness.loss_hessian import on_kink
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.perturbation import described
from boundaudit.numeric.sharpness.records import OperatorNorm
from boundaudit.numeric.sharpness.target import Target, TargetBatch

WHOLE = 3000
"""Parameters up to which the whole spectrum is computed; at 20 bits, 2014 of them, it takes about a second."""


def operator_norms(
    target: Target,
    inputs: Inputs,
    *,
    layout: Layout = "published",
    mlp: Trapezoid = "steep",
    scale: float = 2.0,
    pruned: bool = False,
    device: torch.device | str = "cpu",
) -> OperatorNorm:
    """The largest operator norm of Hess f over a few inputs.

    Up to 3000 parameters every entry is differentiated and the norm is that of the full matrix, exact up to
    rounding. Beyond, Lanczos' iteration on Hessian-vector products gives a lower estimate.

    Args:
        target: the target.
        inputs: the inputs.
        layout: the channels.
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.
        pruned: whether the dead hidden units are left out.
        device: where to compute.

    Returns:
        The norm, how surely it is known, and the inputs.
    """
    batch = TargetBatch.stack([target], device=device)
    blocks = build(batch, layout=layout, mlp=mlp, scale=scale, pruned=pruned)
    whole = autodiff.flatten(blocks).shape[1] <= WHOLE
    of = _exact if whole else _lower_estimate
    norms = [
        of(blocks, batch, z, scale)
        for bits in inputs.batches(1, device=device)
        for z in bits[~on_kink(blocks, batch, bits, scale=scale)]
    ]
    return {
        "operator_norm_max": max(norms, default=None),
        "operator_norm": "exact" if whole else "lower estimate",
        "inputs": described(inputs),
    }


def _exact(blocks: Blocks, batch: TargetBatch, bits: Tensor, scale: float) -> float:
    matrix = autodiff.hessian(blocks, batch, bits, scale=scale)
    return float(torch.linalg.eigvalsh((matrix + matrix.mT) / 2).abs().max())


def _lower_estimate(blocks: Blocks, batch: TargetBatch, bits: Tensor, scale: float) -> float:
    """A Ritz value: |vᵀ Hess v| of a unit vector, hence never above the norm."""
    count = autodiff.flatten(blocks).shape[1]

    def product(direction: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        row = torch.as_tensor(direction.reshape(1, -1), dtype=torch.float64, device=bits.device)
        along = autodiff.unflatten(row, blocks)
        found = autodiff.hessian_vector(blocks, batch, bits[None], along, scale=scale)
        return autodiff.flatten(found)[0].cpu().numpy()

    operator = LinearOperator((count, count), matvec=product, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(count)
    (value,) = eigsh(operator, k=1, which="LM", v0=start, return_eigenvectors=False)
    return math.fabs(float(value))


# --- an enclosure, many networks at once ------------------------------------------------------------

SHARE = 0.1
"""Of the spectrum's width, by which the ends that Lanczos' iteration finds are moved outward."""

ROUNDED = 1e-12
"""Length of a new direction, over that of the first product, below which it is rounding."""

MISSED = 1e-9
"""Probability over the random start that the norm is above the upper end."""


class Enclosure(NamedTuple):
    """Bounds on the operator norms of Hess f of B networks, each of shape (B,)."""

    lower: Tensor
    upper: Tensor


def enclosures(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, seed: int = 0) -> Enclosure:
    """Enclose the operator norms of Hess f of networks of one size, each at its own input, by Lanczos' iteration.

    After k steps from a random start the largest eigenvalue of a symmetric matrix of n rows is above the largest Ritz
    value by more than the share ε of the spectrum's width with probability at most 1.648 √n exp(-√ε (2k-1))
    (Kuczyński & Woźniakowski 1992), and so is the least below the least. As many steps are made as that asks for.

    Args:
        blocks: the weights of B networks without padding.
        batch: the B targets.
        bits: one input for each, shape (B, T).
        seed: of the start, the same for all networks.

    Returns:
        Lower ends, which are certain, and upper ends, each of which holds with probability 1 - `MISSED`.
    """
    count = autodiff.flatten(blocks).shape[1]
    start = torch.from_numpy(np.random.default_rng(seed).standard_normal(count)).to(bits.device)
    ritz = torch.linalg.eigvalsh(_tridiagonal(blocks, batch, bits, start, _steps(count)))
    least, largest = ritz[:, 0], ritz[:, -1]
    lower = torch.maximum(largest, -least)
    return Enclosure(lower, lower + SHARE * (largest - least) / (1 - 2 * SHARE))


def _steps(count: int) -> int:
    return math.ceil((math.log(2 * 1.648 * math.sqrt(count) / MISSED) / math.sqrt(SHARE) + 1) / 2)


def _tridiagonal(blocks: Blocks, batch: TargetBatch, bits: Tensor, start: Tensor, steps: int) -> Tensor:
    """The Hessians on the first Krylov vectors of one start, with full orthogonalisation, shape (B, steps, steps)."""
    vector = (start / start.norm()).expand(len(batch), -1)
    basis: list[Tensor] = [vector]
    images: list[Tensor] = []
    while len(images) < steps:
        along = autodiff.unflatten(basis[-1], blocks)
        images.append(autodiff.flatten(autodiff.hessian_vector(blocks, batch, bits, along)))
        done, rest = torch.stack(basis, 1), images[-1]
        for _ in range(2):
            rest = rest - ((done @ rest[..., None]).mT @ done)[:, 0]
        # Once the space is invariant, what is left is rounding: no further direction is taken.
        size = rest.norm(dim=-1, keepdim=True)
        known = size > ROUNDED * images[0].norm(dim=-1, keepdim=True)
        basis.append(torch.where(known, rest / size, 0.0))
    small = torch.stack(basis[:steps], 1) @ torch.stack(images, 1).mT
    return (small + small.mT) / 2
