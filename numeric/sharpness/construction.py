"""The explicit transformer of paper 1, as tensors (Lintilhac & Shaikh 2026, Appendix B).

Tokens are rows x_j = (e_j, z_j), j = 1..T, and the output position x_{T+1} = (e_{T+1}, 0).
The logit of key j for query t is x_j^T W x_t in both attention layers, so W1 holds λ log T
at (j, t) for j in S_t, and W2 holds log c_t + λ log T at (t, T+1). Published: λ = 2.

Three layouts of the channels compute the same function:

* published: T+2 channels, one for both bit and data; attention 1 has no residual and the
  residual around the MLP carries the positions only, X2 = X diag(1, .., 1, 0) + MLP(A1 X V1);
* separate-data: T+3 channels; V1 moves the bit channel to the data channel and the
  residual is X, X2 = X + MLP(A1 X V1);
* separate-positions: the same T+3 channels, of which the residual carries the positions only.

One more goes beyond the paper:

* extended: as published, with the positions carried around attention 1 too, X1 = X diag(1, .., 1, 0)
  + A1 X V1 and X2 = X diag(1, .., 1, 0) + MLP(X1), so that the MLP knows which row it reads.

Sets of several sizes and negative coefficients are our own extension; for sets of one size and
positive coefficients it writes the published weights. Let D be the batch's degree, D_t = |S_t|:

* a row with D_t < D also attends to the output position, whose bit is zero, as if D - D_t positions
  stood there: W1 holds λ log T + log(D - D_t) at (T+1, t), and the row averages to k_t/D;
* a row with c_t < 0 reads the MLP one grid step further, at (k_t + 1)/D, by 1/D at (t, every unit) of M:
  its value is 1 - chi_t, and -A at (t) of V2, beside A = sum |c_t| at the data, makes it -A chi_t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.choices import IDEAL, Trapezoid, check_scale, check_signs
from boundaudit.numeric.sharpness.choices import Layout as Layout
from boundaudit.numeric.sharpness.mlp import units
from boundaudit.numeric.sharpness.target import TargetBatch


@dataclass(frozen=True)
class Channels:
    """Names of the channels, the rows of X's second axis, counted from 0: position t is channel t - 1."""

    length: int  # T, or T_max in a padded batch
    layout: Layout

    @property
    def output(self) -> int:
        """The channel of the output position, after all positions and their padding."""
        return self.length

    @property
    def bit(self) -> int:
        """The channel that carries the input bit."""
        return self.length + 1

    @property
    def data(self) -> int:
        """The channel that carries averaged bits, then parities; the last one."""
        return self.bit + 1 if self.layout in {"separate-data", "separate-positions"} else self.bit

    @property
    def count(self) -> int:
        """The number of channels."""
        return self.data + 1


@dataclass(frozen=True)
class Blocks:
    """All weights of a batch of networks, float64, padded with zeros."""

    W1: Tensor  # key-query matrix of layer 1, (B, E, E)
    V1: Tensor  # value matrix of layer 1, (B, E, E)
    M: Tensor  # MLP input weights, (B, E, H)
    Gamma: Tensor  # MLP biases, (B, H)
    F: Tensor  # MLP output weights, (B, H, E)
    W2: Tensor  # key-query matrix of layer 2, (B, E, E)
    V2: Tensor  # value vector of layer 2, (B, E)
    layout: Layout

    def __len__(self) -> int:
        """Return the number B of networks."""
        return len(self.V2)

    def __getitem__(self, part: slice) -> Blocks:
        """Return a run of networks, with the padding of the whole batch."""
        return self.with_weights([block[part] for _, block in self.named()])

    def with_weights(self, weights: Sequence[Tensor]) -> Blocks:
        """Return networks of this layout with other weights, one tensor for each block in the order of `named`."""
        w1, v1, m, gamma, f, w2, v2 = weights
        return Blocks(w1, v1, m, gamma, f, w2, v2, self.layout)

    def named(self) -> list[tuple[str, Tensor]]:
        """Return the blocks with their names, in the order of the forward pass."""
        return [(field.name, getattr(self, field.name)) for field in fields(self) if field.name != "layout"]


def build(
    batch: TargetBatch, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0,
    pruned: bool = False,
) -> Blocks:  # fmt: skip
    """Write down the weights of the construction for many targets at once.

    E channels for T_max and H = 4(D_max + 1) hidden units, or 4(⌊D_max/2⌋ + 1) pruned, without those of odd grid
    points, whose output weight is zero. An infinite scale gives the weights of λ = 2 (softmaxes are restricted in the
    pass).

    Raises:
        InputError: when the scale is none, or a coefficient is negative in a layout other than ``"extended"``.
    """
    check_scale(scale)
    negative = batch.coefficients < 0
    signed = bool(negative.any())
    check_signs(layout, signed=signed)
    channels = Channels(batch.max_length, layout)
    real, bias, output = units(batch.degree, mlp, pruned=pruned)
    e, h = channels.count, bias.shape[-1]

    def zeros(*shape: int) -> Tensor:
        return torch.zeros(len(batch), *shape, dtype=torch.float64, device=batch.device)

    blocks = Blocks(zeros(e, e), zeros(e, e), zeros(e, h), bias, zeros(h, e), zeros(e, e), zeros(e), layout)
    logit = (2.0 if scale == IDEAL else scale) * batch.length.double().log()[:, None]
    rows, total = batch.max_sparsity, batch.absolute_sum
    blocks.W1[:, : batch.max_length, :rows] = logit[:, :, None] * batch.members.mT
    blocks.W1[:, channels.output, :rows] = torch.where(batch.room > 0, logit + batch.room.double().log(), 0.0)
    blocks.V1[:, channels.bit, channels.data] = 1.0
    blocks.M[:, channels.data] = real.double()
    blocks.F[:, :, channels.data] = output
    blocks.W2[:, :rows, channels.output] = torch.where(batch.active, batch.coefficients.abs().log() + logit, 0.0)
    blocks.V2[:, channels.data] = total
    if signed:
        blocks.M[:, :rows] = (negative / batch.degree[:, None].double())[:, :, None] * real[:, None]
        blocks.V2[:, :rows] = torch.where(negative, -total[:, None], 0.0)
    return blocks
