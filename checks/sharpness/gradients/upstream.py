"""Theorem 14: what reaches layer 1. Active rows rest on plateaus; at finite length unused rows need not."""

from __future__ import annotations

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.shared import COUNTS, ONE_COMPONENT
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, TWO_READINGS
from boundaudit.checks.sharpness.gradients.rows import (
    BITS,
    FLANK,
    SEEN_BITS,
    SLOPES,
    attended_squared,
    logits_squared,
    unused_bits,
)
from boundaudit.checks.sharpness.gradients.shared import (
    FROM_FOUR,
    GRADIENT,
    IDEAL_NETWORK,
    INPUTS,
    MEASURED,
    TILINGS,
    claim,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import INACTIVE, C
from boundaudit.derivations.sharpness.disjoint_supports import slope
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, u
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.mlp import Trapezoid
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


_LONG = INPUTS.replace(T=FROM_FOUR)

unused = claim(
    label="sharpness.gradients.unused",
    statement="There are at most as many components as bits, so that some row is unused.",
    left=omega,
    right=T,
    domain=_LONG,
    expected="proved",
    derivation=proof(
        "sharpness.gradients.unused", "finite", _LONG,
        Step(omega, "components"),
        Step(1 + (T - 1) * sp.Min(1, T - D), "distinct sets", "declared"),
        Step(T, "bits", "", Instance("sharpness.averages.least", {"e_av": T - 1, "x_av": T - D})),
    ),
)  # fmt: skip


def _v1(label: str) -> Derivation:
    slope, seen = SLOPES["finite"][T + 1], SEEN_BITS["finite"][T + 1]
    return proof(
        label, "finite", _LONG,
        Step(MEASURED["finite"]["V1"], "measured gradient in V1"),
        Step(attended_squared("finite"), "unused rows alone", "chain rule", "sharpness.gradients.rows.V1"),
        Step((FLANK * slope * INACTIVE) ** 2 * (1 / (T + 1) + 1), "rows average bits", "s ≤ 1",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": seen}))),
        Step(theorem.UPSTREAM["V1"], "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))", "slopes are at most 4D/u",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": slope}))),
    )  # fmt: skip


def _w1(label: str) -> Derivation:
    slope, seen, bits = SLOPES["finite"][T + 1], SEEN_BITS["finite"][T + 1], unused_bits("finite")
    room = sp.Rational(1, 16) + 1 / (4 * (T + 1))
    return proof(
        label, "finite", _LONG,
        Step(MEASURED["finite"]["W1"], "measured gradient in W1"),
        Step(logits_squared("finite"), "unused rows alone", "chain rule", "sharpness.gradients.rows.W1"),
        Step((FLANK * slope) ** 2 * room * (INACTIVE + bits**2), "s (1-s) at most 1/4", "s (1-s) ≤ 1/4",
             (unused.label, Instance("sharpness.averages.bends", {"m_av": seen, "x_av": 1 / (T + 1)}))),
        Step(FLANK**2 * room * (INACTIVE + bits**2), "unused rows on flanks", "slopes are at most 4D/u",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": slope}))),
        Step(theorem.UPSTREAM["W1"], "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))", "bits are at most one",
             (unused.label, Instance(
                 "sharpness.averages.count", {"n_av": INACTIVE, "g_av": lambda t: BITS["finite"][omega + t]}))),
    )  # fmt: skip


_PROOFS = {"V1": _v1, "W1": _w1}


def _bounded(block: str, what: str) -> Claim:
    label = f"sharpness.gradients.{block}.repaired"
    return claim(
        label=label,
        statement=f"At every input the squared gradient of the construction's output in {block} is at most {what}: "
        f"{block} acts through the N = T+1-ω unused rows alone. For every family of components of D positions, all "
        "positive coefficients, C their sum, and T ≥ 4; u = 1 (steep) or 2 (wide).",
        left=MEASURED["finite"][block],
        right=theorem.UPSTREAM[block],
        domain=_LONG,
        expected="proved",
        derivation=_PROOFS[block](label),
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
