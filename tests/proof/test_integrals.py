"""Sums by what is simpler: integrals of their terms, bounds of what is hard in them, a budget shared out among them."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Integer, Min, Sum, floor, log, sin, sqrt
from tests.statements import stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.proof.portfolio import prove

n, m, k = sp.symbols("n m k", integer=True, positive=True)
x = sp.Symbol("x", positive=True)
a = sp.IndexedBase("a", real=True)
COUNTS = Domain({n: Integers(1)})
AT_ALL = Domain({n: Integers(1), x: Reals(0, open_low=True)})
IN_BALL = Domain({n: Integers(1), a: Vector(n, Reals(-1, 1), square_sum=1)})
SLOW = Domain({x: Reals(0, 1, open_low=True, open_high=True), m: Integers(2), n: Integers(m)})
ONE = Domain({n: Integers(1), x: Reals(0, 1, open_low=True)})
EACH = (k, 1, n)
HALF = Sum(1 / (n + k), EACH)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "true", "false", "domain"), [
    ("integrals", (HALF, log(2)), (log(2), HALF), COUNTS),
    ("integrals", (log(1 + 1 / x), Sum(1 / (n * x + k), (k, 0, n))), (HALF, log(2) - sp.Rational(1, 1000)), AT_ALL),
    ("integrals", (Sum(1 / sqrt(n + k), EACH), 2 * sqrt(2 * n) - 2 * sqrt(n)), (HALF, log(2) - 1 / n**2), COUNTS),
    ("integrals", (n ** (x + 1) / (x + 1), Sum(k**x, EACH)), (n ** (x + 1) / x, Sum(k**x, EACH)), AT_ALL),
    ("integrals", (Sum(k**-x, (k, m, n)), n ** (1 - x) / (1 - x) - (m - 1) ** (1 - x) / (1 - x)),
     (Sum(k**-x, (k, m, n)), n ** (1 - x) / (1 - x) - m ** (1 - x) / (1 - x)), SLOW),
    ("integrals", (log(1 + (n**2 + 2 * n) / (1 + x)) / 2, Sum(k / (k**2 + x), EACH)),
     (log(2 + (n**2 + 2 * n) / (1 + x)) / 2, Sum(k / (k**2 + x), EACH)), ONE),
    ("integrals", (Sum(1 / (k * log(k) ** 3), (k, 3, n)), 1 / (2 * log(2) ** 2)),
     (Sum(1 / (k * log(k) ** 3), (k, 3, n)), 1 / (2 * log(3) ** 2)), Domain({n: Integers(3)})),
    ("eased", (Sum(floor(n / k), EACH), n * (1 + log(n))), (Sum(floor(n / k), EACH), n * log(n)), COUNTS),
    ("eased", (Sum(Abs(sin(k)) / k**2, EACH), Integer(2)), (Sum(sin(k) ** 2, EACH), n / 2), COUNTS),
    ("eased", (Sum(Min(1, n / k**2), EACH), Integer(2) * n), (Sum(Min(1, n / k**2), EACH), n / 4), COUNTS),
    ("budgets", (Sum(a[k] ** 4, EACH), Integer(1)), (Sum(Abs(a[k]), EACH), Integer(1)), IN_BALL),
])  # fmt: skip
def test_each_proves_what_is_true_and_not_its_neighbour(engine: str, true: Any, false: Any, domain: Domain) -> None:
    outcomes = [prove(stated(s, "<=", t, domain), engines=[engine]).outcome for s, t in (true, false)]
    assert outcomes == ["proved", "unknown"]
