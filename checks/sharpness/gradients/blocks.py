"""Theorem 14, block by block behind the MLP: the printed bounds, and attained ones that are sharper."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, ON_A_KINK, ONE_TILE
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, OUTPUTS, lengths_squared, mean, total
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    INPUTS,
    MEASURED,
    SQUARED,
    TILINGS,
    Link,
    block_proof,
    claim,
    closed,
    latex,
    networks,
    numbered,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.mlp import DEGREES
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.parameters import T, t
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, squared_length

_FORMULAS = {"V2": "4", "W2": "4ω", "Gamma": "64 ω D²(D+1)", "M": "64 ω D²(D+1)"}
_LIVE = "32 C² D²(D+1)/u², u = 1 for the steep and 2 for the wide trapezoid: half of the hidden units can act at once"
_SHARPER = {
    "V2": "2, as attention sums to one",
    "W2": "3C²/8: half of the attention on rows at one, half on rows at zero, is the worst",
    "Gamma": _LIVE,
    "M": _LIVE,
}
_USES = {
    "V2": ("sharpness.activations.stream.rows",),
    "W2": (
        "sharpness.softmax.jacobian.printed", "sharpness.activations.stream.rows",
        "sharpness.activations.values.largest-sparsity",
    ),
    "Gamma": ("sharpness.gradients.slope.active",),
    "M": ("sharpness.gradients.slope.active", "sharpness.activations.averaged"),
}  # fmt: skip
"""What the printed proof of a bound goes through."""

_half = sp.Rational(1, 2)
_ONE_BIT = {"T": 4, "D": 1, "omega": 1, "u": 1, "c": (1,), "S": ((1,),)}
_TWO_BITS = {"T": 4, "D": 1, "omega": 2, "u": 1, "c": (_half, _half), "S": ((1,), (2,))}
_ATTAINED = {
    "V2": {**_ONE_BIT, "x_n": 0},
    "W2": {**_TWO_BITS, "x_n": 4},
    "Gamma": {**_ONE_BIT, "x_n": 15},
    "M": {**_ONE_BIT, "x_n": 15},
}
"""No bit set; the second of four set; all of them set."""


def printed_label(block: str) -> str:
    """The label of a printed bound.

    Returns:
        A label of this module's claims.
    """
    return f"sharpness.gradients.{block}.printed"


def _printed(block: str) -> Claim:
    return claim(
        label=printed_label(block),
        statement=f"The squared gradient of the construction's output in {block} is at most {_FORMULAS[block]} for "
        "components of D positions side by side, T ≥ 4, coefficients from T⁻⁴ to 1 in the unit ball and either "
        "trapezoid.",
        role="printed",
        right=theorem.PUBLISHED[block],
        rests_on=_USES[block],
        cases=(
            Case(
                "finite", left=GRADIENT["finite"][block], domain=EVEN_TILINGS, reading="plausible",
                limitations=(SQUARED, EXACT, KINKED, ONE_TILE),
            ),
            Case(
                "ideal", left=GRADIENT["ideal"][block], domain=TILINGS,
                reading="certain" if block in ("Gamma", "M") else "plausible",
                limitations=(SQUARED, IDEAL_NETWORK, ONE_TILE),
            ),
        ),
    )  # fmt: skip


# --- for every family and input -------------------------------------------------------------------


@by_trapezoid
def _on_at_one(at: Columns, mlp: Trapezoid) -> Tensor:
    found = units(at.whole("D"), mlp)
    return squared_length(torch.where(1 + found.bias > 0, found.output, 0.0))


live = claim(
    label="sharpness.gradients.live",
    statement="The squared output weights of the hidden units that are on where a row averages its bits to one add up "
    "to 32 D²(D+1)/u², u = 1 for the steep and 2 for the wide trapezoid: of the last grid point only two of four are.",
    left=Quantity(
        "squared output weights of units on at one", _on_at_one, r"\sum_j F_j^2 [1 + \gamma_j > 0]",
        theorem.live_by_units, rounding=1e-11,
    ),
    relation="=",
    right=theorem.LIVE,
    domain=DEGREES,
    expected="proved",
)  # fmt: skip

_DEVIATION, _VARIANCE, _QUARTER, _UNIT = (
    f"sharpness.averages.{name}" for name in ("deviation", "variance", "quarter", "unit")
)
_RANGE, _BITS = "sharpness.mlp.range", "sharpness.activations.averaged"


def _live(r: Rows) -> Tensor:
    return r.total**2 * squared_length(torch.where(1 + r.units.bias > 0, r.units.output, 0.0))


_ON_AT_ONE: tuple[Link, ...] = (
    ("units on in some row", lambda r: r.total**2 * squared_length(r.gated.abs().amax(1)), "average", None),
    ("units on at s = 1", _live, "a unit that is on stays on as s rises", _UNIT),
    ("32 C² D²(D+1)/u²", theorem.SHARP["Gamma"], "summed", live.label),
)
_STEPS: dict[str, tuple[Link, ...]] = {
    "W2": (
        ("the query at most √2", lambda r: 2 * r.total**2 * (squared_length(r.pull) + r.variance**2),
         "outputs are at most one", _RANGE),
        ("the sum of the sizes times the largest", lambda r: 2 * r.total**2 * (
            r.pull.abs().sum(-1) * r.pull.abs().amax(-1) + r.variance**2), "sum of squares", None),
        ("2 C² (2P² + Var²)", lambda r: 2 * r.total**2 * (2 * r.excess**2 + r.variance**2), "centred sum", None),
        ("P by the mean", lambda r: 2 * r.total**2 * (2 * r.most_variance ** 2 + r.variance**2), "P ≤ m (1 - m)",
         _DEVIATION),
        ("the variance by the mean", lambda r: 6 * r.total**2 * r.most_variance ** 2, "Var ≤ m (1 - m)", _VARIANCE),
        ("3C²/8", theorem.SHARP["W2"], "m (1 - m) ≤ 1/4", _QUARTER),
    ),
    "Gamma": _ON_AT_ONE,
    "M": (
        ("averages of bits at most one", lambda r: r.total**2 * squared_length(averaged(r.a, r.gated)),
         "rows average bits", _BITS),
        *_ON_AT_ONE,
    ),
}  # fmt: skip
"""With P = Σ a (g - m)₊ and m = Σ a g."""


def _v2(network: str) -> Derivation:
    a, g, m = ATTENTION[network], OUTPUTS[network], mean(network)
    weights, n = f"sharpness.gradients.rows.weights[{network}]", {"n_av": T + 1}
    return proof(
        sharp_label("V2"), network, INPUTS,
        Step(MEASURED[network]["V2"], "measured gradient in V2"),
        Step(lengths_squared(network), "row by row", "chain rule", f"sharpness.gradients.rows.V2[{network}]"),
        Step(total(a[t]) + m**2, "squares by their sum", "weights are at most one",
             Instance("sharpness.averages.squares", {**n, "a_av": a})),
        Step(theorem.SHARP["V2"], "2", "an average of outputs is at most one",
             (weights, Instance("sharpness.averages.mean", {**n, "a_av": a, "g_av": g}))),
    )  # fmt: skip


_PROOFS: dict[str, Callable[[str], Derivation]] = {
    "V2": _v2,
    **{block: functools.partial(lambda links, block, network: block_proof(
        sharp_label(block), block, network, INPUTS, *links), links, block) for block, links in _STEPS.items()},
}  # fmt: skip


def sharp_label(block: str) -> str:
    """The label of a bound for every family and input.

    Returns:
        A label of this package's claims.
    """
    return f"sharpness.gradients.{block}.sharp"


def _sharp(block: str) -> Claim:
    label = sharp_label(block)
    return claim(
        label=label,
        statement=f"The squared gradient of the construction's output in {block} is at most {_SHARPER[block]}, for "
        "every family of components of D positions, all positive coefficients, C their sum, and every input.",
        right=theorem.SHARP[block],
        domain=INPUTS,
        expected="proved" if block == "V2" else "supported",
        improves=printed_label(block),
        cases=networks(
            block, _PROOFS[block], kind="Tight",
            equality=(_ATTAINED[block],),
        ),
    )  # fmt: skip


printed = tuple(_printed(block) for block in _FORMULAS)
sharp = tuple(_sharp(block) for block in _FORMULAS)
proofs = proofs_of(*sharp)


# --- the closed forms -----------------------------------------------------------------------------


def _closed(block: str) -> Quantity:
    return Quantity(
        f"squared gradient in {block} in closed form", closed(block, "finite", numbered), latex(block), rounding=1e-9,
        scale=1.0, except_at=ON_A_KINK if block in ("W1", "V1") else "",
    )  # fmt: skip


closed_forms = claim(
    label="sharpness.gradients.closed-forms",
    statement="The squared gradient of each block by automatic differentiation is its closed form in the masses of "
    "rows, for any family of components and any input off the kinks.",
    relation="=",
    domain=INPUTS,
    cases=tuple(
        Case(block, left=_closed(block), right=MEASURED["finite"][block]) for block in ("W1", "V1", "F", "W2", "V2")
    ),
)
