"""A statement is proved only where both sides have a value at every point of its domain."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from tests.statements import n, some_slow, x
from tests.statements import stated as of_domain

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.language.expression import ONE, ZERO, rational, square
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate, Rejected, check
from boundaudit.checks.proof.kernel.defined import demands
from boundaudit.checks.proof.portfolio import prove

from .stated import integers, reals

k = sp.Symbol("k", integer=True)


def stated(left: Any, relation: str, right: Any, span: Any = None) -> Statement:
    return of_domain(left, relation, right, Domain({x: span or Reals(0, 1), n: Integers(0, 9)}))


WITHOUT_VALUE: dict[str, Statement] = {
    "a pole at an end": stated(1 / x, ">=", 0),
    "a logarithm at zero": stated(sp.log(x), "<=", x - 1, Reals(0, 10)),
    "roots of negative numbers": stated(sp.sqrt(x), ">=", 0, Reals(-1, 3)),
    "a root of a wave": stated(sp.sqrt(sp.cos(x)), "<=", 1, Reals(0, 3)),
    "a hole at an end": stated((1 - x**2) / (1 - x), "=", 1 + x),
    "a hole that is the domain": stated((1 - x**2) / (1 - x), "=", 1 + x, Reals(1, 1)),
    "a hole inside": stated((1 - x**2) / (1 - x), "<=", 1 + x, Reals(0, 2)),
    "a power of zero": stated(x ** (-n), ">=", 0),
    "a term of a sum": stated(sp.Sum(1 / (k - 3) ** 2, (k, 1, n)), ">=", 0),
    "a relation": of_domain(x, "<=", 0, Domain({x: Reals(-1, 1)}, where=[x**2 + sp.log(x) ** 2 <= 0])),
    "inside what is multiplied by zero": stated(sp.Mul(0, 1 / x, evaluate=False), "<=", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(WITHOUT_VALUE, "a hole inside", "a root of a wave"))
def test_what_has_no_value_somewhere_is_not_proved(name: str) -> None:
    assert prove(WITHOUT_VALUE[name]).outcome != "proved"


@pytest.mark.parametrize(("left", "relation", "right", "span"), [
    (sp.sqrt(sp.cos(x)), "<=", 1, Reals(0, sp.Rational(3, 2))),
    (sp.log(1 - x / 2 + x / 3 * sp.exp(x)), "<=", 2, Reals(0, 1)),
    (sp.log(sp.cos(x) + sp.exp(x)), "<=", 2, Reals(0, 1)), (sp.sqrt(x), "<=", 1, Reals(0, 1)),
])  # fmt: skip
def test_what_has_a_value_everywhere_is_still_proved(left: Any, relation: str, right: Any, span: Any) -> None:
    goal = stated(left, relation, right, span)
    found = prove(goal)
    assert found.certificate is not None
    check(goal, found.certificate)


@pytest.mark.slow
def test_a_lemma_says_that_an_argument_is_positive() -> None:
    """Without the lemma that the cosine is positive the checker rejects what it accepts with it."""
    goal = stated(sp.log(sp.cos(x) + sp.exp(x)), "<=", 2)
    certificate = prove(goal).certificate or {}
    assert [lemma["statement"]["relation"] for lemma in certificate["lemmas"]] == ["<"]
    with pytest.raises(Rejected):
        check(goal, {**certificate, "lemmas": []})


EXTENDED = sp.Piecewise(((1 - x**2) / (1 - x), sp.Ne(x, 1)), (2, True))


@pytest.mark.parametrize(("left", "relation", "right"), [
    (EXTENDED, "=", 1 + x), (sp.Piecewise((1, x <= 0), (0, True)), "<=", sp.Max(0, 1 - x)),
], ids=["an extension", "branches against a maximum"])  # fmt: skip
def test_branches_are_proved_around_the_point_where_they_part(left: Any, relation: str, right: Any) -> None:
    goal = stated(left, relation, right, Reals(-3, 3))
    certificate = prove(goal).certificate or {}
    check(goal, certificate)
    assert certificate["split"][0] == "around"
    with pytest.raises(Rejected):
        check(goal, {**certificate, "split": ["around", "x", rational(2)]})
    assert prove(stated(left + sp.Rational(1, 100), relation, right, Reals(-3, 3))).outcome == "refuted"


# --- strict statements ------------------------------------------------------------------------------

POSITIVE = Statement(ZERO, "<", ("v", "x"), stated(x, "<=", 1).domain)
"""0 < x on [0, 1], which fails at 0 alone."""
FORGED: dict[str, Certificate] = {
    "an equality": {"kind": "identity"},
    "two sides": {"kind": "both", "<=": {"kind": "identity"}, ">=": {"kind": "identity"}},
    "a sign": {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [["n", 1]]},
                                          {"weight": [1, 1], "factors": [[["low", ("v", "x")], 1]]}]},
    "a ball": {"kind": "boxes", "points": [], "tree": ["ball"]},
    "a Taylor form": {"kind": "boxes", "points": [], "tree": ["mean-value"]},
    "a touch point": {"kind": "boxes", "points": [{"x": ZERO}], "tree": ["touch", 0]},
    "a valley": {"kind": "valley", "variable": "x", "anchor": ZERO, "shape": "rising", "base": {"kind": "identity"},
                 "slope": {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [["n", 1]]},
                                                      {"weight": [1, 1], "factors": []}]}},
    "its terms": {"kind": "termwise", "sum": ("sum", ONE, ONE, ("v", "x")), "index": "i",
                  "proof": {"kind": "identity"}},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_equality_somewhere_refutes_a_strict_statement(name: str) -> None:
    with pytest.raises(Rejected):
        check(POSITIVE, FORGED[name])


@pytest.mark.parametrize(
    "name", [name for name in FORGED if name in ("a sign", "a Taylor form", "a touch point", "a valley")]
)
def test_the_same_certificates_prove_what_is_not_strict(name: str) -> None:
    check(Statement(ZERO, "<=", ("v", "x"), POSITIVE.domain), FORGED[name])


@pytest.mark.parametrize("shift", [rational(1), ("exp", ("v", "x"))])
def test_what_is_positive_is_proved_to_be(shift: Any) -> None:
    goal = Statement(ZERO, "<", ("+", ("v", "x"), shift), POSITIVE.domain)
    found = prove(goal)
    assert found.certificate is not None
    check(goal, found.certificate)
    assert prove(POSITIVE).outcome == "refuted"


# --- what is missing ----------------------------------------------------------------------------------

W, Z, N = ("v", "w"), ("v", "z"), ("v", "n")
HERE = {
    "parameters": [reals("w", -1, 1), reals("z", 0, 1), integers("n", 0, 3),
                   {"name": "c", "range": "vector", "length": N, "low": ZERO, "high": ONE, "open": [False, False]}],
    "where": [["<=", ("log", ("+", W, ONE)), Z]],
}  # fmt: skip
C_I, HALF, MINUS = ("item", "c", ("v", "i4")), rational(Fraction(1, 2)), rational(-1)
LOG_W = ("log", W)
MISSING: dict[str, tuple[Any, list[tuple[str, Any]]]] = {
    "nothing, of what always has a value": (("+", W, ("exp", W)), []),
    "nothing, of a side of a relation that holds": (("log", ("+", W, ONE)), []),
    "nothing, of what holds such a side": (("+", ONE, ("log", ("+", W, ONE))), []),
    "nothing less, of another": (("log", ("+", W, Z)), [("<", ("+", W, Z))]),
    "nothing, where the ranges show it": (("log", ("+", Z, ONE)), []),
    "a logarithm": (LOG_W, [("<", W)]),
    "a gamma function": (("gamma", W), [("<", W)]),
    "a logarithm of a logarithm, the inner one first": (("log", LOG_W), [("<", W), ("<", LOG_W)]),
    "a term of each index": (("sum", ONE, N, ("log", ("item", "c", ("b", 0)))), [("<", C_I)]),
    "a reciprocal": (("^", W, MINUS), [("<", square(W))]),
    "a root": (("^", W, HALF), [("<=", W)]),
    "a reciprocal of a root": (("^", Z, ("*", MINUS, HALF)), [("<", Z)]),
    "a real power": (("^", W, Z), [("<", W)]),
    "either branch, and the condition": (("if<", LOG_W, ("log", Z), ("^", Z, MINUS)), [
        ("<", W), ("<", Z), ("<", square(Z)),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_what_is_missing_for_a_value(name: str) -> None:
    tree, missing = MISSING[name]
    found = list(demands(tree, HERE))
    assert [(part.left, part.relation, part.right) for part in found] == [(ZERO, *each) for each in missing]


def test_a_branch_is_asked_about_where_it_is_taken() -> None:
    taken, other = demands(("if<", W, ("log", Z), ("^", Z, MINUS)), HERE)
    assert taken.domain["where"][-1] == ["<", W, ZERO]
    assert other.domain["where"][-1] == [">=", W, ZERO]


def test_a_term_is_asked_about_between_the_ends() -> None:
    (term,) = demands(("sum", ONE, N, ("log", ("item", "c", ("b", 0)))), HERE)
    assert term.domain["parameters"][-1] == {"name": "i4", "range": "integers", "low": ONE, "high": N}


@pytest.mark.parametrize("tree", [("item", "c", ("+", N, ONE)), ("binomial", N, W), ("sum", ONE, W, ONE)])
def test_what_nothing_shows_is_refused(tree: Any) -> None:
    with pytest.raises(Rejected):
        list(demands(("+", ONE, tree), HERE))
