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

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage import LEVEL, SHARE, claim, curves, failing, learned_by_gibbs, trials_of
from boundaudit.checks.records.study import Panel, Setting, Study
from boundaudit.derivations.pac_bayes.symbols import delta, m, true_r
from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.pac_bayes.betting import largest_capital
from boundaudit.numeric.pac_bayes.confidence import kl_limit, maurer_pontil
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound

_CUT = 0.95
_LATEX = r"\mathbb{P}[\mu > U]"


class Limit(NamedTuple):
    """A limit and where it comes from."""

    below: Callable[[Tensor, float, float, float], Tensor]
    """From draws, their mean, δ and a factor to where the limit, times the factor, is below the mean."""
    formula: str
    source: str
    draws: int


def _below(limit: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float, float, float], Tensor]:
    return lambda draws, mean, small, factor: factor * limit(draws, small) < mean


def _bet_below(draws: Tensor, mean: float, small: float, factor: float) -> Tensor:
    """The limit is at most 1, and below a mean where the capital against that mean has reached 1/δ."""
    if mean > factor:
        return torch.ones(draws.shape[:-1], dtype=torch.bool)
    return largest_capital(draws, mean / factor, small) >= math.log(1 / small)


LIMITS: Mapping[str, Limit] = {
    "maurer-pontil": Limit(
        _below(maurer_pontil), "mean + √(2V ln(2/δ)/n) + 7 ln(2/δ)/(3(n-1))", "Maurer & Pontil 2009", 1000
    ),
    "kl": Limit(_below(kl_limit), "kl⁻¹(mean, ln(1/δ)/n)", "", 1000),
    "betting": Limit(
        _bet_below, "sup{μ : max_t Π_{i≤t} (1 + b_i (μ - X_i)) < 1/δ}", "Waudby-Smith & Ramdas 2024", 400
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
_MEANS = Domain(
    {
        true_r: Reals(sp.Rational(1, 1000), sp.Rational(9, 10)),
        delta: Reals(sp.Rational(1, 20), sp.Rational(1, 5)),
    }
)

_LARGE = _MEANS.replace(R_n=Reals(sp.Rational("0.88"), sp.Rational("0.9")))


def _fails(point: Point, trials: int, seed: int, *, limit: str, law: str, factor: float) -> Tensor:
    found, mean = LIMITS[limit], float(point["R_n"])
    return found.below(LAWS[law][0](mean, found.draws, trials, seed), mean, float(point["delta"]), factor)


def _covering(name: str, law: str) -> tuple[Claim, Claim]:
    limit = LIMITS[name]
    where = f"{limit.draws} {LAWS[law][1]}"
    label = f"pac_bayes.limits.{name}.{law}"
    fails = functools.partial(_fails, limit=name, law=law)
    valid = claim(
        label=label,
        statement=f"The limit {limit.formula} is below the mean with probability at most δ, for {where}.",
        left=failing(f"the limit {name} is below the mean of {where}", functools.partial(fails, factor=1.0), _LATEX),
        relation="<=",
        right=delta,
        domain=_MEANS,
        paper=limit.source,
        repairs=(f"{label}.tightened", f"pac_bayes.limits.mean.{law}"),
    )
    tightened = claim(
        label=f"{label}.tightened",
        statement=f"95 % of {limit.formula} is below the mean with probability at most δ, for {where}.",
        left=failing(f"95 % of the limit {name} is below the mean of {where}", functools.partial(fails, factor=_CUT)),
        relation="<=",
        right=delta,
        domain=_LARGE,
        expected="refuted",
        limitations=("Tightened on purpose; the mean is large, so that the limit is close to it.",),
    )
    return valid, tightened


covering = tuple(one for law in LAWS for name in LIMITS for one in _covering(name, law))


def _mean_below(point: Point, trials: int, seed: int, *, law: str) -> Tensor:
    mean = float(point["R_n"])
    return LAWS[law][0](mean, 1000, trials, seed).mean(-1) < mean


def _mean(law: str) -> Claim:
    where = f"1000 {LAWS[law][1]}"
    return claim(
        label=f"pac_bayes.limits.mean.{law}",
        statement=f"The mean of the draws alone is below their law's mean with probability at most δ, for {where}.",
        left=failing(f"the mean of {where} is below their law's", functools.partial(_mean_below, law=law), _LATEX),
        relation="<=",
        right=delta,
        domain=_MEANS,
        expected="refuted",
        limitations=("Broken on purpose: an estimate without an allowance.",),
    )


means = tuple(_mean(law) for law in LAWS)

# --- one draw: Chernoff's limit is exact ------------------------------------------------------------

_ONE = Domain(
    {
        delta: Reals(sp.Rational(1, 100), sp.Rational(1, 10)),
        true_r: Reals(sp.Rational(4, 5), sp.Rational(99, 100)),
    }
)
_ONE_CLOSE = Domain(
    {
        delta: Reals(sp.Rational(1, 1000), sp.Rational(1, 200)),
        true_r: Reals(sp.Rational("0.948"), sp.Rational("0.9499")),
    }
)


def _one_fails(point: Point, trials: int, seed: int, *, factor: float) -> Tensor:
    mean = float(point["R_n"])
    return factor * kl_limit(bernoulli(mean, 1, trials, seed), float(point["delta"])) < mean


one = claim(
    label="pac_bayes.limits.kl.one",
    statement="From a single draw of 0 or 1, kl⁻¹(x, ln(1/δ)) is below the mean with probability at most δ.",
    left=failing("kl⁻¹(x, ln(1/δ)) is below the mean of one draw", functools.partial(_one_fails, factor=1.0), _LATEX),
    relation="<=",
    right=delta,
    domain=_ONE,
    repairs=("pac_bayes.limits.kl.one.tightened",),
    limitations=("From the draw 0 the limit is 1-δ, and no smaller one is valid.",),
)

one_tightened = claim(
    label="pac_bayes.limits.kl.one.tightened",
    statement="From a single draw of 0 or 1, 95 % of kl⁻¹(x, ln(1/δ)) is below the mean with probability at most δ.",
    left=failing("95 % of kl⁻¹(x, ln(1/δ)) is below the mean", functools.partial(_one_fails, factor=_CUT), _LATEX),
    relation="<=",
    right=delta,
    domain=_ONE_CLOSE,
    expected="refuted",
    limitations=("Tightened on purpose.",),
)

# --- double inversion -------------------------------------------------------------------------------

_DRAWS = 40
_ESTIMATED = f"a Gibbs posterior on 64 hypotheses whose risk on the sample is estimated by {_DRAWS} draws"
_TWICE = Domain(
    {m: Choices(few=10, some=1000, many=1_000_000), delta: Reals(sp.Rational(1, 50), sp.Rational(1, 10))}
)  # fmt: skip


def _estimated_fails(point: Point, trials: int, seed: int, *, plain: bool) -> Tensor:
    """Each draw picks a hypothesis of the posterior and a member of the sample: it is 1 with the risk as chance."""
    small, learned = float(point["delta"]), learned_by_gibbs(point, trials, seed)
    uniform = torch.from_numpy(np.random.default_rng([seed, 1]).random((trials, _DRAWS)))
    draws = (uniform < learned.risk[:, None]).to(torch.float64)
    risk = draws.mean(-1) if plain else inverse_binary_kl(draws.mean(-1), math.log(1 / small) / _DRAWS)
    return learned.true > pac_bayes_bound(risk.clamp_max(1), learned.kl, point["m"], small, "maurer")


plain = claim(
    label="pac_bayes.limits.estimate",
    statement=f"Maurer's bound on the estimate itself fails with probability at most 2δ, for {_ESTIMATED}.",
    left=failing("Maurer's bound on an estimated risk fails", functools.partial(_estimated_fails, plain=True)),
    relation="<=",
    right=2 * delta,
    domain=_TWICE,
    expected="refuted",
    limitations=("Broken on purpose: an estimate of the risk without an allowance.",),
)

double = claim(
    label="pac_bayes.limits.double",
    statement="Maurer's bound at δ, on Chernoff's limit at δ for the risk on the sample, fails with probability at "
    f"most 2δ, for {_ESTIMATED}.",
    left=failing("Maurer's bound on a limit for the risk fails", functools.partial(_estimated_fails, plain=False)),
    relation="<=",
    right=2 * delta,
    domain=_TWICE,
    paper="Maurer 2004",
    repairs=("pac_bayes.limits.estimate",),
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
    claims=("pac_bayes.limits.maurer-pontil.bernoulli", "pac_bayes.limits.betting.bernoulli"),
    compute=_compute,
)
