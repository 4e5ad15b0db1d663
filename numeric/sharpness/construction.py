"""The explicit transformer of paper 1, as tensors (Lintilhac & Shaikh 2026, Appendix B).

Tokens are rows x_j = (e_j, z_j), j = 1..T, and the output position x_{T+1} = (e_{T+1}, 0).
The logit of key j for query t is x_j^T W x_t in both attention layers, so W1 holds λ log T
at (j, t) for j in S_t, and W2 holds log c_t + λ log T at (t, T+1). Published: λ = 2.

Two layouts of the channels compute the same function:

* published: T+2 channels, one for both bit and data; attention 1 has no residual and the
  residual around the MLP carries the positions only, X2 = X diag(1, .., 1, 0) + MLP(A1 X V1);
* separate-data: T+3 channels; V1 moves the bit channel to the data channel and the
  residual is X, X2 = X + MLP(A1 X V1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Literal

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.target import TargetBatch

Layout = Literal["published", "separate-data"]
IDEAL = math.inf
"""The scale λ of the ideal network: λ = 2 weights, softmaxes restricted to their intended support."""

MAX_SCALE = 100.0
"""Beyond it float64 no longer carries the digits of log c_t beside λ log T."""


@dataclass(frozen=True)
class Channels:
    """Names of the channels, which are the rows of X's second axis (all counted from 0).

    Attributes:
        length: T, or T_max in a padded batch; position t is channel t - 1.
        layout: which layout.
    """

    length: int
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
        return self.bit if self.layout == "published" else self.bit + 1

    @property
    def count(self) -> int:
        """The number of channels."""
        return self.data + 1


@dataclass(frozen=True)
class Blocks:
    """All weights of a batch of networks, float64, padded with zeros.

    Attributes:
        W1: key-query matrix of layer 1, shape (B, E, E).
        V1: value matrix of layer 1, shape (B, E, E).
        M: MLP input weights, shape (B, E, H).
        Gamma: MLP biases, shape (B, H).
        F: MLP output weights, shape (B, H, E).
        W2: key-query matrix of layer 2, shape (B, E, E).
        V2: value vector of layer 2, shape (B, E).
    """

    W1: Tensor
    V1: Tensor
    M: Tensor
    Gamma: Tensor
    F: Tensor
    W2: Tensor
    V2: Tensor

    def __len__(self) -> int:
        """Return the number B of networks."""
        return len(self.V2)

    def __getitem__(self, part: slice) -> Blocks:
        """Return a run of networks, with the padding of the whole batch."""
        return replace(self, **{name: block[part] for name, block in self.named()})

    def named(self) -> list[tuple[str, Tensor]]:
        """Return the blocks with their names, in the order of the forward pass."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


def check_scale(scale: float) -> None:
    """Require a scale λ that float64 can carry, or the ideal network's.

    Args:
        scale: λ, or infinity.

    Raises:
        InputError: unless 0 < λ <= `MAX_SCALE` or λ is infinite.
    """
    if not (0 < scale <= MAX_SCALE or scale == IDEAL):
        raise InputError("scale", f"a number in (0, {MAX_SCALE:g}] or inf", repr(scale), "the paper has 2")


def build(batch: TargetBatch, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0) -> Blocks:
    """Write down the weights of the construction for many targets at once.

    Args:
        batch: B targets.
        layout: the channels.
        mlp: the trapezoid of Theorem 9.
        scale: λ; infinity gives the weights of λ = 2 (the softmaxes are restricted in the forward pass).

    Returns:
        The blocks, with E channels for T_max and H = 4(D_max + 1) hidden units.
    """
    check_scale(scale)
    channels = Channels(batch.max_length, layout)
    real, bias, output = units(batch.degree, mlp)
    e, h = channels.count, bias.shape[-1]

    def zeros(*shape: int) -> Tensor:
        return torch.zeros(len(batch), *shape, dtype=torch.float64, device=batch.device)

    blocks = Blocks(zeros(e, e), zeros(e, e), zeros(e, h), bias, zeros(h, e), zeros(e, e), zeros(e))
    logit = (2.0 if scale == IDEAL else scale) * batch.length.double().log()[:, None]
    rows = batch.max_sparsity
    blocks.W1[:, : batch.max_length, :rows] = logit[:, :, None] * batch.members.mT
    blocks.V1[:, channels.bit, channels.data] = 1.0
    blocks.M[:, channels.data] = real.double()
    blocks.F[:, :, channels.data] = output
    blocks.W2[:, :rows, channels.output] = torch.where(batch.active, batch.coefficients.log() + logit, 0.0)
    blocks.V2[:, channels.data] = batch.coefficient_sum
    return blocks
