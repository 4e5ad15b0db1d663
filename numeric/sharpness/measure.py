"""One target measured: parameters, norms, exactness and perturbation, as plain data for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any, get_args

import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness.construction import Layout, check_scale
from boundaudit.numeric.sharpness.exactness import exactness
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.norms import norms_squared, parameter_count
from boundaudit.numeric.sharpness.perturbation import (
    check_sigma,
    described,
    few_inputs,
    perturbation,
)
from boundaudit.numeric.sharpness.scale import scale_needed
from boundaudit.numeric.sharpness.target import Target, TargetBatch


def measure(
    target: Target,
    *,
    layout: Layout | None = None,
    mlp: Trapezoid = "steep",
    scale: float | str = 2.0,
    pruned: bool = False,
    inputs: str | None = None,
    at: str | None = None,
    seed: int = 0,
    device: str = "auto",
    sigma: float | None = None,
    draws: int | None = None,
    error: float | None = None,
) -> dict[str, Any]:
    """Build the construction for a target and measure it.

    Args:
        target: the target.
        layout: the channels; where nothing is said the published ones, or the extended ones for a target with a
            negative coefficient.
        mlp: the trapezoid of Theorem 9.
        scale: λ in (0, 100], or ``"inf"`` for the ideal network.
        pruned: whether the hidden units with output weight zero are left out.
        inputs: ``"all"``, ``"random:N"`` or nothing (all up to 20 bits, else a sample).
        at: one bit string from position 1, instead of ``inputs``.
        seed: of the sample and of the perturbations.
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.
        sigma: standard deviation of the noise on every parameter; nothing measures no perturbation.
        draws: how many perturbed networks are measured, 100 where nothing is said; needs ``sigma``.
        error: an error that the network may make; nothing asks for no scale.

    Returns:
        ``target``, ``parameters``, ``norms_squared``, ``exactness`` and ``inputs``, with the
        ``layout``, ``mlp``, ``pruned``, ``scale`` and ``device`` they belong to; with a sigma also
        ``perturbation``, with an error also ``needed``, the best scale and its norm; plain values only.

    Raises:
        InputError: when an argument does not fit; names the argument.
    """
    channels = layout if layout is not None else default_layout(target)
    for name, value, choices in (("layout", channels, get_args(Layout)), ("mlp", mlp, get_args(Trapezoid))):
        if value not in choices:
            raise InputError(name, " or ".join(choices), repr(value), "choose one of these")
    number = _scale(scale)
    if sigma is not None:
        check_sigma(sigma)
    elif draws is not None:
        raise InputError("draws", "a sigma beside it", "none", "give sigma, or leave draws out")
    chosen = choose_inputs(target.length, inputs=inputs, at=at, seed=seed)
    place = _device(device)
    batch = TargetBatch.stack([target], device=place)
    norms = norms_squared(batch, layout=channels, mlp=mlp, scale=number, pruned=pruned)
    network: dict[str, Any] = {"layout": channels, "mlp": mlp, "scale": number, "pruned": pruned, "device": place}
    errors = exactness(target, chosen, **network)
    found = {
        "target": _target(target),
        "layout": channels,
        "mlp": mlp,
        "pruned": pruned,
        "scale": "inf" if math.isinf(number) else number,
        "device": place.type,
        "parameters": {"count": int(parameter_count(batch, channels, pruned=pruned))},
        "norms_squared": {name: float(value) for name, value in norms.items()},
        "exactness": asdict(errors),
        "inputs": described(chosen),
    }
    if sigma is not None:
        few = few_inputs(target.length, seed) if inputs is None and at is None else chosen
        found["perturbation"] = perturbation(target, few, sigma, 100 if draws is None else draws, seed=seed, **network)
    if error is not None:
        best = scale_needed(target, error, mlp)
        at_best = norms_squared(batch, layout=channels, mlp=mlp, scale=best, pruned=pruned) if best else None
        found["needed"] = {
            "error": float(error),
            "scale": best,
            "norm_squared": None if at_best is None else float(at_best["total"]),
        }
    return found


def default_layout(target: Target) -> Layout:
    """The channels where nothing is said.

    Args:
        target: the target.

    Returns:
        The published layout, or the extended one where a coefficient is negative.
    """
    return "published" if target.is_positive else "extended"


def _target(target: Target) -> dict[str, Any]:
    """Return the target for the record."""
    return {
        "length": target.length,
        "degree": target.degree,
        "degrees": list(target.degrees),
        "sparsity": target.sparsity,
        "coefficient_sum": target.coefficient_sum,
        "absolute_sum": target.absolute_sum,
    }


def _scale(scale: float | str) -> float:
    """Return λ as a number.

    Raises:
        InputError: when it is none, or out of range.
    """
    if scale == "inf":
        return math.inf
    if not isinstance(scale, int | float) or isinstance(scale, bool):
        raise InputError("scale", "a positive number or 'inf'", repr(scale), "the paper has 2")
    check_scale(scale)
    return float(scale)


def _device(name: str) -> torch.device:
    """Return the device of that name; ``auto`` takes a GPU where there is one.

    Raises:
        InputError: when the name is unknown or there is no GPU.
    """
    if name not in {"auto", "cpu", "cuda"}:
        raise InputError("device", "auto, cpu or cuda", repr(name), "choose one of these")
    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device", "a CUDA device", "none on this machine", "use 'auto' or 'cpu'")
    return torch.device("cuda" if available and name != "cpu" else "cpu")
