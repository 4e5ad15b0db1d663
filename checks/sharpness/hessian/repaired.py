"""Theorem 18 repaired: a bound on the whole Hessian that follows the chain rule term by term."""

from __future__ import annotations

import sympy as sp
import torch

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.sharpness.hessian.bound import ANY, printed
from boundaudit.checks.sharpness.hessian.shared import FEW, LOWER, SCALES, SMALL, TILINGS, claim, on_few, tilings
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.hessian import p_e

_OWN = (
    "Derived for the whole Hessian off the kinks, any input, the construction and the ideal network; measured here "
    "against a Rayleigh quotient at large T, and against whole Hessians at T = 4 in a figure.",
)
_TERMS = ("sharpness.activations.hidden.norm", "sharpness.mlp.range[upper]", "sharpness.mlp.range[lower]",
          "sharpness.mlp.slope")  # fmt: skip

total = claim(
    label="sharpness.hessian.repaired.total",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball, components side by side and T ≥ 4 the operator norm of "
    "the Hessian of the network's output is at most H*, the sum of five terms of the chain rule; it needs no width d "
    "and grows like ω^(3/2) log²T.",
    left=ANY,
    right=theorem.H_STAR,
    domain=tilings(48),
    repairs=(printed.label,),
    rests_on=("sharpness.norms.W2.upper", *_TERMS),
    limitations=(LOWER, TILINGS, *_OWN),
)

without_floor = claim(
    label="sharpness.hessian.repaired.without-floor",
    statement="For all positive coefficients in the unit ball, components side by side and T ≥ 4 the operator norm of "
    "the Hessian of the network's output is at most the sum of five terms of the chain rule that makes H*, with the "
    "target's own C = Σ c and |w2|, which hold what the coefficients' logarithms weigh.",
    left=ANY,
    right=theorem.h_star_any,
    domain=tilings(24, Reals(0, 1, open_low=True)),
    repairs=(f"{printed.label}[no-floor]",),
    rests_on=_TERMS,
    limitations=(LOWER, TILINGS, *_OWN),
)

skew = claim(
    label="sharpness.hessian.repaired.skew",
    statement="The third central moment of a bit is at most 1/(6√3), attained at p = (3-√3)/6: the constant of the "
    "growth in F's positional channels.",
    left=theorem.SKEW,
    relation="<=",
    right=1 / (6 * sp.sqrt(3)),
    domain=Domain({p_e: Reals(0, 1)}),
    kind="Tight",
    equality=({"p_e": (3 - sp.sqrt(3)) / 6},),
    expected="proved",
)

# --- whole Hessians at a few points -----------------------------------------------------------------

_SCALE = SCALES["finite"]
_NORM = Quantity(
    "norm of Hess f", on_few(lambda found: found.whole.operator, _SCALE), r"\|\nabla^2 f\|", rounding=1e-10
)

matrix = claim(
    label="sharpness.hessian.repaired.block-norms",
    statement="The operator norm of the Hessian of the network's output is at most that of the 7×7 matrix of the norms "
    "of its blocks; at T = 4.",
    left=_NORM,
    relation="<=",
    right=Quantity("norm of the matrix of block norms",
                   on_few(lambda found: float(torch.linalg.matrix_norm(found.whole.matrix, 2)), _SCALE),
                   r"\|(\|H_{ab}\|)_{ab}\|", rounding=1e-10),
    domain=FEW,
    place=("Appendix K",),
    limitations=(SMALL,),
)  # fmt: skip
