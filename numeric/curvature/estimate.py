"""Hutchinson's estimator: the mean of vᵀHv over random signs v, with an interval.

M. F. Hutchinson, A stochastic estimator of the trace of the influence matrix for Laplacian smoothing splines, 1990.
"""

from __future__ import annotations

import torch
from scipy.special import stdtrit
from torch import Tensor

from boundaudit.numeric.curvature.problem import Problem
from boundaudit.numeric.curvature.products import products, slope


def estimate(problem: Problem, probes: int, seed: int) -> tuple[dict[str, float], Tensor]:
    """Each parameter's share of the trace, and the estimate of each probe.

    Args:
        problem: module, loss and data.
        probes: how many directions.
        seed: of the directions, which do not depend on device or memory.

    Returns:
        Mean shares by name; and vᵀHv of each probe, float64, shape (probes,).
    """
    gradient = slope(problem)
    generator = torch.Generator().manual_seed(seed)
    shares = []
    for few in torch.split(torch.arange(probes), gradient.chunk(problem.size)):
        directions = _signs(problem, len(few), generator)
        along = products(gradient.gradient, problem.leaves, directions)
        found = [(v * hv).flatten(1).sum(1).double().cpu() for v, hv in zip(directions, along, strict=True)]
        shares.append(torch.stack(found, dim=1))
    table = torch.cat(shares)
    return dict(zip(problem.parameters, table.mean(0).tolist(), strict=True)), table.sum(1)


def interval(values: Tensor, confidence: float) -> tuple[float, float]:
    """Student's interval for the mean.

    Args:
        values: independent draws.
        confidence: how often the interval is to hold the mean.

    Returns:
        Its two ends.
    """
    reach = float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * float(values.std()) / len(values) ** 0.5
    return float(values.mean()) - reach, float(values.mean()) + reach


def _signs(problem: Problem, count: int, generator: torch.Generator) -> list[Tensor]:
    signs = torch.randint(2, (count, problem.size), generator=generator, dtype=torch.int8) * 2 - 1
    parts = torch.split(signs, [leaf.numel() for leaf in problem.leaves], dim=1)
    return [part.reshape(-1, *leaf.shape).to(leaf) for part, leaf in zip(parts, problem.leaves, strict=True)]
