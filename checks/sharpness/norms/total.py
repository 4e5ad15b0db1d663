"""Theorem 10: the norm of all parameters, as printed and repaired."""

from __future__ import annotations

from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.norms.quantities import (
    NO_FLOOR,
    NORM,
    ON_STEEP,
    ON_WIDE,
    ONE_BIT,
    TWO_READINGS,
    exact,
    falls,
    proved,
)
from boundaudit.checks.sharpness.targets import POSITIVE, WIDE
from boundaudit.derivations.sharpness import norms as theorem

_EXACT = ("sharpness.norms.exact.printed", "sharpness.norms.F.closed-form", "sharpness.norms.Gamma.closed-form")
_BLOCKWISE = (*_EXACT, "sharpness.norms.W2.upper", "sharpness.norms.V2.printed")
_AS_PRINTED = ("sharpness.norms.exact.printed", "sharpness.norms.Gamma.printed", "sharpness.norms.V2.printed")
_L = "the printed L = 16 D²(D+1) + 8(D+1) + 1 + ω + 4 ω (D+1) log²T"

total_closed = exact(
    label="sharpness.norms.total.closed-form",
    statement="The squared norm of all parameters is the sum of the closed forms of the seven blocks, for both "
    "trapezoids.",
    left=NORM["total"],
    right=lambda: theorem.total(theorem.CLOSED),
    rests_on=_EXACT,
)

total_printed = falls(
    label="sharpness.norms.total.printed",
    statement=f"The squared norm of all parameters is at most {_L}.",
    left=NORM["total"],
    right=lambda: theorem.total(theorem.PUBLISHED),
    limitations=(TWO_READINGS,),
    cases=(
        Case(
            "steep",
            statement=f"With the steep trapezoid the squared norm of all parameters is at most {_L}, for coefficients "
            "between T⁻⁴ and 1 in the unit ball.",
            domain=ON_STEEP,
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,steep]", "sharpness.norms.W2.upper"),
        ),
        Case(
            "wide",
            statement=f"With the wide trapezoid the squared norm of all parameters is at most {_L}, for coefficients "
            "between T⁻⁴ and 1 in the unit ball.",
            domain=ON_WIDE,
            expected="proved",
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,wide]", "sharpness.norms.W2.upper"),
        ),
        Case(
            "wide,no-floor",
            statement=f"With the wide trapezoid the squared norm of all parameters is at most {_L}, for all positive "
            "coefficients in the unit ball.",
            domain=POSITIVE.replace(u=WIDE),
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,wide]", "sharpness.norms.W2.printed"),
            limitations=(TWO_READINGS, NO_FLOOR),
        ),
    ),
)

total_repaired = proved(
    label="sharpness.norms.total.repaired",
    statement="For both trapezoids and coefficients between T⁻⁴ and 1 in the unit ball the squared norm of all "
    "parameters is at most L*, the printed L with the true terms of F and Gamma. Equality for one component with "
    "coefficient one.",
    left=NORM["total"],
    right=lambda: theorem.total(theorem.REPAIRED),
    kind="Tight",
    equality=({**ONE_BIT, "u": 1}, {**ONE_BIT, "u": 2}, {**ONE_BIT, "T": 6, "u": 1}),
    rests_on=_BLOCKWISE,
    repairs=("sharpness.norms.total.printed",),
    improves="sharpness.norms.total.printed[wide]",
)
