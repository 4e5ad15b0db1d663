"""The split-kl bound: what a loss is above a middle value and what it is below are bounded apart.

Wu & Seldin 2022. With losses in [a, b] and μ between, ℓ = μ + (ℓ-μ)₊ - (μ-ℓ)₊, so that two relative-entropy bounds at
δ/2 each, one from above and one from below, give

    R ≤ μ + (b-μ) kl⁻¹(r₊/(b-μ), B) - (μ-a) (1 - kl⁻¹(1 - r₋/(μ-a), B)),    B = (K + ln(4√m/δ))/m,

r₊ and r₋ being the posterior means of both parts on the sample. Losses that often are μ, such as differences of two
predictors' losses with μ = 0, gain; for losses of 0 and 1 it is Maurer's bound at δ/2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsFloat

from flint import arb, ctx

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import BITS, certified_inverse, upper_end
from boundaudit.numeric.pac_bayes.forms import checked, everywhere, exact_number
from boundaudit.numeric.pac_bayes.formulas import maurer_budget

if TYPE_CHECKING:
    from torch import Tensor


def split_kl_bound(
    above: Tensor | float, below: Tensor | float, kl: Tensor | float, samples: Tensor | float, delta: Tensor | float, *,
    middle: float = 0.0, low: float = -1.0, high: float = 1.0,
) -> Tensor:  # fmt: skip
    """The bound on the posterior mean of E ℓ, elementwise and differentiable, float64.

    On m samples r₊ (above), the posterior mean of (ℓ-μ)₊, is from 0 to b-μ, and r₋ (below), that of (μ-ℓ)₊, from 0 to
    μ-a. K is the relative entropy of posterior to prior in nats. Low and high are a and b, the smallest and the largest
    loss, and the middle μ is strictly between them, fixed before the samples are seen.

    Raises:
        InputError: for a value out of its range.

    Example:
        >>> round(float(split_kl_bound(0.02, 0.01, 50, 10000, 0.05)), 4)
        0.0365
    """
    import torch

    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl

    chosen = {"above": above, "below": below, "kl": kl, "samples": samples, "delta": delta}
    values = {name: torch.as_tensor(value, dtype=torch.float64) for name, value in chosen.items()}
    up, down = _widths(middle, low, high)
    over, under = values.pop("above") / up, values.pop("below") / down
    _check(over, under, values)
    budget = maurer_budget(values["kl"], values["samples"], values["delta"] / 2)
    return middle + up * inverse_binary_kl(over, budget) - down * (1 - inverse_binary_kl(1 - under, budget))


def certified_split_kl(
    above: SupportsFloat, below: SupportsFloat, kl: SupportsFloat, samples: SupportsFloat, delta: SupportsFloat, *,
    middle: float = 0.0, low: float = -1.0, high: float = 1.0,
) -> float:  # fmt: skip
    """A float that is certainly at least the bound of `split_kl_bound`; a float stands for itself, exactly.

    Raises:
        InputError: as `split_kl_bound`, and for what is no single number that float64 or an integer holds.

    Example:
        >>> certified_split_kl(0.02, 0.01, 50, 10000, 0.05) >= float(split_kl_bound(0.02, 0.01, 50, 10000, 0.05))
        True
    """
    given = {"above": above, "below": below, "kl": kl, "samples": samples, "delta": delta}
    values = {name: exact_number(name, value) for name, value in given.items()}
    _widths(middle, low, high)
    with ctx.workprec(BITS):
        up, down = arb(high) - middle, arb(middle) - low
        over, under = values.pop("above") / up, values.pop("below") / down
        _check(float(over), float(under), values)
        exact = {name: arb(value) for name, value in values.items()}
        budget = maurer_budget(exact["kl"], exact["samples"], exact["delta"] / 2)
        from_above = certified_inverse(min(1.0, upper_end(over)), budget)
        from_below = certified_inverse(min(1.0, upper_end(1 - under)), budget)
        return upper_end(middle + up * from_above - down * (1 - arb(from_below)))


def _widths(middle: float, low: float, high: float) -> tuple[float, float]:
    if not -float("inf") < low < middle < high < float("inf"):
        raise InputError("middle", f"strictly between low = {low} and high = {high}", middle, "choose one between them")
    return high - middle, middle - low


def _check(over: Any, under: Any, values: dict[str, Any]) -> None:
    for field, width, share in (("above", "high - middle", over), ("below", "middle - low", under)):
        if not everywhere((share >= 0) & (share <= 1)):
            raise InputError(field, f"a number from 0 to {width}", "another", f"correct {field}")
    checked("maurer", {"risk": 0.0, **values})
