"""A chain is measured node by node, and says what each step loses."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from tests.statements import collected

from boundaudit import Claim, Derivation, Domain, InputError, Point, Quantity, Reals, Step, symbol
from boundaudit.checks.evidence.derivation import Instance, measured_once
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.floats import Array
from boundaudit.checks.run.jobs import jobs_of
from boundaudit.checks.run.registry import Registry

X = symbol("x_chain", "a number")


def _chain(*values: sp.Expr, low: int = 1) -> Derivation:
    steps = tuple(Step(value, f"node {n}") for n, value in enumerate(values))
    domain = Domain({X: Reals(low, 2)})
    return Derivation(label="own.chain", title="A chain", steps=steps, domain=domain, samples={"two": {"x_chain": 2}})


def test_factors_and_a_step_that_fails() -> None:
    found = _chain(X, 3 * X, 2 * X).measure(points=5, seed=0, device="cpu")
    assert found.samples[0].factors == [3.0, 2 / 3]
    assert found.holds == [True, False]


@pytest.mark.parametrize("number", [1e-18, 2.3e-308])
def test_rounding_inside_a_logarithm_makes_no_step_false(number: float) -> None:
    """There -log(1 - x) is 0 in floating point; where it is not, half the number may not stand for it."""
    domain, samples = Domain({X: Reals(0, 1, open_low=True, open_high=True)}), {"next to nothing": {"x_chain": number}}
    steps = (Step(X, "x"), Step(-sp.log(1 - X) + X / 2, "more"), Step(X + X**2, "at most"))
    chain = Derivation(label="own.chain", title="A chain", steps=steps, domain=domain, samples=samples)
    assert chain.measure(points=0, seed=0, device="cpu").holds == [True, True]
    false = replace(chain, steps=(steps[1], steps[0]), samples={"half": {"x_chain": 0.5}})
    assert false.measure(points=0, seed=0, device="cpu").holds == [False]


@pytest.mark.parametrize("node", [X - 2, sp.Integer(0), -X])
def test_a_node_without_a_ratio_is_named(node: sp.Expr) -> None:
    with pytest.raises(InputError, match=r"own\.chain: expected nodes that are positive and finite, .* “node 1”"):
        _chain(X, node, 3 * X).measure(points=5, seed=0, device="cpu")


# --- chains as proofs -----------------------------------------------------------------------------

_SQUARES = Quantity("square", lambda points, device: np.array([float(p["x_chain"]) ** 2 for p in points]), "x^2")
_TWICE = Quantity("twice", lambda points, device: np.array([2 * float(p["x_chain"]) for p in points]), "2x")
_DOMAIN = Domain({X: Reals(1, 2)})
_LEMMA = Claim(label="own.lemma", statement="x ≤ 2.", left=X, right=2, domain=_DOMAIN, expected="proved")


_AGAIN = Quantity("square again", _SQUARES.measure, "x^2")


def _cancelled(kept: sp.Expr) -> Derivation:
    """A square, a share of it with 10⁹ squares that come and go, and its double."""
    atom, big = _SQUARES.atom, 10**9
    node = kept * atom + big * _AGAIN.atom - big * atom
    steps = (Step(_SQUARES, "square"), Step(node, "with more", "monotone"), Step(2 * atom, "twice", "monotone"))
    return Derivation(label="own.sum", title="A sum", steps=steps, domain=_DOMAIN, samples={"one": {"x_chain": 1}})


def test_a_sum_is_rounded_as_its_terms_are_and_no_more() -> None:
    assert _cancelled(sp.Integer(1)).measure(points=50, seed=0, device="cpu").holds == [True, True]
    assert _cancelled(sp.Rational(999, 1000)).measure(points=50, seed=0, device="cpu").holds == [False, True]


def _proof(*steps: Step, domain: Domain = _DOMAIN, sample: int = 1) -> Claim:
    nodes, samples = (Step(_SQUARES, "square"), *steps), {"a sample": {"x_chain": sample}}
    chain = Derivation(label="own.chain", title="A chain", steps=nodes, domain=domain, samples=samples)
    claim = {"statement": "x² ≤ 4.", "left": _SQUARES, "right": sp.Integer(4), "domain": _DOMAIN, "expected": "proved"}
    return Claim(label="own.square", derivation=chain, **claim)


def _judged(*claims: Claim) -> Findings:
    return collected(claims[0], _LEMMA, *claims)


_MIDDLE, _END = Step(_TWICE, "2x", "monotone", _LEMMA.label), Step(sp.Integer(4), "4", "monotone")


def test_a_chain_of_claims_and_facts_that_only_people_have_read_is_an_argument() -> None:
    claim = _proof(_MIDDLE, _END)
    found = _judged(claim)
    assert (found.verdict, claim.rests_on) == ("supported", (_LEMMA.label,))
    assert found.reason.startswith("an argument of 2 steps that nothing but people has checked, 1 of them by claims")


def _sampled(rounding: float) -> tuple[Claim, Claim]:
    """x² ≤ 6 by way of an axiom that says what x², measured within a budget, is."""
    square = Quantity("square by sampling", _SQUARES.measure, "s", rounding=rounding)
    axiom = Claim(
        label="own.measured", statement="It is x².", left=square, relation="=", right=X**2, role="axiom", domain=_DOMAIN
    )
    steps = (Step(square, "s"), Step(X**2, "x²", "", axiom.label), Step(sp.Integer(6), "6", "x ≤ 2", _LEMMA.label))
    return _by(square, *steps), axiom


def _by(left: Quantity | sp.Expr, *steps: Step) -> Claim:
    chain = Derivation(label="own.chain", title="A", steps=steps, domain=_DOMAIN, samples={"one": {"x_chain": 1}})
    return Claim(
        label="own.square", statement="A square is bounded.", left=left, right=steps[-1].value, domain=_DOMAIN,
        derivation=chain, expected="proved",
    )  # fmt: skip


@pytest.mark.parametrize(("rounding", "verdict"), [(1e-9, "proved"), (0.2, "supported")])
def test_steps_that_the_checker_accepts_prove_nothing_of_what_is_sampled(rounding: float, verdict: str) -> None:
    claim, axiom = _sampled(rounding)
    found = _judged(claim, axiom)
    assert found.verdict == verdict
    assert ("2 steps, each accepted by the checker; no proof" in found.reason) == (verdict == "supported")


def test_a_chain_between_exact_sides_does_not_go_through_what_is_sampled() -> None:
    _, axiom = _sampled(0.2)
    claim = _by(X**2, Step(X**2, "x²"), Step(sp.Integer(4), "4", "x ≤ 2", (axiom.label, _LEMMA.label)))
    other = replace(
        claim, label="own.other", right=sp.Integer(5),
        derivation=replace(claim.derivation, steps=(Step(X**2, "x²"), Step(sp.Integer(5), "5", "", claim.label))),
    )  # fmt: skip
    for found in (_judged(claim, axiom), _judged(other, claim, axiom)):
        assert not any(e.engine == "chain" for e in found.evidence)


@pytest.mark.parametrize(("claim", "gap"), [
    (_proof(Step(_TWICE, "2x", "obvious"), _END), "the step to “2x” is no claim"),
    (_proof(Step(_TWICE, "2x", "monotone", "own.other"), _END), "own.other, which is not proved"),
    (_proof(_MIDDLE, Step(sp.Integer(5), "5", "monotone")), "from one side of the inequality to the other"),
    (_proof(_MIDDLE, _END, domain=Domain({X: Reals(1, 3)})), "another domain"),
    (_proof(_MIDDLE, _END, sample=9), "its sample “a sample” lies outside the domain"),
])  # fmt: skip
def test_a_chain_with_a_gap_proves_nothing(claim: Claim, gap: str) -> None:
    found = _judged(claim)
    assert found.verdict == "supported"
    assert not any(e.method == "derivation" and e.outcome == "holds" for e in found.evidence)
    chain = claim.derivation
    told = [*chain.misfits(claim), *chain.gaps(lambda label: label == _LEMMA.label)]
    assert any(gap in line for line in told)


def test_a_step_that_is_false_where_it_is_measured_is_no_proof() -> None:
    found = _judged(_proof(Step(X / 2, "x/2", "monotone"), _END))
    assert found.verdict == "undecided"
    assert "“x/2” of its derivation is false" in found.reason


def test_an_equality_is_measured_both_ways() -> None:
    found = _proof(Step(_TWICE, "2x", "definition"), _END).derivation.measure(points=5, seed=0, device="cpu")
    assert found.holds == [False, True]


def test_a_chain_comes_after_the_claim_that_it_proves_and_is_measured_once() -> None:
    asked = []

    def square(points: Sequence[Point], device: str) -> Array:
        asked.append(len(points))
        return np.array([float(point["x_chain"]) ** 2 for point in points])

    start = Quantity("square, counted", square, "x^2")
    steps = (Step(start, "square"), Step(_TWICE, "2x", "monotone", _LEMMA.label), _END)
    chain = Derivation(label="own.once", title="A chain", steps=steps, domain=_DOMAIN, samples={"one": {"x_chain": 1}})
    claim = Claim(
        label="own.square", statement="x² ≤ 4.", left=start, right=sp.Integer(4), domain=_DOMAIN, expected="proved",
        derivation=chain,
    )  # fmt: skip
    registry = Registry([_LEMMA, claim, chain])
    jobs = jobs_of(registry, ["own.square", "own.lemma"])
    assert [job.label for job in jobs] == ["own.square", "own.once", "own.lemma"]
    assert _judged(claim).verdict == "supported"
    before = len(asked)
    found = measured_once(chain, PROFILES["smoke"].chain, 0, "cpu")
    assert len(asked) == before
    assert found.points == PROFILES["smoke"].chain + 1


def test_an_instance_reads_as_formulas_do() -> None:
    i, n, y = sp.symbols("i n y")
    use = Instance("own.lemma", at={"x": y**2}, over=(i, 1, n**2), weight=n**2)
    assert use.text == "own.lemma at x = y^2, summed over i = 1…n^2 with weight n^2"
    assert Instance("own.lemma", along=(y, 0, n**2)).text == "own.lemma, all along y = 0…n^2"
