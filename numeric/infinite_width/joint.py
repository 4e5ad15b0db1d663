"""Several coordinates of several tokens at once: the characteristic function of outputs at a width and in the limit.

Given attention and values an output's coordinates are independent and normal over the tokens, with one covariance Σ, so
that E exp(i Σ_k θ_kᵀ y_k) = E exp(-½ Σ_k θ_kᵀ Σ θ_k) is a mean over Σ alone. What width makes fluctuate is drawn twice,
from standard normal numbers and from their negatives, beside the same scores as in the limit: what is left of a
difference is of order 1/n in each draw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.infinite_width.layer import LayerLaw
from boundaudit.numeric.infinite_width.one_output import Inputs, chi_square
from boundaudit.numeric.threads import one_thread


@dataclass(frozen=True, eq=False)
class JointLaw:
    """N draws of an output coordinate's covariance over s tokens: (N, s, s) in the limit, (2, N, s, s) at a width."""

    limit: Tensor
    finite: Tensor

    @one_thread()
    def distance(self, theta: Tensor) -> tuple[Tensor, Tensor]:
        """Distances (P,) of the characteristic functions at θ (P, k, s), k coordinates, and their standard errors."""
        gap = characteristic(self.finite, theta).mean(0) - characteristic(self.limit, theta)
        return gap.mean(0).abs(), gap.std(0) / math.sqrt(len(gap))


def characteristic(covariance: Tensor, theta: Tensor) -> Tensor:
    """exp(-½ Σ_k θ_kᵀ Σ θ_k), (..., N, P), of outputs with covariance Σ (..., N, s, s) over tokens at θ (P, k, s)."""
    return (covariance.flatten(-2) @ (theta.mT @ theta).flatten(-2).mT / -2).exp()


@one_thread()
def joint_law(law: LayerLaw, width: int, *, inputs: Inputs, draws: int, seed: int) -> JointLaw:
    """N draws at a width n, at least the number of tokens, and in the limit, from the same scores."""
    s, generator = law.tokens, torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(draws, *shape, generator=generator, dtype=torch.float64)

    scores, keys, values = (normal(law.heads, s, s) for _ in range(3))
    tokens, hidden = normal(1, s, s), normal(1, 1, 1)
    scores *= math.sqrt(law.score_variance)

    def moved(sign: int) -> Tensor:
        root = law.root
        if inputs == "features":
            root = root @ _factor(sign * tokens, width) * _factor(sign * hidden, width)
        attention = (root @ scores @ _factor(sign * keys, width).mT @ root.mT).softmax(-1)
        attended = attention @ root @ _factor(sign * values, width)
        return law.output_variance * (attended @ attended.mT).mean(1)

    limit = law.output_covariance(law.root @ scores @ law.root.mT)
    return JointLaw(limit, torch.stack([moved(sign) for sign in (1, -1)]))


def _factor(normal: Tensor, degrees: int) -> Tensor:
    """Bartlett's: F with F Fᵀ a Wishart matrix over its degrees of freedom, from standard normal numbers."""
    chances = torch.special.ndtr(normal.diagonal(dim1=-2, dim2=-1))
    squares = chi_square(chances, degrees - np.arange(normal.shape[-1]))
    return (normal.tril(-1) + torch.diag_embed(squares.sqrt())) / math.sqrt(degrees)
