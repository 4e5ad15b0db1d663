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
class Mlp:
    """An MLP x ↦ φ(x M_in) M_out, or with a gate x ↦ (φ(x M_gate) ⊙ x M_in) M_out: N × 4N, 4N × N, N × 4N."""

    into: Spectrum
    out: Spectrum
    gate: Spectrum | None = None

    @property
    def log_lipschitz(self) -> float:
        """Ln of how far its output moves with a row of the unit ball, over the activation's Lipschitz constant.

        With a gate and φ(0) = 0 the hidden units move by 2 ‖M_gate‖ ‖M_in‖: each factor is as large as it is steep, and
        both move.
        """
        into = log(self.into.operator)
        hidden = into if self.gate is None else math.log(2) + into + log(self.gate.operator)
        return hidden + log(self.out.operator)


@dataclass(frozen=True)
class Block:
    """One transformer block as the proxies see it, in the orientation that multiplies rows from the right.

    Attributes:
        queries: W_Qᵀ W_K of each head, without the factor 1/√d_h.
        values: W_Vᵀ W_Oᵀ of each head, the product of value and output maps.
        mlps: the MLP; or the experts of a mixture, a weighted mean of whose outputs follows attention.
        cross_queries: the same products of cross-attention, which follows self-attention in the blocks of a decoder:
            its scores are those of rows of the decoder with the encoder's output, its values that output's.
        cross_values: likewise.
    """

    queries: tuple[Spectrum, ...]
    values: tuple[Spectrum, ...]
    mlps: tuple[Mlp, ...]
    cross_queries: tuple[Spectrum, ...] = ()
    cross_values: tuple[Spectrum, ...] = ()

    def __post_init__(self) -> None:
        attended = ((self.queries, self.values, 1), (self.cross_queries, self.cross_values, 0))
        for queries, values, least in attended:
            if not len(values) == len(queries) >= least:
                got = f"{len(queries)} and {len(values)}"
                raise InputError(
                    "block", "as many query-key as value matrices, at least one", got, "give both of each head"
                )
        if not self.mlps:
            raise InputError("block", "an MLP", "none", "give at least one")

    @property
    def log_mlp(self) -> float:
        """Ln of the Lipschitz constant of its MLP, over the activation's; that of the steepest expert of a mixture."""
        return max(mlp.log_lipschitz for mlp in self.mlps)

    @property
    def log_cross(self) -> float:
        """Ln of how far cross-attention moves with the decoder's rows, 2 Σ_h ‖Q_h‖ ‖V_h‖; 0 where there is none."""
        heads = zip(self.cross_queries, self.cross_values, strict=True)
        moves = [math.log(2) + log(query.operator) + log(value.operator) for query, value in heads]
        return log_sum(moves) if moves else 0.0


@dataclass(frozen=True)
class Contribution:
    """What one matrix adds to the proxy.

    Attributes:
        layer: its block, from 0.
        kind: ``"Q"``, ``"V"``, ``"M_in"``, ``"M_gate"`` or ``"M_out"``; ``"Q_cross"`` or ``"V_cross"``.
        head: its head or expert, from 0; None for the matrices of a block's only MLP.
        index: the Schatten index of the grid at which it is smallest, the smallest such.
        value: the contribution there.
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
        total: the sum of the contributions and √L.
        contributions: one for each matrix, layer by layer, in the order of `block_matrices`.
        alphas: for each layer the Lipschitz constant of all later ones.
        grid: the Schatten indices among which each matrix has its own.
    """

    total: float
    contributions: tuple[Contribution, ...]
    alphas: tuple[float, ...]
    grid: tuple[float, ...]


def index_grid(depth: int, width: int) -> tuple[float, ...]:
    """The Schatten indices 0, 1/m, …, 2, m = ⌈L + ln N⌉, for depth L and width N; InputError for less than 1."""
    for name, value in (("depth", depth), ("width", width)):
        if value < 1:
            raise InputError(name, "at least 1", value, "give the sizes of the network")
    m = math.ceil(depth + math.log(width))
    return tuple(k / m for k in range(2 * m + 1))


def contribution(spectrum: Spectrum, p: float, scale: float, width: int) -> float:
    """What one matrix adds at index p from 0 to 2: S_p^{1/(p+2)} s^{p/(p+2)} N^{(p+1)/(p+2)}; 0 for the zero matrix.

    The scale is s = γ α L, which the rank, at 0, does not see, and N the hidden size, also for the matrices of the MLP.
    """
    return exp(_log_contributions(spectrum, [p], log(scale), width)[0])


