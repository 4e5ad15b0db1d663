"""Softmax attention on T ≥ 2 tokens: the six-scalar fixed point and what it predicts.

With ρ = Q0 + Δ/2, δ = √q̂/m̂, ε = 2λ~/m̂, η = m̂/Σ̂ and K = (∂J/∂δ)/(4δ), the stationary points of the free energy have

    q = η² J,    m = η (J - 2 δ² K + ε ∫ (x - ε)₊ μ_δ(dx)),    Σ = 2 K/Σ̂,
    q̂ = 2 α E|g|²,    m̂ = 2 α E div_target g,    Σ̂ = -2 α E div_input g.

The map is iterated in the logarithms of (q̂, m̂, Σ̂) with Anderson's mixing, from several starts; the solution of the
smallest objective is refined. These equations are exact asymptotics, not proved for T ≥ 2.

As λ~ → 0 without noise, or below the interpolation threshold, labels are fitted exactly: by every S with the same
T(T+1)/2 - 1 functionals a sequence as (β0/β)(S0 and noise). The least trace among them is that of one token with as
many samples, its solution times β0/β.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.channel import (
    Averaging,
    Channel,
    Moments,
    Rule,
    product_rule,
    sobol_rule,
    work_of,
)
from boundaudit.numeric.attention_erm.free_convolution import convolve
from boundaudit.numeric.attention_erm.inputs import NoConvergence, above_zero, at_least_zero, curve_of, token_count
from boundaudit.numeric.attention_erm.state_evolution import LinearState, linear_state
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.attention_erm.thresholds import functionals, interpolation
from boundaudit.numeric.threads import one_thread

_TOLERANCE, _STEPS, _MEMORY = 1e-8, 300, 4
_SCOUTED = 1e-5
"""How well the coarse rule's equations are solved, far below what that rule is wrong by."""
_STARTS, _WIDTH, _LEAST, _SHIFT = (0.9, 0.3, 0.003), 0.1, 1e-12, 1e-4
_SCOUT, _ORDERS = 8, (16, 20)
_POINTS, _SEEDS = 2048, (1, 2, 3, 4)
_AFFORDED, _FEWEST = 24_000, 32
"""Points of a Sobol rule, in those of two tokens, with which a usual search stays within its work; the fewest."""
_SCOUTING, _WORK = 2e6, 4e6
"""Slopes at one point of two tokens that one search may take, with the coarse rule and with the others: three and six
seconds."""
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
    radius: float = math.nan


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
    radius: Tensor
    """The spectral radius of the iteration's derivative, below 1 where plain iteration leads here; NaN for a limit."""
    uncertainty: Mapping[str, Tensor]
    """For each quantity, the error of integration: the change between two orders for T = 2, else a standard error."""


@one_thread()
def softmax_state(
    target: Target, alpha: float | Sequence[float] | Tensor, penalty: float, noise: float, tokens: int = 2,
    beta: float = 1.0, target_beta: float = 1.0,
) -> SoftmaxState:  # fmt: skip
    """Predictions for softmax attention on T tokens, from 2 to 10, at ratios α = n/d², one or many.

    Penalty λ~ ≥ 0, 0 the limit from above, noise Δ ≥ 0, inverse temperatures of the student (beta) and of the target.

    Raises:
        InputError: for values out of range.
        NoConvergence: where no fixed point is reached, with as many evaluations as half a minute allows.
    """
    alphas = curve_of(alpha)
    at_least_zero("penalty", penalty), at_least_zero("noise", noise)
    if _points(token_count(tokens, 2)) < _FEWEST:
        raise InputError("tokens", "at most 10, for which a minute is enough", tokens, "give fewer tokens")
    above_zero("beta", beta), above_zero("target beta", target_beta)
    return _solved(_Setting(target, penalty, noise, tokens, beta, target_beta), alphas)


@one_thread()
def channel_state(
    target: Target, alpha: float | Sequence[float] | Tensor, penalty: float, noise: float,
    channel: Callable[[], Averaging],
) -> SoftmaxState:  # fmt: skip
    """Predictions for a channel of one's own, whose averages are known; errors of integration are not, and are 0.

    Ratios α = n/d², one or many, λ~ > 0, Δ ≥ 0; `channel` makes one that has not worked yet.

    Raises:
        InputError: for values out of range.
        NoConvergence: where no fixed point is reached.
    """
    alphas = curve_of(alpha)
    above_zero("penalty", penalty), at_least_zero("noise", noise)
    return _solved(_Own(target, penalty, noise, 2, 1.0, 1.0, channel), alphas)


