"""One coordinate of one token's output, at infinite width and exactly at any: the law of its conditional variance.

Given the inputs, a query is Gaussian, so that with cQ = χ²_m/m a token's scores are a Gaussian vector of covariance
σ_Q² σ_K² K_ii cQ K; given the attention, a head's value is Gaussian of variance aᵀ K a cV with another cV = χ²_m/m,
where m is the width of a head. Random inputs add the Wishart matrix of their own Gram matrix. So width enters through
chi-squares alone, and the same nodes serve every width: differences between widths are free of most of the noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor
from torch.quasirandom import SobolEngine

from boundaudit import InputError
from boundaudit.numeric.infinite_width.layer import LayerLaw
from boundaudit.numeric.infinite_width.mixture import NormalMixture, mean_and_error
from boundaudit.numeric.infinite_width.orthogonal import LARGEST, orthogonal_moments
from boundaudit.numeric.threads import one_thread

Inputs = Literal["fixed", "features"]
"""Inputs with the Gram matrix n K at every width, or xⁱ = Wⁱ h for random Wⁱ and one Gaussian h, mixed to have it in
the limit."""

_SPAN, _STEP = 12.0, 0.1
_COARSER, _ROUNDING = 1.3, 2e-15
_ORTHOGONAL = (1e-3, LARGEST)
"""Variances of a score for which the one integral neither cancels nor needs more nodes than fit."""
_SHARPEST = 1e4
"""The variance of the difference of two scores up to which random nodes see where the softmax changes."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """Scrambled Sobol points for one layer.

    Attributes:
        logits: Standard normal, shape (R, N, H, s).
        chances: For the chi-squares of queries and values, in (0, 1), shape (R, N, H, 2).
        lower: Standard normal, for what is below the diagonal of the inputs' Wishart factor, shape (R, N, s(s-1)/2).
        diagonal: For the chi-squares of its diagonal and of h, in (0, 1), shape (R, N, s + 1).
    """

    logits: Tensor
    chances: Tensor
    lower: Tensor
    diagonal: Tensor


def draw_nodes(law: LayerLaw, points: int, replicates: int, seed: int, *, widths: bool = True) -> Nodes:
    """Nodes that serve the limit and every width, or the limit alone.

    So many points, best a power of two, in each of at least two independently scrambled replicates.

    Raises:
        InputError: for more heads than Sobol points have coordinates.
    """
    s, heads = law.tokens, law.heads
    sizes = [heads * s, *((heads * 2, s * (s - 1) // 2, s + 1) if widths else (0, 0, 0))]
    total = sum(sizes)
    if total > SobolEngine.MAXDIM:
        wanted = f"at most {SobolEngine.MAXDIM} normal variables in all"
        raise InputError("heads", wanted, total, "use fewer heads or tokens")
    drawn = [
        SobolEngine(total, scramble=True, seed=seed * replicates + k).draw(  # type: ignore[no-untyped-call]
            points, dtype=torch.float64
        )
        for k in range(replicates)
    ]
    uniform = torch.stack(drawn).clamp(2.0**-31, 1 - 2.0**-31)
    logits, chances, lower, diagonal = torch.split(uniform, sizes, -1)
    return Nodes(
        torch.special.ndtri(logits).reshape(*logits.shape[:2], heads, s), chances.reshape(*chances.shape[:2], -1, 2),
        torch.special.ndtri(lower), diagonal,
    )  # fmt: skip


@one_thread()
def output_limit(law: LayerLaw, nodes: Nodes | None = None, token: int = 0) -> NormalMixture:
    """One output coordinate of a token, from 0, at infinite width.

    For two tokens and one head nodes may be left out, and are those of the trapezoidal rule, which is exact to
    rounding.

    Raises:
        InputError: for a token that is not there, no nodes where they are needed, or scores that they do not resolve.
    """
    own = _own_variance(law, token)
    if nodes is None:
        if law.tokens > 2 or law.heads > 1:
            raise InputError("nodes", "some for more than two tokens or one head", "none", "draw nodes")
        logits, weights = _line(law, own)
        return NormalMixture(law.output_variance * _attended(logits, law.gram), weights)
    _check_sharpness(law, own)
    logits = math.sqrt(law.score_variance * own) * nodes.logits @ law.root.mT
    return _mixture(law.output_variance * _attended(logits, law.gram).mean(-1))


@one_thread()
def output_at_width(law: LayerLaw, nodes: Nodes, width: int, *, inputs: Inputs, token: int = 0) -> NormalMixture:
    """One output coordinate of a token, from 0, at a finite width n, exactly.

    Raises:
        InputError: for a width below the number of tokens, a token that is not there, or scores that the nodes do not
            resolve.
    """
    _check_sharpness(law, _own_variance(law, token))
    if width < law.tokens:
        raise InputError("width", f"at least the number of tokens, {law.tokens}", width, "use a wider layer")
    root = law.root if inputs == "fixed" else _drawn_root(law, nodes, width)
    gram = root @ root.mT
    query, value = (chi_square(nodes.chances[..., k], width) / width for k in (0, 1))
    own = law.score_variance * gram[..., None, token, token] * query
    logits = own.sqrt()[..., None] * (nodes.logits @ root.mT)
    return _mixture(law.output_variance * (_attended(logits, gram) * value).mean(-1))


@one_thread()
def head_moments(
    law: LayerLaw, token: int = 0, *, points: int = 2**13, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Mean and variance of one head's conditional variance v in the limit, and the excess kurtosis that they make.

    ``mean``, ``variance`` and ``excess`` (3 Var v/(H (E v)²)), each with its standard error, or that of a second rule,
    and with that of rounding. Points are those of the integration in each of eight replicates, where one is needed:
    tokens that are neither two nor orthogonal, of equal length and with scores of a variance from 0.001 to 225.

    Raises:
        InputError: for a token that is not there, or scores that random nodes do not resolve.
    """
    own, s = _own_variance(law, token), law.tokens
    low, high = _ORTHOGONAL
    orthogonal = s > 2 and torch.equal(law.gram, own * torch.eye(s, dtype=torch.float64))
    if orthogonal and low <= law.score_variance * own * own <= high:
        found = _orthogonal(law, own)
    else:
        one = LayerLaw(law.gram, 1, law.score_variance, law.output_variance)
        drawn = output_limit(one, None if s <= 2 else draw_nodes(one, points, 8, seed, widths=False), token)
        found = {"mean": mean_and_error(drawn.mean_variance), "variance": mean_and_error(drawn.variance_of_variance)}
    (mean, mean_error), (variance, error) = found["mean"], found["variance"]
    rounding = _ROUNDING * mean
    mean_error, error = mean_error + rounding, error + rounding * (math.sqrt(variance) + rounding)
    excess = (0.0, 0.0)
    if mean > 0:
        ratio = variance / mean / mean
        share = error / mean / mean + 2 * ratio * mean_error / mean
        excess = (3 * ratio / law.heads, 3 * share / law.heads)
    return {"mean": (mean, mean_error), "variance": (variance, error), "excess": excess}


