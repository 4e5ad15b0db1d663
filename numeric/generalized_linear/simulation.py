"""Finite sizes of a vector model, drawn and solved: the second route to every number of its fixed points.

min Σ_μ ℓ(y_μ, x_μ·w) + λ Σ_i r(w_i) by alternating projections on {z = X w} (the graph form of ADMM, Parikh & Boyd 2014),
many runs at once. A posterior mean is what approximate message passing comes to from a start that knows nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.generalized_linear import losses
from boundaudit.numeric.generalized_linear.denoisers import posterior, shrunk
from boundaudit.numeric.generalized_linear.model import CLASSES, Mixture, Model
from boundaudit.numeric.generalized_linear.outputs import posterior_score
from boundaudit.numeric.generalized_linear.state_evolution import Deadline
from boundaudit.numeric.threads import one_thread

_MOST, _LOOK, _CLOSE, _RELAXED = 3000, 20, 1e-6, 1.6
_MESSAGES, _KEPT, _SHIFT, _FRESH = 400, 0.7, 1e-5, 4000


@dataclass(frozen=True)
class Runs:
    """What r runs came to, float64 of shape (r) each; names as those of `state_evolution.FixedPoints`."""

    m: Tensor
    q: Tensor
    error: Tensor
    test: Tensor
    wrong: Tensor | None
    train: Tensor
    potential: Tensor
    """The minimum over d."""


@one_thread()
def simulate(
    model: Model, alpha: float, d: int, runs: int, seed: int, deadline: Deadline
) -> Runs:
    """Draw runs and solve them.

    Args:
        model: a vector model.
        alpha: n/d, rounded to whole samples.
        d: the dimension.
        runs: how many.
        seed: of the draws.
        deadline: when to give up.

    Returns:
        The runs.
    """
    assert isinstance(model.teacher, Mixture)
    generator = torch.Generator().manual_seed(hash((seed, d, runs)) % 2**63)
    n = max(1, round(alpha * d))
    target = model.teacher.draw((runs, d), generator)
    inputs = torch.randn(runs, n, d, generator=generator, dtype=torch.float64) / math.sqrt(d)
    y = _labels(model, _times(inputs, target), generator)
    w = _passed(model, inputs, y, generator, deadline) if model.bayes else _fitted(model, inputs, y, deadline)
    m, q, rho = (w * target).mean(-1), (w**2).mean(-1), (target**2).mean(-1)
    if model.channel == "absolute" and model.bayes:  # a global sign cannot be known
        m = m.abs()
    total = losses.value(model.loss, y, _times(inputs, w)).sum(-1) if not model.bayes else torch.full_like(m, math.nan)
    cost = {"ridge": (w**2).sum(-1), "lasso": w.abs().sum(-1)}.get(model.penalty, 0.0)
    test, wrong = _fresh(model, m, q, rho, generator)
    return Runs(m, q, rho - 2 * m + q, test, wrong, total / n, (total + model.strength * cost) / d)


def _times(matrix: Tensor, vector: Tensor) -> Tensor:
    product: Tensor = (matrix @ vector[..., None])[..., 0]
    return product


def _labels(model: Model, z: Tensor, generator: torch.Generator) -> Tensor:
    """Labels of what the teacher sees."""
    noise = math.sqrt(model.noise) * torch.randn(z.shape, generator=generator, dtype=torch.float64)
    if model.channel == "softmax":
        return torch.where(torch.rand(z.shape, generator=generator, dtype=torch.float64) < (z + noise).sigmoid(), 1.0, -1.0)
    if model.channel == "sign":
        return torch.where(z + noise > 0, 1.0, -1.0)
    seen = z if model.channel == "linear" else z.abs() if isinstance(model.channel, str) else model.channel(z)
    return seen + noise


def _fresh(
    model: Model, m: Tensor, q: Tensor, rho: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor | None]:
    """The loss on fresh samples, of which only two projections are drawn, and the share of classes missed."""
    g, h = (torch.randn(len(m), _FRESH, generator=generator, dtype=torch.float64) for _ in range(2))
    root = q.clamp_min(1e-300).sqrt()
    field, z = root[:, None] * g, (m / root)[:, None] * g + (rho - (m / root) ** 2).clamp_min(0).sqrt()[:, None] * h
    y = _labels(model, z, generator)
    wrong = (y * field <= 0).double().mean(-1) if model.channel in CLASSES else None
    if not model.bayes:
        return losses.value(model.loss, y, field).mean(-1), wrong
    seen = field if model.channel == "linear" else field.abs()
    return (((y - seen) ** 2).mean(-1) if wrong is None else wrong), wrong


def _fitted(model: Model, inputs: Tensor, y: Tensor, deadline: Deadline) -> Tensor:
    """The minimisers."""
    gram = inputs.mT @ inputs + torch.eye(inputs.shape[-1], dtype=torch.float64)
    factor = torch.linalg.cholesky(gram)
    one, strength = torch.ones(1, dtype=torch.float64), torch.tensor(model.strength, dtype=torch.float64)
    w, z = torch.zeros_like(inputs[:, 0]), torch.zeros_like(y)
    dual_w, dual_z, found = torch.zeros_like(w), torch.zeros_like(z), w
    for step in range(_MOST):
        deadline.check()
        found = shrunk(w - dual_w, one, model.penalty, strength)
        margin = losses.proximal(model.loss, y, z - dual_z, one)
        mixed_w, mixed_z = _RELAXED * found + (1 - _RELAXED) * w, _RELAXED * margin + (1 - _RELAXED) * z
        right = mixed_w + dual_w + _times(inputs.mT, mixed_z + dual_z)
        w_fresh = torch.cholesky_solve(right[..., None], factor)[..., 0]
        z_fresh = _times(inputs, w_fresh)
        dual_w, dual_z = dual_w + mixed_w - w_fresh, dual_z + mixed_z - z_fresh
        if step % _LOOK == 0:
            gaps = (found - w_fresh, w_fresh - w, margin - z_fresh, z_fresh - z)
            scale = _CLOSE * (1e-3 + torch.cat([w_fresh, z_fresh], -1).norm(dim=-1))
            if bool((torch.cat(gaps, -1).norm(dim=-1) <= scale).all()):
                break
        w, z = w_fresh, z_fresh
    return found


def _passed(model: Model, inputs: Tensor, y: Tensor, generator: torch.Generator, deadline: Deadline) -> Tensor:
    """Approximate message passing for the posterior mean (Rangan 2011), a little damped."""
    assert isinstance(model.teacher, Mixture)
    rho = model.teacher.second_moment
    noise = torch.tensor(model.noise, dtype=torch.float64)
    w = math.sqrt(rho) * 1e-2 * torch.randn(inputs.shape[0], inputs.shape[2], generator=generator, dtype=torch.float64)
    variance = torch.full_like(w[:, :1], rho)
    score = torch.zeros_like(y)
    for _ in range(_MESSAGES):
        deadline.check()
        omega = _times(inputs, w) - variance * score
        ends = [posterior_score(model.channel, y, omega + shift, variance, noise) for shift in (0, _SHIFT, -_SHIFT)]
        fresh, slope = ends[0], (ends[1] - ends[2]) / (2 * _SHIFT)
        precision = (-slope.sum(-1, keepdim=True) / inputs.shape[2]).clamp_min(1e-12)
        field = _times(inputs.mT, fresh) + precision * w
        found, spread = posterior(model.teacher, field, precision)
        step, score = (found - w).norm(dim=-1), fresh
        w = _KEPT * found + (1 - _KEPT) * w
        variance = _KEPT * spread.mean(-1, keepdim=True) + (1 - _KEPT) * variance
        if bool((step <= _CLOSE * w.norm(dim=-1)).all()):
            break
    return w
