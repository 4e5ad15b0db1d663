"""The construction under noise of a finite size: its parts, what good draws mean, and the bound beside samples."""

from __future__ import annotations

import math

import pytest
import torch

from boundaudit.checks.sharpness.noisy_loss.loss import clipped
from boundaudit.checks.sharpness.noisy_loss.shared import NOISY, formula
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.noise import moved
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SETS = ((1, 2), (2, 3), (1, 5))
COEFFICIENTS = (0.5, 0.6, 0.3)


def _pass(sigma: float, kappa: float, draws: int = 40) -> NoisyPass:
    batch = TargetBatch.stack([Target(5, SETS, COEFFICIENTS)])
    bits = (torch.arange(32)[:, None] >> torch.arange(4, -1, -1)) & 1 == 1
    one = torch.ones(1, dtype=torch.float64)
    return NoisyPass.drawn(batch, bits, sigma * one, kappa * one, mlp="steep", draws=draws)


def test_parts_add_up_to_the_change_of_the_output() -> None:
    found = _pass(0.02, 3.0)
    whole = found.first + found.unused + found.bend + found.cross
    torch.testing.assert_close(whole, found.change, rtol=0, atol=1e-12)
    noisy = forward(moved(found.blocks, found.noise, found.sigma), found.batch, found.bits)
    torch.testing.assert_close(found.new.output, noisy, rtol=0, atol=1e-12)


def test_targets_values_and_grid_points() -> None:
    found = _pass(0.001, 5.0, draws=1)
    expected = [
        sum(c for s, c in zip(SETS, COEFFICIENTS, strict=True) if sum(bits[0][n - 1] for n in s) % 2 == 0)
        for bits in found.bits.tolist()
    ]
    assert found.target[:, 0].tolist() == pytest.approx(expected)
    weight = found.mean(found.active.double())
    torch.testing.assert_close(found.grid_energy, weight * found.counted_energy)


def test_no_active_row_flips_on_good_draws_and_many_do_on_others() -> None:
    flat = _pass(0.002, 4.0)
    active = flat.active & flat.good[..., None]
    assert float(flat.good.double().mean()) > 0.8
    assert float((flat.flips.abs() * active).max()) < 1e-12
    rough = _pass(0.2, 4.0)
    assert float((rough.flips.abs() * rough.active).max()) > 0.5


def test_the_first_order_part_has_the_mean_square_that_uncorrelated_terms_give() -> None:
    found = _pass(0.001, 8.0, draws=200)
    values = found.mean(found.active * found.total * found.ramps).square()
    assert float(found.first.square().mean() / (values + found.rest_given).mean()) == pytest.approx(1, abs=0.06)
    linear = (found.total[..., 0] * found.sigma[:, None]).square() * found.energy
    assert 0.6 < float(values.mean() / linear.mean()) < 1


def test_bad_draws_are_as_rare_as_the_union_bound_says() -> None:
    point = {"T": 5, "D": 2, "omega": 3, "u": 1, "c": COEFFICIENTS, "sigma": 0.001, "kappa_nl": 3.5}
    allowed = float(formula(lambda: theory.BAD)([point], "cpu")[0])
    share = float((~_pass(0.001, 3.5, draws=100).good).double().mean())
    assert 0 < share < allowed < 0.35


def test_second_order_is_small_beside_first_at_small_noise() -> None:
    point = {"T": 5, "D": 2, "omega": 3, "u": 1, "c": COEFFICIENTS, "kappa_nl": 6.0}
    small, tiny = ({**point, "sigma": sigma} for sigma in (1e-4, 1e-6))
    bend, first = formula(lambda: theory.BEND), formula(lambda: theory.first(theory.EVERY_INPUT))
    ratios = [float(bend([p], "cpu")[0] / first([p], "cpu")[0]) for p in (small, tiny)]
    assert ratios[1] == pytest.approx(ratios[0] / 100, rel=0.05)
    assert ratios[0] < 0.01


def test_the_bound_is_trivial_where_good_draws_may_leave_the_plateaus() -> None:
    average = next(case for case in clipped.members if case.case == "average")
    point = {"T": 4, "D": 2, "omega": 1, "u": 1, "c": (0.9,), "S": ((1, 2),), "kappa_nl": 6.0}
    wide, narrow = (average.right.measure([{**point, "sigma": s}], "cpu")[0] for s in (0.1, 1e-4))
    assert wide == 1
    assert 0 < narrow < 0.1
    assert NOISY.contains({**point, "sigma": 0.1}) is True
    assert math.isfinite(narrow)
