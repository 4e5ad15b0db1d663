"""Theorem 11: tokens, their bits and the rows of the first attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
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
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch


def _counted(points: Sequence[Point], device: str) -> tuple[TargetBatch, Tensor]:
    """Targets {1…D} with one input each, of which the first k and the r bits after D are ones."""
    length, degree, inside, outside = torch.tensor([[p[n] for n in "TDkr"] for p in points], device=device).T[..., None]
    position = torch.arange(1, int(length.max()) + 1, device=device)
    bits = (position <= inside) | ((position > degree) & (position <= degree + outside))
    coefficient = torch.tensor([[float(p.get("C", 1))] for p in points], dtype=torch.float64, device=device)
    batch = TargetBatch.from_tensors(length[:, 0], (position <= degree)[:, None], coefficient)
    return batch, bits[:, None]


def _size(name: str, power: int) -> Measure:
    """A power of an intermediate's size in the real network, at the point's own input."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            return sizes(*_counted(chosen, device), mlp=mlp)[name][:, 0] ** power

        return by_trapezoid(points, of)

    return measure


def _quantity(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(what, _size(name, 1), latex, definition, rounding=1e-11, scale=1.0)


def _square(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(f"square of the {what}", _size(name, 2), f"{latex}^2", definition, rounding=1e-11, scale=1.0)


_TOKEN = _square("largest row norm of X", "token", r"\|X\|_{2,\infty}", theorem.TOKEN_ROW)
_ENTRY = _quantity("largest entry of X", "entry", r"\max |X|", sp.Integer(1))
_BIT = _quantity("largest row norm or entry of X V1", "bit", r"\|X V_1\|_{2,\infty}", theorem.BIT)
_AVERAGED = _quantity("largest row norm or entry of A1 X V1", "averaged", r"\|B\|_{2,\infty}", theorem.AVERAGED)
UNIT = _quantity("largest hidden unit", "unit", r"\max h", theorem.UNIT)
UNITS = _quantity("largest norm of a row's hidden units", "units", r"\|h\|_{2,\infty}", theorem.UNITS)
STREAM = _square("largest row norm of X2", "stream", r"\|X_2\|_{2,\infty}", theorem.STREAM_ROW)
COLUMN = _square("largest column norm of X2", "column", r"\|X_2^\top\|_{2,\infty}", theorem.STREAM_COLUMN)
OUTPUT = _square("norm of the output row of X2", "output", r"\|x_{out}\|", theorem.OUTPUT_ROW)
VALUE = _quantity("largest entry of X2 V2", "value", r"\|X_2 V_2\|_\infty", theorem.VALUE)
VALUES = _square("norm of X2 V2", "values", r"\|X_2 V_2\|", theorem.VALUES)

tokens = claim(
    label="sharpness.activations.tokens",
    statement="Every token has norm at most √2: a one-hot position and a bit.",
    left=_TOKEN,
    relation="<=",
    right=sp.Integer(2),
    domain=COUNTS,
    kind="Tight",
    equality=({**ONE, "k": 1, "r": 0},),
    reading="certain",
    expected="proved",
    limitations=(SQUARED,),
)

entries = claim(
    label="sharpness.activations.tokens.entries",
    statement="Every entry of the tokens is at most one.",
    left=_ENTRY,
    relation="<=",
    right=sp.Integer(1),
    domain=COUNTS,
    kind="Tight",
    equality=(ZERO_INPUT,),
    reading="certain",
    expected="proved",
)

bits = claim(
    label="sharpness.activations.bits",
    statement="Rows and entries of X V1 are at most one: they carry the bits.",
    left=_BIT,
    relation="<=",
    right=sp.Integer(1),
    domain=COUNTS,
    kind="Tight",
    equality=({**ONE, "k": 1, "r": 0},),
    reading="certain",
    expected="proved",
)

normaliser = claim(
    label="sharpness.activations.normaliser",
    statement="The second factor of the first attention's normaliser D T² + T+1-D = (T+1)(D T - D + 1) is at least "
    "D+1.",
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
    reading="certain",
    expected="proved",
    rests_on=(NORMALISER,),
    limitations=(ONE_COMPONENT,),
)

averaged_sharp = claim(
    label="sharpness.activations.averaged.sharp",
    statement="Rows and entries of the first attention's output are at most 1 - 1/(D T² + T+1-D): the output "
    "position's zero keeps its weight. Equality where all bits are one.",
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
