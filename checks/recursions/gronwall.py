"""The discrete Grönwall lemma, to be cited by its label at an instance."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.recursions import PAPER
from boundaudit.derivations.recursions import gronwall as theory
from boundaudit.derivations.recursions.gronwall import T_rec, a_rec, b_rec, delta_rec, noise_rec, rate_rec

_lemma = functools.partial(Claim, paper=PAPER, place=("Grönwall",), role="printed", left=theory.LAST, expected="proved")
_SIZE = {T_rec: Integers(1, tested_to=8)}
_RATES = {a_rec: Vector(T_rec, Reals(0)), b_rec: Vector(T_rec, Reals(0))}
_EACH = [ForAll(theory.STEP, theory.STEPS)]
NONNEGATIVE = Domain({**_SIZE, **_RATES, delta_rec: Vector(T_rec, Reals(0))}, where=_EACH)

product = _lemma(
    label="recursions.gronwall.product",
    statement="If δ grows from step to step at rate a_t and by b_t, neither below 0, then the last δ is at most "
    "(δ_1 + Σ b_t) ∏ (1 + a_t).",
    right=theory.PRODUCT,
    domain=Domain({**_SIZE, **_RATES, delta_rec: Vector(T_rec, Reals())}, where=_EACH),
)

exponential = _lemma(
    label="recursions.gronwall.exponential",
    statement="If δ, at least 0, grows from step to step at rate a_t and by b_t, neither below 0, then the last δ is "
    "at most (δ_1 + Σ b_t) exp(Σ a_t).",
    right=theory.EXPONENTIAL,
    domain=NONNEGATIVE,
)

geometric = _lemma(
    label="recursions.gronwall.geometric",
    place=("Geometric sum",),
    statement="At one rate a > 0 and with at most b at each step, the last δ is at most (1 + a)^(T-1) δ_1 + "
    "b ((1 + a)^(T-1) - 1)/a.",
    right=theory.GEOMETRIC,
    domain=Domain(
        {rate_rec: Reals(0, open_low=True), noise_rec: Reals(0), **_SIZE, delta_rec: Vector(T_rec, Reals())},
        where=[ForAll(theory.GROWTH, theory.STEPS)],
    ),
)

contraction = _lemma(
    label="recursions.gronwall.contraction",
    place=("Geometric sum",),
    statement="If δ contracts at a rate a from 0 up to 1, but for at most b at each step, the last δ is at most "
    "(1 - a)^(T-1) δ_1 + b/a.",
    right=theory.SETTLED,
    domain=Domain(
        {rate_rec: Reals(0, 1, open_low=True), noise_rec: Reals(0), **_SIZE, delta_rec: Vector(T_rec, Reals())},
        where=[ForAll(theory.CONTRACTION, theory.STEPS)],
    ),
)
