"""Domains: one definition, and all that is made of it agrees on what lies inside."""

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from tests.statements import m, n, some_slow, x, y

from boundaudit import Choices, Domain, ForAll, InputError, Integers, Matrix, Reals, Subsets, Vector
from boundaudit.checks.language.domain.compound import MOST_ENTRIES
from boundaudit.checks.language.domain.limits import Empty, limit_of
from boundaudit.checks.language.points import from_json, to_json
from boundaudit.checks.sharpness.targets import POSITIVE, TARGETS

a, b, k = sp.Symbol("a"), sp.Symbol("b"), sp.Symbol("k", integer=True)
V, S, A = sp.Symbol("v"), sp.Symbol("S"), sp.Symbol("A")
THIRD = sp.Rational(1, 3)
VECTOR, VALUES = sp.IndexedBase("v"), sp.IndexedBase("A")


def total(body: sp.Expr) -> sp.Sum:
    return sp.Sum(body, (k, 1, n))


DOMAINS: dict[str, Domain] = {
    "integers": Domain({n: Integers(-3, 5)}), "unbounded integers": Domain({n: Integers(2, tested_to=9)}),
    "integers up to an earlier one": Domain({n: Integers(1, 7), m: Integers(2, n / 2)}),
    "integers up to a logarithm": Domain({n: Integers(1, 40), m: Integers(0, sp.log(n) / sp.log(2))}),
    "a closed interval": Domain({x: Reals(-THIRD, sp.sqrt(2))}),
    "an open interval": Domain({x: Reals(0, 1, open_low=True, open_high=True)}),
    "the line": Domain({x: Reals(tested_to=3)}), "a half line": Domain({x: Reals(high=-2)}),
    "decades": Domain({x: Reals(sp.Rational(1, 10**9), 10**6)}),
    "a moving interval": Domain({n: Integers(1, 6), x: Reals(n**-4, sp.Rational(7, 10) / n + 1)}),
    "choices": Domain({a: Choices(half=Fraction(1, 2), two=2, minus=-1)}),
    "vectors": Domain({n: Integers(0, 4), V: Vector(n, Reals(-1, 2))}),
    "a ball": Domain({n: Integers(1, 5), V: Vector(n, Reals(0, 1), square_sum=1)}),
    "a ball with a floor": Domain({n: Integers(1, 5), V: Vector(n, Reals(THIRD, 1), square_sum=1)}),
    "a ball around zero": Domain({n: Integers(1, 4), V: Vector(n, Reals(-2, 2, open_low=True), square_sum=n)}),
    "a ball that leaves negative entries": Domain({n: Integers(1, 4), V: Vector(n, Reals(-2, -THIRD), 1)}),
    "subsets": Domain({n: Integers(1, 5), k: Integers(1, n), S: Subsets(2, k, n)}),
    "all subsets": Domain({n: Integers(2, 6), S: Subsets(n, n - 1, n)}),
    "matrices": Domain({n: Integers(1, 3), A: Matrix(n + 1, n, Reals(-1, 2))}),
    "matrices in a ball": Domain({n: Integers(1, 4), A: Matrix(n, 2, Reals(-1, 1), square_sum=1)}),
    "matrices away from zero": Domain({n: Integers(1, 3), A: Matrix(n, n, Reals(THIRD, 1, open_low=True))}),
    "any matrices": Domain({n: Integers(1, tested_to=4), m: Integers(1, n), A: Matrix(m, n)}),
    "a triangle": Domain({x: Reals(0, 1), y: Reals(0, 1)}, where=[x + y < 1, x >= y]),
    "a circle": Domain({x: Reals(), y: Reals()}, where=[sp.Eq(x**2 + y**2, 1)]),
    "a hyperbola": Domain(dict.fromkeys((x, y), Reals(0, open_low=True)), where=[sp.Eq(1 / x + 1 / y, 1)]),
    "two half lines": Domain({x: Reals()}, where=[sp.Or(x <= -1, x >= THIRD)]),
    "off the diagonal": Domain({x: Reals(0, 1), y: Reals(0, 1)}, where=[sp.Ne(x, y)]),
    "a point or a half line": Domain({x: Reals()}, where=[sp.Or(sp.Eq(x, 1), sp.And(x > 2, sp.Ne(x, 3)))]),
    "integers but two": Domain({n: Integers(0, 6)}, where=[sp.Ne(n, 2), sp.Ne(n, 4)]),
    "a recursion": Domain(
        {x: Reals(0, 1), n: Integers(1, 5), V: Vector(n, Reals(0))},
        where=[ForAll(VECTOR[k + 1] <= (1 + x) * VECTOR[k] + 1, (k, 1, n - 1))],
    ),
    "an exact recursion": Domain(
        {x: Reals(0, 1), n: Integers(1, 2), V: Vector(n, Reals(-2, 2))},
        where=[ForAll(sp.Eq(VECTOR[k + 1], x * VECTOR[k] - 1), (k, 1, n - 1))],
    ),
    "growing vectors": Domain(
        {n: Integers(1, 5), V: Vector(n, Reals())}, where=[ForAll(VECTOR[k] < VECTOR[k + 1], (k, 1, n - 1))],
    ),
    "vectors between two numbers": Domain(
        {x: Reals(), n: Integers(0, 4), V: Vector(n, Reals())},
        where=[ForAll(VECTOR[k] <= x + k, (k, 1, n)), ForAll(VECTOR[k] >= x, (k, 1, n))],
    ),
    "a simplex": Domain({n: Integers(1, 5), V: Vector(n, Reals(0, 1))}, where=[sp.Eq(total(VECTOR[k]), 1)]),
    "a sphere": Domain({n: Integers(1, 5), V: Vector(n, Reals(-1, 1))}, where=[sp.Eq(total(VECTOR[k] ** 2), 1)]),
    "a sphere by two inequalities": Domain(
        {n: Integers(2, 4), V: Vector(n, Reals(-1, 1))}, where=[total(VECTOR[k] ** 2) <= 1, total(VECTOR[k] ** 2) >= 1],
    ),
    "targets": TARGETS, "positive targets": POSITIVE,
}  # fmt: skip
each_domain = pytest.mark.parametrize("name", DOMAINS)
each_domain_in_time = pytest.mark.parametrize("name", some_slow(DOMAINS, "a sphere", "a sphere by two inequalities"))


