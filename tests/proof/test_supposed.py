"""Hypotheses about sums: what multiples of them prove, and that a multiple too few proves nothing."""

from __future__ import annotations

import pytest
import sympy as sp
from tests.statements import n, stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

a, b, delta = sp.symbols("a b delta", real=True)
k = sp.Symbol("k", integer=True)
c, d = sp.IndexedBase("c", real=True), sp.IndexedBase("d", real=True)
FIRST, SECOND = (sp.Sum(v[k], (k, 1, n)) for v in (c, d))
BOTH = sp.Sum(sp.Max(c[k], d[k]), (k, 1, n))
RANGES = {n: Integers(1), a: Reals(0), b: Reals(0), delta: Reals(0, open_low=True), c: Vector(n, Reals(0)),
          d: Vector(n, Reals(0))}  # fmt: skip

ENOUGH = Budget(steps=1_000_000)
"""With it what is true is proved."""


def _stated(left: sp.Expr, right: sp.Expr, *where: sp.Rel) -> Statement:
    return stated(left, "<=", right, Domain(RANGES, where=where))


@pytest.mark.slow
@pytest.mark.parametrize(("right", "where"), [
    (a + b, [a >= FIRST, b >= SECOND]), (a + b + delta, [a >= FIRST, b >= SECOND]),
    (2 * delta, [delta >= FIRST, delta >= SECOND]), (3 * a + b / 2, [3 * a >= FIRST, b >= 2 * SECOND]),
    (sp.exp(-a) * delta, [sp.exp(a) * FIRST <= delta, sp.exp(a) * BOTH <= delta]),
])  # fmt: skip
def test_multiples_of_hypotheses_prove(right: sp.Expr, where: list[sp.Rel]) -> None:
    found = prove(_stated(BOTH, right, *where), engines=["supposed"])
    assert (found.outcome, found.engine) == ("proved", "supposed")


@pytest.mark.parametrize("right", [delta, sp.Rational(199, 100) * delta, a + delta])
def test_too_few_of_them_do_not(right: sp.Expr) -> None:
    found = prove(_stated(BOTH, right, delta >= FIRST, delta >= SECOND), engines=["supposed"])
    assert found.outcome == "unknown"


LAW = sp.Eq(FIRST, 1)
EXPONENTIAL = sp.Sum(c[k] * sp.exp(b * d[k]), (k, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (sp.Rational(99, 100), "unknown")])
def test_the_logarithm_of_a_bound_by_an_exponential_bounds_a_mean(share: sp.Expr, outcome: str) -> None:
    ranges = {**RANGES, b: Reals(0, open_low=True), c: Vector(n, Reals(0, 1, open_low=True))}
    domain = Domain(ranges, where=[LAW, EXPONENTIAL <= sp.exp(b**2 * a)])
    mean = stated(sp.Sum(c[k] * d[k], (k, 1, n)), "<=", share * b * a, domain)
    assert prove(mean, engines=["supposed"], budget=ENOUGH).outcome == outcome
