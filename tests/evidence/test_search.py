"""Search: the smallest counterexample of planted false bounds, narrow violations, and true bounds that survive."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.statements import BUDGET, UNIT, c, claim, collected, form_of, m, measured, n, some_slow, t, x, y, z

from boundaudit import (
    Choices,
    Claim,
    Domain,
    E,
    ForAll,
    Integers,
    P,
    Point,
    Quantity,
    Random,
    Reals,
    Space,
    Subsets,
    Var,
    Vector,
)  # fmt: skip
from boundaudit.checks.evidence import batch, collect
from boundaudit.checks.evidence.ascent import ascend
from boundaudit.checks.evidence.batch import RECHECKING, Batch
from boundaudit.checks.evidence.climb import GENERATION, Climb
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.evidence.crossings import crossings
from boundaudit.checks.evidence.evidence import Step, Worst, confirm
from boundaudit.checks.evidence.search import FAR, LONGEST, _far, search, thinned
from boundaudit.checks.evidence.shortened import shortened
from boundaudit.checks.evidence.shrink import shrink
from boundaudit.checks.evidence.swarm import swarm, swarm_afar
from boundaudit.checks.evidence.together import together
from boundaudit.checks.language.arithmetic import Exhausted, spend, spent

k, u = sp.symbols("k u", integer=True)
SIZES = Domain({n: Integers(2, tested_to=24), m: Integers(1, n), k: Integers(1, n)})
VECTORS = Domain({n: Integers(1, tested_to=6), sp.Symbol("c"): Vector(n, Reals(0, 1, open_low=True), square_sum=1)})


def look(statement: Claim, **budget: int) -> Any:
    return search(statement, **{**BUDGET, **budget}, seed=0, device="cpu")


@pytest.fixture
def _unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found stays as it was found: to shrink sums of many terms takes longer, and has a test of its own."""
    monkeypatch.setattr("boundaudit.checks.evidence.search.shrink", lambda _, witness: witness)


def found_point(evidence: Any) -> dict[str, Any]:
    assert evidence.outcome == "violated"
    assert evidence.witness is not None
    point: dict[str, Any] = evidence.witness.point
    return point


# --- the smallest counterexample --------------------------------------------------------------------


def sizes(largest: int) -> Iterator[tuple[int, int, int]]:
    return ((a, b, d) for a in range(2, largest + 1) for b in range(1, a + 1) for d in range(1, a + 1))


