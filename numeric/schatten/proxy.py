"""The proxies that compare trained transformers: Schatten sums with an index for each matrix, (2,1) norms, and ranks.

Depth makes the Lipschitz constants of later layers enormous. Everything is computed in logarithms; a number is infinite
only where no float holds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from boundaudit import InputError
from boundaudit.numeric.logarithms import exp, log, log_sum
from boundaudit.numeric.spectra import Spectrum


@dataclass(frozen=True)
class Block:
    """One transformer block as the proxies see it, in the orientation that multiplies rows from the right.

    Attributes:
        queries: W_Qᵀ W_K of each head, without the factor 1/√d_h.
        values: W_Vᵀ W_Oᵀ of each head, the product of value and output maps.
        into: M_in, the first matrix of the MLP, N × 4N.
        out: M_out, its second matrix, 4N × N.
        gate: M_gate where the MLP is x ↦ (φ(x M_gate) ⊙ x M_in) M_out, of the shape of M_in.
    """

    queries: tuple[Spectrum, ...]
    values: tuple[Spectrum, ...]
    into: Spectrum
    out: Spectrum
    gate: Spectrum | None = None

    def __post_init__(self) -> None:
        """Every head has both of its matrices."""
        if not self.queries or len(self.queries) != len(self.values):
            got = f"{len(self.queries)} and {len(self.values)}"
            raise InputError(
                "block", "as many query-key as value matrices, at least one", got, "give both of each head"
            )

    @property
    def log_hidden(self) -> float:
        """Ln of how far hidden units move with a row of the unit ball, over the activation's Lipschitz constant.

        With a gate and φ(0) = 0 it is ln(2 ‖M_gate‖ ‖M_in‖): each factor is as large as it is steep, and both move.
        """
        into = log(self.into.operator)
        return into if self.gate is None else math.log(2) + into + log(self.gate.operator)


@dataclass(frozen=True)
class Contribution:
    """What one matrix adds to the proxy.

    Attributes:
        layer: Its block, from 0.
        kind: ``"Q"``, ``"V"``, ``"M_in"``, ``"M_gate"`` or ``"M_out"``.
        head: Its head, from 0; None for the matrices of the MLP.
        index: The Schatten index of the grid at which it is smallest, the smallest such.
        value: The contribution there.
        scale: γ α L: how far a unit of it moves the output, times the depth.
    """

    layer: int
    kind: str
    head: int | None
    index: float
    value: float
    scale: float


@dataclass(frozen=True)
class Proxy:
    """The proxy of a network, and what it is made of.

    Attributes:
        total: The sum of the contributions and √L.
        contributions: One for each matrix, layer by layer: Q and V of each head in turn, M_in, M_gate, M_out.
        alphas: For each layer the Lipschitz constant of all later ones.
        grid: The Schatten indices among which each matrix has its own.
    """

    total: float
    contributions: tuple[Contribution, ...]
    alphas: tuple[float, ...]
    grid: tuple[float, ...]


def index_grid(depth: int, width: int) -> tuple[float, ...]:
    """The Schatten indices 0, 1/m, …, 2 with m = ⌈L + ln N⌉.

    Args:
        depth: L, the number of blocks.
        width: N, the hidden size.

    Returns:
        2m + 1 indices.

    Raises:
        InputError: where depth or width is below 1.
    """
    for name, value in (("depth", depth), ("width", width)):
        if value < 1:
            raise InputError(name, "at least 1", value, "give the sizes of the network")
    m = math.ceil(depth + math.log(width))
    return tuple(k / m for k in range(2 * m + 1))


def contribution(spectrum: Spectrum, p: float, scale: float, width: int) -> float:
    """What one matrix adds at one index: S_p^{1/(p+2)} s^{p/(p+2)} N^{(p+1)/(p+2)}.

    Args:
        spectrum: The matrix.
        p: The Schatten index, from 0 to 2; 0 counts the rank and does not see the scale.
        scale: s = γ α L.
        width: N, the hidden size, also for the matrices of the MLP.

    Returns:
        The contribution; 0 for the zero matrix.
    """
    return exp(_log_contributions(spectrum, [p], log(scale), width)[0])


def schatten_proxy(blocks: Sequence[Block], width: int, activation: float = 1.13) -> Proxy:
    """Sakai & Imaizumi's proxy adapted to several heads: every matrix at its own best index, plus √L.

    Args:
        blocks: The network, first block first.
        width: N, the hidden size.
        activation: The Lipschitz constant of the MLP's activation; 1.13 is theirs for GELU.

    Returns:
        The proxy with its parts.

    Raises:
        InputError: where there is no block or the width is below 1.
    """
    grid = index_grid(len(blocks), width)
    alphas = _log_alphas(blocks, activation)
    found = []
    for layer, (block, alpha) in enumerate(zip(blocks, alphas, strict=True)):
        for kind, head, spectrum, gamma in _matrices(block):
            scale = gamma + alpha + math.log(len(blocks))
            logarithms = _log_contributions(spectrum, grid, scale, width)
            least = min(logarithms)
            found.append(Contribution(layer, kind, head, grid[logarithms.index(least)], exp(least), exp(scale)))
    total = math.fsum(part.value for part in found) + math.sqrt(len(blocks))
    return Proxy(total, tuple(found), tuple(map(exp, alphas)), grid)


def covering_proxy(blocks: Sequence[Block], activation: float = 1.13) -> float:
    """The proxy of Edelman et al.'s bound by (2,1) norms, adapted to several heads: (1 + Σ α^{2/3} ξ)^{3/2}.

    Args:
        blocks: The network, first block first.
        activation: The Lipschitz constant of the MLP's activation.

    Returns:
        The proxy.
    """
    alphas = _log_alphas(blocks, activation)
    terms = [0.0]
    for block, alpha in zip(blocks, alphas, strict=True):
        hidden, out = block.log_hidden, log(block.out.operator)
        parts = [gamma + log(matrix.columns) for _, _, matrix, gamma in mlp_matrices(block)]
        for query, value in zip(block.queries, block.values, strict=True):
            parts += [out + hidden + log(value.operator) + log(query.columns), out + hidden + log(value.columns)]
        terms += [2 * (alpha + part) / 3 for part in parts]
    return exp(1.5 * log_sum(terms))


def rank_cap(blocks: Sequence[Block], width: int) -> float:
    """The proxy with every index 0, which no choice of indices exceeds: Σ √(rank · N) + √L.

    Args:
        blocks: The network.
        width: N, the hidden size.

    Returns:
        The cap; the size of the weights enters only where singular values are cut below rounding.
    """
    ranks = [spectrum.schatten(0) for block in blocks for _, _, spectrum, _ in _matrices(block)]
    return math.fsum(math.sqrt(rank * width) for rank in ranks) + math.sqrt(len(blocks))


def _matrices(block: Block) -> Iterator[tuple[str, int | None, Spectrum, float]]:
    """Kind, head, spectrum and ln γ of each matrix; γ is how far a unit of it moves the block's output."""
    hidden, out = block.log_hidden, log(block.out.operator)
    for head, (query, value) in enumerate(zip(block.queries, block.values, strict=True)):
        yield "Q", head, query, math.log(2) + log(value.operator) + out + hidden
        yield "V", head, value, out + hidden
    yield from mlp_matrices(block)


