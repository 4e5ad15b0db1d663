"""Remark 4: the constant of a bounded loss, at the prior's centre, and inside the bound."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, measured
from boundaudit.checks.sharpness.targets import PAPER, batch_of
from boundaudit.derivations.sharpness import subgaussian as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes.subgaussian import proxy
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))


def tiling(length: int) -> Target:
    """Disjoint pairs with equal coefficients of unit length."""
    half = length // 2
    return Target(length, tuple((2 * n + 1, 2 * n + 2) for n in range(half)), (half**-0.5,) * half)


# --- Remark 4: bounded, hence sub-Gaussian -----------------------------------------------------------


def _of_centre(at: Columns) -> Tensor:
    """The two-sided constant of f², over all inputs of each target."""
    length = at.points[0]["T"]
    bits = bit_strings(length, 0, 2**length, device=at.device)
    return proxy(evaluate_batch(batch_of(at), bits).square()).value


def _with_equal(point: Point) -> Point:
    return {**point, "c": (point["omega"] ** -0.5,) * point["omega"]}


bounded = claim(
    label="sharpness.subgaussian.bounded",
    statement="A loss between 0 and M has sub-Gaussian constant at most M/2. This is checked for the loss f² of the "
    "network with all parameters zero, which lies between 0 and ω for coefficients 1/√ω, at lengths T from 3 to 5.",
    role="printed",
    left=Quantity(
        "sub-Gaussian constant of f²", completed(measured(_of_centre, "T"), _with_equal), r"S(0)", rounding=1e-8
    ),
    relation="<=",
    right=theorem.LARGEST_CENTRE / 2,
    domain=Domain(
        {T: Integers(3, 5), D: Integers(1, T - 1), omega: Integers(2, T), sp.Symbol("S"): Subsets(omega, D, T)}
    ),
    place=("Remark 4",),
    reading="certain",
    rests_on=("pac_bayes.subgaussian.hoeffding",),
    repairs=("sharpness.subgaussian.estimate",),
    limitations=(
        "Attained by one component, a fair coin; two at least are measured. Gaussian noise leaves no bound on the "
        "loss: for one at every θ it must be clipped.",
    ),
)

# --- the constant inside the bound --------------------------------------------------------------------

inside = claim(
    label="sharpness.subgaussian.inside",
    statement="No sub-Gaussian constant common to all parameters is needed: each hypothesis may have its own constant "
    "S(θ) of the lower tail. With probability at least 1-δ, for all posteriors, the risk R and the loss r on m samples "
    "have E R ≤ E r + λ E S(θ)²/(2m) + (KL + ln(1/δ))/λ, because E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) ≤ 1.",
    left=theorem.INSIDE,
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({theorem.share: Reals(0, 1), theorem.spare: Reals(0), theorem.spare_other: Reals(0)}),
    kind="Tight",
    equality=({"w_1sg": 1, "x_1sg": 0, "x_2sg": 0},),
    place=("Theorem 2", "Appendix E"),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.lower-tail", "pac_bayes.change_of_measure.markov"),
    repairs=("sharpness.subgaussian.printed",),
    limitations=(
        "For two hypotheses, with the amounts by which ln E exp(λ(R-r)) over m samples stays below λ²S²/(2m); any "
        "posterior goes in the same way. The step to the bound is Markov's and Donsker and Varadhan's.",
    ),
)
