"""The discrete Grönwall lemma: recursions solved by a loop, and what cites it."""

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from tests.truth.planted_steps import assert_not_proved

from boundaudit import Claim, Derivation, Domain, ForAll, Instance, Integers, Reals, Step, Vector
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.recursions import gronwall
from boundaudit.checks.run.addresses import find_shipped


def solved(first: Fraction, rates: list[Fraction], added: list[Fraction]) -> tuple[Fraction, ...]:
    """The largest δ that the recursion allows."""
    found = [first]
    for rate, more in zip(rates, added, strict=True):
        found.append((1 + rate) * found[-1] + more)
    return tuple(found)


def drawn(draw: random.Random, steps: int, low: int = 0) -> list[Fraction]:
    return [Fraction(draw.randint(low, 40), 20) for _ in range(steps)]


@pytest.mark.parametrize("claim", [gronwall.product, gronwall.exponential], ids=lambda claim: claim.label)
def test_solved_forward_it_holds_and_one_more_does_not_count(claim: Claim) -> None:
    draw = random.Random(1)
    assert claim.statement_form is not None
    for steps in (0, 1, 2, 5):
        rates, added = drawn(draw, steps), drawn(draw, steps)
        delta = solved(Fraction(1, 3), rates, added)
        point: dict[str, Any] = {
            "T_rec": steps + 1, "a_rec": (*rates, Fraction(7)), "b_rec": (*added, Fraction(7)), "delta_rec": delta,
        }  # fmt: skip
        assert claim.domain.contains(point) is True
        assert holds_at(claim.statement_form, point) is True
        beyond = (*delta[:-1], delta[-1] + Fraction(1, 10**9))
        assert claim.domain.contains({**point, "delta_rec": beyond}) is (steps == 0)


def test_the_product_is_attained_where_all_comes_first() -> None:
    rates, added = [Fraction(0), Fraction(1, 2), Fraction(2)], [Fraction(5), Fraction(0), Fraction(0)]
    delta = solved(Fraction(1), rates, added)
    assert delta[-1] == (1 + 5) * Fraction(3, 2) * 3
    point = {"T_rec": 4, "a_rec": (*rates, 0), "b_rec": (*added, 0), "delta_rec": delta}
    difference = gronwall.product.statement_form
    assert difference is not None
    assert holds_at(difference, point) is True
    lower = Claim(label="test.lower", statement="Attained.", left=gronwall.product.left, relation=">=",
                  right=gronwall.product.right, domain=gronwall.product.domain)  # fmt: skip
    assert lower.statement_form is not None
    assert holds_at(lower.statement_form, point) is True


x, eta = sp.symbols("x eta", real=True)
n, k = sp.symbols("n k", integer=True)
d = sp.IndexedBase("d", real=True)
DISTANCES = Domain(
    {eta: Reals(0), n: Integers(1, tested_to=6), d: Vector(n, Reals(0))},
    where=[ForAll(d[k + 1] <= (1 + eta / k**2) * d[k] + eta, (k, 1, n - 1))],
)
CITED = sp.exp(sp.Sum(eta / k**2, (k, 1, n - 1)))


def citing(rate: Any, added: Any) -> Claim:
    """A distance whose rate decays, bounded by the lemma at an instance."""
    at = {"T_rec": n, "delta_rec": d, "a_rec": lambda i: rate(i), "b_rec": lambda i: added}
    bound = (d[1] + (n - 1) * eta) * CITED
    return Claim(
        label="test.distance",
        statement="The last distance.",
        left=d[n],
        right=bound,
        domain=DISTANCES,
        derivation=Derivation(
            label="test.distance.steps",
            title="By Grönwall",
            steps=(
                Step(d[n], "the last distance"),
                Step(bound, "Grönwall", "Grönwall", Instance("recursions.gronwall.exponential", at)),
            ),
            domain=DISTANCES,
            samples={"two": {"eta": 1, "n": 2, "d": (1, 2)}},
        ),
    )


@pytest.mark.acceptance
def test_it_is_cited_at_an_instance_which_its_hypotheses_have_to_fit() -> None:
    right = citing(lambda i: eta / i**2, eta)
    right.validate()
    found = collect_evidence(right, find_shipped, PROFILES["smoke"], seed=0, device="cpu")
    assert found.verdict == "proved"
    assert found.proof is not None
    assert found.proof.cites == ["recursions.gronwall.exponential"]
    for rate, added in ((lambda i: eta / i**3, eta), (lambda i: eta / i**2, eta / 2)):
        assert_not_proved((right, citing(rate, added).derivation.steps))
