"""Exactness at finite length: the claims, against exact fractions and loops."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.sharpness import exactness
from boundaudit.numeric.sharpness.target import Target

from .cases import OFFSETS, in_fractions, wave
from .stated import case


def averaged(length: int, degree: int, k: int, r: int) -> Fraction:
    return Fraction(k * length**2 + r, degree * length**2 + length + 1 - degree)


def error(length: int, degree: int, k: int, r: int) -> Fraction:
    """One component {1…D}: the network minus the target, in fractions."""
    target = Target(length, (tuple(range(1, degree + 1)),), (0.75,))
    bits = [1] * k + [0] * (degree - k) + [1] * r + [0] * (length - degree - r)
    return in_fractions(target, bits, power=length**2) - Fraction(3, 4) * (1 - k % 2)


def counts(lengths: range) -> list[tuple[int, int, int, int]]:
    return [(t, d, k, r) for t in lengths for d in range(1, t + 1) for k in range(d + 1) for r in range(t - d + 1)]


@pytest.mark.parametrize("width", OFFSETS)
def test_measured_active_rows(width: int) -> None:
    points = [{"T": t, "D": d, "k": k, "r": r, "u": width} for t, d, k, r in counts(range(2, 7))]
    claim = case(exactness.plateaus_active, "wide" if width == 2 else "steep")
    expected = [float(wave(averaged(p["T"], p["D"], p["k"], p["r"]), p["D"], width)) for p in points]
    assert np.abs(Batch.measure(claim, points, "cpu").left - expected).max() < 1e-12


def test_the_loss_in_fractions() -> None:
    points: list[dict[str, Any]] = [
        {"T": t, "D": d, "k": k, "r": r, "u": 1, "C": 0.75} for t, d, k, r in counts(range(3, 8))
    ]
    losses = [error(p["T"], p["D"], p["k"], p["r"]) ** 2 for p in points]
    batch = Batch.measure(exactness.loss_upper, points, "cpu")
    assert np.abs(batch.left - np.array([float(value) for value in losses])).max() < 1e-13
