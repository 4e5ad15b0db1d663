"""Verdicts: every one of them, from the evidence that gives it, and what a pin accepts."""

import functools
import itertools
import json
import math
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from tests.statements import UNIT, claim, measured, n, some_slow, x

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.evidence import collect
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.evidence import Evidence, Witness
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES, Profile
from boundaudit.checks.evidence.sweep import exact_points
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.verdicts import STANDING, VERDICTS, accepted
from boundaudit.checks.proof.engine import Budget

k = sp.Symbol("k", integer=True)
WITNESS = Witness({"x": 1}, "1", "0")
PROOF = Evidence("proof", "holds", "the whole domain", 1, whole_domain=True, engine="factoring")
EVERY = Evidence("certificate", "holds", "9 points, all that there are", 9, whole_domain=True)
SAMPLE = Evidence("exact sample", "holds", "9 points of a larger domain", 9)
ATTAINED = Evidence("equality", "holds", "attained at 1 stated points", 1)
SEARCH = Evidence("search", "holds", "small points", 100)
SWEEP = Evidence("sweep", "holds", "a grid", 50)
FOUND = Evidence("search", "violated", "small points", 3, witness=WITNESS)
SEEN = Evidence("sweep", "violated", "a grid", 50)
OPEN = Evidence("sweep", "undecided", "a grid", 50)
NOTHING = Evidence("sweep", "undecided", "no points", 0)
REJECTED = Evidence("proof", "undecided", "the stored certificate was rejected", 0)

CASES: dict[str, tuple[list[Evidence], dict[str, Any], str, str]] = {
    "a proof": ([PROOF, EVERY, SEARCH, SWEEP], {}, "proved", "factoring"),
    "a proof beside points too close to decide": ([PROOF, OPEN], {"killed": 3}, "proved", "factoring"),
    "every point": ([SEARCH, EVERY, SWEEP], {"killed": 1}, "certified", "9 points, all that there are"),
    "a sample of a larger domain, however exact": ([SEARCH, SAMPLE], {"killed": 1}, "supported", "109 evaluations"),
    "equality attained is no certificate": ([ATTAINED, SEARCH], {}, "supported", "101 evaluations"),
    "numbers": ([SEARCH, SWEEP], {}, "supported", "150 evaluations"),
    "numbers, one method too close to decide": ([SEARCH, OPEN], {}, "supported", "100 evaluations"),
    "a rejected certificate helps nobody": ([REJECTED, SEARCH], {}, "supported", "100"),
    "a counterexample": ([EVERY, FOUND, SWEEP], {}, "refuted", "search"),
    "a counterexample, killed or not": ([FOUND], {"killed": 0}, "refuted", "search"),
    "a proof and a counterexample": ([PROOF, FOUND], {}, "undecided", "one of them is wrong"),
    "a violation that nothing confirms": ([SEARCH, SEEN], {}, "undecided", "could not confirm"),
    "a proof against a measurement": ([PROOF, SEEN], {}, "undecided", "could not confirm"),
    "every point against a measurement": ([EVERY, SEEN], {}, "undecided", "could not confirm"),
    "nothing could say": ([OPEN], {}, "undecided", "no method"),
    "an empty domain": ([NOTHING], {}, "vacuous", "no point"),
    "an empty domain, proved": ([PROOF, NOTHING], {}, "vacuous", "no point"),
    "no evidence": ([], {}, "vacuous", "no point"),
    "no mutant dies": ([EVERY, SEARCH], {"killed": 0}, "vacuous", "no mutant"),
    "a proof, whatever its mutants do": ([PROOF, EVERY, SEARCH], {"killed": 0}, "proved", "factoring"),
    "a constant left open": ([PROOF], {"missing": "The constant C."}, "not testable", "The constant C."),
}


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_and_its_reason(name: str) -> None:
    evidence, more, verdict, reason = CASES[name]
    for order in itertools.permutations(evidence):
        found, why = judge(order, **more)
        assert found == verdict
        assert reason in why
        assert "\n" not in why


def test_every_verdict_has_a_case() -> None:
    assert {verdict for _, _, verdict, _ in CASES.values()} == set(VERDICTS)


def test_a_pin_accepts_itself_and_what_stands_more_firmly() -> None:
    found = {(pin, verdict) for pin in VERDICTS for verdict in VERDICTS if accepted(verdict, pin)}
    firmer = {("supported", "proved"), ("supported", "certified"), ("certified", "proved")}
    assert found == {(verdict, verdict) for verdict in VERDICTS} | firmer
    assert STANDING == ("proved", "certified", "supported")


# --- verdicts of whole claims -----------------------------------------------------------------------

QUICK = Profile(
    "smoke",
    smallest=40,
    examples=10,
    generations=1,
    sweep=60,
    grid=10,
    mutants=12,
    trial_points=4,
    trials=100,
    chain=10,
)

