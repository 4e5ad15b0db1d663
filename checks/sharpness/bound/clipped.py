"""The loss clipped at M in the kl form: no sub-Gaussian constant, and still informative at E.3's million samples."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.sharpness.bound.example import COUNTED, EACH, MILLION, PAIRS, best, claim
from boundaudit.checks.sharpness.bound.separate_prior_variance import LOSS
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness.bound import clipped as theorem
from boundaudit.derivations.sharpness.bound.separate_prior_variance import true_norm
from boundaudit.derivations.sharpness.parameters import u

_AT_E3 = "At T = 20, D = 2, ω = 10, p = 2014 with δ = 5 %; the prior's variance σ² + L/p and σ are fixed in advance."
_CLIPPED = "Bounds the expected min(loss, M) under noise; the unclipped loss is not bounded by it."
_NOISE = best("0.00012094")
_STEP = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter")


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
            mlp, left=lambda width=width, level=level: binary_kl(theorem.own(width)[0], level),
            right=lambda width=width: theorem.own(width)[1],
        )
        for mlp, width, level in (("steep", 1, sp.Rational("0.01976")), ("wide", 2, sp.Rational("0.01935")))
    ),
)  # fmt: skip
