"""Inequalities in numbers behind the bound on the Hessian's norm (Theorem 18).

Third moments. With weights a that add up to one, or to less with the rest at g = q = 0, g in [0, 1], q in [0, 1] with
average w, and m = 1 - Σ a g, x = Σ a (1-g) q, y = Σ a g q and z = Σ a g q²: as q² ≤ q, which 1-g weighs, the third
moment Σ a (Σ a g - g)(q - w)² is at most

    (1-m) x - m z - 2 (x+y)(x - m (x+y)) ≤ (1-m) x (1-2x) + (1-2m)(m z - 2 x y),

since y² ≤ (1-m) z. For m ≤ 1/2 put z ≤ y: what is left is linear in y, and so largest at y = 0 or y = 1-m, where it is
(1-m) p (1-2p) at p = x or p = m - x, at most p (1-p) (1-2p) ≤ 1/(6√3). For m ≥ 1/2 put z ≥ 4 x y - 4 (1-m) x²: what is
left is at most s (1-4s) ≤ 1/16, s = (1-m) x. With 1-g in place of g, the same holds of the other sign.

Hidden units. As breakpoints lie at i/D + o/(4D), o at most 1+u ≤ 3, at s = 1 all four units of the grid points before
the last one are on and two of the last one; at s = 0 two of the first one alone.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.derivations.sharpness.averages import m_av, s_av
from boundaudit.derivations.sharpness.mlp import OFFSETS, SLOPE
from boundaudit.derivations.sharpness.parameters import D, T, even, i, omega
from boundaudit.derivations.symbols import symbol, vector

x_hl = symbol("x_hl", "what one group of numbers between zero and one adds to their average", real=True)
y_hl = symbol("y_hl", "what another group of numbers between zero and one adds to their average", real=True)
z_hl = symbol("z_hl", "a third number, such as what that other group adds to the average of squares", real=True)
c_hl = symbol("c_hl", "coefficient of a component", real=True)
q_hl = vector("q_hl", "numbers between zero and one beside the values of an average")

THIRD = 1 / (6 * sp.sqrt(3))
"""Largest third central moment on an interval of length one, that of a bit."""

ONE_END = (1 - m_av) * x_hl * (1 - 2 * x_hl)
TWO_GROUPS = (1 - m_av) * x_hl - m_av * z_hl - 2 * (x_hl + y_hl) * (x_hl - m_av * (x_hl + y_hl))
VARYING = ONE_END + (1 - 2 * m_av) * (m_av * z_hl - 2 * x_hl * y_hl)
"""By y² ≤ (1-m) z."""
LEVELLED = (
    ONE_END + sp.Max(1 - 2 * m_av, 0) * y_hl * (m_av - 2 * x_hl) + sp.Max(2 * m_av - 1, 0) * 2 * (1 - m_av) * x_hl**2
)
"""By z ≤ y, and by z ≥ 4 x y - 4 (1-m) x²."""
HUMP = x_hl * (1 - 4 * x_hl)

TOKEN = 1 / D + s_av**2 + 2 * (s_av * (1 - s_av) / D + s_av**2 * (1 - s_av) ** 2)
"""A row's average token, and twice what W1 moves its average of bits by, squared: weights of attention at most 1/D."""

TOKEN_BOUND = 1 + sp.Rational(65, 64) / D

_WIDTH = 4 * D


def gate(x: sp.Expr) -> sp.Expr:
    """The slope of a hidden unit, without branches, which sums cannot hold.

    Returns:
        1 where its input x is positive and 0 elsewhere.
    """
    # SymPy would take integers out of it, which instances of lemmas would not.
    return sp.Max(0, sp.Min(1, sp.ceiling(x, evaluate=False)))


def _added(of: Callable[[sp.Expr], sp.Expr], weight: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """A sum over the grid points, from the last one down.

    Args:
        of: what a hidden unit counts for, from its input at an average of one over 4D.
        weight: of a grid point.

    Returns:
        The sum.
    """

    def four(x: sp.Expr) -> sp.Expr:
        return sp.Add(*(of(x - offset) for offset in OFFSETS))

    inner = sp.Sum(weight(D - i) * four(4 * i), (i, 1, D - 1))
    return weight(D) * four(sp.S.Zero) + inner + weight(sp.S.Zero) * four(_WIDTH)


def rise_by_units() -> sp.Expr:
    """The squared output weights of the hidden units that are on at an average of one and off at zero.

    Returns:
        A sum over the grid points.
    """
    # A slope's squared weight at even grid points, zero at odd ones.
    return _added(lambda x: gate(x) * (1 - gate(x - _WIDTH)), lambda n: SLOPE**2 * even(n))


def count_by_units() -> sp.Expr:
    """How many hidden units are on at an average of one.

    Returns:
        A sum over the grid points.
    """
    return _added(gate, lambda n: sp.S.One)


GATES = 2 * (D + 1) * SLOPE**2
RISE = 2 * D * SLOPE**2
UNITS = 4 * D + 2

SCALED = sp.sqrt(omega * x_hl + y_hl + sp.sqrt(omega) * z_hl / T)
SCALED_BOUND = sp.sqrt(omega) * sp.sqrt(x_hl + y_hl + z_hl / 4)

LONGEST_LOGIT = 2 * sp.log(T)
