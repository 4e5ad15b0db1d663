"""Exact limits beside the simulations that they replace: state equations, and draws of an attention layer."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from boundaudit.numeric.attention_erm import gaussian_target, linear_state, softmax_state
from boundaudit.numeric.infinite_width import exact_outputs, layer_law, simulated_outputs

ROUNDS = 3
CURVE, DRAWS, DRAWN, WIDTH, TOKENS = 50, 100_000, 200, 256, 4


def limits(device: str) -> dict[str, Any]:
    """Median seconds of a curve of the linear case, a point of softmax, and draws of an output and of all weights."""
    target, law = gaussian_target(0.5), layer_law(torch.eye(TOKENS, dtype=torch.float64))
    alphas = torch.logspace(-1, 0.5, CURVE, dtype=torch.float64)
    work: dict[str, Callable[[], Any]] = {
        f"state evolution, {CURVE} sample ratios": lambda: linear_state(target, alphas, 0.1, 0.5),
        f"the same with a vanishing penalty, {CURVE} sample ratios": lambda: linear_state(target, alphas, 0.0, 0.5),
        "state evolution of softmax, T = 2, one sample ratio": lambda: softmax_state(target, 1.0, 0.02, 0.5),
        f"exact draws of an output at n = {WIDTH}, {DRAWS}": lambda: exact_outputs(
            law, WIDTH, DRAWS, 0, inputs="features", device=device
        ),
        f"draws of all weights at n = {WIDTH}, {DRAWN}": lambda: simulated_outputs(
            law, WIDTH, DRAWN, 0, inputs="features", device=device
        ),
    }
    return {name: statistics.median(_seconds(one, device) for _ in range(ROUNDS)) for name, one in work.items()}


def _seconds(work: Callable[[], Any], device: str) -> float:
    started = time.perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started
