"""Tails of sums of squares of normal variables, against chi-square laws and draws."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import stats

from boundaudit.numeric.sharpness.normal_sums import tail

from .cases import column


def test_alike_entries_have_a_chi_square_tail() -> None:
    """Without an entry of its own variance the tail is SciPy's, from two channels on."""
    channels = column(2, 3, 8, 22, 100)
    found = tail(torch.full((5,), 2.0, dtype=torch.float64), torch.zeros(5, dtype=torch.float64), channels, column(
        3.0, 3.0, 5.6, 7.5, 16.0))  # fmt: skip
    expected = stats.chi2.sf(np.array([3.0, 3.0, 5.6, 7.5, 16.0]) ** 2 / 2, channels.numpy())
    assert found.numpy() == pytest.approx(expected, rel=1e-4, abs=1e-12)
    assert found.numpy()[2:] == pytest.approx(expected[2:], abs=1e-12)


def test_one_entry_of_its_own_variance_agrees_with_draws() -> None:
    """Draws of 22 entries, the last of variance 310 against 10."""
    entries = np.random.default_rng(0).standard_normal((200_000, 22)) * np.sqrt(10)
    entries[:, -1] *= np.sqrt(31)
    share = float((np.linalg.norm(entries, axis=1) > 40).mean())
    found = float(tail(column(10), column(300), column(22), column(40))[0])
    assert abs(found - share) < 4 * (share / len(entries)) ** 0.5
