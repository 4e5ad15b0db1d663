"""Softmax attention on T ≥ 2 tokens: the six-scalar fixed point and what it predicts.

With ρ = Q0 + Δ/2, δ = √q̂/m̂, ε = 2λ~/m̂, η = m̂/Σ̂ and K = (∂J/∂δ)/(4δ), the stationary points of the free energy have

    q = η² J,    m = η (J - 2 δ² K + ε ∫ (x - ε)₊ μ_δ(dx)),    Σ = 2 K/Σ̂,
    q̂ = 2 α E|g|²,    m̂ = 2 α E div_target g,    Σ̂ = -2 α E div_input g.

The map is iterated in the logarithms of (q̂, m̂, Σ̂) with Anderson's mixing, from several starts; the solution of the
smallest objective is refined. These equations are exact asymptotics, not proved for T ≥ 2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.attention_erm.channel import Channel, Moments, Rule, product_rule, sobol_rule
from boundaudit.numeric.attention_erm.free_convolution import convolve
from boundaudit.numeric.attention_erm.inputs import (
    NoConvergence,
    above_zero,
    at_least_zero,
    curve_of,
    token_count,
)
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.threads import one_thread

_TOLERANCE, _STEPS, _MEMORY = 1e-8, 300, 4
_STARTS, _WIDTH, _LEAST = (0.9, 0.3, 0.003), 0.1, 1e-12
_SCOUT, _ORDERS = 8, (16, 20)
_POINTS, _SEEDS = 2048, (1, 2, 3, 4)
_REPORTED = ("delta", "threshold", "eta", "error", "test", "train", "rank", "objective")


class Point(NamedTuple):
    """A fixed point under one rule of integration."""

    delta: float
    threshold: float
    eta: float
    error: float
    test: float
    train: float
    rank: float
    objective: float
    free_energy: float
    residual: float


@dataclass(frozen=True)
class SoftmaxState:
    """Predictions along a curve of sample ratios, float64 of shape (k) each."""

    alpha: Tensor
    """Samples over d²."""
    delta: Tensor
    """The effective noise δ."""
    threshold: Tensor
    """ε, where the spectrum is cut."""
    eta: Tensor
    """The factor on the learned map."""
    error: Tensor
    """E = lim ‖S - S0‖_F²/d."""
    test: Tensor
    """The test error, noise of the labels included."""
    train: Tensor
    """The mean loss on the samples."""
    rank: Tensor
    """The rank ratio 1 - F_δ(ε), which the width ratio must reach."""
    objective: Tensor
    """The minimum over d²."""
    free_energy: Tensor
    """The same from the free energy: an internal check."""
    residual: Tensor
    """How far the iteration's map moves the logarithms of its scalars."""
    uncertainty: Mapping[str, Tensor]
    """For each quantity, the error of integration: the change between two orders for T = 2, else a standard error."""


@one_thread()
def softmax_state(
    target: Target,
    alpha: float | Sequence[float] | Tensor,
    penalty: float,
    noise: float,
    tokens: int = 2,
    beta: float = 1.0,
    target_beta: float = 1.0,
) -> SoftmaxState:
    """Predictions for softmax attention on T tokens.

    Args:
        target: the law of S0.
        alpha: n/d², one or many.
        penalty: λ~ > 0.
        noise: Δ ≥ 0.
        tokens: T ≥ 2.
        beta: the student's inverse temperature.
        target_beta: the target's.

    Returns:
        The predictions.

    Raises:
        InputError: for values out of range.
        NoConvergence: where no fixed point is reached.
    """
    alphas = curve_of(alpha)
    above_zero("penalty", penalty), at_least_zero("noise", noise), token_count(tokens, 2)
    above_zero("beta", beta), above_zero("target beta", target_beta)
    setting = _Setting(target, penalty, noise, tokens, beta, target_beta)
    columns = [setting.solve(float(value)) for value in alphas]
    means = {name: torch.tensor([mean[name] for mean, _ in columns], dtype=torch.float64) for name in Point._fields}
    spread = {name: torch.tensor([error[name] for _, error in columns], dtype=torch.float64) for name in _REPORTED}
    return SoftmaxState(alpha=alphas, uncertainty=spread, **means)


