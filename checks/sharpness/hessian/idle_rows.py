"""The rows that no component uses, which alone may lie on flanks of the MLP, and what attention they have."""

from __future__ import annotations

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, total
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, lemma, proof
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.parameters import T, t

_LABEL = "sharpness.hessian.idle-rows"
MASS = total(ATTENTION["finite"][t] * IDLE[t])
"""Attention of layer 2 to those rows."""

count = axiom(
    label=f"{_LABEL}.count",
    statement="T+1-ω rows are used by no component.",
    left=lambda: total(IDLE[t]),
    right=INACTIVE,
)
mass = axiom(
    label=f"{_LABEL}.mass",
    statement="The attention of layer 2 to the N = T+1-ω rows that no component uses is N of C T² + N.",
    left=lambda: MASS * (SUM * T**2 + INACTIVE),
    right=INACTIVE,
)


_LEAK = proof(
    f"{_LABEL}.leak",
    Step(SUM * MASS, "C times the attention to unused rows"),
    Step(1 / T, "1/T", "N/(C T² + N)", (
        count.label, mass.label,
        Instance(f"{VECTORS}.leaked", {"c_ve": SUM, "e_ve": MASS, "a_ve": T, "n_ve": INACTIVE}),
    )),
)  # fmt: skip
leak = lemma(
    label=f"{_LABEL}.leak",
    statement="C times the attention of layer 2 to rows that no component uses is at most 1/T.",
    left=SUM * MASS,
    right=1 / T,
    derivation=_LEAK,
)