def _orthogonal(law: LayerLaw, own: float) -> dict[str, tuple[float, float]]:
    """Mean and variance for orthogonal tokens of equal length, by two rules: their distance is the error."""
    scale, found = law.output_variance * own, []
    for coarser in (1.0, _COARSER):
        mean, second = (float(x) for x in orthogonal_moments([law.tokens], law.score_variance * own * own, coarser))
        found.append((scale * mean, scale**2 * (second - mean**2)))
    pairs = zip(("mean", "variance"), *found, strict=True)
    return {name: (fine, abs(fine - coarse)) for name, fine, coarse in pairs}


def chi_square(chances: Tensor, degrees: float | np.ndarray) -> Tensor:
    """Quantiles of the chi-square law at chances in (0, 1), any shape; degrees are of each or of each column."""
    from scipy.special import gammaincinv

    return torch.from_numpy(2 * gammaincinv(degrees / 2, chances.numpy()))


def _own_variance(law: LayerLaw, token: int) -> float:
    if not 0 <= token < law.tokens:
        raise InputError("token", f"a position from 0 to {law.tokens - 1}", token, "name one of the tokens")
    return float(law.gram[token, token])


def _check_sharpness(law: LayerLaw, own: float) -> None:
    """Refuse scores so different that random nodes miss where the attention moves from one token to another."""
    lengths = law.gram.diagonal()
    apart = float((lengths[:, None] + lengths - 2 * law.gram).max())
    largest = law.score_variance * own * apart
    if not largest <= _SHARPEST:
        expected = f"differences of scores of a variance of at most {_SHARPEST:g}"
        raise InputError("query-variance", expected, f"{largest:.4g}", "give smaller variances or shorter tokens")


def _attended(logits: Tensor, gram: Tensor) -> Tensor:
    """aᵀ K a with a the softmax of logits of shape (..., H, s)."""
    weights = logits.softmax(-1)
    return ((weights @ gram) * weights).sum(-1)


def _mixture(variances: Tensor) -> NormalMixture:
    return NormalMixture(variances, torch.full_like(variances, 1 / variances.shape[-1]))


def _line(law: LayerLaw, own: float) -> tuple[Tensor, Tensor]:
    """Two interleaved trapezoidal rules for the difference of two tokens' scores: their difference is the error.

    With the difference σz and z = sinh(t)/max(σ, 1) the softmax has no pole, and the normal density does not grow,
    within π/4 of the line: a step of 0.1 is exact to rounding, however large σ is. Logits and weights, shapes (2, N, s)
    and (2, N).
    """
    gap = 0.0 if law.tokens == 1 else float(law.gram[0, 0] + law.gram[1, 1] - 2 * law.gram[0, 1])
    sigma = math.sqrt(max(law.score_variance * own * gap, 0.0))
    stretch = max(sigma, 1.0)
    reach = math.asinh(_SPAN * stretch)
    count = math.ceil(2 * reach / _STEP)
    offsets = torch.tensor([[0.0], [0.5]], dtype=torch.float64)
    place = (torch.arange(count, dtype=torch.float64) + offsets) * (2 * reach / count) - reach
    at = place.sinh() / stretch
    weights = (-at.square() / 2).exp() * place.cosh()
    logits = torch.zeros(*at.shape, law.tokens, dtype=torch.float64)
    logits[..., 0] = sigma * at
    return logits, weights / weights.sum(-1, keepdim=True)


def _drawn_root(law: LayerLaw, nodes: Nodes, width: int) -> Tensor:
    """A factor of the inputs' own Gram matrix over n: L B times the length of h, shape (R, N, s, s)."""
    s = law.tokens
    factor = torch.zeros(*nodes.lower.shape[:2], s, s, dtype=torch.float64)
    rows, columns = torch.tril_indices(s, s, -1)
    factor[..., rows, columns] = nodes.lower
    factor.diagonal(dim1=-2, dim2=-1)[:] = chi_square(nodes.diagonal[..., :s], width - np.arange(s)).sqrt()
    hidden = chi_square(nodes.diagonal[..., s], width).sqrt()
    return law.root @ factor * (hidden / width)[..., None, None]