def schatten_proxy(blocks: Sequence[Block], width: int, activation: float = 1.13) -> Proxy:
    """Sakai & Imaizumi's proxy adapted to several heads: every matrix at its own best index, plus √L.

    N is the hidden size; the activation's Lipschitz constant, 1.13, is theirs for GELU.

    Raises:
        InputError: where there is no block or the width is below 1.
    """
    grid = index_grid(len(blocks), width)
    alphas = _log_alphas(blocks, activation)
    found = []
    for layer, (block, alpha) in enumerate(zip(blocks, alphas, strict=True)):
        for kind, head, spectrum, gamma in block_matrices(block):
            scale = gamma + alpha + math.log(len(blocks))
            logarithms = _log_contributions(spectrum, grid, scale, width)
            least = min(logarithms)
            found.append(Contribution(layer, kind, head, grid[logarithms.index(least)], exp(least), exp(scale)))
    total = math.fsum(part.value for part in found) + math.sqrt(len(blocks))
    return Proxy(total, tuple(found), tuple(map(exp, alphas)), grid)


def covering_proxy(blocks: Sequence[Block], activation: float = 1.13) -> float:
    """The proxy of Edelman et al.'s bound by (2,1) norms, adapted to several heads: (1 + Σ α^{2/3} ξ)^{3/2}."""
    alphas = _log_alphas(blocks, activation)
    terms = [0.0]
    for block, alpha in zip(blocks, alphas, strict=True):
        for kind, _, matrix, gamma in block_matrices(block):
            moved = gamma - math.log(2) if kind in {"Q", "Q_cross"} else gamma  # theirs has no 2 there
            terms.append(2 * (alpha + moved + log(matrix.columns)) / 3)
    return exp(1.5 * log_sum(terms))


def rank_cap(blocks: Sequence[Block], width: int) -> float:
    """The proxy with every index 0, which no choice of indices exceeds: Σ √(rank · N) + √L.

    The size of the weights enters only where singular values are cut below rounding.
    """
    ranks = [spectrum.schatten(0) for block in blocks for _, _, spectrum, _ in block_matrices(block)]
    return math.fsum(math.sqrt(rank * width) for rank in ranks) + math.sqrt(len(blocks))


def block_matrices(block: Block) -> Iterator[tuple[str, int | None, Spectrum, float]]:
    """Kind, head or expert, spectrum and ln γ of every matrix of a block, whose output moves by γ for a unit of it.

    Q and V of each head in turn, those of cross-attention, M_in, M_gate where there is one, M_out. The weights with
    which a router mixes experts are at most 1, and held fixed.
    """
    attended = {
        "": (block.queries, block.values, block.log_cross + block.log_mlp),
        "_cross": (block.cross_queries, block.cross_values, block.log_mlp),
    }
    for suffix, (queries, values, after) in attended.items():
        for head, (query, value) in enumerate(zip(queries, values, strict=True)):
            yield f"Q{suffix}", head, query, math.log(2) + log(value.operator) + after
            yield f"V{suffix}", head, value, after
    experts = [(expert if len(block.mlps) > 1 else None, mlp) for expert, mlp in enumerate(block.mlps)]
    for expert, mlp in experts:
        gate = 0.0 if mlp.gate is None else log(mlp.gate.operator)
        yield "M_in", expert, mlp.into, log(mlp.out.operator) + gate
    for expert, mlp in experts:
        if mlp.gate is not None:
            yield "M_gate", expert, mlp.gate, log(mlp.out.operator) + log(mlp.into.operator)
    for expert, mlp in experts:
        yield "M_out", expert, mlp.out, 0.0


def _log_alphas(blocks: Sequence[Block], activation: float) -> list[float]:
    """Logarithms of α: how far the output moves with that of each block.

    From block to block α grows by L_φ ‖M_in‖ ‖M_out‖ Σ_h ‖V_h‖ (1 + 4‖Q_h‖), in a decoder times 2 Σ_h ‖Q_h‖ ‖V_h‖ of
    cross-attention; the output of an encoder moves that of each of the decoder's blocks by L_φ ‖M_in‖ ‖M_out‖ Σ_h ‖V_h‖
    (1 + 2‖Q_h‖) of its cross-attention.
    """
    found: list[float] = []
    alpha, encoded = 0.0, -math.inf
    for block, after in zip(reversed(blocks), (None, *reversed(blocks)), strict=False):
        if after is not None and after.cross_queries and not block.cross_queries:
            alpha = encoded
        found.append(alpha)
        through = alpha + math.log(activation) + block.log_mlp
        if block.cross_queries:
            encoded = log_sum([encoded, through + _log_attention(block.cross_queries, block.cross_values, 2)])
        alpha = through + block.log_cross + _log_attention(block.queries, block.values, 4)
    return found[::-1]


def _log_attention(queries: Sequence[Spectrum], values: Sequence[Spectrum], factor: int) -> float:
    """Ln Σ_h ‖V_h‖ (1 + c ‖Q_h‖)."""
    return log_sum([log(v.operator) + math.log1p(factor * q.operator) for q, v in zip(queries, values, strict=True)])


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
