"""Theorem 10, block by block: closed forms, bounds, and the conditions that they need."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.norms.quantities import (
    NORM,
    ON_STEEP,
    ON_WIDE,
    ONE_BIT,
    TWO_READINGS,
    WITHOUT_BALL,
    claim,
    closed_form,
    largest,
)
from boundaudit.checks.sharpness.targets import (
    FLOOR,
    PAPER,
    POSITIVE,
    TARGETS,
)
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.derivations.sharpness.parameters import D, omega, u

# --- closed forms ---------------------------------------------------------------------------------

_HOW = {
    "W1": "every component writes 2 log T at its D positions",
    "V1": "a single entry one",
    "M": "its last row is one in all 4(D+1) columns",
    "Gamma": "the breakpoints of all D+1 quadruples",
    "F": "four entries ±4D/u for each even grid point",
    "W2": "log c_t + 2 log T for each component",
    "V2": "the sum of the coefficients, once",
}


def _closed(block: str) -> Claim:
    return claim(
        label=closed_form(block),
        statement=f"The squared norm of {block} in closed form, for both trapezoids: {_HOW[block]}.",
        left=NORM[block],
        relation="=",
        right=theorem.CLOSED[block],
        domain=TARGETS,
        reading="certain" if block in ("V1", "M", "W1", "W2", "V2") else "derived here",
        expected="proved",
    )


closed_forms = tuple(_closed(block) for block in theorem.BLOCKS)


# --- F --------------------------------------------------------------------------------------------


def _f_exact(name: str, domain: Domain) -> Claim:
    return claim(
        label=f"sharpness.norms.F.exact-{name}",
        statement=f"With the {name} trapezoid the squared norm of F is exactly 16 D²(D+1).",
        left=NORM["F"],
        relation="=",
        right=theorem.PUBLISHED["F"],
        domain=domain,
        reading="plausible",
        expected="refuted",
        limitations=(TWO_READINGS,),
    )


f_exact = (_f_exact("steep", ON_STEEP), _f_exact("wide", ON_WIDE))

f_upper_steep = claim(
    label="sharpness.norms.F.upper-steep",
    statement="With the steep trapezoid the squared norm of F is at most 16 D²(D+1).",
    left=NORM["F"],
    relation="<=",
    right=theorem.PUBLISHED["F"],
    domain=ON_STEEP,
    reading="plausible",
    expected="refuted",
    limitations=(TWO_READINGS,),
)

f_upper_wide = claim(
    label="sharpness.norms.F.upper-wide",
    statement="With the wide trapezoid the squared norm of F is at most 16 D²(D+1).",
    left=NORM["F"],
    relation="<=",
    right=theorem.PUBLISHED["F"],
    domain=ON_WIDE,
    reading="plausible",
    expected="proved",
    rests_on=(closed_form("F"),),
    repairs=("sharpness.norms.F.exact-wide",),
    limitations=(TWO_READINGS,),
)

f_repaired = claim(
    label="sharpness.norms.F.repaired",
    statement="With the steep trapezoid the squared norm of F is at most 32 D²(D+2), with equality for even D.",
    left=NORM["F"],
    relation="<=",
    right=theorem.F_SIMPLE,
    domain=ON_STEEP,
    kind="Tight",
    equality=({**ONE_BIT, "D": 2, "S": ((1, 2),), "u": 1},),
    expected="proved",
    rests_on=(closed_form("F"),),
    repairs=("sharpness.norms.F.exact-steep", "sharpness.norms.F.upper-steep"),
)

f_largest = claim(
    label="sharpness.norms.F.largest-entry",
    statement="The largest entry of F is 4D/u: 4D for the steep trapezoid, 2D for the wide one.",
    left=Quantity("largest entry of F", largest("F"), r"\max |F|", theorem.LARGEST_F_ENTRY),
    relation="=",
    right=theorem.LARGEST_F,
    domain=TARGETS,
    expected="proved",
    repairs=("sharpness.norms.F.largest-entry-wide",),
)

f_largest_wide = claim(
    label="sharpness.norms.F.largest-entry-wide",
    statement="With the wide trapezoid the largest entry of F is 4D.",
    left=f_largest.left,
    relation="=",
    right=4 * D,
    domain=ON_WIDE,
    reading="plausible",
    expected="refuted",
    limitations=(TWO_READINGS,),
)

_WIDTHS = Domain({D: Integers(1, tested_to=64), u: Reals(0, 1, open_low=True)})

f_incompatible = claim(
    label="sharpness.norms.F.entry-against-norm",
    statement="A trapezoid of any flank width whose largest entry reaches 4D has a squared norm of F of at least "
    "32 D²(D+1): twice the printed total, so no trapezoid has both.",
    left=theorem.CLOSED["F"],
    relation=">=",
    right=32 * D**2 * (D + 1),
    domain=_WIDTHS,
    kind="Tight",
    equality=({"D": 1, "u": 1},),
    expected="proved",
)

f_budgets = claim(
    label="sharpness.norms.F.two-budgets",
    statement="For every flank width the squared norm of F misses the norm budget 16 D²(D+1) or the gradient budget "
    "64 D²(D+1) by at least 24 D²(D+1): no single trapezoid makes both tight.",
    left=sp.Max(sp.Abs(theorem.CLOSED["F"] - 16 * D**2 * (D + 1)), sp.Abs(theorem.CLOSED["F"] - 64 * D**2 * (D + 1))),
    relation=">=",
    right=24 * D**2 * (D + 1),
    domain=Domain({D: Integers(1, tested_to=64), u: Reals(0, open_low=True, tested_to=8)}),
    expected="certified",
    paper=PAPER,
    place=("Theorem 10", "Theorem 14"),
)


# --- Gamma ----------------------------------------------------------------------------------------

_LARGEST_GAMMA = Quantity("largest entry of Gamma", largest("Gamma"), r"\max |\Gamma|", theorem.LARGEST_GAMMA_ENTRY)

gamma_entries = claim(
    label="sharpness.norms.Gamma.entries",
    statement="Every entry of Gamma is at most one in absolute value.",
    left=_LARGEST_GAMMA,
    relation="<=",
    right=sp.Integer(1),
    domain=TARGETS,
    reading="certain",
    expected="refuted",
)

gamma_largest = claim(
    label="sharpness.norms.Gamma.largest-entry",
    statement="The largest entry of Gamma is 1 + (1+u)/(4D).",
    left=_LARGEST_GAMMA,
    relation="=",
    right=theorem.LARGEST_GAMMA,
    domain=TARGETS,
    expected="proved",
    repairs=("sharpness.norms.Gamma.entries",),
)

gamma_upper = claim(
    label="sharpness.norms.Gamma.upper",
    statement="The squared norm of Gamma is at most 4(D+1), though its entries exceed one.",
    left=NORM["Gamma"],
    relation="<=",
    right=theorem.PUBLISHED["Gamma"],
    domain=TARGETS,
    reading="certain",
    expected="proved",
    rests_on=(closed_form("Gamma"),),
)


# --- W2 and V2: conditions ------------------------------------------------------------------------

w2_printed = claim(
    label="sharpness.norms.W2.printed",
    statement="The squared norm of W2 is at most 4 ω log²T for all positive coefficients in the unit ball.",
    left=NORM["W2"],
    relation="<=",
    right=theorem.PUBLISHED["W2"],
    domain=POSITIVE,
    reading="plausible",
    expected="refuted",
    limitations=("Read without a lower limit on the coefficients.",),
)

w2_upper = claim(
    label="sharpness.norms.W2.upper",
    statement="The squared norm of W2 is at most 4 ω log²T where every coefficient lies between T⁻⁴ and 1.",
    left=NORM["W2"],
    relation="<=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS,
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    reading="certain",
    expected="proved",
    repairs=("sharpness.norms.W2.printed",),
)

w2_floor = claim(
    label="sharpness.norms.W2.floor-needed",
    statement="Where every coefficient is at most T⁻⁴ the squared norm of W2 is at least 4 ω log²T: the floor is "
    "needed.",
    left=NORM["W2"],
    relation=">=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS.replace(c=Vector(omega, Reals(0, FLOOR, open_low=True))),
    expected="proved",
)

w2_ceiling = claim(
    label="sharpness.norms.W2.ceiling-needed",
    statement="Where every coefficient is at least one the squared norm of W2 is at least 4 ω log²T: the ceiling "
    "is needed.",
    left=NORM["W2"],
    relation=">=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS.replace(c=Vector(omega, Reals(1, tested_to=16.0))),
    expected="proved",
)

v2_upper = claim(
    label="sharpness.norms.V2.upper",
    statement="The squared norm of V2 is at most ω where the squares of the coefficients sum to at most one.",
    left=NORM["V2"],
    relation="<=",
    right=theorem.PUBLISHED["V2"],
    domain=TARGETS,
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    reading="certain",
    expected="proved",
    repairs=("sharpness.norms.V2.without-ball",),
)

v2_without_ball = claim(
    label="sharpness.norms.V2.without-ball",
    statement="The squared norm of V2 is at most ω for all coefficients between T⁻⁴ and 1, without a bound on "
    "their squares.",
    left=NORM["V2"],
    relation="<=",
    right=theorem.PUBLISHED["V2"],
    domain=TARGETS.replace(c=WITHOUT_BALL),
    expected="refuted",
)
