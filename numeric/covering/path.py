"""What a motion of tokens and of a query is made of: along the way that the pooled mean moves, and across it."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.covering.head import pool
from boundaudit.numeric.softmax import longest_row

_NOTHING = 1e-12
"""What rounding leaves of a query without its part along the way."""


@dataclass(frozen=True)
class Motion:
    """Tokens and queries of n heads, first and last; n may stand for several axes.

    Attributes:
        tokens: X, shape (n, K, d).
        moved: X', of the same shape.
        asked: a = W z, shape (n, d).
        turned: a' = W' z', of the same shape.
        copies: logarithm of how often each token stands, shape (n, K).
        longest: δ, by how much a token moves at most, shape (n).
        largest: Δ, by how much the score of a moved token changes at most as a turns to a', shape (n).
    """

    tokens: Tensor
    moved: Tensor
    asked: Tensor
    turned: Tensor
    copies: Tensor
    longest: Tensor
    largest: Tensor

    @functools.cached_property
    def scores(self) -> Tensor:
        """Of the tokens, with all of their copies, shape (n, K)."""
        return _along(self.tokens, self.asked) + self.copies

    @functools.cached_property
    def pooled(self) -> tuple[Tensor, Tensor]:
        """The means that attention gives, first and last, shape (n, d) each."""
        return pool(self.tokens, self.scores), pool(self.moved, _along(self.moved, self.turned) + self.copies)

    @functools.cached_property
    def way(self) -> Tensor:
        """The direction in which the mean moves, of length one, shape (n, d)."""
        first, last = self.pooled
        motion, axis = last - first, torch.eye(first.shape[-1], dtype=first.dtype, device=first.device)[0]
        lengths = motion.norm(dim=-1, keepdim=True)
        return torch.where(lengths > 0, motion / lengths, axis)

    @functools.cached_property
    def across(self) -> Tensor:
        """The direction of what the query has besides, of length one, shape (n, d); zero where it has nothing."""
        rest = self.asked - self.ahead[..., None] * self.way
        rest = rest - (rest * self.way).sum(-1, keepdim=True) * self.way  # once more: rounding leaves a part along it
        lengths = rest.norm(dim=-1, keepdim=True)
        return torch.where(lengths > _NOTHING * self.asked.norm(dim=-1, keepdim=True), rest / lengths, 0.0)

    @property
    def distance(self) -> Tensor:
        """How far the mean moves, shape (n)."""
        first, last = self.pooled
        length: Tensor = (last - first).norm(dim=-1)
        return length

    @property
    def weights(self) -> Tensor:
        """What attention gives to each token at first, shape (n, K)."""
        return torch.softmax(self.scores, -1)

    @property
    def parts(self) -> Tensor:
        """The tokens' parts along the way, shape (n, K)."""
        return _along(self.tokens, self.way)

    @property
    def steps(self) -> tuple[Tensor, Tensor]:
        """The tokens' motions in units of δ, along the way and across it, shape (n, K) each."""
        motion = self.moved - self.tokens
        return _shares(_along(motion, self.way), self.longest), _shares(_along(motion, self.across), self.longest)

    @property
    def turns(self) -> Tensor:
        """The changes of the moved tokens' scores in units of Δ, shape (n, K)."""
        return _shares(_along(self.moved, self.turned - self.asked), self.largest)

    @functools.cached_property
    def ahead(self) -> Tensor:
        """The query's part along the way, shape (n)."""
        return (self.asked * self.way).sum(-1)

    @property
    def aside(self) -> Tensor:
        """The rest of the query, shape (n)."""
        return (self.asked * self.across).sum(-1)


def farthest(first: Tensor, second: Tensor, key: Tensor, often: Tensor) -> Motion:
    """The motion of the row of a layer that moves farthest, where every row is a query to all.

    Rows first and second have shape (n, kinds, d), key W (n, d, d), the logarithm of how often a row stands (n, kinds).
    """
    asked, turned = (rows @ key.mT for rows in (first, second))
    longest = longest_row(second - first)
    largest = torch.linalg.matrix_norm(key, 2) * longest
    means = (
        pool(rows[:, None], queries @ rows.mT + often[:, None]) for rows, queries in ((first, asked), (second, turned))
    )
    here = torch.arange(len(first)), (next(means) - next(means)).norm(dim=-1).argmax(-1)
    return Motion(first, second, asked[here], turned[here], often, longest, largest)


def _along(rows: Tensor, direction: Tensor) -> Tensor:
    return (rows @ direction[..., None])[..., 0]


def _shares(values: Tensor, most: Tensor) -> Tensor:
    """Values in units of the largest, zero where that is."""
    return torch.where(most[..., None] > 0, values / most[..., None], 0.0)
