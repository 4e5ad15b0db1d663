"""The MLP's outputs at averages of bits, as its definition gives them: on a component's row, and on any other."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.sharpness.exactness.errors import ROWS, claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness import mlp
from boundaudit.derivations.sharpness.attention import FIRST_TOTAL, OUTSIDE, lam
from boundaudit.derivations.sharpness.exactness import f, g
from boundaudit.derivations.sharpness.mlp import y_m
from boundaudit.derivations.sharpness.parameters import D, T, even, i, k, u, v

_LABEL = "sharpness.exactness.outputs"
_QUARTER = sp.Rational(1, 4)
_DEGREES: dict[sp.Symbol, Range] = {D: Integers(1, tested_to=32)}
_ANYWHERE = Domain({**_DEGREES, u: BOTH, y_m: Reals(tested_to=16)})
_SAMPLES = {"D = 3": {"D": 3, "u": 1, "y_m": 2}}

plateau = claim(
    label=f"{_LABEL}.plateau",
    statement="Within 1/4 of the grid point k, in units of the grid, the trapezoids of even grid points add up to one "
    "for even and to zero for odd k.",
    left=lambda: mlp.wave(k + v),
    relation="=",
    right=even(k),
    domain=Domain({**_DEGREES, k: Integers(0, D), u: BOTH, v: Reals(-_QUARTER, _QUARTER)}),
    expected="proved",
)

fall = claim(
    label=f"{_LABEL}.fall",
    statement="A trapezoid at y is at most what ψ(y) = min(1, max(0, 3/2 - 2y)) exceeds ψ(y+2) by.",
    left=mlp.trapezoid(y_m),
    right=mlp.fallen(y_m),
    domain=Domain({u: BOTH, y_m: Reals(tested_to=4)}),
    expected="proved",
)

telescope = claim(
    label=f"{_LABEL}.telescope",
    statement="Over even grid points i the differences ψ(y-i) - ψ(y-i+2), ψ(z) = min(1, max(0, 3/2 - 2z)), telescope.",
    left=mlp.FALLEN,
    relation="=",
    right=mlp.TELESCOPED,
    domain=Domain({**_DEGREES, y_m: Reals(tested_to=16)}),
    expected="proved",
)

below_one = claim(
    label=f"{_LABEL}.below-one",
    statement="The trapezoids of even grid points add up to at most one, wherever on the line.",
    left=lambda: mlp.wave(y_m),
    right=1,
    domain=_ANYWHERE,
    expected="proved",
    derivation=proof(
        f"{_LABEL}.below-one", "Trapezoids side by side", _ANYWHERE,
        Step(mlp.wave(y_m), "trapezoids"),
        Step(mlp.FALLEN, "each by a difference", "",
             Instance(fall.label, {y_m: y_m - i}, over=(i, 0, D), weight=even(i))),
        Step(mlp.TELESCOPED, "telescoped", "", telescope.label),
        Step(sp.S.One, "one", "0 ≤ ψ ≤ 1"),
        samples=_SAMPLES,
    ),
)  # fmt: skip

above_zero = claim(
    label=f"{_LABEL}.above-zero",
    statement="The trapezoids of even grid points are nowhere negative.",
    left=sp.S.Zero,
    right=lambda: mlp.wave(y_m),
    domain=_ANYWHERE,
    expected="proved",
)

_FROM_THREE = Domain({T: Integers(3, tested_to=16), **ROWS, u: BOTH})
NORMALISER = "sharpness.activations.normaliser"
_CONDITION = "sharpness.exactness.plateau.condition[three]"

_ABOVE = {"T=6, D=2, a one outside": {"T": 6, "D": 2, "k": 0, "r": 1, "u": 1}}
_BELOW = {"T=6, D=2, two ones inside": {"T": 6, "D": 2, "k": 2, "r": 0, "u": 1}}
_TOTAL = FIRST_TOTAL.subs(lam, 2)


def _offset(way: str, sign: int, most: sp.Expr) -> Case:
    return Case(
        way, left=sign * theory.offset(),
        derivation=proof(
            f"{_LABEL}.offset.{way}", f"The offset of an active row, {way}", _FROM_THREE,
            Step(sign * theory.offset(), "D (s - k/D)" if sign > 0 else "D (k/D - s)"),
            Step(D * most / _TOTAL, "the worst input", "0 ≤ k ≤ D, 0 ≤ r ≤ T-D", NORMALISER),
            Step(_QUARTER, "1/4", "", (NORMALISER, Instance(_CONDITION, {lam: 2}))),
            samples=_ABOVE if sign > 0 else _BELOW,
        ),
    )  # fmt: skip


offset = claim(
    label=f"{_LABEL}.offset",
    statement="From T = 3 on a row whose component holds k ones lies within 1/4 of the grid point k, in units of the "
    "grid, from above and from below.",
    right=_QUARTER,
    domain=_FROM_THREE,
    expected="proved",
    cases=(_offset("above", 1, T - D), _offset("below", -1, OUTSIDE)),
)

active = claim(
    label=f"{_LABEL}.active",
    statement="From T = 3 on the MLP makes of a row whose component holds k ones and whose other positions hold r the "
    "even-parity indicator of k, at every length.",
    left=theory.active_output,
    relation="=",
    right=even(k),
    domain=_FROM_THREE,
    expected="proved",
    derivation=proof(
        f"{_LABEL}.active", "An active row", _FROM_THREE,
        Step(theory.active_output(), "g(s)"),
        Step(even(k), "on its plateau", "|s - k/D| ≤ 1/(4D)", (
            NORMALISER, f"{offset.label}[above]", f"{offset.label}[below]",
            Instance(plateau.label, {v: theory.offset()}),
        )),
        samples=_BELOW,
    ),
)  # fmt: skip

apart = claim(
    label=f"{_LABEL}.apart",
    statement="Two numbers from 0 to 1 differ by at most one; squares of both sides.",
    left=(g - f) ** 2,
    right=1,
    domain=Domain({f: Reals(0, 1), g: Reals(0, 1)}),
    expected="proved",
)
