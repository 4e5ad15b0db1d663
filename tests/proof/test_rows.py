"""What holds at each index of a sum: a row of a matrix as a vector, and what is said of all indices, summed."""

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Matrix, Reals, Vector
from boundaudit.checks.proof.engine import Budget, fresh_index
from boundaudit.checks.proof.portfolio import prove

n, k, i, j = sp.symbols("n k i j", integer=True, positive=True)
mu = sp.Symbol("mu", real=True)
X, w = sp.IndexedBase("X", real=True), sp.IndexedBase("w", positive=True)
LAW = {n: Integers(1), k: Integers(1), w: Vector(k, Reals(0, 1, open_low=True))}
MEAN, SECOND = (sp.Sum(w[j] * X[i, j] ** power, (j, 1, k)) for power in (1, 2))
ONE = sp.Eq(sp.Sum(w[j], (j, 1, k)), 1)
ENOUGH = Budget(steps=1_000_000)
"""With it what is true is proved."""
UNIT = Domain({**LAW, X: Matrix(n, k, Reals(0, 1))}, [ONE])


def total(of: Any) -> Any:
    return sp.Sum(of, (i, 1, n))


def with_means(last: Any, value: Any = mu) -> Domain:
    """Rows whose means are known up to one of them."""
    return Domain({**LAW, X: Matrix(n, k, Reals()), mu: Reals()}, [ONE, ForAll(sp.Eq(MEAN, value), (i, 1, last))])


@pytest.mark.slow
@pytest.mark.parametrize(("share", "outcome"), [(4, "proved"), (5, "unknown")])
def test_the_variance_of_each_row_is_at_most_a_fourth(share: int, outcome: str) -> None:
    found = prove(
        stated(total(SECOND - MEAN**2), "<=", n / sp.Integer(share), UNIT), engines=["termwise"], budget=ENOUGH
    )
    assert found.outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain", "outcome"), [
    (total(MEAN), n * mu, with_means(n), "proved"), (total(MEAN), 2 * n * mu, with_means(n), "unknown"),
    (total(MEAN), n * mu, with_means(n - 1), "unknown"), (total(MEAN**2), 0, with_means(n, 0), "proved"),
    (total(MEAN**2), n * mu**2, with_means(n), "proved"), (total(MEAN**2), n * mu, with_means(n), "unknown"),
    (total(SECOND), 0, with_means(n, 0), "unknown"),
])  # fmt: skip
def test_what_is_said_of_all_rows_is_summed(left: Any, right: Any, domain: Domain, outcome: str) -> None:
    enough = Budget(steps=2_000_000)
    assert prove(stated(left, "=", right, domain), engines=["summed"], budget=enough).outcome == outcome


r, d = (sp.IndexedBase(name, real=True) for name in "rd")
c, eta = sp.symbols("c eta", positive=True)
POTENTIAL = eta * r[i] <= d[i] - d[i + 1] + c
GROWING = i * r[i] <= i * (i - 1) * d[i] - i * (i + 1) * d[i + 1] + c


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "relation", "lowest", "outcome"), [
    (total(r[i]), (d[1] + n * c) / eta, POTENTIAL, 0, "proved"), (total(i * r[i]), n * c, GROWING, 0, "proved"),
    (total(r[i]), (d[1] - d[n + 1] + n * c) / eta, POTENTIAL, None, "proved"),
    (total(r[i]), (d[1] + n * c) / eta, POTENTIAL, None, "unknown"),
    (total(r[i]), n * c / eta, POTENTIAL, 0, "unknown"),
    (total(i * r[i]), n * c, GROWING.subs(i * (i + 1), i * (i + 2)), None, "unknown"),
])  # fmt: skip
def test_what_leads_from_each_entry_to_the_next_telescopes(
    left: Any, right: Any, relation: Any, lowest: int | None, outcome: str
) -> None:
    ranges = {n: Integers(1), c: Reals(0, open_low=True), eta: Reals(0, open_low=True), r: Vector(n, Reals()),
              d: Vector(n + 1, Reals(lowest))}  # fmt: skip
    domain = Domain(ranges, [ForAll(relation, (i, 1, n))])
    assert prove(stated(left, "<=", right, domain), engines=["summed"], budget=ENOUGH).outcome == outcome


@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (sp.Rational(99, 100), "unknown")])
def test_products_of_entries_that_are_said_of_all_are_summed(share: Any, outcome: str) -> None:
    ranges = {n: Integers(1), k: Integers(1, n), r: Vector(n, Reals(0, 1)), X: Matrix(n, n, Reals(0, 1))}
    flow = ForAll(r[i] * X[i, k] <= r[k] * X[k, i], (i, 1, n))
    said = stated(total(r[i] * X[i, k]), "<=", share * r[k] * total(X[k, i]), Domain(ranges, [flow]))
    assert prove(said, engines=["summed"], budget=ENOUGH).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (2, "unknown")])
def test_a_branch_within_a_sum_is_decided_outside(share: int, outcome: str) -> None:
    """Where its condition does not speak of the index."""
    chosen = total(sp.Piecewise((r[i], mu >= 0), (-r[i], True)))
    domain = Domain({n: Integers(1), mu: Reals(), r: Vector(n, Reals())})
    found = prove(stated(share * chosen, "<=", total(sp.Abs(r[i])), domain), engines=["cases"], budget=ENOUGH)
    assert found.outcome == outcome


def test_an_index_has_a_name_of_its_own() -> None:
    """A parameter may have the name that the next index would have had."""
    taken = {"name": "i1", "range": "integers", "low": ("q", 1, 1), "high": None}
    assert fresh_index({"parameters": [taken], "where": []}) == "i2"


a, b = (sp.IndexedBase(name, real=True) for name in "ab")
gamma = sp.Symbol("gamma", positive=True)
STEPS = {c: Reals(0, open_low=True), gamma: Reals(0, open_low=True), n: Integers(1)}


@pytest.mark.slow
@pytest.mark.parametrize(("share", "first", "outcome"), [(1, 0, "proved"), (2, 0, "unknown"), (1, 1, "unknown")])
def test_recursions_are_led_on_to_a_relation_between_the_last_entries(share: int, first: int, outcome: str) -> None:
    """As in the perceptron's theorem: a_n grows, b_n does not grow faster, and a_n^2 is at most b_n."""
    domain = Domain({**STEPS, a: Vector(n, Reals(0)), b: Vector(n, Reals(0))}, [
        sp.Eq(a[1], 0), sp.Eq(b[1], first), a[n] ** 2 <= b[n],
        ForAll(a[i + 1] >= a[i] + gamma, (i, 1, n - 1)), ForAll(b[i + 1] <= b[i] + c**2, (i, 1, n - 1)),
    ])  # fmt: skip
    said = stated((n - 1) * gamma**2, "<=", c**2 / share, domain)
    assert prove(said, engines=["led on"], budget=ENOUGH).outcome == outcome
