"""Instances all along a parameter: what they say of a function's rise, and what the checker refuses to draw."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit import Claim, Derivation, Domain, Family, Instance, Integers, Quantity, Reals, Step
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.kernel.citing import instance

s, x = sp.symbols("s x", real=True)
i = sp.Symbol("i", integer=True, positive=True)
EMPTY: dict[str, Any] = {"parameters": [], "where": []}


def lemma(name: str, left: Any, right: Any, domain: Domain, relation: Any = "<=") -> Claim:
    return Claim(label=f"own.{name}", statement="A step.", left=left, relation=relation, right=right, domain=domain)


def measured(points: Sequence[Point], device: str) -> Any:
    return np.array([float(point["s"]) for point in points])


EXP = lemma("exp", sp.exp(s), 3, Domain({s: Reals(0, 1)}))
CAPPED = lemma("capped", sp.exp(s), 3, Domain({s: Reals()}, where=[s <= 1]))
SCALED = lemma("scaled", x * sp.exp(s), 3 * x, Domain({x: Reals(0), s: Reals(0, 1)}))
FALLS = lemma("falls", -1 / s**2, 0, Domain({s: Reals(0, open_low=True)}))
FLAT = lemma("flat", 0, 0, Domain({s: Reals()}))
RISES = lemma("rises", sp.exp(s), 1, Domain({s: Reals(0, 1)}), ">=")
MEASURED = lemma("measured", Quantity("m", measured, "m"), 1, Domain({s: Reals(0, 1)}))
KNOWN = {claim.label: claim.proof_form for claim in (EXP, CAPPED, SCALED, FALLS, FLAT, RISES, MEASURED)}


def proved(left: Any, right: Any, *uses: Instance, domain: Domain | None = None, known: Any = KNOWN) -> bool:
    """Whether the chain of one step stands, and its certificate is accepted again."""
    domain = domain or Domain({x: Reals(0)})
    chain = Derivation(
        label="own.steps", title="x", steps=(Step(left, "a"), Step(right, "b", "", uses)), domain=domain, samples={}
    )
    stated = lemma("stated", left, right, domain).proof_form
    assert isinstance(stated, Statement)
    found = prove_chain(stated, chain.first, chain.links, known)
    if found.certificate is not None:
        check(stated, found.certificate, known)
    return found.outcome == "proved"


def along(claim: Claim, function: Any, low: Any = 0, high: Any = 1, **at: Any) -> Instance:
    return Instance(claim.label, at, along=(s, low, high), function=function)


@pytest.mark.slow
def test_a_function_rises_by_at_most_what_its_slope_says() -> None:
    assert proved(sp.exp(1), 4, along(EXP, sp.exp(s) - 3 * s))
    assert proved(x * sp.exp(1), 4 * x, along(SCALED, x * (sp.exp(s) - 3 * s)))
    assert proved(2, sp.exp(1), along(RISES, sp.exp(s) - s))
    half = sp.Rational(1, 2)
    assert proved(sp.exp(half), sp.Rational(5, 2), along(CAPPED, sp.exp(s) - 3 * s, 0, half))


WRONG = {
    "half of the slope": (sp.exp(1), sp.Rational(5, 2), along(EXP, sp.exp(s) - 3 * s / 2)),
    "another function": (2 * sp.exp(1), 5, along(EXP, 2 * sp.exp(s) - 3 * s)),
    "farther than the slope is known": (sp.exp(2), 7, along(EXP, sp.exp(s) - 3 * s, 0, 2)),
    "farther than a relation says": (sp.exp(2), 7, along(CAPPED, sp.exp(s) - 3 * s, 0, 2)),
    "backwards": (1, sp.exp(1) - 3, along(EXP, sp.exp(s) - 3 * s, 1, 0)),
    "across a pole": (1, -1, along(FALLS, 1 / s, -1, 1)), "from a pole on": (1, 0, along(FALLS, 1 / s, 0, 1)),
    "across a jump": (1, 0, along(FLAT, sp.floor(s))), "across a kink": (1, 0, along(FLAT, sp.Abs(s))),
    "a factor of any sign": (x * sp.exp(1), 4 * x, along(EXP, x * (sp.exp(s) - 3 * s))),
    "the direction turned": (sp.exp(1), 2, along(RISES, sp.exp(s) - s)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_false_is_not_drawn(name: str) -> None:
    assert not proved(*WRONG[name], domain=Domain({x: Reals()}))


def use(claim: Claim, function: Any, low: Any = 0, high: Any = 1) -> dict[str, Any]:
    return along(claim, function, low, high).to_json()


REFUSED = {
    "no fresh name": (use(EXP, sp.exp(s) - 3 * s), Domain({s: Reals(0, 1)}), "fresh"),
    "measured on the way": (use(MEASURED, s), Domain({x: Reals()}), "function of the point"),
    "no slope of the function": (use(EXP, sp.exp(s)), Domain({x: Reals()}), "not the slope"),
    "a name that there is not": (use(FLAT, sp.Symbol("z")), Domain({x: Reals()}), "z"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    asked, domain, why = REFUSED[name]
    with pytest.raises(Rejected, match=why):
        instance(domain.to_json(), asked, KNOWN)


# --- what is measured, summed over an index ------------------------------------------------------------


def indexed(points: Sequence[Point], device: str) -> Any:
    return np.array([[float(point.get("i", 0))] for point in points])


def level(points: Sequence[Point], device: str) -> Any:
    return np.array([[1.0, 2.0, 3.0] for _ in points])


AT_INDEX = Family("numbers of an index", indexed, "m", 1, Reals())
OF_X = Family("three numbers", level, "m", 3, Reals(), of=("x",))
INDEXES = Domain({x: Reals(0), i: Integers(1, 3)})


def test_what_depends_on_an_index_is_not_summed_over_it() -> None:
    """3m = 1 + 2 + 3 and 2m = 1 + 2 would prove anything."""
    known = {"own.index": lemma("index", AT_INDEX[1], i, INDEXES, "=").proof_form}
    sums = (Instance("own.index", over=(i, 1, 3)), Instance("own.index", over=(i, 1, 2)))
    assert not proved(2, 1, *sums, known=known)
    with pytest.raises(Rejected, match="function of the point"):
        instance(Domain({x: Reals(0)}).to_json(), sums[0].to_json(), known)


@pytest.mark.slow
def test_what_does_not_depend_on_it_is() -> None:
    known = {"own.level": lemma("level", OF_X[i], i, INDEXES, "=").proof_form}
    total = sp.Sum(OF_X[i], (i, 1, 3))
    assert proved(total, 6, Instance("own.level", over=(i, 1, 3)), known=known)
    assert not proved(total, 5, Instance("own.level", over=(i, 1, 3)), known=known)
    with pytest.raises(Rejected, match="function of the point"):
        instance(EMPTY, Instance("own.level", {x: 1}).to_json(), known)


def test_a_family_is_shown_nothing_but_what_it_is_a_function_of() -> None:
    hidden = Family("numbers of an index", indexed, "m", 1, Reals(), of=("x",))
    assert hidden.measure([{"x": 1, "i": 2}], "cpu").tolist() == [[0.0]]
    assert AT_INDEX.measure([{"x": 1, "i": 2}], "cpu").tolist() == [[2.0]]
