"""The expected norm of a projected matrix: quadrature, moments, and one case by hand."""

from __future__ import annotations

import pytest
import torch

from boundaudit.numeric.sharpness.projection import expected_squared_norm, moments


def test_one_entry_by_hand() -> None:
    # J is one standard normal g over √d: E (w g²)² = 3 w².
    weight = torch.tensor([[[2.0]]], dtype=torch.float64)
    assert float(expected_squared_norm(weight, 1)) == pytest.approx(12.0, rel=1e-14)


@pytest.mark.parametrize(("n", "width"), [(1, 3), (2, 1), (2, 3), (3, 2), (4, 2)])
def test_quadrature_agrees_with_moments_for_any_matrix(n: int, width: int) -> None:
    weight = torch.randn((5, n, n), dtype=torch.float64, generator=torch.Generator().manual_seed(n))
    torch.testing.assert_close(expected_squared_norm(weight, width), moments(weight, width), rtol=1e-12, atol=1e-12)


def test_a_trace_matters() -> None:
    symmetric = torch.eye(2, dtype=torch.float64)[None]
    swapped = symmetric.flip(-1)
    same_norm = symmetric.square().sum() == swapped.square().sum()
    assert same_norm
    assert float(expected_squared_norm(symmetric, 1)) == pytest.approx(2 + (4 + 2) / 1, rel=1e-14)
    assert float(expected_squared_norm(swapped, 1)) == pytest.approx(2 + (0 + 2) / 1, rel=1e-14)
