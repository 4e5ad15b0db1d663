"""The first correction in 1/n to the law of one output coordinate, an expectation over the limit's scores alone.

Given the scores' standard normal variables an output at width n is N(0, V), and V depends smoothly on what width makes
fluctuate about one: in each head the chi-squares of query and value over n, of variance 2/n, and for random features
Wⁱ h the Gram matrix L (I + A) Lᵀ, with A_ij of variance (1 + δ_ij)/n apart and a common 2/n of h's own length. All are
independent and unbiased to this order, so that by the delta method

    n (F_n(y) - F(y)) → D(y) = ½ Σ_k σ_k² ∂²/∂t² E Φ(y/√V_k(t)) at t = 0,

σ_k²/n the variance of fluctuation k, and V_k(t) the V that it moves by t. That the rest is of order 1/n² is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.infinite_width.layer import LayerLaw
from boundaudit.numeric.infinite_width.mixture import PointEstimate, largest
from boundaudit.numeric.infinite_width.one_output import Inputs, Nodes, output_limit
from boundaudit.numeric.threads import one_thread


class _Fluctuation(NamedTuple):
    """A direction in which width moves V: A (s, s), the chi-squares of queries and of values (H), and σ²."""

    gram: Tensor
    query: Tensor
    value: Tensor
    variance: float


@one_thread()
def width_correction(law: LayerLaw, nodes: Nodes, inputs: Inputs, at: Tensor) -> Tensor:
    """D for the first token at y, shape (G,), in R replicates of the limit's scores, shape (R, G)."""
    total = torch.zeros(len(nodes.logits), len(at), dtype=torch.float64)
    for moved in _fluctuations(law, inputs):
        total += moved.variance / 2 * _second(law, nodes, moved, at)
    return total


def largest_correction(law: LayerLaw, nodes: Nodes, inputs: Inputs) -> PointEstimate:
    """c, the largest value of |D|: the Kolmogorov-Smirnov distance at width n is c/n to first order.

    To about 1e-4 of itself by a second, finer grid, with its standard error.
    """
    step = 0.2 * output_limit(law, nodes).scale
    at = torch.arange(1, 21, dtype=torch.float64) * step
    for _ in range(2):
        found = width_correction(law, nodes, inputs, at)
        at = at[found.mean(0).abs().argmax()] + torch.linspace(-1, 1, 21, dtype=torch.float64) * step
    return largest(found)


def _fluctuations(law: LayerLaw, inputs: Inputs) -> Iterator[_Fluctuation]:
    """Independent ones; heads are alike, so that one stands for all."""
    s, heads = law.tokens, law.heads
    still, none = torch.zeros(s, s, dtype=torch.float64), torch.zeros(heads, dtype=torch.float64)
    first = none.clone()
    first[0] = 1
    yield _Fluctuation(still, first, none, 2.0 * heads)
    yield _Fluctuation(still, none, first, 2.0 * heads)
    if inputs == "fixed":
        return
    yield _Fluctuation(torch.eye(s, dtype=torch.float64), none, none, 2.0)
    for i in range(s):
        for j in range(i + 1):
            entry = still.clone()
            entry[i, j] = entry[j, i] = 1
            yield _Fluctuation(entry, none, none, 2.0 if i == j else 1.0)


def _second(law: LayerLaw, nodes: Nodes, moved: _Fluctuation, at: Tensor) -> Tensor:
    """The second derivative of E Φ(y/√V) along a fluctuation, shape (R, G)."""
    unit = torch.eye(law.tokens, dtype=torch.float64)

    def distribution(t: Tensor) -> Tensor:
        # The root of I + tA to second order.
        root = law.root @ (unit + t * moved.gram / 2 - t.square() * moved.gram @ moved.gram / 8)
        gram = root @ root.mT
        own = law.score_variance * gram[0, 0] * (1 + t * moved.query)
        weights = (own.sqrt()[:, None] * (nodes.logits @ root.mT)).softmax(-1)
        attended = ((weights @ gram) * weights).sum(-1)
        variance = law.output_variance * (attended * (1 + t * moved.value)).mean(-1)
        return torch.stack([torch.special.ndtr(y / variance.sqrt()).mean(-1) for y in at], -1)

    def slope(t: Tensor) -> Tensor:
        found: Tensor = torch.func.jvp(distribution, (t,), (torch.ones_like(t),))[1]
        return found

    zero = torch.zeros((), dtype=torch.float64)
    bend: Tensor = torch.func.jvp(slope, (zero,), (torch.ones_like(zero),))[1]
    return bend
