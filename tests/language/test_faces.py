"""Corners of domains, lines through them, and exact points on surfaces."""

from fractions import Fraction

import numpy as np
import pytest
from tests.statements import n, x, y

from boundaudit import Choices, Domain, Integers, Reals
from boundaudit.checks.language.domain.faces import along, corners, nearly_inside, scattered, vanishing
from boundaudit.checks.language.translate import to_tree

CIRCLE = Domain({x: Reals(), y: Reals()}, where=[x**2 + y**2 <= 1, x**2 + y**2 >= 1])
DOMAINS = {
    "a box": Domain({x: Reals(-2, Fraction(4, 3)), y: Reals(1, 11)}),
    "a triangle": Domain({x: Reals(0), y: Reals(0)}, where=[x + 2 * y <= 3]),
    "a range that depends on another": Domain({n: Integers(2), x: Reals(0, n), y: Choices(low=1, high=Fraction(5, 2))}),
    "a circle": CIRCLE,
    "open ends": Domain({x: Reals(0, 1, open_low=True, open_high=True)}),
}


@pytest.mark.parametrize("name", DOMAINS)
def test_corners_lie_in_the_domain(name: str) -> None:
    domain = DOMAINS[name]
    found = corners(domain, 100)
    assert 0 < len(found) <= 100
    assert all(domain.contains(point) for point in found)
    assert len({tuple(point.values()) for point in found}) == len(found)


def test_corners_are_ends_simple_numbers_and_where_a_relation_binds() -> None:
    box, triangle = corners(DOMAINS["a box"], 200), corners(DOMAINS["a triangle"], 200)
    for point in ({"x": 0, "y": 11}, {"x": -2, "y": 1}, {"x": Fraction(4, 3), "y": 11}, {"x": 1, "y": 1}):
        assert point in box
    for point in ({"x": 3, "y": 0}, {"x": 0, "y": Fraction(3, 2)}, {"x": 0, "y": 0}):
        assert point in triangle
    assert {(1, 0), (0, 1), (-1, 0), (0, -1)} <= {tuple(point.values()) for point in corners(CIRCLE, 100)}
    assert corners(Domain({x: Reals(0, 1)}, where=[x > 2]), 100) == ()


def test_a_line_through_a_point_of_a_circle_meets_it_again() -> None:
    met = list(along(CIRCLE, {"x": -1, "y": 0}, {"x": Fraction(7), "y": Fraction(3)}))
    assert met == [{"x": -1, "y": 0}, {"x": Fraction(20, 29), "y": Fraction(21, 29)}]


def test_a_line_stops_where_an_irrational_hypothesis_binds() -> None:
    disc = Domain({x: Reals(), y: Reals()}, where=[x**2 + y**2 <= 2])
    far = max(float(point["x"]) for point in along(disc, {"x": 0, "y": 0}, {"x": Fraction(1)}))
    assert 2**0.5 - 1e-11 < far < 2**0.5


def test_an_integer_moves_to_the_ones_beside_where_a_relation_binds() -> None:
    domain = Domain({n: Integers(0), x: Reals()}, where=[2 * n <= 7])
    assert {"n": 3, "x": 1} in list(along(domain, {"n": 0, "x": 1}, {"n": Fraction(1)}))


def test_where_a_denominator_vanishes() -> None:
    found = list(vanishing(DOMAINS["a box"], [to_tree(3 * x - 2 * y + 3)], [{"x": 0, "y": 1}]))
    assert found == [{"x": Fraction(-1, 3), "y": 1}, {"x": 0, "y": Fraction(3, 2)}]


@pytest.mark.slow
def test_points_are_scattered_over_a_surface() -> None:
    points = scattered(CIRCLE, 100, np.random.default_rng(0))
    assert len({tuple(point.values()) for point in points}) == len(points) > 60
    quarters = {(point["x"] > 0, point["y"] > 0) for point in points}
    assert len(quarters) == 4
    assert scattered(CIRCLE, 100, np.random.default_rng(0)) == points


def test_floats_exclude_only_what_is_well_outside() -> None:
    points = [{"x": Fraction(3, 5), "y": Fraction(4, 5)}, {"x": 1, "y": 1}, {"x": 0.6, "y": 0.8}]
    assert nearly_inside(CIRCLE, points).tolist() == [True, False, True]
