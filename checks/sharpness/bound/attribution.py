"""How much of each bound is flatness, and how much is counting parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp

from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.bound.example import AT_E3, MILLION, POSITIVE, PUBLISHED, SETTING, best, claim
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness.bound import separate_prior_variance as theorem
from boundaudit.derivations.sharpness.bound.separate_prior_variance import k_a, k_e, x_v
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.bound.value import Bound

COUNTING = (
    "Norm and interpolation alone bound the risk at this number of parameters and samples, too, without any sharpness: "
    "what a variance of its own for the prior gains is no merit of flatness."
)

# --- sharpness under a logarithm ------------------------------------------------------------------

logarithm = claim(
    label="sharpness.bound.attribution.logarithm",
    statement="A network k times as sharp, k ≥ 1, pays at most p/2 ln k nats more where the prior has a variance of "
    "its own: ln(1 + kx) is at most ln(1 + x) + ln k for x > 0.",
    left=theorem.SHARPER_LOG,
    relation="<=",
    right=theorem.SHARPER_CEILING,
    domain=Domain({x_v: POSITIVE, k_a: Reals(1)}),
    kind="Tight",
    equality=({"x_v": 1, "k_a": 1},),
    expected="proved",
)

sharper = claim(
    label="sharpness.bound.attribution.sharper",
    statement="At T = 20, D = 2, ω = 10, m = 10⁶ with S = 0.01 and δ = 5 % and with 10^k times the printed sharpness, "
    "k from 0 to 30, the bound with a variance of its own for the prior is at most 0.0020125 √(1 + k/8): it doubles "
    "where the printed form grows by 10^10.",
    left=lambda: theorem.sharper(),
    relation="<=",
    right=sp.Rational("0.0020125") * sp.sqrt(1 + k_e / 8),
    domain=Domain({k_e: Integers(0, 30)}),
    expected="proved",
    rests_on=("sharpness.bound.attribution.logarithm", "sharpness.bound.separate_prior_variance.values"),
    limitations=(AT_E3, COUNTING, "The best σ falls with the sharpness, to 6·10⁻²⁰ at k = 30."),
)

part = claim(
    label="sharpness.bound.attribution.part",
    statement="Of the bound with a variance of its own for the prior at most 2.56 % is what the noise adds to the "
    "loss, at T = 20, D = 2, ω = 10, m = 10⁶ with S = 0.01 and δ = 5 % and its best σ; of the printed form it is a "
    "third.",
    left=theorem.RISE_PART,
    relation="<=",
    right=lambda: sp.Rational("0.0256") * theorem.example(),
    domain=Domain({m: MILLION, sigma: best("0.000057513")}),
    expected="proved",
    rests_on=("sharpness.bound.optimum.printed",),
    limitations=(AT_E3,),
)


# --- a figure -------------------------------------------------------------------------------------

_SIGMAS = {"own variance": 5.7513e-5, "clipped at 1": 1.2094e-4}


def _sharper(form: str, power: int) -> Bound:
    """A form with 10^power times the printed sharpness, at its σ lowered in proportion."""
    budgets = replace(PUBLISHED, sharpness={"all": PUBLISHED.sharpness_total * 10.0**power})
    if form == "printed":
        sigma, _ = truncated_optimum(budgets, samples=1e6, proxy=0.01)
        return shared_variance(budgets, **SETTING, sigma=sigma)
    sigma = _SIGMAS[form] * 10 ** (-power / 2)
    if form == "own variance":
        return separate_prior_variance(budgets, **SETTING, sigma=sigma)
    return clipped(budgets, samples=1e6, delta=0.05, sigma=sigma)


def _panels(setting: Setting) -> Sequence[Panel]:
    powers = list(range(0, 31, 10 if setting.profile == "smoke" else 2))
    table = {form: [_sharper(form, power) for power in powers] for form in ("printed", *_SIGMAS)}
    values = [Series(form, powers, [found.value for found in row]) for form, row in table.items()]
    shares = [
        Series(form, powers, [found.parts["sharpness"] / found.value for found in row]) for form, row in table.items()
    ]
    ten = "powers of ten by which the network is sharper"
    return [
        Panel("the bound", ten, "bound on the loss under noise", values, log="y"),
        Panel("what noise adds to the loss", ten, "share of the bound", shares),
    ]


study = Study(
    label="sharpness.bound.attribution",
    title="What a bound owes to flatness and to counting parameters",
    caption="E.3's setting with the printed squared norm and 2014 parameters, σ lowered as one over the root of the "
    "sharpness. The printed form grows as the cube root of the sharpness; with a variance of its own for the prior 30 "
    "powers of ten cost a factor of about two, so that what it gains is parameter counting.",
    claims=("sharpness.bound.attribution.sharper", "sharpness.bound.attribution.part"),
    compute=_panels,
    paper=PAPER,
    place=("Appendix E",),
)
