"""Theorem 11: what its modules share."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k, u

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 11",))

COUNTS = Domain({T: Integers(2, tested_to=8), D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D), u: BOTH})
"""One component of D positions, and inputs with k ones inside it and r outside."""

VALUED = Domain({**{symbol: COUNTS.ranges[symbol.name] for symbol in (T, D, k, r, u)}, C: Reals(0, 1, open_low=True)})
"""The same with a coefficient."""

ONE = {"T": 2, "D": 1, "u": 1}
ONE_BIT = {**ONE, "omega": 1, "c": (1,), "S": ((1,),)}
ZERO_INPUT = {**ONE, "k": 0, "r": 0}
HALF_INPUT = {"T": 4, "D": 2, "k": 0, "r": 1, "u": 1}
FULL_INPUT = {**ONE, "k": 1, "r": 1}
SQUARED = "Norms are squared on both sides."
ONE_COMPONENT = "One component; by symmetry its inputs are counted by the ones inside and outside it."
