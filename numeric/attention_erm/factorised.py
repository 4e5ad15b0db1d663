"""Training the factor of a tied attention map on softmax labels, and the map itself with a Frobenius penalty.

    minimise  Σ_μ ‖softmax_β(h(S)) - Y_μ‖² + d λ~ Tr S,    S = W Wᵀ/√(p d),

over W of d rows and p columns, by a limited-memory quasi-Newton method (Nocedal, 1980) for many runs at once. The
penalty is the weight decay λ ‖W‖_F² with λ~ = √(p/d) λ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.fista import rank_ratio
from boundaudit.numeric.attention_erm.sensing import Data, Problem, QuadraticForms, draw

__all__ = ["RANK_TOLERANCE", "Student", "Trained", "direct", "train"]

RANK_TOLERANCE = 1e-3
"""An eigenvalue counts as positive above this part of the largest one: a factor reaches zero only in the limit."""
_MEMORY, _HALVINGS, _ARMIJO, _ROUNDING, _CURVED = 20, 40, 1e-4, 4, 1e-10
_START_STREAM, _FRESH_STREAM = 2**32, 2**33


@dataclass(frozen=True, kw_only=True)
class Student:
    """What is trained: W of p columns, its width, with penalty λ~ > 0; β of the student and β0 of the target."""

    width: int
    penalty: float
    beta: float = 1.0
    target_beta: float = 1.0

    def __post_init__(self) -> None:
        for field, value in vars(self).items():
            if not (value > 0 and math.isfinite(value)):
                raise InputError(field.replace("_", " "), "a number above 0", value, "correct it")


@dataclass(frozen=True)
class Trained:
    """What r runs came to; float64 of shape (r) where nothing else is said."""

    matrix: Tensor
    """S, shape (r, d, d)."""
    eigenvalues: Tensor
    """Those of S, rising, shape (r, d)."""
    error: Tensor
    """E = ‖S - S0‖_F²/d."""
    test: Tensor
    """The mean loss on fresh sequences."""
    test_standard_error: Tensor
    """Of that mean, given S."""
    train: Tensor
    """The mean loss on the training sequences."""
    objective: Tensor
    """The objective over d²."""
    rank: Tensor
    """The part of the eigenvalues above `RANK_TOLERANCE` times the largest."""
    iterations: Tensor
    """Steps, integers."""
    residual: Tensor
    """‖∇L‖_F ‖W‖_F / L."""
    converged: Tensor
    """Whether the residual came below the tolerance, boolean."""


def train(
    problem: Problem, student: Student, seed: int, runs: Sequence[int], *, device: str = "cpu", fresh: int = 4000,
    tolerance: float = 1e-5, cap: int = 5000,
) -> Trained:  # fmt: skip
    """Train runs from random factors; whether each converged is said, not raised.

    Problems have at least two tokens; the seed is that of the whole experiment, runs their numbers. The test error is
    measured on `fresh` sequences, at least 2; a run stops at the tolerance of its residual or after `cap` steps.

    Raises:
        InputError: for one token, features without tokens, or numbers out of range.
    """
    if problem.tokens < 2:
        raise InputError("tokens", "at least 2", problem.tokens, "solve the convex problem of one token instead")
    if problem.features != "quadratic":
        raise InputError("features", "quadratic, of tokens", problem.features, "draw tokens")
    if fresh < 2:
        raise InputError("fresh", "at least 2 sequences", fresh, "draw more")
    data = draw(problem, seed, runs, device)
    features = data.features
    assert isinstance(features, QuadraticForms)
    labels = data.attention(student.target_beta)
    weight = student.penalty * problem.d

    def objective(factor: Tensor) -> Tensor:
        return _losses(features, factor, labels, student.beta).sum(-1) + weight * (factor**2).sum((1, 2))

    start = _starts(problem.d, student.width, seed, runs).to(device)
    ended = minimise(objective, start, tolerance=tolerance, cap=cap)
    factor = ended.point
    matrix = factor @ factor.mT
    losses = _fresh_losses(problem, student, seed, runs, data.target, factor, fresh)
    eigenvalues = torch.linalg.eigvalsh(matrix).clamp_min(0)
    return Trained(
        matrix=matrix, eigenvalues=eigenvalues, error=((matrix - data.target) ** 2).sum((-2, -1)) / problem.d,
        test=losses.mean(-1), test_standard_error=losses.std(-1) / math.sqrt(fresh),
        train=_losses(features, factor, labels, student.beta).mean(-1), objective=ended.value / problem.d**2,
        rank=rank_ratio(eigenvalues, RANK_TOLERANCE), iterations=ended.iterations, residual=ended.residual,
        converged=ended.residual <= tolerance,
    )  # fmt: skip


def _starts(d: int, width: int, seed: int, runs: Sequence[int]) -> Tensor:
    """Factors V = W/(p d)^{1/4} with independent standard normal entries of W, each run's by itself."""
    drawn = [np.random.default_rng((seed, d, width, _START_STREAM, run)).standard_normal((d, width)) for run in runs]
    starts: Tensor = torch.from_numpy(np.stack(drawn)) / (width * d) ** 0.25
    return starts


