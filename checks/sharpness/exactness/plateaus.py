"""Layer 1: how far attention moves a row off its grid point, and what the MLP's plateaus absorb."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.exactness.errors import ROWS, claim, leading
from boundaudit.checks.sharpness.targets import STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import FIRST_LEAK, OUTSIDE, lam
from boundaudit.derivations.sharpness.parameters import D, T, even, k, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.mlp import Trapezoid


def _shift(at: Columns) -> Tensor:
    """S - k/D on the row of the component."""
    return network.averaged_bits(*leading(at), scales(at)) - at.real("k") / at.real("D")


_SHIFTS = Domain({T: Integers(2, tested_to=24), **ROWS, lam: Integers(1, tested_to=6)})

shift_closed = claim(
    label="sharpness.exactness.shift.closed-form",
    statement="A row of layer 1 whose component has k of its D bits at one averages the bits to s, off the grid point "
    "k/D by (r - k(T+1-D)/D)/(D T^λ + T+1-D), where r other bits are one.",
    left=Quantity("s - k/D", measured(_shift), r"s - \tfrac{k}{D}", lambda: theory.AVERAGED - k / D, scale=1.0),
    relation="=",
    right=theory.SHIFT,
    domain=_SHIFTS,
    expected="proved",
    rests_on=("sharpness.attention.first.weights[member]", "sharpness.attention.first.weights[other]"),
)

shift_worst = claim(
    label="sharpness.exactness.shift.worst",
    statement="The shift |s - k/D| of the average s in a row of layer 1 whose component has k of its D bits at one is "
    "at most the mass outside the component, (T+1-D)/(D T^λ + T+1-D): attained where all bits of the component are one "
    "and no other.",
    left=Quantity("|s - k/D|", measured(lambda at: _shift(at).abs()), r"\left| s - \tfrac{k}{D} \right|",
                  lambda: sp.Abs(theory.AVERAGED - k / D), scale=1.0),
    relation="<=",
    right=FIRST_LEAK,
    domain=_SHIFTS,
    kind="Tight",
    equality=({"T": 3, "D": 1, "k": 1, "r": 0, "lambda": 2}, {"T": 5, "D": 2, "k": 2, "r": 0, "lambda": 2}),
    expected="proved",
    rests_on=("sharpness.exactness.shift.closed-form",),
)  # fmt: skip


@measured
def _margins(at: Columns) -> Tensor:
    """The largest |s - k/D| over all k and r, in units of 1/(4D)."""
    batch = network.leading(at.whole("T"), at.whole("D"), at.real("C", 1))
    return 4 * batch.degree * network.largest_shift(batch, scales(at))


def _largest(scale: sp.Expr) -> Quantity:
    return Quantity(
        "largest shift over 1/(4D)", _margins, r"4D \max_{k, r} \left| s - \tfrac{k}{D} \right|",
        lambda: theory.in_margins(scale), scale=1.0,
    )  # fmt: skip


def _from(length: int, **more: object) -> dict[str, object]:
    """From a length on, for every λ of at least 2, and the point at which equality holds."""
    domain = Domain({T: Integers(length, tested_to=48), D: Integers(1, T), lam: Reals(2, tested_to=6)})
    return {"domain": domain, "kind": "Tight", "equality": ({"T": length, "D": 1, "lambda": 2},), **more}


condition = claim(
    label="sharpness.exactness.plateau.condition",
    statement="From T = 3 on, for D ≤ T and every λ of at least 2, (4D-1)(T+1-D) is at most D T^λ, and from T = 4 on "
    "even (5D-1)(T+1-D) is.",
    right=D * T**lam,
    cases=(
        Case("three", left=(4 * D - 1) * OUTSIDE, **_from(3)),
        Case("four", left=(5 * D - 1) * OUTSIDE, **_from(4)),
    ),
    expected="proved",
)

_SHIFT_IS_WORST = "sharpness.exactness.shift.worst"

margin = claim(
    label="sharpness.exactness.plateau.margin",
    statement="From T = 3 on, for D ≤ T and every λ of at least 2, no input shifts the average of a row of layer 1 "
    "that has a component by more than 1/(4D), the half-width of the MLP's narrowest plateaus, and from T = 4 on by "
    "more than four fifths of it: such rows never touch the end of a plateau.",
    left=_largest(lam),
    cases=(
        Case("three", right=sp.Integer(1),
             **_from(3, rests_on=(_SHIFT_IS_WORST, "sharpness.exactness.plateau.condition[three]"))),
        Case("four", right=sp.Rational(4, 5),
             **_from(4, rests_on=(_SHIFT_IS_WORST, "sharpness.exactness.plateau.condition[four]"))),
    ),
    expected="proved",
)  # fmt: skip


@by_trapezoid
def _active(at: Columns, mlp: Trapezoid) -> Tensor:
    return network.active_outputs(*leading(at), scales(at), mlp)


_STORED = Quantity("g(s)", _active, "g(s)", theory.active_output, rounding=1e-11, scale=1.0)

active = claim(
    label="sharpness.exactness.active",
    statement="After the MLP each row that has a component stores the even-parity indicator of the component's ones, "
    "at every input: for 2 ≤ T ≤ 10 with the steep trapezoid and for 3 ≤ T ≤ 10 with the wide one, D ≤ T.",
    left=_STORED,
    relation="=",
    right=even(k),
    cases=(
        Case(
            "steep",
            domain=Domain({T: Integers(2, 10), **ROWS, u: STEEP}),
            limitations=("At T = 2, D = 1 it rests on the wider plateaus at odd grid points.",),
        ),
        Case("wide", domain=Domain({T: Integers(3, 10), **ROWS, u: WIDE})),
    ),
    role="printed",
    reading="plausible",
    expected="certified",
    rests_on=("sharpness.exactness.plateau.margin", "sharpness.mlp.plateaus", "sharpness.mlp.interpolation"),
    limitations=("At longer inputs it follows from the margin of the shift and the MLP's plateaus, both proved.",),
)
