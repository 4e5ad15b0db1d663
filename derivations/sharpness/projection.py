"""A random projection of the positions: what it does to products, to logits and to the output.

J has T+1 rows of d independent N(0, 1/d) entries. What is printed is that a width of order
log T / ε² preserves all pairwise products (Lintilhac & Shaikh 2026, Appendix B.2). Derived
here: Chernoff's bounds with their constants, the errors of the logits, how softmax amplifies
them, and a width at which every component provably stays on its plateau.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.symbols import symbol

epsilon = symbol("epsilon", "largest error of a pairwise product under the projection", nonnegative=True)
eta = symbol("eta", "largest error of a logit", nonnegative=True)
rho = symbol("rho", "exponential of the largest error of a logit", positive=True)
p = symbol("p", "a share of the attention", real=True)
q = symbol("q", "largest number of components that share a position", integer=True, positive=True)
y = symbol("y", "squared length that is left under the projection", positive=True)
zeta = symbol("zeta", "error of a logit in units of 1/(8D)", nonnegative=True)
ell = symbol("ell", "logarithm of the length", positive=True)
K = symbol("K", "constant that a statement leaves open", positive=True)
mass = symbol("C", "sum of the coefficients", positive=True)

# --- Chernoff's bounds ----------------------------------------------------------------------------

UPPER_SERIES = epsilon - epsilon**2 / 2 + epsilon**3 / 3
LOWER_SERIES = -(1 - y) - (1 - y) ** 2 / 2
UPPER_RATE = epsilon**2 / 4 - epsilon**3 / 6
"""d times it bounds -log P(χ²_d ≥ (1+ε)d)."""
LOWER_RATE = epsilon**2 / 4
"""d times it bounds -log P(χ²_d ≤ (1-ε)d)."""
PAIR_RATE = epsilon**2 / 3
"""d times it bounds -log P(⟨x, y⟩ ≥ εd) for independent standard normal x, y."""

UPPER_EXPONENT = (epsilon - sp.log(1 + epsilon)) / 2
"""Chernoff's for χ²_d/d ≥ 1+ε: what -log P is at least over d, by Markov's inequality for exp(x χ²) at the best x."""
LOWER_EXPONENT = (-epsilon - sp.log(1 - epsilon)) / 2
"""The same for χ²_d/d ≤ 1-ε."""
TILT = epsilon / 2


def pair_exponent() -> sp.Expr:
    """Chernoff's exponent for a product.

    Returns:
        log E exp(θ(xy - ε)) for independent standard normal x, y at the tilt θ = ε/2.
    """
    return -sp.log(1 - TILT**2) / 2 - TILT * epsilon


ANY_PRODUCT = (T + 1) * (T + 2) * sp.exp(-d * UPPER_RATE)
"""T+1 squared norms and T(T+1)/2 products, each with two tails of at least the smallest rate."""

LENGTHENED = 4 * epsilon + 2 * epsilon**2
"""By how much χ²_d/d exceeds one where a token with its bit set, of squared length 1 + χ²_d/d, is √2 (1+ε) long."""
LENGTHENED_EXPONENT = (LENGTHENED - sp.log(1 + LENGTHENED)) / 2
LENGTHENED_LOG = LENGTHENED - 4 * epsilon**2
"""It bounds log(1 + LENGTHENED), so that Chernoff's exponent (η - log(1+η))/2 is at least 2ε²."""


w_K = symbol("w_K", "a width before it is rounded up, times ε²", nonnegative=True)


def token_width() -> sp.Expr:
    """A width of order log T / ε² with the constant K.

    Returns:
        ⌈K log((T+1)/δ)/ε²⌉.
    """
    return sp.ceiling(K * sp.log((T + 1) / fail) / epsilon**2)


p_1 = symbol("p_1", "probability that the first of two events happens alone", nonnegative=True)
p_2 = symbol("p_2", "probability that the second of two events happens alone", nonnegative=True)
p_12 = symbol("p_12", "probability that both of two events happen", nonnegative=True)
ONE_OF_TWO, SUM_OF_TWO = p_1 + p_2 + p_12, (p_1 + p_12) + (p_2 + p_12)
"""Probability that one of two events happens, whatever their dependence, and the sum of both probabilities."""

# --- from products to logits and on to the output -------------------------------------------------


SECOND_ERROR = 2 * sp.log(T) * (epsilon + (1 + epsilon) * omega * epsilon)
"""Error of a logit of layer 2 for coefficients from T⁻⁴ to 1."""

AMPLIFIED = p * rho**2 / (p * rho**2 + 1 - p) - p
"""A share p of the attention gains e^{2η} over the rest: how far its mean moves; ρ = e^η."""

AMPLIFIED_MOST = (rho - 1) / (rho + 1)
"""tanh(η/2) in ρ = e^η."""

HALF_ANGLE = (sp.exp(eta) - 1) / (sp.exp(eta) + 1)
"""tanh(η/2)."""


def leak(rest: sp.Expr, support: sp.Expr) -> sp.Expr:
    """The attention outside the support, where it has the given mass and the support T² times its own.

    Returns:
        rest / (support T² + rest).
    """
    return rest / (support * T**2 + rest)


LEAK_GROWTH = rho**2 / (p * rho**2 + 1 - p)
"""How much a leak of p grows where the logits outside the support gain η and those inside lose it."""

LEAK_MOST = 1 / (mass * T)
"""A bound on the leak of either layer, where the support has the mass C and at most T positions lie outside it."""

# --- widths ---------------------------------------------------------------------------------------

_REST = D * (D + q) + omega


def safe_error(log_length: sp.Expr) -> sp.Expr:
    """An error of the products that leaves every component on its plateau, from T = 8 on.

    Returns:
        1 / (17 log T (D(D+q) + ω)).
    """
    return 1 / (17 * log_length * _REST)


def first_budget(log_length: sp.Expr) -> sp.Expr:
    """Error of a logit of layer 1 at the safe error, with at most q components on each position.

    Returns:
        2 log T ((D+q)ε + ωDε²).
    """
    error = safe_error(log_length)
    return 2 * log_length * ((D + q) * error + omega * D * error**2)


def second_budget(log_length: sp.Expr) -> sp.Expr:
    """Error of a logit of layer 2 at the safe error of D = q = 1, which is the largest.

    Returns:
        2 log T (ε + (1+ε)ωε).
    """
    error = safe_error(log_length).subs({D: 1, q: 1})
    return 2 * log_length * (error + (1 + error) * omega * error)


def shift() -> sp.Expr:
    """How far logits that are off by η = ζ/(8D) move a row of layer 1.

    Returns:
        tanh(η/2) ≤ η/2 and e^{2η} times a leak of at most 1/(8D).
    """
    return zeta / (16 * D) + sp.exp(zeta / (4 * D)) / (8 * D)


PLATEAU = 1 / (4 * D)
"""Half the width of a plateau at one, in s."""


def width_for(error: sp.Expr) -> sp.Expr:
    """The width at which each product is off by at most ``error``, but for a probability δ.

    Returns:
        An integer expression in T and δ.
    """
    return sp.ceiling(sp.log((T + 1) * (T + 2) / fail) / UPPER_RATE.subs(epsilon, error))


def width_as_stated() -> sp.Expr:
    """A width of order log T, at which every product is off by at most one half.

    Returns:
        An integer expression in T and δ.
    """
    return width_for(sp.Rational(1, 2))


def width_corrected() -> sp.Expr:
    """A width of order (D(D+q) + ω)² log³ T, at which every component stays on its plateau.

    Returns:
        An integer expression in T, D, ω, q and δ.
    """
    return width_for(safe_error(sp.log(T)))
