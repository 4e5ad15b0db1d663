"""The operator norm of the network's Hessian, input by input."""

from __future__ import annotations

import math
from typing import Any

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
    target: Target, inputs: Inputs, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0,
    pruned: bool = False, device: torch.device | str = "cpu",
) -> OperatorNorm:  # fmt: skip
    """The largest operator norm of Hess f over a few inputs, how surely it is known, and the inputs.

    Up to 3000 parameters every entry is differentiated and the norm is that of the full matrix, exact up to rounding.
    Beyond, Lanczos' iteration on Hessian-vector products gives a lower estimate.
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
