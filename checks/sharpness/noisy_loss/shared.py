"""Noisy networks: where claims about them speak, and what is measured of them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed, evaluated
from boundaudit.checks.sharpness.proofs import PAIRS
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl, n_nl
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12", "Theorem 17"), expected="proved")

_RANGES: dict[Any, Range] = {
    T: Integers(4, tested_to=4), D: Integers(1, T), omega: SPARSITY, u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=1)), sp.Symbol("S"): Subsets(omega, D, T),
    sigma: Reals(0, open_low=True, tested_to=0.01), kappa_nl: Reals(0, tested_to=8), n_nl: Integers(1, tested_to=2),
}  # fmt: skip
NOISY = Domain(_RANGES)
"""Targets of equal degree with any positive coefficients, a size of noise, a κ and a number of draws."""

FLAT = Domain(
    {**_RANGES, n_nl: Integers(1, tested_to=8)}, where=[theory.PLATEAUS, n_nl >= 8, kappa_nl <= 8]
)  # fmt: skip
"""The same where good draws leave active rows on their plateaus and the tail of a normal variable is bounded, with
draws enough for means over them."""


def samples(draws: int) -> dict[str, Point]:
    """Where waterfalls are drawn.

    Args:
        draws: For each input.

    Returns:
        Points by name.
    """
    return {
        f"T=20, D=2, ω=10, σ={size}": {**PAIRS, "sigma": size, "kappa_nl": 5.5, "n_nl": draws}
        for size in (0.002, 0.0001)
    }


INPUTS = 16
"""How many inputs of a target are looked at: all where there are no more."""


def inputs_of(length: int) -> Tensor:
    """The inputs that are looked at.

    Args:
        length: T.

    Returns:
        Bits, shape (n, T).
    """
    numbers = torch.arange(min(2**length, INPUTS))
    if 2**length > INPUTS:
        numbers = torch.from_numpy(np.random.default_rng(0).integers(0, 2**length, INPUTS))
    return (numbers[:, None] >> torch.arange(length - 1, -1, -1)) & 1 == 1


Values = Callable[[NoisyPass], Tensor]
"""From a pass to one number for each draw and input, or for each of their rows."""


def _with_sizes(p: Point) -> Point:
    """A point with C, the sum of the squared logits and their span."""
    logits = [math.log(x) + 2 * math.log(p["T"]) for x in p["c"]]
    span = max(*logits, 0.0) - min(*logits, 0.0)
    return {**p, "C": sum(p["c"]), "K_nl": sum(x * x for x in logits), "l_nl": span}


def formula(build: Callable[[], sp.Expr]) -> Measure:
    """An expression in the points' parameters, C, the sum of the squared logits and their span."""
    return completed(evaluated(build), _with_sizes)


def node(name: str, latex: str, measure: Measure, *, scale: float = 1e-9) -> Quantity:
    """A number of at least 0 that is measured to rounding."""
    return Quantity(name, measure, latex, rounding=1e-9, scale=scale, nonnegative=True)
