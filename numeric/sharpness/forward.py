"""The network's output: a general pass over any weights, and a short way by counting bits.

`forward` reads the weights alone and therefore serves perturbed networks too.
`evaluate_by_structure` knows the construction: the attention weights do not depend on the
bits there, so the output depends on the counts k_t of ones in S_t and on the weight |z| only.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import IDEAL, Blocks, Channels, Layout, check_scale
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.target import Target, TargetBatch

CHUNK = 2**18
"""Attention weights (inputs x targets x (T+1)^2) per pass: 2 MiB of float64, a few of which live at once."""


def forward(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0, chunk: int = CHUNK) -> Tensor:
    """Run the networks on inputs, attention written out, in float64.

    Args:
        blocks: the weights of B networks, those of `build` or others of the same shapes.
        batch: the B targets, of which only the padding and, in the ideal network, the supports are read.
        bits: 0/1 inputs, shape (N, T_max) for all networks alike or (B, N, T_max); bits beyond T are ignored.
        scale: infinity restricts both softmaxes to their intended support; else it is not read.
        chunk: attention weights held at once; at least one input of one network is taken.

    Returns:
        Outputs, float64, shape (B, N).
    """
    bits = bits.expand(len(batch), *bits.shape[-2:])
    pairs = max(1, chunk // (batch.max_length + 1) ** 2)
    some_targets = min(len(batch), pairs)
    some_inputs = max(1, pairs // some_targets)
    rows = []
    for start in range(0, len(batch), some_targets):
        part = slice(start, start + some_targets)
        supports = _supports(batch[part], scale)
        outputs = [_pass(blocks[part], z, *supports) for z in torch.split(bits[part], some_inputs, dim=1)]
        rows.append(torch.cat(outputs, dim=1))
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
        first[:, :rows, -1] = ~batch.active
        second = torch.zeros_like(real)
        second[:, :rows] = batch.active
    zero = torch.zeros((), dtype=torch.float64, device=batch.device)
    return zero.where(first, -torch.inf)[:, None], zero.where(second, -torch.inf)[:, None]


def _pass(blocks: Blocks, bits: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """Return the outputs (B, n) for bits (B, n, T) in one pass."""
    x, residual = _embed(bits.double(), _layout(blocks, bits.shape[-1]))
    a1 = torch.softmax(_apply(x, blocks.W1.mT) @ x.mT + first, dim=-1)
    b = a1 @ _apply(x, blocks.V1)
    hidden = torch.relu(_apply(b, blocks.M) + blocks.Gamma[:, None, None])
    x2 = x * residual + _apply(hidden, blocks.F)
    query = x2[:, :, -1] @ blocks.W2.mT
    a2 = torch.softmax((x2 @ query[..., None])[..., 0] + second, dim=-1)
    values = (x2 @ blocks.V2[:, None, :, None])[..., 0]
    return (a2 * values).sum(-1)


def _apply(x: Tensor, weight: Tensor) -> Tensor:
    """Return x @ weight for x (B, n, P, E) and weight (B, E, E'), as one product for each network."""
    return (x.flatten(1, 2) @ weight).reshape(*x.shape[:3], weight.shape[-1])


def _layout(blocks: Blocks, length: int) -> Channels:
    """Return the layout that the blocks' number of channels tells."""
    layout: Layout = "published" if blocks.V2.shape[-1] == length + 2 else "separate-data"
    return Channels(length, layout)


def _embed(bits: Tensor, channels: Channels) -> tuple[Tensor, Tensor]:
    """Return the tokens X (B, n, T+1, E) and the diagonal (E,) of what the MLP's residual carries."""
    count, inputs, length = bits.shape
    x = bits.new_zeros(count, inputs, length + 1, channels.count)
    x[..., : length + 1] = torch.eye(length + 1, dtype=bits.dtype, device=bits.device)
    x[..., :length, channels.bit] = bits
    residual = bits.new_ones(channels.count)
    if channels.layout == "published":
        residual[channels.data] = 0.0
    return x, residual


def evaluate_by_structure(
    target: Target, bits: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0, chunk: int = CHUNK
) -> Tensor:
    """The output of the unperturbed construction from counts of ones, in either layout.

    With q = T^-λ (0 in the ideal network) row t <= ω of layer 1 averages to
    s_t = (k_t + q (|z| - k_t)) / (D + q (T+1-D)), every other row to |z| / (T+1), and
    layer 2 weighs them c_t : q. Our derivation from Appendix B, Equations 3 to 8.

    Args:
        target: the target.
        bits: 0/1 inputs, shape (N, T).
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.
        chunk: counts held at once, at most (N times ω of them are needed).

    Returns:
        Outputs, float64, shape (N,).
    """
    check_scale(scale)
    batch = TargetBatch.stack([target], device=bits.device)
    members = batch.members[0].double()
    t, d, w, c = target.length, target.degree, target.sparsity, target.coefficient_sum
    q = math.pow(t, -scale)
    ones = torch.arange(t + 1, dtype=torch.float64, device=bits.device)
    k = ones[: d + 1, None]
    active = response(((k + q * (ones - k)) / (d + q * (t + 1 - d)))[None], batch.degree, mlp)[0]
    inactive = (t + 1 - w) * q * response((ones / (t + 1))[None], batch.degree, mlp)[0]
    outputs = []
    for z in torch.split(bits, max(1, chunk // w)):
        weight = z.sum(-1)
        counts = (z.double() @ members.mT).long()
        g = active[counts, weight[:, None]]
        outputs.append((g @ batch.coefficients[0] + inactive[weight]) * (c / (c + (t + 1 - w) * q)))
    return torch.cat(outputs)
