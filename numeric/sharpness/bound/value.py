"""What every form of the bound shares: its value with its parts, and the loss under noise that enters it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.minimum import Objective, minimum
from boundaudit.numeric.sharpness.bound.setting import check_positive, check_setting

Curve = Callable[[Tensor], Tensor]
"""A function of σ, shape (n,) to (n,)."""


@dataclass(frozen=True)
class WholeLoss:
    """A bound on the expected loss on the sample for residual + σ²(G + P): a function of σ that does not fall."""

    loss: Curve


Perturbation = float | Curve | WholeLoss
"""P, P as a function of σ that does not fall, in units of σ² beyond G σ², or what stands in for the whole loss."""


@dataclass(frozen=True)
class Bound:
    """A bound on the expected loss under noise.

    Attributes:
        value: the bound.
        sigma: the noise σ at which it is taken; by group where groups differ.
        parts: ``residual`` (the loss at the construction), ``sharpness`` and ``perturbation`` (what noise adds to
            it) and ``norm`` (what the sample and the relative entropy add); they sum to the value.
        kl: the relative entropy of posterior to prior, in nats.
        floor: no σ gives less, but for rounding; None where σ was given.
    """

    value: float
    sigma: float | Mapping[str, float]
    parts: Mapping[str, float]
    kl: float
    floor: float | None


def training_loss(budgets: Budgets, perturbation: Perturbation) -> Curve:
    """The bound on the expected loss on the sample as a function of σ: residual + σ²(G + P)."""
    if isinstance(perturbation, WholeLoss):
        return perturbation.loss

    def loss(sigma: Tensor) -> Tensor:
        p = perturbation(sigma) if callable(perturbation) else perturbation
        return budgets.residual + sigma**2 * (budgets.sharpness_total + p)

    return loss


def polynomial(terms: Sequence[tuple[int, float]]) -> Perturbation:
    """P as a polynomial in σ, from powers with their coefficients."""
    return lambda sigma: torch.stack([value * sigma**power for power, value in terms]).sum(0)


def subgaussian(
    budgets: Budgets, kl: Curve, *, samples: float, delta: float, proxy: float, perturbation: Perturbation,
    sigma: float | None,
) -> Bound:  # fmt: skip
    """Residual + σ²(G + P) + S √((2/m)(K(σ) + ln(1/δ))), K falling, at σ or the best; InputError if out of range."""
    check_setting(samples, delta, subgaussian=proxy)
    loss = training_loss(budgets, perturbation)

    def objective(rising: Tensor, falling: Tensor) -> Tensor:
        return loss(rising) + proxy * torch.sqrt(2 * (kl(falling) + math.log(1 / delta)) / samples)

    return evaluated(objective, budgets, kl, perturbation, sigma)


def evaluated(
    objective: Objective, budgets: Budgets, kl: Curve, perturbation: Perturbation, sigma: float | None
) -> Bound:
    """A bound with its parts at a given σ, or at its best; InputError for a σ that is not positive."""
    if sigma is not None:
        check_positive("sigma", sigma)
    best = minimum(objective) if sigma is None else None
    at = torch.tensor([best.sigma if best else sigma], dtype=torch.float64)
    value, noise = float(objective(at, at)), float(at)
    sharpness = budgets.sharpness_total * noise**2
    rest = float(training_loss(budgets, perturbation)(at)) - budgets.residual - sharpness
    parts = {
        "residual": budgets.residual, "sharpness": sharpness,
        "perturbation": rest if isinstance(perturbation, WholeLoss) else _of(perturbation, at) * noise**2,
    }  # fmt: skip
    parts["norm"] = value - sum(parts.values())
    return Bound(value, noise, parts, float(kl(at)), best.floor if best else None)


def _of(perturbation: float | Curve, sigma: Tensor) -> float:
    return float(perturbation(sigma)) if callable(perturbation) else perturbation
