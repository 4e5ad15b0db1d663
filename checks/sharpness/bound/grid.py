"""The best certified bound against m for the paper's whole grid, beside the published one and the best constant."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.grid import Cell, grid
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum

_DEGREES, _SPARSITIES = (1, 2, 3, 4, 5), (1, 7, 14, 20)
_PROXY = 0.01


def _published(cell: Cell, samples: int) -> float:
    target = cell.target
    return truncated_optimum(published(target.length, target.degree, target.sparsity), samples=samples, proxy=_PROXY)[1]


def _published_informative(cell: Cell) -> float:
    """The m at which 3 (G_u S² L/(4m))^(1/3) is the constant baseline."""
    return (_published(cell, 1) / cell.constant_baseline) ** 3


def _panel(degree: int, cells: Sequence[Cell]) -> Panel:
    series = []
    for cell in cells:
        sizes = [float(m) for m in cell.best]
        name = f"ω = {cell.target.sparsity}"
        series.append(Series(f"certified, {name}", sizes, [b.value for b in cell.best.values()], drawn="points"))
        series.append(Series(f"published, {name}", sizes, [_published(cell, m) for m in cell.best]))
    level = statistics.fmean(cell.constant_baseline for cell in cells)
    series.append(Series("best constant, mean over ω", sizes, [level] * len(sizes)))
    return Panel(f"T = 20, D = {degree}", "samples m", "bound on the expected loss", series, log="xy")


def _first_panel(cells: Sequence[Cell]) -> Panel:
    series = []
    for sparsity in sorted({cell.target.sparsity for cell in cells}):
        own = [cell for cell in cells if cell.target.sparsity == sparsity]
        degrees = [float(cell.target.degree) for cell in own]
        first = [math.nan if cell.informative is None else float(cell.informative) for cell in own]
        series.append(Series(f"certified, ω = {sparsity}", degrees, first, drawn="points"))
        series.append(Series(f"published, ω = {sparsity}", degrees, [_published_informative(cell) for cell in own]))
    title = "Smallest m below the best constant"
    return Panel(title, "degree D", "samples m", series, log="y")


def _study(setting: Setting) -> list[Panel]:
    smoke = setting.profile == "smoke"
    degrees, sparsities = ((2,), (1, 7)) if smoke else (_DEGREES, _SPARSITIES)
    samples = (8192, 10**6) if smoke else (8192, 10**5, 10**6, 10**7)
    draws, pilot = (500, 50) if smoke else (3000, 100)
    cells = list(grid((20,), degrees, sparsities, samples=samples, draws=draws, pilot=pilot, seed=setting.seed))
    panels = [_panel(degree, [cell for cell in cells if cell.target.degree == degree]) for degree in degrees]
    return [*panels, _first_panel(cells)]


study = Study(
    label="sharpness.bound.grid.samples",
    title="The best certified bound against the number of samples, for the whole grid",
    caption="Certified: min(loss, 1) of the noisy construction with sub-block priors, confidence 95 %, no "
    "sub-Gaussian constant, components at random. Published: the optimum over σ with S = 0.01 assumed, without "
    "ln(1/δ), residual and P, for the unclipped loss. A bound says something below the best constant's clipped loss.",
    claims=("sharpness.bound.certificate.values", "sharpness.bound.certificate.informative"),
    compute=_study,
    paper=PAPER,
)
