"""Theorem 18 for an MLP with a scalar output, where F's last column alone counts as parameters: no logit enters."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.hessian.lemmas import four_at
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.hessian import H_U_ONE_HOT
from boundaudit.derivations.sharpness.hessian_lemmas import x_hl, y_hl, z_hl
from boundaudit.derivations.sharpness.hessian_parts import POWER
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_lemma = functools.partial(claim, expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))

SIZES = Domain({T: Integers(4, tested_to=48), D: Integers(1, T), omega: Integers(1, T), u: BOTH})
_SAMPLES = {"T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1}}


def _part(part: str) -> Claim:
    count = theorem.ONE_COLUMN_SIMPLE[part]
    return _lemma(
        label=f"sharpness.hessian.one-column.{part}",
        statement=f"Where F's last column alone counts as parameters, the closed form that bounds the part “{part}” of "
        f"the Hessian is at most {count} D^(3/2) at C = 1 and T = 4, where its share of C is largest.",
        left=theorem.ONE_COLUMN[part],
        right=count * POWER,
        domain=Domain({D: Integers(1, tested_to=60), u: BOTH}),
    )


parts = tuple(_part(part) for part in theorem.PARTS)


_COUNTED = {part: sp.sqrt(omega) * count * POWER for part, count in theorem.ONE_COLUMN_SIMPLE.items()}


_X, _Y, _Z = theorem.UNDER["covariance"]
root = _lemma(
    label="sharpness.hessian.one-column.root",
    statement="What stands under the root of the covariance's closed form is not negative.",
    left=sp.S.Zero,
    right=omega * _X + _Y + sp.sqrt(omega) * _Z / T,
    domain=Domain({T: Integers(4), D: Integers(1), omega: Integers(1), u: BOTH}),
)
_REAL = (Instance("sharpness.hessian.lemmas.spread"), Instance(root.label), Instance(root.label, theorem.SHORTEST))
"""Roots are taken of what is not negative, here and at T = 4, ω = 1."""


def _scaled(part: str) -> Case:
    start, label = theorem.ONE_COLUMN_PARTS[part], f"sharpness.hessian.one-column.{part}"
    steps = [Step(start, "closed form")]
    if part in theorem.UNDER:
        at = Instance(
            "sharpness.hessian.lemmas.scaled", dict(zip((x_hl, y_hl, z_hl), theorem.UNDER[part], strict=True))
        )
        steps.append(Step(theorem.taken_out(part), "√ω before the root", "ω ≥ 1 and T ≥ 4", (*_REAL, at)))
    steps += [
        Step(sp.sqrt(omega) * theorem.ONE_COLUMN[part], "√ω before all", "ω ≥ 1 and T ≥ 4", _REAL),
        Step(_COUNTED[part], "a multiple of D^(3/2) √ω", "", (*_REAL, Instance(label))),
    ]
    return Case(
        part, left=start, right=_COUNTED[part],
        derivation=_chain(
            label=f"{label}.steps", title="A bound free of T", steps=tuple(steps), domain=SIZES, samples=_SAMPLES,
        ),
    )  # fmt: skip


scaled = _lemma(
    label="sharpness.hessian.one-column.scaled",
    statement="Where F's last column alone counts as parameters, the closed form that bounds a part of the Hessian is "
    "at most a multiple of D^(3/2) √ω, at every length T ≥ 4.",
    domain=SIZES,
    cases=tuple(_scaled(part) for part in theorem.PARTS),
)

simple = _lemma(
    label="sharpness.hessian.one-column.simple",
    statement="Where F's last column alone counts as parameters, the bound on the Hessian of the construction's "
    f"output is at most {theorem.KAPPA} D^(3/2) √ω, at every length T ≥ 4 and for both trapezoids.",
    left=theorem.H_ONE_COLUMN,
    right=theorem.SIMPLE,
    domain=SIZES,
    derivation=_chain(
        label="sharpness.hessian.one-column.simple.steps", title="A bound free of T", domain=SIZES, samples=_SAMPLES,
        steps=(
            Step(theorem.H_ONE_COLUMN, "the bound"),
            Step(theorem.four(_COUNTED), "part by part", "each its multiple of D^(3/2) √ω",
                 (*_REAL, *(f"{scaled.label}[{part}]" for part in theorem.PARTS),
                  four_at(theorem.ONE_COLUMN_PARTS, _COUNTED))),
            Step(theorem.SIMPLE, "added up", "26 + 13 + 1/2 + √(1/4 + 8²) ≤ 48"),
        ),
    ),
)  # fmt: skip

room = _lemma(
    label="sharpness.hessian.one-column.degree",
    statement=f"{theorem.KAPPA} √D is at most {theorem.KAPPA} (D/4 + 1).",
    left=theorem.KAPPA * sp.sqrt(D),
    right=theorem.KAPPA * (D / 4 + 1),
    domain=Domain({D: Integers(1, tested_to=400)}),
)

roots = _lemma(
    label="sharpness.hessian.one-column.roots",
    statement="√ω is at most √(T+2) for ω ≤ T.",
    left=sp.sqrt(omega),
    right=sp.sqrt(T + 2),
    domain=Domain({T: Integers(4, tested_to=400), omega: Integers(1, T)}),
)

AGAINST_PRINTED = _chain(
    label="sharpness.hessian.one-column.printed",
    title="The printed H_u, where no logit enters",
    steps=(
        Step(theorem.H_ONE_COLUMN, "the bound"),
        Step(theorem.SIMPLE, "κ D^(3/2) √ω", "simplified", simple.label),
        Step(theorem.ROOM * D * sp.sqrt(omega), "19 (T+2) D √ω", "D ≤ T", room.label),
        Step(theorem.ROUNDED, "11 and 8 of it", "√ω ≤ √(T+2)", roots.label),
        Step(theorem.H_U_TWO_TERMS, "two terms of H_u", "11 ≤ 8 √2 and 8 ≤ 6 √2"),
        Step(H_U_ONE_HOT, "H_u: six more terms", "none is negative"),
    ),
    domain=SIZES,
    samples=_SAMPLES,
)
"""From the bound to H_u at d = T + 2."""
