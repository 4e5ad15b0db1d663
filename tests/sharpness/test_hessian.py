"""The Hessian's blocks: closed forms against automatic differentiation, and the repaired bound."""

import math

import pytest
import torch

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.hessian.blocks import ENTRIES
from boundaudit.checks.sharpness.hessian.shared import FEW, Found, on_few
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.autodiff import flatten, hessian, hessian_vector, parameters
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.hessian_blocks import output_weights, reduced, scalar_example
from boundaudit.numeric.sharpness.mlp import units
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import TARGETS


def _bits(length: int, seed: int) -> torch.Tensor:
    return torch.randint(0, 2, (length,), generator=torch.Generator().manual_seed(seed)).double()


@pytest.mark.parametrize("scale", [2.0, math.inf])
@pytest.mark.parametrize("name", ["three pairs", "all single bits", "triples"])
def test_rayleigh_quotient_is_a_directional_second_derivative(name: str, scale: float) -> None:
    target = TARGETS[name]
    batch, bits = TargetBatch.stack([target]), _bits(target.length, 3)
    blocks = build(batch, scale=scale)
    found = output_weights(batch, bits[None], scale=scale)
    query = blocks.W2[0, :, target.length]
    direction = blocks.with_weights([torch.zeros_like(weight) for _, weight in blocks.named()])
    direction.F[0] = found.direction[0, 0][:, None] * query
    direction.F[0] /= direction.F.norm()
    product = hessian_vector(blocks, batch, bits[None], direction, scale=scale)
    curvature = float((flatten(product) * flatten(direction)).sum())
    assert curvature == pytest.approx(float(found.rayleigh), rel=1e-9, abs=1e-12)


def test_positional_block_is_that_of_the_whole_hessian() -> None:
    target = Target(4, ((1,), (2,), (4,)), (0.6, 0.64, 0.48))
    batch, bits = TargetBatch.stack([target]), torch.tensor([1.0, 0.0, 1.0, 1.0])
    blocks = build(batch)
    part = parameters(blocks)["F"]
    block = hessian(blocks, batch, bits)[part, part].reshape(8, 6, 8, 6)[:, :4, :, :4].reshape(32, 32)
    largest = torch.linalg.eigvalsh((block + block.mT) / 2).abs().max()
    assert float(output_weights(batch, bits[None]).norm) == pytest.approx(float(largest), rel=1e-10)


def test_padding_changes_nothing() -> None:
    small, large = TARGETS["one bit"], TARGETS["triples"]
    bits = _bits(large.length, 5)
    both = output_weights(TargetBatch.stack([small, large]), bits[None])
    for n, target in enumerate((small, large)):
        alone = output_weights(TargetBatch.stack([target]), bits[None, : target.length])
        assert float(both.norm[n]) == pytest.approx(float(alone.norm), rel=1e-12)
        assert float(both.rayleigh[n]) == pytest.approx(float(alone.rayleigh), rel=1e-12)


def test_one_bit_ideal_network() -> None:
    batch = TargetBatch.stack([Target(4, ((1,),), (1.0,))])
    blocks = build(batch, scale=math.inf)
    matrix = hessian(blocks, batch, torch.tensor([1.0, 0, 0, 0]), scale=math.inf)
    found = reduced(matrix, parameters(blocks))
    assert found.blocks["V1", "M"] == pytest.approx(8 * math.sqrt(2), rel=1e-12)
    assert found.blocks["M", "V2"] == pytest.approx(8, rel=1e-12)
    assert found.blocks["F", "F"] == 0
    assert found.operator <= float(torch.linalg.matrix_norm(found.matrix, 2)) <= sum(found.blocks.values())


@pytest.mark.slow
def test_entries_of_seven_blocks_by_formula() -> None:
    """The closed form of one second derivative each, at a few of the 90 points where whole Hessians are measured."""
    points = list(FEW.smallest(8))[::9]
    assert {point["u"] for point in points} == {1, 2}
    assert len({point["D"] for point in points}) > 1
    table = columns(points)
    for name in ENTRIES:

        def entry(found: Found, name: str = name) -> float:
            return found.entries[name]

        formula = evaluate_float(to_tree(theorem.equal(theorem.entries(FINITE)[name])), table) + 0 * table["T"]
        measured = on_few(entry, 2.0)(points, "cpu")
        assert formula == pytest.approx(measured, rel=1e-10, abs=1e-12), name


def test_one_column_of_f_is_the_hessian_without_the_others() -> None:
    point = {"T": 4, "omega": 2, "D": 1, "u": 1, "n_e": 1, "n_r": 1}
    target = Target(4, ((1,), (2,)), (2**-0.5,) * 2)
    batch, bits = TargetBatch.stack([target]), torch.tensor([0.0, 1, 1, 0])
    blocks = build(batch)
    matrix, part = hessian(blocks, batch, bits), parameters(blocks)["F"]
    kept = [n for n in range(len(matrix)) if not part.start <= n < part.stop or (n - part.start) % 6 == 5]
    expected = float(torch.linalg.eigvalsh(matrix[kept][:, kept]).abs().max())
    assert on_few(lambda found: found.one_column.operator, 2.0)([point], "cpu")[0] == pytest.approx(expected, rel=1e-12)
    assert on_few(lambda found: found.one_column.parameters, 2.0)([point], "cpu")[0] == len(kept)


@pytest.mark.slow
def test_a_whole_hessian_at_the_length_of_the_experiments() -> None:
    """Less than half of H*, at 20 bits."""
    target = Target(20, tuple((t,) for t in range(1, 21)), (20**-0.5,) * 20)
    batch, bits = TargetBatch.stack([target]), (torch.arange(20) >= 4).double()
    matrix = hessian(build(batch), batch, bits)
    exact = float(torch.linalg.eigvalsh((matrix + matrix.mT) / 2).abs().max())
    assert exact == pytest.approx(600.4995, rel=1e-6)
    assert exact < float(theorem.H_STAR.subs({T: 20, D: 1, omega: 20, u: 1})) / 2


def test_scalar_example_by_differences() -> None:
    degree, bit = torch.tensor([2, 3]), torch.tensor([0.5, 1 / 3], dtype=torch.float64)
    _, bias, output = units(degree, "steep")

    def value(v: float, m: float) -> torch.Tensor:
        scale = torch.ones_like(bias)
        scale[:, 0] = m
        return (output * torch.relu(scale * (v * bit)[:, None] + bias)).sum(-1)

    step = 1e-4
    first, mixed = scalar_example(degree, bit, "steep")
    slope = (value(1 + step, 1) - value(1 - step, 1)) / (2 * step)
    corner = value(1 + step, 1 + step) - value(1 + step, 1 - step) - value(1 - step, 1 + step)
    second = (corner + value(1 - step, 1 - step)) / (4 * step**2)
    assert torch.allclose(first, slope, atol=1e-8)
    assert torch.allclose(mixed, second, rtol=1e-5)
