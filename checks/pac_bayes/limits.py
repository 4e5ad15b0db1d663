"""Confidence limits for the mean of draws in [0, 1], and a Monte-Carlo estimate of the risk inside a bound."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Probability
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage.failures import claim, failing
from boundaudit.checks.pac_bayes.coverage.learners import learned_by_gibbs
from boundaudit.checks.pac_bayes.coverage.study import LEVEL, SHARE, curves, trials_of
from boundaudit.checks.records.study import Panel, Setting, Study
from boundaudit.derivations.pac_bayes.symbols import delta, m, true_r
from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.pac_bayes.betting import largest_capital
from boundaudit.numeric.pac_bayes.confidence import kl_limit, maurer_pontil
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound

_LATEX = r"\mathbb{P}[\mu > U]"


class Limit(NamedTuple):
    """A limit for the mean of a law on [0, 1]."""

    below: Callable[[Tensor, float, float, float], Tensor]
    """From draws, their mean, δ and a factor to where the limit, times the factor, is below the mean."""
    formula: str
    place: str
    draws: int
    theorem: str | None = None
    """The claim that proves it, where one does."""


def _below(limit: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float, float, float], Tensor]:
    return lambda draws, mean, small, factor: factor * limit(draws, small) < mean


def _bet_below(draws: Tensor, mean: float, small: float, factor: float) -> Tensor:
    """The limit is at most 1, and below a mean where the capital against that mean has reached 1/δ."""
    if mean > factor:
        return torch.ones(draws.shape[:-1], dtype=torch.bool)
    return largest_capital(draws, mean / factor, small) >= math.log(1 / small)


LIMITS: Mapping[str, Limit] = {
    "maurer-pontil": Limit(
        _below(maurer_pontil), "mean + √(2V ln(2/δ)/n) + 7 ln(2/δ)/(3(n-1))", "Maurer-Pontil", 1000,
        "pac_bayes.confidence.maurer-pontil",
    ),
    "kl": Limit(
        _below(kl_limit), "kl⁻¹(mean, ln(1/δ)/n)", "Chernoff", 1000, "pac_bayes.confidence.chernoff"
    ),
    "betting": Limit(
        _bet_below, "sup{μ : max_t Π_{i≤t} (1 + b_i (μ - X_i)) < 1/δ}", "Waudby-Smith-Ramdas", 400
    ),
}  # fmt: skip


def bernoulli(mean: float, draws: int, trials: int, seed: int) -> Tensor:
    """Draws of 0 and 1.

    Returns:
        Shape (trials, draws).
    """
    return torch.from_numpy((np.random.default_rng(seed).random((trials, draws)) < mean).astype(float))


def power(mean: float, draws: int, trials: int, seed: int) -> Tensor:
    """Powers of uniform draws, U^(1/mean - 1): skewed as an exponential law is where the mean is small.

    Returns:
        Shape (trials, draws).
    """
    return torch.from_numpy(np.random.default_rng(seed).random((trials, draws)) ** (1 / mean - 1))


LAWS: Mapping[str, tuple[Callable[[float, int, int, int], Tensor], str]] = {
    "bernoulli": (bernoulli, "draws of 0 and 1"),
    "power": (power, "powers of uniform draws"),
}
MEANS = Domain(
    {
        true_r: Reals(sp.Rational(1, 1000), sp.Rational(9, 10)),
        delta: Reals(sp.Rational(1, 20), sp.Rational(1, 5)),
    }
)


def _fails(point: Point, trials: int, seed: int, *, limit: str, law: str, factor: float) -> Tensor:
    found, mean = LIMITS[limit], float(point["R_n"])
    return found.below(LAWS[law][0](mean, found.draws, trials, seed), mean, float(point["delta"]), factor)


def missing(name: str, law: str, factor: float = 1.0) -> Probability:
    """The probability that a limit, times a factor, is below the mean.

    Args:
        name: Of the limit.
        law: Of the draws.
        factor: On the limit.

    Returns:
        The probability.
    """
    fails = functools.partial(_fails, limit=name, law=law, factor=factor)
    what = f"the limit {name}" if factor == 1 else f"{100 * factor:.0f} % of the limit {name}"
    return failing(f"{what} is below the mean of {LIMITS[name].draws} {LAWS[law][1]}", fails, _LATEX)


def _mean_below(point: Point, trials: int, seed: int, *, law: str) -> Tensor:
    mean = float(point["R_n"])
    return LAWS[law][0](mean, 1000, trials, seed).mean(-1) < mean


def mean_below(law: str) -> Probability:
    """The probability that the mean of draws is below their law's.

    Args:
        law: Of the draws.

    Returns:
        The probability.
    """
    fails = functools.partial(_mean_below, law=law)
    return failing(f"the mean of 1000 {LAWS[law][1]} is below their law's", fails, _LATEX)


# --- one draw: Chernoff's limit is exact ------------------------------------------------------------

_ONE = Domain(
    {
        delta: Reals(sp.Rational(1, 100), sp.Rational(1, 10)),
        true_r: Reals(sp.Rational(4, 5), sp.Rational(99, 100)),
    }
)


def _one_fails(point: Point, trials: int, seed: int, *, factor: float) -> Tensor:
    mean = float(point["R_n"])
    return factor * kl_limit(bernoulli(mean, 1, trials, seed), float(point["delta"])) < mean


def missing_one(factor: float = 1.0) -> Probability:
    """The probability that Chernoff's limit from one draw, times a factor, is below the mean.

    Args:
        factor: On the limit.

    Returns:
        The probability.
    """
    what = "kl⁻¹(x, ln(1/δ))" if factor == 1 else f"{100 * factor:.0f} % of kl⁻¹(x, ln(1/δ))"
    return failing(f"{what} is below the mean of one draw", functools.partial(_one_fails, factor=factor), _LATEX)


_ONE_DRAW = Case(
    "one",
    left=missing_one(),
    domain=_ONE,
    limitations=("From one draw, if it is 0, the limit is 1-δ, and no smaller one is valid.",),
)


def _covering(name: str) -> Claim:
    limit = LIMITS[name]
    laws = tuple(Case(law, left=missing(name, law), domain=MEANS) for law in LAWS)
    return claim(
        label=f"pac_bayes.limits.{name}",
        statement=f"The limit {limit.formula}, computed from n independent draws in [0, 1], is below the mean of "
        f"their law with probability at most δ. Counted for {limit.draws} draws of 0 and 1 and for as many skewed "
        "ones, with means from 1/1000 to 9/10.",
        role="lemma" if limit.theorem else "printed",
        place=(limit.place,),
        rests_on=(limit.theorem,) if limit.theorem else (),
        cases=(*laws, _ONE_DRAW) if name == "kl" else laws,
    )


covering = tuple(map(_covering, LIMITS))

# --- double inversion -------------------------------------------------------------------------------

_DRAWS = 40
ESTIMATED = f"a Gibbs posterior on 64 hypotheses whose risk on the sample is estimated by {_DRAWS} draws"
TWICE = Domain(
    {m: Choices(few=10, some=1000, many=1_000_000), delta: Reals(sp.Rational(1, 50), sp.Rational(1, 10))}
)  # fmt: skip


def estimated_fails(point: Point, trials: int, seed: int, *, plain: bool) -> Tensor:
    """Whether Maurer's bound fails on an estimate of the risk on the sample.

    Each draw picks a hypothesis of the posterior and a member of the sample: it is 1 with the risk as chance.

    Args:
        point: A point with m and δ.
        trials: How many samples.
        seed: Of the draws.
        plain: Whether the estimate stands for the risk itself, without Chernoff's limit for it.

    Returns:
        Flags, shape (trials,).
    """
    small, learned = float(point["delta"]), learned_by_gibbs(point, trials, seed)
    uniform = torch.from_numpy(np.random.default_rng([seed, 1]).random((trials, _DRAWS)))
    draws = (uniform < learned.risk[:, None]).to(torch.float64)
    risk = draws.mean(-1) if plain else inverse_binary_kl(draws.mean(-1), math.log(1 / small) / _DRAWS)
    return learned.true > pac_bayes_bound(risk.clamp_max(1), learned.kl, point["m"], small, "maurer")


double = claim(
    label="pac_bayes.limits.double",
    statement="Maurer's bound at δ, on Chernoff's limit at δ for the risk on the sample, fails with probability at "
    f"most 2δ, for {ESTIMATED}.",
    role="lemma",
    left=failing(
        f"Maurer's bound on Chernoff's limit for the risk fails for {ESTIMATED}",
        functools.partial(estimated_fails, plain=False),
    ),
    right=2 * delta,
    domain=TWICE,
    place=("Maurer", "Chernoff"),
    rests_on=("pac_bayes.coverage.maurer", "pac_bayes.limits.kl", "pac_bayes.binary_kl.falling"),
    repairs=("pac_bayes.broken.shortcut[estimated risk]",),
)

# --- the figure -------------------------------------------------------------------------------------


_FACTORS = [0.85, 0.9, 0.95, 0.97, 0.99, 1.0]
_CHUNK = 5000


def _compute(setting: Setting) -> list[Panel]:
    trials, mean, count = trials_of(setting), 0.9, 200
    parts = [bernoulli(mean, count, min(_CHUNK, trials), setting.seed + start) for start in range(0, trials, _CHUNK)]

    def fails(name: str) -> list[Tensor]:
        below = LIMITS[name].below
        return [torch.cat([below(part, mean, SHARE, factor) for part in parts]) for factor in _FACTORS]

    title = f"{count} {LAWS['bernoulli'][1]} with mean {mean}"
    return [Panel(title, "factor on the limit", LEVEL, curves(LIMITS, _FACTORS, fails))]


study = Study(
    label="pac_bayes.limits.study",
    title="How often each confidence limit fails when it is tightened",
    caption="At a factor of 1 every limit is below the mean less often than δ; the closer it is to the mean, the "
    "sooner a tightening is caught. Intervals of 95 % from 100 000 repetitions.",
    claims=("pac_bayes.limits.maurer-pontil", "pac_bayes.limits.betting"),
    compute=_compute,
)
