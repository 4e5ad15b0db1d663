"""How logits bend along the direction in which Cov(v, l'') is largest, row by row (Theorem 18).

Along a direction of parts W1, V1, M, Gamma, F, W2 a logit l_t = x_tᵀ W2 x_o has the second derivative

    l_t'' = 2 h_t'·F_w |w2| + 2 l_t h_o'·F_o + 2 x_t'ᵀ W2 x_o + 2 x_tᵀ W2 x_o' + 2 (h_t·F_w)(h_o·F_o) |w2|,

in the words of `hessian_directions`, of which the slope of a row that no component uses makes 2 g'(s_t) m_t W2_d·x_o,
W2_d what W2's direction makes of the data channel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.hessian_directions import Direction, extremes, first_largest, levels, over
from boundaudit.numeric.sharpness.hessian_parts import row_bends
from boundaudit.numeric.sharpness.row_sums import squared_length


@dataclass(frozen=True)
class Bends:
    """How logits bend along a direction, for B networks of one shape."""

    of: Direction
    whole: Tensor  # l_t'', (B, P)

    @cached_property
    def flat(self) -> Tensor:
        """Without what slopes of rows make of it, shape (B, P)."""
        read = (self.read_columns @ self.query_row[..., None])[:, -1]
        return self.whole - 2 * self.of.rows.slope * self.of.moved * read

    @cached_property
    def ends(self) -> Tensor:
        """The rows with weight where that is largest and smallest, shape (B, 2)."""
        return extremes(self.flat, self.of.rows.a > 0)

    @property
    def reach(self) -> Tensor:
        """By how much it differs there, shape (B,)."""
        most, least = self.flat.take_along_dim(self.ends, -1).unbind(-1)
        return most - least

    @property
    def part_of_range(self) -> Tensor:
        """How far each row's lies from the least to the most, from 0 to 1; 0 without weight, shape (B, P)."""
        return levels(self.flat, self.of.rows.a > 0)

    @property
    def seen(self) -> Tensor:
        """Those two rows and the output position, shape (B, 3)."""
        last = torch.full_like(self.ends[:, :1], self.of.rows.a.shape[-1] - 1)
        return torch.cat([self.ends, last], -1)

    @cached_property
    def farthest(self) -> Tensor:
        """The row whose average of bits moves most, shape (B, 1)."""
        return first_largest(self.of.moved.abs(), torch.ones_like(self.of.idle))

    @property
    def shares(self) -> Tensor:
        """Every row's move over the size of that, from -1 to 1, shape (B, P)."""
        sign = self.of.moved.take_along_dim(self.farthest, -1).sign()
        return sign * over(self.of.moved, self.farthest, torch.ones_like(self.of.idle))

    @property
    def query_row(self) -> Tensor:
        """What the output position's row holds in its own channel and in the data channel, shape (B, 2)."""
        g = self.of.rows.g[:, -1]
        return torch.stack([torch.ones_like(g), g], -1)

    @property
    def read_columns(self) -> Tensor:
        """W2's columns of these two channels, shape (B, E, 2)."""
        return self.of.along.W2[..., -2:]

    @property
    def key_rows(self) -> Tensor:
        """W2's rows of the two rows, where they differ, and of the data channel, shape (B, 3, E)."""
        own = self.of.along.W2.take_along_dim(self.ends[..., None], 1)
        own = own * (self.ends[:, :1] != self.ends[:, 1:])[..., None]
        return torch.cat([own, self.of.along.W2[:, -1:]], 1)

    @property
    def written_query(self) -> Tensor:
        """F along W2 x_o, shape (B, H)."""
        return self._along(self.read_columns @ self.query_row[..., None])

    @property
    def written_keys(self) -> Tensor:
        """F along W2ᵀ (x - x') of the two rows, shape (B, H)."""
        return self._along(self.key_rows.mT @ self._apart[..., None])

    @property
    def by_moves(self) -> Tensor:
        """What the largest move is worth to the reach, over 2, shape (B,): by F_w and F_o."""
        moved = self.shares.take_along_dim(self.seen, -1)[..., None] * self._on
        keys = self.of.rows.keys.sqrt() * ((moved[:, 0] - moved[:, 1]) * self.of.keys).sum(-1)
        return keys + self._logits_apart * (moved[:, 2] * self.of.query).sum(-1)

    @property
    def by_units(self) -> Tensor:
        """What M and Gamma are worth to it, over 2, shape (B,): by F_w, F_o and W2."""
        rows, f = self.of.rows, self.of
        argument = rows.s.take_along_dim(self.seen, -1)[..., None] * f.along.M[:, None, -1] + f.along.Gamma[:, None]
        moved, weights = self._on * argument, rows.units.output
        apart = moved[:, 0] - moved[:, 1]
        written = (self.read_columns @ self.query_row[..., None])[:, -1, 0]
        return (
            rows.keys.sqrt() * (apart * f.keys).sum(-1)
            + self._logits_apart * (moved[:, 2] * f.query).sum(-1)
            + written * (apart * weights).sum(-1)
            + self._keys_apart * (moved[:, 2] * weights).sum(-1)
        )

    @property
    def by_outputs(self) -> Tensor:
        """What F is worth to it with W2 and with itself, over 2, shape (B,)."""
        hidden = self.of.rows.hidden.take_along_dim(self.seen[..., None], 1)
        apart, last, along = hidden[:, 0] - hidden[:, 1], hidden[:, 2], self.of.along.F
        query, keys = self.read_columns @ self.query_row[..., None], self.key_rows.mT @ self._apart[..., None]
        w2 = (apart * (along @ query)[..., 0]).sum(-1) + (last * (along @ keys)[..., 0]).sum(-1)
        return w2 + self.of.rows.keys.sqrt() * (apart * self.of.keys).sum(-1) * (last * self.of.query).sum(-1)

    @property
    def moving(self) -> Tensor:
        """The squared length of what moves that row: two columns of W1 and one of V1, shape (B,)."""
        along = self.of.along
        own = along.W1.take_along_dim(self.farthest[..., None], -1)[..., 0]
        return squared_length(torch.cat([own, along.W1[..., -1], along.V1[..., -1]], -1))

    @property
    def gating(self) -> Tensor:
        """That of M's row of the data and of Gamma, shape (B,)."""
        return squared_length(torch.cat([self.of.along.M[:, -1], self.of.along.Gamma], -1))

    @property
    def writing(self) -> Tensor:
        """That of F_w and F_o and of four entries of W2, shape (B,)."""
        entries = torch.cat([self.key_rows[..., -1], self.read_columns[:, -1, :1]], -1)
        return squared_length(torch.cat([self.of.keys, self.of.query, entries], -1))

    @property
    def _on(self) -> Tensor:
        return self.of.rows.on.take_along_dim(self.seen[..., None], 1)

    @property
    def _logits_apart(self) -> Tensor:
        most, least = self.of.rows.logits.take_along_dim(self.ends, -1).unbind(-1)
        return most - least

    @property
    def _keys_apart(self) -> Tensor:
        """W2ᵀ (x - x') in the data channel."""
        return (self.key_rows.mT @ self._apart[..., None])[:, -1, 0]

    @property
    def _apart(self) -> Tensor:
        """X - x' by both rows' channels and that of the data, shape (B, 3)."""
        g = self.of.rows.g.take_along_dim(self.ends, -1)
        return torch.stack([torch.ones_like(g[:, 0]), -torch.ones_like(g[:, 0]), g[:, 0] - g[:, 1]], -1)

    def _along(self, vector: Tensor) -> Tensor:
        length = vector.norm(dim=1, keepdim=True)
        return (self.of.along.F @ (vector / length.where(length > 0, 1.0)))[..., 0]  # type: ignore[no-any-return]


@lru_cache(maxsize=512)
def bends(of: Direction) -> Bends:
    """How logits bend along directions, for the same networks."""
    return Bends(of, row_bends(of.blocks, of.rows.batch, of.rows.z[:, :-1], of.along)[1])
