"""Appendix E.3 from proved ingredients: the loss under noise bounded without P, clipped at one."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Choices, Domain
from boundaudit.checks.sharpness.bound.example import COUNTED, EACH, PAIRS, best, claim
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.bound import noisy as theory
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.numeric.sharpness.mlp import Trapezoid

_SETTING = "At T = 20, D = 2, ω = 10 and coefficients 1/√10, pairs of bits side by side"
_LOSS = ("sharpness.noisy_loss.clipped", "sharpness.bound.clipped.own", "sharpness.exactness.leak.upper")
_CLIPPED = "The loss is clipped at one: what its far tail adds to the unclipped loss under noise is left open."


def _at(noise: str, deviations: str) -> Domain:
    return Domain({sigma: best(noise), kappa_nl: Choices(best=sp.Rational(deviations))})


_PRINTED: dict[tuple[Trapezoid, str], tuple[str, str]] = {
    ("steep", "average"): ("5", "0.0816"), ("steep", "sample"): ("4.95", "0.1245"),
    ("wide", "average"): ("5.2", "0.0337"), ("wide", "sample"): ("5.2", "0.0484"),
}  # fmt: skip
"""κ and the value at the printed σ, by trapezoid and inputs."""

loss = claim(
    label="sharpness.bound.noisy.loss",
    statement=f"{_SETTING}, the mean of min(loss, 1) of the construction under noise of the printed size "
    "σ = 0.002265676 is on average over inputs at most 0.0816 (steep) and 0.0337 (wide), and over any sample of inputs "
    "at most 0.1245 and 0.0484, beside the printed σ² G_u = 0.0797 that takes P for nothing.",
    place=("Appendix E", "Theorem 17"),
    expected="certified",
    rests_on=_LOSS,
    limitations=(PAIRS, _CLIPPED),
    cases=tuple(
        Case(
            f"{mlp},{inputs}", left=lambda width=EACH[mlp][0], inputs=inputs: theory.loss(width, inputs),
            right=sp.Rational(value), domain=_at("0.002265676", deviations),
        )
        for (mlp, inputs), (deviations, value) in _PRINTED.items()
    ),
)  # fmt: skip

_BEST: dict[tuple[Trapezoid, str], tuple[str, str, str]] = {
    ("steep", "average"): ("0.00204", "5.1", "0.2359"), ("steep", "sample"): ("0.00188", "5.15", "0.2669"),
    ("wide", "average"): ("0.00246", "5.1", "0.1908"), ("wide", "sample"): ("0.00234", "5.15", "0.2074"),
}  # fmt: skip
"""σ, κ and the value."""

theorem_2 = claim(
    label="sharpness.bound.noisy.theorem-2",
    statement="Put the proved bound on the mean of min(loss, 1) under noise in the place of σ²(G_u + P) in Theorem 2, "
    "with the printed squared norm, S = 0.01 and m = 10⁶. At the best σ Theorem 2's bound is then at most 0.2359 "
    "(steep) and 0.1908 (wide) for the mean over all inputs, and 0.2669 and 0.2074 for that over any sample; printed "
    "is 0.239 with P = 0. This is at T = 20, D = 2, ω = 10, with coefficients 1/√10 and pairs of bits side by side.",
    place=("Appendix E", "Theorem 2"),
    expected="certified",
    rests_on=(loss.label,),
    improves="sharpness.bound.numbers.printed",
    limitations=(
        PAIRS, COUNTED, _CLIPPED, "S = 0.01 and that the learner's norm and noisy loss are at most the construction's "
        "remain assumptions.",
    ),
    cases=tuple(
        Case(
            f"{mlp},{inputs}", left=lambda width=EACH[mlp][0], inputs=inputs: theory.theorem_2(width, inputs),
            right=sp.Rational(value), domain=_at(noise, deviations),
        )
        for (mlp, inputs), (noise, deviations, value) in _BEST.items()
    ),
)  # fmt: skip

_KL: dict[tuple[Trapezoid, str], tuple[str, str, str]] = {
    ("steep", "average"): ("0.0001493", "6.45", "0.02016"), ("steep", "sample"): ("0.0000928", "6.5", "0.02333"),
    ("wide", "average"): ("0.0002402", "6.45", "0.01871"), ("wide", "sample"): ("0.0001681", "6.45", "0.02184"),
}  # fmt: skip

kl = claim(
    label="sharpness.bound.noisy.kl",
    statement="Without P and without a sub-Gaussian constant, E min(loss, 1) under noise is with probability at least "
    "0.95 at most 0.02333 (steep) and 0.02184 (wide) for any sample. It is at most 0.02016 and 0.01871 if the mean "
    "over the sample equals that over all inputs. This is at T = 20, D = 2, ω = 10, with coefficients 1/√10, pairs of "
    "bits side by side, m = 10⁶ samples, the construction's own squared norm and a prior of variance σ² + L/p.",
    place=("Appendix E",),
    relation=">=",
    expected="certified",
    rests_on=(*_LOSS, "pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter"),
    improves=theorem_2.label,
    limitations=(PAIRS, COUNTED),
    cases=tuple(
        Case(
            f"{mlp},{inputs}",
            left=lambda width=EACH[mlp][0], inputs=inputs, value=value: binary_kl(
                theory.loss(width, inputs), sp.Rational(value)
            ),
            right=lambda width=EACH[mlp][0]: theory.allowed(width),
            domain=_at(noise, deviations),
        )
        for (mlp, inputs), (noise, deviations, value) in _KL.items()
    ),
)  # fmt: skip
