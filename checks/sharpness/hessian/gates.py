"""Theorem 18: the hidden units that are on in a row that averages bits, counted and by their output weights."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.averages import b_av, e_av, r_av, s_av, v_av, x_av
from boundaudit.derivations.sharpness.hessian_lemmas import k_hl, x_hl, y_hl
from boundaudit.derivations.sharpness.mlp import OFFSETS, SLOPE
from boundaudit.derivations.sharpness.parameters import D, even, i, u
from boundaudit.numeric.sharpness.mlp import Trapezoid, units

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))
_UNIT = Reals(0, 1)
_SIZES: dict[Any, Range] = {D: Integers(1, tested_to=24), u: BOTH}
_DEGREES = Domain(_SIZES)
_AVERAGE = Domain({**_SIZES, s_av: _UNIT})
_TWO_AVERAGES = Domain({**_SIZES, s_av: Reals(0), r_av: _UNIT})
_ENDS = {"zero": 0.0, "one": 1.0}

# --- one unit, and the four of a grid point -------------------------------------------------------

_LESS = Domain({x_av: Reals(), e_av: Reals(0)})
_BETWEEN = Domain({x_av: Reals(), s_av: Reals(0), r_av: _UNIT, b_av: Reals(0)})
_START, _END = b_av * (1 - s_av), b_av * (1 - r_av)
_SAMPLE = {"x_av": 4, "u": 1, "e_av": 1, "s_av": "1/5", "r_av": "9/10", "b_av": 8, "D": 2}


def _sample(domain: Domain) -> Point:
    return {str(parameter): _SAMPLE[str(parameter)] for parameter in domain.ranges}


def _stepped(name: str, statement: str, domain: Domain, why: str, *nodes: sp.Expr, uses: tuple[Instance, ...]) -> Claim:
    """A lemma of one step."""
    label = f"sharpness.hessian.gates.{name}"
    left, right = nodes
    return _lemma(
        label=label, statement=statement, left=left, right=right, domain=domain,
        derivation=_chain(
            label=f"{label}.steps", title="Hidden units", domain=domain, samples={"one grid point": _sample(domain)},
            steps=(Step(left, "with less of input"), Step(right, "with all of it", why, uses)),
        ),
    )  # fmt: skip


whole = _lemma(
    label="sharpness.hessian.gates.whole",
    statement="For an integer k ≥ -1, k (k+1) is not negative.",
    left=sp.S.Zero,
    right=k_hl * (k_hl + 1),
    domain=Domain({k_hl: Integers(-1)}),
)
clipped = _lemma(
    label="sharpness.hessian.gates.clipped",
    statement="Of two numbers the smaller is still the smaller after both are clipped to [0, 1].",
    left=theory.clipped(x_hl),
    right=theory.clipped(y_hl),
    domain=Domain({x_hl: Reals(), y_hl: Reals(x_hl)}),
)
one = _lemma(
    label="sharpness.hessian.gates.one",
    statement="A number clipped to [0, 1] is at most one.",
    left=theory.clipped(x_hl),
    right=sp.S.One,
    domain=Domain({x_hl: Reals()}),
)
product = _lemma(
    label="sharpness.hessian.gates.product",
    statement="For numbers from 0 to 1, r (1-s) rises with r and falls with s.",
    left=r_av * (1 - s_av),
    right=y_hl * (1 - x_hl),
    domain=Domain({r_av: _UNIT, y_hl: Reals(r_av, 1), x_hl: _UNIT, s_av: Reals(x_hl, 1)}),
)

_UP = sp.ceiling(x_av) - sp.ceiling(x_av - e_av)
ceilings = _stepped(
    "ceilings", "The least integer above a number is no less than that above a smaller one.", _LESS,
    "k > -1, so k (k+1) ≥ 0, for what the integers differ by", sp.ceiling(x_av - e_av), sp.ceiling(x_av),
    uses=(
        Instance(whole.label, {k_hl: _UP}),
        Instance("sharpness.averages.cancelled", {e_av: _UP + 1, v_av: sp.S.Zero, x_av: _UP}),
    ),
)  # fmt: skip
unit = _stepped(
    "unit", "A hidden unit that is on with e ≥ 0 less of input is on with all of it.", _LESS, "inputs rise",
    theory.gate(x_av - e_av), theory.gate(x_av),
    uses=(
        Instance(ceilings.label), Instance(clipped.label, {x_hl: sp.ceiling(x_av - e_av), y_hl: sp.ceiling(x_av)}),
    ),
)  # fmt: skip
passed = _stepped(
    "passed", "A hidden unit that is on at r ≤ 1 and off at s ≥ 0 is on at one and off at zero.", _BETWEEN,
    "on at one, off at zero", theory.passed(x_av, _START, _END), theory.passed(x_av, b_av, sp.S.Zero),
    uses=(
        *(Instance(one.label, {x_hl: sp.ceiling(x)}) for x in (x_av, x_av - _START)),
        Instance(unit.label, {e_av: _END}), Instance(unit.label, {x_av: x_av - _START, e_av: b_av * s_av}),
        Instance(product.label, {
            r_av: theory.gate(x_av - _END), y_hl: theory.gate(x_av), s_av: theory.gate(x_av - _START),
            x_hl: theory.gate(x_av - b_av),
        }),
    ),
)  # fmt: skip
four_units = _stepped(
    "unit.four", "Of four hidden units no more are on where all have e ≥ 0 less of input.",
    Domain({**_LESS.ranges, u: BOTH}), "each unit by itself",
    theory.four_gates(x_av, e_av), theory.four_gates(x_av, sp.S.Zero),
    uses=tuple(Instance(unit.label, {x_av: x_av - offset}) for offset in OFFSETS),
)  # fmt: skip
four_passed = _stepped(
    "passed.four", "Of four hidden units no more are on at r ≤ 1 and off at s ≥ 0 than are on at one and off at zero.",
    Domain({**_BETWEEN.ranges, u: BOTH}), "each unit by itself", theory.four_passed(x_av, _START, _END),
    theory.four_passed(x_av, b_av, sp.S.Zero),
    uses=tuple(Instance(passed.label, {x_av: x_av - offset}) for offset in OFFSETS),
)  # fmt: skip

# --- all units ------------------------------------------------------------------------------------


def _on(name: str, latex: str, definition: Any, *ends: str, live: bool = True) -> Quantity:
    """Hidden units that are on at the first end and not at the second, each by its squared output weight or by one."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        found = units(at.whole("D"), mlp)
        first, *second = (
            (at.real(end, _ENDS.get(end))[:, None] + found.bias > 0) & found.real for end in ends
        )  # fmt: skip
        alone = first & ~second[0] if second else first
        return torch.where(alone, found.output**2 if live else 1.0, 0.0).sum(-1)

    return Quantity(name, by_trapezoid(of), latex, definition, rounding=1e-12)


