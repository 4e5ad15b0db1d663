"""From evidence to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boundaudit.checks.evidence.evidence import NO_VALUE, shown

if TYPE_CHECKING:
    from boundaudit.checks.evidence.evidence import Evidence, Witness


def judge(evidence: Sequence[Evidence], *, missing: str | None = None, killed: int | None = None) -> tuple[str, str]:
    """The verdict that all evidence of one claim gives, and one line of reason.

    ``missing`` is the constant that a statement leaves open; ``killed``, the flipped direction among them, is how many
    mutants the same evidence kills, None before they were judged.
    """
    if missing is not None:
        return "not testable", missing
    faults = [e.covers for e in evidence if e.method == "fault"]
    if faults:
        return "undecided", faults[0]
    proofs = [e for e in evidence if e.method == "proof" and e.outcome == "holds"]
    witnesses = [e for e in evidence if e.outcome == "violated" and e.witness is not None]
    if proofs and witnesses:
        return (
            "undecided",
            f"{proofs[0].engine} proves what {witnesses[0].method} refutes: one of them is wrong",
        )
    if witnesses and witnesses[0].method == "trial":
        return "refuted", "trials exclude it at 1e-6"
    witnesses.sort(key=lambda e: e.witness is not None and e.witness.is_valueless)
    if witnesses and (without := _without_value(witnesses[0].witness)):
        return "refuted", without
    if witnesses:
        return "refuted", f"counterexample by {witnesses[0].method}, re-evaluated in ball arithmetic"
    unattained = [e for e in evidence if e.method == "equality" and e.outcome == "undecided"]
    if unattained:
        return "undecided", unattained[0].covers
    against = [e for e in evidence if e.outcome == "violated" or e.against is not None]
    if against:
        told = [e.against for e in against if e.against is not None]
        return "undecided", (told or ["a measurement speaks against it that ball arithmetic could not confirm"])[0]
    looks = [e for e in evidence if e.method not in ("proof", "derivation", "equality", "coverage")]
    unseen = not proofs and all(e.evaluations == 0 for e in looks)
    if unseen or any(e.method == "sweep" and e.evaluations == 0 for e in looks):
        reason = "no point of the domain, or a side without a value at most of them: nothing could refute it"
        return "vacuous", f"{reason}; where an equation of `where` is met on no line, solve it for one parameter"
    if killed == 0 and not proofs:
        return "vacuous", "no mutant of the statement dies on this evidence"
    return _standing(evidence, proofs)


def _without_value(witness: Witness | None) -> str | None:
    """What to say of a counterexample that consists in a side without a value; None for any other."""
    if witness is None or not witness.is_valueless:
        return None
    name = "left" if witness.left == NO_VALUE else "right"
    return f"the {name} side has no value at {shown(witness.point)}, as exact arithmetic shows"


def _standing(evidence: Sequence[Evidence], proofs: Sequence[Evidence]) -> tuple[str, str]:
    if proofs:
        return "proved", f"{proofs[0].engine}: a certificate for the whole domain"
    holds = [e for e in evidence if e.outcome == "holds"]
    certified = [e for e in holds if e.method == "certificate" and e.whole_domain]
    if certified:
        return "certified", certified[0].covers
    unsearched = [e for e in evidence if e.method == "coverage"]
    if unsearched:
        return "undecided", unsearched[0].covers
    argued = [e for e in holds if e.method == "derivation"]
    if argued:
        return "supported", argued[0].covers
    if holds:
        looked = sum(e.evaluations for e in holds)
        return "supported", f"{looked} evaluations found nothing against it"
    return "undecided", "no method could say"
