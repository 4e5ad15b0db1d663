"""Theorem 14: the gradient in F. Its last column writes values; the others move keys and the query of layer 2."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import completed
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT, ONE_TILE, TWO_READINGS
from boundaudit.checks.sharpness.gradients.shared import (
    GRADIENT,
    IDEAL_NETWORK,
    KINDS,
    ONE_COLUMN,
    SQUARED,
    TILINGS,
    claim,
    closed,
    differentiated,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness.construction import Blocks

_HIDDEN = "sharpness.activations.hidden.norm"
_ON = {"steep": TILINGS.replace(u=STEEP), "wide": TILINGS.replace(u=WIDE)}


def _part(name: str) -> sp.Expr:
    """A part of F's squared gradient in the finite network."""
    return theorem.output_weights(KINDS["finite"])[name]


def _last_column(found: Blocks) -> Tensor:
    return found.F[..., -1].square().sum(-1)


def _other_columns(found: Blocks) -> Tensor:
    return found.F[..., :-1].square().sum((-1, -2))


last_column_only = claim(
    label="sharpness.gradients.F.last-column-only",
    statement="The gradient of the construction's output in F is that of F's last column alone: no other column, all "
    "of which write positions, moves the output.",
    role="printed",
    left=Quantity(
        "squared gradient in the other columns of F, by automatic differentiation",
        differentiated(_other_columns, kinks=True),
        r"\sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2",
        lambda: _part("keys") + _part("query"),
        rounding=1e-9,
        scale=1.0,
    ),
    relation="=",
    right=0,
    domain=TILINGS,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The text bounds the last column and lets the other terms of df/dX2 vanish in the last dimension; they "
        "vanish there, but F writes to every column, and the columns of positions are keys of layer 2.",
    ),
)

printed = claim(
    label="sharpness.gradients.F.printed",
    statement="The squared gradient of the construction's output in F is at most 4ω(D+1) for components of D positions "
    "side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
    role="printed",
    right=theorem.PUBLISHED["F"],
    reading="plausible",
    expected="refuted",
    rests_on=(last_column_only.label, _HIDDEN),
    cases=(
        *(
            Case(
                f"{name},{network}", left=GRADIENT[network]["F"], domain=domain,
                limitations=(
                    SQUARED, TWO_READINGS, ALL_OF_F, *((IDEAL_NETWORK,) if network == "ideal" else (EXACT,))
                ),
            )
            for network in ("finite", "ideal")
            for name, domain in _ON.items()
        ),
        Case(
            ONE_COLUMN,
            statement="The squared gradient of the construction's output in the last column of F is at most 4ω(D+1) "
            "for components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball: with "
            "the other columns left out of the parameters the printed term holds.",
            left=Quantity(
                "squared gradient in the last column of F, by automatic differentiation",
                differentiated(_last_column, kinks=True),
                r"\|\partial f / \partial F_{\cdot, d+1}\|^2",
                lambda: _part("values"),
                rounding=1e-9,
                scale=1.0,
            ),
            domain=TILINGS,
            expected="supported",
            rests_on=(_HIDDEN,),
            limitations=(SQUARED, EXACT, ONE_TILE),
        ),
    ),
)  # fmt: skip

repaired = claim(
    label="sharpness.gradients.F.repaired",
    statement="The squared gradient of the construction's output in F is at most ω(D+1)(4 + (ω+4) log²T), for "
    "components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
    right=theorem.F_REPAIRED,
    domain=TILINGS,
    rests_on=(_HIDDEN, "sharpness.norms.W2.upper"),
    repairs=(printed.label,),
    cases=(
        Case("finite", left=GRADIENT["finite"]["F"], limitations=(SQUARED, ONE_TILE)),
        Case("ideal", left=GRADIENT["ideal"]["F"], limitations=(SQUARED, ONE_TILE, IDEAL_NETWORK)),
    ),
)

by_parts = claim(
    label="sharpness.gradients.F.by-parts",
    statement="The squared gradient in F is at most 4(D+1) C² (1 + |w2|²/16 + log²T), C the sum of the coefficients "
    "and |w2|² that of the squared logits l = log c + 2 log T of layer 2: values by Cauchy-Schwarz, keys by a "
    "covariance of at most C/4 times a unit's range, the query by |l| ≤ 2 log T; for components side by side, T ≥ 4.",
    role="improvement",
    left=GRADIENT["finite"]["F"],
    right=theorem.F_BY_PARTS,
    domain=TILINGS,
    rests_on=(_HIDDEN,),
    repairs=(last_column_only.label,),
    improves=repaired.label,
    limitations=(SQUARED, ONE_TILE),
)

_ON_FOUR_BITS = completed(
    closed("F", "ideal"), lambda p: {"T": p["T"], "D": 1, "omega": 4, "u": 1, "c": (0.5,) * 4, "n_e": 2, "n_r": 0}
)


growth = claim(
    label="sharpness.gradients.F.growth",
    statement="The squared gradient in F grows with the length, like log²T: for four bits with coefficients 1/2, two "
    "of them set, and the steep trapezoid it is at least (25/8) (2 log T - log 2)² in the ideal network, T ≥ 4.",
    left=Quantity(
        "squared gradient in F for four bits, ideal network", _ON_FOUR_BITS, r"\|\partial f / \partial F\|^2",
        lambda: theorem.four_bits(), rounding=1e-10, scale=1.0,
    ),
    relation=">=",
    right=sp.Rational(25, 8) * (2 * sp.log(T) - sp.log(2)) ** 2,
    domain=Domain({T: Integers(4, tested_to=400)}),
    kind="Rate",
    mode="as T→∞",
    expected="proved",
    limitations=(IDEAL_NETWORK, "No bound that is free of T can hold for F."),
)  # fmt: skip