@dataclass(frozen=True)
class _Setting:
    """All but the sample ratio."""

    target: Target
    penalty: float
    noise: float
    tokens: int
    beta: float
    target_beta: float

    def solve(self, alpha: float) -> tuple[dict[str, float], dict[str, float]]:
        """The predictions at a sample ratio and their errors of integration."""
        scouts, finals = self._rules()
        power = self.target.second_moment
        found = [
            self._iterate(rule, alpha, self._first(rule, alpha, share * power)) for rule in scouts for share in _STARTS
        ]
        reached = [pair for pair in found if pair[0].residual <= _TOLERANCE]
        if not reached:
            worst = min(pair[0].residual for pair in found)
            raise NoConvergence("penalty", _TOLERANCE, worst, "give a larger penalty or another alpha")
        best = min(reached, key=lambda pair: pair[0].objective)[1]
        points = [self._iterate(rule, alpha, best)[0] for rule in finals]
        worst = max(point.residual for point in points)
        if not worst <= _TOLERANCE:
            raise NoConvergence("penalty", _TOLERANCE, worst, "give a larger penalty or another alpha")
        return self._summary(points)

    def _rules(self) -> tuple[list[Rule], list[Rule]]:
        """A coarse rule, and those that the result is computed with."""
        if self.tokens == 2:
            return [product_rule(_SCOUT)], [product_rule(order) for order in _ORDERS]
        coordinates = self.tokens * (self.tokens + 1) // 2 - 1
        return [sobol_rule(coordinates, _POINTS // 4, 0)], [sobol_rule(coordinates, _POINTS, seed) for seed in _SEEDS]

    def _summary(self, points: Sequence[Point]) -> tuple[dict[str, float], dict[str, float]]:
        """The value of the finest product rule and the last change, or the mean of the Sobol rules and its error."""
        table = torch.tensor(points, dtype=torch.float64)
        if self.tokens == 2:
            value, error = table[-1], (table[-1] - table[-2]).abs()
        else:
            value, error = table.mean(0), table.std(0) / math.sqrt(len(points))
        value[-1] = table[:, -1].max()
        return Point(*value.tolist())._asdict(), Point(*error.tolist())._asdict()

    def _channel(self, rule: Rule) -> Channel:
        return Channel(self.tokens, self.beta, self.target_beta, rule)

    def _first(self, rule: Rule, alpha: float, power: float) -> Tensor:
        """The three logarithms that q = m = a part of Q0 would give."""
        moments = self._channel(rule).moments(self.target.second_moment + self.noise / 2, power, power, _WIDTH)
        return _logarithms(moments, alpha)

    def _iterate(self, rule: Rule, alpha: float, start: Tensor) -> tuple[Point, Tensor]:
        """Anderson's mixing from a start, as far as it goes."""
        channel, x = self._channel(rule), start
        history: list[tuple[Tensor, Tensor]] = []
        point, fresh = self._map(channel, alpha, x)
        for _ in range(_STEPS):
            if point.residual <= _TOLERANCE / 10:
                break
            history = [*history, (x, fresh - x)][-_MEMORY:]
            x = _mixed(history)
            point, fresh = self._map(channel, alpha, x)
        return point, x

    def _map(self, channel: Channel, alpha: float, x: Tensor) -> tuple[Point, Tensor]:
        """The predictions at (ln q̂, ln m̂, ln Σ̂), and the logarithms that follow from them."""
        q_hat, m_hat, sigma_hat = x.exp().tolist()
        delta, level, eta = math.sqrt(q_hat) / m_hat, 2 * self.penalty / m_hat, m_hat / sigma_hat
        convolution = convolve(self.target, delta)
        tail = convolution.above(convolution.locate(level))
        first, square, pull = float(tail.first), float(tail.second), float(tail.moment_pull)
        second_moment = self.target.second_moment
        q = eta**2 * square
        m = eta * (square - 2 * delta**2 * pull + level * first)
        sigma = 2 * pull / sigma_hat
        moments = channel.moments(second_moment + self.noise / 2, m, max(q, _LEAST), max(sigma, _LEAST))
        fresh = _logarithms(moments, alpha)
        train, mass = float(moments.train), float(tail.mass)
        energy = (q_hat * sigma + 2 * m_hat * m - sigma_hat * q) / 4 - m_hat**2 / (4 * sigma_hat) * square
        residual = max(float((fresh - x).abs().max()), float(moments.residual))
        return Point(
            delta=delta,
            threshold=level,
            eta=eta,
            error=second_moment - 2 * m + q,
            test=float(moments.test),
            train=train,
            rank=mass,
            objective=alpha * train + self.penalty * eta * first,
            free_energy=energy + alpha * float(moments.envelope),
            residual=residual if math.isfinite(residual) else math.inf,
        ), fresh


def _logarithms(moments: Moments, alpha: float) -> Tensor:
    """(ln q̂, ln m̂, ln Σ̂) of a channel's averages."""
    hats = torch.stack([moments.square, moments.by_target, -moments.by_input])
    return (2 * alpha * hats).clamp_min(_LEAST).log()


def _mixed(history: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """Anderson's next point, with steps of at most one in each logarithm."""
    x, step = history[-1]
    if len(history) > 1:
        places, steps = (torch.stack([pair[k] for pair in history], -1).diff(dim=-1) for k in (0, 1))
        weights = torch.linalg.lstsq(steps, step[:, None], driver="gelsd").solution[:, 0]
        step = step - (places + steps) @ weights
    return x + step.clamp(-1, 1)
