"""The figure: how often each bound fails when it is tightened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from torch import Tensor

from boundaudit.checks.pac_bayes.coverage.learners import BEST, KINDS, best_exceeds, learned_with_noise, learners, usual
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.forms import FORMS, pac_bayes_bound

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
        return [best_exceeds(learned, form, SHARE, factor) for factor in _FACTORS]

    def on_network(form: str) -> list[Tensor]:
        learned = learned_with_noise({"m": 1_000_000, "tau_0": 1}, trials, setting.seed, KINDS.get(form, "posterior"))
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
