"""The least value of a loss of several numbers plus a squared distance: what a potential derived by hand is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

_STEPS, _HALVINGS, _CLOSE, _NOISE = 40, 20, 1e-7, 1e-13


def least_value(loss: Callable[[Tensor], Tensor], place: Tensor, width: Tensor, starts: Sequence[Tensor]) -> Tensor:
    """The least of ℓ(u) + |u - ω|²/(2V) over u, shape (...), by Newton's method from several starts, the lowest end.

    Its derivatives by ω, V and what else the loss is made of are those at the minimiser held fast. ℓ takes points
    (..., p) to (...), smooth, each by itself; ω and the starts have shape (..., p), V > 0 broadcasts against (...).
    """

    def total(u: Tensor) -> Tensor:
        found: Tensor = loss(u) + ((u - place) ** 2).sum(-1) / (2 * width)
        return found

    with torch.no_grad():
        ends = [_descended(total, start.expand_as(place).clone()) for start in starts]
        best = torch.stack([total(end) for end in ends]).argmin(0)
    chosen = torch.stack(ends).take_along_dim(best[None, ..., None], 0)[0]
    return total(chosen)


def _descended(total: Callable[[Tensor], Tensor], u: Tensor) -> Tensor:
    """A local minimum: steps along eigenvectors, over the sizes of the second derivatives, halved where they rise."""
    value = total(u)
    for _ in range(_STEPS):
        slope, second = _derivatives(total, u)
        sizes, vectors = torch.linalg.eigh(second)
        inner = (vectors.mT @ slope[..., None])[..., 0] / sizes.abs().clamp_min(1e-9)
        step = -(vectors @ inner[..., None])[..., 0]
        length = torch.ones_like(value)
        for _ in range(_HALVINGS):
            fresh = total(u + length[..., None] * step)
            rises = fresh > value + _NOISE * value.abs()
            if not bool(rises.any()):
                break
            length = torch.where(rises, length / 2, length)
        moved = torch.where(fresh <= value + _NOISE * value.abs(), length, 0.0)[..., None] * step
        u = u + moved
        value = total(u)
        if float(moved.abs().max()) < _CLOSE:
            break
    return u


def _derivatives(total: Callable[[Tensor], Tensor], u: Tensor) -> tuple[Tensor, Tensor]:
    """The gradient, shape (..., p), and the second derivatives, shape (..., p, p), of each point by itself."""
    with torch.enable_grad():
        here = u.detach().requires_grad_()
        (slope,) = torch.autograd.grad(total(here).sum(), here, create_graph=True)
        rows = [torch.autograd.grad(slope[..., k].sum(), here, retain_graph=True)[0] for k in range(u.shape[-1])]
    return slope.detach(), torch.stack(rows, -2)
