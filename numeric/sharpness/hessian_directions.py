"""The unit direction in which a part of the Hessian is largest, and what it moves row by row (Theorem 18).

Along a direction of parts W1, V1, M, Gamma, F, W2, V2 the logits of layer 2 change by

    l_t' = |w2| h_t·F_w + l_t h_o·F_o + x_tᵀ W2 x_o,

with w2 the column of the output position in W2 at the construction, o that position's row, F_w what F's direction
writes along w2/|w2|, F_o what it writes into channel o, h_t the hidden units of a row and x_t = e_t + g_t e_data.
Of the rows with weight two matter: those whose logits change most and least. With C the sum of the coefficients, φ the
MLP's output weights, on_t the units that are on, s_t a row's average of bits, g' the MLP's slope and F_d what F's
direction writes into the data channel, values change by C g'(s_t) m_t, m_t what W1 and V1 move s_t by, and by

    p_t = C ((φ on_t)·(s_t M_data + Gamma) + h_t·F_d) + x_t·V2.

With r_t what attention 1 of a row changes by, of which m_t is the entry of the data, and h_t' = on_t (m_t + s_t M_data
+ Gamma) the hidden units' change, second changes of values and logits are C g'(s_t) s_t'' and
2 g'(s_t) m_t (W2 x_o)_data, and besides

    C (2 (φ on_t)·M r_t + 2 h_t'·F_d) + 2 (φ·h_t') V2_data + 2 h_t·F V2,
    2 h_t'·F w2 + 2 l_t h_o'·F_o + 2 (x_t'-e_data g'(s_t) m_t)ᵀ W2 x_o + 2 x_tᵀ W2 x_o' + 2 (h_t·F w2)(h_o·F_o).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness import hessian_parts as parts
from boundaudit.numeric.sharpness.autodiff import unflatten
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, rows
from boundaudit.numeric.sharpness.target import TargetBatch


class Seen(NamedTuple):
    """What W1 and V1 do to one row's attention 1, seen along a unit vector of channels, for B networks.

    Attributes:
        length: by how much it changes along that vector, shape (B,).
        attention: the row's attention in layer 1, shape (B, P).
        average: the average of bits that it sees, shape (B, 1).
        keys: W1 x, x the row's own token, shape (B, P + 1).
        read: V1 along the vector, shape (B, P + 1).
        data: the vector's entry of the data, shape (B, 1).
    """

    length: Tensor
    attention: Tensor
    average: Tensor
    keys: Tensor
    read: Tensor
    data: Tensor


@dataclass(frozen=True)
class Direction:
    """The leading directions of a part of the Hessian for B networks of one shape; P = T + 1 rows, the output's last.

    Attributes:
        norm: the part's operator norms, shape (B,).
        rows: one forward pass.
        blocks: the weights.
        along: the directions, of unit length.
        logits: by how much each row's logit changes, shape (B, P).
        values: by how much each row's value changes, shape (B, P).
    """

    norm: Tensor
    rows: Rows
    blocks: Blocks
    along: Blocks
    logits: Tensor
    values: Tensor

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
        """What attention 1 reads, positions and a bit, shape (B, P, P + 1)."""
        z = self.rows.z
        return torch.cat(
            [torch.eye(z.shape[-1], dtype=z.dtype, device=z.device).expand(len(z), -1, -1), z[..., None]], -1
        )

    @cached_property
    def scores(self) -> Tensor:
        """By how much logits of layer 1 change, by query and key, shape (B, P, P)."""
        return self.tokens @ (self.tokens @ self.along.W1).mT

    @cached_property
    def averaged(self) -> Tensor:
        """r_t, shape (B, P, P + 1)."""
        r = self.rows
        found = r.first @ (self.tokens @ self.along.V1)
        about = r.first * (r.z[:, None] - r.s[..., None])
        found[..., -1] += (about * self.scores).sum(-1)
        return found

    @property
    def moved(self) -> Tensor:
        """m_t, shape (B, P)."""
        return self.averaged[..., -1]

    def seen(self, row: Tensor, along: Tensor) -> Seen:
        """What moves a row.

        Args:
            row: which, shape (B, 1).
            along: unit vectors of channels, shape (B, P + 1).

        Returns:
            How far it moves along them, and by what.
        """
        attention, moves = (found.take_along_dim(row[..., None], 1)[:, 0] for found in (self.rows.first, self.averaged))
        return Seen(
            (moves * along).sum(-1), attention, self.rows.s.take_along_dim(row, -1),
            (self.along.W1 @ self.tokens.take_along_dim(row[..., None], 1).mT)[..., 0],
            (self.along.V1 @ along[..., None])[..., 0],
            along[:, -1:],
        )  # fmt: skip

    def towards_data(self, sign: Tensor) -> Tensor:
        """The data channel, or minus it, shape (B, P + 1)."""
        return torch.nn.functional.pad(sign, (self.rows.z.shape[-1], 0))

    @cached_property
    def bent(self) -> Tensor:
        """s_t'', shape (B, P)."""
        a, z = self.rows.first, self.rows.z[:, None]
        q = self.scores - (a * self.scores).sum(-1, keepdim=True)
        read = (self.tokens @ self.along.V1[..., -1:]).mT
        return (a * (z - self.rows.s[..., None]) * q**2).sum(-1) + 2 * (a * read * q).sum(-1)

    @cached_property
    def hidden(self) -> Tensor:
        """h_t', shape (B, P, H)."""
        by_bits = self.rows.s[..., None] * self.along.M[:, None, -1]
        return self.rows.on * (self.moved[..., None] + by_bits + self.along.Gamma[:, None])

    @property
    def outputs(self) -> Tensor:
        """φ·h_t', shape (B, P)."""
        return (self.hidden @ self.rows.units.output[..., None])[..., 0]

    @cached_property
    def flat_values(self) -> Tensor:
        """Second changes of values but for C g'(s_t) s_t'', shape (B, P)."""
        r, d = self.rows, self.along
        data = (r.gated * (self.averaged @ d.M)).sum(-1) + (self.hidden @ d.F[..., -1:])[..., 0]
        return 2 * (
            r.total[:, None] * data + self.outputs * d.V2[:, -1:] + (r.hidden @ (d.F @ d.V2[..., None]))[..., 0]
        )

    @cached_property
    def flat_logits(self) -> Tensor:
        """Second changes of logits but for 2 g'(s_t) m_t (W2 x_o)_data, shape (B, P)."""
        r, F, W2 = self.rows, self.along.F, self.along.W2
        w2, out = (F @ self.blocks.W2[..., -2:-1])[..., 0], torch.tensor(r.s.shape[-1] - 1, device=r.s.device)
        stream = torch.cat([self.tokens[..., :-1], r.g[..., None]], -1)
        change = r.hidden @ F
        last = change[:, out].clone()
        last[:, -1] += self.outputs[:, out]
        change[..., -1] += self.outputs - r.slope * self.moved
        written, query = r.hidden[:, out], F[..., -2]
        by_rows = (change @ (W2 @ stream[:, out, :, None]))[..., 0] + (stream @ (W2 @ last[..., None]))[..., 0]
        by_keys = (self.hidden @ w2[..., None])[..., 0] + (r.hidden @ w2[..., None])[..., 0] * (
            (written * query).sum(-1, keepdim=True)
        )
        return 2 * (by_keys + r.logits * (self.hidden[:, out] * query).sum(-1, keepdim=True) + by_rows)

    @cached_property
    def idle(self) -> Tensor:
        """Which rows no component uses, shape (B, P)."""
        return self.rows.idle

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
        return self.moved.abs().where(self.idle, -1.0).argmax(-1, keepdim=True)

    @property
    def farthest_move(self) -> Tensor:
        """By how much, shape (B, 1), with its sign."""
        return self.moved.take_along_dim(self.farthest, -1)

    @cached_property
    def data_query(self) -> Tensor:
        """(W2 x_o)_data, shape (B, 1)."""
        to_data = self.along.W2[:, -1]
        return to_data[:, -2:-1] + self.rows.g[:, -1:] * to_data[:, -1:]

    @cached_property
    def logit_form(self) -> Tensor:
        """The sign of Cov(v, l''), shape (B, 1)."""
        r = self.rows
        whole = self.flat_logits + 2 * r.slope * self.moved * self.data_query
        return (r.a * (r.g - r.mean[:, None]) * whole).sum(-1, keepdim=True).sign()

    @cached_property
    def logit_ends(self) -> Tensor:
        """The rows with weight where that sign times a flat second change of logits is largest and smallest, (B, 2)."""
        return extremes(self.logit_form * self.flat_logits, self.rows.a > 0)

    @cached_property
    def largest(self) -> Tensor:
        """The row with weight whose flat value changes most in second order, shape (B, 1)."""
        return self.flat_values.abs().where(self.rows.a > 0, -1.0).argmax(-1, keepdim=True)

    @property
    def along_largest(self) -> Tensor:
        """The unit vector along which its attention 1 moves, shape (B, P + 1)."""
        return share(*parted(self.averaged.take_along_dim(self.largest[..., None], 1)[:, 0]))

    @cached_property
    def most_bent(self) -> Tensor:
        """The row that no component uses whose average of bits changes most in second order, shape (B, 1)."""
        return self.bent.abs().where(self.idle, -1.0).argmax(-1, keepdim=True)


