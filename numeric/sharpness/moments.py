"""How Gaussian noise on every parameter moves output, gradient and Hessian: first-order laws and samples.

To first order in σ the changes are σ⟨∇f, ε⟩, σ Hess f ε and σ D³f[ε], with second moments σ²|∇f|² and σ²‖Hess f‖_F².
These are exact directional derivatives; what a finite σ does is sampled. Each of B networks has one input of its own,
bits (B, T_max); noise has the shapes of the blocks and is zero on padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import grad, jvp, vmap

from boundaudit.numeric.sharpness.autodiff import ENTRIES, flatten, gradients, hessian_vector, repeat, unflatten
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.noise import gaussian, moved, real_entries
from boundaudit.numeric.sharpness.target import TargetBatch

SECOND = 2**32
"""Between the seeds of two independent samples of noise."""
_Weights = tuple[Tensor, ...]


class Changes(NamedTuple):
    """What noise changes in each of B networks."""

    output: Tensor  # of f, (B,)
    gradient: Tensor  # of ∇f, zero on padding, (B, p)


def first_order(blocks: Blocks, batch: TargetBatch, bits: Tensor, noise: Blocks, *, scale: float = 2.0) -> Changes:
    """⟨∇f, ε⟩ and Hess f ε, exact: changes for each unit of σ; an infinite scale is the ideal network."""
    slope = gradients(blocks, batch, bits, scale=scale)
    product = hessian_vector(blocks, batch, bits, noise, scale=scale)
    return Changes((flatten(slope) * flatten(noise)).sum(-1), flatten(product) * _real(blocks, batch))


def finite(blocks: Blocks, batch: TargetBatch, bits: Tensor, noise: Blocks, sigma: float | Tensor) -> Changes:
    """f̃ - f and ∇f̃ - ∇f under standard normal noise of size σ, one for all or one for each."""
    other = moved(blocks, noise, sigma)
    before, after = (trace(found, batch, bits[:, None]).output[:, 0] for found in (blocks, other))
    slopes = [flatten(gradients(found, batch, bits)) for found in (other, blocks)]
    return Changes(after - before, (slopes[0] - slopes[1]) * _real(blocks, batch))


def _real(blocks: Blocks, batch: TargetBatch) -> Tensor:
    """Which entries of the flat parameters are no padding, shape (B, p)."""
    return torch.cat([mask.flatten(1) for mask in real_entries(batch, blocks.layout)], dim=1)


def hessian_changes(blocks: Blocks, batch: TargetBatch, bits: Tensor, noise: Blocks) -> Tensor:
    """D³f[ε] for n directions at one network and input (T,): the Hessian's first-order change for each unit of σ.

    Shape (n, p, p), symmetric up to rounding.
    """
    p = flatten(blocks).shape[1]
    rows = _weights(unflatten(torch.eye(p, dtype=torch.float64, device=bits.device), blocks))

    def change(direction: _Weights, row: _Weights) -> Tensor:
        """The derivative of one row of the Hessian along one direction."""
        along = blocks.with_weights([weight[None] for weight in row])

        def product(weights: _Weights) -> Tensor:
            return flatten(hessian_vector(blocks.with_weights(weights), batch, bits[None], along))[0]

        tangent = tuple(weight[None] for weight in direction)
        return torch.as_tensor(jvp(product, (_weights(blocks),), (tangent,))[1])

    # What no direction or row changes is computed once for all of them.
    each_row = vmap(change, in_dims=(None, 0), chunk_size=max(1, ENTRIES // p))
    return torch.as_tensor(vmap(each_row, in_dims=(0, None))(_weights(noise), rows))


class Readout(NamedTuple):
    """First-order changes, for each unit of σ, of what the output is made of; P rows."""

    weights: Tensor  # of the attention weights of layer 2, (B, P)
    rows: Tensor  # of the rows that layer 2 reads, (B, P, E)
    data: Tensor  # of V2, (B, E)


def readout(blocks: Blocks, batch: TargetBatch, bits: Tensor, noise: Blocks) -> Readout:
    """Exact directional derivatives of the second layer's weights and rows, each network at its own input."""

    def parts(weights: _Weights) -> tuple[Tensor, Tensor]:
        found = trace(blocks.with_weights(weights), batch, bits[:, None])
        return found.second[:, 0], found.stream[:, 0]

    second, stream = jvp(parts, (_weights(blocks),), (_weights(noise),))[1]
    return Readout(second, stream, noise.V2)


