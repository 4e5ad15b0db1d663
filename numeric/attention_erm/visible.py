"""What a softmax along rows shows of symmetric indices, counted at a random point."""

from __future__ import annotations

import torch


def softmax_functionals(tokens: int, seed: int) -> int:
    """How many linear functionals of S labels fix: the rank of softmax's derivative by S_ij, at a random point."""
    row, column = torch.triu_indices(tokens, tokens)
    drawn = torch.randn(len(row), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)

    def attention(entries: torch.Tensor) -> torch.Tensor:
        upper = entries.new_zeros(tokens, tokens).index_put((row, column), entries)
        return torch.softmax(upper + upper.T - torch.diag(upper.diagonal()), -1)

    slopes = torch.func.jacrev(attention)(drawn).flatten(0, 1)
    return int(torch.linalg.matrix_rank(slopes, rtol=1e-10))
