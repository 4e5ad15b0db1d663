"""Many heads: how fast the limit becomes Gaussian as their number grows."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.infinite_width import PAPER
from boundaudit.checks.infinite_width.measured import orthogonal
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.derivations.infinite_width import heads as theory
from boundaudit.derivations.infinite_width import output
from boundaudit.derivations.infinite_width.heads import z_iw
from boundaudit.derivations.infinite_width.symbols import H_iw, mu_iw, q_iw, s_iw
from boundaudit.numeric.infinite_width.distances import ks_distance
from boundaudit.numeric.infinite_width.mixture import normal_law
from boundaudit.numeric.infinite_width.orthogonal import orthogonal_excess

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 2(B)",))
_POSITIVE = Reals(0, open_low=True, tested_to=8)

excess = _claim(
    label="infinite_width.heads.excess",
    statement="The excess kurtosis of the limit with H heads is exactly that with one head divided by H.",
    role="printed",
    left=output.of_heads(H_iw),
    relation="=",
    right=output.EXCESS / H_iw,
    domain=lambda: Domain({H_iw: Integers(1), mu_iw: _POSITIVE, q_iw: _POSITIVE}, where=[q_iw >= mu_iw**2]),
    reading="plausible",
    expected="proved",
    limitations=("The paper says that many heads make the limit Gaussian; the exact rate is derived here.",),
)


@functools.lru_cache(maxsize=256)
def _distance_of(tokens: int, heads: int) -> float:
    law = orthogonal(tokens, heads)[2]
    return ks_distance(law, normal_law(float(law.mean_variance.mean()))).value


@at_points
def _distance(point: Point) -> float:
    return _distance_of(point["s_iw"], point["H_iw"])


def _first_order(factor: float) -> Measure:
    """A multiple of 0.5506 γ/(24 H)."""
    largest: float = factor * float(theory.LARGEST)

    def one(point: Point) -> float:
        return largest * float(orthogonal_excess([point["s_iw"]], 1.0)[0]) / (24 * int(point["H_iw"]))

    return at_points(one)


_DISTANCE = Quantity(
    "Kolmogorov-Smirnov distance to the normal law of the same variance", _distance,
    r"\sup_y |P[y \le \cdot] - \Phi|", rounding=0.02,
)  # fmt: skip
_SIZES = Domain({s_iw: Integers(2, 6), H_iw: Integers(1, 6)})

limit = _claim(
    label="infinite_width.heads.limit",
    statement="With many heads the limit is Gaussian. For s orthogonal tokens of unit length and H heads it is "
    "within 0.008/H of the normal law of its variance, in the Kolmogorov-Smirnov distance.",
    role="printed",
    left=_DISTANCE,
    right=sp.Rational(1, 125) / H_iw,
    domain=_SIZES,
    kind="Rate",
    rests_on=(excess.label,),
    reading="plausible",
    limitations=("The paper states convergence; the constant is derived here.",
                 "By integration with an error of at most 2 % of the distance."),
)  # fmt: skip

first_order = _claim(
    label="infinite_width.heads.first-order",
    statement="Take s orthogonal tokens of unit length and H heads. To first order the Kolmogorov-Smirnov distance "
    "of the limit to the normal law of its variance is 0.5506 γ/(24 H), with γ the excess kurtosis of one head. The "
    "distance is between 0.75 and 1.02 times that.",
    improves=limit.label,
    domain=_SIZES,
    left=_DISTANCE,
    rests_on=("infinite_width.heads.edgeworth",),
    cases=(
        Case("high", right=Quantity("1.02 times the first-order distance", _first_order(1.02),
                                    r"1.02 \cdot 0.5506\, \gamma / (24 H)", rounding=1e-9)),
        Case("low", relation=">=", kind="Lower",
             right=Quantity("0.75 times the first-order distance", _first_order(0.75),
                            r"0.75 \cdot 0.5506\, \gamma / (24 H)", rounding=1e-9)),
    ),
)  # fmt: skip

edgeworth = _claim(
    label="infinite_width.heads.edgeworth",
    statement="The first correction to a normal distribution function, z(3-z²)φ(z) times γ/24, is at most 0.5506 γ/24, "
    "with equality at z² = 3 - √6.",
    left=theory.EDGEWORTH,
    right=lambda: theory.LARGEST,
    expected="proved",
    cases=(
        Case(
            "up-to-its-zero", domain=Domain({z_iw: Reals(0, sp.sqrt(3))}), kind="Tight",
            equality=lambda: ({"z_iw": theory.LARGEST_AT},),
        ),
        Case("past-its-zero", domain=Domain({z_iw: Reals(sp.sqrt(3), tested_to=8)})),
    ),
)  # fmt: skip
