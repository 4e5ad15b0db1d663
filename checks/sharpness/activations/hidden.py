"""Theorem 11: the hidden units of the MLP, and the weights' operator norms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.stream import (
    COUNTS,
    FULL_INPUT,
    HALF_INPUT,
    NORMALISER,
    ONE_COMPONENT,
    SQUARED,
    UNIT,
    claim,
)
from boundaudit.checks.sharpness.norms import NORM
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TARGETS, by_trapezoid, of_targets
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.averages import e_av, s_av, x_av
from boundaudit.derivations.sharpness.norms import CLOSED
from boundaudit.derivations.sharpness.parameters import D, T, c, i, omega, u
from boundaudit.numeric.sharpness.activations import operator_norms, sizes
from boundaudit.numeric.sharpness.attention import leading, leading_bits
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units
from boundaudit.numeric.sharpness.row_sums import Rows, rows, squared_length
from boundaudit.numeric.sharpness.target import TargetBatch

hidden_printed = claim(
    label="sharpness.activations.hidden.largest", role="printed", reading="plausible", expected="refuted",
    statement="Every hidden unit is at most one.",
    left=UNIT, right=sp.Integer(1), domain=COUNTS,
    limitations=(ONE_COMPONENT, "The text uses hidden units as if they were bounded by the entries of their input."),
)  # fmt: skip


hidden_sharp = claim(
    label="sharpness.activations.hidden.largest-sharp", kind="Tight", expected="proved",
    statement="Every hidden unit is at most 1 + (1+u)/(4D) - 1/(D T² + T+1-D), u = 1 (steep) or 2 (wide), with "
    "equality where all bits are one.",
    left=UNIT, right=theorem.UNIT_SHARP, domain=COUNTS, equality=(FULL_INPUT,), rests_on=(NORMALISER,),
    repairs=("sharpness.activations.hidden.largest",), limitations=(ONE_COMPONENT,),
)  # fmt: skip

# --- a row's hidden units in length ---------------------------------------------------------------

_SIZES: dict[Any, Range] = {D: Integers(1, tested_to=24), u: BOTH}
_DEGREES = Domain(_SIZES)
_AVERAGE = Domain({**_SIZES, s_av: Reals(0, 1)})


def _squared(name: str, latex: str, high: str, low: str | None = None, definition: Any = None) -> Quantity:
    """|h(high) - h(low)|², or |h(high)|²: the hidden units at averages of bits that points give, or at 0 and 1."""
    ends = {"zero": 0.0, "one": 1.0}

    def hidden(at: Columns, found: Units, which: str) -> Tensor:
        s = at.real(which, ends.get(which))
        return torch.where(found.real, (s[:, None] + found.bias).relu(), 0.0)

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        found = units(at.whole("D"), mlp)
        h = hidden(at, found, high)
        return (h if low is None else h - hidden(at, found, low)).square().sum(-1)

    return Quantity(name, by_trapezoid(of), latex, definition, rounding=1e-11, scale=1.0)


_LENGTH = _squared(
    "squared length of the hidden units", r"\|h(s)\|^2", "s_av", None, lambda: theorem.length_by_units(s_av)
)
_AT_ONE = _squared("their squared length at one", r"\|h(1)\|^2", "one", None, theorem.length_by_units)
_WHOLE = _squared("that from zero to one", r"\|h(1) - h(0)\|^2", "one", "zero", theorem.spread_by_units)

length_closed = claim(
    label="sharpness.activations.hidden.length.closed-form", relation="=", expected="proved",
    statement="Where a row averages its bits to one, the squared length of its hidden units is "
    "(2D+1) (2(D+1)/(3D) + 5u/(16D²)), u = 1 (steep) or 2 (wide).",
    left=_AT_ONE, right=theorem.LENGTH, domain=_DEGREES,
)  # fmt: skip

spread_closed = claim(
    label="sharpness.activations.hidden.spread.closed-form", relation="=", expected="proved",
    statement="Between rows that average their bits to zero and to one, the squared distance of the hidden units is "
    "2(D+1)(2D+1)/(3D) - (8-u)/(8D), u = 1 (steep) or 2 (wide).",
    left=_WHOLE, right=theorem.SPREAD, domain=_DEGREES,
)  # fmt: skip


_LESS = {e_av: 4 * D * (1 - s_av)}
_EVERY_GRID_POINT = (
    Instance("sharpness.averages.less.four", {x_av: 4 * i, **_LESS}, over=(i, 1, D), weight=1 / (4 * D) ** 2),
    Instance("sharpness.averages.less.four", {x_av: 0, **_LESS}),
)
"""Four units each, counted from the last."""

length = claim(
    label="sharpness.activations.hidden.length", kind="Tight", expected="proved",
    statement="The squared length of the hidden units of a row that averages bits is at most (2D+1) (2(D+1)/(3D) + "
    "5u/(16D²)), u = 1 (steep) or 2 (wide). Equality where the average is one.",
    left=_LENGTH, right=theorem.LENGTH, domain=_AVERAGE, equality=({"D": 1, "u": 1, "s_av": 1},),
    derivation=Derivation(
        label="sharpness.activations.hidden.length.steps",
        title="The length of a row's hidden units",
        steps=(
            Step(_LENGTH, "|h(s)|²"),
            Step(_AT_ONE, "|h(1)|²", "every unit rises with s", _EVERY_GRID_POINT),
            Step(theorem.LENGTH, "closed form", "summed", length_closed.label),
        ),
        domain=_AVERAGE,
        samples={"D = 2, s = 1/2": {"D": 2, "u": 1, "s_av": "1/2"}},
        paper=PAPER,
        place=("Theorem 11",),
    ),
    improves="sharpness.activations.hidden.norm",
)  # fmt: skip

length_simple = claim(
    label="sharpness.activations.hidden.length.simple", expected="proved",
    statement="(2D+1) (2(D+1)/(3D) + 5u/(16D²)), the largest squared length of a row's hidden units, is at "
    "most 4(D+1), u = 1 or 2.",
    left=theorem.LENGTH, right=4 * (D + 1), domain=_DEGREES,
)  # fmt: skip


def _of_inputs(of: Callable[[Rows], Tensor]) -> Measure:
    """A number of the rows of one component's pass."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        counts = length, degree, *_ = [at.whole(name) for name in "TDkr"]
        return of(rows(leading(length, degree, at.real("C", 1)), leading_bits(*counts), mlp=mlp))

    return by_trapezoid(measure)


