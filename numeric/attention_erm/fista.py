"""Nuclear-norm regression on the cone of positive semidefinite matrices, by accelerated proximal gradients.

    minimise  Σ_μ (y_μ - ⟨A_μ, S⟩)² + d λ~ Tr S  over S ≥ 0,

many runs at once. A step shifts the eigenvalues and cuts them at zero (Beck & Teboulle, 2009), with momentum that is
given up where it points backwards (O'Donoghue & Candès, 2015). The duality gap stops it: with residuals r every
ν = 2 s r that has Σ ν_μ A_μ ≤ d λ~ I bounds the minimum from below by ν·y - ‖ν‖²/4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.sensing import Data, Features

__all__ = ["RANK_TOLERANCE", "Learned", "learn"]

RANK_TOLERANCE = 1e-6
"""An eigenvalue counts as positive above this part of the largest one."""
_POWER, _BOLD, _MARGIN, _LOOK, _ROUNDING = 8, 0.4, 1.02, 5, 1e-10


@dataclass(frozen=True)
class Learned:
    """What r runs came to; float64 of shape (r) where nothing else is said."""

    matrix: Tensor
    """S, shape (r, d, d)."""
    eigenvalues: Tensor
    """Those of S, rising, shape (r, d)."""
    error: Tensor
    """E = ‖S - S0‖_F²/d."""
    test: Tensor
    """Δ + 2 E, the expected squared error on a fresh sample of one token."""
    train: Tensor
    """The mean squared residual."""
    objective: Tensor
    """The objective over d²."""
    rank: Tensor
    """The part of the eigenvalues above `RANK_TOLERANCE` times the largest."""
    iterations: Tensor
    """Steps, integers."""
    gap: Tensor
    """The objective's distance to a lower bound of the minimum, relative to the objective."""
    converged: Tensor
    """Whether the gap came below the tolerance, boolean."""


def learn(data: Data, penalty: float, noise: float, *, tolerance: float = 1e-8, cap: int = 5000) -> Learned:
    """Solve the problem of each run and measure its solution; whether each converged is said, not raised.

    Penalty λ~ > 0, noise Δ, which the test error contains; a run stops at the tolerance of the relative duality gap or
    after `cap` steps.

    Raises:
        InputError: for several tokens or numbers out of range.
    """
    if data.indices.shape[-1] != 1:
        raise InputError("tokens", "one token a sequence", data.indices.shape[-1], "train a factor instead")
    for field, value in (("penalty", penalty), ("tolerance", tolerance), ("cap", cap)):
        if not (value > 0 and math.isfinite(value)):
            raise InputError(field, "a number above 0", value, f"correct the {field}")
    states = _descend(data, penalty, tolerance, cap)
    d, samples = data.features.d, data.indices.shape[1]
    error = ((states.matrix - data.target) ** 2).sum((-2, -1)) / d
    return Learned(
        matrix=states.matrix, eigenvalues=states.eigenvalues, error=error, test=noise + 2 * error,
        train=states.loss / samples, objective=(states.loss + penalty * d * states.eigenvalues.sum(-1)) / d**2,
        rank=rank_ratio(states.eigenvalues, RANK_TOLERANCE), iterations=states.iterations, gap=states.gap,
        converged=states.gap <= tolerance,
    )  # fmt: skip


def rank_ratio(eigenvalues: Tensor, tolerance: float) -> Tensor:
    """The part, shape (…), of eigenvalues (…, d) above that part of the largest one; 0 for the zero matrix."""
    largest = eigenvalues.amax(-1, keepdim=True)
    return ((eigenvalues > tolerance * largest) & (largest > 0)).to(eigenvalues).mean(-1)


@dataclass(frozen=True)
class _Point:
    """A matrix of each run with what is linear in it."""

    matrix: Tensor
    indices: Tensor
    gradient: Tensor

    def beyond(self, other: _Point, share: Tensor) -> _Point:
        """The point on the far side of this one, as seen from the other."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Point(*(mine + _wide(share, mine) * (mine - old) for mine, old in pairs))

    def unless(self, chosen: Tensor, other: _Point) -> _Point:
        """The other point but in the chosen runs."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Point(*(torch.where(_wide(chosen, mine), mine, its) for mine, its in pairs))

    def select(self, kept: Tensor) -> _Point:
        return _Point(*(part[kept] for part in vars(self).values()))


@dataclass(frozen=True)
class _Ended:
    """Where each run is, or stopped."""

    matrix: Tensor
    eigenvalues: Tensor
    loss: Tensor
    gap: Tensor
    iterations: Tensor

    def keep(self, place: Tensor, going: Tensor, descent: _Descent, loss: Tensor, gap: Tensor, step: int) -> None:
        """Where those runs are now that go on, of the runs in these places."""
        now = descent.point.matrix, descent.eigenvalues, loss, gap, torch.full_like(place, step)
        for kept, found in zip(vars(self).values(), now, strict=True):
            kept[place] = torch.where(_wide(going, found), found, kept[place])


