"""Curvature over inputs against automatic differentiation of the loss itself, input by input."""

import math

import numpy as np
import pytest
import torch

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.loss_hessian import network as rows
from boundaudit.checks.sharpness.proofs import PAIRS as PAIRS_OF_TWENTY
from boundaudit.numeric.enumeration import bit_strings, choose_inputs
from boundaudit.numeric.sharpness import autodiff, loss_direction
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.loss_hessian import Spread, curvature, has_closed_form
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

PAIRS = Target(4, ((1, 2), (2, 4)), (0.8, 0.5))
SIGNED = Target(4, ((1, 2), (3,)), (0.8, -0.5))


def whole(target: Target, bits: torch.Tensor, layout: str) -> list[torch.Tensor]:
    """Hess L of each input, column by column from the loss itself."""
    batch = TargetBatch.stack([target])
    blocks = build(batch, layout=layout)  # type: ignore[arg-type]
    count = autodiff.flatten(blocks).shape[1]
    units = autodiff.unflatten(torch.eye(count, dtype=torch.float64), autodiff.repeat(blocks, count))
    found = []
    for z in bits:
        values = evaluate(target, z[None]).expand(count)
        many = autodiff.repeat(blocks, count), batch.repeat(count), z.expand(count, -1)
        found.append(loss_direction.hessian_vector(*many, values, units))
    return found


@pytest.mark.parametrize(("target", "layout"), [(PAIRS, "published"), (PAIRS, "separate-data"), (SIGNED, "extended")])
@pytest.mark.slow
def test_traces_are_those_of_the_differentiated_loss(target: Target, layout: str) -> None:
    bits = bit_strings(4, 0, 16)[[0, 5, 11]]
    matrices = whole(target, bits, layout)
    for z, matrix in zip(bits, matrices, strict=True):
        text = "".join(str(int(b)) for b in z)
        found = curvature(target, choose_inputs(4, at=text), layout=layout)  # type: ignore[arg-type]
        assert found.loss_trace is not None
        assert found.loss_trace.mean == pytest.approx(float(torch.trace(matrix)), rel=1e-10)
        assert (found.inputs, found.kinks) == (1, 0)


def test_published_number_at_one_input() -> None:
    target = Target(6, ((1, 3), (3, 6), (2, 5)), (0.6, 0.64, 0.48))
    found = curvature(target, choose_inputs(6, at="100000"))
    parts = [part.mean for part in (found.gauss_newton, found.residual, found.loss_trace) if part is not None]
    assert parts == pytest.approx([905.126970, -0.099887, 905.027083], abs=1e-6)


def test_means_are_those_of_single_inputs() -> None:
    found = curvature(PAIRS, choose_inputs(4))
    singles = [curvature(PAIRS, choose_inputs(4, at=f"{n:04b}")).residual for n in range(16)]
    values = [one.mean for one in singles if one is not None]
    assert found.residual is not None
    assert found.residual.mean == pytest.approx(math.fsum(values) / 16, rel=1e-12)
    assert (found.residual.smallest, found.residual.largest) == (min(values), max(values))


def test_student_interval_of_a_sample() -> None:
    found = curvature(PAIRS, choose_inputs(4, inputs="random:5", seed=3)).gradient
    drawn = next(choose_inputs(4, inputs="random:5", seed=3).batches(5))
    texts = ["".join(str(int(b)) for b in z) for z in drawn]
    singles = [curvature(PAIRS, choose_inputs(4, at=text)).gradient for text in texts]
    values = torch.tensor([one.mean for one in singles if one is not None], dtype=torch.float64)
    half = 2.7764451051977987 * float(values.std()) / math.sqrt(5)
    assert found is not None
    assert found.interval == pytest.approx((float(values.mean()) - half, float(values.mean()) + half), rel=1e-9)


def test_kinks_are_left_out_by_both_routes() -> None:
    target = Target(3, ((1,),), (1.0,))
    for layout in ("published", "extended"):
        found = curvature(target, choose_inputs(3), layout=layout)  # type: ignore[arg-type]
        assert (found.inputs, found.kinks) == (2, 6)
        nothing = curvature(target, choose_inputs(3, at="110"), layout=layout)  # type: ignore[arg-type]
        assert nothing.gradient is None
        assert nothing.loss_trace is None
    assert has_closed_form(target, "published")
    assert not has_closed_form(SIGNED, "published")


def test_doubled_spread() -> None:
    assert Spread(1.0, -2.0, 3.0, (0.5, 1.5)).doubled() == Spread(2.0, -4.0, 6.0, (1.0, 3.0))


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_second_derivatives_vanish_outside_of_three_blocks(mlp: Trapezoid) -> None:
    """Overlapping sets: the diagonal of the network's Hessian by automatic differentiation, block by block."""
    bits = bit_strings(4, 0, 16)[[2, 6, 9, 13]].bool()
    batch = TargetBatch.stack([PAIRS] * 4)
    blocks = build(batch, mlp=mlp)
    diagonal = torch.stack(
        [autodiff.hessian(blocks[n : n + 1], batch[n : n + 1], bits[n]).diagonal() for n in range(4)]
    )
    found = derivatives(batch, bits[:, None], mlp=mlp).trace
    for name, part in autodiff.parameters(blocks).items():
        expected = found[name][:, 0] if name in found else torch.zeros(4, dtype=torch.float64)
        torch.testing.assert_close(diagonal[:, part].sum(-1), expected, rtol=1e-9, atol=1e-9)
    assert all(float(trace.abs().max()) > 0.01 for trace in found.values())


# --- what the proofs assume -----------------------------------------------------------------------

FAR: list[Point] = [
    {"T": 24, "D": 1, "omega": 24, "u": 1, "c": (24.0**-4, *[1.0] * 23), "S": tuple((k,) for k in range(1, 25)),
     "x_n": 2**23 + 5},
    {"T": 40, "D": 2, "omega": 3, "u": 2, "c": (1.0, 0.5, 40.0**-4), "S": ((1, 2), (2, 3), (39, 40)), "x_n": 2**39 + 3},
    {"T": 20, "D": 20, "omega": 1, "u": 1, "c": (1.0,), "S": (tuple(range(1, 21)),), "x_n": 12345},
    PAIRS_OF_TWENTY | {"x_n": 99},
]  # fmt: skip
"""Lengths and degrees beyond those that are sampled, coefficients at the floor, as many components as bits."""
AXIOMS = (rows.whole, rows.error, rows.w2, rows.f, rows.w1)


def values(claim: Claim, points: list[Point]) -> tuple[np.ndarray, np.ndarray]:
    left, right = (side_values(side, points, "cpu") for side in (claim.left, claim.right))
    there = np.isfinite(left)
    return left[there], right[there]


@pytest.mark.parametrize(
    "axiom", [member for axiom in AXIOMS for member in axiom.members], ids=lambda found: found.label
)
def test_axioms_hold_far_out(axiom: Claim) -> None:
    left, right = values(axiom, FAR)
    assert len(left) >= 3
    np.testing.assert_allclose(left, right, rtol=1e-8, atol=1e-9)
