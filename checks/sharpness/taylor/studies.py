"""Figures of the Taylor step: the loss under noise against its second-order term, and two bounds on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy as sp

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.checks.sharpness.taylor.shared import excess
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import T, d
from boundaudit.derivations.sharpness.perturbed_output import T_P

_CASES = ((6, 1, 1), (6, 2, 2), (6, 3, 2))
_DRAWN = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1)


def _measured(length: int, degree: int, sparsity: int, draws: int) -> Series:
    found = [excess(length, degree, sparsity, sigma, draws) for sigma in _DRAWN]
    ratio = [one.estimate / one.second_order for one in found]
    half = [one.half_width / one.second_order for one in found]
    low, high = ([r + sign * h for r, h in zip(ratio, half, strict=True)] for sign in (-1, 1))
    return Series(f"D = {degree}, ω = {sparsity}", _DRAWN, ratio, low, high, drawn="points")


def _second_order(setting: Setting) -> list[Panel]:
    draws = 50 if setting.profile == "smoke" else 400
    series = [_measured(*case, draws) for case in _CASES]
    return [Panel("T = 6, steep", "standard deviation σ", "rise of the loss over σ²/2 · trace", series, log="x")]


second_order_study = Study(
    label="sharpness.taylor.measured",
    title="What the second-order term of the loss under noise leaves out",
    caption="The mean loss over all 64 inputs under noise on all parameters, less the loss without noise, over σ²/2 "
    "times the trace of its Hessian; 99 % intervals from mirrored pairs of draws. Up to σ = 0.03 the ratio is 1 within "
    "3 %.",
    claims=("sharpness.taylor.expansion.second-order",),
    compute=_second_order,
    paper=PAPER,
    place=("Theorem 6", "Theorem 12"),
)

_SIGMA = np.geomspace(1e-7, 1, 50)
_BOUNDS: dict[str, Callable[[], sp.Expr]] = {
    "σ²(G_u + P) as in the notebook": lambda: sigma**2 * (G_U + theorem.p_printed()),
    "σ²(G_u + P) with σ restored": lambda: sigma**2 * (G_U + theorem.p_restored()),
    "T_p², without a Hessian": lambda: T_P**2,
}


def _bounds(length: int, degree: int, sparsity: int) -> Panel:
    table = {name: np.full_like(_SIGMA, value) for name, value in (("T", length), ("D", degree), ("omega", sparsity))}

    def curve(bound: sp.Expr) -> list[float]:
        found: list[float] = evaluate_float(to_tree(bound.subs(d, T + 2)), {**table, "sigma": _SIGMA}).tolist()
        return found

    series = [Series(name, _SIGMA.tolist(), curve(bound())) for name, bound in _BOUNDS.items()]
    title = f"T = {length}, D = {degree}, ω = {sparsity}"
    return Panel(title, "standard deviation σ", "bound on the rise of the loss", series, log="xy")


bounds_study = Study(
    label="sharpness.taylor.bounds",
    title="The loss under noise: through the Hessian, and through the output alone",
    caption="Three bounds on what noise adds to a loss that starts at zero; d = T+2. Below a bound of about 1/4 alone "
    "does any of them say more than a constant guess.",
    claims=("sharpness.taylor.simpler.gain",),
    compute=lambda setting: [_bounds(*case) for case in ((50, 1, 1), (20, 2, 7))],
    paper=PAPER,
    place=("Theorem 17",),
)
