"""Noise of the rows up to the MLP: closed sums against whole Jacobians, finite noise and plain loops."""

import itertools
import math
from fractions import Fraction
from typing import cast

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.row_noise import Row, active_row, first_order, flips, idle_row, least_margin
from boundaudit.numeric.sharpness.target import Target, TargetBatch

CASES = [(5, 1, 1, 2), (6, 2, 0, 3), (6, 2, 1, 1), (7, 3, 3, 2), (7, 3, 2, 0), (4, 4, 3, 0)]
MLPS: tuple[Trapezoid, Trapezoid] = ("steep", "wide")


def one_component(
    length: int, degree: int, inside: int, outside: int, mlp: Trapezoid
) -> tuple[Blocks, TargetBatch, Tensor]:
    """The target {1…D}, with the first ones inside and the first ones outside."""
    batch = TargetBatch.stack([Target(length, (tuple(range(1, degree + 1)),), (0.8,))])
    position = torch.arange(length)
    bits = (position < inside) | ((position >= degree) & (position < degree + outside))
    return build(batch, mlp=mlp), batch, bits[None]


def variances(blocks: Blocks, batch: TargetBatch, bits: Tensor, row: int) -> dict[str, float]:
    """Squared norms of Jacobians with respect to every parameter, by reverse mode, entry by entry."""
    weights = [weight.clone().requires_grad_() for _, weight in blocks.named()]
    passed = trace(blocks.with_weights(weights), batch, bits)
    averaged, stream = passed.averaged[0, 0, row], passed.stream[0, 0, row]
    argument = averaged @ weights[2][0] + weights[3][0]
    slope = (weights[2][0, -1] * (argument.detach() > 0)) @ weights[4][0]

    def square(value: Tensor) -> float:
        found = torch.autograd.grad(value, weights, retain_graph=True, allow_unused=True)
        return sum(float(part.square().sum()) for part in found if part is not None)

    return {
        "average_data": square(averaged[-1]), "average_square": sum(square(entry) for entry in averaged),
        "argument": square(argument[0]), "data": square(stream[-1]), "square": sum(square(entry) for entry in stream),
        "slope_square": sum(square(entry) for entry in slope),
    }  # fmt: skip


def check(row: Row, expected: dict[str, float]) -> None:
    for name, value in expected.items():
        assert float(getattr(row, name)()[0]) == pytest.approx(value, rel=1e-11), name


@pytest.mark.parametrize("mlp", MLPS)
@pytest.mark.parametrize("case", CASES)
def test_active_rows_by_jacobians(case: tuple[int, int, int, int], mlp: Trapezoid) -> None:
    blocks, batch, bits = one_component(*case, mlp)
    numbers = [torch.tensor([value]) for value in (*case, int(case[2] > 0))]
    check(active_row(*cast("tuple[Tensor, Tensor, Tensor, Tensor, Tensor]", tuple(numbers)), mlp),
          variances(blocks, batch, bits, 0))  # fmt: skip


@pytest.mark.parametrize("mlp", MLPS)
@pytest.mark.parametrize(("length", "degree", "ones", "row"), [(6, 2, 3, 1), (6, 1, 6, 3), (8, 3, 5, 7), (6, 2, 2, 6)])
def test_idle_rows_by_jacobians(length: int, degree: int, ones: int, row: int, mlp: Trapezoid) -> None:
    blocks, batch, bits = one_component(length, degree, min(ones, degree), max(0, ones - degree), mlp)
    bit = torch.tensor([int(row < ones)])
    found = idle_row(torch.tensor([length]), torch.tensor([degree]), torch.tensor([ones]), bit, mlp)
    check(found, variances(blocks, batch, bits, row))


def test_printed_row_bound_in_standard_deviations() -> None:
    """D = 1, all ones, without leak: 64 + 64 + 79/16, and 32 is 2.78 of it."""
    row = active_row(*(torch.tensor([n]) for n in (10**6, 1, 1, 0, 1)), "steep")
    variance = float(row.data()[0])
    assert variance == pytest.approx(128 + 79 / 16, rel=1e-5)
    assert math.erfc(32 / math.sqrt(2 * variance)) == pytest.approx(0.0055, abs=5e-5)


