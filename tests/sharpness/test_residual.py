"""The four readings of the residual, against a plain network in NumPy."""

import itertools
from typing import get_args

import numpy as np
import numpy.typing as npt
import pytest
import torch
from flint import fmpq

from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.translate import to_tree
from boundaudit.derivations.sharpness import residual as theorem
from boundaudit.numeric.sharpness.autodiff import gradients
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.forward import Residual
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.residual import errors, largest_errors
from boundaudit.numeric.sharpness.target import Target, TargetBatch

READINGS: tuple[Residual, ...] = get_args(Residual)
EXAMPLE = Target(12, ((1, 2), (3, 4), (5, 6)), (0.6, 0.64, 0.48))
LARGEST = {"tokens": 1.7161, "attention": 1.6529, "none": 1.3231, "positions": 0.0667495}


def wave(s: npt.NDArray[np.float64], degree: int) -> npt.NDArray[np.float64]:
    """The steep wave, drawn from its corners."""
    corners = [(2 * i + offset / 4, height) for i in range(degree // 2 + 1) for offset, height in
               ((-2, 0.0), (-1, 1.0), (1, 1.0), (2, 0.0))]  # fmt: skip
    places, heights = np.array(corners).T
    values: npt.NDArray[np.float64] = np.interp(s * degree, places, heights)
    return values


def output(target: Target, bits: tuple[int, ...], reading: str) -> float:
    """The network row by row: averages, the MLP, and what the residual adds."""
    length, degree, rows = target.length, target.degree, target.length + 1
    z = np.array([*bits, 0.0])
    first = np.ones((rows, rows))
    for t, positions in enumerate(target.components):
        first[t, [p - 1 for p in positions]] = length**2
    s = first @ z / first.sum(1)
    data = wave(s, degree) + {"tokens": z, "attention": s}.get(reading, np.zeros(rows))
    second: npt.NDArray[np.float64] = np.ones(rows)
    if reading in ("positions", "tokens"):
        second[: target.sparsity] = np.array(target.coefficients) * length**2
    return float(sum(target.coefficients) * (second @ data) / second.sum())


def error(target: Target, bits: tuple[int, ...], reading: str) -> float:
    values = zip(target.components, target.coefficients, strict=True)
    wanted = sum(c for positions, c in values if sum(bits[p - 1] for p in positions) % 2 == 0)
    return abs(output(target, bits, reading) - wanted)


@pytest.mark.parametrize("reading", READINGS)
def test_errors_against_a_plain_network(reading: Residual) -> None:
    target = Target(6, ((1, 4), (2, 3), (3, 6)), (0.5, 0.3, 0.7))
    strings = list(itertools.product((0, 1), repeat=6))
    found = errors(TargetBatch.stack([target]), torch.tensor(strings), residual=reading)[0]
    assert found.numpy() == pytest.approx([error(target, bits, reading) for bits in strings], abs=1e-12)


@pytest.mark.parametrize("reading", READINGS)
def test_the_example_of_twelve_bits(reading: Residual) -> None:
    found = float(largest_errors(TargetBatch.stack([EXAMPLE]), residual=reading)[0])
    plain = max(error(EXAMPLE, bits, reading) for bits in itertools.product((0, 1), repeat=12))
    assert found == pytest.approx(plain, rel=1e-12)
    assert found == pytest.approx(LARGEST[reading], abs=5e-5)


@pytest.mark.parametrize("reading", READINGS)
def test_batches_of_different_lengths(reading: Residual) -> None:
    targets = [Target(4, ((1, 2),), (1.0,)), Target(6, ((2, 5), (1, 6)), (0.6, 0.8))]
    together = largest_errors(TargetBatch.stack(targets), residual=reading)
    alone = [float(largest_errors(TargetBatch.stack([target]), residual=reading)[0]) for target in targets]
    assert together.tolist() == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("reading", READINGS)
def test_closed_forms_against_a_plain_network(reading: Residual) -> None:
    for length, degree, inside, outside in [(3, 1, 1, 0), (5, 2, 1, 2), (6, 4, 4, 1), (7, 3, 2, 4)]:
        target = Target(length, (tuple(range(1, degree + 1)),), (1.0,))
        bits = (1,) * inside + (0,) * (degree - inside) + (1,) * outside + (0,) * (length - degree - outside)
        values = {"T": length, "D": degree, "k": inside, "n_z": inside + outside, "u": 1}
        closed = evaluate(to_tree(theorem.error(reading)), values)
        assert isinstance(closed, fmpq)
        assert int(closed.p) / int(closed.q) == pytest.approx(error(target, bits, reading), abs=1e-12)


def test_bits_around_the_mlp_make_the_gradient_steeper() -> None:
    """With positions alone T+3 channels have the published gradient; with whole tokens V2 and W2 have a larger one."""
    target = Target(6, ((1, 2), (3, 4)), (0.6, 0.8))
    batch, bits = TargetBatch.stack([target]), torch.tensor([[1, 0, 1, 1, 0, 1]])
    squares = {}
    for layout in get_args(Layout)[:3]:
        found = gradients(build(batch, layout=layout), batch, bits.bool())
        squares[layout] = {name: float(weight.square().sum()) for name, weight in found.named()}
        closed = derivatives(batch, bits, layout=layout).squared
        assert squares[layout] == pytest.approx({name: float(value) for name, value in closed.items()})
    published, tokens, positions = squares.values()
    assert positions == pytest.approx(published)
    assert {name for name in tokens if tokens[name] > published[name] * (1 + 1e-9)} == {"V2", "W2"}
