"""Exactness at finite length: the claims, against exact fractions and loops."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.sharpness.exactness import loss, plateaus

from .cases import OFFSETS, wave
from .stated import case


def averaged(length: int, degree: int, k: int, r: int) -> Fraction:
    return Fraction(k * length**2 + r, degree * length**2 + length + 1 - degree)


def error(length: int, degree: int, k: int, r: int, width: int, c: Fraction) -> Fraction:
    """One component {1…D}: the network minus the target, in fractions."""
    active = wave(averaged(length, degree, k, r), degree, width)
    unused = wave(Fraction(k + r, length + 1), degree, width)
    total = c * length**2 + length
    return c * (c * length**2 * active + length * unused) / total - c * (1 - k % 2)


def counts(lengths: range) -> list[tuple[int, int, int, int]]:
    return [(t, d, k, r) for t in lengths for d in range(1, t + 1) for k in range(d + 1) for r in range(t - d + 1)]


@pytest.mark.parametrize("width", OFFSETS)
def test_active_rows_in_fractions(width: int) -> None:
    """Off the parity for the wide trapezoid at T = 2, D = 1, k = 1 alone; never for the steep one."""
    off = {
        (t, d, k, r, wave(averaged(t, d, k, r), d, width))
        for t, d, k, r in counts(range(2, 11))
        if wave(averaged(t, d, k, r), d, width) != 1 - k % 2
    }
    assert off == ({(2, 1, 1, 0, Fraction(1, 6))} if width == 2 else set())


def test_the_plateaus_in_fractions() -> None:
    """The condition fails at T = 2, D = 1 alone and is met with equality at T = 3, D = 1 alone."""
    worst = {(t, d): max(abs(averaged(t, d, k, r) - Fraction(k, d)) * 4 * d for k in range(d + 1)
                         for r in range(t - d + 1)) for t in range(2, 13) for d in range(1, t + 1)}  # fmt: skip
    assert {at for at, value in worst.items() if value > 1} == {(2, 1)}
    assert {at for at, value in worst.items() if value == 1} == {(3, 1)}
    assert max(value for (t, _), value in worst.items() if t >= 4) == Fraction(4, 5)


@pytest.mark.parametrize("width", OFFSETS)
def test_measured_active_rows(width: int) -> None:
    points = [{"T": t, "D": d, "k": k, "r": r, "u": width} for t, d, k, r in counts(range(2, 7))]
    claim = case(plateaus.active, "wide" if width == 2 else "steep")
    expected = [float(wave(averaged(p["T"], p["D"], p["k"], p["r"]), p["D"], width)) for p in points]
    assert np.abs(Batch.measure(claim, points, "cpu").left - expected).max() < 1e-12


def test_the_loss_in_fractions() -> None:
    points: list[dict[str, Any]] = [
        {"T": t, "D": d, "k": k, "r": r, "u": 1, "C": 0.75} for t, d, k, r in counts(range(3, 8))
    ]
    losses = [error(p["T"], p["D"], p["k"], p["r"], 1, Fraction(3, 4)) ** 2 for p in points]
    batch = Batch.measure(loss.loss_upper, points, "cpu")
    assert np.abs(batch.left - np.array([float(value) for value in losses])).max() < 1e-13
    assert all(value <= (Fraction(3, 4) / (Fraction(3, 4) * p["T"] + 1)) ** 2
               for value, p in zip(losses, points, strict=True))  # fmt: skip
