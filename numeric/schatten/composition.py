"""Small random transformers without residual connections, and how far a perturbation of their matrices moves them.

There are n networks; tokens X have shape (n, kinds, d), rows in the unit ball, and the logarithm of how often each
stands has shape (n, kinds).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor

_STRIDE = 0.3
_TOLD = 2.0**-20
"""What an ascent goes by: smaller differences are left out, or rounding would lead it elsewhere on each processor."""
Weights = Mapping[str, Tensor]
"""``Q`` and ``V`` of shape (nets, layers, heads, d, d), ``M_in`` and ``M_out`` of shape (nets, layers, d, d)."""


def random_weights(seeds: Tensor, layers: int, heads: int, width: int, size: Tensor, out: Tensor) -> dict[str, Tensor]:
    """Matrices of width d, float64, drawn for each seed, of operator norms size, M_out of out, shape (nets,) all."""
    shapes = {"Q": (layers, heads), "V": (layers, heads), "M_in": (layers,), "M_out": (layers,)}
    found = {}
    for k, (name, shape) in enumerate(shapes.items()):
        rows = [
            torch.randn(
                *shape, width, width, generator=torch.Generator().manual_seed(4 * int(seed) + k), dtype=torch.float64
            )
            for seed in seeds
        ]
        found[name] = _of_norm(torch.stack(rows), out if name == "M_out" else size)
    return found


def _of_norm(matrices: Tensor, size: Tensor) -> Tensor:
    return _scaled(size, matrices / operator(matrices)[..., None, None])


def _scaled(size: Tensor, matrices: Tensor) -> Tensor:
    return size.view(-1, *[1] * (matrices.dim() - 1)) * matrices


def operator(matrices: Tensor) -> Tensor:
    """The operator norms of a batch of matrices, shape (...)."""
    norms: Tensor = torch.linalg.matrix_norm(matrices, ord=2)
    return norms


def project(rows: Tensor) -> Tensor:
    """Every row on the unit ball."""
    projected: Tensor = rows / rows.norm(dim=-1, keepdim=True).clamp(min=1)
    return projected


class Block(NamedTuple):
    """What a block of n networks makes of rows, token by token.

    Attributes:
        rows: X, shape (n, tokens, d).
        pooled: softmax(X Q_h Xᵀ) X of each head, shape (n, heads, tokens, d).
        mixed: Σ_h of those times V_h, shape (n, tokens, d).
        values: Π of these times M_in.
        hidden: their positive parts.
        out: Π of these times M_out.
    """

    rows: Tensor
    pooled: Tensor
    mixed: Tensor
    values: Tensor
    hidden: Tensor
    out: Tensor


def blocks(weights: Weights, tokens: Tensor, often: Tensor) -> list[Block]:
    """Blocks Π(Π(ReLU(Π(Σ_h softmax(X Q_h Xᵀ) X V_h) M_in)) M_out), Π projecting rows on the unit ball, one by one."""
    found: list[Block] = []
    for layer in range(weights["Q"].shape[1]):
        x = project(found[-1].out) if found else tokens
        each = x[:, None]
        scores = each @ weights["Q"][:, layer] @ each.mT + often[:, None, None]
        pooled = torch.softmax(scores, dim=-1) @ each
        mixed = (pooled @ weights["V"][:, layer]).sum(1)
        values = project(mixed) @ weights["M_in"][:, layer]
        hidden = torch.relu(values)
        found.append(Block(x, pooled, mixed, values, hidden, project(hidden) @ weights["M_out"][:, layer]))
    return found


def outputs(weights: Weights, tokens: Tensor, often: Tensor) -> Tensor:
    """What the last block gives, shape (n, tokens, d)."""
    return project(blocks(weights, tokens, often)[-1].out)


def moved(
    weights: Weights, tokens: Tensor, often: Tensor, size: Tensor, rounds: int
) -> tuple[dict[str, Tensor], Tensor]:
    """Perturbations of all matrices by an operator norm, shape (n,), that move the output far, by gradient ascent.

    The perturbed weights, and the tokens, from a start, of which one moved far, after so many rounds.
    """
    steps = {name: _scaled(size, _polar(matrix.flip(-1))) for name, matrix in weights.items()}
    for _ in range(rounds):
        free = {name: step.requires_grad_() for name, step in steps.items()}
        rows = tokens.detach().requires_grad_()
        apart = outputs(_sum(weights, free), rows, often) - outputs(weights, rows, often)
        by_rows, *slopes = torch.autograd.grad(apart.square().sum(-1).amax(-1).sum(), [rows, *free.values()])
        # The operator norm's ball has a farthest point in direction G at the polar factor of G.
        steps = {name: _scaled(size, _polar(slope.nan_to_num())) for name, slope in zip(free, slopes, strict=True)}
        along = torch.nn.functional.normalize(by_rows.nan_to_num().flatten(1), dim=1, eps=_TOLD).view_as(rows)
        tokens = project(_told(rows.detach() + _STRIDE * along))
    return _sum(weights, steps), tokens


def _polar(matrices: Tensor) -> Tensor:
    """Partial isometries: singular values of more than rounding count as one; the identity where there is none."""
    left, values, right = torch.linalg.svd(matrices)
    told = values > _TOLD * values.amax(-1, keepdim=True).clamp(min=_TOLD)
    found = _told((left * told[..., None, :]) @ right)
    return found.where(
        told.any(-1)[..., None, None], torch.eye(found.shape[-1], dtype=found.dtype, device=found.device)
    )


def _told(numbers: Tensor) -> Tensor:
    return (numbers / _TOLD).round() * _TOLD


def _sum(weights: Weights, steps: Weights) -> dict[str, Tensor]:
    return {name: matrix + steps[name] for name, matrix in weights.items()}


def sharp(query: Tensor) -> Tensor:
    """The Lipschitz constant of attention, c_Q + √(1 + c_Q²)."""
    return query + (1 + query**2).sqrt()


def published(query: Tensor) -> Tensor:
    """The one that the proxy has in its place, 1 + 4 c_Q."""
    return 1 + 4 * query


def later(cap: Weights, attention: Callable[[Tensor], Tensor]) -> Tensor:
    """Products of c_O c_I Σ_h c_V κ(c_Q) of caps over blocks, from each block on, (n, layers + 1), the last empty."""
    factor = cap["M_in"] * cap["M_out"] * (cap["V"] * attention(cap["Q"])).sum(-1)
    return torch.cat([factor, torch.ones_like(factor[:, :1])], dim=1).flip(1).cumprod(1).flip(1)
