"""Definition 1, Remark 3: what minimising a weighted sum guarantees, and for which predictor the bound holds."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import H_c, H_d, N_d, q_N, w_N, x_R

claim = functools.partial(Claim, paper=PAPER, place=("Definition 1", "Remark 3"))
_POSITIVE = Reals(0, open_low=True)
_NOISE = Reals(0, open_low=True, tested_to=1)
_WEIGHT = Reals(0, open_low=True, tested_to=8)
_THIRDS = "Trace and norm in units of the construction's, at the σ that is best for the construction."
_PERTURBED = "The trace is the one under noise, 2/σ² times the rise of the training loss, and the minimum is global."
_WHOLE = "The learner's sum is the construction's; a smaller one only helps."
_SAME = "λS²/(2m) + log(1/δ)/λ is the same on both sides and left out."

# --- the definition, in thirds of the construction's bound ----------------------------------------


not_coordinatewise = claim(
    label="sharpness.learner.not-coordinatewise", role="printed", relation=">=", place=("Remark 3",), reading="certain",
    expected="proved",
    statement="A learner that minimises a weighted sum of squared norm and trace may exceed the construction in one of "
    "them. Whatever the weights, parameters without any trace, and with 1 + 1/w times the construction's squared norm, "
    "have the construction's sum. Here w is the weight of the norm over that of the trace, both terms in units of the "
    "construction's.",
    left=theorem.TERM_OF_NORM.subs(q_N, 1), right=sp.Integer(1), domain=Domain({w_N: _WEIGHT}),
    limitations=(_THIRDS, "The text says so, and therefore assumes that norm and trace are dominated."),
)  # fmt: skip

# --- which weights --------------------------------------------------------------------------------


wrong_weights_best_rate = claim(
    label="sharpness.learner.wrong-weights-best-rate", kind="Tight", expected="proved", role="improvement",
    statement="Let the weights of squared norm and trace have a ratio that is off by a factor w. At the λ that is best "
    "for its norm the learner's bound is at most (w + 1 + 1/w)/3 times the construction's: 7/6 for weights off by two.",
    left=theorem.WEIGHED_BEST, right=theorem.WORST_BEST, domain=Domain({w_N: _WEIGHT, x_R: Reals(0, tested_to=8)}),
    equality=({"w_N": 2, "x_R": sp.Rational(1, 2)}, {"w_N": 1, "x_R": 1}),
    limitations=(_THIRDS, _WHOLE, "The best λ depends on the data; a union over a grid of λ pays for it."),
)  # fmt: skip

balance = claim(
    label="sharpness.learner.balance", relation="=", expected="proved",
    statement="At the best σ and λ the construction's squared norm N and its trace H have the same weight in the bound "
    "and in the sum: α N = β H with α = 1/(2σ²λ) and β = σ²/2.",
    left=(theorem.NORM_WEIGHT * N_2).subs(rate, theorem.BEST_RATE).subs(S, theorem.BALANCED_CONSTANT),
    right=theorem.TRACE_WEIGHT * H_c,
    domain=Domain({sigma: _NOISE, m: Integers(1, tested_to=1000), N_2: _POSITIVE, H_c: _POSITIVE}),
    limitations=("Without the confidence term; S is given by the σ for which it makes that σ the best one.",),
)  # fmt: skip

# --- nothing needs to be dominated ----------------------------------------------------------------

linear = claim(
    label="sharpness.learner.linear", kind="Tight", expected="proved",
    statement="Let the learner weight the squared norm by α = 1/(2σ²λ) and the trace by β = σ²/2. If its weighted sum "
    "is at most the construction's, so is its bound, though neither norm nor trace need be dominated.",
    left=theorem.DIFFERENCE, right=sp.Integer(0),
    domain=Domain({sigma: _NOISE, rate: _POSITIVE, H_d: Reals(), N_d: Reals(None, theorem.LARGEST_NORM)}),
    equality=({"sigma": 1, "lambda_n": 1, "H_d": -1, "N_d": 1},), rests_on=("sharpness.learner.balance",),
    improves="sharpness.learner.not-coordinatewise",
    limitations=(
        _PERTURBED,
        "λ and σ are fixed in advance, the norm in the sum is squared, both training losses are zero.",
        "Stated for the differences of norm, trace and bound, the learner's less the construction's.",
        _SAME,
    ),
)  # fmt: skip
