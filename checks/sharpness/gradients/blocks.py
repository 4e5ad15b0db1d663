"""Theorem 14, block by block behind the MLP: the printed bounds, and attained ones that are sharper."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, ONE_TILE
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    SQUARED,
    TILINGS,
    claim,
)
from boundaudit.derivations.sharpness import gradients as theorem

_FORMULAS = {"V2": "4", "W2": "4ω", "Gamma": "64 ω D²(D+1)", "M": "64 ω D²(D+1)"}
_SHARPER = {
    "V2": "2, as attention sums to one",
    "W2": "3C²/8: half of the attention on rows at one, half on rows at zero, is the worst",
    "Gamma": "C² ‖F‖² = 64 C² D²(⌊D/2⌋+1)/u², u = 1 for the steep and 2 for the wide trapezoid",
    "M": "C² ‖F‖² = 64 C² D²(⌊D/2⌋+1)/u², u = 1 for the steep and 2 for the wide trapezoid",
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
_ODD = {"T": 4, "D": 1, "omega": 1, "u": 1, "c": (1,), "n_e": 0, "n_r": 0}
"""One bit, set to one."""
_ATTAINED = {
    "V2": {**_ODD, "n_e": 1},
    "W2": {**_ODD, "omega": 2, "c": (_half, _half), "n_e": 1},
    "Gamma": _ODD,
    "M": _ODD,
}


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


def _sharp(block: str) -> Claim:
    return claim(
        label=f"sharpness.gradients.{block}.sharp",
        statement=f"In the ideal network, whose softmaxes see their intended support alone, the squared gradient in "
        f"{block} is at most {_SHARPER[block]}; attained. C = Σ c is the sum of the coefficients.",
        left=GRADIENT["ideal"][block],
        right=theorem.SHARP[block],
        domain=TILINGS,
        kind="Tight",
        equality=(_ATTAINED[block],),
        rests_on=("sharpness.gradients.slope.active",) if block in ("Gamma", "M") else (),
        improves=printed_label(block),
        limitations=(SQUARED, IDEAL_NETWORK, ONE_TILE),
    )


printed = tuple(_printed(block) for block in _FORMULAS)
sharp = tuple(_sharp(block) for block in _FORMULAS)
