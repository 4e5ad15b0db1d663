"""The Walsh-Hadamard transform, against sums over inputs in plain Python."""

import itertools
import operator

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier import subset_indices, subset_of, walsh_hadamard, walsh_hadamard_
from boundaudit.numeric.fourier.benchmarks import level_by_level


def naive(values: list[float], length: int) -> list[float]:
    """Every weight by its definition, input by input."""
    inputs = list(itertools.product((0, 1), repeat=length))

    def sign(x: tuple[int, ...], s: tuple[int, ...]) -> int:
        return -1 if sum(map(operator.mul, x, s)) % 2 else 1

    return [sum(sign(x, s) * value for x, value in zip(inputs, values, strict=True)) / 2**length for s in inputs]


@pytest.mark.parametrize("length", range(7))
def test_weights_by_their_definition(length: int) -> None:
    values = torch.randn(2**length, dtype=torch.float64, generator=torch.Generator().manual_seed(length))
    expected = torch.tensor(naive(values.tolist(), length), dtype=torch.float64)
    torch.testing.assert_close(walsh_hadamard(values), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("positions", [(), (1,), (4,), (2, 3), (1, 2, 4), (1, 2, 3, 4)])
def test_a_character_weighs_one_at_its_own_set(positions: tuple[int, ...]) -> None:
    bits = bit_strings(4, 0, 16)
    ones = sum((bits[:, p - 1].long() for p in positions), torch.zeros(16, dtype=torch.int64))
    weights = walsh_hadamard((-1) ** ones)
    expected = torch.zeros(16, dtype=torch.float64)
    expected[sum(2 ** (4 - p) for p in positions)] = 1.0
    assert torch.equal(weights, expected)


def test_the_input_with_ones_on_a_set_has_its_number() -> None:
    bits = bit_strings(5, 0, 32)
    assert subset_indices(bits).tolist() == list(range(32))


def test_batches_are_transformed_one_by_one() -> None:
    values = torch.randint(-9, 10, (3, 4, 32), generator=torch.Generator().manual_seed(2))
    weights = walsh_hadamard(values)
    assert weights.dtype == torch.float64
    assert all(torch.equal(weights[i, j], walsh_hadamard(values[i, j])) for i in range(3) for j in range(4))


@pytest.mark.parametrize("length", [5, 6, 11, 17])
def test_passes_of_several_positions_are_those_of_one(length: int) -> None:
    table = torch.randn(2, 2**length, dtype=torch.float64, generator=torch.Generator().manual_seed(4))
    expected = torch.stack([level_by_level(row) for row in table])
    assert walsh_hadamard_(table) is table
    torch.testing.assert_close(table, expected, rtol=0, atol=1e-11)


def test_whole_numbers_stay_exact() -> None:
    table = torch.randint(-(2**30), 2**30, (2**16,), generator=torch.Generator().manual_seed(5))
    twice = walsh_hadamard_(walsh_hadamard_(table.double()))
    assert torch.equal(twice, table.double() * 2**16)


def test_single_precision_and_what_has_no_place() -> None:
    table = torch.arange(8, dtype=torch.float32)
    assert walsh_hadamard_(table.clone()).dtype == torch.float32
    for wrong in (table.long(), torch.zeros(4, 4, dtype=torch.float64).T):
        with pytest.raises(InputError, match="table"):
            walsh_hadamard_(wrong)


def test_values_are_left_alone() -> None:
    values = torch.ones(8, dtype=torch.float64)
    walsh_hadamard(values)
    assert torch.equal(values, torch.ones(8, dtype=torch.float64))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 12)])
def test_other_lengths_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="values"):
        walsh_hadamard(torch.zeros(shape))


def test_masks_have_the_same_numbers() -> None:
    members = torch.rand(2, 7, 6, generator=torch.Generator().manual_seed(3)) < 0.5
    indices = subset_indices(members)
    for row, index in zip(members.flatten(0, 1), indices.flatten(), strict=True):
        positions = (row.nonzero()[:, 0] + 1).tolist()
        assert int(index) == sum(2 ** (6 - p) for p in positions)
        assert subset_of(int(index), 6) == tuple(positions)
