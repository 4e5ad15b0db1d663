"""Appendix D: what its modules share."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER

claim = functools.partial(Claim, paper=PAPER, place=("Appendix D",))
FACTOR = Reals(sp.Rational(1, 8), 8)
SOME_FACTORS = Choices(tenth=Fraction(1, 10), third=Fraction(1, 3), threefold=3, tenfold=10)


def tensor(points: Sequence[Point], name: str, device: str) -> Tensor:
    """One parameter of all points in float64, shape (n,)."""
    return torch.tensor([float(p[name]) for p in points], dtype=torch.float64, device=device)


def degrees(points: Sequence[Point], device: str) -> Tensor:
    """D of all points, int64, shape (n,)."""
    return torch.tensor([p["D"] for p in points], device=device)
