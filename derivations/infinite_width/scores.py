"""Scores at finite width: a Gaussian times the root of a chi-square over its degrees of freedom, and the moments."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.infinite_width.symbols import i_iw, n_iw
from boundaudit.derivations.symbols import symbol

x_iw = symbol("x_iw", "a score over its standard deviation", nonnegative=True)


def chi_square_moment(order: int, degrees: sp.Expr) -> sp.Expr:
    """E (χ²_n/n)^order by the gamma function.

    Returns:
        (2/n)^order Γ(n/2 + order)/Γ(n/2).
    """
    return (2 / degrees) ** order * sp.gamma(degrees / 2 + order) / sp.gamma(degrees / 2)


def kurtosis(degrees: sp.Expr) -> sp.Expr:
    """E G⁴/(E G²)² of a score G = (Σ_k q_k k_k)/√n with independent standard normal q_k, k_k.

    Given the q_k, G is normal with variance Σ q_k²/n = χ²_n/n, whose mean is 1.

    Returns:
        3 E (χ²_n/n)².
    """
    return 3 * chi_square_moment(2, degrees)


KURTOSIS = 3 + 6 / n_iw

QUERIES = (3 + sp.Sum(1, (i_iw, 2, n_iw))) / n_iw - 1
"""Cov(G², q_1²) = Σ_l E q_l² q_1²/n - 1."""

LAPLACE = 1 - sp.exp(-sp.sqrt(2) * x_iw) / 2
"""P[G ≤ x] at width 2: the sum of two products of normals over √2 is Laplace's law with variance 1."""

FIRST_ORDER = x_iw * (3 - x_iw**2) * sp.exp(-(x_iw**2) / 2) / (4 * sp.sqrt(2 * sp.pi))
"""n (P[G ≤ x] - Φ(x)) as n → ∞: ½ Var(χ²_n/n) n = 1 times the second derivative of Φ(x/√c) by c at 1."""
STEEPEST = sp.sqrt(3 - sp.sqrt(6))
"""Where it is largest: a root of the fourth Hermite polynomial x⁴ - 6x² + 3."""
STEEP = sp.Rational(689, 5000)
"""0.1378, above its largest value 0.13766."""

# --- how far the first order is from the truth ----------------------------------------------------

a_iw = symbol("a_iw", "square of the argument of a characteristic function", nonnegative=True)

CHARACTERISTIC = sp.exp(-n_iw / 2 * sp.log(1 + a_iw / n_iw))
"""E cos(tG) = E exp(-a χ²_n/(2n)) = (1 + a/n)^(-n/2) at a = t²."""
CHARACTERISTIC_FIRST = sp.exp(-a_iw / 2) * (1 + a_iw**2 / (4 * n_iw))
"""That of Φ + x(3 - x²)φ/(4n)."""
BELOW_FIRST = a_iw**3 / (6 * n_iw**2) * sp.exp(-a_iw / 2)
ABOVE_FIRST = a_iw**4 / (32 * n_iw**2) * CHARACTERISTIC
"""How far the one may be below the other, and above."""

BELOW_INTEGRATED = sp.Rational(4, 3) / sp.pi / n_iw**2
ABOVE_INTEGRATED = 3 * n_iw**2 / (2 * sp.pi * (n_iw - 2) * (n_iw - 4) * (n_iw - 6) * (n_iw - 8))
"""1/π times their integrals over dt/t: 8/(6π n²) and 48 n⁴/(32π n² (n-2)(n-4)(n-6)(n-8)), the latter for n > 8."""
REMAINDER = BELOW_INTEGRATED + ABOVE_INTEGRATED

NORMAL = (1 + sp.erf(x_iw / sp.sqrt(2))) / 2
g_iw, r_iw = symbol("g_tr_iw", "a number"), symbol("r_tr_iw", "a part of it")
