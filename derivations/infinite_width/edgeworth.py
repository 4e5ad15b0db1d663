"""What is left beyond the first correction of finite width: four tokens, given the inputs."""

import sympy as sp

from boundaudit.derivations.infinite_width.scores import REMAINDER, STEEP, x_iw
from boundaudit.derivations.infinite_width.symbols import n_iw

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
