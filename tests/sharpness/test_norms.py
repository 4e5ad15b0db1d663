"""Theorem 10: the claim on the printed norm, against numbers that stand apart from the suite's formulas."""

from __future__ import annotations

import math

import pytest

from boundaudit.checks.sharpness import norms

from .stated import sides


def printed(length: int, degree: int, sparsity: int) -> float:
    """The printed L, typed from the paper's terms."""
    log = math.log(length)
    f, gamma_and_m = 16 * degree**2 * (degree + 1), 8 * (degree + 1)
    return f + gamma_and_m + 1 + sparsity + 4 * log**2 * (sparsity * degree + sparsity)


def test_the_printed_bound_at_its_own_example() -> None:
    root = 10**-0.5 * (1 - 2**-50)
    pairs = tuple((n, n + 10) for n in range(1, 11))
    left, right = sides(norms.total_printed, "steep", T=20, D=2, omega=10, u=1, c=(root,) * 10, S=pairs)
    assert right == pytest.approx(printed(20, 2, 10), rel=1e-14)
    assert right == pytest.approx(1303.93, abs=5e-3)  # as the paper prints it
    assert left == pytest.approx(1492.694348, abs=5e-7)
