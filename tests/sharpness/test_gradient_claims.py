"""Claims about Theorem 14: where bounds are attained, and that what the proofs assume holds far out."""

from collections.abc import Sequence

import numpy as np
import pytest

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients import blocks, rows, total

from .stated import case

# --- where bounds are attained ---------------------------------------------------------------------


def values(side: object, points: Sequence[Point]) -> np.ndarray:
    return side_values(side, points, "cpu")


@pytest.mark.parametrize("degree", range(1, 8))
@pytest.mark.parametrize("width", [1, 2])
def test_gamma_and_m_are_attained_at_every_degree(degree: int, width: int) -> None:
    """All bits set, one component: half of the units' squared output weights are on."""
    whole = tuple(range(1, degree + 1))
    point: Point = {
        "T": 8, "D": degree, "omega": 1, "u": width, "c": (1.0,), "S": (whole,), "x_n": 255,
    }  # fmt: skip
    for claim in blocks.sharp[2:]:
        ideal = case(claim, "ideal")
        assert values(ideal.left, [point])[0] == pytest.approx(32 * degree**2 * (degree + 1) / width**2, rel=1e-12)


def test_the_sharp_bound_at_the_example() -> None:
    """T = 20, D = 2, ω = 10: 2 + 10 (3/8 + 768) + 88/400 and F's part, below the printed 15524."""
    point: Point = {"T": 20, "D": 2, "omega": 10, "u": 1}
    log = np.log(20) ** 2
    f = 10 * (5.390625 * (1 + log) + 10 * 4.5625 * log / 4)
    assert values(total.sharp.right, [point])[0] == pytest.approx(2 + 3.75 + 7680 + 0.22 + f, rel=1e-12)


# --- what the proofs assume -----------------------------------------------------------------------

AXIOMS = [rows.weights, rows.live, rows.top, rows.risen, rows.keys, rows.v1, rows.w1, rows.v2, rows.w2, rows.f,
          rows.gamma, rows.m, rows.blocks]  # fmt: skip
FAR: list[Point] = [
    {"T": 24, "D": 1, "omega": 24, "u": 1, "c": (24.0**-4, *[1.0] * 23), "S": tuple((k,) for k in range(1, 25)),
     "x_n": 2**23 + 5},
    {"T": 40, "D": 2, "omega": 3, "u": 2, "c": (1.0, 0.5, 40.0**-4), "S": ((1, 2), (2, 3), (39, 40)), "x_n": 2**39 + 3},
    {"T": 20, "D": 10, "omega": 2, "u": 1, "c": (1.0, 0.25), "S": (tuple(range(1, 11)), tuple(range(11, 21))),
     "x_n": 12345},
]  # fmt: skip
"""Lengths and degrees beyond those that are sampled, coefficients at the floor, as many components as bits."""


@pytest.mark.parametrize("axiom", [case_ for axiom in AXIOMS for case_ in axiom.members], ids=lambda axiom: axiom.label)
def test_axioms_hold_far_out(axiom: Claim) -> None:
    left, right = values(axiom.left, FAR), values(axiom.right, FAR)
    assert np.isfinite(left).sum() >= 2
    there = np.isfinite(left)
    np.testing.assert_allclose(left[there], right[there], rtol=1e-8, atol=1e-9)
