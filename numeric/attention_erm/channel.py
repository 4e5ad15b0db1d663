"""The output channel of softmax attention: its loss, proximal map, and their averages over the indices.

A sequence of T tokens gives the indices h_ab = √(1 + δ_ab) z_ab. A common shift of them all is invisible to a row-wise
softmax, so that the loss depends on T(T+1)/2 - 1 orthonormal coordinates U of z. Those of the target, with noise, and
of the prediction are Gaussian, independent over coordinates, with covariance [[ρ, m], [m, q]]. For T = 2 averages are a
product rule of Gauss and Hermite, for more tokens a scrambled Sobol sequence with antithetic pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

_STEPS, _HALVINGS = 100, 30
_CLOSE = 1e-11
_CALL = 500
"""What a call costs however few its points are, in slopes at one point of two tokens."""


def work_of(tokens: int) -> float:
    """The time that the slopes at one point take, in those of two tokens; a fit to measured times up to T = 8."""
    coordinates = tokens * (tokens + 1) // 2 - 1
    return 1 + (tokens * coordinates) ** 2 / 600


class Moments(NamedTuple):
    """Averages over the channel."""

    test: Tensor
    """The loss of the prediction itself."""
    train: Tensor
    """The loss at the proximal point."""
    envelope: Tensor
    """M, the least value of loss plus distance."""
    square: Tensor
    """E |g|², g = (U* - w)/Σ."""
    by_target: Tensor
    """The divergence of g by the target's coordinates."""
    by_input: Tensor
    """The divergence of g by the prediction's."""
    residual: Tensor
    """The largest gradient of a proximal problem, times Σ."""


@dataclass(frozen=True)
class Rule:
    """Standard Gaussian points, first and second (points, coordinates), with weights (points) that add up to 1."""

    first: Tensor
    second: Tensor
    weights: Tensor


def basis(tokens: int) -> Tensor:
    """The indices as a map of the coordinates, (T, T, T(T+1)/2 - 1); for T = 2 a coordinate's sign changes no loss."""
    row, column = torch.triu_indices(tokens, tokens)
    scale = torch.where(row == column, math.sqrt(2), 1.0).to(torch.float64)
    shift = 1 / scale
    frame = torch.eye(len(row), dtype=torch.float64)
    if tokens == 2:
        frame = torch.tensor([[1.0, 1.0], [-math.sqrt(2), 0.0], [1.0, -1.0]], dtype=torch.float64)
        frame /= frame.norm(dim=0)
    else:
        frame = torch.linalg.qr(torch.cat([shift[:, None], frame], 1)).Q[:, 1:]
    maps = torch.zeros(tokens, tokens, frame.shape[1], dtype=torch.float64)
    maps[row, column] = maps[column, row] = scale[:, None] * frame
    return maps


