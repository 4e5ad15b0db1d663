"""Layer 2 under noise of every parameter: its attention, the softmax's Jacobian and what the output draws from a row.

With a the weights, v = X2 V2 the values, q = W2 x the query's image and f = Σ a v, the output's gradient in row t of X2
is a_t V2 + a_t (v_t - f) q, and in the output position's row also W2ᵀ Σ a_t (v_t - f) x_t.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.autodiff import flatten, repeat
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.target import TargetBatch
from boundaudit.numeric.softmax import jacobian

ENTRIES = 2**21
"""Entries of perturbed networks held at once."""


class Moved(NamedTuple):
    """What independent draws of noise change, at one input; n draws."""

    weights: Tensor  # ‖ã - a‖₁, (n,)
    jacobian: Tensor  # largest absolute column sum of diag(ã) - ããᵀ - diag(a) + aaᵀ, (n,)
    rows: Tensor  # |change of ∂f/∂x| in each row of X2, the output position last, (n, P)

    @property
    def whole(self) -> Tensor:
        """The Frobenius norm of the change of ∂f/∂X2, shape (n,)."""
        size: Tensor = torch.linalg.vector_norm(self.rows, dim=-1)
        return size


class _Read(NamedTuple):
    """Attention weights, shape (B, P), and the output's gradient in the rows, shape (B, P, E)."""

    weights: Tensor
    gradient: Tensor


def sampled(blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float, draws: int, seed: int) -> Moved:
    """Perturb one network many times at one input (T,); the noise is drawn on the CPU: the same for every device."""
    before = _read(blocks, batch, bits)
    parts = [_change(before, _read(noisy, copies, bits)) for noisy, copies in _noisy(blocks, batch, sigma, draws, seed)]
    return Moved(*(torch.cat(field) for field in zip(*parts, strict=True)))


def stretched_weights(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """∂a along the unit direction w2ᵀ/|w2| of F's first row, (B, P), at inputs (B, T_max).

    There the first hidden unit writes the query's image into the keys.
    """
    found = trace(blocks, batch, bits[:, None])
    weights, first = found.second[:, 0], found.hidden[:, 0, :, 0]
    image = (found.stream[:, 0, -1:] @ blocks.W2.mT)[:, 0]
    logit = first * torch.linalg.vector_norm(image, dim=-1, keepdim=True)
    slope: Tensor = weights * (logit - (weights * logit).sum(-1, keepdim=True))
    return slope


def _noisy(
    blocks: Blocks, batch: TargetBatch, sigma: float, draws: int, seed: int
) -> Iterator[tuple[Blocks, TargetBatch]]:
    """Yield perturbed networks with their targets, some draws at a time."""
    at_once = max(1, ENTRIES // flatten(blocks).shape[1])
    for start in range(0, draws, at_once):
        count = min(at_once, draws - start)
        networks, copies = repeat(blocks, count), batch.repeat(count)
        yield moved(networks, gaussian(copies, networks, seed + start), sigma), copies


def _read(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> _Read:
    """Layer 2 of B networks at one input."""
    found = trace(blocks, batch, bits[None])
    weights, stream, values = found.second[:, 0], found.stream[:, 0], found.values[:, 0]
    pull = weights * (values - (weights * values).sum(-1, keepdim=True))
    image = (stream[:, -1:] @ blocks.W2.mT)[:, 0]
    gradient = weights[..., None] * blocks.V2[:, None] + pull[..., None] * image[:, None]
    gradient[:, -1] += ((pull[:, None] @ stream) @ blocks.W2)[:, 0]
    return _Read(weights, gradient)


def _change(before: _Read, after: _Read) -> tuple[Tensor, Tensor, Tensor]:
    moves = (jacobian(after.weights) - jacobian(before.weights)).abs().sum(-2).amax(-1)
    rows = torch.linalg.vector_norm(after.gradient - before.gradient, dim=-1)
    return (after.weights - before.weights).abs().sum(-1), moves, rows
