"""Theorem 14: what reaches layer 1. Active rows rest on plateaus; at finite length unused rows need not."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.shared import COUNTS, ONE_COMPONENT
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, TWO_READINGS
from boundaudit.checks.sharpness.gradients.shared import (
    FROM_FOUR,
    GRADIENT,
    IDEAL_NETWORK,
    INPUTS,
    MEASURED,
    TILINGS,
    Link,
    block_proof,
    claim,
    proofs_of,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.disjoint_supports import slope
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, u
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, v1, w1
from boundaudit.numeric.sharpness.rows import kinds


@by_trapezoid
def _slope(at: Columns, mlp: Trapezoid) -> Tensor:
    """The MLP's slope at an active row with k ones in its set and r outside; NaN on a kink."""
    inside = at.whole("k")
    batch = leading(at.whole("T"), at.whole("D"), torch.ones_like(inside).double())
    found = kinds(batch, (inside + at.whole("r"))[:, None], mlp=mlp)
    row = torch.arange(len(at), device=at.device)
    return found.slope[row, 0, inside].abs().where(~found.kink[row, 0, inside], torch.nan)


slope_active = claim(
    label="sharpness.gradients.slope.active",
    statement="The MLP is flat at every active row of layer 1, whatever the input, so that no derivative reaches layer "
    "1 through active rows.",
    left=Quantity(
        "slope of the MLP at an active row", _slope, r"|g'(s_t)|",
        lambda: sp.Abs(slope((k * T**2 + r) / (D * T**2 + T + 1 - D))), rounding=1e-10, scale=1.0,
    ),
    relation="=",
    right=0,
    cases=(
        Case(
            "from-four", domain=COUNTS.replace(T=Integers(4, tested_to=10)), reading="certain",
            rests_on=("sharpness.exactness.plateau.margin[three]",), limitations=(ONE_COMPONENT,),
        ),
        Case(
            "every-length", domain=COUNTS, reading="plausible", expected="refuted",
            limitations=("Exact in the limit T → ∞; read for every length, it fails at T = 2, D = 1 alone.",),
        ),
    ),
)  # fmt: skip


def _vanishes(block: str) -> Claim:
    """The finite network by its closed form on tilings, the ideal one by differentiating it at any input."""
    return claim(
        label=f"sharpness.gradients.{block}.printed",
        statement=f"The gradient of the construction's output in {block} vanishes at every input, as the MLP is flat "
        "at every grid point.",
        role="printed",
        relation="=",
        right=0,
        rests_on=("sharpness.gradients.slope.active",),
        cases=(
            *(
                Case(
                    f"{name},finite", left=GRADIENT["finite"][block], domain=TILINGS.replace(u=width),
                    reading="plausible", expected="refuted", limitations=(TWO_READINGS, EXACT),
                )
                for name, width in (("steep", STEEP), ("wide", WIDE))
            ),
            Case(
                "ideal", left=MEASURED["ideal"][block], domain=INPUTS, reading="certain", limitations=(IDEAL_NETWORK,),
            ),
        ),
    )  # fmt: skip


printed = tuple(_vanishes(block) for block in ("V1", "W1"))


# --- for every family and input -------------------------------------------------------------------


def _unused(r: Rows, slope: Tensor) -> Tensor:
    """(C a_out g')², what the average of bits of an unused row is worth."""
    return (r.total * r.a[:, -1] * slope) ** 2


def _steepest(r: Rows) -> Tensor:
    return r.units.output.amax(-1)


def _v1(r: Rows, slope: Tensor) -> Tensor:
    """The unused rows' part of V1's gradient."""
    return _unused(r, slope) * r.unused**2 * (1 / (r.batch.length + 1) + r.s[:, -1] ** 2)


def _w1(r: Rows, slope: Tensor) -> Tensor:
    """The unused rows' part of W1's gradient."""
    bend = r.s[:, -1] * (1 - r.s[:, -1])
    return _unused(r, slope) * (bend / (r.batch.length + 1) + bend**2) * _queries(r)


def _queries(r: Rows) -> Tensor:
    """Σ |x_t|² over unused rows, whose tokens add up to what the bits among them do."""
    active = torch.nn.functional.pad(r.batch.active, (0, r.z.shape[1] - r.batch.max_sparsity))
    return r.unused + torch.where(active, 0.0, r.z).sum(-1) ** 2


def _flat(all_rows: Callable[[Rows, Tensor], Tensor], unused: Callable[[Rows, Tensor], Tensor]) -> tuple[Link, ...]:
    """From all rows to unused rows on the steepest flank."""
    return (
        ("every active row at its grid point", lambda r: all_rows(r, r.slope_on_grid),
         "active rows rest on the plateau of their grid point", "sharpness.exactness.plateau.margin[four]"),
        ("unused rows alone", lambda r: unused(r, r.slope[:, -1]), "plateaus are flat", "sharpness.mlp.plateaus"),
        ("unused rows on flanks", lambda r: unused(r, _steepest(r)), "slopes are at most 4D/u", "sharpness.mlp.slope"),
    )  # fmt: skip


_STEPS: dict[str, tuple[Link, ...]] = {
    "V1": (
        *_flat(v1, _v1),
        ("(4D/u · CN/(CT²+N))² (1 + 1/(T+1))", theorem.UPSTREAM["V1"], "rows average bits",
         "sharpness.activations.averaged"),
    ),
    "W1": (
        *_flat(w1, _w1),
        ("s (1-s) at most 1/4", lambda r: _unused(r, _steepest(r)) * _queries(r) * (
            1 / (4 * (r.batch.length + 1)) + 1 / 16), "s (1-s) ≤ 1/4", "sharpness.averages.quarter"),
        ("(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))", theorem.UPSTREAM["W1"], "bits are at most one",
         "sharpness.activations.tokens[bits]"),
    ),
}  # fmt: skip
_LONG = INPUTS.replace(T=FROM_FOUR)


def _bounded(block: str, what: str) -> Claim:
    label = f"sharpness.gradients.{block}.repaired"
    return claim(
        label=label,
        statement=f"The squared gradient of the construction's output in {block} is at most {what}, where "
        "N = T+1-ω rows are unused, C is the sum of the coefficients, and u is 1 for the steep and 2 for the wide "
        "trapezoid: it enters through unused rows alone; for every family of components of D positions, all positive "
        "coefficients, every input and T ≥ 4.",
        left=MEASURED["finite"][block],
        right=theorem.UPSTREAM[block],
        domain=_LONG,
        expected="supported",
        derivation=block_proof(label, block, "finite", _LONG, *_STEPS[block]),
        repairs=(f"sharpness.gradients.{block}.printed",),
        limitations=(KINKED,),
    )


repaired = (
    _bounded("V1", "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))"),
    _bounded("W1", "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))"),
)

proofs = proofs_of(*repaired)

simple = claim(
    label="sharpness.gradients.upstream",
    statement="(4D/u · CN/(CT²+N))² (1 + 1/(T+1)) + (4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1))), N = T+1-ω, is at "
    "most 22 D²/(u²T²) for every C > 0 and T ≥ 4: what reaches layer 1 falls like 1/T².",
    left=lambda: sp.Add(*theorem.upstream(C).values()),
    right=theorem.UPSTREAM_SIMPLE,
    domain=Domain({
        T: Integers(4, tested_to=60), D: Integers(1, T), omega: Integers(1, T), u: BOTH,
        C: Reals(0, open_low=True, tested_to=6),
    }),
    expected="proved",
)  # fmt: skip
