"""What the claims on the Taylor step share: one component at one input, and small networks under noise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, measured
from boundaudit.checks.sharpness.exactness.shared import COEFFICIENT, leading
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TRAPEZOIDS, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness import taylor as network
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12"))
NOISE = Reals(0, open_low=True, tested_to=1)
ONE_BIT = Domain({T: Integers(3, tested_to=16), u: STEEP, **COEFFICIENT})
"""The component {1}, of weight C, at the input 01…1: where the second layer leaks most."""

SMALL = Domain({
    T: Integers(4, 5),
    D: Integers(1, 2),
    omega: Integers(1, 2),
    u: BOTH,
    sigma: Choices(millionth=Fraction(1, 10**6), ten_thousandth=Fraction(1, 10**4), hundredth=Fraction(1, 100)),
})  # fmt: skip
"""Networks small enough for whole Hessians; component t is the window of D positions from t on."""


def one_bit(of: Callable[[TargetBatch, Tensor, Columns, Trapezoid], Tensor]) -> Measure:
    """A measurement on the component {1} at the input 01…1.

    Args:
        of: From targets, inputs, columns and the trapezoid to one number per point.

    Returns:
        The measurement.
    """
    measure = by_trapezoid(lambda at, mlp: of(*leading(at), at, mlp))
    return completed(measure, lambda p: {**p, "D": 1, "k": 0, "r": p["T"] - 1})


def windows(length: int, degree: int, sparsity: int) -> Target:
    """Windows of D positions from 1, 2, …, ω on, with equal coefficients of unit length."""
    sets = tuple(tuple(sorted((t + n) % length + 1 for n in range(degree))) for t in range(sparsity))
    return Target(length, sets, (sparsity**-0.5,) * sparsity)


@functools.cache
def _record(length: int, degree: int, sparsity: int, width: int, deviation: float, device: str) -> network.Perturbed:
    """One draw at the input 10…0, off every kink at these lengths."""
    bits = torch.zeros(length, dtype=torch.bool, device=device)
    bits[0] = True
    return network.perturbed(windows(length, degree, sparsity), bits, deviation, length, TRAPEZOIDS[width])


def of_perturbed(of: Callable[[network.Perturbed], float]) -> Measure:
    """A measurement on small networks after one draw of noise.

    Args:
        of: From the record of one network to a number.

    Returns:
        The measurement.
    """
    return measured(lambda at: at.each(lambda p: of(_record(*_setting(p), at.device))))


def _setting(p: Point) -> tuple[int, int, int, int, float]:
    return p["T"], p["D"], p["omega"], p["u"], float(p["sigma"])


@functools.cache
def excess(length: int, degree: int, sparsity: int, deviation: float, draws: int = 100) -> network.Excess:
    """The mean loss over all inputs under noise, by pairs of mirrored draws.

    Args:
        length: T.
        degree: D.
        sparsity: ω.
        deviation: σ.
        draws: how many pairs.

    Returns:
        The estimate with its interval.
    """
    return network.excess(windows(length, degree, sparsity), deviation, draws, seed=length + degree)


SIZES = (
    "trace", "count", "plain", "noisy", "change", "start", "residual", "moved", "norm", "noisy_norm", "norm_change",
)  # fmt: skip
"""What a chain for the trace needs, after one draw of noise and before: the trace, the count of the parameters, the
norms of the gradient plain and noisy and of its change, the residual's size at the start and after the noise and the
output's change (moved), the operator norms of Hess f and of its change."""


def size(name: str) -> Measure:
    """One of `SIZES`, at points with T, D, omega, u and sigma."""
    return measured(lambda at: at.each(lambda p: _sizes(*_setting(p), at.device)[name]))


@functools.cache
def _sizes(length: int, degree: int, sparsity: int, width: int, deviation: float, device: str) -> dict[str, float]:
    record = _record(length, degree, sparsity, width, deviation, device)
    plain, noisy = record.gradient
    matrices = torch.stack([*record.hessian, record.hessian[1] - record.hessian[0]])
    norm, noisy_norm, norm_change = torch.linalg.eigvalsh(matrices).abs().amax(-1).tolist()
    start, residual = record.residual.tolist()
    return {
        "trace": float(record.loss_trace[1]), "count": float(plain.numel()),
        "plain": float(plain.norm()), "noisy": float(noisy.norm()), "change": float((noisy - plain).norm()),
        "start": abs(start), "residual": abs(residual), "moved": abs(residual - start),
        "norm": norm, "noisy_norm": noisy_norm, "norm_change": norm_change,
    }  # fmt: skip
