"""The Bayes-optimal benchmark of the linear case, and nuclear-norm regression at its best penalty beside it.

Given S0 + δ Z the best estimate has the squared error, per d,

    mmse(δ) = δ² - (4π²/3) δ⁴ ∫ ρ_δ(x)³ dx

(Bun, Allez, Bouchaud & Potters, 2016; Maillard, Krzakala, Mézard & Zdeborová, 2022). Learning from n = α d² samples is
as good as such a channel with 4 α δ² = Δ + 2 mmse(δ). Of several solutions the one of the smallest mutual information
counts; along ln δ² that falls at a rate proportional to (Δ + 2 mmse)/(4 α δ²) - 1.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.attention_erm.free_convolution import NODES, Convolution, Tail, convolve
from boundaudit.numeric.attention_erm.inputs import NoConvergence, at_least_zero, curve_of
from boundaudit.numeric.attention_erm.roots import crossing
from boundaudit.numeric.attention_erm.state_evolution import linear_state
from boundaudit.numeric.attention_erm.targets import Target, gaussian_target
from boundaudit.numeric.attention_erm.thresholds import functionals
from boundaudit.numeric.threads import one_thread

_GRID, _COARSE = 65, 41
_FAR, _FARTHEST = 1e4, 1e5
"""δ² over Q0 from which on the best estimate is linear, to 1e-7, and the best threshold lost."""


@dataclass(frozen=True)
class BayesState:
    """The best that any estimator reaches, along a curve of sample ratios; float64 of shape (k) each.

    The effective noise δ, 0 where the target is recovered, E = lim ‖S - S0‖_F²/d of the posterior mean, and Δ + 2 E.
    """

    alpha: Tensor
    delta: Tensor
    error: Tensor
    test: Tensor


@dataclass(frozen=True)
class TunedState:
    """Nuclear-norm regression at the penalty λ~ of the smallest error; float64 of shape (k) each.

    The effective noise δ, 0 where the target is recovered, the threshold ε, the best λ~, its E, and Δ + 2 E.
    """

    alpha: Tensor
    delta: Tensor
    threshold: Tensor
    penalty: Tensor
    error: Tensor
    test: Tensor


@one_thread()
def minimal_error(target: Target, delta: float | Tensor, nodes: int = NODES) -> Tensor:
    """Mmse(δ), per d, shape (k), for δ a number or (k), by a rule of so many nodes; InputError unless δ > 0."""
    convolution = convolve(target, delta, nodes)
    variance = convolution.delta**2
    cube = convolution.above(torch.full_like(variance, -torch.inf)).cube
    # The best linear estimate is no worse than the best by more than a part of order 1/δ⁴, where the formula cancels.
    spread = target.second_moment - target.mean**2
    linear = spread * variance / (spread + variance)
    far = variance > _FAR * target.second_moment
    return torch.where(far, linear, variance - 4 * math.pi**2 / 3 * variance**2 * cube)


@one_thread()
def bayes_state(target: Target, alpha: float | Sequence[float] | Tensor, noise: float) -> BayesState:
    """The Bayes-optimal error of the linear case at α = n/d², one or many; InputError unless α > 0 and Δ ≥ 0."""
    alphas, noise = curve_of(alpha), at_least_zero("noise", noise)
    delta = _noise_level(target, alphas, noise, functools.partial(minimal_error, target))
    error = _error(alphas, delta, noise)
    return BayesState(alphas, delta, error, noise + 2 * error)


@one_thread()
def bayes_recovery(kappa0: float, tokens: int = 1) -> float:
    """The α from which a Gaussian target is recovered without noise, κ0 - κ0²/2; InputError for κ0 outside (0, 1]."""
    gaussian_target(kappa0)
    return (kappa0 - kappa0**2 / 2) / functionals(tokens)


@one_thread()
def tuned_state(target: Target, alpha: float | Sequence[float] | Tensor, noise: float) -> TunedState:
    """The linear case at the best penalty, for ratios α = n/d² and noise Δ; a penalty of 0 where none helps.

    At given δ the error is least where ε (1 - F_δ(ε)) = 2 δ² ∫_ε Re G dμ_δ.

    Raises:
        InputError: for values out of range, Δ ≥ 0.
        NoConvergence: for so few samples that rounding hides the best threshold.
    """
    alphas, noise = curve_of(alpha), at_least_zero("noise", noise)
    # No estimate that is worth its penalty has a larger δ².
    largest = (noise / target.second_moment + 2) / (4 * float(alphas.min()))
    if largest > _FARTHEST:
        raise NoConvergence("alpha", 1 / _FARTHEST, 1 / largest, "give a larger n/d² or less noise")
    delta = _noise_level(target, alphas, noise, lambda delta, nodes: _least(target, delta, nodes)[0])
    error = _error(alphas, delta, noise)
    _, tail = _least(target, delta.clamp_min(1e-12), NODES, 1e-10)
    threshold = torch.where(delta > 0, tail.level, 0)
    penalty = torch.where(delta > 0, 4 * threshold * (alphas - tail.moment_pull), 0)
    helpless = penalty < 0  # the best threshold is that of a negative penalty: none is the best that there is
    if bool(helpless.any()):
        bare = linear_state(target, alphas[helpless], 0.0, noise)
        penalty[helpless] = 0
        delta[helpless], threshold[helpless], error[helpless] = bare.delta, bare.threshold, bare.error
    return TunedState(alphas, delta, threshold, penalty, error, noise + 2 * error)


def _error(alphas: Tensor, delta: Tensor, noise: float) -> Tensor:
    return ((4 * alphas * delta**2 - noise) / 2).clamp_min(0)


def _least(target: Target, delta: Tensor, nodes: int, tolerance: float = 1e-5) -> tuple[Tensor, Tail]:
    """The least E over thresholds at given δ, with the square of the tolerance, and the integrals there."""
    convolution = convolve(target, delta, nodes)

    def gain(u: Tensor) -> Tensor:
        tail = convolution.above(u)
        return 2 * convolution.delta * tail.pull / tail.mass - tail.level / convolution.delta

    bottom, top = convolution.locate(0.0), convolution.upper.amax(-1)
    u = crossing(gain, bottom, torch.maximum(bottom, top - 1e-6 * (top - bottom)), tolerance)
    tail = convolution.above(u)
    return _mean_square(target, convolution, tail), tail


def _mean_square(target: Target, convolution: Convolution, tail: Tail) -> Tensor:
    pulled = 4 * convolution.delta**2 * tail.moment_pull
    return target.second_moment - tail.second + pulled - 2 * tail.level * tail.first


def _noise_level(target: Target, alphas: Tensor, noise: float, error: Callable[[Tensor, int], Tensor]) -> Tensor:
    """δ with 4 α δ² = Δ + 2 E(δ), of several the one of least information; 0 where recovery leaves none."""
    top = (noise + 2 * target.second_moment) / (4 * alphas.min())
    bottom = noise / (4 * alphas.max()) if noise > 0 else 1e-10 * top
    grid = torch.linspace(float(bottom.log()), float(top.log()) + 0.1, _GRID, dtype=torch.float64)
    shared = noise + 2 * error((grid / 2).exp(), _COARSE)
    slack = shared / (4 * alphas[:, None] * grid.exp()) - 1
    cells = torch.zeros(len(alphas), dtype=torch.long)
    for k, row in enumerate(slack):
        falls = ((row[:-1] > 0) & (row[1:] <= 0)).nonzero().flatten()
        if len(falls):
            information = -torch.cumulative_trapezoid(row, grid)
            cells[k] = falls[information[falls].argmin()] + 1

    def defect(log_variance: Tensor) -> Tensor:
        return ((noise + 2 * error((log_variance / 2).exp(), NODES)) / (4 * alphas)).log() - log_variance

    found = crossing(defect, grid[(cells - 1).clamp_min(0)], grid[cells])
    return torch.where(cells > 0, (found / 2).exp(), 0)
