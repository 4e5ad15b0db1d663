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


def _fall(degree: Tensor, factor: Tensor, mlp: Trapezoid) -> Tensor:
    """What the squared norm loses by the rescaling."""
    return _total(degree, 1.0, mlp) - _total(degree, factor, mlp)


def _best_fall(degree: Tensor, _: Tensor, mlp: Trapezoid) -> Tensor:
    inner, outer = mlp_norms(degree, 1.0, mlp=mlp)
    return _fall(degree, (outer / inner) ** 0.25, mlp)


closed_form = claim(
    label="sharpness.rescaling.norm.closed-form",
    statement="Multiplying M and Gamma by α and dividing F by it makes the squared norm of the MLP aα² + b/α², with "
    "a = ‖M‖² + ‖Gamma‖² and b = ‖F‖².",
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
        "D = 1, so that the best factor (b/a)^(1/4) exceeds one.",
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

fall = claim(
    label="sharpness.rescaling.norm.fall",
    statement="Rescaling the construction's MLP by α lowers its squared norm by (α² - 1)(b/α² - a), and by (√b - √a)² "
    "at the best factor, with a = ‖M‖² + ‖Gamma‖² and b = ‖F‖².",
    relation="=",
    expected="proved",
    rests_on=("sharpness.rescaling.norm.closed-form",),
    cases=(
        Case(
            "any",
            statement="Multiplying M and Gamma by α and dividing F by it lowers the squared norm by "
            "(α² - 1)(b/α² - a), with a = ‖M‖² + ‖Gamma‖² and b = ‖F‖².",
            left=Quantity(
                "fall of the squared norm", _of_mlp(_fall), r"\|\Theta\|^2 - \|\Theta_\alpha\|^2",
                lambda: theorem.NETWORK_FALL_BY_NORMS, rounding=1e-9, scale=1e4,
            ),
            right=lambda: theorem.network_fall(),
            domain=_RESCALED,
        ),
        Case(
            "best",
            statement="Rescaling the MLP by the best factor α = (b/a)^(1/4) lowers the squared norm by (√b - √a)², "
            "with a = ‖M‖² + ‖Gamma‖² and b = ‖F‖².",
            left=Quantity(
                "fall of the squared norm at the best factor", _of_mlp(_best_fall),
                r"\|\Theta\|^2 - \min_\alpha \|\Theta_\alpha\|^2", lambda: theorem.network_best_fall()[0],
                rounding=1e-10,
            ),
            right=lambda: theorem.network_best_fall()[1],
            domain=_DEGREES,
            rests_on=("sharpness.rescaling.norm.closed-form", "sharpness.rescaling.norm.optimum"),
        ),
    ),
)  # fmt: skip

trade = claim(
    label="sharpness.rescaling.norm.trade",
    statement="The rescaled norm aα² + b/α² is at most a + b for α from 1 to √(b/a), and at least that beyond.",
    left=theorem.rescaled(a, b, alpha),
    relation="<=",
    right=a + b,
    kind="Tight",
    expected="proved",
    limitations=("Of the remark that rescalings trade norm against sharpness, this is the norm's part.",),
    cases=(
        Case(
            "within",
            statement="For 1 ≤ α ≤ √(b/a) the rescaled squared norm aα² + b/α² is at most the original a + b.",
            domain=Domain({a: _POSITIVE, alpha: Reals(1), b: Reals(a * alpha**2)}),
            equality=({"a": 1, "alpha": 1, "b": 4}, {"a": 1, "alpha": 2, "b": 4}),
        ),
        Case(
            "beyond",
            statement="For b ≥ a and α ≥ √(b/a) the rescaled squared norm aα² + b/α² is at least the original a + b.",
            relation=">=",
            domain=Domain({a: _POSITIVE, alpha: Reals(1), b: Reals(a, a * alpha**2)}),
            equality=({"a": 1, "alpha": 2, "b": 4},),
        ),
    ),
)
