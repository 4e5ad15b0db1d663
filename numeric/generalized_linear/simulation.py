"""Finite sizes of a vector model, drawn and solved: the second route to every number of its fixed points.

min Σ_μ ℓ(y_μ, x_μ·w) + λ Σ_i r(w_i) by projections on {z = X w} (ADMM in graph form, Parikh & Boyd 2014), many runs
at once. A posterior mean is what approximate message passing comes to from a start that has
`OVERLAP` of ρ in common with the teacher: at zero a symmetric problem would stay for ever.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.attention_erm.extrapolation import Extrapolation, adjusted_mean, extrapolate
from boundaudit.numeric.generalized_linear import losses
from boundaudit.numeric.generalized_linear.denoisers import posterior, shrunk
from boundaudit.numeric.generalized_linear.model import CLASSES, Mixture, Model
from boundaudit.numeric.generalized_linear.outputs import posterior_score
from boundaudit.numeric.generalized_linear.state_evolution import OVERLAP, Deadline
from boundaudit.numeric.threads import one_thread

_MOST, _LOOK, _CLOSE, _RELAXED = 3000, 10, 1e-5, 1.6
_MESSAGES, _SHIFT, _FRESH = 100, 1e-5, 4000
DOUBT = 1e-3
"""The chance that agreement is called a contradiction."""
_TINY = 1e-9


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
    controls: Tensor
    """Means of w*², z², and the noise's square, whose expectations are ρ, ρ and Δ, shape (r, 3)."""


@one_thread()
def simulate(
    model: Model, alpha: float, d: int, runs: int, seed: int, scales: tuple[float, float], deadline: Deadline
) -> Runs:
    """Draw so many runs of a vector model at dimension d and solve them, n = α d rounded to whole samples.

    Scales are how far fields and weights move, about V and 1/V̂; they change how long it takes alone. The deadline says
    when to give up.
    """
    assert isinstance(model.teacher, Mixture)
    generator = torch.Generator().manual_seed(int(np.random.default_rng((seed, d, runs)).integers(2**62)))
    n = max(1, round(alpha * d))
    target = model.teacher.draw((runs, d), generator)
    inputs = _normal((runs, n, d), generator) / math.sqrt(d)
    z, noise = _times(inputs, target), math.sqrt(model.noise) * _normal((runs, n), generator)
    y = _labels(model, z, noise, generator)
    w = (
        _passed(model, inputs, y, target, generator, deadline)
        if model.bayes
        else _fitted(model, inputs, y, scales, deadline)
    )
    m, q, rho = (w * target).mean(-1), (w**2).mean(-1), (target**2).mean(-1)
    if model.channel == "absolute" and model.bayes:  # a global sign cannot be known
        m = m.abs()
    total = losses.value(model.loss, y, _times(inputs, w)).sum(-1) if not model.bayes else torch.full_like(m, math.nan)
    cost = {"ridge": (w**2).sum(-1), "lasso": w.abs().sum(-1)}.get(model.penalty, 0.0)
    test, wrong = _fresh(model, m, q, rho, generator)
    controls = torch.stack([rho, (z**2).mean(-1), (noise**2).mean(-1)], -1)
    return Runs(m, q, rho - 2 * m + q, test, wrong, total / n, (total + model.strength * cost) / d, controls)


def _times(matrix: Tensor, vector: Tensor) -> Tensor:
    product: Tensor = (matrix @ vector[..., None])[..., 0]
    return product


def _normal(shape: Sequence[int], generator: torch.Generator) -> Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _labels(model: Model, z: Tensor, noise: Tensor, generator: torch.Generator) -> Tensor:
    """Labels of what the teacher sees, with noise."""
    if model.channel == "softmax":
        return torch.where(
            torch.rand(z.shape, generator=generator, dtype=torch.float64) < (z + noise).sigmoid(), 1.0, -1.0
        ).double()
    if model.channel == "sign":
        return torch.where(z + noise > 0, 1.0, -1.0).double()
    seen = z if model.channel == "linear" else z.abs() if isinstance(model.channel, str) else model.channel(z)
    return seen + noise


def _fresh(model: Model, m: Tensor, q: Tensor, rho: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor | None]:
    """The loss on fresh samples, of which only two projections are drawn, and the share of classes missed."""
    g, h, noise = (_normal((len(m), _FRESH), generator) for _ in range(3))
    root = q.clamp_min(1e-300).sqrt()
    field, z = root[:, None] * g, (m / root)[:, None] * g + (rho - (m / root) ** 2).clamp_min(0).sqrt()[:, None] * h
    y = _labels(model, z, math.sqrt(model.noise) * noise, generator)
    wrong = (y * field <= 0).double().mean(-1) if model.channel in CLASSES else None
    if not model.bayes:
        return losses.value(model.loss, y, field).mean(-1), wrong
    seen = field if model.channel == "linear" else field.abs()
    return (((y - seen) ** 2).mean(-1) if wrong is None else wrong), wrong


