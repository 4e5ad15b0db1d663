"""Measurements that several chapters of the limit share: nodes and laws of equal orthogonal tokens, each made once."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch

from boundaudit.checks.language.points import Point
from boundaudit.numeric.infinite_width.layer import LayerLaw, layer_law
from boundaudit.numeric.infinite_width.mixture import NormalMixture, PointEstimate
from boundaudit.numeric.infinite_width.one_output import Inputs, Nodes, draw_nodes, output_at_width, output_limit

_POINTS, _REPLICATES = 2**12, 16


@functools.lru_cache(maxsize=8)
def orthogonal(tokens: int, heads: int) -> tuple[LayerLaw, Nodes, NormalMixture]:
    """A layer of orthogonal tokens of unit length, nodes for it, and its law in the limit."""
    law = layer_law(torch.eye(tokens, dtype=torch.float64), heads)
    nodes = draw_nodes(law, _POINTS, _REPLICATES, 0)
    return law, nodes, output_limit(law, nodes)


@functools.lru_cache(maxsize=32)
def at_width(tokens: int, heads: int, width: int, inputs: Inputs) -> NormalMixture:
    """One output at a finite width."""
    law, nodes, _ = orthogonal(tokens, heads)
    return output_at_width(law, nodes, width, inputs=inputs)


def against_limit(
    of: Callable[[NormalMixture, NormalMixture], PointEstimate], inputs: Inputs, heads: int = 1
) -> Callable[[Point], PointEstimate]:
    """A number of the law of four tokens at width n = 2^b_iw and of the limit, by the same nodes.

    Args:
        of: From both laws to the number and its standard error.
        inputs: Which.
        heads: H.

    Returns:
        From a point to the number and its standard error.
    """

    @functools.cache
    def at(logarithm: int) -> PointEstimate:
        return of(at_width(4, heads, 2**logarithm, inputs), orthogonal(4, heads)[2])

    return lambda point: at(int(point["b_iw"]))
