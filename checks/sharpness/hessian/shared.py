"""Theorem 18: where its claims speak, and how a Hessian is measured."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, measured
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.targets import BOTH, FLOOR, PAPER, TRAPEZOIDS, by_trapezoid
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness import hessian_blocks
from boundaudit.numeric.sharpness.autodiff import hessian, parameters
from boundaudit.numeric.sharpness.construction import Blocks, Channels, build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 18",))

SCALES = {"finite": 2.0, "ideal": math.inf}
TILINGS = (
    "Components side by side; each has no one or one among its positions. T ≥ 4, where active rows rest on plateaus."
)
LOWER = (
    "The left side is a Rayleigh quotient, a lower bound on the operator norm: what it exceeds the norm exceeds too."
)
SMALL = "Measured at T = 4 with equal coefficients of unit length, on the whole Hessian by automatic differentiation."


def tilings(longest: int, entries: Reals | None = None) -> Domain:
    """Tilings of positions by components with one input each; what matters to the search comes first.

    Args:
        longest: the largest T that is tried.
        entries: where the coefficients range: from T⁻⁴ to 1 where nothing is said, in the unit ball.

    Returns:
        Points with T, omega, D, u, n_e, n_r and c.
    """
    return Domain({
        T: Integers(4, tested_to=longest), omega: Integers(1, T), D: Integers(1, sp.floor(T / omega)), u: BOTH,
        n_e: Integers(0, omega), n_r: Integers(0, T - D * omega),
        c: Vector(omega, entries or Reals(FLOOR, 1), square_sum=1),
    })  # fmt: skip


_FEW: dict[Any, Range] = {
    T: Integers(4, 4), omega: Integers(1, T), D: Integers(1, sp.floor(T / omega)), u: BOTH,
    n_e: Integers(0, omega), n_r: Integers(0, T - D * omega),
}  # fmt: skip
FEW = Domain(_FEW)
"""Tilings with equal coefficients of unit length; at T = 4, where whole Hessians are measured, all 90 of them."""


def output_weights(name: str, scale: float) -> Measure:
    """The block of F's positional channels."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        values = torch.empty(len(at), dtype=torch.float64)
        # A batch is as wide as its largest degree: points of like degrees go together.
        for part in torch.split(at.whole("D").cpu().argsort(stable=True), 32):
            batch, bits = tiled(at[part.tolist()])
            block = hessian_blocks.output_weights(batch, bits[:, None], mlp=mlp, scale=scale)
            values[part] = getattr(block, name)[:, 0].cpu()
        return values

    return completed(by_trapezoid(of), with_equal)


def with_equal(point: Point) -> Point:
    """A point with its coefficients, equal ones of unit length where it names none."""
    return {**point, "c": point.get("c", (point["omega"] ** -0.5,) * point["omega"])}


class Found(NamedTuple):
    """What is read off the Hessian at a point of `FEW`.

    Attributes:
        whole: norms of the whole matrix.
        one_column: norms where F's data column alone counts as parameters.
        entries: one second derivative of each of 21 blocks, by names of two blocks of parameters.
    """

    whole: hessian_blocks.Norms
    one_column: hessian_blocks.Norms
    entries: dict[str, float]


_SIZES = ("T", "omega", "D", "u", "n_e", "n_r", "c")


def _network(sizes: tuple[Any, ...], scale: float, device: str) -> tuple[Blocks, TargetBatch, Tensor]:
    """The weights, the target and the input of a point."""
    point = dict(zip(_SIZES, sizes, strict=True))
    batch, bits = tiled(Columns([point], device))
    return build(batch, mlp=TRAPEZOIDS[point["u"]], scale=scale), batch, bits[0]


@functools.cache
def _hessian(sizes: tuple[Any, ...], scale: float, device: str) -> Found:
    blocks, batch, bits = _network(sizes, scale, device)
    point = dict(zip(_SIZES, sizes, strict=True))
    matrix, starts = hessian(blocks, batch, bits, scale=scale), parameters(blocks)
    channels = Channels(point["T"], "published")
    width, units, data, out = channels.count, 4 * (point["D"] + 1), channels.data, channels.output
    # Unit 0 from and to the data channel, the bit's own channel, and the query of the output position.
    place = {"V1": data * width + data, "M": data * units, "Gamma": 0, "F": data, "W2": data * width + out, "V2": data}
    at = {name: starts[name].start + offset for name, offset in place.items()}
    pairs = ((a, b) for a, b in hessian_blocks.UNIQUE if a in at and b in at)
    kept = torch.ones(len(matrix), dtype=torch.bool, device=matrix.device)
    kept[starts["F"]] = torch.arange(units * width, device=matrix.device) % width == data
    return Found(
        hessian_blocks.reduced(matrix, starts),
        hessian_blocks.reduced(matrix[kept][:, kept], _rest(starts, kept)),
        {f"{a}-{b}": float(matrix[at[a], at[b]]) for a, b in pairs},
    )


def _rest(parts: dict[str, slice], kept: Tensor) -> dict[str, slice]:
    """Where each block stands once some rows are dropped."""
    before = [0, *kept.cumsum(0).tolist()]
    return {name: slice(before[part.start], before[part.stop]) for name, part in parts.items()}


def on_few(of: Callable[[Found], float], scale: float) -> Measure:
    """A number from the whole Hessian at points of `FEW`, each of which is differentiated once."""
    return measured(lambda at: at.each(lambda point: of(_hessian(_key(point), scale, at.device))))


def _key(point: Point) -> tuple[Any, ...]:
    whole = with_equal(point)
    return tuple(whole[name] for name in _SIZES)
