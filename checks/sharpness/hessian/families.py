"""Theorem 18 for arbitrary families of sets: where its claims speak, and how norms and sizes of rows are measured."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Integers, Reals, Vector
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import ON_A_KINK
from boundaudit.checks.sharpness.hessian.shared import SCALES
from boundaudit.checks.sharpness.targets import FLOOR, WITH_INPUT, batch_of, by_trapezoid, input_bits
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.numeric.sharpness import hessian_parts as network
from boundaudit.numeric.sharpness import hessian_rows as rows
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid

SEEN = WITH_INPUT.replace(T=Integers(4, tested_to=5), c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""Targets of equal degree with positive coefficients in the unit ball, each with one input, from length 4 on."""

ANY = SEEN.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
"""Those with any positive coefficients."""

FLOORED = SEEN.replace(c=Vector(omega, Reals(FLOOR, 1), square_sum=1))
"""Those with coefficients from T⁻⁴ to 1."""

OFF_KINKS = (
    "Where a live hidden unit of a row with weight, or of the output position, sits on its kink there is no Hessian; "
    "where a dead one does, each of the one-sided matrices obeys the bound."
)
NETWORKS = ("finite", "ideal", "one-column")
"""The construction, the ideal network, and the construction where F's last column alone counts as parameters."""

SAMPLES: dict[str, Point] = {
    "D=1, ω=4": {"T": 4, "D": 1, "omega": 4, "u": 1, "c": (0.5, 0.5, 0.5, 0.5), "S": ((1,), (2,), (3,), (4,)),
                 "x_n": 7},
    "D=2, ω=3": {"T": 5, "D": 2, "omega": 3, "u": 2, "c": (0.8, 0.5, 0.3), "S": ((1, 2), (2, 3), (3, 4)), "x_n": 17},
}  # fmt: skip


class _Numbers(Mapping[str, Array]):
    """What the symbols of a bound stand for at a batch of points, each computed when it is asked for."""

    def __init__(self, at: Columns, mlp: Trapezoid, which: str) -> None:
        self._known: dict[str, Array] = {}
        self._at, self._mlp, self._which = at, mlp, which
        self._scale = SCALES["ideal" if which == "ideal" else "finite"]
        self._batch = batch_of(at)
        self._bits = input_bits(at.whole("x_n"), self._batch).double()
        self._blocks = build(self._batch, mlp=mlp, scale=self._scale)

    def __getitem__(self, name: str) -> Array:
        if name not in self._known:
            self._known[name] = self._found(name).cpu().numpy()
        return self._known[name]

    def _found(self, name: str) -> Tensor:
        if name.endswith("_n"):
            return network.norm(
                name.removesuffix("_n"), self._blocks, self._batch, self._bits, self._kept, scale=self._scale
            )  # fmt: skip
        return self._sizes[name] if name.endswith("_h") else self._at.real(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    @functools.cached_property
    def _kept(self) -> Tensor:
        one = self._which == "one-column"
        return network.real_parameters(self._blocks, self._batch, mlp=self._mlp, one_column=one)

    @functools.cached_property
    def _sizes(self) -> dict[str, Tensor]:
        return rows.row_sizes(self._blocks, self._batch, self._bits, scale=self._scale)

    @functools.cached_property
    def smooth(self) -> Tensor:
        """Where there is a Hessian."""
        return ~rows.kinks(self._blocks, self._batch, self._bits, scale=self._scale)


@functools.lru_cache(maxsize=4)
def _numbers(points: tuple[tuple[tuple[str, Any], ...], ...], device: str, mlp: Trapezoid, which: str) -> _Numbers:
    """Numbers at points, kept for the other nodes of a chain."""
    return _Numbers(Columns([dict(point) for point in points], device), mlp, which)


WHAT = {
    "whole": "Hess f", "values": "E v''", "covariance": "2 Cov(v', l')", "logits": "Cov(v, l'')",
    "skew": "E (v - f)(l' - E l')²",
}  # fmt: skip
"""Hess f, and its four parts."""

_SQUARED_LOGIT = 16 * math.log(5) ** 2
"""At the greatest length that is measured: products with such squares cancel where the skew's norm is small."""


@functools.cache
def norm_of(part: str, which: str) -> Quantity:
    """The operator norm of Hess f or of a part of it.

    Args:
        part: A key of `WHAT`.
        which: One of `NETWORKS`.

    Returns:
        The quantity, at points of `ANY`.
    """
    symbol = theorem.whole_n if part == "whole" else theorem.NORMS[part]
    found = measured_as(f"norm of {WHAT[part]}", symbol, which)
    return replace(found, scale=_SQUARED_LOGIT) if part == "skew" else found


def measured_as(name: str, expression: sp.Expr, which: str) -> Quantity:
    """An expression in sizes of rows and norms of parts, measured at targets with an input; NaN on a kink.

    Args:
        name: What it is, in a few words.
        expression: In the symbols of the derivation.
        which: One of `NETWORKS`.

    Returns:
        The quantity.
    """
    tree = functools.cache(lambda: to_tree(expression))

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        numbers = _numbers(tuple(tuple(point.items()) for point in at.points), at.device, mlp, which)
        return torch.from_numpy(evaluate_float(tree(), numbers) + 0.0).where(numbers.smooth.cpu(), torch.nan)

    shown = sp.latex(expression) if expression.is_Symbol else rf"\text{{{name}}}"
    return Quantity(
        f"{name}, {which} network", by_trapezoid(of), shown, rounding=1e-9, scale=1.0, except_at=ON_A_KINK,
        nonnegative=True,
    )  # fmt: skip
