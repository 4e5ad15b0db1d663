"""Theorem 18 repaired: a bound on the whole Hessian that follows the chain rule term by term."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
import torch

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed, evaluated
from boundaudit.checks.sharpness.hessian.bound import ANY, printed
from boundaudit.checks.sharpness.hessian.shared import (
    ENCLOSED,
    EXPERIMENTS,
    FEW,
    ONE_SMALL,
    SCALES,
    SMALL,
    TILINGS,
    claim,
    norms,
    on_few,
    tilings,
    upper_ends,
    with_one_small,
)
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.hessian import p_e

_OWN = "Derived for the whole Hessian off the kinks, at any input, the construction and the ideal network."
_TERMS = ("sharpness.activations.hidden.norm", "sharpness.mlp.range[upper]", "sharpness.mlp.range[lower]",
          "sharpness.mlp.slope")  # fmt: skip
_SCALE = SCALES["finite"]
_QUOTIENT = (
    "A Rayleigh quotient, along entries of F that write into positional channels: the part of the Hessian that grows "
    "fastest, and a lower bound on its norm."
)
NORM = Quantity("norm of Hess f", norms, r"\|\nabla^2 f\|", rounding=1e-10)
_SIDE_BY_SIDE = "components side by side with equal coefficients of unit length"
_OF_NORM = "the operator norm of the Hessian of the network's output is at most"


def _share(count: int, bound: Callable[[], sp.Expr], complete: Callable[[Point], Point] = dict) -> Quantity:
    """A share of a bound of five terms, varied as a whole: the terms are not tight one by one."""
    measure = completed(evaluated(lambda: bound() / count), complete)
    return Quantity(f"the bound of five terms over {count}", measure, rf"\tfrac{{1}}{{{count}}} H_*", rounding=1e-10)


total = claim(
    label="sharpness.hessian.repaired.total",
    statement=f"For coefficients from T⁻⁴ to 1 in the unit ball, components side by side and T ≥ 4 {_OF_NORM} H*, the "
    "sum of five terms of the chain rule; it needs no width d and grows like ω^(3/2) log²T.",
    repairs=(printed.label,),
    rests_on=("sharpness.norms.W2.upper", *_TERMS),
    cases=(
        Case(
            "small",
            statement=f"At T = 4, for {_SIDE_BY_SIDE}, {_OF_NORM} a 25th of H*, the sum of five terms of the chain "
            "rule.",
            left=NORM, right=_share(25, lambda: theorem.H_STAR), domain=FEW, limitations=(SMALL, TILINGS, _OWN),
        ),
        Case(
            "experiments",
            statement=f"At T = 20 and ω = 7, 10 or 20, for {_SIDE_BY_SIDE}, {_OF_NORM} a 25th of H*, the sum of five "
            "terms of the chain rule.",
            left=Quantity("upper end on the norm of Hess f", upper_ends, r"\|\nabla^2 f\|", rounding=1e-8),
            right=_share(25, lambda: theorem.H_STAR), domain=EXPERIMENTS, limitations=(ENCLOSED, TILINGS, _OWN),
        ),
        Case(
            "long",
            statement="For coefficients from T⁻⁴ to 1 in the unit ball, components side by side and T ≥ 4 the "
            "Hessian's form along the direction of F that moves the keys is at most H*, the sum of five terms of the "
            "chain rule.",
            left=ANY, right=theorem.H_STAR, domain=tilings(48), limitations=(_QUOTIENT, TILINGS, _OWN),
        ),
    ),
)  # fmt: skip

without_floor = claim(
    label="sharpness.hessian.repaired.without-floor",
    statement=f"For all positive coefficients in the unit ball, components side by side and T ≥ 4 {_OF_NORM} the sum "
    "of five terms of the chain rule that makes H*, with the target's own C = Σ c and |w2|, which hold what the "
    "coefficients' logarithms weigh.",
    repairs=(f"{printed.label}[no-floor]",),
    rests_on=_TERMS,
    cases=(
        Case(
            "small",
            statement="At T = 4, for components side by side whose first coefficient is e⁻¹ or e⁻¹⁰⁰, "
            f"{_OF_NORM} a 30th of the sum of five terms of the chain rule that makes H*, with the target's own C = Σ "
            "c and |w2|.",
            left=Quantity(
                "norm of Hess f, first coefficient small", completed(NORM.measure, with_one_small), NORM.latex,
                rounding=1e-10,
            ),
            right=_share(30, theorem.h_star_any, with_one_small),
            domain=ONE_SMALL,
            limitations=("Whole Hessians by automatic differentiation.", TILINGS, _OWN),
        ),
        Case(
            "long",
            statement="For all positive coefficients in the unit ball, components side by side and T ≥ 4 the Hessian's "
            "form along the direction of F that moves the keys is at most the sum of five terms of the chain rule that "
            "makes H*, with the target's own C = Σ c and |w2|.",
            left=ANY, right=theorem.h_star_any, domain=tilings(24, Reals(0, 1, open_low=True)),
            limitations=(_QUOTIENT, TILINGS, _OWN),
        ),
    ),
)  # fmt: skip

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

matrix = claim(
    label="sharpness.hessian.repaired.block-norms",
    statement="The operator norm of the Hessian of the network's output is at most that of the 7×7 matrix of the norms "
    "of its blocks; at T = 4.",
    left=NORM,
    relation="<=",
    right=Quantity("norm of the matrix of block norms",
                   on_few(lambda found: float(torch.linalg.matrix_norm(found.whole.matrix, 2)), _SCALE),
                   r"\|(\|H_{ab}\|)_{ab}\|", rounding=1e-10),
    domain=FEW,
    place=("Appendix K",),
    limitations=(SMALL,),
)  # fmt: skip
