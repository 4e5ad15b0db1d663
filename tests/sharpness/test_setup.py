"""The setting: statistics of targets against fractions input by input."""

import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
import torch

from boundaudit.numeric.sharpness import oracle, setup
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import SMALL, TARGETS

SMALL_TARGETS = [TARGETS[name] for name in SMALL]


def inputs(length: int) -> Iterator[tuple[int, ...]]:
    return itertools.product((0, 1), repeat=length)


def indicator(positions: tuple[int, ...], x: tuple[int, ...]) -> int:
    return 1 - sum(x[p - 1] for p in positions) % 2


def values(target: Target) -> list[Fraction]:
    """F at every input, in fractions."""
    terms = list(zip(target.components, map(Fraction, target.coefficients), strict=True))
    return [sum((c * indicator(s, x) for s, c in terms), Fraction(0)) for x in inputs(target.length)]


def average(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def statistics(target: Target) -> dict[str, Fraction]:
    """All statistics of one target by their definitions."""
    f = values(target)
    mean = average(f)
    return {"mean": mean, "variance": average([(v - mean) ** 2 for v in f])}


@pytest.mark.parametrize("name", list(statistics(SMALL_TARGETS[0])))
def test_statistics_of_a_mixed_batch_in_fractions(name: str) -> None:
    measured = setup.over_inputs(TargetBatch.stack(SMALL_TARGETS), getattr(setup, name))
    expected = torch.tensor([float(statistics(target)[name]) for target in SMALL_TARGETS], dtype=torch.float64)
    torch.testing.assert_close(measured, expected, rtol=1e-13, atol=0)


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = TargetBatch.stack(SMALL_TARGETS)
    whole = setup.over_inputs(batch, setup.variance)
    monkeypatch.setattr(oracle, "INPUTS", 2**7)
    torch.testing.assert_close(setup.over_inputs(batch, setup.variance), whole, rtol=1e-14, atol=0)


@pytest.mark.parametrize("length", range(1, 5))
def test_determinant_in_integers(length: int) -> None:
    sets = [tuple(p for p in range(1, length + 1) if s[p - 1]) for s in inputs(length)]
    exact = sp.Matrix([[indicator(s, x) for x in inputs(length)] for s in sets]).det(method="bareiss")
    power = length * 2 ** (length - 1) - 2**length + 1
    assert abs(exact) == 2**power
    assert setup.log_determinant(length) == pytest.approx(power, abs=1e-12)


def test_mean_products_by_counting() -> None:
    sizes = [s for s in itertools.product(range(4), repeat=3) if sum(s)]
    measured = setup.mean_product(*torch.tensor(sizes).T)
    for (n_1, n_2, n_12), value in zip(sizes, measured.tolist(), strict=True):
        shared = tuple(range(1, n_12 + 1))
        first = (*shared, *range(n_12 + 1, n_12 + n_1 + 1))
        second = (*shared, *range(n_12 + n_1 + 1, n_12 + n_1 + n_2 + 1))
        count = sum(indicator(first, x) * indicator(second, x) for x in inputs(n_1 + n_2 + n_12))
        assert value == count / 2 ** (n_1 + n_2 + n_12)
