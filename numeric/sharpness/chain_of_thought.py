"""A chain of T steps against one pass: bounds on the probability of error, by what a sample is made of.

Each step is the parity of the chain's state and one bit, a component of degree two; one pass is the parity of all T
bits (Lintilhac & Shaikh 2026, Theorems 7, 8 and 16). A step is wrong where its raw error is at least 1/2, so that
P(wrong) ≤ 4 E ℓ for the squared loss ℓ. Where the network lies within λ of the step without noise, a wrong step has
moved by at least 1/2 - λ: P(wrong) ≤ E|f̃ - f|²/(1/2 - λ)², and λ itself costs nothing.

A sample of m prompts may give one step of each, and then a union over steps multiplies the bound of a step by T; or
it may give whole chains, and then the loss of a prompt is that of its chain, the network is shared, and its relative
entropy is paid once.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.bernoulli import binary_kl, inverse_binary_kl
from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl, tied_kl
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published, repaired
from boundaudit.numeric.sharpness.bound.setting import Form, Norm, check_chain, check_setting
from boundaudit.numeric.sharpness.bound.value import Curve

WRONG = 0.25
"""The least squared loss of a wrong step."""

COIN = 0.5
"""What guessing the parity of all bits reaches: a bound on an error probability says something below it."""

_SIGMA = torch.logspace(-12, 3, 2**11, dtype=torch.float64)
_FINE = 2**7
_ITERATIONS = 60


@dataclass(frozen=True)
class ChainOfThought:
    """Bounds on error probabilities, each with probability at least 1-δ over the sample; a coin reaches 1/2.

    Attributes:
        step_error: of one step, averaged over the chain's steps, whose parameters are drawn with the posterior's noise.
        chain_error: that any of the T steps is wrong, by what is counted: ``whole_chains`` has m prompts with all of
            their steps, ``equal_labels`` as many of them as have m steps, ``one_step`` one step of each of m prompts.
        one_pass_error: of the parity of all T bits at once, from m prompts.
        samples_needed: by the keys of ``chain_error`` and ``one_pass``: what is counted, from which on the bound is at
            most the error asked for; infinite where no sample is large enough.
        informative_from: the same for an error of 1/2.
        constants: G, L, p and the loss at the construction, of a step and of one pass.
    """

    step_error: float
    chain_error: Mapping[str, float]
    one_pass_error: float
    samples_needed: Mapping[str, float]
    informative_from: Mapping[str, float]
    constants: Mapping[str, float]


@dataclass(frozen=True)
class Network:
    """What the bound on a network's error is made of."""

    budgets: Budgets
    form: Form
    wrong: Curve  # how often it is at most wrong under noise at any input, as a function of σ that does not fall
    subgaussian: float = 0.0  # S, for the shared-variance form

    def error(self, samples: float, delta: float, steps: int = 1) -> float:
        """The bound on P(a step at a prompt is wrong) at the best σ, m prompts of T steps; it may exceed one."""
        size = torch.tensor(samples, dtype=torch.float64)
        return self._least(lambda sigma, risk: self._bounds(sigma, steps * risk, size, delta, steps))

    def errors(self, samples: Tensor, delta: float, steps: int = 1) -> Tensor:
        """The same for samples m (n,) at the best σ of a coarse grid: a part in 10⁴ above the least of all."""
        return self._bounds(_SIGMA, steps * self._risks, samples[:, None], delta, steps).amin(-1)

    def samples_needed(self, error: float, delta: float, steps: int = 1) -> float:
        """Prompts from which the bound is at most an error; infinite where the construction's own loss is too large."""
        found = self._least(lambda sigma, risk: self._sizes(sigma, steps * risk, error, delta, steps))
        return float(max(1, math.ceil(found))) if math.isfinite(found) else math.inf

    @functools.cached_property
    def _risks(self) -> Tensor:
        return self.wrong(_SIGMA)

    def _least(self, of: Callable[[Tensor, Tensor], Tensor]) -> float:
        """The least of a function of σ and the risk there, over a grid of σ that is refined once about its best."""
        best = int(of(_SIGMA, self._risks).argmin())
        low, high = (_SIGMA[n].log10() for n in (max(best - 1, 0), min(best + 1, len(_SIGMA) - 1)))
        sigma = 10 ** torch.linspace(float(low), float(high), _FINE, dtype=torch.float64)
        return float(of(sigma, self.wrong(sigma)).min())

    def _bounds(self, sigma: Tensor, risk: Tensor, size: Tensor, delta: float, steps: int) -> Tensor:
        """At each σ, for the risk of all steps together."""
        if self.form == "shared-variance":
            kl = tied_kl(self.budgets.norm_total, sigma) + math.log(1 / delta)
            return risk + steps * self.subgaussian / WRONG * torch.sqrt(2 * kl / size)
        kl = decoupled_kl(self.budgets.norm_total, sigma, self.budgets.count)
        return inverse_binary_kl(risk.clamp_max(1), (kl + torch.log(2 * size.sqrt() / delta)) / size)

    def _sizes(self, sigma: Tensor, risk: Tensor, error: float, delta: float, steps: int) -> Tensor:
        """The prompts that each σ asks for, infinite where the risk is too large."""
        inside = risk < error
        if self.form == "shared-variance":
            kl = tied_kl(self.budgets.norm_total, sigma) + math.log(1 / delta)
            sizes = 2 * kl * (steps * self.subgaussian / (WRONG * (error - risk))) ** 2
        else:
            kl = decoupled_kl(self.budgets.norm_total, sigma, self.budgets.count)
            sizes = _kl_samples(risk.where(inside, error / 2), error, kl, delta)
        return sizes.where(inside, math.inf)


