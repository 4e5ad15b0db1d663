"""What a random projection does to norms, lengths, products and logits.

The expected squared norm of the projected first attention matrix is exact:
J has independent N(0, 1/d) entries. ‖Jᵀ W J‖² is a polynomial of degree 4 in each entry,
so the three-point Gauss-Hermite rule integrates it exactly, entry by entry. Nothing here
uses a moment formula; `moments` does, and the two are compared.
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
    """The variance of Σ A_ij G_ij with G = J Jᵀ, by tensor quadrature; 3^(n·width) nodes.

    Args:
        weight: A, shape (B, n, n).
        width: d, columns of J.

    Returns:
        Shape (B,), exact up to rounding.
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
    """P(χ²_d ≥ (1+ε)d): a projected unit vector is longer than it should be.

    Args:
        width: d, shape (B,).
        error: ε, float64, shape (B,).

    Returns:
        Shape (B,), by the regularized incomplete gamma function.
    """
    half = width.double() / 2
    tail: Tensor = torch.special.gammaincc(half, half * (1 + error))
    return tail


def any_length_upper(count: Tensor, width: Tensor, excess: Tensor) -> Tensor:
    """The probability that the squared length of one of several projected positions exceeds 1 plus an excess.

    Args:
        count: how many positions, whose projections are independent, shape (B,).
        width: d, shape (B,).
        excess: η > 0, shape (B,).

    Returns:
        1 - (1 - P(χ²_d > (1+η)d))^count, shape (B,).
    """
    from scipy import stats  # loaded with the first measurement

    freedom = width.cpu().numpy()
    single = stats.chi2.sf((1 + excess.cpu().numpy()) * freedom, freedom)
    return -torch.expm1(count.double() * torch.log1p(-torch.from_numpy(single).to(count.device)))


def length_lower(width: Tensor, error: Tensor) -> Tensor:
    """P(χ²_d ≤ (1-ε)d): a projected unit vector is shorter than it should be.

    Args:
        width: d, shape (B,).
        error: ε, float64, shape (B,).

    Returns:
        Shape (B,), by the regularized incomplete gamma function.
    """
    half = width.double() / 2
    tail: Tensor = torch.special.gammainc(half, half * (1 - error).clamp(min=0))
    return tail


def product_upper(width: Tensor, error: Tensor, *, nodes: int = 800, chunk: int = CHUNK) -> Tensor:
    """P(⟨x, y⟩ ≥ εd) for independent standard normal x, y of dimension d.

    Given r = ‖y‖ the product is N(0, r²), so this is the mean of Φ(-εd/r) over the chi law of r; the
    trapezoidal rule in log r integrates it, since there the integrand and all its slopes vanish at both ends.

    Args:
        width: d, at least 2, shape (B,).
        error: ε, float64, shape (B,).
        nodes: nodes of the rule.
        chunk: nodes of all points held at once.

    Returns:
        Shape (B,).
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
    """Symmetric matrices with entries ±error: how far a Gram matrix may be from the identity.

    Args:
        batch: B targets, which say how many positions there are.
        error: Shape (B,).
        pattern: Which signs, integers from 0 to `PATTERNS` - 1, shape (B,): all plus, all minus, plus on
            the diagonal alone, and then random signs.

    Returns:
        Shape (B, T_max+1, T_max+1), zero on padding.
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
    """The errors of the logits of layer 1 over 2 log T, without the cancellation of a difference.

    With the Gram matrix I + E they are (I + E) N (I + E) - N = E N + N E + E N E.

    Args:
        batch: B targets.
        off: E, shape (B, T_max+1, T_max+1).

    Returns:
        Absolute errors by key and query, shape (B, T_max+1, T_max+1).
    """
    ideal = relation(batch)
    return (off @ ideal + ideal @ off + first_logits(batch, off)).abs()


def second_error(batch: TargetBatch, off: Tensor) -> Tensor:
    """The errors of the logits of layer 2, without the cancellation of a difference.

    With the Gram matrix I + E they are (1 + E_oo) (w + E w) - w = E_oo w + (1 + E_oo) E w.

    Args:
        batch: B targets.
        off: E, shape (B, T_max+1, T_max+1).

    Returns:
        Absolute errors by key, shape (B, T_max+1).
    """
    weights, output = second_weights(batch), off[:, -1, -1:]
    return (output * weights + (1 + output) * (off @ weights[..., None])[..., 0]).abs()


def sharers(batch: TargetBatch) -> Tensor:
    """How many components contain each position.

    Args:
        batch: B targets.

    Returns:
        Shape (B, T_max+1), zero for the output position.
    """
    return relation(batch).sum(-1)
