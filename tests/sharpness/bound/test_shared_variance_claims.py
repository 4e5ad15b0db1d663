"""Theorem 2: the norm's root gives less than the printed bound, and the chain's own numbers."""

from __future__ import annotations

import math

import pytest

from boundaudit.checks.sharpness.bound import shared_variance as chain


def test_the_chain_ends_in_the_printed_bound() -> None:
    found = chain.chain.measure(points=2, seed=0, device="cpu")
    wide, steep = found.samples
    assert wide.values[6] == pytest.approx(0.2390674784, abs=1e-10)
    assert steep.values[6] == wide.values[6]
    norm_part = 0.01 * math.sqrt(2 * (1492.69434834 / (2 * 2.265676e-3**2) + math.log(20)) / 10**6)
    assert steep.values[1] - steep.values[0] == pytest.approx(norm_part, rel=1e-6)
    assert found.holds[2], "the second-order term is the mean loss under noise within the draws' error"
    assert not found.holds[4], "the printed L is not above the steep construction's norm"
    assert not found.holds[5], "the loss at the construction is not zero"
