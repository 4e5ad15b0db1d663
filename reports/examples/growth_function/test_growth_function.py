"""What the claims take for granted: `pytest growth_function` runs these tests, and every claim as one more."""

import pytest

from . import numeric


def test_three_points_and_one_interval_by_hand() -> None:
    """All labelings but 1, 0, 1."""
    rows = {tuple(map(int, row)) for row in numeric.labelings(3, 1)}
    assert rows == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 1, 1)}


@pytest.mark.parametrize(("n", "k"), [(2, 1), (4, 2), (6, 3)])
def test_2k_points_have_every_labeling_and_one_more_has_not(n: int, k: int) -> None:
    """The dimension is 2k."""
    assert len(numeric.labelings(n, k)) == 2**n
    assert len(numeric.labelings(n + 1, k)) == 2 ** (n + 1) - 1


def test_two_points_follow_any_noise() -> None:
    """Whatever the signs, some interval makes them."""
    assert numeric.rademacher([{"n": 2}], "cpu").tolist() == [1.0]