def mlp_matrices(block: Block) -> Iterator[tuple[str, None, Spectrum, float]]:
    """Kind, None, spectrum and ln γ of each matrix of the MLP.

    Args:
        block: The block.

    Yields:
        M_in, M_gate where there is one, M_out.
    """
    out = log(block.out.operator)
    yield "M_in", None, block.into, out + (0.0 if block.gate is None else log(block.gate.operator))
    if block.gate is not None:
        yield "M_gate", None, block.gate, out + log(block.into.operator)
    yield "M_out", None, block.out, 0.0


def _log_alphas(blocks: Sequence[Block], activation: float) -> list[float]:
    """Logarithms of α: for each block the sum over all later ones of ln(L_φ ‖M_in‖ ‖M_out‖ Σ_h ‖V_h‖ (1 + 4‖Q_h‖))."""
    # A gated MLP has 2 ‖M_gate‖ ‖M_in‖ for ‖M_in‖.
    alphas = [0.0]
    for block in reversed(blocks[1:]):
        heads = [log(v.operator) + math.log1p(4 * q.operator) for q, v in zip(block.queries, block.values, strict=True)]
        factor = math.log(activation) + block.log_hidden + log(block.out.operator) + log_sum(heads)
        alphas.append(alphas[-1] + factor)
    return alphas[::-1]


def _log_contributions(spectrum: Spectrum, indices: Sequence[float], log_scale: float, width: int) -> list[float]:
    """The logarithms of a matrix's contribution at several indices."""
    p = torch.tensor(indices, dtype=torch.float64)
    # Values within rounding of zero count at no index, not only at 0.
    kept = spectrum.values[: int(spectrum.schatten(0))]
    totals = torch.logsumexp(p[:, None] * kept.log(), dim=1)
    # At index 0 the scale has the exponent 0, also where it is 0 or infinite.
    scaled = torch.where(p > 0, p * log_scale, 0.0)
    found: list[float] = ((totals + scaled + (p + 1) * math.log(width)) / (p + 2)).tolist()
    return found
