"""Figures of Theorem 2's bound: against the number of samples and against the noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.bound.example import PUBLISHED, own_norm, with_norm
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance

_PROXY, _DELTA, _MILLION = 0.01, 0.05, 10**6
_FITTED = 17130.0
"""The perturbation term that 0.327 needs."""
_BASELINE = 0.25
"""Variance of a target with coefficients of unit length."""


def _forms() -> list[tuple[str, Budgets, float]]:
    return [
        ("printed, without P", PUBLISHED, 0.0),
        ("printed, P = 17130", PUBLISHED, _FITTED),
        ("norm of the steep construction", with_norm(own_norm()), 0.0),
    ]


def _with_baseline(x: Sequence[float], series: Sequence[Series]) -> list[Series]:
    return [*series, Series("best constant", [x[0], x[-1]], [_BASELINE, _BASELINE])]


def _by_samples(setting: Setting) -> Panel:
    samples = np.geomspace(1e3, 1e8, 6 if setting.profile == "smoke" else 26).tolist()
    series = [
        Series(name, samples, [
            shared_variance(budgets, samples=m, delta=_DELTA, proxy=_PROXY, perturbation=change).value for m in samples
        ])
        for name, budgets, change in _forms()
    ]  # fmt: skip
    return Panel("best σ", "samples m", "bound", _with_baseline(samples, series), log="xy")


def _by_noise() -> Panel:
    noise = np.geomspace(3e-4, 2e-2, 60)
    tensor = torch.from_numpy(noise)
    series = [Series(name, noise.tolist(), _curve(budgets, change, tensor)) for name, budgets, change in _forms()]
    return Panel("m = 10⁶", "standard deviation σ", "bound", _with_baseline(noise.tolist(), series), log="xy")


def _curve(budgets: Budgets, change: float, noise: torch.Tensor) -> list[float]:
    setting = {"samples": _MILLION, "delta": _DELTA, "proxy": _PROXY, "perturbation": change}
    return [
        shared_variance(budgets, **setting, sigma=float(s)).value
        for s in noise
    ]  # fmt: skip


bounds = Study(
    label="sharpness.bound.curves",
    title="Theorem 2 at T = 20, D = 2, ω = 10, S = 0.01",
    caption="Against samples, at the best σ, and against σ at a million samples; δ = 0.05. The best constant predictor "
    "has risk 1/4: with the construction's own norm or with P = 17130 the bound needs more than a million samples to "
    "say more.",
    claims=("sharpness.bound.optimum.printed",),
    compute=lambda setting: [_by_samples(setting), _by_noise()],
    paper=PAPER,
    place=("Theorem 2", "Appendix E"),
)
