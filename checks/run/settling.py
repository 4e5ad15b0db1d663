"""The proofs of a run, judged again by what the run itself has found of what they cite.

While claims are judged, side by side, an axiom that a proof cites is looked at briefly. Its own receipt may know more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.records.receipt import Receipt

Find = Callable[[str], Sequence[Claim]]
"""From a label to the claims that it means."""
_DOUBT = ("derivation", "undecided", 0)
"""What stands in place of a proof that was judged again: of a chain whose steps are measured, points are counted."""


def judged_again(receipts: Mapping[str, Receipt], find: Find) -> dict[str, Receipt]:
    """Of a run's receipts those whose proof cites what has not stood in it, and those that cite these.

    By label, undecided, with what speaks against the proof.
    """
    now = dict(receipts)
    while fallen := {label: cited for label, found in now.items() if (cited := _fallen(found, now, find))}:
        for label, cited in fallen.items():
            now[label] = _doubted(now[label], find(label)[0], f"{cited}, which its proof cites, does not stand here")
    return {label: found for label, found in now.items() if found is not receipts[label]}


def _fallen(receipt: Receipt, receipts: Mapping[str, Receipt], find: Find) -> str | None:
    """What the proof of a receipt cites and has not stood: a claim that is not proved, an axiom that has fallen."""
    proof = receipt.findings.proof
    for label in () if proof is None else proof.cites:
        if label in receipts and not all(bears(each, receipts[label].findings.verdict) for each in find(label)):
            return label
    return None


def is_doubted(receipt: Receipt) -> bool:
    """Whether a receipt was judged again: in another run, what its proof cites may stand."""
    return _DOUBT in {(each.method, each.outcome, each.evaluations) for each in receipt.findings.evidence}


def bears(claim: Claim, verdict: str) -> bool:
    """Whether a proof may cite a claim that has come out so: one that is proved, or an axiom that stands."""
    return verdict in (STANDING if claim.role == "axiom" else ("proved",))


def _doubted(receipt: Receipt, claim: Claim, against: str) -> Receipt:
    """The receipt with what speaks against its proof in place of it."""
    found = receipt.findings
    method, outcome, evaluations = _DOUBT
    doubt = Evidence(method, outcome, "the derivation", evaluations, against=against)
    evidence = [doubt if each is found.proof else each for each in found.evidence]
    findings = Findings.judged(claim, evidence, found.worst, found.mutation, found.region)
    return Receipt(receipt.label, receipt.key, receipt.fingerprint, findings)
