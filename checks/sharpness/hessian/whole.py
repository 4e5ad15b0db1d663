"""Theorem 18: from the Hessian to the four parts of the chain rule, and from their bounds to one on the whole."""

from __future__ import annotations

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Quantity, Side
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.sharpness.hessian.families import SAMPLES, measured_as
from boundaudit.checks.sharpness.hessian.parts import WHAT
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.hessian_parts import Sizes

_CAUCHY = ("C ≤ √ω", theorem.OF_C, "Cauchy-Schwarz", None)
_ENDS: dict[str, tuple[tuple[str, Sizes, str, str | None], ...]] = {
    "floor": (
        _CAUCHY,
        ("|w2|² ≤ 4 ω log²T", theorem.OF_KEYS, "logit by logit", "sharpness.norms.W2.upper"),
        ("logits at most 2 log T in size", theorem.OF_RANGE, "of any two", "sharpness.hessian.lemmas.logit"),
    ),
    "own": (
        ("range at most √2 |w2|", theorem.ANY_RANGE, "of any two", "sharpness.hessian.lemmas.two-logits"),
        ("C and |w2| written out", theorem.TARGET, "definition", None),
    ),
    "one-column": (_CAUCHY,),
}
"""What stands for C, |w2|² and the range of logits: for coefficients from T⁻⁴ to 1, for any, and where none enters."""


def whole_norm(which: str) -> Quantity:
    """The operator norm of Hess f.

    Args:
        which: One of `NETWORKS`.

    Returns:
        The quantity, at points of `SEEN`.
    """
    return measured_as("norm of Hess f", theorem.whole_n, which)


def whole(name: str, which: str, domain: Domain, ends: str, right: Side) -> Case:
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
    start = theorem.FOUR
    steps = [
        Step(left := whole_norm(which), "‖Hess f‖"),
        Step(measured_as("values, logits and the rest", theorem.THREE, which), "the chain rule's parts",
             "triangle inequality"),
        Step(measured_as("values, logits, skew and covariance", start, which), "two halves of the parameters",
             "block norms"),
    ]  # fmt: skip
    for part, what in WHAT.items():
        start = theorem.put(start, {theorem.NORMS[part]: theorem.OWN[part]})
        if which == "one-column":
            start = theorem.put(start, theorem.NO_LOGITS)
        steps.append(Step(measured_as(f"{name}: {what} in closed form", start, which), what, "its bound",
                          f"sharpness.hessian.parts.{part}[{which}]"))  # fmt: skip
    for words, sizes, cites, label in _ENDS[ends]:
        start = theorem.put(start, sizes)
        last = sizes is _ENDS[ends][-1][1]
        steps.append(Step(right if last else measured_as(f"{name}: {words}", start, which), words, cites, label))
    chain = Derivation(
        label=f"sharpness.hessian.{name}.{which}", title=f"A bound on the Hessian, {which} network",
        steps=tuple(steps), domain=domain, samples=SAMPLES, paper=PAPER, place=("Theorem 18",),
    )  # fmt: skip
    return Case(which, left=left, derivation=chain)
