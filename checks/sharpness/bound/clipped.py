"""The loss clipped at M in the kl form: no sub-Gaussian constant, and still informative at E.3's million samples."""

from __future__ import annotations

import sympy as sp
import torch

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound.example import (
    COUNTED,
    EACH,
    MILLION,
    PAIRS,
    PUBLISHED,
    best,
    claim,
)
from boundaudit.checks.sharpness.bound.separate_prior_variance import LOSS
from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness.bound import clipped as theorem
from boundaudit.derivations.sharpness.bound.separate_prior_variance import true_norm
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.pac_bayes import binary_kl, decoupled_kl
from boundaudit.numeric.pac_bayes.formulas import maurer_budget

_AT_E3 = "At T = 20, D = 2, ω = 10, p = 2014 with δ = 5 %; the prior's variance σ² + L/p and σ are fixed in advance."
_CLIPPED = "Bounds the expected min(loss, M) under noise; the unclipped loss is not bounded by it."
_NOISE = best("0.00012094")
_STEP = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter")


def _budget(point: Point) -> float:
    noise, samples, failure = (torch.tensor(float(x), dtype=torch.float64) for x in (point["sigma"], point["m"], 0.05))
    return float(maurer_budget(decoupled_kl(PUBLISHED.norm_total, noise, PUBLISHED.count), samples, failure))


def _between(largest: int, bound: str) -> Quantity:
    """Kl from the risk under noise to a bound, both over M: their kl."""
    level = sp.Rational(bound) / largest

    def value(point: Point) -> float:
        risk = torch.tensor(float(point["sigma"]) ** 2 * PUBLISHED.sharpness_total / largest, dtype=torch.float64)
        return float(binary_kl(risk, float(level)))

    return Quantity(
        f"kl from the risk to {bound} over M = {largest}", at_points(value), r"\mathrm{kl}(r/M \| R/M)",
        lambda: theorem.binary_kl(theorem.RISK / largest, level), rounding=1e-11,
    )  # fmt: skip


values = claim(
    label="sharpness.bound.clipped.values",
    statement="At T = 20, D = 2, ω = 10 and m = 10⁶, with the printed G_u and L and no loss at the construction, E "
    "min(loss, M) under noise is with probability at least 0.95 at most 0.018795 for M = 1 and 0.16487 for M = 10. The "
    "best constant has 0.2353 for M = 1 and 0.25 for M = 10; printed is 0.239, which needs a sub-Gaussian constant. "
    "The check: the relative entropy from the loss on the sample to these values is at least what the sample allows.",
    relation=">=",
    right=Quantity(
        "(K + ln(2√m/δ))/m at E.3", at_points(_budget), r"\tfrac{1}{m}(K + \ln \tfrac{2 \sqrt m}{\delta})",
        theorem.BUDGET,
    ),
    expected="proved",
    rests_on=_STEP,
    improves="sharpness.bound.numbers.printed",
    limitations=(
        _AT_E3, _CLIPPED, COUNTED,
        "The target's square is at most 10: at M = 10 the loss of the zero predictor is not clipped.",
    ),
    cases=(
        Case("one", left=_between(1, "0.018795"), domain=Domain({m: MILLION, sigma: _NOISE})),
        Case("ten", left=_between(10, "0.16487"), domain=Domain({m: MILLION, sigma: best("0.00039015")})),
    ),
)  # fmt: skip

own = claim(
    label="sharpness.bound.clipped.own",
    statement="At T = 20, D = 2, ω = 10 the construction for ten pairs of bits has a mean squared error of at most "
    "0.00020045 (steep) and 0.00017327 (wide), and a squared norm of at most 1492.7 (steep) and 1109.2 (wide).",
    expected="proved",
    rests_on=("sharpness.norms.total.closed-form",),
    limitations=(PAIRS,),
    cases=tuple(
        Case(f"{what},{mlp}", left=left, right=right, domain=Domain({u: of}))
        for mlp, (width, of) in EACH.items()
        for what, left, right in (
            ("loss", LOSS[mlp], theorem.LOSS_CEILING[width]),
            ("norm", lambda: true_norm(), theorem.NORM_CEILING[width]),
        )
    ),
)

complete = claim(
    label="sharpness.bound.clipped.complete",
    statement="With the printed G_u, the construction's own squared norm and its own loss added, E min(loss, 1) under "
    "noise is with probability at least 0.95 at most 0.01976 (steep) and 0.01935 (wide). This is at T = 20, D = 2, ω = "
    "10 and m = 10⁶.",
    relation=">=",
    domain=Domain({m: MILLION, sigma: _NOISE}),
    role="improvement",
    expected="proved",
    rests_on=(*_STEP, "sharpness.bound.clipped.own"),
    limitations=(_AT_E3, _CLIPPED, COUNTED),
    cases=tuple(
        Case(
            mlp, left=lambda width=width, level=level: theorem.binary_kl(theorem.own(width)[0], level),
            right=lambda width=width: theorem.own(width)[1],
        )
        for mlp, width, level in (("steep", 1, sp.Rational("0.01976")), ("wide", 2, sp.Rational("0.01935")))
    ),
)  # fmt: skip
