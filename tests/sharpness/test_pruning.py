"""The pruned MLP: its claims against fractions that stand apart from the suite's formulas."""

from __future__ import annotations

import pytest
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness import pruning
from boundaudit.numeric.sharpness.mlp import Trapezoid, units


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
