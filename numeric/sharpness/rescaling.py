"""Appendix D: rescaled networks, their norms, and inputs that leave a component silent."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**20
"""Entries of the blocks built at once."""


def rescale(blocks: Blocks, factor: Tensor | float) -> Blocks:
    """The same function with (M, Γ) → α(M, Γ), F → F/α, α > 0, one for all or one for each network, (B,)."""
    alpha = torch.as_tensor(factor, dtype=torch.float64, device=blocks.F.device).expand(len(blocks))[:, None]
    wide = alpha[:, :, None]
    return replace(blocks, M=wide * blocks.M, Gamma=alpha * blocks.Gamma, F=blocks.F / wide)


def outputs(batch: TargetBatch, bits: Tensor, factor: Tensor | float, *, mlp: Trapezoid = "steep") -> Tensor:
    """Outputs, float64, (B, N), of the rescaled networks at 0/1 inputs (N, T_max) for all alike or (B, N, T_max)."""
    return forward(rescale(build(batch, mlp=mlp), factor), batch, bits)


def mlp_norms(degree: Tensor, factor: Tensor | float, *, mlp: Trapezoid = "steep") -> tuple[Tensor, Tensor]:
    """‖αM‖² + ‖αΓ‖² and ‖F/α‖², each (B,), summed over the entries of the blocks; degrees int64, (B,)."""
    factors = torch.as_tensor(factor, dtype=torch.float64, device=degree.device).expand(len(degree))
    length = int(degree.max()) + 1
    step = max(1, CHUNK // (8 * (length + 3) ** 2))
    parts = [
        _mlp_norms(some, alpha, length, mlp)
        for some, alpha in zip(torch.split(degree, step), torch.split(factors, step), strict=True)
    ]
    inner, outer = zip(*parts, strict=True)
    return torch.cat(inner), torch.cat(outer)


def _mlp_norms(degree: Tensor, factor: Tensor, length: int, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    members = (torch.arange(length, device=degree.device) < degree[:, None])[:, None]
    ones = torch.ones_like(degree)
    blocks = rescale(build(TargetBatch.from_tensors(length * ones, members, ones[:, None]), mlp=mlp), factor)
    inner = blocks.M.square().sum((-2, -1)) + blocks.Gamma.square().sum(-1)
    return inner, blocks.F.square().sum((-2, -1))


def silent_inputs(batch: TargetBatch) -> Tensor:
    """How many components an input leaves all zero, on the mean over all; targets of one short T; float64, (B,)."""
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device).double()
    ones = batch.members.double() @ bits.mT
    silent = (ones == 0) & batch.active[:, :, None]
    return silent.double().sum(-2).mean(-1)


def bits_as_components(length: int, *, device: torch.device | str = "cpu") -> tuple[TargetBatch, Tensor]:
    """The target with every bit as a component, of equal coefficients, and one input of each weight, (T+1, T)."""
    members = torch.eye(length, dtype=torch.bool, device=device)[None]
    coefficients = torch.full((1, length), length**-0.5, dtype=torch.float64, device=device)
    batch = TargetBatch.from_tensors(torch.tensor([length], device=device), members, coefficients)
    return batch, torch.ones(length + 1, length, dtype=torch.bool, device=device).tril(-1)


def share_of_weights(length: int, device: torch.device | str = "cpu") -> Tensor:
    """How many of all inputs have each weight 0, …, T, as shares, float64, shape (T+1,)."""
    counts = [math.comb(length, ones) / 2**length for ones in range(length + 1)]
    return torch.tensor(counts, dtype=torch.float64, device=device)
