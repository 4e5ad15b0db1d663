"""A variance per group: the closed form against a minimiser, and the numbers at E.3 against all inputs."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.bound.example import SETTING, TARGET, kinds_of_inputs, measured
from boundaudit.checks.sharpness.bound.groups import of_one
from boundaudit.derivations.sharpness.bound import groups as theorem
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.bound.groups import per_group
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.target import TargetBatch

SHARPNESS, NORMS, SHARE = (3.0, 0.2, 40.0), (1.5, 9.0, 0.3), 0.07


def test_the_closed_form_is_what_a_minimiser_finds() -> None:
    def value(logs: np.ndarray) -> float:
        variance = np.exp(logs)
        return float(SHARPNESS @ variance + SHARE * math.sqrt(NORMS @ (1 / variance)))

    found = minimize(value, np.zeros(3), tol=1e-14).fun
    point = {"n_v": np.array([3]), "a_g": np.array([SHARPNESS]), "L_g": np.array([NORMS]), "c_m": np.array([SHARE])}
    assert float(evaluate_float(to_tree(theorem.LEAST), point)[0]) == pytest.approx(found, rel=1e-9)


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


def test_values_are_those_of_the_numerical_minimum() -> None:
    found = measured("wide")
    assert of_one(found, found.shared) == pytest.approx(per_group(found.budgets, **SETTING).value, rel=1e-7)


def test_a_rescaling_moves_one_variance_and_not_seven() -> None:
    plain, scaled = measured("steep"), measured("steep", 3.0)
    assert scaled.shared == pytest.approx(plain.shared, rel=1e-12)
    assert scaled.coordinates == pytest.approx(plain.coordinates, rel=1e-12)
    assert scaled.isotropic < plain.isotropic / 2
