"""Induction and last terms: what the checker accepts and rejects, and what the engine finds."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from tests.statements import claim, m, n, some_slow, x

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.language.expression import ONE, ZERO, Tree, rational, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.kernel.checker import Certificate, Rejected, check
from boundaudit.checks.proof.kernel.sums import base_statements, step_statement
from boundaudit.checks.proof.portfolio import prove

k = sp.Symbol("k", integer=True)
c = sp.IndexedBase("c", real=True)
N: Tree = ("v", "n")
COVERING = Domain({n: Integers(1), x: Reals(0, 1, open_low=True)})
COUNTS, FROM_ZERO = Domain({n: Integers(1)}), Domain({n: Integers(0)})


def stated(left: Any, relation: str, right: Any, domain: Domain = COUNTS) -> Statement:
    found = claim(left, relation, right, domain).statement_form
    assert found is not None
    return found


def total(body: Any, low: Any = 1, high: Any = n) -> sp.Sum:
    return sp.Sum(body, (k, low, high))


DOUBLING = stated(2**n, ">=", n + 1, FROM_ZERO)
TRUE: dict[str, Statement] = {
    "powers of two": DOUBLING,
    "powers of two outgrow squares": stated(2**n, ">=", n**2, Domain({n: Integers(4)})),
    "Bernoulli": stated((1 + x) ** n, ">=", 1 + n * x, Domain({n: Integers(0), x: Reals(-1)})),
    "a range with an upper end": stated(2**n, ">=", n + 1, Domain({n: Integers(0, 9)})),
    "inverse squares": stated(total(1 / k**2), "<=", 2 - 1 / n),
    "inverse squares, from what they still lack": stated(total(1 / k**2), "<=", 2),
    "inverse roots": stated(total(1 / sp.sqrt(k)), ">=", 2 * sp.sqrt(n + 1) - 2),
    "harmonic numbers": stated(total(1 / k), ">=", sp.log(n + 1)),
    "an equation": stated((1 - x) * total(x**k, 0), "=", 1 - x ** (n + 1), Domain({n: Integers(0), x: Reals()})),
    "factorials": stated(sp.factorial(n), ">=", 2 ** (n - 1)),
    "central binomials": stated(sp.binomial(2 * n, n), "<=", 4**n),
    "powers with one exponent": stated((1 + 2 / x) ** n, "<=", (3 / x) ** n, COVERING),
}


def found(statement: Statement) -> Certificate:
    attempt = prove(statement, engines=["induction"])
    assert attempt.certificate is not None, attempt.notes
    certificate: Certificate = json.loads(json.dumps(attempt.certificate))
    return certificate


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    some_slow(TRUE, "harmonic numbers", "inverse squares, from what they still lack", "powers with one exponent"),
)
def test_the_engine_climbs(name: str) -> None:
    check(Statement.from_json(json.loads(json.dumps(TRUE[name].to_json()))), found(TRUE[name]))


@pytest.mark.parametrize("statement", [
    stated(2**n, ">=", n + 2, FROM_ZERO), stated(2**n, ">=", n**3, Domain({n: Integers(9)})),
    stated((1 + x) ** n, ">=", 1 + n * x, Domain({n: Integers(0), x: Reals(-4)})),
    pytest.param(stated(total(1 / k**2), "<=", sp.Rational(8, 5)), marks=pytest.mark.slow),
    pytest.param(stated(total(1 / k), "<=", sp.Rational(9, 10) + sp.log(n)), marks=pytest.mark.slow),
    stated(sp.factorial(n), ">=", 2**n),
])  # fmt: skip
def test_the_engine_does_not_climb_to_what_is_false(statement: Statement) -> None:
    assert prove(statement, engines=["induction"]).outcome != "proved"


# --- forgeries -------------------------------------------------------------------------------------

PROOF = found(DOUBLING)


def put(key: str, value: Any) -> Callable[[Certificate], None]:
    return lambda certificate: certificate.update({key: value})


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "outcome"), [(4, "proved"), (5, "unknown")])
def test_a_product_that_may_vanish_grows_by_a_factor(rate: int, outcome: str) -> None:
    edges = Domain({n: Integers(1), c: Vector(n, Reals(sp.Rational(-1, 2), sp.Rational(1, 2)))})
    vanishing = sp.Product(1 - 4 * c[k] ** 2, (k, 1, n))
    found = prove(stated(vanishing, "<=", sp.exp(-rate * total(c[k] ** 2)), edges), engines=["prefixes"])
    assert found.outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("first", "outcome"), [(1, "proved"), (2, "unknown")])
def test_one_climbs_from_where_another_sum_begins(first: int, outcome: str) -> None:
    ridge = Domain({n: Integers(1), x: Reals(0, open_low=True), c: Vector(n, Reals(0)), m: Integers(0, n)})
    body, rest = c[k] / (c[k] + x), total(c[k] / x, m + first)
    assert prove(stated(total(body), "<=", m + rest, ridge), engines=["prefixes"]).outcome == outcome


@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (sp.Rational(1, 2), "unknown")])
def test_terms_of_which_there_may_be_none_are_bounded_each(share: Any, outcome: str) -> None:
    statement = stated(total(sp.sin(k)), "<=", share * n, FROM_ZERO)
    assert prove(statement, engines=["termwise"]).outcome == outcome


@pytest.mark.parametrize("corrupt", [
    put("bases", []), put("bases", {}), put("start", ONE), put("start", N), put("start", rational(-1)),
    put("start", ["q", 1, 2]), put("variable", "m"), put("step", {"kind": "identity"}), put("step", PROOF["bases"][0]),
    lambda certificate: certificate.pop("step"),
])  # fmt: skip
def test_corrupted_induction_is_rejected(corrupt: Callable[[Certificate], None]) -> None:
    check(DOUBLING, PROOF)
    forged = copy.deepcopy(PROOF)
    corrupt(forged)
    with pytest.raises(Rejected):
        check(DOUBLING, forged)


@pytest.mark.slow
def test_a_side_that_is_zero_has_no_quotient_and_the_engine_goes_on() -> None:
    growing = stated(0, "<=", total(sp.exp(k) - 1 - k - k**2 / 2))
    assert prove(growing, engines=["induction"]).outcome == "proved"


def test_a_step_without_its_base_proves_nothing() -> None:
    """2^n ≥ n + 2 passes on from n to n + 1, but fails at 0 and holds from 2 on."""
    false = stated(2**n, ">=", n + 2, FROM_ZERO)
    later = found(stated(2**n, ">=", n + 2, Domain({n: Integers(2)})))
    for start in (ZERO, rational(2)):
        with pytest.raises(Rejected):
            check(false, {**later, "start": start})


def test_the_step_ends_where_the_range_does() -> None:
    """Below an upper end n + 1 is in the range too."""
    step = step_statement(TRUE["a range with an upper end"], "n", ZERO, 1)
    assert step.domain["parameters"][-1]["high"] == subtract(rational(9), ONE)


def test_the_other_parameters_stay_what_they_are_on_the_way() -> None:
    """An end m ≤ n is not used (m could be n + 1 at the next value), and no vector grows."""
    below = stated(m, "<=", n, Domain({n: Integers(1), m: Integers(1, n)}))
    for part in (*base_statements(below, "n", ONE, 1), step_statement(below, "n", ("v", "m"), 1)):
        assert next(found for found in part.domain["parameters"] if found["name"] == "m")["high"] is None
    entries = {"name": "c", "range": "vector", "length": N, "low": ZERO, "high": ONE, "open": [False, False]}
    parameters = [*stated(n, ">=", 0).domain["parameters"], {**entries, "square_sum": None}]
    grown = Statement(to_tree(total(c[k])), "<=", N, {"parameters": parameters, "where": []})
    with pytest.raises(Rejected, match="depends"):
        step_statement(grown, "n", ONE, 1)
    with pytest.raises(Rejected, match="below the start"):
        step_statement(stated(m, "<=", n, Domain({n: Integers(1), m: Integers(1)})), "n", ("v", "m"), 1)
    with pytest.raises(Rejected, match="base"):
        base_statements(below, "n", ONE, 0)


def test_a_relation_that_mentions_the_parameter_is_not_used() -> None:
    crossed = stated(n / 2, "<=", x, Domain({n: Integers(1), x: Reals(0)}, [n <= 2 * x]))
    assert prove(crossed).outcome == "proved"
    assert step_statement(crossed, "n", ONE, 1).domain["where"] == [["<=", crossed.left, crossed.right]]


def test_only_a_sum_that_has_a_term_has_a_last_one() -> None:
    """Were Σ_{1 ≤ k ≤ n} k its terms to n - 1 and n at n = -1 too, it would be -1 there and not 0."""
    whole = to_tree(total(k))
    certificate = {"kind": "last term", "sum": whole, "proof": {"kind": "identity"}}
    apart = to_tree(total(k, 1, n - 1) + n)
    check(Statement(whole, "=", apart, COUNTS.to_json()), certificate)
    for domain, forged in (
        (Domain({n: Integers(-1)}), certificate),
        (FROM_ZERO, certificate),
        (COUNTS, {**certificate, "sum": to_tree(total(k, 1, n - 1))}),
        (COUNTS, {**certificate, "sum": N}),
        (COUNTS, {**certificate, "sum": ["sum", ["q", 1, 1], ["v", "n"], ["b", 1]]}),
    ):
        with pytest.raises(Rejected):
            check(Statement(whole, "=", apart, domain.to_json()), forged)
