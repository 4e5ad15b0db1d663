"""Sub-Gaussian constants of the squared loss of targets and of perturbed constructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.pac_bayes.subgaussian import proxy
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

ENTRIES = 2**18
"""Losses of perturbed networks held at once."""


class Constants(NamedTuple):
    """What is known of the loss of each of n networks, every tensor of shape (n,)."""

    two_sided: Tensor  # the sub-Gaussian constant for both tails
    lower: Tensor  # for the tail of small losses, all that an upper bound on the risk needs
    second_moment: Tensor  # E ℓ²
    mean: Tensor  # the risk
    largest: Tensor  # the largest loss


class UnderNoise(NamedTuple):
    """Estimates over a Gaussian posterior around the construction, from some of its draws and of the inputs."""

    loss: float  # the mean loss
    lower: float  # √(E_ρ S(θ)²) for the tail of small losses, all that an upper bound needs
    two_sided: float  # the same for both tails
    largest: float  # the largest two-sided constant of a draw
    draws: int
    inputs: int


def constants(losses: Tensor) -> Constants:
    """The constants of losses (n, N) on equally likely inputs."""
    return Constants(
        proxy(losses).value, proxy(losses, side="lower").value, losses.square().mean(-1), losses.mean(-1),
        losses.amax(-1),
    )  # fmt: skip


def losses(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """Squared errors (B, N) of networks at inputs (N, T_max)."""
    return (forward(blocks, batch, bits) - evaluate_batch(batch, bits)).square()


def exceeds(losses: Tensor, limit: float) -> Tensor:
    """Whether the two-sided constant of losses (n, N) on equally likely inputs is beyond a limit, bool, (n,).

    The standard deviation below and half the range above settle most.
    """
    beyond = losses.std(-1, correction=0) > limit
    span = losses.amax(-1) - losses.amin(-1)
    open_ = ~beyond & (span / 2 > limit)
    if bool(open_.any()):
        beyond[open_] = proxy(losses[open_]).value > limit
    return beyond


def perturbed_losses(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float | Mapping[str, float], draws: int, seed: int
) -> Iterator[Tensor]:
    """Losses of one network under noise on every parameter, a few draws (n, N) at a time; the same on every device.

    Inputs (N, T) are all of them, or a sample whose own law is then measured; σ is one, or one for each block by name.
    """
    some = max(1, ENTRIES // len(bits))
    seeds = np.random.SeedSequence(seed).generate_state(-(-draws // some)).tolist()
    for start, own in zip(range(0, draws, some), seeds, strict=True):
        copies = batch.repeat(min(some, draws - start))
        named = (weight.repeat(len(copies), *(1,) * (weight.ndim - 1)) for _, weight in blocks.named())
        still = blocks.with_weights(list(named))
        noise = gaussian(copies, still, own)
        if isinstance(sigma, Mapping):
            noisy = moved(still, noise.with_weights([sigma[name] * e for name, e in noise.named()]), 1.0)
        else:
            noisy = moved(still, noise, sigma)
        yield losses(noisy, copies, bits)


def under_noise(
    target: Target, sigma: float | Mapping[str, float], *, mlp: Trapezoid = "steep", draws: int = 60,
    inputs: int = 2**9, seed: int = 0, device: str = "cpu",
) -> UnderNoise:  # fmt: skip
    """The loss under noise, and how large S(θ) is there in the mean square.

    σ is one for all parameters or one for each block. The inputs are random and their own law is measured: rare large
    losses are missed.
    """
    batch = TargetBatch.stack([target], device=device)
    bits = next(Inputs(target.length, "random", inputs, seed=seed).batches(inputs, device=device))
    found = torch.cat(list(perturbed_losses(build(batch, mlp=mlp), batch, bits, sigma, draws, seed)))
    lower, upper = (proxy(values, side="lower").value for values in (found, -found))
    two_sided = torch.maximum(lower, upper)
    lower_rms, two_sided_rms = (float(values.square().mean().sqrt()) for values in (lower, two_sided))
    return UnderNoise(float(found.mean()), lower_rms, two_sided_rms, float(two_sided.max()), len(found), inputs)
