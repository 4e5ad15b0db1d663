"""How far a normal vector whose variance fluctuates as χ²_n/n is from one of variance one, in total variation.

Both densities depend on the vector's length alone, so that every norm is an integral over one number.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

_LENGTHS, _LONGEST, _VARIANCES = 2001, 16.0, 401


def radial_distances(width: int, dimension: int) -> tuple[float, float]:
    """∫ |p_n - p| and ∫ |p_n - p - p'/n| over R^d, p' the second derivative of the density by the variance at one.

    The width n is at least 2; both to about 1e-5 of themselves by the trapezoidal rule.
    """
    length = torch.linspace(1e-12, _LONGEST, _LENGTHS, dtype=torch.float64)
    spread = 10 * math.sqrt(2 / width)
    low, high = -80 / width - spread, math.log1p(80 / width + 2 * spread)
    logarithm = torch.linspace(low, high, _VARIANCES, dtype=torch.float64)
    weights = (width / 2 * (logarithm - logarithm.expm1())).exp()
    fluctuating = weights / weights.sum() @ _density(length, logarithm[:, None], dimension)
    still = _density(length, torch.zeros(1, dtype=torch.float64), dimension)
    half = length.square() / 2
    bend = still * ((half - dimension / 2) ** 2 + dimension / 2 - 2 * half)
    first, rest = fluctuating - still, fluctuating - still - bend / width
    return float(torch.trapezoid(first.abs(), length)), float(torch.trapezoid(rest.abs(), length))


def _density(length: Tensor, logarithm: Tensor, dimension: int) -> Tensor:
    """Of the length of a normal vector of a variance, by the variance's logarithm."""
    exponent = (dimension - 1) * length.log() - dimension / 2 * logarithm - length.square() / 2 * (-logarithm).exp()
    return (exponent - (dimension / 2 - 1) * math.log(2) - math.lgamma(dimension / 2)).exp()
