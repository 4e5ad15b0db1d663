"""The network's output: a general pass over any weights, and a short way by counting bits.

`forward` reads the weights alone and therefore serves perturbed networks too. `evaluate_by_structure` knows the
construction: the attention weights do not depend on the bits there, so the output depends on the counts k_t of ones in
S_t and on the weight |z| only.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.choices import IDEAL, check_scale
from boundaudit.numeric.sharpness.construction import Blocks, Channels
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.target import Target, TargetBatch

Residual = Literal["positions", "tokens", "attention", "none"]
"""What the residual around the MLP carries: four readings of one sentence.

The positions of the tokens, the whole tokens with their bit, the output of attention 1, or nothing.
"""

CHUNK = 2**18
"""Attention weights (inputs x targets x (T+1)^2) per pass: 2 MiB of float64, a few of which live at once."""


class Trace(NamedTuple):
    """What one pass computes, row by row; P = T_max + 1 rows, of which the last is the output position."""

    tokens: Tensor  # X, (B, n, P, E)
    first: Tensor  # attention weights of layer 1 by query and key, (B, n, P, P)
    averaged: Tensor  # the output of attention 1, (B, n, P, E)
    hidden: Tensor  # hidden units of the MLP, (B, n, P, H)
    stream: Tensor  # X2, what layer 2 reads, (B, n, P, E)
    second: Tensor  # attention weights of the output position in layer 2, (B, n, P)
    values: Tensor  # X2 V2, (B, n, P)

    @property
    def output(self) -> Tensor:
        """The network's output, shape (B, n)."""
        return (self.second * self.values).sum(-1)


def trace(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0, residual: Residual | None = None
) -> Trace:
    """Run networks of any weights on inputs in one pass and keep every intermediate; all B·N passes at once.

    Of the batch only the padding and, at infinite scale, which restricts both softmaxes to their intended support, the
    supports are read. Inputs are 0/1, (N, T_max) for all networks alike or (B, N, T_max); bits beyond T are ignored.
    The residual around the MLP is the layout's own where nothing is said.
    """
    return _pass(blocks, bits.expand(len(batch), *bits.shape[-2:]), *_supports(batch, scale), residual)