def network(
    budgets: Budgets, form: Form, *, subgaussian: float | None = None, wrong: Curve | None = None
) -> Network:  # fmt: skip
    """A network by the form of its bound.

    ``shared-variance``, which needs S, and ``clipped`` take four times residual + σ² G, ``margin`` what noise alone
    adds, σ² G/(1/2 - √residual)², and ``derived`` the function that is given.
    """
    total = budgets.sharpness_total
    if wrong is not None:
        curve = wrong
    elif form == "margin":
        margin = COIN - math.sqrt(budgets.residual)
        curve = lambda sigma: sigma**2 * total / margin**2  # noqa: E731
    else:
        curve = lambda sigma: (budgets.residual + sigma**2 * total) / WRONG  # noqa: E731
    return Network(budgets, form, curve, float(subgaussian or 0))


def chain_of_thought(
    length: int, *, samples: float, subgaussian: float | None, delta: float, form: Form = "shared-variance",
    norm: Norm = "published", error: float = 0.1, wrong: Mapping[str, Curve] | None = None,
) -> ChainOfThought:  # fmt: skip
    """The repaired bounds for a chain of T steps and for one pass.

    Args:
        length: T.
        samples: m: prompts, with one step of each, with all of their T steps, or with the parity of all bits.
        subgaussian: S, for the shared-variance form; the others need none.
        delta: δ.
        form: ``shared-variance`` is Theorem 2's bound; the others are the kl form with a prior variance of its own,
            for the loss clipped at 1/4 (``clipped``), or for whether a step is wrong: ``margin`` with noise of first
            order, ``derived`` with how often noise makes it wrong as a function that the caller gives.
        norm: ``published`` takes the printed G_u and L, the others what holds for the trapezoid, from T = 4 on.
        error: the error probability that `samples_needed` asks for.
        wrong: for ``derived``: ``step`` and ``one_pass``, how often noise of size σ makes each wrong, at any input.

    Raises:
        InputError: for a setting out of range.
    """
    check_chain(form, norm, subgaussian, error)
    check_setting(samples, delta, **({} if subgaussian is None else {"subgaussian": subgaussian}))
    if (form == "derived") != (wrong is not None):
        raise InputError(
            "wrong", "two functions of σ, for form derived alone", wrong, "see checks.sharpness.calculators"
        )
    step, whole = (
        network(budgets, form, subgaussian=subgaussian, wrong=None if wrong is None else wrong[name])
        for name, budgets in (("step", _budgets(length, 2, norm)), ("one_pass", _budgets(length, length, norm)))
    )

    def needed(probability: float) -> dict[str, float]:
        chains = step.samples_needed(probability, delta, length)
        return {
            "whole_chains": chains, "equal_labels": length * chains,
            "one_step": step.samples_needed(probability / length, delta),
            "one_pass": whole.samples_needed(probability, delta),
        }  # fmt: skip

    step_error, prompts = step.error(samples, delta), samples // length
    by_count = {
        "whole_chains": step.error(samples, delta, length),
        "equal_labels": step.error(prompts, delta, length) if prompts else 1.0,
        "one_step": length * step_error,
    }
    constants = {**_constants("step", step.budgets), **_constants("one_pass", whole.budgets)}
    return ChainOfThought(
        step_error, by_count, whole.error(samples, delta), needed(error), needed(COIN),
        {**constants, "length": length, "error": error},
    )  # fmt: skip


def _budgets(length: int, degree: int, norm: Norm) -> Budgets:
    return published(length, degree, 1) if norm == "published" else repaired(length, degree, 1, norm)


def _constants(name: str, budgets: Budgets) -> dict[str, float]:
    return {
        f"{name}_G": budgets.sharpness_total, f"{name}_L": budgets.norm_total, f"{name}_parameters": budgets.count,
        f"{name}_residual": budgets.residual,
    }  # fmt: skip


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
    """The logarithm of the printed probability at its best σ, without P, not above 0, for samples m (n,) and proxy S.

    log 4 + factor · √(m G L)/S - m/(8S²), shape (n,), with G_u and L of a component of degree D, which the factor
    multiplies, as it does their exponent; the factor T of the union is left to the caller.
    """
    budgets = published(length, degree, 1)
    least = torch.sqrt(samples * budgets.sharpness_total * budgets.norm_total) / proxy
    return (math.log(4) + factor * least - samples / (8 * proxy**2)).clamp_max(0)
