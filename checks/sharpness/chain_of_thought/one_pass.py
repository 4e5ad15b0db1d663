"""Theorems 8 and 16: one pass over all bits against a chain of steps, as printed and by the repaired bounds."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.sharpness.chain_of_thought.printed import claim
from boundaudit.derivations.pac_bayes.symbols import S, delta, m, sigma
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.chain_of_thought import r_m
from boundaudit.derivations.sharpness.parameters import T

PLACE = ("Theorem 8", "Theorem 16")
_LENGTHS = Domain({T: Integers(2, tested_to=200)})
_MILLION = Domain({T: Integers(2, 10**6)})
_FROM_FOUR = _LENGTHS.replace(T=Integers(4, tested_to=200))
_GRADIENT, _NORM = theorem.gradient(T), theorem.norm(T)
_FACTOR = "That the printed factor is T and not T/2 is one reading."

# --- how fast the budgets grow with the degree ----------------------------------------------------

gradient_printed = claim(
    label="sharpness.chain_of_thought.one-pass.gradient-printed",
    statement="The printed G_u of degree T is at least T times that of degree two.",
    left=_GRADIENT,
    relation=">=",
    right=T * theorem.gradient(2),
    domain=_LENGTHS,
    place=PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(_FACTOR,),
)

gradient_from_four = claim(
    label="sharpness.chain_of_thought.one-pass.gradient-from-four",
    statement="From T = 4 on the printed G_u of degree T is at least T times that of degree two.",
    left=_GRADIENT,
    relation=">=",
    right=T * theorem.gradient(2),
    domain=_FROM_FOUR,
    place=PLACE,
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.gradient-printed",),
)

gradient_half = claim(
    label="sharpness.chain_of_thought.one-pass.gradient-half",
    statement="The printed G_u of degree T is at least T/2 times that of degree two, as for every function whose "
    "growth is at least linear.",
    left=_GRADIENT,
    relation=">=",
    right=T / 2 * theorem.gradient(2),
    domain=_LENGTHS,
    kind="Tight",
    equality=({"T": 2},),
    place=PLACE,
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.gradient-printed",),
)

norm_printed = claim(
    label="sharpness.chain_of_thought.one-pass.norm-printed",
    statement="The printed L of degree T is at least T times that of degree two.",
    left=_NORM,
    relation=">=",
    right=T * theorem.norm(2),
    domain=_LENGTHS,
    place=PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(_FACTOR,),
)

norm_from_four = claim(
    label="sharpness.chain_of_thought.one-pass.norm-from-four",
    statement="From T = 4 on the printed L of degree T is at least T times that of degree two.",
    left=_NORM,
    relation=">=",
    right=T * theorem.norm(2),
    domain=_FROM_FOUR,
    place=PLACE,
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.norm-printed",),
)

norm_half = claim(
    label="sharpness.chain_of_thought.one-pass.norm-half",
    statement="The printed L of degree T is at least T/2 times that of degree two.",
    left=_NORM,
    relation=">=",
    right=T / 2 * theorem.norm(2),
    domain=_LENGTHS,
    kind="Tight",
    equality=({"T": 2},),
    place=PLACE,
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.norm-printed",),
)

# --- the printed power ----------------------------------------------------------------------------

_SETTING = Domain(
    {T: Integers(2), m: Integers(1, tested_to=10**6), S: Reals(0, open_low=True), sigma: Reals(0, open_low=True)}
)
_WITHOUT = "Without P and the common factor exp(-m/(8Σ²))."

upper_printed = claim(
    label="sharpness.chain_of_thought.one-pass.upper-printed",
    statement="The T-th power of a step's factor bounds that of one pass, read as an upper bound on the error.",
    left=theorem.PASS_EXPONENT,
    relation="<=",
    right=T * theorem.STEP_EXPONENT,
    domain=_SETTING,
    place=PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(
        _WITHOUT, _FACTOR,
        "A text that only compares the two factors would mean the other direction, which is true from T = 4 on and "
        "bounds no error.",
    ),
)  # fmt: skip

upper = claim(
    label="sharpness.chain_of_thought.one-pass.upper",
    statement="The power (T/2)³ of a step's factor bounds that of one pass. Equality at T = 2.",
    left=theorem.PASS_EXPONENT,
    relation="<=",
    right=(T / 2) ** 3 * theorem.STEP_EXPONENT,
    domain=_SETTING,
    kind="Tight",
    equality=({"T": 2, "m": 1, "S": 1, "sigma": 1},),
    place=PLACE,
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.upper-printed",),
    limitations=(_WITHOUT,),
)

lower = claim(
    label="sharpness.chain_of_thought.one-pass.lower",
    statement="The factor of one pass is at least the power T/2 of a step's.",
    left=theorem.PASS_EXPONENT.subs({m: 1, S: 1}),
    relation=">=",
    right=T / 2 * theorem.STEP_EXPONENT.subs({m: 1, S: 1}),
    domain=Domain({T: Integers(2), sigma: Reals(0, open_low=True)}),
    kind="Tight",
    equality=({"T": 2, "sigma": 1},),
    place=PLACE,
    expected="proved",
    rests_on=("sharpness.chain_of_thought.one-pass.gradient-half", "sharpness.chain_of_thought.one-pass.norm-half"),
    limitations=(
        _WITHOUT,
        "At m = Σ = 1: up to a common factor the sides depend on mσ⁴/Σ² alone.",
        "A comparison of two bounds: it says nothing of errors.",
    ),
)

# --- samples that the repaired bounds ask for -----------------------------------------------------

_ADVANTAGE = (
    "Samples by the repaired tied bound: 432 Σ² G L / ε³ for one pass, T³ times that with a step's G and L for a chain."
)

advantage_printed = claim(
    label="sharpness.chain_of_thought.advantage.printed",
    statement="At every length the chain's bound asks for no more samples than that of one pass, at equal error.",
    left=theorem.ADVANTAGE_NUMERATOR,
    relation=">=",
    right=theorem.ADVANTAGE_DENOMINATOR,
    domain=_LENGTHS,
    place=PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(_ADVANTAGE, "Read as a statement about every T; printed budgets."),
)

advantage = claim(
    label="sharpness.chain_of_thought.advantage.from-six",
    statement="From T = 6 on the chain's bound asks for fewer samples than that of one pass, at equal error; at T = 5 "
    "for 1.0027 times as many.",
    left=theorem.ADVANTAGE_NUMERATOR,
    relation=">=",
    right=theorem.ADVANTAGE_DENOMINATOR,
    domain=_MILLION.replace(T=Integers(6, 10**6)),
    place=PLACE,
    expected="proved",
    rests_on=("sharpness.chain_of_thought.samples",),
    repairs=("sharpness.chain_of_thought.advantage.printed",),
    limitations=(_ADVANTAGE,),
)

advantage_until_five = claim(
    label="sharpness.chain_of_thought.advantage.until-five",
    statement="Up to T = 5 the chain's bound asks for more samples than that of one pass.",
    left=theorem.ADVANTAGE_NUMERATOR,
    relation="<=",
    right=theorem.ADVANTAGE_DENOMINATOR,
    domain=_LENGTHS.replace(T=Integers(2, 5)),
    place=PLACE,
    expected="proved",
    limitations=(_ADVANTAGE,),
)

polynomial = claim(
    label="sharpness.chain_of_thought.advantage.polynomial",
    statement="The chain's advantage in samples is at most T³/64, a power of the length and not an exponential. "
    "Equality at T = 2.",
    left=theorem.ADVANTAGE_NUMERATOR,
    relation="<=",
    right=T**3 / 64 * theorem.ADVANTAGE_DENOMINATOR,
    domain=_LENGTHS,
    kind="Tight",
    equality=({"T": 2},),
    place=PLACE,
    expected="proved",
    limitations=(_ADVANTAGE, "An advantage of T/4 in the bounds on the error themselves."),
)

limit_low = claim(
    label="sharpness.chain_of_thought.advantage.limit-low",
    statement="The chain's advantage in samples is at least (128/1167) T³ / (log²T + 109/6).",
    left=theorem.ADVANTAGE,
    relation=">=",
    right=theorem.LIMIT * T**3 / (sp.log(T) ** 2 + sp.Rational(109, 6)),
    domain=_LENGTHS,
    kind="Rate",
    mode="as T→∞",
    place=PLACE,
    expected="proved",
    limitations=(_ADVANTAGE,),
)

limit_high = claim(
    label="sharpness.chain_of_thought.advantage.limit-high",
    statement="The chain's advantage in samples is at most (128/1167) T³ / log²T, 0.1097 T³/log²T, which it approaches "
    "slowly: 0.060 T³/log²T at T = 100.",
    left=theorem.ADVANTAGE,
    relation="<=",
    right=theorem.LIMIT * T**3 / sp.log(T) ** 2,
    domain=_MILLION,
    kind="Rate",
    mode="as T→∞",
    place=PLACE,
    expected="proved",
    limitations=(_ADVANTAGE,),
)

clipped = claim(
    label="sharpness.chain_of_thought.advantage.clipped",
    statement="Clipped at 1/4, with the decoupled prior, Maurer's form bounds the error of one pass over 20 bits by "
    "0.0710 at m = 10⁶, with probability 95 %, below the 0.3433 of the chain: the other way round.",
    left=theorem.clipped_kl(T),
    relation=">=",
    right=theorem.clipped_budget(T),
    domain=Domain(
        {
            T: Integers(20, 20),
            m: Choices(million=10**6),
            delta: Choices(twentieth=Fraction(1, 20)),
            sigma: Choices(best=Fraction(11082, 10**9)),
            r_m: Choices(error=Fraction(710, 10**4)),
        }
    ),
    place=PLACE,
    expected="proved",
    rests_on=("sharpness.chain_of_thought.clip", "sharpness.chain_of_thought.clipped"),
    limitations=(
        "With the printed G_u for the loss under noise, the steep network's norm, and a construction without loss.",
        "A comparison of upper bounds: parameter counting dominates both, and a chain pays a factor T for its steps.",
    ),
)
