"""From evidence to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundaudit.checks.evidence.evidence import Evidence


def judge(evidence: Sequence[Evidence], *, missing: str | None = None, killed: int | None = None) -> tuple[str, str]:
    """The verdict that the evidence gives, and why.

    Args:
        evidence: All evidence of one claim.
        missing: For a statement that leaves a constant open: what is missing.
        killed: How many mutants the same evidence kills; None before mutants were judged.

    Returns:
        The verdict and one line of reason.
    """
    if missing is not None:
        return "not testable", missing
    proofs = [e for e in evidence if e.method == "proof" and e.outcome == "holds"]
    witnesses = [e for e in evidence if e.outcome == "violated" and e.witness is not None]
    if proofs and witnesses:
        return (
            "undecided",
            f"{proofs[0].engine} proves what {witnesses[0].method} refutes: one of them is wrong",
        )
    if witnesses and witnesses[0].method == "trial":
        return "refuted", "trials exclude it at 1e-6"
    if witnesses:
        return "refuted", f"counterexample by {witnesses[0].method}, re-evaluated in ball arithmetic"
    unattained = [e for e in evidence if e.method == "equality" and e.outcome == "undecided"]
    if unattained:
        return "undecided", unattained[0].covers
    if any(e.outcome == "violated" for e in evidence):
        return "undecided", "a measurement speaks against it that ball arithmetic could not confirm"
    looks = [e for e in evidence if e.method not in ("proof", "equality")]
    if all(e.evaluations == 0 for e in looks) or any(e.method == "sweep" and e.evaluations == 0 for e in looks):
        return "vacuous", "no point of the domain, or a side without a value at most of them: nothing could refute it"
    if killed == 0:
        return "vacuous", "no mutant of the statement dies on this evidence"
    return _standing(evidence, proofs)


def _standing(evidence: Sequence[Evidence], proofs: Sequence[Evidence]) -> tuple[str, str]:
    if proofs:
        return "proved", f"{proofs[0].engine}: certificate accepted by the checker"
    holds = [e for e in evidence if e.outcome == "holds"]
    certified = [e for e in holds if e.method == "certificate" and e.whole_domain]
    if certified:
        return "certified", certified[0].covers
    if holds:
        looked = sum(e.evaluations for e in holds)
        return "supported", f"{looked} evaluations found nothing against it"
    return "undecided", "no method could say"
