"""Where the sub-Gaussian constant must hold: Remark 4, Appendices A and E.

At θ = 0 the network is zero and its loss f². With ten components on disjoint positions and coefficients 1/√10 the
target is f = B/√10 with B binomial(10, 1/2), so that everything about the loss is a sum of eleven terms.
"""

import functools
from math import comb

import sympy as sp

from boundaudit.derivations.pac_bayes.subgaussian import t
from boundaudit.derivations.sharpness import gradients, norms
from boundaudit.derivations.symbols import symbol

CLAIMED = sp.Rational(1, 100)
"""The constant that the paper's examples use."""

_TEN = 10
_SHARES = [sp.Rational(comb(_TEN, n), 2**_TEN) for n in range(_TEN + 1)]


def _moment(order: int) -> sp.Rational:
    return sum(share * sp.Rational(n**2, _TEN) ** order for n, share in enumerate(_SHARES))


@functools.cache
def centre_cumulant() -> sp.Expr:
    """Ln E exp(t(ℓ-R)) at θ = 0.

    Returns:
        An expression in t.
    """
    mean = sum(share * sp.exp(t * sp.Rational(n**2, _TEN)) for n, share in enumerate(_SHARES))
    return sp.log(mean) - _moment(1) * t


@functools.cache
def optimal_sigma() -> sp.Expr:
    """The optimum of the truncated bound at S = 0.01 and a million samples.

    Returns:
        An expression in T, D and ω.
    """
    return (CLAIMED**2 * norms.total(norms.PUBLISHED) / (4 * 10**6 * gradients.G_U**2)) ** sp.Rational(1, 6)


# --- the constant inside the bound ------------------------------------------------------------------

share = symbol("w_1sg", "prior share of the first of two hypotheses", nonnegative=True)
spare = symbol("x_1sg", "λ²S²/(2m) less ln E exp(λ(R-r)) for the first of two hypotheses", nonnegative=True)
spare_other = symbol("x_2sg", "λ²S²/(2m) less ln E exp(λ(R-r)) for the second of two hypotheses", nonnegative=True)

INSIDE = share * sp.exp(-spare) + (1 - share) * sp.exp(-spare_other)
"""E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) with two hypotheses, each with its own one-sided constant."""
