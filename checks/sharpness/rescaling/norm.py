"""Appendix D: what rescaling the MLP does to the norm, and the best factor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.rescaling.shared import FACTOR, claim, degrees, tensor
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.derivations.sharpness.rescaling import a, alpha, b
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rescaling import mlp_norms

_DEGREES = Domain({D: Integers(1, tested_to=32), u: BOTH})
_RESCALED = Domain({D: Integers(1, tested_to=32), u: BOTH, alpha: FACTOR})


def _norms(of: Callable[[Tensor, Trapezoid, Sequence[Point]], Tensor]) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        return by_trapezoid(points, lambda chosen, mlp: of(degrees(chosen, device), mlp, chosen))

    return measure


def _rescaled_norm(degree: Tensor, mlp: Trapezoid, points: Sequence[Point]) -> Tensor:
    inner, outer = mlp_norms(degree, tensor(points, "alpha", str(degree.device)), mlp=mlp)
    return inner + outer


def _fall(degree: Tensor, mlp: Trapezoid, points: Sequence[Point]) -> Tensor:
    """What the squared norm loses by the rescaling."""
    inner, outer = mlp_norms(degree, 1.0, mlp=mlp)
    return inner + outer - _rescaled_norm(degree, mlp, points)


def _best(degree: Tensor, mlp: Trapezoid, _: Sequence[Point]) -> Tensor:
    inner, outer = mlp_norms(degree, 1.0, mlp=mlp)
    return (outer / inner) ** 0.25


def _best_fall(degree: Tensor, mlp: Trapezoid, points: Sequence[Point]) -> Tensor:
    inner, outer = mlp_norms(degree, 1.0, mlp=mlp)
    least_inner, least_outer = mlp_norms(degree, _best(degree, mlp, points), mlp=mlp)
    return inner + outer - least_inner - least_outer


def _outer(degree: Tensor, mlp: Trapezoid, _: Sequence[Point]) -> Tensor:
    return mlp_norms(degree, 1.0, mlp=mlp)[1]


closed_form = claim(
    label="sharpness.rescaling.norm.closed-form",
    statement="The squared norm of the rescaled MLP is aα² + b/α², with a = ‖M‖² + ‖Γ‖² and b = ‖F‖².",
    left=Quantity(
        "squared norm of the rescaled MLP",
        _norms(_rescaled_norm),
        r"\|\alpha M\|^2 + \|\alpha \Gamma\|^2 + \|F/\alpha\|^2",
        theorem.rescaled(theorem.INNER_BY_ENTRIES, theorem.OUTER_BY_ENTRIES, alpha),
    ),
    relation="=",
    right=theorem.rescaled(theorem.INNER, theorem.OUTER, alpha),
    domain=_RESCALED,
    reading="certain",
    expected="proved",
)

_POSITIVE = Reals(0, open_low=True)
_WEIGHTS = Domain({a: _POSITIVE, b: _POSITIVE, alpha: _POSITIVE})
_EQUAL = {"a": 1, "b": 16, "alpha": 2}

optimum = claim(
    label="sharpness.rescaling.norm.optimum",
    statement="aα² + b/α² is at least 2√(ab), with equality at α⁴ = b/a.",
    left=theorem.rescaled(a, b, alpha),
    relation=">=",
    right=theorem.OPTIMUM,
    domain=_WEIGHTS,
    kind="Tight",
    equality=(_EQUAL,),
    reading="certain",
    expected="proved",
)

strict = claim(
    label="sharpness.rescaling.norm.best-fall",
    statement="At the best factor the squared norm falls by (√b - √a)².",
    left=Quantity(
        "fall of the squared norm at the best factor",
        _norms(_best_fall),
        r"\|\Theta\|^2 - \min_\alpha \|\Theta_\alpha\|^2",
        theorem.NETWORK_BEST_FALL_BY_NORMS,
        rounding=1e-10,
    ),
    relation="=",
    right=theorem.NETWORK_BEST_FALL,
    domain=_DEGREES,
    expected="proved",
    rests_on=("sharpness.rescaling.norm.closed-form", "sharpness.rescaling.norm.optimum"),
)

_OUTER = Quantity("squared norm of F", _norms(_outer), r"\|F\|^2", theorem.OUTER_BY_ENTRIES)


def _heavier(width: int, name: str, domain: Domain) -> Claim:
    ratio = theorem.LEAST_RATIO[width]
    return claim(
        label=f"sharpness.rescaling.heavier-output.{name}",
        statement=f"With the {name} trapezoid the output weights are always heavier: b is at least {ratio} a, with "
        "equality at D = 1.",
        left=_OUTER,
        relation=">=",
        right=ratio * theorem.INNER,
        domain=domain,
        kind="Tight",
        equality=({"D": 1, "u": width},),
        expected="certified",
    )


heavier = (
    _heavier(1, "steep", _DEGREES.replace(u=STEEP)),
    _heavier(2, "wide", _DEGREES.replace(u=WIDE)),
)

best_factor = claim(
    label="sharpness.rescaling.best-factor",
    statement="The best factor (b/a)^(1/4) is greater than one: at least (32/29)^(1/4), with equality for the wide "
    "trapezoid at D = 1.",
    left=Quantity("best factor", _norms(_best), r"\left(\tfrac{b}{a}\right)^{1/4}", theorem.BEST_FACTOR),
    relation=">=",
    right=theorem.LEAST_RATIO[2] ** sp.Rational(1, 4),
    domain=_DEGREES,
    kind="Tight",
    equality=({"D": 1, "u": 2},),
    reading="certain",
    expected="certified",
    rests_on=("sharpness.rescaling.heavier-output.steep", "sharpness.rescaling.heavier-output.wide"),
)

fall = claim(
    label="sharpness.rescaling.norm.fall",
    statement="The rescaling lowers the squared norm by (α² - 1)(b/α² - a).",
    left=Quantity(
        "fall of the squared norm", _norms(_fall), r"\|\Theta\|^2 - \|\Theta_\alpha\|^2",
        theorem.NETWORK_FALL_BY_NORMS, rounding=1e-9, scale=1e4,
    ),
    relation="=",
    right=theorem.NETWORK_FALL,
    domain=_RESCALED,
    expected="proved",
    rests_on=("sharpness.rescaling.norm.closed-form",),
)  # fmt: skip

trade = claim(
    label="sharpness.rescaling.norm.trade",
    statement="For 1 ≤ α ≤ √(b/a) the rescaled norm is at most the original one.",
    left=theorem.rescaled(a, b, alpha),
    relation="<=",
    right=a + b,
    domain=Domain({a: _POSITIVE, alpha: Reals(1), b: Reals(a * alpha**2)}),
    kind="Tight",
    equality=({"a": 1, "alpha": 1, "b": 4}, {"a": 1, "alpha": 2, "b": 4}),
    expected="proved",
    limitations=("Of the remark that rescalings trade norm against sharpness, this is the norm's part.",),
)

trade_beyond = claim(
    label="sharpness.rescaling.norm.trade-beyond",
    statement="For α beyond √(b/a), where b ≥ a, the rescaled norm is at least the original one.",
    left=theorem.rescaled(a, b, alpha),
    relation=">=",
    right=a + b,
    domain=Domain({a: _POSITIVE, alpha: Reals(1), b: Reals(a, a * alpha**2)}),
    kind="Tight",
    equality=({"a": 1, "alpha": 2, "b": 4},),
    expected="proved",
)
