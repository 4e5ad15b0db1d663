"""Bounds that are attained in the limit alone: of sums, of tails, and of binomial coefficients and gamma functions."""

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Rational, Sum, binomial, erf, erfc, exp, gamma, log, pi, sqrt
from tests.statements import stated

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, m, k = sp.symbols("n m k", integer=True)
a, b, p, q, r, x, y = sp.symbols("a b p q r x y", real=True)
COUNTS, PAIRS = Domain({n: Integers(1)}), Domain({n: Integers(1), m: Integers(1, n)})
POSITIVE, SQUARE = Domain({x: Reals(0, open_low=True)}), Domain({x: Reals(0), y: Reals(0)})
FEW = 10**5
"""Steps of work; for what an engine does not prove, any number is too few."""
SIGNS = (-1) ** (k + 1)


def proves(engine: str, left: Any, relation: str, right: Any, domain: Domain, steps: int = 6 * 10**6) -> bool:
    found = prove(stated(left, relation, right, domain), engines=[engine], budget=Budget(steps=steps))
    return found.outcome == "proved"


def upto(term: Any, low: int = 1) -> Sum:
    return Sum(term, (k, low, n))


REMAINDERS = {
    "a power": (upto(1 / k**3), "<=", Rational(5, 4), Rational(6, 5)),
    "a power, shown value by value first": (
        upto(k ** Rational(-3, 2)),
        "<=",
        Rational(2613, 1000),
        Rational(2612, 1000),
    ),
    "a logarithm": (upto(1 / (k * log(k) ** 2), 2), "<=", Rational(5, 2), 2),
    "a geometric sequence": (upto(sqrt(k) / 2**k), "<=", 2, Rational(13, 10)),
    "alternating signs": (upto(SIGNS / k), ">=", Rational(1, 2), Rational(7, 10)),
    "less than a constant above the logarithm": (upto(1 / k) - log(n), ">=", Rational(55, 100), Rational(58, 100)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REMAINDERS)
def test_a_sum_stays_on_its_side_of_a_bound_for_ever(name: str) -> None:
    left, relation, near, beyond = REMAINDERS[name]
    domain = Domain({n: Integers(2)}) if name == "a logarithm" else COUNTS
    assert proves("remainders", left, relation, near, domain)
    assert not proves("induction", left, relation, near, domain, FEW)
    assert not proves("remainders", left, relation, beyond, domain, FEW)


@pytest.mark.parametrize(("least", "holds"), [(Rational(1, 2), True), (Rational(7, 10), False)])
def test_each_term_of_a_sum_is_compared_with_an_equal_share(least: Any, holds: bool) -> None:
    assert proves("termwise", upto(1 / (n + k)), ">=", least, COUNTS, 6 * 10**6 if holds else FEW) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_a_tail_fades(factor: Any, holds: bool) -> None:
    assert proves("calculus", erfc(x), "<=", factor * exp(-(x**2)) / (sqrt(pi) * x), POSITIVE) is holds
    assert proves("multipliers", erfc(x), "<=", factor * exp(-(x**2)), POSITIVE) is holds


@pytest.mark.slow
def test_an_error_function_is_bounded_below_and_lipschitz() -> None:
    below = 2 * x * exp(-(x**2)) / (sqrt(pi) * (1 + 2 * x**2))
    assert proves("calculus", erfc(x), ">=", below, POSITIVE)
    assert not proves("calculus", erfc(x), ">=", 2 * below, POSITIVE, FEW)
    for factor, holds in ((2, True), (1, False)):
        assert proves("calculus", Abs(erf(x) - erf(y)), "<=", factor * Abs(x - y) / sqrt(pi), SQUARE) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (2, False)])
def test_branches_by_a_size_are_split_along_its_sign_first(factor: int, holds: bool) -> None:
    huber = sp.Piecewise((x**2 / 2, Abs(x) <= 1), (Abs(x) - Rational(1, 2), True))
    assert proves("cases", factor * huber, "<=", x**2 / 2, Domain({x: Reals()})) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_a_branch_that_begins_at_the_end_of_a_range_is_taken_apart_there(factor: Any, holds: bool) -> None:
    passed = sum(sp.Piecewise((1, x > step), (0, True)) for step in range(3))
    assert proves("cases", x, "<=", factor * passed, Domain({x: Reals(0, 3)})) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_the_smaller_of_two_is_one_of_them_in_each_case(factor: Any, holds: bool) -> None:
    smaller = factor * sp.Min(1, n * x)
    domain = Domain({n: Integers(1), x: Reals(0, 1)})
    assert proves("cases", 1 - (1 - x) ** n, "<=", smaller, domain, 6 * 10**6 if holds else FEW) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (Rational(9, 10), False)])
