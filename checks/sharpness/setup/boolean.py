"""Equation 1: what positive coefficients of equal degree mean for Boolean-valued targets."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.sharpness.setup.shared import IN_BALL, SEVERAL, TARGETS, S, claim, over_inputs
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.derivations.sharpness.setup import least
from boundaudit.numeric.sharpness import setup as numeric


def _gap(name: str, definition: sp.Expr) -> Quantity:
    return Quantity(name, over_inputs(numeric.boolean_gap), r"\mathrm{E} f (C - f)", definition)


_GAP = _gap("mean of f(C - f)", theorem.GAP_BY_PAIRS)
_GAP_ONCE = _gap("mean of f(C - f), each pair once", theorem.GAP_BY_UNORDERED_PAIRS)

boolean_as_assumed = claim(
    label="sharpness.setup.boolean.as-assumed",
    statement="Every target with two or more components of equal degree and positive coefficients is Boolean-valued: "
    "it has no values but 0 and C = f(0), and the mean of f(C-f) is zero.",
    left=_GAP,
    relation="=",
    right=sp.Integer(0),
    domain=SEVERAL.replace(c=IN_BALL.ranges["c"]),
    reading="plausible",
    expected="refuted",
    limitations=("The text speaks of Boolean target functions; that f itself has two values is one reading.",),
)

boolean_gap = claim(
    label="sharpness.setup.boolean.gap",
    statement="The mean of f(C-f) is a quarter of the square of the coefficients' sum less the sum of their squares.",
    left=_GAP,
    relation="=",
    right=theorem.GAP,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
)

_ABOVE_LEAST = Domain(
    {
        T: Integers(2, tested_to=6),
        D: Integers(1, T - 1),
        omega: Integers(2, T),
        least: Reals(0, open_low=True, tested_to=1),
        c: Vector(omega, Reals(least, tested_to=8)),
        S: Subsets(omega, D, T),
    }
)

boolean_pair_by_pair = claim(
    label="sharpness.setup.boolean.pair-by-pair",
    statement="Each pair of components adds at least half the square of the smallest coefficient to the mean of "
    "f(C-f).",
    left=_GAP_ONCE,
    relation=">=",
    right=theorem.LEAST_BY_PAIRS,
    domain=_ABOVE_LEAST,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
)

boolean_pairs = claim(
    label="sharpness.setup.boolean.pairs",
    statement="There are ω(ω-1)/2 pairs of components to add half the square of the smallest coefficient.",
    left=theorem.LEAST_BY_PAIRS,
    relation="=",
    right=theorem.LEAST_GAP,
    domain=_ABOVE_LEAST,
    expected="proved",
)

boolean_one_component = claim(
    label="sharpness.setup.boolean.forces-one-component",
    statement="With ω ≥ 2 components, none weighing less than c_min > 0, the mean of f(C-f) is at least "
    "ω(ω-1) c_min²/4 > 0: positive coefficients of equal degree make a Boolean-valued target only for ω = 1.",
    left=_GAP_ONCE,
    relation=">=",
    right=theorem.LEAST_GAP,
    domain=_ABOVE_LEAST,
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 2, "c_min": 1, "c": (1, 1), "S": ((1,), (2,))},),
    expected="proved",
    rests_on=("sharpness.setup.boolean.pair-by-pair", "sharpness.setup.boolean.pairs"),
    repairs=("sharpness.setup.boolean.as-assumed",),
    limitations=(
        "A Boolean-valued f has no values but 0 and C = f(0); values -1 and 1 are excluded by f ≥ 0.",
        "Two other values are possible: equal weights on {1,2}, {1,3} and {2,3} give c and 3c.",
    ),
)
