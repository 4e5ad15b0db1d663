"""Vectors in exponentials as logarithms of positive entries: softmax weights are a law."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.proof.portfolio import prove

n, i, j = sp.symbols("n i j", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
ANY = Domain({n: Integers(1), z: Vector(n, Reals())})
TOTAL = sp.Sum(sp.exp(z[j]), (j, 1, n))
WEIGHT = sp.exp(z[i]) / TOTAL
ENTROPY = -sp.Sum(WEIGHT * sp.log(WEIGHT), (i, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right"), [
    (ENTROPY, sp.log(n)), (TOTAL * sp.log(TOTAL / n), sp.Sum(z[i] * sp.exp(z[i]), (i, 1, n))),
])  # fmt: skip
def test_what_is_known_of_laws_is_known_of_softmax(left: Any, right: Any) -> None:
    assert prove(stated(left, "<=", right, ANY), engines=["softmax"]).outcome == "proved"


@pytest.mark.parametrize(("left", "right", "domain"), [
    (ENTROPY, sp.log(n) * 9 / 10, ANY), (ENTROPY, sp.log(n) - 1 / n**3, ANY),
    (ENTROPY, sp.log(n), Domain({n: Integers(1), z: Vector(n, Reals(0, 1))})),
])  # fmt: skip
def test_what_is_false_or_of_bounded_scores_is_not(left: Any, right: Any, domain: Domain) -> None:
    assert prove(stated(left, "<=", right, domain), engines=["softmax"]).outcome == "unknown"
