"""The trace of the mean loss's Hessian under noise on every parameter, beside its average along the heat flow.

With ε standard normal, θ the construction and L the mean squared error over some inputs,

    E L(θ + σε) = L(θ) + ½ ∫_0^{σ²} E tr Hess L(θ + √v ε) dv,

where the Hessian counts kinks as well. What exists almost everywhere is in closed form for any weights; kinks show as
what is missing in the rise of the loss, which is measured beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.fourier.targets import random_sparse
from boundaudit.numeric.sharpness.any_weights import slopes
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, repeat
from boundaudit.numeric.sharpness.bound.examples import example_target
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import TargetBatch

HELD = {"cpu": 2**14, "cuda": 2**25}
"""Attention weights that networks hold at once: as many as a cache has room for, or as fill a GPU."""


class NoiseTraces(NamedTuple):
    """B networks under n draws of noise of S sizes; L is the mean squared error over the inputs.

    Attributes:
        plain: tr Hess L without noise, shape (B,).
        loss: L without noise, shape (B,).
        noisy: tr Hess L almost everywhere at θ + σε, shape (n, S, B).
        flow: the same at θ + √v ε, v uniform in one of n equal parts of [0, σ²], another for each draw: the mean over
            draws estimates the average along the flow; shape (n, S, B).
        rise: 2/σ² times the mean of L(θ ± σε) less L(θ), with (∇f·ε)² as control variate, shape (n, S, B); its mean is
            that average, kinks included.
        parameters: how many each network has.
        inputs: over how many inputs L is the mean.
    """

    plain: Tensor
    loss: Tensor
    noisy: Tensor
    flow: Tensor
    rise: Tensor
    parameters: int
    inputs: int

    @property
    def change(self) -> Tensor:
        """By how much noise changes the trace, in absolute value, shape (n, S, B)."""
        return (self.noisy - self.plain).abs()


def random_functions(count: int, length: int, degree: int, sparsity: int, seed: int) -> TargetBatch:
    """Functions as the experiments of Lintilhac & Shaikh 2026 draw them, with coefficients of unit length."""
    members, coefficients = random_sparse(count, length, degree, sparsity, seed=seed)
    return TargetBatch.from_tensors(torch.full((count,), length), members, coefficients)


def tilings(count: int, length: int, degree: int, sparsity: int) -> TargetBatch:
    """One function several times: components side by side, or random ones where these do not fit, equally weighted."""
    return TargetBatch.stack([example_target(length, degree, sparsity)] * count)


def noise_traces(
    batch: TargetBatch, sigmas: Sequence[float], draws: int, *, inputs: int, seed: int, device: str = "cpu",
    told: Callable[[int], None] = lambda done: None,
) -> NoiseTraces:  # fmt: skip
    """Perturb the constructions of functions of one class; all sizes of noise and all devices see the same draws.

    Args:
        batch: B functions of one length and degree, on the CPU.
        sigmas: standard deviations σ.
        draws: n, at least 2, of noise for each network.
        inputs: up to how many inputs all of them are taken, else a uniform sample of that size, the same for all.
        seed: of the inputs, and with T, D and ω of the noise.
        device: where to compute.
        told: called after each draw with the number of networks so far.
    """
    length = batch.max_length
    chosen = choose_inputs(length, inputs="all" if 2**length <= inputs else f"random:{inputs}", seed=seed)
    bits = torch.cat(list(chosen.batches(inputs))).to(device)
    batch = TargetBatch(*(field.to(device) for field in vars(batch).values()))
    plain, wanted = build(batch), evaluate_batch(batch, bits)
    before, loss = _mean_loss(plain, batch, bits, wanted)
    gradient = torch.stack([_gradients(plain[n : n + 1], batch[n : n + 1], bits) for n in range(len(batch))])
    expected = gradient.square().sum(-1).mean(-1)
    random = np.random.default_rng([seed, length, int(batch.degree[0]), int(batch.sparsity[0])])
    parts = np.stack([random.permutation(draws) for _ in range(len(batch))], axis=1)
    shares = torch.from_numpy((parts + random.random(parts.shape)) / draws).to(device)
    many = _several(batch, 2 * len(sigmas))
    sizes = torch.tensor(sigmas, dtype=torch.float64, device=device)[:, None].expand(-1, len(batch))
    rows = []
    for share, drawn in zip(shares, random.integers(2**63, size=draws).tolist(), strict=True):
        noise = gaussian(batch, plain, drawn)
        control = 2 * (expected - (gradient @ flatten(noise)[..., None]).square().mean((-2, -1)))

        def under(scales: Tensor, noise: Blocks = noise) -> Blocks:
            """All networks under all sizes of this noise."""
            return moved(repeat(plain, len(scales)), repeat(noise, len(scales)), scales.flatten())

        traces, losses = _mean_loss(under(torch.cat([sizes, sizes * share.sqrt()])), many, bits, wanted)
        other = _loss(under(-sizes), many[: sizes.numel()], bits, wanted)
        (here, below), one = traces.view(2, *sizes.shape), losses[: sizes.numel()]
        rise = ((one + other).view_as(sizes) - 2 * loss) / sizes.square() + control
        rows.append(torch.stack([here, below, rise]))
        told(len(rows) * sizes.numel())
    noisy, flow, rise = torch.stack(rows, 1).cpu()
    count = sum(weight[0].numel() for _, weight in plain.named())
    return NoiseTraces(before.cpu(), loss.cpu(), noisy, flow, rise, count, len(bits))


def _several(batch: TargetBatch, count: int) -> TargetBatch:
    """All targets of a batch one after another, ``count`` times."""
    return TargetBatch(*(field.repeat(count, *(1 for _ in field.shape[1:])) for field in vars(batch).values()))


def _gradients(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """∇f of one network at each input, shape (N, p)."""
    return flatten(gradients(repeat(blocks, len(bits)), batch.repeat(len(bits)), bits))


def _mean_loss(blocks: Blocks, batch: TargetBatch, bits: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Tr Hess L and L of each network, L the mean of (f - y)² over the inputs, each of shape (S B,)."""

    def both(part: Blocks, some: TargetBatch, rows: Tensor, right: Tensor) -> Tensor:
        output, gradient, laplacian = slopes(part, some, rows)
        error = output - right
        return torch.stack([2 * gradient + 2 * error * laplacian, error.square()])

    traces, losses = _mean(both, blocks, batch, bits, wanted)
    return traces, losses


