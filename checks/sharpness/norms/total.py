"""Theorem 10: the norm of all parameters, as printed and repaired, and the conditions that it needs."""

from __future__ import annotations

from boundaudit.checks.sharpness.norms.quantities import (
    NORM,
    ON_STEEP,
    ON_WIDE,
    ONE_BIT,
    TWO_READINGS,
    WITHOUT_BALL,
    claim,
    closed_form,
)
from boundaudit.checks.sharpness.targets import (
    POSITIVE,
    TARGETS,
    WIDE,
)
from boundaudit.derivations.sharpness import norms as theorem

_CLOSED = tuple(closed_form(block) for block in theorem.BLOCKS)
_BLOCKWISE = (*_CLOSED, "sharpness.norms.W2.upper", "sharpness.norms.V2.upper")

total_closed = claim(
    label="sharpness.norms.total.closed-form",
    statement="The squared norm of all parameters is the sum of the closed forms of the blocks, for both trapezoids.",
    left=NORM["total"],
    relation="=",
    right=theorem.total(theorem.CLOSED),
    domain=TARGETS,
    expected="proved",
    rests_on=_CLOSED,
)

total_steep = claim(
    label="sharpness.norms.total.published-steep",
    statement="With the steep trapezoid the squared norm of all parameters is at most the printed L.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=ON_STEEP,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.F.upper-steep", "sharpness.norms.Gamma.upper", "sharpness.norms.W2.upper",
              "sharpness.norms.V2.upper"),
    limitations=(TWO_READINGS,),
)  # fmt: skip

total_wide = claim(
    label="sharpness.norms.total.published-wide",
    statement="With the wide trapezoid the squared norm of all parameters is at most the printed L, for coefficients "
    "between T⁻⁴ and 1 in the unit ball.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=ON_WIDE,
    reading="plausible",
    expected="proved",
    rests_on=(*_BLOCKWISE, "sharpness.norms.F.upper-wide", "sharpness.norms.Gamma.upper"),
    limitations=(TWO_READINGS,),
    repairs=(
        "sharpness.norms.total.without-floor",
        "sharpness.norms.total.without-ball",
    ),
)

total_repaired = claim(
    label="sharpness.norms.total.repaired",
    statement="For both trapezoids the squared norm of all parameters is at most L*: the printed L with the true terms "
    "of F and Gamma. Equality at one component with coefficient one.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.REPAIRED),
    domain=TARGETS,
    kind="Tight",
    equality=({**ONE_BIT, "u": 1}, {**ONE_BIT, "u": 2}, {**ONE_BIT, "T": 6, "u": 1}),
    expected="proved",
    rests_on=_BLOCKWISE,
    repairs=("sharpness.norms.total.published-steep",),
    improves="sharpness.norms.total.published-wide",
)

total_simple = claim(
    label="sharpness.norms.total.repaired-simple",
    statement="With the steep trapezoid the squared norm of all parameters is at most the printed L with 32 D²(D+2) "
    "in place of 16 D²(D+1).",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED | {"F": theorem.F_SIMPLE}),
    domain=ON_STEEP,
    expected="proved",
    rests_on=(*_BLOCKWISE, "sharpness.norms.F.repaired", "sharpness.norms.Gamma.upper"),
)

total_without_floor = claim(
    label="sharpness.norms.total.without-floor",
    statement="With the wide trapezoid the printed L also holds for positive coefficients below T⁻⁴.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=POSITIVE.replace(u=WIDE),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.W2.printed",),
    limitations=(TWO_READINGS, "Read without a lower limit on the coefficients."),
)

total_without_ball = claim(
    label="sharpness.norms.total.without-ball",
    statement="With the wide trapezoid the printed L also holds for coefficients between T⁻⁴ and 1 whose squares sum "
    "to more than one.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=TARGETS.replace(u=WIDE, c=WITHOUT_BALL),
    expected="refuted",
    rests_on=("sharpness.norms.V2.without-ball",),
    limitations=(TWO_READINGS,),
)
