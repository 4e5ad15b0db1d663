"""Targets as points of a domain, families of sets or components side by side, and measurements of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u, x_n
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

_RANGES: dict[Any, Range] = {
    T: Integers(2, tested_to=24),
    D: Integers(1, T),
    omega: SPARSITY,
    u: BOTH,
    c: Vector(omega, Reals(FLOOR, 1), square_sum=1),
    sp.Symbol("S"): Subsets(omega, D, T),
}
TARGETS = Domain(_RANGES)
"""Targets of equal degree with coefficients from T⁻⁴ to 1 in the unit ball, for both trapezoids."""

POSITIVE = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""As printed: positive coefficients in the unit ball, without a floor."""


WITH_INPUT = Domain({**_RANGES, c: Vector(omega, Reals(0, open_low=True)), x_n: Integers(0, 2**T - 1)})
"""Targets of equal degree with any positive coefficients, each with one input."""


def batch_of(at: Columns) -> TargetBatch:
    """Stack the targets of a set of points."""
    targets = [Target(p["T"], p["S"], tuple(map(float, p.get("c", (1,) * len(p["S"]))))) for p in at.points]
    return TargetBatch.stack(targets, device=at.device)


def input_bits(number: Tensor, batch: TargetBatch) -> Tensor:
    """Each target's input, (n, T_max), from its number, whose first binary digit is the bit of position 1."""
    shift = batch.length[:, None] - 1 - torch.arange(batch.max_length, device=batch.device)
    return (number[:, None] >> shift.clamp(min=0)) & (shift >= 0)


def trapezoid(at: Columns) -> Trapezoid:
    """The trapezoid of points that agree in it: steep where they name none."""
    return TRAPEZOIDS[at.points[0].get("u", 1)]


def by_trapezoid(of: Callable[[Columns, Trapezoid], Tensor], *alike: str) -> Measure:
    """A measurement, in one batch for all points that agree in the trapezoid and other parameters."""
    return measured(lambda at: of(at, trapezoid(at)), "u", *alike)


def of_targets(
    of: Callable[[TargetBatch, Trapezoid], Tensor],
    *alike: str,
    stack: Callable[[Columns], TargetBatch] = batch_of,
) -> Measure:
    """A measurement of targets alone."""
    return by_trapezoid(lambda at, mlp: of(stack(at), mlp), *alike)


# --- domain and tensors ---------------------------------------------------------------------------

ONE_TILE = "Components stand side by side; inputs leave some of them without a one and give the others exactly one."
TWO_READINGS = "Two shapes of trapezoid fit the description of the MLP; this is for one of them alone."
ON_A_KINK = "inputs that put a hidden unit of a row on its kink"
"""Where no derivative exists, as a measured side says it."""
KINKED = "Inputs that set an unused row on a kink have no gradient and are left out."
EXACT = "The theorem supposes exact representation, which the finite network misses by O(1/T)."
ALL_OF_F = (
    "All of F counts as parameters, as in the parameter count and the perturbation bounds. A sentence of Theorem 10's "
    "proof gives F one column: the reading in which F's last column alone has parameters."
)


def tiles(longest: int, trapezoid: Choices = BOTH, entries: Reals | None = None) -> Domain:
    """Tilings by components with one input each: T, D, omega, u, c (from T⁻⁴ to 1 unless said), n_e and n_r."""
    return Domain({
        T: Integers(2, tested_to=longest),
        D: Integers(1, T),
        omega: Integers(1, sp.floor(T / D)),
        u: trapezoid,
        c: Vector(omega, entries or Reals(FLOOR, 1), square_sum=1),
        n_e: Integers(0, omega),
        n_r: Integers(0, T - D * omega),
    })  # fmt: skip


def tiled(at: Columns) -> tuple[TargetBatch, Tensor]:
    """The targets of points of tilings and, of each, its input: bits of shape (B, T_max)."""
    length, degree, sparsity, free, rest = (at.whole(name)[:, None] for name in ("T", "D", "omega", "n_e", "n_r"))
    position = torch.arange(int(length.max()), device=at.device)
    component = position // degree
    rows = torch.arange(int(sparsity.max()), device=at.device)
    members = (component[:, None] == rows[:, None]) & (rows < sparsity)[:, :, None]
    inside = (component >= free) & (component < sparsity) & (position % degree == 0)
    outside = (position >= degree * sparsity) & (position < degree * sparsity + rest)
    return TargetBatch.from_tensors(length[:, 0], members, at.real("c")), inside | outside