@functools.cache
def listed(name: str) -> list[dict[str, Any]]:
    """Points of a domain from every source but Hypothesis."""
    domain = DOMAINS[name]
    small = itertools.islice(domain.smallest(3), 60)
    corners = itertools.product((0.0, 0.5, 1 - 2.0**-53), repeat=3)
    ends = (point for corner in corners if (point := domain.from_unit(corner * 4)) is not None)
    return [*domain.grid(60), *domain.sample(60, np.random.default_rng(1)), *small, *ends]


@pytest.mark.slow
@each_domain
def test_every_listed_point_is_inside(name: str) -> None:
    points = listed(name)
    assert len(points) > 5 or name == "choices"
    assert all(DOMAINS[name].contains(point) is True for point in points)


@each_domain
def test_every_drawn_point_is_inside(name: str) -> None:
    domain = DOMAINS[name]

    @settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(domain.strategy())
    def inside(point: dict[str, Any]) -> None:
        assert domain.contains(point) is True

    inside()


@each_domain
def test_points_survive_json(name: str) -> None:
    for point in listed(name)[:20]:
        back = from_json(to_json(point))
        assert back == point
        assert DOMAINS[name].contains(back) is True


def test_fractions_in_quotes_are_numbers_in_vectors_too() -> None:
    assert from_json({"a": ("1/4", 2), "b": "1/3"}) == {"a": (Fraction(1, 4), 2), "b": Fraction(1, 3)}


@each_domain_in_time
def test_removing_a_hypothesis_loses_no_point(name: str) -> None:
    domain = DOMAINS[name]
    looser = domain.relaxed()
    for wider in looser.values():
        assert wider.to_json() != domain.to_json()
        assert all(wider.contains(point) is True for point in listed(name))


@each_domain
def test_simpler_points_stay_inside(name: str) -> None:
    domain = DOMAINS[name]
    for point in domain.sample(4, np.random.default_rng(2)):
        for simpler in itertools.islice(domain.simpler(point), 40):
            assert domain.contains(simpler) is True
            assert simpler != point


