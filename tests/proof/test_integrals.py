"""Sums by what is simpler: integrals of their terms, bounds of what is hard in them, a budget shared out among them."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Integer, Min, Sum, floor, log, sin, sqrt
from tests.statements import stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.proof.portfolio import prove

n, k = sp.symbols("n k", integer=True, positive=True)
x = sp.Symbol("x", positive=True)
a = sp.IndexedBase("a", real=True)
COUNTS = Domain({n: Integers(1)})
AT_ALL = Domain({n: Integers(1), x: Reals(0, open_low=True)})
IN_BALL = Domain({n: Integers(1), a: Vector(n, Reals(-1, 1), square_sum=1)})
EACH = (k, 1, n)
HALF = Sum(1 / (n + k), EACH)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "true", "false", "domain"), [
    ("integrals", (HALF, log(2)), (log(2), HALF), COUNTS),
    ("integrals", (log(1 + 1 / x), Sum(1 / (n * x + k), (k, 0, n))), (HALF, log(2) - sp.Rational(1, 1000)), AT_ALL),
    ("integrals", (Sum(1 / sqrt(n + k), EACH), 2 * sqrt(2 * n) - 2 * sqrt(n)), (HALF, log(2) - 1 / n**2), COUNTS),
    ("eased", (Sum(floor(n / k), EACH), n * (1 + log(n))), (Sum(floor(n / k), EACH), n * log(n)), COUNTS),
    ("eased", (Sum(Abs(sin(k)) / k**2, EACH), Integer(2)), (Sum(sin(k) ** 2, EACH), n / 2), COUNTS),
    ("eased", (Sum(Min(1, n / k**2), EACH), Integer(2) * n), (Sum(Min(1, n / k**2), EACH), n / 4), COUNTS),
    ("budgets", (Sum(a[k] ** 4, EACH), Integer(1)), (Sum(Abs(a[k]), EACH), Integer(1)), IN_BALL),
])  # fmt: skip
def test_each_proves_what_is_true_and_not_its_neighbour(engine: str, true: Any, false: Any, domain: Domain) -> None:
    outcomes = [prove(stated(s, "<=", t, domain), engines=[engine]).outcome for s, t in (true, false)]
    assert outcomes == ["proved", "unknown"]
