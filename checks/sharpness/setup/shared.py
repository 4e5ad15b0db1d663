"""The setting: the targets on which it is stated, and how a statistic of them is measured."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, of_targets
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness import setup as numeric

claim = functools.partial(Claim, paper=PAPER, place=("Equation 1",))

POSITIVE = Vector(omega, Reals(0, open_low=True, tested_to=8))
S = sp.Symbol("S")
TARGETS = Domain(
    {
        T: Integers(2, tested_to=8),
        D: Integers(1, T),
        omega: SPARSITY,
        c: POSITIVE,
        S: Subsets(omega, D, T),
    }
)
"""Targets of equal degree with positive coefficients."""

IN_BALL = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""The same with coefficients in the unit ball."""


def over_inputs(statistic: numeric.Statistic) -> Measure:
    """A statistic of the target over all of its inputs."""
    return of_targets(lambda batch, _: numeric.over_inputs(batch, statistic))
