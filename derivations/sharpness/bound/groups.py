"""A variance for every group of parameters: the best choice in closed form. Derived here.

With sharpness a_g, squared norm L_g and noise of variance σ_g² on group g the bound of Theorem 2 becomes
X + c √(Y + 2 ln(1/δ)), where X = Σ a_g σ_g², Y = Σ L_g/σ_g² and c = S/√m. By Cauchy-Schwarz X Y ≥ A² with
A = Σ √(a_g L_g), and σ_g² = κ √(L_g/a_g) attains it: X = κ A, Y = A/κ. So groups change one number, A, and one variable
is left to optimise.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import tau_f
from boundaudit.derivations.sharpness.bound.shared_variance import c_m
from boundaudit.derivations.sharpness.parameters import t
from boundaudit.derivations.symbols import symbol, vector

n_v = symbol("n_v", "groups of parameters, each with a variance of its own", integer=True, positive=True)
a_g = vector("a_g", "sharpness by group: how fast the loss rises with the variance of its noise")
L_g = vector("L_g", "squared norm by group, or a bound on it")

kappa_g = symbol("kappa_g", "the one variable that is left of the variances of all groups", positive=True)
A_g = symbol("A_g", "sum over groups of the root of sharpness times squared norm", positive=True)
q_g = symbol("q_g", "how far X Y is above A², as a factor", positive=True)

A_first = symbol("A_g1", "A of some of the groups", positive=True)
A_second = symbol("A_g2", "A of the other groups", positive=True)
kappa_first = symbol("kappa_g1", "X/A of some of the groups", positive=True)
kappa_second = symbol("kappa_g2", "X/A of the other groups", positive=True)
q_first = symbol("q_g1", "X Y/A² of some of the groups", positive=True)
q_second = symbol("q_g2", "X Y/A² of the other groups", positive=True)


def over_groups(term: sp.Expr) -> sp.Expr:
    """The sum over all groups.

    Args:
        term: in group t.

    Returns:
        Its sum.
    """
    return sp.Sum(term, (t, 1, n_v))


def rise(variance: sp.Expr) -> sp.Expr:
    """What noise adds to the loss.

    Args:
        variance: σ_g² of group t.

    Returns:
        Σ a_g σ_g².
    """
    return over_groups(a_g[t] * variance)


def ratio(variance: sp.Expr) -> sp.Expr:
    """Twice the relative entropy.

    Args:
        variance: σ_g² of group t.

    Returns:
        Σ L_g/σ_g².
    """
    return over_groups(L_g[t] / variance)


SHARED = over_groups(sp.sqrt(a_g[t] * L_g[t]))
"""A."""


_BEST = kappa_g * sp.sqrt(L_g[t] / a_g[t])
REACHED_RISE = rise(_BEST)
REACHED_RATIO = ratio(_BEST)
RISE_OF_KAPPA = kappa_g * SHARED
RATIO_OF_KAPPA = SHARED / kappa_g


WITH_CONFIDENCE = kappa_g * A_g + c_m * sp.sqrt(q_g * A_g / kappa_g + 2 * tau_f)
"""The bound at X = κ A and Y = q A/κ."""
WITH_CONFIDENCE_LEAST = kappa_g * A_g + c_m * sp.sqrt(A_g / kappa_g + 2 * tau_f)

_SUM_OF_X = kappa_first * A_first + kappa_second * A_second
MERGED = _SUM_OF_X * (q_first * A_first / kappa_first + q_second * A_second / kappa_second)
MERGED_LEAST = (A_first + A_second) ** 2
