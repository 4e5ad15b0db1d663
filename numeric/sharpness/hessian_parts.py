"""The Hessian of the network's output in four parts, by what the chain rule differentiates (Theorem 18).

With a the weights of layer 2, v its values, l its logits and f = Σ a v, along any direction

    f'' = E v'' + 2 Cov(v', l') + Cov(v, l'') + E (v - f)(l' - E l')²,

moments under a. Each part is a quadratic form in the direction. The first and the third are Hessians of Σ a v and
Σ a (v - f) l, a, v and f held still; the others are made of the rows' first derivatives. All by automatic
differentiation, many networks at once, each at its own input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.construction import Blocks, Channels
from boundaudit.numeric.sharpness.forward import Trace, trace
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import TargetBatch

STEPS = 20
"""Of Lanczos' iteration: these Hessians are of low rank, and after 18 the largest eigenvalue stands still."""
_CLOSE = 1e-10
"""What equal eigenvalues differ by, by rounding."""

Product = Callable[[Tensor], Tensor]
"""From one direction for each network, shape (B, p), to the form's product with it."""


PARTS = ("whole", "values", "covariance", "logits", "skew", "pair")
"""Hess f, its four parts, and the sum of the second and the fourth."""


class Leading(NamedTuple):
    """Where the quadratic forms of B networks are largest."""

    norm: Tensor  # largest absolute eigenvalues, (B,)
    along: Tensor  # unit eigenvectors, (B, p)


class Forms(NamedTuple):
    """Hess f along the direction in which it is largest, in four parts; each of shape (B,).

    `values`, `covariance`, `logits` and `skew` are the forms of the parts, `norm` is ‖Hess f‖, and `moving` the squared
    length of what of the direction moves logits: F's columns that write positions, and W2.
    """

    norm: Tensor
    values: Tensor
    covariance: Tensor
    logits: Tensor
    skew: Tensor
    moving: Tensor


def norm(part: str, blocks: Blocks, batch: TargetBatch, bits: Tensor, kept: Tensor) -> Tensor:
    """The operator norm of Hess f or of a part of it, shape (B,): see `leading`."""
    return leading(part, blocks, batch, bits, kept).norm


def leading(part: str, blocks: Blocks, batch: TargetBatch, bits: Tensor, kept: Tensor) -> Leading:
    """The operator norm of Hess f or of one of `PARTS`, and a direction that attains it.

    For B networks at an input each, bits (B, T_max), `kept` 0 or 1 for the parameters that count, (B, p). Hessians go
    through Lanczos' iteration: never too large, and exact up to rounding once it is done.
    """
    run = _Pass(blocks, batch, bits)
    if part in ("whole", "values", "logits"):
        return lanczos(run.product(part), kept)
    return _outer(part, *_rows(run, kept), run.weights, run.pull)


def forms(blocks: Blocks, batch: TargetBatch, bits: Tensor, kept: Tensor) -> Forms:
    """The four parts of Hess f along the direction in which it is largest, of the networks that `leading` takes."""
    run = _Pass(blocks, batch, bits)
    norm, along = lanczos(run.product("whole"), kept)
    values, logits = ((found @ along[..., None])[..., 0] for found in _rows(run, kept))
    a, turn = run.weights, logits - (run.weights * logits).sum(-1, keepdim=True)
    moved = autodiff.unflatten(along, blocks)
    positions = moved.F[:, :, : Channels(batch.max_length, "published").data]
    return Forms(
        norm, (run.product("values")(along) * along).sum(-1), 2 * (a * values * turn).sum(-1),
        (run.product("logits")(along) * along).sum(-1), (run.pull * turn.square()).sum(-1),
        positions.flatten(1).square().sum(-1) + moved.W2.flatten(1).square().sum(-1),
    )  # fmt: skip


