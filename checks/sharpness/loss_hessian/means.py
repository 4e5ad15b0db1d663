"""What proofs take from the ideal network in the mean over all inputs: squared averages, and ones in a component."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import fields

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Integers, Reals, Vector
from boundaudit.checks.sharpness.loss_hessian.shared import IDEAL_SCALE, claim
from boundaudit.checks.sharpness.targets import TARGETS, of_targets
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.parameters import D, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import SQUARED, Rows, averaged, rows
from boundaudit.numeric.sharpness.target import TargetBatch

LABEL = "sharpness.loss_hessian.means"
FAMILIES = TARGETS.replace(T=Integers(2, tested_to=5))
POSITIVE = FAMILIES.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))

Number = Callable[[Rows], Tensor]
"""From the rows of B passes to B numbers."""


def mean_of(name: str, latex: str, of: Number, *, nonnegative: bool = False) -> Quantity:
    """The mean over all inputs of a number of the ideal network's pass.

    Args:
        name: What it is, in a few words.
        latex: Its LaTeX.
        of: The number.
        nonnegative: Whether proofs may take for granted that it is.

    Returns:
        The quantity.
    """

    def measure(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
        bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
        each = torch.arange(len(batch)).repeat_interleave(len(bits))
        many = TargetBatch(*(getattr(batch, field.name)[each] for field in fields(batch)))
        return of(rows(many, bits.repeat(len(batch), 1), mlp=mlp, scale=IDEAL_SCALE)).reshape(len(batch), -1).mean(1)

    return Quantity(
        f"mean of {name}", of_targets(measure, "T"), rf"\mathbb{{E}}\, {latex}", rounding=1e-9, scale=1e-3,
        nonnegative=nonnegative,
    )  # fmt: skip


GRADIENTS = {
    block: mean_of(f"the squared gradient in {block}", rf"\|\partial f / \partial {block}\|^2", of)
    for block, of in SQUARED.items()
}

# --- M and Γ --------------------------------------------------------------------------------------

_PASSED: dict[str, Number] = {"M": lambda r: r.s[..., None] * r.on, "Gamma": lambda r: r.on}
"""What units pass on, shape (B, P, H): s or one, where they are on."""


def _of_weights(r: Rows, of_units: Tensor) -> Tensor:
    """Σ F² times a number of each unit, shape (B,)."""
    return (r.units.output.square() * of_units).sum(-1)


def _squares(block: str) -> Number:
    return lambda r: _of_weights(r, averaged(r.a, _PASSED[block](r).square()))


def _variance(block: str) -> Number:
    def of(r: Rows) -> Tensor:
        passed = _PASSED[block](r)
        return _of_weights(r, averaged(r.a, (passed - averaged(r.a, passed)[:, None]).square()))

    return of


SQUARES = {
    block: mean_of(f"squares that {block}'s units pass on", r"\sum_j F_j^2 \sum_t a_t y_{tj}^2", _squares(block)).atom
    for block in _PASSED
}
_VARIANCES = {
    block: mean_of(
        f"the variance of what {block}'s units pass on", r"\sum_j F_j^2 \sum_t a_t (y_{tj} - \bar y_j)^2",
        _variance(block), nonnegative=True,
    ).atom
    for block in _PASSED
}  # fmt: skip


def _ones(power: int) -> Number:
    """Σ a k^power, k the ones in a row's component, shape (B,)."""
    return lambda r: (r.a * (r.s * r.batch.degree[:, None]).round() ** power).sum(-1)


_POWERS = {n: mean_of(f"ones in a component, to the power of {n}", f"k^{n}", _ones(n)).atom for n in (1, 2, 3)}
COUNTED = {
    "M": 32 / u**2 * (_POWERS[3] + _POWERS[2]),
    "Gamma": 32 * D**2 / u**2 * (_POWERS[1] + 1),
}
"""Units that are on in a row with k ones weigh 32 D²/u² (k+1)."""


def squared(block: str) -> sp.Expr:
    """The mean squared gradient: mean squares less variances."""
    return SUM**2 * (SQUARES[block] - _VARIANCES[block])


# --- V2 -------------------------------------------------------------------------------------------

_SECOND = mean_of("the squared average output", "m^2", lambda r: r.mean**2).atom
LENGTHS = theory.TOTAL_SQUARES / SUM**2 + _SECOND
"""Σ a² + E m², a = c/C."""

# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", relation="=", domain=POSITIVE, expected="supported")
_IDEAL = "In the ideal network, in the mean over uniform inputs, "

gradients = tuple(
    _axiom(
        label=f"{LABEL}.{block}",
        statement=f"{_IDEAL}the squared gradient in {block} is C² Σ F² (Σ a y²  - Σ a (y - Σ a y)²), y what a unit "
        f"passes on where it is on: {what}. The chain rule, and a squared average as mean square less variance.",
        left=GRADIENTS[block],
        right=squared(block),
    )
    for block, what in (("M", "the average s of bits"), ("Gamma", "one"))
)
counted = _axiom(
    label=f"{LABEL}.counted",
    statement=f"{_IDEAL}units that are on in a row with k ones have squared output weights that add up to "
    "32 D²/u² (k+1).",
    cases=tuple(Case(block, left=lambda block=block: SQUARES[block], right=COUNTED[block]) for block in _PASSED),
)
ones = _axiom(
    label=f"{LABEL}.ones",
    statement="Of D uniform bits k are ones: E k = D/2, E k² = D(D+1)/4 and E k³ = D²(D+3)/8.",
    cases=tuple(
        Case(str(n), left=lambda n=n: _POWERS[n], right=right) for n, right in enumerate(theory.MOMENTS, 1)
    ),
)  # fmt: skip
v2 = _axiom(
    label=f"{LABEL}.V2",
    statement=f"{_IDEAL}the squared gradient in V2 is Σ a² + m², a = c/C the attention and m the average output.",
    left=GRADIENTS["V2"],
    right=LENGTHS,
)
outputs = _axiom(
    label=f"{LABEL}.outputs",
    statement=f"{_IDEAL}the square of the average output is (1 + Σc²/C²)/4: indicators of distinct sets are pairwise "
    "independent.",
    left=lambda: _SECOND,
    right=(1 + theory.TOTAL_SQUARES / SUM**2) / 4,
)
