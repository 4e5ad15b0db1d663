"""Figures of Theorem 14: where G_u is crossed, what the mean gradient is made of, and where G_u is true."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.gradients.shared import SCALES, defined
from boundaudit.checks.sharpness.targets import PAPER, TRAPEZOIDS
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_PLACE = ("Theorem 14", "Appendix F")
_G_U = to_tree(theorem.G_U)


def _points(length: int, degree: int, sparsity: int, width: int = 1) -> list[Point]:
    """Tilings with equal coefficients of unit length, for every number of components without a one."""
    same = {"T": length, "D": degree, "omega": sparsity, "u": width, "c": (sparsity**-0.5,) * sparsity, "n_r": 0}
    return [{**same, "n_e": count} for count in range(sparsity + 1)]


def _ratios(points: Sequence[Point], network: str, device: str) -> Array:
    """|∇f|²/G_u at points of one trapezoid."""
    batch, bits = tiled(Columns(points, device))
    found = derivatives(batch, bits[:, None], mlp=TRAPEZOIDS[points[0]["u"]], scale=SCALES[network])
    gradient = found.gradient[:, 0].where(~found.kink[:, 0], torch.nan).cpu().numpy()
    ratios: Array = gradient / evaluate_float(_G_U, columns(points))
    return ratios


def _formula(points: Sequence[Point], network: str) -> Array:
    table = columns(points)
    total = evaluate_float(to_tree(defined("total", network)), table)
    ratios: Array = total / evaluate_float(_G_U, table)
    return ratios


# --- the crossing ---------------------------------------------------------------------------------


def _crossing(setting: Setting) -> list[Panel]:
    lengths = list(range(4, 61, 8 if setting.profile == "smoke" else 4))
    return [_crossing_panel(name, width, lengths, setting.device) for width, name in TRAPEZOIDS.items()]


def _crossing_panel(name: str, width: int, lengths: Sequence[int], device: str) -> Panel:
    series = [Series("G_u", lengths, [1.0] * len(lengths))]
    for network in SCALES:
        groups = [_points(length, 1, length, width) for length in lengths]
        formula = [float(np.nanmax(_formula(group, network))) for group in groups]
        measured = [float(np.nanmax(_ratios(group, network, device))) for group in groups]
        series.append(Series(f"{network} network, formula", lengths, formula))
        series.append(Series(f"{network} network, measured", lengths, measured, drawn="points"))
    return Panel(f"{name} trapezoid", "length T", "largest |∇f|² over G_u", series)


crossing = Study(
    label="sharpness.gradients.crossing",
    title="Where the gradient crosses the printed G_u",
    caption="Every bit a component (D = 1, ω = T), equal coefficients of unit length, the worst number of set bits: "
    "the columns of F that write positions make the ratio grow like log²T, and it passes one near T = 40.",
    claims=("sharpness.gradients.total.printed",),
    compute=_crossing,
    paper=PAPER,
    place=_PLACE,
)

# --- the mean over inputs -------------------------------------------------------------------------

_MEAN = {"smoke": 2**12}
_EXAMPLE = Target(20, tuple((n, n + 10) for n in range(1, 11)), (10**-0.5 * (1 - 2**-50),) * 10)


def _means(setting: Setting) -> dict[str, Tensor]:
    """The mean of each block's squared gradient over all inputs, or over evenly spaced ones in a quick run."""
    batch = TargetBatch.stack([_EXAMPLE], device=setting.device)
    number = torch.arange(0, 2**20, 2**20 // _MEAN.get(setting.profile, 2**20), device=setting.device)
    bits = (number[:, None] >> torch.arange(20, device=setting.device)) & 1
    found = derivatives(batch, bits)
    return {block: value[~found.kink].mean() for block, value in found.squared.items()}


def _blocks(setting: Setting) -> list[Panel]:
    means = _means(setting)
    table = columns([{"D": 2, "omega": 10}])
    printed = [float(np.max(evaluate_float(to_tree(theorem.PUBLISHED[block]), table))) for block in means]
    places = list(range(1, len(means) + 1))
    series = [
        Series("printed term", places, [value or None for value in printed], drawn="points"),
        Series("mean over inputs", places, [float(value) for value in means.values()], drawn="points"),
    ]
    names = ", ".join(f"{place} {block}" for place, block in zip(places, means, strict=True))
    return [Panel("T = 20, D = 2, ω = 10", names, "squared gradient", series, log="y")]


blocks = Study(
    label="sharpness.gradients.blocks",
    title="What the mean gradient is made of, beside the printed terms",
    caption="Steep trapezoid, equal coefficients, all 2²⁰ inputs (an even sample of them in a quick run). Gamma and M "
    "carry the gradient and half of their budget is unused; W1 and V1, whose printed terms are zero, are small.",
    claims=("sharpness.gradients.Gamma.printed", "sharpness.gradients.M.printed"),
    compute=_blocks,
    paper=PAPER,
    place=_PLACE,
)

# --- where it is true -----------------------------------------------------------------------------

_SPARSITIES = (4, 8, 16, 32)


def _region_panel(degree: int, lengths: Sequence[int], device: str) -> Panel:
    series = [Series("G_u", lengths, [1.0] * len(lengths))]
    for sparsity in _SPARSITIES:
        fitting = [length for length in lengths if length >= degree * sparsity]
        worst = [float(np.nanmax(_ratios(_points(length, degree, sparsity), "finite", device))) for length in fitting]
        series.append(Series(f"ω = {sparsity}", fitting, worst))
    return Panel(f"D = {degree}", "length T", "largest |∇f|² over G_u", series, log="x")


def _region(setting: Setting) -> list[Panel]:
    count = 6 if setting.profile == "smoke" else 14
    lengths = [int(length) for length in np.unique(np.geomspace(8, 400, count).round())]
    return [_region_panel(degree, lengths, setting.device) for degree in (1, 2)]


region = Study(
    label="sharpness.gradients.region",
    title="Where the printed G_u is true",
    caption="Components side by side, steep trapezoid, equal coefficients of unit length, the worst number of "
    "components without a one. Every line grows like log²T; for D = 1 the sparser ones cross later, for D = 2 none "
    "does up to T = 400.",
    claims=("sharpness.gradients.total.region", "sharpness.gradients.total.printed"),
    compute=_region,
    paper=PAPER,
    place=_PLACE,
)
