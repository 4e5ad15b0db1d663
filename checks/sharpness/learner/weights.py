"""Definition 1, Remark 3: what minimising a weighted sum of loss, squared norm and trace guarantees."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import (
    H_c,
    H_d,
    K_d,
    N_d,
    q_N,
    r_c,
    r_l,
    w_N,
    x_N,
    x_R,
    y_H,
    z_c,
    z_h,
    z_l,
)

claim = functools.partial(Claim, paper=PAPER, place=("Definition 1", "Remark 3"))
_POSITIVE = Reals(0, open_low=True)
_NOISE = Reals(0, open_low=True, tested_to=1)
_WEIGHT = Reals(0, open_low=True, tested_to=8)
_THIRDS = "Trace and norm in units of the construction's, at the σ that is best for the construction."
_PERTURBED = "The trace is the one under noise, 2/σ² times the rise of the training loss, and the minimum is global."
_FIXED = "At the λ that the construction fixes."
_WHOLE = "The learner's sum is the construction's; a smaller one only helps."
_SAME = "λS²/(2m) + log(1/δ)/λ is the same on both sides and left out."

# --- the definition, in thirds of the construction's bound ----------------------------------------

_BALANCED = Domain({x_N: Reals(0, 2), y_H: Reals(0, 2 - x_N)})
_WEIGHED = Domain({w_N: _WEIGHT, q_N: Reals(0, 1)})

printed = claim(
    label="sharpness.learner.printed",
    statement="A learner whose weighted sum of training loss, norm and trace is at most the construction's has a "
    "PAC-Bayes bound of at most the construction's.",
    role="control",
    right=sp.Integer(3),
    reading="plausible",
    cases=(
        Case(
            "balanced",
            statement="With weights at which norm and trace of the construction count alike, and the norm squared, a "
            "sum of at most the construction's gives a bound, at the best λ for the learned norm, of at most the "
            "construction's: y + 2√x ≤ 3 where x + y ≤ 2, with equality for the construction's norm and trace alone.",
            left=theorem.BEST_RATE_VALUE,
            domain=_BALANCED,
            kind="Tight",
            equality=({"x_N": 1, "y_H": 1},),
            expected="proved",
            rests_on=("sharpness.learner.balance", "sharpness.bound.optimum.printed"),
            limitations=(_THIRDS,),
        ),
        Case(
            "any-weights",
            statement="Whatever the weights of squared norm and trace, a sum of at most the construction's gives a "
            "bound of at most the construction's.",
            left=theorem.WEIGHED_FIXED,
            domain=_WEIGHED,
            expected="refuted",
            limitations=(_THIRDS, "Definition 1 leaves the weights open; that any will do is one reading.", _FIXED),
        ),
        Case(
            "unsquared",
            statement="With the norm itself in place of its square and twice the balanced weight on it, for the same "
            "slope at the construction, a sum of at most the construction's gives a bound of at most the "
            "construction's.",
            left=theorem.WEIGHED_UNSQUARED,
            domain=_WEIGHED.replace(w_N=Choices(double=2)),
            expected="refuted",
            limitations=(_THIRDS, _FIXED, "Whether Definition 1 squares the norm is not known."),
        ),
        Case(
            "loss-left-out",
            statement="A learner whose balanced sum of training loss, squared norm and trace is at most the "
            "construction's has a bound of at most the construction's with the latter's training loss left out.",
            left=theorem.WITH_LOSS,
            domain=Domain({
                z_c: Reals(0, 3), z_l: Reals(0, z_c), x_N: Reals(0, 2), y_H: Reals(0, theorem.LARGEST_RATIO_WITH_LOSS)
            }),
            expected="refuted",
            limitations=(_THIRDS, "The text takes the construction to fit exactly; at finite length it does not."),
        ),
    ),
)  # fmt: skip

not_coordinatewise = claim(
    label="sharpness.learner.not-coordinatewise",
    statement="A learner that minimises a weighted sum of squared norm and trace may exceed the construction in one of "
    "them. Whatever the weights, parameters without any trace, and with 1 + 1/w times the construction's squared norm, "
    "have the construction's sum. Here w is the weight of the norm over that of the trace, both terms in units of the "
    "construction's.",
    role="printed",
    left=theorem.TERM_OF_NORM.subs(q_N, 1),
    relation=">=",
    right=sp.Integer(1),
    domain=Domain({w_N: _WEIGHT}),
    place=("Remark 3",),
    reading="certain",
    expected="proved",
    limitations=(_THIRDS, "The text says so, and therefore assumes that norm and trace are dominated."),
)

# --- which weights --------------------------------------------------------------------------------

wrong_weights = claim(
    label="sharpness.learner.wrong-weights",
    statement="Let the weights of squared norm and trace have a ratio that is off by a factor w. The learner's bound "
    "is then at most (2 + max(w, 1/w))/3 times the construction's, and a learner may reach that.",
    left=theorem.WEIGHED_FIXED,
    relation="<=",
    right=lambda: theorem.worst_fixed(),
    domain=_WEIGHED,
    kind="Tight",
    equality=(
        {"w_N": 2, "q_N": 0},
        {"w_N": sp.Rational(1, 2), "q_N": 1},
        {"w_N": 1, "q_N": sp.Rational(1, 2)},
    ),
    expected="proved",
    repairs=("sharpness.learner.printed[any-weights]",),
    limitations=(_THIRDS, _FIXED, _WHOLE),
)

wrong_weights_best_rate = claim(
    label="sharpness.learner.wrong-weights-best-rate",
    statement="Let the weights of squared norm and trace have a ratio that is off by a factor w. At the λ that is best "
    "for its norm the learner's bound is at most (w + 1 + 1/w)/3 times the construction's: 7/6 for weights off by two.",
    left=theorem.WEIGHED_BEST,
    relation="<=",
    right=theorem.WORST_BEST,
    domain=Domain({w_N: _WEIGHT, x_R: Reals(0, tested_to=8)}),
    kind="Tight",
    equality=({"w_N": 2, "x_R": sp.Rational(1, 2)}, {"w_N": 1, "x_R": 1}),
    expected="proved",
    improves="sharpness.learner.wrong-weights",
    limitations=(_THIRDS, _WHOLE, "The best λ depends on the data; a union over a grid of λ pays for it."),
)

balance = claim(
    label="sharpness.learner.balance",
    statement="At the best σ and λ the construction's squared norm N and its trace H have the same weight in the bound "
    "and in the sum: α N = β H with α = 1/(2σ²λ) and β = σ²/2.",
    left=(theorem.NORM_WEIGHT * N_2).subs(rate, theorem.BEST_RATE).subs(S, theorem.BALANCED_CONSTANT),
    relation="=",
    right=theorem.TRACE_WEIGHT * H_c,
    domain=Domain({sigma: _NOISE, m: Integers(1, tested_to=1000), N_2: _POSITIVE, H_c: _POSITIVE}),
    expected="proved",
    limitations=("Without the confidence term; S is given by the σ for which it makes that σ the best one.",),
)

# --- nothing needs to be dominated ----------------------------------------------------------------

linear = claim(
    label="sharpness.learner.linear",
    statement="Let the learner weight the squared norm by α = 1/(2σ²λ) and the trace by β = σ²/2. If its weighted sum "
    "is at most the construction's, so is its bound, though neither norm nor trace need be dominated.",
    left=theorem.DIFFERENCE,
    relation="<=",
    right=sp.Integer(0),
    domain=Domain({sigma: _NOISE, rate: _POSITIVE, H_d: Reals(), N_d: Reals(None, theorem.LARGEST_NORM)}),
    kind="Tight",
    equality=({"sigma": 1, "lambda_n": 1, "H_d": -1, "N_d": 1},),
    expected="proved",
    rests_on=("sharpness.learner.balance",),
    improves="sharpness.learner.not-coordinatewise",
    limitations=(
        _PERTURBED,
        "λ and σ are fixed in advance, the norm in the sum is squared, both training losses are zero.",
        "Stated for the differences of norm, trace and bound, the learner's less the construction's.",
        _SAME,
    ),
)

with_loss = claim(
    label="sharpness.learner.with-training-loss",
    statement="If the learner's balanced sum of training loss, squared norm and trace is at most the construction's, "
    "the learner's bound is at most the construction's bound plus the construction's training loss.",
    left=theorem.LESS_LOSS,
    relation="<=",
    right=sp.Integer(3),
    domain=Domain({x_N: Reals(0), z_h: Reals(), y_H: Reals(None, theorem.LARGEST_RATIO_LESS_LOSS)}),
    kind="Tight",
    equality=({"x_N": 1, "z_h": 0, "y_H": 1},),
    expected="proved",
    rests_on=("sharpness.learner.balance",),
    repairs=("sharpness.learner.printed[loss-left-out]",),
    limitations=(_THIRDS, "Both sides less the construction's training loss."),
)

posterior = claim(
    label="sharpness.learner.any-posterior",
    statement="If a posterior's mean training loss plus its relative entropy over λ is at most the construction's, "
    "then its PAC-Bayes bound is at most the construction's, whatever its norm, trace or Hessian.",
    left=theorem.POSTERIOR_DIFFERENCE,
    relation="<=",
    right=sp.Integer(0),
    domain=Domain({
        rate: _POSITIVE, r_c: Reals(0, tested_to=1), r_l: Reals(0, tested_to=1),
        K_d: Reals(None, theorem.LARGEST_ENTROPY),
    }),
    kind="Tight",
    equality=({"lambda_n": 1, "r_c": 1, "r_l": 0, "K_d": 1},),
    place=("Definition 1", "Theorem 2"),
    expected="proved",
    repairs=("sharpness.domination.printed",),
    limitations=(
        "Stated for the differences of relative entropy and bound, the learner's less the construction's.",
        _SAME,
    ),
)  # fmt: skip

# --- the norm without its square ------------------------------------------------------------------

unsquared_attained = claim(
    label="sharpness.learner.unsquared-ends",
    statement="Let the learner weight the norm itself and not its square, w the weight of norm over that of trace. If "
    "its sum is at most the construction's, its bound is at most max(w + 2, 1 + (1 + 1/w)²)/3 times the "
    "construction's. The worst learners have all of the sum in one term.",
    left=theorem.WEIGHED_UNSQUARED,
    relation="<=",
    right=lambda: theorem.worst_unsquared(),
    domain=_WEIGHED,
    kind="Tight",
    equality=({"w_N": 2, "q_N": 0}, {"w_N": 1, "q_N": 1}),
    expected="proved",
    repairs=("sharpness.learner.printed[unsquared]",),
    limitations=(_THIRDS, _FIXED, _WHOLE),
)