PLANTED: dict[str, tuple[Any, Any]] = {
    "a product": (n * m, lambda a, b, d: a * b),
    "a product of all": (n * m * k, lambda a, b, d: a * b * d),
    "the last parameter": (k**2 + 0 * n, lambda a, b, d: d * d),
    "a difference": (n + m**2 - k, lambda a, b, d: a + b * b - d),
    "parity": (m * (1 + (-1) ** (n + k)), lambda a, b, d: b * (1 + (-1) ** (a + d))),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("bound", [2, 7, 11])
def test_the_smallest_counterexample_is_the_one_that_counting_finds(name: str, bound: int) -> None:
    left, count = PLANTED[name]
    smallest = next(point for point in sizes(13) if count(*point) > bound)
    evidence = look(claim(left, "<=", bound, SIZES), smallest=1000)
    assert tuple(found_point(evidence).values()) == smallest
    assert evidence.witness.order == "smallest by n, m, k"


def simple(value: Fraction) -> tuple[int, Fraction]:
    return value.denominator, abs(value)


def small_vectors(length: int) -> list[tuple[Fraction, ...]]:
    """Vectors of the unit ball with denominators up to 4, the largest denominator first."""
    entries = sorted({Fraction(p, q) for q in range(1, 5) for p in range(1, q + 1)}, key=simple)
    rows = (row for row in itertools.product(entries, repeat=length) if sum(e * e for e in row) <= 1)
    return sorted(rows, key=lambda row: (max(e.denominator for e in row), [simple(e) for e in row]))


@pytest.mark.parametrize("bound", [sp.Rational(11, 10), sp.Rational(7, 6), sp.Rational(5, 4), sp.Rational(3, 2)])
def test_the_smallest_vector_comes_by_length_then_denominator(bound: Any) -> None:
    expected = next(
        (length, row) for length in (1, 2, 3) for row in small_vectors(length) if sum(row) > Fraction(bound)
    )
    evidence = look(claim(sp.Sum(c[t], (t, 1, n)), "<=", bound, VECTORS), smallest=400)
    assert tuple(found_point(evidence).values()) == expected


def test_a_sharp_bound_with_a_wrong_constant_falls_at_its_first_integer() -> None:
    """Σ k = n(n+1)/2 exceeds 3n/2 + 1 first at n = 3."""
    planted = claim(sp.Sum(t, (t, 1, n)), "<=", 3 * n / 2 + 1, Domain({n: Integers(1)}))
    assert found_point(look(planted)) == {"n": 3}


def test_choices_count_in_the_order_in_which_they_are_named() -> None:
    domain = Domain({n: Integers(1), u: Choices(wide=2, steep=1)})
    assert found_point(look(claim(n * u, "<=", 4, domain))) == {"n": 3, "u": 2}
    assert found_point(look(claim(n / u, "<=", 4, domain))) == {"n": 5, "u": 1}


def test_a_measured_bound_on_subsets_falls_at_the_first_family() -> None:
    domain = Domain({n: Integers(2, 6), sp.Symbol("S"): Subsets(2, 1, n)})

    def span(points: Any, device: str) -> Any:
        return np.array([float(p["S"][1][0] - p["S"][0][0]) for p in points])

    spread = claim(measured(lambda p: span([p], "cpu")[0]), "<=", 2, domain)
    evidence = look(spread)
    # Without a definition no arithmetic can confirm it, but it is not passed over.
    assert (evidence.outcome, evidence.witness) == ("violated", None)
    assert evidence.worst.point == {"n": 6, "S": ((1,), (6,))}


def test_a_false_identity_and_a_false_lower_bound_fall_too() -> None:
    numbers = Domain({n: Integers(0)})
    assert found_point(look(claim(n**2, "=", 3 * n - 2, Domain({n: Integers(1)})))) == {"n": 3}
    assert found_point(look(claim(2**n, ">=", n**2, numbers))) == {"n": 3}


# --- narrow violations ------------------------------------------------------------------------------

CUBE = Domain({x: Reals(0, 1), y: Reals(0, 1), z: Reals(0, 1)})
DISTANCE = (x - sp.sqrt(2) / 2) ** 2 + (y - sp.pi / 4) ** 2 + (z - sp.exp(-1)) ** 2
NARROW = claim(-sp.Sum(DISTANCE, (t, 1, 1)), "<=", -sp.Rational(1, 10**5), CUBE)
"""Violated only within 0.0032 of one point: on a ten-millionth of the cube; a swarm leaves sums to the climb."""


@pytest.mark.slow
def test_the_climb_finds_what_random_points_miss() -> None:
    points = [*CUBE.grid(3000), *CUBE.sample(3000, np.random.default_rng(0))]
    assert Batch.measure(NARROW, points, "cpu").decide().witness is None
    assert look(NARROW, smallest=20, examples=5, generations=0).witness is None
    evidence = look(NARROW, smallest=20, examples=5, generations=80)
    assert NARROW.domain.contains(found_point(evidence)) is True
    assert evidence.witness.order is None or evidence.witness.order.startswith("shrunk")


def test_a_swarm_finds_a_much_narrower_one() -> None:
    narrow = claim(-DISTANCE, "<=", -sp.Rational(1, 10**10), CUBE)
    assert narrow.domain.contains(found_point(look(narrow, smallest=20, examples=0, generations=0))) is True


VALLEY = claim(
    sp.Sum(c[t], (t, 1, m)) ** 2, "<=", 24 + (k - sp.floor(m / 2)) ** 2,
    Domain({
        n: Integers(2, tested_to=30), m: Integers(1, n), sp.Symbol("c"): Vector(m, Reals(0, 1, open_low=True),
        square_sum=1), k: Integers(0, m),
    }),
)  # fmt: skip
"""The left side is at most m, for equal entries: violated only for m > 24, k ≈ m/2 and nearly equal entries."""


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.slow
def test_the_climb_reaches_a_corner_with_a_vector_and_a_parameter_behind_it(seed: int) -> None:
    climb = Climb(VALLEY, seed, "cpu")
    climb.run(32)
    assert climb.looked <= 32 * GENERATION
    witness = climb.decision.witness
    assert witness is not None
    assert witness.point["m"] >= 25
    assert abs(witness.point["k"] - witness.point["m"] // 2) <= 2
    assert VALLEY.domain.contains(witness.point) is True
    # Beyond the first counterexample it climbs on: 30 equal entries give 30/24.
    assert climb.path[-1].worst.ratio == pytest.approx(30 / 24, rel=0.02)


@pytest.mark.slow
def test_the_path_of_a_climb_rises_and_is_kept_where_it_leads_to_a_counterexample() -> None:
    evidence = look(NARROW, smallest=20, examples=5, generations=80)
    path = evidence.path
    assert 2 <= len(path) <= LONGEST
    heights = [step.worst.left - step.worst.right for step in path]
    assert heights == sorted(set(heights))
    assert heights[0] < 0 < heights[-1]
    counts = [step.evaluations for step in path]
    assert counts == sorted(set(counts))
    assert evidence.to_json()["path"][0] == path[0].to_json()
    for step in path:
        x0, y0, z0 = step.worst.point.values()
        height = -((x0 - 0.5**0.5) ** 2 + (y0 - math.pi / 4) ** 2 + (z0 - math.exp(-1)) ** 2)
        assert step.worst.left == pytest.approx(height, rel=1e-9)
    assert look(TRUE["means"]).path == ()


def test_a_long_path_keeps_its_ends() -> None:
    path = [Step(i, Worst({"n": i}, float(i), 1.0)) for i in range(50)]
    short = thinned(path)
    assert len(short) == LONGEST
    assert (short[0], short[-1]) == (path[0], path[-1])
    assert thinned(path[:3]) == tuple(path[:3])
    assert thinned([]) == ()


def test_relations_between_parameters_bind_the_climb() -> None:
    bound = claim(x + y, "<=", sp.Rational(3, 2), Domain({x: Reals(0, 1), y: Reals(0, 1)}, where=[x + y <= 1]))
    climb = Climb(bound, 0, "cpu")
    climb.run(12)
    assert (climb.decision.outcome, climb.path[-1].worst.left) == ("holds", pytest.approx(1, abs=0.02))


def noted(of: Callable[[dict[str, Any]], float]) -> tuple[Quantity, list[tuple[Any, ...]]]:
    """A measurement, and the points at which it was made."""
    points: list[tuple[Any, ...]] = []

    def note(point: dict[str, Any]) -> float:
        points.append(tuple(point.values()))
        return of(point)

    return measured(note, rounding=1e-9), points


PLANE = Domain({x: Reals(0, 1), y: Reals(0, 1)})


def test_claims_on_a_domain_are_looked_at_at_the_same_points() -> None:
    """Up to where each steps from its own worst points: an identity that holds does so nowhere."""
    found = []
    for label in ("test.one", "test.other"):
        left, points = noted(lambda point: point["x"] + point["y"])
        search(claim(left, "=", x + y, PLANE, label=label), **BUDGET, seed=0, device="cpu")
        found.append(points)
    assert found[0] == found[1]
    assert len(found[0]) > BUDGET["smallest"]


@pytest.mark.parametrize(("off", "steps"), [(1e-12, False), (1e-6, True)])
def test_nothing_climbs_where_an_identity_holds_up_to_rounding(off: float, steps: bool) -> None:
    """Noise has no slope; what is further off has one, and is followed to where it is largest."""
    left, points = noted(lambda point: point["x"] + off * point["x"] * point["y"])
    identity = claim(left, "=", x, PLANE)
    starts = [({"x": value, "y": value}, off * value) for value in (0.5, 0.75)]
    found = ascend(identity, starts, 12, 0, "cpu")
    assert (found.count > 0, bool(points)) == (steps, steps)
    assert (found.worst is not None and found.worst.point["y"] > 0.75) is steps
    climb = Climb(identity, 0, "cpu")
    climb.run(8)
    drawn = Climb(claim(left, "=", x, PLANE), 0, "cpu")
    drawn.run(2)
    assert climb.looked > drawn.looked


def test_hypothesis_hunts_and_shrinks_a_violation() -> None:
    planted = claim(x, "<=", sp.Rational(9, 10), Domain({n: Integers(1, 9), x: Reals(0, 1)}))
    evidence = look(planted, smallest=1, examples=60, generations=0)
    point = found_point(evidence)
    assert (point["n"], point["x"]) == (1, 1)


def test_a_violation_that_only_hypothesis_meets_is_not_passed_over() -> None:
    spike = measured(lambda p: float(p["x"] == 1.0 and p["y"] == 1.0))
    evidence = look(claim(spike, "<=", sp.Rational(1, 2), CUBE), smallest=1, examples=300, generations=0)
    assert (evidence.outcome, evidence.witness) == ("violated", None)
    assert evidence.worst.ratio == 2.0


# --- true bounds ------------------------------------------------------------------------------------

POSITIVE = Domain({x: Reals(0, 10, open_low=True), y: Reals(0, 10, open_low=True)})
TRUE: dict[str, Claim] = {
    "means": claim(2 * sp.sqrt(x * y), "<=", x + y, POSITIVE),
    "logarithm": claim(sp.log(1 + x), "<=", x, POSITIVE),
    "exponential": claim(sp.exp(-x), ">=", 1 - x, POSITIVE),
    "identity": claim((x + y) ** 2 - (x - y) ** 2, "=", 4 * x * y, POSITIVE),
    "Cauchy and Schwarz": claim(sp.Sum(c[t], (t, 1, n)) ** 2, "<=", n, VECTORS),
    "Gauss": claim(sp.Sum(t, (t, 1, n)), "=", n * (n + 1) / 2, Domain({n: Integers(0, tested_to=50)})),
    "measured": claim(measured(lambda p: math.hypot(p["x"], p["y"])), "<=", x + y + sp.Rational(1, 100), POSITIVE),
    "tight at one point": claim(x * (1 - x), "<=", sp.Rational(1, 4)),
}


@pytest.mark.parametrize("name", some_slow(TRUE, "Cauchy and Schwarz"))
def test_a_true_bound_survives(name: str) -> None:
    evidence = look(TRUE[name], generations=8)
    assert (evidence.outcome, evidence.witness, evidence.notes) == ("holds", None, ())
    assert evidence.evaluations > 100
    assert evidence.worst is not None


def test_the_worst_case_of_a_tight_bound_is_its_equality_case() -> None:
    worst = look(claim(x * (1 - x), "<=", sp.Rational(1, 4))).worst
    assert (worst.point, worst.ratio) == ({"x": Fraction(1, 2)}, 1.0)


@pytest.mark.parametrize("domain", [
    Domain({x: Reals(2, 1)}), Domain({x: Reals(0, 1)}, where=[x > 2]),
], ids=["empty range", "contradiction"])  # fmt: skip
def test_an_empty_domain_is_no_evidence(domain: Domain) -> None:
    evidence = look(claim(x, "<=", 0, domain))
    assert (evidence.outcome, evidence.evaluations, evidence.worst) == ("undecided", 0, None)


def test_points_without_a_value_are_no_evidence() -> None:
    nothing = look(claim(measured(lambda p: math.nan), "<=", 1))
    assert (nothing.outcome, nothing.evaluations) == ("undecided", 0)
    half = look(claim(measured(lambda p: math.nan if p["x"] > 0.5 else 0.0), "<=", 1))
    whole = look(claim(measured(lambda p: 0.0), "<=", 1))
    assert half.outcome == "undecided"
    assert half.against.startswith("the left side has no value at x = ")
    assert 0 < half.evaluations < whole.evaluations


# --- repetition -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("statement", [NARROW, TRUE["Cauchy and Schwarz"], claim(x, "<=", x**2)], ids=lambda s: s.text)
def test_the_same_seed_gives_the_same_evidence(statement: Claim) -> None:
    one, two = (look(statement, smallest=5).to_json() for _ in range(2))
    assert one == two


def test_seed_and_label_choose_the_points() -> None:
    seen: list[list[Any]] = []

    def watched(label: str, seed: int) -> list[Any]:
        seen.append([])

        def watch(point: dict[str, Any]) -> float:
            seen[-1].append(tuple(point.values()))
            return 0.0

        search(claim(measured(watch), "<=", 1, CUBE, label=label), **BUDGET, seed=seed, device="cpu")
        return seen[-1]

    first = watched("test.one", 1)
    assert first == watched("test.one", 1)
    assert first != watched("test.one", 2)
    assert first != watched("test.two", 1)


# --- shrinking --------------------------------------------------------------------------------------


def test_a_counterexample_shrinks_in_the_order_of_the_parameters() -> None:
    planted = claim(n * x, "<=", 3, Domain({n: Integers(1), x: Reals(0, 2)}))
    witness = confirm(form_of(planted), {"n": 50, "x": 1.7320508}, True)
    assert witness is not None
    smaller = shrink(planted, witness)
    # n = 1 never violates it for x ≤ 2; at n = 2 the simplest value above 3/2 is 2.
    assert smaller.point == {"n": 2, "x": 2}
    assert smaller.order == "shrunk by n, x"
    assert shrink(planted, smaller).point == smaller.point


def test_what_is_shrunk_still_violates_the_claim_inside_its_domain() -> None:
    planted = claim(sp.Sum(c[t] ** 2, (t, 1, n)), ">=", sp.Rational(1, 50), VECTORS)
    witness = confirm(form_of(planted), {"n": 3, "c": (0.01, 0.02, 0.05)}, True)
    assert witness is not None
    smaller = shrink(planted, witness)
    assert VECTORS.contains(smaller.point) is True
    assert smaller.point["n"] == 1
    assert float(smaller.left) < 0.02
    assert UNIT.contains({"x": smaller.point["c"][0]}) is True


# --- how far it reaches -----------------------------------------------------------------------------

LINE = Domain({x: Reals()})
COUNTED = Domain({n: Integers(1, 10**6)})
NEEDLES: dict[str, Claim] = {
    "an open end at zero": claim(-sp.log(x), "<=", 800, Domain({x: Reals(0, 1, open_low=True)})),
    "an open end elsewhere": claim(
        sp.exp(x), "<=", sp.E - sp.Rational(1, 10**25), Domain({x: Reals(0, 1, open_high=True)})
    ),
    "infinitely far out": claim(sp.log(1 + x**2), "<=", 1300, LINE),
    "one integer in a million": claim(sp.Abs(n - 777_777), ">=", sp.Rational(1, 2), COUNTED),
    "one integer without an upper limit": claim((n - 654_321) ** 2, ">=", 1, Domain({n: Integers(0)})),
    "one pair of integers": claim(
        (n - 511) ** 2 + (m - 333) ** 2, ">=", 1, Domain({n: Integers(1, 2000), m: Integers(1, 2000)})
    ),
    "an irrational maximum": claim(
        x * (2 - x**2), "<=", 4 * sp.sqrt(6) / 9 - sp.Rational(1, 10**30), Domain({x: Reals(0, 1)})
    ),
    "a transcendental maximum": claim(sp.sin(x), "<=", 1 - sp.Rational(1, 10**40), Domain({x: Reals(0, 3)})),
}


@pytest.mark.parametrize("name", NEEDLES)
def test_the_search_reaches_ends_needles_and_stationary_points(name: str) -> None:
    evidence = look(NEEDLES[name], generations=8)
    assert NEEDLES[name].domain.contains(found_point(evidence)) is True


def test_the_true_neighbours_of_these_survive() -> None:
    true = claim(x * (2 - x**2), "<=", 4 * sp.sqrt(6) / 9, Domain({x: Reals(0, 1)}))
    assert look(true, generations=8).witness is None
    counted = look(claim((2 * n - 1) ** 2, ">=", 1, COUNTED))
    assert counted.outcome == "holds"
    assert "integers in order in floating point" in counted.covers


def test_the_worst_case_is_the_largest_ratio() -> None:
    """A slack that is smallest where both sides vanish hides a ratio of a half."""
    shallow = claim(measured(lambda p: p["x"] * (0.1 + 0.4 * p["x"]), scale=1.0), "<=", x)
    assert look(shallow, generations=8).worst.ratio == pytest.approx(0.5, rel=1e-6)
    lower = claim(measured(lambda p: p["x"] * (3 - p["x"]), scale=1.0), ">=", x)
    assert look(lower, generations=8).worst.ratio == pytest.approx(2.0, rel=1e-6)


def test_the_worst_case_of_integers_is_reached_by_their_own_steps() -> None:
    hidden = claim(measured(lambda p: 1 / (1 + abs(p["n"] - 49_999))), "<=", 2, Domain({n: Integers(1, 10**5)}))
    assert look(hidden, generations=32).worst.point == {"n": 49_999}


def test_floats_that_cancel_far_out_are_no_measurement() -> None:
    one = measured(lambda p: 1.0, definition=sp.Abs(x + 1) - x)
    evidence = look(claim(sp.Rational(1, 2), "<=", one, Domain({x: Reals(1)})), generations=4)
    assert (evidence.outcome, evidence.against) == ("holds", None)


def test_what_is_measured_is_measured_within_reach() -> None:
    """The swarm flies by the definitions, to numbers at which a measurement would fill the memory."""
    n = sp.Symbol("n", integer=True, positive=True)
    seen: list[int] = []

    def measure(points: Sequence[Point], device: str) -> Any:
        seen.extend(int(point["n"]) for point in points)
        return np.array([float(point["n"]) for point in points])

    reach = claim(Quantity("n", measure, "n", n), "<=", n + 1 / n, Domain({n: Integers(1, tested_to=20)}))
    search(reach, smallest=50, examples=20, generations=4, seed=0, device="cpu")
    assert max(seen) <= 10_000


LONG = {
    "a sum": (sp.Sum(c[t], (t, 1, n)), 100, ()),
    "an entropy": (-sp.Sum(c[t] * sp.log(c[t]), (t, 1, n)), 5, (sp.Eq(sp.Sum(c[t], (t, 1, n)), 1),)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_many_entries_are_looked_at(name: str) -> None:
    left, right, where = LONG[name]
    domain = Domain({n: Integers(1), c: Vector(n, Reals(0, 1, open_low=True))}, where=where)
    found = search(claim(left, "<=", right, domain), seed=0, device="cpu", **BUDGET)
    assert found.witness is not None
    assert int(found.witness.point["n"]) > 100


X, a = sp.Symbol("X", real=True), sp.Symbol("a", positive=True)


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right"), [
    (P(X - E(X) >= a), Var(X) / (Var(X) + a**2)), (P((X - E(X)) ** 2 >= a**2), Var(X) / a**2),
], ids=["Cantelli", "Chebyshev"])  # fmt: skip
def test_an_outcome_meets_the_threshold_of_a_probability(left: Any, right: Any) -> None:
    """Both hold with equality where some outcome is the threshold itself: no random point is there."""
    space = Space({a: Reals(0, open_low=True), X: Random()})
    assert look(claim(left, "<=", right, space)).outcome == "holds"
    assert look(claim(left, "<=", sp.Rational(99, 100) * right, space)).witness is not None


GROWING = {
    "harmonic numbers": (sp.Sum(1 / t, (t, 1, n)), 100),
    "a logarithm of a logarithm": (sp.Sum(1 / (t * sp.log(t)), (t, 2, n)), 4),
    "a product": (sp.Product(1 + 1 / t, (t, 1, n)), 10**9),
}


@pytest.mark.usefixtures("_unshrunk")
@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_slow_growth_is_seen_where_nobody_adds_up(name: str) -> None:
    witness = look(claim(GROWING[name][0], "<=", GROWING[name][1], Domain({n: Integers(2)}))).witness
    assert witness is not None
    assert witness.point["n"] > 10**8
    assert float(witness.left) > GROWING[name][1]


@pytest.mark.slow
def test_points_far_out_in_all_parameters_are_looked_at() -> None:
    positive = {s: Reals(0, open_low=True) for s in (x, y, z)}
    assert look(claim(sp.Min(x, y, z), "<=", (x + y + z) / 3, Domain(positive))).outcome == "holds"
    witness = look(claim(sp.Min(x, y, z), "<=", 10**6, Domain(positive))).witness
    assert witness is not None
    assert min(witness.point.values()) > 10**6


@pytest.mark.usefixtures("_unshrunk")
@pytest.mark.slow
def test_a_sum_of_many_terms_is_looked_at_beside_small_numbers() -> None:
    domain = Domain({x: Reals(0, open_low=True), n: Integers(1)})
    total = sp.Sum(1 / (1 + x * k**2), (k, 1, n))
    assert look(claim(total, "<=", sp.pi / (2 * sp.sqrt(x)), domain)).outcome == "holds"
    point = found_point(look(claim(total, "<=", 3 / (2 * sp.sqrt(x)), domain)))
    assert point["n"] > 400
    assert point["x"] < 1


def test_many_terms_are_looked_at_within_the_domain() -> None:
    domain = Domain({n: Integers(1), x: Reals(0, 1)})
    points = list(together(claim(sp.Sum(x**k, (k, 1, n)), "<=", n, domain)))
    assert max(point["n"] for point in points) > 10**4
    assert all(domain.contains(point) for point in points)


@pytest.mark.slow
def test_however_many_parameters_go_together_so_many_points_are_looked_at() -> None:
    m, *reals = sp.Symbol("m", integer=True, positive=True), *sp.symbols("a b c", positive=True)
    domain = Domain({n: Integers(1), m: Integers(1), **{each: Reals(0, open_low=True) for each in reals}})
    total = sum(sp.Sum(1 / (1 + reals[0] * k), (k, 1, end)) for end in (n, m))
    statement = claim(total, "<=", n + m + reals[1] + reals[2], domain)
    assert len(list(together(statement))) > FAR
    assert _far(statement).count <= 2 * FAR


@pytest.mark.usefixtures("_unshrunk")
@pytest.mark.slow
def test_long_vectors_that_fall_are_looked_at() -> None:
    """Hilbert's inequality, with π."""
    a, places = sp.IndexedBase("a", real=True), [(sp.Symbol(name, integer=True, positive=True), 1, n) for name in "ij"]
    (first, *_), (second, *_) = places
    total = sp.Sum(a[first] * a[second] / (first + second - 1), *places)
    domain = Domain({n: Integers(1), a: Vector(n, Reals(0))})
    assert len(found_point(look(claim(total, "<=", 2 * sp.Sum(a[first] ** 2, places[0]), domain)))["a"]) > 9


def test_a_window_far_out_is_found() -> None:
    witness = look(claim(sp.Abs(sp.log(n) - 50), ">=", sp.Rational(1, 100), Domain({n: Integers(1)}))).witness
    assert witness is not None
    assert math.log(witness.point["n"]) == pytest.approx(50, abs=0.01)


def test_what_is_found_far_out_is_shrunk() -> None:
    witness = look(claim(n * x, "<=", 12_345, Domain({n: Integers(1), x: Reals(0)}))).witness
    assert witness is not None
    assert (witness.point["n"], witness.order) == (1, "shrunk by n, x")


def test_what_a_search_could_not_shrink_is_not_shrunk_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "shrink", lambda *_: pytest.fail("shrunk again"))
    apart = claim(sp.Abs(sp.log(n) - 50), ">=", sp.Rational(1, 100), Domain({n: Integers(1)}), expected="refuted")
    found = collected(apart)
    assert found.witness is not None
    assert found.witness.order is None


@pytest.mark.usefixtures("_unshrunk")
@pytest.mark.slow
def test_long_sums_are_added_up_where_they_may_fail() -> None:
    half, counts = sp.Sum(1 / (n + t), (t, 1, n)), Domain({n: Integers(1)})
    assert look(claim(half, "<=", sp.log(2), counts)).outcome == "holds"
    assert look(claim(half, "<=", sp.Rational(69314, 10**5), counts)).witness is not None


@pytest.mark.slow
def test_laws_of_three_outcomes_are_looked_at() -> None:
    """The largest of three is 1 always, each of their means is 1/3."""
    variables = sp.symbols("X Y Z", real=True)
    space = Space(dict.fromkeys(variables, Random(Reals(0, 1))))
    short = claim(E(sp.Max(*variables)), "<=", sp.Max(*map(E, variables)) + sp.Rational(66, 100), space)
    assert look(short).witness is not None


# --- needles ----------------------------------------------------------------------------------------

COUNTS = Domain({n: Integers(1)})
PAIRS = Domain({n: Integers(1), m: Integers(1)})
AGREEING: dict[str, tuple[Any, Any, Domain]] = {
    "one integer": ((n - 987654321) ** 2, 1, COUNTS),
    "a double root": (n**2 - 2 * 10**12 * n + 10**24, 1, COUNTS),
    "no float between": ((n - 10**20) * (n - 10**20 - 2), 0, COUNTS),
    "the last of a range": (sp.Abs(n - 10**9), 1, Domain({n: Integers(1, 10**9)})),
    "between two maxima": (sp.Max(n - 10**9, 10**9 + 2 - n), 2, COUNTS),
    "a logarithm": (sp.Abs(sp.log(n) - 30), sp.Rational(1, 10**6), COUNTS),
    "fractional parts": (n * sp.sqrt(2) - sp.floor(n * sp.sqrt(2)), sp.Rational(1, 10**6), COUNTS),
    "a sine": (sp.Abs(sp.sin(n)), sp.Rational(1, 10**12), COUNTS),
    "close to a root": (sp.Abs(n / m - sp.sqrt(2)), sp.Rational(1, 10**7), PAIRS),
    "two logarithms": (sp.Abs(m * sp.log(2) - n * sp.log(3)), sp.Rational(1, 10**8), PAIRS),
    "Pell with 421": (sp.Abs(m**2 - 421 * n**2 - 1), 1, PAIRS),
    "two primes": (sp.Abs(100003 * m - 99991 * n - 1), 1, PAIRS),
    "triangular squares": (sp.Abs(m * (m + 1) - 2 * n**2), 1, Domain({m: Integers(10**6), n: Integers(1)})),
}


@pytest.mark.parametrize("name", AGREEING)
def test_needles_are_found_where_terms_all_but_agree(name: str) -> None:
    left, right, domain = AGREEING[name]
    witness = crossings(claim(left, ">=", right, domain)).witness
    assert witness is not None
    assert domain.contains(witness.point) is True


@pytest.mark.parametrize(
    ("left", "right"), [(sp.Abs(61 * m**2 - n**2), 1), (sp.Abs(n / m - sp.sqrt(2)) * m**2, sp.Rational(1, 3)), (n, 1)]
)
def test_what_holds_at_every_needle_is_not_refuted(left: Any, right: Any) -> None:
    assert crossings(claim(left, ">=", right, PAIRS)).witness is None


def test_a_flat_bump_is_found_by_what_it_is_a_function_of() -> None:
    steep = 10**8 * ((3 * x + 5 * y - 7) ** 2 + (x - y - sp.Rational(1, 3)) ** 2)
    plane = Domain({x: Reals(), y: Reals()})
    assert swarm(claim(sp.exp(-steep), "<=", sp.Rational(1, 2), plane), 20, 0)[0].decision.witness is not None
    assert swarm(claim(1 / (1 + steep), "<=", sp.Rational(1, 2), plane), 20, 0)[0].decision.witness is not None
    assert swarm(claim(sp.exp(-steep), "<=", 1, plane), 20, 0)[0].decision.witness is None


# --- short vectors as numbers -----------------------------------------------------------------------

X = sp.Symbol("X", real=True)


def test_a_law_at_short_lengths_is_a_claim_about_numbers() -> None:
    """The last chance is what is left; a point goes back to one of the whole domain."""
    whole = claim(E(X) ** 2, "<=", E(X**2), Space({X: Random(Reals(0, 1))}))
    found = list(shortened(whole))
    assert [list(short.domain.ranges) for short, _ in found] == [
        ["chance_1", "X_1", "X_2"], ["chance_1", "chance_2", "X_1", "X_2", "X_3"],
    ]  # fmt: skip
    for short, lifted in found:
        for point in short.domain.sample(20, np.random.default_rng(0)):
            assert whole.domain.contains(lifted(point)) is True
            sides = (Batch.measure(of, [at], "cpu") for of, at in ((short, point), (whole, lifted(point))))
            one, other = ((batch.left[0], batch.right[0]) for batch in sides)
            assert one == pytest.approx(other, rel=1e-12)


def test_no_vector_no_short_length() -> None:
    assert list(shortened(claim(x, "<=", 1))) == []
    assert list(shortened(claim(measured(lambda point: 1.0), "<=", 1, VECTORS))) == []
    lengths = {n: Integers(1), m: Integers(1), sp.Symbol("c_1"): Reals(), c: Vector(n, Reals())}
    named = Domain({of: found for of, found in lengths.items() if of != m})
    assert list(shortened(claim(c[1], "<=", 1, named))) == []  # c_1 is a parameter's name
    others = Domain(
        {of: found for of, found in lengths.items() if str(of) != "c_1"}, where=[ForAll(c[t] <= 1, (t, 1, m))]
    )
    assert list(shortened(claim(c[1], "<=", 1, others))) == []  # as many relations as m says
    within = Domain({n: Integers(1), m: Integers(1, n), c: Vector(m, Reals())})
    assert list(shortened(claim(c[1], "<=", 1, within))) == []  # a length up to n
    beside = Domain({n: Integers(1), m: Integers(1), c: Vector(n, Reals())})
    assert list(shortened(claim(sp.Sum(1 / t, (t, 1, m)), "<=", c[1], beside))) == []  # SymPy: a harmonic number


@pytest.mark.slow
@pytest.mark.parametrize(
    ("least", "most", "found"),
    [(E(X) ** 2 * sp.Rational(26, 100), E(X**2) * P(X > E(X) / 2), True),
     (E(X) ** 2 / 4, E(X**2) * P(X > E(X) / 2), False),
     (E(X**4), 10**4 * E(X**2) ** 2, True)],
)  # fmt: skip
def test_laws_with_a_rare_outcome_are_looked_at(least: Any, most: Any, found: bool) -> None:
    whole = claim(least, "<=", most, Space({X: Random(Reals(0))}))
    witnesses = [
        confirmed
        for short, lifted in shortened(whole)
        for decision in (swarm(short, 28, 0)[0].decision, swarm_afar(short, 28, 0).decision)
        if decision.witness and (confirmed := counterexample(whole, lifted(decision.witness.point)))
    ]
    assert bool(witnesses) is found


@pytest.mark.slow
def test_entries_that_add_up_to_a_number() -> None:
    numbers = Domain({n: Integers(1), c: Vector(n, Reals(0))})
    apart = sp.Abs(sp.Sum(c[t], (t, 1, n)) - 777)
    assert look(claim(apart, ">=", sp.Rational(1, 1000), numbers)).witness is not None
    assert look(claim(apart, ">=", 0, numbers)).witness is None


@pytest.mark.slow
def test_long_vectors_are_looked_at_where_an_index_bounds_the_entries() -> None:
    """Harmonic numbers: 6 at 227 entries."""
    decays = Domain({n: Integers(1), c: Vector(n, Reals(0))}, where=[ForAll(c[t] <= 1 / t, (t, 1, n))])
    assert _far(claim(sp.Sum(c[t], (t, 1, n)), "<=", 6, decays)).is_refuted


def test_what_is_next_to_equality_has_time_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(*_: Any) -> None:
        with suppress(Exhausted):
            spend(batch.RECHECKING)

    monkeypatch.setattr(batch, "certainly_holds", spent)
    monkeypatch.setattr(batch, "counterexample", spent)
    near = claim(0, "<=", sp.log(1 + sp.exp(-z)), Domain({z: Reals(1)}, where=[z**2 >= z]))
    off = claim(1, "<=", sp.log(1 + sp.exp(-z)), Domain({z: Reals(1)}, where=[z**2 >= z]))
    points, rounded = [{"z": 10**17 + 0.5}], np.array([-1e-14])
    assert Batch(near, points, np.zeros(1), rounded).decide().against == 0
    assert Batch(off, points, np.ones(1), rounded).decide().against == 1


# --- sums that nobody can add up ---------------------------------------------------------------------

i = sp.Symbol("i", integer=True)
MEANS = sp.Sum((sp.Sum(1 / sp.sqrt(i), (i, 1, t)) / t) ** 2, (t, 1, n))
HARDY = claim(MEANS, "<=", sp.Rational(7, 2) * sp.Sum(1 / t, (t, 1, n)), COUNTS)


@pytest.mark.usefixtures("_unshrunk")
@pytest.mark.slow
def test_a_constant_below_that_of_hardys_inequality_fails_far_out() -> None:
    witness = look(HARDY).witness
    assert witness is not None
    assert witness.point["n"] > 10**6


@pytest.mark.slow
def test_shrinking_ends_where_its_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six hundred of these sums, each of up to 180,000 terms, would take minutes."""
    work = RECHECKING // 5
    monkeypatch.setattr("boundaudit.checks.evidence.shrink.RECHECKING", work)
    witness = counterexample(HARDY, {"n": 10**12})
    assert witness is not None
    before = spent()
    assert shrink(HARDY, witness) == witness
    assert spent() - before < 2 * work
