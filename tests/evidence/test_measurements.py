"""What a measurement may return: anything else is told in one line that names the claim and the field."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb
from tests.statements import UNIT, claim, collected, measured, x

from boundaudit import Estimate, InputError, Probability, Quantity, Reals
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.counterexample import certainly_holds, counterexample
from boundaudit.checks.evidence.trial import count
from boundaudit.checks.language.atoms import Family, atoms_of
from boundaudit.checks.language.measuring import side_values

POINTS = [{"x": Fraction(1, 2)}, {"x": 0.75}]


@pytest.mark.parametrize(
    "budget",
    [{"rounding": -10.0}, {"rounding": 1.0}, {"rounding": math.nan}, {"rounding": "1e-12"}, {"scale": -1.0},
     {"scale": math.inf}],
)  # fmt: skip
def test_an_error_budget_that_clears_everything_or_nothing_is_refused(budget: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=rf"^height\.{next(iter(budget))}: expected a"):
        Quantity("height", lambda points, device: np.zeros(len(points)), "h", **budget)


class Stop(BaseException):
    """Not an Exception."""


def stopping(points: Any, device: str) -> Any:
    raise Stop("enough")


RETURNED: dict[str, tuple[Any, str]] = {
    "complex numbers": (lambda points, device: np.sqrt(np.array([-1.0 + 0j] * len(points))), "real numbers"),
    "strings": (lambda points, device: ["0.5"] * len(points), "real numbers"),
    "nothing": (lambda points, device: None, r"shape \(2,\)"),
    "one number": (lambda points, device: 0.5, r"shape \(2,\)"),
    "rows of different length": (lambda points, device: [[1.0], [1.0, 2.0]], "a measurement that runs"),
    "an exception outside Exception": (stopping, "a measurement that runs, got Stop: enough"),
    "exit": (lambda points, device: exit(3), "a measurement that runs"),
}


@pytest.mark.parametrize("name", RETURNED)
def test_what_is_no_measurement_is_told_in_one_line(name: str) -> None:
    measure, expected = RETURNED[name]
    with pytest.raises(InputError, match=rf"^test\.claim\.left: height \(.*expected {expected}") as caught:
        Batch.measure(claim(Quantity("height", measure, "h"), "<=", 1), POINTS, "cpu")
    assert "\n" not in str(caught.value)


def test_exact_numbers_and_truth_values_are_measurements() -> None:
    for value in (Fraction(1, 4), True, np.float32(0.25)):
        height = Quantity("height", lambda points, device, value=value: [value] * len(points), "h")  # type: ignore[misc]
        assert Batch.measure(claim(height, "<=", 1), POINTS, "cpu").left.tolist() == [float(value)] * 2


COUNTED: dict[str, tuple[Any, str]] = {
    "frequencies": (lambda *_: np.array([0.7, 0.0]), "integer counts of the event, got float64 such as"),
    "too many counts": (lambda *_: np.zeros(3, dtype=int), "2 counts, one a point"),
    "more than there are trials": (lambda *_: np.array([0, 11]), "counts from 0 up to 10, the trials, got 11"),
    "less than none": (lambda *_: np.array([-1, 0]), "counts from 0 up to 10, the trials, got -1"),
    "a wrong signature": (lambda points: np.zeros(2, dtype=int), "a measurement that runs, got TypeError"),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_no_count_is_told_in_one_line(name: str) -> None:
    measure, expected = COUNTED[name]
    event = claim(Probability("event", measure, "p"), "<=", sp.Rational(1, 2))
    with pytest.raises(InputError, match=rf"^test\.claim\.left: event \(.*expected {expected}"):
        count(event, POINTS, 10, 0, "cpu")


# --- without a definition ---------------------------------------------------------------------------


def steep(point: dict[str, Any]) -> float:
    """1.2 times x where x is at least a half."""
    return float(point["x"] * (1.2 if point["x"] >= 0.5 else 0.5))


def test_a_measured_counterexample_is_undecided_and_says_what_is_missing() -> None:
    found = collected(claim(measured(steep), "<=", x))
    assert found.verdict == "undecided"
    assert found.reason.startswith("a measurement speaks against it by a factor 1.2 at x = ")
    assert "a definition or an enclosure" in found.reason


def test_an_enclosure_makes_it_a_refutation() -> None:
    def between(point: dict[str, Any]) -> tuple[Any, Any]:
        at = Fraction(point["x"]) * (Fraction(6, 5) if point["x"] >= Fraction(1, 2) else Fraction(1, 2))
        return at - Fraction(1, 10**6), arb(at.numerator) / at.denominator + arb("1e-6")

    enclosed = claim(measured(steep, enclosure=between), "<=", x)
    found = collected(enclosed)
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert float(found.witness.left) == pytest.approx(1.2 * float(found.witness.right), rel=1e-4)
    assert counterexample(enclosed, found.witness.point) is not None
    # At the jump's other side and within its width nothing is refuted.
    assert certainly_holds(enclosed, {"x": Fraction(1, 4)}) is True
    assert certainly_holds(claim(measured(steep, enclosure=between), "<=", sp.Rational(6, 5) * x), POINTS[0]) is None


@pytest.mark.parametrize("ends", [(1, 0), (0.0, math.inf), (0,), ("0", "1"), 3])
def test_an_enclosure_that_encloses_nothing_is_refused(ends: Any) -> None:
    wrong = claim(measured(lambda p: 2.0, enclosure=lambda point: ends), "<=", 1)
    with pytest.raises(InputError, match=r"test\.claim\.left\.enclosure|a measurement that runs"):
        certainly_holds(wrong, POINTS[0])


def test_equality_within_a_few_units_in_the_last_place_is_supported_and_said() -> None:
    norm = measured(lambda p: math.sqrt(p["x"] ** 2 * (1 + 2**-51)))
    found = collected(claim(norm, "<=", x, UNIT))
    assert found.verdict == "supported"
    assert any("ulp beyond equality, within the error budget" in note for e in found.evidence for note in e.notes)


@pytest.mark.parametrize(("bound", "verdict"), [("0.75", "supported"), ("0.7", "undecided"), ("0.5", "undecided")])
def test_a_constant_chosen_inside_the_error_of_a_mean_is_not_supported(bound: str, verdict: str) -> None:
    """The mean of 400 draws is 0.688 ± 0.012 at every point: 0.7 was chosen after the value."""
    drawn = np.random.default_rng(0).random(400) ** 0.5

    def every(number: float) -> Any:
        return lambda points, device: np.full(len(points), number)

    mean = Estimate("mean of draws", every(drawn.mean()), "m", standard_error=every(drawn.std() / 20))
    found = collected(claim(mean, "<=", sp.Rational(bound), UNIT))
    assert found.verdict == verdict
    assert ("may be off: three standard errors" in found.reason) == (bound == "0.7")


@pytest.mark.slow
def test_norms_of_vectors_touch_and_stand() -> None:
    n, t = sp.Symbol("n", integer=True, positive=True), sp.Symbol("t", integer=True)
    c = sp.IndexedBase("c", real=True)
    from boundaudit import Domain, Integers, Reals, Vector

    domain = Domain({n: Integers(1, 5), sp.Symbol("c"): Vector(n, Reals(-1, 1))})
    total, squares = sp.Sum(sp.Abs(c[t]), (t, 1, n)), sp.Sum(c[t] ** 2, (t, 1, n))
    assert collected(claim(sp.sqrt(squares), "<=", total, domain)).verdict in ("supported", "proved")
    both = measured(lambda p: math.hypot(*p["c"])), measured(lambda p: math.fsum(map(abs, p["c"])))
    assert collected(claim(both[0], "<=", both[1], domain)).verdict == "supported"


def test_a_measured_side_says_where_it_has_no_value() -> None:
    def root(points: Any, device: str) -> Any:
        return np.array([math.sqrt(p["x"]) if p["x"] != 1 else math.nan for p in points])

    whole = claim(Quantity("root", root, r"\sqrt{x}"), "<=", x + 1)
    partial = claim(Quantity("root", root, r"\sqrt{x}", except_at="x = 1"), "<=", x + 1)
    assert [collected(statement).verdict for statement in (whole, partial)] == ["undecided", "supported"]
    assert partial.scope == f"{whole.scope}; but for x = 1"
    assert partial.fingerprint != whole.fingerprint


def test_two_measurements_of_one_name_are_two() -> None:
    """SymPy keeps x + m of the one for the other where both symbols are equal."""
    for make in (lambda value: measured(lambda point: value), lambda value: Family("v", _rows(value), "v", 1, Reals())):
        one, two = make(1.0), make(2.0)
        sides = [(part.atom if isinstance(part, Quantity) else part[1]) + x**2 for part in (one, two)]
        assert [atoms_of(side) for side in sides] == [[one], [two]]
        assert [side_values(side, [{"x": 0}], "cpu")[0] for side in sides] == [1.0, 2.0]


def _rows(value: float) -> Any:
    return lambda points, device: np.full((len(points), 1), value)
