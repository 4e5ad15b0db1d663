"""Figures of Theorem 14: where G_u is crossed, what the mean gradient is made of, and where G_u is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.gradients.shared import SCALES
from boundaudit.checks.sharpness.targets import PAPER, TRAPEZOIDS
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mixtures import squared_gradient, two_parts
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

_PLACE = ("Theorem 14", "Appendix F")
_G_U = to_tree(theorem.G_U)


# --- where it is true -----------------------------------------------------------------------------

_DEGREES = (1, 2, 3, 4, 5)
_LONGEST = 1000


class Worst(NamedTuple):
    """The largest |∇f|²/G_u at ω = T over inputs whose components hold one of two numbers of ones.

    Attributes:
        ratio: its value.
        even: the even number of ones.
        odd: the odd one.
        evens: how many components hold the even number.
    """

    ratio: float
    even: int
    odd: int
    evens: int


def worst_mixture(length: int, degree: int, mlp: Trapezoid, sparsity: int | None = None) -> Worst:
    """The largest |∇f|²/G_u of the ideal network with equal coefficients, over pairs of counts and their shares.

    Args:
        length: T.
        degree: D.
        mlp: the trapezoid.
        sparsity: ω, T where nothing is said.

    Returns:
        The largest ratio and where it is taken.
    """
    components = sparsity or length
    count = torch.arange(components + 1, dtype=torch.float64)
    bound = float(evaluate_float(_G_U, columns([{"D": degree, "omega": components}]))[0])

    def worst(even: int, odd: int) -> Worst:
        shares = torch.zeros(components + 1, degree + 1, dtype=torch.float64)
        shares[:, even], shares[:, odd] = count / components, 1 - count / components
        ratios = squared_gradient(length, components, shares, mlp) / bound
        return Worst(float(ratios.max()), even, odd, int(ratios.argmax()))

    return max(worst(even, odd) for even in range(0, degree + 1, 2) for odd in range(1, degree + 1, 2))


def first_failure(degree: int, mlp: Trapezoid) -> int:
    """The least T at which G_u fails at ω = T, by bisection: the ratio grows with T.

    Args:
        degree: D.
        mlp: the trapezoid.

    Returns:
        T.
    """
    holds, fails = degree + 1, _LONGEST
    while fails - holds > 1:
        middle = (holds + fails) // 2
        above = worst_mixture(middle, degree, mlp).ratio > 1
        holds, fails = (holds, middle) if above else (middle, fails)
    return fails


def realised(length: int, degree: int, mlp: Trapezoid) -> float:
    """|∇f|²/G_u of the ideal network on cyclic windows in two parts, next to where `worst_mixture` is taken.

    Args:
        length: T, long enough for two parts.
        degree: D.
        mlp: the trapezoid.

    Returns:
        The largest ratio over sizes of the first part, closer than D to the best share.
    """
    best = worst_mixture(length, degree, mlp)
    middle = min(max(best.evens, 2 * degree + 1), length - 2 * degree - 1)
    families = [two_parts(length, degree, middle + step, (best.even, best.odd)) for step in range(-degree, degree + 1)]
    targets, inputs = zip(*families, strict=True)
    members, coefficients = (torch.cat([getattr(t, name) for t in targets]) for name in ("members", "coefficients"))
    batch = TargetBatch.from_tensors(torch.full((len(targets),), length), members, coefficients)
    found = derivatives(batch, torch.stack(inputs)[:, None], mlp=mlp, scale=SCALES["ideal"])
    return float(found.gradient.max() / evaluate_float(_G_U, columns([{"D": degree, "omega": length}]))[0])


def _region_panel(mlp: Trapezoid, lengths: Sequence[int], measured: Sequence[int]) -> Panel:
    series = [Series("G_u", lengths, [1.0] * len(lengths))]
    for degree in _DEGREES:
        worst = [worst_mixture(length, degree, mlp).ratio for length in lengths]
        series.append(Series(f"D = {degree}: above one from T = {first_failure(degree, mlp)} on", lengths, worst))
        points = [realised(length, degree, mlp) for length in measured]
        series.append(Series(f"D = {degree}, cyclic windows in two parts", measured, points, drawn="points"))
    return Panel(f"{mlp} trapezoid, ω = T", "length T", "largest |∇f|² over G_u", series, log="x")


def _region(setting: Setting) -> list[Panel]:
    few = setting.profile == "smoke"
    lengths = [int(length) for length in np.unique(np.geomspace(24, 480, 8 if few else 30).round())]
    measured = [60, 120] if few else [60, 120, 180, 240, 300, 360, 420]
    return [_region_panel(name, lengths, measured) for name in TRAPEZOIDS.values()]


region = Study(
    label="sharpness.gradients.region",
    title="Where the printed G_u is true",
    caption="T components that may overlap, equal coefficients, the ideal network: the gradient depends on the sets "
    "and the input through the shares of components with k ones alone. Lines are the largest ratio over two values of "
    "k and their shares, points networks whose components are cyclic windows in two parts of the positions. Every line "
    "grows like log²T: no degree is safe, and below the length where its line passes one a degree is, with fewer "
    "components, too.",
    claims=("sharpness.gradients.total.region", "sharpness.gradients.total.printed"),
    compute=_region,
    paper=PAPER,
    place=_PLACE,
)
