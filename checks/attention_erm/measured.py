"""Ranges and measurements that several chapters of the high-dimensional limit share."""

from __future__ import annotations

import math
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Measure
from boundaudit.checks.language.domain import Choices, Integers
from boundaudit.checks.measurements import Columns, small
from boundaudit.derivations.attention_erm.symbols import l_erm
from boundaudit.numeric.attention_erm.fixed_points import FixedPoints, fixed_points
from boundaudit.numeric.attention_erm.targets import gaussian_target

RANKS = Choices(tenth="1/10", half="1/2", full=1)
"""κ₀ of targets WWᵀ/√(p₀ d)."""
NOISE_LEVELS = Integers(1, 20)
"""l of δ = 2^(l/2)/16, from 0.09 to 64; at the interpolation threshold a noise Δ from below 1e-3 to above 10."""
LEVEL = sp.sqrt(2) ** l_erm / 16
"""δ."""
LEVELS = "δ = 2^(l/2)/16, l = 1, …, 20"
MODEL = "targets WWᵀ/√(p₀ d), W of p₀ = κ₀ d independent standard normal columns, κ₀ = 0.1, 0.5 or 1"
ONE_TOKEN = "one token and a linear read-out"
RECONSTRUCTED = "The equations are derived here for one token; the printed ones were seen in words only."
ROUNDING = 1e-7
"""Of integrals over the free convolution, relative."""


def noise_level(at: Columns) -> Tensor:
    """δ."""
    return 2 ** (at.real("l_erm") / 2) / 16


def raised_noise_level(at: Columns) -> Tensor:
    """That of the number l + m."""
    return 2 ** ((at.real("l_erm") + at.real("m_erm")) / 2) / 16


def at_fixed_points(
    of: Callable[[Columns, FixedPoints], Tensor],
    level: Callable[[Columns], Tensor],
    noise: Callable[[Columns], Tensor] = noise_level,
) -> Measure:
    """A number of the fixed points with effective noise δ and a threshold, for Gaussian targets of rank ratio κ₀.

    Args:
        of: From the parameters of a batch and its fixed points to one number per point.
        level: From the parameters to ε.
        noise: From the parameters to the effective noise.

    Returns:
        The measurement.
    """

    def batch(at: Columns) -> Tensor:
        target = gaussian_target(float(at.points[0]["kappa_0"]))
        return of(at, fixed_points(target, noise(at), level(at)))

    return small(batch, "kappa_0")


def distance(values: Tensor, expected: float) -> tuple[float, float]:
    """How far the mean of independent values is from a number.

    Args:
        values: One of each run.
        expected: The number.

    Returns:
        The distance, and its standard error.
    """
    return abs(float(values.mean()) - expected), float(values.std()) / math.sqrt(len(values))


def no_threshold(at: Columns) -> Tensor:
    """ε = 0, where the penalty vanishes above interpolation."""
    return 0 * noise_level(at)


def with_threshold(at: Columns) -> Tensor:
    """ε = tδ/2."""
    return at.real("t_erm") / 2 * noise_level(at)
