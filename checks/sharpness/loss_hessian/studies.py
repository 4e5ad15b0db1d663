"""Figures of the loss Hessian: its residual part against length, and how its trace is spread below 2 G_u."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness.loss_hessian import PUBLISHED
from boundaudit.derivations.sharpness.parameters import D, omega
from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.loss_hessian import Curvature, curvature
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_PLACE = ("Theorem 5", "Theorem 13")
_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def _side_by_side(length: int, degree: int, count: int) -> Target:
    sets = tuple(tuple(range(degree * t + 1, degree * (t + 1) + 1)) for t in range(count))
    return Target(length, sets, (count**-0.5,) * count)


def _lengths(setting: Setting) -> list[int]:
    return list(range(6, 11 if setting.profile == "smoke" else 15, 2))


def _over_lengths(setting: Setting, lengths: Sequence[int], degree: int) -> list[Curvature]:
    return [curvature(_side_by_side(n, degree, 3), choose_inputs(n), device=setting.device) for n in lengths]


def _residual(setting: Setting) -> list[Panel]:
    lengths = _lengths(setting)
    found = {degree: _over_lengths(setting, lengths, degree) for degree in (1, 2)}
    size = [
        Series(
            f"{what}, D = {degree}", lengths, [getattr(one.residual, what) if one.residual else None for one in many]
        )
        for degree, many in found.items()
        for what in ("smallest", "mean", "largest")
    ]
    share = [
        Series(
            f"D = {degree}", lengths,
            [abs(one.residual.mean) / one.loss_trace.mean if one.residual and one.loss_trace else None for one in many],
        )
        for degree, many in found.items()
    ]  # fmt: skip
    return [
        Panel("residual part over all inputs", "length T", "2 r tr Hess f", size),
        Panel("its mean as a share of the mean trace", "length T", "share", share, log="y"),
    ]


residual_study = Study(
    label="sharpness.loss_hessian.residual-part",
    title="The residual part of the loss Hessian's trace",
    caption="Three components side by side, equal coefficients of unit length, all inputs without a kink, even T. The "
    "part that exact interpolation would remove takes both signs.",
    claims=("sharpness.loss_hessian.residual.printed",),
    compute=_residual,
    paper=PAPER,
    place=_PLACE,
)


def _quantiles(length: int, degree: int, count: int) -> list[float]:
    """Quantiles over all inputs of the Gauss-Newton part as a share of the printed bound."""
    bits = next(choose_inputs(length).batches(2**length))
    found = derivatives(TargetBatch.stack([_side_by_side(length, degree, count)]), bits)
    shares = 2 * found.gradient[0] / float(PUBLISHED.subs({D: degree, omega: count}))
    return shares.quantile(torch.tensor(_QUANTILES, dtype=torch.float64)).tolist()


def _panel(length: int, degree: int) -> Panel:
    counts = list(range(1, length // degree + 1))
    rows = [_quantiles(length, degree, count) for count in counts]
    curves = [Series(f"{level:.0%}", counts, [row[n] for row in rows]) for n, level in enumerate(_QUANTILES)]
    return Panel(f"T = {length}, D = {degree}", "sparsity ω", "2 |∇f|² / (2 G_u)", curves)


spread_study = Study(
    label="sharpness.loss_hessian.trace-spread",
    title="How far the trace of the loss Hessian stays below the printed bound",
    caption="Quantiles over all inputs of the Gauss-Newton part over 2 G_u, components side by side with equal "
    "coefficients of unit length, steep trapezoid. At D = 1 the share grows with ω.",
    claims=("sharpness.loss_hessian.trace.repaired",),
    compute=lambda setting: [_panel(10 if setting.profile == "smoke" else 14, degree) for degree in (1, 2)],
    paper=PAPER,
    place=_PLACE,
)
