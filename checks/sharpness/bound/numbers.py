"""Appendix E.3: the published numbers computed again, what follows from them, and what cannot be told from them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from boundaudit.checks.claim import Claim, Quantity
from boundaudit.checks.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import numbers as at
from boundaudit.derivations.sharpness.bound import tied as theorem
from boundaudit.derivations.sharpness.bound.tied import G_s, P_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published
from boundaudit.numeric.sharpness.bound.tied import tied
from boundaudit.numeric.sharpness.bound.value import Bound
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
SIZES = {T: Integers(20, 20), D: Integers(2, 2), omega: Integers(10, 10)}
E3 = Domain({**SIZES, S: Choices(hundredth="1/100"), m: Integers(10**6, 10**6)})
_LIMIT = 1 - 2.0**-40
"""δ for the bound without ln(1/δ), which the truncated optimum leaves out."""

_OF_DISTANCE = 0.05
"""Error budget of a distance in the eleventh digit, relative to the distance, from rounding in the sixteenth."""

# --- digits ---------------------------------------------------------------------------------------


def _digits(
    name: str, statement: str, expression: sp.Expr, digits: str, of: Callable[[Point], float], *,
    place: tuple[str, ...] = ("Appendix E",), reading: str = "derived here", limitations: tuple[str, ...] = (),
) -> Claim:  # fmt: skip
    """A number to the digits in which it is written."""
    written = Fraction(digits)
    exponent = int(digits.partition("e")[2] or 0)
    half = Fraction(1, 2) * Fraction(10) ** (exponent - len(digits.partition("e")[0].partition(".")[2]))

    def distance(points: Sequence[Point], device: str) -> Array:
        return np.array([abs(of(p) - float(written)) for p in points])

    exact = sp.Rational(written.numerator, written.denominator)
    return claim(
        label=f"sharpness.bound.numbers.{name}",
        statement=statement,
        left=Quantity(
            f"distance of {name} from {digits}", distance, rf"|\text{{{name}}} - {digits}|",
            sp.Abs(expression - exact), rounding=_OF_DISTANCE,
        ),
        relation="<=",
        right=sp.Rational(half.numerator, half.denominator),
        domain=E3,
        place=place,
        reading=reading,  # type: ignore[arg-type]
        expected="proved",
        limitations=limitations,
    )  # fmt: skip


@functools.cache
def _best(length: int, degree: int, sparsity: int, samples: int, proxy: float, failure: float = _LIMIT) -> Bound:
    """The numerical optimum for the printed budgets."""
    return tied(published(length, degree, sparsity), samples=samples, delta=failure, proxy=proxy)


def _of(number: Callable[[Bound], float]) -> Callable[[Point], float]:
    return lambda p: number(_best(p["T"], p["D"], p["omega"], p["m"], float(p["S"])))


def _sigma(bound: Bound) -> float:
    assert isinstance(bound.sigma, float)
    return bound.sigma


def _rate(p: Point) -> float:
    bound = _of(lambda bound: bound.kl)(p)
    return float(np.sqrt(2 * p["m"] * bound) / float(p["S"]))


def _printed(expression: sp.Expr) -> sp.Expr:
    return expression.subs(at.PUBLISHED)


_SIGMA, _OPTIMUM = _printed(theorem.BEST_SIGMA), theorem.PUBLISHED_OPTIMUM
_NUMERIC = "found numerically, as a root in closed form and in ball arithmetic"

digits = (
    _digits(
        "norm", "The printed bound on the squared norm is 1303.929422578 at T = 20, D = 2, ω = 10.",
        theorem.L_PRINTED, "1303.929422578", lambda p: published(p["T"], p["D"], p["omega"]).norm_total,
        place=("Theorem 10", "Appendix E"), reading="certain",
    ),
    _digits(
        "sigma-printed", "The best σ of E.3 is 0.00227, as printed.", _SIGMA, "2.27e-3", _of(_sigma), reading="certain"
    ),
    _digits(
        "sigma", f"The best σ of E.3 without ln(1/δ) is 2.265676000 thousandths, {_NUMERIC}.", _SIGMA, "2.265676000e-3",
        _of(_sigma),
    ),
    _digits(
        "part-sharpness", "At the best σ the sharpness contributes 0.07968915883.", _printed(G_s * _SIGMA**2),
        "0.07968915883", _of(lambda bound: bound.parts["sharpness"]),
    ),
    _digits(
        "part-norm", "At the best σ the norm contributes 0.1593783177.",
        _printed(theorem.NORM_PART).subs(sigma, _SIGMA), "0.1593783177", _of(lambda bound: bound.parts["norm"]),
    ),
    _digits(
        "optimum", f"The best value of the bound of E.3 without P and ln(1/δ) is 0.2390674765, {_NUMERIC}.", _OPTIMUM,
        "0.2390674765", _of(lambda bound: bound.value),
        limitations=("In place of 0.239, which is what the printed σ leaves open of it.",),
    ),
    _digits(
        "rate", "The best rate λ of E.3 is 1593783176.67.", _printed(theorem.BEST_RATE), "1593783176.67", _rate
    ),
    _digits(
        "weight-norm", "The weight α of the squared norm in Definition 1 that belongs to E.3 is 6.1114626e-5.",
        _printed(theorem.NORM_WEIGHT), "6.1114626e-5", lambda p: 1 / (2 * _of(_sigma)(p) ** 2 * _rate(p)),
        place=("Definition 1", "Appendix E"),
    ),
    _digits(
        "weight-sharpness", "The weight β of the trace in Definition 1 that belongs to E.3 is 2.5666439e-6.",
        _printed(theorem.SHARPNESS_WEIGHT), "2.5666439e-6", lambda p: _of(_sigma)(p) ** 2 / 2,
        place=("Definition 1", "Appendix E"),
    ),
)  # fmt: skip

sharpness = claim(
    label="sharpness.bound.numbers.sharpness",
    statement="G_u is 15524 at D = 2, ω = 10.",
    left=Quantity(
        "sum of the printed terms of G_u",
        lambda points, device: np.array([published(p["T"], p["D"], p["omega"]).sharpness_total for p in points]),
        "G_u", G_U,
    ),
    relation="=",
    right=sp.Integer(15524),
    domain=Domain(SIZES),
    place=("Theorem 14", "Appendix E"),
    reading="certain",
    expected="proved",
)  # fmt: skip

# --- what the numbers leave open ------------------------------------------------------------------

_RATIONAL_SIGMA = sp.Rational("2.2656760001e-3")
_E3_VALUE = theorem.PRINTED.subs({**at.SETTING, sigma: _RATIONAL_SIGMA})

delta_open = claim(
    label="sharpness.bound.numbers.delta",
    statement="From δ = 1 down to one in a million the best value of E.3 rises by less than 9·10⁻⁹: at "
    "σ = 2.2656760001 thousandths the bound with ln(1/δ) is that close to the best value without it.",
    left=_E3_VALUE,
    relation="<=",
    right=_OPTIMUM.subs(at.SETTING) + sp.Rational(9, 10**9),
    domain=Domain({delta: Reals(sp.Rational(1, 10**6), 1)}),
    expected="proved",
    rests_on=("sharpness.bound.optimum.closed-form", "sharpness.bound.optimum.above"),
    limitations=("So δ cannot be told from a printed value of three digits.",),
)

_AT_PRINTED_P = (G_U + P_s) * _SIGMA**2 + theorem.NORM_PART.subs(sigma, _SIGMA)
_WITH_P = _printed(_AT_PRINTED_P).subs(at.SETTING)
_HALF_UNIT = sp.Rational(1, 2000)
_SEMI = ("From 0.327 alone, at the best σ without P. What P is made of cannot be told from it.",)

perturbation_fits = claim(
    label="sharpness.bound.numbers.perturbation.fits",
    statement="A perturbation term from 17033 to 17227 makes the bound of E.3 at its best σ 0.327 to three digits.",
    left=sp.Abs(_WITH_P - sp.Rational(327, 1000)),
    relation="<=",
    right=_HALF_UNIT,
    domain=Domain({P_s: Reals(17033, 17227)}),
    reading="plausible",
    expected="proved",
    limitations=_SEMI,
)

perturbation_below = claim(
    label="sharpness.bound.numbers.perturbation.smaller",
    statement="A perturbation term of at most 17032 leaves the bound of E.3 below 0.3265.",
    left=_WITH_P,
    relation="<=",
    right=sp.Rational(3265, 10000),
    domain=Domain({P_s: Reals(0, 17032)}),
    reading="plausible",
    expected="proved",
    limitations=_SEMI,
)

perturbation_reoptimised = claim(
    label="sharpness.bound.numbers.perturbation.best-sigma",
    statement="With P = 17130 the printed 0.327 is not the best: at σ = 1.76829 thousandths the bound is at most "
    "0.30632.",
    left=Quantity(
        "value of the bound with P",
        lambda points, device: np.array([
            tied(
                published(20, 2, 10), samples=10**6, delta=_LIMIT, proxy=0.01, perturbation=float(p["P_s"]),
                sigma=1.76829e-3,
            ).value
            for p in points
        ]),
        r"\sigma^2 (G_u + P) + S\sqrt{L/m}/\sigma",
        (sigma**2 * (G_U + P_s) + _printed(theorem.NORM_PART)).subs({
            **at.SETTING, sigma: sp.Rational("1.76829e-3"),
        }),
    ),
    relation="<=",
    right=sp.Rational(30632, 100000),
    domain=Domain({P_s: Integers(17130, 17130)}),
    expected="proved",
)  # fmt: skip


def _semi(name: str, what: str, change: sp.Rational, digits_: str) -> Claim:
    return claim(
        label=f"sharpness.bound.numbers.half.{name}",
        statement=f"{what} the bound of E.3 at its best σ is {digits_}.",
        left=sp.Abs(_WITH_P - sp.Rational(digits_)),
        relation="<=",
        right=sp.Rational(1, 20000),
        domain=Domain({P_s: Choices(change=Fraction(change.p, change.q))}),
        place=("Theorem 12", "Appendix E"),
        expected="proved",
        limitations=("The change of the trace is a 90th percentile of a published table, as an input.",),
    )


halves = (
    _semi("fitted", "With half of the 17130 that 0.327 needs as change of the trace,", sp.Rational(8565), "0.2830"),
    _semi("small-noise", "With 1333, the change at the least noise of the table,", sp.Rational(1333), "0.2459"),
    _semi("small-noise-halved", "With half of that change, as the second-order term has it,", sp.Rational(1333, 2),
          "0.2425"),
)  # fmt: skip

# --- how many samples -----------------------------------------------------------------------------

_UNKNOWN_M = {key: value for key, value in at.SETTING.items() if key != m}
_STEEP = at.NORM_OF_EQUAL.subs({**at.SIZES, u: sp.Integer(1)})


def _optimum(norm: sp.Expr) -> sp.Expr:
    return theorem.OPTIMUM.subs({G_s: G_U, N_2: norm}).subs(_UNKNOWN_M)


def _threshold(name: str, what: str, norm: sp.Expr, level: sp.Rational, first: int) -> tuple[Claim, Claim]:
    """One sample fewer than `first` leaves the best value above a level, `first` samples bring it below."""
    rests = ("sharpness.bound.optimum.closed-form", "sharpness.bound.optimum.growth")
    few = claim(
        label=f"sharpness.bound.numbers.samples.{name}.too-few",
        statement=f"{what}, the best value is above {level} with {first - 1} samples.",
        left=_optimum(norm),
        relation=">=",
        right=level,
        domain=Domain({m: Integers(first - 1, first - 1)}),
        expected="proved",
        rests_on=rests,
    )
    enough = claim(
        label=f"sharpness.bound.numbers.samples.{name}.enough",
        statement=f"{what}, the best value is below {level} with {first} samples.",
        left=_optimum(norm),
        relation="<=",
        right=level,
        domain=Domain({m: Integers(first, first)}),
        expected="proved",
        rests_on=rests,
        repairs=("sharpness.bound.numbers.samples.notebook",) if name == "one" else (),
    )
    return few, enough


_QUARTER = sp.Rational(1, 4)
thresholds = (
    *_threshold("one", "With the printed L and without P", theorem.L_PRINTED, sp.Integer(1), 13664),
    *_threshold("quarter", "With the printed L and without P", theorem.L_PRINTED, _QUARTER, 874464),
    *_threshold("one-steep", "With the steep construction's norm", _STEEP, sp.Integer(1), 15642),
    *_threshold("quarter-steep", "With the steep construction's norm", _STEEP, _QUARTER, 1001056),
)

notebook = claim(
    label="sharpness.bound.numbers.samples.notebook",
    statement="At the m = 8192 of the experiments the bound of E.3 is below 1 for the best σ.",
    left=_optimum(theorem.L_PRINTED),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({m: Integers(8192, 8192)}),
    place=("Appendix E",),
    reading="plausible",
    expected="refuted",
    limitations=(
        "Whether the text says so of this m is not certain.",
        "The value is 1.185925; with the root of L it would be 0.3588.",
    ),
)  # fmt: skip


@functools.cache
def _with_true_norm(samples: int) -> float:
    """The best value with the norm of the steep construction for ten pairs side by side."""
    sets = tuple((2 * n + 1, 2 * n + 2) for n in range(10))
    norm = float(norms_squared(TargetBatch.stack([Target(20, sets, (10**-0.5,) * 10)]), mlp="steep")["total"][0])
    budgets = published(20, 2, 10)
    true = Budgets(budgets.sharpness, {"all": norm}, budgets.counts, 0.0)
    return tied(true, samples=samples, delta=_LIMIT, proxy=0.01).value


_TRUE_VALUE = Quantity(
    "best value with the construction's own norm",
    lambda points, device: np.array([_with_true_norm(p["m"]) for p in points]),
    r"3 (G_u S^2 \|\Theta\|^2 / 4m)^{1/3}",
    _optimum(_STEEP),
)  # fmt: skip
_MILLION = Domain({m: Integers(10**6, 10**6)})

below_yardstick = claim(
    label="sharpness.bound.numbers.true-norm.informative",
    statement="With the steep construction's own squared norm the bound of E.3 is below 1/4, the risk of the best "
    "constant for ω = 10 equal coefficients of unit length.",
    left=_TRUE_VALUE,
    relation="<=",
    right=_QUARTER,
    domain=_MILLION,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.total.closed-form", "sharpness.norms.total.published-steep"),
    limitations=("With the steep trapezoid; with the printed L, which its norm exceeds, the value is 0.239.",),
)

above_yardstick = claim(
    label="sharpness.bound.numbers.true-norm.value",
    statement="With the steep construction's own squared norm, 1492.694, the bound of E.3 is at least 0.250087.",
    left=_TRUE_VALUE,
    relation=">=",
    right=sp.Rational(250087, 10**6),
    domain=_MILLION,
    expected="proved",
    rests_on=("sharpness.norms.total.closed-form",),
    repairs=("sharpness.bound.numbers.true-norm.informative",),
)

# --- with P by its formula ------------------------------------------------------------------------

_BY_FORMULA = (
    ("printed", "printed", "", 11_928_000_000_000, 11_928_100_000_000, "1.568e-7"),
    ("second-restored", "with σ restored in the larger of two terms of G_p", "", 82_937_000_000, 82_938_000_000,
     "1.8807e-6"),
    ("second-restored", "with σ restored in the larger of two terms of G_p", "root", 2_296_700_000, 2_296_900_000,
     "1.8807e-6"),
    ("restored", "with σ restored in both terms of G_p", "", 70_209_000, 70_210_000, "5.4192e-5"),
)  # fmt: skip


_FORMULA_AT: dict[Any, Range] = {
    T: Choices(twenty=20), D: Choices(two=2), omega: Choices(ten=10), d: Choices(one_hot=22),
    S: Choices(hundredth="1/100"),
}  # fmt: skip


def _analytic(name: str, what: str, norm: str, few: int, enough: int, noise: str) -> tuple[Claim, Claim]:
    """Samples that leave the bound above 1 for every σ, and hardly more that do not, in the form without a division."""
    weight = theorem.L_PRINTED ** (sp.Rational(1, 2) if norm else 1)
    label = f"sharpness.bound.numbers.analytic.{name}" + ("-root" if norm else "")
    words = f"P {what}" + (" and the root of L in place of L" if norm else "")
    common = functools.partial(
        claim, left=sigma * (1 - sigma**2 * (G_U + at.ALLOWANCES[name])), right=S * sp.sqrt(weight / m),
        reading="plausible", expected="proved", limitations=("At d = 22 and without ln(1/δ).",),
    )  # fmt: skip
    best = sp.Rational(noise)
    near = (best * (1 + sp.Rational(end, 10**4)) for end in (-1, 1))
    too_few = common(
        label=f"{label}.too-few",
        statement=f"With {words}, {few} samples leave the bound above 1 for every σ: σ(1 - σ²(G_u + P)) is at most "
        f"S√(L/m) from half to twice {noise}, below which the norm's part alone is above 1 and beyond which the "
        "sharpness's is.",
        relation="<=",
        domain=Domain(
            {**_FORMULA_AT, m: Choices(few=few), sigma: Reals(sp.Rational(noise) / 2, 2 * sp.Rational(noise))}
        ),
    )
    sufficient = common(
        label=f"{label}.enough",
        statement=f"With {words}, {enough} samples bring the bound below 1 at every σ within a ten-thousandth of "
        f"{noise}: σ(1 - σ²(G_u + P)) is at least S√(L/m).",
        relation=">=",
        domain=Domain({**_FORMULA_AT, m: Choices(enough=enough), sigma: Reals(*near)}),
    )
    return too_few, sufficient


by_formula = tuple(one for case in _BY_FORMULA for one in _analytic(*case))

# --- the root of L --------------------------------------------------------------------------------

_CELL = {T: 100, D: 2, omega: 2, d: 100}


def _notebook(points: Sequence[Point], device: str) -> Array:
    """The bound with the root of the norm, at the m and σ that the notebook prints beside it."""
    noise, budgets = 6.80201016361857e-07, published(100, 2, 2)
    rooted = Budgets(budgets.sharpness, {"all": float(sp.sqrt(at.NOTEBOOK_NORM.subs(_CELL)))}, budgets.counts, 0.0)
    change = float(at.ALLOWANCES["printed"].subs({**_CELL, sigma: noise}))
    found = tied(
        rooted, samples=64280731172.84319, delta=float(points[0]["delta"]), proxy=0.01, perturbation=change, sigma=noise
    )  # fmt: skip
    return np.full(len(points), found.value)


notebook_cell = claim(
    label="sharpness.bound.numbers.root.notebook",
    statement="A value that the authors' public plotting notebook prints for T = 100, D = ω = 2, 0.99263864988, is the "
    "one with the root of the squared norm, to its first eleven digits.",
    left=Quantity("bound with the root of the squared norm", _notebook, r"B(\sqrt{L'})", rounding=5e-12),
    relation="=",
    right=sp.Rational("0.99263864988"),
    domain=Domain({delta: Choices(fifth="1/5")}),
    place=(),
    reading="certain",
    expected="supported",
    limitations=("Of the notebook, at its own m and σ and d = 100; the text has the squared norm.",),
)


def _experiment(name: str, norm: sp.Expr, digits_: str, words: str) -> Claim:
    """The bound at the experiments' m with a measured change of the trace."""
    expression = theorem.value(G_U + 16212, norm, theorem.LOG).subs({
        **at.SIZES, S: at.SETTING[S], m: 8192, sigma: sp.Rational("2.639e-3"),
    })  # fmt: skip
    return claim(
        label=f"sharpness.bound.numbers.root.{name}",
        statement=f"At m = 8192, P = 16212 and σ = 0.002639 the bound is {digits_} with {words}.",
        left=sp.Abs(expression - sp.Rational(digits_)),
        relation="<=",
        right=sp.Rational(1, 2 * 10**6),
        domain=Domain({delta: Choices(fifth="1/5")}),
        place=(),
        expected="proved",
        limitations=("The change of the trace is a 90th percentile of a published table, as an input.",),
    )


experiments = (
    _experiment("rooted", sp.sqrt(at.NOTEBOOK_NORM), "0.474787", "the root of the notebook's norm"),
    _experiment("squared", at.NOTEBOOK_NORM, "1.759191", "the notebook's norm itself"),
    _experiment("printed", theorem.L_PRINTED, "1.732814", "the printed L"),
)
