"""The domain of the construction and the way from its points to tensors (Appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.domain import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

PAPER = "Lintilhac & Shaikh 2026 (arXiv 2605.20988)"
TRAPEZOIDS: dict[int, Trapezoid] = {1: "steep", 2: "wide"}
BOTH = Choices(steep=1, wide=2)
STEEP = Choices(steep=1)
WIDE = Choices(wide=2)

# Components are distinct: at D = T there is only one subset, else there are at least T.
SPARSITY = Integers(1, 1 + (T - 1) * sp.Min(1, T - D), reads="1 ≤ omega ≤ T, and omega = 1 where D = T")
FLOOR = T**-4
"""The smallest coefficient for which the printed bound on W2 holds."""

TARGETS = Domain(
    {
        T: Integers(2, tested_to=24),
        D: Integers(1, T),
        omega: SPARSITY,
        u: BOTH,
        c: Vector(omega, Reals(FLOOR, 1), square_sum=1),
        sp.Symbol("S"): Subsets(omega, D, T),
    }
)
"""Targets of equal degree with coefficients from T⁻⁴ to 1 in the unit ball, for both trapezoids."""

POSITIVE = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""As printed: positive coefficients in the unit ball, without a floor."""


def batch_of(points: Sequence[Point], device: str) -> TargetBatch:
    """Stack the targets of a set of points.

    Args:
        points: Points with T, D, omega, c and S.
        device: Where the tensors live.

    Returns:
        The batch.
    """
    targets = [Target(p["T"], p["S"], tuple(float(entry) for entry in p["c"])) for p in points]
    return TargetBatch.stack(targets, device=device)


def by_trapezoid(points: Sequence[Point], measure: Callable[[Sequence[Point], Trapezoid], torch.Tensor]) -> Array:
    """Measure the points of each trapezoid in one batch.

    Args:
        points: Points with u.
        measure: From points and a trapezoid to one number per point.

    Returns:
        One number per point, in the order of the points.
    """
    values = np.empty(len(points))
    for width, name in TRAPEZOIDS.items():
        chosen = [n for n, point in enumerate(points) if point["u"] == width]
        if chosen:
            values[chosen] = measure([points[n] for n in chosen], name).cpu().numpy()
    return values
