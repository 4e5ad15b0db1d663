"""Theorem 18: the printed bound on the Hessian's norm, where it fails and how its parts grow."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.hessian.shared import FEW, LOWER, SCALES, TILINGS, claim, output_weights, tilings
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, n_e
from boundaudit.derivations.sharpness.parameters import D, T, omega

WIDTH = "d = T + 2, as in the printed numbers; counted by channels d is T + 1 and the bound smaller."
_RAYLEIGH = theorem.rayleigh(FINITE)
MEASURED = output_weights("rayleigh", SCALES["finite"])


def quotient(definition: sp.Expr = _RAYLEIGH) -> Quantity:
    """The lower bound on the norm of the construction's Hessian.

    Args:
        definition: its closed form on the claim's domain.

    Returns:
        A quantity that is measured on the network's rows.
    """
    return Quantity("Rayleigh quotient of Hess f", MEASURED, r"x^\top \nabla^2 f\, x", definition, 1e-9, 1e3)


published = claim(
    label="sharpness.hessian.bound.published",
    statement="The norm of the Hessian of the network's output is at most the printed H_u, at equal "
    "coefficients of unit length.",
    left=quotient(theorem.equal(_RAYLEIGH)),
    relation="<=",
    right=theorem.H_U_ONE_HOT,
    domain=FEW.replace(T=Integers(4, tested_to=400)),
    place=("Theorem 18", "Appendix K"),
    reading="certain",
    expected="refuted",
    limitations=(LOWER, TILINGS, WIDTH),
)

without_floor = claim(
    label="sharpness.hessian.bound.without-floor",
    statement="The norm of the Hessian of the network's output is at most the printed H_u, for all positive "
    "coefficients in the unit ball.",
    left=quotient(),
    relation="<=",
    right=theorem.H_U_ONE_HOT,
    domain=tilings(24, Reals(0, 1, open_low=True)),
    place=("Theorem 18", "Appendix K"),
    reading="certain",
    expected="refuted",
    limitations=(LOWER, TILINGS, WIDTH, "Read as printed, without a lower limit on the coefficients."),
)

# --- one family: D = 1, ω = T, equal coefficients -----------------------------------------------------


def _family(points: Sequence[Point]) -> list[Point]:
    return [{"T": p["T"], "omega": p["T"], "D": 1, "u": 1, "n_e": p["n_e"], "n_r": 0} for p in points]


_IDEAL = output_weights("rayleigh", SCALES["ideal"])


def _in_family(points: Sequence[Point], device: str) -> Array:
    return _IDEAL(_family(points), device)


def _fifths(points: Sequence[Point], device: str) -> Array:
    return _in_family([{"T": 5 * p["n_e"], "n_e": p["n_e"]} for p in points], device)


FAMILY = "D = 1, ω = T, steep, equal coefficients of unit length, the ideal network; n_e bits are zero."

growing = claim(
    label="sharpness.hessian.bound.growing",
    statement="With every bit a component of its own and equal coefficients, the norm of the ideal network's Hessian "
    "is at most the printed H_u at every length.",
    left=Quantity("Rayleigh quotient of Hess f", _in_family, r"x^\top \nabla^2 f\, x",
                  theorem.GROWING_BY_ROWS, 1e-9, 1e3),
    relation="<=",
    right=theorem.H_U_GROWING,
    domain=Domain({T: Integers(4, tested_to=400), n_e: Integers(1, T - 1)}),
    place=("Theorem 18", "Appendix K"),
    reading="certain",
    expected="refuted",
    rests_on=("sharpness.hessian.bound.published",),
    limitations=(LOWER, WIDTH, FAMILY),
)  # fmt: skip

_FIFTHS = Domain({n_e: Integers(1, tested_to=80)})
lower = claim(
    label="sharpness.hessian.growth.lower",
    statement="At D = 1, ω = T = 5 n_e, equal coefficients and a fifth of the bits zero, the ideal network's block of "
    "F's positional channels has the Rayleigh quotient 0.675 T^(3/2) log²T.",
    left=Quantity("Rayleigh quotient of Hess f", _fifths, r"x^\top \nabla^2 f\, x",
                  theorem.GROWING_BY_ROWS.subs(T, 5 * n_e), 1e-9),
    relation="=",
    right=theorem.GROWING.subs(T, 5 * n_e),
    domain=_FIFTHS,
    place=("Appendix K",),
    expected="proved",
    rests_on=("sharpness.hessian.blocks.F-F.norm",),
    limitations=(FAMILY,),
)  # fmt: skip

upper = claim(
    label="sharpness.hessian.growth.published",
    statement="In that family the printed H_u grows like T^(3/2) without a logarithm: at most 25 T^(3/2) from T = 64.",
    left=theorem.H_U_GROWING,
    relation="<=",
    right=25 * T ** sp.Rational(3, 2),
    domain=Domain({T: Integers(64, tested_to=4000)}),
    kind="Rate",
    mode="as T→∞",
    place=("Appendix K",),
    expected="proved",
    limitations=(WIDTH, FAMILY),
)

exceeds = claim(
    label="sharpness.hessian.growth.exceeds",
    statement="From T = 440 on 0.675 T^(3/2) log²T exceeds 25 T^(3/2): in that family the printed H_u is too small at "
    "every greater length that five divides.",
    left=theorem.GROWING,
    relation=">=",
    right=25 * T ** sp.Rational(3, 2),
    domain=Domain({T: Integers(440, tested_to=4000)}),
    kind="Rate",
    mode="as T→∞",
    place=("Theorem 18", "Appendix K"),
    expected="proved",
    rests_on=("sharpness.hessian.growth.lower", "sharpness.hessian.growth.published"),
    limitations=(WIDTH, FAMILY),
)

asymptotics = claim(
    label="sharpness.hessian.asymptotics",
    statement="In the regime of a projection whose width grows like log T the printed bound has a stated order.",
    left=theorem.H_U,
    relation="<=",
    right=sp.Symbol("K", positive=True) * sp.sqrt(T),
    domain=Domain({
        T: Integers(2), sp.Symbol("d", integer=True, positive=True): Integers(1), D: Integers(1, T),
        omega: Integers(1, T), sp.Symbol("K", positive=True): Reals(0, open_low=True),
    }),
    place=("Appendix K",),
    reading="plausible",
    expected="not testable",
    missing="the order that the end of the appendix states, and its constant",
)  # fmt: skip
