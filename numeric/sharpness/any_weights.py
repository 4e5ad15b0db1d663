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
    """Derivatives of B networks at N inputs each, every field of shape (B, N).

    Attributes:
        output: f.
        gradient: |∇f|².
        laplacian: tr Hess f almost everywhere: kinks carry no mass.
    """

    output: Tensor
    gradient: Tensor
    laplacian: Tensor


class _Part(NamedTuple):
    """How one block moves the stream: Y of shape (B, N, P, P), the rest (B, N, P, K) or fewer axes.

    Attributes:
        gram: Y_tt', with a further axis K where it depends on k.
        value: n_t·V2.
        key: n_t·q.
        query: n_out·W2ᵀ g_t.
        bent: n_t·W2 n_out.
    """

    gram: Tensor
    value: Tensor
    key: Tensor
    query: Tensor
    bent: Tensor


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
    """Derivatives of the output in all parameters, for networks of the published layout without padding.

    Args:
        blocks: the weights of B networks, of any values.
        batch: the B targets, of one length and degree.
        bits: 0/1 inputs, shape (N, T) for all networks alike or (B, N, T).

    Returns:
        The derivatives.
    """
    check_layout(batch, "published")
    run = trace(blocks, batch, bits)
    x, g, on = run.tokens, run.stream, (run.hidden > 0).double()
    F, V2 = blocks.F[:, None, None], blocks.V2[:, None, :, None]
    out = g[:, :, -1]
    query = (blocks.W2[:, None] @ out[..., None])[..., 0]
    backed = g @ blocks.W2[:, None]
    layer = _Readout.of(run.second, run.values)

    def moving(gram: Tensor, direction: Tensor) -> _Part:
        """The part whose directions in the stream are given, shape (B, N, P, K, E)."""
        last = direction[:, :, -1]
        turned = last @ blocks.W2.mT[:, None]
        return _Part(
            gram, (direction @ V2[:, :, None])[..., 0], (direction @ query[:, :, None, :, None])[..., 0],
            backed @ last.mT, (direction * turned[:, :, None]).sum(-1),
        )  # fmt: skip

    mean = run.first @ x
    values = x @ blocks.V1[:, None]
    apart = values[:, :, None] - run.averaged[:, :, :, None]
    pulled = run.first[..., None] * apart
    through = (blocks.M[:, None, None] * on[..., None, :]) @ F
    eye = torch.eye(g.shape[-1], dtype=torch.float64, device=g.device)
    parts = {
        "F": moving(run.hidden @ run.hidden.mT, eye.expand(*g.shape[:3], *eye.shape)),
        "M, Gamma": moving(run.averaged @ run.averaged.mT + 1, on[..., None] * F),
        "V1": moving(mean @ mean.mT, through),
        "W1": moving(x @ x.mT, (x.mT[:, :, None] @ pulled) @ through),
    }
    gradient = torch.stack([layer.gradient(part) for part in parts.values()]).sum(0)
    laplacian = torch.stack([layer.laplacian(part) for part in parts.values()]).sum(0)
    size = out.square().sum(-1)
    gradient += (run.second[..., None] * g).sum(-2).square().sum(-1)
    gradient += (layer.s[..., None] * g).sum(-2).square().sum(-1) * size
    laplacian += (layer.logits * (g @ g.mT)).sum((-2, -1)) * size
    # δ²b_t of W1: the mean of (x_j V1 - b_t) times the squared change of the logit around its mean.
    spread = (x[:, :, None] - mean[:, :, :, None]).square().sum(-1) * x.square().sum(-1)[..., None]
    curved = (pulled * spread[..., None]).sum(-2)
    laplacian += (layer.slope(parts["V1"]) * curved).sum((-2, -1))
    return Slopes(run.output, gradient, laplacian)
