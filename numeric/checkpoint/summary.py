"""Every norm, index and proxy of an encoder as plain numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from torch import Tensor

from boundaudit.numeric.checkpoint.covering import covering_curve
from boundaudit.numeric.checkpoint.encoder import Encoder
from boundaudit.numeric.checkpoint.layouts import HOMOGENEOUS
from boundaudit.numeric.samples import MOST_SAMPLES, informs_from
from boundaudit.numeric.schatten.bounds import post_hoc_curve
from boundaudit.numeric.schatten.proxy import (
    Block,
    Contribution,
    Mlp,
    block_matrices,
    covering_proxy,
    rank_cap,
    schatten_proxy,
)
from boundaudit.numeric.spectra import Spectrum

INDICES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Where the profile of Schatten sums is given."""


@dataclass(frozen=True)
class MatrixRow:
    """One matrix.

    Attributes:
        layer: from 0.
        kind: ``"Q"``, ``"V"``, ``"M_in"``, ``"M_gate"`` or ``"M_out"``; of cross-attention ``"Q_cross"`` or
            ``"V_cross"``.
        head: its head or, in a mixture, its expert, from 0; None for the matrices of an only MLP.
        shape: rows and columns, in the orientation that multiplies rows from the right.
        spectral: its largest singular value.
        frobenius: its Frobenius norm.
        norm_21: sum of the Euclidean norms of its columns.
        norm_11: sum of the moduli of its entries.
        stable_rank: squared Frobenius over squared spectral norm.
        schatten: S_p, the sum of the p-th powers of the singular values, by p; for 0 the rank.
        index: p*, the index of its smallest contribution.
        contribution: what it adds to the spectrum-adaptive proxy.
        scale: how far a unit of it moves the output, times the depth.
    """

    layer: int
    kind: str
    head: int | None
    shape: tuple[int, int]
    spectral: float
    frobenius: float
    norm_21: float
    norm_11: float
    stable_rank: float
    schatten: dict[str, float]
    index: float
    contribution: float
    scale: float


