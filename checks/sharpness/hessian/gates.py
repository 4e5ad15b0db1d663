"""Theorem 18: the hidden units that are on where a row averages its bits to one."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units


def _counted(name: str, latex: str, of: Callable[[Units], Tensor], definition: Callable[[], sp.Expr]) -> Quantity:
    """Hidden units that are on at one, added up."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        found = units(at.whole("D"), mlp)
        return torch.where((1 + found.bias > 0) & found.real, of(found), 0.0).sum(-1)

    return Quantity(name, by_trapezoid(measure), latex, definition, rounding=1e-12)


_closed = functools.partial(
    Claim, paper=PAPER, place=("Theorem 18",), expected="proved", relation="=",
    domain=Domain({D: Integers(1, tested_to=24), u: BOTH}),
)  # fmt: skip
rise = _closed(
    label="sharpness.hessian.gates.rise.closed-form",
    statement="The squared output weights of the hidden units that are on where the average of bits is one, and off "
    "where it is zero, add up to 32 D³/u².",
    left=_counted(
        "squared weights of units that are on at one and off at zero", r"\sum_{on(1) \setminus on(0)} F_j^2",
        lambda found: torch.where(found.bias <= 0, found.output**2, 0.0), theory.rise_by_units,
    ),
    right=theory.RISE,
)  # fmt: skip
units_on = _closed(
    label="sharpness.hessian.gates.units.closed-form",
    statement="Where a row averages its bits to one, 4D+2 of its hidden units are on.",
    left=_counted(
        "units that are on at one", r"|on(1)|", lambda found: torch.ones_like(found.output), theory.count_by_units
    ),
    right=theory.UNITS,
)
