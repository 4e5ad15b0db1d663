"""Theorem 10: the claims on the norm, against numbers that stand apart from the suite's formulas."""

from __future__ import annotations

import math
from typing import Any

import pytest

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.run.shipped import registry_for


def claim(name: str) -> Claim:
    return registry_for((f"sharpness.norms.{name}",)).members[f"sharpness.norms.{name}"]


def sides(name: str, point: dict[str, Any]) -> tuple[float, float]:
    batch = Batch.measure(claim(name), [point], "cpu")
    return float(batch.left[0]), float(batch.right[0])


def one_bit(length: int, width: int) -> dict[str, Any]:
    return {"T": length, "D": 1, "omega": 1, "u": width, "c": (1,), "S": ((1,),)}


def printed(length: int, degree: int, sparsity: int) -> float:
    """The printed L, typed from the paper's terms."""
    log = math.log(length)
    f, gamma_and_m = 16 * degree**2 * (degree + 1), 8 * (degree + 1)
    return f + gamma_and_m + 1 + sparsity + 4 * log**2 * (sparsity * degree + sparsity)


def test_the_printed_bound_at_its_own_example() -> None:
    root = 10**-0.5 * (1 - 2**-50)
    pairs = tuple((n, n + 10) for n in range(1, 11))
    left, right = sides("total.printed[steep]", {"T": 20, "D": 2, "omega": 10, "u": 1, "c": (root,) * 10, "S": pairs})
    assert right == pytest.approx(printed(20, 2, 10), rel=1e-14)
    assert right == pytest.approx(1303.93, abs=5e-3)  # as the paper prints it
    assert left == pytest.approx(1492.694348, abs=5e-7)


@pytest.mark.parametrize(("width", "total"), [(1, 104.933216), (2, 58.183216)])
def test_one_bit_of_six(width: int, total: float) -> None:
    # F: two quadruple entries squared, 64 or 16; Gamma: 5.25 or 6.5; then M, V1, V2, W1 and W2.
    f, gamma = (64, 5.25) if width == 1 else (16, 6.5)
    by_hand = f + gamma + 8 + 1 + 1 + 8 * math.log(6) ** 2
    left, _ = sides("total.repaired", one_bit(6, width))
    assert left == pytest.approx(by_hand, rel=1e-14)
    assert left == pytest.approx(total, abs=5e-7)
