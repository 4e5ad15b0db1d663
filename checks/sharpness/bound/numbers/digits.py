"""Appendix E.3: the printed numbers digit by digit, and what they leave open."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound.example import claim
from boundaudit.derivations.pac_bayes.symbols import S, m, sigma
from boundaudit.derivations.sharpness.bound import numbers as at
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, P_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.bound.value import Bound

SIZES = {T: Integers(20, 20), D: Integers(2, 2), omega: Integers(10, 10)}
E3 = Domain({**SIZES, S: Choices(hundredth="1/100"), m: Integers(10**6, 10**6)})
LIMIT = 1 - 2.0**-40
"""δ for the bound without ln(1/δ), which the truncated optimum leaves out."""

_OF_NUMBER = 1e-13
"""Error budget of a number, relative to its size."""

# --- digits ---------------------------------------------------------------------------------------


def _row(
    name: str, digits: str, expression: Callable[[], sp.Expr], of: Callable[[Point], float], **changes: Any
) -> Case:
    """A number to the digits in which it is written."""
    written = Fraction(digits)
    exponent = int(digits.partition("e")[2] or 0)
    half = Fraction(1, 2) * Fraction(10) ** (exponent - len(digits.partition("e")[0].partition(".")[2]))
    exact = sp.Rational(written.numerator, written.denominator)
    left = Quantity(
        f"distance of {name} from {digits}", at_points(lambda p: abs(of(p) - float(written))),
        rf"|\text{{{name}}} - {digits}|", lambda: sp.Abs(expression() - exact),
        rounding=_OF_NUMBER, scale=abs(float(written)),
    )  # fmt: skip
    return Case(name, left=left, right=sp.Rational(half.numerator, half.denominator), domain=E3, **changes)


@functools.cache
def _best(length: int, degree: int, sparsity: int, samples: int, proxy: float) -> Bound:
    """The numerical optimum for the printed budgets."""
    return shared_variance(published(length, degree, sparsity), samples=samples, delta=LIMIT, proxy=proxy)


def _of(number: Callable[[Bound], float]) -> Callable[[Point], float]:
    return lambda p: number(_best(p["T"], p["D"], p["omega"], p["m"], float(p["S"])))


def _sigma(bound: Bound) -> float:
    assert isinstance(bound.sigma, float)
    return bound.sigma


def _printed(expression: sp.Expr) -> Callable[[], sp.Expr]:
    """With the printed G_u and L."""
    return lambda: expression.subs(at.PUBLISHED)


def _at_best(expression: sp.Expr) -> Callable[[], sp.Expr]:
    """With the printed G_u and L, at the best σ."""
    return lambda: expression.subs(sigma, theorem.BEST_SIGMA).subs(at.PUBLISHED)


@functools.cache
def _with_p() -> sp.Expr:
    """The bound of E.3 with a perturbation term P at the σ that is best without it."""
    return _at_best((G_s + P_s) * sigma**2 + theorem.NORM_PART)().subs(at.SETTING)


_SEMI = "The range of P is recovered from 0.327 alone, at the σ that is best without P; what P is made of cannot be "
"told from it."

printed = claim(
    label="sharpness.bound.numbers.printed",
    statement="The numbers printed for T = 20, D = 2, ω = 10, S = 0.01 and m = 10⁶ follow to their last digit from the "
    "printed formulas: G_u = 15524, and the best σ without P and ln(1/δ) is 0.00227. The bound there is at most 0.2395 "
    "(printed: 0.239), and at most 0.3275 (printed: 0.327) for a perturbation term P from 17033 to 17227.",
    role="printed",
    reading="certain",
    expected="proved",
    rests_on=("sharpness.bound.optimum.printed",),
    cases=(
        _row("sharpness", "15524", lambda: G_U, lambda p: published(p["T"], p["D"], p["omega"]).sharpness_total,
             place=("Theorem 14", "Appendix E")),
        _row("sigma", "2.27e-3", _printed(theorem.BEST_SIGMA), _of(_sigma)),
        Case(
            "value", left=Quantity(
                "best value of the printed bound, found numerically", at_points(_of(lambda bound: bound.value)), "B^*",
                _printed(theorem.OPTIMUM),
            ), right=sp.Rational("0.2395"), domain=E3, reading="plausible",
        ),
        Case(
            "with-P", left=lambda: _with_p(), right=sp.Rational("0.3275"), domain=Domain({P_s: Reals(17033, 17227)}),
            reading="plausible", limitations=(_SEMI,),
        ),
    ),
)  # fmt: skip
