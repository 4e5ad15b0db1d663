"""Empirical Rademacher complexities: of finite classes over all signs, and of heads by ascent on drawn signs."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.covering.head import copies, opposite, pool, within
from boundaudit.numeric.enumeration import bit_strings

WIDTH = 4
"""Length of a token of the heads that are searched."""

_INPUTS, _TOKENS, _SIGNS, _STARTS, _STEPS, _STRIDE = 8, 4, 8, 2, 8, 0.4


def all_signs(samples: int, device: torch.device) -> Tensor:
    """All signs of m samples, shape (2^m, m)."""
    return 2 * bit_strings(samples, 0, 2**samples, device=device).to(torch.float64) - 1


def complexity(values: Tensor) -> Tensor:
    """Rademacher complexities (...) of values (..., functions, m): mean over all signs of the largest correlation."""
    samples = values.shape[-1]
    return (all_signs(samples, values.device) @ values.mT).amax(-1).mean(-1) / samples


def sums(values: Tensor, terms: int) -> Tensor:
    """All sums of so many terms of a class of shape (functions, m), with repetition, shape (functions^terms, m)."""
    added = values
    for _ in range(terms - 1):
        added = (added[:, None] + values).flatten(0, 1)
    return added


def sign_sums(repeats: Tensor, draws: int, generator: torch.Generator) -> Tensor:
    """Sums of fair signs, drawn by the inverse of their law, so that a million signs cost what one does.

    Repeats says how many signs each sum has, shape (n, kinds); all n share the draws, shape (n, draws, kinds).
    """
    from scipy import stats  # loaded with the first measurement

    uniform = torch.rand(draws, repeats.shape[1], generator=generator, dtype=torch.float64)
    heads = torch.from_numpy(stats.binom.ppf(uniform.numpy(), repeats[:, None].numpy(), 0.5))
    return 2 * heads - repeats[:, None]


def _in_ball(weights: Tensor) -> Tensor:
    """The weights, scaled back where the sum of their moduli over the last two dimensions is above one."""
    return weights / weights.abs().sum((-2, -1), keepdim=True).clamp_min(1)


def of_head(tokens: Tensor, samples: Tensor, key: Tensor, noise: Tensor, generator: torch.Generator) -> Tensor:
    """The complexity, shape (n), of heads that gradient ascent finds on drawn signs: a lower bound, but for the draws.

    The class is ±relu(vᵀ Σ_t p_t x_t) with ‖v‖₁ ≤ 1 and ‖W_QK‖_{1,1} ≤ B: more output maps with caps of one on their
    (1,1) norms add nothing, as the correlation is linear in them and ±e_i e_jᵀ are their corners. A sample has eight
    distinct inputs of four distinct tokens, each repeated. T, m and B, the key, have shape (n), and so has the noise,
    how much of tokens and queries is drawn; without it tokens are ±e₁ and queries e₁.
    """
    chance = noise[:, None, None]
    drawn = torch.randn(_INPUTS, _TOKENS + 1, WIDTH, generator=generator, dtype=torch.float64)
    rows = within(opposite(_TOKENS, WIDTH) + chance[..., None] * drawn[:, 1:])[:, None, None]
    queries = within(opposite(1, WIDTH) + chance * drawn[:, 0])[:, None, None]
    repeats = copies(tokens, _TOKENS).to(torch.float64).log()[:, None, None, None]
    signs = sign_sums(copies(samples, _INPUTS), _SIGNS, generator)[:, :, None]
    vector, matrix = (
        _in_ball(torch.randn(_STARTS, size, WIDTH, generator=generator, dtype=torch.float64)) for size in (1, WIDTH)
    )
    vector[0] = opposite(1, WIDTH)
    lead = (len(key), _SIGNS, _STARTS, 1, 1)
    free = [of.expand(*lead[:3], *of.shape[1:]).clone().requires_grad_() for of in (vector, matrix)]

    def correlation() -> Tensor:
        asked = key[:, None, None, None, None] * (queries @ free[1].mT)
        pooled = pool(rows, (rows @ asked[..., None])[..., 0] + repeats)
        hidden = torch.relu((pooled * free[0]).sum(-1))
        return (signs * hidden).sum(-1).abs()

    best = torch.zeros(lead[:3], dtype=torch.float64)
    for _ in range(_STEPS):
        found = correlation()
        best = torch.maximum(best, found.detach())
        slopes = torch.autograd.grad(found.sum(), free)
        for weights, slope in zip(free, slopes, strict=True):
            length: Tensor = slope.norm(dim=(-2, -1), keepdim=True)
            step = _STRIDE * slope / length.clamp_min(torch.finfo(torch.float64).tiny)
            weights.data = _in_ball(weights.data + step)
    return torch.maximum(best, correlation().detach()).amax(-1).mean(-1) / samples
