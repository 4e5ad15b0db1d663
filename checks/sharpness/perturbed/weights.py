"""Lemmas 26 to 28: what the output draws from each row, and how noise moves the attention of layer 2."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Integers
from boundaudit.checks.sharpness.disjoint_supports import tiles
from boundaudit.checks.sharpness.perturbed.shared import (
    EXHAUSTIVE,
    FIRST_ORDER,
    SMALL,
    Network,
    networks,
    one_by_one,
)
from boundaudit.checks.sharpness.perturbed.shared import claim as any_claim
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness import perturbed_output as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL
from boundaudit.derivations.sharpness.gradients import output
from boundaudit.derivations.sharpness.parameters import T, omega
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, WEIGHTS, rate
from boundaudit.numeric.sharpness.moments import row_gradients, weight_deviations

_claim = functools.partial(any_claim, place=("Lemma 26",))

# Active rows rest on their plateaus from T = 4 on.
_TILES = tiles(12).replace(T=Integers(4, tested_to=12))


def _row(which: int, scale: float) -> Measure:
    """The squared gradient of f in a row of what layer 2 reads; the output position's is the last."""
    return by_trapezoid(lambda at, _: row_gradients(*networks(at), scale=scale)[:, which].square().sum(-1))


def _first(scale: float, definition: Callable[[], sp.Expr]) -> Quantity:
    return Quantity(
        "squared gradient of the output in the first row", _row(0, scale), r"\|\partial f/\partial g_1\|^2", definition,
        rounding=1e-10, scale=1e-10,
    )  # fmt: skip


_FINITE = _first(2.0, lambda: theorem.row_gradient(theorem.FIRST_MASS, theorem.first_value(), output(FINITE)))
_IDEAL = _first(
    float("inf"), lambda: theorem.row_gradient(theorem.FIRST_MASS_IDEAL, theorem.first_value(), output(IDEAL))
)
_ROWS = "Of the rows of components the first is taken: their order is free."

only_data = _claim(
    label="sharpness.perturbed.rows.only-data",
    statement="For components side by side with coefficients from T⁻⁴ to 1 and T ≥ 4, the gradient of the output in a "
    "component's row of what layer 2 reads lives in the data channel alone: its size is aC, a the attention to the row "
    "and C the sum of the coefficients.",
    domain=_TILES,
    role="control",
    expected="refuted",
    limitations=(_ROWS, "A reading that nobody claims: the text bounds all three terms of a row's change."),
    cases=(
        Case("finite", left=_FINITE, right=(theorem.FIRST_MASS * SUM) ** 2),
        Case("ideal", left=_IDEAL, right=(theorem.FIRST_MASS_IDEAL * SUM) ** 2),
    ),
)

row_bound = _claim(
    label="sharpness.perturbed.rows.bound",
    statement="For components side by side with coefficients from T⁻⁴ to 1 and T ≥ 4, the gradient of the output in a "
    "component's row of what layer 2 reads has squared size at most a² C² (1 + 4ω log²T), a the attention to the row "
    "and C the sum of the coefficients: the data channel, and the positions' channels through the keys.",
    left=_FINITE,
    right=(theorem.FIRST_MASS * SUM) ** 2 * (1 + 4 * omega * sp.log(T) ** 2),
    domain=_TILES,
    rests_on=("sharpness.norms.W2.upper",),
    limitations=(_ROWS,),
)

query_row = _claim(
    label="sharpness.perturbed.rows.query",
    statement="For components side by side with coefficients from T⁻⁴ to 1 of sum C, and T ≥ 4, the gradient of the "
    "ideal network's output in the output position's row is the covariance of value and logit, which reaches f through "
    "the query: its squared size is at most C² log²T.",
    left=Quantity(
        "squared gradient of the output in the output position's row", _row(-1, float("inf")),
        r"\|\partial f/\partial g_{T+1}\|^2", lambda: theorem.query_gradient(IDEAL), rounding=1e-10, scale=1e-10,
    ),
    right=SUM**2 * sp.log(T) ** 2,
    domain=_TILES,
    limitations=(
        "The ideal network, where no attention is left to the row itself; the bound is Popoviciu's for both spreads.",
    ),
)  # fmt: skip


def _expected_shift(network: Network) -> float:
    """E‖ã - a‖₁ for each unit of σ, to first order: the weights' changes are normal with these deviations."""
    return float(weight_deviations(*network.single).sum()) * math.sqrt(2 / math.pi)


_SHIFT = Quantity(
    "expected change of the attention weights over σ, to first order", one_by_one(_expected_shift),
    r"\sqrt{2/\pi} \sum_t \|\nabla a_t\|", rounding=1e-9,
)  # fmt: skip

printed = _claim(
    label="sharpness.perturbed.weights.printed",
    statement="For one or two components side by side with equal coefficients, T = 4 or 6 and D ≤ 2, noise of standard "
    "deviation σ on all parameters changes the second layer's attention by at most 128 σ D² √ω log T in ‖ã - a‖₁: to "
    "first order the bound is at least the expected change √(2/π) σ Σ|∇a_t|.",
    left=_SHIFT,
    right=rate(WEIGHTS, COUNTED),
    domain=SMALL,
    mode=FIRST_ORDER,
    role="printed",
    place=("Lemma 27",),
    reading="plausible",
    rests_on=("sharpness.noise.rows.printed", "sharpness.noise.rows.idle"),
    limitations=(
        EXHAUSTIVE,
        "The bound is read off the first term of T_p. It leaves out the noise of W2 itself, which the change has.",
    ),
)

shift = _claim(
    label="sharpness.perturbed.weights.shift",
    statement="For one or two components side by side with equal coefficients, T = 4 or 6 and D ≤ 2, the bound 128 σ "
    "D² √ω log T on ‖ã - a‖₁ is at least a hundred times the expected change √(2/π) σ Σ|∇a_t| of the second layer's "
    "attention to first order.",
    left=_SHIFT,
    right=rate(WEIGHTS, COUNTED) / 100,
    domain=SMALL,
    mode=FIRST_ORDER,
    place=("Lemma 27",),
    improves="sharpness.perturbed.weights.printed",
    limitations=(EXHAUSTIVE,),
)
