"""The best σ of Theorem 2's bound: in closed form without ln(1/δ), as a root with it, and found numerically."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import P_3, P_4, G_s, b_s, h_x, sigma_o, t_x, v_o, v_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.noise import tau_f
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.bound.value import Bound

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
POSITIVE = Reals(0, open_low=True)
NONNEGATIVE = Reals(0)
SAMPLES = Integers(1, tested_to=10**7)
_BUDGETS: dict[Any, Range] = {G_s: POSITIVE, N_2: POSITIVE, S: POSITIVE, m: SAMPLES}
BUDGETS = Domain(_BUDGETS)
WITH_NOISE = Domain({**_BUDGETS, sigma: POSITIVE})
WITH_LOG = Domain({**_BUDGETS, sigma: POSITIVE, tau_f: NONNEGATIVE})
_UNITS = {"G_s": 1, "N_2": 1, "S": 2, "m": 1}
"""Where the best σ is 1."""

# --- without ln(1/δ) ------------------------------------------------------------------------------

cubed = claim(
    label="sharpness.bound.optimum.cubed",
    statement="The cube of σ²G + S√(L/m)/σ is at least 27 G S² L/(4m), with equality at the best σ.",
    left=theorem.TRUNCATED**3,
    relation=">=",
    right=theorem.OPTIMUM_CUBED,
    domain=WITH_NOISE,
    kind="Tight",
    equality=({**_UNITS, "sigma": 1}, {"G_s": 1, "N_2": 1, "S": 4, "m": 4, "sigma": 1}),
    reading="certain",
    expected="proved",
)

closed_form = claim(
    label="sharpness.bound.optimum.closed-form",
    statement="Without ln(1/δ) and P the bound is at least 3 (G S² L/(4m))^(1/3) for every σ, with equality at the "
    "best one.",
    left=theorem.TRUNCATED,
    relation=">=",
    right=theorem.OPTIMUM,
    domain=WITH_NOISE,
    kind="Tight",
    equality=({**_UNITS, "sigma": 1},),
    reading="certain",
    expected="certified",
    rests_on=("sharpness.bound.optimum.cubed",),
)

attained = claim(
    label="sharpness.bound.optimum.attained",
    statement="At σ = (S² L/(4 m G²))^(1/6) the bound without ln(1/δ) is 3 (G S² L/(4m))^(1/3).",
    left=theorem.TRUNCATED.subs(sigma, theorem.BEST_SIGMA),
    relation="=",
    right=theorem.OPTIMUM,
    domain=BUDGETS,
    reading="certain",
    expected="proved",
)

parts = claim(
    label="sharpness.bound.optimum.parts",
    statement="At the best σ the part of the norm is twice that of the sharpness.",
    left=theorem.NORM_PART.subs(sigma, theorem.BEST_SIGMA),
    relation="=",
    right=2 * G_s * theorem.BEST_SIGMA**2,
    domain=BUDGETS,
    reading="certain",
    expected="proved",
)

growth = claim(
    label="sharpness.bound.optimum.growth",
    statement="Eight times the samples halve the best value: it falls as the cube root of m.",
    left=theorem.OPTIMUM.subs(m, 8 * m),
    relation="=",
    right=theorem.OPTIMUM / 2,
    domain=BUDGETS,
    reading="certain",
    expected="proved",
    limitations=("With prior and posterior of one variance; other priors give other rates.",),
)

# --- with ln(1/δ) ---------------------------------------------------------------------------------

above = claim(
    label="sharpness.bound.optimum.above",
    statement="The bound without ln(1/δ) is below the whole bound at every σ and δ: so is its best value.",
    left=theorem.VALUE,
    relation=">=",
    right=theorem.TRUNCATED,
    domain=WITH_LOG,
    kind="Tight",
    equality=({**_UNITS, "sigma": 1, "tau_f": 0},),
    expected="proved",
)

_UNIT_PROXY = {S: sp.Integer(1), m: sp.Integer(1)}

excess = claim(
    label="sharpness.bound.optimum.excess",
    statement="What ln(1/δ) adds to the part of the norm is at most S σ ln(1/δ)/√(mL); in units of S/√m.",
    left=theorem.complexity(N_2, tau_f).subs(_UNIT_PROXY),
    relation="<=",
    right=(theorem.NORM_PART + theorem.EXCESS_CEILING).subs(_UNIT_PROXY),
    domain=Domain({N_2: POSITIVE, sigma: POSITIVE, tau_f: NONNEGATIVE}),
    kind="Tight",
    equality=({"N_2": 1, "sigma": 1, "tau_f": 0},),
    expected="proved",
)

convex = claim(
    label="sharpness.bound.optimum.convex",
    statement="The bound is convex in σ²: its second derivative is at least the part of it that ln(1/δ) does not enter "
    "above the line, which is positive.",
    left=theorem.CURVATURE,
    relation=">=",
    right=theorem.CURVATURE_FLOOR,
    domain=Domain({**_BUDGETS, v_s: POSITIVE, tau_f: NONNEGATIVE}),
    kind="Tight",
    equality=({**_UNITS, "v_s": 1, "tau_f": 0},),
    expected="proved",
)

unique = claim(
    label="sharpness.bound.optimum.unique",
    statement="4G²(L x³ + 2 x⁴ ln(1/δ)) grows at least as x³, so that it takes the value L²S²/m once: the best σ² is "
    "the only root.",
    left=theorem.ELASTICITY,
    relation=">=",
    right=3 * theorem.stationary(v_s),
    domain=Domain({G_s: POSITIVE, N_2: POSITIVE, v_s: POSITIVE, tau_f: NONNEGATIVE}),
    kind="Tight",
    equality=({"G_s": 1, "N_2": 1, "v_s": 1, "tau_f": 0},),
    expected="proved",
)

stationary = claim(
    label="sharpness.bound.optimum.stationary",
    statement="Where σ² = x solves 4G²(L x³ + 2 x⁴ ln(1/δ)) = L²S²/m the whole bound is smallest and is "
    "G(3x + 4x² ln(1/δ)/L): at the variance t x it is Gx times t + 2√((1 + h)(1/t + h)) ≥ 3 + 2h, h = 2x ln(1/δ)/L.",
    left=theorem.RELATIVE_VALUE,
    relation=">=",
    right=3 + 2 * h_x,
    domain=Domain({h_x: NONNEGATIVE, t_x: POSITIVE}),
    kind="Tight",
    equality=({"h_x": 0, "t_x": 1}, {"h_x": 2, "t_x": 1}),
    expected="proved",
)

perturbed = claim(
    label="sharpness.bound.optimum.perturbed",
    statement="With a perturbation term that is a polynomial of degree 2 in σ, as the printed P is, the bound without "
    "ln(1/δ) is convex in log σ: at a geometric mean it is at most the mean of its values.",
    left=theorem.GEOMETRIC,
    relation="<=",
    right=theorem.ARITHMETIC,
    domain=Domain({
        G_s: POSITIVE, P_3: NONNEGATIVE, P_4: NONNEGATIVE, b_s: POSITIVE, sigma: POSITIVE, sigma_o: POSITIVE,
    }),
    kind="Tight",
    equality=({"G_s": 1, "P_3": 1, "P_4": 1, "b_s": 1, "sigma": 1, "sigma_o": 1},),
    expected="proved",
)  # fmt: skip

# --- the numerical optimum ------------------------------------------------------------------------

_AT_VARIANCE = Domain({
    T: Choices(short=5, long=50), D: Choices(one=1, four=4), omega: Choices(one=1, five=5),
    m: Integers(10**6, 10**6), delta: Choices(half="1/2", millionth="1/1000000"),
    v_o: Choices(hundred_millionth="1/100000000", hundredth="1/100"),
})  # fmt: skip


@functools.cache
def _best(length: int, degree: int, sparsity: int, samples: int, failure: float, variance: float) -> Bound:
    """The numerical optimum where S is such that a given variance is the best one."""
    budgets = published(length, degree, sparsity)
    norm, log = budgets.norm_total, math.log(1 / failure)
    root = math.sqrt(samples * (norm * variance**3 + 2 * log * variance**4))
    proxy = 2 * budgets.sharpness_total * root / norm
    return shared_variance(budgets, samples=samples, delta=failure, proxy=proxy)


def _at_variance(of: Callable[[Bound], float]) -> Measure:
    def one(p: Point) -> float:
        return of(_best(p["T"], p["D"], p["omega"], p["m"], float(p["delta"]), float(p["v_o"])))

    return lambda points, device: np.array([one(p) for p in points])


def _published(expression: sp.Expr) -> sp.Expr:
    return expression.subs({G_s: G_U, N_2: theorem.L_PRINTED, tau_f: theorem.LOG})


numerical_value = claim(
    label="sharpness.bound.optimum.numerical.value",
    statement="The numerical minimum over σ is the value at the root, for the printed budgets.",
    left=Quantity(
        "smallest value over σ, by branch and bound", _at_variance(lambda bound: bound.value), r"\min_\sigma B(\sigma)"
    ),
    relation="=",
    right=_published(theorem.FULL_OPTIMUM),
    domain=_AT_VARIANCE,
    expected="supported",
    rests_on=("sharpness.bound.optimum.stationary",),
)

numerical_variance = claim(
    label="sharpness.bound.optimum.numerical.variance",
    statement="The numerical minimum over σ is attained at the root, for the printed budgets.",
    left=Quantity(
        "σ² at the numerical minimum", _at_variance(lambda bound: float(bound.sigma) ** 2),  # type: ignore[arg-type]
        r"(\arg\min_\sigma B(\sigma))^2",
    ),
    relation="=",
    right=v_o,
    domain=_AT_VARIANCE,
    expected="supported",
    rests_on=("sharpness.bound.optimum.stationary", "sharpness.bound.optimum.unique"),
)  # fmt: skip

numerical_floor = claim(
    label="sharpness.bound.optimum.numerical.floor",
    statement="The numerical certificate, a value below which no σ leads, is within 10⁻⁷ of the minimum.",
    left=Quantity(
        "certified floor over the smallest value", _at_variance(lambda bound: float(bound.floor or 0) / bound.value),
        r"B_{\mathrm{floor}} / \min_\sigma B(\sigma)",
    ),
    relation=">=",
    right=1 - sp.Rational(1, 10**7),
    domain=_AT_VARIANCE,
    expected="supported",
)  # fmt: skip

_AT_CLASSES = Domain({
    T: Choices(short=5, long=50), D: Choices(one=1, four=4), omega: Choices(one=1, five=5),
    m: Choices(hundred=100, million=10**6), S: Choices(small="1/100", two=2),
})  # fmt: skip


@functools.cache
def _truncated(length: int, degree: int, sparsity: int, samples: int, proxy: float) -> tuple[float, float]:
    """The best value, and three times its part of the sharpness."""
    budgets = published(length, degree, sparsity)
    best, value = truncated_optimum(budgets, samples=samples, proxy=proxy)
    return value, 3 * budgets.sharpness_total * best**2


def _closed(index: int) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        return np.array([_truncated(p["T"], p["D"], p["omega"], p["m"], float(p["S"]))[index] for p in points])

    return measure


numerical_closed = claim(
    label="sharpness.bound.optimum.numerical.closed-form",
    statement="The closed forms as computed, of the best σ and of the value there, give the value of the bound there.",
    left=Quantity(
        "best value without ln(1/δ), as computed", _closed(0), r"B^*",
        theorem.OPTIMUM.subs({G_s: G_U, N_2: theorem.L_PRINTED}),
    ),
    relation="=",
    right=Quantity(
        "three times the sharpness part at the best σ, as computed",
        _closed(1), r"3 G_u \sigma^{*2}",
        (3 * G_s * theorem.BEST_SIGMA**2).subs({G_s: G_U, N_2: theorem.L_PRINTED}),
    ),
    domain=_AT_CLASSES,
    expected="proved",
    rests_on=("sharpness.bound.optimum.attained", "sharpness.bound.optimum.parts"),
)  # fmt: skip