class _Sum(NamedTuple):
    """Hidden units that are on, added up.

    Attributes:
        name: Of the claims.
        closed: What the closed form says.
        bound: What the bound says.
        domain: Of the bound.
        left: Between averages.
        ends: At the ends.
        right: In closed form.
        four: What is known of the four units of a grid point.
        at: What stands for its parameters.
        even: Whether they are weighed by their squared output weights.
        expected: The bound's verdict.
    """

    name: str
    closed: str
    bound: str
    domain: Domain
    left: Quantity
    ends: Quantity
    right: sp.Expr
    four: Claim
    at: dict[Any, Any]
    even: bool
    expected: str = "proved"


def _claims(told: _Sum) -> tuple[Claim, Claim]:
    """The closed form at the ends, and the bound."""
    label = f"sharpness.hessian.gates.{told.name}"
    weight = SLOPE**2 * even(D - i) if told.even else sp.S.One
    closed = _lemma(
        label=f"{label}.closed-form", statement=told.closed, left=told.ends, relation="=", right=told.right,
        domain=_DEGREES,
    )  # fmt: skip
    every = (
        Instance(told.four.label, {x_av: 4 * i, **told.at}, over=(i, 1, D - 1), weight=weight),
        Instance(told.four.label, {x_av: 0, **told.at}),
        Instance(told.four.label, {x_av: 4 * D, **told.at}),
    )
    bound = _lemma(
        label=label, statement=told.bound, expected=told.expected, left=told.left, right=told.right, domain=told.domain,
        derivation=_chain(
            label=f"{label}.steps", title="Hidden units that are on", domain=told.domain,
            steps=(
                Step(told.left, "between averages of bits"),
                Step(told.ends, "at the ends", "each unit by itself", every),
                Step(told.right, "closed form", "counted", closed.label),
            ),
            samples={"D = 2": _sample(told.domain)},
        ),
    )  # fmt: skip
    return closed, bound


_LESS_OF_IT = {e_av: 4 * D * (1 - s_av)}

gates = _claims(_Sum(
    "weights",
    "Where a row averages its bits to one, the squared output weights of its hidden units that are on add up to "
    "32 D²(D+1)/u².",
    "The squared output weights of the hidden units that are on in a row that averages bits add up to at most "
    "32 D²(D+1)/u².",
    _AVERAGE,
    _on("squared weights of units that are on", r"\sum_{on(s)} F_j^2", lambda: theory.gates_by_units(s_av), "s_av"),
    _on("squared weights of units that are on at one", r"\sum_{on(1)} F_j^2", theory.gates_by_units, "one"),
    theory.GATES, four_units, _LESS_OF_IT, even=True,
))  # fmt: skip
rise = _claims(_Sum(
    "rise",
    "The squared output weights of the hidden units that are on where the average of bits is one, and off where it is "
    "zero, add up to 32 D³/u².",
    "The squared output weights of the hidden units that are on at one average of bits and off at another, or at any "
    "number s ≥ 0, add up to at most 32 D³/u².",
    _TWO_AVERAGES,
    _on("squared weights of units that are on in one row alone", r"\sum_{on(s') \setminus on(s)} F_j^2",
        lambda: theory.rise_by_units(s_av, r_av), "r_av", "s_av"),
    _on("squared weights of units that are on at one and off at zero", r"\sum_{on(1) \setminus on(0)} F_j^2",
        theory.rise_by_units, "one", "zero"),
    theory.RISE, four_passed, {b_av: 4 * D}, even=True, expected="supported",
))  # fmt: skip
units_on = _claims(_Sum(
    "units",
    "Where a row averages its bits to one, 4D+2 of its hidden units are on.",
    "At most 4D+2 hidden units are on in a row that averages bits.",
    _AVERAGE,
    _on("units that are on", r"|on(s)|", lambda: theory.count_by_units(s_av), "s_av", live=False),
    _on("units that are on at one", r"|on(1)|", theory.count_by_units, "one", live=False),
    theory.UNITS, four_units, _LESS_OF_IT, even=False,
))  # fmt: skip
