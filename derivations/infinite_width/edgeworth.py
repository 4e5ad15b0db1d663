"""The first correction of finite width where it is a formula: one token, without attention."""

import sympy as sp

from boundaudit.derivations.infinite_width.scores import FIRST_ORDER, REMAINDER, STEEP, x_iw
from boundaudit.derivations.infinite_width.symbols import H_iw, n_iw

__all__ = ["BEND", "BEYOND", "DIFFERENCES", "FIRST_ORDER", "ONE_TOKEN", "OSCILLATION", "RANGE", "REST"]

ONE_TOKEN = (2 + 1 / H_iw) * FIRST_ORDER
"""½ (4 + 2/H) times the second derivative of Φ(y/√v) at v = 1."""


def _bend() -> sp.Expr:
    variance = sp.Symbol("variance", positive=True)
    law = (1 + sp.erf(x_iw / sp.sqrt(2 * variance))) / 2
    return law.diff(variance, 2).subs(variance, 1)


BEND = _bend()

# --- four tokens, given the inputs ----------------------------------------------------------------

OSCILLATION = (sp.erf(sp.sqrt(2) * x_iw) - sp.erf(x_iw / sp.sqrt(2))) / 2
"""Φ(2y) - Φ(y): what Φ(y/√g) varies by where g, the square of attention to four tokens, is from 1/4 to 1."""
RANGE = sp.Rational(101, 625)
"""0.1616, above its largest value 0.1613."""


DIFFERENCES, BEYOND = sp.Rational(44, 25), sp.Rational(63, 10)
"""n times the L1 distance of the densities of score differences at width n and in the limit, and n² times what is left
of it beyond its first order."""

REST = n_iw**2 * REMAINDER + RANGE / 2 * BEYOND + STEEP * DIFFERENCES
"""n² times what the law at width n may be off its first order by: values, queries, and both together.

An expectation of something between two ends changes by at most half their distance times the L1 distance of the
densities, and of what is at most `STEEP` in size by that times the L1 distance.
"""
