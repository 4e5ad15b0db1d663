"""From a posterior to one network: what stands for K in the forms `disintegrated` and `disintegrated-renyi`.

Rivasplata, Kuzborskij, Szepesvári & Shawe-Taylor 2020: with probability at least 1-δ over the sample *and* one draw h
from the posterior, kl(r(h)‖R(h)) ≤ (ln(ρ(h)/π(h)) + ln(2√m/δ))/m. Viallard, Germain, Habrard & Morvant 2024 put
Rényi's divergence of an order above 1, which does not depend on the draw, for the logarithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundaudit import InputError

if TYPE_CHECKING:
    from torch import Tensor


def gaussian_log_ratio(
    draw: Tensor, mean: Tensor, deviation: Tensor | float, prior_mean: Tensor | float, prior_deviation: Tensor | float
) -> Tensor:
    """ln(ρ(h)/π(h)) at a draw h from ρ = N(mean, deviation²), π = N(prior mean, prior deviation²), summed.

    Draws have shape (..., parameters), the ratio, float64, (...); it is negative where the prior is denser.

    Raises:
        InputError: for a deviation that is not positive.

    Example:
        The certificate of one network: risk 0.03 on 10 000 samples of a network that was drawn once.

        >>> import torch
        >>> from boundaudit import pac_bayes_bound
        >>> draw = torch.tensor([1.2, -0.7])
        >>> ratio = gaussian_log_ratio(draw, torch.tensor([1.0, -1.0]), 0.5, 0.0, 1.0)
        >>> round(float(ratio), 4), round(float(pac_bayes_bound(0.03, ratio, 10000, 0.05, "disintegrated")), 4)
        (2.0913, 0.0384)
    """
    h, mu, s, nu, t = _all(draw, mean, deviation, prior_mean, prior_deviation)
    return (t.log() - s.log() + (((h - nu) / t) ** 2 - ((h - mu) / s) ** 2) / 2).sum(-1)


def gaussian_renyi(
    mean: Tensor, deviation: Tensor | float, prior_mean: Tensor | float, prior_deviation: Tensor | float,
    order: float = 2.0,
) -> Tensor:  # fmt: skip
    """D_α(ρ‖π) of Gaussians with independent entries, summed: α(μ-ν)²/(2v) + ln(t/s) + ln(t²/v)/(2(α-1)) each.

    Here v = αt² + (1-α)s², s and t being the deviations of posterior and prior (Gil, Alajaji & Linder 2013); as the
    order α falls to 1 this falls to the relative entropy. Means have shape (..., parameters), the sum, float64, (...);
    it is infinite where v is not positive.

    Raises:
        InputError: for a deviation that is not positive, or an order of at most 1.

    Example:
        >>> import torch
        >>> round(float(gaussian_renyi(torch.tensor([1.0, -1.0]), 0.5, 0.0, 1.0)), 4)
        1.9695
    """
    if not 1 < order < float("inf"):
        raise InputError("order", "a finite number above 1", order, "choose such as 2")
    mu, s, nu, t = _all(mean, deviation, prior_mean, prior_deviation)
    v = order * t**2 + (1 - order) * s**2
    one = order * (mu - nu) ** 2 / (2 * v) + (t / s).log() + (t**2 / v).log() / (2 * (order - 1))
    return one.where(v > 0, float("inf")).sum(-1)


def _all(*given: Any) -> tuple[Tensor, ...]:
    """As float64 of one shape; the third from the end and the last are deviations."""
    import torch

    values = torch.broadcast_tensors(*(torch.as_tensor(value, dtype=torch.float64) for value in given))  # type: ignore[no-untyped-call]
    for field, value in (("deviation", values[-3]), ("prior_deviation", values[-1])):
        if not bool((value > 0).all()):
            raise InputError(field, "numbers above 0", "others", f"correct {field}")
    return tuple(values)
