"""The binary relative entropy kl(q‖p): lower bounds, monotonicity, and its exponential moment.

For Bernoulli laws kl(q‖p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)). It vanishes at q = p, where its derivative by either
argument vanishes too, so that a bound on the second derivative is enough:

    ∂² kl/∂p² = q/p² + (1-q)/(1-p)² ≥ 4,        ∂² kl/∂q² = 1/q + 1/(1-q) ≥ 1/p  for q ≤ p.

For m draws of a Bernoulli variable with mean R and their mean r, exp(m kl(r‖R)) times the probability of r = k/m is
C(m,k) (k/m)^k (1-k/m)^(m-k), whatever R is. The mean is therefore ξ(m) = Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k), and by
Abel's identity

    ξ(m) = Σ_{k=0}^{m} (1 - 1/m)(1 - 2/m) … (1 - (k-1)/m) = 1 + Q(m)

with Ramanujan's Q, whose expansion √(πm/2) - 1/3 + √(π/(2m))/12 - 4/(135m) + … gives the exact growth.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol

q_kl = symbol("q_kl", "first probability of a binary relative entropy", positive=True)
p_kl = symbol("p_kl", "second probability of a binary relative entropy", positive=True)
o_1kl = symbol("o_1kl", "odds q/(1-q) of a probability", positive=True)
o_2kl = symbol("o_2kl", "odds p/(1-p) of another probability", positive=True)
o_3kl = symbol("o_3kl", "odds of a probability beyond or between others", positive=True)
x_1kl = symbol("x_1kl", "by how much odds are beyond other odds", positive=True)
x_2kl = symbol("x_2kl", "by how much odds are beyond those", positive=True)
y_kl = symbol("y_kl", "exponential of minus Catoni's temperature", positive=True)
i_m = symbol("i_m", "number of a factor, counted from 0", integer=True, nonnegative=True)
k_m = symbol("k_m", "errors among the samples", integer=True, nonnegative=True)


def binary_kl(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """kl(q‖p).

    Args:
        first: q, between 0 and 1.
        second: p, between 0 and 1.

    Returns:
        The relative entropy in nats.
    """
    return first * sp.log(first / second) + (1 - first) * sp.log((1 - first) / (1 - second))


KL = binary_kl(q_kl, p_kl)
SMALL = (p_kl - q_kl) ** 2 / (2 * p_kl)
"""Better than Pinsker's where p is below 1/4."""

_Q, _P = o_1kl / (1 + o_1kl), o_2kl / (1 + o_2kl)


def of_odds(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """kl(q‖p) in the odds, where both probabilities run through all of (0, 1).

    Args:
        first: q/(1-q).
        second: p/(1-p).

    Returns:
        The relative entropy in nats.
    """
    return first / (1 + first) * sp.log(first / second) + sp.log((1 + second) / (1 + first))


KL_OF_ODDS = of_odds(o_1kl, o_2kl)
PINSKER_OF_ODDS = 2 * (_P - _Q) ** 2

# --- the exponential moment -----------------------------------------------------------------------

MOMENT = sp.Sum(sp.exp(sp.Sum(sp.log(1 - i_m / m), (i_m, 0, k_m - 1))), (k_m, 0, m))
"""ξ(m), by Abel's identity."""

MAURER = 2 * sp.sqrt(m)
SEEGER = m + 1
GROWTH = sp.sqrt(sp.pi * m / 2) + sp.Rational(2, 3)
SHARPER = GROWTH + sp.sqrt(sp.pi / (2 * m)) / 12
"""One more term of Ramanujan's expansion; the next one is negative."""

# --- Catoni's form --------------------------------------------------------------------------------

LOG_MEAN = sp.log((1 + o_2kl * y_kl) / (1 + o_2kl))
"""ln(1 - p + p y), in the odds of p."""

VARIATIONAL = _Q * sp.log(y_kl) - KL_OF_ODDS
"""Donsker and Varadhan for Bernoulli laws and a loss of -ln y, 0 < y: at most the logarithm of the mean."""

BEST_TILT = o_1kl / o_2kl
"""The y at which they agree, q(1-p)/(p(1-q))."""
