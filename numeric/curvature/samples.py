"""Second derivatives sample by sample, and the test that nothing mixes samples or entries.

A derivative that is claimed to be block diagonal is compared with its product with one random direction: entries
outside the blocks would show there, unless the direction happened to be orthogonal to them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from boundaudit.numeric.curvature.problem import Problem
from boundaudit.numeric.curvature.products import derivative, differentiable, products

ROUNDING = 64
"""Units of rounding, of the largest entry, by which two ways to the same derivative may differ."""

COARSEST = 1e-4
"""A tolerance above this would take mixed samples for separate ones: half precision is not tested but refused."""


@dataclass(frozen=True)
class SampleHessians:
    """One symmetric matrix FᵀSF + diag(d) for each sample.

    Attributes:
        core: S, shape (N, r, r).
        factor: F, shape (N, r, width); None for the identity.
        diagonal: d, shape (N, width); None for zero.
    """

    core: Tensor
    factor: Tensor | None = None
    diagonal: Tensor | None = None

    def traces(self) -> Tensor:
        """Shape (N,)."""
        if self.factor is None:
            within = self.core.diagonal(dim1=1, dim2=2).sum(1)
        else:
            within = ((self.core @ self.factor) * self.factor).sum((1, 2))
        return within if self.diagonal is None else within + self.diagonal.sum(1)

    def below(self, weight: Tensor) -> SampleHessians:
        """Before z = W a, W of shape (out, in): WᵀHW."""
        if self.factor is None or self.diagonal is not None:
            return SampleHessians(self._dense(), weight.expand(len(self.core), -1, -1))
        return SampleHessians(self.core, self.factor @ weight)

    def diagonal_below(self, weight: Tensor) -> SampleHessians:
        """The diagonal of `below` alone, where no layer further down needs more."""
        factor = weight if self.factor is None else self.factor @ weight
        diagonal = ((self.core @ factor) * factor).sum(1)
        if self.diagonal is not None:
            diagonal = diagonal + self.diagonal @ weight.square()
        nothing = weight.new_zeros(len(diagonal), 0, 0)
        return SampleHessians(nothing, weight.new_zeros(len(diagonal), 0, weight.shape[1]), diagonal)

    def before(self, first: Tensor, second: Tensor | None) -> SampleHessians:
        """Before a layer φ that acts entry by entry: diag(φ') H diag(φ') + diag(φ''·g), the second None where 0."""
        diagonal = None if self.diagonal is None else self.diagonal * first.square()
        if second is not None:
            diagonal = second if diagonal is None else diagonal + second
        if self.factor is None:
            return SampleHessians(first[:, :, None] * self.core * first[:, None], None, diagonal)
        return SampleHessians(self.core, self.factor * first[:, None], diagonal)

    def _dense(self) -> Tensor:
        dense = self.core if self.factor is None else self.factor.mT @ self.core @ self.factor
        return dense if self.diagonal is None else dense + torch.diag_embed(self.diagonal)


def of_loss(problem: Problem, output: Tensor, generator: torch.Generator) -> tuple[Tensor, SampleHessians] | None:
    """The gradient of the loss in each sample's output, both of shape (N, width), and the Hessians.

    None where the loss mixes samples, reads parameters itself, or its derivatives do not fit into the memory; the
    generator is of the direction of that test.
    """
    count, width = output.shape
    if 8 * (width + 1) * output.numel() * output.element_size() > problem.memory:
        return None
    leaf = output.detach().requires_grad_()
    if problem.value(output.detach()).requires_grad:
        return None
    (gradient,) = derivative(differentiable(problem.value(leaf)), [leaf], graph=True)
    units = torch.eye(width, dtype=leaf.dtype, device=leaf.device)[:, None].expand(width, count, width)
    random = _random(leaf, generator)
    (found,) = products([gradient], [leaf], [torch.cat([units, random[None]])])
    hessians = found[:-1].transpose(0, 1).contiguous()
    if not _agree(found[-1], (hessians @ random[:, :, None])[:, :, 0], hessians):
        return None
    return gradient.detach(), SampleHessians(hessians)


def pointwise(
    layer: nn.Module, entering: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor | None] | None:
    """φ, φ' and φ'' (None for zero) of a layer that acts entry by entry, of the shape (N, width) of what enters.

    None where an entry depends on others, which is tested along directions of the generator.
    """
    leaf = entering.detach().requires_grad_()
    value = layer(leaf.clone())
    if not isinstance(value, Tensor) or value.shape != leaf.shape:
        return None
    (first,) = derivative(value.sum(), [leaf], graph=True)
    (second,) = derivative(first.sum(), [leaf])
    left, right = _random(leaf, generator), _random(leaf, generator)
    (along,) = derivative((left * value).sum(), [leaf], graph=True)
    (twice,) = derivative((right * along).sum(), [leaf])
    if not _agree(along, left * first, first) or not _agree(twice, left * right * second, second):
        return None
    return value.detach(), first.detach(), second.detach() if bool(second.any()) else None


def _agree(one: Tensor, other: Tensor, scale: Tensor) -> bool:
    tolerance = ROUNDING * torch.finfo(one.dtype).eps
    if tolerance > COARSEST:
        return False
    return bool((one - other).abs().max() <= tolerance * scale.abs().max())


def _random(like: Tensor, generator: torch.Generator) -> Tensor:
    return torch.randn(like.shape, generator=generator, dtype=like.dtype).to(like.device)
