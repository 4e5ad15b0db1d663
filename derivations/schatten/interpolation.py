"""A matrix as low rank plus a small remainder, and the threshold that balances the two parts of its cover."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import N_sch, S_sch, epsilon_sch, i_sch, n_sch, p_sch, s_sch, tau_sch
from boundaudit.derivations.symbols import symbol

u_sch = symbol("u_sch", "a singular value", nonnegative=True)
t_sch = symbol("t_sch", "threshold over the one that balances", positive=True)

_SPAN = (i_sch, 1, n_sch)


def _large(value: sp.Expr) -> sp.Expr:
    """One above the threshold."""
    return sp.Piecewise((1, tau_sch < value), (0, True))


def _small(value: sp.Expr) -> sp.Expr:
    """The square of a value up to the threshold."""
    return sp.Piecewise((0, tau_sch < value), (value**2, True))


def _both(large: sp.Expr, small: sp.Expr) -> sp.Expr:
    """What counts for the index p above the threshold and below."""
    return tau_sch**p_sch * large + tau_sch ** (p_sch - 2) * small


LARGE = sp.Sum(_large(s_sch[i_sch]), _SPAN)
"""How many singular values exceed the threshold."""
SMALL = sp.Sum(_small(s_sch[i_sch]), _SPAN)
"""The squared Frobenius norm of the rest."""
VALUE = _both(_large(u_sch), _small(u_sch))
"""What one singular value counts for."""
JOINT = _both(LARGE, SMALL)


def power_sum(p: object) -> sp.Expr:
    """Σ s_i^p.

    Returns:
        The sum.
    """
    return sp.Sum(s_sch[i_sch] ** p, _SPAN)


# --- the balance ----------------------------------------------------------------------------------

LOW_RANK = N_sch * S_sch * tau_sch**-p_sch
"""Entropy of at most S τ^{-p} singular directions, without logarithms."""
REMAINDER = N_sch ** sp.Rational(3, 2) * sp.sqrt(S_sch * tau_sch ** (2 - p_sch)) / epsilon_sch
"""Entropy of a Frobenius ball of radius √(S τ^{2-p}) by Gaussian shift and volume."""
BY_COUNT = N_sch**2 * tau_sch**2 / epsilon_sch**2
"""Entropy of a Frobenius ball of radius √N τ by Gaussian shift."""
BALANCED = (S_sch * epsilon_sch**2 / N_sch) ** (1 / (p_sch + 2))
"""The threshold at which the three agree."""
PSI = (
    N_sch ** (2 * (p_sch + 1) / (p_sch + 2))
    * S_sch ** (2 / (p_sch + 2))
    * epsilon_sch ** (-2 * p_sch / (p_sch + 2))
)  # fmt: skip


def logarithm(expression: sp.Expr) -> sp.Expr:
    """Its logarithm, taken apart.

    Returns:
        A sum of logarithms of symbols.
    """
    return sp.expand_log(sp.log(expression), force=True)


def balanced(expression: sp.Expr) -> sp.Expr:
    """The logarithm of an entropy at the threshold that balances.

    Returns:
        A sum of logarithms of symbols.
    """
    return logarithm(expression).subs(sp.log(tau_sch), logarithm(BALANCED))
