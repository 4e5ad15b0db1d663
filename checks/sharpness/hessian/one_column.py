"""Theorem 18 for an MLP with a scalar output, where F's last column alone counts as parameters: no logit enters."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.hessian import H_U_ONE_HOT
from boundaudit.derivations.sharpness.hessian_parts import NORMS, POWER
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_lemma = functools.partial(claim, expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))

SIZES = Domain({T: Integers(4, tested_to=48), D: Integers(1, T), omega: Integers(1, T), u: BOTH})
_SAMPLES = {"T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1}}
BOUND = Quantity("bound on the norm of Hess f, F's last column alone", evaluated(lambda: theorem.H_ONE_COLUMN),
                 r"H_\star^{(1)}")  # fmt: skip
"""Without a definition: chains prove what is said of it, in a tenth of the time that an engine would spend."""


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


def _scaled(name: str, expression: sp.Expr) -> Quantity:
    return Quantity(name, evaluated(lambda: sp.sqrt(omega) * expression), r"\kappa_D \sqrt{\omega}")


def _steps() -> tuple[Step, ...]:
    known = {NORMS[part]: value for part, value in theorem.ONE_COLUMN.items()}
    whole = theorem.FOUR.xreplace(known)
    steps = [Step(BOUND, "the bound"), Step(_scaled("κ_D √ω", whole), "C ≥ 1 and T ≥ 4", "monotone")]
    for part, count in theorem.ONE_COLUMN_SIMPLE.items():
        known[NORMS[part]] = count * POWER
        value = _scaled(f"κ_D √ω, {part} simplified", theorem.FOUR.xreplace(known))
        steps.append(Step(value, part, "its multiple of D^(3/2)", f"sharpness.hessian.one-column.{part}"))
    return (*steps, Step(theorem.SIMPLE, "added up", "triangle inequality"))


simple = _lemma(
    label="sharpness.hessian.one-column.simple", expected="supported",
    statement="Where F's last column alone counts as parameters, the bound on the Hessian of the construction's "
    f"output is at most {theorem.KAPPA} D^(3/2) √ω, at every length T ≥ 4 and for both trapezoids.",
    left=BOUND,
    right=theorem.SIMPLE,
    domain=SIZES,
    derivation=_chain(
        label="sharpness.hessian.one-column.simple.steps", title="A bound free of T", steps=_steps(), domain=SIZES,
        samples=_SAMPLES,
    ),
)  # fmt: skip

room = _lemma(
    label="sharpness.hessian.one-column.room",
    statement=f"{theorem.KAPPA} √D is at most 14 √2 (T+2) for 1 ≤ D ≤ T and T ≥ 4.",
    left=theorem.KAPPA * sp.sqrt(D),
    right=theorem.ROOM,
    domain=Domain({T: Integers(4, tested_to=400), D: Integers(1, T)}),
)

AGAINST_PRINTED = _chain(
    label="sharpness.hessian.one-column.printed",
    title="The printed H_u, where no logit enters",
    steps=(
        Step(BOUND, "the bound"),
        Step(theorem.SIMPLE, "κ D^(3/2) √ω", "simplified", simple.label),
        Step(theorem.ROOM * D * sp.sqrt(omega), "14 √2 (T+2) D √ω", "D ≤ T", room.label),
        Step(theorem.H_U_TWO_TERMS, "two terms of H_u, as √ω ≤ √(T+2)", "monotone"),
        Step(H_U_ONE_HOT, "H_u: six more terms, none negative", "monotone"),
    ),
    domain=SIZES,
    samples=_SAMPLES,
)
"""From the bound to H_u at d = T + 2."""
