"""How often PAC-Bayes bounds fail: each at most with its δ, and each caught where it is tightened by 5 %."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.trial import Trials
from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.pac_bayes.symbols import delta, m, sigma_0, true_r
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import Learned, exceeds
from boundaudit.numeric.pac_bayes.forms import FORMS, pac_bayes_bound

claim = functools.partial(Claim, mode="with probability at least 1-δ")
SOURCES = {
    "mcallester": "McAllester 1999", "maurer": "Maurer 2004", "seeger": "Seeger 2002", "quadratic": "Rivasplata 2019",
    "catoni": "Catoni 2007", "subgaussian": "Alquier 2024", "second-moment": "Haddouche & Guedj 2023",
}  # fmt: skip
DELTAS = Reals(sp.Rational(1, 50), sp.Rational(1, 5))
_CUT = 0.95
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

    def count(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
        counts = [int(fails(point, trials, seed + n).sum()) for n, point in enumerate(points)]
        return np.array(counts, dtype=np.int64)

    return Probability(what, count, latex)


# --- the best of many hypotheses --------------------------------------------------------------------

BEST: dict[str, tuple[int, int, tuple[str, str]]] = {
    "mcallester": (200, 1000, ("0.58", "0.61")),
    "maurer": (300, 500, ("0.45", "0.7")),
    "seeger": (300, 500, ("0.45", "0.7")),
    "quadratic": (600, 10_000_000, ("0.0048", "0.0052")),
    "catoni": (300, 500, ("0.65", "0.75")),
    "subgaussian": (150, 50, ("0.88", "0.92")),
    "second-moment": (300, 3_000_000, ("0.0095", "0.0105")),
}
"""For each form: log₂ of the number of hypotheses, m, and the true risks where little is lost in its proof."""


def _given(form: str, risk: float, samples: float, budget: float) -> dict[str, float]:
    """What a form needs besides, known before the sample: best for hypotheses of that risk and K + ln(1/δ) = budget."""
    if form == "catoni":
        return {"temperature": 2.5}
    if form == "subgaussian":
        proxy = math.sqrt((2 * risk - 1) / (2 * math.log(risk / (1 - risk))))
        return {"proxy": proxy, "rate": math.sqrt(2 * samples * budget) / proxy}
    if form == "second-moment":
        return {"moment": risk, "rate": math.sqrt(2 * samples * budget / risk)}
    return {}


def _best_fails(point: Point, trials: int, seed: int, *, form: str, excess: float) -> Tensor:
    doublings, samples, _ = BEST[form]
    learned = simulated.best_of(doublings, float(point["R_n"]), samples, trials, seed)
    return _best_exceeds(learned, form, float(point["delta"]), excess)


def _best_exceeds(learned: Learned, form: str, small: float, excess: float) -> Tensor:
    """Few numbers of errors occur: each is judged once."""
    samples, risks = BEST[form][1], torch.unique(learned.risk, return_inverse=True)
    once = Learned(learned.true[0].expand_as(risks[0]), risks[0], learned.kl[0].expand_as(risks[0]))
    given = _given(form, float(learned.true[0]), samples, float(learned.kl[0]) - math.log(small))
    return exceeds(once, samples, small, form, excess=excess, **given)[risks[1]]


def _best(form: str) -> tuple[Claim, Claim]:
    doublings, samples, (low, high) = BEST[form]
    where = f"the best on {samples} samples of 2^{doublings} hypotheses, each erring on its own bit of the input"
    domain = Domain({delta: DELTAS, true_r: Reals(sp.Rational(low), sp.Rational(high))})
    label = f"pac_bayes.coverage.best.{form}"
    valid = claim(
        label=label,
        statement=f"The bound {FORMS[form].formula} is below the true risk with probability at most δ, for {where}.",
        left=failing(
            f"the bound {form} fails for {where}", functools.partial(_best_fails, form=form, excess=1.0)
        ),
        relation="<=",
        right=delta,
        domain=domain,
        paper=SOURCES[form],
        repairs=(f"{label}.tightened",),
    )  # fmt: skip
    tightened = claim(
        label=f"{label}.tightened",
        statement=f"The risk on the sample plus 95 % of what {FORMS[form].formula} adds to it is below the true risk "
        f"with probability at most δ, for {where}.",
        left=failing(
            f"the tightened bound {form} fails for {where}", functools.partial(_best_fails, form=form, excess=_CUT)
        ),
        relation="<=",
        right=delta,
        domain=domain,
        expected="refuted",
        limitations=("Tightened on purpose: the test of the bound itself must be able to fail.",),
    )  # fmt: skip
    return valid, tightened


best = tuple(one for form in FORMS for one in _best(form))

# --- a Gibbs posterior and a network ----------------------------------------------------------------

_INPUTS = 8
_SIZES = Choices(few=10, some=1000, many=1_000_000)


@functools.cache
def _table() -> tuple[Tensor, Tensor]:
    """Losses of 64 hypotheses on 8 inputs, and the law of the inputs."""
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


def learned_by_gibbs(point: Point, trials: int, seed: int) -> Learned:
    """The Gibbs posterior on 64 hypotheses that share a law of inputs.

    Args:
        point: A point with m.
        trials: How many samples.
        seed: Of the draws.

    Returns:
        What was learned.
    """
    return simulated.gibbs(*_table(), temperature=0.5, samples=point["m"], trials=trials, seed=seed)


def _network(point: Point, trials: int, seed: int) -> Learned:
    deviation = float(point["tau_0"])
    return simulated.network(*_features(), 8.0, deviation, samples=point["m"], trials=trials, seed=seed)


def _usual(form: str, samples: float) -> dict[str, float]:
    """What a form needs besides, for losses 0 and 1 and K of about 10, fixed before the sample."""
    parameters = {"temperature": 8 * samples**-0.5, "proxy": 0.5, "moment": 1.0, "rate": 6 * samples**0.5}
    return {name: parameters[name] for name in FORMS[form].parameters}


def _learned_fails(
    point: Point, trials: int, seed: int, *, learn: Callable[[Point, int, int], Learned], form: str, value: float
) -> Tensor:
    given = _usual(form, point["m"])
    return exceeds(learn(point, trials, seed), point["m"], float(point["delta"]), form, value=value, **given)


def _pair(
    name: str, form: str, where: str, learn: Callable[[Point, int, int], Learned], domain: Domain
) -> tuple[Claim, Claim]:
    label = f"pac_bayes.coverage.{name}.{form}"
    fails = functools.partial(_learned_fails, learn=learn, form=form)
    valid = claim(
        label=label,
        statement=f"The bound {FORMS[form].formula} is below the Gibbs risk with probability at most δ, for {where}.",
        left=failing(f"the bound {form} fails for {where}", functools.partial(fails, value=1.0)),
        relation="<=",
        right=delta,
        domain=domain,
        paper=SOURCES[form],
        repairs=(f"{label}.tightened",),
    )
    tightened = claim(
        label=f"{label}.tightened",
        statement=f"95 % of {FORMS[form].formula} is below the Gibbs risk with probability at most δ, for {where}.",
        left=failing(f"95 % of the bound {form} fails for {where}", functools.partial(fails, value=_CUT)),
        relation="<=",
        right=delta,
        domain=domain,
        expected="refuted",
        limitations=("Tightened on purpose; caught at the largest m, where the bound is close to the risk.",),
    )
    return valid, tightened


gibbs = tuple(
    one
    for form in FORMS
    for one in _pair(
        "gibbs", form, "the Gibbs posterior on 64 hypotheses that share a law of inputs", learned_by_gibbs,
        Domain({m: _SIZES, delta: DELTAS}),
    )
)  # fmt: skip

networks = tuple(
    one
    for form in FORMS
    for one in _pair(
        "network", form, "Gaussian noise on the last layer of a network with six hidden units", _network,
        Domain({m: _SIZES, sigma_0: Choices(tied=1, decoupled=3), delta: DELTAS}),
    )
)  # fmt: skip

# --- the figure -------------------------------------------------------------------------------------

LEVEL = "share of samples where the bound fails"
SHARE = 0.05
"""δ in the figures."""
_FACTORS = [0.8 + n / 100 for n in range(21)]
_END = 0.025


def _curve(name: str, factors: Sequence[float], fails: Sequence[Tensor]) -> Series:
    """How often a bound failed at each factor, with intervals of 95 %."""
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

    learned = _network({"m": 1_000_000, "tau_0": 1}, trials, setting.seed)

    def on_network(form: str) -> list[Tensor]:
        given = _usual(form, 1_000_000)
        bound = pac_bayes_bound(learned.risk, learned.kl, 1_000_000, SHARE, form, **given)
        return [learned.true > factor * bound for factor in _FACTORS]

    return [
        Panel("best of many hypotheses", "factor on what the bound adds", LEVEL, curves(FORMS, _FACTORS, tightened)),
        Panel("noise on a network", "factor on the bound", LEVEL, curves(FORMS, _FACTORS, on_network)),
    ]


study = Study(
    label="pac_bayes.coverage.study",
    title="How often each bound fails when it is tightened",
    caption="At a factor of 1 every bound fails less often than δ; at 0.95 it fails more often, so that the test could "
    "have refuted it. Intervals of 95 % from 100 000 samples at each factor.",
    claims=("pac_bayes.coverage.best.maurer", "pac_bayes.coverage.network.maurer"),
    compute=_compute,
)