def _fitted(model: Model, inputs: Tensor, y: Tensor, scales: tuple[float, float], deadline: Deadline) -> Tensor:
    far, wide = (torch.tensor(scale, dtype=torch.float64).clamp(1e-3, 1e3) for scale in scales)
    strength = torch.tensor(model.strength, dtype=torch.float64)
    gram = inputs.mT @ inputs / far + torch.eye(inputs.shape[-1], dtype=torch.float64) / wide
    factor = torch.linalg.cholesky(gram)
    w, z = torch.zeros_like(inputs[:, 0]), torch.zeros_like(y)
    dual_w, dual_z, place = torch.zeros_like(w), torch.zeros_like(z), torch.arange(len(w))
    ended = w.clone()
    for step in range(_MOST):
        deadline.check()
        found = shrunk((w - dual_w) / wide, 1 / wide, model.penalty, strength)
        margin = losses.proximal(model.loss, y, z - dual_z, far)
        mixed_w, mixed_z = _RELAXED * found + (1 - _RELAXED) * w, _RELAXED * margin + (1 - _RELAXED) * z
        right = (mixed_w + dual_w) / wide + _times(inputs.mT, (mixed_z + dual_z) / far)
        before, w = torch.cat([w, z], -1), torch.cholesky_solve(right[..., None], factor)[..., 0]
        z = _times(inputs, w)
        dual_w, dual_z = dual_w + mixed_w - w, dual_z + mixed_z - z
        if step % _LOOK == _LOOK - 1 or step == _MOST - 1:
            now = torch.cat([w, z], -1)
            gap = torch.cat([found, margin], -1).sub(now).norm(dim=-1) + (now - before).norm(dim=-1)
            left = (gap > _CLOSE * (1e-3 + now.norm(dim=-1))) & (step < _MOST - 1)
            ended[place] = found
            if not bool(left.any()):
                break
            inputs, factor, y, w, z, dual_w, dual_z, place = (
                part[left] for part in (inputs, factor, y, w, z, dual_w, dual_z, place)
            )
    return ended


def _passed(
    model: Model, inputs: Tensor, y: Tensor, target: Tensor, generator: torch.Generator, deadline: Deadline
) -> Tensor:
    """Approximate message passing for the posterior mean (Rangan 2011)."""
    assert isinstance(model.teacher, Mixture)
    rho = model.teacher.second_moment
    noise = torch.tensor(model.noise, dtype=torch.float64)
    w = OVERLAP * target + math.sqrt(rho * OVERLAP * (1 - OVERLAP)) * _normal(target.shape, generator)
    variance = torch.full_like(w[:, :1], rho * (1 - OVERLAP))
    score = torch.zeros_like(y)
    for _ in range(_MESSAGES):
        deadline.check()
        omega = _times(inputs, w) - variance * score
        ends = [posterior_score(model.channel, y, omega + shift, variance, noise) for shift in (0, _SHIFT, -_SHIFT)]
        fresh, slope = ends[0], (ends[1] - ends[2]) / (2 * _SHIFT)
        square = (fresh**2).sum(-1, keepdim=True) / w.shape[-1]  # what -Σ ∂f/∂ω/d is in the limit, and never negative
        precision = torch.maximum(-slope.sum(-1, keepdim=True) / w.shape[-1], square / 4)
        field = _times(inputs.mT, fresh) + precision * w
        found, spread = posterior(model.teacher, field, precision)
        step, score = (found - w).norm(dim=-1), fresh
        w, variance = found, spread.mean(-1, keepdim=True)
        if bool((step <= _CLOSE * w.norm(dim=-1)).all()):
            break
    return w


def extrapolated(
    predicted: Mapping[str, float],
    runs: Mapping[int, object],
    controls: Mapping[int, tuple[Tensor, Sequence[float]]],
    comparisons: int,
) -> dict[str, Extrapolation]:
    """Means at several dimensions, extrapolated in 1/d and held against predictions, by the names of the runs' fields.

    What is predicted as 0 has no relative error, and is left out. Controls are those of each dimension, of every run,
    with what they are expected to be. A prediction is refuted by chance with a probability of at most `DOUBT` for all
    comparisons together.
    """
    found = {}
    for name, value in predicted.items():
        if abs(value) < _TINY:
            continue
        means = [
            adjusted_mean(getattr(one, name).tolist(), controls[d][0].numpy(), np.asarray(controls[d][1]))
            for d, one in runs.items()
        ]
        found[name] = extrapolate(
            list(runs), [one.mean for one in means], [max(one.standard_error, _TINY) for one in means], value,
            runs=[one.freedom + 1 for one in means], level=1 - DOUBT, comparisons=comparisons,
        )  # fmt: skip
    return found
