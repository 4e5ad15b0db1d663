"""The loss (f - y)² under noise, and what its Taylor expansion is made of: traces, one-sided derivatives, moments."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import vmap

from boundaudit.numeric.sharpness import any_weights
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, hessian, repeat
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

THREE_NODES = ((-(3**0.5), 1 / 6), (0.0, 2 / 3), (3**0.5, 1 / 6))
"""Nodes and weights of the Gauss-Hermite rule that is exact up to degree 5."""

STEP = 1 / 64
"""How far a bias is moved to either side of a kink; the network is affine there, so that any short step will do."""

QUANTILE = 2.5758293035489004
"""Of the standard normal distribution at 99.5 %."""


HELD = 2**21
"""Directions of the stream that networks under noise hold at once."""

MANY = 2**32
"""Between the seeds of successive parts of a sample: those of neighbouring points stay apart."""


def _output(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """Each network at its own input, shape (B,)."""
    return forward(blocks, batch, bits[:, None])[:, 0]


def _target(batch: TargetBatch, bits: Tensor) -> Tensor:
    return evaluate_batch(batch, bits[:, None])[:, 0]


def _changed(blocks: Blocks, name: str, index: int, shift: Tensor) -> Blocks:
    """The blocks with one entry of a vector block moved, in each network by a shift of its own."""
    weights = dict(blocks.named())
    entry = weights[name].clone()
    entry[:, index] += shift
    return blocks.with_weights(list((weights | {name: entry}).values()))


def loss_with_noisy_value(batch: TargetBatch, bits: Tensor, sigma: Tensor, mlp: Trapezoid) -> Tensor:
    """E L, (B,), at (B, T_max), σ (B,) on the data entry of V2 alone: a parabola in it, so three nodes are exact."""
    blocks, wanted = build(batch, mlp=mlp), _target(batch, bits)
    losses = [
        weight * (_output(_changed(blocks, "V2", -1, node * sigma), batch, bits) - wanted).square()
        for node, weight in THREE_NODES
    ]
    return torch.stack(losses).sum(0)


def loss_slope(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """The loss's derivative by the data entry of V2, (B,), by automatic differentiation at inputs (B, T_max)."""
    blocks = build(batch, mlp=mlp)
    residual = _output(blocks, batch, bits) - _target(batch, bits)
    return 2 * residual * gradients(blocks, batch, bits).V2[:, -1]


def loss_after_bias(batch: TargetBatch, bits: Tensor, unit: int, shift: Tensor, mlp: Trapezoid) -> Tensor:
    """The loss, (B,), at inputs (B, T_max) after one hidden unit's bias, counted from 0, has gone down by (B,)."""
    blocks = _changed(build(batch, mlp=mlp), "Gamma", unit, -shift)
    return (_output(blocks, batch, bits) - _target(batch, bits)).square()


def derivative_jump(batch: TargetBatch, bits: Tensor, unit: int, mlp: Trapezoid) -> Tensor:
    """How far one-sided derivatives of f by a unit's bias are apart at (B, T_max), by difference quotients, (B,)."""
    blocks = build(batch, mlp=mlp)
    steps = [torch.full_like(blocks.V2[:, 0], step) for step in (-STEP, 0.0, STEP)]
    left, middle, right = (_output(_changed(blocks, "Gamma", unit, step), batch, bits) for step in steps)
    return ((right - middle) - (middle - left)).abs() / STEP


class Perturbed(NamedTuple):
    """One target's network at N inputs, without noise and with a draw of it for each; derivatives are those of f."""

    residual: Tensor  # f - y, at θ and θ + ε, (2, N)
    gradient: Tensor  # ∇f, (2, N, p)
    hessian: Tensor  # Hess f almost everywhere, (2, N, p, p)
    sigma: float  # the noise's standard deviation

    @property
    def loss_trace(self) -> Tensor:
        """Tr Hess (f-y)², at θ and θ + ε, shape (2, N)."""
        curvature = self.hessian.diagonal(dim1=-2, dim2=-1).sum(-1)
        return 2 * self.gradient.square().sum(-1) + 2 * self.residual * curvature


def perturbed(target: Target, bits: Tensor, sigma: float, seed: int, mlp: Trapezoid) -> Perturbed:
    """All second-order information of one target's network at (N, T), before and after a draw of noise for each."""
    one = TargetBatch.stack([target], device=bits.device)
    batch = one.repeat(len(bits))
    plain = build(batch, mlp=mlp)
    noisy = moved(plain, gaussian(batch, plain, seed), sigma)
    weights = [torch.cat([before, after]) for (_, before), (_, after) in zip(plain.named(), noisy.named(), strict=True)]
    both, pair, rows = plain.with_weights(weights), one.repeat(2 * len(bits)), bits.repeat(2, 1)

    def curvature(weights: list[Tensor], row: Tensor) -> Tensor:
        return hessian(plain.with_weights([weight[None] for weight in weights]), one, row)

    residual, slopes = _output(both, pair, rows) - _target(pair, rows), flatten(gradients(both, pair, rows))
    found = residual, slopes, vmap(curvature)(weights, rows)
    residual, slopes, curved = (part.reshape(2, len(bits), *part.shape[1:]) for part in found)
    return Perturbed(residual, slopes, curved, sigma)


def noisy_traces(
    batch: TargetBatch, bits: Tensor, sigma: float, draws: int, seed: int, mlp: Trapezoid
) -> tuple[Tensor, Tensor]:
    """Tr Hess (f-y)² almost everywhere of one target at one input (1, T): without noise, (1,), with it, (draws,)."""
    plain, wanted = build(batch, mlp=mlp), evaluate_batch(batch, bits)
    some = max(1, HELD // (batch.max_length + 2) ** 3)
    counts = [min(some, draws - start) for start in range(0, draws, some)]
    noisy = [_noisy(plain, batch, sigma, count, seed + n * MANY) for n, count in enumerate(counts)]
    found = [_loss_trace(blocks, copies, bits, wanted) for blocks, copies in [(plain, batch), *noisy]]
    return found[0], torch.cat(found[1:])


def _noisy(plain: Blocks, batch: TargetBatch, sigma: float, count: int, seed: int) -> tuple[Blocks, TargetBatch]:
    copies, blocks = batch.repeat(count), repeat(plain, count)
    return moved(blocks, gaussian(copies, blocks, seed), sigma), copies


def _loss_trace(blocks: Blocks, batch: TargetBatch, bits: Tensor, wanted: Tensor) -> Tensor:
    found = any_weights.slopes(blocks, batch, bits)
    return (2 * found.gradient + 2 * (found.output - wanted) * found.laplacian)[:, 0]
