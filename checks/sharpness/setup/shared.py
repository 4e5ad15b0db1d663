"""The setting: the targets on which it is stated, and how a statistic of them is measured."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness import setup as numeric

claim = functools.partial(Claim, paper=PAPER, place=("Equation 1",))

POSITIVE = Vector(omega, Reals(0, open_low=True, tested_to=8))
S = sp.Symbol("S")
TARGETS = Domain(
    {
        T: Integers(2, tested_to=8),
        D: Integers(1, T),
        omega: SPARSITY,
        c: POSITIVE,
        S: Subsets(omega, D, T),
    }
)
"""Targets of equal degree with positive coefficients."""

IN_BALL = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""The same with coefficients in the unit ball."""

SEVERAL = TARGETS.replace(D=Integers(1, T - 1), omega=Integers(2, T))
"""At least two components; at D = T there is only one subset."""


def tensor_of(points: Sequence[Point], name: str, device: str) -> Tensor:
    """One parameter of all points, shape (n,)."""
    return torch.tensor([point[name] for point in points], device=device)


def over_inputs(statistic: numeric.Statistic) -> Measure:
    """A statistic of the target over all of its inputs."""

    def measure(points: Sequence[Point], device: str) -> Array:
        return numeric.over_inputs(batch_of(points, device), statistic).cpu().numpy()

    return measure


def per_size(of: Callable[..., float], *names: str) -> Measure:
    """A number that depends on a few integers alone, computed once for each."""
    known = functools.cache(of)
    return lambda points, device: np.array([float(known(*(point[name] for name in names))) for point in points])
