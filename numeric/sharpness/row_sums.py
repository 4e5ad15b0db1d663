"""The rows of one forward pass, which what bounds on gradients and Hessians go through is made of (Theorem 14)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units
from boundaudit.numeric.sharpness.target import TargetBatch


@dataclass(frozen=True)
class Rows:
    """One pass of B networks, each on an input of its own; P = T_max + 1 rows, the output position's last."""

    batch: TargetBatch
    units: Units  # the hidden units' biases and output weights, (B, H)
    z: Tensor  # the bits, a zero for the output position, (B, P)
    first: Tensor  # attention of layer 1 by query and key, (B, P, P)
    s: Tensor  # the average of bits that each row sees, (B, P)
    hidden: Tensor  # hidden units, (B, P, H)
    g: Tensor  # the MLP's outputs, (B, P)
    a: Tensor  # attention of layer 2, (B, P)
    logits: Tensor  # of layer 2, (B, P)

    @property
    def real(self) -> Tensor:
        """Whether a row is no padding, shape (B, P)."""
        row = torch.arange(self.s.shape[-1], device=self.s.device)
        return (row < self.batch.length[:, None]) | (row == row[-1])

    @property
    def total(self) -> Tensor:
        """C, shape (B,)."""
        return self.batch.absolute_sum

    @property
    def keys(self) -> Tensor:
        """|w2|², the squared length of the logits, shape (B,)."""
        return squared_length(self.logits)

    @property
    def mean(self) -> Tensor:
        """Σ a g, called m, shape (B,)."""
        return (self.a * self.g).sum(-1)

    @property
    def pull(self) -> Tensor:
        """Each row's a (g - m), shape (B, P)."""
        return self.a * (self.g - self.mean[:, None])

    @property
    def excess(self) -> Tensor:
        """P = Σ a (g - m)₊, shape (B,)."""
        return self.pull.relu().sum(-1)

    @property
    def variance(self) -> Tensor:
        """Σ a (g - m)², shape (B,)."""
        return (self.pull * self.g).sum(-1)

    @property
    def on(self) -> Tensor:
        """Whether a unit is active, 0 or 1, shape (B, P, H)."""
        return (self.hidden > 0).double()

    @property
    def slope(self) -> Tensor:
        """The MLP's slope g'(s), shape (B, P)."""
        return (self.on @ self.units.output[:, :, None])[..., 0]

    @property
    def gated(self) -> Tensor:
        """F_j [unit j on], shape (B, P, H)."""
        return self.on * self.units.output[:, None]


def rows(batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0) -> Rows:
    """One pass of the published construction, an input each, bits (B, T_max)."""
    blocks = build(batch, mlp=mlp, scale=scale)
    found = trace(blocks, batch, bits[:, None], scale=scale)
    return Rows(
        batch, units(batch.degree, mlp), found.tokens[:, 0, :, -1], found.first[:, 0], found.averaged[:, 0, :, -1],
        found.hidden[:, 0], found.stream[:, 0, :, -1], found.second[:, 0], blocks.W2[:, :-1, -2],
    )  # fmt: skip


def squared_length(x: Tensor) -> Tensor:
    """Σ x² over the last axis."""
    return x.square().sum(-1)


def averaged(weights: Tensor, x: Tensor) -> Tensor:
    """Σ_t weight_t x_t of rows (B, P, H), shape (B, H)."""
    return (weights[..., None] * x).sum(1)