def _losses(features: QuadraticForms, factor: Tensor, labels: Tensor, beta: float) -> Tensor:
    found = torch.softmax(beta * features.apply_factor(factor), -1)
    losses: Tensor = ((found - labels) ** 2).sum((-2, -1))
    return losses


def _fresh_losses(
    problem: Problem, student: Student, seed: int, runs: Sequence[int], target: Tensor, factor: Tensor, count: int
) -> Tensor:
    """Losses on sequences that were not trained on, shape (r, count)."""
    drawn = draw(replace(problem, samples=count), seed, [run + _FRESH_STREAM for run in runs], str(target.device))
    assert isinstance(drawn.features, QuadraticForms)
    # The noise on the indices of another target of the same law is kept, its indices are not.
    indices = drawn.indices - drawn.features.apply(drawn.target) + drawn.features.apply(target)
    return _losses(drawn.features, factor, torch.softmax(student.target_beta * indices, -1), student.beta)


# --- many minimisations at once -------------------------------------------------------------------


@dataclass(frozen=True)
class Minimum:
    """Where r minimisations ended: points (r, …), values, ‖gradient‖ ‖point‖ / |value| and iterations, (r) each."""

    point: Tensor
    value: Tensor
    residual: Tensor
    iterations: Tensor


def minimise(function: Callable[[Tensor], Tensor], start: Tensor, *, tolerance: float, cap: int) -> Minimum:
    """Minimise functions of one run each by a limited-memory quasi-Newton method with halved steps (Nocedal 1980).

    The function takes points of shape (r, …) to values of shape (r), each of its own point alone, and is
    differentiable. A run rests below the tolerance of its residual, after `cap` steps, or where its line search finds
    no lower value.
    """
    point = start.clone()
    value, gradient = _slopes(function, point)
    running = torch.ones_like(value, dtype=torch.bool)
    iterations = torch.zeros_like(value, dtype=torch.long)
    pairs: list[tuple[Tensor, Tensor, Tensor]] = []
    for _ in range(cap):
        running = running & (_residual(point, value, gradient) > tolerance)
        if not bool(running.any()):
            break
        direction = _direction(gradient, pairs)
        slope = _inner(direction, gradient)
        uphill = ~(slope < 0)
        direction = torch.where(_wide(uphill, direction), -gradient, direction)
        slope = torch.where(uphill, -_inner(gradient, gradient), slope)
        length = torch.ones_like(value)
        if not pairs:
            length = 0.1 * (_inner(point, point) / _inner(direction, direction).clamp_min(1e-300)).sqrt()
        length, found, fresh_value, fresh_gradient = _search(function, point, value, direction, slope, length, running)
        step = _wide(length * found, point) * direction
        change = fresh_gradient - gradient
        curvature, size = _inner(step, change), _inner(change, change)
        good = found & (curvature > _CURVED * size.sqrt() * _inner(step, step).sqrt())
        inverse = torch.where(good, 1 / torch.where(good, curvature, 1.0), 0.0)
        pairs = [*pairs, (step, change, inverse)][-_MEMORY:]
        point, value = point + step, torch.where(found, fresh_value, value)
        gradient = torch.where(_wide(found, gradient), fresh_gradient, gradient)
        running, iterations = running & found, iterations + found
    return Minimum(point, value, _residual(point, value, gradient), iterations)


