"""Printed bounds at known places, and the closed forms of perturbed networks against whole networks."""

import math
from typing import Any

import numpy as np
import pytest
import sympy as sp
import torch

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.perturbed import networks
from boundaudit.checks.sharpness.targets import tiled
from boundaudit.derivations.sharpness import perturbed_output as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_gradient import G_P, G_P_PRINTED, LEFT_OVER, WITHOUT_NOISE
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.moments import finite, first_order, stretched

TILING: dict[str, Any] = {"T": 8, "D": 2, "omega": 3, "u": 2, "c": (0.7, 0.3, 0.002), "n_e": 2, "n_r": 1}


def _value(expression: sp.Expr, point: dict[str, Any]) -> float:
    return float(np.ravel(evaluate_float(to_tree(expression), columns([point])))[0])


def test_terms_without_sigma_at_the_smallest_network() -> None:
    at = {T: 2, D: 1, omega: 1, d: 4}
    assert float(WITHOUT_NOISE.subs(at)) == pytest.approx(64 * math.sqrt(2) * math.log(2) * 6, rel=1e-14)
    assert float(LEFT_OVER.subs(at)) == pytest.approx(376.4191, abs=5e-5)


def test_restored_bound_meets_the_printed_one_at_unit_noise() -> None:
    at = {T: 20, D: 2, omega: 7, d: 22, theorem.sigma: 1}
    assert float(G_P.subs(at)) == pytest.approx(float(G_P_PRINTED.subs(at)), rel=1e-14)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_stretched_derivative_is_that_of_the_tilted_softmax(order: int) -> None:
    batch, bits = tiled(Columns([TILING], "cpu"))
    blocks = build(batch, mlp="wide")
    found = trace(blocks, batch, bits[:, None])
    length = float((blocks.W2[0, :, 8] ** 2).sum().sqrt())
    a, v, s = found.second[0, 0].numpy(), found.values[0, 0].numpy(), found.averaged[0, 0, :, -1].numpy()

    def output(step: float) -> float:
        tilted = a * np.exp(step * length * s)
        return float(tilted @ v / tilted.sum())

    h = 3e-3
    quotient = {
        1: (output(h) - output(-h)) / (2 * h),
        2: (output(h) - 2 * output(0) + output(-h)) / h**2,
        3: (output(2 * h) - 2 * output(h) + 2 * output(-h) - output(-2 * h)) / (2 * h**3),
    }[order]
    closed = _value(theorem.stretched(FINITE, order), TILING)
    assert closed == pytest.approx(quotient, rel=5e-3)
    assert closed == pytest.approx(float(stretched(blocks, batch, bits, order)[0]), rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [0, 3, 700])
def test_three_components_is_the_network_with_that_coefficient(exponent: int) -> None:
    found = networks.third_coefficient(Columns([{"T": 5, "u": 1, "ell_3": exponent}], "cpu"))
    whole = {"T": 5, "D": 1, "omega": 3, "u": 1, "c": (0.5, 0.25, math.exp(-exponent)), "n_e": 1, "n_r": 0}
    batch, bits = tiled(Columns([whole], "cpu"))
    for (_, weight), (_, expected) in zip(found.blocks.named(), build(batch).named(), strict=True):
        torch.testing.assert_close(weight, expected, rtol=1e-12, atol=1e-12)
    assert bool((found.bits == bits).all())
    point = {"T": 5, "u": 1, "ell_3": exponent}
    written = _value(theorem.three_components(theorem.stretched(FINITE, 2)), point)
    assert written == pytest.approx(float(stretched(*found, 2)[0]), rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("degree", "sparsity"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_what_first_order_leaves_falls_by_four_where_the_noise_is_halved(degree: int, sparsity: int) -> None:
    """Of the output and of its gradient, T = 4; the budget of 5 % covers third order."""
    for kind in range(2):
        point = networks.complete({"T": 4, "D": degree, "omega": sparsity, "n_e": kind})
        found = networks.networks(Columns([point], "cpu"))
        noise = found.noise(0)
        law = first_order(*found, noise)
        for size in (2**-14, 2**-18):
            changes = [finite(*found, noise, step) for step in (size, size / 2)]
            output = [float((c.output - s * law.output).abs()) for c, s in zip(changes, (size, size / 2), strict=True)]
            slope = [
                float((c.gradient - s * law.gradient).norm()) for c, s in zip(changes, (size, size / 2), strict=True)
            ]
            assert output[0] / output[1] == pytest.approx(4, rel=0.05)
            assert slope[0] / slope[1] == pytest.approx(4, rel=0.05)
