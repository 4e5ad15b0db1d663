"""What the claims on attention weights share: parameters, and weights of one row."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Integers, Range, Reals, Subsets
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY
from boundaudit.derivations.sharpness.attention import lam, row
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness import attention as network

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))

SETS: dict[Any, Range] = {T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}
SCALE: dict[Any, Range] = {lam: Reals(0, open_low=True, tested_to=6)}
FAMILY: dict[Any, Range] = {sp.Symbol("S"): Subsets(omega, D, T)}
ROW: dict[Any, Range] = {row: Integers(1, omega)}


def scales(at: Columns) -> Tensor:
    """The scale λ of each point; 2 as published where it has none."""
    return at.real("lambda", 2)


def nth_key(weights: Tensor, keys: Tensor, at: Columns) -> Tensor:
    """The weight of key number ``key`` of each point among those that a mask names."""
    return weights.gather(1, network.nth(keys, at.whole("key"))[:, None])[:, 0]
