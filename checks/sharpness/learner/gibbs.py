"""Theorem 2 bounds the Gibbs risk: what follows for the learned parameters and for averaged outputs."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import a_y, e_n, f_n, kappa_p, n_pr, q_1, u_1, u_2
from boundaudit.numeric.sharpness.domination import bump_mean

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
_REAL = Reals(tested_to=8)
_CHANGE = "The change of the output by the noise can be measured without labels."
_TWO = "Squared loss, two networks with any weights; any posterior follows two by two."

parameters = claim(
    label="sharpness.learner.gibbs.parameters",
    statement="The risk of the learned parameters themselves is at most their Gibbs risk, the mean risk under Gaussian "
    "noise, which the PAC-Bayes bound limits. The check takes the loss exp(-κu²), which is one at the parameters.",
    role="printed",
    left=sp.Integer(1),
    relation="<=",
    right=Quantity(
        "Gibbs risk", by_columns(bump_mean, "kappa_p", "sigma"), r"\mathbb{E}\,e^{-\kappa \varepsilon^2}",
        theorem.PEAK_GIBBS, rounding=1e-11, scale=1.0,
    ),
    domain=Domain({kappa_p: Reals(0), sigma: Reals(0, 1, open_low=True)}),
    reading="plausible",
    expected="refuted",
    limitations=(
        "One parameter at one unseen input with loss exp(-κu²): 1 at the parameters, and as small as one likes around.",
        "That the bound speaks of the learned parameters is one reading of the text around Theorem 2.",
    ),
)  # fmt: skip

# --- the parameters themselves --------------------------------------------------------------------

young = claim(
    label="sharpness.learner.gibbs.margin",
    statement="The squared loss of the parameters is at most (1+a) times the Gibbs loss plus (1+1/a) times the mean "
    "squared change of the output by the noise. That holds for every a > 0 and any number of inputs and draws.",
    left=theorem.PARAMETERS_LOSS,
    relation="<=",
    right=theorem.YOUNG,
    domain=Domain({
        n_pr: Integers(1, tested_to=2), a_y: Reals(0, open_low=True, tested_to=8),
        f_n: Vector(n_pr, _REAL), e_n: Vector(n_pr, _REAL),
    }),
    kind="Tight",
    equality=({"n_pr": 1, "a_y": 1, "f_n": (1,), "e_n": (-1,)},),
    expected="proved",
    repairs=("sharpness.learner.gibbs.parameters",),
    limitations=("Squared loss, not clipped. Both sides are sums over the pairs.", _CHANGE),
)  # fmt: skip


# --- outputs averaged over the posterior ----------------------------------------------------------

_OUTPUTS = Domain({q_1: Reals(0, 1), u_1: _REAL, u_2: _REAL})

averaged = claim(
    label="sharpness.learner.gibbs.averaged",
    statement="The averaged predictor, whose output is the mean over the posterior, has the squared Gibbs loss less "
    "the variance of the outputs over the posterior.",
    left=theorem.AVERAGED,
    relation="=",
    right=theorem.GIBBS - theorem.SPREAD,
    domain=_OUTPUTS,
    expected="proved",
    limitations=(_TWO,),
)

averaged_gain = claim(
    label="sharpness.learner.gibbs.averaged-bound",
    statement="The squared loss of the averaged predictor, whose output is the mean over the posterior, is at most the "
    "Gibbs loss: a bound on the Gibbs risk holds for it.",
    left=theorem.AVERAGED,
    relation="<=",
    right=theorem.GIBBS,
    domain=_OUTPUTS,
    kind="Tight",
    equality=({"q_1": sp.Rational(1, 2), "u_1": 1, "u_2": 1},),
    expected="proved",
    rests_on=("sharpness.learner.gibbs.averaged",),
    repairs=("sharpness.learner.gibbs.parameters",),
    limitations=(_TWO,),
)