def forward(
    blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0, residual: Residual | None = None,
    chunk: int = CHUNK,
) -> Tensor:  # fmt: skip
    """Outputs of networks on inputs, float64, shape (B, N), attention written out; of the arguments of `trace`.

    `chunk` attention weights are held at once, or one input of one network.
    """
    bits = bits.expand(len(batch), *bits.shape[-2:])
    pairs = max(1, chunk // (batch.max_length + 1) ** 2)
    some_targets = min(len(batch), pairs)
    some_inputs = max(1, pairs // some_targets)
    rows = []
    for start in range(0, len(batch), some_targets):
        part = slice(start, start + some_targets)
        supports = _supports(batch[part], scale)
        passes = (_pass(blocks[part], z, *supports, residual) for z in torch.split(bits[part], some_inputs, dim=1))
        rows.append(torch.cat([one.output for one in passes], dim=1))
    return torch.cat(rows)


def _supports(batch: TargetBatch, scale: float) -> tuple[Tensor, Tensor]:
    """Return logits 0 or -inf that restrict the softmaxes: (B, 1, P, P) by query and key, and (B, 1, P)."""
    output = torch.ones(len(batch), 1, dtype=torch.bool, device=batch.device)
    real = torch.cat([batch.real_positions, output], dim=1)
    first = real[:, None].repeat(1, real.shape[1], 1)
    second = real
    if scale == IDEAL:
        rows = batch.max_sparsity
        first[:, :rows, :-1] = torch.where(batch.active[:, :, None], batch.members, first[:, :rows, :-1])
        first[:, :rows, -1] = ~batch.active | (batch.room > 0)
        second = torch.zeros_like(real)
        second[:, :rows] = batch.active
    zero = torch.zeros((), dtype=torch.float64, device=batch.device)
    return zero.where(first, -torch.inf)[:, None], zero.where(second, -torch.inf)[:, None]


def _pass(blocks: Blocks, bits: Tensor, first: Tensor, second: Tensor, residual: Residual | None) -> Trace:
    """Return everything that one pass over bits (B, n, T) computes."""
    channels = Channels(bits.shape[-1], blocks.layout)
    x = _embed(bits.double(), channels)
    a1 = torch.softmax(_apply(x, blocks.W1.mT) @ x.mT + first, dim=-1)
    b = a1 @ _apply(x, blocks.V1)
    bias = blocks.Gamma[:, None]
    if channels.layout == "extended":
        # The MLP also reads the one-hot position of each row, which adds that row of M.
        bias = bias + blocks.M[:, : channels.output + 1]
    hidden = torch.relu(_apply(b, blocks.M) + bias[:, None])
    x2 = _apply(hidden, blocks.F) + _carried(x, b, channels, residual)
    query = x2[:, :, -1] @ blocks.W2.mT
    a2 = torch.softmax((x2 @ query[..., None])[..., 0] + second, dim=-1)
    values = (x2 @ blocks.V2[:, None, :, None])[..., 0]
    return Trace(x, a1, b, hidden, x2, a2, values)


def _carried(x: Tensor, b: Tensor, channels: Channels, residual: Residual | None) -> Tensor:
    """Return what the residual carries around the MLP, broadcastable to X2."""
    chosen = residual or ("tokens" if channels.layout == "separate-data" else "positions")
    if chosen == "positions":
        kept = x.new_zeros(channels.count)
        kept[: channels.output + 1] = 1.0
        return x * kept
    return {"tokens": x, "attention": b, "none": x.new_zeros(channels.count)}[chosen]


def _apply(x: Tensor, weight: Tensor) -> Tensor:
    """Return x @ weight for x (B, n, P, E) and weight (B, E, E'), as one product for each network."""
    return (x.flatten(1, 2) @ weight).reshape(*x.shape[:3], weight.shape[-1])


def _embed(bits: Tensor, channels: Channels) -> Tensor:
    """Return the tokens X (B, n, T+1, E)."""
    count, inputs, length = bits.shape
    x = bits.new_zeros(count, inputs, length + 1, channels.count)
    x[..., : length + 1] = torch.eye(length + 1, dtype=bits.dtype, device=bits.device)
    x[..., :length, channels.bit] = bits
    return x


def evaluate_by_structure(
    target: Target, bits: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0, chunk: int = CHUNK
) -> Tensor:
    """The output of the unperturbed construction from counts of ones, in any layout that carries the target.

    With q = T^-λ (0 in the ideal network), D the degree of the MLP and k_t of the |z| ones in S_t, row t <= ω of layer
    1 averages to s_t = (k_t + q (|z| - k_t)) / (D + q o_t) with o_t = T - D_t + [D_t = D] idle keys, every other row to
    |z| / (T+1), and layer 2 weighs them |c_t| : q. Our derivation from Appendix B, Equations 3 to 8, and from our
    extension. Inputs are 0/1, (N, T), outputs float64, (N,); of the N ω counts `chunk` are held at once.
    """
    check_scale(scale)
    batch = TargetBatch.stack([target], device=bits.device)
    members, coefficients = batch.members[0].double(), batch.coefficients[0]
    t, w, total = target.length, target.sparsity, target.absolute_sum
    q = math.pow(t, -scale)
    ones = torch.arange(t + 1, dtype=torch.float64, device=bits.device)
    table, kind = _active_rows(batch, q, ones, mlp)
    inactive = (t + 1 - w) * q * response((ones / (t + 1))[None], batch.degree, mlp)[0]
    outputs = []
    for z in torch.split(bits, max(1, chunk // w)):
        weight = z.sum(-1)
        counts = (z.double() @ members.mT).long()
        g = table[kind, counts, weight[:, None]]
        outputs.append((g @ coefficients.abs() + inactive[weight]) * (total / (total + (t + 1 - w) * q)))
    return torch.cat(outputs)


def _active_rows(batch: TargetBatch, q: float, ones: Tensor, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    """Return what a row of each kind contributes over A by (k, |z|), shape (K, D+1, T+1), and each row's kind (w,)."""
    negative = batch.coefficients[0] < 0
    kinds, kind = torch.unique(torch.stack([batch.sizes[0], negative]), dim=1, return_inverse=True)
    size, shifted = kinds.double()
    degree, k = batch.degree, torch.arange(int(size.max()) + 1, device=ones.device)[:, None]
    idle = (batch.length - size + (size == degree))[:, None, None]
    s = (k + q * (ones - k)) / (degree + q * idle) + (shifted / degree)[:, None, None]
    return response(s.flatten()[None], degree, mlp).view(s.shape) - shifted[:, None, None], kind
