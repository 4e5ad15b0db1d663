"""Appendix E.3: the printed numbers digit by digit, and what they leave open."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import numbers as at
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, P_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.bound.value import Bound

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
SIZES = {T: Integers(20, 20), D: Integers(2, 2), omega: Integers(10, 10)}
E3 = Domain({**SIZES, S: Choices(hundredth="1/100"), m: Integers(10**6, 10**6)})
LIMIT = 1 - 2.0**-40
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
def _best(length: int, degree: int, sparsity: int, samples: int, proxy: float, failure: float = LIMIT) -> Bound:
    """The numerical optimum for the printed budgets."""
    return shared_variance(published(length, degree, sparsity), samples=samples, delta=failure, proxy=proxy)


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
            shared_variance(
                published(20, 2, 10), samples=10**6, delta=LIMIT, proxy=0.01, perturbation=float(p["P_s"]),
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
