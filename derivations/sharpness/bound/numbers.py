"""Appendix E.3: the numbers of the published comparison, T = 20, D = 2, ω = 10, S = 0.01 and m = 10⁶."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m
from boundaudit.derivations.sharpness import norms
from boundaudit.derivations.sharpness.bound.shared_variance import L_PRINTED, G_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega

SIZES = {T: sp.Integer(20), D: sp.Integer(2), omega: sp.Integer(10)}
SETTING = {**SIZES, S: sp.Rational(1, 100), m: sp.Integer(10) ** 6}
PUBLISHED = {G_s: G_U, N_2: L_PRINTED}
"""What the printed bound puts in the place of sharpness and squared norm."""


def _equal(terms: sp.Expr) -> sp.Expr:
    """A formula in the coefficients where all are ω^(-1/2)."""
    whole = terms.replace(lambda part: isinstance(part, sp.Indexed), lambda _: 1 / sp.sqrt(omega))
    return sp.Sum(whole.function, *whole.limits).doit() if isinstance(whole, sp.Sum) else whole.doit()


@functools.cache
def norm_of_equal() -> sp.Expr:
    """‖Θ‖² of the construction for coefficients ω^(-1/2), which have unit length.

    Returns:
        An expression in T, D, ω and u.
    """
    return sp.Add(*(_equal(norms.CLOSED[block]) for block in norms.BLOCKS))
