"""Definition 1, Remark 3: what minimising a weighted sum of loss, squared norm and trace guarantees."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import (
    GOLDEN,
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
_THIRDS = "Trace and norm in units of the construction's, at the σ that is best for the construction."
_PERTURBED = "The trace is the one under noise, 2/σ² times the rise of the training loss, and the minimum is global."

# --- the bound at fixed λ -------------------------------------------------------------------------

_NOISE = Reals(0, open_low=True, tested_to=1)
_SAME = "λS²/(2m) + log(1/δ)/λ is the same on both sides and left out."

without_loss = claim(
    label="sharpness.learner.without-training-loss",
    statement="A learner whose balanced sum of training loss, norm and trace is at most the construction's has a bound "
    "of at most the construction's with the latter's training loss left out.",
    left=theorem.WITH_LOSS,
    relation="<=",
    right=sp.Integer(3),
    domain=Domain({z_c: Reals(0, 3), z_l: Reals(0, z_c), x_N: Reals(0, 2),
                   y_H: Reals(0, theorem.LARGEST_RATIO_WITH_LOSS)}),
    reading="plausible",
    expected="refuted",
    limitations=(_THIRDS, "The text takes the construction to fit exactly; at finite length it does not."),
)  # fmt: skip

with_loss = claim(
    label="sharpness.learner.with-training-loss",
    statement="With the construction's training loss added the bound holds for every such learner.",
    left=theorem.LESS_LOSS,
    relation="<=",
    right=sp.Integer(3),
    domain=Domain({x_N: Reals(0), z_h: Reals(), y_H: Reals(None, theorem.LARGEST_RATIO_LESS_LOSS)}),
    kind="Tight",
    equality=({"x_N": 1, "z_h": 0, "y_H": 1},),
    expected="proved",
    repairs=("sharpness.learner.without-training-loss",),
    limitations=(_THIRDS, "Both sides less the construction's training loss."),
)

linear = claim(
    label="sharpness.learner.linear",
    statement="With α = 1/(2σ²λ) and β = σ²/2 a weighted sum of at most the construction's is enough: the learner's "
    "bound is at most the construction's, though neither norm nor trace is dominated.",
    left=theorem.DIFFERENCE,
    relation="<=",
    right=sp.Integer(0),
    domain=Domain({sigma: _NOISE, rate: _POSITIVE, H_d: Reals(), N_d: Reals(None, theorem.LARGEST_NORM)}),
    kind="Tight",
    equality=({"sigma": 1, "lambda_n": 1, "H_d": -1, "N_d": 1},),
    expected="proved",
    repairs=("sharpness.learner.coordinatewise",),
    limitations=(
        _PERTURBED,
        "λ and σ are fixed in advance, the norm in the sum is squared, both training losses are zero.",
        "Stated for what the learner's norm, trace and bound exceed the construction's by.",
        _SAME,
    ),
)

posterior = claim(
    label="sharpness.learner.any-posterior",
    statement="Any posterior whose training loss plus relative entropy over λ is at most the construction's has a "
    "bound of at most the construction's: nothing is said of norm, trace or Hessian.",
    left=theorem.POSTERIOR_DIFFERENCE,
    relation="<=",
    right=sp.Integer(0),
    domain=Domain(
        {
            rate: _POSITIVE,
            r_c: Reals(0, tested_to=1),
            r_l: Reals(0, tested_to=1),
            K_d: Reals(None, theorem.LARGEST_ENTROPY),
        }
    ),
    kind="Tight",
    equality=({"lambda_n": 1, "r_c": 1, "r_l": 0, "K_d": 1},),
    expected="proved",
    repairs=(
        "sharpness.domination.trace",
        "sharpness.domination.one-variance",
        "sharpness.domination.relu.one-landscape",
    ),
    limitations=(
        "Training losses are means over the posterior.",
        "Stated for what the learner's entropy and bound exceed the construction's by.",
        _SAME,
    ),
)

balance = claim(
    label="sharpness.learner.balance",
    statement="At the best σ and λ the construction's norm and its trace have the same weight: α N = β H.",
    left=(theorem.NORM_WEIGHT * N_2).subs(rate, theorem.BEST_RATE).subs(S, theorem.BALANCED_CONSTANT),
    relation="=",
    right=theorem.TRACE_WEIGHT * H_c,
    domain=Domain({sigma: _NOISE, m: Integers(1, tested_to=1000), N_2: _POSITIVE, H_c: _POSITIVE}),
    expected="proved",
    limitations=("Without the confidence term; S is given by the σ for which it makes that σ the best one.",),
)

# --- in thirds of the bound -----------------------------------------------------------------------

_BALANCED = Domain({x_N: Reals(0, 2), y_H: Reals(0, 2 - x_N)})
_WEIGHED = Domain({w_N: Reals(0, open_low=True, tested_to=8), q_N: Reals(0, 1)})
_WHOLE = "The learner's sum is the construction's; a smaller one only helps."

coordinatewise = claim(
    label="sharpness.learner.coordinatewise",
    statement="A learner whose balanced sum of norm and trace is at most the construction's has no larger norm.",
    left=x_N,
    relation="<=",
    right=sp.Integer(1),
    domain=_BALANCED,
    expected="refuted",
    limitations=(_THIRDS, "The text says itself that a weighted sum does not give this, and assumes it."),
)

balanced = claim(
    label="sharpness.learner.balanced",
    statement="With the balanced weights the bound, at the best λ for the learned norm, is at most the construction's: "
    "y + 2√x ≤ 3 where x + y ≤ 2, with equality for the construction's norm and trace alone.",
    left=theorem.BEST_RATE_VALUE,
    relation="<=",
    right=sp.Integer(3),
    domain=_BALANCED,
    kind="Tight",
    equality=({"x_N": 1, "y_H": 1},),
    expected="proved",
    limitations=(_THIRDS,),
)

any_weights = claim(
    label="sharpness.learner.any-weights",
    statement="Whatever the two weights, a sum of at most the construction's gives a bound of at most the "
    "construction's.",
    left=theorem.WEIGHED_FIXED,
    relation="<=",
    right=sp.Integer(3),
    domain=_WEIGHED,
    reading="plausible",
    expected="refuted",
    limitations=(_THIRDS, "Definition 1 leaves the weights open; that any will do is one reading."),
)

wrong_weights = claim(
    label="sharpness.learner.wrong-weights",
    statement="With weights whose ratio is off by a factor w the bound is at most (2 + max(w, 1/w))/3 times the "
    "construction's, and a learner may reach it.",
    left=theorem.WEIGHED_FIXED,
    relation="<=",
    right=theorem.WORST_FIXED,
    domain=_WEIGHED,
    kind="Tight",
    equality=(
        {"w_N": 2, "q_N": 0},
        {"w_N": sp.Rational(1, 2), "q_N": 1},
        {"w_N": 1, "q_N": sp.Rational(1, 2)},
    ),
    expected="proved",
    repairs=("sharpness.learner.any-weights",),
    limitations=(_THIRDS, "At the λ that the construction fixes.", _WHOLE),
)

wrong_weights_best_rate = claim(
    label="sharpness.learner.wrong-weights-best-rate",
    statement="With the best λ for the learned norm the factor is at most (w + 1 + 1/w)/3: 7/6 for weights off by two.",
    left=theorem.WEIGHED_BEST,
    relation="<=",
    right=theorem.WORST_BEST,
    domain=Domain({w_N: Reals(0, open_low=True, tested_to=8), x_R: Reals(0, tested_to=8)}),
    kind="Tight",
    equality=({"w_N": 2, "x_R": sp.Rational(1, 2)}, {"w_N": 1, "x_R": 1}),
    expected="proved",
    limitations=(_THIRDS, _WHOLE, "The best λ depends on the data; a union over a grid of λ pays for it."),
)

# --- the norm without its square ------------------------------------------------------------------

unsquared = claim(
    label="sharpness.learner.unsquared",
    statement="With the norm itself in place of its square and twice the balanced weight on it, for the same slope at "
    "the construction, a sum of at most the construction's gives a bound of at most the construction's.",
    left=theorem.WEIGHED_UNSQUARED,
    relation="<=",
    right=sp.Integer(3),
    domain=_WEIGHED.replace(w_N=Choices(double=2)),
    reading="plausible",
    expected="refuted",
    limitations=(_THIRDS, "At the λ that the construction fixes. Whether Definition 1 squares the norm is not known."),
)

unsquared_worst = claim(
    label="sharpness.learner.unsquared-every-weight",
    statement="No choice of weights will do: some learner's bound is at least (5 + √5)/6 = 1.206 times the "
    "construction's, and for weights in the golden ratio no more.",
    left=theorem.WORST_UNSQUARED,
    relation=">=",
    right=2 + GOLDEN,
    domain=Domain({w_N: Reals(0, open_low=True, tested_to=8)}),
    kind="Tight",
    equality=({"w_N": GOLDEN},),
    expected="proved",
    limitations=(_THIRDS, "At the λ that the construction fixes.", _WHOLE),
)

unsquared_attained = claim(
    label="sharpness.learner.unsquared-ends",
    statement="The learner with all of the sum in one of its two terms is the worst: s² + y + 1 is at most the larger "
    "of w + 2 and 1 + (1 + 1/w)².",
    left=theorem.WEIGHED_UNSQUARED,
    relation="<=",
    right=theorem.WORST_UNSQUARED,
    domain=_WEIGHED,
    kind="Tight",
    equality=({"w_N": 2, "q_N": 0}, {"w_N": 1, "q_N": 1}),
    expected="proved",
    limitations=(_THIRDS, "At the λ that the construction fixes.", _WHOLE),
)

unsquared_best_rate = claim(
    label="sharpness.learner.unsquared-best-rate",
    statement="With λ taken from a grid after training the norm itself is the right term: at the best λ the bound is "
    "linear in it, with weight S/(σ√m).",
    left=theorem.NORM_PART,
    relation="=",
    right=theorem.LINEAR_IN_NORM,
    domain=Domain({sigma: _NOISE, m: Integers(1, tested_to=1000), N_2: _POSITIVE, S: _POSITIVE}),
    expected="proved",
    repairs=("sharpness.learner.unsquared",),
    limitations=("Without the confidence term, in which the price of the grid goes.",),
)
