"""Each engine alone: what it decides, and that it stays silent where it does not see."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from scipy.optimize import linprog
from tests.statements import some_slow

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof import multipliers
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import ENGINES, prove
from boundaudit.checks.proof.rewriting import substitutions
from boundaudit.checks.proof.witness import contains, point_at

from .stated import claim, integers, reals, tree

a, b, x, n, m = sp.symbols("a b x n m")
i = sp.Symbol("i")
c = sp.IndexedBase("c")


VECTOR = {
    "name": "c", "range": "vector", "length": tree(n), "low": tree(0), "high": tree(1), "open": [True, False],
    "square_sum": tree(1),
}  # fmt: skip


UNIT, WIDE = reals("x", 0, 1), reals("x", None, None)
POSITIVE = reals("a", 0, None, (True, False)), reals("b", 0, None, (True, False))
TOTAL = sp.Sum(c[i], (i, 1, n))

DECIDED = {
    "square of a difference": ("factoring", claim(2 * a * b, "<=", a**2 + b**2, *POSITIVE)),
    "square under a root": ("factoring", claim(sp.sqrt(a * b), "<=", (a + b) / 2, *POSITIVE)),
    "quotient of signed factors": ("factoring", claim(a / (1 + a), "<=", a, *POSITIVE)),
    "product of bounds": ("multipliers", claim(x * (1 - x), ">=", 0, UNIT)),
    "logarithm below its tangent": ("multipliers", claim(sp.log(1 + a), "<=", a, *POSITIVE)),
    "exponential above its tangent": ("multipliers", claim(sp.exp(x), ">=", 1 + x, WIDE)),
    "triangle inequality": ("multipliers", claim(sp.Abs(x + a), "<=", sp.Abs(x) + a, WIDE, *POSITIVE)),
    "floor": ("multipliers", claim(sp.floor(a / 3), "<=", a / 3, *POSITIVE)),
    "Cauchy-Schwarz": ("multipliers", claim(TOTAL**2, "<=", n, integers("n", 1), VECTOR)),
    "roots": ("multipliers", claim(sp.sqrt(a + b), "<=", sp.sqrt(a) + sp.sqrt(b), *POSITIVE)),
    "terms": ("termwise", claim(sp.Sum(c[i] ** 2, (i, 1, n)), "<=", TOTAL, integers("n", 1), VECTOR)),
    "cubes": ("telescope", claim(sp.Sum(i**3, (i, 1, n)), "=", n**2 * (n + 1) ** 2 / 4, integers("n", 0))),
    "alternating": (
        "telescope",
        claim(sp.Sum((-1) ** i * i, (i, 0, n)), "=", (-1) ** n * sp.floor((n + 1) / 2), integers("n", 0)),
    ),
    "two sums": ("telescope", claim(sp.Sum(i, (i, 1, n)) ** 2, "=", sp.Sum(i**3, (i, 1, n)), integers("n", 1))),
    "cases of a maximum": ("cases", claim(sp.Max(x, 0) ** 2, "<=", x**2, WIDE)),
    "renamed sums": ("identity", claim(TOTAL, "=", sp.Sum(c[m], (m, 1, n)), integers("n", 1), VECTOR)),
    "equation of minima": ("identity", claim(sp.Min(a, b) + sp.Max(a, b), "=", a + b, *POSITIVE)),
}


@pytest.mark.parametrize("name", DECIDED)
def test_engine_alone_proves(name: str) -> None:
    engine, statement = DECIDED[name]
    attempt = prove(statement, engines=[engine])
    assert (attempt.outcome, attempt.engine) == ("proved", engine), attempt.notes


@pytest.mark.parametrize(
    "engine", some_slow(ENGINES, "calculus", "multipliers", "both sides", "prefixes", "quadratics")
)
def test_no_engine_proves_a_planted_false_statement(engine: str) -> None:
    """The true statements, made false by a strict or a shifted side, are never proved."""
    for name, (_, statement) in DECIDED.items():
        shift = ("q", -1, 10**6) if statement.relation == "<=" else ("q", 1, 10**6)
        # Each true statement is attained somewhere, or nearly, so that the shifted one fails.
        false = Statement(statement.left, statement.relation, ("+", statement.right, shift), statement.domain)
        assert prove(false, engines=[engine]).outcome != "proved", name


CHOICE = {"name": "u", "range": "choices", "values": [tree(1), tree(2)]}
LEAK = 1 + n - m + m * n**2
SIZES = integers("n", 4), integers("m", 1, n), CHOICE


@pytest.mark.parametrize("where", [(), ((">=", x / LEAK, 0),)])
def test_relations_without_a_known_value_stop_no_engine(where: tuple[Any, ...]) -> None:
    assert prove(claim(0, "<", LEAK**2, *SIZES, WIDE, where=where)).outcome == "proved"


def test_choices_are_not_substituted() -> None:
    statement = claim(0, "<=", sp.Symbol("u") * n, *SIZES)
    assert {name for name, *_ in substitutions(statement, NormalForm(statement.domain))} == {"n"}


def test_budget_limits_the_columns() -> None:
    statement = DECIDED["product of bounds"][1]
    assert prove(statement, engines=["multipliers"], budget=Budget(columns=1)).outcome == "unknown"


@pytest.mark.parametrize(("right", "outcome"), [(a + b, "proved"), (b, "unknown")])
def test_only_what_may_cancel_is_given_to_a_linear_programme(
    right: Any, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a - b > 0, a > 0 and b > 0 no combination is zero, nor of their products: each has a monomial of one sign."""
    solved: list[Any] = []
    monkeypatch.setattr(multipliers, "linprog", lambda *given, **more: solved.append(given) or linprog(*given, **more))
    assert prove(claim(a, "<=", right, *POSITIVE), engines=["multipliers"]).outcome == outcome
    assert bool(solved) == (outcome == "proved")


