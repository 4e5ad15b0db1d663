"""The formulas of PAC-Bayes bounds, in what PyTorch tensors and Arb balls share.

Arguments are r, K, m, δ and what a form needs besides, as tensors or as balls; the same lines give vectorised values
with gradients and certified upper ends. Proofs are in `boundaudit.derivations.pac_bayes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb

from boundaudit.numeric.pac_bayes.certified import certified_inverse

Number = Any
"""A tensor or a ball."""


def maurer_budget(kl: Number, samples: Number, delta: Number) -> Number:
    """(K + ln(2√m/δ))/m, as E exp(m kl(r‖R)) ≤ 2√m (Maurer 2004)."""
    return (kl + (2 * samples.sqrt()).log() - delta.log()) / samples


def seeger_budget(kl: Number, samples: Number, delta: Number) -> Number:
    """(K + ln((m+1)/δ))/m, as E exp(m kl(r‖R)) ≤ m + 1 (Seeger 2002)."""
    return (kl + samples.log1p() - delta.log()) / samples


def _inverse(risk: Number, budget: Number) -> Number:
    """kl⁻¹, and r itself where the budget is negative, as a logarithm of densities may make it."""
    if isinstance(budget, arb):
        return arb(certified_inverse(float(risk), budget.max(arb(0))))
    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl

    return inverse_binary_kl(risk, budget.clamp_min(0))


# --- by the relative entropy of Bernoulli laws ------------------------------------------------------


def mcallester(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    """McAllester's r + √(B/2), B being Maurer's budget."""
    return risk + (maurer_budget(kl, samples, delta) / 2).sqrt()


def maurer(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    """kl⁻¹(r, B)."""
    return _inverse(risk, maurer_budget(kl, samples, delta))


def seeger(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    """kl⁻¹(r, (K + ln((m+1)/δ))/m)."""
    return _inverse(risk, seeger_budget(kl, samples, delta))


def quadratic(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    """(√(r + B/2) + √(B/2))²."""
    half = maurer_budget(kl, samples, delta) / 2
    return ((risk + half).sqrt() + half.sqrt()) ** 2


def lambda_form(risk: Number, kl: Number, samples: Number, delta: Number, tradeoff: Number) -> Number:
    """(r + B/λ)/(1 - λ/2)."""
    return (risk + maurer_budget(kl, samples, delta) / tradeoff) / (1 - tradeoff / 2)


def catoni(risk: Number, kl: Number, samples: Number, delta: Number, temperature: Number) -> Number:
    """(1 - exp(-C r - (K + ln(1/δ))/m)) / (1 - exp(-C))."""
    exponent = temperature * risk + (kl - delta.log()) / samples
    return (-exponent).expm1() / (-temperature).expm1()


# --- one network instead of a posterior's mean ------------------------------------------------------


def disintegrated_renyi(risk: Number, kl: Number, samples: Number, delta: Number, order: Number) -> Number:
    """kl⁻¹(r, (D_α + ln(2√m) + (2α-1)/(α-1) ln(2/δ))/m)."""
    confidence = (2 * order - 1) / (order - 1) * log_two_over(delta)
    return _inverse(risk, (kl + (2 * samples.sqrt()).log() + confidence) / samples)


# --- by moments -------------------------------------------------------------------------------------


def second_moment(risk: Number, kl: Number, samples: Number, delta: Number, moment: Number, rate: Number) -> Number:
    """By second moments: r + λv/(2m) + (K + ln(1/δ))/λ."""
    return risk + rate * moment / (2 * samples) + (kl - delta.log()) / rate


def subgaussian(risk: Number, kl: Number, samples: Number, delta: Number, proxy: Number, rate: Number) -> Number:
    """By a sub-Gaussian constant: r + λS²/(2m) + (K + ln(1/δ))/λ."""
    return second_moment(risk, kl, samples, delta, proxy**2, rate)


def unexpected_bernstein(
    risk: Number, kl: Number, samples: Number, delta: Number, sample_moment: Number, rate: Number
) -> Number:
    """Unexpected Bernstein: r + (λ/m) θ(λ/m) v + (K + ln(1/δ))/λ with θ(u) = (-ln(1-u) - u)/u²."""
    return risk + rate / samples * theta(rate / samples) * sample_moment + (kl - delta.log()) / rate


def empirical_bernstein(
    risk: Number, kl: Number, samples: Number, delta: Number, sample_variance: Number, rate: Number,
    variance_rate: Number,
) -> Number:  # fmt: skip
    """Empirical Bernstein: r + (λ/m) φ(λ/m) W + k/λ with k = K + ln(2/δ) and W = (V + k/κ)/(1 - κ/(2(m-1)))."""
    cost = kl + log_two_over(delta)
    variance = (sample_variance + cost / variance_rate) / (1 - variance_rate / (2 * (samples - 1)))
    return risk + rate / samples * phi(rate / samples) * variance + cost / rate


def chi_squared(risk: Number, kl: Number, samples: Number, delta: Number, variance: Number) -> Number:
    """By χ²: r + √((1 + χ²) v/(m δ))."""
    return risk + ((1 + kl) * (variance / samples)).sqrt() / delta.sqrt()


def log_two_over(delta: Number) -> Number:
    """ln(2/δ), where 2/δ itself may overflow."""
    return (0 * delta + 2).log() - delta.log()


def theta(u: Number) -> Number:
    """(-ln(1-u) - u)/u² for 0 < u < 1: at most this times x² is what -ln(1-x) - x adds for x ≤ u."""
    return _remainder(u, lambda x: -(-x).log1p() - x, lambda k: k)


def phi(u: Number) -> Number:
    """(e^u - 1 - u)/u² for u > 0, Bennett's function."""
    return _remainder(u, lambda x: x.expm1() - x, _factorial)


def _factorial(k: int) -> float:
    return float(k * _factorial(k - 1)) if k > 1 else 1.0


def _remainder(u: Number, whole: Callable[[Number], Number], divisor: Callable[[int], float]) -> Number:
    """What a function is above its tangent at 0, over u²: by its series Σ u^(k-2)/divisor(k) where that cancels."""
    if isinstance(u, arb):
        return whole(u) / u**2
    near = u.abs() < _NEAR
    small, large = u.where(near, u * 0), u.where(~near, u * 0 + _NEAR)
    series = small * 0
    for k in range(_TERMS, 1, -1):
        series = series * small + 1 / divisor(k)
    return series.where(near, whole(large) / large**2)


_NEAR, _TERMS = 0.05, 16
