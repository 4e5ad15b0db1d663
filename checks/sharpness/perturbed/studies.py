"""Figures of perturbed networks: changes against their bounds, and what the terms without σ make of G_p and P."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.perturbed.networks import CASES, Network, complete, networks
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness.parameters import d
from boundaudit.derivations.sharpness.perturbed_gradient import G_P
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import PRINTED, T_P
from boundaudit.numeric.sharpness.autodiff import hessian
from boundaudit.numeric.sharpness.moments import sampled
from boundaudit.numeric.sharpness.noise import moved
from boundaudit.numeric.sharpness.perturbation import quantiles

_SHOWN = ("T=6, D=2, ω=2", "T=8, D=2, ω=3")
_SMALLEST_NOISE, _LARGEST_NOISE = 1e-6, 1e-1


def _hessian_changes(network: Network, size: float, draws: int) -> Tensor:
    """The operator norm of Hess f̃ - Hess f, draw by draw."""
    before = hessian(*network.single)
    changes = (
        hessian(moved(network.blocks, network.noise(seed), size), network.batch, network.bits[0]) - before
        for seed in range(draws)
    )
    return torch.stack([torch.linalg.eigvalsh(change).abs().max() for change in changes])


def _median(name: str, noise: Sequence[float], samples: Sequence[Tensor], bound: sp.Expr, point: Point) -> Series:
    """Medians over draws, over the bound, with distribution-free intervals."""
    points = [{**point, "sigma": size} for size in noise]
    limits = evaluated(lambda: bound.subs(d, PRINTED))(points, "cpu")
    found = [quantiles(sample / limit)["0.5"] for sample, limit in zip(samples, limits, strict=True)]
    ends = [[one["interval"][end] for one in found] for end in (0, 1)]
    return Series(name, list(noise), [one["value"] for one in found], ends[0], ends[1], drawn="points")


def _panel(case: str, setting: Setting) -> Panel:
    quick = setting.profile == "smoke"
    noise = np.geomspace(_SMALLEST_NOISE, _LARGEST_NOISE, 3 if quick else 6).tolist()
    point = complete(CASES[case])
    network = networks(Columns([point], setting.device))
    draws = [sampled(*network.single, size, 16 if quick else 200, setting.seed) for size in noise]
    series = [
        _median("output over T_p", noise, [found.output for found in draws], T_P, point),
        _median("gradient over G_p, σ restored", noise, [found.gradient for found in draws], G_P, point),
    ]
    if not quick:
        # Six draws are the fewest whose range holds the median at 95 %.
        changes = [_hessian_changes(network, size, 6) for size in noise]
        series.append(_median("Hessian over H_p", noise, changes, H_P, point))
    return Panel(case, "noise σ", "change over its bound, median", series, log="xy")


ratios = Study(
    label="sharpness.perturbed.ratios",
    title="How much of T_p, G_p and H_p noise uses up",
    caption="Median changes of the output, its gradient and its Hessian over their bounds, with 95 % intervals that "
    "assume nothing of the distribution. A horizontal row of points is first order; where it rises, higher orders set "
    "in, and a bound that is linear in σ ends.",
    claims=(
        "sharpness.perturbed.output.printed",
        "sharpness.perturbed.gradient.printed",
        "sharpness.perturbed.hessian.first-order",
    ),
    compute=lambda setting: [_panel(case, setting) for case in _SHOWN],
    paper=PAPER,
    place=("Theorem 24", "Theorem 30", "Theorem 31"),
)
