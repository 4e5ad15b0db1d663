"""The coin-betting bound: from the whole law of the losses on the sample instead of their mean.

Jang, Jun, Kuzborskij & Orabona 2023, relaxed to a formula here. A gambler who bets on losses in [0, 1] against the mean
R(h) multiplies his capital by 1 + β(ℓ - R(h)), a martingale for every β; a mixture of bets falls behind the best one by
a factor of at most 2√m, whatever the losses. By the change of measure, with B = (K + ln(2√m/δ))/m,

    R ≤ ν - exp(E_ρ[mean of ln(ν - ℓ) on the sample] - B)    for all ν ≥ 1, all posteriors and all m at once.

The best ν makes it the largest mean of a law on [0, 1] to which the law of the losses has relative entropy B, so that
it is never above Maurer's bound, and equal to it for losses of 0 and 1. The proof is in
`boundaudit.derivations.pac_bayes.betting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, SupportsFloat

from flint import arb, ctx

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import BITS, upper_end
from boundaudit.numeric.pac_bayes.forms import checked, exact_number
from boundaudit.numeric.pac_bayes.formulas import maurer_budget

if TYPE_CHECKING:
    from torch import Tensor

_HALVINGS = 60
_LEAST, _MOST = -30.0, 30.0
"""Ends of the bracket for ln(ν - 1)."""
_ROUNDING = 1e-6


def coin_betting_bound(
    losses: Tensor | Sequence[float], kl: Tensor | float, samples: Tensor | float, delta: Tensor | float,
    weights: Tensor | Sequence[float] | None = None,
) -> Tensor:  # fmt: skip
    """The bound on the Gibbs risk at its best ν, elementwise and differentiable, float64.

    Losses are the values that occur, in [0, 1], shape (..., n), and weights how often each occurs under posterior and
    sample together, adding up to one, the same for each unless given. K, the relative entropy of posterior to prior in
    nats, m and δ broadcast with (...).

    Raises:
        InputError: for a value out of its range.

    Example:
        Three networks, posterior (0.7, 0.2, 0.1), and their losses on four samples:

        >>> import torch
        >>> losses = torch.tensor([[0.1, 0.2, 0.0, 0.1], [0.3, 0.2, 0.2, 0.1], [0.4, 0.1, 0.0, 0.2]])
        >>> posterior = torch.tensor([0.7, 0.2, 0.1])
        >>> pooled = (posterior[:, None] / 4).expand(3, 4)
        >>> kl = (posterior * (posterior * 3).log()).sum()
        >>> round(float(coin_betting_bound(losses.flatten(), kl, 4, 0.05, pooled.flatten())), 4)
        0.7307
    """
    import torch

    x, each = _law(losses, weights)
    chosen = {"kl": kl, "samples": samples, "delta": delta}
    values = {name: torch.as_tensor(value, dtype=torch.float64, device=x.device) for name, value in chosen.items()}
    checked("maurer", {"risk": 0.0, **values})
    budget = maurer_budget(**values)
    beyond = _best(x, each.detach(), budget.detach())
    # With x̄ the mean: ν - exp(mean ln(ν-ℓ) - B) = x̄ - (ν-x̄)(exp(mean ln((ν-ℓ)/(ν-x̄)) - B) - 1), and little cancels.
    mean = (each * x).sum(-1)
    gap = (1 - mean) + beyond
    ratio = (mean[..., None] - x) / gap[..., None]
    found: Tensor = mean - gap * ((each * ratio.log1p()).sum(-1) - budget).expm1()
    return found.clamp_max(1)


def _law(losses: Tensor | Sequence[float], weights: Tensor | Sequence[float] | None) -> tuple[Tensor, Tensor]:
    """Both as float64."""
    import torch

    x = torch.as_tensor(losses, dtype=torch.float64)
    if not bool(((x >= 0) & (x <= 1)).all()):
        raise InputError("losses", "numbers from 0 to 1", "others", "divide by the largest loss")
    if weights is None:
        return x, torch.full_like(x, 1 / x.shape[-1])
    each = torch.as_tensor(weights, dtype=torch.float64, device=x.device)
    if not bool((each >= 0).all()) or not bool(((each.sum(-1) - 1).abs() <= _ROUNDING).all()):
        raise InputError("weights", "numbers of at least 0 that add up to one", "others", "divide by their sum")
    return x, each


def _best(x: Tensor, each: Tensor, budget: Tensor) -> Tensor:
    """The best ν - 1, by halving a bracket for its logarithm."""
    import torch

    low = torch.full_like(x[..., 0] + each[..., 0] + budget, _LEAST)
    high = torch.full_like(low, _MOST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        gaps = (1 - x) + middle.exp()[..., None]
        # The derivative by ν is 1 - exp(mean ln(ν - ℓ) - B) · mean 1/(ν - ℓ), which rises.
        falls = (each * gaps.log()).sum(-1) - budget + (each / gaps).sum(-1).log() > 0
        low, high = torch.where(falls, middle, low), torch.where(falls, high, middle)
    return high.exp()


def certified_coin_betting(
    losses: Sequence[float], kl: SupportsFloat, samples: SupportsFloat, delta: SupportsFloat,
    weights: Sequence[float] | None = None,
) -> float:  # fmt: skip
    """A float that is certainly at least the bound, at most 1: any ν gives one, and the numerical one is taken.

    Of one law of losses, as for `coin_betting_bound`; a float stands for itself, exactly. Weights are divided by their
    sum, as floats seldom add up to one.

    Raises:
        InputError: as `coin_betting_bound`, and for what is no single number that float64 or an integer holds.

    Example:
        >>> often_half, never = [0.0, 0.5, 0.5, 1.0], [0.0, 1.0]
        >>> certified_coin_betting(often_half, 2, 400, 0.05) < certified_coin_betting(never, 2, 400, 0.05)
        True
    """
    import torch

    given = {"kl": kl, "samples": samples, "delta": delta}
    values = {name: exact_number(name, value) for name, value in given.items()}
    x, each = _law(losses, weights)
    checked("maurer", {"risk": 0.0, **values})
    law: dict[float, arb] = {}
    with ctx.workprec(BITS):
        for loss, share in zip(x.tolist(), each.tolist(), strict=True):
            law[loss] = law.get(loss, arb(0)) + share
        budget = maurer_budget(**{name: arb(value) for name, value in values.items()})
        nu = 1 + arb(float(_best(x, each, torch.tensor(float(budget), dtype=torch.float64))))
        logs = sum((share * (nu - loss).log() for loss, share in law.items()), arb(0))
        return min(1.0, upper_end(nu - (logs / sum(law.values(), arb(0)) - budget).exp()))
