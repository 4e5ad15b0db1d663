"""The linear case, T = 1: exact errors, rank and objective of nuclear-norm regression on a positive semidefinite cone.

Minimise Σ_μ (y_μ - ⟨A_μ, S⟩)² + d λ~ Tr S over S ≥ 0, with y_μ = (xᵀS0 x - Tr S0)/√d + √Δ ξ and n = α d² samples.
The minimiser has the law of ReLU(S0 + δ Z - ε), where with E = lim ‖S - S0‖_F²/d and K = (∂J/∂δ)/(4δ)

    4 α δ² = Δ + 2 E,    4 ε (α - K) = λ~,    E = Q0 - J + 4 δ² K - 2 ε ∫ (x - ε)₊ μ_δ(dx).

At given δ the second equation has one root ε with K ≤ α, as K falls in ε; the first is then an equation in δ alone,
which is negative for large δ. Its roots are bracketed on a grid, refined on a coarse rule, and polished on a fine one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.attention_erm.free_convolution import NODES, Convolution, Tail, convolve
from boundaudit.numeric.attention_erm.inputs import NoConvergence, at_least_zero, curve_of
from boundaudit.numeric.attention_erm.roots import crossing
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.attention_erm.thresholds import recovery
from boundaudit.numeric.threads import one_thread

TOLERANCE = 1e-9
_COARSE, _GRID, _STEPS, _POLISHES, _INNER = 21, 8, 60, 8, 1e-3
_FINER = 151
"""Nodes of a second rule, whose distance to the first is the error of integration."""


@dataclass(frozen=True)
class LinearState:
    """Predictions along a curve of sample ratios, float64 of shape (k) each."""

    alpha: Tensor
    """Samples over d²."""
    delta: Tensor
    """The effective noise δ."""
    threshold: Tensor
    """ε, where the spectrum is cut."""
    eta: Tensor
    """The factor on the learned map, 1 in the linear case."""
    error: Tensor
    """E = lim ‖S - S0‖_F²/d."""
    test: Tensor
    """The test error Δ + 2 E, noise included."""
    train: Tensor
    """The mean squared residual on the samples."""
    rank: Tensor
    """The rank ratio 1 - F_δ(ε), which the width ratio must reach."""
    objective: Tensor
    """The minimum over d²."""
    optimism: Tensor
    """b = K/α; the residuals are 1 - b times those on fresh samples."""
    residual: Tensor
    """The largest relative defect of the two equations."""


@one_thread()
def linear_state(target: Target, alpha: float | Sequence[float] | Tensor, penalty: float, noise: float) -> LinearState:
    """Predictions of the linear case; where the equations have several solutions, that of the smallest objective.

    Ratios α = n/d², one or many, penalty λ~ ≥ 0, 0 the limit from above, noise Δ ≥ 0.

    Raises:
        InputError: for values out of range.
        NoConvergence: where the equations are not solved to `TOLERANCE`, as within a few thousandths below the recovery
            threshold.
    """
    penalty, noise = at_least_zero("penalty", penalty), at_least_zero("noise", noise)
    alphas = curve_of(alpha)
    owner, low, high = _brackets(target, alphas, penalty, noise)
    equations = _Equations(target, alphas[owner], penalty, noise)
    states = equations.polish(equations.bracketed(low, high))
    recovered = [float(alphas[k]) for k in set(range(len(alphas))) - set(owner.tolist())]
    missing = recovered and (penalty + noise > 0 or min(recovered) < float(recovery(target.rank)))
    worst = math.inf if missing else max(states.residual.tolist(), default=0.0)
    if not worst <= TOLERANCE:
        raise NoConvergence("penalty", TOLERANCE, worst, "give another penalty or alpha")
    return _chosen(states, owner, alphas, target)


@one_thread()
def linear_errors(target: Target, state: LinearState, penalty: float, noise: float) -> dict[str, Tensor]:
    """How far a finer rule of integration moves predictions of `linear_state`, by one step of Newton's method.

    For each field but α and the residual, shape (k); zero where the target is recovered.
    """
    solved = state.delta > 0
    alpha, delta, threshold = (part[solved] for part in (state.alpha, state.delta, state.threshold))
    errors = {name: torch.zeros_like(state.alpha) for name in vars(state) if name not in ("alpha", "residual")}
    if not bool(solved.any()):
        return errors
    equations = _Equations(target, alpha, penalty, noise)
    point = torch.stack([2 * delta.log(), convolve(target, delta, _FINER).locate(threshold)], -1)
    idle = threshold == 0
    move = _newton(equations.slopes(point, _COARSE, idle), equations.defects(point, _FINER, idle)[0])
    again = equations.state(point - move, state.residual[solved], idle, _FINER)
    for name, error in errors.items():
        error[solved] = (getattr(again, name) - getattr(state, name)[solved]).abs()
    return errors


def _newton(slopes: Tensor, defects: Tensor) -> Tensor:
    """Newton's steps; none where the slopes are singular."""
    move, singular = torch.linalg.solve_ex(slopes, defects)
    return torch.where(singular[:, None] == 0, move, 0)