def _longest(r: Rows) -> Tensor:
    """The average of bits in the row of the longest hidden units."""
    return r.s.gather(-1, squared_length(r.hidden).where(r.real, -1.0).argmax(-1, keepdim=True))


_SEEN = Family(
    "average of bits in the row of the longest hidden units",
    lambda points, device: _of_inputs(lambda r: _longest(r)[:, 0])(points, device)[:, None],
    "s^*", 1, Reals(0, 1),
)[1]  # fmt: skip
_LONGEST = Quantity(
    "largest squared length of a row's hidden units",
    _of_inputs(lambda r: squared_length(r.hidden).where(r.real, 0.0).amax(-1)),
    r"\max_t \|h_t\|^2", rounding=1e-11, scale=1.0,
)  # fmt: skip

row_by_row = claim(
    label="sharpness.activations.hidden.row-by-row", role="axiom", relation="=", expected="supported",
    statement="The longest of the rows' hidden units are those of the average of bits that their row sees, which lies "
    "between zero and one.",
    left=_LONGEST, right=theorem.length_by_units(_SEEN), domain=COUNTS,
)  # fmt: skip

units_printed = claim(
    label="sharpness.activations.hidden.norm", role="printed", reading="plausible", expected="proved",
    statement="The norm of each row's 4(D+1) hidden units is at most 2 √(D+1), though single units exceed one.",
    left=_LONGEST, right=theorem.UNITS_PUBLISHED**2, domain=COUNTS, limitations=(SQUARED, ONE_COMPONENT),
    derivation=Derivation(
        label="sharpness.activations.hidden.norm.steps",
        title="The longest of the rows' hidden units",
        steps=(
            Step(_LONGEST, "the longest |h|²"),
            Step(theorem.length_by_units(_SEEN), "|h(s)|²", "in its row", row_by_row.label),
            Step(theorem.LENGTH, "|h(1)|²", "rows average bits", Instance(length.label, {s_av: _SEEN})),
            Step(theorem.UNITS_PUBLISHED**2, "4(D+1)", "", length_simple.label),
        ),
        domain=COUNTS,
        samples={"T=4, D=2": HALF_INPUT},
        paper=PAPER,
        place=("Theorem 11",),
    ),
)  # fmt: skip

