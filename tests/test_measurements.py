"""The adapters from points to tensors, on measurements that can be added up by hand."""

from fractions import Fraction

import pytest
import sympy as sp
import torch

from boundaudit.checks.measurements import (
    Columns,
    at_points,
    by_columns,
    by_shape,
    combined,
    completed,
    counted,
    evaluated,
    measured,
)

POINTS = [{"T": length, "x": Fraction(length, 2)} for length in (5, 3, 5, 4, 3)]


def test_points_that_agree_stand_in_one_batch_and_numbers_keep_their_order() -> None:
    seen: list[list[int]] = []

    def of(at: Columns) -> torch.Tensor:
        seen.append(at.whole("T").tolist())
        return 10 * at.whole("T") + at.real("x")

    assert measured(of, "T")(POINTS, "cpu").tolist() == [52.5, 31.5, 52.5, 42.0, 31.5]
    assert sorted(seen) == [[3, 3], [4], [5, 5]]
    seen.clear()
    measured(of)(POINTS, "cpu")
    assert seen == [[5, 3, 5, 4, 3]]


def test_a_parameter_that_is_missing_has_a_value_only_where_one_is_stated() -> None:
    at = Columns(POINTS, "cpu")
    with pytest.raises(KeyError, match="lambda"):
        at.real("lambda")
    assert at.real("lambda", 2).tolist() == [2.0] * 5
    assert at.whole("k", 0).dtype == torch.int64
    assert at[[1, 3]].whole("T").tolist() == [3, 4]


def test_vectors_are_padded_with_zeros() -> None:
    at = Columns([{"c": (1, Fraction(1, 2))}, {"c": (3,)}], "cpu")
    assert at.real("c").tolist() == [[1.0, 0.5], [3.0, 0.0]]


def test_points_of_the_same_shapes_stand_in_one_batch() -> None:
    seen: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def image(matrix: torch.Tensor, vector: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        seen.append((tuple(matrix.shape), tuple(vector.shape)))
        return factor * torch.einsum("nij,nj->n", matrix, vector)

    wide, square = ((1, Fraction(1, 2)),), ((1, 0), (2, 3))
    points = [{"A": rows, "v": (2, 4), "x": i} for i, rows in enumerate((wide, square, wide))]
    assert by_shape(image, "A", "v", "x")(points, "cpu").tolist() == [0, 18, 8]
    assert sorted(seen) == [((1, 2, 2), (1, 2)), ((2, 1, 2), (2, 2))]


def test_measurements_of_measurements() -> None:
    length = sp.Symbol("T")
    double = evaluated(lambda: 2 * length)
    product = by_columns(lambda a, b: a * b, "T", "x")
    assert double(POINTS, "cpu").tolist() == [10, 6, 10, 8, 6]
    assert combined(lambda a, b: a - b, product, double)(POINTS[:2], "cpu").tolist() == [2.5, -1.5]
    assert completed(product, lambda p: {**p, "x": 1})(POINTS, "cpu").tolist() == [5, 3, 5, 4, 3]
    assert at_points(lambda p: p["T"] ** 2)(POINTS[:2], "cpu").tolist() == [25, 9]
    assert evaluated(lambda: sp.Integer(7))(POINTS, "cpu").tolist() == [7] * 5


def test_every_point_is_counted_with_a_seed_of_its_own() -> None:
    count = counted(lambda point, trials, seed, device: point["T"] * trials + seed)
    assert count(POINTS, 100, 8, "cpu").tolist() == [508, 309, 510, 411, 312]
