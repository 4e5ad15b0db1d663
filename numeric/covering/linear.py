"""Explicit covers of linear classes by shrunk means of Maurey's atoms, and a search for what they leave uncovered.

In units of the cap the (1,1) class is the cross-polytope of the entries, and the cover consists of all sums of K signed
unit vectors over K + √K. Where inputs are given, entries are weighted by how long the inputs' coordinates are, and
distances are root mean squares of outputs.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

import torch
from torch import Tensor

Cap = Callable[[Tensor], Tensor]
"""From points, shape (n, k, d), to the norm that their class caps at one, shape (n)."""

_MEMBERS, _STEPS, _STRIDE = 64, 8, 0.5


@functools.cache
def shrunk_means(dimension: int, atoms: int) -> Tensor:
    """All sums of K signed unit vectors over K + √K, each once, shape (elements, D); for K = 0 the origin alone."""
    if atoms == 0:
        return torch.zeros(1, dimension, dtype=torch.float64)
    signed = torch.cat([torch.eye(dimension), -torch.eye(dimension)]).to(torch.float64)
    chosen = torch.tensor(list(itertools.combinations_with_replacement(range(2 * dimension), atoms)))
    sums = torch.unique(signed[chosen].sum(1), dim=0)
    means: Tensor = sums / (atoms + atoms**0.5)
    return means


def entries(points: Tensor) -> Tensor:
    """The (1,1) norms, shape (n), of points of shape (n, k, d)."""
    return points.abs().sum((-2, -1))


def rows(points: Tensor) -> Tensor:
    """The sums of the lengths of the rows, shape (n), of points of shape (n, k, d)."""
    lengths: Tensor = points.norm(dim=-1)
    return lengths.sum(-1)


def unit_inputs(d: int, count: int, generator: torch.Generator) -> Tensor:
    """So many inputs with skewed coordinates, scaled to a mean square length of one, shape (count, d)."""
    drawn = torch.randn(count, d, generator=generator, dtype=torch.float64) * 3.0 ** torch.arange(d)
    inputs: Tensor = drawn * (count**0.5 / drawn.norm())
    return inputs


def nearest(points: Tensor, elements: Tensor, root: Tensor) -> tuple[Tensor, Tensor]:
    """Distance and index, shape (n) each, of the element of a cover next to each point.

    Points have shape (n, k, d), elements (elements, k, d); the root is a d × r matrix, and the distance is the
    Frobenius norm of the difference times it.
    """
    # Products of matrices would lose half of the digits of small distances.
    exact = "donot_use_mm_for_euclid_dist"
    found = torch.cdist((points @ root).flatten(1), (elements @ root).flatten(1), compute_mode=exact).min(1)
    return found.values, found.indices


def worst_distance(elements: Tensor, cap: Cap, root: Tensor, generator: torch.Generator) -> float:
    """How far from a cover points of a class are found: random ones and corners, pushed away from their elements.

    The class is the unit ball of the cap, a norm; elements and root are as in `nearest`.
    """
    k, d = elements.shape[1:]
    corners = torch.eye(k * d, dtype=torch.float64).view(-1, k, d)
    drawn = torch.randn(_MEMBERS, k, d, generator=generator, dtype=torch.float64)
    points = torch.cat([corners, drawn])
    points = points / cap(points)[:, None, None]
    worst, index = nearest(points, elements, root)
    largest = worst.max()
    for _ in range(_STEPS):
        points = points + _STRIDE * (points - elements[index])
        points = points / cap(points).clamp_min(1)[:, None, None]
        worst, index = nearest(points, elements, root)
        largest = torch.maximum(largest, worst.max())
    return float(largest)


def packing(dimension: int, scale: float, tries: int, generator: torch.Generator) -> int:
    """How many points of the unit ball that are more than 1/scale apart are found greedily among so many drawn ones."""
    drawn = torch.randn(tries, dimension, generator=generator, dtype=torch.float64)
    radii = torch.rand(tries, 1, generator=generator, dtype=torch.float64) ** (1 / dimension)
    points = drawn / drawn.norm(dim=1, keepdim=True) * radii
    apart = torch.cdist(points, points)
    kept = torch.zeros(tries, dtype=torch.bool)
    for n in range(tries):
        kept[n] = not bool((apart[n, kept] <= 1 / scale).any())
    return int(kept.sum())


def means_of(weights: Tensor, atoms: int) -> tuple[Tensor, Tensor, Tensor]:
    """Shrunk means of K independent atoms ±e_i, drawn by weights, and how far each is from the atoms' mean.

    Weights are the chances of the atoms e_1, -e_1, e_2, -e_2, …, shape (n, a). The chances of all a^K draws and the
    squared distances, shape (n, a^K) each, and the squared lengths of the means, shape (n).
    """
    place = torch.arange(weights.shape[-1], device=weights.device)
    signed = weights.new_zeros(len(place), (len(place) + 1) // 2)
    signed[place, place // 2] = (1 - 2 * (place % 2)).to(weights.dtype)
    draws = torch.cartesian_prod(*[place] * atoms).view(-1, atoms)
    mean = weights @ signed
    distances = (signed[draws].sum(1) / (atoms + atoms**0.5) - mean[:, None]).square().sum(-1)
    return weights[:, draws].prod(-1), distances, mean.square().sum(-1)
