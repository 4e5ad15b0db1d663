"""One target measured: parameters, norms, exactness, curvature and perturbation, as plain data for JSON.

Every choice is checked before PyTorch is loaded.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from boundaudit import InputError
from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness.choices import (
    Layout,
    Trapezoid,
    check_choice,
    check_draws,
    check_error,
    check_scale,
    check_sigma,
    check_signs,
)
from boundaudit.numeric.sharpness.records import Measurement, Options, PerturbationRecord, ScaleRecord, TargetRecord

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from boundaudit.numeric.enumeration import Inputs
    from boundaudit.numeric.sharpness.one_target import Target
    from boundaudit.numeric.sharpness.target import TargetBatch

DRAWS = 100
"""Perturbed networks where nothing is said."""


def measure(
    target: Target, *, layout: Layout | None = None, mlp: Trapezoid = "steep", scale: float | str = 2.0,
    pruned: bool = False, inputs: str | None = None, at: str | None = None, seed: int = 0, device: str = "auto",
    hessian: bool = False, sigma: float | None = None, draws: int | None = None, error: float | None = None,
) -> Measurement:  # fmt: skip
    """Build the construction for a target and measure it.

    Args:
        target: the target.
        layout: the channels; unless given the published ones, or the extended ones for a negative coefficient.
        mlp: the trapezoid of Theorem 9.
        scale: λ in (0, 100], or ``"inf"`` for the ideal network.
        pruned: whether the hidden units with output weight zero are left out.
        inputs: ``"all"``, ``"random:N"`` or nothing (all up to 20 bits, else a sample).
        at: one bit string from position 1, instead of ``inputs``.
        seed: of the samples and of the perturbations.
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.
        hessian: whether the Hessians of the loss and of the network are measured too.
        sigma: standard deviation of the noise on every parameter; nothing measures no perturbation.
        draws: how many perturbed networks are measured, 100 where nothing is said; needs ``sigma``.
        error: an error that the network may make; nothing asks for no scale.

    Returns:
        Plain values under the keys of `Measurement`: with ``hessian`` also ``loss_hessian_trace`` and
        ``network_hessian``, with a sigma ``perturbation``, with an error ``needed``, the best scale and its norm.

    Raises:
        InputError: when an argument does not fit; names the argument.
    """
    chosen = choose_inputs(target.length, inputs=inputs, at=at, seed=seed)
    if sigma is not None:
        check_sigma(sigma)
        check_draws(DRAWS if draws is None else draws)
    elif draws is not None:
        raise InputError("draws", "a sigma beside it", "none", "give sigma, or leave draws out")
    if error is not None:
        check_error(error)
    network = _Network.of(target, layout, mlp, scale, pruned, device)
    found = network.over(chosen, said=inputs is not None or at is not None, seed=seed, hessian=hessian)
    if sigma is not None:
        found["perturbation"] = network.perturbed(
            None if inputs is None and at is None else chosen, sigma, DRAWS if draws is None else draws, seed
        )
    if error is not None:
        found["needed"] = network.needed(error)
    return found


@dataclass(frozen=True)
class _Network:
    """What is measured, every choice checked; its methods load what they need."""

    target: Target
    layout: Layout
    mlp: Trapezoid
    scale: float
    pruned: bool
    device: torch.device

    @classmethod
    def of(
        cls, target: Target, layout: Layout | None, mlp: Trapezoid, scale: float | str, pruned: bool, device: str
    ) -> _Network:
        channels = layout if layout is not None else default_layout(target)
        check_choice("layout", channels, Layout)
        check_choice("mlp", mlp, Trapezoid)
        check_signs(channels, signed=not target.is_positive)
        return cls(target, channels, mlp, _scale(scale), pruned, _device(device))

    @property
    def options(self) -> Options:
        """The choices as keyword arguments of every measurement."""
        return {"layout": self.layout, "mlp": self.mlp, "scale": self.scale, "pruned": self.pruned}

    @property
    def batch(self) -> TargetBatch:
        """The target alone."""
        from boundaudit.numeric.sharpness.target import TargetBatch

        return TargetBatch.stack([self.target], device=self.device)

    def over(self, chosen: Inputs, *, said: bool, seed: int, hessian: bool) -> Measurement:
        """Everything but perturbation and scale."""
        from boundaudit.numeric.sharpness.curvature_record import curvature_record
        from boundaudit.numeric.sharpness.exactness import exactness
        from boundaudit.numeric.sharpness.norms import parameter_count
        from boundaudit.numeric.sharpness.perturbation import described

        curvature = curvature_record(
            self.target, chosen, said=said, seed=seed, hessian=hessian, device=self.device, **self.options
        )
        found: Measurement = {
            "target": _target(self.target),
            "layout": self.layout,
            "mlp": self.mlp,
            "scale": "inf" if math.isinf(self.scale) else self.scale,
            "pruned": self.pruned,
            "device": self.device.type,
            "parameters": {"count": int(parameter_count(self.batch, self.layout, pruned=self.pruned))},
            "norms_squared": {name: float(value) for name, value in self.norms().items()},
            "exactness": asdict(exactness(self.target, chosen, device=self.device, **self.options)),
            "inputs": described(chosen),
            "gradient_norm_squared": curvature["gradient_norm_squared"],
            "kinks": curvature["kinks"],
        }
        if hessian:
            found["loss_hessian_trace"] = curvature["loss_hessian_trace"]
            found["network_hessian"] = curvature["network_hessian"]
        return found

    def perturbed(self, chosen: Inputs | None, sigma: float, draws: int, seed: int) -> PerturbationRecord:
        """Errors with noise on every parameter, over a few inputs where none are chosen."""
        from boundaudit.numeric.sharpness.perturbation import few_inputs, perturbation

        inputs = chosen or few_inputs(self.target.length, seed)
        return perturbation(self.target, inputs, sigma, draws, seed=seed, device=self.device, **self.options)

    def norms(self, scale: float | None = None) -> dict[str, Tensor]:
        """The squared norms, at another scale where one is given."""
        from boundaudit.numeric.sharpness.norms import norms_squared

        at = self.scale if scale is None else scale
        return norms_squared(self.batch, layout=self.layout, mlp=self.mlp, scale=at, pruned=self.pruned)

    def needed(self, error: float) -> ScaleRecord:
        """The best scale for an error, and its norm."""
        from boundaudit.numeric.sharpness.scale import scale_needed

        best = scale_needed(self.target, error, self.mlp)
        norm = float(self.norms(best)["total"]) if best else None
        return {"error": float(error), "scale": best, "norm_squared": norm}


def default_layout(target: Target) -> Layout:
    """The published layout, or the extended one where a coefficient is negative."""
    return "published" if target.is_positive else "extended"


def _target(target: Target) -> TargetRecord:
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
    """λ as a number; InputError when it is none, or out of range."""
    if scale == "inf":
        return math.inf
    if not isinstance(scale, int | float) or isinstance(scale, bool):
        raise InputError("scale", "a positive number or 'inf'", repr(scale), "the paper has 2")
    check_scale(scale)
    return float(scale)


def _device(name: str) -> torch.device:
    """The device of that name, ``auto`` a GPU where there is one; InputError when it is unknown or there is no GPU."""
    if name not in {"auto", "cpu", "cuda"}:
        raise InputError("device", "auto, cpu or cuda", repr(name), "choose one of these")
    import torch

    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device", "a CUDA device", "none on this machine", "use 'auto' or 'cpu'")
    return torch.device("cuda" if available and name != "cpu" else "cpu")
