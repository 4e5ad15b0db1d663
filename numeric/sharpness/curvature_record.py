"""Gradients and Hessians of one target's network as plain data for JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from scipy.sparse.linalg import LinearOperator, eigsh
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import Inputs, choose_inputs
from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.construction import Blocks, Layout, build
from boundaudit.numeric.sharpness.loss_hessian import Spread, curvature, has_closed_form, on_kink
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.perturbation import described
from boundaudit.numeric.sharpness.records import CurvatureRecord, GradientRecord, MeanAndMax, OperatorNorm, Options
from boundaudit.numeric.sharpness.target import Target, TargetBatch

DIFFERENTIATED = 16
"""Inputs that are differentiated one by one where nothing is said: whole Hessians, and what has no closed form."""
WHOLE = 3000
"""Parameters up to which the whole spectrum is computed; at 20 bits, 2014 of them, it takes about a second."""


def curvature_record(
    target: Target, chosen: Inputs, *, said: bool, seed: int, hessian: bool, layout: Layout, mlp: Trapezoid,
    scale: float, pruned: bool, device: torch.device,
) -> CurvatureRecord:  # fmt: skip
    """Measure gradients, and where wanted Hessians, over the inputs; few serve without closed form unless `said`.

    Raises:
        InputError: when Hessians are wanted and no input has any.
    """
    options: Options = {"layout": layout, "mlp": mlp, "scale": scale, "pruned": pruned}
    few = _few(target.length, seed)
    over = chosen if said or has_closed_form(target, layout) else few
    found = curvature(target, over, traces=hessian, device=device, **options)
    gradient: GradientRecord = {
        **_mean_and_max(found.gradient),
        "by_block": {name: _mean_and_max(s) for name, s in found.blocks.items()},
        "inputs": described(over),
    }
    record: CurvatureRecord = {"gradient_norm_squared": gradient, "kinks": found.kinks}
    if not hessian:
        return record
    if found.inputs == 0:
        field, expected = ("at", "an input off the kinks") if over.mode == "at" else ("inputs", "some off the kinks")
        raise InputError(field, expected, "a hidden unit on its kink: no Hessian", "choose another input or scale")
    record["loss_hessian_trace"] = {
        **_mean_and_max(found.loss_trace),
        "gauss_newton_mean": _of(found.gauss_newton, "mean"),
        "residual_mean": _of(found.residual, "mean"),
    }
    spectra = chosen if said and chosen.count <= DIFFERENTIATED else few
    norms = operator_norms(target, spectra, device=device, **options)
    record["network_hessian"] = {"trace_mean": _of(found.network_trace, "mean"), **norms}
    return record


def _few(length: int, seed: int) -> Inputs:
    """A few inputs: all of them where they are few, else a sample."""
    return choose_inputs(length, inputs="all" if 2**length <= DIFFERENTIATED else f"random:{DIFFERENTIATED}", seed=seed)


def _mean_and_max(spread: Spread | None) -> MeanAndMax:
    """Mean and largest value, for a sample with the mean's interval."""
    record: MeanAndMax = {"mean": _of(spread, "mean"), "max": _of(spread, "largest")}
    if spread is not None and spread.interval is not None:
        record["mean_interval"] = list(spread.interval)
    return record


def _of(spread: Spread | None, name: str) -> float | None:
    return None if spread is None else float(getattr(spread, name))


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
