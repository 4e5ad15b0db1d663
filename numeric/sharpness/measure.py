"""One target measured: parameters, norms and exactness, as plain data for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any, get_args

import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import Inputs, choose_inputs
from boundaudit.numeric.sharpness.construction import Layout, check_scale
from boundaudit.numeric.sharpness.exactness import exactness
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.norms import norms_squared, parameter_count
from boundaudit.numeric.sharpness.target import Target, TargetBatch


def measure(
    target: Target,
    *,
    layout: Layout = "published",
    mlp: Trapezoid = "steep",
    scale: float | str = 2.0,
    inputs: str | None = None,
    at: str | None = None,
    seed: int = 0,
    device: str = "auto",
) -> dict[str, Any]:
    """Build the construction for a target and measure it.

    Args:
        target: the target.
        layout: the channels.
        mlp: the trapezoid of Theorem 9.
        scale: λ in (0, 100], or ``"inf"`` for the ideal network.
        inputs: ``"all"``, ``"random:N"`` or nothing (all up to 20 bits, else a sample).
        at: one bit string from position 1, instead of ``inputs``.
        seed: of the sample.
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.

    Returns:
        ``target``, ``parameters``, ``norms_squared``, ``exactness`` and ``inputs``, with the
        ``layout``, ``mlp``, ``scale`` and ``device`` they belong to; numbers, strings and None only.

    Raises:
        InputError: when an argument does not fit; names the argument.
    """
    for name, value, choices in (("layout", layout, get_args(Layout)), ("mlp", mlp, get_args(Trapezoid))):
        if value not in choices:
            raise InputError(name, " or ".join(choices), repr(value), "choose one of these")
    number = _scale(scale)
    chosen = choose_inputs(target.length, inputs=inputs, at=at, seed=seed)
    place = _device(device)
    batch = TargetBatch.stack([target], device=place)
    norms = norms_squared(batch, layout=layout, mlp=mlp, scale=number)
    errors = exactness(target, chosen, layout=layout, mlp=mlp, scale=number, device=place)
    return {
        "target": {
            "length": target.length,
            "degree": target.degree,
            "sparsity": target.sparsity,
            "coefficient_sum": target.coefficient_sum,
        },
        "layout": layout,
        "mlp": mlp,
        "scale": "inf" if math.isinf(number) else number,
        "device": place.type,
        "parameters": {"count": int(parameter_count(batch, layout))},
        "norms_squared": {name: float(value) for name, value in norms.items()},
        "exactness": asdict(errors),
        "inputs": _described(chosen),
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


def _described(inputs: Inputs) -> dict[str, Any]:
    """Return the inputs for the record; a sample names its seed."""
    described: dict[str, Any] = {"mode": inputs.mode, "count": inputs.count}
    return described | ({"seed": inputs.seed} if inputs.mode == "random" else {})
