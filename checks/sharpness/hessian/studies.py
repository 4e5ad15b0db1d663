"""Theorem 18 in figures: where the printed bound fails, and how far bounds are from whole Hessians."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.hessian.bound import MEASURED
from boundaudit.checks.sharpness.hessian.shared import FEW, SCALES, on_few, with_equal
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian as theorem

_LENGTHS = (16, 32, 64, 128, 200, 240, 280, 320, 400)
_SHARES = {"a quarter of the bits": 4, "half of the bits": 2, "all bits": 1}
_EVEN = 0.2113
"""(3-√3)/6, where the third central moment of a bit is largest."""


def _point(length: int, share: int) -> Point:
    sparsity = length // share
    return with_equal(
        {"T": length, "omega": sparsity, "D": 1, "u": 1, "n_e": max(1, round(_EVEN * sparsity)), "n_r": 0}
    )


def _values(bound: sp.Expr, points: Sequence[Point]) -> list[float]:
    return [float(value) for value in evaluate_float(to_tree(bound), columns(points))]


def _growth(setting: Setting) -> list[Panel]:
    lengths = _LENGTHS[:5] if setting.profile == "smoke" else _LENGTHS
    printed: list[Series] = []
    repaired: list[Series] = []
    for name, share in _SHARES.items():
        points = [_point(length, share) for length in lengths]
        found = MEASURED(points, setting.device)
        for series, bound in ((printed, theorem.H_U_ONE_HOT), (repaired, theorem.H_STAR)):
            ratios = [float(x) / y for x, y in zip(found, _values(bound, points), strict=True)]
            series.append(Series(f"ω: {name}", lengths, ratios, drawn="points"))
    printed.append(Series("bound", lengths, [1.0] * len(lengths)))
    return [
        Panel("over the printed H_u", "length T", "Rayleigh quotient / bound", printed, log="xy"),
        Panel("over the repaired H*", "length T", "Rayleigh quotient / bound", repaired, log="xy"),
    ]


growth = Study(
    label="sharpness.hessian.growth",
    title="The Hessian's norm over its bounds against the length of the input",
    caption="D = 1, steep, equal coefficients, about a fifth of the active bits zero. Over the printed H_u the "
    "lower bound on the norm climbs like log²T where ω grows with T, past 1 near T = 280; over H* it does not.",
    claims=("sharpness.hessian.bound.printed", "sharpness.hessian.repaired.total"),
    compute=_growth,
    paper=PAPER,
    place=("Theorem 18",),
)


def _whole(setting: Setting) -> list[Panel]:
    points = [point for point in FEW.smallest(8) if point["u"] == 1 and point["n_r"] == 0]
    order: list[float] = [float(n + 1) for n in range(len(points))]
    norm = on_few(lambda found: found.whole.operator, SCALES["finite"])(points, setting.device)
    trace = on_few(lambda found: abs(found.whole.trace) / found.whole.parameters, SCALES["finite"])(
        points, setting.device
    )
    equal = [with_equal(point) for point in points]
    curves = {
        "norm of Hess f": norm.tolist(),
        "|trace| of Hess f over |Θ|": trace.tolist(),
        "printed H_u": _values(theorem.H_U_ONE_HOT, equal),
        "repaired H*": _values(theorem.H_STAR, equal),
    }
    series = [Series(name, order, values, drawn="points") for name, values in curves.items()]
    return [Panel("T = 4, steep, no ones outside the components", "number of the point", "size", series, log="y")]


whole = Study(
    label="sharpness.hessian.whole",
    title="Whole Hessians at T = 4 beside their bounds",
    caption="By automatic differentiation, equal coefficients. The Hessian is nearly traceless: replacing its trace by "
    "|Θ| times its norm loses three orders of magnitude or more.",
    claims=("sharpness.hessian.bound.printed", "sharpness.hessian.repaired.total"),
    compute=_whole,
    paper=PAPER,
    place=("Theorem 18", "Appendix J"),
)
