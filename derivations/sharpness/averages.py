"""Averages under attention: what weights that add up to one can make of values between zero and one.

With weights a_t ≥ 0 that add up to one, g_t in [0, 1], m = Σ a g and P = Σ a (g - m)₊, half of Σ a |g - m|:

    (g - m)₊ ≤ (1 - m) g, so P ≤ m (1 - m) ≤ 1/4, and g² ≤ g, so Σ a (g - m)² ≤ m (1 - m) ≤ 1/4,
    a |g - m| ≤ P at every t, so Σ a² (g - m)² ≤ 2 P²,
    |Σ a (g - m) x_t| ≤ P max |x_s - x_t| for any points x_t, as it is P times a difference of two averages.

A hidden unit relu(s + γ) rises with s, nowhere faster than s: on [0, 1] up to relu(1 + γ), and between two points by
at most relu(1 + γ) - relu(γ). So do the squares of the four units of a grid point.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp
from boundaudit.derivations.sharpness.parameters import t
from boundaudit.derivations.symbols import symbol, vector

n_av = symbol("n_av", "rows that are averaged", integer=True, positive=True)
a_av = vector("a_av", "weights of an average, before they are divided by their sum")
g_av = vector("g_av", "values between zero and one that are averaged")
q_av = vector("q_av", "other values between zero and one")
m_av = symbol("m_av", "a centre of values between zero and one, such as their average", real=True)
x_av = symbol("x_av", "input of a hidden unit over 4D, counted from its grid point", real=True)
e_av = symbol("e_av", "how much less of input a hidden unit has", real=True)
v_av = symbol("v_av", "a variance, or what is at most as large", real=True)
w_av = symbol("w_av", "a number between zero and one, such as an average of other values", real=True)
s_av = symbol("s_av", "an average of bits", real=True)
r_av = symbol("r_av", "another average of bits, at least as large", real=True)


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the rows.

    Args:
        body: an expression in t.

    Returns:
        Σ_t body.
    """
    return sp.Sum(body, (t, 1, n_av))


SQUARES = total(a_av[t] * (g_av[t] - m_av) ** 2)
SQUARES_BOUND = (1 - 2 * m_av) * total(a_av[t] * g_av[t]) + m_av**2 * total(a_av[t])
"""At the average m of the values and weights that add up to one: Var ≤ m (1 - m)."""

SPREAD = m_av * (1 - m_av)

COVARIANCE = total(a_av[t] * (g_av[t] - m_av) * q_av[t])
COVARIED_UP = (1 - m_av) * total(a_av[t] * g_av[t])
COVARIED_DOWN = m_av * (total(a_av[t]) - total(a_av[t] * g_av[t]))
"""The ends of its range, as (g - m) q = (1-m) g q - m (1-g) q."""


def covaried_apart(centre: sp.Expr) -> sp.Expr:
    """How values covary with other values' squared distances.

    Args:
        centre: From what.

    Returns:
        Σ a (g - m) (q - centre)².
    """
    return total(a_av[t] * (g_av[t] - m_av) * (q_av[t] - centre) ** 2)


OTHERS_MEAN = total(a_av[t] * q_av[t])

MEAN = total(a_av[t] * g_av[t])

VALUES = total(g_av[t])
OWN_SQUARES = total(a_av[t] ** 2)
OWN_SUM = total(a_av[t])

PULLS = total(a_av[t] ** 2 * (g_av[t] - m_av) ** 2)
PULLS_APART = (1 - m_av) ** 2 * total(a_av[t] ** 2 * g_av[t] ** 2) + m_av**2 * total(a_av[t] ** 2 * (1 - g_av[t]) ** 2)
"""As a (g - m) is the difference of (1 - m) a g and m a (1 - g), neither of which is negative."""


def quadruple(less: sp.Expr) -> sp.Expr:
    """The squares of four hidden units around a grid point, over 4D, with so much less of input.

    Returns:
        Σ relu(x - less - o)² over their offsets o.
    """
    return sp.Add(*(ramp(x_av - less - offset) ** 2 for offset in OFFSETS))