def _chosen(states: LinearState, owner: Tensor, alphas: Tensor, target: Target) -> LinearState:
    """The solution of the smallest objective for each α; where there is none, the target itself is recovered."""
    zero = torch.zeros_like(alphas)
    ones = torch.ones_like(alphas)
    exact = {"alpha": alphas, "eta": ones, "rank": ones * target.rank}
    fields = {name: exact.get(name, zero).clone() for name in states.__dataclass_fields__}
    order = states.objective.argsort(descending=True, stable=True)
    for name, values in fields.items():
        for index in order.tolist():
            values[owner[index]] = getattr(states, name)[index]
    return LinearState(**fields)


def _brackets(target: Target, alphas: Tensor, penalty: float, noise: float) -> tuple[Tensor, Tensor, Tensor]:
    """Intervals of ln δ² at whose ends the first equation changes its sign, with the number of their α."""
    highest = ((noise + 2 * target.second_moment) / (4 * alphas)).log() + 0.1
    while True:
        equations = _Equations(target, alphas, penalty, noise)
        above = equations.defect(highest)[0] > 0
        if not bool(above.any()):
            break
        highest = torch.where(above, highest + 1.5, highest)
    least = noise if noise > 0 else 1e-12 * target.second_moment
    lowest = (least / (4 * alphas)).log()
    share = torch.linspace(0, 1, _GRID, dtype=torch.float64)
    grid = lowest[:, None] + (highest - lowest)[:, None] * share
    equations = _Equations(target, alphas.repeat_interleave(_GRID), penalty, noise)
    above = (equations.defect(grid.reshape(-1))[0] > 0).view(grid.shape)
    if noise > 0:
        above[:, 0] = True
    owner, cell = (above[:, :-1] & ~above[:, 1:]).nonzero().T
    return owner, grid[owner, cell], grid[owner, cell + 1]


