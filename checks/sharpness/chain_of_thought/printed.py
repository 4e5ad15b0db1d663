"""Theorems 7 and 16 as printed: where the probability 4T exp(…) comes from, and what it would promise."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, relative, sigma
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.chain_of_thought import A_s, G_c, P_c, epsilon_c, t_e
from boundaudit.derivations.sharpness.parameters import T

PLACE = ("Theorem 7", "Theorem 16")
claim = functools.partial(Claim, paper=PAPER, place=PLACE)

POSITIVE = Reals(0, open_low=True)
BUDGETS: dict[Any, Range] = {G_c: POSITIVE, N_2: POSITIVE, S: POSITIVE}
SAMPLES = Integers(1, tested_to=10**6)
_RANGES: dict[Any, Range] = {m: SAMPLES, **BUDGETS, P_c: Reals(0), sigma: POSITIVE}
READ = "The formula is recovered from its shape: it solves “bound = 1/2” for δ, up to one squared term."

theorem_printed = claim(
    label="sharpness.chain_of_thought.theorem",
    statement="A chain of T learned steps, each from m samples and with sub-Gaussian constant Σ, is wrong with "
    "probability at most 4T exp(-m/(8Σ²)) exp((mσ²/(4Σ²))(2 G_u(1,2) + P) + L(1,2,T)/(2σ²)).",
    role="printed",
    left=epsilon_c,
    relation="<=",
    right=lambda: theorem.printed_chain(),
    domain=Domain({epsilon_c: Reals(0, 1, open_low=True), T: Integers(2), **_RANGES}),
    reading="plausible",
    expected="not testable",
    rests_on=(
        "sharpness.chain_of_thought.inference.printed", "sharpness.chain_of_thought.union",
        "sharpness.domination.printed", "sharpness.subgaussian.printed",
    ),
    missing="for the transformers of the theorem the learner is known by its assumptions alone, so that no error can "
    "be measured; the inference that leads to the formula is tested beside it",
    limitations=(
        READ,
        "Unproved as it stands, not shown false of transformers: the inference fails for learners that meet every "
        "assumption except the architecture.",
    ),
)  # fmt: skip

solved = claim(
    label="sharpness.chain_of_thought.printed.solved",
    statement="The δ at which Theorem 2's bound A + 2 √(Σ²/(2m) (K + ln(1/δ))), A = (σ²/2)(2G + P) and K = L/(2σ²), "
    "equals a threshold t ≥ A has the logarithm -mt²/(2Σ²) + mtA/Σ² - mA²/(2Σ²) + K; stated for the squares.",
    left=lambda: 2 * S**2 / m * (relative - theorem.EXPONENT),
    relation="=",
    right=(t_e - A_s) ** 2,
    domain=Domain({m: SAMPLES, S: POSITIVE, A_s: Reals(0), relative: Reals(0), t_e: POSITIVE}),
    expected="proved",
    rests_on=("sharpness.bound.shared_variance.printed",),
    limitations=("For t < A no δ below one solves it.",),
)

dropped = claim(
    label="sharpness.chain_of_thought.printed.dropped",
    statement="The printed exponent -m/(8Σ²) + mA/(2Σ²) + K is the logarithm of the δ at which Theorem 2's bound is "
    "1/2 without its term in A², the square of the bound on the loss under noise: it exceeds it by mA²/(2Σ²) ≥ 0, so "
    "that this step is sound.",
    left=lambda: theorem.CORE - theorem.EXPONENT.subs(t_e, sp.Rational(1, 2)),
    relation="=",
    right=m * A_s**2 / (2 * S**2),
    domain=Domain({m: SAMPLES, S: POSITIVE, A_s: Reals(0), relative: Reals(0)}),
    reading="plausible",
    expected="proved",
    rests_on=("sharpness.chain_of_thought.printed.solved",),
    limitations=(READ,),
)
