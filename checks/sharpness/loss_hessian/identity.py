"""The loss Hessian as a sum of two parts, for any weights, and its rank where the residual vanishes."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.measurements import Columns, completed
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.loss_hessian.shared import (
    DIRECTED,
    FINITE_SCALE,
    IDEAL,
    IDEAL_SCALE,
    SQUARED,
    UNEQUAL,
    claim,
    values,
    with_coefficients,
)
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.loss_hessian import a_1, a_2, z_1, z_2
from boundaudit.numeric.sharpness import autodiff, loss_direction
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.loss_direction import wave
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import moved
from boundaudit.numeric.sharpness.target import TargetBatch

_DISTURBED = 0.05
_DISTURBANCES = 1001
"""The first number of a disturbance: none is also a direction."""

Along = Callable[[Blocks, TargetBatch, Tensor, Blocks, float], Tensor]
"""From weights, targets, inputs, directions and a scale to one number for each network."""


def _along(of: Along, *, ideal: bool = False) -> Measure:
    """A number that belongs to one direction: at disturbed weights, or at those of the ideal network."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        (batch, bits), number = tiled(at), at.whole("n_d")
        blocks = build(batch, mlp=mlp)
        direction = wave(blocks, number)
        if ideal:
            return of(blocks, batch, bits, direction, IDEAL_SCALE)
        disturbed = moved(blocks, wave(blocks, number + _DISTURBANCES), _DISTURBED)
        return of(disturbed, batch, bits, direction, FINITE_SCALE)

    # Networks of one shape stand in one batch: none is padded.
    return completed(by_trapezoid(measure, "T", "D"), with_coefficients)


def _dot(one: Blocks, other: Blocks) -> Tensor:
    return (autodiff.flatten(one) * autodiff.flatten(other)).sum(-1)


def _by_loss(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    return loss_direction.second_derivative(blocks, batch, bits, values(batch, bits), direction, scale=scale)


def _by_parts(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    error = loss_direction.output(blocks, batch, bits, scale=scale) - values(batch, bits)
    slope = _dot(autodiff.gradients(blocks, batch, bits, scale=scale), direction)
    bend = _dot(autodiff.hessian_vector(blocks, batch, bits, direction, scale=scale), direction)
    return 2 * slope.square() + 2 * error * bend


identity = claim(
    label="sharpness.loss_hessian.identity",
    statement="At any weights the Hessian of the squared loss L = (f_Θ - f)² at one input is 2 ∇f_Θ ∇f_Θᵀ "
    "+ 2 (f_Θ - f) Hess f_Θ.",
    role="printed",
    relation="=",
    reading="certain",
    repairs=("sharpness.loss_hessian.residual.printed",),
    cases=(
        Case(
            "directions",
            statement="At the construction's weights, each disturbed by up to 0.05, the second derivative of the "
            "squared loss L = (f_Θ - f)² along a direction e without structure is "
            "2 (∇f_Θ·e)² + 2 (f_Θ - f) eᵀ Hess f_Θ e.",
            left=Quantity(
                "second derivative of the loss", _along(_by_loss), r"e^\top \nabla^2 L\, e", rounding=1e-9, scale=1e3
            ),
            right=Quantity(
                "Gauss-Newton and residual parts", _along(_by_parts),
                r"2 (\nabla f \cdot e)^2 + 2 (f_\Theta - f)\, e^\top \nabla^2 f\, e", rounding=1e-9, scale=1e3,
            ),
            domain=DIRECTED,
            limitations=("The construction's weights, each disturbed by up to 0.05.", SQUARED, UNEQUAL),
        ),
        Case(
            "two-weights",
            statement="Let the network be the product a_1 a_2 z_1 with two weights a_1 and a_2, and the target z_2. "
            "The mixed second derivative of the squared loss is the sum of the two parts 2 ∂f ∂f and 2 (f_Θ - f) ∂²f.",
            left=theory.off_diagonal, right=theory.OFF_DIAGONAL_BY_PARTS,
            domain=Domain(dict.fromkeys((a_1, a_2, z_1, z_2), Reals(tested_to=8))), expected="proved",
        ),
    ),
)  # fmt: skip


def _image(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    found: Tensor = loss_direction.hessian_vector(blocks, batch, bits, values(batch, bits), direction, scale=scale)
    return found.square().sum(-1).sqrt()


def _rank_one(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    slope = autodiff.gradients(blocks, batch, bits, scale=scale)
    return 2 * _dot(slope, direction).abs() * _dot(slope, slope).sqrt()


rank_one = claim(
    label="sharpness.loss_hessian.rank-one",
    statement="In the ideal network, which represents its target exactly, the Hessian of the squared loss at one input "
    "maps every direction e to 2 (∇f·e) ∇f: it has rank one, and its largest eigenvalue is its trace 2 |∇f|².",
    role="printed",
    reading="certain",
    left=Quantity(
        "length of Hess L times a direction", _along(_image, ideal=True), r"\|\nabla^2 L\, e\|_2", rounding=1e-9,
        scale=1e3,
    ),
    relation="=",
    right=Quantity(
        "length of a matrix of rank one times a direction", _along(_rank_one, ideal=True),
        r"2 |\nabla f \cdot e| \|\nabla f\|_2", rounding=1e-9, scale=1e3,
    ),
    domain=DIRECTED,
    rests_on=("sharpness.loss_hessian.identity",),
    limitations=(IDEAL, UNEQUAL),
)  # fmt: skip
