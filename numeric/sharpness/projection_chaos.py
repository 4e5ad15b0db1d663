"""Logits under a random projection: the size of their errors' linear part, and what their differences do."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.projected_network import (
    first_logits,
    gram,
    projected_weights,
    relation,
    second_distance,
    second_logits,
    second_weights,
    worst_shifts,
)
from boundaudit.numeric.sharpness.projection import sharers
from boundaudit.numeric.sharpness.target import Target, TargetBatch
from boundaudit.numeric.spectra import spectrum


def busiest(batch: TargetBatch) -> Tensor:
    """The largest number of components that share a position, q, float64, (B,)."""
    return sharers(batch).amax(-1)


class Sizes(NamedTuple):
    """Squared Frobenius norms of symmetric forms in E, the largest of each target, shape (B,)."""

    difference: Tensor  # of the difference of two logits of layer 1 within a component
    excess: Tensor  # of a logit outside of a component less the component's mean


def sizes(batch: TargetBatch) -> Sizes:
    """How large the linear part EN + NE of the errors of layer 1's logits is, over 2 log T: variances times d/2."""
    ideal = relation(batch)
    identity = torch.eye(ideal.shape[-1], dtype=torch.float64, device=batch.device)
    # The form of key j and query t is e_j n_tᵀ + (Nᵀe_j) e_tᵀ; only its symmetric part counts.
    forms = torch.einsum("ja,bct->btjac", identity, ideal) + torch.einsum("bja,tc->btjac", ideal, identity)
    forms = ((forms + forms.mT) / 2).flatten(-2)
    products = forms @ forms.mT
    squares = products.diagonal(dim1=-2, dim2=-1)
    inside = ideal.mT
    share = inside / batch.degree[:, None, None]
    mean = torch.einsum("btjk,btk->btj", products, share)
    excess = squares - 2 * mean + (mean * share).sum(-1, keepdim=True)
    difference = squares[..., None] + squares[..., None, :] - 2 * products
    real = torch.cat([batch.real_positions, torch.ones_like(batch.real_positions[:, :1])], dim=1)
    outside = real[:, None, :] & (inside.sum(-1, keepdim=True) > 0) & (inside == 0)
    both = inside[..., None] * inside[..., None, :]
    return Sizes((difference * both).flatten(1).amax(-1), (excess * outside).flatten(1).amax(-1))


def second_order(batch: TargetBatch, off: Tensor) -> Tensor:
    """The largest ratio of an entry of ENE to the lengths of its rows of E over components and queries; (B,)."""
    ideal = relation(batch)
    key, query = (ideal.sum(axis, keepdim=True).clamp(max=1) for axis in (-1, -2))
    lengths = [(off.square() @ chosen).sqrt() for chosen in (key, query.mT)]
    return (first_logits(batch, off).abs() / (lengths[0] * lengths[1].mT)).nan_to_num(0.0).flatten(1).amax(-1)


class Moved(NamedTuple):
    """How far the attention of a projected network moves, over what its logits' differences allow, shape (R,)."""

    first: Tensor
    second: Tensor


def moved(target: Target, products: Tensor) -> Moved:
    """How far both attention maps move, over tanh(r/4) + e^y / (CT), for Gram matrices (R, T+1, T+1).

    r is the range of the logits' errors on the support, y the largest excess of another's over their mean by
    coefficient, and C the support's mass, D in layer 1. The largest ratio over the components, and that of layer 2's
    total variation.
    """
    batch = TargetBatch.stack([target], device=products.device)
    ideal = relation(batch)[0]
    scale = 2 * math.log(target.length)
    first_errors = scale * (first_logits(batch, products) - ideal)
    second_errors = second_logits(batch, products) - second_weights(batch)
    coefficients = torch.zeros_like(second_errors[0])
    coefficients[: target.sparsity] = coefficients.new_tensor(target.coefficients)
    attention = projected_weights(target, products)
    shares = ideal.mT[: target.sparsity] / target.degree
    first = worst_shifts(target, attention) / _allowed(
        first_errors.mT[:, : target.sparsity], shares, target.degree * target.length
    )
    mass = target.coefficient_sum
    second = _allowed(second_errors, coefficients / mass, mass * target.length)
    return Moved(first.amax(-1), second_distance(target, attention) / second)


def _allowed(errors: Tensor, share: Tensor, mass: float) -> Tensor:
    """tanh(r/4) + e^y / mass, from errors (..., keys) and the ideal attention on the same keys."""
    inside = share > 0
    none = torch.full_like(errors, math.inf)
    spread = torch.where(inside, errors, -none).amax(-1) - torch.where(inside, errors, none).amin(-1)
    excess = torch.where(inside, -none, errors).amax(-1) - (errors * share).sum(-1)
    return (spread / 4).tanh() + excess.exp() / mass


def beyond(form: Tensor, width: int, exponent: float, *, draws: int, seed: int) -> int:
    """In how many draws of J the error of Σ A_ij G_ij exceeds 2‖B‖ √(t/d) + 2‖B‖_op t/d, B = (A + Aᵀ)/2, (n, n)."""
    products = gram(len(form) - 1, width, draws, seed, str(form.device))
    errors = (products * form).sum((-1, -2)) - form.trace()
    symmetric = spectrum((form + form.mT) / 2)
    bound = 2 * symmetric.frobenius * math.sqrt(exponent / width) + 2 * symmetric.operator * exponent / width
    return int((errors > bound).sum())
