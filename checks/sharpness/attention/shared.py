"""What the claims on attention weights share: parameters and networks."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness.attention import lam, row
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER)
SETS: dict[Any, Range] = {T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}

# Below D = T there are at least T subsets, so that ω ranges to T.
BELOW: dict[Any, Range] = {T: Integers(2, tested_to=24), D: Integers(1, T - 1), omega: Integers(1, T)}

# The closed forms hold at every real scale; at integers both sides are rational, so that balls decide equality.
SCALE: dict[Any, Range] = {lam: Integers(1, tested_to=6)}
AT_REALS: dict[str, Range] = {"lambda": Reals(0, open_low=True, tested_to=6)}

FAMILY: dict[Any, Range] = {sp.Symbol("S"): Subsets(omega, D, T)}
WEIGHTS: dict[Any, Range] = {c: Vector(omega, Reals(0, open_low=True, tested_to=2))}
ROW: dict[Any, Range] = {row: Integers(1, omega)}


def network_of(points: Sequence[Point], device: str) -> TargetBatch:
    """The targets of a set of points; where they have no coefficients, which layer 1 does not read, with ones.

    Args:
        points: Points with T, D, omega and S, and perhaps c.
        device: Where the tensors live.

    Returns:
        The batch.
    """
    return batch_of([{"c": (1,) * point["omega"], **point} for point in points], device)
