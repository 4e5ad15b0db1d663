"""The figures of a checkpoint: spectra, indices, contributions and Lipschitz constants by depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from boundaudit import Panel, Series
from boundaudit.numeric.checkpoint import Encoder, Summary, mean_spectra
from boundaudit.reports.figures.drawing import evenly
from boundaudit.reports.model.rows import KINDS, Folded, folded

_MOST_LAYERS = 6


def panels(encoder: Encoder, summary: Summary) -> list[Panel]:
    """All figures of a checkpoint: singular values for each kind of matrix, then p*, contributions and α by depth."""
    rows = folded(summary)
    kinds = [kind for kind in KINDS if any(row.kind == kind for row in rows)]
    depths = list(range(1, summary.depth + 1))
    alphas = [alpha if math.isfinite(alpha) else None for alpha in summary.alphas]
    return [
        *(_spectra(encoder, kind) for kind in kinds),
        _by_depth("The best Schatten index", "p*, mean over heads and its range", rows, lambda row: row.indices),
        _by_depth("Contributions", "added over heads", rows, lambda row: [row.contribution], log=True),
        Panel("Lipschitz constant of all later layers", "layer", "α", [Series("α", depths, alphas)], log="y"),
    ]


def _spectra(encoder: Encoder, kind: str) -> Panel:
    """Singular values against their rank, for some layers where there are many."""
    found = mean_spectra(encoder, kind)
    chosen = sorted(evenly(list(found), _MOST_LAYERS))
    series = [Series(f"layer {k + 1}", list(range(1, len(found[k]) + 1)), found[k].tolist()) for k in chosen]
    several = "heads" if not kind.startswith("M") else "experts" if encoder.layout.experts > 1 else ""
    words = f"singular values, mean over {several}" if several else "singular values"
    return Panel(f"Spectrum of {KINDS[kind]}", "rank", words, series, log="y")


def _by_depth(
    title: str, axis: str, rows: Sequence[Folded], values: Callable[[Folded], Sequence[float]], *, log: bool = False
) -> Panel:
    """One curve a kind of matrix, with the range where a layer has several values."""
    series = []
    for kind in dict.fromkeys(row.kind for row in rows):
        found = [(row.layer + 1, values(row)) for row in rows if row.kind == kind]
        several = any(len(some) > 1 for _, some in found)
        means = [math.fsum(some) / len(some) for _, some in found]
        low, high = ([end(some) for _, some in found] if several else None for end in (min, max))
        middle = [mean if math.isfinite(mean) else None for mean in means]
        series.append(Series(kind, [layer for layer, _ in found], middle, low, high, drawn="points"))
    return Panel(title, "layer", axis, series, log="y" if log else "")
