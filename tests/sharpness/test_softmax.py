"""The softmax's Jacobian against automatic differentiation and by hand."""

import pytest
import torch

from boundaudit.numeric.softmax import jacobian, jacobian_product, shares


def test_jacobian_is_the_derivative() -> None:
    logits = 3 * torch.randn(5, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    for row, matrix in zip(logits, jacobian(shares(logits.exp())), strict=True):
        expected = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, -1), row)
        torch.testing.assert_close(matrix, expected, rtol=0, atol=1e-15)


def test_product_entry_by_entry() -> None:
    a = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]], dtype=torch.float64)
    v = torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64)
    # The mean of v is 2.25, so a (v - mean) = (-0.625, -0.0625, 0.6875).
    expected = torch.tensor([-0.625 + 2 * 0.6875, -0.0625 - 0.6875], dtype=torch.float64)
    torch.testing.assert_close(jacobian_product(a, x, v), expected)


def test_change_of_the_jacobian() -> None:
    p, q = 1e-6, 2e-6
    small = [torch.tensor([w, 1 - w], dtype=torch.float64) for w in (p, q)]
    change = torch.linalg.matrix_norm(jacobian(small[1]) - jacobian(small[0]), 1)
    assert float(change / (small[1] - small[0]).abs().sum()) == pytest.approx(1 - p - q, rel=1e-8)


def test_tiny_exponentials_have_shares() -> None:
    torch.testing.assert_close(shares(torch.tensor([5e-324, 5e-324], dtype=torch.float64)).sum().item(), 1.0)
