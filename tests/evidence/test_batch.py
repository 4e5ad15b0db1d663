"""Batches: what floating point clears, what goes to balls, and what counts for nothing."""

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from tests.statements import UNIT, claim, measured, n, x

from boundaudit import Choices, Domain, Estimate, InputError, Integers, Quantity, Reals
from boundaudit.checks.evidence.batch import RECHECKED, Batch, Decision, violation
from boundaudit.checks.evidence.evidence import Evidence, Witness
from boundaudit.checks.evidence.mutants import judge_mutants
from boundaudit.checks.evidence.sweep import exact_points, sweep, sweep_points
from boundaudit.checks.evidence.verdict import judge

POINTS = [{"x": Fraction(k, 8)} for k in range(9)]
WHOLE = Domain({x: Reals(0, 1, open_low=True)})


def batch(left: Any, relation: Any, right: Any, points: Any = POINTS, domain: Domain = UNIT) -> Batch:
    return Batch.measure(claim(left, relation, right, domain), points, "cpu")


def swept(left: Any, relation: Any, right: Any, domain: Domain = UNIT) -> Any:
    statement = claim(left, relation, right, domain)
    return sweep(statement, Batch.measure(statement, sweep_points(statement.domain, 40, 0), "cpu"), 0, "cpu")


def off_by(factor: float) -> Quantity:
    """A measurement of 1 + x that is off by a factor."""
    return measured(lambda point: (point["x"] + 1) * factor, definition=x + 1)


# --- violation -----------------------------------------------------------------------------------------

reals = st.floats(-1e6, 1e6)


@given(left=reals, right=reals)
def test_excess_is_positive_exactly_where_the_relation_fails(left: float, right: float) -> None:
    sides = np.array([left]), np.array([right])
    assert (violation("<=", *sides)[0] > 0) == (left > right)
    assert (violation(">=", *sides)[0] > 0) == (left < right)
    assert (violation("=", *sides)[0] > 0) == (left != right)
    assert abs(violation("<=", *sides)[0]) <= 2


@given(left=st.floats(1e-3, 1e6), right=st.floats(1e-3, 1e6), factor=st.sampled_from([2.0**-30, 2.0**20]))
def test_excess_is_relative(left: float, right: float, factor: float) -> None:
    sides = np.array([left]), np.array([right])
    assert violation("<=", *sides) == violation("<=", factor * sides[0], factor * sides[1])
    assert violation("<=", *sides, least=1e9)[0] == pytest.approx((left - right) / 1e9)