def _solved(setting: _Setting, alphas: Tensor) -> SoftmaxState:
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
        scout, finals = self._rules()
        if self.penalty == 0 and self._interpolates(alpha):
            return self._summary(self._interpolated(alpha, finals))
        starts = self._starts(scout, alpha)
        found = [self._iterate(self._channel(scout), alpha, start, _SCOUTING, _SCOUTED) for start in starts]
        least, best = min(found, key=lambda pair: (pair[0].residual > _SCOUTED, pair[0].objective))
        points = [least]
        if least.residual <= _SCOUTED:
            points = []
            for rule in finals:
                point, best = self._iterate(self._channel(rule), alpha, best, _WORK, _TOLERANCE)
                points.append(point)
        worst = max(point.residual for point in points)
        if not worst <= _TOLERANCE:
            raise NoConvergence("penalty", _TOLERANCE, worst, "give a larger penalty, 0 for its limit, or another α")
        radius = self._radius(self._channel(finals[-1]), alpha, best)
        return self._summary([*points[:-1], points[-1]._replace(radius=radius)])

    def _radius(self, channel: Averaging, alpha: float, x: Tensor) -> float:
        """How much the map stretches what is close to a fixed point."""
        columns = []
        for shift in _SHIFT * torch.eye(len(x), dtype=torch.float64):
            up, down = (self._map(channel, alpha, x + sign * shift)[1] for sign in (1, -1))
            columns.append((up - down) / (2 * _SHIFT))
        return float(torch.linalg.eigvals(torch.stack(columns, -1)).abs().max())

    def _interpolates(self, alpha: float) -> bool:
        """Whether labels are fitted exactly as λ~ → 0."""
        return self.noise == 0 or alpha <= interpolation(self.target, self.noise, self.tokens).alpha

    def _starts(self, rule: Rule, alpha: float) -> list[Tensor]:
        """The three logarithms that q = m = parts of Q0 would give, and those that lead to interpolation."""
        total = self.target.second_moment + self.noise / 2
        powers = [share * self.target.second_moment for share in _STARTS]
        starts = [_logarithms(self._channel(rule).moments(total, power, power, _WIDTH), alpha) for power in powers]
        with contextlib.suppress(NoConvergence):
            linear = self._linear(alpha)
            if float(linear.threshold) > 0:
                m_hat = 2 * self.penalty / linear.threshold
                hats = torch.cat([(linear.delta * m_hat) ** 2, m_hat, m_hat * self.beta / self.target_beta])
                starts.append(hats.log())
        return starts

    def _linear(self, alpha: float) -> LinearState:
        """One token with as many functionals, without a penalty."""
        return linear_state(self.target, alpha * functionals(self.tokens), 0.0, self.noise)

    def _rules(self) -> tuple[Rule, list[Rule]]:
        """A coarse rule, and those that the result is computed with."""
        if self.tokens == 2:
            return product_rule(_SCOUT), [product_rule(order) for order in _ORDERS]
        coordinates = self.tokens * (self.tokens + 1) // 2 - 1
        points = _points(self.tokens)
        return sobol_rule(coordinates, points // 4, 0), [sobol_rule(coordinates, points, seed) for seed in _SEEDS]

    def _interpolated(self, alpha: float, rules: Sequence[Rule]) -> list[Point]:
        """The limit of no penalty where every label is fitted."""
        linear = self._linear(alpha)
        delta, level, error, rank, residual = (
            float(getattr(linear, name)) for name in ("delta", "threshold", "error", "rank", "residual")
        )
        second_moment, eta = self.target.second_moment, self.target_beta / self.beta
        square = second_moment
        if delta > 0:
            convolution = convolve(self.target, delta)
            square = float(convolution.above(convolution.locate(level)).second)
        m, q = eta * (second_moment + square - error) / 2, eta**2 * square
        error = second_moment - 2 * m + q
        tests = [self._softmax(rule).test(second_moment + self.noise / 2, m, q) for rule in rules]
        return [Point(delta, level, eta, error, test, 0.0, rank, 0.0, 0.0, residual) for test in tests]

    def _summary(self, points: Sequence[Point]) -> tuple[dict[str, float], dict[str, float]]:
        """The value of the finest product rule and the last change, or the mean of the Sobol rules and its error."""
        table = torch.tensor(points, dtype=torch.float64)
        if self.tokens == 2:
            value, error = table[-1], (table[-1] - table[-2]).abs()
        else:
            value, error = table.mean(0), table.std(0) / math.sqrt(len(points))
        value[-2] = table[:, -2].max()
        value[-1] = table[-1, -1]
        return Point(*value.tolist())._asdict(), Point(*error.tolist())._asdict()

    def _channel(self, rule: Rule) -> Averaging:
        return self._softmax(rule)

    def _softmax(self, rule: Rule) -> Channel:
        return Channel(self.tokens, self.beta, self.target_beta, rule)

    def _iterate(
        self, channel: Averaging, alpha: float, x: Tensor, work: float, tolerance: float
    ) -> tuple[Point, Tensor]:
        """Anderson's mixing from a start, as far as it goes."""
        history: list[tuple[Tensor, Tensor]] = []
        point, fresh = self._map(channel, alpha, x)
        for _ in range(_STEPS):
            if point.residual <= tolerance / 10 or channel.work > work:
                break
            history = [*history, (x, fresh - x)][-_MEMORY:]
            x = _mixed(history)
            point, fresh = self._map(channel, alpha, x)
        return point, x

    def _map(self, channel: Averaging, alpha: float, x: Tensor) -> tuple[Point, Tensor]:
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


@dataclass(frozen=True)
class _Own(_Setting):
    """A channel of one's own, that has no rule and no interpolation known here."""

    make: Callable[[], Averaging]

    def _rules(self) -> tuple[Rule, list[Rule]]:
        rule = product_rule(2)
        return rule, [rule, rule]

    def _channel(self, rule: Rule) -> Averaging:
        return self.make()

    def _linear(self, alpha: float) -> LinearState:
        raise NoConvergence("penalty", _TOLERANCE, math.inf, "no rule is known for another channel")


def _points(tokens: int) -> int:
    """Of a Sobol rule: a power of two that falls with the work of a point."""
    return min(_POINTS, 1 << max(0, int(math.log2(_AFFORDED / work_of(tokens)))))


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
