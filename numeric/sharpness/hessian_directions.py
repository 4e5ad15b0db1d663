"""The unit direction in which a part of the Hessian is largest, and what it moves row by row (Theorem 18).

Along a direction of parts W1, V1, M, Gamma, F, W2, V2 the logits of layer 2 change by

    l_t' = |w2| h_t·F_w + l_t h_o·F_o + x_tᵀ W2 x_o,

with w2 the column of the output position in W2 at the construction, o that position's row, F_w what F's direction
writes along w2/|w2|, F_o what it writes into channel o, h_t the hidden units of a row and x_t = e_t + g_t e_data.
Of the rows with weight two matter: those whose logits change most and least. With C the sum of the coefficients, φ the
MLP's output weights, on_t the units that are on, s_t a row's average of bits, g' the MLP's slope and F_d what F's
direction writes into the data channel, values change by C g'(s_t) m_t, m_t what W1 and V1 move s_t by, and by

    p_t = C ((φ on_t)·(s_t M_data + Gamma) + h_t·F_d) + x_t·V2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from boundaudit.numeric.sharpness import hessian_parts as parts
from boundaudit.numeric.sharpness.autodiff import unflatten
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, rows
from boundaudit.numeric.sharpness.target import TargetBatch

_CLOSE = 1e-10
"""What numbers of rows that are alike differ by, by rounding, of the largest of all rows."""
_NOTHING = 1e-3
"""What rows' numbers are held against at least, along a unit direction: where all are noise they are alike."""


@dataclass(frozen=True)
class Direction:
    """The leading directions of a part of the Hessian for B networks of one shape; P = T + 1 rows, the output last."""

    norm: Tensor  # the part's operator norms, (B,)
    rows: Rows  # one forward pass
    blocks: Blocks
    along: Blocks  # the directions, of unit length
    logits: Tensor  # by how much each row's logit changes, (B, P)
    values: Tensor  # by how much each row's value changes, (B, P)

    @cached_property
    def ends(self) -> Tensor:
        """The rows with weight whose logits change most and least, shape (B, 2)."""
        return extremes(self.logits, self.rows.a > 0)

    @property
    def at_ends(self) -> Tensor:
        """The logits' changes there, shape (B, 2)."""
        return self.logits.take_along_dim(self.ends, -1)

    @property
    def part_of_range(self) -> Tensor:
        """How far each row's change lies from the least to the most, from 0 to 1; 0 without weight, shape (B, P)."""
        return levels(self.logits, self.rows.a > 0)

    @property
    def keys(self) -> Tensor:
        """F_w, shape (B, H)."""
        column = self.blocks.W2[:, :, -2]
        length = column.norm(dim=-1, keepdim=True)
        unit = torch.where(length > 0, column / torch.where(length > 0, length, 1.0), 0.0)
        return (self.along.F @ unit[..., None])[..., 0]

    @property
    def query(self) -> Tensor:
        """F_o, shape (B, H)."""
        return self.along.F[:, :, -2]

    @property
    def entries(self) -> Tensor:
        """W2's entries by the channels of both rows and the data, and those of the output and the data, (B, 6)."""
        of_data = self.along.W2[:, -1:]
        picked = torch.cat([self.along.W2.take_along_dim(self.ends[..., None], 1), of_data], 1)[..., -2:]
        return (picked * differ(self.ends)[..., None]).flatten(1)

    @cached_property
    def tokens(self) -> Tensor:
        """x_t, shape (B, P, P + 1)."""
        z = self.rows.z
        positions = torch.eye(z.shape[-1], dtype=z.dtype, device=z.device).expand(len(z), -1, -1)
        return torch.cat([positions, z[..., None]], -1)

    @cached_property
    def scores(self) -> Tensor:
        """What W1 adds to the logits of layer 1 by query and key, shape (B, P, P)."""
        return self.tokens @ (self.tokens @ self.along.W1).mT

    @cached_property
    def reads(self) -> Tensor:
        """What V1 writes of each token into the data channel, shape (B, P)."""
        return (self.tokens @ self.along.V1[..., -1:])[..., 0]

    @cached_property
    def moved(self) -> Tensor:
        """m_t, shape (B, P)."""
        r = self.rows
        about = r.first * (r.z[:, None] - r.s[..., None])
        return (about * self.scores).sum(-1) + (r.first @ self.reads[..., None])[..., 0]

    @cached_property
    def idle(self) -> Tensor:
        """Which rows no component uses, shape (B, P)."""
        return torch.arange(self.rows.a.shape[-1], device=self.rows.a.device) >= self.rows.batch.sparsity[:, None]

    @cached_property
    def flat(self) -> Tensor:
        """p_t, shape (B, P)."""
        return self.values - self.rows.total[:, None] * self.rows.slope * self.moved

    @cached_property
    def value_ends(self) -> Tensor:
        """The rows with weight where p_t is largest and smallest, shape (B, 2)."""
        return extremes(self.flat, self.rows.a > 0)

    @property
    def value_entries(self) -> Tensor:
        """V2's entries by the channels of both rows and the data, shape (B, 3)."""
        picked = torch.cat([self.along.V2.take_along_dim(self.value_ends, 1), self.along.V2[:, -1:]], 1)
        return picked * differ(self.value_ends)

    @cached_property
    def farthest(self) -> Tensor:
        """The row of those that no component uses whose average of bits is moved most, shape (B, 1)."""
        return first_largest(self.moved.abs(), self.idle)