def product_rule(order: int) -> Rule:
    """Gauss and Hermite's rule in four dimensions, a quarter of it, for two tokens; order points, even, on an axis."""
    points, weights = (torch.from_numpy(part) for part in np.polynomial.hermite_e.hermegauss(order))
    half = slice(order // 2, None)
    axes = (points[half], points[half], points, points)
    places = torch.cartesian_prod(*axes)
    masses = torch.cartesian_prod(weights[half], weights[half], weights, weights).prod(-1)
    return Rule(places[:, :2], places[:, 2:], masses / masses.sum())


def sobol_rule(coordinates: int, points: int, seed: int) -> Rule:
    """A scrambled Sobol sequence in twice the coordinates of one of the two vectors, and its mirror image."""
    engine = torch.quasirandom.SobolEngine(2 * coordinates, scramble=True, seed=seed)  # type: ignore[no-untyped-call]
    drawn = engine.draw(points, dtype=torch.float64)
    normal = torch.special.ndtri(drawn.clamp(1e-15, 1 - 1e-15))
    both = torch.cat([normal, -normal])
    weights = torch.full((2 * points,), 1 / (2 * points), dtype=torch.float64)
    return Rule(both[:, :coordinates], both[:, coordinates:], weights)


class Averaging(Protocol):
    """What the equations ask of a channel."""

    work: float

    def moments(self, total: float, overlap: float, power: float, width: float) -> Moments:
        """Averages at ρ + Δ/2, m, q and Σ."""


class Channel:
    """The channel of T tokens under a rule; it keeps its proximal points, from which the next search starts.

    Its work is how many slopes were computed, in those at one point of two tokens: about 1.6 µs each.
    """

    def __init__(self, tokens: int, beta: float, target_beta: float, rule: Rule) -> None:
        """Keep the setting."""
        self.maps, self.beta, self.target_beta, self.rule = basis(tokens), beta, target_beta, rule
        self.work = 0.0
        self._starts: list[Tensor] = []

    def moments(self, total: float, overlap: float, power: float, width: float) -> Moments:
        """Averages at ρ + Δ/2, m, q > 0 and Σ > 0, the divergences by Stein's lemma."""
        inputs, goals, rest = self._indices(total, overlap, power)
        labels = self._attention(goals, self.target_beta)
        if not self._starts:
            self._starts = [inputs, goals * (self.target_beta / self.beta)]
        found = [self._proximal(start, inputs, labels, width) for start in self._starts]
        self._starts = [point for point, _, _ in found]
        values = torch.stack([value for _, value, _ in found])
        best = values.min(0)
        points = torch.stack(self._starts)[best.indices, torch.arange(len(inputs))]
        g = (points - inputs) / width

        def mean(values: Tensor) -> Tensor:
            return values @ self.rule.weights

        by_target = mean((g * self.rule.second).sum(-1)) / rest
        along = mean((g * self.rule.first).sum(-1))
        by_input = (along - overlap / math.sqrt(power) * by_target) / math.sqrt(power)
        return Moments(
            mean(self._loss(inputs, labels)), mean(self._loss(points, labels)), mean(best.values), mean((g**2).sum(-1)),
            by_target, by_input, torch.stack([gradient for _, _, gradient in found]).max(),
        )  # fmt: skip

    def test(self, total: float, overlap: float, power: float) -> float:
        """The mean loss of the prediction alone, at ρ, m and q > 0."""
        inputs, goals, _ = self._indices(total, overlap, power)
        return float(self._loss(inputs, self._attention(goals, self.target_beta)) @ self.rule.weights)

    def _indices(self, total: float, overlap: float, power: float) -> tuple[Tensor, Tensor, float]:
        """The coordinates of the prediction and of the target, and the spread of the second given the first."""
        rest = math.sqrt(max(total - overlap**2 / power, 1e-14 * total))
        inputs = math.sqrt(power) * self.rule.first
        return inputs, overlap / math.sqrt(power) * self.rule.first + rest * self.rule.second, rest

    def _attention(self, points: Tensor, beta: float) -> Tensor:
        return torch.softmax(beta * torch.einsum("abk,nk->nab", self.maps, points), -1)

    def _loss(self, points: Tensor, labels: Tensor) -> Tensor:
        return ((self._attention(points, self.beta) - labels) ** 2).sum((-2, -1))

    def _proximal(self, start: Tensor, inputs: Tensor, labels: Tensor, width: float) -> tuple[Tensor, Tensor, Tensor]:
        """Local minima of loss + |U - w|²/(2Σ) by Newton's method, with halved steps where it would rise."""
        point = start.clone()
        value = self._loss(point, labels) + ((point - inputs) ** 2).sum(-1) / (2 * width)
        left = torch.arange(len(point))
        largest = torch.zeros((), dtype=torch.float64)
        for _ in range(_STEPS):
            here, base, aim = point[left], inputs[left], labels[left]
            self.work += len(left) * work_of(len(self.maps)) + _CALL
            gradient, newton, safe = self._slopes(here, base, aim, width)
            size = gradient.abs().amax(-1) * width
            busy = size > _CLOSE * (1 + here.abs().amax(-1))
            largest = torch.maximum(largest, torch.where(busy, 0, size).max())
            if not bool(busy.any()):
                return point, value, largest
            left, here, base, aim = left[busy], here[busy], base[busy], aim[busy]
            gradient, newton, safe = gradient[busy], newton[busy], safe[busy]
            step = _solve(newton, gradient)
            uphill = ~((step * gradient).sum(-1) > 0)
            if bool(uphill.any()):
                step = torch.where(uphill[:, None], _solve(safe, gradient), step)
            length = torch.ones(len(left), 1, dtype=torch.float64)
            for _ in range(_HALVINGS):
                fresh = here - length * step
                reached = self._loss(fresh, aim) + ((fresh - base) ** 2).sum(-1) / (2 * width)
                rises = reached > value[left] * (1 + 1e-14) + 1e-18
                if not bool(rises.any()):
                    break
                length = torch.where(rises[:, None], length / 2, length)
            point[left], value[left] = fresh, reached
        return point, value, torch.maximum(largest, size.max())

    def _slopes(self, point: Tensor, base: Tensor, labels: Tensor, width: float) -> tuple[Tensor, Tensor, Tensor]:
        """The gradient (n, k), second derivatives (n, k, k), and their part that is positive definite, (n, k, k) too.

        With p = softmax(βh), r = p - t and q = p ∘ (r - p·r): ∇ = 2βq and ∇² = 2β²[(diag p - ppᵀ)² + diag q - q pᵀ - p
        qᵀ] for each row.
        """
        p = self._attention(point, self.beta)
        r = p - labels
        q = p * (r - (p * r).sum(-1, keepdim=True))
        gradient = 2 * self.beta * torch.einsum("nab,abk->nk", q, self.maps) + (point - base) / width
        centred = self.maps[None] - torch.einsum("nab,abk->nak", p, self.maps)[:, :, None]
        jacobian = (p[..., None] * centred).flatten(1, 2)
        unit = torch.eye(point.shape[-1], dtype=torch.float64) / width
        safe = 2 * self.beta**2 * jacobian.mT @ jacobian + unit
        pulled = torch.einsum("nab,abk->nak", q, self.maps)
        averaged = torch.einsum("nab,abk->nak", p, self.maps)
        flat = self.maps.flatten(0, 1)
        bend = torch.einsum("nc,ck,cl->nkl", q.flatten(1), flat, flat)
        cross = pulled.mT @ averaged
        return gradient, safe + 2 * self.beta**2 * (bend - cross - cross.mT), safe


def _solve(matrices: Tensor, vectors: Tensor) -> Tensor:
    """Solutions of small systems; two by two in closed form."""
    if vectors.shape[-1] > 2:
        found: Tensor = torch.linalg.solve(matrices, vectors)
        return found
    a, b, c, d = matrices.flatten(1).unbind(-1)
    x, y = vectors.unbind(-1)
    return torch.stack([d * x - b * y, a * y - c * x], -1) / (a * d - b * c)[:, None]