def parted(vectors: Tensor) -> tuple[Tensor, Tensor]:
    """Vectors and their lengths, of shapes (B, n) and (B, 1)."""
    return vectors, vectors.norm(dim=-1, keepdim=True)


def share(part: Tensor, whole: Tensor) -> Tensor:
    """A quotient, zero where there is no whole."""
    return torch.where(whole > 0, part / torch.where(whole > 0, whole, 1.0), 0.0)


def differ(pair: Tensor) -> Tensor:
    """Whether two rows differ: of one row alone nothing is told twice; shape (B, 1)."""
    return pair[:, :1] != pair[:, 1:]


def extremes(numbers: Tensor, counts: Tensor) -> Tensor:
    """Where numbers of rows that count are largest and smallest.

    Args:
        numbers: shape (B, P).
        counts: which rows count, shape (B, P).

    Returns:
        Rows, shape (B, 2).
    """
    most, least = numbers.where(counts, -torch.inf), numbers.where(counts, torch.inf)
    return torch.stack([most.argmax(-1), least.argmin(-1)], -1)


def levels(numbers: Tensor, counts: Tensor) -> Tensor:
    """How far numbers lie from the least to the most.

    Args:
        numbers: shape (B, P).
        counts: which rows count, shape (B, P).

    Returns:
        From 0 to 1, and 0 for the other rows and where all are alike, shape (B, P).
    """
    most, least = numbers.take_along_dim(extremes(numbers, counts), -1)[..., None].unbind(-2)
    known = counts & (most > least)
    return torch.where(known, (numbers - least) / torch.where(known, most - least, 1.0), 0.0).clamp(0, 1)


def direction(
    part: str, batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid, scale: float = 2.0, one_column: bool = False
) -> Direction:
    """Where a part of the Hessian is largest.

    Args:
        part: one of `hessian_parts.PARTS`.
        batch: B targets of one shape.
        bits: one input for each, shape (B, T).
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.
        one_column: whether F's last column alone counts as parameters.

    Returns:
        The directions.
    """
    blocks = build(batch, mlp=mlp, scale=scale)
    kept = parts.real_parameters(blocks, batch, mlp=mlp, one_column=one_column)
    norm, along = parts.leading(part, blocks, batch, bits, kept, scale=scale)
    values, logits = (
        (found @ along[..., None])[..., 0] for found in parts.row_gradients(blocks, batch, bits, kept, scale=scale)
    )
    return Direction(norm, rows(batch, bits, mlp=mlp, scale=scale), blocks, unflatten(along, blocks), logits, values)
