"""Appendix D: what rescaling the MLP does to the norm, and the best factor."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.rescaling.shared import FACTOR, claim
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.derivations.sharpness.rescaling import a, alpha, b
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rescaling import mlp_norms

_DEGREES = Domain({D: Integers(1, tested_to=32), u: BOTH})
_RESCALED = Domain({D: Integers(1, tested_to=32), u: BOTH, alpha: FACTOR})


def _of_mlp(of: Callable[[Tensor, Tensor, Trapezoid], Tensor]) -> Measure:
    """A measurement of the MLP of each point's degree and factor, one where it has none."""
    return by_trapezoid(lambda at, mlp: of(at.whole("D"), at.real("alpha", 1), mlp))


def _total(degree: Tensor, factor: Tensor | float, mlp: Trapezoid) -> Tensor:
    inner, outer = mlp_norms(degree, factor, mlp=mlp)
    return inner + outer


closed_form = claim(
    label="sharpness.rescaling.norm.closed-form",
    statement="Multiplying M and Gamma by α and dividing F by α makes the squared norm of the MLP aα² + b/α², with a = "
    "‖M‖² + ‖Gamma‖² and b = ‖F‖².",
    left=Quantity(
        "squared norm of the rescaled MLP",
        _of_mlp(_total),
        r"\|\alpha M\|^2 + \|\alpha \Gamma\|^2 + \|F/\alpha\|^2",
        lambda: theorem.rescaled(theorem.INNER_BY_ENTRIES, theorem.OUTER_BY_ENTRIES, alpha),
    ),
    relation="=",
    right=lambda: theorem.rescaled(theorem.INNER, theorem.OUTER, alpha),
    domain=_RESCALED,
    role="printed",
    reading="certain",
    expected="proved",
)

_POSITIVE = Reals(0, open_low=True)

optimum = claim(
    label="sharpness.rescaling.norm.optimum",
    statement="The squared norm aα² + b/α² of the rescaled MLP is at least 2√(ab), with equality at α⁴ = b/a, for "
    "positive a and b.",
    left=theorem.rescaled(a, b, alpha),
    relation=">=",
    right=theorem.OPTIMUM,
    domain=Domain({a: _POSITIVE, b: _POSITIVE, alpha: _POSITIVE}),
    role="printed",
    kind="Tight",
    equality=({"a": 1, "b": 16, "alpha": 2},),
    reading="certain",
    expected="proved",
)


def _heavier(width: int, name: str, domain: Domain) -> Case:
    ratio = theorem.LEAST_RATIO[width]
    return Case(
        name,
        statement=f"With the {name} trapezoid b = ‖F‖² is at least {ratio} times a = ‖M‖² + ‖Gamma‖², with equality at "
        "D = 1. The best factor (b/a)^(1/4) is therefore above one.",
        right=ratio * theorem.INNER,
        domain=domain,
        equality=({"D": 1, "u": width},),
    )


best_factor = claim(
    label="sharpness.rescaling.best-factor",
    statement="The output weights are heavier than the input weights, ‖F‖² > ‖M‖² + ‖Gamma‖², so that the best factor "
    "exceeds one.",
    left=Quantity(
        "squared norm of F",
        _of_mlp(lambda degree, _, mlp: mlp_norms(degree, 1.0, mlp=mlp)[1]),
        r"\|F\|^2",
        theorem.OUTER_BY_ENTRIES,
    ),
    relation=">=",
    role="printed",
    kind="Tight",
    reading="certain",
    expected="proved",
    cases=(_heavier(1, "steep", _DEGREES.replace(u=STEEP)), _heavier(2, "wide", _DEGREES.replace(u=WIDE))),
    rests_on=("sharpness.norms.F.closed-form", "sharpness.norms.Gamma.closed-form", "sharpness.norms.exact.printed[M]"),
)