def _search(
    function: Callable[[Tensor], Tensor], point: Tensor, value: Tensor, direction: Tensor, slope: Tensor,
    length: Tensor, running: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """Halve each run's step until its value falls enough; lengths, which running ones were found, values and slopes."""
    found = torch.zeros_like(running)
    # Near a minimum a step gains less than the value's own rounding.
    rounding = _ROUNDING * torch.finfo(value.dtype).eps * value.abs()
    for _ in range(_HALVINGS):
        tried, gradient = _slopes(function, point + _wide(length, point) * direction)
        found = tried <= value + _ARMIJO * length * slope + rounding
        if bool((found | ~running).all()):
            break
        length = torch.where(found, length, length / 2)
    return length, found & running, tried, gradient


def _direction(gradient: Tensor, pairs: Sequence[tuple[Tensor, Tensor, Tensor]]) -> Tensor:
    """Minus the inverse Hessian's estimate times the gradient; pairs without curvature are left out run by run."""
    vector, weights = gradient, []
    for step, change, inverse in reversed(pairs):
        weight = inverse * _inner(step, vector)
        vector = vector - _wide(weight, vector) * change
        weights.append(weight)
    scale = torch.ones_like(gradient.flatten(1)[:, 0])
    for _, change, inverse in pairs:
        fresh = 1 / (inverse * _inner(change, change)).clamp_min(1e-300)
        scale = torch.where(inverse > 0, fresh, scale)
    vector = _wide(scale, vector) * vector
    for (step, change, inverse), weight in zip(pairs, reversed(weights), strict=True):
        vector = vector + _wide(weight - inverse * _inner(change, vector), vector) * step
    return -vector


def _slopes(function: Callable[[Tensor], Tensor], point: Tensor) -> tuple[Tensor, Tensor]:
    variable = point.detach().requires_grad_()
    value = function(variable)
    (gradient,) = torch.autograd.grad(value.sum(), variable)
    return value.detach(), gradient


def _residual(point: Tensor, value: Tensor, gradient: Tensor) -> Tensor:
    lengths = _inner(point, point).sqrt() * _inner(gradient, gradient).sqrt()
    return lengths / value.abs().clamp_min(1e-300)


def _inner(left: Tensor, right: Tensor) -> Tensor:
    return (left * right).flatten(1).sum(-1)


def _wide(values: Tensor, like: Tensor) -> Tensor:
    """One number a run, shaped to scale tensors."""
    return values.view(-1, *[1] * (like.dim() - 1))


# --- the map itself -------------------------------------------------------------------------------


def contrasts(tokens: int) -> Tensor:
    """What a softmax along rows shows of symmetric indices: all but a common shift.

    Symmetric matrices, orthonormal and orthogonal to that of ones, shape (T(T+1)/2 - 1, T, T); for one token, whose
    index is read as it is, the number one.
    """
    if tokens == 1:
        return torch.ones(1, 1, 1, dtype=torch.float64)
    row, column = torch.triu_indices(tokens, tokens)
    diagonal = (row == column).to(torch.float64)
    scale = (0.5 + 0.5 * diagonal).sqrt()
    frame = torch.cat([1 / scale[:, None], torch.eye(len(row), dtype=torch.float64)], 1)  # first the matrix of ones
    kept = torch.linalg.qr(frame).Q[:, 1:].T
    found = torch.zeros(len(kept), tokens, tokens, dtype=torch.float64)
    found[:, row, column] = kept * scale
    found[:, column, row] = kept * scale
    return found


def direct(data: Data) -> Tensor:
    """The symmetric matrix of least squares on what the labels show, of least norm, shape (r, d, d).

    It minimises Σ (⟨B, S⟩ - y)² over the contrasts B of the features and y of the noisy indices. All B are stored: for
    small dimensions.

    Raises:
        InputError: for features without tokens.
    """
    rows, values = stored_contrasts(data)
    wide = rows.shape[1] <= rows.shape[2]
    spectrum, vectors = torch.linalg.eigh(rows @ rows.mT if wide else rows.mT @ rows)
    kept = spectrum > 1e-12 * spectrum[:, -1:]
    inverse = torch.where(kept, 1 / torch.where(kept, spectrum, 1.0), 0.0)
    goal = values if wide else (rows.mT @ values[..., None])[..., 0]
    found = (vectors * inverse[:, None]) @ (vectors.mT @ goal[..., None])
    solution: Tensor = rows.mT @ found if wide else found
    return solution.view_as(data.target)


def stored_contrasts(data: Data) -> tuple[Tensor, Tensor]:
    """The contrasts B of the features as rows, (r, n m, d²), and y of the noisy indices, (r, n m), m a sequence.

    Raises:
        InputError: for features without tokens.
    """
    if not isinstance(data.features, QuadraticForms):
        raise InputError("features", "quadratic, of tokens", type(data.features).__name__, "draw tokens")
    tokens, d = data.features.tokens, data.features.d
    maps = contrasts(tokens.shape[2]).to(tokens.device)
    unit = torch.eye(d, dtype=tokens.dtype, device=tokens.device)
    trace = maps.diagonal(dim1=-2, dim2=-1).sum(-1)
    stored = torch.einsum("kab,rnai,rnbj->rnkij", maps, tokens, tokens) - trace[:, None, None] * unit
    rows = stored.flatten(3).flatten(1, 2) / math.sqrt(d)
    return rows, torch.einsum("kab,rnab->rnk", maps, data.indices).flatten(1)
