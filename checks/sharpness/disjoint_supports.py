"""Components side by side with inputs that leave some of them without a one: domain and tensors."""

from __future__ import annotations

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, FLOOR
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.target import TargetBatch

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