def test_first_order_is_the_limit_of_finite_noise() -> None:
    """The remainder falls like σ over four decades."""
    blocks, batch, bits = one_component(6, 2, 1, 2, "steep")
    noise = gaussian(batch, blocks, 5)
    moves = first_order(blocks, batch, bits, noise)
    before = trace(blocks, batch, bits[:, None])
    remainders = []
    for sigma in (1e-2, 1e-3, 1e-4, 1e-5):
        after = trace(moved(blocks, noise, sigma), batch, bits[:, None])
        average = (after.averaged - before.averaged)[:, 0, 0] / sigma - moves.average
        output = (after.stream - before.stream)[:, 0, 0] / sigma - moves.output
        remainders.append((float(average.norm()), float(output.norm())))
    for larger, smaller in itertools.pairwise(remainders):
        assert smaller[0] == pytest.approx(larger[0] / 10, rel=0.3)
        assert smaller[1] == pytest.approx(larger[1] / 10, rel=0.3)


def test_slopes_move_by_the_noise_of_both_factors() -> None:
    blocks, batch, bits = one_component(5, 1, 1, 2, "wide")
    noise = gaussian(batch, blocks, 2)
    on = [s > 0 for s in (trace(blocks, batch, bits).hidden[0, 0, 0]).tolist()]
    expected = [
        sum(
            float(noise.M[0, -1, h] * blocks.F[0, h, e] + blocks.M[0, -1, h] * noise.F[0, h, e])
            for h in range(len(on)) if on[h]
        )
        for e in range(7)
    ]  # fmt: skip
    assert first_order(blocks, batch, bits, noise).slope[0].tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("mlp", MLPS)
@pytest.mark.parametrize(("length", "degree"), [(4, 1), (6, 2), (9, 5), (5, 5)])
def test_margin_in_fractions(length: int, degree: int, mlp: Trapezoid) -> None:
    """Over all counts of ones and the breakpoints of all units, dead ones included."""
    offsets = {"steep": (-2, -1, 1, 2), "wide": (-3, -1, 1, 3)}[mlp]
    total = degree * length**2 + length + 1 - degree
    least = min(
        abs(Fraction(k * length**2 + r, total) - Fraction(4 * i + o, 4 * degree))
        for k in range(degree + 1)
        for r in range(length - degree + 1)
        for i in range(degree + 1)
        for o in offsets
    )
    assert least == Fraction(1, 4 * degree) - Fraction(length + 1 - degree, total)
    found = least_margin(torch.tensor([length, 11]), torch.tensor([degree, 2]), mlp)
    assert float(found[0]) == pytest.approx(float(least), rel=1e-13)


def test_margins_of_long_inputs() -> None:
    sizes = torch.tensor([[6, 1], [6, 2], [20, 5]]).T
    expected = [0.107142857142857, 0.060064935064935, 0.042063492063492]
    assert least_margin(sizes[0], sizes[1], "steep").tolist() == pytest.approx(expected, abs=1e-14)


def test_flips_one_draw_at_a_time() -> None:
    """Each draw alone, by comparing arguments unit by unit; no draw is lost in chunks."""
    blocks, batch, _ = one_component(6, 2, 0, 0, "steep")
    bits = torch.tril(torch.ones(7, 6, dtype=torch.bool), -1)
    own = int(np.random.SeedSequence(3).generate_state(1)[0])
    copies = batch.repeat(40)
    still = blocks.with_weights([weight.repeat(40, *(1,) * (weight.ndim - 1)) for _, weight in blocks.named()])
    noisy = moved(still, gaussian(copies, still, own), 0.03)
    base = trace(blocks, batch, bits).averaged[0] @ blocks.M[0] + blocks.Gamma[0]
    active = total = 0
    for draw in range(40):
        passed = trace(noisy[draw : draw + 1], batch, bits).averaged[0]
        flipped = ((passed @ noisy.M[draw] + noisy.Gamma[draw]) > 0) != (base > 0)
        active += bool(flipped[:, 0].any())
        total += bool(flipped.any())
    found = flips(blocks, batch, bits, 0.03, 40, 3)
    assert (found.active, found.any, found.draws) == (active, total, 40)
    assert 0 < active < total
