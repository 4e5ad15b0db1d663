"""Errors of one component at its inputs, and of whole targets over all of theirs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid, of_targets
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, c, k, omega, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
LATER = ("Theorem 5", "Theorem 13", "Theorem 14")
ROWS = {D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D)}
COEFFICIENT = {C: Reals(0, open_low=True, tested_to=8)}


def leading(at: Columns) -> tuple[TargetBatch, Tensor]:
    """One component {1…D} and the input with k ones in it and r after it."""
    length, degree = at.whole("T"), at.whole("D")
    batch = network.leading(length, degree, at.real("C", 1))
    return batch, network.leading_bits(length, degree, at.whole("k"), at.whole("r"))


@by_trapezoid
def error_at(at: Columns, mlp: Trapezoid) -> Tensor:
    """Network minus target for one component at the input with k ones in it and r after it."""
    return errors(*leading(at), scales(at), mlp)


def errors(batch: TargetBatch, bits: Tensor, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """Network minus target, each target at one input of its own."""
    return leak.errors(batch, bits[:, None], scale, scale, mlp)[:, 0]


def leaked(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """What layer 2 leaks where all rows with a component are exact.

    Args:
        batch: B targets.
        bits: Inputs, shape (N, T_max) for all alike or (B, N, T_max).
        mlp: The trapezoid.

    Returns:
        (T+1-ω)(C g - f)/(C T² + T+1-ω), g the MLP's output at the share of ones that those rows see, shape (B, N).
    """
    rows, total, length = ((batch.length + 1 - batch.sparsity), batch.absolute_sum, batch.length)
    ones = (bits.bool() & batch.real_positions[:, None]).double().sum(-1)
    g = response(ones / (length[:, None] + 1), batch.degree, mlp)
    away = total[:, None] * g - evaluate_batch(batch, bits)
    return (rows / (total * length**2 + rows))[:, None] * away


def over_inputs(reduce: Callable[[Tensor], Tensor]) -> Measure:
    """Errors of the networks at all their inputs, reduced.

    Args:
        reduce: From errors, shape (n, N), to shape (n,).

    Returns:
        A measurement for points with T, omega, u, c and S.
    """

    def one(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
        two = torch.full_like(batch.coefficients[:, 0], 2.0)
        return reduce(leak.errors(batch, bits, two, two, mlp))

    return of_targets(lambda batch, mlp: over_all_inputs(batch, lambda part, bits: one(part, bits, mlp)))


FAMILY: dict[Any, Range] = {
    D: Integers(1, T - 1),
    omega: Integers(1, T),
    u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=2)),
    sp.Symbol("S"): Subsets(omega, D, T),
}
SHORT = Domain({T: Integers(3, 6), **FAMILY})
ENUMERATED = "Measured over all inputs, for lengths up to 6."
