"""Appendix D: what its modules share."""

from __future__ import annotations

import functools
from fractions import Fraction

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Reals
from boundaudit.checks.sharpness.targets import PAPER

claim = functools.partial(Claim, paper=PAPER, place=("Appendix D",))
FACTOR = Reals(sp.Rational(1, 8), 8)
SOME_FACTORS = Choices(tenth=Fraction(1, 10), third=Fraction(1, 3), threefold=3, tenfold=10)
