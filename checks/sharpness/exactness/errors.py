"""Errors of one component at its inputs, and of whole targets over all of theirs."""

from __future__ import annotations

import functools

from torch import Tensor

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.targets import PAPER, by_trapezoid
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.mlp import Trapezoid
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
