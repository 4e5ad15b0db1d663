"""Attention weights and rows of the construction, for many targets with scales of their own.

Everything is read off the general forward pass. The weights do not depend on the bits, so they are read at the input of
all ones. Rows and keys are counted from 1 among those of their kind: row t of layer 1 is active for t <= ω, and so is
key t of layer 2. Scales λ have shape (B,), bits (B, T_max), one input for each target.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import Trace, trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**20
"""Numbers of one kind (rows times channels or hidden units) that a traced pass holds at once."""


def leading(length: Tensor, degree: Tensor, coefficient: Tensor) -> TargetBatch:
    """Targets of one component, {1, …, D}, from T, D (integers) and its weight, each (B,)."""
    positions = torch.arange(int(length.max()), device=length.device)
    return TargetBatch.from_tensors(length, (positions < degree[:, None])[:, None], coefficient[:, None])


def single_bits(length: Tensor, sparsity: Tensor, total: Tensor) -> TargetBatch:
    """Targets whose components are the first ω positions one by one, equal coefficients of sum C; T, ω, C: (B,)."""
    positions = torch.arange(int(length.max()), device=length.device)
    used = positions < sparsity[:, None]
    # A share of the smallest floats would round to zero, which is no coefficient.
    share = (total / sparsity).clamp(min=torch.finfo(torch.float64).tiny)
    return TargetBatch.from_tensors(length, torch.diag_embed(used), torch.where(used, share[:, None], 0.0))


def leading_bits(length: Tensor, degree: Tensor, inside: Tensor, outside: Tensor) -> Tensor:
    """Bits (B, T_max) with so many ones within {1, …, D} and so many after it, first positions first; all (B,)."""
    position = torch.arange(int(length.max()), device=length.device)
    first, after = position < inside[:, None], position >= degree[:, None]
    return first | (after & (position < (degree + outside)[:, None]))


def scaled(batch: TargetBatch, first: Tensor, second: Tensor, *, mlp: Trapezoid = "steep") -> Blocks:
    """Weights of the published layout, a λ for each target and layer; equal ones for all give those of `build`."""
    blocks = build(batch, mlp=mlp)
    shift = torch.where(batch.active, ((second - 2) * batch.length.double().log())[:, None], 0.0)
    w2 = blocks.W2.clone()
    w2[:, : batch.max_sparsity, batch.max_length] += shift
    return replace(blocks, W1=blocks.W1 * (first / 2)[:, None, None], W2=w2)


def first_weights(batch: TargetBatch, scale: Tensor, row: Tensor) -> Tensor:
    """Layer 1's attention of a row each, (B,) from 0, the output at T_max; by key, the output last, (B, T_max + 1)."""
    ones = torch.ones(len(batch), batch.max_length, device=batch.device)
    return _traced(
        batch, scaled(batch, scale, scale), ones, lambda seen, part: seen.first[_each(seen, part), 0, row[part]]
    )


def second_weights(batch: TargetBatch, scale: Tensor) -> Tensor:
    """Attention weights of the output position in layer 2 by key, the output position last, shape (B, T_max + 1)."""
    ones = torch.ones(len(batch), batch.max_length, device=batch.device)
    return _traced(batch, scaled(batch, scale, scale), ones, lambda seen, _: seen.second[:, 0])


def member_keys(batch: TargetBatch, row: Tensor) -> Tensor:
    """Whether a key lies in the component of an active row, bool, shape (B, T_max + 1); rows counted from 0."""
    members = batch.members[torch.arange(len(batch), device=batch.device), row]
    return torch.cat([members, torch.zeros_like(members[:, :1])], dim=1)


def real_keys(batch: TargetBatch) -> Tensor:
    """Whether a key exists and is not padding, bool, shape (B, T_max + 1)."""
    real = batch.real_positions
    return torch.cat([real, torch.ones_like(real[:, :1])], dim=1)


def unused_rows(batch: TargetBatch) -> Tensor:
    """Whether a row exists and belongs to no component, bool, shape (B, T_max + 1)."""
    real = real_keys(batch)
    return real & (torch.arange(real.shape[1], device=batch.device) >= batch.sparsity[:, None])


def nth(mask: Tensor, count: Tensor) -> Tensor:
    """Where the mask (B, P) is true for the n-th time, n from 1, (B,); indices from 0, (B,)."""
    return ((mask.cumsum(-1) == count[:, None]) & mask).int().argmax(-1)


def averaged_bits(batch: TargetBatch, bits: Tensor, scale: Tensor) -> Tensor:
    """What layer 1 hands the MLP on row 1: s of the first component, the attention-weighted mean of the bits, (B,)."""
    return _traced(batch, scaled(batch, scale, scale), bits, lambda seen, _: seen.averaged[:, 0, 0, -1])


def largest_shift(batch: TargetBatch, scale: Tensor) -> Tensor:
    """The largest |s - k/D| on row 1 over all inputs, (B,), by all numbers of ones inside and outside its set."""
    first = torch.zeros_like(batch.length)
    weights = first_weights(batch, scale, first)
    inside = (weights * member_keys(batch, first)).amax(-1)[:, None, None]
    # The output position is a key outside every set.
    outside = weights[:, -1, None, None]
    ones = torch.arange(batch.max_length + 1, device=batch.device)
    degree, length = batch.degree[:, None, None], batch.length[:, None, None]
    k, r = torch.minimum(ones[:, None], degree), torch.minimum(ones[None, :], length - degree)
    return (k * inside + r * outside - k / degree.double()).abs().amax((1, 2))


def active_outputs(batch: TargetBatch, bits: Tensor, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """What the MLP makes of the averaged bits on row 1, the first component's, shape (B,); the scale is layer 1's."""
    blocks = scaled(batch, scale, scale, mlp=mlp)
    return _traced(batch, blocks, bits, lambda seen, _: seen.stream[:, 0, 0, -1])


def _each(seen: Trace, part: slice) -> Tensor:
    return torch.arange(len(seen.first), device=seen.first.device)


def _traced(batch: TargetBatch, blocks: Blocks, bits: Tensor, pick: Callable[[Trace, slice], Tensor]) -> Tensor:
    """Trace one input of each network, a few networks at a time, and keep what is asked for."""
    rows = batch.max_length + 1
    step = max(1, CHUNK // (rows * max(rows + 1, blocks.Gamma.shape[-1])))
    parts = [slice(start, start + step) for start in range(0, len(batch), step)]
    return torch.cat([pick(trace(blocks[part], batch[part], bits[part, None]), part) for part in parts])
