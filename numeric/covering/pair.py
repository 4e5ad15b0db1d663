"""Two attention heads on the same tokens and query: what their outputs differ by, map after map."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.covering.head import Head
from boundaudit.numeric.covering.path import Motion


@dataclass(frozen=True)
class Pair:
    """Heads, n and n others, and what both are given: tokens X of shape (n, T, d) and queries z of shape (n, d)."""

    first: Head
    other: Head
    tokens: Tensor
    query: Tensor

    @property
    def difference(self) -> Tensor:
        """How far the outputs are apart, shape (n)."""
        return (self.first(self.tokens, self.query) - self.other(self.tokens, self.query)).abs()

    @property
    def caps(self) -> dict[str, Tensor]:
        """The larger operator norm of each of the maps after W_QK, shape (n) each."""
        pairs = {name: (getattr(self.first, name), getattr(self.other, name)) for name in ("value", "out", "read")}
        return {name: torch.maximum(*map(_norm, maps)) for name, maps in pairs.items()}

    @property
    def errors(self) -> dict[str, Tensor]:
        """The operator norms of what the maps differ by; of W_QK, how far the query is turned, shape (n) each."""
        changes = {name: getattr(self.other, name) - getattr(self.first, name) for name in ("value", "out", "read")}
        turn = _through(self.query, (self.other.key - self.first.key).mT)
        return {**{name: _norm(change) for name, change in changes.items()}, "key": turn.norm(dim=-1)}

    @functools.cached_property
    def motion(self) -> Motion:
        """How the pooled token moves: no token does."""
        asked, turned = (_through(self.query, head.key.mT) for head in (self.first, self.other))
        once = torch.zeros(self.tokens.shape[:-1], dtype=self.tokens.dtype)
        return Motion(self.tokens, self.tokens, asked, turned, once, torch.zeros_like(once[:, 0]), self.errors["key"])

    @functools.cached_property
    def values(self) -> tuple[Tensor, Tensor, Tensor]:
        """Of the first head, their change as the pooled token moves and as W_V does, shape (n, k) each."""
        before, after = self.motion.pooled
        by_map = _through(after, self.other.value - self.first.value)
        return _through(before, self.first.value), _through(after - before, self.first.value), by_map

    @property
    def hidden(self) -> tuple[Tensor, Tensor]:
        """Hidden units of both heads, shape (n, k) each."""
        values, by_token, by_map = self.values
        return values.relu(), (values + by_token + by_map).relu()

    @property
    def outputs(self) -> tuple[Tensor, Tensor, Tensor]:
        """Of the other head, and what they differ by as hidden units and as W_C do, shape (n, d) each."""
        one, other = self.hidden
        by_map = _through(other, self.other.out - self.first.out)
        return _through(other, self.other.out), _through(other - one, self.first.out), by_map


def _norm(matrix: Tensor) -> Tensor:
    norms: Tensor = matrix.norm(dim=-1) if matrix.dim() == 2 else torch.linalg.matrix_norm(matrix, 2)
    return norms


def _through(rows: Tensor, matrix: Tensor) -> Tensor:
    return (rows[:, None] @ matrix)[:, 0]
