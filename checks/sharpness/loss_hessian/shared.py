"""Theorems 5 and 13: what is measured, and on which targets and inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import ON_A_KINK, tiled, tiles
from boundaudit.checks.sharpness.gradients.shared import Inputs, numbered
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.loss_hessian import n_d
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 5", "Theorem 13"))
FINITE_SCALE, IDEAL_SCALE = 2.0, float("inf")
SCALES = {"finite": FINITE_SCALE, "ideal": IDEAL_SCALE}

TILINGS = tiles(64).replace(T=Integers(4, tested_to=64))
"""Components side by side and inputs that leave some without a one; from T = 4 on active rows rest on plateaus."""

SINGLE_BITS = TILINGS.replace(D=Integers(1, 1), omega=Integers(T, T))
"""Every position a component of its own: where the gradient in F grows fastest."""

SHORT_TILINGS = tiles(12).replace(T=Choices(four=4, six=6, eight=8, ten=10, twelve=12))
"""Short and even ones, at which no unused row can sit on a kink."""

SMALL = Domain({
    T: Integers(4, 4), D: Integers(1, 2), omega: Integers(1, 2), u: BOTH, n_e: Integers(0, omega),
    n_r: Integers(0, T - D * omega),
})  # fmt: skip
"""Few enough to differentiate along every parameter; at T = 4 no row can sit on a kink."""

DIRECTED = Domain(
    {**{sp.Symbol(name): found for name, found in SMALL.ranges.items()}, n_d: Integers(0, tested_to=1000)}
)
"""The same, each with a direction in the space of parameters."""

UNEQUAL = "Coefficients are 0.8 and 0.5; T = 4, and one or two components side by side."

IDEAL = "The ideal network: both softmaxes see their intended support alone, so that the residual is zero."
EVERY = "The theorems suppose exact representation, which holds in the ideal network alone."
SQUARED = "The loss is (f_Θ - f)² without a factor 1/2, as the printed factor 2 has it."


class Parts(NamedTuple):
    """The two parts of tr Hess L, and the first where F's data column alone counts as parameters, for each point."""

    gauss_newton: Tensor
    residual: Tensor
    one_column: Tensor


def with_coefficients(point: Point) -> Point:
    """A point of `SMALL` with the coefficients of its target."""
    return {**point, "c": (0.8, 0.5)[: point["omega"]]}


def values(batch: TargetBatch, bits: Tensor) -> Tensor:
    """The targets' values, by counting bits.

    Args:
        batch: B targets.
        bits: one input for each, shape (B, T_max).

    Returns:
        f, shape (B,).
    """
    ones = (batch.members & bits[:, None]).sum(-1)
    return (batch.coefficients * (ones % 2 == 0)).sum(-1)


def parts(of: Callable[[Parts], Tensor], scale: float, inputs: Inputs = tiled) -> Measure:
    """A number made of the parts of tr Hess L, from the closed forms of the tensors.

    Args:
        of: From the parts to one number for each point.
        scale: Of the network.
        inputs: How columns become targets and inputs.

    Returns:
        A measurement, batched over points.
    """

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = inputs(at)
        found = derivatives(batch, bits[:, None], mlp=mlp, scale=scale)
        error = found.output[:, 0] - values(batch, bits)
        value = of(Parts(2 * found.gradient[:, 0], 2 * error * found.laplacian[:, 0], 2 * found.one_column[:, 0]))
        # In the ideal network unused rows have no weight: first and pure second derivatives exist on their kinks.
        return value if scale == IDEAL_SCALE else value.where(~found.kink[:, 0], torch.nan)

    return by_trapezoid(measure)


def on_tilings(
    name: str, of: Callable[[Parts], Tensor], network: str, latex: str, build: Callable[[], sp.Expr]
) -> Quantity:
    """A number made of the parts of tr Hess L on tilings."""
    return Quantity(name, parts(of, SCALES[network]), latex, lambda: build(), rounding=1e-10, scale=1.0)


def anywhere(name: str, of: Callable[[Parts], Tensor], network: str, latex: str) -> Quantity:
    """The same for any family of sets and any input, which no engine sees into."""
    return Quantity(
        f"{name}, {network} network, any family", parts(of, SCALES[network], numbered), latex, rounding=1e-9, scale=1.0,
        except_at=ON_A_KINK if network == "finite" else "",
    )  # fmt: skip
