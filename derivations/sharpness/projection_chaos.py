"""A width of a random projection from the variances of its Gaussian chaos.

With the Gram matrix G = I + E of the projected positions and N the components by key and query, a logit of layer 1 is
2 log T (N + EN + NE + ENE). What is linear in E has an exact variance, (‖A‖² + tr A²)/d for ⟨A, E⟩, and nearly normal
tails: by Laurent and Massart (2000), with the symmetric part B of A,

    ⟨A, E⟩ ≤ 2‖B‖ √(t/d) + 2‖B‖_op t/d ≤ 2‖B‖ (s + s²) at s = √(t/d), but for a probability e^{-t}.

Only differences of logits move the attention: within a component, tanh of a quarter of their range; outside of it the
attention grows by e^y, y the excess of a logit over the component's mean (Jensen). For a difference of keys of one
component ‖B‖ ≤ √D + √(q-1), for an excess ‖B‖ ≤ √(D+1) + √(2q). The part ENE is at most √(qD) times the lengths of two
rows of E over the ωD positions of the components and over the ω queries. In layer 2, for equal coefficients, a
difference has ‖B‖ = √ω and an excess √((ω+2)/2), in units of its weight of at most 2 log T, both times
G_oo ≤ 1 + 2(s + s²), and the excess another 2(s + s²). Derived here.
"""

from __future__ import annotations

from typing import NamedTuple

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.derivations.sharpness.projection import q
from boundaudit.derivations.symbols import symbol

s = symbol("s_chaos", "root of the exponent of a tail over the width", nonnegative=True)
t = symbol("t_chaos", "exponent of a tail", positive=True)
v = symbol("v_chaos", "eigenvalue of a quadratic form times the tilt", real=True)
r = symbol("r_chaos", "root of the positions of a row over the exponent of its tail", nonnegative=True)
frobenius = symbol("B_F", "Frobenius norm of a symmetric matrix", positive=True)
operator = symbol("B_op", "operator norm of a symmetric matrix", nonnegative=True)
alpha = symbol("alpha_chaos", "what a logit is off by to first order in s", positive=True)
beta = symbol("beta_chaos", "what a logit is off by to second order in s", nonnegative=True)
tau = symbol("tau_chaos", "what a logit may be off by", positive=True)

# --- tails ----------------------------------------------------------------------------------------

TILTED = -sp.log(1 - 2 * v) / 2 - v
"""Logarithm of the moment generating function of v(x² - 1), x standard normal."""
TILTED_MOST = v**2 / (1 - 2 * v)

_ROOT = frobenius / sp.sqrt(t)
_TILT = 1 / (2 * operator + _ROOT)
_BEYOND = 2 * frobenius * sp.sqrt(t) + 2 * operator * t
EXPONENT = _TILT**2 * frobenius**2 / (1 - 2 * operator * _TILT) - _TILT * _BEYOND
"""Chernoff's exponent of ⟨B, E⟩ beyond 2‖B‖√t + 2‖B‖_op t, at its best tilt and d = 1; for any d, ‖B‖√d is ‖B‖ here."""

ROW = (1 + 2 * s + 2 * s**2) * (r**2 + 2 * r + 2) + 4 * (1 + s) ** 2
"""(d/t) Σ_a E_ja² over r²t positions: the square of E_jj and, given the length of row j, a chi-square."""
ROW_MOST = sp.Rational(5, 2) * (r**2 + sp.Rational(7, 2))

SECOND = (s + s**2) * (1 + 2 * s + 2 * s**2)
SECOND_MOST = s + sp.Rational(7, 2) * s**2

# --- the width ------------------------------------------------------------------------------------

ROOT = 2 * tau / (alpha + sp.sqrt(alpha**2 + 4 * beta * tau))
"""Where αs + βs² = τ."""


class Need(NamedTuple):
    """A condition αs + βs² ≤ τ at s = √(t/d).

    Attributes:
        first: α.
        second: β.
        allowed: τ.
        exponent: t, the logarithm of the number of its events over their share of δ.
    """

    first: sp.Expr
    second: sp.Expr
    allowed: sp.Expr
    exponent: sp.Expr

    def width(self) -> sp.Expr:
        """The least width that meets it.

        Returns:
            t/s² at the root s.
        """
        return self.exponent / ROOT.subs({alpha: self.first, beta: self.second, tau: self.allowed}) ** 2


FEW = omega * ((D + 1) ** 2 + omega + 3)
"""Events among components: differences in both layers, three for each row of E that they meet, two of G_oo."""
MANY = FEW + (omega + 4) * (T + 1)
"""With an excess for each other key in both layers and three for each row of E."""

_SEVEN_HALVES = sp.Rational(7, 2)


def _chaos(exponent: sp.Expr) -> sp.Expr:
    """Twice √(qD) times the lengths of two rows of E, over s²."""
    rows = (omega * D / exponent + _SEVEN_HALVES) * (omega / exponent + _SEVEN_HALVES)
    return 5 * sp.sqrt(q * D * rows)


def needs() -> dict[str, sp.Expr]:
    """The widths that each part of the network needs, but for a probability δ of all.

    Returns:
        By part: ``difference`` and ``excess`` of layer 1, then of layer 2. Where D = 1 there are no differences in
        layer 1, and none is asked for.
    """
    few, many = sp.log(2 * FEW / fail), sp.log(2 * MANY / fail)
    range_allowed, excess_allowed = 1 / (4 * sp.log(T)), sp.log(T / 8) / (2 * sp.log(T))
    difference, excess = 2 * (sp.sqrt(D) + sp.sqrt(q - 1)), 2 * (sp.sqrt(D + 1) + sp.sqrt(2 * q))
    equal, other = 2 * sp.sqrt(omega), sp.sqrt(2 * omega + 4) + 2
    first = Need(difference, difference + _chaos(few), range_allowed / D, few).width()
    return {
        "difference": sp.Piecewise((first, D > 1), (0, True)),
        "excess": Need(excess, excess + _chaos(many), excess_allowed, many).width(),
        "difference in layer 2": Need(equal, _SEVEN_HALVES * equal, range_allowed, few).width(),
        "excess in layer 2": Need(other, _SEVEN_HALVES * other, excess_allowed, many).width(),
    }


def width() -> sp.Expr:
    """The width at which every component stays on its plateau, of order D³ log² T.

    Returns:
        An integer expression in T, D, ω, q and δ, for T > 8.
    """
    return sp.ceiling(sp.Max(*needs().values()))
