"""Traces of the mean loss's Hessian under noise, against whole Hessians and against the loss itself."""

from fractions import Fraction

import pytest
import torch
from scipy.stats import binom
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import noise_traces, random_functions, tilings, trace_flow
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, hessian, repeat
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.perturbation import quantile
from boundaudit.numeric.sharpness.target import TargetBatch

NINE_TENTHS = Fraction(9, 10)
BITS = bit_strings(2, 0, 4)


def _trace(blocks: Blocks, batch: TargetBatch) -> float:
    """Tr Hess of the mean loss of one network from whole Hessians."""
    error = (forward(blocks, batch, BITS) - evaluate_batch(batch, BITS))[0]
    slope = flatten(gradients(repeat(blocks, 4), batch.repeat(4), BITS)).square().sum(-1)
    bent = torch.stack([hessian(blocks, batch, row).trace() for row in BITS])
    return float((2 * slope + 2 * error * bent).mean())


@pytest.mark.slow
def test_traces_are_those_of_whole_hessians(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without noise and under a given draw of it, network by network."""
    batch = random_functions(2, 2, 1, 2, 0)
    plain = build(batch)
    noise = gaussian(batch, plain, 5)
    monkeypatch.setattr(trace_flow, "gaussian", lambda *_: noise)
    found = noise_traces(batch, [0.1, 0.3], 2, inputs=4, seed=0)
    assert (found.inputs, found.parameters) == (4, sum(weight[0].numel() for _, weight in plain.named()))
    for n in range(2):
        one = slice(n, n + 1)
        assert float(found.plain[n]) == pytest.approx(_trace(plain[one], batch[one]), rel=1e-10)
        for place, sigma in enumerate((0.1, 0.3)):
            wanted = _trace(moved(plain, noise, sigma)[one], batch[one])
            assert float(found.noisy[1, place, n]) == pytest.approx(wanted, rel=1e-9)
            assert float(found.change[1, place, n]) == pytest.approx(abs(wanted - float(found.plain[n])), rel=1e-6)


def test_the_average_along_the_flow_is_what_the_loss_needs() -> None:
    """Both are means over draws."""
    found = noise_traces(tilings(20, 4, 1, 1), [0.04], 6, inputs=16, seed=1)
    gap = (found.flow - found.rise).flatten()
    error = float(gap.std()) / len(gap) ** 0.5
    assert error < 0.01 * float(found.plain[0])
    assert abs(float(gap.mean())) < 4 * error
    assert float(found.rise.mean()) == pytest.approx(float(found.plain[0]), rel=0.03)


def test_variances_along_the_flow_are_spread_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in each of as many parts as there are draws, network by network."""
    sizes: list[Tensor] = []

    def recorded(plain: Blocks, noise: Blocks, size: Tensor) -> Blocks:
        sizes.extend([size[3:]] if len(size) == 6 else [])  # behind those of three networks at the end of the flow
        return moved(plain, noise, size)

    monkeypatch.setattr(trace_flow, "moved", recorded)
    noise_traces(tilings(3, 2, 1, 1), [0.5], 5, inputs=4, seed=0)
    parts = (5 * (torch.stack(sizes) / 0.5).square()).floor()
    assert parts.sort(0).values.T.tolist() == [[0, 1, 2, 3, 4]] * 3
    assert parts.unique(dim=1).shape[1] > 1


def test_draws_depend_on_the_seed_alone() -> None:
    batch = random_functions(2, 4, 1, 2, 3)
    once, again, other = (noise_traces(batch, [0.01], 2, inputs=8, seed=seed) for seed in (0, 0, 1))
    assert once.inputs == 8
    assert torch.equal(once.noisy, again.noisy)
    assert torch.equal(once.flow, again.flow)
    assert not torch.equal(once.noisy, other.noisy)


def test_a_quantile_of_a_mixture_is_enclosed() -> None:
    """Fifty draws with chance 0.8 of lying below the mixture's 0.9 quantile, and fifty that always do."""
    _, low, high = quantile(torch.arange(1, 101), NINE_TENTHS)
    assert low is not None
    assert high is not None
    below = binom(50, 0.8)  # + 50
    missed = below.cdf(low - 1 - 50) + below.sf(high - 1 - 50)
    assert 0 < missed < 0.05
    value, *ends = quantile(torch.tensor([1.0, 2.0, torch.inf]), NINE_TENTHS)
    assert (value, ends) == (None, [1.0, None]) or (value, ends) == (None, [None, None])
