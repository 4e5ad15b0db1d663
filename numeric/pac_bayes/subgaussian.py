"""Exact sub-Gaussian constants of finite laws.

The constant S of a loss ℓ with mean R is the square root of sup 2 ln E exp(t(ℓ-R)) / t². Over both signs of t it serves
either tail; over t < 0 alone it serves E exp(t(R-ℓ)), t > 0, which is all that an upper bound on the risk needs.

The supremum is taken over all t by branch and bound. With K(t) = ln E exp(t(ℓ-R)), t > 0, and φ = 2K/t²:

* beyond t = 2(max-R)/S² the trivial bound K ≤ t(max-R) leaves nothing to look for;
* K is convex with K(0) = 0, so that on a cell φ is at most the maximum of chord/t²;
* φ(t) = 2∫(1-u)K''(tu)du, so that φ'' ≤ sup K''''/6, and K'''' is at most squared range times variance of a tilted law.

At t = 0 the quotient is the variance, so a supremum that is only approached there is found too.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError

Side = Literal["both", "lower"]

RELATIVE = 1e-9
"""How far the returned square may lie above the supremum, relatively, in exact arithmetic."""

_ROUNDING = 1e-12
_CELLS = 24
_SPLIT = 8
_ROUNDS = 200
_ENTRIES = 2**22
_SERIES = 2.0**-6
_LARGEST = 500.0
_TINY = 1e-100


class Proxy(NamedTuple):
    """An upper end of a sub-Gaussian constant S, and the t at which it is attained, 0 for the variance; shape (...)."""

    value: Tensor
    at: Tensor


def proxy(values: Tensor, weights: Tensor | None = None, *, side: Side = "both") -> Proxy:
    """The sub-Gaussian constant of finite laws, for ``both`` tails or for the ``lower`` one, of small losses, alone.

    Values have shape (..., n); weights are probabilities that broadcast to them, equal where nothing is said. The
    constant is within `RELATIVE` of the supremum from above and inflated for rounding. Values are taken as they are:
    what rounding has removed from their differences is not known here.

    Raises:
        InputError: for values that are not finite, weights that are no probabilities, or an unknown side.
    """
    law = _Laws.of(*_checked(values, weights, side), side)
    square, at = (found.view(law.shape) for found in _supremum(law))
    upper, which = square.max(0)
    # The first side is the lower tail, t < 0.
    at = at.gather(0, which[None])[0] * (2 * which - 1)
    span = law.span.view(law.shape)[0]
    return Proxy(upper.sqrt() * span, torch.where(span > 0, at / span, 0.0) + 0.0)


def _checked(values: Tensor, weights: Tensor | None, side: str) -> tuple[Tensor, Tensor]:
    """Both as float64 of one shape."""
    values = torch.as_tensor(values, dtype=torch.float64)
    if side not in ("both", "lower"):
        raise InputError("side", "'both' or 'lower'", repr(side), "choose one of these")
    if values.ndim == 0 or values.shape[-1] == 0 or not bool(values.isfinite().all()):
        raise InputError("values", "finite numbers, at least one per law", tuple(values.shape), "correct the values")
    if weights is None:
        weights = values.new_full((values.shape[-1],), 1 / values.shape[-1])
    weights = torch.as_tensor(weights, dtype=torch.float64).expand(values.shape)
    if not bool((weights >= 0).all() and ((weights.sum(-1) - 1).abs() < 1e-9).all()):
        raise InputError("weights", "probabilities that add up to 1", "others", "correct the weights")
    return values, weights / weights.sum(-1, keepdim=True)


class _Laws(NamedTuple):
    """Centred laws of range one, one per row; y is mirrored for the lower tail, so that t ≥ 0 throughout.

    Attributes:
        y: shape (N, n), zero where the weight is zero.
        weights: shape (N, n).
        high: the largest y, shape (N,).
        variance: shape (N,).
        span: the range that y was divided by; zero for a constant, which stays zero; shape (N,).
        shape: sides, then the laws' own leading dimensions.
    """

    y: Tensor
    weights: Tensor
    high: Tensor
    variance: Tensor
    span: Tensor
    shape: torch.Size

    @classmethod
    def of(cls, values: Tensor, weights: Tensor, side: Side) -> _Laws:
        possible = weights > 0
        top = torch.where(possible, values, -torch.inf).amax(-1, keepdim=True)
        span = top - torch.where(possible, values, torch.inf).amin(-1, keepdim=True)
        y = values - (weights * values).sum(-1, keepdim=True)
        y = torch.where(possible & (span > 0), y / span, 0.0)
        y = torch.stack([-y, y] if side == "both" else [-y])
        span, weights = span[..., 0].expand(y.shape[:-1]), weights.expand(y.shape).flatten(0, -2)
        flat = y.flatten(0, -2)
        return cls(flat, weights, flat.amax(-1), (weights * flat.square()).sum(-1), span.flatten(), y.shape[:-1])

    def rows(self, chosen: Tensor) -> _Laws:
        y, weights, high, variance, span, shape = self
        return _Laws(y[chosen], weights[chosen], high[chosen], variance[chosen], span[chosen], shape)

    def moments(self, t: Tensor) -> tuple[Tensor, Tensor]:
        """K and K' at t, each of shape (N, k) as t."""
        some = max(1, _ENTRIES // max(1, self.y.numel()))
        parts = [self._moments(part) for part in torch.split(t, some, dim=1)]
        return torch.cat([k for k, _ in parts], 1), torch.cat([slope for _, slope in parts], 1)

    def _moments(self, t: Tensor) -> tuple[Tensor, Tensor]:
        """Every sum has terms of one sign as E y = 0; what would overflow is taken over its largest term."""
        x, w = t[:, :, None] * self.y[:, None], self.weights[:, None]
        excess = (w * _beyond_line(x)).sum(-1)
        slope = (w * self.y[:, None] * x.expm1()).sum(-1) / (1 + excess)
        top = x.amax(-1, keepdim=True)
        if not bool((top > _LARGEST).any()):
            return excess.log1p(), slope
        tilted = w * (x - top).exp()
        mass = tilted.sum(-1)
        large = top[..., 0] > _LARGEST
        shifted = (tilted * self.y[:, None]).sum(-1) / mass
        return torch.where(large, top[..., 0] + mass.log(), excess.log1p()), torch.where(large, shifted, slope)


def _beyond_line(x: Tensor) -> Tensor:
    """exp(x) - 1 - x, to rounding."""
    near = torch.zeros_like(x)
    for n in range(8, 1, -1):
        near = (near + 1) * x / n
    return torch.where(x.abs() < _SERIES, near * x, x.expm1() - x)


class _Knots(NamedTuple):
    """What is known at values of t: K, φ, which is the variance at zero, and φ', each of shape (N, k)."""

    t: Tensor
    cumulant: Tensor
    quotient: Tensor
    slope: Tensor

    @classmethod
    def at(cls, law: _Laws, t: Tensor) -> _Knots:
        cumulant, derivative = law.moments(t)
        third = (law.weights * law.y**3).sum(-1, keepdim=True)
        quotient = torch.where(t > 0, 2 * cumulant / t.square(), law.variance[:, None])
        slope = torch.where(t > 0, (2 * t * derivative - 4 * cumulant) / t**3, third / 3)
        return cls(t, cumulant, quotient, slope)

    def take(self, index: Tensor) -> _Knots:
        return _Knots(*(field.gather(1, index) for field in self))

    def rows(self, chosen: Tensor) -> _Knots:
        return _Knots(*(field[chosen] for field in self))

    def beside(self, other: _Knots) -> _Knots:
        return _Knots(*(torch.cat(pair, 1) for pair in zip(self, other, strict=True)))


def _supremum(law: _Laws) -> tuple[Tensor, Tensor]:
    """An upper end of sup φ for each row, and where the largest φ was seen."""
    best, at, last = _start(law)
    steps = 2.0 ** torch.arange(1 - _CELLS, 1, dtype=torch.float64, device=best.device)
    knots = _Knots.at(law, torch.cat([torch.zeros_like(last[:, None]), last[:, None] * steps], 1))
    best, at = _better(knots, best, at)
    left, right = (_Knots(*(field[:, part] for field in knots)) for part in (slice(-1), slice(1, None)))
    bound = _bound(law, left, right)
    square, where = best.clone(), at.clone()
    rest = torch.arange(len(best), device=best.device)
    for step in range(_ROUNDS + 1):
        square[rest], where[rest] = torch.maximum(bound.amax(1), best) * (1 + _ROUNDING), at
        wide = bound.amax(1) > best * (1 + RELATIVE)
        if step == _ROUNDS or not bool(wide.any()):
            break
        law, rest, best, at = law.rows(wide), rest[wide], best[wide], at[wide]
        left, right, bound, best, at = _halved(law, left.rows(wide), right.rows(wide), bound[wide], best, at)
    return square, where


def _halved(
    law: _Laws, left: _Knots, right: _Knots, bound: Tensor, best: Tensor, at: Tensor
) -> tuple[_Knots, _Knots, Tensor, Tensor, Tensor]:
    """The most promising cells of each row in halves; those that can hold no supremum are left out."""
    chosen = bound.topk(min(_SPLIT, bound.shape[1]), dim=1).indices
    first, second = left.take(chosen), right.take(chosen)
    middle = _Knots.at(law, (first.t + second.t) / 2)
    best, at = _better(middle, best, at)
    left, right = left.beside(first).beside(middle), right.beside(middle).beside(second)
    halves = [_bound(law, first, middle), _bound(law, middle, second)]
    bound = torch.cat([bound.scatter(1, chosen, 0.0), *halves], 1)
    # As many as the row with the most of them needs.
    order = bound.topk(int((bound > best[:, None]).sum(1).amax().clamp_min(1)), dim=1).indices
    return left.take(order), right.take(order), bound.gather(1, order), best, at


def _start(law: _Laws) -> tuple[Tensor, Tensor, Tensor]:
    """The best φ at a first t, where, and the t beyond which φ is smaller."""
    rarest = torch.where(law.y == law.high[:, None], law.weights, 0.0).sum(-1)
    high = law.high.clamp_min(_TINY)
    t = (-2 * rarest.log() / high).clamp_min(_TINY)
    found = 2 * law.moments(t[:, None])[0][:, 0] / t.square()
    attained = found.isfinite() & (found > law.variance)
    best = torch.where(attained, found, law.variance).clamp_min(_TINY)
    return best, torch.where(attained, t, 0.0), (2 * high / best).clamp(max=1 / _TINY)


def _better(knots: _Knots, best: Tensor, at: Tensor) -> tuple[Tensor, Tensor]:
    """The best φ and where it is, with those at more knots."""
    top, where = knots.quotient.max(1)
    return torch.maximum(best, top), torch.where(top > best, knots.t.gather(1, where[:, None])[:, 0], at)


def _bound(law: _Laws, left: _Knots, right: _Knots) -> Tensor:
    """What φ cannot exceed between knots."""
    bounds = (_by_chord(left, right), _by_curvature(law, left, right))
    chord, curve = (torch.where(bound.isfinite(), bound, torch.inf) for bound in bounds)
    return torch.maximum(torch.minimum(chord, curve), torch.maximum(left.quotient, right.quotient))


def _by_chord(left: _Knots, right: _Knots) -> Tensor:
    """The maximum of 2(c₀ + c₁t)/t², c₀ ≤ 0, which lies at an end or at t = -2c₀/c₁; nothing from t = 0 on."""
    rise = (right.cumulant - left.cumulant) / (right.t - left.t)
    foot = (left.cumulant - rise * left.t).clamp(max=0.0)
    inner = torch.minimum(torch.maximum(-2 * foot / rise, left.t), right.t)
    return 2 * (foot + rise * inner) / inner.square() / (left.t > 0)


def _by_curvature(law: _Laws, left: _Knots, right: _Knots) -> Tensor:
    """φ(a) + φ'(a)(t-a) + sup φ''(t-a)²/2 at the far end: a parabola open upwards has its maximum at an end."""
    variance = ((right.t * law.high[:, None]).exp() * law.variance[:, None]).clamp(max=0.25)
    step = right.t - left.t
    return left.quotient + left.slope * step + variance / 12 * step.square()
