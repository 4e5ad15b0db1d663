"""Appendix D: how rarely a component sees zeros only."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Subsets
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.rescaling.shared import claim, tensor
from boundaudit.checks.sharpness.targets import SPARSITY
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness.rescaling import silent_inputs
from boundaudit.numeric.sharpness.target import Target, TargetBatch


def _expected_silent(points: Sequence[Point], device: str) -> Tensor:
    """The expected number of silent components over all inputs, the targets of each length in one batch."""
    values = torch.empty(len(points), dtype=torch.float64)
    for length in sorted({p["T"] for p in points}):
        alike = [n for n, p in enumerate(points) if p["T"] == length]
        targets = [Target(length, points[n]["S"], (1.0,) * len(points[n]["S"])) for n in alike]
        values[alike] = silent_inputs(TargetBatch.stack(targets, device=device)).cpu()
    return values


_SILENT = Quantity(
    "share of inputs that are zero on a component",
    lambda points, device: _expected_silent(points, device).numpy(),
    r"\mathbb{P}(x_S = 0)",
    theorem.SILENT_BY_INPUTS,
)
_ONE_SET = Domain({T: Integers(2, 8), D: Integers(1, T), sp.Symbol("S"): Subsets(sp.Integer(1), D, T)})

dropped_published = claim(
    label="sharpness.rescaling.dropped.whole-input",
    statement="The inputs that leave a component's positions all zero are as rare as the all-zero input: of "
    "probability at most 2^-T, exponentially small in the length.",
    left=_SILENT,
    relation="<=",
    right=theorem.SILENT_PUBLISHED,
    domain=_ONE_SET,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The all-zero input, named as the example, has probability 2^-T; that its rate holds for every input that "
        "silences a component is one reading.",
    ),
)

dropped = claim(
    label="sharpness.rescaling.dropped.probability",
    statement="An input leaves a component's positions all zero with probability 2^-D: a constant in the length.",
    left=_SILENT,
    relation="=",
    right=theorem.SILENT,
    domain=_ONE_SET,
    expected="certified",
    repairs=("sharpness.rescaling.dropped.whole-input",),
    limitations=("Counted over all inputs of length up to 8.",),
)


def _hits(points: Sequence[Point], device: str) -> Array:
    found: Array = (tensor(points, "m", "cpu") * _expected_silent(points, device)).numpy()
    return found


hits = claim(
    label="sharpness.rescaling.dropped.hits",
    statement="Among m random inputs components see zeros only m ω 2^-D times on average, all ω of them together.",
    left=Quantity("expected hits", _hits, r"\mathbb{E}\,\#\{(x, t) : x_{S_t} = 0\}", theorem.HITS_BY_COMPONENTS),
    relation="=",
    right=theorem.HITS,
    domain=Domain(
        {T: Integers(2, 8), D: Integers(1, T), omega: SPARSITY, m: Integers(1, tested_to=1000)}
        | {sp.Symbol("S"): Subsets(omega, D, T)}
    ),
    expected="proved",
    rests_on=("sharpness.rescaling.dropped.probability",),
)
