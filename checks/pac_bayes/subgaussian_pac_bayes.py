"""The sub-Gaussian PAC-Bayes step: one loss, m losses, and the rate."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.finite import POSITIVE
from boundaudit.derivations.pac_bayes import subgaussian_pac_bayes as theory
from boundaudit.derivations.pac_bayes.subgaussian import loss, t
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import K_p
from boundaudit.derivations.pac_bayes.symbols import S, m, rate

_claim = functools.partial(Claim, paper=PAPER, place=("Alquier",))

# --- one loss -------------------------------------------------------------------------------------

one_sided = _claim(
    label="pac_bayes.subgaussian_pac_bayes.one-sided",
    statement="A loss ℓ ≥ 0 with mean R has a one-sided sub-Gaussian constant of at most √(E ℓ²): ln E exp(t(R - ℓ)) "
    "≤ t² E ℓ²/2 for t ≥ 0, for every law with finitely many values.",
    role="printed",
    left=sp.log(E(sp.exp(t * (E(loss) - loss)))),
    relation="<=",
    right=t**2 * E(loss**2) / 2,
    domain=Space({t: Reals(0, tested_to=10), loss: Random(Reals(0, tested_to=4))}),
    place=("Haddouche-Guedj",),
    expected="proved",
    limitations=("Only this tail enters an upper bound on the risk.",),
)

# --- the rate -------------------------------------------------------------------------------------

_RATES: dict[Any, Range] = {m: Integers(1), S: POSITIVE, K_p: POSITIVE}
_FIXED = "λ is fixed before the samples are seen, and so is the K that it is built from."

best = _claim(
    label="pac_bayes.subgaussian_pac_bayes.best",
    statement="What a rate λ adds to the risk on m samples, λS²/(2m) + K/λ, is at least S√(2K/m), with equality at "
    "λ = √(2mK)/S; S is the sub-Gaussian constant and K the relative entropy plus ln(1/δ).",
    left=theory.PENALTY,
    relation=">=",
    right=theory.BEST,
    domain=Domain({**_RATES, rate: POSITIVE}),
    kind="Tight",
    equality=({"m": 2, "S": 1, "K_p": 1, "lambda_n": theory.BEST_RATE.subs({m: 2, S: 1, K_p: 1})},),
    expected="proved",
    limitations=(_FIXED, "A λ chosen after the relative entropy that is seen makes another statement."),
)

best_value = _claim(
    label="pac_bayes.subgaussian_pac_bayes.best-value",
    statement="At λ = √(2mK)/S a rate adds λS²/(2m) + K/λ = S√(2K/m), half of it for each of its two terms.",
    left=theory.penalty(theory.BEST_RATE),
    relation="=",
    right=theory.BEST,
    domain=Domain(_RATES),
    expected="proved",
    rests_on=("pac_bayes.subgaussian_pac_bayes.best",),
    limitations=(_FIXED,),
)
