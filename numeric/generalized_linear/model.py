"""A user's own model of learning in high dimension: teacher, channel, noise, loss, penalty.

Samples x have d independent normal entries of variance 1/d, and z = x·w* is what the teacher w* sees of one. A label is
y = φ(z) + √Δ ξ, or for two classes y = ±1. The student minimises Σ_μ ℓ(y_μ, x_μ·w) + λ Σ_i r(w_i), n = α d samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.targets import Target

Function = Callable[..., Tensor]
CHANNELS = ("linear", "sign", "softmax", "absolute")
"""y = z + √Δ ξ; sign(z + √Δ ξ); ±1 by a softmax of (z + √Δ ξ, 0); |z| + √Δ ξ."""
CLASSES = ("sign", "softmax")
"""Channels whose labels are ±1."""
LOSSES = ("square", "logistic", "hinge", "absolute", "posterior mean")
"""(y - z)², ln(1 + e^{-yz}), max(0, 1 - yz), |y - z|; the last one is no loss but the Bayes-optimal estimator."""
PENALTIES = ("ridge", "lasso", "nuclear", "none")
"""w², |w|, the trace of a positive semidefinite map, nothing."""


@dataclass(frozen=True)
class Mixture:
    """A teacher's independent entries, from normal laws of means and variances ≥ 0, in weights that add up to 1."""

    weights: tuple[float, ...]
    means: tuple[float, ...]
    variances: tuple[float, ...]

    def __str__(self) -> str:
        parts = zip(self.weights, self.means, self.variances, strict=True)
        return " + ".join(f"{weight:g} N({mean:g}, {variance:g})" for weight, mean, variance in parts)

    @property
    def second_moment(self) -> float:
        """ρ = E w*²."""
        parts = zip(self.weights, self.means, self.variances, strict=True)
        return math.fsum(weight * (mean**2 + variance) for weight, mean, variance in parts)

    def draw(self, shape: Sequence[int], generator: torch.Generator) -> Tensor:
        """Independent entries in float64."""
        weights = torch.tensor(self.weights, dtype=torch.float64)
        part = torch.multinomial(weights, math.prod(shape), replacement=True, generator=generator).view(*shape)
        normal = torch.randn(*shape, generator=generator, dtype=torch.float64)
        means, variances = (torch.tensor(one, dtype=torch.float64) for one in (self.means, self.variances))
        drawn: Tensor = means[part] + variances[part].sqrt() * normal
        return drawn


def gaussian(variance: float = 1.0) -> Mixture:
    """Normal entries."""
    return Mixture((1.0,), (0.0,), (_number("teacher variance", variance, above=0),))


def sparse(share: float, variance: float = 1.0) -> Mixture:
    """Gauss-Bernoulli entries: normal with a probability, else zero."""
    if not 0 < _number("teacher share", share) <= 1:
        raise InputError("teacher share", "a number above 0 and at most 1", share, "correct the share of entries")
    return Mixture((1.0 - share, share), (0.0, 0.0), (0.0, _number("teacher variance", variance, above=0)))