@dataclass(frozen=True)
class _Equations:
    """The two equations for a batch of α."""

    target: Target
    alpha: Tensor
    penalty: float
    noise: float

    def cut(self, convolution: Convolution) -> tuple[Tensor, Tail]:
        """The parameter u of the root ε ≥ 0 of the second equation, kept in a bracket, and the integrals above it."""
        low = convolution.lower.amin(-1).clamp_max(0)
        high = torch.maximum(convolution.upper.amax(-1), low.clamp_min(self.penalty / (4 * self.alpha))) + 1e-12
        if self.penalty == 0:
            low = convolution.locate(0.0)
            high = torch.where(convolution.above(low).moment_pull <= self.alpha, low, high)
        u = (low + high) / 2
        for _ in range(_STEPS):
            tail = convolution.above(u)
            gap = 4 * (self.alpha - tail.moment_pull)
            value = tail.level * gap - self.penalty if self.penalty > 0 else gap
            slope = gap + 4 * tail.level * tail.pull if self.penalty > 0 else 4 * tail.pull
            under = (value <= 0) | (tail.level < 0)
            low, high = torch.where(under, u, low).minimum(high), torch.where(under, high, u)
            newton = u - value / (slope * tail.speed)
            fresh = torch.where((newton >= low) & (newton <= high) & (slope > 0), newton, (low + high) / 2)
            moved, u = (fresh - u).abs(), fresh
            if bool((moved <= _INNER * (convolution.delta + u.abs())).all()):
                break
        return u, convolution.above(u)

    def defect(self, log_variance: Tensor) -> tuple[Tensor, Tensor]:
        """The first equation as ln((Δ + 2 E)/(4 α δ²)) where the second one holds, and the u of that point."""
        convolution = convolve(self.target, (log_variance / 2).exp(), _COARSE)
        u, tail = self.cut(convolution)
        return ((self.noise + 2 * self.error(convolution, tail)) / (4 * self.alpha)).log() - log_variance, u

    def error(self, convolution: Convolution, tail: Tail) -> Tensor:
        """E, kept above zero."""
        pulled = 4 * convolution.delta**2 * tail.moment_pull
        found = self.target.second_moment - tail.second + pulled - 2 * tail.level * tail.first
        return found.clamp_min(1e-300)

    def bracketed(self, low: Tensor, high: Tensor) -> Tensor:
        """A root of the first equation between two values of ln δ², nearly, with the u there."""
        found = crossing(lambda log_variance: self.defect(log_variance)[0], low, high, 1e-4)
        return torch.stack([found, self.defect(found)[1]], -1)

    def defects(self, point: Tensor, nodes: int, idle: Tensor) -> tuple[Tensor, Convolution, Tail]:
        """Both equations at (ln δ², u), relative, shape (k, 2); where the cut is idle the second one is ε = 0."""
        delta = (point[:, 0] / 2).exp()
        convolution = convolve(self.target, delta, nodes)
        tail = convolution.above(point[:, 1])
        first = ((self.noise + 2 * self.error(convolution, tail)) / (4 * self.alpha)).log() - point[:, 0]
        gap = 1 - tail.moment_pull / self.alpha
        second = (4 * tail.level * gap - self.penalty / self.alpha) / delta if self.penalty > 0 else gap
        return torch.stack([first, torch.where(idle, tail.level / delta, second)], -1), convolution, tail

    def polish(self, point: Tensor) -> LinearState:
        """Newton's method on both equations: defects on the fine rule, slopes on the coarse one if that will do."""
        idle = torch.zeros_like(point[:, 0], dtype=torch.bool)
        if self.penalty == 0:
            idle = self.defects(point, _COARSE, idle)[2].level <= 1e-6 * (point[:, 0] / 2).exp()
        best, least = point, torch.full_like(point[:, 0], torch.inf)
        for nodes in (_COARSE, NODES, NODES, NODES):
            slopes, point = self.slopes(best, nodes, idle), best
            for _ in range(_POLISHES):
                defects = self.defects(point, NODES, idle)[0]
                size = defects.abs().amax(-1).nan_to_num(torch.inf)
                best, least = torch.where((size < least)[:, None], point, best), torch.minimum(size, least)
                if bool((least <= 1e-13).all()):
                    return self.state(best, least, idle)
                move = _newton(slopes, defects)
                point = point - torch.cat([move[:, :1].clamp(-1, 1), move[:, 1:]], -1)  # far steps would leave δ > 0
        return self.state(best, least, idle)

    def slopes(self, point: Tensor, nodes: int, idle: Tensor) -> Tensor:
        """The derivatives of both equations by ln δ² and u, by differences, shape (k, 2, 2)."""
        shifts = 1e-6 * torch.stack([torch.ones_like(point[:, 0]), (point[:, 0] / 2).exp()], -1)
        units = torch.eye(2, dtype=torch.float64)
        ends = [[self.defects(point + sign * shifts * unit, nodes, idle)[0] for sign in (1, -1)] for unit in units]
        return torch.stack([up - down for up, down in ends], -1) / (2 * shifts[:, None])

    def state(self, point: Tensor, residual: Tensor, idle: Tensor, nodes: int = NODES) -> LinearState:
        """The predictions at a solution."""
        _, convolution, tail = self.defects(point, nodes, idle)
        error, optimism = self.error(convolution, tail), tail.moment_pull / self.alpha
        test = self.noise + 2 * error
        train = test * (1 - optimism) ** 2
        objective = self.alpha * train + self.penalty * tail.first
        threshold = torch.where(idle, 0, tail.level)
        ones = torch.ones_like(error)
        return LinearState(
            self.alpha, convolution.delta, threshold, ones, error, test, train, tail.mass, objective, optimism, residual
        )
