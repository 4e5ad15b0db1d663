"""Hutch++ in rounds: the trace on a subspace exactly, on its complement by random probes, until both are near enough.

The first round is Hutchinson's mean of gᵀHg over random signs g. Each later round has twice as many probes. The
products Hg of the round before span a subspace that holds more of H than a random one; with Q its orthonormal basis,

    tr H = tr QᵀHQ + tr (I - QQᵀ) H (I - QQᵀ),

the first part computed, the second estimated by fresh probes. Given Q they are independent, so Student's interval
speaks for them as it does for Hutchinson's.

R. A. Meyer, C. Musco, C. Musco and D. P. Woodruff, Hutch++: Optimal stochastic trace estimation, 2021;
M. F. Hutchinson, A stochastic estimator of the trace of the influence matrix for Laplacian smoothing splines, 1990.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from scipy.special import stdtrit
from torch import Tensor

from boundaudit.numeric.curvature.products import Slope

FIRST = 16
"""Probes of the first round: fewer make Student's interval wide."""


@dataclass(frozen=True)
class Estimate:
    """An estimate of the trace: each parameter's share, the interval's ends, and how many products were taken."""

    shares: dict[str, float]
    ends: tuple[float, float]
    products: int


def estimate(slope: Slope, rel_error: float, probes: int, seed: int, confidence: float) -> Estimate:
    """The trace up to a relative error, or as near as the products allow: the last round's estimate.

    It stops where half the interval's width, relative to every value in it, is at most the relative error, or after so
    many Hessian products as probes. The intervals of all rounds hold the trace at once with the confidence, so that
    stopping at one of them costs nothing. Probes do not depend on device or memory.
    """
    problem, rounds = slope.problem, _rounds(probes)
    generator = torch.Generator().manual_seed(seed)
    precision = torch.promote_types(problem.leaves[0].dtype, torch.float32)
    basis = torch.zeros(0, problem.size, dtype=precision, device=problem.device)
    settled, spent = torch.zeros(len(problem.leaves), dtype=torch.float64), 0
    most = problem.memory // (6 * problem.size * basis.element_size())
    tables: list[Tensor] = []
    for count, following in zip(rounds, [*rounds[1:], 0], strict=True):
        sketch, wanted = [], min(count, most - len(basis)) if following else 0
        for few in torch.split(torch.arange(count), slope.chunk(problem.size)):
            probe = _signs(len(few), problem.size, generator).to(basis)
            probe -= (probe @ basis.T) @ basis
            along = slope.times(probe)
            tables.append(_by_parameter(slope, probe * along))
            sketch.append(along[: max(0, wanted - int(few[0]))])
        table, spent = torch.cat(tables), spent + count
        ends = interval(table.sum(1) + settled.sum(), 1 - (1 - confidence) / len(rounds))
        if ends[1] - ends[0] <= 2 * rel_error * max(ends[0], -ends[1], 0.0) or not following:
            break
        if wanted > 0:
            added = _orthonormal(basis, torch.cat(sketch))
            settled += _by_parameter(slope, added * slope.times(added)).sum(0)
            basis, spent, tables = torch.cat([basis, added]), spent + len(added), []
    shares = (settled + table.mean(0)).tolist()
    return Estimate(dict(zip(problem.parameters, shares, strict=True)), ends, spent)


def interval(values: Tensor, confidence: float) -> tuple[float, float]:
    """The ends of Student's interval for the mean of independent draws, at a confidence."""
    reach = float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * float(values.std()) / len(values) ** 0.5
    return float(values.mean()) - reach, float(values.mean()) + reach


def _rounds(products: int) -> list[int]:
    """Probes of each round: doubling, while a round, and the basis from the one before it, can be paid for."""
    rounds = [min(FIRST, products)]
    left = products - rounds[0]
    while (cost := 3 * rounds[-1]) <= left:
        left -= cost
        rounds.append(2 * rounds[-1])
    return [*rounds[:-1], rounds[-1] + left]


def _by_parameter(slope: Slope, entries: Tensor) -> Tensor:
    """Sums over each parameter's entries, float64 on the CPU, shape (count, parameters)."""
    parts = torch.split(entries.double(), [leaf.numel() for leaf in slope.problem.leaves], dim=1)
    return torch.stack([part.sum(1) for part in parts], dim=1).cpu()


def _orthonormal(basis: Tensor, sketch: Tensor) -> Tensor:
    """Rows that extend an orthonormal basis to a sketch's span; QR by reflections, so dependent rows do no harm."""
    whole: Tensor = torch.linalg.qr(torch.cat([basis, sketch]).T).Q
    return whole[:, len(basis) :].T.contiguous()


def _signs(count: int, size: int, generator: torch.Generator) -> Tensor:
    return torch.randint(2, (count, size), generator=generator, dtype=torch.int8) * 2 - 1
