"""Appendix A: the rule by which the constant is estimated."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.subgaussian import BEYOND, KEARNS_SAUL_BY_ODDS, ON_RANGE, a, count, p, reach
from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.numeric.pac_bayes.subgaussian import proxy

claim = functools.partial(Claim, paper=PAPER, place=("Appendix A",))
_GENERAL = "pac_bayes.subgaussian."

_RANGES = Domain({a: Choices(rare=4, rarer=6, rarest=10), reach: Reals(1, 22)})

on_range = claim(
    label="sharpness.subgaussian.range",
    statement="The least S with E exp(t(ℓ-R)) ≤ exp(S²t²/2) on a range |t| ≤ t_max satisfies this for all t. For a "
    "loss that is one with probability p = 1/(1+exp(2a)) and else zero, a = 4, 6 or 10, and t_max from 1 to 22.",
    role="printed",
    left=KEARNS_SAUL_BY_ODDS,
    relation="<=",
    right=ON_RANGE,
    domain=_RANGES,
    reading="plausible",
    expected="refuted",
    rests_on=(_GENERAL + "kearns-saul",),
    limitations=("The rule gives no range, and 2 ln((1-p)/p) lies beyond any fixed one for p small enough.",),
)

on_range_repaired = claim(
    label="sharpness.subgaussian.range-repaired",
    statement="Take the least S² with E exp(t(ℓ-R)) ≤ exp(S²t²/2) on a range |t| ≤ t_max, or 2(max-R)/t_max if that is "
    "larger. It satisfies the inequality for all t. For a loss that is one with probability p = 1/(1+exp(2a)) and else "
    "zero, a = 4, 6 or 10, and t_max from 1 to 22.",
    left=KEARNS_SAUL_BY_ODDS,
    relation="<=",
    right=lambda: sp.Max(ON_RANGE, BEYOND),
    domain=_RANGES,
    expected="proved",
    rests_on=(_GENERAL + "tail", _GENERAL + "kearns-saul"),
    repairs=("sharpness.subgaussian.range",),
    limitations=("Both sides are values of S²; p < 1/2.",),
)


def _count_below(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often the constant of a sample is below that of the loss, with p < 1/2."""
    generator = np.random.default_rng(seed)
    events = []
    for point in points:
        seen = generator.binomial(point["n_sg"], point["p_sg"], trials) / point["n_sg"]
        share = torch.tensor([point["p_sg"], *np.unique(seen)], dtype=torch.float64)
        values = torch.tensor([0.0, 1.0], dtype=torch.float64).expand(len(share), 2)
        true, *found = proxy(values, torch.stack([1 - share, share], -1)).value.tolist()
        events.append(sum(np.array(found)[np.unique(seen, return_inverse=True)[1]] < true * (1 - 1e-8)))
    return np.array(events, dtype=np.int64)


estimate = claim(
    label="sharpness.subgaussian.estimate",
    statement="The sub-Gaussian constant that is measured on 100 to 1000 losses is below that of the law they are "
    "drawn from with probability at most δ.",
    role="printed",
    left=Probability(
        "probability that the constant of n losses is below that of the loss", _count_below,
        r"\mathbb{P}(\hat S_n < S)",
    ),
    relation="<=",
    right=delta,
    domain=Domain(
        {
            p: Reals(sp.Rational(1, 10000), sp.Rational(2, 5)),
            count: Integers(100, 1000),
            delta: Reals(sp.Rational(1, 50), sp.Rational(1, 4)),
        }
    ),
    reading="plausible",
    expected="refuted",
    limitations=(
        "The rule has no confidence level, and its use in a bound supposes one. The losses here are 0 and 1.",
    ),
)  # fmt: skip
