"""Inequalities of calculus: each is proved, and its false neighbour is not."""

import json
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from tests.statements import some_slow

from boundaudit import Claim, Domain, Integers, Reals
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

x, y, p, s = sp.symbols("x y p s", real=True)
n = sp.Symbol("n", integer=True)
REAL, PLANE = Domain({x: Reals()}), Domain({x: Reals(), y: Reals()})
POSITIVE, NONNEGATIVE = Domain({x: Reals(0, open_low=True)}), Domain({x: Reals(0)})
OPEN = Domain({p: Reals(0, 1, open_low=True, open_high=True)})
QUARTER = Domain({name: Reals(0, open_low=True) for name in (x, y)} | {p: Reals(0, 1, open_low=True)})
ENTROPY = -p * sp.log(p) - (1 - p) * sp.log(1 - p)
E = sp.exp

PROVED: dict[str, tuple[Any, str, Any, Domain]] = {
    "Hoeffding's lemma": (sp.log(1 - p + p * E(s)) - p * s, "<=", s**2 / 8, Domain({p: Reals(0, 1), s: Reals()})),
    "cosh": ((E(x) + E(-x)) / 2, "<=", E(x**2 / 2), REAL),
    "softplus": (sp.log(1 + E(x)), "<=", sp.Max(0, x) + sp.log(2), REAL),
    "tail of softplus": (sp.log(1 + E(-x)), "<=", E(-x), REAL),
    "logsumexp": (sp.log(E(x) + E(y)), "<=", sp.Max(x, y) + sp.log(2), PLANE),
    "entropy": (ENTROPY, "<=", sp.log(2), OPEN),
    "entropy above the variance": (ENTROPY, ">=", 4 * sp.log(2) * p * (1 - p), OPEN),
    "exp below a quadratic": (E(x), "<=", 1 + x + x**2, Domain({x: Reals(None, 1)})),
    "e from below": ((1 + 1 / n) ** n, "<=", sp.E, Domain({n: Integers(1)})),
    "e from above": (sp.E, "<=", (1 + 1 / n) ** (n + 1), Domain({n: Integers(1)})),
    "Bernoulli": ((1 + x) ** n, ">=", 1 + n * x, Domain({n: Integers(1), x: Reals(-1)})),
    "Jordan": (2 * x / sp.pi, "<=", sp.sin(x), Domain({x: Reals(0, sp.pi / 2)})),
    "cosine": (1 - x**2 / 2, "<=", sp.cos(x), REAL),
    "powers are subadditive": ((x + y) ** p, "<=", x**p + y**p, QUARTER),
    "weighted AM-GM": (x**p * y ** (1 - p), "<=", p * x + (1 - p) * y, QUARTER),
    "x log(1/x)": (x * sp.log(1 / x), "<=", 1 / sp.E, POSITIVE),
    "exponentials are Lipschitz": (sp.Abs(E(-x) - E(-y)), "<=", sp.Abs(x - y), Domain({x: Reals(0), y: Reals(0)})),
    "Bennett": ((1 + x) * sp.log(1 + x) - x, ">=", x**2 / (2 + 2 * x / 3), NONNEGATIVE),
    "tight at infinity": (sp.log(1 + x), ">=", sp.log(x) + 1 / (1 + x), POSITIVE),
}  # fmt: skip
CASES = some_slow(
    PROVED, "entropy above the variance", "powers are subadditive", "weighted AM-GM", "exponentials are Lipschitz",
    "Hoeffding's lemma", "Bernoulli",
)  # fmt: skip


def statement(name: str) -> Statement:
    left, relation, right, domain = PROVED[name]
    found = Claim(label="a.b", statement=name, left=left, relation=relation, right=right, domain=domain)
    return found.statement_form


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_proves(name: str) -> None:
    claim = statement(name)
    found = prove(claim, engines=["calculus"])
    assert found.outcome == "proved", found.notes
    check(claim, json.loads(json.dumps(found.certificate)))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [10**3, pytest.param(10**14, marks=pytest.mark.slow)])
def test_proves_no_false_neighbour(name: str, size: int) -> None:
    """Each is attained, or nearly: made sharper by a little, also less than floats see, it is false."""
    claim = statement(name)
    shift = ("q", -1 if claim.relation == "<=" else 1, size)
    sharper = Statement(claim.left, claim.relation, ("+", claim.right, shift), claim.domain)
    assert prove(sharper, engines=["calculus"]).outcome != "proved"


def test_declines_what_it_does_not_see() -> None:
    claim = Claim(label="a.b", statement="power", left=x**3000, relation="<=", right=1, domain=NONNEGATIVE)
    assert prove(claim.statement_form, engines=["calculus"]).outcome == "unknown"


@pytest.mark.parametrize("quarter", range(-5, 6))
def test_waves_have_their_values_at_quarter_turns(quarter: int) -> None:
    form = NormalForm({"parameters": [], "where": []})
    angle = ("*", rational(Fraction(quarter, 2)), ("pi",))
    expected = {"sin": sp.sin(quarter * sp.pi / 2), "cos": sp.cos(quarter * sp.pi / 2)}
    assert {head: form.number(form.ratio((head, angle))) for head in expected} == expected


def test_zero_to_a_positive_power_is_zero_and_to_any_other_not_known() -> None:
    domain: dict[str, Any] = {
        "parameters": [{"name": "p", "range": "reals", "low": ZERO, "high": None, "open": [True, False]}],
        "where": [],
    }
    assert NormalForm(domain).vanishes(("^", ZERO, ("v", "p")))
    domain["parameters"][0]["open"] = [False, False]
    with pytest.raises(Rejected, match="may be 0"):
        NormalForm(domain).ratio(("^", ZERO, ("v", "p")))
