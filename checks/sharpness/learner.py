"""Definition 1, Remark 3: what minimising a weighted sum guarantees, and for which predictor the bound holds."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp
import torch

from boundaudit.checks.claim import Claim, Quantity
from boundaudit.checks.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, M_c, S, m, rate, sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import (
    GOLDEN,
    H_c,
    H_d,
    K_d,
    N_d,
    a_y,
    e_n,
    f_n,
    kappa_p,
    l_C,
    l_E,
    l_G,
    n_pr,
    q_1,
    q_N,
    r_c,
    r_l,
    u_1,
    u_2,
    u_M,
    w_N,
    x_N,
    x_R,
    y_H,
    z_c,
    z_h,
    z_l,
)
from boundaudit.numeric.sharpness.domination import bump_mean

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

# --- the parameters themselves --------------------------------------------------------------------

_OF_PARAMETERS = functools.partial(claim, place=("Theorem 2",))


def _peak(points: Sequence[Point], device: str) -> Array:
    columns = (
        torch.tensor([float(p[name]) for p in points], dtype=torch.float64, device=device)
        for name in ("kappa_p", "sigma")
    )
    found: Array = bump_mean(*columns).cpu().numpy()
    return found


peak = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.parameters",
    statement="The risk of the learned parameters is at most the Gibbs risk, which is what the bound limits.",
    left=sp.Integer(1),
    relation="<=",
    right=Quantity(
        "Gibbs risk", _peak, r"\mathbb{E}\,e^{-\kappa \varepsilon^2}", theorem.PEAK_GIBBS, rounding=1e-11, scale=1.0
    ),
    domain=Domain({kappa_p: Reals(0), sigma: Reals(0, 1, open_low=True)}),
    reading="plausible",
    expected="refuted",
    limitations=(
        "One parameter at one unseen input with loss exp(-κu²): 1 at the parameters, and as small as one likes around.",
        "That the bound speaks of the learned parameters is one reading of the text around Theorem 2.",
    ),
)

_CHANGE = "The change of the output by the noise can be measured without labels."

young = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.margin",
    statement="The loss of the parameters is at most 1 + a times the Gibbs loss and 1 + 1/a times the mean squared "
    "change of the output by the noise, for any a > 0 and over any number of inputs and draws.",
    left=theorem.PARAMETERS_LOSS,
    relation="<=",
    right=theorem.YOUNG,
    domain=Domain({
        n_pr: Integers(1, tested_to=2), a_y: Reals(0, open_low=True, tested_to=8),
        f_n: Vector(n_pr, Reals(tested_to=8)), e_n: Vector(n_pr, Reals(tested_to=8)),
    }),
    kind="Tight",
    equality=({"n_pr": 1, "a_y": 1, "f_n": (1,), "e_n": (-1,)},),
    expected="proved",
    repairs=("sharpness.learner.gibbs.parameters",),
    limitations=("Squared loss, not clipped. Both sides are sums over the pairs.", _CHANGE),
)  # fmt: skip

minkowski = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.minkowski",
    statement="The root of the loss of the parameters is at most the root of the Gibbs loss plus the root of the mean "
    "squared change of the output by the noise.",
    left=theorem.DERANDOMISED,
    relation="<=",
    right=theorem.MINKOWSKI,
    domain=Domain({l_G: Reals(0), l_E: Reals(0), l_C: Reals(-l_G * l_E, None)}),
    kind="Tight",
    equality=({"l_G": 1, "l_E": 1, "l_C": -1},),
    expected="proved",
    repairs=("sharpness.learner.gibbs.parameters",),
    limitations=(
        "Squared loss, not clipped. The mean product of noisy residual and change is limited by Cauchy and Schwarz.",
        _CHANGE,
    ),
)

_TWO = Domain({q_1: Reals(0, 1), u_1: Reals(tested_to=8), u_2: Reals(tested_to=8)})

averaged = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.averaged",
    statement="The averaged predictor, whose output is the mean over the posterior, has the Gibbs loss less the "
    "variance of the outputs over the posterior.",
    left=theorem.AVERAGED,
    relation="=",
    right=theorem.GIBBS - theorem.SPREAD,
    domain=_TWO,
    expected="proved",
    limitations=("Squared loss, two networks with any weights; any posterior follows two by two.",),
)

averaged_gain = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.averaged-bound",
    statement="So the averaged predictor's loss is at most the Gibbs loss: a bound on the Gibbs risk holds for it.",
    left=theorem.AVERAGED,
    relation="<=",
    right=theorem.GIBBS,
    domain=_TWO,
    kind="Tight",
    equality=({"q_1": sp.Rational(1, 2), "u_1": 1, "u_2": 1},),
    expected="proved",
    rests_on=("sharpness.learner.gibbs.averaged",),
    repairs=("sharpness.learner.gibbs.parameters",),
    limitations=("Squared loss, two networks with any weights; any posterior follows two by two.",),
)

_CLIPPED = "The clipped loss is not convex. No statement of the paper; bounds on clipped losses invite it."
_CLIP = Domain({M_c: _POSITIVE, **{name: _TWO.ranges[name.name] for name in (q_1, u_1, u_2)}})

averaged_clipped = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.averaged-clipped",
    statement="The same for a loss that is clipped at M.",
    left=theorem.AVERAGED_CLIPPED,
    relation="<=",
    right=theorem.GIBBS_CLIPPED,
    domain=_CLIP,
    expected="refuted",
    limitations=(_CLIPPED,),
)

averaged_in_range = _OF_PARAMETERS(
    label="sharpness.learner.gibbs.averaged-outputs-clipped",
    statement="Where outputs are clipped to residuals of at most g, and not the loss, the averaged predictor's loss is "
    "at most g², as the Gibbs loss is, and keeps to the latter.",
    left=theorem.AVERAGED,
    relation="<=",
    right=u_M**2,
    domain=Domain({u_M: _POSITIVE, q_1: Reals(0, 1), u_1: Reals(-u_M, u_M), u_2: Reals(-u_M, u_M)}),
    kind="Tight",
    equality=({"u_M": 1, "q_1": sp.Rational(1, 2), "u_1": 1, "u_2": 1},),
    expected="proved",
    repairs=("sharpness.learner.gibbs.averaged-clipped",),
    rests_on=("sharpness.learner.gibbs.averaged-bound",),
    limitations=("Two networks. Clipping the outputs to the target's range raises no squared loss.",),
)
