"""The pruned MLP: its claims against fractions that stand apart from the suite's formulas."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness import pruning
from boundaudit.numeric.sharpness.mlp import Trapezoid, units

from .cases import OFFSETS, wave


def test_the_pruned_wave_in_fractions() -> None:
    points = pruning.wave.domain.sample(200, np.random.default_rng(1))
    expected = [float(wave(Fraction(p["s"]), p["D"], int(p["u"]))) for p in points]
    for side in (pruning.wave.left, pruning.wave.right):
        assert np.abs(side_values(side, points, "cpu") - expected).max() < 1e-11


def test_the_norms_that_are_left_in_fractions() -> None:
    m, gamma = pruning.norms.members
    points = m.domain.sample(100, np.random.default_rng(2))
    biases = [
        [Fraction(4 * i + o, 4 * p["D"]) for i in range(0, p["D"] + 1, 2) for o in OFFSETS[int(p["u"])]] for p in points
    ]
    for claim, expected in (
        (m, [float(len(row)) for row in biases]),
        (gamma, [float(sum(bias**2 for bias in row)) for row in biases]),
    ):
        for side in (claim.left, claim.right):
            assert side_values(side, points, "cpu") == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_a_pruned_mlp_has_four_units_for_each_even_grid_point_all_of_them_live(mlp: Trapezoid) -> None:
    degree = torch.arange(1, 65)
    kept = units(degree, mlp, pruned=True)
    assert kept.real.sum(-1).tolist() == (4 * (degree // 2 + 1)).tolist()
    assert torch.equal(kept.output != 0, kept.real)


@pytest.mark.parametrize(("degree", "width", "saved"), [(1, 1, 4 + 37 / 8), (2, 1, 5 + 5 / 32), (2, 2, 5 + 5 / 16)])
def test_known_savings(degree: int, width: int, saved: float) -> None:
    """D = 1: breakpoints 1 ± 1/2, 1 ± 1/4 weigh 4 + 5/8; D = 2: 1/2 ± 1/4, 1/2 ± 1/8 weigh 1 + 5/32."""
    point = [{"D": degree, "u": width}]
    assert side_values(pruning.saved.left, point, "cpu") == pytest.approx([saved], rel=1e-12)
    assert side_values(pruning.smaller.right, point, "cpu")[0] <= saved + 1e-12


def test_pruning_saves_what_the_odd_units_weigh() -> None:
    points = pruning.saved.domain.sample(60, np.random.default_rng(3))
    for side in (pruning.saved.left, pruning.saved.right):
        for p, value in zip(points, side_values(side, points, "cpu"), strict=True):
            biases = [Fraction(4 * i + o, 4 * p["D"]) for i in range(1, p["D"] + 1, 2) for o in OFFSETS[int(p["u"])]]
            assert value == pytest.approx(float(sum(1 + bias**2 for bias in biases)), rel=1e-11)
