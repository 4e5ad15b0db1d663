"""The domain of the construction and the way from its points to tensors (Appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u, x_n
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

PAPER = "Lintilhac & Shaikh 2026 (arXiv 2605.20988)"
TRAPEZOIDS: dict[int, Trapezoid] = {1: "steep", 2: "wide"}
BOTH = Choices(steep=1, wide=2)
STEEP = Choices(steep=1)
WIDE = Choices(wide=2)

# Components are distinct: at D = T there is only one subset, else there are at least T.
SPARSITY = Integers(1, 1 + (T - 1) * sp.Min(1, T - D), reads="1 ≤ omega ≤ T, and omega = 1 where D = T")
FLOOR = T**-4
"""The smallest coefficient for which the printed bound on W2 holds."""

_RANGES: dict[Any, Range] = {
    T: Integers(2, tested_to=24),
    D: Integers(1, T),
    omega: SPARSITY,
    u: BOTH,
    c: Vector(omega, Reals(FLOOR, 1), square_sum=1),
    sp.Symbol("S"): Subsets(omega, D, T),
}
TARGETS = Domain(_RANGES)
"""Targets of equal degree with coefficients from T⁻⁴ to 1 in the unit ball, for both trapezoids."""

POSITIVE = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""As printed: positive coefficients in the unit ball, without a floor."""


WITH_INPUT = Domain({**_RANGES, c: Vector(omega, Reals(0, open_low=True)), x_n: Integers(0, 2**T - 1)})
"""Targets of equal degree with any positive coefficients, each with one input."""


_Key = TypeVar("_Key", bound=Hashable)


def column(points: Sequence[Point], name: str, device: str, default: int = 1) -> Tensor:
    """An integer parameter of each point, int64, shape (n,)."""
    return torch.tensor([point.get(name, default) for point in points], dtype=torch.int64, device=device)


def reals(points: Sequence[Point], name: str, device: str, default: float = 1) -> Tensor:
    """A real parameter of each point, float64, shape (n,)."""
    return torch.tensor([float(point.get(name, default)) for point in points], dtype=torch.float64, device=device)


def batch_of(points: Sequence[Point], device: str) -> TargetBatch:
    """Stack the targets of a set of points.

    Args:
        points: Points with T and S, and with c unless all coefficients are one.
        device: Where the tensors live.

    Returns:
        The batch.
    """
    targets = [Target(p["T"], p["S"], tuple(map(float, p.get("c", (1,) * len(p["S"]))))) for p in points]
    return TargetBatch.stack(targets, device=device)


def two_kinds(points: Sequence[Point], device: str) -> TargetBatch:
    """Targets of two kinds of components, component t on the window of positions that starts at t.

    Args:
        points: Points with T, D, D_2, omega, omega_2, nu_2 and c; sizes below T, so that all windows differ.
        device: Where the tensors live.

    Returns:
        The batch: the first omega_2 components have D_2 positions and, where nu_2 is one, negative coefficients.
    """
    length, size, other, sparsity, others, negative = (
        torch.tensor([p[name] for p in points], device=device)[:, None]
        for name in ("T", "D", "D_2", "omega", "omega_2", "nu_2")
    )
    start = torch.arange(int(sparsity.max()), device=device)
    second = start < others
    sizes = torch.where(start < sparsity, torch.where(second, other, size), 0)[:, :, None]
    position = torch.arange(int(length.max()), device=device)
    offset = (position - start[:, None]) % length[:, :, None]
    members = (offset < sizes) & (position < length)[:, None]
    coefficients = torch.zeros(members.shape[:2], dtype=torch.float64, device=device)
    for row, point in zip(coefficients, points, strict=True):
        row[: point["omega"]] = torch.tensor([float(entry) for entry in point["c"]], dtype=torch.float64, device=device)
    signed = torch.where(second & (negative == 1), -coefficients, coefficients)
    return TargetBatch.from_tensors(length[:, 0], members, signed)


def input_bits(points: Sequence[Point], batch: TargetBatch) -> Tensor:
    """The input of each point, from its number x_n.

    Args:
        points: Points with x_n.
        batch: Their targets.

    Returns:
        Bits, shape (n, T_max), zero beyond T.
    """
    shift = batch.length[:, None] - 1 - torch.arange(batch.max_length, device=batch.device)
    number = column(points, "x_n", str(batch.device))[:, None]
    return (number >> shift.clamp(min=0)) & (shift >= 0)


def network_outputs(
    points: Sequence[Point], device: str, *, layout: Layout = "published", pruned: bool = False
) -> Array:
    """The construction's output for each point's target on the point's own input.

    Args:
        points: Points with T, D, omega, c, S, u and x_n.
        device: Where the tensors live.
        layout: The channels.
        pruned: Whether the dead hidden units are left out.

    Returns:
        One output per point.
    """

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        batch = batch_of(chosen, device)
        bits = input_bits(chosen, batch)[:, None]
        return forward(build(batch, layout=layout, mlp=mlp, pruned=pruned), batch, bits)[:, 0]

    return by_trapezoid(points, of)


def by_group(
    points: Sequence[Point], key: Callable[[Point], _Key], measure: Callable[[Sequence[Point], _Key], Tensor]
) -> Array:
    """Measure the points of each group in one batch.

    Args:
        points: Points of a domain.
        key: From a point to its group.
        measure: From the points of a group and its key to one number per point.

    Returns:
        One number per point, in the order of the points.
    """
    groups: dict[_Key, list[int]] = {}
    for n, point in enumerate(points):
        groups.setdefault(key(point), []).append(n)
    values = np.empty(len(points))
    for name, chosen in groups.items():
        values[chosen] = measure([points[n] for n in chosen], name).cpu().numpy()
    return values


def by_trapezoid(points: Sequence[Point], measure: Callable[[Sequence[Point], Trapezoid], Tensor]) -> Array:
    """Measure the points of each trapezoid in one batch.

    Args:
        points: Points with u; steep where they have none.
        measure: From points and a trapezoid to one number per point.

    Returns:
        One number per point, in the order of the points.
    """
    return by_group(points, _trapezoid, measure)


def of_targets(
    measure: Callable[[TargetBatch, Trapezoid], Tensor],
    *,
    stack: Callable[[Sequence[Point], str], TargetBatch] = batch_of,
    alike: bool = False,
) -> Measure:
    """Make a measurement of targets one of points.

    Args:
        measure: From targets and a trapezoid to one number per target.
        stack: From points and a device to their targets.
        alike: Whether all targets of a batch must have one length, so that their inputs can be enumerated.

    Returns:
        A measurement, in one batch for each trapezoid (and length).
    """

    def measured(points: Sequence[Point], device: str) -> Array:
        return by_group(
            points,
            lambda point: (_trapezoid(point), point["T"] if alike else 0),
            lambda chosen, key: measure(stack(chosen, device), key[0]),
        )

    return measured


def _trapezoid(point: Point) -> Trapezoid:
    return TRAPEZOIDS[point.get("u", 1)]
