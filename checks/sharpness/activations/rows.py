"""Theorem 11: tokens, their bits and the rows of the first attention."""

from __future__ import annotations

from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.shared import (
    COUNTS,
    FULL_INPUT,
    ONE,
    ONE_COMPONENT,
    SQUARED,
    ZERO_INPUT,
    claim,
)
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.numeric.sharpness.activations import sizes
from boundaudit.numeric.sharpness.attention import leading, leading_bits
from boundaudit.numeric.sharpness.mlp import Trapezoid


def _size(name: str, power: int) -> Measure:
    """A power of a size in the real network with one component {1…D}, at k ones in it and r ones after it."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        length, degree, inside, outside = map(at.whole, "TDkr")
        bits = leading_bits(length, degree, inside, outside)[:, None]
        return sizes(leading(length, degree, at.real("C", 1)), bits, mlp=mlp)[name][:, 0] ** power

    return by_trapezoid(of)


def _quantity(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(what, _size(name, 1), latex, definition, rounding=1e-11, scale=1.0)


def _square(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(f"square of the {what}", _size(name, 2), f"{latex}^2", definition, rounding=1e-11, scale=1.0)


_TOKEN = _square("largest row norm of X", "token", r"\|X\|_{2,\infty}", theorem.TOKEN_ROW)
_ENTRY = _quantity("largest entry of X", "entry", r"\max |X|", sp.Integer(1))
_BIT = _quantity("largest row norm or entry of X V1", "bit", r"\|X V_1\|_{2,\infty}", theorem.BIT)
_AVERAGED = _quantity("largest row norm or entry of A1 X V1", "averaged", r"\|B\|_{2,\infty}", theorem.averaged)
UNIT = _quantity("largest hidden unit", "unit", r"\max h", theorem.largest_unit)
STREAM = _square("largest row norm of X2", "stream", r"\|X_2\|_{2,\infty}", lambda: theorem.stream_row())
COLUMN = _square("largest column norm of X2", "column", r"\|X_2^\top\|_{2,\infty}", lambda: theorem.stream_column())
OUTPUT = _square("norm of the output row of X2", "output", r"\|x_{out}\|", lambda: theorem.output_row())
VALUE = _quantity("largest entry of X2 V2", "value", r"\|X_2 V_2\|_\infty", lambda: theorem.value())
VALUES = _square("norm of X2 V2", "values", r"\|X_2 V_2\|", lambda: theorem.values())

tokens = claim(
    label="sharpness.activations.tokens",
    statement="Tokens have norm at most √2, and their entries and bits are at most one.",
    relation="<=",
    domain=COUNTS,
    role="printed",
    kind="Tight",
    reading="certain",
    expected="proved",
    cases=(
        Case(
            "rows",
            statement="Every token, a row of X, has norm at most √2: a one-hot position and a bit.",
            left=_TOKEN,
            right=sp.Integer(2),
            equality=({**ONE, "k": 1, "r": 0},),
            limitations=(SQUARED,),
        ),
        Case(
            "entries",
            statement="Every entry of the tokens X is at most one.",
            left=_ENTRY,
            right=sp.Integer(1),
            equality=(ZERO_INPUT,),
        ),
        Case(
            "bits",
            statement="Rows and entries of X V1, the tokens' bits, are at most one.",
            left=_BIT,
            right=sp.Integer(1),
            equality=({**ONE, "k": 1, "r": 0},),
        ),
    ),
)

normaliser = claim(
    label="sharpness.activations.normaliser",
    statement="The second factor of the first attention's normaliser D T² + T+1-D = (T+1)(D T - D + 1) is at least "
    "D+1, for 1 ≤ D ≤ T and T ≥ 2.",
    left=theorem.TOTAL_FACTOR,
    relation=">=",
    right=D + 1,
    domain=Domain({T: Integers(2, tested_to=12), D: Integers(1, T)}),
    kind="Tight",
    equality=({"T": 2, "D": 1},),
    expected="proved",
)
NORMALISER = "sharpness.activations.normaliser"

averaged = claim(
    label="sharpness.activations.averaged",
    statement="Rows and entries of the first attention's output A1 X V1 are at most one: they average bits.",
    left=_AVERAGED,
    relation="<=",
    right=sp.Integer(1),
    domain=COUNTS,
    role="printed",
    reading="certain",
    expected="proved",
    rests_on=(NORMALISER,),
    limitations=(ONE_COMPONENT,),
)

averaged_sharp = claim(
    label="sharpness.activations.averaged.sharp",
    statement="Rows and entries of the first attention's output A1 X V1 are at most 1 - 1/(D T² + T+1-D) for a "
    "component of D positions: the output position, whose bit is zero, has that weight. Equality where all bits are "
    "one.",
    left=_AVERAGED,
    relation="<=",
    right=theorem.LARGEST_AVERAGED,
    domain=COUNTS,
    kind="Tight",
    equality=(FULL_INPUT, {**FULL_INPUT, "T": 5, "D": 2, "k": 2, "r": 3, "u": 2}),
    expected="proved",
    improves="sharpness.activations.averaged",
    rests_on=(NORMALISER,),
    limitations=(ONE_COMPONENT,),
)
