"""Theorem 9 without its dead units: the same function at a strictly smaller norm."""

from __future__ import annotations

import functools

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import (
    BOTH,
    PAPER,
    TARGETS,
    by_trapezoid,
    of_targets,
)
from boundaudit.derivations.sharpness import mlp as theorem_9
from boundaudit.derivations.sharpness import norms as theorem_10
from boundaudit.derivations.sharpness import pruning as theorem
from boundaudit.derivations.sharpness.parameters import D, s, u
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Theorem 9",), reading="derived here")
_DEGREES = Domain({D: Integers(1, tested_to=64), u: BOTH})


# --- the same function ----------------------------------------------------------------------------


@by_trapezoid
def _pruned_wave(at: Columns, mlp: Trapezoid) -> Tensor:
    """The output of the units that are left, at s."""
    _, bias, output = units(at.whole("D"), mlp, pruned=True)
    return (torch.relu(at.real("s")[:, None] + bias) * output).sum(-1)


wave = _claim(
    label="sharpness.pruning.same-wave", relation="=", expected="supported",
    statement="Without the hidden units of odd grid points the MLP of degree D computes the same function of s, on the "
    "whole line.",
    left=Quantity("pruned g(s)", _pruned_wave, "g_0(s)", lambda: theorem.wave(), rounding=1e-12, scale=1.0),
    right=lambda: theorem_9.wave(D * s), domain=Domain({D: Integers(1, tested_to=32), u: BOTH, s: Reals(tested_to=2)}),
)  # fmt: skip


# --- norms ----------------------------------------------------------------------------------------


def _norm(block: str, latex: str) -> Quantity:
    entries = (lambda: theorem_10.total(theorem.ENTRIES)) if block == "total" else theorem.ENTRIES[block]
    name = "squared norm of all pruned parameters" if block == "total" else f"squared norm of the pruned {block}"
    measure = of_targets(lambda batch, mlp: norms_squared(batch, mlp=mlp, pruned=True)[block])
    return Quantity(name, measure, latex, entries)


norms = _claim(
    label="sharpness.pruning.norms.closed-form", relation="=", expected="proved",
    statement="Without the hidden units of odd grid points the squared norms of M and Gamma have closed forms in D.",
    domain=TARGETS,
    cases=(
        Case(
            "M",
            statement="Without the hidden units of odd grid points the squared norm of M is 4(⌊D/2⌋+1): a row of ones.",
            left=_norm("M", r"\|M\|^2"),
            right=theorem.CLOSED["M"],
        ),
        Case(
            "Gamma",
            statement="Without the hidden units of odd grid points the squared norm of Gamma is 8h(h+1)(2h+1)/(3D²) + "
            "(h+1)(1+(1+u)²)/(8D²), h = ⌊D/2⌋ and u = 1 (steep) or 2 (wide).",
            left=_norm("Gamma", r"\|\Gamma\|^2"),
            right=theorem.CLOSED["Gamma"],
        ),
    ),
)  # fmt: skip

total = _claim(
    label="sharpness.pruning.norms.total", relation="=", place=("Theorem 9", "Theorem 10"), expected="proved",
    statement="Leaving out the hidden units of odd grid points keeps the function. The squared norm of all parameters "
    "is then the sum of the closed forms of the blocks, those of M and Gamma over even grid points alone.",
    left=_norm("total", r"\|\Theta_0\|^2"), right=lambda: theorem_10.total(theorem.CLOSED), domain=TARGETS,
    rests_on=("sharpness.pruning.norms.closed-form", "sharpness.norms.exact.printed", "sharpness.norms.F.closed-form"),
    improves="sharpness.norms.total.repaired",
)  # fmt: skip


@by_trapezoid
def _dropped(at: Columns, mlp: Trapezoid) -> Tensor:
    """The squared norm that pruning takes from M and Gamma, the two blocks that it changes."""
    degree = at.whole("D")
    length = degree.clamp(min=2)
    positions = torch.arange(int(length.max()), device=at.device)
    members = (positions < degree[:, None])[:, None]
    batch = TargetBatch.from_tensors(length, members, torch.ones_like(degree)[:, None])
    whole, pruned = (norms_squared(batch, mlp=mlp, pruned=p) for p in (False, True))
    return sum((whole[block] - pruned[block] for block in ("M", "Gamma")), torch.zeros_like(whole["M"]))


_DROPPED = Quantity(
    "squared norm that pruning saves", _dropped, r"\|\Theta\|^2 - \|\Theta_0\|^2", theorem.DROPPED, rounding=1e-11
)

saved = _claim(
    label="sharpness.pruning.norms.saved", relation="=", expected="proved",
    statement="Leaving out the hidden units of odd grid points takes 4n + 4n(4n²-1)/(3D²) + n(1+(1+u)²)/(8D²) from the "
    "squared norm of all parameters, n = ⌈D/2⌉ the number of odd grid points and u = 1 (steep) or 2 (wide).",
    left=_DROPPED, right=theorem.SAVED, domain=_DEGREES,
)  # fmt: skip

smaller = _claim(
    label="sharpness.pruning.norms.smaller", relation=">=", role="improvement", kind="Tight", expected="proved",
    statement="For every degree D the network without the hidden units of odd grid points has a strictly smaller norm: "
    "its square falls by at least 2D + 2(D²-1)/(3D) + (1+(1+u)²)/(16D), with equality at even D.",
    left=_DROPPED, right=theorem.SAVED_AT_LEAST, domain=_DEGREES, equality=({"D": 2, "u": 1}, {"D": 4, "u": 2}),
    rests_on=("sharpness.pruning.norms.saved", "sharpness.pruning.same-wave"),
)  # fmt: skip
