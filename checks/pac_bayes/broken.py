"""Bounds that are broken on purpose, each caught by the samples that the right one stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage import DELTAS, SOURCES, claim, failing
from boundaudit.derivations.pac_bayes.symbols import delta, m, rate, true_r
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import exceeds
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound

# --- the root of the norm ---------------------------------------------------------------------------

_LOOKUP = "a network whose hidden layer tells 1000 inputs apart, on 100 labels that are coin tosses"
_LOOKUP_DOMAIN = Domain({delta: DELTAS})


def _lookup_fails(point: Point, trials: int, seed: int, *, root: bool) -> Tensor:
    learned = simulated.lookup(1000, 2.0, 100, trials, seed)
    # K = ‖w‖²/2, and with the root ‖w‖/2.
    kl = (learned.kl / 2).sqrt() if root else learned.kl
    return exceeds(learned._replace(kl=kl), 100, float(point["delta"]), "maurer")


root = claim(
    label="pac_bayes.broken.root",
    statement=f"With ‖w‖/2 for the relative entropy, Maurer's bound fails with probability at most δ, for {_LOOKUP}.",
    left=failing("Maurer's bound with the root of the squared norm fails", partial(_lookup_fails, root=True)),
    relation="<=",
    right=delta,
    domain=_LOOKUP_DOMAIN,
    expected="refuted",
    limitations=("Broken on purpose: the norm where its square belongs.",),
)

square = claim(
    label="pac_bayes.broken.square",
    statement=f"With ‖w‖²/2 for the relative entropy, Maurer's bound fails with probability at most δ, for {_LOOKUP}.",
    left=failing("Maurer's bound with the squared norm fails", partial(_lookup_fails, root=False)),
    relation="<=",
    right=delta,
    domain=_LOOKUP_DOMAIN,
    repairs=("pac_bayes.broken.root",),
)

# --- confidence for an error probability -------------------------------------------------------------

_TWO = "one hypothesis that never errs and one that errs on a mass 1/m, taken wherever it fits m samples"


def _errs(point: Point, trials: int, seed: int) -> Tensor:
    """Whether what was learned errs on a fresh input."""
    learned = simulated.two_hypotheses(point["m"], trials, seed)
    fresh = np.random.default_rng([seed, 1]).random(trials)
    return torch.from_numpy(fresh) < learned.true


_ERRS = failing(f"an error on a fresh input: {_TWO}", _errs, r"\mathbb{P}[\text{error}]")
_SAMPLES = Domain({m: Integers(32, 64)})

confidence = claim(
    label="pac_bayes.broken.confidence",
    statement="The δ at which a bound falls to 1/4 bounds the probability of an error: 4 exp(-m/(8S²) + K), with "
    f"S = 1/2 and K = ln 2, for {_TWO}.",
    left=_ERRS,
    relation="<=",
    right=8 * sp.exp(-m / 2),
    domain=_SAMPLES,
    mode="with probability",
    expected="refuted",
    limitations=(
        "Every hypothesis of the PAC-Bayes bound holds here. It refutes the inference from confidence to error, not a "
        "theorem about Transformers, which such learners are not.",
    ),
)

error = claim(
    label="pac_bayes.broken.error",
    statement=f"The probability of an error is at most the bound at confidence 1-δ, plus δ, for {_TWO}.",
    left=_ERRS,
    relation="<=",
    right=delta + sp.sqrt((sp.log(2) - sp.log(delta)) / (2 * m)),
    domain=Domain({m: Integers(32, 64), delta: DELTAS}),
    mode="with probability",
    repairs=("pac_bayes.broken.confidence",),
    limitations=(
        "The bound is the sub-Gaussian one with S = 1/2, K = ln 2 and the best λ, which is known in advance.",
    ),
)


# --- the middle of a bracket -------------------------------------------------------------------------


_BRACKET = "a bracket no wider than 0.1 for the inverse of kl, for the best on 5 samples of 2^20 hypotheses"
_BEST = Domain({delta: DELTAS, true_r: Reals(sp.Rational("0.96"), sp.Rational("0.98"))})


def _bracket_fails(point: Point, trials: int, seed: int, *, share: float) -> Tensor:
    learned = simulated.best_of(20, float(point["R_n"]), 5, trials, seed)
    low, high = simulated.bracketed(learned, 5, float(point["delta"]), 0.1)
    return learned.true > low + share * (high - low)


midpoint = claim(
    label="pac_bayes.broken.midpoint",
    statement=f"Maurer's bound fails with probability at most δ with the middle of {_BRACKET}.",
    left=failing("Maurer's bound with the middle of a bracket fails", partial(_bracket_fails, share=0.5)),
    relation="<=",
    right=delta,
    domain=_BEST,
    expected="refuted",
    limitations=("Broken on purpose.",),
)

upper_end = claim(
    label="pac_bayes.broken.upper-end",
    statement=f"Maurer's bound fails with probability at most δ with the upper end of {_BRACKET}.",
    left=failing("Maurer's bound with the upper end of a bracket fails", partial(_bracket_fails, share=1.0)),
    relation="<=",
    right=delta,
    domain=_BEST,
    paper=SOURCES["maurer"],
    repairs=("pac_bayes.broken.midpoint",),
)

# --- a rate λ chosen after the sample ---------------------------------------------------------------

_CIRCLE = "hypotheses on a circle, losses that fall by 3, 6, …, 24 on arcs, and uniform posteriors on these"
_RATES = Domain({delta: Reals(sp.Rational(1, 50), sp.Rational(1, 10))})


def _spread(points: Sequence[Point], device: str) -> Array:
    rates = torch.tensor([float(point["lambda_n"]) for point in points], dtype=torch.float64, device=device)
    return simulated.spread(rates).cpu().numpy()


sub_gaussian = claim(
    label="pac_bayes.broken.scales",
    statement="A loss that is 3j below its mean with probability 0.95 exp(-(3j)²/2) for j = 1 … 8, and else a little "
    "above it, is sub-Gaussian below its mean with constant 1.",
    left=Quantity(
        "2 ln(E exp(λ(R - ℓ)))/λ²", _spread, r"\frac{2}{\lambda^2} \ln \mathbb{E}\, e^{\lambda (R - \ell)}",
        rounding=1e-9,
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({rate: Reals(0, open_low=True, tested_to=40)}),
    mode="always",
)  # fmt: skip


def _tuned_fails(point: Point, trials: int, seed: int) -> Tensor:
    small = float(point["delta"])
    learned = simulated.scales(small, trials, seed)
    return learned.true > learned.risk + (2 * (learned.kl - math.log(small))).sqrt()


def _grid_fails(point: Point, trials: int, seed: int, *, choices: Sequence[float]) -> Tensor:
    """A union over rates: each has its share of δ."""
    small = float(point["delta"])
    learned = simulated.scales(small, trials, seed)
    share = small / len(choices)
    bounds = [pac_bayes_bound(*learned[1:], 1, share, "subgaussian", proxy=1.0, rate=one) for one in choices]
    return learned.true > torch.stack(bounds).amin(0)


tuned = claim(
    label="pac_bayes.broken.rate-tuned",
    statement=f"With λ chosen after the sample, r + S √(2(K + ln(1/δ))/m) fails with probability at most δ, for "
    f"{_CIRCLE}.",
    left=failing("the sub-Gaussian bound with the best λ after the sample fails", _tuned_fails),
    relation="<=",
    right=delta,
    domain=_RATES,
    expected="refuted",
    rests_on=("pac_bayes.broken.scales",),
    limitations=("m = 1 and S = 1: one draw shows one of eight scales, and each asks for another λ.",),
)

union = claim(
    label="pac_bayes.broken.rate-union",
    statement="The least of the sub-Gaussian bounds with λ = 3, 6, …, 24, each at δ/8, fails with probability at most "
    f"δ, for {_CIRCLE}.",
    left=failing(
        "the sub-Gaussian bound with the best λ of a grid fails",
        partial(_grid_fails, choices=[simulated.STEP * j for j in range(1, simulated.SCALES + 1)]),
    ),
    relation="<=",
    right=delta,
    domain=_RATES,
    paper=SOURCES["subgaussian"],
    rests_on=("pac_bayes.broken.scales",),
    repairs=("pac_bayes.broken.rate-tuned",),
)
