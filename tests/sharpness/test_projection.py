"""What a random projection does: norms, tails of lengths and products, errors of logits."""

import math

import mpmath
import pytest
import torch

from boundaudit.numeric.sharpness.projected_network import first_logits, relation, second_logits, second_weights
from boundaudit.numeric.sharpness.projection import (
    any_length_upper,
    deviation,
    first_error,
    length_lower,
    length_upper,
    product_upper,
    second_error,
    sharers,
)
from boundaudit.numeric.sharpness.target import TargetBatch

from .cases import SMALL, TARGETS


@pytest.mark.parametrize(("width", "error"), [(2, 0.0), (2, 1.0), (7, 0.3), (100, 0.5), (1024, 0.1), (1024, 1.0)])
def test_length_tails_by_mpmath(width: int, error: float) -> None:
    d, e = torch.tensor([width]), torch.tensor([error], dtype=torch.float64)
    half = mpmath.mpf(width) / 2
    upper = mpmath.gammainc(half, half * (1 + mpmath.mpf(error)), regularized=True)
    lower = mpmath.gammainc(half, 0, half * (1 - mpmath.mpf(error)), regularized=True)
    assert float(length_upper(d, e)) == pytest.approx(float(upper), rel=2e-9)
    assert float(length_lower(d, e)) == pytest.approx(float(lower), rel=2e-9, abs=1e-300)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "error"), [(2, 0.0), (3, 0.5), (8, 1.0), (64, 0.25), (256, 1.0), (1024, 0.5)])
def test_product_tail_by_another_integral(width: int, error: float) -> None:
    # ⟨x, y⟩ is half the difference of two chi-squares of d degrees: integrate over one of them.
    half = mpmath.mpf(width) / 2

    def integrand(b: mpmath.mpf) -> mpmath.mpf:
        density = mpmath.exp((half - 1) * mpmath.log(b) - b / 2 - half * mpmath.log(2) - mpmath.loggamma(half))
        return density * mpmath.gammainc(half, half * (b / width + 2 * mpmath.mpf(error)), regularized=True)

    spread = mpmath.sqrt(2 * width)
    nodes = [0, *(width + k * spread for k in range(-20, 9) if width + k * spread > 0), width + 40 * spread]
    expected = mpmath.quad(integrand, nodes)
    found = product_upper(torch.tensor([width]), torch.tensor([error], dtype=torch.float64))
    assert -math.log(float(found)) == pytest.approx(float(-mpmath.log(expected)), rel=1e-9)


def _deviated() -> tuple[TargetBatch, torch.Tensor, torch.Tensor]:
    batch = TargetBatch.stack([TARGETS[name] for name in SMALL])
    error = torch.linspace(0.01, 0.7, len(SMALL), dtype=torch.float64)
    return batch, error, deviation(batch, error, torch.arange(len(SMALL)))


def test_deviations_are_symmetric_of_one_size_and_do_not_depend_on_the_batch() -> None:
    batch, error, off = _deviated()
    assert torch.equal(off, off.mT)
    for b in range(len(batch)):
        real = [*range(int(batch.length[b])), -1]
        block = off[b][real][:, real]
        assert block.abs().eq(error[b]).all()
        alone = deviation(TargetBatch.stack([TARGETS[SMALL[b]]]), error[b : b + 1], torch.tensor([b]))
        assert torch.equal(alone[0], block)


def test_errors_of_logits_are_differences_of_logits() -> None:
    batch, _, off = _deviated()
    products = torch.eye(off.shape[-1], dtype=torch.float64) + off
    first = (first_logits(batch, products) - relation(batch)).abs()
    second = (second_logits(batch, products) - second_weights(batch)).abs()
    torch.testing.assert_close(first_error(batch, off), first, rtol=1e-11, atol=1e-12)
    torch.testing.assert_close(second_error(batch, off), second, rtol=1e-11, atol=1e-11)


def test_sharers_counts_components() -> None:
    batch = TargetBatch.stack([TARGETS["three pairs"]])
    assert sharers(batch)[0].tolist() == [1, 2, 1, 0, 1, 1, 0]


def test_one_of_several_lengths_by_two_degrees_of_freedom() -> None:
    """χ²_2 exceeds 2(1+η) with probability exp(-(1+η)); three of them are independent."""
    found = any_length_upper(torch.tensor([3, 3]), torch.tensor([2, 2]), torch.tensor([0.5, 60.0], dtype=torch.float64))
    single = math.exp(-1.5)
    assert float(found[0]) == pytest.approx(1 - (1 - single) ** 3, rel=1e-12)
    assert float(found[1]) == pytest.approx(3 * math.exp(-61), rel=1e-12)
