"""Sums of sizes under equations between sums: laws that are near each other, entry by entry, and one that is not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, i = sp.symbols("n i", integer=True, positive=True)
epsilon = sp.Symbol("epsilon", positive=True)
p, q = (sp.IndexedBase(name, real=True) for name in "pq")
LAW = Vector(n, Reals(0, 1, open_low=True))
RANGES = {n: Integers(1), epsilon: Reals(0, open_low=True), p: LAW, q: LAW}
FIRST, SECOND = (sp.Eq(sp.Sum(law[i], (i, 1, n)), 1) for law in (p, q))
NEAR = ForAll(p[i] <= sp.exp(epsilon) * q[i], (i, 1, n))
VARIATION = sp.Sum(sp.Abs(p[i] - q[i]), (i, 1, n)) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("right", "where", "outcome"), [
    (1 - sp.exp(-epsilon), [FIRST, SECOND, NEAR], "proved"), (1 - sp.exp(-epsilon), [FIRST, NEAR], "unknown"),
    (1 - sp.exp(-epsilon), [FIRST, SECOND], "unknown"), (1 - sp.exp(-epsilon / 2), [FIRST, SECOND, NEAR], "unknown"),
])  # fmt: skip
def test_sizes_are_twice_positive_parts(right: Any, where: list[Any], outcome: str) -> None:
    domain = Domain(RANGES, where=where)
    assert prove(stated(VARIATION, "<=", right, domain), engines=["weighted"]).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("share", "holds"), [(1, True), (sp.Rational(9, 10), False)])
def test_the_exponential_of_a_mean_gives_way_to_the_mean_of_exponentials(share: Any, holds: bool) -> None:
    """The first line of a proof that the larger of two is small on average."""
    f, g = (sp.IndexedBase(name, real=True) for name in "fg")
    domain = Domain({n: Integers(1), p: LAW, f: Vector(n, Reals()), g: Vector(n, Reals())}, where=[FIRST])
    larger = sp.exp(sp.Sum(p[i] * sp.Max(f[i], g[i]), (i, 1, n)))
    both = sp.Sum(p[i] * sp.exp(f[i]), (i, 1, n)) + sp.Sum(p[i] * sp.exp(g[i]), (i, 1, n))
    budget = Budget() if holds else Budget(steps=10**6)
    found = prove(stated(larger, "<=", share * both, domain), engines=["averaged"], budget=budget)
    assert (found.outcome == "proved") is holds
