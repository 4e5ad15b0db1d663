"""What the claims on exactness share: one component and its inputs, and errors over all inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import BOTH, PAPER, batch_of, by_trapezoid
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, c, k, omega, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
LATER = ("Theorem 5", "Theorem 13", "Theorem 14")
ROWS = {D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D)}
COEFFICIENT = {C: Reals(0, open_low=True, tested_to=8)}


def column(points: Sequence[Point], name: str, device: str, default: int = 1) -> Tensor:
    """An integer parameter of each point, int64, shape (n,)."""
    return torch.tensor([point.get(name, default) for point in points], dtype=torch.int64, device=device)


def reals(points: Sequence[Point], name: str, device: str, default: float = 1) -> Tensor:
    """A real parameter of each point, float64, shape (n,)."""
    return torch.tensor([point.get(name, default) for point in points], dtype=torch.float64, device=device)


def scales(points: Sequence[Point], device: str) -> Tensor:
    """The scale λ of each point; 2 as published where it has none."""
    return reals(points, "lambda", device, 2)


def leading(points: Sequence[Point], device: str) -> tuple[TargetBatch, Tensor]:
    """One component {1…D} and the input with k ones in it and r after it."""
    length, degree = column(points, "T", device), column(points, "D", device)
    inside, outside = column(points, "k", device), column(points, "r", device)
    batch = network.leading(length, degree, reals(points, "C", device))
    return batch, network.leading_bits(length, degree, inside, outside)


def over_inputs(points: Sequence[Point], device: str, reduce: Callable[[Tensor], Tensor]) -> Array:
    """Errors of the networks at all their inputs, reduced.

    Args:
        points: Points with T, D, omega, u, c and S.
        device: Where to compute.
        reduce: From errors, shape (n, N), to shape (n,).

    Returns:
        One number per point.
    """

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        def one(batch: TargetBatch, bits: Tensor) -> Tensor:
            two = torch.full_like(batch.coefficients[:, 0], 2.0)
            return reduce(leak.errors(batch, bits, two, two, mlp))

        return leak.over_all_inputs(batch_of(chosen, device), one)

    return by_trapezoid(points, of)


FAMILY: dict[Any, Range] = {
    D: Integers(1, T - 1),
    omega: Integers(1, T),
    u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=2)),
    sp.Symbol("S"): Subsets(omega, D, T),
}
SHORT = Domain({T: Integers(3, 6), **FAMILY})
ENUMERATED = "Measured over all inputs, for lengths up to 6."
