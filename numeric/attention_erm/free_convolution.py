"""The free convolution of a target's law with a semicircle: density, edges, and the integrals of the state equations.

μ_δ is the law of S0 + δ Z, with Z from the Gaussian orthogonal ensemble of bulk [-2, 2]. Its points are
parametrised by the real part u of the subordination map (Biane, 1997): with v(u) ≥ 0 the least solution of
∫ μ(ds)/((u - s)² + v²) ≤ 1/δ², the point is x(u) = u + δ² Re G(u + iv), where the density is v/(πδ²) and the real part
of the transform of μ_δ is (x - u)/δ². v² is the root of a concave rising function, so that Newton's method from below
never misses it, and x(u) rises. Integrals use the double-exponential rule on pieces between atoms, edges and edges of
the support, where v has square roots.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.targets import Target

_STEPS = 80
_NEAR = 1e-9
"""Relative size of a Newton step after which the next one would be lost in rounding."""
NODES = 101
"""Points of the rule on each piece, for a relative accuracy of 1e-10."""


class Curve(NamedTuple):
    """Points of a convolution's law, one shape for all."""

    x: Tensor
    density: Tensor
    hilbert: Tensor
    """The real part of the Stieltjes transform at x."""
    slope: Tensor
    """dx/du."""


class Tail(NamedTuple):
    """Integrals over the part of μ_δ above a level ε, each of the shape of δ."""

    level: Tensor
    """ε."""
    speed: Tensor
    """dε/du."""
    mass: Tensor
    """∫ μ_δ(dx)."""
    first: Tensor
    """∫ (x - ε) μ_δ(dx)."""
    second: Tensor
    """J = ∫ (x - ε)² μ_δ(dx)."""
    pull: Tensor
    """∫ Re G(x) μ_δ(dx)."""
    moment_pull: Tensor
    """K = ∫ (x - ε) Re G(x) μ_δ(dx); ∂J/∂δ = 4 δ K."""
    cube: Tensor
    """∫ density³ dx."""


@dataclass(frozen=True)
class Convolution:
    """μ_δ for a batch of δ; build it by `convolve`."""

    target: Target
    delta: Tensor
    """δ, shape (batch)."""
    lower: Tensor
    """Lower ends of the pieces in u, shape (batch, pieces)."""
    upper: Tensor
    """Upper ends."""
    nodes: int

    def curve(self, u: Tensor) -> Curve:
        """The law's points, densities, transforms and slopes at parameters u, all of shape (batch, …)."""
        variance = self.delta.reshape(-1, *[1] * (u.dim() - 1)) ** 2
        y = self._height(u, variance)
        sums = self.target.resolvent(u, y)
        inside = 2 * variance * (y * sums.second**2 + sums.skew**2) / sums.second
        slope = torch.where(y > 0, inside, 1 - variance * sums.first)
        return Curve(u + variance * sums.real, y.sqrt() / (math.pi * variance), sums.real, slope)

    def _height(self, u: Tensor, variance: Tensor) -> Tensor:
        """v², by Newton's method on 1/∫(…) - δ², which is concave and rises: every step lands below the root."""
        least = torch.zeros_like(u)
        for cut in self.target.cuts:
            least = torch.where(u == cut, 1e-30 * variance, least)
        if self.target.wishart is not None:
            low, high = self.target.wishart.edges
            least = torch.where((u >= low) & (u <= high), 1e-24 * variance, least)
        y = variance.expand_as(u).clone()
        left = torch.arange(u.numel())
        flat, goals, floors, found = u.reshape(-1), y.reshape(-1).clone(), least.reshape(-1), y.view(-1)
        for _ in range(_STEPS):
            sums = self.target.resolvent(flat[left], found[left])
            excess = goals[left] * sums.first - 1
            before, floor = found[left], floors[left]
            found[left] = torch.maximum(before + excess * sums.first / sums.second, floor)
            left = left[(excess > _NEAR) | ((excess < -_NEAR) & (before > floor))]
            if not len(left):
                break
        return y

    def above(self, u: Tensor) -> Tail:
        """Integrals over the law's part above x(u), u of shape (batch); -inf takes all of the law with the level 0."""
        start = self.lower.maximum(u[:, None])
        length = (self.upper - start).clamp_min(0)
        share, weight = _rule(self.nodes)
        points = start[..., None] + length[..., None] * share
        found = self.curve(torch.cat([points.flatten(1), torch.where(u.isinf(), 0, u)[:, None]], 1))
        level = torch.where(u.isinf(), 0, found.x[:, -1])
        x, density, hilbert, slope = (part[:, :-1] for part in found)
        mass = density * slope * (weight * length[..., None]).flatten(1)
        over = x - level[:, None]
        sums = (mass, over * mass, over**2 * mass, hilbert * mass, over * hilbert * mass, density**2 * mass)
        return Tail(level, found.slope[:, -1], *(part.sum(-1) for part in sums))

    def locate(self, level: Tensor | float) -> Tensor:
        """The parameter u, shape (batch), with x(u) = ε, by Newton's method kept in a bracket."""
        goal = torch.as_tensor(level, dtype=torch.float64).expand_as(self.delta)
        far = self.delta + 1
        low = torch.minimum(self.lower.amin(-1), goal) - far
        high = torch.maximum(self.upper.amax(-1), goal) + far
        low, high = low - self.delta**2 / far, high + self.delta**2 / far
        u = goal.clamp(low, high)
        for _ in range(_STEPS):
            found = self.curve(u)
            low, high = torch.where(found.x <= goal, u, low), torch.where(found.x >= goal, u, high)
            newton = u - (found.x - goal) / found.slope
            fresh = torch.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
            settled = (found.x - goal).abs() <= 2e-15 * goal.abs() + 1e-13 * self.delta
            u = torch.where(settled, u, fresh)
            if bool((settled | (high - low <= 4e-16 * u.abs())).all()):
                break
        return u