def differ(pair: Tensor) -> Tensor:
    """Whether the rows of pairs (B, 2) differ, bool, (B, 1): of one row alone nothing is told twice."""
    return pair[:, :1] != pair[:, 1:]


def extremes(numbers: Tensor, counts: Tensor) -> Tensor:
    """Where numbers (B, P) of the rows that count (B, P) are largest and smallest, shape (B, 2)."""
    return torch.cat([first_largest(numbers, counts), first_largest(-numbers, counts)], -1)


def first_largest(numbers: Tensor, counts: Tensor) -> Tensor:
    """Where numbers (B, P) of rows that count are largest, (B, 1): the first if rounding alone tells them apart."""
    counted, sizes = numbers.where(counts, -torch.inf), numbers.where(counts, 0.0).abs()
    close = _CLOSE * sizes.amax(-1, keepdim=True).clamp_min(_NOTHING)
    return (counted >= counted.amax(-1, keepdim=True) - close).int().argmax(-1, keepdim=True)


def over(numbers: Tensor, row: Tensor, counts: Tensor) -> Tensor:
    """Numbers (B, P) of rows that count over that of one row (B, 1), the largest of them in size.

    From -1 to 1, and 0 for the other rows and where that number is zero.
    """
    whole = numbers.take_along_dim(row, -1)
    known = counts & (whole != 0)
    return torch.where(known, numbers / torch.where(known, whole, 1.0), 0.0).clamp(-1, 1)


def levels(numbers: Tensor, counts: Tensor) -> Tensor:
    """How far numbers (B, P) of rows that count lie from least to most, in [0, 1]; 0 elsewhere or where all agree."""
    most, least = numbers.take_along_dim(extremes(numbers, counts), -1)[..., None].unbind(-2)
    known = counts & (most > least)
    return torch.where(known, (numbers - least) / torch.where(known, most - least, 1.0), 0.0).clamp(0, 1)


def direction(part: str, batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid, one_column: bool = False) -> Direction:
    """Where one of `hessian_parts.PARTS` is largest, inputs (B, T); with one column F's last alone has parameters."""
    blocks = build(batch, mlp=mlp)
    kept = parts.real_parameters(blocks, batch, mlp=mlp, one_column=one_column)
    norm, along = parts.leading(part, blocks, batch, bits, kept)
    gradients = parts.row_gradients(blocks, batch, bits, kept)
    values, logits = ((found @ along[..., None])[..., 0] for found in gradients)
    found = rows(batch, bits, mlp=mlp)
    return Direction(norm, found, blocks, unflatten(along, blocks), logits, values)
