"""The loss averaged over inputs: traces add up, ranks too, and the largest eigenvalue is no longer the trace."""

from __future__ import annotations

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.sharpness.loss_hessian.shared import claim
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.loss_hessian import b_1, b_2, b_12

_TWO = Domain({b_1: Reals(0, 8), b_2: Reals(0, 8), b_12: Reals(0, 1)})
_GRADIENTS = "Two inputs whose gradients have squared lengths b_1 and b_2 and squared cosine b_12, at residual zero."

largest = claim(
    label="sharpness.loss_hessian.averaged.largest",
    statement="Averaged over two inputs at residual zero, twice the largest eigenvalue of the loss's Hessian exceeds "
    "the trace by at most the trace: the largest eigenvalue is at most the trace, with equality for parallel "
    "gradients. Squares of both sides.",
    left=theory.DISCRIMINANT,
    right=theory.TRACE_OF_TWO**2,
    domain=_TWO,
    kind="Tight",
    equality=({"b_1": 1, "b_2": 3, "b_12": 1}, {"b_1": 2, "b_2": 0, "b_12": 0}),
    expected="proved",
    limitations=(_GRADIENTS,),
    cases=(
        Case("at-most"),
        Case(
            "equal",
            statement="The largest eigenvalue of the Hessian of a loss averaged over two inputs at residual zero is "
            "its trace, as at one input.",
            left=theory.LARGEST_OF_TWO, right=theory.TRACE_OF_TWO, relation="=", kind="Identity",
            equality=(), expected="refuted",
            limitations=(_GRADIENTS, "The text says it of one input; that it carries over to means is one reading."),
        ),
    ),
)  # fmt: skip
