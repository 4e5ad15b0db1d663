"""Further settings: the norm for K and a bracket for the inverse in Maurer's bound, and a union over rates."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS, failing
from boundaudit.derivations.pac_bayes.symbols import delta, true_r
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import exceeds
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound

_LOOKUP = "a network whose hidden layer tells 1000 inputs apart, on 100 labels that are coin tosses"
LOOKUP_DOMAIN = Domain({delta: DELTAS})


def lookup_fails(point: Point, trials: int, seed: int, *, root: bool) -> Tensor:
    """Whether Maurer's bound fails for the lookup network.

    Args:
        point: A point with δ.
        trials: How many samples.
        seed: Of the draws.
        root: Whether ‖w‖/2 stands where K = ‖w‖²/2 belongs.

    Returns:
        Flags, shape (trials,).
    """
    learned = simulated.lookup(1000, 2.0, 100, trials, seed)
    kl = (learned.kl / 2).sqrt() if root else learned.kl
    return exceeds(learned._replace(kl=kl), 100, float(point["delta"]), "maurer")


_BRACKET = "a bracket no wider than 0.1 for the inverse of kl, for the best on 5 samples of 2^20 hypotheses"
BRACKET_DOMAIN = Domain({delta: DELTAS, true_r: Reals(sp.Rational("0.96"), sp.Rational("0.98"))})


def bracket_fails(point: Point, trials: int, seed: int, *, share: float) -> Tensor:
    """Whether Maurer's bound fails with a point of a coarse bracket of its inverse.

    Args:
        point: A point with δ and the true risk.
        trials: How many samples.
        seed: Of the draws.
        share: How far up in the bracket; 1 is its upper end.

    Returns:
        Flags, shape (trials,).
    """
    learned = simulated.best_of(20, float(point["R_n"]), 5, trials, seed)
    low, high = simulated.bracketed(learned, 5, float(point["delta"]), 0.1)
    return learned.true > low + share * (high - low)


OF_MAURER = (
    Case(
        "lookup",
        left=failing(f"the bound with K = ‖w‖²/2 fails for {_LOOKUP}", functools.partial(lookup_fails, root=False)),
        domain=LOOKUP_DOMAIN,
    ),
    Case(
        "bracket",
        left=failing(f"the bound fails with the upper end of {_BRACKET}", functools.partial(bracket_fails, share=1.0)),
        domain=BRACKET_DOMAIN,
    ),
)

CIRCLE = "hypotheses on a circle, losses that fall by 3, 6, …, 24 on arcs, and uniform posteriors on these"
RATES_DOMAIN = Domain({delta: Reals(sp.Rational(1, 50), sp.Rational(1, 10))})
_CHOICES = [simulated.STEP * j for j in range(1, simulated.SCALES + 1)]


def _union_fails(point: Point, trials: int, seed: int) -> Tensor:
    """Each rate has its share of δ."""
    small = float(point["delta"])
    learned = simulated.scales(small, trials, seed)
    share = small / len(_CHOICES)
    bounds = [pac_bayes_bound(*learned[1:], 1, share, "subgaussian", proxy=1.0, rate=one) for one in _CHOICES]
    return learned.true > torch.stack(bounds).amin(0)


UNION = Case(
    "union",
    left=failing(f"the least of the bounds with λ = 3, 6, …, 24, each at δ/8, fails for {CIRCLE}", _union_fails),
    domain=RATES_DOMAIN,
)
