"""Where the sub-Gaussian constant must hold: Remark 4, Appendices A and E.

At θ = 0 the network is zero and its loss f². With ten components on disjoint positions and coefficients 1/√10 the
target is f = B/√10 with B binomial(10, 1/2), so that everything about the loss is a sum of eleven terms.
"""

from math import comb

import sympy as sp

from boundaudit.derivations.pac_bayes.subgaussian import cumulant, p, t
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import gradients, norms
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.derivations.symbols import symbol

CLAIMED = sp.Rational(1, 100)
"""The constant that the paper's examples use."""

_TEN = 10
_SHARES = [sp.Rational(comb(_TEN, n), 2**_TEN) for n in range(_TEN + 1)]


def _moment(order: int) -> sp.Rational:
    return sum(share * sp.Rational(n**2, _TEN) ** order for n, share in enumerate(_SHARES))


CENTRE_CUMULANT = (
    sp.log(sum(share * sp.exp(t * sp.Rational(n**2, _TEN)) for n, share in enumerate(_SHARES))) - _moment(1) * t
)
"""Ln E exp(t(ℓ-R)) at θ = 0."""

CENTRE_VARIANCE = _moment(2) - _moment(1) ** 2
LARGEST_CENTRE = omega
"""The largest value of f² with equal coefficients of unit length."""

OPTIMAL_SIGMA = (CLAIMED**2 * norms.total(norms.PUBLISHED) / (4 * 10**6 * gradients.G_U**2)) ** sp.Rational(1, 6)
"""The optimum of the truncated bound at S = 0.01 and a million samples."""

PRIOR_CONSTANT = sp.Rational(2013983, 10**6)
OPTIMUM_AT_PRIOR = 3 * (gradients.G_U * PRIOR_CONSTANT**2 * norms.total(norms.PUBLISHED) / (4 * 10**6)) ** sp.Rational(
    1, 3
)
"""The truncated optimum with the constant at the prior's centre."""

# --- the constant inside the bound ------------------------------------------------------------------

rate = symbol("lambda_sg", "rate λ of a PAC-Bayes bound, zero included", nonnegative=True)
p_other = symbol("p_2sg", "probability of a loss of one under a second hypothesis", positive=True)
share = symbol("w_1sg", "prior share of the first of two hypotheses", nonnegative=True)

MOMENT_OF_GAP = m * cumulant(p, -rate / m)
"""Ln E exp(λ(R-r)) of a loss in {0, 1} over m samples."""

ALLOWED = rate**2 * p * (1 - p) / (2 * m)


def _net(probability: sp.Expr) -> sp.Expr:
    return (MOMENT_OF_GAP - ALLOWED).subs(p, probability)


INSIDE = share * sp.exp(_net(p)) + (1 - share) * sp.exp(_net(p_other))
"""E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) with two hypotheses, each with its own one-sided constant."""

# --- a posterior cut off where the constant is too large --------------------------------------------

outside = symbol("eta_sg", "posterior mass where the sub-Gaussian constant is too large", nonnegative=True)
prior_outside = symbol("zeta_sg", "prior mass where the sub-Gaussian constant is too large", positive=True)
inner = symbol("b_sg", "posterior share of one of two hypotheses within the rest", positive=True)
prior_inner = symbol("c_sg", "prior share of the same hypothesis within the rest", positive=True)


def binary_kl(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The relative entropy between two Bernoulli laws.

    Args:
        first: probability of one under the first.
        second: probability of one under the second.

    Returns:
        An expression.
    """
    return first * sp.log(first / second) + (1 - first) * sp.log((1 - first) / (1 - second))


CUT = (1 - outside) * binary_kl(inner, prior_inner)
_KEPT, _PRIOR_KEPT = 1 - outside, 1 - prior_outside
WHOLE = (
    _KEPT * inner * sp.log(_KEPT * inner / (_PRIOR_KEPT * prior_inner))
    + _KEPT * (1 - inner) * sp.log(_KEPT * (1 - inner) / (_PRIOR_KEPT * (1 - prior_inner)))
    + outside * sp.log(outside / prior_outside)
)
"""KL of the posterior on three hypotheses, the third cut off."""

# --- the rule of Appendix A -------------------------------------------------------------------------

NOTHING_SEEN = sp.Abs((1 - sp.Rational(1, 10**4)) ** 1000 - sp.Rational(904833, 10**6))
"""A thousand losses, each 1 once in 10 000: how far the probability of seeing none is from 0.904833."""
