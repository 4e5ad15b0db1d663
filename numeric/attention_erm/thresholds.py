"""Where attention interpolates, peaks and recovers: sharp thresholds and the curves beside them.

The ridgeless problem with T tokens and no more samples than it can interpolate is that of one token with
α (T² + T - 2)/2 samples, as a sequence fixes T(T+1)/2 - 1 linear functionals of S.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.free_convolution import convolve
from boundaudit.numeric.attention_erm.inputs import NoConvergence, at_least_zero, curve_of, token_count
from boundaudit.numeric.attention_erm.roots import crossing
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.threads import one_thread

_LOWEST, _HIGHEST, _GRID = -14.0, 14.0, 57
_HALVINGS = 60


@dataclass(frozen=True)
class Interpolation:
    """The largest sample ratio that is interpolated as λ → 0, and the peak of the error there."""

    alpha: float
    """n/d² for T tokens."""
    delta: float
    """The effective noise at the threshold."""
    error: float
    """E at the threshold, reached from below: the height of the ridgeless peak for one token."""


def functionals(tokens: int) -> int:
    """How many linear functionals of S an example fixes: 1 for T = 1, else T(T+1)/2 - 1; InputError for no token."""
    tokens = token_count(tokens)
    return 1 if tokens == 1 else tokens * (tokens + 1) // 2 - 1


@one_thread()
def interpolation(target: Target, noise: float, tokens: int = 1, stretch: float = 1.0) -> Interpolation:
    """The interpolation threshold: with ε = 0, Q0 + Δ/2 = J - (δ/2) ∂J/∂δ and α = (∂J/∂δ)/(4δ) per functional.

    A student of another inverse temperature than the target's fits c S0 and c times the noise, with c = β0/β the
    stretch: the threshold stays, as does δ, and E = Q0 - 2 c m + c² q with m = Q0 + Δ/2 and q = m + 2 α δ².

    Raises:
        InputError: for values out of range, among them no noise, without which recovery comes first.
        NoConvergence: where the equation has no root.
    """
    if at_least_zero("noise", noise) == 0:
        raise InputError("noise", "a number above 0", noise, "use the recovery threshold where there is no noise")
    goal = target.second_moment + noise / 2

    def defect(delta: Tensor) -> Tensor:
        convolution = convolve(target, delta)
        tail = convolution.above(convolution.locate(0.0))
        return tail.second - 2 * delta**2 * tail.moment_pull - goal

    delta = rising_root(defect, math.sqrt(goal))
    convolution = convolve(target, delta)
    alpha = float(convolution.above(convolution.locate(0.0)).moment_pull)
    error = target.second_moment - 2 * stretch * goal + stretch**2 * (goal + 2 * alpha * delta**2)
    return Interpolation(alpha / functionals(tokens), delta, error)


def rising_root(function: Callable[[Tensor], Tensor], scale: float) -> float:
    """The first sign change of a function from below to above zero, on a logarithmic grid, then by `crossing`.

    The function is batched, of float64 arguments; the scale is the middle of the grid.

    Raises:
        NoConvergence: where there is no sign change.
    """
    grid = scale * torch.linspace(_LOWEST, _HIGHEST, _GRID, dtype=torch.float64).exp()
    values = function(grid)
    ups = ((values[:-1] <= 0) & (values[1:] > 0)).nonzero()
    if not len(ups):
        raise NoConvergence("alpha", 1e-12, float(values.abs().min()), "give another setting")
    return float(crossing(lambda place: -function(place), grid[ups[0]], grid[ups[0] + 1]))


def recovery(kappa0: float | Tensor, tokens: int = 1) -> Tensor:
    """The ratio α from which a target is recovered exactly, without noise and as λ → 0, of the shape of κ0.

    Half the statistical dimension of the cone of positive semidefinite matrices at one of rank κ0 d, per d²: (1/2)
    min_c {κ0(2 - κ0) + κ0 c² + (1 - κ0) ∫ (√(1 - κ0) s - c)₊² sc(ds)}; only the target's rank matters.

    Raises:
        InputError: for values out of range, κ0 in (0, 1].
    """
    ratio = torch.as_tensor(kappa0, dtype=torch.float64)
    if not bool(((ratio > 0) & (ratio <= 1)).all()):
        raise InputError("width-ratio", "numbers above 0 and at most 1", ratio.tolist(), "correct the ratio")
    width = (1 - ratio).sqrt()
    low, high = torch.zeros_like(ratio), torch.full_like(ratio, math.pi / 2)
    for _ in range(_HALVINGS):  # the angle of the level c = 2 √(1 - κ0) cos φ, above which the slope in c is negative
        middle = (low + high) / 2
        rises = 2 * ratio * middle.cos() >= (1 - ratio) * _semicircle(middle, 1)
        low, high = torch.where(rises, middle, low), torch.where(rises, high, middle)
    level = 2 * width * low.cos()
    excess = (1 - ratio) ** 2 * _semicircle(low, 2)
    return (ratio * (2 - ratio) + ratio * level**2 + excess) / 2 / functionals(tokens)


def _semicircle(angle: Tensor, power: int) -> Tensor:
    """∫ (s - 2 cos φ)₊^power over the semicircle law on [-2, 2], power 1 or 2, in closed form."""
    level = 2 * angle.cos()
    mass = (angle - (2 * angle).sin() / 2) / math.pi
    first = 4 * angle.sin() ** 3 / (3 * math.pi)
    if power == 1:
        return first - level * mass
    second = (angle - (4 * angle).sin() / 4) / math.pi
    return second - 2 * level * first + level**2 * mass


@one_thread()
def direct_error(target: Target, alpha: float | Sequence[float] | Tensor, tokens: int = 1) -> Tensor:
    """E, shape (k), of training S itself with a vanishing Frobenius penalty and no noise, at ratios α = n/d².

    It is Q0 (1 - 2α) per functional, not below 0.

    Raises:
        InputError: for values out of range.
    """
    return target.second_moment * (1 - 2 * functionals(tokens) * curve_of(alpha)).clamp_min(0)
