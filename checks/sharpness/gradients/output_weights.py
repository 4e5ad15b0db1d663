"""Theorem 14: the gradient in F. Its last column writes values; the others move keys and the query of layer 2."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Integers, Reals, Vector
from boundaudit.checks.sharpness.gradients.shared import (
    GRADIENT,
    IDEAL_NETWORK,
    KINDS,
    ONE_TILE,
    SQUARED,
    TILINGS,
    TWO_READINGS,
    claim,
    differentiated,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.parameters import T, omega
from boundaudit.numeric.sharpness.construction import Blocks

_PARTS = theorem.output_weights(KINDS["finite"])


def _printed(name: str, width: Choices, network: str) -> Claim:
    suffix = name if network == "finite" else f"ideal-{name}"
    return claim(
        label=f"sharpness.gradients.F.printed-{suffix}",
        statement=f"With the {name} trapezoid the squared gradient in F of the {network} network is at most 4ω(D+1).",
        left=GRADIENT[network]["F"],
        relation="<=",
        right=theorem.PUBLISHED["F"],
        domain=TILINGS.replace(u=width),
        reading="plausible",
        expected="refuted",
        rests_on=("sharpness.gradients.F.last-column-only",),
        limitations=(SQUARED, TWO_READINGS, *((IDEAL_NETWORK,) if network == "ideal" else ())),
    )


printed = tuple(
    _printed(name, width, network)
    for network in ("finite", "ideal")
    for name, width in (("steep", STEEP), ("wide", WIDE))
)


def _last_column(found: Blocks) -> Tensor:
    return found.F[..., -1].square().sum(-1)


def _other_columns(found: Blocks) -> Tensor:
    return found.F[..., :-1].square().sum((-1, -2))


last_column_only = claim(
    label="sharpness.gradients.F.last-column-only",
    statement="The gradient in F is that of its last column alone: no other column of the stream moves the output.",
    left=Quantity(
        "squared gradient in the other columns of F, by automatic differentiation",
        differentiated(_other_columns, kinks=True),
        r"\sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2",
        _PARTS["keys"] + _PARTS["query"],
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

last_column = claim(
    label="sharpness.gradients.F.last-column",
    statement="The squared gradient in the last column of F is at most 4ω(D+1): with the other columns left out of "
    "the parameters the printed term holds.",
    left=Quantity(
        "squared gradient in the last column of F, by automatic differentiation",
        differentiated(_last_column, kinks=True),
        r"\|\partial f / \partial F_{\cdot, d+1}\|^2",
        _PARTS["values"],
        rounding=1e-9,
        scale=1.0,
    ),
    relation="<=",
    right=theorem.PUBLISHED["F"],
    domain=TILINGS,
    expected="certified",
    rests_on=("sharpness.activations.hidden.norm",),
    repairs=tuple(found.label for found in printed[:2]),
    limitations=(SQUARED, ONE_TILE),
)

_ALL_PRINTED = tuple(found.label for found in printed)

by_parts = claim(
    label="sharpness.gradients.F.by-parts",
    statement="The squared gradient in F is at most 4(D+1) C² (1 + |w2|²/16 + log²T), |w2|² the sum of squared logits: "
    "values by Cauchy-Schwarz, keys by a covariance of at most C/4 times a unit's range, the query by |l| ≤ 2 log T.",
    left=GRADIENT["finite"]["F"],
    relation="<=",
    right=theorem.F_BY_PARTS,
    domain=TILINGS,
    expected="certified",
    rests_on=("sharpness.activations.hidden.norm", "sharpness.gradients.total.tilings-finite"),
    repairs=("sharpness.gradients.F.last-column-only",),
    improves="sharpness.gradients.F.repaired",
    limitations=(SQUARED, ONE_TILE),
)

repaired = claim(
    label="sharpness.gradients.F.repaired",
    statement="The squared gradient in F is at most ω(D+1)(4 + (ω+4) log²T), for coefficients from T⁻⁴ to 1 in the "
    "unit ball.",
    left=GRADIENT["finite"]["F"],
    relation="<=",
    right=theorem.F_REPAIRED,
    domain=TILINGS,
    expected="certified",
    rests_on=("sharpness.activations.hidden.norm", "sharpness.norms.W2.upper"),
    repairs=_ALL_PRINTED,
    limitations=(SQUARED, ONE_TILE),
)

repaired_ideal = claim(
    label="sharpness.gradients.F.repaired-ideal",
    statement="In the ideal network, too, the squared gradient in F is at most ω(D+1)(4 + (ω+4) log²T).",
    left=GRADIENT["ideal"]["F"],
    relation="<=",
    right=theorem.F_REPAIRED,
    domain=TILINGS,
    expected="certified",
    repairs=_ALL_PRINTED[2:],
    limitations=(SQUARED, ONE_TILE, IDEAL_NETWORK),
)

_FOUR_BITS = TILINGS.replace(
    T=Integers(4, tested_to=400), D=Integers(1, 1), omega=Integers(4, 4), u=STEEP,
    c=Vector(omega, Reals(sp.Rational(1, 2), sp.Rational(1, 2)), square_sum=1), n_e=Integers(2, 2), n_r=Integers(0, 0),
)  # fmt: skip

growth = claim(
    label="sharpness.gradients.F.growth",
    statement="The squared gradient in F grows with the length, like log²T: for four bits with coefficients 1/2, two "
    "of them set, and the steep trapezoid it is at least (25/8) (2 log T - log 2)² in the ideal network.",
    left=GRADIENT["ideal"]["F"],
    relation=">=",
    right=sp.Rational(25, 8) * (2 * sp.log(T) - sp.log(2)) ** 2,
    domain=_FOUR_BITS,
    kind="Rate",
    mode="as T→∞",
    expected="certified",
    limitations=(IDEAL_NETWORK, "No bound that is free of T can hold for F."),
)
