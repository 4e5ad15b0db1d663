"""Theorem 18: the hidden units that are on in a row that averages bits, counted and by their output weights."""

from __future__ import annotations

from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.numeric.sharpness.mlp import Trapezoid, units


def _passed(at: Columns, mlp: Trapezoid) -> Tensor:
    found = units(at.whole("D"), mlp)
    return torch.where((1 + found.bias > 0) & (found.bias <= 0) & found.real, found.output**2, 0.0).sum(-1)


def _count(at: Columns, mlp: Trapezoid) -> Tensor:
    found = units(at.whole("D"), mlp)
    return ((1 + found.bias > 0) & found.real).double().sum(-1)


def _counted(name: str, statement: str, left: Quantity, right: sp.Expr) -> Claim:
    return Claim(
        label=f"sharpness.hessian.gates.{name}.closed-form", statement=statement, left=left, relation="=", right=right,
        domain=Domain({D: Integers(1, tested_to=24), u: BOTH}), paper=PAPER, place=("Theorem 18",), expected="proved",
    )  # fmt: skip


def _quantity(name: str, latex: str, of: Any, definition: Any) -> Quantity:
    return Quantity(name, by_trapezoid(of), latex, definition, rounding=1e-12)


rise = _counted(
    "rise",
    "The squared output weights of the hidden units that are on where the average of bits is one, and off where it is "
    "zero, add up to 32 D³/u².",
    _quantity("squared weights of units that are on at one and off at zero",
              r"\sum_{on(1) \setminus on(0)} F_j^2", _passed, theory.rise_by_units),
    theory.RISE,
)  # fmt: skip
counted = _counted(
    "units",
    "Where a row averages its bits to one, 4D+2 of its hidden units are on.",
    _quantity("units that are on at one", r"|on(1)|", _count, theory.count_by_units),
    theory.UNITS,
)
