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

from boundaudit.derivations.sharpness.attention import INACTIVE, C
from boundaudit.derivations.sharpness.averages import m_av, s_av
from boundaudit.derivations.sharpness.mlp import OFFSETS, SLOPE
from boundaudit.derivations.sharpness.parameters import D, T, even, i, omega
from boundaudit.derivations.symbols import symbol, vector

x_hl = symbol("x_hl", "what one group of numbers between zero and one adds to their average", real=True)
y_hl = symbol("y_hl", "what another group of numbers between zero and one adds to their average", real=True)
z_hl = symbol("z_hl", "a third number, such as what that other group adds to the average of squares", real=True)
c_hl = symbol("c_hl", "coefficient of a component", real=True)
k_hl = symbol("k_hl", "an integer", integer=True)
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


def clipped(x: sp.Expr) -> sp.Expr:
    """A number, or the nearer end of [0, 1].

    Returns:
        max(0, min(1, x)).
    """
    return sp.Max(0, sp.Min(1, x))


def gate(x: sp.Expr) -> sp.Expr:
    """The slope of a hidden unit, without branches, which sums cannot hold.

    Returns:
        1 where its input x is positive and 0 elsewhere.
    """
    # SymPy would take integers out of it, which instances of lemmas would not.
    return clipped(sp.ceiling(x, evaluate=False))


def passed(x: sp.Expr, start: sp.Expr, end: sp.Expr) -> sp.Expr:
    """Whether a hidden unit is on in the end and not at first.

    Args:
        x: its largest input.
        start: how much it lacks at first.
        end: how much it lacks in the end.

    Returns:
        1 or 0.
    """
    return gate(x - end) * (1 - gate(x - start))


def four_gates(x: sp.Expr, less: sp.Expr) -> sp.Expr:
    """How many of the four units of a grid point are on.

    Args:
        x: the largest average less the grid point, over 4D.
        less: how much of it is lacking.

    Returns:
        A sum over the offsets.
    """
    return sp.Add(*(gate(x - offset - less) for offset in OFFSETS))


def four_passed(x: sp.Expr, start: sp.Expr, end: sp.Expr) -> sp.Expr:
    """How many of the four units of a grid point are on in the end and not at first.

    Returns:
        A sum over the offsets.
    """
    return sp.Add(*(passed(x - offset, start, end) for offset in OFFSETS))


def _added(of: Callable[[sp.Expr], sp.Expr], weight: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """A sum over the grid points, from the last one down.

    Args:
        of: what the four units of a grid point come to, from their largest input over 4D.
        weight: of a grid point.

    Returns:
        The sum.
    """
    inner = sp.Sum(weight(D - i) * of(4 * i), (i, 1, D - 1))
    return weight(D) * of(sp.S.Zero) + inner + weight(sp.S.Zero) * of(_WIDTH)


def _live(n: sp.Expr) -> sp.Expr:
    """The squared output weights of a grid point's units: a slope's at even grid points, zero at odd ones."""
    return SLOPE**2 * even(n)


def gates_by_units(share: sp.Expr = sp.S.One) -> sp.Expr:
    """The squared output weights of the hidden units that are on at an average of bits.

    Returns:
        A sum over the grid points.
    """
    return _added(lambda x: four_gates(x, _WIDTH * (1 - share)), _live)


def rise_by_units(low: sp.Expr = sp.S.Zero, high: sp.Expr = sp.S.One) -> sp.Expr:
    """The squared output weights of the hidden units that are on at one average and off at another.

    Returns:
        A sum over the grid points.
    """
    return _added(lambda x: four_passed(x, _WIDTH * (1 - low), _WIDTH * (1 - high)), _live)


def count_by_units(share: sp.Expr = sp.S.One) -> sp.Expr:
    """How many hidden units are on at an average of bits.

    Returns:
        A sum over the grid points.
    """
    return _added(lambda x: four_gates(x, _WIDTH * (1 - share)), lambda n: sp.S.One)


GATES = 2 * (D + 1) * SLOPE**2
RISE = 2 * D * SLOPE**2
UNITS = 4 * D + 2

SCALED = sp.sqrt(omega * x_hl + y_hl + sp.sqrt(omega) * z_hl / T)
SCALED_BOUND = sp.sqrt(omega) * sp.sqrt(x_hl + y_hl + z_hl / 4)

LEAK = C * INACTIVE / (C * T**2 + INACTIVE)
LEAK_BOUND = 1 / T
LOGIT = sp.Abs(sp.log(c_hl) + 2 * sp.log(T))
LONGEST_LOGIT = 2 * sp.log(T)