def _descend(data: Data, penalty: float, tolerance: float, cap: int) -> _Ended:
    """Steps until every run has stopped; runs that have are taken out when they are half of those left."""
    runs, zero = len(data.target), torch.zeros_like(data.target)
    none = zero[:, 0, 0]
    ended = _Ended(zero.clone(), zero[:, 0].clone(), none.clone(), none + math.inf, none.long())
    descent = _Descent(data.features, data.indices, data.features.d * penalty)
    place = torch.arange(runs, device=zero.device)
    for step in range(cap + 1):
        if step % _LOOK == 0 or step == cap:
            loss, gap = descent.gap()
            ended.keep(place, ended.gap[place] > tolerance, descent, loss, gap, step)
            left = ended.gap[place] > tolerance
            count = int(left.sum())
            if not count:
                break
            if 2 * count <= len(left):
                descent.select(left)
                place = place[left]
        if step < cap:
            descent.step()
    return ended


class _Descent:
    """The state of the runs that go on."""

    def __init__(self, features: Features, labels: Tensor, weight: float) -> None:
        self.features, self.labels, self.weight = features, labels, weight
        zero = labels.new_zeros(len(labels), features.d, features.d)
        self.point = self.before = _Point(zero, torch.zeros_like(labels), -2 * features.adjoint(labels))
        self.eigenvalues = zero[:, 0]
        self.curvature = _curvature(features, zero)
        self.momentum = torch.ones_like(self.curvature)

    def select(self, kept: Tensor) -> None:
        self.features, self.labels = self.features.select(kept), self.labels[kept]
        self.point, self.before = self.point.select(kept), self.before.select(kept)
        self.eigenvalues, self.curvature, self.momentum = (
            part[kept] for part in (self.eigenvalues, self.curvature, self.momentum)
        )

    def step(self) -> None:
        """One step of each run; one that finds more curvature than was assumed is not made but changes that."""
        longer = (1 + (1 + 4 * self.momentum**2).sqrt()) / 2
        ahead = self.point.beyond(self.before, (self.momentum - 1) / longer)
        down = ahead.matrix - ahead.gradient / _wide(self.curvature, ahead.matrix)
        matrix, values = _cut(down, self.weight / self.curvature)
        indices = self.features.apply(matrix)
        reached = _Point(matrix, indices, -2 * self.features.adjoint(self.labels - indices))
        move, size = matrix - ahead.matrix, (matrix**2).sum((1, 2))
        length = (move**2).sum((1, 2))
        found = 2 * ((indices - ahead.indices) ** 2).sum((1, 2, 3)) / length.clamp_min(1e-300)
        # Moves in the last digits say nothing about the curvature.
        short = (found > self.curvature) & (length > _ROUNDING**2 * size)
        backwards = (move * (matrix - self.point.matrix)).sum((1, 2)) < 0
        self.before, self.point = self.point, self.point.unless(short, reached)
        self.eigenvalues = torch.where(short[:, None], self.eigenvalues, values)
        self.momentum = torch.where(backwards | short, 1.0, longer)
        self.curvature = torch.where(short, _MARGIN * found, self.curvature)

    def gap(self) -> tuple[Tensor, Tensor]:
        """The sum of squared residuals, and the duality gap relative to the objective."""
        residual = self.labels - self.point.indices
        loss = (residual**2).sum((1, 2, 3))
        primal = loss + self.weight * self.eigenvalues.sum(-1)
        bound = torch.linalg.eigvalsh(-self.point.gradient)[:, -1]
        largest = torch.where(bound > 0, self.weight / bound.clamp_min(1e-300), math.inf)
        along = (residual * self.labels).sum((1, 2, 3))
        share = torch.minimum(along / loss.clamp_min(1e-300), largest).clamp_min(0)
        dual = 2 * share * along - share**2 * loss
        return loss, ((primal - dual) / primal.clamp_min(1e-300)).clamp_min(0)


def _curvature(features: Features, zero: Tensor) -> Tensor:
    """A part of the largest curvature 2 ‖A‖², by power iterations; a step that finds more raises it later."""
    # Moves of low rank seldom meet the largest curvature: bolder steps save a quarter of them. Phases without pattern
    # are a start of no kinship with the features, and the same for every run.
    count = torch.arange(1, features.d**2 + 1, dtype=zero.dtype, device=zero.device)
    phases = torch.cos(count**1.5).view(features.d, features.d)
    vector = (phases + phases.T).expand_as(zero)
    for _ in range(_POWER):
        vector = features.adjoint(features.apply(vector / vector.norm(dim=(1, 2), keepdim=True)))
    lengths: Tensor = vector.norm(dim=(1, 2))
    return 2 * _BOLD * lengths


def _cut(matrix: Tensor, threshold: Tensor) -> tuple[Tensor, Tensor]:
    """The nearest positive semidefinite matrix after a shift of the eigenvalues, and its eigenvalues."""
    values, vectors = torch.linalg.eigh(matrix)
    values = (values - threshold[:, None]).clamp_min(0)
    cut: Tensor = (vectors * values[:, None]) @ vectors.mT
    return cut, values


def _wide(values: Tensor, like: Tensor) -> Tensor:
    """One number a run, shaped to stand beside tensors."""
    return values.view(-1, *[1] * (like.dim() - 1))
