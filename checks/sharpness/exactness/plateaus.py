"""Layer 1: how far attention moves a row off its grid point, and what the MLP's plateaus absorb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.exactness.shared import (
    ROWS,
    claim,
    column,
    leading,
    reals,
    scales,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import FIRST_LEAK, OUTSIDE, lam
from boundaudit.derivations.sharpness.parameters import D, T, even, k, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.mlp import Trapezoid


def _shift(points: Sequence[Point], device: str) -> Array:
    """S - k/D on the row of the component."""
    batch, bits = leading(points, device)
    s = network.averaged_bits(batch, bits, scales(points, device))
    grid = column(points, "k", device) / reals(points, "D", device)
    found: Array = (s - grid).cpu().numpy()
    return found


_SHIFTS = Domain({T: Integers(2, tested_to=24), **ROWS, lam: Integers(1, tested_to=6)})


def _distance(size: bool) -> Quantity:
    value = theory.AVERAGED - k / D
    if size:
        return Quantity("|s - k/D|", lambda points, device: abs(_shift(points, device)),
                        r"\left| s - \tfrac{k}{D} \right|", sp.Abs(value), scale=1.0)  # fmt: skip
    return Quantity("s - k/D", _shift, r"s - \tfrac{k}{D}", value, scale=1.0)


shift_closed = claim(
    label="sharpness.exactness.shift.closed-form",
    statement="A row whose component has k of its D bits at one averages the bits to s, off the grid point k/D by "
    "(r - k(T+1-D)/D)/(D T^λ + T+1-D), where r other bits are one.",
    left=_distance(size=False),
    relation="=",
    right=theory.SHIFT,
    domain=_SHIFTS,
    place=("Appendix B", "Equation 8"),
    expected="proved",
    rests_on=("sharpness.attention.first.member", "sharpness.attention.first.other"),
)

shift_worst = claim(
    label="sharpness.exactness.shift.worst",
    statement="The shift of a component's row is at most the mass outside the component, (T+1-D)/(D T^λ + T+1-D): "
    "attained where all bits of the component are one and no other.",
    left=_distance(size=True),
    relation="<=",
    right=FIRST_LEAK,
    domain=_SHIFTS,
    kind="Tight",
    equality=({"T": 3, "D": 1, "k": 1, "r": 0, "lambda": 2}, {"T": 5, "D": 2, "k": 2, "r": 0, "lambda": 2}),
    expected="proved",
    rests_on=("sharpness.exactness.shift.closed-form",),
)


def _margins(points: Sequence[Point], device: str) -> Array:
    """The largest |s - k/D| over all k and r, in units of 1/(4D)."""
    batch, _ = leading([{**point, "k": 0, "r": 0} for point in points], device)
    shifts = network.largest_shift(batch, scales(points, device))
    found: Array = (4 * batch.degree * shifts).cpu().numpy()
    return found


_MARGINS = Quantity(
    "largest shift over 1/(4D)", _margins, r"4D \max_{k, r} \left| s - \tfrac{k}{D} \right|", theory.IN_MARGINS,
    scale=1.0,
)  # fmt: skip
_MARGINS_AT_TWO = replace(_MARGINS, definition=theory.IN_MARGINS.subs(lam, 2))


def _lengths(least: int) -> Domain:
    return Domain({T: Integers(least, tested_to=48), D: Integers(1, T), lam: Reals(2, tested_to=6)})


plateau_every = claim(
    label="sharpness.exactness.plateau.every-length",
    statement="At every length the shift stays within 1/(4D), the half-width of the narrowest plateaus.",
    left=_MARGINS_AT_TWO,
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({T: Integers(2, tested_to=48), D: Integers(1, T)}),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.shift.worst",),
)


def _condition(name: str, least: int, share: sp.Expr, text: str) -> Claim:
    return claim(
        label=f"sharpness.exactness.plateau.{name}",
        statement=f"From T = {least} and λ = 2 on, {text} T+1-D is at most D T^λ.",
        left=(4 * D / share - 1) * OUTSIDE,
        relation="<=",
        right=D * T**lam,
        domain=_lengths(least),
        kind="Tight",
        equality=({"T": least, "D": 1, "lambda": 2},),
        expected="proved",
    )


condition_three = _condition("condition-three", 3, sp.Integer(1), "4D-1 times")
condition_four = _condition("condition-four", 4, sp.Rational(4, 5), "5D-1 times")

plateau_three = claim(
    label="sharpness.exactness.plateau.from-three",
    statement="From T = 3 on and for every λ of at least 2, the shift stays within 1/(4D); at T = 3, D = 1, λ = 2 it "
    "reaches the end of the plateau.",
    left=_MARGINS,
    relation="<=",
    right=sp.Integer(1),
    domain=_lengths(3),
    kind="Tight",
    equality=({"T": 3, "D": 1, "lambda": 2},),
    expected="proved",
    rests_on=("sharpness.exactness.plateau.condition-three", "sharpness.exactness.shift.worst"),
    repairs=("sharpness.exactness.plateau.every-length",),
)

plateau_strict = claim(
    label="sharpness.exactness.plateau.strict",
    statement="From T = 4 on the shift is at most four fifths of 1/(4D): active rows never touch the end of a plateau.",
    left=_MARGINS,
    relation="<=",
    right=sp.Rational(4, 5),
    domain=_lengths(4),
    kind="Tight",
    equality=({"T": 4, "D": 1, "lambda": 2},),
    expected="proved",
    rests_on=("sharpness.exactness.plateau.condition-four", "sharpness.exactness.shift.worst"),
)


def _active(points: Sequence[Point], device: str) -> Array:
    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        batch, bits = leading(chosen, device)
        return network.active_outputs(batch, bits, scales(chosen, device), mlp)

    return by_trapezoid(points, of)


_ACTIVE = Quantity("g(s)", _active, "g(s)", theory.ACTIVE_OUTPUT.subs(lam, 2), rounding=1e-11, scale=1.0)


def _interpolates(name: str, least: int, widths: Choices, text: str, **more: object) -> Claim:
    return claim(
        label=f"sharpness.exactness.active.{name}",
        statement=f"{text} the MLP's output on the row of a component is the even-parity indicator of its ones.",
        left=_ACTIVE,
        relation="=",
        right=even(k),
        domain=Domain({T: Integers(least, tested_to=20), **ROWS, u: widths}),
        **more,  # type: ignore[arg-type]
    )


active_three = _interpolates(
    "from-three-wide", 3, WIDE, "From T = 3 on, with the wide trapezoid,", expected="certified",
    rests_on=("sharpness.exactness.plateau.from-three", "sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
    repairs=("sharpness.exactness.active.every-length-wide",),
)  # fmt: skip
active_steep = _interpolates(
    "every-length-steep", 2, STEEP, "At every length, with the steep trapezoid,", expected="certified",
    limitations=("At T = 2, D = 1 it rests on the wider plateaus at odd grid points.",),
)  # fmt: skip
active_wide = _interpolates(
    "every-length-wide", 2, WIDE, "At every length, with the wide trapezoid,", expected="refuted",
    reading="plausible",
)  # fmt: skip