proofs = tuple(stated.derivation for stated in (length, units_printed))


# --- operator norms of the attention weights and their products with tokens -----------------------

_ANY_WIDTH = TARGETS.replace(u=STEEP, T=Integers(2, tested_to=12))
"""Attention weights do not depend on the trapezoid."""


def _operator(name: str, block: str, latex: str, definition: sp.Expr | None = None, power: int = 1) -> Quantity:
    measure = of_targets(lambda batch, _: operator_norms(batch)[block] ** power)
    return Quantity(name, measure, latex, definition)


def _largest(batch: TargetBatch, name: str) -> Tensor:
    """A product with tokens or stream rows, the largest over the zero, the full and an alternating input."""
    position = torch.arange(batch.max_length, device=batch.device)
    patterns = torch.stack([position < 0, position >= 0, position % 2 == 0])
    return sizes(batch, patterns & batch.real_positions[:, None])[name].amax(-1)


v1_operator = claim(
    label="sharpness.activations.V1.operator", relation="=", role="printed", reading="certain", expected="proved",
    statement="V1 has operator norm one.",
    left=_operator("operator norm of V1", "V1", r"\|V_1\|_{op}", sp.Integer(1)), right=sp.Integer(1), domain=_ANY_WIDTH,
)  # fmt: skip

_W1_DOMAIN = Domain(
    {T: Integers(3, tested_to=12), D: Integers(1, T - 1), omega: Integers(2, T)}
    | {c: Vector(omega, Reals(0, open_low=True)), sp.Symbol("S"): Subsets(omega, D, T)}
)
_W1_NORM = _operator("squared operator norm of W1", "W1", r"\|W_1\|_{op}^2", power=2)

w1_frobenius = claim(
    label="sharpness.activations.W1.frobenius", role="axiom", expected="supported",
    statement="The operator norm of W1, as of any matrix, is at most its Frobenius norm.",
    left=_W1_NORM, right=NORM["W1"], domain=_W1_DOMAIN, limitations=(SQUARED,),
)  # fmt: skip

w1_operator = claim(
    label="sharpness.activations.W1.operator", role="printed", reading="plausible", expected="proved",
    statement="The operator norm of W1 is at most 2 √(ωD) log T, its Frobenius norm.",
    left=_W1_NORM, right=CLOSED["W1"], domain=_W1_DOMAIN,
    limitations=(SQUARED, "Stated for two components or more; with one, both norms are the same."),
    derivation=proof(
        "sharpness.activations.W1.operator",
        "The operator norm of W1",
        _W1_DOMAIN,
        Step(_W1_NORM, "squared operator norm"),
        Step(NORM["W1"], "squared Frobenius norm", "largest singular value", w1_frobenius.label),
        Step(CLOSED["W1"], "4 ω D log²T", "entry by entry"),
        samples={"T=4, D=2, ω=2": {"T": 4, "D": 2, "omega": 2, "c": (0.6, 0.8), "S": ((1, 2), (2, 4))}},
    ),
)  # fmt: skip

w2_rank = claim(
    label="sharpness.activations.W2.rank-one", relation="=", role="printed", reading="certain", expected="proved",
    statement="W2 has rank one, so that its operator norm and the norm of its product with the output position's row "
    "both equal its Frobenius norm.",
    right=theorem.W2_BY_ENTRIES, domain=_ANY_WIDTH,
    cases=(
        Case(
            "operator",
            statement="W2 has at most rank one, and its squared operator norm is its squared Frobenius norm Σ (log c_t "
            "+ 2 log T)².",
            left=_operator("squared operator norm of W2", "W2", r"\|W_2\|_{op}^2", theorem.W2_BY_ENTRIES, 2),
        ),
        Case(
            "output",
            statement="At every input W2 maps the output position's row to a vector whose squared norm is the squared "
            "Frobenius norm of W2, Σ (log c_t + 2 log T)².",
            left=Quantity(
                "squared norm of W2 times the output row",
                of_targets(lambda batch, _: _largest(batch, "W2 x") ** 2),
                r"\|W_2 x_{out}\|^2",
                theorem.W2_BY_ENTRIES,
            ),
        ),
    ),
    limitations=("The bound 4 ω log²T on the squared norm of W2 bounds both.",),
)  # fmt: skip
