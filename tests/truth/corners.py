"""Statements that fail where hypotheses bind, at simple numbers and on surfaces, and others beside them that hold."""

import math
from fractions import Fraction

import sympy as sp
from sympy import Rational, floor, sqrt

from boundaudit import Domain, Integers, Reals

from .statement import Truth, false, n, true, x, y

D, c, q, alpha, beta = SIZES = sp.symbols("D c q alpha beta", nonnegative=True)
STEP = D - 2 * alpha * c + alpha**2 * q
HALF = n * (n + 1) / 2


def _sizes(most: int, *more: sp.Rel, opened: bool = False) -> Domain:
    """Parameters without upper limits, with q ≤ βc and αβ ≤ most."""
    where = [q <= beta * c, alpha * beta <= most, *more]
    return Domain({s: Reals(0, open_low=opened) for s in SIZES}, where=where)


CIRCLE = Domain({x: Reals(), y: Reals()}, where=[x**2 + y**2 <= 1, x**2 + y**2 >= 1])
BOX = Domain({x: Reals(-2, Rational(4, 3)), y: Reals(1, 11)})
FROM_BELOW = Domain({n: Integers(-100)})
ROOT = math.isqrt(2 * 10**36)
ONES = {"D": 1, "c": 1, "q": 1, "alpha": 3, "beta": 1}

STATEMENTS: list[Truth] = [
    false("a step too long", STEP, "<=", D, _sizes(3), "3 at D = 0", **{**ONES, "D": 0}),
    false("a step too long, positive sizes", STEP, "<=", D, _sizes(3, opened=True), "4 at D = 1", **ONES),
    false("a step too long, and c² ≤ Dq", STEP, "<=", D, _sizes(3, c**2 <= D * q), "4 at D = 1", **ONES),
    true("a step that is short enough", STEP, "<=", D, _sizes(2, c**2 <= D * q), "α²q ≤ 2αc"),
    false("a cube at its corner", y**3, "<=", sqrt(x**2 + 4) + 1329 - Rational(13, 10**6), BOX, "1331", x=0, y=11),
    true("a cube at its corner, exactly", y**3, "<=", sqrt(x**2 + 4) + 1329, BOX, "11³ = 2 + 1329"),
    false("a product on a circle", x * y, "<=", Rational(49, 100), CIRCLE, "1/2 at the diagonal",
          x=Fraction(20, 29), y=Fraction(21, 29)),
    false("integers up to a root that no float tells from the one below", n, "<=", ROOT - 1,
          Domain({n: Integers(ROOT - 300, sqrt(2) * 10**18)}), "one more at the floor of the root", n=ROOT),
    true("a product on a circle, exactly", x * y, "<=", Rational(1, 2), CIRCLE, "(x - y)² ≥ 0"),
    false("a triangular number that is a square", floor(sqrt(HALF)) ** 2, "<=", HALF - 1, Domain({n: Integers(2)}),
          "36 at 8", n=8),
    true("a triangular number", floor(sqrt(HALF)) ** 2, "<=", HALF, Domain({n: Integers(2)}), "a floor"),
    true("no integer between 0 and 1", n**2, ">=", n, FROM_BELOW, "n(n - 1) ≥ 0 for integers"),
    false("an integer between 0 and 2", n**2, ">=", 2 * n, FROM_BELOW, "1 at 1", n=1),
]  # fmt: skip