SPECIAL: dict[str, tuple[str, float, float, float]] = {
    "no left side": ("<=", math.nan, 1.0, -math.inf), "no right side": ("=", 1.0, math.nan, -math.inf),
    "an infinite upper bound": ("<=", 1.0, math.inf, -math.inf),
    "an infinite lower bound": (">=", 1.0, -math.inf, -math.inf), "an infinite left side": ("<=", math.inf, 1.0, 1.0),
    "an infinite left side of an identity": ("=", -math.inf, 1.0, 1.0),
    "a lower bound that no number reaches": (">=", 1.0, math.inf, 1.0),
    "both infinite": ("<=", math.inf, math.inf, -math.inf), "both zero": ("<=", 0.0, 0.0, 0.0),
    "against zero": ("<=", 1e-300, 0.0, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIAL)
def test_excess_where_numbers_end(name: str) -> None:
    relation, left, right, expected = SPECIAL[name]
    assert violation(relation, np.array([left]), np.array([right]))[0] == expected


# --- near-equality ----------------------------------------------------------------------------------

HAIR = sp.Rational(1, 10**30)


@pytest.mark.parametrize(("relation", "sign"), [("<=", 1), (">=", -1)])
def test_a_violation_that_no_float_can_see_is_found(relation: str, sign: int) -> None:
    found = batch(sp.sqrt(x + 1), relation, sp.sqrt(x + 1) - sign * HAIR)
    assert list(found.suspects()) == list(range(9))
    witness = found.decide("in order").witness
    assert witness is not None
    assert (witness.point, witness.order) == ({"x": 0}, "in order")
    assert (witness.left, witness.right) == ("1", str(1 - sign * Fraction(1, 10**30))) or float(witness.left) == 1


@pytest.mark.parametrize("slack", [0, HAIR])
def test_equality_up_to_a_hair_is_cleared_by_balls(slack: Any) -> None:
    found = batch(sp.sqrt(x + 1) ** 3, "<=", (x + 1) * sp.sqrt(x + 1) + slack)
    assert len(found.suspects()) == 9
    assert found.decide() == Decision()


def test_noise_within_the_budget_is_cleared_and_beyond_it_is_not() -> None:
    for noise, astray in ((5e-13, 0), (5e-12, 9)):
        decision = batch(off_by(factor=1 + noise), "<=", x + 1).decide()
        assert (decision.witness, decision.astray, decision.undecided) == (None, astray, 0)
        assert decision.outcome == ("violated" if astray else "holds")


def test_a_violation_in_floats_that_nothing_decides_speaks_against_a_formula() -> None:
    """Floats have cos(π/3) = 0.5000000000000001; neither balls nor algebra here know that it is 1/2."""
    whole = sp.floor(2 * n * sp.cos(sp.pi * x))
    thirds = Domain({n: Integers(1, 60), x: Choices(third=Fraction(1, 3), half=Fraction(1, 2))})
    statement = claim(whole, "<=", n - 1, thirds)
    points = [{"n": k, "x": Fraction(1, share)} for k in (1, 5) for share in (2, 3)]
    decision = Batch.measure(statement, points, "cpu").decide()
    assert (decision.found, decision.against, decision.undecided) == (None, 2, 0)
    evidence = sweep(statement, Batch.measure(statement, points, "cpu"), 0, "cpu")
    assert (evidence.outcome, evidence.witness) == ("violated", None)
    assert "exact arithmetic cannot say" in str(evidence.against)
    assert judge([evidence, Evidence("exact sample", "holds", "12 points", 12)])[0] == "undecided"


def test_floating_point_trouble_of_a_formula_is_not_held_against_it() -> None:
    """1 + x rounds: in floats log(1+x) exceeds x by far more than 1e-12."""
    found = batch(sp.log(1 + x), "<=", x, [{"x": Fraction(1, 10**10)}])
    assert found.violation[0] > 1e-9
    assert found.decide() == Decision()


def test_without_a_definition_nothing_clears_a_point() -> None:
    plain = {factor: dataclasses.replace(off_by(factor), definition=None) for factor in (1 - 1e-6, 1.0, 1 + 1e-6)}
    assert batch(plain[1 + 1e-6], "<=", x + 1).decide() == Decision(None, 0, 9)
    assert batch(plain[1.0], "<=", x + 1).decide() == Decision(touching=9)
    assert batch(plain[1 - 1e-6], "<=", x + 1).decide() == Decision(None, 0, 0)
    assert batch(plain[1.0], "=", x + 1).decide() == Decision(None, 0, 0)


def test_the_first_counterexample_in_order_is_the_witness() -> None:
    found = batch(x, "<=", sp.Rational(2, 5))
    assert [int(i) for i in found.suspects()] == [4, 5, 6, 7, 8]
    witness = found.decide().witness
    assert witness is not None
    assert witness.point == {"x": Fraction(1, 2)}
    worst = found.worst()
    assert worst is not None
    assert (worst.point, worst.left, worst.right, worst.ratio) == ({"x": 1}, 1.0, 0.4, 2.5)


def test_a_violation_outside_the_domain_is_no_counterexample() -> None:
    outside = [{"x": 2}]
    assert batch(x, "<=", 1, outside).decide().witness is None


def test_what_balls_are_not_asked_stays_undecided() -> None:
    many = [{"n": k} for k in range(1, RECHECKED + 21)]
    decision = batch(n, "<=", n, many, Domain({n: Integers(1)})).decide()
    assert decision == Decision(None, 20, 0)


def test_decisions_add_up_and_the_first_counterexample_stays() -> None:
    first = batch(x, "<=", 0, POINTS[1:]).decide()
    later = batch(x, "<=", 0, POINTS[5:]).decide()
    both = Decision(None, 2, 1) + first + later
    assert (both.witness, both.undecided, both.against) == (first.witness, 2, 1)
    assert [note.split()[0] for note in both.notes] == ["2", "1"]
    assert [Decision(None, 1, 0).outcome, Decision(None, 1, 1).outcome] == ["undecided", "violated"]


# --- what a measurement may be off by ---------------------------------------------------------------


def estimate(value: float, error: float, **more: Any) -> Estimate:
    """A mean of draws with its standard error."""

    def every(number: float) -> Any:
        return lambda points, device: np.full(len(points), number)

    return Estimate("measured", every(value), "q", standard_error=every(error), **more)


@pytest.mark.parametrize(("right", "verdict"), [(0.96, "supported"), (0.94, "undecided"), (0.5, "undecided")])
@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_constant_within_three_standard_errors_is_not_supported(relation: str, right: float, verdict: str) -> None:
    """0.8 ± 0.05 is below 0.96; 0.94 is within the error, which tells nothing, and 0.5 is measured beyond."""
    sign = 1 if relation == "<=" else -1
    evidence = swept(estimate(sign * 0.8, 0.05), relation, sign * right)
    assert judge([evidence])[0] == verdict
    said = "may be off" if right == 0.94 else "measurement speaks against"
    assert evidence.against is None if verdict == "supported" else said in evidence.against


def test_errors_of_both_sides_count_together() -> None:
    for error, outcome in ((0.02, "holds"), (0.03, "undecided")):
        assert swept(estimate(0.8, error), "<=", estimate(0.9, error)).outcome == outcome


def test_what_is_measured_against_a_proof_counts() -> None:
    """Nobody takes a proof's word for what has no definition."""
    needle = measured(lambda point: 1.0 if point["x"] == Fraction(1, 2) else 0.25)
    assert batch(needle, "<=", sp.Rational(1, 2)).beyond() == Decision(against=1)


def test_an_identity_holds_within_its_error_and_not_beyond() -> None:
    assert swept(estimate(0.8, 0.05), "=", 0.9).outcome == "holds"
    assert swept(estimate(0.8, 0.03), "=", 0.9).outcome == "violated"


def test_an_unknown_error_supports_nothing_and_a_negative_one_is_refused() -> None:
    assert swept(estimate(0.8, math.nan), "<=", 100).outcome == "undecided"
    with pytest.raises(InputError, match=r"standard error of measured.*at least 0.*-1"):
        swept(estimate(0.8, -1), "<=", 100)


def test_a_definition_needs_no_error() -> None:
    assert swept(estimate(0.8, 0.05, definition=sp.Rational(4, 5)), "<=", 0.81).outcome == "holds"


def test_an_error_inside_a_formula_is_refused() -> None:
    with pytest.raises(InputError, match="only as a whole side"):
        claim(estimate(0.8, 0.05).atom + 1, "<=", 2).validate()


def test_a_number_within_the_error_budget_of_an_estimate_is_not_supported() -> None:
    """Rounding touches what it has computed; a budget larger than that is an error that a constant has to beat."""
    rough = {"rounding": 1e-3, "scale": 1.0}
    assert swept(measured(lambda p: 0.0093, **rough), "<=", sp.Rational(1, 100)).outcome == "undecided"
    assert swept(measured(lambda p: 0.0089, **rough), "<=", sp.Rational(1, 100)).outcome == "holds"
    assert swept(measured(lambda p: 0.0), "<=", 0).outcome == "holds"
    assert swept(measured(lambda p: p["x"], **rough), "<=", measured(lambda p: p["x"], **rough)).outcome == "holds"
    assert swept(measured(lambda p: p["x"], **rough), "<=", sp.Rational(1001, 1000) * x).outcome == "undecided"
    assert swept(measured(lambda p: p["x"] / 10**5, **rough), "<=", 2 * x / 10**5).outcome == "holds"


def test_mutants_die_beyond_the_error_only() -> None:
    """Half of 0.96 lies below 0.8 - 3 · 0.05, and not below 0.8 - 3 · 0.12."""
    for error, killed in ((0.05, ("halved",)), (0.12, ())):
        statement = claim(estimate(0.8, error), "<=", sp.Rational(96, 100))
        found = judge_mutants(
            statement, Batch.measure(statement, POINTS, "cpu"), most=10, prove=lambda s: False, seed=0, device="cpu"
        )
        assert found is not None
        names = {name.split(":")[0] for name in found.fates["killed"]}
        assert ("halved" in names) == bool(killed)


# --- measurement against definition -----------------------------------------------------------------


def test_a_measurement_that_strays_from_its_definition_is_noticed() -> None:
    straying = measured(lambda p: p["x"] * (1 + 1e-9 * (p["x"] > 0.6)), definition=x)
    assert batch(straying, "<=", 2 * x).misfit() == pytest.approx(1e3, rel=1e-3)
    evidence = swept(straying, "<=", 2 * x)
    assert (evidence.outcome, evidence.witness) == ("violated", None)
    assert any("strays from its definition" in note for note in evidence.notes)


def test_a_measurement_within_its_budget_is_not() -> None:
    assert batch(measured(lambda p: p["x"] * (1 + 1e-13), definition=x), "<=", 2 * x).misfit() < 1
    assert batch(measured(lambda p: p["x"]), "<=", 2 * x).misfit() == 0.0
    near_zero = measured(lambda p: p["x"] - p["x"] ** 2 + 1e-13, definition=x - x**2, scale=1.0)
    assert batch(near_zero, "<=", 1).misfit() < 1


def test_a_definition_that_rounds_is_no_fault_of_the_measurement() -> None:
    exact = measured(lambda p: math.log1p(p["x"]), definition=sp.log(1 + x))
    assert batch(exact, "<=", 2 * x, [{"x": Fraction(1, 10**8)}]).misfit() < 1


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_measurement_without_a_value_strays_where_its_definition_has_one(value: float) -> None:
    broken = measured(lambda p: value if p["x"] > 0.9 else p["x"], definition=x)
    assert batch(broken, "<=", 2 * x).misfit() == math.inf
    evidence = swept(broken, "<=", 2 * x)
    assert (evidence.outcome, evidence.witness) == ("violated", None)


# --- points that count for nothing ------------------------------------------------------------------


def test_points_without_a_value_are_not_counted() -> None:
    half = batch(measured(lambda p: math.nan if p["x"] > 0.4 else p["x"]), "<=", 1 + x)
    assert half.usable == 4
    assert half.worst() is not None
    assert half.worst().point == {"x": Fraction(3, 8)}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("side", "absent"),
    [(math.nan, "the right side has no value at x = 0, nor at 8 others of 9 points"), (math.inf, None)],
)
def test_a_batch_that_can_show_nothing_says_nothing(side: float, absent: str | None) -> None:
    silent = batch(x, "<=", measured(lambda p: side))
    assert (silent.usable, silent.worst(), silent.decide()) == (0, None, Decision(absent=absent))
    evidence = swept(x, "<=", measured(lambda p: side))
    assert (evidence.outcome, evidence.evaluations) == ("undecided", 0)
    assert any("count for nothing" in note for note in evidence.notes)