def test_gamma_functions_half_a_step_apart(factor: Any, holds: bool) -> None:
    assert proves("quadratics", gamma(x + Rational(1, 2)), "<=", factor * sqrt(x) * gamma(x), POSITIVE) is holds


SUBSETS, BALL = (Sum(binomial(n, k), (k, 0, high)) for high in (n, m))
WEIGHED = Sum(binomial(n, k) * 3**k * 2 ** (n - k), (k, 0, n))
LIKELY = exp(-m * log(m / n) - (n - m) * log(1 - m / n))
BINOMIALS = {
    "all subsets": (SUBSETS, 2**n, COUNTS), "with weights": (WEIGHED, 5**n, COUNTS),
    "not all": (BALL, 2**n, PAIRS), "Sauer": (BALL, (sp.E * n / m) ** m, PAIRS),
    "one coefficient": (binomial(n, m), 2**n, PAIRS),
    "by entropy": (binomial(n, m), LIKELY, Domain({n: Integers(2), m: Integers(1, n - 1)})),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", BINOMIALS)
def test_coefficients_are_terms_of_the_binomial_theorem(name: str) -> None:
    left, right, domain = BINOMIALS[name]
    assert proves("binomials", left, "<=", right, domain)
    assert not proves("binomials", left, "<=", Rational(4, 5) * right, domain, FEW)


def test_a_coefficient_is_bounded_beside_another_sum() -> None:
    more = Sum(x**k, (k, 1, n))
    domain = Domain({n: Integers(1), m: Integers(0, n), x: Reals(0)})
    assert proves("binomials", binomial(n, m), "<=", 2**n + more, domain)
    assert not proves("binomials", binomial(n, m), "<=", Rational(4, 5) * 2**n + more, domain, FEW)


@pytest.mark.slow
def test_what_adds_up_is_no_less() -> None:
    assert proves("binomials", WEIGHED, ">=", 5**n, COUNTS)
    assert not proves("binomials", WEIGHED, ">=", 2 + 5**n, COUNTS, FEW)
    assert not proves("binomials", BALL, ">=", 2**n, PAIRS, FEW)


# --- convexity of logarithms and powers ----------------------------------------------------------


def divergence(first: Any, second: Any) -> Any:
    return first * log(first / second) + (1 - first) * log((1 - first) / (1 - second))


INNER = Reals(0, 1, open_low=True, open_high=True)
ABOVE = Domain({r: Reals(1, open_low=True), x: Reals(0), y: Reals(0)})
FOUR, THREE = Domain(dict.fromkeys((a, b, p, q), INNER)), Domain({p: INNER, q: INNER}, [p + q < 1])
MIXED = divergence((p + a) / 2, (q + b) / 2)
HELLINGER = (sqrt(p) - sqrt(q)) ** 2 + (sqrt(1 - p) - sqrt(1 - q)) ** 2
ENTROPY = -p * log(p) - (1 - p) * log(1 - p)
OF_THREE = -sum(share * log(share) for share in (p, q, 1 - p - q))
CONVEX = {
    "a divergence": ("tangents", MIXED, (divergence(p, q) + divergence(a, b)) / 2, FOUR),
    "a root of a quotient": ("tangents", HELLINGER, divergence(p, q), Domain({p: INNER, q: INNER})),
    "three outcomes": ("narrowed", OF_THREE, log(3), THREE),
    "many outcomes": ("calculus", ENTROPY + p * log(n - 1), log(n), Domain({n: Integers(2), p: INNER})),
    "Young": ("calculus", x * y, x**r / r + (1 - 1 / r) * y ** (r / (r - 1)), ABOVE),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONVEX)
def test_a_logarithm_is_concave(name: str) -> None:
    engine, left, right, domain = CONVEX[name]
    assert proves(engine, left, "<=", right, domain)
    assert not proves(engine, left, "<=", Rational(9, 10) * right, domain)
