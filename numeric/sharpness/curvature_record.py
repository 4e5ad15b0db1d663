"""Gradients and Hessians of one target's network as plain data for JSON."""

from __future__ import annotations

import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import Inputs, choose_inputs
from boundaudit.numeric.sharpness.construction import Layout
from boundaudit.numeric.sharpness.loss_hessian import Spread, curvature, has_closed_form
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.operator_norm import operator_norms
from boundaudit.numeric.sharpness.perturbation import described
from boundaudit.numeric.sharpness.records import CurvatureRecord, GradientRecord, MeanAndMax, Options
from boundaudit.numeric.sharpness.target import Target

DIFFERENTIATED = 16
"""Inputs that are differentiated one by one where nothing is said: whole Hessians, and what has no closed form."""


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
