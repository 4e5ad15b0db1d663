"""Theorem 18: from the Hessian to the four parts of the chain rule, and from their bounds to one on the whole."""

from __future__ import annotations

from functools import partial

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.sharpness.hessian.directions import own_sizes, scale_of
from boundaudit.checks.sharpness.hessian.families import norm_of
from boundaudit.checks.sharpness.hessian.forms import attained, total, uses
from boundaudit.checks.sharpness.hessian.lemmas import in_closed_form, rising
from boundaudit.checks.sharpness.hessian.proofs import FLANKED
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.hessian_parts import Sizes

_ENDS: dict[str, tuple[tuple[Sizes, ...], tuple[str, ...]]] = {
    "floor": ((theorem.OF_C, theorem.OF_KEYS, theorem.OF_RANGE), ("sum", "keys", "floored[{}]")),
    "one-column": ((theorem.NO_LOGITS, theorem.OF_C), ("sum",)),
}  # fmt: skip
"""What stands for C, |w2|² and the range of logits, and why: for coefficients from T⁻⁴ to 1, for any, for no logits."""
_THREE = (theorem.total_h, theorem.keys_h, theorem.range_h)


def whole(name: str, which: str, domain: Domain, ends: str, right: sp.Expr) -> Case:
    """The bound on the whole Hessian of a network, with its chain.

    Args:
        name: Of the claim.
        which: One of `NETWORKS`.
        domain: Of the claim.
        ends: A key of what stands for C, |w2|² and the range of logits.
        right: What the chain ends in.

    Returns:
        The case.
    """
    sizes, why = _ENDS[ends]
    larger = {size: theorem.put(size, *sizes) for size in _THREE}
    own = own_sizes(which)
    chain = Derivation(
        label=f"sharpness.hessian.{name}.{which}", title=f"A bound on the Hessian, {which} network", domain=domain,
        samples=FLANKED, paper=PAPER, place=("Theorem 18",), steps=(
            Step(norm_of("whole", which), "‖Hess f‖"),
            Step(total(which), "along its leading direction", "the chain rule's parts", f"{attained.label}[{which}]"),
            Step(right, "values, logits, skew and covariance", "two halves of the parameters", (
                *(f"sharpness.hessian.ends.{name.format(scale_of(which))}" for name in why),
                *rising(own, larger),
                *(f"sharpness.hessian.parts.{part}[{which}]" for part in theorem.PARTS),
                *uses(which, partial(in_closed_form, sizes=own), partial(in_closed_form, sizes=larger)),
            )),
        ),
    )  # fmt: skip
    return Case(which, left=norm_of("whole", which), derivation=chain)