def test_unknown_engine_is_named() -> None:
    with pytest.raises(InputError, match="engines: expected names among"):
        prove(claim(x, "<=", x, UNIT), engines=["oracle"])


def test_probe_finds_a_vector_that_refutes() -> None:
    attempt = prove(claim(TOTAL, "<=", 1, integers("n", 1), VECTOR), engines=["probe"])
    assert attempt.outcome == "refuted"
    assert attempt.counterexample is not None
    assert sum(attempt.counterexample["c"]) > 1
    assert sum(entry**2 for entry in attempt.counterexample["c"]) <= 1


@pytest.mark.parametrize(("point", "inside"), [
    ({"n": 2, "c": (Fraction(3, 5), Fraction(4, 5))}, True), ({"n": 2, "c": (Fraction(3, 5), Fraction(5, 6))}, False),
    ({"n": 2, "c": (Fraction(3, 5),)}, False), ({"n": 2, "c": (Fraction(0), Fraction(4, 5))}, False),
    ({"n": Fraction(3, 2), "c": (Fraction(3, 5),)}, False), ({"n": 0, "c": ()}, False), ({"n": 1}, False),
])  # fmt: skip
def test_membership_is_exact(point: dict[str, Any], inside: bool) -> None:
    domain = {"parameters": [integers("n", 1), VECTOR], "where": []}
    assert contains(domain, point) is inside


def test_points_come_from_the_unit_cube() -> None:
    domain = {"parameters": [integers("n", 1, 4), integers("m", n, 9), reals("x", 0, n)], "where": []}
    point = point_at(domain, [Fraction(1), Fraction(0), Fraction(1, 4)])
    assert point == {"n": 4, "m": 4, "x": 1}
    assert contains(domain, point)


def test_over_the_rationals_the_ring_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy's factors of a polynomial in a dozen variables may never come; the ring's own take roots of atoms, too."""

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("SymPy was asked for factors over the rationals")

    monkeypatch.setattr(sp, "factor_list", never)
    for name in ("square of a difference", "square under a root"):
        _, statement = DECIDED[name]
        assert prove(statement, engines=("factoring",)).certificate is not None


@pytest.mark.parametrize(("share", "power", "outcome"), [
    (1, 2, "proved"), (sp.Rational(101, 100), 2, "unknown"), (1, sp.Rational(3, 2), "unknown"),
])  # fmt: skip
def test_a_union_over_a_grid_costs_inverse_squares(share: Any, power: Any, outcome: str) -> None:
    n, k, delta = sp.symbols("n k delta")
    risks = sp.Sum(share * 6 * delta / (sp.pi**2 * k**power), (k, 1, n))
    found = prove(claim(risks, "<=", delta, integers("n", 1), reals("delta", 0)), engines=["multipliers"])
    assert found.outcome == outcome
