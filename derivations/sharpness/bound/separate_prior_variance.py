"""The prior's variance fixed apart from the posterior's: the norm enters through a logarithm. Derived here.

For ‖θ‖² ≤ L and the prior N(0, σ² + L/p) the relative entropy is at most (p/2) ln(1 + L/(p σ²)), so that the bound is

    V(σ) = r + σ² G + S √((p ln(1 + L/(p σ²)) + 2 ln(1/δ))/m).

With w = L/(p σ²) its derivative vanishes where (1+w)² (ln(1+w) + 2 ln(1/δ)/p)/w⁴ is a constant; by
ln(1+w) ≥ 2w/(2+w) that falls with w, so that V falls and then rises in σ. At σ² = κ L/(p m) V is of order √(ln m/m).
"""

from __future__ import annotations

import functools
from fractions import Fraction
from math import comb

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, p_n, relative, sigma, tau_f
from boundaudit.derivations.sharpness.bound.numbers import SIZES, norm_of_equal
from boundaudit.derivations.sharpness.bound.shared_variance import L_PRINTED, G_s, c_m
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.derivations.symbols import symbol

w_d = symbol("w_d", "squared norm per parameter over the variance of the noise", positive=True)

RELATIVE = p_n / 2 * sp.log(1 + N_2 / (p_n * sigma**2))
SHARED_RELATIVE = N_2 / (2 * sigma**2)

VALUE = sigma**2 * G_s + S * sp.sqrt((2 * RELATIVE + 2 * tau_f) / m)

LEARNED = sigma**2 * G_s + c_m * sp.sqrt(2 * relative + 2 * tau_f)
"""What the PAC-Bayes step gives a learner with that loss under noise on the sample, from its relative entropy."""

RELATIVE_OF_RATIO = p_n / 2 * sp.log(1 + w_d)
OF_RATIO = sigma**2 * G_s + c_m * sp.sqrt(2 * RELATIVE_OF_RATIO + 2 * tau_f)
"""The bound through w = L/(p σ²) and c = S/√m."""

# --- Appendix E.3 ---------------------------------------------------------------------------------

PARAMETERS = 3 * (T + 2) ** 2 + 8 * (D + 1) * (T + 2) + 4 * (D + 1) + T + 2
"""Entries of all blocks in the published layout: 2014 at E.3."""

CONFIDENCE = sp.log(20)
"""ln(1/δ) for δ = 5 %."""

SHARPNESS = G_U.subs(SIZES)
PRINTED_NORM = L_PRINTED.subs(SIZES)
COUNT = PARAMETERS.subs(SIZES)
SEMI_ANALYTIC = sp.Rational(11034, 10000) * SHARPNESS
"""P for which the printed semi-analytic value of E.3 comes out, as a constant."""


def true_norm() -> sp.Expr:
    """The construction's own squared norm at E.3 with coefficients 1/√10.

    Returns:
        An expression in u.
    """
    return norm_of_equal().subs(SIZES)


def at_example(sharpness: sp.Expr, norm: sp.Expr, count: sp.Expr = COUNT) -> sp.Expr:
    """The bound with S = 0.01 and δ = 5 %.

    Args:
        sharpness: G, or G + P.
        norm: L.
        count: p.

    Returns:
        An expression in σ and m.
    """
    return VALUE.subs({G_s: sharpness, N_2: norm, p_n: count, S: sp.Rational(1, 100), tau_f: CONFIDENCE})


def example() -> sp.Expr:
    """The bound at the printed sharpness and norm of E.3."""
    return at_example(SHARPNESS, PRINTED_NORM)


# --- the loss at the construction -----------------------------------------------------------------


def _plateau(s: Fraction, width: int) -> Fraction:
    """The MLP's output at s for D = 2: the trapezoids of the grid points 0 and 1."""
    heights = (min(Fraction(1), max(Fraction(0), (1 + width - 8 * abs(s - end)) / width)) for end in (0, 1))
    return sum(heights, Fraction(0))


@functools.cache
def _mean_square(width: int) -> sp.Rational:
    """E (g(s) - k/10)², s the mean of bits on inactive rows, k of 10 pairs of bits even: over all 2^20 inputs."""
    total = Fraction(0)
    for zeros in range(11):
        for ones in range(11 - zeros):
            mixed = 10 - zeros - ones
            count = comb(10, zeros) * comb(10 - zeros, ones) * 2**mixed
            away = _plateau(Fraction(2 * ones + mixed, 21), width) - Fraction(zeros + ones, 10)
            total += count * away**2
    return sp.Rational(total.numerator, total.denominator * 4**10)


_IDLE = (T + 1 - omega).subs(SIZES)
LEAKED = _IDLE / (sp.sqrt(SIZES[omega]) * SIZES[T] ** 2 + _IDLE)
"""Layer 2's attention to the inactive rows, with coefficients 1/√10."""


def loss(width: int) -> sp.Expr:
    """The construction's mean squared error at E.3, over all inputs of its ten pairs of bits.

    Args:
        width: u, 1 (steep) or 2 (wide).

    Returns:
        A rational number times a root.
    """
    return SIZES[omega] * LEAKED**2 * _mean_square(width)


def complete(width: int) -> sp.Expr:
    """The bound with the construction's own squared norm, and its loss as a summand.

    Args:
        width: u.

    Returns:
        An expression in σ and m.
    """
    return at_example(SHARPNESS, true_norm().subs(u, width)) + loss(width)


# --- how little sharpness matters -----------------------------------------------------------------

k_a = symbol("k_a", "by how much a network is sharper", positive=True)
k_e = symbol("k_e", "powers of ten by which a network is sharper", integer=True, nonnegative=True)
x_v = symbol("x_v", "squared norm per parameter over the variance of the noise, before a change of it", positive=True)

SHARPER_LOG = sp.log(1 + k_a * x_v)
"""The relative entropy's logarithm where the variance is lowered by the factor of the sharpness."""
SHARPER_CEILING = sp.log(1 + x_v) + sp.log(k_a)


def sharper() -> sp.Expr:
    """The bound of E.3 at a million samples with 10^k times the sharpness, at the σ that makes up for it.

    Returns:
        An expression in k.
    """
    at = {m: sp.Integer(10) ** 6, sigma: sp.Rational(57513, 10**9) / sp.sqrt(10) ** k_e}
    return at_example(SHARPNESS * 10**k_e, PRINTED_NORM).subs(at)


RISE_PART = SHARPNESS * sigma**2
