"""Confidence for an error probability: the bound, and δ more."""

from __future__ import annotations

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS, claim, failing
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.numeric.pac_bayes import coverage as simulated

_TWO = "one hypothesis that never errs and one that errs on a mass 1/m, taken wherever it fits m samples"


def _errs(point: Point, trials: int, seed: int) -> Tensor:
    """Whether what was learned errs on a fresh input."""
    learned = simulated.two_hypotheses(point["m"], trials, seed)
    fresh = np.random.default_rng([seed, 1]).random(trials)
    return torch.from_numpy(fresh) < learned.true


ERRS = failing(f"an error on a fresh input: {_TWO}", _errs, r"\mathbb{P}[\text{error}]")
TWO_SIZES = Integers(32, 64)

error = claim(
    label="pac_bayes.coverage.error",
    statement="The probability of an error is at most the bound at confidence 1-δ, plus δ: √((ln 2 + ln(1/δ))/(2m)) + "
    f"δ for {_TWO}, m from 32 to 64.",
    role="lemma",
    left=ERRS,
    right=delta + sp.sqrt((sp.log(2) - sp.log(delta)) / (2 * m)),
    domain=Domain({m: TWO_SIZES, delta: DELTAS}),
    mode="with probability",
    place=("Alquier",),
    rests_on=("pac_bayes.coverage.subgaussian",),
    repairs=("pac_bayes.broken.confidence",),
    limitations=(
        "The bound is the sub-Gaussian one with S = 1/2, K = ln 2 and the best λ, which is known in advance.",
    ),
)
