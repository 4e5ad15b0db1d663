"""Theorem 10, block by block: what is printed, the true values, and the conditions that the bounds need."""

from __future__ import annotations

from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.norms.quantities import (
    NO_FLOOR,
    NORM,
    ON_STEEP,
    ON_WIDE,
    ONE_BIT,
    TWO_READINGS,
    claim,
    exact,
    falls,
    proved,
    stands,
)
from boundaudit.checks.sharpness.targets import POSITIVE
from boundaudit.derivations.sharpness import norms as theorem

# --- W1, V1 and M ---------------------------------------------------------------------------------


def _exact(block: str, statement: str) -> Case:
    return Case(block, statement=statement, left=NORM[block], right=theorem.CLOSED[block])


exact_printed = stands(
    label="sharpness.norms.exact.printed",
    statement="The squared norms of W1, V1 and M are 4 ω D log²T, one and 4(D+1), for both trapezoids.",
    relation="=",
    cases=(
        _exact("W1", "The squared norm of W1 is 4 ω D log²T: ω components write 2 log T at D positions each."),
        _exact("V1", "The squared norm of V1 is one: it has a single entry, one."),
        _exact("M", "The squared norm of M is 4(D+1): its last row is one in all 4(D+1) columns."),
    ),
)


# --- F --------------------------------------------------------------------------------------------

_F_UPPER = "With the {} trapezoid the squared norm of F is at most 16 D²(D+1)."
_F_EXACT = "With the {} trapezoid the squared norm of F is exactly 16 D²(D+1)."

f_printed = falls(
    label="sharpness.norms.F.printed",
    statement="The squared norm of F is exactly 16 D²(D+1); the bound on all parameters needs it as an upper bound.",
    left=NORM["F"],
    relation="=",
    right=theorem.PUBLISHED["F"],
    limitations=(TWO_READINGS,),
    cases=(
        Case("exact,steep", statement=_F_EXACT.format("steep"), domain=ON_STEEP),
        Case("exact,wide", statement=_F_EXACT.format("wide"), domain=ON_WIDE),
        Case("upper,steep", statement=_F_UPPER.format("steep"), domain=ON_STEEP, relation="<=", kind="Upper"),
        Case("upper,wide", statement=_F_UPPER.format("wide"), domain=ON_WIDE, relation="<=", kind="Upper",
             expected="proved", rests_on=("sharpness.norms.F.closed-form",)),
    ),
)  # fmt: skip

f_closed = exact(
    label="sharpness.norms.F.closed-form",
    statement="The squared norm of F is 64 D²(⌊D/2⌋+1)/u², u = 1 (steep) or 2 (wide): it has four entries ±4D/u for "
    "each even grid point.",
    left=NORM["F"],
    right=theorem.CLOSED["F"],
    repairs=("sharpness.norms.F.printed[exact,steep]", "sharpness.norms.F.printed[exact,wide]"),
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
    rests_on=("sharpness.norms.F.closed-form",),
    repairs=("sharpness.norms.F.printed[exact,steep]", "sharpness.norms.F.printed[upper,steep]"),
)


# --- Gamma ----------------------------------------------------------------------------------------


gamma_closed = exact(
    label="sharpness.norms.Gamma.closed-form",
    statement="The squared norm of Gamma is (D+1) ((8D+4)/(6D) + (1+(1+u)²)/(8D²)), u = 1 (steep) or 2 (wide): its "
    "entries are the breakpoints of all D+1 quadruples of units.",
    left=NORM["Gamma"],
    right=theorem.CLOSED["Gamma"],
)

gamma_printed = stands(
    label="sharpness.norms.Gamma.printed",
    statement="The squared norm of Gamma is at most 4(D+1), for both trapezoids.",
    left=NORM["Gamma"],
    right=theorem.PUBLISHED["Gamma"],
    rests_on=("sharpness.norms.Gamma.closed-form",),
    limitations=("It stands although entries exceed one in absolute value.",),
)


# --- W2 and V2: conditions ------------------------------------------------------------------------

w2_printed = falls(
    label="sharpness.norms.W2.printed",
    statement="The squared norm of W2 is at most 4 ω log²T for all positive coefficients in the unit ball. As W2 has "
    "rank one, the same is printed of its operator norm and of its product with the output position's row.",
    left=NORM["W2"],
    right=theorem.PUBLISHED["W2"],
    domain=POSITIVE,
    place=("Theorem 10", "Theorem 11"),
    limitations=(NO_FLOOR,),
)

w2_upper = proved(
    label="sharpness.norms.W2.upper",
    statement="The squared norm of W2 is at most 4 ω log²T where every coefficient lies between T⁻⁴ and 1.",
    left=NORM["W2"],
    right=theorem.PUBLISHED["W2"],
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    place=("Theorem 10", "Theorem 11"),
    reading="certain",
    repairs=("sharpness.norms.W2.printed",),
)

v2_printed = stands(
    label="sharpness.norms.V2.printed",
    statement="The squared norm of V2 is C², C the sum of the ω coefficients, and at most ω where their squares sum to "
    "at most one.",
    left=NORM["V2"],
    right=theorem.PUBLISHED["V2"],
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
)
