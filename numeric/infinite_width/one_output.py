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

import torch
from torch import Tensor
from torch.quasirandom import SobolEngine

from boundaudit import InputError
from boundaudit.numeric.infinite_width.layer import LayerLaw
from boundaudit.numeric.infinite_width.mixture import NormalMixture, mean_and_error
from boundaudit.numeric.infinite_width.orthogonal import orthogonal_moments
from boundaudit.numeric.threads import one_thread

Inputs = Literal["fixed", "features"]
"""Inputs with the Gram matrix n K at every width, or xⁱ = Wⁱ h for random Wⁱ and one Gaussian h, mixed to have it in
the limit."""

_SPAN, _LINE = 12.0, 400
_COARSER, _ROUNDING = 1.3, 1e-11


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

    Args:
        law: Of s tokens and H heads.
        points: Of each replicate, best a power of two.
        replicates: Independently scrambled, at least two.
        seed: Of the scrambling.
        widths: Whether they have what finite widths need.

    Returns:
        The nodes.

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
    """One output coordinate at infinite width.

    Args:
        law: The layer.
        nodes: Of the integration; for two tokens and one head they may be left out, and are those of the trapezoidal
            rule, which is exact to rounding.
        token: Its position, from 0.

    Returns:
        The mixture.

    Raises:
        InputError: for a token that is not there, or no nodes where they are needed.
    """
    own = _own_variance(law, token)
    if nodes is None:
        if law.tokens > 2 or law.heads > 1:
            raise InputError("nodes", "some for more than two tokens or one head", "none", "draw nodes")
        logits, weights = _line(law, own)
        return NormalMixture(law.output_variance * _attended(logits, law.gram), weights)
    logits = math.sqrt(law.score_variance * own) * nodes.logits @ law.root.mT
    return _mixture(law.output_variance * _attended(logits, law.gram).mean(-1))


@one_thread()
def output_at_width(
    law: LayerLaw, nodes: Nodes, width: int, *, inputs: Inputs, head_width: int | None = None, token: int = 0
) -> NormalMixture:
    """One output coordinate at a finite width, exactly.

    Args:
        law: The layer.
        nodes: Of the integration.
        width: n, at least the number of tokens.
        inputs: Which.
        head_width: Of queries, keys and values in a head; the width unless given.
        token: Its position, from 0.

    Returns:
        The mixture.

    Raises:
        InputError: for a width below the number of tokens or a token that is not there.
    """
    _own_variance(law, token)
    inner = head_width or width
    if width < law.tokens or inner < 1:
        raise InputError("width", f"at least the number of tokens, {law.tokens}", width, "use a wider layer")
    root = law.root if inputs == "fixed" else _drawn_root(law, nodes, width)[:, :, None]
    gram = root @ root.mT
    query, value = (chi_square(nodes.chances[..., k], inner) / inner for k in (0, 1))
    own = law.score_variance * gram[..., token, token] * query
    logits = own.sqrt()[..., None] * (root @ nodes.logits[..., None])[..., 0]
    return _mixture(law.output_variance * (_attended(logits, gram) * value).mean(-1))