@dataclass(frozen=True)
class Summary:
    """A checkpoint in numbers.

    Attributes:
        checkpoint: as it was named.
        family: its ``model_type``, or ``"mapping"``.
        depth: L, all layers.
        decoder: how many of them, the last, are of a decoder that attends to the others.
        width: N.
        heads: attention heads of a layer.
        shared: heads of keys and values.
        experts: MLPs of a layer, one where it is no mixture.
        inner: hidden units of the MLP, or of each expert.
        activation: the name of their activation.
        lipschitz: its Lipschitz constant.
        formats: number formats in which the matrices are stored.
        proxies: ``spectrum_adaptive``, ``rank_cap`` and ``covering``.
        alphas: for each layer the Lipschitz constant of all later ones.
        indices: how many Schatten indices each matrix had to choose from.
        uncovered: what is not told by the matrices that are read, such as rotary positions, and tensors of unknown use:
            then no explicit bound is of the network.
        bounds: with a sample, its size, ``delta``, the loss's Lipschitz constant and range, and by spectra and by (1,1)
            norms how much the risk can exceed that on the sample, and how large a sample must be for it to say
            something; None where no 10^18 is enough.
        matrices: one row each.
    """

    checkpoint: str
    family: str
    depth: int
    decoder: int
    width: int
    heads: int
    shared: int
    experts: int
    inner: int
    activation: str
    lipschitz: float
    formats: tuple[str, ...]
    proxies: dict[str, float]
    alphas: tuple[float, ...]
    indices: int
    uncovered: tuple[str, ...]
    bounds: dict[str, float | None] | None
    matrices: tuple[MatrixRow, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON where its numbers are finite."""
        return asdict(self)


def summarise(encoder: Encoder, samples: float | None = None, delta: float = 0.05) -> Summary:
    """Compute every proxy of an encoder and what each matrix adds; with m samples explicit bounds, too.

    They fail with probability at most δ.

    Raises:
        InputError: where m is below 1 or δ not between 0 and 1.
    """
    layout, blocks = encoder.layout, encoder.blocks
    proxy = schatten_proxy(blocks, layout.width, encoder.lipschitz)
    added = {(part.layer, part.kind, part.head): part for part in proxy.contributions}
    rows = tuple(_row(added[key], found) for key, found in matrices(blocks))
    return Summary(
        checkpoint=encoder.name, family=layout.family, depth=len(blocks), decoder=len(blocks) - layout.depth,
        width=layout.width, heads=layout.heads, shared=layout.shared, experts=layout.experts, inner=layout.inner,
        activation=layout.activation, lipschitz=encoder.lipschitz,
        formats=encoder.formats,
        proxies={
            "spectrum_adaptive": proxy.total,
            "rank_cap": rank_cap(blocks, layout.width),
            "covering": covering_proxy(blocks, encoder.lipschitz),
        },
        alphas=proxy.alphas, indices=len(proxy.grid), matrices=rows,
        uncovered=layout.uncovered,
        bounds=None if samples is None or layout.uncovered else _bounds(encoder, samples, delta),
    )  # fmt: skip


def _bounds(encoder: Encoder, samples: float, delta: float) -> dict[str, float | None]:
    blocks, activation = encoder.blocks, encoder.lipschitz
    if encoder.layout.activation in HOMOGENEOUS:
        blocks = tuple(replace(block, mlps=tuple(map(_normed, block.mlps))) for block in blocks)
    curves: dict[str, Callable[[int], float]] = {
        "schatten": post_hoc_curve(blocks, encoder.layout.width, delta, activation=activation),
        "covering": covering_curve(blocks, delta, activation=activation),
    }
    found: dict[str, float | None] = {"samples": samples, "delta": delta, "loss_lipschitz": 1.0, "loss_range": 1.0}
    for name, gap in curves.items():
        found[f"{name}_post_hoc"] = gap(min(int(samples), MOST_SAMPLES))
        found[f"{name}_informs_from"] = informs_from(lambda m, gap=gap: gap(m) < 1)  # type: ignore[misc]
    return found


def _normed(mlp: Mlp) -> Mlp:
    """The same function of a homogeneous activation with ‖M_in‖ = 1, where hidden rows stay in the unit ball."""
    size = mlp.into.operator
    return replace(mlp, into=mlp.into.over(size), out=mlp.out.over(1 / size)) if size > 0 else mlp


def matrices(blocks: tuple[Block, ...]) -> Iterator[tuple[tuple[int, str, int | None], Spectrum]]:
    """Every matrix by its layer, kind and head: layer after layer, in each Q and V, cross-attention, the MLP."""
    for layer, block in enumerate(blocks):
        found = list(block_matrices(block))
        for kind in dict.fromkeys(kind for kind, *_ in found):
            yield from (((layer, kind, head), spectrum) for this, head, spectrum, _ in found if this == kind)


def mean_spectra(encoder: Encoder, kind: str) -> dict[int, Tensor]:
    """For each layer, from 0, that has it its singular values of a kind, falling, the mean over heads or experts."""
    values: dict[int, list[Tensor]] = defaultdict(list)
    for (layer, name, _), found in matrices(encoder.blocks):
        if name == kind:
            values[layer].append(found.values)
    return {layer: sum(found[1:], found[0]) / len(found) for layer, found in values.items()}


def _row(part: Contribution, found: Spectrum) -> MatrixRow:
    return MatrixRow(
        layer=part.layer, kind=part.kind, head=part.head, shape=found.shape, spectral=found.operator,
        frobenius=found.frobenius, norm_21=found.columns, norm_11=found.entries, stable_rank=found.stable_rank,
        schatten={f"{p:g}": found.schatten(p) for p in INDICES},
        index=part.index, contribution=part.value, scale=part.scale,
    )  # fmt: skip
