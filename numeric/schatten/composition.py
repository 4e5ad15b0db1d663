"""Small random transformers without residual connections, and how far a perturbation of their matrices moves them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

Weights = Mapping[str, Tensor]
"""``Q`` and ``V`` of shape (nets, layers, heads, d, d), ``M_in`` and ``M_out`` of shape (nets, layers, d, d)."""


def random_weights(seeds: Tensor, layers: int, heads: int, width: int, size: Tensor, out: Tensor) -> dict[str, Tensor]:
    """Matrices of given operator norms, drawn for each seed.

    Args:
        seeds: Shape (nets,).
        layers: Blocks.
        heads: Heads in each.
        width: d.
        size: The norm of all but M_out, shape (nets,).
        out: That of M_out, shape (nets,).

    Returns:
        The weights, float64.
    """
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
    """Those of each network times a number."""
    return size.view(-1, *[1] * (matrices.dim() - 1)) * matrices


def operator(matrices: Tensor) -> Tensor:
    """The operator norms of a batch of matrices.

    Returns:
        Shape (...).
    """
    norms: Tensor = torch.linalg.matrix_norm(matrices, ord=2)
    return norms


def project(rows: Tensor) -> Tensor:
    """Every row on the unit ball.

    Returns:
        The shape of ``rows``.
    """
    projected: Tensor = rows / rows.norm(dim=-1, keepdim=True).clamp(min=1)
    return projected


def outputs(weights: Weights, tokens: Tensor) -> Tensor:
    """Blocks Π(Π(ReLU(Π(Σ_h softmax(X Q_h Xᵀ) X V_h) M_in)) M_out), Π projecting rows on the unit ball.

    Args:
        weights: Of n networks.
        tokens: X, shape (n, tokens, d), rows in the unit ball.

    Returns:
        Shape (n, tokens, d).
    """
    x = tokens
    for layer in range(weights["Q"].shape[1]):
        each = x[:, None]
        mixed = torch.softmax(each @ weights["Q"][:, layer] @ each.mT, dim=-1) @ each @ weights["V"][:, layer]
        hidden = project(torch.relu(project(mixed.sum(1)) @ weights["M_in"][:, layer]))
        x = project(hidden @ weights["M_out"][:, layer])
    return x


def moved(weights: Weights, tokens: Tensor, size: Tensor, rounds: int) -> tuple[dict[str, Tensor], Tensor]:
    """Perturbations of all matrices by a given operator norm that move the output far, found by gradient ascent.

    Args:
        weights: Of n networks.
        tokens: X, shape (n, tokens, d).
        size: The operator norm of every perturbation, shape (n,).
        rounds: Steps of the ascent.

    Returns:
        The perturbed weights, and by how much the farthest token of each network moved, shape (n,).
    """
    before = outputs(weights, tokens)
    steps = {name: _scaled(size, _polar(matrix.flip(-1))) for name, matrix in weights.items()}
    for _ in range(rounds):
        free = {name: step.requires_grad_() for name, step in steps.items()}
        distances = (outputs(_sum(weights, free), tokens) - before).square().sum(-1).amax(-1)
        slopes = torch.autograd.grad(distances.sum(), list(free.values()))
        # The operator norm's ball has its farthest point in direction G at the polar factor of G.
        steps = {name: _scaled(size, _polar(slope.nan_to_num())) for name, slope in zip(free, slopes, strict=True)}
    after = _sum(weights, steps)
    return after, (outputs(after, tokens) - before).norm(dim=-1).amax(-1)


def _polar(matrices: Tensor) -> Tensor:
    left, _, right = torch.linalg.svd(matrices)
    found: Tensor = left @ right
    return found


def _sum(weights: Weights, steps: Weights) -> dict[str, Tensor]:
    return {name: matrix + steps[name] for name, matrix in weights.items()}


def layerwise_bound(first: Weights, second: Weights, published: bool = False) -> Tensor:
    """Σ_l α_l (Σ_h (c_O c_I c_V ‖ΔQ_h‖ + c_O c_I ‖ΔV_h‖) + c_O ‖ΔM_in‖ + ‖ΔM_out‖), c norms of the first.

    Args:
        first: Weights of n networks.
        second: Others.
        published: Attention's constants 1 + 4c and 2 c_V as the proxy has them, instead of c + √(1+c²) and c_V, and
            the larger norm of the two.

    Returns:
        Shape (n,).
    """
    cap = {name: operator(matrix) for name, matrix in first.items()}
    if published:
        cap = {name: torch.maximum(norm, operator(second[name])) for name, norm in cap.items()}
    change = {name: operator(first[name] - second[name]) for name in first}
    query = cap["Q"]
    attention = 1 + 4 * query if published else query + (1 + query**2).sqrt()
    mlp = cap["M_in"] * cap["M_out"]
    factor = mlp * (cap["V"] * attention).sum(-1)
    later = torch.cat([factor[:, 1:], torch.ones_like(factor[:, :1])], dim=1).flip(1).cumprod(1).flip(1)
    heads = ((2 if published else 1) * cap["V"] * change["Q"] + change["V"]).sum(-1)
    found: Tensor = (later * (mlp * heads + cap["M_out"] * change["M_in"] + change["M_out"])).sum(1)
    return found


def attention_slope(angles: Tensor, query: Tensor, turn: Tensor, norm: Tensor) -> Tensor:
    """The largest derivative of one head's output for tokens on the unit circle and W a turned multiple of one.

    For unit u and ξ = uᵀ(x - E x) the largest uᵀ dy under |dx_i|, |dz| ≤ 1 is Σ p_i ‖u + ξ_i W z‖ + ‖Wᵀ E[x ξ]‖.

    Args:
        angles: Of the tokens, shape (n, tokens).
        query: Angle of z, shape (n,).
        turn: Angle of W, shape (n,).
        norm: Of W, shape (n,).

    Returns:
        The largest over 64 directions u, shape (n,).
    """
    tokens = _unit(angles)
    mapped = norm[:, None] * _unit(query + turn)
    weights = torch.softmax((tokens @ mapped[..., None])[..., 0], dim=-1)
    directions = _unit(torch.arange(64, dtype=torch.float64) * (torch.pi / 64))
    spread = (tokens - (weights[..., None] * tokens).sum(1, keepdim=True)) @ directions.T
    moved_tokens = (directions + spread[..., None] * mapped[:, None, None]).norm(dim=-1)
    covariance = torch.einsum("nt,ntd,ntu->nud", weights, tokens, spread)
    slopes = (weights[..., None] * moved_tokens).sum(1) + norm[:, None] * covariance.norm(dim=-1)
    found: Tensor = slopes.amax(-1)
    return found


def _unit(angles: Tensor) -> Tensor:
    return torch.stack([torch.cos(angles), torch.sin(angles)], dim=-1)
