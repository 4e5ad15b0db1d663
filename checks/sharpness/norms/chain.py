"""Theorem 10: the norm bound as a chain that replaces one block at a time."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.norms.quantities import NORM, ON_STEEP, ON_WIDE, ONE_BIT
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import norms as theorem

_ROOT = 10**-0.5 * (1 - 2**-50)
_PRINTED_EXAMPLE: Point = {
    "T": 20, "D": 2, "omega": 10, "u": 1, "c": (_ROOT,) * 10, "S": tuple((n, n + 10) for n in range(1, 11))
}  # fmt: skip
_SMALL_EXAMPLE: Point = {**ONE_BIT, "T": 6, "u": 1}

_ORDER = (
    ("V2", "V2 at most ω", "Cauchy-Schwarz, Σc² ≤ 1", "sharpness.norms.V2.printed"),
    ("W2", "W2 at most 4ω log²T", "|log c + 2 log T| ≤ 2 log T for T⁻⁴ ≤ c ≤ 1", "sharpness.norms.W2.upper"),
    ("Gamma", "Γ at most 4(D+1)", "entry by entry", "sharpness.norms.Gamma.printed"),
)


def _chain(name: str, title: str, domain: Domain, width: int, f_step: tuple[sp.Expr, str, str, str]) -> Derivation:
    """The norm bound as a chain that replaces one block at a time."""
    terms = dict(theorem.CLOSED)
    steps = [
        Step(NORM["total"], "measured ‖Θ‖²"),
        Step(theorem.total(terms), "closed forms", "summation", "sharpness.norms.total.closed-form"),
    ]
    for block, what, cites, label in _ORDER:
        terms[block] = theorem.PUBLISHED[block]
        steps.append(Step(theorem.total(terms), what, cites, label))
    value, what, cites, label = f_step
    steps.append(Step(theorem.total(terms | {"F": value}), what, cites, label))
    samples = {
        "T=6, D=1, ω=1": {**_SMALL_EXAMPLE, "u": width},
        "T=20, D=2, ω=10": {**_PRINTED_EXAMPLE, "u": width},
    }
    return Derivation(
        label=f"sharpness.norms.{name}", title=title, steps=tuple(steps), domain=domain, samples=samples,
        paper=PAPER, place=("Theorem 10",),
    )  # fmt: skip


_PRINTED_F = (theorem.PUBLISHED["F"], "F at most 16 D²(D+1)", "16 D² per quadruple, as printed")
_SIMPLE_F = (theorem.F_SIMPLE, "F at most 32 D²(D+2)", "⌊D/2⌋ ≤ D/2")

chains = (
    _chain(
        "chain-printed-steep", "The printed norm bound, steep trapezoid", ON_STEEP, 1,
        (*_PRINTED_F, "sharpness.norms.F.printed[upper,steep]"),
    ),
    _chain(
        "chain-printed-wide", "The printed norm bound, wide trapezoid", ON_WIDE, 2,
        (*_PRINTED_F, "sharpness.norms.F.printed[upper,wide]"),
    ),
    _chain(
        "chain-repaired", "The repaired norm bound, steep trapezoid", ON_STEEP, 1,
        (*_SIMPLE_F, "sharpness.norms.F.repaired"),
    ),
)  # fmt: skip
