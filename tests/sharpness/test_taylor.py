"""The Taylor step against finite differences, whole Hessians, mpmath and plain sampling."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp
import torch

from boundaudit.checks.sharpness.taylor.expansion import windows
from boundaudit.derivations import heat as flow
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.numeric import heat
from boundaudit.numeric.sharpness import autodiff, taylor
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import column


def loss_at(target: Target, bits: str, block: str, index: int, shift: float, mlp: Trapezoid, scale: float) -> float:
    """The loss with one entry of a vector block moved, by a plain forward pass."""
    batch = TargetBatch.stack([target])
    blocks = build(batch, mlp=mlp, scale=scale)
    getattr(blocks, block)[0, index] += shift
    row = torch.tensor([[bit == "1" for bit in bits]])
    return float((forward(blocks, batch, row, scale=scale)[0, 0] - evaluate(target, row)[0]) ** 2)


# --- the expansion --------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [2.0, math.inf])
@pytest.mark.parametrize("shift", [0.1, 0.25, 0.3, 0.5])
def test_a_flip_leaves_the_parabola(shift: float, scale: float) -> None:
    """T = 4, D = 1, no ones: 16 up to the flip, 100/9 at 0.3 and 4 at 0.5."""
    quotient = loss_at(windows(4, 1, 1), "0000", "Gamma", 1, -shift, "steep", scale) / shift**2
    expected = {0.1: 16, 0.25: 16, 0.3: 100 / 9, 0.5: 4}[shift]
    assert quotient == pytest.approx(expected, rel=1e-9)
    batch = TargetBatch.stack([windows(4, 1, 1)])
    found = taylor.loss_after_bias(batch, torch.zeros(1, 4), 1, column(shift), "steep")
    assert float(found) / shift**2 == pytest.approx(expected, rel=1e-9)


def test_the_constant_and_the_slope_by_differences() -> None:
    """One value entry: the exact mean by sixty nodes, and the derivative by central differences."""
    target, bits, size = windows(5, 1, 1), "01111", 0.3
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    losses = [loss_at(target, bits, "V2", -1, size * node, "steep", 2.0) for node in nodes]
    expected = float(np.dot(weights, losses)) / math.sqrt(2 * math.pi)
    batch, row = TargetBatch.stack([target]), torch.tensor([[False, True, True, True, True]])
    assert float(taylor.loss_with_noisy_value(batch, row, column(size), "steep")) == pytest.approx(expected, rel=1e-12)
    step = 1e-5
    ends = [loss_at(target, bits, "V2", -1, sign * step, "steep", 2.0) for sign in (1, -1)]
    assert float(taylor.loss_slope(batch, row, "steep")) == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-7)
    assert expected == pytest.approx(1 / 36 + size**2 * 25 / 36, rel=1e-12)


def test_a_kink_by_network_at_three_bits() -> None:
    """T = 3, D = 1 and one 1 outside the component: one-sided slopes are 1 apart (steep), by steps of 1e-3."""
    target = windows(3, 1, 1)
    batch, row = TargetBatch.stack([target]), torch.tensor([[False, True, False]])

    def output(shift: float) -> float:
        blocks = build(batch)
        blocks.Gamma[0, 2] += shift
        return float(forward(blocks, batch, row)[0, 0])

    right, left = (output(1e-3) - output(0)) / 1e-3, (output(0) - output(-1e-3)) / 1e-3
    assert left == pytest.approx(0, abs=1e-12)
    assert right == pytest.approx(-1, rel=1e-9)
    assert float(taylor.derivative_jump(batch, row, 2, "steep")) == pytest.approx(1, rel=1e-9)
    assert float(taylor.derivative_jump(batch, row, 2, "wide")) == pytest.approx(0.5, rel=1e-9)


def test_a_perturbed_trace_by_second_differences() -> None:
    """The sum of second differences of the loss over all parameters."""
    target, size = windows(3, 1, 1), 1e-2
    row = torch.tensor([True, False, False])
    found = taylor.perturbed(target, row[None], size, 7, "steep")
    batch = TargetBatch.stack([target])
    plain = build(batch)
    start = moved(plain, gaussian(batch, plain, 7), size)
    flat, step = autodiff.flatten(start)[0], 1e-4
    count = len(flat)
    units = torch.eye(count, dtype=torch.float64)
    ends = torch.cat([flat + step * units, flat - step * units, flat[None]])
    copies = batch.repeat(len(ends))
    outputs = forward(autodiff.unflatten(ends, plain), copies, row[None])[:, 0]
    losses = (outputs - evaluate(target, row[None])[0]).square()
    second = (losses[:count] + losses[count:-1] - 2 * losses[-1]) / step**2
    assert float(found.loss_trace[1]) == pytest.approx(float(second.sum()), rel=1e-4)


# --- Gaussian means -------------------------------------------------------------------------------


@pytest.mark.slow
def test_moments_against_mpmath() -> None:
    for order in range(9):
        density = lambda z, n=order: z**n * mpmath.exp(-(z**2) / 2) / mpmath.sqrt(2 * mpmath.pi)  # noqa: E731
        expected = mpmath.quad(density, [-mpmath.inf, 0, mpmath.inf])
        assert float(flow.moment(order, sp.Integer(1))) == pytest.approx(float(expected), abs=1e-12)


def test_the_clipped_parabola() -> None:
    """The values of the three parts at σ = 1/4, by mpmath from the definition."""
    size = mpmath.mpf(1) / 4

    def loss(z: mpmath.mpf) -> mpmath.mpf:
        return (4 * max(min(size * z, size), -size)) ** 2 * mpmath.npdf(z)

    mean = mpmath.quad(loss, [-mpmath.inf, -1, 0, 1, mpmath.inf])
    inside, kinks = (float(part[0]) for part in heat.clipped_flow(column(4), column(0.25), column(0.25)))
    assert float(heat.clipped_mean(column(4), column(0.25), column(0.25))[0]) == pytest.approx(float(mean), rel=1e-13)
    assert inside + kinks == pytest.approx(float(mean), rel=1e-12)
    assert (inside, kinks) == (pytest.approx(0.849320433, abs=1e-9), pytest.approx(-0.333261882, abs=1e-9))
    naive = 16 * 0.25**2 * math.erf(1 / math.sqrt(2))
    assert naive == pytest.approx(0.682689, abs=1e-6)
    assert abs(naive - float(mean)) > 0.16


def test_forms_against_wick_sums() -> None:
    matrix = np.array([[1.0, 2.0, 0.5], [2.0, -1.0, 0.3], [0.5, 0.3, 0.7]])
    mean, square = heat.form_moments(torch.from_numpy(matrix)[None], column(0.7))
    pairs = [(i, j, k, m) for i in range(3) for j in range(3) for k in range(3) for m in range(3)]
    wick = sum(
        matrix[i, j] * matrix[k, m] * ((i == j) * (k == m) + (i == k) * (j == m) + (i == m) * (j == k))
        for i, j, k, m in pairs
    )
    assert float(mean) == pytest.approx(0.49 * 0.7, rel=1e-12)
    assert float(square) == pytest.approx(0.7**4 * wick, rel=1e-12)


# --- formulas -------------------------------------------------------------------------------------


def test_the_printed_allowance_without_and_with_noise() -> None:
    at = {T: 20, D: 2, omega: 7, d: 22, sigma: sp.Rational(1, 10**6)}
    assert float(theorem.p_printed().subs(at)) == pytest.approx(3.25412775e12, rel=1e-8)
    assert float(theorem.p_restored().subs(at)) == pytest.approx(1.03858858e5, rel=1e-8)