def row_gradients(blocks: Blocks, batch: TargetBatch, bits: Tensor, kept: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of each row's value and of its logit, each (B, P, p), of the networks that `leading` takes."""
    return _rows(_Pass(blocks, batch, bits), kept)


def row_bends(blocks: Blocks, batch: TargetBatch, bits: Tensor, along: Blocks) -> tuple[Tensor, Tensor]:
    """Second derivatives of each row's value and logit along a direction each, both (B, P); inputs (B, T_max)."""
    step = torch.zeros((), dtype=torch.float64, device=bits.device, requires_grad=True)
    pairs = zip(blocks.named(), along.named(), strict=True)
    moved = blocks.with_weights([weight + step * change for (_, weight), (_, change) in pairs])
    run = trace(moved, batch, bits[:, None])
    values, logits = _slopes(_slopes(torch.stack([run.values[:, 0], _logits(moved, run)]), step), step).detach()
    return values, logits


def _slopes(of: Tensor, step: Tensor) -> Tensor:
    """The derivatives of many numbers by one, of which backward passes add up: what the sum's weights multiply."""
    by = torch.zeros_like(of, requires_grad=True)
    (added,) = torch.autograd.grad(of, step, by, create_graph=True)
    return torch.autograd.grad(added, by, create_graph=True)[0]


def _logits(blocks: Blocks, run: Trace) -> Tensor:
    stream = run.stream[:, 0]
    return (stream @ (blocks.W2 @ stream[:, -1, :, None]))[..., 0]


def lanczos(product: Product, kept: Tensor, *, steps: int = STEPS) -> Leading:
    """The largest absolute Ritz value of B symmetric matrices and its vector, over parameters with kept 1, (B, p)."""
    start = _start(kept) * kept
    basis: list[Tensor] = [start / start.norm(dim=-1, keepdim=True)]
    images: list[Tensor] = []
    while len(images) < steps:
        images.append(kept * product(basis[-1]))
        done, rest = torch.stack(basis, 1), images[-1]
        for _ in range(2):
            rest = rest - ((done @ rest[..., None]).mT @ done)[:, 0]
        size = rest.norm(dim=-1, keepdim=True)
        known = size > 1e-12 * images[0].norm(dim=-1, keepdim=True)
        basis.append(torch.where(known, rest / size, 0.0))
    whole = torch.stack(basis[:steps], 1)
    return _largest(whole @ torch.stack(images, 1).mT, whole)


def real_parameters(blocks: Blocks, batch: TargetBatch, *, mlp: Trapezoid, one_column: bool = False) -> Tensor:
    """Which parameters of a padded batch its networks have, 0 or 1, (B, p); with one column, of F its last alone."""
    channels = Channels(batch.max_length, "published")
    extra = torch.ones(len(batch), channels.count - batch.max_length, dtype=torch.float64, device=batch.device)
    seen = torch.cat([batch.real_positions.double(), extra], 1)
    unit = units(batch.degree, mlp).real.double()
    written = torch.zeros_like(seen) if one_column else seen.clone()
    written[:, channels.data] = 1.0
    square = seen[:, :, None] * seen[:, None]
    return autodiff.flatten(
        blocks.with_weights([
            square, square, seen[:, :, None] * unit[:, None], unit, unit[:, :, None] * written[:, None], square, seen
        ])
    )  # fmt: skip


class _Pass:
    """One pass whose numbers are differentiated by the weights, as often as asked for."""

    def __init__(self, blocks: Blocks, batch: TargetBatch, bits: Tensor) -> None:
        self._point = [weight.detach().clone().requires_grad_() for _, weight in blocks.named()]
        self._blocks = blocks.with_weights(self._point)
        self.trace = trace(self._blocks, batch, bits[:, None])
        self.logits = _logits(self._blocks, self.trace)
        self.weights, values = self.trace.second[:, 0].detach(), self.trace.values[:, 0].detach()
        self.pull = self.weights * (values - (self.weights * values).sum(-1, keepdim=True))

    def product(self, part: str) -> Product:
        """Products with Hess f, or with a part of it that is a Hessian while weights and pulls are held still."""
        if part == "whole":
            return self.hessian(self.trace.output.sum())
        weight, of = {"values": (self.weights, self.trace.values[:, 0]), "logits": (self.pull, self.logits)}[part]
        return self.hessian((weight * of).sum())

    def gradient(self, of: Tensor) -> Tensor:
        """The gradient of a sum over networks, flat, shape (B, p)."""
        return self._flat(torch.autograd.grad(of, self._point, retain_graph=True, materialize_grads=True))

    def hessian(self, of: Tensor) -> Product:
        """Products with the Hessian of a sum over networks."""
        first = torch.autograd.grad(of, self._point, create_graph=True, materialize_grads=True)
        kept = [(n, slope) for n, slope in enumerate(first) if slope.requires_grad]

        def product(rows: Tensor) -> Tensor:
            along = [weight for _, weight in autodiff.unflatten(rows, self._blocks).named()]
            return self._flat(
                torch.autograd.grad(
                    [slope for _, slope in kept], self._point, [along[n] for n, _ in kept], retain_graph=True,
                    materialize_grads=True,
                )
            )  # fmt: skip

        return product

    def _flat(self, weights: Sequence[Tensor]) -> Tensor:
        # A gradient that is none is a new zero, which needs a gradient itself in some versions of PyTorch.
        return torch.cat([weight.detach().flatten(1) for weight in weights], 1)


def _rows(run: _Pass, kept: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of each row's value and of its logit, shape (B, P, p)."""
    values, keys = (
        torch.stack([kept * run.gradient(of[:, t].sum()) for t in range(of.shape[-1])], 1)
        for of in (run.trace.values[:, 0], run.logits)
    )
    return values, keys


def _outer(part: str, values: Tensor, logits: Tensor, a: Tensor, pull: Tensor) -> Leading:
    """The norms of what is made of rows' first derivatives, both about their averages."""
    values, logits = (found - (a[..., None] * found).sum(1, keepdim=True) for found in (values, logits))
    count = a.shape[1]
    across = torch.diag_embed(torch.cat([a, a], 1)).roll(count, -1)
    bent = torch.diag_embed(torch.cat([pull, torch.zeros_like(a)], 1))
    form = {"covariance": across, "skew": bent, "pair": across + bent}[part]
    # UᵀSU has the eigenvalues of R S Rᵀ, where Uᵀ = Q R by columns.
    basis, factor = torch.linalg.qr(torch.cat([logits, values], 1).mT)
    return _largest(factor @ form @ factor.mT, basis.mT)


def _largest(matrix: Tensor, basis: Tensor) -> Leading:
    """Largest absolute eigenvalues of symmetric matrices, in a basis of shape (B, k, p); NaN where an entry is none."""
    # Of λ and -λ the first, and of all its eigenvectors the one nearest to the start: nothing that rounding decides.
    known = matrix.isfinite().all((-1, -2))
    even = torch.where(known[:, None, None], (matrix + matrix.mT) / 2, 0.0)
    # LAPACK's eigenvectors: a GPU's do not converge for matrices with many equal eigenvalues.
    values, vectors = (found.to(even.device) for found in torch.linalg.eigh(even.cpu()))
    norm = values.abs().amax(-1, keepdim=True)
    top = torch.where(values[:, -1:] >= (1 - _CLOSE) * norm, norm, -norm)
    parts = ((basis @ _start(basis))[:, None] @ vectors)[:, 0].where((values - top).abs() <= _CLOSE * norm, 0.0)
    along = (basis.mT @ (vectors @ parts[..., None]))[..., 0]
    return Leading(norm[:, 0].where(known, torch.nan), along / along.norm(dim=-1, keepdim=True))


def _start(like: Tensor) -> Tensor:
    """A direction that is nothing to any network, shape (p,)."""
    return torch.from_numpy(np.random.default_rng(0).standard_normal(like.shape[-1])).to(like.device)


def kinks(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """Whether a live unit of a row with weight, or of the output, sits on its kink, bool, (B,); bits (B, T_max)."""
    run = trace(blocks, batch, bits[:, None])
    channels = Channels(batch.max_length, "published")
    argument = run.averaged[:, 0] @ blocks.M + blocks.Gamma[:, None]
    counts = run.second[:, 0] > 0
    counts[:, channels.output] = True
    touched = (argument.abs() < CLOSE) & (blocks.F[:, None, :, channels.data] != 0) & counts[..., None]
    return touched.flatten(1).any(-1)
