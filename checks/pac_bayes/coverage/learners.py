"""Settings in which the true risk of what is learned is known."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS
from boundaudit.derivations.pac_bayes.symbols import delta, m, sigma_0, true_r
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import Learned, exceeds
from boundaudit.numeric.pac_bayes.forms import FORMS

# --- the best of many hypotheses --------------------------------------------------------------------

BEST: dict[str, tuple[int, int, tuple[str, str]]] = {
    "mcallester": (200, 1000, ("0.58", "0.61")),
    "maurer": (300, 500, ("0.45", "0.7")),
    "seeger": (300, 500, ("0.45", "0.7")),
    "quadratic": (600, 10_000_000, ("0.0048", "0.0052")),
    "lambda": (600, 10_000_000, ("0.0048", "0.0052")),
    "catoni": (300, 500, ("0.65", "0.75")),
    "disintegrated": (300, 500, ("0.45", "0.7")),
    "disintegrated-renyi": (300, 500, ("0.45", "0.7")),
    "subgaussian": (150, 50, ("0.88", "0.92")),
    "second-moment": (300, 3_000_000, ("0.0095", "0.0105")),
    "unexpected-bernstein": (300, 3_000_000, ("0.0095", "0.0105")),
    "empirical-bernstein": (600, 30_000_000, ("0.0048", "0.0052")),
}
"""For each form: log₂ of the number of hypotheses, m, and the true risks where little is lost in its proof."""


def _given(form: str, learned: Learned, samples: float, small: float) -> dict[str, Any]:
    """What a form needs besides: what is seen in the sample, and what is best for the true risk, known before it."""
    risk, budget = float(learned.true[0]), float(learned.kl[0]) - math.log(small)
    rate = math.sqrt(2 * samples * budget / risk)
    if form == "subgaussian":
        proxy = math.sqrt((2 * risk - 1) / (2 * math.log(risk / (1 - risk))))
        return {"proxy": proxy, "rate": math.sqrt(2 * samples * budget) / proxy}
    return _of(
        form,
        temperature=2.5,
        tradeoff=rate / samples,
        moment=risk,
        rate=rate,
        variance_rate=rate,
        **_seen(learned, samples),
    )


def _seen(learned: Learned, samples: float) -> dict[str, Any]:
    """Of losses 0 and 1 on the sample: the mean square, and the most that the mean of their variances can be."""
    spread = learned.risk * (1 - learned.risk) * samples / max(samples - 1, 1)
    return {"sample_moment": learned.risk, "sample_variance": spread, "order": simulated.ORDER}


def _of(form: str, **values: Tensor | float) -> dict[str, Any]:
    return {name: values[name] for name in FORMS[form].parameters}


def _best_fails(point: Point, trials: int, seed: int, *, form: str, factor: float) -> Tensor:
    doublings, samples, _ = BEST[form]
    learned = simulated.best_of(doublings, float(point["R_n"]), samples, trials, seed)
    return best_exceeds(learned, form, float(point["delta"]), factor)


def best_exceeds(learned: Learned, form: str, small: float, excess: float) -> Tensor:
    """Where a form fails for the best of many hypotheses; few numbers of errors occur, each is judged once.

    Args:
        learned: What was learned.
        form: A name in `BEST`.
        small: δ.
        excess: What is multiplied with what the bound adds to the risk on the sample.

    Returns:
        Flags, one for each sample.
    """
    samples, risks = BEST[form][1], torch.unique(learned.risk, return_inverse=True)
    once = Learned(learned.true[0].expand_as(risks[0]), risks[0], learned.kl[0].expand_as(risks[0]))
    given = _given(form, once, samples, small)
    return exceeds(once, samples, small, form, excess=excess, **given)[risks[1]]


def _best_domain(form: str) -> Domain:
    low, high = BEST[form][2]
    return Domain({delta: DELTAS, true_r: Reals(sp.Rational(low), sp.Rational(high))})


def _best_where(form: str) -> str:
    doublings, samples, _ = BEST[form]
    return f"the best on {samples} samples of 2^{doublings} hypotheses, each erring on its own bit of the input"


# --- a Gibbs posterior and a network ----------------------------------------------------------------

_INPUTS = 8
_SIZES = Choices(few=10, some=1000, many=1_000_000)
_LARGE = Choices(few=10, some=1000, many=100_000_000)
"""For a bound that falls to the risk slowly."""


@functools.cache
def table() -> tuple[Tensor, Tensor]:
    """Losses of 64 hypotheses on 8 inputs, and the law of the inputs.

    Returns:
        Shapes (64, 8) and (8,).
    """
    rng = np.random.default_rng(5)
    losses = (rng.random((64, _INPUTS)) < 0.6).astype(float)
    return torch.from_numpy(losses), torch.from_numpy(rng.dirichlet(np.ones(_INPUTS)))


@functools.cache
def _features() -> tuple[Tensor, Tensor]:
    """Six hidden tanh units on the cube {-1,1}³, and the chance of the label +1 on each input."""
    rng = np.random.default_rng(6)
    cube = 2.0 * ((np.arange(_INPUTS)[:, None] >> np.arange(3)) & 1) - 1
    chance = np.where(cube.sum(-1) > 0, 0.8, 0.15)
    return torch.from_numpy(np.tanh(cube @ rng.standard_normal((3, 6)))), torch.from_numpy(chance)


KINDS: Mapping[str, str] = {"disintegrated": "draw", "disintegrated-renyi": "renyi", "chi-squared": "chi-squared"}
"""What is learned where it is no posterior, by form."""


def learned_by_gibbs(point: Point, trials: int, seed: int, kind: str = "posterior") -> Learned:
    """The Gibbs posterior on 64 hypotheses that share a law of inputs.

    Args:
        point: A point with m.
        trials: How many samples.
        seed: Of the draws.
        kind: Of what is learned.

    Returns:
        What was learned.
    """
    return simulated.gibbs(*table(), temperature=0.5, samples=point["m"], trials=trials, seed=seed, kind=kind)


def learned_with_noise(point: Point, trials: int, seed: int, kind: str = "posterior") -> Learned:
    """Gaussian noise on the last layer of a network with six hidden units.

    Args:
        point: A point with m and the prior's deviation.
        trials: How many samples.
        seed: Of the draws.
        kind: Of what is learned.

    Returns:
        What was learned.
    """
    deviation = float(point["tau_0"])
    return simulated.network(*_features(), 8.0, deviation, samples=point["m"], trials=trials, seed=seed, kind=kind)


def usual(form: str, learned: Learned, samples: float) -> dict[str, Any]:
    """What a form needs besides, for losses 0 and 1 and K of about 10.

    Args:
        form: A name in `FORMS`.
        learned: What was learned, for what a form takes from the sample.
        samples: m.

    Returns:
        The parameters; what has to be fixed before the sample depends on m alone.
    """
    root = samples**0.5
    rate = 6 * root if form in ("subgaussian", "second-moment") else min(6 * root, samples / 2)
    return _of(
        form, temperature=8 / root, tradeoff=min(1.0, 10 / root), proxy=0.5, moment=1.0, rate=rate, variance_rate=rate,
        variance=0.25, **_seen(learned, samples),
    )  # fmt: skip


def _learned_fails(
    point: Point, trials: int, seed: int, *, learn: Callable[..., Learned], form: str, factor: float
) -> Tensor:
    learned = learn(point, trials, seed, KINDS.get(form, "posterior"))
    given = usual(form, learned, point["m"])
    return exceeds(learned, point["m"], float(point["delta"]), form, value=factor, **given)


def _arcs_fails(point: Point, trials: int, seed: int, *, form: str, factor: float) -> Tensor:
    small = float(point["delta"])
    return exceeds(simulated.arcs(small, trials, seed), 1, small, form, excess=factor, variance=1.0)


# --- every form in every setting --------------------------------------------------------------------


class Learner(NamedTuple):
    """A setting in which the true risk is known.

    Attributes:
        where: From a form to the setting in words.
        domain: From a form to the points at which its failures are counted.
        fails: From a point, trials, a seed, a form and a factor to where the form times the factor failed.
        cut: What a factor is taken of.
    """

    where: Callable[[str], str]
    domain: Callable[[str], Domain]
    fails: Callable[..., Tensor]
    cut: str


LEARNERS: Mapping[str, Learner] = {
    "best": Learner(_best_where, _best_domain, _best_fails, "what the bound adds to the risk on the sample"),
    "gibbs": Learner(
        lambda form: "the Gibbs posterior on 64 hypotheses that share a law of inputs",
        lambda form: Domain({m: _LARGE if form == "chi-squared" else _SIZES, delta: DELTAS}),
        functools.partial(_learned_fails, learn=learned_by_gibbs),
        "the bound",
    ),
    "network": Learner(
        lambda form: "Gaussian noise on the last layer of a network with six hidden units",
        lambda form: Domain({m: _SIZES, sigma_0: Choices(shared=1, wider=3), delta: DELTAS}),
        functools.partial(_learned_fails, learn=learned_with_noise),
        "the bound",
    ),
    "arcs": Learner(
        lambda form: "one draw that now and then shows an arc of hypotheses on which the loss is far below its mean",
        lambda form: Domain({delta: DELTAS}),
        _arcs_fails,
        "what the bound adds to the risk on the sample",
    ),
}


def learners(form: str) -> tuple[str, ...]:
    """The settings in which a form is counted: those in which it says something.

    Args:
        form: A name in `FORMS`.

    Returns:
        Names in `LEARNERS`.
    """
    return ("arcs", "gibbs") if form == "chi-squared" else ("best", "gibbs", "network")
