"""Sub-Gaussian constants of losses with two values, and what one tail needs.

A loss that is 1 with probability p and else 0 has K(t) = ln E exp(t(ℓ-p)) = ln(1-p+p eᵗ) - pt. With p = 1/(1+e²ᵃ) and
t = 2(a+v) this is (a+v) tanh a + ln cosh v - ln cosh a, so that Kearns and Saul's inequality K ≤ S²t²/2 with
S² = tanh(a)/(4a) says that ln cosh √z, which is concave in z, lies below its tangent at z = a².
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import M_c
from boundaudit.derivations.symbols import symbol

t = symbol("t_sg", "argument of a loss's cumulant generating function", real=True)
loss = symbol("l_sg", "a loss", real=True)
p = symbol("p_sg", "probability of the larger of two losses", positive=True)
a = symbol("a_sg", "half the logarithm of the odds against the larger of two losses", positive=True)
v = symbol("v_sg", "half the argument of a cumulant generating function, less half the logarithm of odds", real=True)
w = symbol("w_sg", "half the argument of a cumulant generating function, its sign changed", nonnegative=True)
reach = symbol("t_max", "how far a cumulant generating function is looked at", positive=True)
count = symbol("n_sg", "losses from which a constant is estimated", integer=True, positive=True)


def cumulant(share: sp.Expr, argument: sp.Expr) -> sp.Expr:
    """Ln E exp(t(ℓ-Eℓ)) of a loss that is 1 with a probability and else 0.

    Args:
        share: p.
        argument: t.

    Returns:
        An expression.
    """
    return sp.log(1 - share + share * sp.exp(argument)) - share * argument


def log_cosh(argument: sp.Expr) -> sp.Expr:
    """Ln cosh, spelled with one exponential.

    Args:
        argument: where.

    Returns:
        An expression.
    """
    return sp.log((1 + sp.exp(2 * argument)) / 2) - argument


TANH = (sp.exp(2 * a) - 1) / (sp.exp(2 * a) + 1)
SHARE = 1 / (1 + sp.exp(2 * a))
"""p by half the logarithm of the odds."""

BY_ODDS = (a + v) * TANH + log_cosh(v) - log_cosh(a)
"""K at t = 2(a+v)."""

TANGENT = log_cosh(a) + TANH * (v**2 - a**2) / (2 * a)
PARABOLA = log_cosh(a) + w * TANH + 2 * w**2 * sp.exp(2 * a) / (1 + sp.exp(2 * a)) ** 2
"""Ln cosh and its derivatives up to the second at a, carried on to a + w."""

VARIANCE = p * (1 - p)

KEARNS_SAUL_BY_ODDS = TANH / (4 * a)
HOEFFDING = sp.exp(M_c**2 * t**2 / 8)

_LAST = sp.Min(reach, 4 * a)
ON_RANGE = 2 * BY_ODDS.subs(v, _LAST / 2 - a) / _LAST**2
"""The square of the constant that a look at |t| ≤ t_max finds: 2K/t² rises up to t = 4a, and is smaller for t < 0."""

BEYOND = 2 * (1 - SHARE) / reach
"""What 2K/t² ≤ 2(max - mean)/t leaves beyond t_max."""
