"""How much of each bound is flatness, and how much is counting parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.statement import Relation
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.bound.groups import at_trapezoid, claim, measured
from boundaudit.checks.sharpness.bound.separate_prior_variance import AT_E3, BEST, MILLION, PUBLISHED
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, p_n, sigma
from boundaudit.derivations.sharpness.bound import separate_prior_variance as theorem
from boundaudit.derivations.sharpness.bound.separate_prior_variance import k_a, k_e, x_v
from boundaudit.derivations.sharpness.bound.shared_variance import OPTIMUM, G_s
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.bound import (
    Bound,
    Budgets,
    clipped,
    separate_prior_variance,
    shared_variance,
    truncated_optimum,
)
from boundaudit.numeric.sharpness.mlp import Trapezoid

_POSITIVE = Reals(0, open_low=True)
_SETTING = {"samples": 1e6, "delta": 0.05, "proxy": 0.01}
COUNTING = (
    "Norm and interpolation alone bound the risk at this number of parameters and samples, too, without any sharpness: "
    "what the decoupled prior gains is no merit of flatness."
)

# --- sharpness under a logarithm ------------------------------------------------------------------

logarithm = claim(
    label="sharpness.bound.attribution.logarithm",
    statement="A network k times as sharp pays, with the decoupled prior, at most p/2 ln k nats more: ln(1 + kx) is at "
    "most ln(1 + x) + ln k for k ≥ 1.",
    left=theorem.SHARPER_LOG,
    relation="<=",
    right=theorem.SHARPER_CEILING,
    domain=Domain({x_v: _POSITIVE, k_a: Reals(1)}),
    kind="Tight",
    equality=({"x_v": 1, "k_a": 1},),
    expected="proved",
)

cube_root = claim(
    label="sharpness.bound.attribution.cube-root",
    statement="In the published form a thousandfold sharpness costs a factor of ten.",
    left=OPTIMUM.subs(G_s, 1000 * G_s),
    relation="=",
    right=10 * OPTIMUM,
    domain=Domain({G_s: _POSITIVE, N_2: _POSITIVE, S: _POSITIVE, m: Integers(1, tested_to=10**7)}),
    expected="proved",
)

sharper = claim(
    label="sharpness.bound.attribution.sharper",
    statement="With 10^k times the printed sharpness, k up to 30, the decoupled prior's bound at E.3 and m = 10⁶ is at "
    "most 0.0020125 √(1 + k/8): it doubles where the published form grows by 10^10.",
    left=theorem.SHARPER,
    relation="<=",
    right=sp.Rational("0.0020125") * sp.sqrt(1 + k_e / 8),
    domain=Domain({k_e: Integers(0, 30)}),
    expected="certified",
    rests_on=("sharpness.bound.attribution.logarithm", "sharpness.bound.separate_prior_variance.value-million"),
    limitations=(AT_E3, COUNTING, "The best σ falls with the sharpness, to 6·10⁻²⁰ at k = 30."),
)

part = claim(
    label="sharpness.bound.attribution.part",
    statement="Of the decoupled prior's bound at E.3 and m = 10⁶ at most 2.6 % is what the noise adds to the loss; of "
    "the published form it is a third.",
    left=theorem.RISE_PART,
    relation="<=",
    right=sp.Rational("0.0256") * theorem.EXAMPLE,
    domain=Domain({m: MILLION, sigma: BEST}),
    expected="certified",
    limitations=(AT_E3,),
)

fewer = claim(
    label="sharpness.bound.attribution.fewer",
    statement="With 446 parameters, the construction's own blocks without rows and units that stay zero, in place of "
    "2014 it is at most 0.0010004, half as much.",
    left=theorem.FEWER,
    relation="<=",
    right=sp.Rational("0.0010004"),
    domain=Domain({p_n: Integers(446, 446), m: MILLION, sigma: Choices(best=sp.Rational("0.000038334"))}),
    expected="certified",
    limitations=(AT_E3, "An architecture without the entries that are left out."),
)

# --- the construction's own sharpness -------------------------------------------------------------


def _own(mlp: Trapezoid) -> Budgets:
    """The printed norm with the construction's mean squared gradient."""
    return replace(PUBLISHED, sharpness={"all": measured(mlp).budgets.sharpness_total})


def _gain(
    name: str, words: str, share: Callable[[Trapezoid], float], relation: Relation, steep: str, wide: str
) -> Claim:
    return claim(
        label=f"sharpness.bound.attribution.own-{name}",
        statement=f"The construction is 5.2 (steep) and 19.7 (wide) times flatter than printed; at E.3 that leaves "
        f"{words} {steep} and {wide} of the {name} form.",
        left=Quantity(
            f"share of the {name} form that the construction's own sharpness leaves", at_trapezoid(share),
            rf"B_{{\text{{{name}}}}}(G_{{\Theta^*}}) / B(G_u)", rounding=1e-7,
        ),
        relation=relation,
        right=sp.Rational(steep) * (2 - u) + sp.Rational(wide) * (u - 1),
        domain=Domain({u: BOTH}),
        limitations=(AT_E3, "Mean squared gradients over all 2^20 inputs; to second order in the noise."),
    )  # fmt: skip


def _tied_share(mlp: Trapezoid) -> float:
    own, printed = (truncated_optimum(x, samples=1e6, proxy=0.01)[1] for x in (_own(mlp), PUBLISHED))
    return own / printed


_AT: dict[Trapezoid, float] = {"steep": 1.3493e-4, "wide": 2.6675e-4}
"""σ near the best with the construction's own sharpness."""


def _decoupled_share(mlp: Trapezoid) -> float:
    own = separate_prior_variance(_own(mlp), **_SETTING, sigma=_AT[mlp])
    return own.value / separate_prior_variance(PUBLISHED, **_SETTING, sigma=5.7513e-5).value


own_sharpness = (
    _gain("published", "at most", _tied_share, "<=", "0.5755", "0.3704"),
    _gain("separate_prior_variance", "at least", _decoupled_share, ">=", "0.956", "0.920"),
)

# --- a figure -------------------------------------------------------------------------------------

_SIGMAS = {"decoupled prior": 5.7513e-5, "clipped at 1": 1.2094e-4}


def _sharper(form: str, power: int) -> Bound:
    """A form with 10^power times the printed sharpness, at its σ lowered in proportion."""
    budgets = replace(PUBLISHED, sharpness={"all": PUBLISHED.sharpness_total * 10.0**power})
    if form == "published":
        sigma, _ = truncated_optimum(budgets, samples=1e6, proxy=0.01)
        return shared_variance(budgets, **_SETTING, sigma=sigma)
    sigma = _SIGMAS[form] * 10 ** (-power / 2)
    if form == "decoupled prior":
        return separate_prior_variance(budgets, **_SETTING, sigma=sigma)
    return clipped(budgets, samples=1e6, delta=0.05, sigma=sigma)


def _panels(setting: Setting) -> Sequence[Panel]:
    powers = list(range(0, 31, 10 if setting.profile == "smoke" else 2))
    table = {form: [_sharper(form, power) for power in powers] for form in ("published", *_SIGMAS)}
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
    "sharpness. The published form grows as the cube root of the sharpness; with the decoupled prior 30 powers of ten "
    "cost a factor of about two, so that what it gains is parameter counting.",
    claims=("sharpness.bound.attribution.sharper", "sharpness.bound.attribution.part"),
    compute=_panels,
    paper=PAPER,
    place=("Appendix E",),
)