def test_an_empty_batch_says_nothing() -> None:
    nothing = batch(x, "<=", 1, [])
    assert (nothing.usable, nothing.worst(), nothing.decide(), nothing.misfit()) == (0, None, Decision(), 0.0)


# --- the sweep and the grid -------------------------------------------------------------------------


def test_a_sweep_holds_or_shows_a_violation() -> None:
    true, false = swept(x**2, "<=", x), swept(x, "<=", x**2)
    assert (true.outcome, true.evaluations, true.witness) == ("holds", 40, None)
    assert false.outcome == "violated"
    value = false.witness.point["x"]
    assert 0 < value < 1
    assert true.to_json() == swept(x**2, "<=", x).to_json()


def test_the_points_of_a_sweep_repeat_with_the_seed_and_lie_inside() -> None:
    statement = claim(x, "<=", 1, WHOLE)
    points = sweep_points(statement.domain, 60, 3)
    assert points == sweep_points(statement.domain, 60, 3)
    assert points != sweep_points(statement.domain, 60, 4)
    assert len(points) == 60
    assert all(WHOLE.contains(point) for point in points)


def test_exact_points_hold_only_where_every_one_is_certain() -> None:
    holds = exact_points(claim(x**2, "<=", x), 20, 0)
    assert (holds.method, holds.outcome, holds.evaluations, holds.whole_domain) == ("exact sample", "holds", 20, False)
    broken = exact_points(claim(x, "<=", x**2), 20, 0)
    assert broken.outcome == "violated"
    assert broken.witness is not None
    closed_end = exact_points(claim(x * sp.log(x), "<=", 0), 20, 0)
    assert (closed_end.outcome, closed_end.witness) == ("violated", Witness({"x": 0.0}, "no value", "0"))
    assert exact_points(claim(x * sp.log(x), "<=", 0, WHOLE), 20, 0).outcome == "holds"
    assert exact_points(claim(measured(lambda p: 0.0), "<=", 1), 20, 0).outcome == "inapplicable"
    assert exact_points(claim(x, "<=", 1, Domain({x: Reals(2, 1)})), 20, 0).outcome == "undecided"