CLAIMS: dict[str, tuple[Any, str]] = {
    "a square is not negative": (claim(x**2 - x + 1, ">=", sp.Rational(3, 4)), "proved"),
    "a false square": (claim(x**2, ">=", x), "refuted"),
    "measured and defined": (claim(measured(lambda p: p["x"] ** 2, definition=x**2), "<=", x), "proved"),
    "measured only": (claim(measured(lambda p: p["x"] ** 2 / 2), "<=", x * (x + 2) / 2 + 1), "supported"),
    "measured only, and false": (claim(measured(lambda p: p["x"] + 1), "<=", x + sp.Rational(1, 2)), "undecided"),
    "measured only, and false at one corner": (
        claim(measured(lambda p: p["x"] + (p["x"] == 1.0)), "<=", x + sp.Rational(1, 2)), "undecided",
    ),
    "measured wrongly": (claim(measured(lambda p: 0.9 * p["x"], definition=x), "<=", 2 * x), "undecided"),
    "never a value": (claim(measured(lambda p: math.nan), "<=", x), "undecided"),
    "sums too long to add up, proved from the first on": (
        claim(sp.Sum(1 / (k * (k + 1)), (k, 1, n)), "<=", 1, Domain({n: Integers(10**9)})), "proved",
    ),
    "an infinite right side": (claim(x, "<=", measured(lambda p: math.inf)), "vacuous"),
    "an empty domain": (claim(x, "<=", x**2, Domain({x: Reals(2, 1)})), "vacuous"),
    "a contradictory domain": (claim(x, "<=", 0, Domain({x: Reals(0, 1)}, where=[x > 2])), "vacuous"),
    "a bound of which only the direction is told": (claim(measured(lambda p: -5.0), "<=", x**2), "supported"),
    "a proved bound that no mutant breaks": (claim(-5 - x, "<=", x**2), "proved"),
    "a constant left open": (claim(x, "<=", 1, missing="The text leaves the constant open."), "not testable"),
}  # fmt: skip


def collected(statement: Claim) -> Findings:
    return collect_evidence(statement, lambda label: (), QUICK, seed=0, device="cpu")


@pytest.mark.parametrize("name", some_slow(CLAIMS, "sums too long to add up, proved from the first on"))
def test_a_whole_claim_gets_its_verdict(name: str) -> None:
    assert_verdict(*CLAIMS[name])


