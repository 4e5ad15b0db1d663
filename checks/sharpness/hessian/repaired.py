"""Theorem 18 repaired: a bound on the whole Hessian that follows the chain rule term by term."""

from __future__ import annotations

import sympy as sp
import torch

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.sharpness.hessian.bound import quotient
from boundaudit.checks.sharpness.hessian.shared import FEW, LOWER, SCALES, SMALL, TILINGS, claim, on_few, tilings
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.hessian import p_e

_OWN = (
    "Derived for the whole Hessian off the kinks, any input, the construction and the ideal network; measured here "
    "against a Rayleigh quotient at large T, and against whole Hessians at T = 4 in a figure.",
)

total = claim(
    label="sharpness.hessian.repaired.total",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball the norm of the Hessian is at most H*, the sum of five "
    "terms of the chain rule; it needs no width d and grows like ω^(3/2) log²T.",
    left=quotient(),
    relation="<=",
    right=theorem.H_STAR,
    domain=tilings(48),
    expected="certified",
    repairs=("sharpness.hessian.bound.published", "sharpness.hessian.bound.growing"),
    rests_on=("sharpness.norms.W2.upper", "sharpness.activations.hidden.norm", "sharpness.mlp.range-upper",
              "sharpness.mlp.range-lower", "sharpness.mlp.slope-upper"),
    limitations=(LOWER, TILINGS, *_OWN),
)  # fmt: skip

without_floor = claim(
    label="sharpness.hessian.repaired.without-floor",
    statement="For all positive coefficients the norm of the Hessian is at most the same sum with the target's own C "
    "and |w2|, which hold what the coefficients' logarithms weigh.",
    left=quotient(),
    relation="<=",
    right=theorem.H_STAR_ANY,
    domain=tilings(24, Reals(0, 1, open_low=True)),
    expected="certified",
    repairs=("sharpness.hessian.bound.without-floor",),
    rests_on=("sharpness.activations.hidden.norm",),
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
_NORM = Quantity("norm of Hess f", on_few(lambda found: found[0].operator, _SCALE), r"\|\nabla^2 f\|", rounding=1e-10)

matrix = claim(
    label="sharpness.hessian.repaired.block-norms",
    statement="The norm of the Hessian is at most that of the 7×7 matrix of the norms of its blocks.",
    left=_NORM,
    relation="<=",
    right=Quantity("norm of the matrix of block norms",
                   on_few(lambda found: float(torch.linalg.matrix_norm(found[0].matrix, 2)), _SCALE),
                   r"\|(\|H_{ab}\|)_{ab}\|", rounding=1e-10),
    domain=FEW,
    rests_on=("sharpness.hessian.blocks.count-finite",),
    limitations=(SMALL,),
)  # fmt: skip
