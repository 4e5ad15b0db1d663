"""How values bend along the direction in which E v'' is largest, row by row (Theorem 18).

In the words of `hessian_directions`, with q_tj = x_jᵀ W1 x_t what W1 adds to a logit of layer 1 and n_j = x_jᵀ V1 what
V1 writes of a token into the data channel, moments under row t's attention,

    s_t'' = E (z - s)(q - E q)² + 2 Cov(n, q)

is how its average of bits bends, and v_t'' = C g'(s_t) s_t'' + 2 g'(s_t) m_t V2_d + p_t, of which p_t is left where the
MLP is flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.hessian_directions import Direction, differ, extremes, first_largest, levels
from boundaudit.numeric.sharpness.hessian_parts import row_bends


@dataclass(frozen=True)
class Bends:
    """How values bend along the directions of B networks; P = T + 1 rows."""

    of: Direction
    whole: Tensor  # v_t'', (B, P)

    @cached_property
    def turned(self) -> Tensor:
        """s_t'', shape (B, P)."""
        rows, scores, reads = self.of.rows, self.of.scores, self.of.reads[:, None]
        turn = scores - (rows.first * scores).sum(-1, keepdim=True)
        about = rows.z[:, None] - rows.s[..., None]
        return (rows.first * turn * (about * turn + 2 * reads)).sum(-1)

    @cached_property
    def flat(self) -> Tensor:
        """p_t, shape (B, P)."""
        rows, read = self.of.rows, self.of.along.V2[:, -1:]
        return self.whole - rows.slope * (rows.total[:, None] * self.turned + 2 * self.of.moved * read)

    @cached_property
    def largest(self) -> Tensor:
        """The row with weight where p_t is largest in size, shape (B, 1)."""
        return first_largest(self.flat.abs(), self.of.rows.a > 0)

    @property
    def front(self) -> Tensor:
        """(φ on)·M q + m on·F_d, shape (B, P): what W1 and V1 make with M and F."""
        rows, along, moved = self.of.rows, self.of.along, self.of.moved
        tokens = torch.cat([(rows.first @ self.of.tokens @ along.V1)[..., :-1], moved[..., None]], -1)
        return (rows.gated * (tokens @ along.M)).sum(-1) + moved * (rows.on @ along.F[..., -1:])[..., 0]

    @property
    def back(self) -> Tensor:
        """(φ on)·(s M_d + Gamma) V2_d + hᵀF V2, shape (B, P): what V2 makes with M, Gamma and F."""
        rows, along = self.of.rows, self.of.along
        return (
            along.V2[:, -1:] * (rows.gated * self._argument).sum(-1)
            + (rows.hidden @ along.F @ along.V2[..., None])[..., 0]
        )

    @property
    def written(self) -> Tensor:
        """On (s M_d + Gamma)·F_d, shape (B, P): what M and Gamma make with F."""
        return ((self.of.rows.on * self._argument) @ self.of.along.F[..., -1:])[..., 0]

    @property
    def _argument(self) -> Tensor:
        return self.of.rows.s[..., None] * self.of.along.M[:, None, -1] + self.of.along.Gamma[:, None]

    @cached_property
    def turned_most(self) -> Tensor:
        """The row of those that no component uses where s_t'' is largest in size, shape (B, 1)."""
        return first_largest(self.turned.abs(), self.of.idle)

    @property
    def scores(self) -> Tensor:
        """What W1 adds to that row's logits, shape (B, P)."""
        return self.of.scores.take_along_dim(self.turned_most[..., None], 1)[:, 0]

    @property
    def score_levels(self) -> Tensor:
        """How far these lie from the least to the most, shape (B, P)."""
        return levels(self.scores, self._all)

    @property
    def score_ends(self) -> Tensor:
        """The keys with the most and the least, shape (B, 2)."""
        return extremes(self.scores, self._all)

    @property
    def score_entries(self) -> Tensor:
        """W1's entries by the channels of both keys and the bits, and those of that row and the bits, shape (B, 6)."""
        columns = torch.cat([self.turned_most, torch.full_like(self.turned_most, -1) % self.of.along.W1.shape[-1]], -1)
        picked = _by_ends(self.of.along.W1, self.score_ends).take_along_dim(columns[:, None], -1)
        return (picked * differ(self.score_ends)[..., None]).flatten(1)

    @property
    def read_entries(self) -> Tensor:
        """V1's entries by the channels of both keys and the bits, shape (B, 3)."""
        return _by_ends(self.of.along.V1[..., -1:], self.read_ends)[..., 0] * differ(self.read_ends)

    @property
    def read_levels(self) -> Tensor:
        """How far what V1 writes of tokens lies from the least to the most, shape (B, P)."""
        return levels(self.of.reads, self._all)

    @property
    def read_ends(self) -> Tensor:
        """The keys with the most and the least, shape (B, 2)."""
        return extremes(self.of.reads, self._all)

    @property
    def _all(self) -> Tensor:
        return torch.ones_like(self.of.reads, dtype=torch.bool)


def _by_ends(matrix: Tensor, ends: Tensor) -> Tensor:
    """The rows of a matrix by the channels of two keys and the bits, shape (B, 3, k)."""
    return torch.cat([matrix.take_along_dim(ends[..., None], 1), matrix[:, -1:]], 1)


@lru_cache(maxsize=512)
def bends(of: Direction) -> Bends:
    """How values bend along directions, for the same networks."""
    bits = of.rows.z[:, :-1]
    return Bends(of, row_bends(of.blocks, of.rows.batch, bits, of.along)[0])
