"""A variance per group: the closed form against a minimiser, and the numbers at E.3 against all inputs."""

from __future__ import annotations

import pytest
import torch

from boundaudit.checks.sharpness.bound.deterministic import TARGET, kinds_of_inputs, measured
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.target import TargetBatch


@pytest.mark.slow
def test_kinds_of_inputs_stand_for_all_of_them() -> None:
    bits, share = kinds_of_inputs()
    assert share.sum() == 1
    exact = (share * 2**20).tolist()
    assert all(count == int(count) for count in exact)
    some = torch.randint(0, 2, (1024, 20), generator=torch.Generator().manual_seed(0))
    sample = derivatives(TargetBatch.stack([TARGET]), some).gradient.mean()
    whole = derivatives(TargetBatch.stack([TARGET]), bits).gradient[0] @ share
    assert float(whole) == pytest.approx(float(sample), rel=0.04)
    assert measured("steep").budgets.sharpness_total == pytest.approx(float(whole), rel=1e-10)


@pytest.mark.slow
def test_means_over_all_inputs() -> None:
    """Of the wide trapezoid; of the steep one the kinds of inputs stand for them, as above."""
    found = derivatives(TargetBatch.stack([TARGET]), bit_strings(20, 0, 2**20), mlp="wide")
    for block, squares in found.squared.items():
        assert measured("wide").budgets.sharpness[block] == pytest.approx(float(squares.mean()), rel=1e-9)


@pytest.mark.parametrize(
    ("mlp", "loss", "norm"),
    [("steep", 2.00442589818e-4, 1492.69434834002), ("wide", 1.73268317702e-4, 1109.16309834002)],
)
def test_loss_and_norm(mlp: str, loss: float, norm: float) -> None:
    budgets = measured(mlp).budgets
    assert budgets.residual == pytest.approx(loss, rel=1e-10)
    assert budgets.norm_total == pytest.approx(norm, rel=1e-12)
    assert budgets.count == 2014


def test_a_rescaling_moves_one_variance_and_not_seven() -> None:
    plain, scaled = measured("steep"), measured("steep", 3.0)
    assert scaled.shared == pytest.approx(plain.shared, rel=1e-12)
    assert scaled.coordinates == pytest.approx(plain.coordinates, rel=1e-12)
    assert scaled.isotropic < plain.isotropic / 2
