"""The published example's loss under noise: measured, as printed, and as proved."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import sympy as sp

from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.checks.sharpness.taylor.noisy import published
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.bound.noisy import loss
from boundaudit.derivations.sharpness.bound.numbers import SIZES
from boundaudit.derivations.sharpness.gradients import G_U, G_U_SHARP
from boundaudit.derivations.sharpness.noisy_loss import BETA, FLICKER, MARGIN
from boundaudit.derivations.sharpness.parameters import u

_DRAWN = (1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 0.002265676, 5e-3, 1e-2)
_SIGMA = np.union1d(np.geomspace(1.2e-6, 2e-2, 50), _DRAWN)
_KAPPA = np.linspace(3.5, 8, 91)
_NAMES = {1: "steep", 2: "wide"}


def _printed(bound: Callable[[], sp.Expr], width: int) -> Array:
    values = evaluated(lambda: (sigma**2 * bound()).subs({**SIZES, u: width}))
    return values([{"sigma": size} for size in _SIGMA], "cpu")


@functools.cache
def proved(width: int) -> Array:
    """The proved bound on E min(L, 1) over all inputs, with the best κ at each σ.

    Args:
        width: u.

    Returns:
        Its values at the figure's σ; 1 where good draws may leave the plateaus, or nothing better is known.
    """
    grid = [{"sigma": size, "kappa_nl": deviations} for size in _SIGMA for deviations in _KAPPA]
    bound = evaluated(lambda: loss(width, "average"))(grid, "cpu")
    room = evaluated(lambda: (MARGIN - BETA - FLICKER).subs({**SIZES, u: width}))(grid, "cpu")
    least: Array = np.where(room >= 0, bound, 1).clip(max=1).reshape(len(_SIGMA), -1).min(1)
    return least


def _measured(width: int, pairs: int) -> Series:
    found = [published(width, size, pairs).mean(1) for size in _DRAWN]
    low, middle, high = (list(ends) for ends in zip(*found, strict=True))
    return Series("measured", _DRAWN, middle, low, high, drawn="points")


def _panel(width: int, setting: Setting) -> Panel:
    curves = {
        "σ² G_u, printed with P = 0": _printed(lambda: G_U, width),
        "σ² G, sharp bound on |∇f|²": _printed(lambda: G_U_SHARP, width),
        "proved": proved(width),
    }
    lines = [Series(name, _SIGMA.tolist(), values.tolist()) for name, values in curves.items()]
    points = _measured(width, 256 if setting.profile == "smoke" else 4096)
    return Panel(_NAMES[width], "standard deviation σ", "mean of min(loss, 1)", [points, *lines], log="xy")


study = Study(
    label="sharpness.noisy_loss.study",
    title="The loss under noise at T = 20, D = 2, ω = 10: as printed, and as proved",
    caption="The mean over all inputs and draws of min(loss, 1), with intervals that miss it once in a million. Below "
    "σ = 10⁻⁴ the loss without noise is nearly all of it, and no σ² G bounds that; the proved bound holds throughout, "
    "and says nothing where it is 1.",
    claims=("sharpness.noisy_loss.clipped", "sharpness.taylor.noisy.printed"),
    compute=lambda setting: [_panel(width, setting) for width in _NAMES],
    paper=PAPER,
    place=("Theorem 2", "Theorem 17", "Appendix E"),
)