def convolve(target: Target, delta: Tensor | float, nodes: int = NODES) -> Convolution:
    """The convolution of a target's law with semicircles of δ, a number or (batch); InputError unless δ > 0."""
    found: Tensor = torch.as_tensor(delta, dtype=torch.float64).reshape(-1)
    if not bool(((found > 0) & found.isfinite()).all()):
        raise InputError("delta", "positive numbers", found.tolist(), "give a positive noise level")
    lower, upper = _pieces(target, found)
    return Convolution(target, found, lower, upper, nodes)


def _pieces(target: Target, delta: Tensor) -> tuple[Tensor, Tensor]:
    """The ends, in u, of the intervals of the support, cut at atoms and edges of the target, shape (batch, pieces)."""
    starts, ends, peaks = _gaps(target)
    rising = _support_edge(target, delta, starts, peaks, 1.0)
    falling = _support_edge(target, delta, ends, peaks, -1.0)
    sides = [(starts.expand_as(rising), rising), (falling, ends.expand_as(falling))]
    sides.extend(_filled(target, delta))
    lower, upper = (torch.cat(parts, -1) for parts in zip(*sides, strict=True))
    real = (lower.isfinite() & upper.isfinite()).all(0)
    return lower[:, real], upper[:, real]


def _filled(target: Target, delta: Tensor) -> list[tuple[Tensor, Tensor]]:
    """Pieces where the target has a density, cut at atoms and where an atom of mass w loses its weight, at δ√w."""
    found: list[tuple[Tensor, Tensor]] = []
    for low, high in itertools.pairwise(target.cuts):
        if target.filled((low + high) / 2):
            masses = dict(zip(target.eigenvalues, target.weights, strict=True))
            near = [delta * masses.get(cut, 0.0) ** 0.5 for cut in (low, high)]
            start, end = torch.full_like(delta, low), torch.full_like(delta, high)
            half = (high - low) / 2
            ends = [start, start + near[0].clamp_max(half), end - near[1].clamp_max(half), end]
            keep = (True, *(cut in masses for cut in (low, high)), True)
            ends = [end[:, None] for end, kept in zip(ends, keep, strict=True) if kept]
            found.extend(itertools.pairwise(ends))
    return found


def _support_edge(target: Target, delta: Tensor, starts: Tensor, peaks: Tensor, sign: float) -> Tensor:
    """How far the support reaches from each cut into the gap beside it, at most to the gap's least crowded point.

    φ(u) = ∫ μ(ds)/(u - s)² to the power -1/2 is concave on a gap (Minkowski's inequality with a negative exponent), so
    that Newton's method from the cut stays before the root of φ = 1/δ². Shape (batch, gaps); infinite where a gap has
    no such cut.
    """
    none = starts.isinf()
    u = torch.where(none, 0, starts + sign * 1e-14 * (1 + starts.abs())).expand(len(delta), -1)
    for _ in range(_STEPS):
        sums = target.resolvent(u, torch.zeros_like(u))
        excess = delta[:, None] * sums.first.sqrt() - 1
        step = torch.minimum(excess * sums.first / sums.skew.abs(), (peaks - u).abs())
        least = 1e-13 * delta.minimum(delta**2)[:, None]  # a far edge is about δ away, one that is near δ² or so
        moving = (step > 1e-15 * u.abs() + least) & ~none
        u = torch.where(moving, u + sign * step, u)
        if not bool(moving.any()):
            break
    return torch.where(none, sign * -torch.inf, u)


@functools.lru_cache(maxsize=64)
def _gaps(target: Target) -> tuple[Tensor, Tensor, Tensor]:
    """The intervals free of the target's law: their two ends, and the point where φ is least."""
    places = (-math.inf, *target.cuts, math.inf)
    free = [(low, high) for low, high in itertools.pairwise(places) if not target.filled((low + high) / 2)]
    starts, ends = torch.tensor(free, dtype=torch.float64).T
    low, high = starts.clone(), ends.clone()
    for _ in range(_STEPS):
        middle = (low + high) / 2
        falling = target.resolvent(middle, torch.zeros_like(middle)).skew > 0
        low, high = torch.where(falling, middle, low), torch.where(falling, high, middle)
    peaks = torch.where(ends.isinf(), ends, torch.where(starts.isinf(), starts, low))
    return starts, ends, peaks


@functools.cache
def _rule(nodes: int) -> tuple[Tensor, Tensor]:
    """The double-exponential rule on [0, 1]: points and weights."""
    reach = 2.9
    t = torch.linspace(-reach, reach, nodes, dtype=torch.float64)
    inner = math.pi * torch.sinh(t)
    points = torch.sigmoid(inner)
    weights = points * torch.sigmoid(-inner) * math.pi * torch.cosh(t) * (2 * reach / (nodes - 1))
    return points, weights
