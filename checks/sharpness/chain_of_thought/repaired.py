"""Theorems 7 and 16 repaired: Markov's step, the union over steps, and what δ may be used for."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.chain_of_thought.inference import LOSSES
from boundaudit.checks.sharpness.chain_of_thought.printed import claim
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.chain_of_thought import (
    G_c,
    b_c,
    e_q,
    f_c,
    g_c,
    n_c,
    p_f,
    p_w,
)  # fmt: skip
from boundaudit.derivations.sharpness.parameters import T

_GIBBS = "It holds for parameters drawn with the posterior's noise, as in Theorem 2, not for the learned ones alone."
_QUARTER = sp.Rational(1, 4)

_BUDGETS = {G_c: theorem.gradient(2), N_2: theorem.norm(2)}


def _published() -> sp.Expr:
    """The cube of the repaired bound with the printed budgets."""
    return theorem.CHAIN_CUBED.subs(_BUDGETS)


# --- one step -------------------------------------------------------------------------------------

markov = claim(
    label="sharpness.chain_of_thought.markov",
    statement="A step is wrong where its output is off by at least 1/2, which has a probability of at most four times "
    "its expected squared loss. Equality where wrong steps are off by exactly 1/2 and right ones not at all: at an "
    "expected loss of 1/4 a step may always be wrong.",
    left=p_w,
    relation="<=",
    right=4 * theorem.MEAN_LOSS,
    domain=LOSSES,
    kind="Tight",
    equality=(
        {"p_w": 1, "q_w": _QUARTER, "q_r": 0},
        {"p_w": sp.Rational(1, 3), "q_w": _QUARTER, "q_r": 0},
        {"p_w": 0, "q_w": _QUARTER, "q_r": 0},
    ),
    reading="plausible",
    expected="proved",
    repairs=("sharpness.chain_of_thought.inference.printed[threshold]",),
    limitations=("q_w and q_r are the mean squared errors where the step is wrong and right: any law has them.",),
)


# --- the chain ------------------------------------------------------------------------------------

union = claim(
    label="sharpness.chain_of_thought.union",
    statement="A chain of T steps is wrong with probability at most T times that of a random one of its steps: the "
    "union over steps needs their average alone. Equality where no step is wrong after another.",
    left=theorem.CHAIN_WRONG,
    relation="<=",
    right=T * theorem.AVERAGE_WRONG,
    domain=Domain({T: Integers(1, tested_to=8), f_c: Vector(T, Reals(0, 1)), g_c: Vector(T, Reals(0, 1))}),
    kind="Tight",
    equality=({"T": 2, "f_c": (_QUARTER, _QUARTER), "g_c": (0, 0)},),
    expected="proved",
    rests_on=("sharpness.projection.union",),
    limitations=(
        "f_t: step t is the first wrong one; g_t: it is wrong after an earlier one. Whether such probabilities also "
        "sum to at most one does not matter.",
        "The average is over a random step of a fresh prompt, as in a sample with one step from each prompt. Steps of "
        "one prompt depend on each other: such a sample counts prompts, not steps.",
    ),
)


expectation = claim(
    label="sharpness.chain_of_thought.expectation",
    statement="If an error is at most b on all samples but a share δ, its average over samples is at most b + δ, and "
    "not always at most δ.",
    left=theorem.EXPECTED,
    relation="<=",
    right=b_c + delta,
    domain=Domain({
        delta: Reals(0, 1, open_low=True, open_high=True), p_f: Reals(0, delta), b_c: Reals(0, 1), e_q: Reals(0, 1)
    }),
    kind="Tight",
    equality=({"delta": sp.Rational(1, 2), "p_f": sp.Rational(1, 2), "b_c": 0, "e_q": 1},),
    expected="proved",
    repairs=(
        "sharpness.chain_of_thought.inference.printed[two-hypotheses]",
        "sharpness.chain_of_thought.inference.printed[gaussian]",
    ),
)  # fmt: skip

samples = claim(
    label="sharpness.chain_of_thought.samples",
    statement="The bound 4T · 3 (G Σ² L / (4m))^(1/3) on the probability that a chain of T learned steps is wrong, G "
    "and L as printed for a step, is at most ε from m = 432 Σ² T³ G L / ε³ samples on. Stated for ε one over a whole "
    "number and both sides cubed. At T = 20, Σ = 0.01 and ε = 0.1 that is 1.75e11 samples.",
    role="successor",
    left=_published,
    relation="<=",
    right=1 / n_c**3,
    domain=Domain({
        T: Integers(1), S: Reals(0, open_low=True, tested_to=1), n_c: Integers(1, tested_to=10),
        m: Integers(theorem.SAMPLES.subs(_BUDGETS), tested_to=10**18),
    }),
    kind="Tight",
    equality=({"T": 1, "S": 1, "n_c": 1, "m": 432 * 1556 * 218},),
    expected="proved",
    rests_on=(
        "sharpness.chain_of_thought.markov", "sharpness.chain_of_thought.union", "sharpness.bound.optimum.printed",
    ),
    limitations=("Theorem 2's bound at its best σ, without P and ln(1/δ).", _GIBBS),
)  # fmt: skip
