"""Appendix D: whether one rescaling lowers both norm and sharpness, and what does where none can."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.rescaling.shared import claim
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import rescaled_bits
from boundaudit.derivations.sharpness.bound import rescaled as theorem
from boundaudit.derivations.sharpness.bound.rescaled import beta_r, h_0, h_1, h_2, l_0, l_1, l_2
from boundaudit.derivations.sharpness.parameters import T, u
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rescaling import bits_as_components, share_of_weights

_IDEAL = float("inf")


def _mean(*names: str) -> Quantity:
    """The mean squared gradient of some blocks of the ideal network for T bits."""

    @by_trapezoid
    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        return at.each(lambda point: sum(_means(point["T"], mlp, at.device)[name] for name in names))

    written = r" + ".join(rf"\|\nabla_{{{name}}} f\|^2" for name in names)
    return Quantity(
        f"mean squared gradient of {' and '.join(names)}", measure, rf"\mathbb{{E}}\,({written})",
        lambda: sp.Add(*(rescaled_bits.mean_square(name) for name in names)), rounding=1e-10,
    )  # fmt: skip


@functools.cache
def _means(length: int, mlp: Trapezoid, device: str) -> dict[str, float]:
    """The mean squared gradient of each block, and of F's last column."""
    batch, bits = bits_as_components(length, device=device)
    found = derivatives(batch, bits, mlp=mlp, scale=_IDEAL)
    squared = {**found.squared, "column": found.data_column}
    return {name: float(value[0] @ share_of_weights(length, device)) for name, value in squared.items()}


printed = claim(
    label="sharpness.rescaling.both.printed",
    statement="One factor by which M and Gamma are multiplied and F is divided lowers both norm and sharpness. For the "
    "norm it must be above one, and sharpness then falls only if the mean squared gradient in M and Gamma is at least "
    "that in F. This is checked in the ideal network, with single bits as components, equal coefficients and T from 4 "
    "to 24.",
    left=_mean("F"),
    relation="<=",
    right=_mean("M", "Gamma"),
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.rescaling.best-factor", "sharpness.rescaling.both.exclusive"),
    limitations=(
        "The sharpness is the mean squared gradient, half the trace of the loss's Hessian where the target is "
        "represented exactly. All of F counts as parameters: what it writes into the positions' channels moves keys.",
        "At finite length the steep network satisfies it at T = 18 but not at T = 20, and the wide one fails from T = "
        "9 on.",
    ),
    cases=(
        Case("steep", domain=Domain({T: Integers(4, 24), u: STEEP})),
        Case("wide", domain=Domain({T: Integers(4, 24), u: WIDE})),
        Case(
            "one-column",
            statement="One factor by which M and Gamma are multiplied and F is divided lowers both norm and sharpness "
            "if F's last column alone counts as parameters. M and Gamma then have a mean squared gradient at least "
            "that of F, in the ideal network, for T ≥ 4 single bits as components, of equal coefficients.",
            left=_mean("column"), domain=Domain({T: Integers(4, tested_to=64), u: BOTH}), expected="proved",
            limitations=("A sentence of Theorem 10's proof gives F one column; the parameter count has all of them.",),
        ),
    ),
)  # fmt: skip

exclusive = claim(
    label="sharpness.rescaling.both.exclusive",
    statement="Where the output weights F are at least as heavy as the input weights M and Gamma, and the squared "
    "gradient of F is at least that of M and Gamma, no rescaling lowers both norm and sharpness: with β = α² ≥ 1 the "
    "sharpness g₀ + g₁/β + g₂β does not fall, and with β ≤ 1 the squared norm l₀ + l₁β + l₂/β does not.",
    relation=">=",
    kind="Tight",
    expected="proved",
    cases=(
        Case(
            "sharpness", left=theorem.sharpness(beta_r), right=theorem.sharpness(sp.Integer(1)),
            domain=lambda: Domain({
                beta_r: Reals(1), h_0: Reals(0), h_1: Reals(0, open_low=True), h_2: Reals(h_1),
            }), equality=({"beta_r": 1, "h_0": 1, "h_1": 1, "h_2": 2},),
        ),
        Case(
            "norm", left=theorem.norm(beta_r), right=theorem.norm(sp.Integer(1)),
            domain=lambda: Domain({
                beta_r: Reals(0, 1, open_low=True), l_0: Reals(0), l_1: Reals(0, open_low=True), l_2: Reals(l_1),
            }), equality=({"beta_r": 1, "l_0": 1, "l_1": 1, "l_2": 2},),
        ),
    ),
)  # fmt: skip
