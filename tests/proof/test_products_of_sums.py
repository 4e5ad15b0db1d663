"""Engines for products of sums, tangents of logarithms and averages: what they prove, and what is a hair too much."""

import copy
from typing import Any

import pytest
import sympy as sp
from tests.statements import n, stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

k = sp.Symbol("k", integer=True)
a, t = sp.symbols("a t", real=True)
u, v, w, p = (sp.IndexedBase(name, real=True) for name in "uvwp")


def total(body: sp.Expr) -> sp.Expr:
    return sp.Sum(body, (k, 1, n))


COUNT = {n: Integers(1)}
LAW = {**COUNT, p: Vector(n, Reals(0, 1, open_low=True)), u: Vector(n, Reals())}
ONE = [sp.Eq(total(p[k]), 1)]
POSITIVE = Domain({**LAW, u: Vector(n, Reals(0))}, where=ONE)
MEAN, SECOND = total(p[k] * u[k]), total(p[k] * u[k] ** 2)
ABOVE = total(p[k] * sp.Piecewise((1, u[k] > 0), (0, True)))
BEYOND = total(p[k] * sp.Piecewise((1, u[k] > t * MEAN), (0, True)))
LEVEL = Domain({t: Reals(0, 1), **POSITIVE.ranges}, where=ONE)
TWO = Domain({**COUNT, u: Vector(n, Reals()), v: Vector(n, Reals())})
SCALED = Domain({a: Reals(0, open_low=True), **COUNT, u: Vector(n, Reals(0, 1))})
ENOUGH = Budget(steps=1_000_000)
"""With it what holds is proved."""
HOLDS: list[tuple[str, Any, Any, Domain]] = [
    ("symmetrised", MEAN * total(p[k] * sp.exp(u[k])), total(p[k] * u[k] * sp.exp(u[k])), Domain(LAW, where=ONE)),
    ("symmetrised", total(u[k] * v[k]) ** 2, total(u[k] ** 2) * total(v[k] ** 2), TWO),
    ("symmetrised", total(u[k]) ** 2, n * total(u[k] ** 2), TWO), ("schwarz", MEAN**2, SECOND * ABOVE, POSITIVE),
    ("schwarz", (1 - t) ** 2 * MEAN**2, SECOND * BEYOND, LEVEL), ("cleared", total(u[k]) / (n * a), 1 / a, SCALED),
]  # fmt: skip
FAILS: list[tuple[str, Any, Any, Domain]] = [
    ("symmetrised", MEAN * total(p[k] * sp.exp(-u[k])), total(p[k] * u[k] * sp.exp(-u[k])), Domain(LAW, where=ONE)),
    ("symmetrised", MEAN * total(p[k] * sp.exp(u[k])), total(p[k] * u[k] * sp.exp(u[k])), Domain(LAW)),
    ("symmetrised", 101 * total(u[k] * v[k]) ** 2, 100 * total(u[k] ** 2) * total(v[k] ** 2), TWO),
    ("symmetrised", 101 * total(u[k]) ** 2, 100 * n * total(u[k] ** 2), TWO),
    ("schwarz", sp.Rational(101, 100) * MEAN**2, SECOND * ABOVE, POSITIVE),
    ("schwarz", (1 - t) * MEAN**2, SECOND * BEYOND, LEVEL),
    ("cleared", total(u[k]) / (n * a), sp.Rational(99, 100) / a, SCALED),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "left", "right", "domain"),
    [pytest.param(*each, marks=[pytest.mark.slow] if each[0] == "schwarz" else []) for each in HOLDS],
)
def test_what_holds_is_proved_and_needs_all_of_its_terms(engine: str, left: Any, right: Any, domain: Domain) -> None:
    statement = stated(left, "<=", right, domain)
    found = prove(statement, engines=[engine], budget=ENOUGH)
    assert (found.outcome, found.engine) == ("proved", engine)
    assert found.certificate is not None
    for number in range(len(found.certificate["terms"])):
        forged = copy.deepcopy(found.certificate)
        del forged["terms"][number]
        with pytest.raises(Rejected):
            check(statement, forged)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "left", "right", "domain"), FAILS)
def test_what_fails_is_not(engine: str, left: Any, right: Any, domain: Domain) -> None:
    assert prove(stated(left, "<=", right, domain), engines=[engine], budget=ENOUGH).outcome == "unknown"


x, y, z = sp.symbols("x y z", positive=True)
NUMBERS = Domain(dict.fromkeys((x, y, z), Reals(0, open_low=True)))


@pytest.mark.parametrize("less", [0, y * (x - y) ** 2])
def test_a_tangent_of_a_logarithm_is_taken_off(less: sp.Expr) -> None:
    goal = x * sp.exp(z) - y - y * (z + sp.log(x) - sp.log(y))
    found = prove(stated(-less, "<=", goal, NUMBERS), engines=["tangents"])
    assert found.outcome == "proved"


@pytest.mark.parametrize("share", [sp.Rational(99, 100), sp.Rational(101, 100)])
def test_any_other_line_is_none(share: sp.Expr) -> None:
    goal = x * sp.exp(z) - y - share * y * (z + sp.log(x) - sp.log(y))
    assert prove(stated(0, "<=", goal, NUMBERS), engines=["tangents"]).outcome == "unknown"


def test_four_times_a_product_is_below_a_square() -> None:
    where = [x * z + y <= (x + 1) * z]
    held = Domain(NUMBERS.ranges, where=where)
    assert prove(stated(4 * x * y * z, "<=", ((x + 1) * z) ** 2, held), engines=["schwarz"]).outcome == "proved"
    assert prove(stated(5 * x * y * z, "<=", ((x + 1) * z) ** 2, held), engines=["schwarz"]).outcome == "unknown"
    assert prove(stated(4 * x * y * z, "<=", ((x + 1) * z) ** 2, NUMBERS), engines=["schwarz"]).outcome == "unknown"
