"""A variance for every group of parameters: its best choice, what it gains at E.3, and why no rescaling moves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.sharpness.bound.example import (
    AT_E3,
    EACH,
    NONNEGATIVE,
    PAIRS,
    POSITIVE,
    SETTING,
    Measured,
    at_trapezoid,
    claim,
    measured,
)
from boundaudit.derivations.pac_bayes.symbols import tau_f
from boundaudit.derivations.sharpness.bound import groups as theorem
from boundaudit.derivations.sharpness.bound.groups import (
    A_first,
    A_g,
    A_second,
    L_first,
    L_g,
    L_second,
    a_first,
    a_g,
    a_second,
    kappa_first,
    kappa_g,
    kappa_second,
    n_v,
    q_first,
    q_g,
    q_second,
    r_A,
    s_g,
    x_A,
)
from boundaudit.derivations.sharpness.bound.shared_variance import c_m
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.mlp import Trapezoid

# --- the best variances ---------------------------------------------------------------------------

_ENTRIES = Vector(n_v, POSITIVE)
_GROUPS: dict[Any, Range] = {n_v: Integers(1, tested_to=5), a_g: _ENTRIES, L_g: _ENTRIES}
_TWO = (sp.Integer(1),) * 2
_AT_LEAST_ONE = Reals(1)
_HALVES = (sp.Rational(1, 2),) * 2

least = claim(
    label="sharpness.bound.groups.least",
    statement="For groups g of parameters with variances σ_g², sharpness a_g and squared norms L_g > 0 the bound Σ a_g "
    "σ_g² + c √(Σ L_g/σ_g²), without ln(1/δ), is at least (3/2) 2^(1/3) (c A)^(2/3), A = Σ √(a_g L_g), whatever the "
    "variances.",
    left=lambda: theorem.VALUE,
    relation=">=",
    right=lambda: theorem.LEAST,
    domain=lambda: Domain({**_GROUPS, s_g: _ENTRIES, c_m: POSITIVE}),
    kind="Tight",
    equality=({"n_v": 2, "a_g": _HALVES, "L_g": _HALVES, "sigma_g": _TWO, "c_m": 2},),
    rests_on=("sharpness.bound.groups.one-variable", "sharpness.bound.groups.merge"),
    improves="sharpness.bound.optimum.printed",
    limitations=("Without ln(1/δ). It follows for any number of groups from the two claims that it rests on.",),
)

one_variable = claim(
    label="sharpness.bound.groups.one-variable",
    statement="With X = Σ a_g σ_g² = x² and Σ L_g/σ_g² ≥ A²/X one variable is left of the variances of all groups: "
    "X + c A/√X is at least 3 (c A/2)^(2/3), for all X > 0 and c A = 2r³ > 0.",
    left=theorem.ONE_VARIABLE,
    relation=">=",
    right=theorem.ONE_VARIABLE_LEAST,
    domain=Domain({x_A: POSITIVE, r_A: POSITIVE}),
    kind="Tight",
    equality=({"x_A": 1, "r_A": 1}, {"x_A": 3, "r_A": 3}),
    expected="proved",
)

merge = claim(
    label="sharpness.bound.groups.merge",
    statement="If X Y ≥ A², with X = Σ a_g σ_g², Y = Σ L_g/σ_g² and A = Σ √(a_g L_g), holds for two sets of groups, it "
    "holds for all of them together: by induction for any number of groups, as one group has X Y = A².",
    left=theorem.MERGED,
    relation=">=",
    right=theorem.MERGED_LEAST,
    domain=Domain({
        A_first: POSITIVE, A_second: POSITIVE, kappa_first: POSITIVE, kappa_second: POSITIVE,
        q_first: _AT_LEAST_ONE, q_second: _AT_LEAST_ONE,
    }),
    kind="Tight",
    equality=({"A_g1": 1, "A_g2": 2, "kappa_g1": 3, "kappa_g2": 3, "q_g1": 1, "q_g2": 1},),
    expected="proved",
)  # fmt: skip

reached = claim(
    label="sharpness.bound.groups.reached",
    statement="At the variances σ_g² = κ √(L_g/a_g) of the groups, κ > 0, the noise adds Σ a_g σ_g² = κ A to the loss "
    "and Σ L_g/σ_g² is A/κ, with A = Σ √(a_g L_g).",
    relation="=",
    domain=lambda: Domain({**_GROUPS, kappa_g: POSITIVE}),
    expected="proved",
    cases=(
        Case("rise", left=lambda: theorem.REACHED_RISE, right=lambda: theorem.RISE_OF_KAPPA),
        Case("ratio", left=lambda: theorem.REACHED_RATIO, right=lambda: theorem.RATIO_OF_KAPPA),
    ),
)

confidence = claim(
    label="sharpness.bound.groups.confidence",
    statement="With ln(1/δ), too, the best variances of the groups are κ √(L_g/a_g): at X = Σ a_g σ_g² = κ A and "
    "Y = Σ L_g/σ_g² = q A/κ, q ≥ 1, X + c √(Y + 2 ln(1/δ)) is least for q = 1, and κ is all that is left to choose.",
    left=theorem.WITH_CONFIDENCE,
    relation=">=",
    right=theorem.WITH_CONFIDENCE_LEAST,
    domain=Domain({kappa_g: POSITIVE, A_g: POSITIVE, q_g: _AT_LEAST_ONE, c_m: POSITIVE, tau_f: NONNEGATIVE}),
    kind="Tight",
    equality=({"kappa_g": 1, "A_g": 2, "q_g": 1, "c_m": 1, "tau_f": 1},),
    expected="proved",
    rests_on=("sharpness.bound.groups.merge", "sharpness.bound.groups.reached"),
)

never_worse = claim(
    label="sharpness.bound.groups.never-worse",
    statement="Splitting groups, down to single coordinates, never raises the bound: A² = (Σ √(a_g L_g))² is at most "
    "Σ a_g Σ L_g, its value for one variance, for two groups and for more, with equality where sharpness and norm are "
    "in proportion.",
    relation="<=",
    kind="Tight",
    cases=(
        Case(
            "two", left=theorem.TWO_SHARED_SQUARED, right=theorem.TWO_TOTALS_SQUARED,
            domain=Domain({a_first: POSITIVE, a_second: POSITIVE, L_first: POSITIVE, L_second: POSITIVE}),
            equality=({"a_g1": 1, "a_g2": 4, "L_g1": 4, "L_g2": 16},), expected="proved",
        ),
        Case(
            "many", left=lambda: theorem.SHARED_SQUARED, right=lambda: theorem.TOTALS_SQUARED,
            domain=lambda: Domain({**_GROUPS, n_v: Integers(2, tested_to=4)}),
            equality=({"n_v": 2, "a_g": _TWO, "L_g": _TWO},),
            limitations=(
                "Of single coordinates those without weight get no noise: which they are must be known in advance.",
                "By induction from two groups.",
            ),
        ),
    ),
)  # fmt: skip

# --- at E.3 ---------------------------------------------------------------------------------------


def of_one(found: Measured, shared: float) -> float:
    """The bound with some A, at the σ that is best without ln(1/δ).

    Args:
        found: the construction.
        shared: A.

    Returns:
        Its value with residual and ln(1/δ).
    """
    one = replace(found.budgets, sharpness={"all": shared}, norms_squared={"all": shared})
    sigma, _ = truncated_optimum(one, samples=SETTING["samples"], proxy=SETTING["proxy"])
    return shared_variance(one, **SETTING, sigma=sigma).value


def _values(name: str, words: str, value: Callable[[Measured], float], most: Mapping[Trapezoid, str]) -> list[Case]:
    left = Quantity(
        f"bound at E.3 with {words}", at_trapezoid(lambda mlp: value(measured(mlp))), rf"B_{{\text{{{name}}}}}",
        rounding=1e-7,
    )  # fmt: skip
    return [
        Case(f"{name},{mlp}", left=left, right=sp.Rational(most[mlp]), domain=Domain({u: EACH[mlp][1]})) for mlp in most
    ]


values = claim(
    label="sharpness.bound.groups.values",
    statement="With the construction's own sharpness, norm and loss the bound is at most 0.14408 (steep) and 0.08404 "
    "(wide) with one variance for all parameters. With one variance a block it is at most 0.04715 and 0.03108, with "
    "one a coordinate at most 0.02598 and 0.01744; printed is 0.239. This is at T = 20, D = 2, ω = 10, m = 10⁶, S = "
    "0.01 and δ = 5 %.",
    rests_on=("sharpness.bound.groups.confidence", "sharpness.bound.groups.never-worse"),
    improves="sharpness.bound.numbers.printed",
    limitations=(
        "Norms and mean squared gradients are the construction's; a learner must be dominated by it group by group.",
        "To second order in the noise: no perturbation term is added.", PAIRS, AT_E3,
    ),
    cases=(
        *_values("isotropic", "one variance", lambda x: of_one(x, x.isotropic),
                 {"steep": "0.14408", "wide": "0.08404"}),
        *_values("blocks", "one variance per block", lambda x: of_one(x, x.shared),
                 {"steep": "0.04715", "wide": "0.03108"}),
        *_values("coordinates", "one variance per coordinate", lambda x: of_one(x, x.coordinates),
                 {"steep": "0.02598", "wide": "0.01744"}),
    ),
)  # fmt: skip
