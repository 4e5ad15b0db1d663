"""In place of Theorem 17: the loss under noise from the change of the output alone, without a Hessian."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.targets import SPARSITY
from boundaudit.checks.sharpness.taylor.expansion import WHOLE
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim, excess
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_output import T_P
from boundaudit.derivations.sharpness.taylor import e_1, e_2, r_1, r_2

_PLACE = ("Theorem 17", "Theorem 24")

minkowski = claim(
    label="sharpness.taylor.simpler.minkowski",
    statement="The mean of (r + e)² is at most the square of the sum of the roots of the means of r² and e²; here over "
    "two inputs.",
    left=theorem.MEAN_LOSS,
    relation="<=",
    right=theorem.MINKOWSKI,
    domain=Domain({symbol: Reals(tested_to=10) for symbol in (r_1, r_2, e_1, e_2)}),
    kind="Tight",
    equality=({"r_1": 1, "r_2": 1, "e_1": 2, "e_2": 2},),
    place=_PLACE,
    expected="certified",
    limitations=("Minkowski's inequality holds for any number of inputs and draws; two are checked here.",),
)


_T_P = to_tree(T_P.subs(d, T + 1))


def _rise(points: Sequence[Point], device: str) -> Array:
    """The rise of the root of the mean loss over T_p."""

    def one(p: Point) -> float:
        found = excess(p["T"], p["D"], p["omega"], float(p["sigma"]))
        return float((found.loss + found.estimate + found.half_width) ** 0.5 - found.loss**0.5)

    return np.array([one(p) for p in points]) / evaluate_float(_T_P, columns(points))


network = claim(
    label="sharpness.taylor.simpler.network",
    statement="On networks of length 6 noise raises the root of the mean loss by at most T_p/25, so that E L is "
    "at most (√L + T_p)²: no Hessian, no parameter count, no point of Lagrange's.",
    left=Quantity(
        "rise of the root of the mean loss over T_p",
        _rise,
        r"(\sqrt{\mathbb{E} L(\Theta + \varepsilon)} - \sqrt{L(\Theta)}) / T_p",
    ),
    relation="<=",
    right=sp.Rational(1, 25),
    domain=WHOLE,
    place=_PLACE,
    mode="to first order in σ",
    expected="supported",
    rests_on=("sharpness.taylor.simpler.minkowski",),
    limitations=("The upper end of a 99 % interval from 100 mirrored pairs of draws; d = T+1; steep trapezoid.",),
)

_SIZES = {T: Integers(2, 10**5, tested_to=200), D: Integers(1, T), omega: SPARSITY}

dominant = claim(
    label="sharpness.taylor.simpler.dominant",
    statement="Up to T = 10⁵ the term 128 D² ω log T is the largest part of T_p/σ: the others together do not exceed "
    "it.",
    left=sp.sqrt(2 * (T + 2)) + 32 * sp.sqrt(omega) * D**2,
    relation="<=",
    right=128 * D**2 * omega * sp.log(T),
    domain=Domain(_SIZES),
    place=_PLACE,
    expected="certified",
    limitations=("One-hot positions; d = T+2.",),
)

gain = claim(
    label="sharpness.taylor.simpler.gain",
    statement="Up to T = 10⁵ the simpler bound T_p² is below the printed σ²(G_u + P) by a factor of at least "
    "(ω(d+2)/2)²: so much of P is there already without noise.",
    left=(theorem.GAIN * T_P).subs(d, T + 2),
    relation="<=",
    right=theorem.FREE_OF_NOISE.subs(d, T + 2),
    domain=Domain({**_SIZES, sigma: NOISE}),
    place=_PLACE,
    expected="certified",
    rests_on=("sharpness.taylor.simpler.dominant",),
    limitations=(
        "One-hot positions; d = T+2, the width with which the printed numbers were computed.",
        "Stated for the roots, against the two terms of the printed G_p without σ alone: P is at least 2 G_p².",
    ),
)
