"""Property tests of the paper: enumerations against definitions, what the claims say, and their figure."""

import itertools
from fractions import Fraction
from math import comb

import pytest
import sympy as sp
import torch

from boundaudit import Setting
from boundaudit.checks.sharpness.property_testing import accepted
from boundaudit.derivations.sharpness import property_testing as theorem
from boundaudit.derivations.sharpness.property_testing import D_pt, k_pt
from boundaudit.numeric.fourier import all_odd, degree_test, table_function
from boundaudit.numeric.sharpness import property_testing as numeric


@pytest.mark.parametrize(("size", "degree"), [(1, 1), (3, 1), (3, 2), (6, 3), (9, 4)])
def test_three_ways_to_one_rate(size: int, degree: int) -> None:
    at = {k_pt: size, D_pt: degree}
    expected = all_odd(size, degree + 1)
    assert theorem.all_odd().subs(at).doit() == sp.Rational(expected.numerator, expected.denominator)
    assert theorem.all_odd_by_blocks().subs(at).doit() == theorem.all_odd().subs(at).doit()
    if size < 7:
        assert numeric.odd_share(size, degree + 1) == pytest.approx(float(expected), abs=1e-15)


def test_signed_means_are_those_that_trials_draw() -> None:
    values = torch.randint(0, 2, (8,), generator=torch.Generator().manual_seed(1)).double()
    rate = float(numeric.rejected_spread(values[None], 1))  # between 0 and 1
    test = degree_test(table_function(values), 3, 1, trials=4000)
    assert test.rejection_rate[0] < rate < test.rejection_rate[1]
    exact = float(numeric.signed_means(values[None], 1).square().mean())
    assert test.mean_square == pytest.approx(exact, rel=0.1)


def test_sequences_with_odd_classes_by_enumeration() -> None:
    counts = [0] * 4
    for drawn in itertools.product(range(3), repeat=4):
        counts[sum(drawn.count(one) % 2 for one in range(3))] += 1
    assert numeric.odd_classes(3, 4) == counts
    assert numeric.odd_classes(4, 4)[4] == 24


def test_a_character_attains_the_least_rate() -> None:
    parity = torch.tensor([[1.0, -1, -1, 1, -1, 1, 1, -1]], dtype=torch.float64)
    assert float(numeric.mean_square(parity, 2)) == pytest.approx(4 * 3 / 32)
    assert float(numeric.rejected_spread(parity, 2)) == pytest.approx(4 * 3 / 32)
    assert float(numeric.rejected_spread(torch.ones(1, 8, dtype=torch.float64), 1)) == 0


def test_a_parity_has_full_degree_and_is_accepted_modulo_two() -> None:
    assert [numeric.accepted_degree(size, 1) for size in (1, 2, 3)] == [1, 2, 3]


def test_restrictions_and_directions_that_see_no_difference() -> None:
    assert numeric.hidden_share(6, 2, 3) == pytest.approx(float(Fraction(comb(4, 3), comb(6, 3))))
    assert numeric.merged_share(3, 2) == 1 / 4
    table = torch.arange(8).bitwise_and(1)  # the last of three positions
    assert [numeric.most_seen(table, free) for free in (1, 2, 3)] == [2, 2, 2]


def test_missed_characters_are_fewer_than_the_union() -> None:
    misses = numeric.missed(10, 6, 4, trials=2000, seed=1) / 2000
    assert 0.2 < misses < 15 / 16


def test_the_figure_in_short() -> None:
    degrees, sizes = accepted.compute(Setting("smoke", 0, "cpu"))
    disjoint, published = degrees.series[1:]
    assert disjoint.y == [1, 2]
    assert published.y == [4, 4]
    directions, restricted = sizes.series[1:]
    assert directions.y == [1, 7]
    assert restricted.y[1] is not None
    assert restricted.y[1] < 7
