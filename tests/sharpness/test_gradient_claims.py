"""Claims about Theorem 14: the verdicts that its mathematics gives, and counterexamples checked by hand."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.language.claim import Claim, side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients import blocks, output_weights, rows, total

from .stated import case


def bits(length: int, free: int, width: int) -> Point:
    """Every bit a component, with equal coefficients just inside the unit ball."""
    c = length**-0.5 * (1 - 2**-50)
    return {"T": length, "D": 1, "omega": length, "u": width, "c": (c,) * length, "n_e": free, "n_r": 0}


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("steep,finite", bits(38, 18, 1)),
        ("wide,finite", bits(42, 21, 2)),
        ("steep,ideal", bits(37, 17, 1)),
        ("wide,ideal", bits(41, 20, 2)),
    ],
)
def test_g_u_fails_in_balls(name: str, point: Point) -> None:
    claim = case(total.printed, name)
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False
    shorter = bits(point["T"] - 2, point["n_e"] - 1, point["u"])
    assert holds_at(claim.statement_form, shorter) is True


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("steep,finite", bits(7, 2, 1) | {"omega": 5, "c": (5**-0.5 * (1 - 2**-50),) * 5}),
        ("wide,finite", bits(6, 3, 2)),
        ("steep,ideal", bits(6, 2, 1) | {"omega": 4, "c": (Fraction(1, 2),) * 4}),
        ("wide,ideal", bits(5, 2, 2)),
    ],
)
def test_the_term_of_f_fails_at_short_lengths(name: str, point: Point) -> None:
    claim = case(output_weights.printed, name)
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False


def test_the_floor_is_needed() -> None:
    point = {"T": 4, "D": 1, "omega": 3, "u": 1, "c": (0.7, 0.7, 1e-40), "n_e": 1, "n_r": 0}
    claim = case(total.printed, "no-floor")
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False


# --- where bounds are attained ---------------------------------------------------------------------


def values(side: object, points: Sequence[Point]) -> np.ndarray:
    return side_values(side, points, "cpu")


@pytest.mark.parametrize("claim", blocks.sharp, ids=lambda claim: claim.label)
def test_attained_in_the_ideal_network(claim: Claim) -> None:
    ideal = case(claim, "ideal")
    points = [{name: tuple(map(float, v)) if name == "c" else v for name, v in p.items()} for p in ideal.equality]
    np.testing.assert_allclose(values(ideal.left, points), values(ideal.right, points), rtol=1e-12)


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
