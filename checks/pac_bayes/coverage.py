"""How often PAC-Bayes bounds fail in settings where the true risk is known: each at most with its δ."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import by_columns, counted
from boundaudit.checks.pac_bayes.theorems import PAPER
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.pac_bayes.symbols import delta, m, rate, sigma_0, true_r
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import Learned, exceeds
from boundaudit.numeric.pac_bayes.forms import FORMS, pac_bayes_bound

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
    return _best_exceeds(learned, form, float(point["delta"]), factor)


def _best_exceeds(learned: Learned, form: str, small: float, excess: float) -> Tensor:
    """Few numbers of errors occur: each is judged once."""
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


_KINDS: Mapping[str, str] = {"disintegrated": "draw", "disintegrated-renyi": "renyi", "chi-squared": "chi-squared"}


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


def _network(point: Point, trials: int, seed: int, kind: str = "posterior") -> Learned:
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
    learned = learn(point, trials, seed, _KINDS.get(form, "posterior"))
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
        functools.partial(_learned_fails, learn=_network),
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


_CHANGE = ("pac_bayes.change_of_measure.normalised", "pac_bayes.change_of_measure.markov")
_KL = (*_CHANGE, "pac_bayes.binary_kl.moment.any-mean", "pac_bayes.binary_kl.rising")
_MAURER = (*_KL, "pac_bayes.binary_kl.moment.maurer")
_STEP = (*_CHANGE, "pac_bayes.subgaussian_pac_bayes.samples")
_RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "mcallester": (*_MAURER, "pac_bayes.binary_kl.pinsker"),
    "maurer": _MAURER,
    "seeger": (*_KL, "pac_bayes.binary_kl.moment.seeger"),
    "quadratic": (*_MAURER, "pac_bayes.binary_kl.small", "pac_bayes.forms.quadratic-root"),
    "catoni": (*_CHANGE, "pac_bayes.binary_kl.variational"),
    "subgaussian": _STEP,
    "second-moment": (*_CHANGE, "pac_bayes.subgaussian_pac_bayes.one-sided"),
    "lambda": (*_MAURER, "pac_bayes.binary_kl.small", "pac_bayes.forms.lambda-least"),
    "disintegrated": ("pac_bayes.change_of_measure.markov", *_MAURER[2:]),
    "disintegrated-renyi": ("pac_bayes.change_of_measure.markov", *_MAURER[2:]),
    "unexpected-bernstein": (*_CHANGE, "pac_bayes.bernstein.unexpected"),
    "empirical-bernstein": (*_CHANGE, "pac_bayes.subgaussian.bennett", "pac_bayes.bernstein.variance"),
    "chi-squared": ("pac_bayes.change_of_measure.markov", "pac_bayes.forms.cauchy-schwarz"),
}
PLACES: Mapping[str, str] = {
    "mcallester": "McAllester", "maurer": "Maurer", "seeger": "Seeger", "quadratic": "Rivasplata", "catoni": "Catoni",
    "subgaussian": "Alquier", "second-moment": "Haddouche-Guedj", "lambda": "Thiemann",
    "disintegrated": "Rivasplata-Kuzborskij", "disintegrated-renyi": "Viallard",
    "unexpected-bernstein": "Mhammedi", "empirical-bernstein": "Tolstikhin-Seldin", "chi-squared": "Alquier-Guedj",
}  # fmt: skip
"""For each form the named result that it is."""
_ENTROPY = "K the relative entropy of posterior to prior"
_DIVERGENCES: Mapping[str, str] = {
    "disintegrated": "ln(ρ(h)/π(h)) the logarithm of the posterior's density over the prior's",
    "disintegrated-renyi": "D_α Rényi's divergence of posterior to prior",
    "chi-squared": "χ² the chi-squared divergence of posterior to prior",
}
_GIVEN: Mapping[str, str] = {
    "subgaussian": ", S being the sub-Gaussian constant of the losses",
    "second-moment": ", v being a bound on the mean square of the losses, which are not negative",
    "lambda": ", whatever λ in (0, 2)",
    "disintegrated": ", for one network h drawn from the posterior, with its own risks",
    "disintegrated-renyi": ", for one network drawn from the posterior, with its own risks; at the order α = 2",
    "unexpected-bernstein": ", v being the posterior mean of the mean square of the losses on the sample",
    "empirical-bernstein": ", V being at least the posterior mean of the unbiased variance of the losses on the sample",
    "chi-squared": ", v being a bound on the prior's mean of the variance of the loss",
}
_COUNTED = {"best": "the best of many hypotheses", "gibbs": "a Gibbs posterior", "network": "noise on a network",
            "arcs": "arcs of low loss"}  # fmt: skip


def _cases(form: str) -> tuple[Case, ...]:
    return tuple(
        Case(
            name,
            left=failing(
                f"the bound {form} fails for {learner.where(form)}",
                functools.partial(learner.fails, form=form, factor=1.0),
            ),
            domain=learner.domain(form),
        )
        for name, learner in ((name, LEARNERS[name]) for name in learners(form))
    )


def _covers(form: str, *further: Case, rests_on: tuple[str, ...] = ()) -> Claim:
    return claim(
        label=f"pac_bayes.coverage.{form}",
        statement=f"For m independent samples the Gibbs risk R is above {FORMS[form].formula} with probability at most "
        f"δ, r being the Gibbs risk on the sample and {_DIVERGENCES.get(form, _ENTROPY)}{_GIVEN.get(form, '')}; "
        f"counted for {', for '.join(_COUNTED[name] for name in learners(form))}, with δ from 1/50 to 1/5.",
        role="printed",
        place=(PLACES[form],),
        rests_on=(*_RESTS_ON[form], *rests_on),
        limitations=("Counted in these settings; what the bound's proof uses is audited claim by claim.",),
        cases=(*_cases(form), *further),
    )


# --- further settings of Maurer's bound: the norm for K, and a bracket for the inverse --------------------

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


_MORE = (
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

# --- a union over rates ---------------------------------------------------------------------------------

CIRCLE = "hypotheses on a circle, losses that fall by 3, 6, …, 24 on arcs, and uniform posteriors on these"
RATES_DOMAIN = Domain({delta: Reals(sp.Rational(1, 50), sp.Rational(1, 10))})
_CHOICES = [simulated.STEP * j for j in range(1, simulated.SCALES + 1)]


scales = Claim(
    label="pac_bayes.coverage.scales",
    statement="A loss that is 3j below its mean with probability 0.95 exp(-(3j)²/2) for j = 1 … 8, and else a little "
    "above it, is sub-Gaussian below its mean with constant 1: 2 ln(E exp(λ(R - ℓ)))/λ² ≤ 1 for every λ > 0.",
    left=Quantity(
        "2 ln(E exp(λ(R - ℓ)))/λ²", by_columns(simulated.spread, "lambda_n"),
        r"\frac{2}{\lambda^2} \ln \mathbb{E}\, e^{\lambda (R - \ell)}",
        rounding=1e-9,
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({rate: Reals(0, open_low=True, tested_to=40)}),
    paper=PAPER,
    place=("Alquier",),
)  # fmt: skip


def _union_fails(point: Point, trials: int, seed: int) -> Tensor:
    """Each rate has its share of δ."""
    small = float(point["delta"])
    learned = simulated.scales(small, trials, seed)
    share = small / len(_CHOICES)
    bounds = [pac_bayes_bound(*learned[1:], 1, share, "subgaussian", proxy=1.0, rate=one) for one in _CHOICES]
    return learned.true > torch.stack(bounds).amin(0)


_UNION = Case(
    "union",
    left=failing(f"the least of the bounds with λ = 3, 6, …, 24, each at δ/8, fails for {CIRCLE}", _union_fails),
    domain=RATES_DOMAIN,
)

forms = tuple(
    _covers(
        form,
        *{"maurer": _MORE, "subgaussian": (_UNION,)}.get(form, ()),
        rests_on=("pac_bayes.coverage.scales",) if form == "subgaussian" else (),
    )
    for form in FORMS
)

# --- confidence for an error probability ------------------------------------------------------------------

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

# --- the figure -------------------------------------------------------------------------------------

LEVEL = "share of samples where the bound fails"
SHARE = 0.05
"""δ in the figures."""
_FACTORS = [0.8 + n / 100 for n in range(21)]
_END = 0.025


def _curve(name: str, factors: Sequence[float], fails: Sequence[Tensor]) -> Series:
    """How often a bound failed at each factor, with intervals of 95 %."""
    from boundaudit.checks.evidence.trial import Trials  # loads SciPy's distributions, which no claim needs

    counts = [Trials([{}], np.array([int(flags.sum())]), len(flags), 0) for flags in fails]
    low, high = (
        [float(end[0]) for end in ends] for ends in zip(*((c.lower(_END), c.upper(_END)) for c in counts), strict=True)
    )
    return Series(name, factors, [float(c.frequency[0]) for c in counts], low, high, "points")


def curves(names: Iterable[str], factors: Sequence[float], fails: Callable[[str], Sequence[Tensor]]) -> list[Series]:
    """How often bounds fail, and the line of δ.

    Args:
        names: What the curves are named after.
        factors: What the bounds are multiplied with.
        fails: From a name to where the bound failed, for each factor.

    Returns:
        The curves, the line last.
    """
    line = Series("δ", [factors[0], factors[-1]], [SHARE, SHARE])
    return [*(_curve(name, factors, fails(name)) for name in names), line]


def trials_of(setting: Setting) -> int:
    """How many samples a figure stands on.

    Returns:
        100 000, and fewer in the quickest profile.
    """
    return 2000 if setting.profile == "smoke" else 100_000


def _compute(setting: Setting) -> list[Panel]:
    trials = trials_of(setting)

    def tightened(form: str) -> list[Tensor]:
        doublings, samples, ends = BEST[form]
        middle = sum(map(float, ends)) / 2
        learned = simulated.best_of(doublings, middle, samples, trials, setting.seed)
        return [_best_exceeds(learned, form, SHARE, factor) for factor in _FACTORS]

    def on_network(form: str) -> list[Tensor]:
        learned = _network({"m": 1_000_000, "tau_0": 1}, trials, setting.seed, _KINDS.get(form, "posterior"))
        given = usual(form, learned, 1_000_000)
        bound = pac_bayes_bound(learned.risk, learned.kl, 1_000_000, SHARE, form, **given)
        return [learned.true > factor * bound for factor in _FACTORS]

    by_network = [form for form in FORMS if "network" in learners(form)]
    return [
        Panel("best of many hypotheses", "factor on what the bound adds", LEVEL, curves(BEST, _FACTORS, tightened)),
        Panel("noise on a network", "factor on the bound", LEVEL, curves(by_network, _FACTORS, on_network)),
    ]


study = Study(
    label="pac_bayes.coverage.study",
    title="How often each bound fails when it is tightened",
    caption="At a factor of 1 every bound fails less often than δ; at 0.95 it fails more often, so that the test could "
    "have refuted it. Intervals of 95 % from 100 000 samples at each factor.",
    claims=("pac_bayes.coverage.maurer",),
    compute=_compute,
)