def rademacher(size: float = 1.0) -> Mixture:
    """Entries ±size, one as likely as the other."""
    return Mixture((0.5, 0.5), (_number("teacher size", size, above=0), -size), (0.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class Model:
    """What `boundaudit limit model FILE.py` reads: assign one to the name ``model``.

    Attributes:
        teacher: `gaussian`, `sparse` or `rademacher` entries; for a map of attention the spectrum of a matrix, such as
            `gaussian_target` makes it.
        channel: one of `CHANNELS`, or a function φ of a tensor; for a map linear (one token) or softmax.
        noise: Δ.
        loss: one of `LOSSES`, or a function ℓ(y, z) of tensors, convex in z.
        penalty: one of `PENALTIES`.
        strength: λ.
        potential: a channel's part of the replica potential, derived by hand: a function of the tensors (m, q, V, ρ, Δ)
            that says E min_z {ℓ(y, z) + (z - ω)²/(2V)} for (x·w*, ω) of covariance ((ρ, m), (m, q)). It takes the place
            of the equations derived here, and simulation judges it. For a map m, q and V are those of each of the
            T(T+1)/2 - 1 independent coordinates of its indices (of one token of the index over √2), ρ is ∫ x² of the
            spectrum, and the target's coordinates have variance ρ + Δ/2.
        tokens: T of attention with a softmax.
        beta: its inverse temperature β.
        target_beta: that of its labels, β₀.
    """

    teacher: Mixture | Target
    channel: str | Function = "linear"
    noise: float
    loss: str | Function = "square"
    penalty: str
    strength: float = 0.0
    potential: Function | None = None
    tokens: int = 2
    beta: float = 1.0
    target_beta: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.teacher, (Mixture, Target)):
            said = "gaussian(), sparse(share), rademacher() or the spectrum of a matrix"
            raise InputError("teacher", said, self.teacher, "call one of these")
        for field, known in (("channel", CHANNELS), ("loss", LOSSES), ("penalty", PENALTIES)):
            value = getattr(self, field)
            if not (value in known if isinstance(value, str) else callable(value) and field != "penalty"):
                raise InputError(field, ", ".join(known), value, f"choose the {field} among these")
        for field in ("noise", "strength"):
            _number(field, getattr(self, field), least=0)
        if self.potential is not None and not callable(self.potential):
            raise InputError("potential", "a function of m, q, V, ρ, Δ", self.potential, "give a function, or none")
        for field in ("beta", "target_beta"):
            _number(field, getattr(self, field), above=0)
        _require_map(self) if isinstance(self.teacher, Target) else _require_vector(self)

    @property
    def bayes(self) -> bool:
        """Whether the estimator is the posterior mean."""
        return self.loss == "posterior mean"


def _require_map(model: Model) -> None:
    """Attention's map: what its equations are known for."""
    needs = {"channel": ("linear", "softmax"), "loss": ("square",), "penalty": ("nuclear",)}
    for field, known in needs.items():
        if getattr(model, field) not in known:
            said = " or ".join(map(str, known))
            raise InputError(
                field, f"{said} for a matrix", getattr(model, field), "give the teacher independent entries"
            )
    if model.potential is not None:
        if model.strength == 0:
            raise InputError("strength", "a number above 0 beside a potential", 0, "give a penalty")
        _require_potential(model.potential)


def _require_vector(model: Model) -> None:
    """A vector: combinations that are none."""
    if model.penalty == "nuclear":
        raise InputError("penalty", "ridge, lasso or none for a vector", "nuclear", "give the spectrum of a matrix")
    if model.penalty == "none" and model.strength:
        raise InputError("strength", "0 without a penalty", model.strength, "name a penalty, or leave it out")
    if model.bayes and (model.penalty != "none" or model.potential is not None or model.channel == "softmax"):
        said = "a linear, sign or absolute channel, no penalty and no potential"
        raise InputError("loss", f"{said} for the posterior mean", model.channel, "correct these")
    if model.bayes and (callable(model.channel) or model.noise == 0):
        raise InputError("loss", "a known channel with noise for the posterior mean", "another", "give noise above 0")
    if model.loss in ("logistic", "hinge") and model.channel not in CLASSES:
        raise InputError(
            "loss", "square, absolute or a function for labels that are no classes", model.loss, "choose one"
        )
    if callable(model.channel):
        _require_tensor("channel", model.channel, torch.linspace(-3, 3, 7, dtype=torch.float64))
    if model.potential is not None:
        _require_potential(model.potential)
    if callable(model.loss):
        line = torch.linspace(-3, 3, 7, dtype=torch.float64)
        _require_tensor("loss", model.loss, line, line.flip(0))


def gradient(potential: Function, m: Tensor, q: Tensor, variance: Tensor, rho: Tensor, noise: Tensor) -> list[Tensor]:
    """A user's potential with its derivatives by m, q and V, elementwise."""
    with torch.enable_grad():
        place = [part.detach().requires_grad_() for part in (m, q, variance)]
        value = potential(*place, rho, noise)
        return [value.detach(), *torch.autograd.grad(value.sum(), place)]


def _require_potential(potential: Function) -> None:
    """A function with derivatives."""
    part = torch.linspace(0.2, 0.8, 7, dtype=torch.float64)
    slope = partial(gradient, potential)
    _require_tensor("potential", lambda *given: torch.stack(slope(*given)).sum(0), part, *[1 + part] * 4)


def _require_tensor(field: str, function: Function, *given: Tensor) -> None:
    """A function that answers tensors with finite ones of their shape."""
    try:
        found = function(*given)
    except Exception as error:
        remedy = "write it with torch's functions"
        raise InputError(field, "a function of tensors", f"{type(error).__name__}: {error}", remedy) from None
    if not isinstance(found, Tensor) or found.shape != given[0].shape or not bool(found.isfinite().all()):
        raise InputError(field, "finite values in a tensor of the same shape", found, "compute elementwise")


def _number(field: str, value: object, *, least: float = -math.inf, above: float = -math.inf) -> float:
    """A finite number in a range."""
    fine = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not fine or not (least <= float(value) and (above == -math.inf or float(value) > above)):  # type: ignore[arg-type]
        said = "a number above 0" if above == 0 else "a number of at least 0" if least == 0 else "a finite number"
        raise InputError(field, said, value, f"correct the {field}")
    return float(value)  # type: ignore[arg-type]
