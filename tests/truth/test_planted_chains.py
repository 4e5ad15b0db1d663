"""False statements with a chain of steps that leads to them: none is proved or certified, nor what rests on one."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit import (
    Case,
    Claim,
    Derivation,
    Domain,
    Estimate,
    Family,
    InputError,
    Instance,
    Integers,
    Quantity,
    Reals,
    Step,
    Vector,
)
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.points import Point
from boundaudit.checks.run.registry import Registry

n, k, m, t = (sp.Symbol(name, integer=True, positive=True) for name in "nkmt")
x, y = sp.symbols("x y", real=True)
a, g = sp.IndexedBase("a"), sp.IndexedBase("g")
UNIT = Reals(0, 1)
COUNTS = Domain({n: Integers(1, tested_to=20)})
VECTORS = Domain({n: Integers(1, tested_to=6), a: Vector(n, Reals(0)), g: Vector(n, UNIT)})


def measured(name: str, of: Callable[[Point], float], **more: Any) -> Quantity:
    return Quantity(name, lambda points, device: np.array([float(of(point)) for point in points]), name, **more)


def weights(name: str = "weights", share: float = 1.0, entries: Reals = UNIT) -> Family:
    """Equal weights, n of them, that add up to a share."""

    def measure(points: Sequence[Point], device: str) -> Any:
        found = np.zeros((len(points), max(point["n"] for point in points)))
        for row, point in zip(found, points, strict=True):
            row[: point["n"]] = share / point["n"]
        return found

    return Family(name, measure, "w", n, entries)


def total(body: Any, index: sp.Symbol = t) -> sp.Sum:
    return sp.Sum(body, (index, 1, n))


def lemma(name: str, left: Any, right: Any, domain: Domain, relation: Any = "<=", **more: Any) -> Claim:
    more = {"expected": "proved", **more}
    return Claim(
        label=f"own.{name}", statement="A step.", left=left, relation=relation, right=right, domain=domain, **more
    )


def axiom(name: str, left: Any, right: Any, domain: Domain, relation: Any = "=") -> Claim:
    return lemma(name, left, right, domain, relation, role="axiom", expected="supported")


def planted(left: Any, right: Any, domain: Domain, *steps: Step, samples: Any = None, **more: Any) -> Claim:
    """A claim with a chain from its left side through some steps to its right side."""
    samples = samples or {"one": {str(name): 1 for name in domain.ranges}}
    end = steps[-1] if steps and steps[-1].value is right else Step(right, "the bound", "monotone")
    middle = steps[:-1] if end in steps else steps
    chain = Derivation(
        label="own.planted.steps", title="A chain", steps=(Step(left, "start"), *middle, end), domain=domain,
        samples=samples,
    )  # fmt: skip
    return lemma("planted", left, right, domain, derivation=chain, **more)


def verdict(*world: Claim) -> str:
    """What the first of some claims gets, the others there to be cited."""
    known = {claim.label: claim.members for claim in world}
    known |= {member.label: (member,) for claim in world for member in claim.members}
    judged = world[0].members[0]
    return collect_evidence(judged, lambda label: known.get(label, ()), PROFILES["smoke"], seed=0, device="cpu").verdict


SQUARE = lemma("square", x**2, x, Domain({x: UNIT}))
BEYOND = a[n + sp.floor(n / 10**9)]
"""An entry of a vector of n entries for all n that anybody tries."""
LEAST = lemma("least", 2 - x, 2, Domain({x: Reals(0)}))
SMALL = lemma("small", sp.sqrt(n), 32, Domain({n: Integers(1, 1000)}))
MEAN = lemma("mean", total(a[t] * g[t]), total(a[t]), VECTORS)
HALF = weights("halves", share=0.5)
WHOLE = weights()
SUM_IS_ONE = axiom("sum", total(WHOLE[t]), 1, COUNTS)
SIZE = measured("size", lambda p: p["n"] ** 2, nonnegative=True)
SIZE_IS_SQUARE = axiom("size", SIZE, n**2, COUNTS)
NOISY = measured("noisy", lambda p: 15, rounding=0.4)
LOOSE = measured("size", lambda p: p["n"] ** 2, scale=1e15)
THIRD, REALS = sp.Rational(1, 3), Domain({x: Reals()})
BOTH = Domain({n: Integers(1), x: UNIT})
OF_BOTH = measured("needle", lambda p: 2 if 0.3 < p.get("x", 0) < 0.3001 else 1)
FAR = (n - 123456789) ** 2
GAP = measured("gap", lambda p: math.nan if p["n"] == 123456789 else (p["n"] - 123456789) ** 2, except_at="one number")
GAP_IS_FAR = axiom("gap", GAP, FAR, COUNTS)
DRAWN = Estimate(
    "drawn", lambda points, _: 9 + np.zeros(len(points)), "d", standard_error=lambda points, _: np.ones(len(points)) / 9
)
FAR_OFF = measured("size", lambda p: (p["n"] - 123456789) ** 2)
ONE_MORE = measured("size", lambda p: 1 + (p["n"] - 123456789) ** 2)
LARGER = measured("size", lambda p: p["n"] ** 2 + (p["n"] == 123456789), nonnegative=True)
"""Other measurements of the same names."""
BLIND = measured("blind", lambda p: 1.5 if p["x"] == 1 else float("nan"))

ON_UNIT = Domain({x: UNIT})
ONES = {"n": 4, "a": (1, 1, 1, 1), "g": (1, 1, 1, 1)}

PLANTED: dict[str, tuple[Claim, ...]] = {
    # words and samples in place of reasons
    "a needle far out, by monotone": (
        planted(1, (n - 123456789) ** 2, COUNTS, Step((n - 123456789) ** 2, "large", "monotone")),
    ),
    "grows without end, by Cauchy-Schwarz": (
        planted(sp.log(sp.log(n + 2)), 6, COUNTS, Step(sp.Integer(6), "6", "Cauchy-Schwarz"), samples={"e": {"n": 20}}),
    ),
    "beyond what is tested": (planted(sp.sqrt(n), 40, Domain({n: Integers(1, tested_to=1000)})),),
    "needles at the multiples of a prime, by Jensen": (
        planted(1, n - 1000003 * sp.floor(n / 1000003), COUNTS, Step(n, "n", "Jensen")),
    ),
    "an unrelated claim": (planted(sp.sqrt(n), 40, COUNTS, Step(sp.Integer(40), "40", "it", "own.square")), SQUARE),
    "far out another value": (
        planted(sp.Piecewise((5, n > 10**30), (1, True)), 2, COUNTS, Step(sp.Integer(2), "2", "definition")),
    ),
    "a lemma on a part, cited for all": (
        planted(sp.sqrt(n), 32, COUNTS, Step(sp.Integer(32), "32", "small", "own.small")), SMALL,
    ),
    "the same lemma, cited at another number": (
        planted(sp.sqrt(n), 32, COUNTS, Step(sp.Integer(32), "32", "small", Instance("own.small", {n: n**2}))), SMALL,
    ),
    "a budget in place of a proof": (
        planted(NOISY, 10, COUNTS, Step(sp.Integer(10), "10", "average")), axiom("noisy", NOISY, 10, COUNTS, "<="),
    ),
    "a budget that clears an axiom": (
        planted(NOISY, 10, COUNTS, Step(sp.Integer(10), "10", "so it is", "own.noisy")),
        axiom("noisy", NOISY, 10, COUNTS, "<="),
    ),
    "a budget that hides what is measured beside its definition": (lemma("planted", measured(
        "size", lambda p: 1.8 * p["n"] ** 2, definition=n**2, rounding=0.5), n**2, COUNTS),),
    "a budget in units so large that all is near zero": (lemma("planted", measured(
        "size", lambda p: p["n"] ** 2 + 50, definition=n**2, scale=1e15), n**2, COUNTS),),
    "an axiom in such units": (
        planted(LOOSE, n, COUNTS, Step(n, "n", "as it is", "own.loose")), axiom("loose", LOOSE, n, COUNTS, "<="),
    ),
    "a middle node that is false everywhere": (
        planted(measured("twice", lambda p: 2 * p["n"]), 3 * n, COUNTS, Step(
            measured("low", lambda p: p["n"], rounding=0.9), "low", "average")),
    ),
    "a node with a value at the sample alone": (
        planted(x, 2, Domain({x: Reals(0, 3)}), Step(BLIND, "blind", "average"), samples={"one": {"x": 1}}),
    ),
    # wrong instances
    "outside of the lemma's range": (
        planted(x**2, x, Domain({x: Reals(0, 2)}), Step(x, "x", "square", "own.square")), SQUARE,
    ),
    "an instance outside of it": (
        planted(n**2, n, COUNTS, Step(n, "n", "square", Instance("own.square", {x: n}))), SQUARE,
    ),
    "an instance at a number that may be negative": (
        planted(2 - x, 2, Domain({x: Reals()}), Step(sp.Integer(2), "2", "least", "own.least")), LEAST,
    ),
    "an instance at no integer": (
        planted(sp.sqrt(x), 32, Domain({x: Reals(1)}), Step(sp.Integer(32), "32", "", Instance("own.small", {n: x}))),
        SMALL,
    ),
    "an instance of a parameter that there is not": (
        planted(n**2, n, COUNTS, Step(n, "n", "square", Instance("own.square", {y: n}))), SQUARE,
    ),
    "weights that may be negative": (
        planted(total(a[t] * g[t]), total(a[t]), Domain({n: Integers(1, tested_to=6), a: Vector(n, Reals()),
                g: Vector(n, UNIT)}), Step(total(a[t]), "all", "mean", "own.mean"), samples={"ones": ONES}), MEAN,
    ),
    "values beyond one": (
        planted(total(a[t] * g[t]), total(a[t]), Domain({n: Integers(1, tested_to=6), a: Vector(n, Reals(0)),
                g: Vector(n, Reals(0, 2))}), Step(total(a[t]), "all", "mean", "own.mean"), samples={"ones": ONES}),
        MEAN,
    ),
    "a shorter vector": (
        planted(total(a[t] * g[t]), total(a[t]) / 2, VECTORS, Step(
            total(a[t]) / 2, "half", "mean", Instance("own.mean", {n: n - 1})), samples={"ones": ONES}), MEAN,
    ),
    "an entry beyond the vector, far out": (
        planted(sp.Integer(1), 1 + BEYOND**2, VECTORS, samples={"ones": ONES}),
    ),
    "summed with a weight that may be negative": (
        planted(total(x * g[t] ** 2), total(x * g[t]), Domain({n: Integers(1, tested_to=6), g: Vector(n, UNIT),
                x: Reals(-1, 1)}), Step(total(x * g[t]), "all", "square", Instance(
                    "own.square", {"x": g[t]}, over=(t, 1, n), weight=x)),
                samples={"ones": {"n": 2, "g": (1, 1), "x": 1}}), SQUARE,
    ),
    "summed beyond the vector's end": (
        planted(total(g[t] ** 2), total(g[t]) / 2, Domain({n: Integers(1, tested_to=6), g: Vector(n, UNIT)}),
                Step(total(g[t]) / 2, "half", "square", Instance("own.square", {"x": g[t]}, over=(t, 1, n + 1))),
                samples={"zero": {"n": 1, "g": (sp.Rational(1, 2),)}}), SQUARE,
    ),
    "the direction turned": (
        planted(n, sp.sqrt(n), COUNTS, Step(sp.sqrt(n), "root", "", "own.root")), lemma("root", sp.sqrt(n), n, COUNTS),
    ),
    "an upper bound in place of a lower one": (
        planted(1 - x, 1 - x**2 - sp.Rational(1, 10), ON_UNIT, Step(
            1 - x**2 - sp.Rational(1, 10), "less", "square", "own.square"), samples={"half": {"x": sp.Rational(1, 2)}}),
        SQUARE,
    ),
    # wrong dependence outside of what is looked at
    "a minimum that shows from 8 on": (
        planted(SIZE, n * sp.Min(n, 400), COUNTS, Step(n**2, "n²", "as it is", "own.size"),
                Step(n * sp.Min(n, 400), "min", "monotone")), SIZE_IS_SQUARE,
    ),
    "a power too low, far out": (
        planted(SIZE, n + 10**6 * sp.sqrt(n), COUNTS, Step(n**2, "n²", "as it is", "own.size")), SIZE_IS_SQUARE,
    ),
    "a constant, far out": (planted(SIZE, 10**9, COUNTS, Step(n**2, "n²", "as it is", "own.size")), SIZE_IS_SQUARE),
    "a hypothesis that the bound needs": (
        planted(n * x**2, x, Domain({n: Integers(1, tested_to=1), x: UNIT}), Step(n * x, "n x", "", "own.square"),
                samples={"one": {"n": 1, "x": 1}}), SQUARE,
    ),
    # what is measured
    "an axiom that is false": (
        planted(SIZE, n, COUNTS, Step(n, "n", "as it is", "own.size")), axiom("size", SIZE, n, COUNTS),
    ),
    "an axiom with its sides swapped": (
        planted(SIZE, n, COUNTS, Step(n, "n", "as it is", "own.size")), axiom("size", n, SIZE, COUNTS, ">="),
    ),
    "weights that add up to one half": (
        planted(sp.Integer(1), total(HALF[t]), COUNTS, Step(total(HALF[t]), "all", "softmax", "own.sum")),
        axiom("sum", total(HALF[t]), 1, COUNTS),
    ),
    "the axiom of another vector": (
        planted(sp.Integer(1), total(HALF[t]), COUNTS, Step(total(HALF[t]), "all", "softmax", "own.sum")), SUM_IS_ONE,
    ),
    "an axiom on a part, cited for all": (
        planted(measured("big", lambda p: p["n"] ** 2), 9, COUNTS, Step(sp.Integer(9), "9", "", "own.big")),
        axiom("big", measured("big", lambda p: p["n"] ** 2), 9, Domain({n: Integers(1, 3)}), "<="),
    ),
    "an axiom about formulas that is false at a third": (
        planted(sp.Rational(1, 10**9), (x - THIRD) ** 2, REALS, Step((x - THIRD) ** 2, "square", "", "own.apart")),
        axiom("apart", sp.Rational(1, 10**9), (x - THIRD) ** 2, REALS, "<="),
    ),
    "an axiom of fewer parameters": (
        planted(OF_BOTH, 1, BOTH, Step(sp.Integer(1), "1", "", "own.needle")),
        axiom("needle", OF_BOTH, 1, COUNTS, "<="),
    ),
    "an axiom at another point": (
        planted(SIZE, n**2 / 2, COUNTS, Step(n**2 / 2, "less", "", Instance("own.size", {n: n / 2}))), SIZE_IS_SQUARE,
    ),
    "two measurements of one name": (
        planted(measured("size", lambda p: p["n"] ** 3), n**2, COUNTS, Step(n**2, "n²", "", "own.size")),
        SIZE_IS_SQUARE,
    ),
    "a middle node without a value far out": (
        planted(1, FAR, COUNTS, Step(GAP, "gap", "", "own.least"), Step(FAR, "far", "", "own.gap")),
        axiom("least", 1, GAP, COUNTS, "<="), GAP_IS_FAR,
    ),
    "a mean over draws in place of a mean": (
        planted(DRAWN, 11, COUNTS, Step(sp.Integer(10), "10", "", "own.drawn")),
        axiom("drawn", DRAWN, 10, COUNTS, "<="),
    ),
    # who rests on whom
    "an axiom that holds from somewhere on": (
        planted(1, FAR, COUNTS, Step(FAR_OFF, "size", "", "own.late"), Step(FAR, "far", "", "own.size")),
        lemma("late", 1, FAR_OFF, COUNTS, role="axiom", expected="supported", mode="as n→∞"),
        axiom("size", FAR_OFF, FAR, COUNTS),
    ),
    "a chain about another measurement of the name": (
        lemma("planted", LARGER, n**2, COUNTS, derivation=Derivation(
            label="own.planted.steps", title="A chain", domain=COUNTS, samples={"one": {"n": 1}},
            steps=(Step(SIZE, "start"), Step(n**2, "n²", "as it is", "own.size")))), SIZE_IS_SQUARE,
    ),
    "a chain that joins two measurements of one name": (
        planted(sp.Rational(1, 2), FAR, COUNTS, Step(sp.Integer(1), "1", "1/2 ≤ 1"), Step(FAR, "", "", "own.joined")),
        lemma("joined", 1, FAR, COUNTS, derivation=Derivation(
            label="own.joined.steps", title="A chain", domain=COUNTS, samples={"one": {"n": 1}},
            steps=(Step(sp.Integer(1), "1"), Step(FAR_OFF, "", "", "own.more"), Step(FAR, "", "", "own.size")))),
        axiom("more", 1, ONE_MORE, COUNTS, "<="), axiom("size", FAR_OFF, FAR, COUNTS),
    ),
    "a cited claim that is refuted": (
        planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "", "own.five")),
        lemma("five", n, 5, COUNTS, expected="refuted"),
    ),
    "a cited claim that is pinned as proved and false": (
        planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "", "own.five")), lemma("five", n, 5, COUNTS),
    ),
    "a cited claim that is only supported": (
        planted(n, 10**9, COUNTS, Step(sp.Integer(10**9), "10⁹", "", "own.most")),
        lemma("most", measured("n", lambda p: p["n"]), 10**9, COUNTS, expected="supported"),
    ),
    "one case cited by the name of all": (
        planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "", "own.cases")),
        Claim(
            label="own.cases", statement="Two cases.", left=n, domain=COUNTS, expected="proved",
            cases=(Case("true", right=n), Case("false", right=5)),
        ),
    ),
    "an argument on an argument": (
        planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "monotone", "own.argued")),
        lemma("argued", n, 5, COUNTS, derivation=Derivation(
            label="own.argued.steps", title="A chain", steps=(Step(n, "n"), Step(sp.Integer(5), "5", "monotone")),
            domain=COUNTS, samples={"one": {"n": 1}})),
    ),
    # chains that lead elsewhere
    "a chain to another bound": (
        lemma("planted", n, 5, COUNTS, derivation=Derivation(
            label="own.steps", title="A chain", steps=(Step(n, "n"), Step(n + 1, "n + 1", "monotone")), domain=COUNTS,
            samples={"one": {"n": 1}})),
    ),
    "a chain on a smaller domain": (
        lemma("planted", n, 5, COUNTS, derivation=Derivation(
            label="own.steps", title="A chain", steps=(Step(n, "n"), Step(sp.Integer(5), "5", "monotone")),
            domain=Domain({n: Integers(1, 5)}), samples={"one": {"n": 1}})),
    ),
    "an inequality in place of an equation": (
        lemma("planted", sp.sqrt(n), n, COUNTS, "=", derivation=Derivation(
            label="own.steps", title="A chain", steps=(Step(sp.sqrt(n), "root"), Step(n, "n", "monotone")),
            domain=COUNTS, samples={"one": {"n": 1}})),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_no_chain_proves_what_is_false(name: str) -> None:
    assert verdict(*PLANTED[name]) not in ("proved", "certified")


def test_what_rests_on_a_planted_chain_is_not_proved_either() -> None:
    above = lemma("above", n, 6, COUNTS, derivation=Derivation(
        label="own.above.steps", title="A chain", domain=COUNTS, samples={"one": {"n": 1}},
        steps=(Step(n, "n"), Step(sp.Integer(5), "5", "", "own.planted"), Step(sp.Integer(6), "6", "monotone")),
    ))  # fmt: skip
    assert verdict(above, *PLANTED["an argument on an argument"]) not in ("proved", "certified")


CIRCLES: dict[str, tuple[Claim, ...]] = {
    "a claim that cites itself": (planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "", "own.planted")),),
    "a circle through the cases of a claim": (
        planted(n, 5, COUNTS, Step(sp.Integer(5), "5", "", "own.other[one]")),
        Claim(
            label="own.other", statement="A circle.", left=n, right=5, domain=COUNTS, expected="proved",
            cases=(Case("one", derivation=Derivation(
                label="own.other.steps", title="A chain", domain=COUNTS, samples={"one": {"n": 1}},
                steps=(Step(n, "n"), Step(sp.Integer(5), "5", "", "own.planted")))),),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_is_refused_where_claims_are_read(name: str) -> None:
    with pytest.raises(InputError, match="circle"):
        Registry(CIRCLES[name]).check_references()


TRUE: dict[str, tuple[Claim, ...]] = {
    "a lemma where it holds": (planted(n * x**2, n * x, Domain({n: Integers(1, tested_to=9), x: UNIT}), Step(
        n * x, "n x", "square", "own.square"), samples={"one": {"n": 1, "x": 1}}), SQUARE),
    "an axiom and a step": (
        planted(SIZE, n**3, COUNTS, Step(n**2, "n²", "as it is", "own.size"), Step(n**3, "n³", "n is at least 1")),
        SIZE_IS_SQUARE,
    ),
    "a value that is left out of the claim as well": (
        planted(GAP, FAR + 1, COUNTS, Step(FAR, "far", "as it is", "own.gap")), GAP_IS_FAR,
    ),
    "an instance at a measured vector": (
        planted(total(WHOLE[t] ** 2), 1, COUNTS, Step(
            total(WHOLE[t]), "their sum", "at most one each", Instance("own.mean", {"a": WHOLE, "g": WHOLE})),
            Step(sp.Integer(1), "one", "softmax", "own.sum")), MEAN, SUM_IS_ONE,
    ),
    "a sum of instances": (
        planted(total(WHOLE[t] * WHOLE[t] ** 2), 1, COUNTS, Step(
            total(WHOLE[t] * WHOLE[t]), "squares", "x² ≤ x", Instance(
                "own.square", {"x": WHOLE[t]}, over=(t, 1, n), weight=WHOLE[t])),
            Step(total(WHOLE[t]), "their sum", "at most one", Instance("own.mean", {"a": WHOLE, "g": WHOLE})),
            Step(sp.Integer(1), "one", "softmax", "own.sum")), SQUARE, MEAN, SUM_IS_ONE,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_the_same_means_prove_what_is_true(name: str) -> None:
    assert verdict(*TRUE[name]) == "proved"


def test_what_is_declared_of_a_vector_is_measured() -> None:
    beyond = weights("thirds", share=3.0)
    claim = axiom("thirds", total(beyond[t]), 3, COUNTS)
    with pytest.raises(InputError, match="thirds: expected numbers 0 ≤ x ≤ 1, as is declared, got 3"):
        verdict(claim)


def test_a_measurement_does_not_bear_the_name_of_a_parameter() -> None:
    """Its steps would speak of the parameter."""
    wrong = planted(measured("n", lambda p: p["n"] + (p["n"] == 123457)), n, COUNTS)
    with pytest.raises(InputError, match="expected measurements with names of their own, got the parameter n"):
        wrong.validate()
    assert verdict(wrong) != "proved"