def _loss(blocks: Blocks, batch: TargetBatch, bits: Tensor, wanted: Tensor) -> Tensor:
    """L alone."""

    def squares(part: Blocks, some: TargetBatch, rows: Tensor, right: Tensor) -> Tensor:
        return (trace(part, some, rows).output - right).square()

    return _mean(squares, blocks, batch, bits, wanted)


def _mean(
    measure: Callable[[Blocks, TargetBatch, Tensor, Tensor], Tensor], blocks: Blocks, batch: TargetBatch, bits: Tensor,
    wanted: Tensor,
) -> Tensor:  # fmt: skip
    """The mean over inputs of what is measured of each network there, as many pairs at once as are held."""
    pairs = max(1, HELD[bits.device.type] // (batch.max_length + 1) ** 2)
    inputs = min(len(bits), pairs)
    networks = max(1, pairs // inputs)
    right = wanted.repeat(len(batch) // len(wanted), 1)
    found = []
    for start in range(0, len(batch), networks):
        some = slice(start, start + networks)
        each = zip(torch.split(bits, inputs), torch.split(right[some], inputs, 1), strict=True)
        sums = [measure(blocks[some], batch[some], rows, values).sum(-1) for rows, values in each]
        found.append(torch.stack(sums).sum(0) / len(bits))
    return torch.cat(found, dim=-1)
