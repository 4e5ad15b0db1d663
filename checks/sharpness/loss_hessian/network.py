"""The trace of the network's own Hessian: closed forms against automatic differentiation, parameter by parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.loss_hessian.shared import (
    FINITE_SCALE,
    ONE_TILE,
    SMALL,
    UNEQUAL,
    by_shape,
    claim,
    parts,
    with_coefficients,
)
from boundaudit.numeric.sharpness import autodiff, loss_direction
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid


def _diagonal(of: Callable[[dict[str, Tensor]], Tensor]) -> Measure:
    """A number made of the traces of the diagonal blocks, by block; equal points are differentiated once."""

    def measured(points: Sequence[Point], mlp: Trapezoid) -> Tensor:
        distinct = {tuple(p.items()): p for p in points}
        batch, bits = tiled(with_coefficients(list(distinct.values())), "cpu")
        blocks = build(batch, mlp=mlp)
        diagonal = loss_direction.diagonal(blocks, batch, bits)
        found = of({name: diagonal[:, part].sum(-1) for name, part in autodiff.parameters(blocks).items()})
        place = {key: n for n, key in enumerate(distinct)}
        return found[torch.tensor([place[tuple(p.items())] for p in points])]

    return lambda points, device: by_shape(points, measured)


def _closed(points: Sequence[Point], device: str) -> Array:
    return parts(lambda found: found.network, FINITE_SCALE)(with_coefficients(points), device)


agreement = claim(
    label="sharpness.loss_hessian.network.agreement",
    statement="The closed form of the trace of the network's Hessian, from W1, F and W2 alone, is the sum of "
    "all second derivatives by automatic differentiation.",
    left=Quantity("trace of the network's Hessian, closed form", _closed, r"\mathrm{tr} \nabla^2 f", rounding=1e-10,
                  scale=1.0),
    relation="=",
    right=Quantity(
        "trace of the network's Hessian, differentiated",
        _diagonal(lambda traces: torch.stack(list(traces.values())).sum(0)), r"\sum_i \partial_i^2 f", rounding=1e-10,
        scale=1.0,
    ),
    domain=SMALL,
    limitations=(ONE_TILE, UNEQUAL),
)  # fmt: skip
