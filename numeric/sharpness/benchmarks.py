"""Speed of the construction: outputs, norms, lists of kinks, noise, gradients and Hessians."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import comb
from typing import Any

import numpy as np
import torch

from boundaudit.numeric.enumeration import bit_strings, choose_inputs
from boundaudit.numeric.sharpness.autodiff import hessian
from boundaudit.numeric.sharpness.bound.examples import random_target
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import CHUNK, evaluate_by_structure, forward
from boundaudit.numeric.sharpness.kinks import kinks as kink_list
from boundaudit.numeric.sharpness.kinks import plateau_violations
from boundaudit.numeric.sharpness.loss_hessian import curvature as loss_curvature
from boundaudit.numeric.sharpness.mlp import OFFSETS
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.perturbation import few_inputs, perturbation
from boundaudit.numeric.sharpness.target import Target, TargetBatch
from boundaudit.numeric.timing import timed

Result = dict[str, Any]
_COMPONENTS = tuple((n, n + 10) for n in range(1, 11))
TARGET = Target(20, _COMPONENTS, (10**-0.5,) * 10)
"""T=20, D=2, ω=10: the size at which the paper states its numbers."""
TARGET_COUNT = 5700
ALONE = 570
REPEATS = 5
LONGEST = 200
"""The longest input of the exhaustive lists."""
SOME = 2**10
"""Inputs of a Hessian-vector product."""
PROBES = 20
PASS = 2**16
"""Inputs handed to the network at once."""


def construction(device: str) -> Result:
    """Outputs at T=20, D=2, ω=10 for all 2^20 inputs, by the general pass and by structure: seconds and difference."""
    batch = TargetBatch.stack([TARGET], device=device)
    blocks = build(batch)
    starts = range(0, 2**20, PASS)

    def general() -> torch.Tensor:
        parts = [forward(blocks, batch, bit_strings(20, n, n + PASS, device=device))[0] for n in starts]
        return torch.cat(parts)

    def structured() -> torch.Tensor:
        return torch.cat([evaluate_by_structure(TARGET, bit_strings(20, n, n + PASS, device=device)) for n in starts])

    slow, outputs = timed(general, device)
    fast, same = timed(structured, device)
    return {
        "inputs": 2**20, "general pass, seconds": slow, "by structure, seconds": fast,
        "largest difference": float((outputs - same).abs().max()), "chunk": CHUNK, "threads": torch.get_num_threads(),
        "device": device,
    }  # fmt: skip


def norms(device: str) -> Result:
    """Norms of 5,700 random targets (T 6…24, D 1…5) in one batch, against one by one (a tenth, scaled): seconds."""
    targets = [_some_target(seed) for seed in range(TARGET_COUNT)]
    batch = TargetBatch.stack(targets, device=device)
    singles = [TargetBatch.stack([target], device=device) for target in targets[:ALONE]]
    norms_squared(batch)
    together = min(timed(lambda: norms_squared(batch), device)[0] for _ in range(REPEATS))
    alone, _ = timed(lambda: [norms_squared(single) for single in singles], device)
    alone *= TARGET_COUNT / ALONE
    return {
        "targets": TARGET_COUNT, "batched, seconds": together, "one by one, seconds": alone,
        "times faster": alone / together, "device": device,
    }  # fmt: skip


def _some_target(seed: int) -> Target:
    random = np.random.default_rng(seed)
    length, degree = int(random.integers(6, 25)), int(random.integers(1, 6))
    return random_target(length, degree, int(random.integers(1, min(length, comb(length, degree)) + 1)), seed)


def kinks(device: str) -> Result:
    """Every kink of an inactive row and plateau that layer 1 leaves, T ≤ 200, both trapezoids: seconds, counts."""
    listing, found = timed(lambda: [kink_list(LONGEST, mlp, device=device) for mlp in OFFSETS], device)
    leaving, pairs = timed(lambda: [plateau_violations(LONGEST, mlp) for mlp in OFFSETS], "cpu")
    return {
        "lengths": LONGEST,
        "kinks, seconds": listing,
        **{f"kinks, {mlp}": len(cases) for mlp, cases in zip(OFFSETS, found, strict=True)},
        "plateaus, seconds": leaving,
        "plateaus left": sum(len(violating) for violating, _ in pairs),
        "kinks touched by active rows": sum(len(touching) for _, touching in pairs),
        "device": device,
    }


def perturbed(device: str) -> Result:
    """Errors of 100 noisy networks at T=20, D=2, ω=10, each over the same 4,096 random inputs: seconds, median."""
    inputs = few_inputs(TARGET.length, seed=0)
    seconds, found = timed(lambda: perturbation(TARGET, inputs, 0.01, 100, device=device), device)
    return {
        "networks": found["draws"], "inputs": inputs.count, "seconds": seconds,
        "median error at sigma 0.01": found["rmse"]["0.5"]["value"], "device": device,
    }  # fmt: skip


def gradients(device: str) -> Result:
    """Mean squared gradient and loss-Hessian trace at T=20, D=2, ω=10 over all 2^20 inputs, and one whole Hessian.

    Beside the exact mean stands Hutchinson's estimator, one Hessian-vector product for random signs and 1,024 random
    inputs, drawn anew each time: timed, its spread measured, and scaled to a relative standard error of 1 %. Told is
    how many times longer it takes for one hundredth of the accuracy.
    """
    inputs = choose_inputs(20, inputs="all")
    seconds, found = timed(lambda: loss_curvature(TARGET, inputs, device=device), device)
    batch = TargetBatch.stack([TARGET], device=device)
    blocks = build(batch)
    one = bit_strings(20, 699050, 699051, device=device)[0]
    whole, matrix = timed(lambda: hessian(blocks, batch, one), device)
    estimated, estimates = timed(lambda: _hutchinson(blocks, batch, device), device)
    probes = float(estimates.var() / estimates.mean() ** 2) / 0.01**2
    scaled = estimated / PROBES * probes
    return {
        "inputs": 2**20, "closed form, seconds": seconds, "mean squared gradient": found.gradient.mean,
        "mean loss-Hessian trace": found.loss_trace.mean, "parameters": len(matrix),
        "whole Hessian at one input, seconds": whole, "Hutchinson for 1 %, probes": probes,
        "Hutchinson for 1 %, seconds (scaled)": scaled, "times longer": scaled / seconds, "device": device,
    }  # fmt: skip


def _hutchinson(blocks: Blocks, batch: TargetBatch, device: str) -> torch.Tensor:
    """vᵀ Hess v of the loss averaged over some inputs, for random signs v and random inputs."""
    generator = torch.Generator().manual_seed(0)
    point = tuple(weight for _, weight in blocks.named())

    def loss(weights: tuple[torch.Tensor, ...], bits: torch.Tensor) -> torch.Tensor:
        return (forward(blocks.with_weights(weights), batch, bits)[0] - evaluate(TARGET, bits)).square().mean()

    estimates = []
    for _ in range(PROBES):
        bits = torch.randint(0, 2, (SOME, 20), generator=generator, dtype=torch.uint8).bool().to(device)
        signs = tuple((torch.randint(0, 2, w.shape, generator=generator) * 2 - 1).double().to(device) for w in point)
        slope = torch.func.grad(partial(loss, bits=bits))
        products = torch.func.jvp(slope, (point,), (signs,))[1]
        estimates.append(torch.stack([(v * h).sum() for v, h in zip(signs, products, strict=True)]).sum())
    return torch.stack(estimates)


BENCHMARKS: Mapping[str, Callable[[str], Result]] = {
    "construction": construction,
    "norms": norms,
    "kinks": kinks,
    "perturbed": perturbed,
    "gradients": gradients,
}
"""From a device to seconds and what they were spent on."""
