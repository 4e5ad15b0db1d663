"""Theorem 18: the hidden units that are on in a row that averages bits, counted and by their output weights."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.averages import r_av, s_av
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.numeric.sharpness.mlp import Trapezoid, units

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))
_UNIT = Reals(0, 1)
_SIZES: dict[Any, Range] = {D: Integers(1, tested_to=24), u: BOTH}
_DEGREES = Domain(_SIZES)
_AVERAGE = Domain({**_SIZES, s_av: _UNIT})
_TWO_AVERAGES = Domain({**_SIZES, s_av: Reals(0), r_av: _UNIT})
_ENDS = {"zero": 0.0, "one": 1.0}


def _on(name: str, latex: str, *ends: str, live: bool = True, definition: Any = None) -> Quantity:
    """Hidden units that are on at the first end and not at the second, each by its squared output weight or by one."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        found = units(at.whole("D"), mlp)
        first, *second = (
            (at.real(end, _ENDS.get(end))[:, None] + found.bias > 0) & found.real for end in ends
        )  # fmt: skip
        alone = first & ~second[0] if second else first
        return torch.where(alone, found.output**2 if live else 1.0, 0.0).sum(-1)

    return Quantity(name, by_trapezoid(of), latex, definition, rounding=1e-12)


def _closed(name: str, statement: str, left: Quantity, right: sp.Expr) -> Claim:
    return _lemma(
        label=f"sharpness.hessian.gates.{name}.closed-form", statement=statement, left=left, relation="=", right=right,
        domain=_DEGREES,
    )  # fmt: skip


def _summed(name: str, statement: str, domain: Domain, left: Quantity, ends: Quantity, closed: Claim) -> Claim:
    sample = {"D": 2, "u": 1, "s_av": sp.Rational(1, 3)} | (
        {"r_av": sp.Rational(9, 10)} if domain is _TWO_AVERAGES else {}
    )
    return _lemma(
        label=f"sharpness.hessian.gates.{name}", expected="supported",
        statement=statement, left=left, right=closed.right, domain=domain,
        derivation=_chain(
            label=f"sharpness.hessian.gates.{name}.steps", title="Hidden units that are on", domain=domain,
            steps=(
                Step(left, "between averages of bits"),
                Step(ends, "at the ends", "monotone"),
                Step(closed.right, "closed form", "counted", closed.label),
            ),
            samples={"D = 2": sample},
        ),
    )  # fmt: skip


_GATES_AT_ONE = _on("squared weights of units that are on at one", r"\sum_{on(1)} F_j^2", "one",
                    definition=theory.GATES_AT_ONE)  # fmt: skip
_RISE = _on("squared weights of units that are on at one and off at zero", r"\sum_{on(1) \setminus on(0)} F_j^2",
            "one", "zero", definition=theory.GATES_AT_ONE - theory.GATES_AT_ZERO)  # fmt: skip
_UNITS_AT_ONE = _on("units that are on at one", r"|on(1)|", "one", live=False, definition=theory.UNITS_AT_ONE)

gates_closed = _closed(
    "weights", "Where a row averages its bits to one, the squared output weights of its hidden units that are on add "
    "up to 32 D²(D+1)/u².", _GATES_AT_ONE, theory.GATES,
)  # fmt: skip
rise_closed = _closed(
    "rise", "The squared output weights of the hidden units that are on where the average of bits is one, and off "
    "where it is zero, add up to 32 D³/u².", _RISE, theory.RISE,
)  # fmt: skip
units_closed = _closed(
    "units", "Where a row averages its bits to one, 4D+2 of its hidden units are on.", _UNITS_AT_ONE, theory.UNITS
)

gates = _summed(
    "weights", "The squared output weights of the hidden units that are on in a row that averages bits add up to at "
    "most 32 D²(D+1)/u².", _AVERAGE,
    _on("squared weights of units that are on", r"\sum_{on(s)} F_j^2", "s_av"), _GATES_AT_ONE, gates_closed,
)  # fmt: skip
rise = _summed(
    "rise", "The squared output weights of the hidden units that are on at one average of bits and off at another, or "
    "at any number s ≥ 0, add up to at most 32 D³/u².", _TWO_AVERAGES,
    _on("squared weights of units that are on in one row alone", r"\sum_{on(s') \setminus on(s)} F_j^2", "r_av",
        "s_av"), _RISE, rise_closed,
)  # fmt: skip
units_on = _summed(
    "units", "At most 4D+2 hidden units are on in a row that averages bits.", _AVERAGE,
    _on("units that are on", r"|on(s)|", "s_av", live=False), _UNITS_AT_ONE, units_closed,
)  # fmt: skip
