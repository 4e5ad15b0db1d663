"""The averages over one sample: of a label y and the field ω of a student, for the equations and for the errors.

With (x·w*, x·w) of covariance ((ρ, m), (m, q)): ω = √q g, z = (m/√q) g + √(ρ - m²/q) h. The score f of `losses` enters
by q̂ = α E f², m̂ = α E ∂f/∂z, V̂ = -α E ∂f/∂ω; both derivatives are taken of the normal density, so f may have kinks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from numpy.polynomial.hermite_e import hermegauss
from torch import Tensor

from boundaudit.numeric.generalized_linear import losses
from boundaudit.numeric.generalized_linear.denoisers import normal_rule
from boundaudit.numeric.generalized_linear.model import CLASSES, Mixture, Model, gradient

ORDERS = (
    ((201, 1, 1), (61, 41, 1), (25, 17, 7), (201, 41, 1)),
    ((801, 1, 1), (121, 81, 1), (35, 23, 9), (801, 41, 1)),
    ((1601, 1, 1), (201, 135, 1), (49, 33, 11), (1601, 61, 1)),
)
"""Nodes in g, h and ξ of a coarse rule, of the one that is used, and of a finer one: for classes, linear channels,
others, and the posterior mean."""
_LINE, _REACH = 2001, 6.5
_SHIFT, _LEAST = 1e-5, 1e-300


class Averages(NamedTuple):
    """Over one sample, shape (k) each: what q̂/α, m̂/α and V̂/α are, E f², E ∂f/∂z and -E ∂f/∂ω, and the envelope.

    The envelope, E min_z {ℓ(y, z) + (z - ω)²/(2V)}, is the channel's part of the potential.
    """

    square: Tensor
    by_target: Tensor
    curvature: Tensor
    envelope: Tensor


class Errors(NamedTuple):
    """What is predicted of a fixed point, shape (k) each."""

    test: Tensor
    """E ℓ on a fresh sample; of the posterior mean the mean squared error of a label, or of classes the wrong ones."""
    wrong: Tensor | None
    """The share of fresh labels that the sign of x·w misses, for classes."""
    slope: Tensor
    """E (∂f/∂ω)²."""


class _Nodes(NamedTuple):
    """A rule for (y, ω), shape (k, N) each: E F = Σ weight F, E ∂F/∂z = Σ tilt F."""

    y: Tensor
    omega: Tensor
    weight: Tensor
    tilt: Tensor
    g: Tensor


class Channel:
    """Averages of a vector model at noises Δ, shape (k); square loss and potentials of a user's own need no rule.

    The order is the one of `ORDERS` that rules have. Averages are taken at m = lim w·w*/d, q = lim ‖w‖²/d and the
    variance V, shape (k) each.
    """

    def __init__(self, model: Model, noise: Tensor, order: int) -> None:
        assert isinstance(model.teacher, Mixture)
        self.model, self.noise, self.rho = model, noise, model.teacher.second_moment
        kind = 0 if model.channel in CLASSES else 3 if model.bayes else 1 if self._linear else 2
        self.counts = ORDERS[order][kind]

    @property
    def _linear(self) -> bool:
        """Whether y, or y times the unknown sign of z, is z with noise."""
        return self.model.channel == "linear" or (self.model.bayes and self.model.channel == "absolute")

    def averages(self, m: Tensor, q: Tensor, variance: Tensor) -> Averages:
        """What the equations need."""
        if self.model.potential is not None:
            return self._of_potential(m, q, variance)
        if self.model.loss == "square":
            slope, rest = 2 / (1 + 2 * variance), self._residual(m, q)
            return Averages(slope**2 * rest, slope * self._moments()[0], slope, rest / (1 + 2 * variance))
        nodes = self._nodes(m, q)
        f = self._score(nodes, nodes.omega, variance)
        square = (nodes.weight * f**2).sum(-1)
        if self.model.bayes:
            return Averages(square, square, square, torch.zeros_like(square))
        by_target, root = (nodes.tilt * f).sum(-1), q.clamp_min(_LEAST).sqrt()
        curvature = (m / root * by_target - (nodes.weight * nodes.g * f).sum(-1)) / root
        loss = losses.value(self.model.loss, nodes.y, nodes.omega + variance[:, None] * f)
        return Averages(square, by_target, curvature, (nodes.weight * loss).sum(-1) + variance * square / 2)

    def errors(self, m: Tensor, q: Tensor, variance: Tensor) -> Errors:
        """What a fixed point predicts beyond its scalars."""
        wrong = None
        if self.model.loss == "square":
            test, slope = self._residual(m, q), (2 / (1 + 2 * variance)) ** 2
            nodes = self._nodes(m, q) if self.model.channel in CLASSES else None
        else:
            nodes = self._nodes(m, q)
            slope = self._slope(nodes, m, q, variance)
            test = self._of_posterior(q) if self.model.bayes else (
                nodes.weight * losses.value(self.model.loss, nodes.y, nodes.omega)
            ).sum(-1)  # fmt: skip
        if nodes is not None and self.model.channel in CLASSES:
            wrong = (nodes.weight * (1 - (nodes.y * nodes.omega).sign()) / 2).sum(-1)
            test = wrong if self.model.bayes else test
        return Errors(test, wrong, slope)

    def _slope(self, nodes: _Nodes, m: Tensor, q: Tensor, variance: Tensor) -> Tensor:
        """E (∂f/∂ω)², by differences; where ∂f/∂ω is 0 or -1/V, by its mean."""
        if self.model.loss in ("hinge", "absolute"):
            return self.averages(m, q, variance).curvature / variance
        ends = [self._score(nodes, nodes.omega + shift, variance) for shift in (_SHIFT, -_SHIFT)]
        return (nodes.weight * ((ends[0] - ends[1]) / (2 * _SHIFT)) ** 2).sum(-1)

    def _of_potential(self, m: Tensor, q: Tensor, variance: Tensor) -> Averages:
        """The stationarity conditions of α ψ(m, q, V) + (V̂ q - q̂ V)/2 + m̂ m in its three order parameters."""
        assert self.model.potential is not None
        rho = torch.tensor(self.rho, dtype=torch.float64)
        value, by_m, by_q, by_v = gradient(self.model.potential, m, q, variance, rho, self.noise)
        return Averages(-2 * by_v, -by_m, 2 * by_q, value)

    def _residual(self, m: Tensor, q: Tensor) -> Tensor:
        """E (y - ω)²."""
        along, power = self._moments()
        return (power - 2 * m * along + q).clamp_min(_LEAST)

    def _moments(self) -> tuple[Tensor, Tensor]:
        """E z y/ρ and E y², each of shape (k)."""
        one, channel = torch.ones_like(self.noise), self.model.channel
        if channel == "linear":
            return one, self.rho + self.noise
        if channel == "absolute":
            return 0 * one, self.rho + self.noise
        if channel == "sign":
            return (math.pi / 2 * (self.rho + self.noise)).rsqrt(), one
        g, by = normal_rule(_LINE)
        if channel == "softmax":  # E z tanh((z + √Δ ξ)/2) by parts
            width = (self.rho + self.noise).sqrt()[:, None]
            return (1 - ((width * g / 2).tanh()) ** 2) @ by / 2, one
        assert not isinstance(channel, str)
        z = math.sqrt(self.rho) * g
        y = channel(z)
        return one * ((z * y) @ by / self.rho), (y**2) @ by + self.noise

    def _nodes(self, m: Tensor, q: Tensor) -> _Nodes:
        """The rule for (y, ω)."""
        root = q.clamp_min(_LEAST).sqrt()
        g, by = normal_rule(self.counts[0], 8.0 if self.counts[1] == 1 else _REACH)
        mean, rest = (m / root)[:, None] * g, (self.rho - m**2 / q.clamp_min(_LEAST)).clamp_min(1e-14)[:, None]
        if self.model.channel in CLASSES:
            chance, slope = self._chance(mean, rest + self.noise[:, None])
            both = (torch.cat([1 - chance, chance], -1) * by.repeat(2), torch.cat([-slope, slope], -1) * by.repeat(2))
            signs = torch.ones_like(g)
            y = torch.cat([-signs, signs]).expand_as(both[0])
            return _Nodes(y, (root[:, None] * g).repeat(1, 2), *both, g.repeat(2))
        if self._linear:
            width = (rest + self.noise[:, None]).sqrt()
            h, by_h = normal_rule(self.counts[1], _REACH)
            y = mean[..., None] + width[..., None] * h
            tilt = by[:, None] * by_h * h / width[..., None]
            return self._flat(y, root[:, None, None] * g[:, None], by[:, None] * by_h, tilt, g[:, None])
        h, by_h = normal_rule(self.counts[1], _REACH)
        e, by_e = (torch.from_numpy(part) for part in hermegauss(self.counts[2]))
        z = (mean[..., None] + rest.sqrt()[..., None] * h)[..., None]
        y = self._seen(z) + self.noise.sqrt()[:, None, None, None] * e
        weight = by[:, None, None] * by_h[:, None] * (by_e / by_e.sum())
        tilt = weight * h[:, None] / rest.sqrt()[..., None, None]
        return self._flat(y, root[:, None, None, None] * g[:, None, None], weight, tilt, g[:, None, None])

    @staticmethod
    def _flat(y: Tensor, *others: Tensor) -> _Nodes:
        """One axis of nodes."""
        return _Nodes(*(part.expand_as(y).flatten(1) for part in (y, *others)))

    def _seen(self, z: Tensor) -> Tensor:
        channel = self.model.channel
        return channel(z) if not isinstance(channel, str) else z.abs()

    def _chance(self, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
        """P(y = 1) where z with its noise is normal, and its derivative by the mean."""
        width = variance.sqrt()
        if self.model.channel == "sign":
            scaled = mean / width
            return torch.special.ndtr(scaled), (-scaled.square() / 2).exp() / (math.sqrt(2 * math.pi) * width)
        h, by = normal_rule(61)
        chance = torch.sigmoid(mean[..., None] + width[..., None] * h)
        return chance @ by, (chance * (1 - chance)) @ by

    def _score(self, nodes: _Nodes, omega: Tensor, variance: Tensor) -> Tensor:
        if self.model.bayes:
            return posterior_score(self.model.channel, nodes.y, omega, variance[:, None], self.noise[:, None])
        wide = variance[:, None].clamp_min(_LEAST)
        return (losses.proximal(self.model.loss, nodes.y, omega, wide) - omega) / wide

    def _of_posterior(self, q: Tensor) -> Tensor:
        """E (y - ω)², or E (y - |ω|)²."""
        if self.model.channel == "linear":
            return self.rho + self.noise - q
        cosine = (q / self.rho).clamp(0, 1).sqrt()
        product = (1 - cosine**2).sqrt() + cosine * cosine.asin()
        return self.rho + self.noise + q - 4 / math.pi * (self.rho * q).sqrt() * product


def posterior_score(channel: object, y: Tensor, omega: Tensor, variance: Tensor, noise: Tensor) -> Tensor:
    """(E[z | y] - ω)/V for z ~ N(ω, V), elementwise, for the channel linear, sign or absolute with noise Δ."""
    total = variance + noise
    if channel == "sign":
        scaled = y * omega / total.sqrt()
        found: Tensor = y * (-scaled.square() / 2 - torch.special.log_ndtr(scaled)).exp() / (2 * math.pi * total).sqrt()
        return found
    return ((y if channel == "linear" else y * (y * omega / total).tanh()) - omega) / total
