"""What a random projection does to norms, lengths, products and logits.

The expected squared norm of the projected first attention matrix is exact: J has independent N(0, 1/d) entries. ‖Jᵀ W
J‖² is a polynomial of degree 4 in each entry, so the three-point Gauss-Hermite rule integrates it exactly, entry by
entry. Nothing here uses a moment formula; `moments` does, and the two are compared. Widths d and errors ε of B points
are tensors (B,).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.sharpness.projected_network import first_logits, relation, second_weights
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**20
"""Entries of the projected matrices held at once: 8 MiB of float64."""
PATTERNS = 16
"""Sign patterns of perturbations of the identity."""
_LONGEST = 63
_NODES = torch.tensor([-math.sqrt(3.0), 0.0, math.sqrt(3.0)], dtype=torch.float64)
_WEIGHTS = torch.tensor([1 / 6, 2 / 3, 1 / 6], dtype=torch.float64)


def product_variance(weight: Tensor, width: int) -> Tensor:
    """The variance of Σ A_ij G_ij with G = J Jᵀ by tensor quadrature, exact up to rounding; A (B, n, n), result (B,).

    J has d columns, the rule 3^(n·d) nodes.
    """
    trace = weight.diagonal(dim1=-2, dim2=-1).sum(-1)[:, None]

    def squared_error(projection: Tensor) -> Tensor:
        return (torch.einsum("kia,bij,kja->bk", projection, weight, projection) - trace).square()

    return _expectation(squared_error, weight, width, CHUNK // len(weight))


def _expectation(of: Callable[[Tensor], Tensor], weight: Tensor, width: int, step: int) -> Tensor:
    """The mean over J of a polynomial of degree at most 5 in each entry, from (k, n, d) to (B, k), in steps of k."""
    n = weight.shape[-1]
    variables = n * width
    nodes, weights = _NODES.to(weight.device), _WEIGHTS.to(weight.device)
    powers = 3 ** torch.arange(variables, device=weight.device)
    total = torch.zeros(len(weight), dtype=torch.float64, device=weight.device)
    step = max(1, step)
    for start in range(0, 3**variables, step):
        index = torch.arange(start, min(start + step, 3**variables), device=weight.device)
        digits = index[:, None] // powers % 3
        projection = nodes[digits].reshape(-1, n, width) / math.sqrt(width)
        total += of(projection) @ weights[digits].prod(-1)
    return total


def length_upper(width: Tensor, error: Tensor) -> Tensor:
    """P(χ²_d ≥ (1+ε)d), a projected unit vector is too long, by the regularized incomplete gamma function, (B,)."""
    half = width.double() / 2
    tail: Tensor = torch.special.gammaincc(half, half * (1 + error))
    return tail


def any_length_upper(count: Tensor, width: Tensor, excess: Tensor) -> Tensor:
    """P(one of so many independent squared lengths exceeds 1+η) = 1 - (1 - P(χ²_d > (1+η)d))^count, (B,)."""
    from scipy import stats  # loaded with the first measurement

    freedom = width.cpu().numpy()
    single = stats.chi2.sf((1 + excess.cpu().numpy()) * freedom, freedom)
    return -torch.expm1(count.double() * torch.log1p(-torch.from_numpy(single).to(count.device)))


def length_lower(width: Tensor, error: Tensor) -> Tensor:
    """P(χ²_d ≤ (1-ε)d), a projected unit vector is too short, by the regularized incomplete gamma function, (B,)."""
    half = width.double() / 2
    tail: Tensor = torch.special.gammainc(half, half * (1 - error).clamp(min=0))
    return tail


def product_upper(width: Tensor, error: Tensor, *, nodes: int = 800, chunk: int = CHUNK) -> Tensor:
    """P(⟨x, y⟩ ≥ εd) for independent standard normal x, y of dimension d ≥ 2, shape (B,).

    Given r = ‖y‖ the product is N(0, r²), so this is the mean of Φ(-εd/r) over the chi law of r; the trapezoidal rule
    in log r integrates it, since there the integrand and all its slopes vanish at both ends. `chunk` nodes of all
    points are held at once.
    """
    parts = zip(torch.split(width, max(1, chunk // nodes)), torch.split(error, max(1, chunk // nodes)), strict=True)
    return torch.cat([_product_upper(d.double()[:, None], e[:, None], nodes) for d, e in parts])


def _product_upper(d: Tensor, error: Tensor, nodes: int) -> Tensor:
    # In log r the integrand has one peak, between r = √d and where -ε²d²/(2r²) - r²/2 + d log r is largest. Below
    # the lower end the chi law has e^-39 of its mass left.
    low = d.log() / 2 - torch.where(d > 300, 2 * (39 / d).sqrt(), (1 + 78 / d) / 2)
    high = ((d * (1 + (1 + 4 * error.square()).sqrt()) / 2).sqrt() + 9).log()
    logs = low + (high - low) * torch.linspace(0, 1, nodes + 1, dtype=torch.float64, device=d.device)
    r = logs.exp()
    density = d * logs - r.square() / 2 - (d / 2 - 1) * math.log(2) - torch.lgamma(d / 2)
    tail: Tensor = torch.special.erfc(error * d / (r * math.sqrt(2))) / 2
    return (density.exp() * tail).sum(-1) * (high - low)[:, 0] / nodes


def deviation(batch: TargetBatch, error: Tensor, pattern: Tensor) -> Tensor:
    """Matrices (B, T_max+1, T_max+1) of entries ±error, 0 on padding: how far a Gram matrix may be from the identity.

    The pattern of signs, from 0 to `PATTERNS` - 1, (B,): all plus, all minus, plus on the diagonal alone, then random.
    """
    real = torch.cat([batch.real_positions, torch.ones_like(batch.real_positions[:, :1])], dim=1).double()
    positions = [*range(batch.max_length), _LONGEST]
    signs = _signs().to(batch.device)[pattern][:, positions][:, :, positions]
    return error[:, None, None] * signs * real[:, :, None] * real[:, None, :]


@functools.cache
def _signs() -> Tensor:
    """The sign patterns on `_LONGEST` positions and the output position, which is the last."""
    size = _LONGEST + 1
    drawn = np.random.default_rng(0).choice([-1.0, 1.0], (PATTERNS, size, size))
    signs = np.tril(drawn) + np.tril(drawn, -1).transpose(0, 2, 1)
    signs[0], signs[1], signs[2] = 1.0, -1.0, 2 * np.eye(size) - 1
    return torch.from_numpy(signs)


def first_error(batch: TargetBatch, off: Tensor) -> Tensor:
    """Absolute errors of layer 1's logits over 2 log T by key and query where the Gram matrix is I + E, of E's shape.

    They are (I + E) N (I + E) - N = E N + N E + E N E: without the cancellation of a difference.
    """
    ideal = relation(batch)
    return (off @ ideal + ideal @ off + first_logits(batch, off)).abs()


def second_error(batch: TargetBatch, off: Tensor) -> Tensor:
    """Absolute errors of the logits of layer 2 by key, (B, T_max+1), where the Gram matrix is I + E.

    They are (1 + E_oo) (w + E w) - w = E_oo w + (1 + E_oo) E w: without the cancellation of a difference.
    """
    weights, output = second_weights(batch), off[:, -1, -1:]
    return (output * weights + (1 + output) * (off @ weights[..., None])[..., 0]).abs()


def sharers(batch: TargetBatch) -> Tensor:
    """How many components contain each position, (B, T_max+1), zero for the output position."""
    return relation(batch).sum(-1)
