"""Failures of bounds, and the confidences at which they are counted."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import counted
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes.symbols import delta

claim = functools.partial(Claim, paper=PAPER, mode="with probability at least 1-δ", relation="<=", right=delta)
DELTAS = Reals(sp.Rational(1, 50), sp.Rational(1, 5))
_MEAN = r"\mathbb{P}[R > B]"

Fails = Callable[[Point, int, int], Tensor]
"""From a point, a number of trials and a seed to where the bound failed."""


def failing(what: str, fails: Fails, latex: str = _MEAN) -> Probability:
    """The probability that a bound fails.

    Args:
        what: The event.
        fails: Where it happened.
        latex: How the report writes it.

    Returns:
        The probability, counted in independent samples.
    """
    return Probability(what, counted(lambda point, trials, seed, _: int(fails(point, trials, seed).sum())), latex)
