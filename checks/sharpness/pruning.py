"""Theorem 9 without its dead units: the same function at a strictly smaller norm."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import (
    BOTH,
    PAPER,
    TARGETS,
    WITH_INPUT,
    batch_of,
    by_trapezoid,
    network_outputs,
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


def _degrees(points: Sequence[Point], device: str) -> Tensor:
    return torch.tensor([point["D"] for point in points], device=device)


# --- the same function ----------------------------------------------------------------------------


def _pruned_wave(points: Sequence[Point], device: str) -> Array:
    """The output of the units that are left, at s."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        _, bias, output = units(_degrees(chosen, device), mlp, pruned=True)
        x = torch.tensor([float(p["s"]) for p in chosen], dtype=torch.float64, device=device)
        return (torch.relu(x[:, None] + bias) * output).sum(-1)

    return by_trapezoid(points, of)


wave = _claim(
    label="sharpness.pruning.same-wave",
    statement="Without the units of odd grid points the MLP computes the same function, on the whole line.",
    left=Quantity("pruned g(s)", _pruned_wave, "g_0(s)", theorem.WAVE, rounding=1e-12, scale=1.0),
    relation="=",
    right=theorem_9.wave(D * s),
    domain=Domain({D: Integers(1, tested_to=32), u: BOTH, s: Reals(tested_to=2)}),
    expected="certified",
)


def _output(name: str, latex: str, *, pruned: bool) -> Quantity:
    return Quantity(name, functools.partial(network_outputs, pruned=pruned), latex, scale=1.0)


outputs = _claim(
    label="sharpness.pruning.same-outputs",
    statement="The pruned network computes what the whole one does, on every input.",
    left=_output("output of the pruned network", r"f_{\Theta_0}(x)", pruned=True),
    relation="=",
    right=_output("output of the whole network", r"f_\Theta(x)", pruned=False),
    domain=WITH_INPUT,
    expected="supported",
    rests_on=("sharpness.pruning.same-wave",),
)


# --- units and norms ------------------------------------------------------------------------------


def _count(points: Sequence[Point], device: str) -> Array:
    return by_trapezoid(
        points, lambda chosen, mlp: units(_degrees(chosen, device), mlp, pruned=True).real.sum(-1).double()
    )


count = _claim(
    label="sharpness.pruning.units",
    statement="The pruned MLP has 4(⌊D/2⌋+1) units, all of them live.",
    left=Quantity("units of the pruned MLP", _count, "H_0", theorem_9.LIVE_BY_QUADRUPLES),
    relation="=",
    right=theorem_9.LIVE_UNITS,
    domain=_DEGREES,
    expected="proved",
)


def _norms(block: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        return by_trapezoid(
            points, lambda chosen, mlp: norms_squared(batch_of(chosen, device), mlp=mlp, pruned=True)[block]
        )

    return measure


def _norm(block: str, latex: str, how: str) -> Claim:
    return _claim(
        label=f"sharpness.pruning.norms.{block}",
        statement=f"The squared norm of the pruned {block} in closed form: {how}.",
        left=Quantity(f"squared norm of the pruned {block}", _norms(block), latex, theorem.ENTRIES[block]),
        relation="=",
        right=theorem.CLOSED[block],
        domain=TARGETS,
        expected="proved",
    )


norms = (
    _norm("M", r"\|M\|^2", "a row of ones over 4(⌊D/2⌋+1) columns"),
    _norm("Gamma", r"\|\Gamma\|^2", "the breakpoints of the quadruples of even grid points"),
)

total = _claim(
    label="sharpness.pruning.norms.total",
    statement="The squared norm of all parameters of the pruned network is the sum of the closed forms of its blocks.",
    left=Quantity(
        "squared norm of all pruned parameters", _norms("total"), r"\|\Theta_0\|^2", theorem_10.total(theorem.ENTRIES)
    ),
    relation="=",
    right=theorem_10.total(theorem.CLOSED),
    domain=TARGETS,
    expected="proved",
    rests_on=(
        "sharpness.pruning.norms.M",
        "sharpness.pruning.norms.Gamma",
        *(f"sharpness.norms.{block}.closed-form" for block in ("W1", "V1", "F", "W2", "V2")),
    ),
)


def _dropped(points: Sequence[Point], device: str) -> Array:
    """The squared norm that pruning takes from M and Gamma, the two blocks that it changes."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        degree = _degrees(chosen, device)
        length = degree.clamp(min=2)
        positions = torch.arange(int(length.max()), device=device)
        members = (positions < degree[:, None])[:, None]
        batch = TargetBatch.from_tensors(length, members, torch.ones_like(degree)[:, None])
        whole, pruned = (norms_squared(batch, mlp=mlp, pruned=p) for p in (False, True))
        return sum((whole[block] - pruned[block] for block in ("M", "Gamma")), torch.zeros_like(whole["M"]))

    return by_trapezoid(points, of)


_DROPPED = Quantity(
    "squared norm that pruning saves", _dropped, r"\|\Theta\|^2 - \|\Theta_0\|^2", theorem.DROPPED, rounding=1e-11
)

saved = _claim(
    label="sharpness.pruning.norms.saved",
    statement="Pruning takes 4n + 4n(4n²-1)/(3D²) + n(1+(1+u)²)/(8D²) from the squared norm, n = ⌈D/2⌉ the number "
    "of odd grid points.",
    left=_DROPPED,
    relation="=",
    right=theorem.SAVED,
    domain=_DEGREES,
    expected="proved",
)

smaller = _claim(
    label="sharpness.pruning.norms.smaller",
    statement="For every degree the pruned network has a strictly smaller norm: its square falls by at least "
    "2D + 2(D²-1)/(3D) + (1+(1+u)²)/(16D), with equality at even D.",
    left=_DROPPED,
    relation=">=",
    right=theorem.SAVED_AT_LEAST,
    domain=_DEGREES,
    kind="Tight",
    equality=({"D": 2, "u": 1}, {"D": 4, "u": 2}),
    expected="proved",
    rests_on=("sharpness.pruning.norms.saved",),
)
