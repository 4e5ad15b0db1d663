"""The matrices of checkpoints, each by itself: spectra against noise and as power laws, in tables and figures."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from boundaudit import Panel, Series
from boundaudit.numeric.checkpoint import Measured, SpectrumRow
from boundaudit.reports.figures.drawing import evenly
from boundaudit.reports.wording import brief

COLUMNS = (
    "matrix", "shape", "spectral", "stable rank", "soft rank", "beyond", "α", "tail", "distance", "power law", "to know"
)  # fmt: skip
TOTALS = ("checkpoint", "step", "matrices", "spectral", "stable rank", "soft rank", "beyond", "α", "not excluded")
NOTES = (
    "Eigenvalues are those of WᵀW. Soft rank is the Marchenko-Pastur edge over the largest of them, the edge that of "
    "noise with the same median; beyond counts those past it. α ± its standard error is the exponent of a power law "
    "fitted to a tail of so many, at a Kolmogorov distance; it is excluded where a log-normal or an exponential tail "
    "fits better (at 10 %). A convolution is the matrix that multiplies patches: output channels × input channels and "
    "positions of the kernel.",
    "None of these numbers alone bounds an error on new data.",
)
"""What the numbers are."""
_MOST_DRAWN, _MOST_CURVES = 12, 6
_NUMBERS: dict[str, Callable[[SpectrumRow], float | None]] = {
    "spectral norm": lambda row: row.spectral,
    "stable rank": lambda row: row.stable_rank,
    "soft rank": lambda row: row.mp_soft_rank,
    "exponent α": lambda row: row.alpha,
}
_LINEAR = {"soft rank"}


def cells(found: Sequence[Measured]) -> list[tuple[str, ...]]:
    """A text for each of `COLUMNS`, of each matrix that was read."""
    return [_cells(one.row) for one in found if len(one.values)]


def totals(checkpoints: Sequence[Sequence[Measured]]) -> list[tuple[str, ...]]:
    """A text for each of `TOTALS`, of each checkpoint: medians over its matrices, and sums of counts."""
    return [_totals([one.row for one in found if len(one.values)]) for found in checkpoints]


def left_out(checkpoints: Sequence[Sequence[Measured]]) -> list[str]:
    """The tensors that were not read, a sentence a reason."""
    reasons: dict[str, list[str]] = {}
    for row in (one.row for found in checkpoints for one in found if not len(one.values)):
        reasons.setdefault(row.warnings, []).append(row.matrix)
    return [f"{why[0].upper()}{why[1:]}: {', '.join(dict.fromkeys(names))}." for why, names in reasons.items()]


def panels(checkpoints: Sequence[Sequence[Measured]]) -> list[Panel]:
    """All figures: of one checkpoint numbers by matrix and tails of some, of several numbers by step."""
    read = [[one for one in found if len(one.values)] for found in checkpoints]
    if len(read) > 1:
        return [_by_step(read, name) for name in _NUMBERS]
    return [*(_by_matrix(read[0], name) for name in _NUMBERS), *map(_tail, evenly(read[0], _MOST_DRAWN))]


def _cells(row: SpectrumRow) -> tuple[str, ...]:
    alpha = "–" if row.alpha is None else f"{row.alpha:.3g} ± {row.alpha_error:.2g}"
    numbers = (row.spectral, row.stable_rank, row.mp_soft_rank, row.mp_beyond)
    return (
        row.matrix, f"{row.rows} × {row.columns}", *map(brief, numbers), alpha, brief(row.tail),
        brief(row.ks_distance), row.power_law or "–", row.warnings,
    )  # fmt: skip


def _totals(rows: Sequence[SpectrumRow]) -> tuple[str, ...]:
    fitted = [row for row in rows if row.alpha is not None]
    free = sum(row.power_law == "not excluded" for row in fitted)
    spectral, stable, soft, alpha = (brief(_median(rows, of)) for of in _NUMBERS.values())
    beyond = sum(row.mp_beyond or 0 for row in rows)
    return (
        rows[0].checkpoint, brief(rows[0].step), str(len(rows)), spectral, stable, soft, str(beyond), alpha,
        f"{free} of {len(fitted)}",
    )  # fmt: skip


def _median(rows: Sequence[SpectrumRow], of: Callable[[SpectrumRow], float | None]) -> float | None:
    values = [value for value in map(of, rows) if value is not None]
    return statistics.median(values) if values else None


def _by_matrix(found: Sequence[Measured], name: str) -> Panel:
    """A number against that of the matrix in the table, from 1; α with two standard errors."""
    rows, numbers = [one.row for one in found], list(range(1, len(found) + 1))
    bars = name == "exponent α"
    ends = [[_off(row, by) for row in rows] if bars else None for by in (-2, 2)]
    series = Series(name, numbers, [_NUMBERS[name](row) for row in rows], *ends, drawn="points")
    more = " ± 2 standard errors" if bars else ""
    return _panel(name, "by matrix", "matrix, in the order of the table", more, [series])


def _panel(name: str, where: str, x: str, more: str, series: Sequence[Series]) -> Panel:
    title = f"{name[0].upper()}{name[1:]} {where}"
    return Panel(title, x, f"{name}{more}", series, log="" if name in _LINEAR else "y")


def _off(row: SpectrumRow, by: float) -> float | None:
    return None if row.alpha is None or row.alpha_error is None else row.alpha + by * row.alpha_error


def _tail(one: Measured) -> Panel:
    """The share of eigenvalues from each on, with the fitted law and that of noise."""
    row, count = one.row, len(one.values)
    eigenvalues = (one.values[: row.rank] ** 2).tolist()
    shares = [(i + 1) / count for i in range(len(eigenvalues))]
    series = [Series("eigenvalues", eigenvalues, list(shares))]
    if row.alpha is not None and row.x_min is not None and row.tail is not None:
        ends = [row.x_min, eigenvalues[0]]
        law = [row.tail / count * (end / row.x_min) ** (1 - row.alpha) for end in ends]
        series.append(Series("fitted power law", ends, list(law)))
    noise, above = one.noise()
    series.append(Series("noise with the same median", noise, list(above)))
    said = "" if row.alpha is None else f", α = {row.alpha:.3g} ± {row.alpha_error:.2g}"
    return Panel(f"{row.matrix}{said}", "eigenvalue λ of WᵀW", "share of eigenvalues of at least λ", series, log="xy")


def _by_step(checkpoints: Sequence[Sequence[Measured]], name: str) -> Panel:
    """A number against the step of training, of some matrices that all checkpoints have, and its median over all."""
    by_name = [{one.row.matrix: one for one in found} for found in checkpoints]
    shared = [one for one in checkpoints[0] if all(one.row.matrix in found for found in by_name)]
    steps = [found[0].row.step for found in checkpoints]
    named = None not in steps and len(set(steps)) == len(steps)
    x = [step for step in steps if step is not None] if named else list(range(1, len(steps) + 1))
    of = _NUMBERS[name]
    series = [
        Series(matrix, x, [of(found[matrix].row) for found in by_name])
        for matrix in (one.row.matrix for one in evenly(shared, _MOST_CURVES - 1))
    ]
    medians = [_median([one.row for one in found], of) for found in checkpoints]
    axis, where = ("step", "over training") if named else ("checkpoint, in the order given", "side by side")
    return _panel(name, where, axis, "", [*series, Series("median over all", x, medians)])
