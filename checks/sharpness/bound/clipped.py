"""The loss clipped at M in the kl form: no sub-Gaussian constant, and still informative at E.3's million samples."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.bound.separate_prior_variance import COUNTED, FEW, LOSS, MILLION, PUBLISHED
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness.bound import clipped as theorem
from boundaudit.derivations.sharpness.bound.clipped import e_c
from boundaudit.derivations.sharpness.bound.separate_prior_variance import TRUE_NORM
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.pac_bayes import binary_kl, decoupled_kl
from boundaudit.numeric.pac_bayes.forms import maurer_budget

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",), expected="certified")
AT_E3 = "At T = 20, D = 2, ω = 10, p = 2014 with δ = 5 %; the decoupled prior, fixed in advance with its σ."
CLIPPED = "Bounds the expected min(loss, M) under noise; the unclipped loss is not bounded by it."


def _measure(value: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """A number made of σ and m."""

    def measure(points: Sequence[Point], device: str) -> Array:
        noise, samples = (
            torch.tensor([float(p[name]) for p in points], dtype=torch.float64) for name in ("sigma", "m")
        )
        return value(noise, samples).numpy()

    return measure


def _budget(noise: Tensor, samples: Tensor) -> Tensor:
    kl = decoupled_kl(PUBLISHED.norm_total, noise, PUBLISHED.count)
    found: Tensor = maurer_budget(kl, samples, torch.tensor(0.05, dtype=torch.float64))
    return found


def _between(risk: sp.Expr, largest: int, bound: str) -> Quantity:
    """Kl from the risk under noise to a bound, both over M: their kl."""
    level = sp.Rational(bound) / largest

    def measured(noise: Tensor, samples: Tensor) -> Tensor:
        return binary_kl(noise**2 * PUBLISHED.sharpness_total / largest, float(level))

    return Quantity(
        f"kl from the risk to {bound} over M = {largest}", _measure(measured), r"\mathrm{kl}(r/M \| R/M)",
        theorem.binary_kl(risk / largest, level), rounding=1e-11,
    )  # fmt: skip


_BUDGET = Quantity(
    "(K + ln(2√m/δ))/m at E.3", _measure(_budget), r"\tfrac{1}{m}(K + \ln \tfrac{2 \sqrt m}{\delta})", theorem.BUDGET
)


def _value(name: str, largest: int, bound: str, best: str, words: str, *more: str) -> Claim:
    return claim(
        label=f"sharpness.bound.clipped.value-{name}",
        statement=f"At E.3 with m = 10⁶ the expected min(loss, {largest}) under noise is at most {bound}, {words}: kl "
        "from the risk to it is at least what the sample allows.",
        left=_between(theorem.RISK, largest, bound),
        relation=">=",
        right=_BUDGET,
        domain=Domain({m: MILLION, sigma: Choices(best=sp.Rational(best))}),
        limitations=(AT_E3, CLIPPED, COUNTED, "With the printed G_u and L and no loss at the construction.", *more),
    )


values = (
    _value("one", 1, "0.018795", "0.00012094", "against 0.2353 for the constant predictor"),
    _value("ten", 10, "0.16487", "0.00039015", "against 0.25 for the constant predictor",
           "The target's square is at most 10: at M = 10 the loss of the zero predictor is not clipped."),
)  # fmt: skip


def _own(name: str, what: str, left: sp.Expr | Quantity, right: sp.Expr, shown: str) -> Claim:
    return claim(
        label=f"sharpness.bound.clipped.own-{name}",
        statement=f"At E.3 the construction's {what} is at most {shown}.",
        left=left,
        relation="<=",
        right=right,
        domain=Domain({u: BOTH}),
        limitations=("Ten pairs of bits, coefficients 1/√10, all 2^20 inputs.",),
    )


own = (
    _own("loss", "mean squared error", LOSS, theorem.LOSS_CEILING, "0.00020045 (steep) and 0.00017327 (wide)"),
    _own("norm", "squared norm", TRUE_NORM, theorem.NORM_CEILING, "1492.7 (steep) and 1109.2 (wide)"),
)

complete = claim(
    label="sharpness.bound.clipped.complete",
    statement="With the construction's own squared norm and its loss as a summand it is at most 0.01976 (steep) and "
    "0.01935 (wide).",
    left=theorem.binary_kl(
        theorem.OWN_RISK, sp.Rational("0.01976") * (2 - u) + sp.Rational("0.01935") * (u - 1)
    ),
    relation=">=",
    right=theorem.OWN_BUDGET,
    domain=Domain({u: BOTH, m: MILLION, sigma: Choices(best=sp.Rational("0.00012094"))}),
    rests_on=("sharpness.bound.clipped.own-loss", "sharpness.bound.clipped.own-norm"),
    limitations=(AT_E3, CLIPPED, COUNTED),
)  # fmt: skip

no_proxy = claim(
    label="sharpness.bound.clipped.below-shared",
    statement="At M = 1 this is below a twelfth of the published form's 0.239, which needs a sub-Gaussian constant.",
    left=_between(theorem.RISK, 1, "0.0199"),
    relation=">=",
    right=_BUDGET,
    domain=Domain({m: MILLION, sigma: Choices(best=sp.Rational("0.00012094"))}),
    rests_on=("sharpness.bound.clipped.value-one",),
    limitations=(AT_E3, CLIPPED, COUNTED),
)


def _none_below(name: str, statement: str, samples: Integers, level: str, relative: sp.Expr) -> Claim:
    left, right = theorem.below(sp.Rational(level), relative)
    return claim(
        label=f"sharpness.bound.clipped.vacuous-{name}",
        statement=statement,
        left=left,
        relation="<=",
        right=right,
        domain=Domain({m: samples, e_c: Reals(0, tested_to=10**4)}),
        limitations=(AT_E3, CLIPPED, "σ enters through its risk: a larger one than the level gives no smaller bound."),
    )


vacuous = (
    _none_below(
        "few",
        "At the experiments' m = 8192 no σ brings the clipped bound of E.3, with one variance for all parameters, "
        "below 0.8249, far above the 0.2353 of the constant predictor.",
        FEW,
        "0.8249",
        theorem.BUDGET,
    ),
    _none_below(
        "shared_variance",
        "With a prior of the posterior's variance no σ brings the clipped bound of E.3 below 0.9999 at m = 10⁶.",
        MILLION,
        "0.9999",
        theorem.TIED_BUDGET,
    ),
)

constant_baseline = claim(
    label="sharpness.bound.clipped.informative",
    statement="At E.3 and m = 10⁶ the clipped bound is less than a twelfth of what the constant predictor reaches for "
    "the loss clipped at 1, 241/1024.",
    left=_between(theorem.RISK, 1, str(theorem.YARDSTICK / 12)),
    relation=">=",
    right=_BUDGET,
    domain=Domain({m: MILLION, sigma: Choices(best=sp.Rational("0.00012094"))}),
    rests_on=("sharpness.bound.clipped.value-one",),
    limitations=(AT_E3, CLIPPED, COUNTED),
)
