"""Gradient and Laplacian of the output for any weights of the network, in closed form: nothing is differentiated.

Each block of parameters but the last two moves the rows g_t that layer 2 reads by δg_t = Σ_k y_t^k n_t^k, where the
parameters of one k share a direction n_t^k in the stream and y_t^k is linear in them, with ⟨y_t, y_t'⟩ = Y_tt'. With a
the weights of layer 2, v_t = g_t·V2 the values, f = Σ a v, q = W2 g_out the query and s_t = a_t (v_t - f)

    δ²f = 2 Σ ∂a_t/∂l_t' δv_t δl_t' + Σ L_tt' δl_t δl_t' + 2 Σ s_t δg_t·W2 δg_out + Σ J_t·δ²g_t,

    δv_t = δg_t·V2, δl_t = δg_t·q + g_t·W2 δg_out, L_tt' = s_t 1[t=t'] - s_t a_t' - a_t s_t', J_t = ∂f/∂g_t,

so that a block's trace needs the Gram matrix Y and four projections of its directions (derived here). δ²g is not zero
in W1 alone.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.rows import check_layout
from boundaudit.numeric.sharpness.target import TargetBatch


class Slopes(NamedTuple):
    """Derivatives of B networks at N inputs each, every field of shape (B, N)."""

    output: Tensor  # f
    gradient: Tensor  # |∇f|²
    laplacian: Tensor  # tr Hess f almost everywhere: kinks carry no mass


class _Part(NamedTuple):
    """How one block moves the stream: Y of shape (B, N, P, P), the rest (B, N, P, K) or fewer axes."""

    gram: Tensor  # Y_tt', with a further axis K where it depends on k
    value: Tensor  # n_t·V2
    key: Tensor  # n_t·q
    query: Tensor  # n_out·W2ᵀ g_t
    bent: Tensor  # n_t·W2 n_out


class _Readout(NamedTuple):
    """What layer 2 makes of the stream: weights a, pull s, and derivatives of f in values and logits, and logits."""

    a: Tensor
    s: Tensor
    mixed: Tensor
    logits: Tensor

    @classmethod
    def of(cls, a: Tensor, v: Tensor) -> _Readout:
        s = a * (v - (a * v).sum(-1, keepdim=True))
        crossed = s[..., :, None] * a[..., None, :]
        mixed = torch.diag_embed(a) - a[..., :, None] * a[..., None, :]
        return cls(a, s, mixed, torch.diag_embed(s) - crossed - crossed.mT)

    def slope(self, part: _Part) -> Tensor:
        """J_t·n_t, shape (B, N, P, K)."""
        slope = self.a[..., None] * part.value + self.s[..., None] * part.key
        last = slope[..., -1:, :] + (self.s[..., None] * part.query).sum(-2, keepdim=True)
        return torch.cat([slope[..., :-1, :], last], dim=-2)

    def gradient(self, part: _Part) -> Tensor:
        """The squared norm of a block's gradient."""
        slope = self.slope(part)
        return (slope * (part.gram @ slope)).sum((-2, -1))

    def laplacian(self, part: _Part) -> Tensor:
        """The trace of a block's Hessian, δ²g apart."""
        to_last = part.gram[..., :, -1:]
        itself = part.gram[..., -1:, -1:]
        through = self.mixed * part.gram @ part.key + to_last * (self.mixed @ part.query)
        bent = self.logits @ part.query
        keys = (part.key * (self.logits * part.gram @ part.key)).sum((-2, -1))
        both = 2 * (to_last * part.key * bent).sum((-2, -1)) + (itself * part.query * bent).sum((-2, -1))
        return 2 * (part.value * through + self.s[..., None] * to_last * part.bent).sum((-2, -1)) + keys + both


def slopes(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Slopes:
    """Derivatives of f in all parameters, any weights of the published layout, one T and D, at (N, T) or (B, N, T)."""
    check_layout(batch, "published")
    run = trace(blocks, batch, bits)
    x, g, on = run.tokens, run.stream, (run.hidden > 0).double()
    M, F, W2 = blocks.M[:, None], blocks.F[:, None], blocks.W2[:, None]
    out = g[:, :, -1]
    query = out @ blocks.W2.mT
    backed = g @ W2
    layer = _Readout.of(run.second, run.values)
    # The rows of F as V2, the query, the rows as queries, and one another see them: units, not channels, from here on.
    worth, keyed = on * (F @ blocks.V2[:, None, :, None]).mT, on * (query @ blocks.F.mT)[:, :, None]
    asked, paired = backed @ F.mT, F @ W2 @ F.mT
    zero, one = torch.zeros_like(on[..., :1]), torch.ones_like(on[..., :1])

    def moving(gram: Tensor, shared: Tensor, weight: Tensor = one, own: Tensor = zero) -> _Part:
        """The part whose parameters of number k move the inputs of row t's units by weight_t^k (shared^k - own_t)."""
        last = weight[:, :, -1:].mT * on[:, :, -1:] * (shared - own[:, :, -1:])
        turned = last @ paired.mT
        value, key = (weight * (read @ shared.mT - (read * own).sum(-1, keepdim=True)) for read in (worth, keyed))
        bent = weight * (on @ (shared * turned).mT - (on * own) @ turned.mT)
        return _Part(gram, value, key, asked @ last.mT, bent)

    mean = run.first @ x
    values = x @ blocks.V1[:, None]
    inputs, own = values @ M, run.averaged @ M
    marked = run.first * x[..., -1][:, :, None]
    seen = marked @ inputs - marked.sum(-1, keepdim=True) * own
    tokens = x @ x.mT
    units = torch.eye(on.shape[-1], dtype=on.dtype, device=on.device)
    parts = {
        "F": _Part(
            run.hidden @ run.hidden.mT, blocks.V2[:, None, None].expand_as(g), query[:, :, None].expand_as(g), backed,
            W2.diagonal(dim1=-2, dim2=-1)[:, :, None].expand_as(g),
        ),
        "M, Gamma": moving(run.averaged @ run.averaged.mT + 1, units),
        "V1": moving(mean @ mean.mT, M),
        # A token is its position and its bit.
        "W1, positions": moving(tokens, inputs, run.first, own),
        "W1, bit": moving(tokens, torch.zeros_like(seen[:, :, :1]), own=-seen),
    }  # fmt: skip
    gradient = torch.stack([layer.gradient(part) for part in parts.values()]).sum(0)
    laplacian = torch.stack([layer.laplacian(part) for part in parts.values()]).sum(0)
    size = out.square().sum(-1)
    gradient += (run.second[..., None] * g).sum(-2).square().sum(-1)
    gradient += (layer.s[..., None] * g).sum(-2).square().sum(-1) * size
    laplacian += (layer.logits * (g @ g.mT)).sum((-2, -1)) * size
    # δ²b_t of W1: the mean of (x_j V1 - b_t) times the squared change of the logit around its mean.
    size = x.square().sum(-1)
    spread = size[..., None, :] - 2 * mean @ x.mT + mean.square().sum(-1, keepdim=True)
    weight = run.first * spread * size[..., None]
    curved = weight @ values - weight.sum(-1, keepdim=True) * run.averaged
    laplacian += (layer.slope(parts["V1"]) * curved).sum((-2, -1))
    return Slopes(run.output, gradient, laplacian)