@pytest.mark.slow
def test_sums_too_long_to_add_up_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a proof, here with a tenth of its usual budget."""
    monkeypatch.setattr(collect, "prove", functools.partial(collect.prove, budget=Budget(boxes=400, steps=600_000)))
    assert_verdict(
        claim(sp.sin(n) * sp.Sum((-1) ** (k * k) * sp.exp(-k), (k, 1, n)), "<=", 1, Domain({n: Integers(10**9)})),
        "undecided",
    )


def assert_verdict(statement: Claim, verdict: str) -> None:
    found = collected(statement)
    assert (found.verdict, found.reason) == (verdict, found.reason)
    assert found.as_expected(statement) is accepted(verdict, "supported")
    assert Findings.from_json(json.loads(json.dumps(found.to_json()))).to_json() == found.to_json()


def equality(value: Any) -> tuple[Findings, list[str]]:
    """Findings and outcomes of the equality evidence of x(1-x) ≤ 1/4 with equality stated at a value."""
    tight = claim(x * (1 - x), "<=", sp.Rational(1, 4), kind="Tight", equality=({"x": value},))
    found = collected(tight)
    return found, [e.outcome for e in found.evidence if e.method == "equality"]


@pytest.mark.parametrize("value", [sp.Rational(1, 2), 0.5, Fraction(1, 2), "1/2"], ids=repr)
def test_a_tight_claim_is_attained_where_it_says_so(value: Any) -> None:
    found, outcomes = equality(value)
    assert (found.verdict, outcomes) == ("proved", ["holds"])


@pytest.mark.parametrize(("value", "reason"), [
    (sp.Rational(1, 3), "the stated equality case x = 1/3 does not give equality"),
    (2, "the stated equality case x = 2 is not in the domain"),
])  # fmt: skip
def test_a_wrong_equality_case_leaves_the_claim_undecided_and_refutes_nothing(value: Any, reason: str) -> None:
    found, outcomes = equality(value)
    assert (found.verdict, found.reason, outcomes) == ("undecided", reason, ["undecided"])
    assert found.witness is None


def test_an_equality_case_that_is_no_rational_point_is_left_open() -> None:
    found, outcomes = equality(1 / sp.sqrt(2))
    assert (found.verdict, outcomes) == ("proved", [])


VALUELESS: dict[str, Claim] = {
    "a logarithm on most of it": claim(sp.log(x - sp.Rational(9, 10)), "<=", 1),
    "a logarithm at its end": claim(sp.log(x), "<=", x - 1, Domain({x: Reals(0, 10)})),
    "a quotient": claim(1 / x, ">=", 0),
    "a root": claim(sp.sqrt(x), ">=", 0, Domain({x: Reals(-1, 3)})),
    "a root of a cosine": claim(sp.sqrt(sp.cos(x)), "<=", 1, Domain({x: Reals(0, 3)})),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUELESS)
def test_a_side_that_certainly_has_no_value_somewhere_refutes(name: str) -> None:
    found = collected(VALUELESS[name])
    assert (found.verdict, found.witness and found.witness.left) == ("refuted", "no value")
    assert found.reason.startswith("the left side has no value at x = ")
    assert VALUELESS[name].domain.contains(found.witness.point)  # type: ignore[union-attr]


def test_a_measured_side_without_a_value_is_not_supported() -> None:
    found = collected(claim(measured(lambda p: math.nan if p["x"] > 0.3 else 0.0), "<=", 1))
    assert found.verdict == "undecided"
    assert found.reason.startswith("the left side has no value at x = ")


@pytest.mark.slow
def test_what_overflows_in_floats_has_a_value() -> None:
    line = Domain({x: Reals()})
    found = collected(claim((sp.exp(x) + sp.exp(-x)) / 2, "<=", sp.exp(x**2 / 2), line))
    assert found.verdict in ("supported", "proved")
    assert collected(claim((sp.exp(x) + sp.exp(-x)) / 2, "<=", sp.exp(x**2 / 3), line)).verdict == "refuted"


# --- certified means every point --------------------------------------------------------------------

ALL = Domain({n: Integers(1)})
FALSE_FAR_OUT: dict[str, Claim] = {
    "a harmonic sum": claim(sp.Sum(1 / k, (k, 1, n)), "<=", 5, ALL),
    "a logarithm": claim(sp.log(n), "<=", 5, ALL),
    "an iterated logarithm": claim(sp.log(sp.log(n + 2)), "<=", sp.Rational(7, 2), ALL),
    "a small power": claim(n ** sp.Rational(1, 10), "<=", 2, ALL),
    "a late polynomial": claim(n**3, "<=", 1000 * n**2, ALL),
    "a root beyond the range looked at": claim(sp.sqrt(x), "<=", 100, Domain({x: Reals(0)})),
    "near an open end": claim(-sp.log(x), "<=", 20, Domain({x: Reals(0, 1, open_low=True)})),
    "two parameters, one far": claim(n / (1 + x), "<=", 1000, Domain({n: Integers(1), x: Reals(0, 1)})),
}


@pytest.mark.parametrize("name", some_slow(FALSE_FAR_OUT, "a harmonic sum", "an iterated logarithm"))
def test_what_fails_far_out_is_refuted_there(name: str) -> None:
    assert collected(FALSE_FAR_OUT[name]).verdict == "refuted"


@pytest.mark.slow
def test_what_no_search_reaches_is_supported_at_best() -> None:
    # The two primes of a number that no trial division to a million finds, and nothing near them tells.
    product = 1000003 * 1000000007 * 998244353
    factors = claim(sp.Abs(k * n - product), ">=", 1, Domain({k: Integers(2, 2000003), n: Integers(2)}))
    assert collected(factors).verdict in ("supported", "vacuous")


@pytest.mark.slow
def test_an_equation_of_pell_is_solved() -> None:
    # 61 m² - n² = -1 at m = 226153980, n = 1766319049 and not before.
    m = sp.Symbol("m", integer=True)
    pell = claim(sp.Abs(61 * m**2 - n**2), ">=", 2, Domain({m: Integers(1), n: Integers(1)}))
    assert collected(pell).verdict == "refuted"


def test_every_point_of_a_finite_domain_certifies_and_a_sample_of_a_larger_one_does_not() -> None:
    bound = sp.Rational(99995, 100000)
    every = exact_points(claim(sp.sin(n), "<=", bound, Domain({n: Integers(1, 60)})), 10, 0)
    assert (every.method, every.evaluations, every.whole_domain) == ("certificate", 60, True)
    assert judge([every, SWEEP])[0] == "certified"
    some = exact_points(claim(sp.sin(n), "<=", 1, Domain({n: Integers(1)})), 10, 0)
    assert (some.method, some.outcome, some.whole_domain) == ("exact sample", "holds", False)
    assert judge([some, SWEEP])[0] == "supported"
    assert collected(claim(sp.sin(n), "<=", bound, Domain({n: Integers(1, 400)}))).verdict == "refuted"


def test_smoke_costs_less_than_standard_and_standard_less_than_deep() -> None:
    costs = [list(vars(PROFILES[name]).values())[1:-1] for name in ("smoke", "standard", "deep")]
    assert all(a < b < c for a, b, c in zip(*costs, strict=True))
    assert UNIT.relaxed().keys() == {"upper limit of x"}


def test_a_violation_counts_for_more_than_a_point_without_a_value() -> None:
    found = collected(claim(x + 1 / x, "<=", 2, Domain({x: Reals(0, 2)})))
    assert (found.verdict, found.witness and found.witness.is_valueless) == ("refuted", False)
    assert found.reason.startswith("counterexample by")
