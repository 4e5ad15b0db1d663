"""Whether rows of attention show a target's components, against all sets of the same size; and turns of a function."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.trained.family import Weights
from boundaudit.numeric.sharpness.trained.readout import Readout
from boundaudit.numeric.sharpness.trained.tasks import Tasks

_INPUTS = 2**12
_GRID = 513


class Shown(NamedTuple):
    """How well a network's attention shows one component."""

    score: float  # the largest cosine between a row of attention and the set's indicator
    share: float  # of all sets of that size, those with no smaller score: uniform by chance


def mean_attention(architecture: Readout, weights: Weights, *, seed: int) -> Tensor:
    """The attention of each network, averaged over all inputs or a sample by the seed, shape (S, T+1, T)."""
    return architecture.attention(weights, _inputs(architecture, seed, weights)).mean(1)[..., :-1]


def component_scores(attention: Tensor, tasks: Tasks) -> list[list[Shown]]:
    """How well rows of attention (S, T+1, T) show the components of each of S targets, in order."""
    rows = attention / attention.norm(dim=-1, keepdim=True)
    every: dict[int, Tensor] = {}
    found = []
    for number, (degree, sparsity) in enumerate(tasks.classes):
        if degree not in every:
            every[degree] = _sets(tasks.length, degree).to(rows)
        members = tasks.members[number, :sparsity].to(rows)
        null = _best(rows[number], every[degree])
        own = _best(rows[number], members)
        rounding = 1e-6  # the set itself is among all of them
        found.append([Shown(score.item(), (null >= score - rounding).double().mean().item()) for score in own])
    return found


def learned_function(architecture: Readout, weights: Weights, *, seed: int) -> tuple[Tensor, Tensor]:
    """The learned function of one variable, where averages of the network's inputs, all or a sample by the seed, lie.

    A grid from the least to the largest average and the function there, each of shape (S, n).
    """
    averages = architecture.averages(weights, _inputs(architecture, seed, weights)).flatten(1)
    low, high = averages.amin(1, keepdim=True), averages.amax(1, keepdim=True)
    grid = low + (high - low) * torch.linspace(0, 1, _GRID, device=low.device)
    return grid, architecture.function(weights, grid)


def turns(values: Tensor, least: float = 0.05) -> int:
    """How often a function on a grid (n,) turns from rise to fall or back; moves under a share of its range aside."""
    reach = least * float(values.max() - values.min())
    start = extreme = float(values[0])
    direction, found = 0, 0
    for value in values.tolist():
        if direction == 0:
            if abs(value - start) > reach:
                direction, extreme = (1 if value > start else -1), value
        elif (value - extreme) * direction > 0:
            extreme = value
        elif (extreme - value) * direction > reach:
            direction, extreme, found = -direction, value, found + 1
    return found


def _inputs(architecture: Readout, seed: int, weights: Weights) -> Tensor:
    device = weights["read"].device
    if 2**architecture.length <= _INPUTS:
        return bit_strings(architecture.length, 0, 2**architecture.length, device=device)
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(_INPUTS, architecture.length, generator=generator) < 0.5).to(device)


def _sets(length: int, size: int) -> Tensor:
    """The indicators of all sets of a size."""
    places = torch.tensor(list(combinations(range(length), size)))
    return torch.zeros(len(places), length).scatter_(1, places, 1.0)


def _best(rows: Tensor, sets: Tensor) -> Tensor:
    """For each set the largest cosine with a row of length one."""
    cosines: Tensor = rows @ (sets / sets.norm(dim=1, keepdim=True)).T
    return cosines.amax(0)
