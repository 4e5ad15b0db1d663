"""PAC-Bayes-λ on a finite set of hypotheses: the trade-off and the posterior that make the bound least, in turns.

Thiemann, Igel, Wintenberger & Seldin 2017. The bound (r + B/λ)/(1 - λ/2), B = (K + ln(2√m/δ))/m, is convex in the
posterior at a given λ, where the Gibbs posterior ρ(h) ∝ π(h) exp(-λ m r(h)) makes it least, and at a given posterior
λ = 2/(√(2r/B + 1) + 1) does. Each step lowers the bound, so that it converges, to a minimum in ρ and in λ.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.forms import checked, pac_bayes_bound
from boundaudit.numeric.pac_bayes.formulas import maurer_budget

if TYPE_CHECKING:
    from torch import Tensor

_CLOSE = 1e-14


class Alternated(NamedTuple):
    """What alternating minimisation ended with.

    Attributes:
        posterior: ρ, shape (H,).
        risk: its Gibbs risk on the sample.
        kl: its relative entropy to the prior in nats.
        tradeoff: λ.
        values: λ's form after each posterior, which never rise.
    """

    posterior: Tensor
    risk: Tensor
    kl: Tensor
    tradeoff: Tensor
    values: tuple[float, ...]


def best_tradeoff(
    risk: Tensor | float, kl: Tensor | float, samples: Tensor | float, delta: Tensor | float
) -> Tensor:  # fmt: skip
    """λ = 2/(√(2r/B + 1) + 1) with B = (K + ln(2√m/δ))/m, which makes λ's form least: it is the quadratic one there.

    Gibbs risk r in [0, 1] on m samples and relative entropy K in nats broadcast; λ in (0, 1], float64.

    Raises:
        InputError: for a value out of its range.

    Example:
        >>> from boundaudit import pac_bayes_bound
        >>> best = best_tradeoff(0.02, 5000, 60000, 0.025)
        >>> round(float(best), 4), round(float(pac_bayes_bound(0.02, 5000, 60000, 0.025, "lambda", tradeoff=best)), 4)
        (0.9025, 0.205)
    """
    import torch

    chosen = {"risk": risk, "kl": kl, "samples": samples, "delta": delta}
    values = {name: torch.as_tensor(value, dtype=torch.float64) for name, value in chosen.items()}
    checked("maurer", values)
    budget = maurer_budget(values["kl"], values["samples"], values["delta"])
    found: Tensor = 2 / ((2 * values["risk"] / budget + 1).sqrt() + 1)
    return found


def alternating_minimisation(
    risks: Tensor, samples: float, delta: float, prior: Tensor | None = None, *, rounds: int = 1000
) -> Alternated:
    """The posterior on a finite set whose λ-form no change of the posterior alone, or of λ alone, makes less.

    From r(h) on m samples for each hypothesis, in [0, 1], shape (H,), and a prior π, positive, fixed before the samples
    are seen, shape (H,), uniform unless given; in at most so many rounds.

    Raises:
        InputError: for a value out of its range, or a prior that is none.

    Example:
        >>> import torch
        >>> from boundaudit import pac_bayes_bound
        >>> found = alternating_minimisation(torch.tensor([0.05, 0.1, 0.4, 0.5]), 1000, 0.05)
        >>> round(found.values[-1], 4), round(float(pac_bayes_bound(found.risk, found.kl, 1000, 0.05)), 4)
        (0.089, 0.0836)
    """
    import torch

    each = torch.as_tensor(risks, dtype=torch.float64)
    start = torch.full_like(each, 1 / len(each)) if prior is None else torch.as_tensor(prior, dtype=torch.float64)
    if start.shape != each.shape or not bool((start > 0).all()) or not math.isclose(float(start.sum()), 1):
        raise InputError("prior", f"{len(each)} positive numbers that add up to one", "others", "correct the prior")
    checked("maurer", {"risk": each, "kl": 0.0, "samples": samples, "delta": delta})
    log_prior, values = start.log(), list[float]()
    tradeoff = best_tradeoff(each @ start, 0.0, samples, delta)
    for _ in range(rounds):
        log_weights = torch.log_softmax(log_prior - tradeoff * samples * each, 0)
        posterior = log_weights.exp()
        risk, kl = (posterior * each).sum(), (posterior * (log_weights - log_prior)).sum().clamp_min(0)
        tradeoff = best_tradeoff(risk, kl, samples, delta)
        values.append(float(pac_bayes_bound(risk, kl, samples, delta, "lambda", tradeoff=tradeoff)))
        if len(values) > 1 and values[-2] - values[-1] <= _CLOSE * values[-1]:
            break
    return Alternated(posterior, risk, kl, tradeoff, tuple(values))
