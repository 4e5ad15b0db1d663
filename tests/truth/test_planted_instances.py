"""Instances of true statements that lead to false ones: values that are none, narrower domains, sums that are empty.

Beside each fault stands what the same means prove: it differs in the one thing that is wrong.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

from boundaudit import Choices, Claim, Derivation, Domain, Family, ForAll, Instance, Integers, Reals, Step, Vector
from boundaudit.checks.language.expression import ONE, Tree, rational
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof import chain
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel import Rejected, check

x, y = sp.symbols("x y", real=True)
n, k, c, D, T = sp.symbols("n k c D T", integer=True)
a = sp.IndexedBase("a", real=True)


def stated(name: str, left: Any, right: Any, domain: Domain, relation: Any = "<=", **more: Any) -> Claim:
    return Claim(
        label=f"own.{name}", statement="A step.", left=left, relation=relation, right=right, domain=domain, **more
    )


class Attempt(NamedTuple):
    """A chain of one step: from a side to another on a domain, by instances of what is cited."""

    left: Any
    right: Any
    domain: Domain
    uses: tuple[Instance, ...] = ()
    relation: str = "<="

    def is_proved(self, cited: Sequence[Claim]) -> bool:
        """Whether the step is proved, and its certificate accepted again."""
        steps = (Step(self.left, "left"), Step(self.right, "right", "", self.uses))
        if self.relation == ">=":
            steps = (Step(self.right, "right"), Step(self.left, "left", "", self.uses))
        found = Derivation(label="own.steps", title="A chain", steps=steps, domain=self.domain, samples={})
        goal = stated("goal", self.left, self.right, self.domain, self.relation).proof_form
        known = {claim.label: claim.proof_form for claim in cited}
        attempt = chain.prove_chain(goal, found.first, found.links, known)  # type: ignore[arg-type]
        if attempt.certificate is not None:
            check(goal, attempt.certificate, known)  # type: ignore[arg-type]
        return attempt.outcome == "proved"


def measured(name: str, *of: str, entries: Reals | None = None) -> Family:
    """One number, a function of what is named."""

    def measure(points: Sequence[Point], device: str) -> Any:
        return np.array([[float(point["k" if "k" in of else "n"])] for point in points])

    return Family(name, measure, name, 1, entries or Reals(0), of=of)


NEXT = stated("next", y, y + 1, Domain({y: Reals()}))
CHOSEN = stated("chosen", c * x, 2 * x, Domain({c: Choices(one=1, two=2), x: Reals(0)}))
BETWEEN = stated("between", (c - 1) * (2 - c), 0, Domain({c: Choices(one=1, two=2)}))
APART = stated("apart", x, x**2, Domain({x: Reals()}, where=[sp.Or(x <= 0, x >= 1)]))
ORDERED = stated("ordered", x, y, Domain({x: Reals(0), y: Reals(0)}, where=[x <= y]))
SMALL = stated("small", n, 1000, Domain({n: Integers(1, 1000)}))
SQUARE = stated("square", x**2, x, Domain({x: Reals(0, 1)}))
BY_K, BY_N = measured("m", "k"), measured("q", "n")
OF_K = stated("of-k", BY_K[1], k, Domain({k: Integers(1)}), role="axiom", expected="supported")
OF_N = stated("of-n", BY_N[1], n * k, Domain({n: Integers(1), k: Integers(1)}), role="axiom", expected="supported")
CITED = (NEXT, CHOSEN, BETWEEN, APART, ORDERED, SMALL, SQUARE, OF_K, OF_N)


def after(value: Any, domain: Domain) -> Attempt:
    """That a value is less than one more, wherever there is one."""
    return Attempt(value, value + 1, domain, (Instance(NEXT.label, {y: value}),))


def counts(low: int) -> Domain:
    return Domain({n: Integers(low)})


def vector(where: Any, entries: Reals | None = None) -> Domain:
    return Domain({n: Integers(2), a: Vector(n, entries or Reals(0))}, where=[where])


SIZES = Domain({T: Integers(1), D: Integers(1)})
TO_TWO = Domain({n: Integers(1), a: Vector(n, Reals(0, 2))})
FALLING = ForAll(a[k + 1] <= a[k], (k, 1, n - 1))

PLANTED: dict[str, tuple[Attempt, Attempt]] = {
    # values that are none
    "a radicand that is negative far out": (
        after(sp.sqrt(10**9 - n), counts(1)), after(sp.sqrt(10**9 + n), counts(1)),
    ),
    "a radicand that is negative at the lower end": (
        after(sp.sqrt(n**2 - 2), counts(1)), after(sp.sqrt(n**2 - 2), counts(2)),
    ),
    "a nested root without a value at one alone": (
        after(sp.sqrt(1 + sp.sqrt(n**2 + n - 3)), counts(1)), after(sp.sqrt(1 + sp.sqrt(n**2 + n - 3)), counts(2)),
    ),
    "a radicand that is negative in a corner": (
        after(sp.sqrt(1 + sp.sqrt(D * T**2 + T + 1 - 3 * D)), SIZES),
        after(sp.sqrt(1 + sp.sqrt(D * T**2 + T + 1 - D)), SIZES),
    ),
    "a value where one of two relations holds": (
        after(sp.sqrt(x), Domain({x: Reals()}, where=[sp.Or(sp.sqrt(x) >= 1, x <= 1)])),
        after(sp.sqrt(x), Domain({x: Reals()}, where=[sp.sqrt(x) >= 1])),
    ),
    "a value in a sum that may have no term": (
        after(sp.sqrt(x), Domain({n: Integers(0), x: Reals()}, where=[sp.Sum(sp.sqrt(x) / k, (k, 1, n)) <= 1])),
        after(sp.sqrt(x), Domain({n: Integers(0), x: Reals()}, where=[sp.sqrt(x) <= n])),
    ),
    "a weight without a value": (
        Attempt(sp.Sum(1 / (n - k), (k, 1, n)), sp.Sum(2 / (n - k), (k, 1, n)), counts(1), (
            Instance(NEXT.label, {y: 1}, over=(k, 1, n), weight=1 / (n - k)),)),
        Attempt(sp.Sum(1 / (n + k), (k, 1, n)), sp.Sum(2 / (n + k), (k, 1, n)), counts(1), (
            Instance(NEXT.label, {y: 1}, over=(k, 1, n), weight=1 / (n + k)),)),
    ),
    # narrower domains
    "a choice that is not among those of the lemma": (
        Attempt(c * x, 2 * x, Domain({c: Choices(one=1, three=3), x: Reals(0)}), (Instance(CHOSEN.label),)),
        Attempt(c * x, 2 * x, Domain({c: Choices(two=2), x: Reals(0)}), (Instance(CHOSEN.label),)),
    ),
    "a number between the choices": (
        Attempt((x - 1) * (2 - x), 0, Domain({x: Reals(1, 2)}), (Instance(BETWEEN.label, {c: x}),)),
        Attempt((c - 1) * (2 - c), 0, Domain({c: Choices(one=1, two=2)}), (Instance(BETWEEN.label),)),
    ),
    "alternatives of which none need hold": (
        Attempt(x, x**2, Domain({x: Reals(0)}), (Instance(APART.label),)),
        Attempt(x, x**2, Domain({x: Reals()}, where=[sp.Or(x <= 0, x >= 1)]), (Instance(APART.label),)),
    ),
    "a relation that the map moves": (
        Attempt(x, y / 2, Domain({x: Reals(0), y: Reals(0)}, where=[x <= y]), (Instance(ORDERED.label, {y: y / 2}),)),
        Attempt(x, 2 * y, Domain({x: Reals(0), y: Reals(0)}, where=[x <= y]), (Instance(ORDERED.label, {y: 2 * y}),)),
    ),
    "a bound on the first thousand": (
        Attempt(n, 1000, counts(1), (Instance(SMALL.label),)),
        Attempt(n, 1000, Domain({n: Integers(5, 900)}), (Instance(SMALL.label),)),
    ),
    "entries beyond those of the lemma": (
        Attempt(sp.Sum(a[k] ** 2, (k, 1, n)), sp.Sum(a[k], (k, 1, n)), TO_TWO, (
            Instance(SQUARE.label, {x: a[k]}, over=(k, 1, n)),)),
        Attempt(sp.Sum(a[k] ** 2 / 4, (k, 1, n)), sp.Sum(a[k] / 2, (k, 1, n)), TO_TWO, (
            Instance(SQUARE.label, {x: a[k] / 2}, over=(k, 1, n)),)),
    ),
    # what is measured, index by index
    "a sum over what the measurement is a function of": (
        Attempt(n * BY_K[1], sp.Sum(k, (k, 1, n)), counts(1), (Instance(OF_K.label, over=(k, 1, n)),)),
        Attempt(n * BY_N[1], n * sp.Sum(k, (k, 1, n)), counts(1), (Instance(OF_N.label, over=(k, 1, n)),)),
    ),
    "a measurement at another point": (
        Attempt(BY_N[1], n, counts(1), (Instance(OF_N.label, {n: n - 1, k: 1}),)),
        Attempt(BY_N[1], n, counts(1), (Instance(OF_N.label, {k: 1}),)),
    ),
    # sums that are empty, and recursions
    "a sum without terms": (
        Attempt(1, sp.Sum(a[k] + k, (k, 1, n)), Domain({n: Integers(0), a: Vector(n, Reals(0))})),
        Attempt(1, sp.Sum(a[k] + k, (k, 1, n)), Domain({n: Integers(1), a: Vector(n, Reals(0))})),
    ),
    "a count that would be negative": (
        Attempt(sp.Sum(1, (k, 3, n)), n - 2, counts(1)),
        Attempt(sp.Sum(1, (k, 3, n)), n - 2, counts(2)),
    ),
    "a recursion that starts too late": (
        Attempt(a[n], a[1], vector(ForAll(a[k + 1] <= a[k], (k, 2, n - 1)))), Attempt(a[n], a[1], vector(FALLING)),
    ),
    "a recursion that ends too soon": (
        Attempt(a[n], a[1], vector(ForAll(a[k + 1] <= a[k], (k, 1, n - 2)))), Attempt(a[n], a[1], vector(FALLING)),
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "BUDGET", Budget(boxes=100, steps=200_000, columns=200, depth=3))


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_what_an_instance_does_not_say_is_not_proved(name: str) -> None:
    false, true = PLANTED[name]
    assert true.is_proved(CITED)
    assert not false.is_proved(CITED)


# --- what joins a chain from elsewhere --------------------------------------------------------------

N: Tree = ("v", "n")
M: Tree = ("v", "m")
COUNT = {"name": "n", "range": "integers", "low": ONE, "high": None}
FROM_ZERO = {**COUNT, "low": rational(0)}
BY_ENDS = {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [[label, 1]]} for label in (
    "n", ["low", M], ["high", M])]}  # fmt: skip
"""1 ≤ m and m ≤ n: hence 1 ≤ n."""


def joined(**declared: Any) -> Mapping[str, Any]:
    return {"name": "m", "range": "reals", "open": [False, False], "measured": True, **declared}


def drawn_from(declared: Mapping[str, Any], parameter: Mapping[str, Any]) -> None:
    """Check 1 ≤ n by a statement about a measured m that is declared on n ≥ 1."""
    measured: Tree = ("item", "m", ONE) if declared["range"] == "vector" else M
    known = {"cited": Statement(measured, "<=", N, {"parameters": [COUNT, declared], "where": []})}
    same = parameter == COUNT
    use = {"cites": "cited", "conditions": [] if same else [BY_ENDS]}
    certificate = {"kind": "chain", "nodes": [ONE, N], "steps": [{"uses": [use], "proof": BY_ENDS}]}
    check(Statement(ONE, "<=", N, {"parameters": [parameter], "where": []}), certificate, known)


def test_a_measured_range_does_not_say_where_a_statement_holds() -> None:
    """That m lies between 1 and n for n ≥ 1 does not exclude n = 0, where nobody has measured m."""
    drawn_from(joined(low=ONE, high=N), COUNT)
    with pytest.raises(Rejected, match="not known to hold a number here"):
        drawn_from(joined(low=ONE, high=N), FROM_ZERO)


@pytest.mark.parametrize(
    "declared",
    [
        joined(low=ONE, high=rational(0)),
        joined(low=ONE, high=ONE, open=[True, False]),
        joined(range="integers", low=ONE, high=N),
        joined(range="integers", low=rational(Fraction(1, 4)), high=rational(Fraction(1, 2))),
        joined(range="vector", length=N, low=None, high=None, square_sum=rational(-1)),
        joined(range="vector", length=N, low=ONE, high=rational(0), square_sum=None),
    ],
    ids=[
        "an empty range",
        "a point without itself",
        "integers",
        "no integer between",
        "squares with a negative sum",
        "entries of an empty range",
    ],
)
def test_a_measured_range_that_may_be_empty_proves_nothing(declared: Mapping[str, Any]) -> None:
    is_real = declared["range"] != "integers"
    with pytest.raises(Rejected, match="not known to hold a number here" if is_real else "expected nothing but"):
        drawn_from(declared, FROM_ZERO)
