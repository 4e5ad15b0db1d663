"""Inequalities in numbers behind the bound on the Hessian's norm (Theorem 18).

Third moments. With weights a that add up to one, g in [0, 1], m = Σ a g and q in [0, 1] with average q̄, let x and y be
the averages of q under the weights a g/m and a (1-g)/(1-m). Then Σ a (g - m)(q - q̄)² is m (1-m) times the difference
of (q - q̄)² averaged both ways, and as numbers from 0 to 1 with average x have variance from 0 to x (1-x), at most

    m (1-m) (x (1-x) + (1-2m)(x-y)²) ≤ 1/(6√3),

and at least minus the same with 1-m, y and x in place of m, x and y. For m ≤ 1/2 and y ≤ x (else take 1-x and 1-y) the
bracket is largest at y = 0, where it is x (1 - 2mx): at x = 1 for m ≤ 1/4, at x = 1/(4m) beyond.

Hidden units. As breakpoints lie at i/D + o/(4D), o at most 1+u ≤ 3, at s = 1 all four units of the grid points before
the last one are on and two of the last one; at s = 0 two of the first one alone.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.sharpness.attention import INACTIVE, C
from boundaudit.derivations.sharpness.averages import m_av, s_av
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import D, T, even, i
from boundaudit.derivations.symbols import symbol, vector

x_hl = symbol("x_hl", "average of one group of numbers between zero and one", real=True)
y_hl = symbol("y_hl", "average of another group of numbers between zero and one", real=True)
c_hl = symbol("c_hl", "coefficient of a component", real=True)
q_hl = vector("q_hl", "numbers between zero and one beside the values of an average")

THIRD = 1 / (6 * sp.sqrt(3))
"""Largest third central moment on an interval of length one, that of a bit."""

TWO_GROUPS = m_av * (1 - m_av) * (x_hl * (1 - x_hl) + (1 - 2 * m_av) * (x_hl - y_hl) ** 2)
FAR_APART = m_av * (1 - m_av) * x_hl * (1 - 2 * m_av * x_hl)
ONE_GROUP = m_av * (1 - m_av) * x_hl * (1 - x_hl)
AT_ENDS = m_av * (1 - m_av) * (1 - 2 * m_av)
BETWEEN = (1 - m_av) / 8

TOKEN = 1 / D + s_av**2 + 2 * (s_av * (1 - s_av) / D + s_av**2 * (1 - s_av) ** 2)
"""A row's average token, and twice what W1 moves its average of bits by, squared: weights of attention at most 1/D."""

TOKEN_BOUND = 1 + sp.Rational(65, 64) / D

GATES_AT_ONE = SLOPE**2 * (sp.Sum(4 * even(i), (i, 0, D - 1)) + 2 * even(D))
GATES_AT_ZERO = 2 * SLOPE**2
GATES = 2 * (D + 1) * SLOPE**2
RISE = 2 * D * SLOPE**2
UNITS_AT_ONE = sp.Sum(4, (i, 0, D - 1)) + 2
UNITS = 4 * D + 2

LEAK = C * INACTIVE / (C * T**2 + INACTIVE)
LEAK_BOUND = 1 / T
LOGIT = sp.Abs(sp.log(c_hl) + 2 * sp.log(T))
LONGEST_LOGIT = 2 * sp.log(T)
