"""What pruning takes from the squared gradient, against automatic differentiation and a network row by row."""

import math

import pytest
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness import pruned_gradient
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.pruned_gradient import first_dead, layer_2, saved
from boundaudit.numeric.sharpness.target import Target, TargetBatch

TARGET = Target(4, ((1, 2), (2, 4)), (0.6, 0.8))


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_pruning_takes_the_rows_of_dead_units_of_f(mlp: Trapezoid) -> None:
    bits = bit_strings(4, 0, 16).bool()
    batch = TargetBatch.stack([TARGET] * 16)
    gradient = autodiff.gradients(build(batch, mlp=mlp), batch, bits)
    dead = units(batch.degree, mlp).output == 0
    expected = (gradient.F.square().sum(-1) * dead).sum(-1)
    assert float(gradient.M.square().sum(1)[dead].max()) == 0.0
    torch.testing.assert_close(saved(batch, bits[:, None], mlp)[:, 0], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("mlp", "offset"), [("steep", 2), ("wide", 3)])
def test_the_first_dead_unit_row_by_row(mlp: Trapezoid, offset: int) -> None:
    bits = [1, 0, 1, 1]
    batch = TargetBatch.stack([TARGET])
    active, unused = first_dead(batch, torch.tensor([bits]), mlp)
    shares = []
    for members in (TARGET.components[0], TARGET.components[1], ()):
        logits = [16.0 if t + 1 in members else 1.0 for t in range(4)]
        shares.append(sum(w * z for w, z in zip(logits, bits, strict=True)) / (sum(logits) + 1))
    h = [max(0.0, share - 1 / 2 + offset / 8) for share in shares]
    assert [*active[0, 0].tolist(), float(unused[0, 0])] == pytest.approx(h, abs=1e-14)
    weights = [0.6 * 16, 0.8 * 16, 3]
    mean = sum(w * x for w, x in zip(weights, h, strict=True)) / sum(weights)
    assert float(layer_2(batch, active, unused)[0, 0]) == pytest.approx(mean, rel=1e-14)


def test_the_least_that_pruning_takes_in_the_mean() -> None:
    """One bit of two, coefficient one: (4/6 · 1/12)²; of its inputs, 10 and 11 alone lift the dead unit."""
    point = {"T": 2, "D": 1, "omega": 1, "u": 1, "c": (1,), "S": ((1,),)}
    claim = pruned_gradient.smaller
    left, right = (float(side_values(side, [point], "cpu")[0]) for side in (claim.left, claim.right))
    assert right == pytest.approx((4 / 6 / 12) ** 2, rel=1e-12)
    assert left > 2 * right
    assert math.isfinite(left)
