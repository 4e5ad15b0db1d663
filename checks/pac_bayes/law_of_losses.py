"""Bounds that use more of the losses than their mean: split-kl and coin-betting."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS, claim, failing
from boundaudit.checks.pac_bayes.coverage.learners import table
from boundaudit.derivations.pac_bayes.betting import l_t, w_t
from boundaudit.derivations.pac_bayes.symbols import delta, hat_r, m, relative, true_r
from boundaudit.numeric.pac_bayes import coin_betting_bound, pac_bayes_bound, split_kl_bound
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import Learned

_claim = functools.partial(Claim, paper=PAPER)

# --- coverage -----------------------------------------------------------------------------------------

Law = tuple[Learned, Tensor, Tensor]
"""What was learned, the values of the losses, and how often each occurs in posterior and sample, shape (n, values)."""


def _coin(law: Law, samples: Tensor | float, small: Tensor | float) -> Tensor:
    learned, values, weights = law
    return coin_betting_bound(values, learned.kl, samples, small, weights)


def _split(law: Law, samples: Tensor | float, small: Tensor | float) -> Tensor:
    learned, values, weights = law
    above, below = ((weights * (side * (values - 0.5)).clamp_min(0)).sum(-1) for side in (1, -1))
    return split_kl_bound(above.clamp_max(0.5), below.clamp_max(0.5), learned.kl, samples, small, middle=0.5, low=0)


BOUNDS: Mapping[str, tuple[Callable[[Law, float, float], Tensor], str]] = {
    "coin-betting": (_coin, "min over ν ≥ 1 of ν - exp(E_ρ[mean of ln(ν - ℓ)] - (K + ln(2√m/δ))/m)"),
    "split-kl": (
        _split,
        "½ + ½ kl⁻¹(2r₊, B) - ½(1 - kl⁻¹(1 - 2r₋, B)), B = (K + ln(4√m/δ))/m, with r₊ and r₋ the means of what losses "
        "are "
        "above ½ and below",
    ),
}
"""The bounds, each from a law, m and δ; and as text."""

_BEST = "the best on 500 samples of 2^300 hypotheses, each with losses ½ and 1 of its own"
_GIBBS = "a Gibbs posterior on 64 hypotheses with losses 0, ½ and 1"
_BEST_DOMAIN = Domain({delta: DELTAS, true_r: Reals(sp.Rational("0.45"), sp.Rational("0.7"))})
_GIBBS_DOMAIN = Domain({m: Choices(few=10, some=1000, many=1_000_000), delta: DELTAS})


def _best_fails(point: Point, trials: int, seed: int, *, name: str, factor: float) -> Tensor:
    learned = simulated.best_of(300, float(point["R_n"]), 500, trials, seed)
    ones, back = torch.unique(learned.risk, return_inverse=True)
    true, risk = (1 + learned.true[0]) / 2, (1 + ones) / 2
    values = torch.tensor([0.5, 1.0], dtype=torch.float64)
    law = Learned(true.expand_as(ones), risk, learned.kl[0].expand_as(ones)), values, torch.stack([1 - ones, ones], -1)
    bound = BOUNDS[name][0](law, 500, float(point["delta"]))
    fails: Tensor = true > risk + factor * (bound - risk)
    return fails[back]


@functools.cache
def _halves() -> tuple[Tensor, Tensor]:
    """Losses 0, ½ and 1 of 64 hypotheses on 8 inputs, and the law of the inputs."""
    losses, inputs = table()
    return (losses + losses.roll(1, 0)) / 2, inputs


def _gibbs_fails(point: Point, trials: int, seed: int, *, name: str, factor: float) -> Tensor:
    law = simulated.gibbs_law(*_halves(), temperature=0.5, samples=point["m"], trials=trials, seed=seed)
    return law[0].true > factor * BOUNDS[name][0](law, point["m"], float(point["delta"]))


_SETTINGS: Mapping[str, tuple[Callable[..., Tensor], Domain, str, str]] = {
    "best": (_best_fails, _BEST_DOMAIN, _BEST, "what the bound adds to the risk on the sample"),
    "gibbs": (_gibbs_fails, _GIBBS_DOMAIN, _GIBBS, "the bound"),
}


def _covers(name: str, **fields: Any) -> Claim:
    return claim(
        label=f"pac_bayes.law_of_losses.{name}",
        statement=f"With probability at least 1-δ over m independent samples the Gibbs risk R is at most "
        f"{BOUNDS[name][1]}. Here K is the relative entropy of posterior to prior. Counted for {_BEST}, and "
        f"for {_GIBBS}.",
        role="printed",
        limitations=("Counted in two settings; what the bound's proof uses is audited claim by claim.",),
        cases=tuple(
            Case(
                place,
                left=failing(f"the bound {name} fails for {where}", functools.partial(fails, name=name, factor=1.0)),
                domain=domain,
            )
            for place, (fails, domain, where, _) in _SETTINGS.items()
        ),
        **fields,
    )


coin_betting = _covers(
    "coin-betting",
    place=("Jang",),
    rests_on=(
        "pac_bayes.change_of_measure.normalised",
        "pac_bayes.change_of_measure.markov",
        "pac_bayes.betting.regret",
    ),
)
split_kl = _covers("split-kl", place=("Wu-Seldin",), rests_on=("pac_bayes.coverage.maurer",))


# --- which is never above which -------------------------------------------------------------------------

_LAWS = Domain({
    l_t: Choices(fifth="1/5", half="1/2", nine_tenths="9/10"), w_t: Choices(tenth="1/10", half="1/2", all=1),
    hat_r: Choices(none=0, hundredth="1/100", tenth="1/10", half="1/2", nine_tenths="9/10", whole=1),
    relative: Choices(none=0, one=1, fifty=50, thousands=5000),
    m: Choices(one=1, ten=10, thousand=1000, million=10**6),
    delta: Choices(twentieth="1/20", fortieth="1/40", millionth="1/1000000"),
})  # fmt: skip


def _of_law(bound: Callable[[Law, Tensor, Tensor], Tensor]) -> Measure:
    """A bound for losses of 0 and 1, of which a share of r are 1, and a share w of losses between."""

    def of(loss: Tensor, between: Tensor, ones: Tensor, kl: Tensor, samples: Tensor, small: Tensor) -> Tensor:
        values = torch.stack([torch.zeros_like(loss), loss, torch.ones_like(loss)], -1)
        weights = torch.stack([(1 - between) * (1 - ones), between, (1 - between) * ones], -1)
        risk = (weights * values).sum(-1)
        return bound((Learned(risk, risk, kl), values, weights), samples, small)

    return by_columns(of, "l_t", "w_t", "r_n", "K_n", "m", "delta")


def _by_mean(law: Law, samples: Tensor, small: Tensor) -> Tensor:
    return pac_bayes_bound(law[0].risk, law[0].kl, samples, small)


_COIN = Quantity("coin-betting bound", _of_law(_coin), r"B_{\text{coin}}", rounding=1e-10, scale=1.0)
_below = functools.partial(
    _claim, role="improvement", left=_COIN, relation="<=", domain=_LAWS,
    limitations=("Measured at 2592 settings of law, m, K and δ; beyond them it rests on the derivation.",),
)  # fmt: skip

below_maurer = _below(
    label="pac_bayes.law_of_losses.coin-below-maurer",
    statement="The coin-betting bound is at most Maurer's at the same mean, m, K and δ, whatever the losses in [0, 1].",
    right=Quantity("Maurer's bound", _of_law(_by_mean), r"B_{\text{Maurer}}", rounding=1e-10),
    place=("Jang", "Maurer"),
    rests_on=("pac_bayes.betting.chord",),
    improves="pac_bayes.coverage.maurer",
)

below_split = _below(
    label="pac_bayes.law_of_losses.coin-below-split",
    statement="The coin-betting bound is at most the split-kl bound with the middle ½ at the same losses in [0, 1], m, "
    "K "
    "and δ.",
    right=Quantity("split-kl bound", _of_law(_split), r"B_{\text{split}}", rounding=1e-10),
    place=("Jang", "Wu-Seldin"),
    improves="pac_bayes.law_of_losses.split-kl",
)
