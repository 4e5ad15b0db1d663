"""A chain of T steps against one pass: bounds on the probability of error.

Each step is the parity of the chain's state and one bit, a component of degree two; one pass is the parity of all T
bits (Lintilhac & Shaikh 2026, Theorems 7, 8 and 16). A step is wrong where its raw error is at least 1/2, so that
P(wrong) ≤ 4 E ℓ for the squared loss ℓ, and P(chain wrong) ≤ 4T E ℓ for the mean over steps.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.pac_bayes.bernoulli import binary_kl, inverse_binary_kl
from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl, tied_kl
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published, repaired
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.setting import Form, Norm, check_chain
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance

WRONG = 0.25
"""The least squared loss of a wrong step."""

_GRID = 2**16
_COARSE = 2**11
_ITERATIONS = 60


@dataclass(frozen=True)
class ChainOfThought:
    """Bounds on error probabilities, each with probability at least 1-δ over the sample; 1 and more says nothing.

    Attributes:
        step_error: of one step, averaged over the chain's steps, whose parameters are drawn with the posterior's noise.
        chain_error: that any of the T steps is wrong.
        one_pass_error: of the parity of all T bits at once.
        samples_needed: by ``chain`` and ``one_pass``: samples from which the bound is at most the error asked for;
            infinite where no sample is large enough.
        constants: G, L, p and the loss at the construction, of a step and of one pass.
    """

    step_error: float
    chain_error: float
    one_pass_error: float
    samples_needed: Mapping[str, float]
    constants: Mapping[str, float]


def chain_of_thought(
    length: int, *, samples: float, subgaussian: float | None, delta: float, form: Form = "shared-variance",
    norm: Norm = "published", error: float = 0.1,
) -> ChainOfThought:  # fmt: skip
    """The repaired bounds for a chain of T steps and for one pass.

    Args:
        length: T.
        samples: m, independent samples of the step function (for a chain: one step of each prompt), or of the parity.
        subgaussian: S, for the shared-variance form; the clipped form needs none.
        delta: δ.
        form: ``shared-variance`` is Theorem 2's bound, ``clipped`` the kl form, prior variance apart, clipped at 1/4.
        norm: ``published`` takes the printed G_u and L, the others what holds for the trapezoid, from T = 4 on.
        error: the error probability that `samples_needed` asks for.

    Returns:
        The bounds.

    Raises:
        InputError: for a setting out of range.
    """
    check_chain(form, norm, subgaussian, error)
    step, whole = _budgets(length, 2, norm), _budgets(length, length, norm)

    def wrong(budgets: Budgets, size: float) -> float:
        if form == "clipped":
            return clipped(budgets, samples=size, delta=delta, clip=WRONG).value / WRONG
        return shared_variance(budgets, samples=size, delta=delta, proxy=float(subgaussian or 0)).value / WRONG

    step_error = wrong(step, samples)
    ask = functools.partial(samples_needed, subgaussian=subgaussian, delta=delta, form=form)
    needed = {"chain": ask(step, error / length), "one_pass": ask(whole, error)}
    constants = {**_constants("step", step), **_constants("one_pass", whole), "length": length, "error": error}
    return ChainOfThought(step_error, length * step_error, wrong(whole, samples), needed, constants)


def _budgets(length: int, degree: int, norm: Norm) -> Budgets:
    return published(length, degree, 1) if norm == "published" else repaired(length, degree, 1, norm)


def _constants(name: str, budgets: Budgets) -> dict[str, float]:
    return {
        f"{name}_G": budgets.sharpness_total, f"{name}_L": budgets.norm_total, f"{name}_parameters": budgets.count,
        f"{name}_residual": budgets.residual,
    }  # fmt: skip


def samples_needed(budgets: Budgets, error: float, *, subgaussian: float | None, delta: float, form: Form) -> float:
    """Samples from which the bound on the probability that one network is wrong is at most an error.

    Args:
        budgets: of the network.
        error: the error probability asked for.
        subgaussian: S, for the shared-variance form.
        delta: δ.
        form: ``shared-variance`` or ``clipped``.

    Returns:
        The least over a grid of σ, a part in 10⁶ above the least of all; infinite where the loss at the construction
        alone is too large.
    """
    sigma = torch.logspace(-12, 3, _GRID, dtype=torch.float64)
    sigma = sigma[WRONG * error > budgets.residual + sigma**2 * budgets.sharpness_total]
    if not len(sigma):
        return math.inf
    loss = budgets.residual + sigma**2 * budgets.sharpness_total
    if form == "shared-variance":
        kl = tied_kl(budgets.norm_total, sigma) + math.log(1 / delta)
        sizes = 2 * kl * (float(subgaussian or 0) / (WRONG * error - loss)) ** 2
    else:
        sizes = _kl_samples(loss / WRONG, error, decoupled_kl(budgets.norm_total, sigma, budgets.count), delta)
    return float(max(1, math.ceil(float(sizes.min()))))


def error_bounds(budgets: Budgets, samples: Tensor, *, subgaussian: float, delta: float, form: Form) -> Tensor:
    """Bounds on the probability that one network is wrong, for curves over the size of the sample.

    Args:
        budgets: of the network.
        samples: m, shape (n,).
        subgaussian: S, for the shared-variance form.
        delta: δ.
        form: ``shared-variance`` or ``clipped``.

    Returns:
        The least over a coarse grid of σ, shape (n,): a part in 10⁴ above the least of all.
    """
    sigma = torch.logspace(-12, 3, _COARSE, dtype=torch.float64)
    loss, size = budgets.residual + sigma**2 * budgets.sharpness_total, samples[:, None]
    if form == "shared-variance":
        kl = tied_kl(budgets.norm_total, sigma) + math.log(1 / delta)
        return (loss + subgaussian * torch.sqrt(2 * kl / size)).amin(-1) / WRONG
    kl = decoupled_kl(budgets.norm_total, sigma, budgets.count)
    allowed = (kl + torch.log(2 * size.sqrt() / delta)) / size
    return inverse_binary_kl((loss / WRONG).clamp_max(1), allowed).amin(-1)


def _kl_samples(risk: Tensor, error: float, kl: Tensor, delta: float) -> Tensor:
    """The m at which kl(risk ‖ error) = (K + ln(2√m/δ))/m, by iteration from below."""
    gap = binary_kl(risk, error)
    sizes = (kl + math.log(2 / delta)) / gap
    for _ in range(_ITERATIONS):
        sizes = (kl + math.log(2 / delta) + sizes.log() / 2) / gap
    return sizes


# --- the least exponent of the printed form -------------------------------------------------------


def printed_log_probability(
    length: int, degree: int, factor: Tensor | float, *, samples: Tensor, proxy: float
) -> Tensor:
    """The logarithm of the printed probability at its best σ, without P, not above 0.

    Args:
        length: T.
        degree: D of the component whose G_u and L enter.
        factor: what multiplies both of them, and their exponent.
        samples: m, shape (n,).
        proxy: S.

    Returns:
        log 4 + factor · √(m G L)/S - m/(8S²), shape (n,); the factor T of the union is left to the caller.
    """
    budgets = published(length, degree, 1)
    least = torch.sqrt(samples * budgets.sharpness_total * budgets.norm_total) / proxy
    return (math.log(4) + factor * least - samples / (8 * proxy**2)).clamp_max(0)