@one_thread()
def head_moments(
    law: LayerLaw, token: int = 0, *, points: int = 2**13, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Mean and variance of one head's conditional variance v in the limit, and the excess kurtosis that they make.

    Args:
        law: The layer.
        token: Its position, from 0.
        points: Of the integration in each of eight replicates, where one is needed: tokens that are neither two nor
            orthogonal and of equal length.
        seed: Of its nodes.

    Returns:
        ``mean``, ``variance`` and ``excess`` (3 Var v/(H (E v)²)), each with its standard error; zero stands for one
        at rounding.
    """
    own, s = _own_variance(law, token), law.tokens
    if s > 2 and torch.equal(law.gram, own * torch.eye(s, dtype=torch.float64)):
        return _orthogonal(law, own)
    one = LayerLaw(law.gram, 1, law.score_variance, law.output_variance)
    found = output_limit(one, None if s <= 2 else draw_nodes(one, points, 8, seed, widths=False), token)
    excess = found.excess_kurtosis if float(found.mean_variance.min()) > 0 else torch.zeros(2, dtype=torch.float64)
    return {
        "mean": mean_and_error(found.mean_variance), "variance": mean_and_error(found.variance_of_variance),
        "excess": mean_and_error(excess / law.heads),
    }  # fmt: skip


def _orthogonal(law: LayerLaw, own: float) -> dict[str, tuple[float, float]]:
    """The same for orthogonal tokens of equal length, by two rules of integration: their distance is the error."""
    scale, found = law.output_variance * own, []
    for coarser in (1.0, _COARSER):
        moments = orthogonal_moments([law.tokens], law.score_variance * own * own, coarser)
        mean, second = (float(x) for x in moments)
        variance = max(second - mean**2, 0.0)
        found.append((scale * mean, scale**2 * variance, 0.0 if scale == 0 else 3 * variance / mean**2 / law.heads))
    pairs = zip(("mean", "variance", "excess"), *found, strict=True)
    errors = {name: (fine, abs(fine - coarse)) for name, fine, coarse in pairs}
    return {name: (value, error if error > _ROUNDING * value else 0.0) for name, (value, error) in errors.items()}


def chi_square(chances: Tensor, degrees: float) -> Tensor:
    """Quantiles of the chi-square law.

    Args:
        chances: In (0, 1), any shape.
        degrees: Of freedom.

    Returns:
        The same shape.
    """
    from scipy.special import gammaincinv

    return torch.from_numpy(2 * gammaincinv(degrees / 2, chances.numpy()))


def _own_variance(law: LayerLaw, token: int) -> float:
    if not 0 <= token < law.tokens:
        raise InputError("token", f"a position from 0 to {law.tokens - 1}", token, "name one of the tokens")
    return float(law.gram[token, token])


def _attended(logits: Tensor, gram: Tensor) -> Tensor:
    """aᵀ K a with a the softmax of logits of shape (..., s)."""
    weights = logits.softmax(-1)
    return ((weights[..., None, :] @ gram)[..., 0, :] * weights).sum(-1)


def _mixture(variances: Tensor) -> NormalMixture:
    return NormalMixture(variances, torch.full_like(variances, 1 / variances.shape[-1]))


def _line(law: LayerLaw, own: float) -> tuple[Tensor, Tensor]:
    """Two interleaved trapezoidal rules for the difference of two tokens' scores: their difference is the error."""
    step = 2 * _SPAN / _LINE
    offsets = torch.tensor([[0.0], [step / 2]], dtype=torch.float64)
    at = torch.arange(_LINE, dtype=torch.float64) * step - _SPAN + offsets
    weights = (-at.square() / 2).exp()
    gap = 0.0 if law.tokens == 1 else float(law.gram[0, 0] + law.gram[1, 1] - 2 * law.gram[0, 1])
    logits = torch.zeros(*at.shape, law.tokens, dtype=torch.float64)
    logits[..., 0] = math.sqrt(max(law.score_variance * own * gap, 0.0)) * at
    return logits, weights / weights.sum(-1, keepdim=True)


def _drawn_root(law: LayerLaw, nodes: Nodes, width: int) -> Tensor:
    """A factor of the inputs' own Gram matrix over n: L B times the length of h, shape (R, N, s, s)."""
    s = law.tokens
    factor = torch.zeros(*nodes.lower.shape[:2], s, s, dtype=torch.float64)
    rows, columns = torch.tril_indices(s, s, -1)
    factor[..., rows, columns] = nodes.lower
    for k in range(s):
        factor[..., k, k] = chi_square(nodes.diagonal[..., k], width - k).sqrt()
    hidden = chi_square(nodes.diagonal[..., s], width).sqrt()
    return law.root @ factor * (hidden / width)[..., None, None]
