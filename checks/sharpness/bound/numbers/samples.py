"""Appendix E.3: how many samples the bound needs."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Choices, Domain
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound.example import EACH, FEW, MILLION, PAIRS, claim, own_norm, with_norm
from boundaudit.checks.sharpness.bound.numbers.digits import LIMIT, SIZES
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m
from boundaudit.derivations.sharpness.bound import numbers as at
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.mlp import Trapezoid

# --- how many samples -----------------------------------------------------------------------------

_QUARTER = sp.Rational(1, 4)


def _optimum(norm: Callable[[], sp.Expr]) -> Callable[[], sp.Expr]:
    """The best value of the bound at E.3 with the printed G_u, in m."""
    setting = {key: value for key, value in at.SETTING.items() if key != m}
    return lambda: theorem.OPTIMUM.subs({G_s: G_U, N_2: norm()}).subs(setting)


def _published() -> sp.Expr:
    return theorem.L_PRINTED


def _norm_of(width: int) -> Callable[[], sp.Expr]:
    return lambda: at.norm_of_equal().subs({**at.SIZES, u: sp.Integer(width)})


def _threshold(name: str, norm: Callable[[], sp.Expr], level: sp.Expr, first: int) -> Case:
    """The first sample size whose best value is below a level: the root lies less than one sample before it."""
    middle = sp.Integer(first) - sp.Rational(1, 2)
    return Case(
        name, left=lambda: sp.Abs(theorem.needed(level).subs({G_s: G_U, N_2: norm()}) - middle),
        right=sp.Rational(1, 2), domain=Domain({**SIZES, S: Choices(hundredth="1/100")}),
    )  # fmt: skip


thresholds = claim(
    label="sharpness.bound.numbers.samples.thresholds",
    statement="At T = 20, D = 2, ω = 10 and S = 0.01 the bound at its best σ, without P and ln(1/δ), is below 1 from "
    "13664 samples on with the printed L, and from 15642 on with the steep construction's norm. It is below 1/4 from "
    "874464 and from 1001056 samples on. With one sample less it is not. Whatever t, the bound is t at 27 G_u S² "
    "L/(4t³) samples.",
    expected="proved",
    rests_on=("sharpness.bound.optimum.printed",),
    repairs=("sharpness.bound.numbers.non-vacuous[experiments]",),
    cases=(
        _threshold("one", _published, sp.Integer(1), 13664),
        _threshold("quarter", _published, _QUARTER, 874464),
        _threshold("one,steep", _norm_of(1), sp.Integer(1), 15642),
        _threshold("quarter,steep", _norm_of(1), _QUARTER, 1001056),
    ),
)


@functools.cache
def _with_true_norm(mlp: Trapezoid, samples: int) -> float:
    return shared_variance(with_norm(own_norm(mlp)), samples=samples, delta=LIMIT, proxy=0.01).value


_TRUE_VALUE = {
    mlp: Quantity(
        f"best value with the {mlp} construction's own norm",
        at_points(lambda p, mlp=mlp: _with_true_norm(mlp, p["m"])),  # type: ignore[misc]
        r"3 (G_u S^2 \|\Theta\|^2 / 4m)^{1/3}", _optimum(_norm_of(width)),
    )
    for mlp, (width, _) in EACH.items()
}  # fmt: skip

_OWN_NORM: dict[Trapezoid, str] = {"steep": "refuted", "wide": "proved"}

non_vacuous = claim(
    label="sharpness.bound.numbers.non-vacuous",
    statement="The printed bound is not vacuous at T = 20, D = 2, ω = 10 and S = 0.01, at its best σ without P and "
    "ln(1/δ). It is below 1 at a million samples and at the 8192 of the experiments. At a million samples, with the "
    "squared norm of the construction itself, steep or wide, it is below 1/4, the risk of the best constant for ten "
    "equal coefficients of unit length.",
    relation="<=",
    right=sp.Integer(1),
    role="printed",
    reading="plausible",
    rests_on=("sharpness.bound.optimum.printed",),
    cases=(
        Case("million", left=_optimum(_published), domain=Domain({m: MILLION}), reading="certain", expected="proved"),
        Case(
            "experiments", left=_optimum(_published), domain=Domain({m: FEW}), expected="refuted",
            limitations=(
                "Whether the text says so of this m is not certain.",
                "The bound is 1.185925 there; with the root of L in the place of L it would be 0.3588.",
            ),
        ),
        *(
            Case(
                f"own-norm,{mlp}", left=_TRUE_VALUE[mlp], right=_QUARTER, domain=Domain({m: MILLION}),
                rests_on=(
                    "sharpness.norms.total.closed-form", "sharpness.bound.optimum.printed",
                    "sharpness.constant_baseline.quarter",
                ),
                expected=expected,
                limitations=(
                    "With the printed L, which the steep norm exceeds, the value is 0.239; the text calls a bound "
                    "below 1 not vacuous, and names no risk of a constant.",
                ),
            )
            for mlp, expected in _OWN_NORM.items()
        ),
    ),
)  # fmt: skip

true_value = claim(
    label="sharpness.bound.numbers.true-norm.value",
    statement="At T = 20, D = 2, ω = 10, S = 0.01 and m = 10⁶ the printed bound without P and ln(1/δ), with the steep "
    "construction's own squared norm 1492.694, is at least 0.250087.",
    left=_TRUE_VALUE["steep"],
    relation=">=",
    right=sp.Rational(250087, 10**6),
    domain=Domain({m: MILLION}),
    expected="proved",
    rests_on=("sharpness.norms.total.closed-form", "sharpness.bound.optimum.printed"),
    repairs=("sharpness.bound.numbers.non-vacuous[own-norm,steep]",),
    limitations=(PAIRS,),
)
