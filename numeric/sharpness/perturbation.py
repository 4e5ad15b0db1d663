"""The network with noise on every parameter: how far it strays from its target, draw by draw.

Each draw adds independent N(0, σ²) to all entries of the seven blocks. What the draws give is a sample, so quantiles
come with intervals that assume nothing of its distribution.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.enumeration import Inputs, choose_inputs
from boundaudit.numeric.sharpness.choices import check_draws, check_sigma
from boundaudit.numeric.sharpness.construction import Blocks, Layout, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.records import InputsRecord, PerturbationRecord
from boundaudit.numeric.sharpness.target import Target, TargetBatch

FEW_BITS = 12
"""The largest length at which a perturbation takes all inputs when nothing is said; beyond it a sample of 2^12."""

LEVEL = 0.95
QUANTILES = {"0.05": Fraction(1, 20), "0.5": Fraction(1, 2), "0.95": Fraction(19, 20)}

ENTRIES = 2**20
"""Noisy parameters held at once; at least one network is taken."""

BATCH = 2**12
"""Inputs handed to the noisy networks at once."""


def few_inputs(length: int, seed: int) -> Inputs:
    """The inputs of a perturbation when nothing is said: all up to 12 bits, else a sample of 4096."""
    return choose_inputs(length, inputs="all" if length <= FEW_BITS else f"random:{2**FEW_BITS}", seed=seed)


def described(inputs: Inputs) -> InputsRecord:
    """The inputs for a record: ``mode``, ``count`` and for a sample its ``seed``."""
    if inputs.mode == "random":
        return {"mode": inputs.mode, "count": inputs.count, "seed": inputs.seed}
    return {"mode": inputs.mode, "count": inputs.count}


def perturbation(
    target: Target, inputs: Inputs, sigma: float, draws: int, *, seed: int = 0, layout: Layout = "published",
    mlp: Trapezoid = "steep", scale: float = 2.0, pruned: bool = False, device: torch.device | str = "cpu",
) -> PerturbationRecord:  # fmt: skip
    """Perturb the construction at least twice, on every entry, and compare it with its target over the inputs.

    ``sigma``, ``draws``, ``seed``, ``inputs`` and, for the root mean square ``rmse`` and the ``max_abs_error`` over the
    inputs, quantiles over the draws with 95 % intervals. The noise is drawn on the CPU: the same for every device.

    Raises:
        InputError: when sigma or the number of draws is none.
    """
    check_sigma(sigma)
    check_draws(draws)
    batch = TargetBatch.stack([target], device=device)
    blocks = build(batch, layout=layout, mlp=mlp, scale=scale, pruned=pruned)
    found = [_errors(target, batch, noisy, inputs, scale) for noisy in _perturbed(blocks, sigma, draws, seed)]
    rmse, largest = (torch.cat(parts) for parts in zip(*found, strict=True))
    return {
        "sigma": float(sigma), "draws": draws, "seed": seed, "inputs": described(inputs), "rmse": quantiles(rmse),
        "max_abs_error": quantiles(largest),
    }  # fmt: skip


def _perturbed(blocks: Blocks, sigma: float, draws: int, seed: int) -> Iterator[Blocks]:
    """Yield the noisy networks, some draws at a time; a draw's noise depends on its number and the seed alone."""
    sizes = [block.numel() for _, block in blocks.named()]
    generator = np.random.default_rng(seed)
    some = max(1, ENTRIES // sum(sizes))
    for start in range(0, draws, some):
        count = min(some, draws - start)
        noise = torch.from_numpy(generator.standard_normal((count, sum(sizes)))).to(blocks.V2.device)
        parts = zip(blocks.named(), torch.split(noise, sizes, dim=1), strict=True)
        yield blocks.with_weights([block + sigma * e.view(count, *block.shape[1:]) for (_, block), e in parts])


def _errors(target: Target, batch: TargetBatch, noisy: Blocks, inputs: Inputs, scale: float) -> tuple[Tensor, Tensor]:
    """Return the root mean square and the largest error of each noisy network over the inputs, each (n,)."""
    squares = noisy.V2.new_zeros(len(noisy))
    largest = noisy.V2.new_zeros(len(noisy))
    copies = batch.repeat(len(noisy))
    for bits in inputs.batches(BATCH, device=batch.device):
        error = (forward(noisy, copies, bits, scale=scale) - evaluate(target, bits)).abs()
        squares += error.square().sum(-1)
        largest = torch.maximum(largest, error.amax(-1))
    return (squares / inputs.count).sqrt(), largest


def quantiles(sample: Tensor) -> dict[str, dict[str, Any]]:
    """Quantiles of a distribution from a sample of at least two, with distribution-free intervals.

    The p-quantile lies between the order statistics l and u with probability at least 95 % when P(Bin(n, p) < l) and
    P(Bin(n, p) >= u) are at most 2.5 %. For each level the ``value`` (the order statistic ⌈np⌉) and its ``interval``;
    None where a value is infinite, as where a network's output overflows, or the sample is too small to bound that end.
    """
    return {level: _recorded(*quantile(sample, p)) for level, p in QUANTILES.items()}


def _recorded(value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    return {"value": value, "interval": [low, high]}


def quantile(sample: Tensor, p: Fraction) -> tuple[float | None, float | None, float | None]:
    """The order statistic ⌈np⌉ for the p-quantile and the ends of its interval; None as in `quantiles`.

    Draws are independent, not all of one law: where as many come from each of several laws, the quantile is that of
    their mixture (Hoeffding 1956).
    """
    ordered = sample.flatten().nan_to_num(nan=math.inf, posinf=math.inf).sort().values.tolist()
    values = [value if math.isfinite(value) else None for value in ordered]
    low, high = (None if rank is None else values[rank - 1] for rank in _ranks(len(values), float(p)))
    return values[math.ceil(len(values) * p) - 1], low, high


def _ranks(count: int, p: float) -> tuple[int | None, int | None]:
    """Return the ranks, from 1, of the order statistics that enclose the p-quantile; None where there is none."""
    from scipy.special import bdtr, bdtrc  # loaded with the first measurement

    ranks, tail = np.arange(1, count + 1), (1 - LEVEL) / 2
    below = ranks[bdtr(ranks - 1, count, p) <= tail]
    above = ranks[bdtrc(ranks - 1, count, p) <= tail]
    return (int(below[-1]) if below.size else None, int(above[0]) if above.size else None)
