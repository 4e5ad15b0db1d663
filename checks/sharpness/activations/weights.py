"""Theorem 11: operator norms of the attention weights and their products with tokens."""

from __future__ import annotations

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.sharpness.activations.shared import SQUARED, claim
from boundaudit.checks.sharpness.norms.quantities import NORM
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import STEEP, TARGETS, of_targets
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.norms import CLOSED
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness.activations import operator_norms, sizes
from boundaudit.numeric.sharpness.target import TargetBatch

_ANY_WIDTH = TARGETS.replace(u=STEEP, T=Integers(2, tested_to=12))
"""Attention weights do not depend on the trapezoid."""


def _operator(name: str, block: str, latex: str, definition: sp.Expr | None = None, power: int = 1) -> Quantity:
    measure = of_targets(lambda batch, _: operator_norms(batch)[block] ** power)
    return Quantity(name, measure, latex, definition)


def _largest(batch: TargetBatch, name: str) -> Tensor:
    """A product with tokens or stream rows, the largest over the zero, the full and an alternating input."""
    position = torch.arange(batch.max_length, device=batch.device)
    patterns = torch.stack([position < 0, position >= 0, position % 2 == 0])
    return sizes(batch, patterns & batch.real_positions[:, None])[name].amax(-1)


v1_operator = claim(
    label="sharpness.activations.V1.operator",
    statement="V1 has operator norm one.",
    left=_operator("operator norm of V1", "V1", r"\|V_1\|_{op}", sp.Integer(1)),
    relation="=",
    right=sp.Integer(1),
    domain=_ANY_WIDTH,
    role="printed",
    reading="certain",
    expected="proved",
)

_W1_DOMAIN = Domain(
    {T: Integers(3, tested_to=12), D: Integers(1, T - 1), omega: Integers(2, T)}
    | {c: Vector(omega, Reals(0, open_low=True)), sp.Symbol("S"): Subsets(omega, D, T)}
)
_W1_NORM = _operator("squared operator norm of W1", "W1", r"\|W_1\|_{op}^2", power=2)

w1_frobenius = claim(
    label="sharpness.activations.W1.frobenius",
    statement="The operator norm of W1, as of any matrix, is at most its Frobenius norm.",
    role="axiom",
    left=_W1_NORM,
    relation="<=",
    right=NORM["W1"],
    domain=_W1_DOMAIN,
    expected="supported",
    limitations=(SQUARED,),
)

w1_operator = claim(
    label="sharpness.activations.W1.operator",
    statement="The operator norm of W1 is at most 2 √(ωD) log T, its Frobenius norm.",
    left=_W1_NORM,
    relation="<=",
    right=CLOSED["W1"],
    domain=_W1_DOMAIN,
    role="printed",
    reading="plausible",
    expected="proved",
    limitations=(SQUARED, "Stated for two components or more; with one, both norms are the same."),
    derivation=proof(
        "sharpness.activations.W1.operator",
        "The operator norm of W1",
        _W1_DOMAIN,
        Step(_W1_NORM, "squared operator norm"),
        Step(NORM["W1"], "squared Frobenius norm", "largest singular value", w1_frobenius.label),
        Step(CLOSED["W1"], "4 ω D log²T", "entry by entry"),
        samples={"T=4, D=2, ω=2": {"T": 4, "D": 2, "omega": 2, "c": (0.6, 0.8), "S": ((1, 2), (2, 4))}},
    ),
)

w2_rank = claim(
    label="sharpness.activations.W2.rank-one",
    statement="W2 has rank one, so that its operator norm and the norm of its product with the output position's row "
    "both equal its Frobenius norm.",
    relation="=",
    right=theorem.W2_BY_ENTRIES,
    domain=_ANY_WIDTH,
    role="printed",
    reading="certain",
    expected="proved",
    cases=(
        Case(
            "operator",
            statement="W2 has at most rank one, and its squared operator norm is its squared Frobenius norm Σ (log c_t "
            "+ 2 log T)².",
            left=_operator("squared operator norm of W2", "W2", r"\|W_2\|_{op}^2", theorem.W2_BY_ENTRIES, 2),
        ),
        Case(
            "output",
            statement="At every input W2 maps the output position's row to a vector whose squared norm is the squared "
            "Frobenius norm of W2, Σ (log c_t + 2 log T)².",
            left=Quantity(
                "squared norm of W2 times the output row",
                of_targets(lambda batch, _: _largest(batch, "W2 x") ** 2),
                r"\|W_2 x_{out}\|^2",
                theorem.W2_BY_ENTRIES,
            ),
        ),
    ),
    limitations=("The bound 4 ω log²T on the squared norm of W2 bounds both.",),
)
