"""Bounds and limits that are broken on purpose: the samples that the right ones stand must catch each of them."""

from __future__ import annotations

import functools
import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.pac_bayes import limits
from boundaudit.checks.pac_bayes.coverage import error, further
from boundaudit.checks.pac_bayes.coverage.failures import claim, failing
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.numeric.pac_bayes import coverage as simulated

_control = functools.partial(claim, role="control", expected="refuted")


# --- shortcuts --------------------------------------------------------------------------------------


def _tuned_fails(point: Point, trials: int, seed: int) -> Tensor:
    small = float(point["delta"])
    learned = simulated.scales(small, trials, seed)
    return learned.true > learned.risk + (2 * (learned.kl - math.log(small))).sqrt()


shortcut = _control(
    label="pac_bayes.broken.shortcut",
    statement="A PAC-Bayes bound or a limit for a mean that takes a shortcut still fails with probability at most δ: "
    "the norm ‖w‖/2 where K = ‖w‖²/2 belongs, the middle of a bracket for the inverse of kl, a rate λ chosen after the "
    "sample, an estimate without an allowance for its error.",
    place=("Maurer", "Alquier", "Chernoff"),
    limitations=("Broken on purpose; each shortcut has a case, and what it spares a claim that stands.",),
    cases=(
        Case(
            "root of the norm",
            left=failing(
                "Maurer's bound with ‖w‖/2 for K fails for a lookup network on coin tosses",
                functools.partial(further.lookup_fails, root=True),
            ),
            domain=further.LOOKUP_DOMAIN,
        ),
        Case(
            "midpoint",
            left=failing(
                "Maurer's bound with the middle of a bracket no wider than 0.1 fails",
                functools.partial(further.bracket_fails, share=0.5),
            ),
            domain=further.BRACKET_DOMAIN,
        ),
        Case(
            "late rate",
            left=failing(
                f"r + S √(2(K + ln(1/δ))/m), as λ chosen after the sample has it, fails for {further.CIRCLE}",
                _tuned_fails,
            ),
            domain=further.RATES_DOMAIN,
            rests_on=("pac_bayes.coverage.scales",),
            limitations=("m = 1 and S = 1: one draw shows one of eight scales, and each asks for another λ.",),
        ),
        Case(
            "estimated risk",
            left=failing(
                f"Maurer's bound on the estimate itself fails for {limits.ESTIMATED}",
                functools.partial(limits.estimated_fails, plain=True),
            ),
            right=2 * delta,
            domain=limits.TWICE,
        ),
        *(Case(f"mean,{law}", left=limits.mean_below(law), domain=limits.MEANS) for law in limits.LAWS),
    ),
)

confidence = _control(
    label="pac_bayes.broken.confidence",
    statement="The δ at which a bound falls to 1/4 bounds the probability of an error: 4 exp(-m/(8S²) + K), with "
    "S = 1/2 and K = ln 2, for one hypothesis that never errs and one that errs on a mass 1/m, taken wherever it fits "
    "m samples, m from 32 to 64.",
    left=error.ERRS,
    right=lambda: 8 * sp.exp(-m / 2),
    domain=Domain({m: error.TWO_SIZES}),
    mode="with probability",
    place=("Alquier",),
    limitations=(
        "Every hypothesis of the PAC-Bayes bound holds here. It refutes the inference from confidence to error, not a "
        "theorem about Transformers, which such learners are not.",
    ),
)
