"""The softmax's Jacobian against automatic differentiation, and its two bounds on random matrices."""

import pytest
import torch

from boundaudit.numeric.softmax import jacobian, jacobian_product, longest_row, shares


@pytest.fixture
def logits() -> torch.Tensor:
    return 3 * torch.randn(500, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def test_jacobian_is_the_derivative(logits: torch.Tensor) -> None:
    a = shares(logits.exp())
    for row, matrix in zip(logits[:5], jacobian(a)[:5], strict=True):
        expected = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, -1), row)
        torch.testing.assert_close(matrix, expected, rtol=0, atol=1e-15)


def test_product_entry_by_entry() -> None:
    a = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]], dtype=torch.float64)
    v = torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64)
    # The mean of v is 2.25, so a (v - mean) = (-0.625, -0.0625, 0.6875).
    expected = torch.tensor([-0.625 + 2 * 0.6875, -0.0625 - 0.6875], dtype=torch.float64)
    torch.testing.assert_close(jacobian_product(a, x, v), expected)


def test_constant_one_for_matrices(logits: torch.Tensor) -> None:
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(500, 5, 3, dtype=torch.float64, generator=generator)
    v = torch.randn(500, 5, dtype=torch.float64, generator=generator)
    ratio = jacobian_product(shares(logits.exp()), x, v).norm(dim=-1) / (longest_row(x) * v.abs().amax(-1))
    assert 0.1 < float(ratio.max()) <= 1


def test_change_of_the_jacobian(logits: torch.Tensor) -> None:
    a, b = shares(logits[:250].exp()), shares(logits[250:].exp())
    ratio = torch.linalg.matrix_norm(jacobian(b) - jacobian(a), 1) / (b - a).abs().sum(-1)
    assert 0.5 < float(ratio.max()) <= 1
    p, q = 1e-6, 2e-6
    small = [torch.tensor([w, 1 - w], dtype=torch.float64) for w in (p, q)]
    change = torch.linalg.matrix_norm(jacobian(small[1]) - jacobian(small[0]), 1)
    assert float(change / (small[1] - small[0]).abs().sum()) == pytest.approx(1 - p - q, rel=1e-8)


def test_tiny_exponentials_have_shares() -> None:
    torch.testing.assert_close(shares(torch.tensor([5e-324, 5e-324], dtype=torch.float64)).sum().item(), 1.0)
