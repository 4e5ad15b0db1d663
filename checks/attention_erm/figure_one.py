"""Figure 1: errors and the spectrum of trained softmax attention on two tokens, beside the six-scalar fixed point."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.numeric.attention_erm.factorised import Trained
from boundaudit.numeric.attention_erm.finite_size import Setting as Problem
from boundaudit.numeric.attention_erm.finite_size import controlled_mean, simulate
from boundaudit.numeric.attention_erm.law import trained_spectrum
from boundaudit.numeric.attention_erm.softmax_state_evolution import SoftmaxState, softmax_state
from boundaudit.numeric.attention_erm.targets import gaussian_target

_PENALTY, _NOISE, _KAPPA = 0.02, 0.5, 0.5
_BINS = 24
_NAMES = {"test": "test error", "train": "training error"}


def _panels(setting: Setting) -> list[Panel]:
    d, runs, ratios, between = (
        (16, 8, (0.25, 1.0), ()) if setting.profile == "smoke" else (40, 12, (0.125, 0.25, 0.5, 1.0), (0.18, 0.35, 0.7))
    )
    places = sorted((*ratios, *between))
    theory = softmax_state(gaussian_target(_KAPPA), places, _PENALTY, _NOISE)
    means: dict[str, list[tuple[float, float]]] = {name: [] for name in _NAMES}
    for ratio in ratios:
        problem = Problem(alpha=ratio, penalty=_PENALTY, noise=_NOISE, kappa0=_KAPPA, tokens=2)
        data, learned = simulate(problem, d, runs, setting.seed)
        assert isinstance(learned, Trained)
        for name, found in means.items():
            mean = controlled_mean(getattr(learned, name), data, problem)
            found.append((mean.mean, 2 * mean.standard_error))
    errors = Panel(
        f"Errors against samples, λ~ = {_PENALTY}, Δ = κ₀ = {_KAPPA}", "α = n/d²", "error",
        [series for name, words in _NAMES.items() for series in (
            Series(words, places, getattr(theory, name).tolist()),
            _points(f"{words}, runs at d = {d}", ratios, means[name]),
        )],
    )  # fmt: skip
    return [errors, _spectrum(theory, places.index(1.0), learned.eigenvalues, d)]


def _points(name: str, ratios: tuple[float, ...], means: list[tuple[float, float]]) -> Series:
    """Means with two standard errors."""
    low, high = ([value + sign * reach for value, reach in means] for sign in (-1, 1))
    return Series(name, list(ratios), [value for value, _ in means], low, high, drawn="points")


def _spectrum(theory: SoftmaxState, at: int, eigenvalues: Tensor, d: int) -> Panel:
    """Positive eigenvalues at α = 1: the predicted density, and the counts of all runs."""
    delta, threshold, eta = (float(getattr(theory, name)[at]) for name in ("delta", "threshold", "eta"))
    law = trained_spectrum(gaussian_target(_KAPPA), delta, threshold, eta)
    curve = dict(zip(law.places.tolist(), law.density.tolist(), strict=True))  # ends of parts meet
    width = law.edge / _BINS
    centres = (torch.arange(1, _BINS + 2, dtype=torch.float64) + 0.5) * width
    counts = torch.histc(eigenvalues, _BINS + 1, width, law.edge + 2 * width) / (eigenvalues.numel() * width)
    return Panel(
        "Eigenvalues of the trained map, α = 1", "eigenvalue", "density",
        [
            Series("prediction", [*curve], [*curve.values()]),
            Series(f"runs at d = {d}", centres.tolist(), counts.tolist(), drawn="points"),
        ],
    )  # fmt: skip


study = Study(
    label="attention_erm.figure_one.study",
    title="Softmax attention on two tokens: theory and training",
    caption="Means over runs with two standard errors lie on the predicted training error, and somewhat above the "
    "predicted test error, which is that of infinite d. Eigenvalues above the first bin, which holds those that "
    "training leaves near zero.",
    claims=("attention_erm.state_evolution.trained[beyond-interpolation,low]",),
    compute=_panels,
    paper=PAPER,
    place=("Figure 1", "Claim 3.1", "Claim 4.1"),
)
