"""Lemmas 26 to 28: what the output draws from each row, and how noise moves the attention of layer 2."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.disjoint_supports import tiles
from boundaudit.checks.sharpness.perturbed.shared import (
    EXHAUSTIVE,
    FIRST_ORDER,
    NOISE,
    SMALL,
    Network,
    networks,
    one_by_one,
    over,
)
from boundaudit.checks.sharpness.perturbed.shared import claim as any_claim
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import perturbed_output as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL
from boundaudit.derivations.sharpness.gradients import output
from boundaudit.derivations.sharpness.parameters import T, omega
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, WEIGHTS, rate
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.moments import row_gradients, weight_deviations

_claim = functools.partial(any_claim, place=("Lemma 26",))

# Active rows rest on their plateaus from T = 4 on.
_TILES = tiles(12).replace(T=Integers(4, tested_to=12))


def _row(which: int, scale: float) -> Measure:
    """The squared gradient of f in a row of what layer 2 reads; the output position's is the last."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], _: Trapezoid) -> Tensor:
            return row_gradients(*networks(chosen, device), scale=scale)[:, which].square().sum(-1)

        return by_trapezoid(points, of)

    return measure


def _first(scale: float, definition: sp.Expr) -> Quantity:
    return Quantity(
        "squared gradient of the output in the first row", _row(0, scale), r"\|\partial f/\partial g_1\|^2", definition,
        rounding=1e-10, scale=1e-10,
    )  # fmt: skip


_FINITE = _first(2.0, theorem.row_gradient(theorem.FIRST_MASS, theorem.FIRST_VALUE, output(FINITE)))
_IDEAL = _first(float("inf"), theorem.row_gradient(theorem.FIRST_MASS_IDEAL, theorem.FIRST_VALUE, output(IDEAL)))
_ROWS = "Of the rows of components the first is taken: their order is free."

only_data = _claim(
    label="sharpness.perturbed.rows.only-data",
    statement="The gradient of the output in a row of what layer 2 reads lives in the data channel alone: its size is "
    "a C.",
    left=_FINITE,
    relation="<=",
    right=(theorem.FIRST_MASS * SUM) ** 2,
    domain=_TILES,
    reading="plausible",
    expected="refuted",
    limitations=(_ROWS, "The printed formula is lost; the text says that only the data column survives."),
)

only_data_ideal = _claim(
    label="sharpness.perturbed.rows.only-data-ideal",
    statement="In the ideal network, whose softmaxes see their support alone, the gradient of the output in a row of "
    "what layer 2 reads lives in the data channel alone.",
    left=_IDEAL,
    relation="<=",
    right=(theorem.FIRST_MASS_IDEAL * SUM) ** 2,
    domain=_TILES,
    reading="plausible",
    expected="refuted",
    limitations=(_ROWS, "The printed formula is lost; the text says that only the data column survives."),
)

row_bound = _claim(
    label="sharpness.perturbed.rows.bound",
    statement="The gradient of the output in a row of what layer 2 reads has squared size at most "
    "a² C² (1 + 4ω log²T): the data channel, and the positions' channels through the keys.",
    left=_FINITE,
    relation="<=",
    right=(theorem.FIRST_MASS * SUM) ** 2 * (1 + 4 * omega * sp.log(T) ** 2),
    domain=_TILES,
    expected="certified",
    repairs=("sharpness.perturbed.rows.only-data", "sharpness.perturbed.rows.only-data-ideal"),
    rests_on=("sharpness.norms.W2.upper",),
    limitations=(_ROWS,),
)

query_row = _claim(
    label="sharpness.perturbed.rows.query",
    statement="In the output position's row the gradient also holds the covariance of value and logit, which reaches "
    "f through the query.",
    left=Quantity(
        "squared gradient of the output in the output position's row", _row(-1, float("inf")),
        r"\|\partial f/\partial g_{T+1}\|^2", theorem.query_gradient(IDEAL), rounding=1e-10, scale=1e-10,
    ),
    relation="<=",
    right=SUM**2 * sp.log(T) ** 2,
    domain=_TILES,
    expected="certified",
    limitations=(
        "The ideal network, where no attention is left to the row itself; the bound is Popoviciu's for both spreads.",
    ),
)  # fmt: skip


def _expected_shift(network: Network) -> float:
    """E‖ã - a‖₁ for each unit of σ, to first order: the weights' changes are normal with these deviations."""
    return float(weight_deviations(*network.single).sum()) * math.sqrt(2 / math.pi)


_SHIFT = one_by_one(_expected_shift)
_LEMMA_27 = 100

shift = _claim(
    label="sharpness.perturbed.weights.shift",
    statement="To first order the bound 128 σ D² √ω log T on ‖ã - a‖₁ exceeds the expected change "
    f"√(2/π) σ Σ|∇a_t| by a factor of {_LEMMA_27} at least.",
    left=Quantity(
        "bound over the expected change of the attention weights", over(rate(WEIGHTS, COUNTED), _SHIFT),
        r"\frac{128 \sigma D^2 \sqrt{\omega} \log T}{\sqrt{2/\pi}\, \sigma \sum_t \|\nabla a_t\|}", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(_LEMMA_27),
    domain=SMALL,
    mode=FIRST_ORDER,
    place=("Lemma 27",),
    reading="plausible",
    limitations=(
        EXHAUSTIVE,
        "The bound is read off the first term of T_p. It leaves out the noise of W2 itself, which the change has.",
    ),
)  # fmt: skip

tail = _claim(
    label="sharpness.perturbed.weights.lemma-28",
    statement="The change of the second layer's attention carries over to the output within a stated bound.",
    left=sigma,
    relation="<=",
    right=K * sigma,
    domain=Domain({K: Reals(0, open_low=True), sigma: NOISE}),
    mode=FIRST_ORDER,
    place=("Lemma 28",),
    reading="plausible",
    expected="not testable",
    missing="the formula of the lemma; neither its two sides nor its constant can be recovered",
)
