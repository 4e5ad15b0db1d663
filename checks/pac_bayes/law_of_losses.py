"""Bounds that use more of the losses than their mean: split-kl and coin-betting."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS, claim, failing
from boundaudit.checks.pac_bayes.coverage.learners import table
from boundaudit.derivations.pac_bayes import betting as theory
from boundaudit.derivations.pac_bayes.betting import l_law, l_t, nu_t, w_t
from boundaudit.derivations.pac_bayes.binary_kl import q_kl
from boundaudit.derivations.pac_bayes.change_of_measure import POSTERIOR, n_a, w_rho
from boundaudit.derivations.pac_bayes.symbols import delta, hat_r, m, relative, true_r
from boundaudit.numeric.pac_bayes import coin_betting_bound, split_kl_bound
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
    role="printed",
    place=("Jang",),
    rests_on=(
        "pac_bayes.change_of_measure.varadhan",
        "pac_bayes.change_of_measure.markov",
        "pac_bayes.betting.regret",
    ),
)
split_kl = _covers(
    "split-kl", role="lemma", place=("Wu-Seldin",), rests_on=("pac_bayes.coverage.maurer", "pac_bayes.split_kl.theorem")
)


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


_COIN = Quantity("coin-betting bound", _of_law(_coin), r"B_{\text{coin}}", rounding=1e-10, scale=1.0)
_NU_MORE = {nu_t: Reals(0, open_low=True, tested_to=10)}
_LOSSES = Domain(
    {n_a: Integers(1, tested_to=4), w_rho: Vector(n_a, Reals(0, 1, open_low=True)), l_law: Vector(n_a, Reals(0, 1)),
     **_NU_MORE},
    where=[sp.Eq(POSTERIOR, 1), theory.LOSS > 0, theory.LOSS < 1],
)  # fmt: skip
_P = "p = νr/(ν-1+r), any number from r to 1 as ν falls to 1"

coins = _claim(
    label="pac_bayes.law_of_losses.coins", relation="=", place=("Jang", "Maurer"), expected="proved",
    statement=f"For losses of zero and one with mean r the coin-betting bound at ν and the budget kl(r‖p) is p, {_P}: "
    "Maurer's bound.",
    left=theory.coin_at(q_kl, theory.of_coins(q_kl)), right=theory.maurer_at(q_kl),
    domain=Domain({**_NU_MORE, q_kl: Reals(0, 1, open_low=True, open_high=True)}),
)  # fmt: skip

chord = _claim(
    label="pac_bayes.law_of_losses.chord", relation=">=", place=("Jang", "Maurer"), expected="proved",
    statement="The mean of ln(ν - ℓ) over losses in [0, 1] with mean r is at least r ln(ν-1) + (1-r) ln ν, for ν > 1.",
    left=theory.MEAN_LOGARITHM, right=theory.of_coins(theory.LOSS), domain=_LOSSES,
    rests_on=("pac_bayes.betting.chord",),
)  # fmt: skip

below_maurer = _claim(
    label="pac_bayes.law_of_losses.coin-below-maurer", role="improvement", place=("Jang", "Maurer"),
    statement="The coin-betting bound is at most Maurer's at the same mean r, m, K and δ, whatever the losses in "
    f"[0, 1]: at ν and the budget kl(r‖p) it is at most p, {_P}.",
    left=theory.coin_at(theory.LOSS, theory.MEAN_LOGARITHM), right=theory.maurer_at(theory.LOSS), domain=_LOSSES,
    expected="proved", improves="pac_bayes.bounds.relative-entropy",
    derivation=Derivation(
        label="pac_bayes.law_of_losses.coin-below-maurer.steps", title="Losses of zero and one are the worst",
        domain=_LOSSES, samples={"two": {"n_a": 2, "w_rho": ("1/2", "1/2"), "l_law": (0, "1/2"), "nu_t": 1}},
        steps=(
            Step(theory.coin_at(theory.LOSS, theory.MEAN_LOGARITHM), "any losses"),
            Step(theory.coin_at(theory.LOSS, theory.of_coins(theory.LOSS)), "zero and one", "concavity", chord.label),
            Step(theory.maurer_at(theory.LOSS), "Maurer's bound", "its ν", Instance(coins.label, {q_kl: theory.LOSS})),
        ),
    ),
    limitations=("For r > 0; where no loss is seen both are 1 - exp(-budget), at ν = 1.",),
)  # fmt: skip

below_split = _claim(
    label="pac_bayes.law_of_losses.coin-below-split", role="improvement", place=("Jang", "Wu-Seldin"),
    statement="The coin-betting bound is at most the split-kl bound with the middle ½ at the same losses in [0, 1], m, "
    "K and δ.",
    left=_COIN, relation="<=",
    right=Quantity("split-kl bound", _of_law(_split), r"B_{\text{split}}", rounding=1e-10), domain=_LAWS,
    improves="pac_bayes.law_of_losses.split-kl",
    limitations=("Measured at 2592 settings of law, m, K and δ; beyond them it rests on the derivation.",),
)  # fmt: skip