def row_gradients(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Tensor:
    """The gradient of f in each row that layer 2 reads, through its softmax, (B, P, E), the output position last."""
    found = trace(blocks, batch, bits[:, None], scale=scale)
    support = torch.where(found.second[:, 0] > 0, 0.0, -torch.inf)

    def total(stream: Tensor) -> Tensor:
        return _second_layer(blocks, stream, support).sum()

    return torch.as_tensor(grad(total)(found.stream[:, 0]))


def weight_deviations(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """|∂a_t/∂θ|, shape (P,), for one network at one input (T,): how layer 2's weights deviate under unit noise."""
    rows = len(bits) + 1
    copies, inputs = batch.repeat(rows), bits.expand(rows, -1)

    def total(weights: _Weights) -> Tensor:
        return trace(blocks.with_weights(weights), copies, inputs[:, None]).second[:, 0].diagonal().sum()

    slopes = grad(total)(_weights(repeat(blocks, rows)))
    return torch.stack([part.flatten(1).square().sum(-1) for part in slopes]).sum(0).sqrt()


def stretched(blocks: Blocks, batch: TargetBatch, bits: Tensor, order: int) -> Tensor:
    """The derivative of this order along the unit direction w2ᵀ/|w2| of F's first row, shape (B,).

    There the first hidden unit writes the query's image into the positions' channels.
    """
    found = trace(blocks, batch, bits[:, None])
    stream, first = found.stream[:, 0], found.hidden[:, 0, :, :1]
    image = (stream[:, -1:] @ blocks.W2.mT)[:, 0]
    direction = first * torch.nn.functional.normalize(image, dim=-1)[:, None]
    support = torch.where(found.second[:, 0] > 0, 0.0, -torch.inf)

    def output(step: Tensor) -> Tensor:
        return _second_layer(blocks, stream + step * direction, support)

    derivative: Callable[[Tensor], Tensor] = output
    for _ in range(order):
        derivative = _derivative(derivative)
    return derivative(torch.zeros((), dtype=torch.float64, device=bits.device))


def _second_layer(blocks: Blocks, stream: Tensor, support: Tensor) -> Tensor:
    """The output from the rows (B, P, E) that layer 2 reads."""
    query = stream[:, -1:] @ blocks.W2.mT
    weights = torch.softmax((stream * query).sum(-1) + support, dim=-1)
    return (weights * (stream @ blocks.V2[..., None])[..., 0]).sum(-1)


def _derivative(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def derivative(step: Tensor) -> Tensor:
        return torch.as_tensor(jvp(function, (step,), (torch.ones_like(step),))[1])

    return derivative


class Sample(NamedTuple):
    """Sizes of changes in n independent draws."""

    output: Tensor  # |f̃ - f|, (n,)
    gradient: Tensor  # |∇f̃ - ∇f|, (n,)


def sampled(blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float, draws: int, seed: int) -> Sample:
    """The sizes of the changes of one network at one input (T,), draw by draw of noise of size σ."""
    at_once = max(1, ENTRIES // flatten(blocks).shape[1])
    parts = [
        _some(blocks, batch, bits, sigma, min(at_once, draws - start), seed + start)
        for start in range(0, draws, at_once)
    ]
    return Sample(*(torch.cat(field) for field in zip(*parts, strict=True)))


def third_squares(blocks: Blocks, batch: TargetBatch, bits: Tensor, draws: int, seed: int) -> Tensor:
    """|D³f[ε, ε']|² for so many pairs of standard normal ε and ε', at one network and input (T,); shape (draws,).

    Its mean is ‖D³f‖_F², that of ‖D³f[ε]‖_F².
    """
    networks, copies, inputs = repeat(blocks, draws), batch.repeat(draws), bits.expand(draws, -1)
    first, second = (gaussian(copies, networks, seed + n) for n in (0, SECOND))

    def products(weights: _Weights) -> Tensor:
        return flatten(hessian_vector(blocks.with_weights(weights), copies, inputs, first))

    change = torch.as_tensor(jvp(products, (_weights(networks),), (_weights(second),))[1])
    return (change * _real(networks, copies)).square().sum(-1)


def _some(blocks: Blocks, batch: TargetBatch, bits: Tensor, sigma: float, count: int, seed: int) -> Sample:
    networks, copies = repeat(blocks, count), batch.repeat(count)
    found = finite(networks, copies, bits.expand(count, -1), gaussian(copies, networks, seed), sigma)
    return Sample(found.output.abs(), torch.linalg.vector_norm(found.gradient, dim=-1))


def _weights(blocks: Blocks) -> _Weights:
    return tuple(weight for _, weight in blocks.named())


def block_norms(flat: Tensor, parts: Sequence[slice]) -> Tensor:
    """Norms of the parts of flat vectors (B, p), shape (B, number of parts)."""
    return torch.stack([torch.linalg.vector_norm(flat[:, part], dim=-1) for part in parts], dim=-1)