@each_domain
def test_points_repeat_with_their_seed(name: str) -> None:
    domain = DOMAINS[name]
    one, two, other = (domain.sample(10, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == two
    assert one != other or name == "choices"


@pytest.mark.slow
@each_domain_in_time
def test_small_points_come_once_each(name: str) -> None:
    points = list(itertools.islice(DOMAINS[name].smallest(3), 200))
    assert len({str(point) for point in points}) == len(points)


@each_domain
def test_a_grid_keeps_to_its_limit(name: str) -> None:
    for limit in (1, 7, 50):
        assert 0 < len(DOMAINS[name].grid(limit)) <= limit


# --- membership at the edges ------------------------------------------------------------------------

TINY = Fraction(1, 10**40)
ROOT = Fraction(math.isqrt(2 * 10**80), 10**40)
"""Below √2, by less than 10⁻⁴⁰."""

EDGES: dict[str, tuple[Domain, dict[str, Any], bool]] = {
    "a closed end": (DOMAINS["a closed interval"], {"x": Fraction(-1, 3)}, True),
    "beyond a closed end": (DOMAINS["a closed interval"], {"x": Fraction(-1, 3) - TINY}, False),
    "a float that rounds towards zero": (DOMAINS["a closed interval"], {"x": -1 / 3}, True),
    "just below an irrational end": (DOMAINS["a closed interval"], {"x": ROOT}, True),
    "just above an irrational end": (DOMAINS["a closed interval"], {"x": ROOT + TINY}, False),
    "an open end": (DOMAINS["an open interval"], {"x": 0}, False),
    "next to an open end": (DOMAINS["an open interval"], {"x": TINY}, True),
    "the other open end": (DOMAINS["an open interval"], {"x": 1.0}, False),
    "beyond what is tested": (DOMAINS["unbounded integers"], {"n": 10**30}, True),
    "below an integer end": (DOMAINS["unbounded integers"], {"n": 1}, False),
    "between integers": (DOMAINS["integers"], {"n": Fraction(1, 2)}, False),
    "an integer as a float": (DOMAINS["integers"], {"n": 4.0}, True),
    "an integer end that is a logarithm": (DOMAINS["integers up to a logarithm"], {"n": 8, "m": 3}, True),
    "beyond an end that is a logarithm": (DOMAINS["integers up to a logarithm"], {"n": 7, "m": 3}, False),
    "far out on the line": (DOMAINS["the line"], {"x": -(10**9)}, True),
    "a choice": (DOMAINS["choices"], {"a": 0.5}, True),
    "no choice": (DOMAINS["choices"], {"a": 1}, False),
    "on the sphere": (DOMAINS["a ball"], {"n": 2, "v": (Fraction(3, 5), Fraction(4, 5))}, True),
    "off the sphere by rounding": (DOMAINS["a ball"], {"n": 2, "v": (0.8, 0.6000000000000001)}, False),
    "a vector of the wrong length": (DOMAINS["a ball"], {"n": 2, "v": (Fraction(1, 2),)}, False),
    "an entry below the floor": (DOMAINS["a ball with a floor"], {"n": 1, "v": (Fraction(1, 3) - TINY,)}, False),
    "an open lower end of entries": (DOMAINS["a ball around zero"], {"n": 4, "v": (-2, 0, 0, 0)}, False),
    "the empty vector": (DOMAINS["vectors"], {"n": 0, "v": ()}, True),
    "a family": (DOMAINS["subsets"], {"n": 3, "k": 2, "S": ((1, 2), (1, 3))}, True),
    "a family twice the same": (DOMAINS["subsets"], {"n": 3, "k": 2, "S": ((1, 2), (2, 1))}, False),
    "a family beyond its ground": (DOMAINS["subsets"], {"n": 3, "k": 2, "S": ((1, 2), (1, 4))}, False),
    "position zero": (DOMAINS["subsets"], {"n": 3, "k": 2, "S": ((1, 2), (0, 1))}, False),
    "a matrix": (DOMAINS["matrices"], {"n": 1, "A": ((2,), (Fraction(1, 2),))}, True),
    "a transposed matrix": (DOMAINS["matrices"], {"n": 1, "A": ((2, Fraction(1, 2)),)}, False),
    "rows of different length": (DOMAINS["matrices in a ball"], {"n": 2, "A": ((0, 0), (0,))}, False),
    "a matrix without rows": (DOMAINS["any matrices"], {"n": 0, "m": 0, "A": ()}, False),
    "an entry beyond its end": (DOMAINS["matrices"], {"n": 1, "A": ((2 + TINY,), (0,))}, False),
    "a matrix on the sphere": (DOMAINS["matrices in a ball"], {"n": 1, "A": ((Fraction(3, 5), 0.8),)}, False),
    "a matrix in the ball": (DOMAINS["matrices in a ball"], {"n": 1, "A": ((Fraction(3, 5), 0.75),)}, True),
    "on a strict relation": (DOMAINS["a triangle"], {"x": Fraction(1, 2), "y": Fraction(1, 2)}, False),
    "on a relation": (DOMAINS["a triangle"], {"x": Fraction(1, 4), "y": Fraction(1, 4)}, True),
}


@pytest.mark.parametrize("name", EDGES)
def test_membership_is_exact(name: str) -> None:
    domain, point, expected = EDGES[name]
    assert domain.contains(point) is expected


limits = st.fractions(-3, 3, max_denominator=12)


@given(low=limits, high=limits, value=limits, opened=st.tuples(st.booleans(), st.booleans()))
def test_an_interval_holds_what_arithmetic_says(
    low: Fraction, high: Fraction, value: Fraction, opened: tuple[bool, bool]
) -> None:
    found = Reals(low, high, *opened).contains(value, {})
    assert found is ((low < value or (low == value and not opened[0])) and
                     (value < high or (value == high and not opened[1])))  # fmt: skip


@pytest.mark.slow
@given(low=limits, high=limits, size=st.integers(1, 4))
def test_small_reals_are_all_fractions_near_zero_in_order(low: Fraction, high: Fraction, size: int) -> None:
    assume(low < high)
    nearest = min(max(low, Fraction(0)), high)
    wanted = {
        Fraction(p, q)
        for q in range(1, size + 1)
        for p in range(-3 * q, 3 * q + 1)
        if low <= Fraction(p, q) <= high and abs(Fraction(p, q) - nearest) <= size
    }
    found = list(Reals(low, high).smallest({}, size))
    assert wanted <= set(found)
    assert all(low <= value <= high for value in found)
    # Where the range is too narrow for small denominators it still has one point.
    assert all(value.denominator <= size for value in found) if wanted else len(found) == 1
    assert found == sorted(set(found), key=lambda value: (value.denominator, abs(value), -value))


def test_the_line_starts_at_zero() -> None:
    assert list(itertools.islice(Reals().smallest({}, 3), 3)) == [0, 1, -1]


@given(values=st.lists(st.floats(-3, 3), min_size=1, max_size=5), low=st.sampled_from([-2, 0, Fraction(1, 4)]))
def test_a_vector_is_pulled_onto_the_sphere_only_where_it_must(values: list[float], low: Any) -> None:
    ball = Vector(len(values), Reals(low, 2), square_sum=2)
    clipped = tuple(min(max(value, float(low)), 2.0) for value in values)
    inside = sum(Fraction(value) ** 2 for value in clipped) <= 2
    coordinates = iter([(value - float(low)) / (2 - float(low)) for value in clipped])
    pulled = ball.inside(list(values), {})
    assert next(coordinates) <= 1
    assert ball.contains(pulled, {}) is True
    assert (pulled == clipped) is inside
    assert inside or sum(value**2 for value in pulled) == pytest.approx(2, rel=1e-12)


# --- order ------------------------------------------------------------------------------------------


def test_small_points_come_in_the_order_of_the_parameters() -> None:
    domain = Domain({n: Integers(2), m: Integers(1, n), a: Choices(one=1, two=2)})
    found = [tuple(point.values()) for point in domain.smallest(3)]
    assert found == [(i, j, u) for i in (2, 3, 4) for j in range(1, min(i, 3) + 1) for u in (1, 2)]


def test_small_vectors_come_with_the_largest_denominator_first_and_once() -> None:
    ball = Domain({V: Vector(2, Reals(0, 1, open_low=True), square_sum=1)})
    found = [point["v"] for point in ball.smallest(3)]
    half, third, most = Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)
    assert found[0] == (half, half)
    assert set(found[1:]) == {(p, q) for p in (half, third, most) for q in (half, third, most)} - {(half, half)}


def test_small_families_come_in_lexicographic_order() -> None:
    found = [point["S"] for point in Domain({S: Subsets(2, 2, 3)}).smallest(5)]
    assert found == [((1, 2), (1, 3)), ((1, 2), (2, 3)), ((1, 3), (2, 3))]


def test_small_matrices_are_the_patterns_that_norms_turn_on() -> None:
    found = [point["A"] for point in Domain({A: Matrix(2, 2, Reals(-1, 1))}).smallest(1)]
    assert found == [
        ((0, 0), (0, 0)), ((1, 0), (0, 0)), ((1, 0), (0, 1)), ((1, 1), (1, 1)), ((1, -1), (-1, 1)), ((1, 1), (1, -1)),
        ((0, 1), (0, 0)),
    ]  # fmt: skip


def test_random_matrices_are_of_every_kind() -> None:
    domain = Domain({A: Matrix(3, 3, Reals(-1, 1))})
    found = [np.array(point["A"], dtype=float) for point in domain.sample(200, np.random.default_rng(0))]
    singular = np.array([np.linalg.svd(matrix)[1] for matrix in found])
    of_rank_one = int((singular[:, 1] < 1e-12).sum())
    orthogonal = int((np.ptp(singular, axis=1) < 1e-12).sum())
    sparse = sum(int((matrix == 0).sum() >= 6) for matrix in found)
    assert min(of_rank_one, orthogonal, sparse) > 10
    assert of_rank_one + orthogonal + sparse < 150


def test_the_second_of_two_large_matrices_is_random_too() -> None:
    domain = Domain({A: Matrix(12, 12, Reals(-1, 1)), S: Matrix(12, 12, Reals(-1, 1))})
    points = domain.sample(20, np.random.default_rng(0))
    assert len({point["S"] for point in points}) == 20


def test_a_matrix_keeps_its_corner_when_its_shape_changes() -> None:
    domain = DOMAINS["any matrices"]
    half = Fraction(1, 2)
    point = {"n": 2, "m": 2, "A": ((half, 1), (2, 3))}
    assert domain.moved(point, "m", 1) == {"n": 2, "m": 1, "A": ((half, 1),)}
    assert domain.moved(point, "n", 3) == {"n": 3, "m": 2, "A": ((half, 1, 0), (2, 3, 0))}


# --- meaning ----------------------------------------------------------------------------------------

SAME_MEANING = {
    "integers": (Integers(1), Integers(1, tested_to=7)),
    "reals": (Reals(0), Reals(0, tested_to=2.0)),
    "entries": (Vector(3, Reals(0)), Vector(3, Reals(0, tested_to=9.0))),
    "how far entries of a matrix are tested": (Matrix(3, 2, Reals(0)), Matrix(3, 2, Reals(0, tested_to=9.0))),
    "names of choices": (Choices(steep=1, wide=2), Choices(narrow=1, broad=2)),
    "a decimal and its fraction": (Reals(0.5, 1), Reals(Fraction(1, 2), sp.Integer(1))),
}
OTHER_MEANING = {
    "an end": (Reals(0, 1), Reals(0, 2)), "no end": (Reals(0, 1), Reals(0)),
    "an open end": (Reals(0, 1), Reals(0, 1, open_low=True)),
    "the other open end": (Reals(0, 1, open_low=True), Reals(0, 1, open_high=True)),
    "integers or reals": (Integers(0, 1), Reals(0, 1)), "a choice": (Choices(one=1), Choices(one=1, two=2)),
    "a ball": (Vector(2, Reals(0, 1)), Vector(2, Reals(0, 1), square_sum=1)),
    "a length": (Vector(2, Reals(0, 1)), Vector(3, Reals(0, 1))),
    "a shape": (Matrix(2, 3, Reals(0, 1)), Matrix(3, 2, Reals(0, 1))),
    "entries of a matrix": (Matrix(2, 3, Reals(0, 1)), Matrix(2, 3, Reals(0, 1, open_high=True))),
    "a ball of matrices": (Matrix(2, 3, Reals(0, 1)), Matrix(2, 3, Reals(0, 1), square_sum=1)),
    "a size": (Subsets(2, 2, 4), Subsets(2, 3, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SAME_MEANING, *OTHER_MEANING])
def test_every_limit_is_meaning_and_how_far_it_is_tested_is_none(name: str) -> None:
    one, two = (Domain({x: found}).to_json() for found in (SAME_MEANING | OTHER_MEANING)[name])
    assert (one == two) is (name in SAME_MEANING)


def test_the_sentence_names_every_limit() -> None:
    domain = Domain({n: Integers(1), x: Reals(0, n, open_low=True), V: Vector(n, Reals(0, 1), 1)}, where=[x < 5])
    assert domain.sentence() == "1 ≤ n; 0 < x ≤ n; 0 ≤ v_t ≤ 1 for t = 1…n, Σ v_t² ≤ 1; x < 5"


@pytest.mark.parametrize(("found", "told"), [
    (Matrix(m, n, Reals(-1, 1)), "A ∈ ℝ^{m×n}, entries in [-1, 1]"), (Matrix(n + 1, 2), "A ∈ ℝ^{(n + 1)×2}"),
    (Matrix(2, n, Reals(0, open_low=True), square_sum=n), "A ∈ ℝ^{2×n}, entries in (0, ∞), ‖A‖_F² ≤ n"),
    (Matrix(2, n, Reals(high=n, open_high=True)), "A ∈ ℝ^{2×n}, entries in (-∞, n)"),
])  # fmt: skip
def test_the_sentence_of_a_matrix_names_shape_and_entries(found: Matrix, told: str) -> None:
    assert found.sentence("A") == told


# --- removed hypotheses -----------------------------------------------------------------------------

REMOVED: dict[str, tuple[Domain, str, dict[str, Any]]] = {
    "an upper limit": (DOMAINS["a closed interval"], "upper limit of x", {"x": 2}),
    "a positive lower limit goes to zero": (DOMAINS["decades"], "lower limit of x", {"x": TINY}),
    "a negative lower limit": (DOMAINS["a closed interval"], "lower limit of x", {"x": -50}),
    "a ball": (DOMAINS["a ball"], "ball of v", {"n": 2, "v": (1, 1)}),
    "a ball and the limit it implies": (DOMAINS["a ball"], "ball of v", {"n": 2, "v": (3, 1)}),
    "a floor of entries": (DOMAINS["a ball with a floor"], "lower limit of the entries of v", {"n": 1, "v": (TINY,)}),
    "a ball of matrices": (DOMAINS["matrices in a ball"], "ball of A", {"n": 1, "A": ((1, 1),)}),
    "an upper limit in a matrix": (DOMAINS["matrices"], "upper limit of the entries of A", {"n": 1, "A": ((9,), (0,))}),
    "a relation": (DOMAINS["a triangle"], "x + y < 1", {"x": 1, "y": 1}),
}


@pytest.mark.parametrize("name", REMOVED)
def test_a_removed_hypothesis_lets_points_in_and_numeric_methods_see_them(name: str) -> None:
    domain, what, point = REMOVED[name]
    wider = domain.relaxed()[what]
    assert domain.contains(point) is False
    assert wider.contains(point) is True
    reached = [*wider.grid(100), *wider.sample(100, np.random.default_rng(0))]
    assert any(domain.contains(found) is False for found in reached)


def test_one_hypothesis_is_removed_at_a_time() -> None:
    small = Domain({V: Vector(2, Reals(0, sp.Rational(1, 2)), square_sum=sp.Rational(1, 4))})
    big = Domain({V: Vector(2, Reals(0, sp.Rational(1, 2)), square_sum=sp.Rational(3, 8))})
    for domain in (small, big):
        assert domain.relaxed()["ball of v"].contains({"v": (Fraction(1, 2), Fraction(1, 2))}) is True
    # The larger ball does not imply that entries are at most 1/2: that is a hypothesis of its own.
    assert big.relaxed()["upper limit of the entries of v"].contains({"v": (Fraction(6, 10), 0)}) is True
    above = {"v": (1, 1)}
    assert (small.relaxed()["ball of v"].contains(above), big.relaxed()["ball of v"].contains(above)) == (True, False)


def test_a_distant_limit_is_crossed_when_it_is_removed() -> None:
    wider = Domain({x: Reals(0, 1000)}).relaxed()["upper limit of x"]
    assert max(point["x"] for point in wider.grid(9)) > 1000


def test_a_lower_limit_of_unknown_sign_is_removed() -> None:
    wider = Domain({a: Choices(one=1, two=2), x: Reals(a - 2, 5)}).relaxed()["lower limit of x"]
    assert wider.contains({"a": 1, "x": -7}) is True


def test_relations_are_part_of_what_replace_keeps() -> None:
    domain = DOMAINS["a triangle"].replace(x=Reals(0, 2))
    assert domain.contains({"x": Fraction(3, 2), "y": 0}) is False
    assert list(domain.ranges) == ["x", "y"]


def test_digits_that_cancel_in_a_limit_are_found_again() -> None:
    """Floats climbed one by one from zero to a limit of 10⁻¹², of which no digit was known, would never arrive."""
    limit, env = sp.log(1 / x) / y, {"x": 1 - 2**-53, "y": 2**-15}
    assert limit_of(limit, env) == pytest.approx(2**-38, rel=1e-9)
    low, _ = Reals(limit).ends(env)
    assert low == pytest.approx(2**-38, rel=1e-9)


# --- empty ranges and bad input ---------------------------------------------------------------------

EMPTY: dict[str, Domain] = {
    "integers": Domain({n: Integers(3, 2)}),
    "integers between two": Domain({n: Integers(sp.Rational(1, 4), sp.Rational(3, 4))}),
    "reals": Domain({x: Reals(3, 2)}), "an open point": Domain({x: Reals(1, 1, open_low=True)}),
    "a later range": Domain({n: Integers(1, 1), m: Integers(1, n - 1)}), "entries": Domain({V: Vector(2, Reals(2, 1))}),
    "a ball too small for its entries": Domain({V: Vector(5, Reals(sp.Rational(1, 2), 1), square_sum=1)}),
    "a ball too small for negative entries": Domain({V: Vector(2, Reals(-2, -1), square_sum=1)}),
    "a vector of negative length": Domain({V: Vector(-1, Reals(0, 1))}),
    "entries of a matrix": Domain({A: Matrix(2, 2, Reals(2, 1))}),
    "a matrix without columns": Domain({n: Integers(-1, 0), A: Matrix(2, n)}),
    "more subsets than there are": Domain({S: Subsets(5, 2, 3)}),
    "subsets larger than the ground": Domain({S: Subsets(1, 4, 3)}),
    "a contradiction": Domain({x: Reals(0, 1)}, where=[x > 2]),
}  # fmt: skip


LONG = ("a ball too small for its entries", "a ball too small for negative entries", "a contradiction")


@pytest.mark.parametrize("name", some_slow(EMPTY, *LONG))
def test_an_empty_domain_gives_no_point(name: str) -> None:
    domain = EMPTY[name]
    assert domain.grid(10) == []
    assert domain.from_unit([0.3] * 8) is None
    assert domain.sample(20, np.random.default_rng(0)) == []
    assert list(itertools.islice(domain.smallest(3), 3)) == []

    @settings(max_examples=5, database=None, suppress_health_check=list(HealthCheck))
    @given(domain.strategy())
    def never(point: dict[str, Any]) -> None:
        raise AssertionError(point)

    with pytest.raises(Unsatisfiable):
        never()


def test_a_range_that_is_empty_for_some_points_only_skips_these() -> None:
    domain = Domain({n: Integers(1, 4), m: Integers(3, n)})
    assert [(point["n"], point["m"]) for point in domain.smallest(9)] == [(3, 3), (4, 3), (4, 4)]
    assert {point["n"] for point in domain.sample(200, np.random.default_rng(0))} == {3, 4}
    with pytest.raises(Empty):
        Integers(3, n).ends({"n": 2})


def test_a_limit_without_a_value_leaves_nothing() -> None:
    below = Reals(None, 1 / x)
    with pytest.raises(Empty):
        below.ends({"x": 0})
    assert not below.contains(1, {"x": 0})
    assert Domain({x: Integers(0, 2), y: Reals(0, 1 / x)}).smallest(3)
    with pytest.raises(Empty):
        Reals(sp.exp(x)).ends({"x": 1000})


def test_an_open_end_at_zero_is_approached_where_reciprocals_are_finite() -> None:
    least, _ = Reals(0, open_low=True).ends({})
    _, most = Reals(None, 0, open_high=True).ends({})
    assert 0 < least == -most
    assert math.isfinite(1 / least)
    assert Reals(1, 2, open_low=True).ends({}) == (math.nextafter(1, 2), 2)


def test_a_vector_that_was_empty_gets_entries_where_its_length_grows() -> None:
    domain = DOMAINS["vectors"]
    moved = (domain.moved({"n": 0, "v": ()}, name, value) for name, value in domain.near({"n": 0, "v": ()}, 0.5))
    grown = [point for point in moved if point and point["n"]]
    assert grown
    assert all(domain.contains(point) is True for point in grown)


def gaps(point: dict[str, Any]) -> list[Fraction]:
    """What the entries of a recursion leave of x, step by step."""
    entries = [Fraction(entry) for entry in point["v"]]
    return [Fraction(point["x"]) - abs(after - before) for before, after in itertools.pairwise(entries)]


def test_recursions_are_drawn_in_full_and_as_tight_as_they_may_be() -> None:
    domain = Domain(
        {x: Reals(0, 1), n: Integers(1, 6), V: Vector(n, Reals())},
        where=[ForAll(sp.Abs(VECTOR[k + 1] - VECTOR[k]) <= x, (k, 1, n - 1))],
    )
    drawn = domain.sample(200, np.random.default_rng(0))
    assert len(drawn) == 200
    assert all(min(gaps(point), default=0) >= 0 for point in drawn)
    longest = [gaps(point) for point in drawn if point["n"] == 6 and point["x"] > 0]
    assert any(max(found) < Fraction(1, 10**9) for found in longest)
    assert any(min(found) > 0 for found in longest)


def test_an_exact_recursion_is_solved_in_fractions() -> None:
    drawn = DOMAINS["an exact recursion"].sample(100, np.random.default_rng(0))
    assert len(drawn) == 100
    for point in drawn:
        entries = [Fraction(entry) for entry in point["v"]]
        assert all(after == Fraction(point["x"]) * before - 1 for before, after in itertools.pairwise(entries))


def test_vectors_that_no_entry_completes_are_left_out() -> None:
    """From a first entry above 1/2, there is no second one up to 1."""
    domain = Domain({V: Vector(2, Reals(0, 1))}, where=[ForAll(VECTOR[k + 1] >= 2 * VECTOR[k], (k, 1, 1))])
    drawn = domain.sample(200, np.random.default_rng(0))
    assert 20 < len(drawn) < 200
    assert all(point["v"][0] <= 0.5 for point in drawn)


def test_alternatives_are_looked_at_one_by_one() -> None:
    domain = DOMAINS["a point or a half line"]
    assert [piece.sentence() for piece in domain.pieces] == [
        "x real; x = 1", "x real; x > 2; x < 3", "x real; x > 2; x > 3",
    ]  # fmt: skip
    assert domain.sentence() == "x real; x = 1 or (x > 2 and x ≠ 3)"
    values = {point["x"] for point in domain.sample(100, np.random.default_rng(0))}
    assert 1 in values
    assert max(values) > 3
    assert domain.contains({"x": 3}) is domain.contains({"x": 2}) is False
    assert DOMAINS["a triangle"].pieces == (DOMAINS["a triangle"],)


def test_a_hypothesis_of_all_indices_can_be_removed() -> None:
    looser = DOMAINS["a recursion"].relaxed()
    (freed,) = [found for what, found in looser.items() if "for k = 1…n - 1" in what]
    assert freed.where == ()


BAD: dict[str, tuple[Any, str]] = {
    "no parameter": (lambda: Domain({}), "domain: expected at least one parameter"),
    "no range": (lambda: Domain({x: (0, 1)}), r"domain\[x\]: expected Integers"),
    "a limit without a range": (lambda: Domain({x: Reals(0, y)}), r"domain\[x\]: .+ got y"),
    "a limit that comes later": (lambda: Domain({x: Reals(0, y), y: Reals(0, 1)}), r"domain\[x\]: .+ got y"),
    "an unknown length": (lambda: Domain({V: Vector(n, Reals(0, 1))}), r"domain\[v\]: .+ got n"),
    "an unknown ground": (lambda: Domain({S: Subsets(1, 2, n)}), r"domain\[S\]: .+ got n"),
    "an unknown shape": (lambda: Domain({A: Matrix(2, n)}), r"domain\[A\]: .+ got n"),
    "a shape that is none": (lambda: Matrix(2, 0), r"Matrix\.columns: expected at least 1, got 0"),
    "a relation that reads a matrix": (
        lambda: Domain({A: Matrix(2, 2)}, where=[A <= 1]), r"domain\.where: .+ got A; measured sides only",
    ),
    "a limit that reads a matrix": (
        lambda: Domain({A: Matrix(2, 2), x: Reals(0, A)}), r"domain\[x\]: .+ got A; measured sides only",
    ),
    "a relation in an unknown": (lambda: Domain({x: Reals(0, 1)}, where=[x < y]), "domain.where: .+ got y"),
    "a relation that is none": (lambda: Domain({x: Reals(0, 1)}, where=[x < x + 1]), "domain.where: .+ got True"),
    "an implication": (lambda: Domain({x: Reals(0, 1)}, where=[sp.Implies(x > 0, x < 1)]), "domain.where: .+ Ne, Or"),
    "too many alternatives": (
        lambda: Domain({x: Reals(0, 1)}, where=[sp.Or(x > 5, sp.And(*(sp.Ne(x, k) for k in range(5))))]),
        "domain.where: .+ at most 16 alternatives",
    ),
    "all but one, of all indices": (lambda: ForAll(sp.Ne(VECTOR[m], 0), (m, 1, n)), "ForAll: .+ one inequality or Eq"),
    "an index without ends": (lambda: ForAll(VECTOR[m] <= 1, (m, 1)), "ForAll: .+ an index with two ends"),
    "an index with the name of a number": (
        lambda: Domain(
            {n: Integers(1), sp.Symbol("k", real=True): Reals(0, 1), V: Vector(n, Reals())},
            where=[ForAll(VECTOR[k] >= sp.Symbol("k", real=True), (k, 1, n))],
        ),
        "an index with a name of its own, got k",
    ),
    "all indices of what is unknown": (
        lambda: Domain({n: Integers(1)}, where=[ForAll(VECTOR[m] <= 1, (m, 1, n))]), "domain.where: .+ got v",
    ),
    "one name twice": (lambda: Domain({x: Reals(0, 1), sp.Symbol("x"): Reals(0, 2)}), r"domain\[x\]: .+ once"),
    "a choice of nothing": (lambda: Choices(), "Choices: expected at least one"),
    "a choice of what is no rational": (lambda: Choices(a=sp.pi), r"Choices\[a\]: expected a rational, got pi"),
    "a choice of no number": (lambda: Choices(a=math.nan), r"Choices\[a\]: expected a rational, got nan"),
    "a parameter that is not there": (lambda: DOMAINS["a ball"].replace(w=Reals(0, 1)), r"domain\.replace: .+ got w"),
    "a point without a value": (lambda: DOMAINS["a ball"].contains({"n": 1}), "point: expected values for n, v"),
    "an infinite limit": (lambda: Domain({x: Reals(0, math.inf)}).grid(3), "expression: expected finite numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(name: str) -> None:
    build, line = BAD[name]
    with pytest.raises(InputError, match=line) as caught:
        build()
    assert "\n" not in str(caught.value)


def test_a_float_among_choices_is_the_decimal_that_it_shows() -> None:
    assert Choices(a=0.1, b=1).values == {"a": Fraction(1, 10), "b": 1}


def test_a_range_that_starts_beyond_what_is_tested_is_tested_from_its_start() -> None:
    assert Integers(100, tested_to=64).ends({}) == (100, 164)
    assert Integers(64, tested_to=64).ends({}) == (64, 64)


@pytest.mark.parametrize("name", ["a circle", "a hyperbola", "a simplex", "a sphere", "a sphere by two inequalities"])
def test_a_surface_is_seen_all_over(name: str) -> None:
    domain = DOMAINS[name]
    found = domain.sample(120, np.random.default_rng(5))
    for parameter in set(domain.ranges) - {"n"}:
        assert len({float(np.max(point[parameter])) for point in found}) >= 40


def test_two_equations_hold_at_once() -> None:
    chances, values = total(VECTOR[k]), total(VECTOR[k] * VALUES[k])
    ranges = {n: Integers(2, 5), V: Vector(n, Reals(0, 1)), A: Vector(n, Reals(-2, 2))}
    domain = Domain(ranges, where=[sp.Eq(chances, 1), sp.Eq(values, 0)])
    found = domain.sample(40, np.random.default_rng(5))
    assert len(found) >= 30
    assert all(domain.contains(point) for point in found)
    assert sum(any(point["A"]) for point in found) >= 20  # not only where both sides vanish


def test_matrices_whose_entries_add_up_to_one_are_found() -> None:
    whole = sp.Eq(total(sp.Sum(VALUES[k, m], (m, 1, n))), 1)
    domain = Domain({n: Integers(1, 4), A: Matrix(n, n, Reals(0, 1, open_low=True))}, where=[whole])
    found = domain.sample(40, np.random.default_rng(5))
    assert len(found) == 40
    assert all(sum(map(sum, point["A"])) == 1 for point in found)


def test_an_equation_that_no_line_meets_gives_no_point() -> None:
    domain = Domain({x: Reals(1, 2), y: Reals(1, 2)}, where=[sp.Eq(sp.log(x) * sp.exp(y), 1)])
    assert domain.sample(50, np.random.default_rng(0)) == []


def test_an_equation_is_told_as_one() -> None:
    assert DOMAINS["a circle"].sentence() == "x real; y real; x^2 + y^2 = 1"
    assert [sign for sign, *_ in DOMAINS["a circle"].to_json()["where"]] == ["<=", ">="]


def test_a_number_moves_to_where_an_inequality_is_met() -> None:
    values = sp.IndexedBase("v", real=True)
    share = sp.Symbol("share", real=True)
    ranges = {share: Reals(0, 1), sp.Symbol("v"): Vector(2, Reals(0, 1))}
    adds_up = sp.Eq(values[1] + values[2], 1)
    point = {"share": 0, "v": (Fraction(3, 4), Fraction(1, 4))}
    moved = Domain(ranges, where=[adds_up, values[1] <= share, values[2] <= share]).settled(point)
    assert moved == {"share": Fraction(3, 4), "v": point["v"]}
    assert Domain(ranges, where=[adds_up, values[1] + 1 <= share]).settled(point, ["share"]) is None


def test_a_limit_beyond_the_largest_float_is_compared() -> None:
    beyond = sp.Integer(10) ** 400
    assert Reals(0, beyond).contains(5, {})
    assert not Reals(beyond).contains(5, {})
    assert Reals(-beyond, 0).contains(-5, {})
    assert Domain({x: Reals(beyond)}).grid(4) == []


@pytest.mark.slow
@pytest.mark.parametrize("length", [1200 * n, n**3, 10**9 * n])
def test_vectors_of_many_entries_are_looked_at_as_far_as_one_can(length: Any) -> None:
    domain = Domain({n: Integers(1), V: Vector(length, Reals(0, 1))})
    smallest = list(itertools.islice(domain.smallest(3), 3))
    assert all(len(point["v"]) <= MOST_ENTRIES for point in (*smallest, *domain.grid(20), *domain.far(20)))
    assert bool(smallest) == (length != 10**9 * n)


@pytest.mark.parametrize("found", [Reals(tested_to="x"), Integers(1, tested_to=-1), Vector(2, Reals(tested_to=0))])
def test_how_far_it_is_tested_is_a_number(found: Any) -> None:
    with pytest.raises(InputError, match=r"domain\[x\]\.tested_to: expected a number above 0"):
        Domain({x: found})


def test_relations_stand_in_a_list() -> None:
    with pytest.raises(InputError, match=r"domain\.where: expected a list of relations, got True"):
        Domain({x: Reals()}, where=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("found", [Vector(n, Integers(0, 1)), Matrix(n, n, Integers(0, 1))])
def test_entries_are_reals(found: Any) -> None:
    with pytest.raises(InputError, match=r"domain\[v\]: expected entries in Reals, got Integers"):
        Domain({n: Integers(1, 3), V: found})


def test_a_recursion_starts_where_it_is_said_to() -> None:
    """v[1] ≤ 1 bounds the first entry as ForAll bounds the others: 1, 2, 3, … is as fast as it may grow."""
    steps = [VECTOR[1] <= 1, ForAll(VECTOR[k + 1] <= VECTOR[k] + 1, (k, 1, n - 1))]
    domain = Domain({n: Integers(1, 9), VECTOR: Vector(n, Reals(0))}, where=steps)
    assert {"n": 9, "v": tuple(range(1, 10))} in domain.grid(200)


@pytest.mark.slow
def test_points_are_moved_onto_relations_until_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Domain({n: Integers(1), x: Reals(0, 1), VECTOR: Vector(n, Reals(0, 2))},
                    where=[ForAll(VECTOR[k] <= x, (k, 1, n))])  # fmt: skip
    for draw, step in ((domain.grid, "_placed"), (domain.far, "_far_out")):
        made, moved = getattr(Domain, step), []
        monkeypatch.setattr(Domain, step, lambda *of, made=made, moved=moved: moved.append(of) or made(*of))
        points = draw(12)
        assert len(points) == 12
        assert all(domain.contains(point) for point in points)
        assert len(moved) < 3 * 12


@pytest.mark.slow
def test_long_vectors_go_as_far_as_an_index_lets_them() -> None:
    domain = Domain({n: Integers(1), VECTOR: Vector(n, Reals(0))}, where=[ForAll(VECTOR[k] <= k, (k, 1, n))])
    assert {"n": 65, "v": tuple(range(1, 66))} in domain.far(400)
    simplex = Domain({n: Integers(1), VECTOR: Vector(n, Reals(0, 1))}, where=[sp.Eq(total(VECTOR[k]), 1)])
    assert 1025 in {point["n"] for point in simplex.far(400)}


def test_vectors_are_shrunk_into_budgets() -> None:
    """Random vectors of many entries exceed Σ a ≤ 3/2: stretched, they meet it, equal entries among them."""
    length, i = sp.symbols("length i", integer=True, positive=True)
    entries = sp.IndexedBase("a", real=True)
    budget = sp.Sum(entries[i], (i, 1, length)) <= sp.Rational(3, 2)
    domain = Domain({length: Integers(1), entries: Vector(length, Reals(0))}, where=[budget])
    points = [*domain.grid(25), *domain.sample(50, np.random.default_rng(0))]
    assert len(points) > 60
    assert all(domain.contains(point) for point in points)
    met = [point["a"] for point in points if sum(map(Fraction, point["a"])) == Fraction(3, 2)]
    assert any(len(found) > 9 and len(set(found)) == 1 for found in met)
    assert any(len(found) > 9 and len(set(found)) > 9 for found in met)


def test_what_cannot_be_shrunk_into_a_budget_is_left_out() -> None:
    length, i = sp.symbols("length i", integer=True, positive=True)
    entries = sp.IndexedBase("a", real=True)
    budget = sp.Sum(entries[i], (i, 1, length)) <= 2
    domain = Domain({length: Integers(1), entries: Vector(length, Reals(1))}, where=[budget])
    assert {point["length"] for point in domain.sample(50, np.random.default_rng(0))} <= {1, 2}


_THIN = Reals(1, 1 + sp.Rational(1, 10**20))
UNLISTED = {
    "an interval that floats do not see": {x: _THIN},
    "vectors of such": {VECTOR: Vector(2, _THIN)},
    "an end beyond floats": {n: Integers(0, 1), x: Reals(0, n * 10**400)},
    "a vector that nobody can look at": {n: Integers(0, 1), VECTOR: Vector(1 + n * 10**9, Reals(1, 1))},
    "a sum that nobody adds up": {n: Integers(0, 1), m: Integers(0, sp.Sum(sp.sin(k) ** 2, (k, 1, n * 10**9)))},
}


@pytest.mark.parametrize("name", UNLISTED)
def test_what_is_not_listed_in_full_is_not_listed(name: str) -> None:
    assert Domain(UNLISTED[name]).every(100) is None


def test_a_finite_domain_is_listed_in_full() -> None:
    two = Choices(one=1, two=2)
    for found, count in ((Vector(a - 1, Reals(3, 3)), 2), (Subsets(1, a - 1, 1), 2), (Reals(0, a - 1), None)):
        listed = Domain({a: two, V: found}).every(100)
        assert (listed if listed is None else len(listed)) == count
