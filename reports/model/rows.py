"""The rows of a checkpoint's table: a layer's heads together, as the range of what they have."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from boundaudit.numeric.checkpoint import UNCOVERED, MatrixRow, Summary
from boundaudit.reports.wording import brief

COLUMNS = ("layer", "matrix", "shape", "spectral", "Frobenius", "(2,1)", "(1,1)", "stable rank", "p*", "contribution")
PROXIES = {
    "spectrum_adaptive": "spectrum-adaptive",
    "rank_cap": "rank cap",
    "covering": "covering, by (2,1) norms",
}
"""What each proxy is called."""
BOUNDS = {"schatten": "generalization gap by spectra, at most", "covering": "the same by (1,1) norms, at most"}
"""What each explicit bound is called."""
KINDS = {
    "Q": "W_Qᵀ W_K", "V": "W_Vᵀ W_Oᵀ",
    "Q_cross": "W_Qᵀ W_K of cross-attention", "V_cross": "W_Vᵀ W_Oᵀ of cross-attention",
    "M_in": "M_in", "M_gate": "M_gate", "M_out": "M_out",
}  # fmt: skip
"""What each kind of matrix is."""


@dataclass(frozen=True)
class Folded:
    """The matrices of one kind in one layer: those of all heads or experts, or one of an only MLP."""

    layer: int  # from 0
    kind: str  # one of `KINDS`
    members: tuple[MatrixRow, ...]  # at least one matrix
    before: int  # the layers before the stack that it is in: 0, or those of the encoder for one of a decoder

    @property
    def number(self) -> int:
        """Of the layer in its stack, from 1."""
        return self.layer + 1 - self.before

    @property
    def contribution(self) -> float:
        """What they add together."""
        return math.fsum(row.contribution for row in self.members)

    @property
    def indices(self) -> tuple[float, ...]:
        """p* of each."""
        return tuple(row.index for row in self.members)

    @property
    def cells(self) -> tuple[str, ...]:
        """A text for each of `COLUMNS`; contributions are summed."""
        heads = len(self.members)
        rows, columns = self.members[0].shape
        norms = ("spectral", "frobenius", "norm_21", "norm_11", "stable_rank", "index")
        return (
            f"decoder {self.number}" if self.before else str(self.number),
            self.kind if self.members[0].head is None else f"{self.kind} × {heads}",
            f"{rows} × {columns}",
            *(span([getattr(row, name) for row in self.members]) for name in norms),
            brief(self.contribution),
        )


def folded(summary: Summary) -> list[Folded]:
    """Matrices by layer and kind: four rows a layer, one more if its MLP is gated, two more with cross-attention."""
    encoder = summary.depth - summary.decoder if summary.decoder else math.inf
    groups = itertools.groupby(summary.matrices, key=lambda row: (row.layer, row.kind))
    return [
        Folded(layer, kind, tuple(members), int(encoder) if layer >= encoder else 0)
        for (layer, kind), members in groups
    ]


def totals(summary: Summary) -> list[tuple[str, str]]:
    """Every proxy and bound by its name in ten digits; of a bound also from which sample on it says something."""
    found = [(said, f"{summary.proxies[name]:.10g}") for name, said in PROXIES.items()]
    if summary.bounds is not None:
        for name, said in BOUNDS.items():
            least = summary.bounds[f"{name}_informs_from"]
            where = "below 1 for no m up to 10^18" if least is None else f"below 1 from m = {least:.4g} on"
            found.append((said, f"{summary.bounds[f'{name}_post_hoc']:.10g}, {where}"))
    return found


def notes(
    bounds: Mapping[str, float | None] | None, uncovered: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> list[str]:
    """What the numbers of checkpoints are, in paragraphs; ``uncovered``: what of each, by its name, is not."""
    said = [_PROXIES_NOTE]
    if bounds is not None:
        sample = f"Each bound of the gap holds with m = {bounds['samples']:,.0f} and δ = {bounds['delta']:g}"
        said.append(f"{sample} {_BOUND_NOTE}")
    partly = [f"{name}: not covered are {', '.join(parts)}." for name, parts in uncovered.items() if parts]
    seen = dict.fromkeys(UNCOVERED[part] for parts in uncovered.values() for part in parts if part in UNCOVERED)
    return [*said, *partly, " ".join([*seen, _NO_BOUND])] if partly else said


def span(values: Sequence[float]) -> str:
    """Values by their smallest and largest: ``0.31``, or ``0.31 – 1.2``."""
    return " – ".join(dict.fromkeys(brief(value) for value in (min(values), max(values))))


def sizes(summary: Summary) -> str:
    """The sizes of a checkpoint in one line."""
    left_out = f"; not covered: {', '.join(summary.uncovered)}" if summary.uncovered else ""
    shared = f" on {summary.shared} of keys and values" if summary.shared < summary.heads else ""
    experts = f"{summary.experts} experts of " if summary.experts > 1 else ""
    decoder = f" and {summary.decoder} of a decoder" if summary.decoder else ""
    return (
        f"{summary.family}, {summary.depth - summary.decoder} layers{decoder}, width {summary.width}, "
        f"{summary.heads} heads{shared}, {experts}{summary.inner} hidden units ({summary.activation}, "
        f"Lipschitz constant {summary.lipschitz:g}), stored as {', '.join(summary.formats)}{left_out}"
    )


def reading(summary: Summary) -> str:
    """How much of the adaptive proxy counts ranks alone, in one sentence."""
    ranks = sum(row.index == 0 for row in summary.matrices)
    total = len(summary.matrices)
    return (
        f"{ranks} of {total} matrices have p* = 0, where the spectrum-adaptive proxy counts the rank and no longer "
        f"depends on the size of the weights; {summary.indices} indices from 0 to 2 were tried for each."
    )


MATRICES_NOTE = (
    "Q is W_Qᵀ W_K of a head without the factor 1/√d_h, V its product of value and output maps; × h stands for the h "
    "heads or experts of a layer, from the smallest value to the largest, with their contributions added up."
)
"""What the rows of a table are."""
_PROXIES_NOTE = (
    "Biases, normalisations and embeddings are not read. Proxies have no constants and no sample in them: they compare "
    "checkpoints, and bound nothing by themselves."
)
_NO_BOUND = "No explicit bound is of such a network: compare it by its proxies."
_BOUND_NOTE = (
    "for the network that the proxies see, attention and MLP with rows projected on the unit ball, without residual "
    "connections, and a loss in [0, 1] with Lipschitz constant 1; of a ReLU MLP M_in is taken with norm 1, "
    "so that rescaling changes no bound. Norms and indices may be chosen after training. The "
    "exponents of the first are published, those of the second have the structure of the published covering bounds, "
    "with the (1,1) norm of each head's products; constants are derived here. Adding up the complexities of heads, "
    "which would save a factor √h, is proved for a scalar sum and not through a projection and an MLP, and is not used."
)
