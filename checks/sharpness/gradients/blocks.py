"""Theorem 14, block by block behind the MLP: the printed bounds, and attained ones that are sharper."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, ON_A_KINK, ONE_TILE
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    LIVE,
    ON,
    OUTPUTS,
    SEEN,
    keys_squared,
    lengths_squared,
    mean,
    queries_squared,
    total,
    units_total,
    variance,
)
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    INPUTS,
    MEASURED,
    SQUARED,
    TILINGS,
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
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.row_sums import squared_length

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


def _w2(network: str) -> Derivation:
    a, g, m, var = ATTENTION[network], OUTPUTS[network], mean(network), variance(network)
    weights, rows_of = f"sharpness.gradients.rows.weights[{network}]", {"n_av": T + 1, "a_av": a}
    scale = queries_squared(network)
    about = {**rows_of, "g_av": g, "m_av": m}
    known = weights, Instance("sharpness.averages.mean", {**rows_of, "g_av": g})
    return proof(
        sharp_label("W2"), network, INPUTS,
        Step(MEASURED[network]["W2"], "measured gradient in W2"),
        Step(keys_squared(network), "row by row", "chain rule", f"sharpness.gradients.rows.W2[{network}]"),
        Step(
            scale * ((1 - m) ** 2 * total(a[t] ** 2 * g[t] ** 2) + m**2 * total(a[t] ** 2 * (1 - g[t]) ** 2) + var**2),
            "pulls up and down", "g - m = (1-m) g - m (1-g)", (*known, Instance("sharpness.averages.pulls", about)),
        ),
        Step(
            scale * ((1 - m) ** 2 * m**2 + m**2 * total(a[t] * (1 - g[t])) ** 2 + var**2), "squares by their sum",
            "numbers of one sign", (
                Instance("sharpness.averages.whole", {**rows_of, "a_av": lambda t: a[t] * g[t]}),
                Instance("sharpness.averages.whole", {**rows_of, "a_av": lambda t: a[t] * (1 - g[t])}),
            ),
        ),
        Step(scale * (2 * (m * (1 - m)) ** 2 + var**2), "in the mean", "weights add up to one", weights),
        Step(3 * scale / 16, "3/16", "Var ≤ m (1-m) ≤ 1/4", (
            *known, Instance("sharpness.averages.variance", about), Instance("sharpness.averages.spread", {"m_av": m}),
            Instance("sharpness.averages.sixteenth", {"m_av": m, "v_av": var}),
        )),
        Step(theorem.SHARP["W2"], "3C²/8", "outputs are at most one"),
    )  # fmt: skip


def _gated(block: str, share: dict[str, Family]) -> Callable[[str], Derivation]:
    """Both blocks: what a unit that is on at one receives is at most its output weight."""

    def chain(network: str) -> Derivation:
        lemma = Instance(
            "sharpness.averages.below-one", {"m_av": share[network][j]}, over=(j, 1, UNITS), weight=LIVE[network][j]
        )
        return proof(
            sharp_label(block), network, INPUTS,
            Step(MEASURED[network][block], f"measured gradient in {block}"),
            Step(SUM**2 * units_total(LIVE[network][j] * share[network][j] ** 2), "unit by unit", "chain rule",
                 f"sharpness.gradients.rows.{block}[{network}]"),
            Step(SUM**2 * units_total(LIVE[network][j]), "units on at one", "averages are at most one", lemma),
            Step(SUM**2 * theorem.live_by_units(), "each by its weight", "written down",
                 f"sharpness.gradients.rows.live[{network}]"),
            Step(theorem.SHARP[block], "32 C² D²(D+1)/u²", "summed", live.label),
        )  # fmt: skip

    return chain


_PROOFS: dict[str, Callable[[str], Derivation]] = {
    "V2": _v2,
    "W2": _w2,
    "Gamma": _gated("Gamma", ON),
    "M": _gated("M", SEEN),
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
        statement=f"At every input the squared gradient of the construction's output in {block} is at most "
        f"{_SHARPER[block]}; for every family of components of D positions and all positive coefficients, C their sum.",
        right=theorem.SHARP[block],
        domain=INPUTS,
        expected="proved",
        improves=printed_label(block),
        cases=networks(
            block, _PROOFS[block], kind="Tight",
            equality=(_ATTAINED[block],),
        ),
    )  # fmt: skip


printed = tuple(_printed(block) for block in _FORMULAS)
sharp = tuple(_sharp(block) for block in _FORMULAS)
proofs = proofs_of(*sharp)


# --- layer 1 in closed form ------------------------------------------------------------------------


def _closed(block: str) -> Quantity:
    return Quantity(
        f"squared gradient in {block} in closed form", closed(block, "finite", numbered), latex(block), rounding=1e-9,
        scale=1.0, except_at=ON_A_KINK,
    )  # fmt: skip


closed_forms = claim(
    label="sharpness.gradients.closed-forms",
    statement="The squared gradients in W1 and V1 by automatic differentiation are their closed forms in the masses of "
    "rows, for any family of components and any input off the kinks.",
    relation="=",
    domain=INPUTS,
    cases=tuple(Case(block, left=_closed(block), right=MEASURED["finite"][block]) for block in ("W1", "V1")),
)
