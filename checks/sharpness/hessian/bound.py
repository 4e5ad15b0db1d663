"""Theorem 18: the printed bound on the Hessian's norm, where it fails and how its parts grow."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT
from boundaudit.checks.sharpness.hessian.families import OFF_KINKS, SEEN
from boundaudit.checks.sharpness.hessian.forms import whole
from boundaudit.checks.sharpness.hessian.one_column import AGAINST_PRINTED, SIZES
from boundaudit.checks.sharpness.hessian.shared import (
    FEW,
    LOWER,
    SCALES,
    TILINGS,
    claim,
    output_weights,
    tilings,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, n_e
from boundaudit.derivations.sharpness.hessian_parts import H_ONE_COLUMN
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

WIDTH = "d = T + 2, as in the printed numbers; counted by channels d is T + 1 and the bound smaller."
MEASURED = output_weights("rayleigh", SCALES["finite"])


def quotient(definition: Callable[[], sp.Expr]) -> Quantity:
    """The lower bound on the norm of the construction's Hessian."""
    return Quantity("Rayleigh quotient of Hess f", MEASURED, r"x^\top \nabla^2 f\, x", lambda: definition(), 1e-9, 1e3)


ANY = quotient(lambda: theorem.rayleigh(FINITE))
"""At any coefficients."""

# --- one family: D = 1, ω = T, equal coefficients -----------------------------------------------------


def _of_family(p: Point) -> Point:
    return {"T": p["T"], "omega": p["T"], "D": 1, "u": p.get("u", 1), "n_e": p["n_e"], "n_r": 0}


_GROWING = completed(output_weights("rayleigh", SCALES["ideal"]), _of_family)


FAMILY = "D = 1, ω = T, equal coefficients of unit length, the ideal network; n_e bits are zero."
_IN_FAMILY = Quantity(
    "Rayleigh quotient of Hess f, ideal network", _GROWING, r"x^\top \nabla^2 f\, x",
    lambda: theorem.growing_by_rows(), 1e-9,
    1e3,
)  # fmt: skip


def _finite(name: str, width: Choices) -> Case:
    return Case(
        f"{name},finite", left=quotient(lambda: theorem.equal(theorem.rayleigh(FINITE))), right=theorem.H_U_ONE_HOT,
        domain=FEW.replace(T=Integers(4, tested_to=400), u=width), reading="plausible",
        limitations=(LOWER, TILINGS, WIDTH, EXACT, ALL_OF_F, "Equal coefficients of unit length."),
    )  # fmt: skip


def _ideal(name: str, width: Choices) -> Case:
    return Case(
        f"{name},ideal", left=_IN_FAMILY, right=lambda: theorem.h_u_growing(),
        domain=Domain({T: Integers(4, tested_to=400), n_e: Integers(1, T - 1), u: width}), reading="certain",
        limitations=(LOWER, WIDTH, FAMILY, ALL_OF_F),
    )  # fmt: skip


printed = claim(
    label="sharpness.hessian.bound.printed",
    statement="The operator norm of the Hessian of the network's output is at most the printed H_u(ω, D, T, d), for "
    "components side by side, T ≥ 4 and coefficients of unit length.",
    role="printed",
    place=("Theorem 18", "Appendix K"),
    expected="refuted",
    rests_on=(
        "sharpness.hessian.blocks.six", "sharpness.hessian.blocks.F-F.zero", "sharpness.softmax.jacobian.printed",
        "sharpness.activations.hidden.norm", "sharpness.activations.values.largest-sparsity",
    ),
    cases=(
        _finite("steep", STEEP),
        _finite("wide", WIDE),
        _ideal("steep", STEEP),
        _ideal("wide", WIDE),
        Case(
            "no-floor",
            statement="The operator norm of the Hessian of the network's output is at most the printed H_u, for "
            "components side by side, all positive coefficients in the unit ball and T ≥ 4.",
            left=ANY, right=theorem.H_U_ONE_HOT, domain=tilings(24, Reals(0, 1, open_low=True)), reading="plausible",
            limitations=(LOWER, TILINGS, WIDTH, EXACT, "Read without a lower limit on the coefficients."),
        ),
        Case(
            "one-column",
            statement="Where F's last column alone counts as parameters, our bound on the operator norm of the Hessian "
            "of the construction's output is at most the printed H_u at every length T ≥ 4, for D ≤ T and ω ≤ T: no "
            "logit enters it.",
            left=H_ONE_COLUMN, right=theorem.H_U_ONE_HOT, reading="plausible", expected="proved",
            domain=SIZES, derivation=AGAINST_PRINTED,
            rests_on=("sharpness.hessian.bound.one-column",),
            limitations=("The left side is an upper bound on the operator norm.", WIDTH),
        ),
    ),
)  # fmt: skip

# --- F with one column ------------------------------------------------------------------------------

one_column = claim(
    label="sharpness.hessian.bound.one-column",
    statement="Where F's last column alone counts as parameters, no logit enters: for positive coefficients in the "
    "unit ball, any family of ω sets of one size D, any input off the kinks and T ≥ 4 the operator norm of the Hessian "
    "of the construction's output is at most a bound that grows like √ω and falls with T.",
    right=H_ONE_COLUMN,
    domain=SEEN,
    place=("Theorem 18", "Appendix K"),
    expected="proved",
    **whole("one-column", "one-column", SEEN, "one-column", H_ONE_COLUMN).changes,
    limitations=(OFF_KINKS,),
)


asymptotics = claim(
    label="sharpness.hessian.asymptotics",
    statement="With a projection to width d of order log T the printed bound H_u on the operator norm of the Hessian "
    "of the network's output has a stated order.",
    role="printed",
    left=theorem.H_U,
    right=sp.Symbol("K", positive=True) * sp.sqrt(T),
    domain=lambda: Domain({
        T: Integers(2), sp.Symbol("d", integer=True, positive=True): Integers(1), D: Integers(1, T),
        omega: Integers(1, T), sp.Symbol("K", positive=True): Reals(0, open_low=True),
    }),
    place=("Appendix K",),
    reading="plausible",
    expected="not testable",
    rests_on=(printed.label,),
    missing="the order that the end of the appendix states, and its constant",
)  # fmt: skip
